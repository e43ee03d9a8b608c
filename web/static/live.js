// The stream that keeps this page as the table is: opened whenever the page is seen, closed whenever it is not.

import { isNewer, isSilent, waitAfter } from "./reopen.js";
import { JUST_ON, STILL_ON } from "./speech.js";

const SHOWS_LOSS_AFTER = 1500;

/** What this page calls itself: the game master knows it again when its device has got another address. */
const OWN_NAME = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
  byte.toString(16).padStart(2, "0"),
).join("");

export class Live {
  /** What to do: `on.page(page)` with a new one, `on.moved()` when it is not for this device any more, `on.heard()` and
      `on.lost(isReplaced)` when the server is heard, and not; `on.sound(sound)` what a page with sound is to do, and
      `on.hushed()` when another page is the speaker since. */
  constructor(url, on) {
    this.url = url;
    this.speaks = null;
    this.on = on;
    this.source = null;
    this.failures = 0;
    this.retry = 0;
    this.loss = 0;
    this.heardAt = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("pagehide", () => this.close());
    addEventListener("online", () => this.open());
    setInterval(() => this.watch(), 1000);
    this.open();
  }

  /** Be the speaker from now on (`speaks`: how), or not any more (null): the stream brings the sounds along. */
  sound(speaks) {
    this.speaks = speaks;
    this.open();
  }

  /** Open the stream anew: one that looks alive may be dead. */
  open() {
    this.close();
    if (document.hidden) return;
    const source = new EventSource(this.speaks ? `${this.url}?sound=${this.speaks}&page=${OWN_NAME}` : this.url);
    let last = null;
    this.source = source;
    this.heardAt = performance.now();
    const listen = (name, then) =>
      source.addEventListener(name, (event) => {
        if (source !== this.source) return;
        this.heard();
        then(event);
      });
    listen("page", (event) => {
      const page = JSON.parse(event.data);
      if (!isNewer(last, page)) return;
      last = page;
      this.on.page(page);
    });
    listen("heartbeat", () => {});
    listen("sound", (event) => {
      if (this.speaks === JUST_ON) this.speaks = STILL_ON;
      this.on.sound(JSON.parse(event.data));
    });
    listen("hushed", () => {
      this.speaks = null;
      this.on.hushed();
    });
    listen("moved", () => {
      this.close();
      this.on.moved();
    });
    // Four pages of one kind on one device: the oldest gives way, until somebody looks at it again.
    listen("replaced", () => {
      this.close();
      this.on.lost(true);
    });
    listen("full", () => this.fail(4));
    source.addEventListener("error", () => {
      if (source === this.source) this.fail();
    });
  }

  close() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  heard() {
    this.heardAt = performance.now();
    this.failures = 0;
    clearTimeout(this.loss);
    this.loss = 0;
    this.on.heard();
  }

  fail(atLeast = 0) {
    this.close();
    this.failures = Math.max(this.failures + 1, atLeast);
    if (!this.loss) this.loss = setTimeout(() => this.on.lost(false), SHOWS_LOSS_AFTER);
    this.retry = setTimeout(() => this.open(), waitAfter(this.failures - 1, Math.random()));
  }

  watch() {
    if (this.source && isSilent(this.heardAt, performance.now())) this.fail();
  }
}
