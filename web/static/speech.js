// The order in which a page with sound says things: rules without a browser.

export const BUZZER = 0;
export const TICK = 1;

/** A clip that begins later than this is not heard at all: its moment is over. */
const LATEST = 1000;

/** Whether it is too late to begin a clip: `late` seconds when it was told, and `waited` milliseconds since. */
export function isTooLate(late, waited) {
  return late * 1000 + waited > LATEST;
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
