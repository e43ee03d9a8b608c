// The line of captions: everything that is said, in the order in which it is said, for those who hear nothing.

import { keep } from "./morph.js";
import { CaptionLine } from "./speech.js";

const LOOKS_EVERY = 200;
/** A caption of more letters than these has smaller ones on the TV, so that its strip holds it. */
const LONG = 150;
const LONGEST = 360;

const line = new CaptionLine();
let pace = 1;
let time = 0;
let lookedAt = performance.now();

function tableSeconds() {
  const now = performance.now();
  time += ((now - lookedAt) / 1000) * pace;
  lookedAt = now;
  return time;
}

function showCaption() {
  const shown = line.at(tableSeconds());
  const number = String(shown?.number ?? "");
  for (const place of document.querySelectorAll(".caption")) {
    if (place.dataset.shown === number) continue;
    keep(place, "content");
    keep(place, "data-shown");
    place.dataset.shown = number;
    place.replaceChildren(...(shown ? [inWords(shown)] : []));
  }
}

function inWords(caption) {
  const words = document.createElement("span");
  words.textContent = caption.told;
  words.classList.toggle("long", caption.told.length > LONG && caption.told.length <= LONGEST);
  words.classList.toggle("longest", caption.told.length > LONGEST);
  return words;
}

/** Take the table's word on what is being said, and on how many of its seconds go into one. */
export function hearCaptions(ofTable) {
  const now = tableSeconds();
  pace = ofTable;
  const told = document.querySelector(".caption")?.dataset.said;
  if (told) line.heard(JSON.parse(told).map(({ pause_before: pause, ...rest }) => ({ ...rest, pause })), now);
  showCaption();
}

export function startCaptions() {
  setInterval(showCaption, LOOKS_EVERY);
}
