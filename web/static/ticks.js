// The ticks of a countdown on a page that speaks in the browser's voice: rules without a browser.

const BUZZER = 0;
const TICK = 1;
/** A tick caption begins the last ten seconds: so many more ticks follow it, one a second of table time. */
const TICKS_AFTER_CAPTION = 9;

export class Ticks {
  /** Nothing ticks. */
  stop() {
    this.key = null;
    this.given = TICKS_AFTER_CAPTION;
  }

  constructor() {
    this.stop();
  }

  /** These captions came at `now`, in table time: a tick begins the ticking, the buzzer and news of the time end it. */
  heard(news, now) {
    for (const caption of news) {
      if (caption.urgency === TICK) {
        this.key = caption.key;
        this.since = now;
        this.given = 0;
      } else if (caption.urgency === BUZZER || caption.key === this.key) {
        this.stop();
      }
    }
  }

  /** Whether a tick is to be given now; each is asked for once. Time that was given back ends the ticking. */
  isDue(now, runs) {
    if (this.given >= TICKS_AFTER_CAPTION || !runs) return false;
    if (now < this.since) {
      this.stop();
      return false;
    }
    const passed = Math.floor(now - this.since);
    if (passed <= this.given) return false;
    this.given = passed;
    return passed <= TICKS_AFTER_CAPTION;
  }
}
