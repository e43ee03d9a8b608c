// A copy of this device's secret, in case that the browser loses the cookie; and the table's code.

const name = (key) => `pi-gm-${key}`;

/** Keep `value` under `key`. Where the browser keeps nothing, nothing is kept. */
export function remember(key, value) {
  try {
    localStorage.setItem(name(key), value);
  } catch {
    // A private window: the cookie alone will do.
  }
}

/** What was kept under `key`; "" for nothing. */
export function recall(key) {
  try {
    return localStorage.getItem(name(key)) ?? "";
  } catch {
    return "";
  }
}

export function forget(key) {
  try {
    localStorage.removeItem(name(key));
  } catch {
    // Nothing was kept.
  }
}
