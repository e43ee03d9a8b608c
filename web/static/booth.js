// The pick booth: one person after the other, and nothing is remembered of any of them.

import { tell } from "./act.js";
import { keep } from "./morph.js";

const IDLE = 20_000;
const DIGITS = 4;
const NOBODY = Object.freeze({ step: "name", seat: "", name: "", digits: "", known: "", sets: false });

let person = NOBODY;
let idle = 0;

/** `post(element, body)`: sends something from the booth. */
export function listenInBooth(post) {
  const actions = [
    ["[data-booth-do]", (button) => actInBooth(button, JSON.parse(button.dataset.boothDo), post)],
    ["[data-booth-seat]", (button) => choose(button)],
    ["[data-booth-digit]", (button) => type(button.dataset.boothDigit, post, button)],
    ["[data-booth-rub]", () => change({ digits: person.digits.slice(0, -1) })],
    ["[data-booth-secret]", () => change({ step: "digits", digits: "", sets: true })],
    ["[data-booth-again]", () => forget()],
  ];
  addEventListener("click", (event) => {
    for (const [selector, action] of actions) {
      const button = event.target.closest?.(selector);
      if (button) action(button);
    }
  });
  addEventListener("keydown", (event) => {
    if (person.step !== "digits") return;
    if (/^[0-9]$/.test(event.key)) type(event.key, post, document.body);
    if (event.key === "Backspace") change({ digits: person.digits.slice(0, -1) });
  });
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, stayAwake);
  document.addEventListener("visibilitychange", () => document.hidden && forget());
  showBooth();
}

/** Send `command` for whoever stands here, and forget them. */
export async function actInBooth(element, command, post) {
  const answer = await post(element, { seat: person.seat, digits: person.known, do: command });
  if (answer?.ok) change({ ...NOBODY, step: "done" });
  else if (answer?.reason === "wrong-digits") change({ step: "digits", digits: "", known: "" });
  return answer;
}

/** Let the page show the step that the person is at. */
export function showBooth() {
  const steps = [...document.querySelectorAll("[data-booth-step]")];
  for (const step of steps) {
    keep(step, "hidden");
    step.hidden = step.dataset.boothStep !== person.step;
  }
  if (steps.length === 0) person = NOBODY;
  for (const place of document.querySelectorAll("[data-booth-who]")) write(place, person.name);
  const typed = "●".repeat(person.digits.length) + "○".repeat(DIGITS - person.digits.length);
  for (const place of document.querySelectorAll("[data-booth-typed]")) write(place, typed);
}

function write(place, text) {
  keep(place, "content");
  if (place.textContent !== text) place.textContent = text;
}

function choose(button) {
  const asks = button.dataset.boothDigits === "true";
  const { boothSeat: seat, boothName: name } = button.dataset;
  change({ ...NOBODY, step: asks ? "digits" : "animal", seat, name });
}

async function type(digit, post, element) {
  if (person.digits.length >= DIGITS) return;
  change({ digits: person.digits + digit });
  if (person.digits.length < DIGITS) return;
  const digits = person.digits;
  if (!person.sets) {
    change({ step: "animal", known: digits });
    return;
  }
  const whose = person.seat;
  const command = { type: "set-secret", digits };
  const answer = await post(element, { seat: whose, digits: person.known, do: command });
  if (person.seat !== whose) return;
  const known = answer?.ok ? digits : person.known;
  change({ step: "animal", digits: "", known, sets: false });
  if (answer?.ok) tell("Set. From now on these four digits guard your pick.");
}

function change(fields) {
  const before = person.step;
  person = { ...person, ...fields };
  showBooth();
  stayAwake();
  if (person.step === before) return;
  const step = document.querySelector(`[data-booth-step="${person.step}"]`);
  step?.querySelector("button:not([disabled])")?.focus({ preventScroll: true });
}

function forget() {
  change(NOBODY);
}

function stayAwake() {
  clearTimeout(idle);
  if (person !== NOBODY && person.step !== "name") idle = setTimeout(forget, IDLE);
}
