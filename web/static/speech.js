// The order in which a page with sound says things: rules without a browser.

export const BUZZER = 0;
export const TICK = 1;

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
