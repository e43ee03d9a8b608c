// The browser's voice and a buzzer, on a page where somebody switched them on.

import { tableTime } from "./clock.js";
import { keep } from "./morph.js";
import { BUZZER, TICK, queued } from "./speech.js";
import { Ticks } from "./ticks.js";

const LOOKS_EVERY = 50;

let isOn = false;
let audio = null;
let waiting = [];
let isSpeaking = false;
let silence = 0;
const ticks = new Ticks();

export function listenForSound() {
  addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-sound]");
    if (!button) return;
    isOn = !isOn;
    if (isOn) begin(button.dataset.sound || "The sound is on.");
    else hush();
    showSound();
  });
  setInterval(() => {
    const { now, runs } = tableTime();
    if (ticks.isDue(now, runs)) tick();
  }, LOOKS_EVERY);
}

/** Let every switch show whether the sound is on. */
export function showSound() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    keep(button, "aria-pressed");
    button.setAttribute("aria-pressed", String(isOn));
  }
}

/** Say these captions, in their order among what still waits. */
export function say(news) {
  if (!isOn || news.length === 0) return;
  const { queue, cutsIn } = queued(waiting, news);
  waiting = queue;
  if (cutsIn) stopSpeaking();
  if (news.some((caption) => caption.urgency === BUZZER)) buzz();
  else if (news.some((caption) => caption.urgency === TICK)) tick();
  ticks.heard(news, tableTime().now);
  sayNext();
}

/** Be silent at once, and forget what waited. */
export function hush() {
  waiting = [];
  ticks.stop();
  stopSpeaking();
}

function begin(sentence) {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (Context) {
    audio ??= new Context();
    audio.resume();
    tone(660, 0, 0.15, 0.1);
  }
  say([{ number: 0, urgency: 3, key: "sound", text: sentence }]);
}

function stopSpeaking() {
  clearTimeout(silence);
  isSpeaking = false;
  globalThis.speechSynthesis?.cancel();
}

function sayNext() {
  if (isSpeaking || waiting.length === 0) return;
  const voice = globalThis.speechSynthesis;
  const caption = waiting.shift();
  if (!voice) return;
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
    isSpeaking = false;
    sayNext();
  };
  // Kept, for some browsers forget to say that a sentence is over once nobody holds it.
  sayNext.current = words;
  words.onend = done;
  words.onerror = done;
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
