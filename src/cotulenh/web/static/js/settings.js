// What this browser remembers. Every reader is told when something changes.

/** @type {Record<string, any>} */
const DEFAULTS = {
  theme: "auto",
  lang: "",
  sound: true,
  coordinates: "letters",
  animate: true,
  pieces: "pictograms",
  tone: false,
  confirm: false,
  reach: true,
  variant: "official",
  mode: "engine",
  level: 3,
  side: "0",
  clock: "0+0",
  lines: 3,
  name: "",
  objective: "commander",
  public: false,
};
const KEY = "cotulenh.settings";
/** @type {Set<(name: string, value: any) => void>} */
const listeners = new Set();

// Storage may be forbidden or full: what cannot be kept there is kept as long as the page is open.
/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key @param {any} fallback */
export function recall(key, fallback) {
  try {
    const text = localStorage.getItem(key) ?? memory.get(key);
    return text === undefined || text === null ? fallback : JSON.parse(text);
  } catch {
    const kept = memory.get(key);
    return kept === undefined ? fallback : JSON.parse(kept);
  }
}

/** @param {string} key @param {any} value */
export function keep(key, value) {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

const kept = recall(KEY, {});
const values = { ...DEFAULTS, ...(kept && typeof kept === "object" ? kept : {}) };

/** @param {string} name */
export const get = (name) => values[name];

/** @param {string} name @param {any} value */
export function set(name, value) {
  values[name] = value;
  keep(KEY, values);
  for (const listener of listeners) listener(name, value);
}

/** @param {(name: string, value: any) => void} listener @returns {() => void} */
export function onChange(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let ownKey = "";

// Where storage is forbidden, the key stays with the entries of this tab's history: a reload finds it.
const inHistory = {
  get: () => String(history.state?.key || ""),
  set: (/** @type {string} */ key) => history.replaceState({ ...history.state, key }, ""),
};

/** A player is who holds this key; it never leaves this browser but to our own server. */
export function playerKey() {
  if (ownKey) return ownKey;
  try {
    ownKey = localStorage.getItem("cotulenh.key") || "";
  } catch {
    ownKey = inHistory.get();
  }
  if (!/^[\w-]{16,64}$/.test(ownKey)) {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    ownKey = btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
    try {
      localStorage.setItem("cotulenh.key", ownKey);
    } catch {
      inHistory.set(ownKey);
    }
  }
  return ownKey;
}

export function applyTheme() {
  const wanted = get("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = wanted === "auto" ? (dark ? "dark" : "light") : wanted;
  const page = getComputedStyle(document.documentElement).getPropertyValue("--card");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", page.trim());
}
