// Every page begins here: what it is, and which of the other parts it needs.

import { listen, press, tell } from "./act.js";
import { listenForReadingAlong, showReadingAlong } from "./along.js";
import { actInBooth, listenInBooth, showBooth } from "./booth.js";
import { hearCaptions, startCaptions } from "./captions.js";
import { setTime, startClock } from "./clock.js";
import { listenForDialogs } from "./dialogs.js";
import { checkHeld, listenForHolding } from "./hold.js";
import { listenForFilm, showFilm } from "./film.js";
import { forget, recall, remember } from "./keepsake.js";
import { Live } from "./live.js";
import { morph } from "./morph.js";
import { toSay } from "./reopen.js";
import { isCarrying, listenInRoom } from "./room.js";
import { send } from "./send.js";
import { isSorting, listenForSorting } from "./sort.js";
import { hush, listenForSound, say, showSound, sound, switchOff } from "./sound.js";

const HOMES = { player: "/play", host: "/host", booth: "/booth" };

const facts = document.body.dataset;
const main = document.querySelector("#page");
const isBooth = facts.page === "booth";

let saidUpTo = null;
let postponed = null;

function show(page) {
  if (isCarrying() || isSorting()) {
    postponed = page;
    return;
  }
  morph(main, page.html);
  checkHeld();
  setTime(page);
  hearCaptions(page.pace);
  showSound();
  showReadingAlong();
  showFilm();
  if (isBooth) showBooth();
  const { news, upTo } = toSay(page, saidUpTo);
  saidUpTo = upTo;
  say(news);
  if (!page.known) comeBack("player");
}

function showLoss(isLost, sentence = "The game master cannot be heard. Trying again …") {
  const banner = document.querySelector("#offline");
  document.body.classList.toggle("offline", isLost);
  banner.hidden = !isLost;
  if (isLost) banner.textContent = sentence;
}

function stopped(isReplaced) {
  if (isReplaced) showLoss(true, "This page went on in another window. Tap here to go on in this one.");
  else showLoss(true);
}

function hushed() {
  switchOff();
  tell("Another device is the speaker now.");
}

/** This device is no longer what it was: the page of its address says what it is now. */
function reload() {
  hush();
  const last = Number(sessionStorage.getItem("reloaded") ?? 0);
  sessionStorage.setItem("reloaded", String(Date.now()));
  if (Date.now() - last > 3000) location.reload();
  else showLoss(true);
}

/** Where the browser lost the cookie, be known by the copy of the secret; where the secret is worth nothing, say so. */
async function comeBack(as) {
  const secret = recall(as);
  if (!secret) return;
  forget(as);
  const answer = await send("/rejoin", { page: as, secret });
  if (answer.ok || answer.reason === "unheard") remember(as, secret);
  if (!answer.ok) tell(answer.why);
  else if (location.pathname === HOMES[as]) location.reload();
  else location.assign(HOMES[as]);
}

const post = (element, body) => press(element, facts.act, body);
const act = (element, command) =>
  isBooth ? actInBooth(element, command, post) : post(element, { do: command });

const live = facts.live
  ? new Live(facts.live, {
      page: show,
      moved: reload,
      lost: stopped,
      heard: () => showLoss(false),
      sound,
      hushed,
    })
  : null;

document.querySelector("#offline").addEventListener("click", () => live?.open());
if (facts.code) remember("code", facts.code);
if (facts.known === "no") comeBack(facts.leads ?? facts.page);

/** Show the page that came while something was in the hand. */
function catchUp() {
  const page = postponed;
  postponed = null;
  if (page) show(page);
}

listen(act, live);
listenForSorting(act, catchUp);
listenForHolding(act);
listenForDialogs();
listenForSound(live);
listenForReadingAlong();
showReadingAlong();
listenForFilm();
showFilm();
startClock();
startCaptions();
if (isBooth) listenInBooth(post);
if (facts.page === "room") {
  listenInRoom(
    (figure, to) => press(figure, facts.act, { figure: figure.dataset.figure, ...to }),
    catchUp,
  );
}
