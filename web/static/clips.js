// Plays the game master's own clips on this page: in time or not at all, and one at a time.

import { isNews, isTooLate } from "./speech.js";

const KEPT = 60;
const NOTHING = { number: 0, clip: null };

export class Clips {
  /** `audio`: an audio context that a tap has woken; `unplayable()` is called when it can make nothing of a clip. */
  constructor(audio, unplayable) {
    this.audio = audio;
    this.unplayable = unplayable;
    this.loaded = new Map();
    this.told = NOTHING;
    this.source = null;
  }

  /** Have these at hand: what must sound at once. */
  ready(names) {
    for (const name of names) this.load(name);
  }

  /** Play what is told, in place of whatever sounds; silence where no clip is told. */
  async play(told) {
    if (!isNews(this.told, told)) return;
    this.told = told;
    this.stop();
    if (!told.clip) return;
    const heardAt = performance.now();
    const sound = await this.load(told.clip);
    if (sound && told === this.told && !isTooLate(told, performance.now() - heardAt)) this.begin(sound, told.volume);
  }

  /** Be silent, and let be what is still on its way. */
  silence() {
    this.told = NOTHING;
    this.stop();
  }

  stop() {
    this.source?.stop();
    this.source = null;
  }

  begin(sound, volume) {
    const source = new AudioBufferSourceNode(this.audio, { buffer: sound });
    const loudness = new GainNode(this.audio, { gain: volume / 100 });
    source.connect(loudness).connect(this.audio.destination);
    source.start();
    this.source = source;
  }

  /** The sound of that name; null where it cannot be had. */
  load(name) {
    if (!this.loaded.has(name)) {
      if (this.loaded.size >= KEPT) this.loaded.delete(this.loaded.keys().next().value);
      this.loaded.set(name, this.fetched(name));
    }
    return this.loaded.get(name);
  }

  async fetched(name) {
    const sound = (await this.tried(name)) ?? (await this.tried(name));
    // What could not be had now may be there when it is told again.
    if (!sound) this.loaded.delete(name);
    return sound;
  }

  async tried(name) {
    let bytes;
    try {
      const answer = await fetch(`/clips/${name}`);
      if (!answer.ok) return null;
      bytes = await answer.arrayBuffer();
    } catch {
      return null;
    }
    try {
      return await this.audio.decodeAudioData(bytes);
    } catch {
      this.unplayable();
      return null;
    }
  }
}
