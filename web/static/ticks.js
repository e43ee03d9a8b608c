// The ticks of the last ten seconds on a page that speaks in the browser's voice: rules without a browser.

/** So many seconds before its end a countdown begins to tick, once a second. */
const LAST_SECONDS = 10;
/** A tick that would come later than this is not given: it would only count wrong. */
const LATE = 0.25;
/** Two ticks that are no further apart are one. */
const SAME_SECOND = 0.5;

/** A countdown as a page is told of it, "from until" in table time; null where none runs. */
export function countdown(told) {
  if (!told) return null;
  const [begins, ends] = told.split(" ").map(Number);
  return { begins, ends };
}

export class Ticks {
  constructor() {
    this.last = -Infinity;
  }

  /** Whether every second ticks now, so that no sentence can be said. */
  isOn(counted, now, runs) {
    return Boolean(counted) && runs && now >= Math.max(counted.begins, counted.ends - LAST_SECONDS);
  }

  /** Whether a tick is to be given now; each is asked for once. */
  isDue(counted, now, runs) {
    if (now < this.last - SAME_SECOND) this.last = -Infinity; // time was given back
    if (!counted || !runs) return false;
    const left = Math.ceil(counted.ends - now);
    const tick = counted.ends - left;
    if (left < 1 || left > LAST_SECONDS || tick < counted.begins) return false;
    if (tick <= this.last + SAME_SECOND || now - tick > LATE) return false;
    this.last = tick;
    return true;
  }

  /** Whether a caption that counts is to be given a tick now: not where this second has one. */
  isFirst(now) {
    if (Math.abs(now - this.last) < SAME_SECOND) return false;
    this.last = now;
    return true;
  }
}
