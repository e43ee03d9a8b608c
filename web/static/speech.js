// The order in which a page says things, aloud and in captions: rules without a browser.

export const BUZZER = 0;
export const TICK = 1;
export const RESULT = 2;

/** How a page tells the game master that it is the speaker. */
export const JUST_ON = "on";
export const STILL_ON = "still";
export const MUTE = "mute";

/** Whether the moment of a clip is over: it was `late` seconds when it was told, and `waited` milliseconds have passed. */
export function isTooLate({ late, latest }, waited) {
  return late + waited / 1000 > latest;
}

/** Whether what is told is something else than what was told last. */
export function isNews(before, told) {
  return told.number !== before.number || told.clip !== before.clip;
}

/**
 * What waits to be said once `news` came, the next first, and whether what is being said now must stop.
 * A buzzer empties what waited; a tick cuts in; a newer caption takes the place of an older one of its key.
 */
export function queued(waiting, news) {
  let queue = waiting;
  let cutsIn = false;
  for (const caption of news) {
    if (caption.urgency === BUZZER) queue = [];
    cutsIn ||= caption.urgency <= TICK;
    queue = [...queue.filter((other) => other.key !== caption.key), caption];
  }
  queue.sort((one, other) => one.urgency - other.urgency || one.number - other.number);
  return { queue, cutsIn };
}

/** What stands in the line of captions, and what waits for it. Times are in seconds. */
export class CaptionLine {
  constructor() {
    this.upTo = 0;
    this.waiting = [];
    this.shown = null;
    this.until = 0;
  }

  /** These captions are being said at `now`, the oldest first; those that are known count once. */
  heard(captions, now) {
    const newest = captions.at(-1)?.number ?? 0;
    if (newest < this.upTo) Object.assign(this, { upTo: 0, waiting: [], shown: null, until: now });
    const news = captions.filter((caption) => caption.number > this.upTo);
    if (news.length === 0) return;
    if (this.waiting.length === 0) this.until = Math.max(this.until, now);
    const { queue, cutsIn } = queued(this.waiting, news);
    this.waiting = queue;
    this.upTo = newest;
    if (cutsIn) this.cut(news, now);
  }

  /** A ruling into which a tick cuts is said again, unless there is a newer one. */
  cut(news, now) {
    const cutOff = this.until > now ? this.shown : null;
    this.until = now;
    const isOver = news.some((caption) => caption.urgency === BUZZER || caption.key === cutOff?.key);
    if (cutOff?.urgency === RESULT && !isOver) this.waiting = queued([cutOff], this.waiting).queue;
  }

  /** What stands in the line at `now`; null before anything was said. */
  at(now) {
    while (this.waiting.length > 0 && now >= this.until + this.waiting[0].pause) {
      this.shown = this.waiting.shift();
      this.until += this.shown.pause + this.shown.takes;
    }
    return this.shown;
  }
}
