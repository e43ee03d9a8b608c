// The time that is left, counted down here between one word of the table and the next.

const HURRY = 10;

let table = null;

/** Take the table's word: its time now, whether it runs, and how many of its seconds go into one. */
export function setTime({ now, runs, pace }) {
  table = { now, runs, pace, heardAt: performance.now() };
  showTime();
}

/** Seconds of table time left at `at` (performance.now()) until `ends`; never less than none. */
export function secondsLeft(ends, { now, runs, pace, heardAt }, at) {
  const passed = runs ? ((at - heardAt) / 1000) * pace : 0;
  return Math.max(0, ends - now - passed);
}

/** The table's time at this moment, and whether it runs. */
export function tableTime() {
  if (table === null) return { now: 0, runs: false };
  const passed = table.runs ? ((performance.now() - table.heardAt) / 1000) * table.pace : 0;
  return { now: table.now + passed, runs: table.runs };
}

/** What is shown of the seconds `left`: a countdown that waits for the end of a sentence stands at its `most`. */
export function shownSeconds(left, most) {
  return most === undefined ? left : Math.min(left, Number(most));
}

/** 61.2 as "1:02": what is shown is never less than what is left. */
export function inWords(seconds) {
  const whole = Math.ceil(seconds - 0.001);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Write the time that is left wherever it is shown. */
export function showTime() {
  if (table === null) return;
  const at = performance.now();
  for (const element of document.querySelectorAll("[data-ends]")) {
    const left = secondsLeft(Number(element.dataset.ends), table, at);
    const shown = shownSeconds(left, element.dataset.most);
    const text = inWords(shown);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("hurry", table.runs && shown === left && left <= HURRY);
    element.classList.toggle("stopped", !table.runs || shown < left);
  }
  for (const element of document.querySelectorAll("[data-from]")) {
    element.classList.toggle("to-come", secondsLeft(Number(element.dataset.from), table, at) > 0);
  }
}

export function startClock() {
  setInterval(showTime, 200);
}
