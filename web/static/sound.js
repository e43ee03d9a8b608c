// What a page says on which somebody switched the sound on: the game master's own clips; where it has no voice to make them
// with, the captions, in the browser's voice.

import { Clips } from "./clips.js";
import { tell } from "./act.js";
import { tableTime } from "./clock.js";
import { keep } from "./morph.js";
import { BUZZER, JUST_ON, MUTE, RESULT, STILL_ON, TICK, queued } from "./speech.js";
import { Ticks, countdown } from "./ticks.js";

const LOOKS_EVERY = 50;
const WAKES_WITHIN = 1000;
/** A browser that has not begun to speak after so long has no voice. */
const SPEAKS_WITHIN = 5000;

/** What a browser calls it when a sentence was cut on purpose. */
const WAS_CUT = ["canceled", "interrupted"];

/** What the game master calls the ways to speak. */
const WORDS = "words";

/** Somebody switched it on here. */
let isOn = false;
/** The browser lets it sound. */
let isAllowed = false;
let isWaking = false;
let stream = null;
let speech = WORDS;
let audio = null;
let clips = null;
let waiting = [];
let isSpeaking = false;
let saying = null;
let silence = 0;
let beginning = 0;
const ticks = new Ticks();

/** `live`: the stream that brings the sounds along; null on a page without one. */
export function listenForSound(live) {
  stream = live;
  addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-sound]") || isWaking) return;
    if (!(isOn && isAllowed)) {
      switchOn();
      return;
    }
    switchOff();
    stream?.sound(null);
  });
  setInterval(() => {
    if (!isOn || speech !== WORDS) return;
    const { now, runs } = tableTime();
    if (ticks.isDue(counted(), now, runs)) {
      cutSentence();
      tick();
    }
    sayNext();
  }, LOOKS_EVERY);
}

/** Let every switch show whether this page sounds. */
export function showSound() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    keep(button, "aria-pressed");
    button.setAttribute("aria-pressed", String(isOn && isAllowed));
  }
}

/** Be silent, with every switch off. */
export function switchOff() {
  isOn = false;
  hush();
  showSound();
}

/** What the game master wants to be heard here now. */
export function sound(told) {
  if (!isOn) return;
  if (told.speech !== speech) hush();
  speech = told.speech;
  clips?.ready(told.ready);
  clips?.play(told);
}

/** Say these captions, in their order among what still waits, where there are no clips to play. */
export function say(news) {
  if (!isOn || speech !== WORDS || news.length === 0) return;
  const { queue, cutsIn } = queued(waiting, news);
  waiting = queue;
  if (cutsIn) stopSpeaking();
  if (news.some((caption) => caption.urgency === BUZZER)) buzz();
  else if (news.some((caption) => caption.urgency === TICK) && ticks.isFirst(tableTime().now)) tick();
  sayNext();
}

/** Be silent at once, and forget what waited. */
export function hush() {
  waiting = [];
  stopSpeaking();
  clips?.silence();
}

/** A tap allows a page to sound, and whoever tapped hears at once that it does. */
async function switchOn() {
  // Some browsers speak later only if they spoke at the tap.
  if (globalThis.speechSynthesis) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (Context && !audio) {
    audio = new Context();
    audio.addEventListener("statechange", lookAgain);
    clips = new Clips(audio, fallMute);
  }
  isOn = true;
  isWaking = true;
  const isAwake = await wakes();
  isWaking = false;
  isAllowed = isOn && isAwake;
  if (!isOn) return; // another device was switched on meanwhile
  if (isAllowed) tone(660, 0, 0.15, 0.1);
  else {
    switchOff();
    tell("This device cannot sound. Try another one, or another browser.");
  }
  stream?.sound(isAllowed ? JUST_ON : null);
  showSound();
}

/** Whether the browser lets this page sound; some never answer. */
async function wakes() {
  if (!audio) return false;
  const waited = new Promise((over) => setTimeout(over, WAKES_WITHIN));
  await Promise.race([audio.resume().catch(() => {}), waited]);
  return audio.state === "running";
}

/** A call, another program or a sleeping device takes the sound from a page, and gives it back, or not. */
async function lookAgain() {
  if (!isOn || isWaking) return;
  const isAwake = audio.state === "running" || (await wakes());
  if (!isOn || isWaking || isAwake === isAllowed) return;
  if (!isAwake) {
    fallMute();
    return;
  }
  comeBack();
}

/** What sounds again is the speaker again. */
function comeBack() {
  if (!isOn || isAllowed || audio.state !== "running") return;
  isAllowed = true;
  stream?.sound(STILL_ON);
  showSound();
}

/** The game master must know that nothing is heard here. */
function fallMute() {
  if (!isOn || !isAllowed) return;
  isAllowed = false;
  stream?.sound(MUTE);
  showSound();
  tell("This device fell silent. Tap its sound switch again.");
}

function counted() {
  return countdown(document.querySelector("[data-ticks]")?.dataset.ticks);
}

/** A tick cuts into a sentence, though not into the word that counts; a ruling is said again. */
function cutSentence() {
  if (!isSpeaking || saying.urgency <= TICK) return;
  if (saying.urgency === RESULT) waiting.unshift(saying);
  stopSpeaking();
}

/** Whether a sentence would only be cut by the next tick. */
function mustWait(caption) {
  const { now, runs } = tableTime();
  return caption.urgency > TICK && ticks.isOn(counted(), now, runs);
}

function stopSpeaking() {
  clearTimeout(silence);
  clearTimeout(beginning);
  isSpeaking = false;
  globalThis.speechSynthesis?.cancel();
}

function sayNext() {
  if (isSpeaking || waiting.length === 0 || mustWait(waiting[0])) return;
  const voice = globalThis.speechSynthesis;
  const caption = waiting.shift();
  saying = caption;
  if (!voice) {
    fallMute();
    return;
  }
  if (caption.pause > 0) {
    isSpeaking = true;
    silence = setTimeout(() => {
      isSpeaking = false;
      waiting.unshift({ ...caption, pause: 0 });
      sayNext();
    }, caption.pause * 1000);
    return;
  }
  const words = new SpeechSynthesisUtterance(caption.text);
  words.lang = document.documentElement.lang;
  isSpeaking = true;
  const done = () => {
    if (sayNext.current !== words) return;
    clearTimeout(beginning);
    isSpeaking = false;
    sayNext();
  };
  const failed = () => {
    if (sayNext.current !== words) return;
    fallMute();
    voice.cancel();
    done();
  };
  // Kept, for some browsers forget to say that a sentence is over once nobody holds it.
  sayNext.current = words;
  words.onstart = () => {
    clearTimeout(beginning);
    comeBack();
  };
  words.onend = done;
  words.onerror = (event) => (WAS_CUT.includes(event.error) ? done() : failed());
  beginning = setTimeout(failed, SPEAKS_WITHIN);
  voice.speak(words);
}

function tick() {
  tone(880, 0, 0.06, 0.25);
}

function buzz() {
  for (const beat of [0, 0.3, 0.6]) tone(196, beat, beat === 0.6 ? 0.7 : 0.2, 0.35);
}

function tone(pitch, after, length, loudness) {
  if (!audio) return;
  const start = audio.currentTime + after;
  const oscillator = new OscillatorNode(audio, { type: "square", frequency: pitch });
  const volume = new GainNode(audio, { gain: loudness });
  volume.gain.setValueAtTime(loudness, start + length * 0.8);
  volume.gain.linearRampToValueAtTime(0, start + length);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
