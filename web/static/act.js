// Buttons and forms: what pressing them sends. A press shows at once; what the table says to it is awaited.

import { filledIn, valuesOf } from "./forms.js";
import { recall, remember } from "./keepsake.js";
import { keep, release } from "./morph.js";
import { send } from "./send.js";

const ARMED_FOR = 4000;
const NO_STANDS_FOR = 8000;

let noTimer = 0;

/** Show a sentence to whoever uses this page; "" takes it away. */
export function tell(sentence) {
  const place = document.querySelector("[data-answer]");
  clearTimeout(noTimer);
  place.textContent = sentence;
  if (sentence) noTimer = setTimeout(() => (place.textContent = ""), NO_STANDS_FOR);
}

/** Send `body`, showing meanwhile that `element` was pressed. Answers the table's answer; null while one is awaited. */
export async function press(element, address, body) {
  if (element.getAttribute("aria-busy") === "true") return null;
  element.classList.add("pressed");
  element.setAttribute("aria-busy", "true");
  keep(element, "aria-busy");
  const answer = await send(address, body);
  release(element, "aria-busy");
  element.removeAttribute("aria-busy");
  element.classList.remove("pressed");
  tell(answer.ok ? "" : answer.why);
  return answer;
}

/** `act(element, command)`: how this page sends a command; `live`: its stream, or null. */
export function listen(act, live) {
  // What a button did when the finger came down counts: the page may change before it goes up.
  let meant = null;
  addEventListener("pointerdown", (event) => (meant = meaningOf(event)), true);
  addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-do]:not(form)");
    if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return;
    const was = meant;
    meant = null;
    if (was && was.button === button && was.command !== button.dataset.do) return;
    if (button.dataset.confirm && button.armedFor !== button.dataset.do) {
      arm(button);
      return;
    }
    button.disarm?.();
    act(button, JSON.parse(button.dataset.do));
  });
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.go) {
      event.preventDefault();
      location.assign(form.dataset.go + encodeURIComponent(form.elements.code.value.trim().toUpperCase()));
    } else if (form.dataset.do) {
      event.preventDefault();
      submitCommand(form, event.submitter ?? form, act);
    } else if (form.dataset.post) {
      event.preventDefault();
      submitPost(form, event.submitter ?? form, live);
    }
  });
  addEventListener("change", (event) => {
    if (event.target.matches?.("[data-now]")) event.target.form?.requestSubmit();
  });
}

function meaningOf(event) {
  const button = event.target.closest?.("[data-do]:not(form)");
  return button ? { button, command: button.dataset.do } : null;
}

async function submitCommand(form, button, act) {
  const command = filledIn(JSON.parse(form.dataset.do), valuesOf(form), form.dataset.into);
  const answer = await act(button, command);
  if (answer?.ok && "clear" in form.dataset) form.reset();
}

async function submitPost(form, button, live) {
  const values = valuesOf(form);
  if (values.code === "") values.code = document.body.dataset.code || recall("code");
  const answer = await press(button, form.dataset.post, values);
  if (answer === null) return;
  if (answer.secret) remember(answer.page, answer.secret);
  if (answer.ok && form.dataset.then) location.assign(form.dataset.then);
  else if (answer.ok && live) live.open();
  else if (answer.ok) location.reload();
  else if (answer.reason === "wrong-code") setTimeout(() => location.assign("/"), 3000);
}

/** Ask whether that is meant: the next press, if it is a press of the same thing, sends it. */
function arm(button) {
  button.disarm?.();
  const label = [...button.childNodes];
  const timer = setTimeout(() => button.disarm?.(), ARMED_FOR);
  keep(button, "content");
  button.armedFor = button.dataset.do;
  button.classList.add("armed");
  button.replaceChildren(button.dataset.confirm);
  button.disarm = () => {
    clearTimeout(timer);
    delete button.disarm;
    delete button.armedFor;
    button.classList.remove("armed");
    release(button, "content");
    button.replaceChildren(...label);
  };
}
