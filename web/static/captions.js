// Captions that were given at once, shown one after the other as they are said.

const LOOKS_EVERY = 200;

/** When each caption came to this page. */
const cameAt = new WeakMap();
let pace = 1;

/** Which of captions that came `passed` seconds ago is shown: the last whose turn, so many seconds `after`, has come. */
export function shownOf(afters, passed) {
  return Math.max(0, afters.findLastIndex((after) => after <= passed));
}

/** Show in every line of captions the one whose turn it is. */
export function showCaptions() {
  const now = performance.now();
  for (const line of document.querySelectorAll(".caption")) {
    const captions = [...line.children];
    if (captions.length === 0) continue;
    for (const caption of captions) if (!cameAt.has(caption)) cameAt.set(caption, now);
    const passed = ((now - cameAt.get(captions[0])) / 1000) * pace;
    const shown = shownOf(captions.map((caption) => Number(caption.dataset.after)), passed);
    captions.forEach((caption, index) => caption.classList.toggle("to-come", index !== shown));
  }
}

/** Take the table's word on how many of its seconds go into one. */
export function setPace(ofTable) {
  pace = ofTable;
  showCaptions();
}

export function startCaptions() {
  setInterval(showCaptions, LOOKS_EVERY);
}
