// Sends something to the table, once: tried again under the same id if nobody answers.

const AGAIN_AFTER = [0, 400, 1200, 3000];
const ANSWER_WITHIN = 6000;

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The answer of the table: {ok: true, …} or {ok: false, why: "a sentence", reason: "a word"}. */
export async function send(address, body) {
  const text = JSON.stringify({ id: newId(), ...body });
  for (const wait of AGAIN_AFTER) {
    if (wait) await pause(wait);
    const answer = await attempt(address, text);
    if (answer) return answer;
  }
  const why = "The game master does not answer. See whether this device is in the right Wi-Fi, then try again.";
  return { ok: false, why, reason: "unheard" };
}

/** One try: the answer, or null where none came. */
async function attempt(address, text) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), ANSWER_WITHIN);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: text,
      cache: "no-store",
      signal: abort.signal,
    });
    return await response.json();
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
