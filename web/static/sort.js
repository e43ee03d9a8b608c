// Lists whose order the host drags: `data-sort` names the option of the game that the order of the seats is. Whoever cannot
// drag uses the buttons that stand on each line.

let dragged = null;

/** Whether a line is in the hand; the page must not be changed under it. */
export function isSorting() {
  return dragged !== null;
}

/** `act(element, command)`: how this page sends a command; `down()`: called when a line was put down. */
export function listenForSorting(act, down) {
  addEventListener("pointerdown", (event) => {
    const line = event.target.closest?.("[data-grip]")?.closest("[data-sort] > [data-seat]");
    if (!line || dragged || event.button !== 0) return;
    event.preventDefault();
    dragged = { line, pointer: event.pointerId, was: seatsOf(line.parentElement) };
    line.classList.add("carried");
  });
  addEventListener("pointermove", (event) => {
    if (dragged?.pointer === event.pointerId) makeRoom(dragged.line, event.clientY);
  });
  addEventListener("pointerup", (event) => {
    if (dragged?.pointer !== event.pointerId) return;
    const { line, was } = putDown();
    hand(line.parentElement, was, act);
    down();
  });
  addEventListener("pointercancel", (event) => {
    if (dragged?.pointer !== event.pointerId) return;
    const { line, was } = putDown();
    order(line.parentElement, was);
    down();
  });
}

function putDown() {
  const down = dragged;
  dragged = null;
  down.line.classList.remove("carried");
  return down;
}

/** Let every line whose middle a pointer at height `y` has crossed pass `line`, which itself stays where the finger took it. */
function makeRoom(line, y) {
  const list = line.parentElement;
  while (line.nextElementSibling && middleOf(line.nextElementSibling) < y) {
    list.insertBefore(line.nextElementSibling, line);
  }
  while (line.previousElementSibling && middleOf(line.previousElementSibling) > y) {
    list.insertBefore(line.previousElementSibling, line.nextElementSibling);
  }
}

function middleOf(element) {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}

function seatsOf(list) {
  return [...list.children].map((line) => line.dataset.seat);
}

function order(list, seats) {
  for (const seat of seats) list.append(...[...list.children].filter((line) => line.dataset.seat === seat));
}

/** Send the new order of `list`; where the table says no, it lies as it `was`. */
async function hand(list, was, act) {
  const seats = seatsOf(list);
  if (seats.join() === was.join()) return;
  const answer = await act(list, { type: "choose-options", options: { [list.dataset.sort]: seats } });
  if (answer && !answer.ok) order(list, was);
}
