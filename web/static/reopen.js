// When a stream is opened anew, and what of it counts: rules without a browser.

/** The server gives a sign of life this often, in milliseconds. */
export const BEAT = 10_000;

/** Whether a stream that was last heard at `heardAt` is dead at `now` (milliseconds), whatever the browser believes. */
export function isSilent(heardAt, now) {
  return now - heardAt > 2.5 * BEAT;
}

/** How long to wait before the next try, in milliseconds, after so many that failed; `chance` is between 0 and 1. */
export function waitAfter(failures, chance) {
  return Math.min(500 * 2 ** failures, 8000) * (0.75 + 0.5 * chance);
}

/** Whether the page `next` is newer than `last` (null: none was seen on this stream). */
export function isNewer(last, next) {
  return last === null || next.boot !== last.boot || next.v > last.v;
}

/**
 * What of `page` is to be said, given that everything up to number `upTo` is said (null: the page was just opened, and what
 * was said before is over), and up to where everything is said then. Numbers begin anew when the table is cleared.
 */
export function toSay(page, upTo) {
  if (upTo === null) return { news: [], upTo: page.newest };
  const since = page.newest < upTo ? 0 : upTo;
  return { news: page.say.filter((caption) => caption.number > since), upTo: page.newest };
}
