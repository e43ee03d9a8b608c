// What is seen only while a button is held, and what is done only once it was held long enough.

import { keep, release } from "./morph.js";

const SEEN_FOR = 5000;
const HELD_FOR = 500;

let shown = null;
let held = null;

/** `act(element, command)`: how this page sends a command. */
export function listenForHolding(act) {
  addEventListener("pointerdown", (event) => {
    const peek = event.target.closest?.("[data-hold]");
    if (peek) show(peek);
    const button = event.target.closest?.("[data-hold-do]");
    if (button && !button.disabled) hold(button, act);
  });
  for (const name of ["pointerup", "pointercancel", "blur", "pagehide"]) addEventListener(name, letGo);
  document.addEventListener("visibilitychange", letGo);
  document.addEventListener("focusout", (event) => {
    if (event.target === shown?.button || event.target === held?.button) letGo();
  });
  addEventListener("keydown", (event) => {
    const peek = event.target.closest?.("[data-hold]");
    if (peek && (event.key === " " || event.key === "Enter")) {
      event.preventDefault();
      if (!event.repeat) show(peek);
    }
  });
  addEventListener("keyup", letGo);
  addEventListener("contextmenu", (event) => {
    if (event.target.closest?.("[data-hold], [data-hold-do]")) event.preventDefault();
  });
  addEventListener("click", (event) => {
    // Without a pointer: a screen reader or a key, which cannot hold.
    if (event.detail !== 0) return;
    const peek = event.target.closest?.("[data-hold]");
    if (peek) show(peek);
    const button = event.target.closest?.("[data-hold-do]");
    if (button && !button.disabled) act(button, JSON.parse(button.dataset.holdDo));
  });
}

/** Let go of what the page has no more. */
export function checkHeld() {
  if (shown && !(shown.button.isConnected && shown.element.isConnected)) hide();
  if (held && !held.button.isConnected) letGo();
}

function show(button) {
  hide();
  const element = document.querySelector(button.dataset.hold);
  if (!element) return;
  element.setAttribute("aria-live", "off");
  element.hidden = false;
  keep(element, "hidden");
  keep(element, "aria-live");
  shown = { button, element, timer: setTimeout(hide, SEEN_FOR) };
}

function hide() {
  if (!shown) return;
  clearTimeout(shown.timer);
  release(shown.element, "hidden");
  release(shown.element, "aria-live");
  shown.element.hidden = true;
  shown = null;
}

function hold(button, act) {
  const command = button.dataset.holdDo;
  button.classList.add("holding");
  const timer = setTimeout(() => {
    const isStillMeant = button.dataset.holdDo === command;
    letGo();
    if (isStillMeant) act(button, JSON.parse(command));
  }, HELD_FOR);
  held = { button, timer };
}

function letGo() {
  hide();
  if (!held) return;
  clearTimeout(held.timer);
  held.button.classList.remove("holding");
  held = null;
}
