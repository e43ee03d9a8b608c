// The photo finish: plays, slows and scrubs the seconds around the buzzer. The page brings the bars; the head is moved here.

const WIDE = 100;
const SLOW = 0.25;
const FROM_HERE_SLOW = -1.5;
const REST = 3;

/** Where the head is, in seconds against the buzzer; what plays, how fast. */
let at = 0;
let playing = null;
let slow = true;
let onScreen = null;

/** Whether one of `presses` (pairs of seconds: on, off) holds at `moment`. */
export function isOn(presses, moment) {
  return presses.some(([on, off]) => on <= moment && moment < off);
}

/** "1.4 s before", "buzzer", "0.2 s after". */
export function inWords(moment) {
  if (Math.abs(moment) < 0.005) return "buzzer";
  return `${Math.abs(moment).toFixed(2)} s ${moment < 0 ? "before" : "after"}`;
}

/** Where a film that began `seconds` ago is: once through, its end once more and slowly, and a rest at the buzzer. */
export function momentOfLoop(seconds, begins, ends) {
  const once = ends - begins;
  const again = (ends - FROM_HERE_SLOW) / SLOW;
  const into = seconds % (once + again + REST);
  if (into < once) return begins + into;
  if (into < once + again) return FROM_HERE_SLOW + (into - once) * SLOW;
  return 0;
}

/** Show the page's film, if it has one, where it was; a new one stands at the buzzer. */
export function showFilm() {
  const film = document.querySelector("[data-film]");
  if (!film) {
    stop();
    onScreen = null;
    return;
  }
  if (film !== onScreen) {
    onScreen = film;
    at = 0;
    stop();
    if (film.hasAttribute("data-loops") && !matchMedia("(prefers-reduced-motion: reduce)").matches) loop(film);
  }
  draw(film);
}

export function listenForFilm() {
  addEventListener("click", (event) => {
    const film = event.target.closest?.("[data-film]");
    if (event.target.closest?.("[data-film-play]")) playing ? stop() : play(film);
    if (event.target.closest?.("[data-film-slow]")) slow = !slow;
    if (film) draw(film);
  });
  addEventListener("input", (event) => {
    if (!event.target.matches?.(".film-scrub")) return;
    stop();
    at = Number(event.target.value);
    draw(event.target.closest("[data-film]"));
  });
}

function bounds(film) {
  return [Number(film.dataset.begins), Number(film.dataset.endsAt)];
}

function play(film) {
  const [begins, ends] = bounds(film);
  if (at >= ends || at === 0) at = begins;
  let before = null;
  playing = requestAnimationFrame(function frame(now) {
    at += before === null ? 0 : ((now - before) / 1000) * (slow ? SLOW : 1);
    before = now;
    if (at >= ends) {
      at = ends;
      playing = null;
    } else playing = requestAnimationFrame(frame);
    draw(film);
  });
}

function loop(film) {
  const [begins, ends] = bounds(film);
  const started = performance.now();
  playing = requestAnimationFrame(function frame(now) {
    at = momentOfLoop(Math.max(0, now - started) / 1000, begins, ends);
    playing = requestAnimationFrame(frame);
    draw(film);
  });
}

function stop() {
  if (playing !== null) cancelAnimationFrame(playing);
  playing = null;
}

function draw(film) {
  const [begins, ends] = bounds(film);
  const x = ((at - begins) * WIDE - 1).toFixed(1);
  for (const row of film.querySelectorAll(".film-row")) {
    row.querySelector(".film-head").setAttribute("x", x);
    row.classList.toggle("lit", isOn(JSON.parse(row.dataset.presses), Math.min(at, ends - 0.001)));
  }
  const button = film.querySelector("[data-film-play]");
  if (!button) return;
  button.setAttribute("aria-label", playing === null ? "Play" : "Pause");
  button.querySelector("use").setAttribute("href", `/static/icons.svg#${playing === null ? "play" : "pause"}`);
  film.querySelector("[data-film-slow]").setAttribute("aria-pressed", String(slow));
  const scrub = film.querySelector(".film-scrub");
  scrub.value = String(at);
  scrub.setAttribute("aria-valuetext", inWords(at));
  film.querySelector(".film-at").textContent = inWords(at);
}
