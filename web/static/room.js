// The simulated living room: figures are dragged, or moved with keys, onto places and mats.

const KEYS = { a: "A", b: "B", c: "C", i: "island", w: "water", Delete: "", Backspace: "" };
const FAR = 6;

let carried = null;

/** Whether a figure is in the air; the page must not be changed under it. */
export function isCarrying() {
  return carried !== null;
}

/** `move(figure, to)`: sends where a figure goes; `down()`: called when one was put down. */
export function listenInRoom(move, down) {
  addEventListener("pointerdown", (event) => {
    const figure = event.target.closest?.("[data-figure]");
    if (!figure || carried || event.button !== 0) return;
    carried = { figure, pointer: event.pointerId, x: event.clientX, y: event.clientY, isMoved: false };
    figure.setPointerCapture(event.pointerId);
  });
  addEventListener("pointermove", (event) => {
    if (carried?.pointer !== event.pointerId) return;
    const [right, down] = [event.clientX - carried.x, event.clientY - carried.y];
    if (!carried.isMoved && Math.hypot(right, down) < FAR) return;
    carried.isMoved = true;
    carried.figure.classList.add("carried");
    carried.figure.style.transform = `translate(${right}px, ${down}px)`;
  });
  addEventListener("pointerup", (event) => {
    if (carried?.pointer !== event.pointerId) return;
    const { figure, isMoved } = putDown();
    const to = isMoved ? under(event.clientX, event.clientY, figure) : null;
    if (to) move(figure, to);
    down();
  });
  addEventListener("pointercancel", () => {
    if (!carried) return;
    putDown();
    down();
  });
  addEventListener("keydown", (event) => {
    const figure = event.target.closest?.("[data-figure]");
    if (!figure || event.ctrlKey || event.altKey || event.metaKey) return;
    const place = placeFor(event.key, figure);
    if (place === null) return;
    event.preventDefault();
    move(figure, { place });
  });
}

function putDown() {
  const down = carried;
  carried = null;
  down.figure.style.transform = "";
  down.figure.classList.remove("carried");
  return down;
}

/** The mat or place at a point of the screen; null where there is none. */
function under(x, y, figure) {
  const there = document.elementsFromPoint(x, y).filter((element) => !figure.contains(element));
  const mat = there.map((element) => element.closest("[data-mat]")).find(Boolean);
  if (mat) return { mat: mat.dataset.mat };
  const place = there.map((element) => element.closest("[data-place]")).find(Boolean);
  return place ? { place: place.dataset.place } : null;
}

/** Where a key sends a figure; null for one that sends it nowhere. */
function placeFor(key, figure) {
  const places = [...document.querySelectorAll("[data-place]")].map((element) => element.dataset.place);
  const named = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (named !== undefined) return places.includes(named) ? named : null;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (step === undefined) return null;
  const here = places.indexOf(figure.closest("[data-place]")?.dataset.place);
  return places[(here + step + places.length) % places.length];
}
