// On a phone, what the game master says can be read along: whoever asked for it once keeps it.

import { forget, recall, remember } from "./keepsake.js";
import { keep } from "./morph.js";

const KEPT_AS = "captions";

export function listenForReadingAlong() {
  addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-captions]")) return;
    if (recall(KEPT_AS)) forget(KEPT_AS);
    else remember(KEPT_AS, "on");
    showReadingAlong();
  });
}

/** Show what is said, or not, and let the switch tell which. */
export function showReadingAlong() {
  const areShown = recall(KEPT_AS) !== "";
  document.body.classList.toggle("captions", areShown);
  for (const button of document.querySelectorAll("[data-captions]")) {
    keep(button, "aria-pressed");
    button.setAttribute("aria-pressed", String(areShown));
  }
}
