// What this browser remembers. Every reader is told when something changes.

const DEFAULTS = {
  theme: "auto", lang: "", sound: true, coordinates: "letters", animate: true,
  variant: "official", level: 3, lines: 3,
};
const KEY = "cotulenh.settings";
const listeners = new Set();
let values = { ...DEFAULTS };
try {
  values = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
} catch { /* storage may be forbidden or damaged: defaults do */ }

export const get = (name) => values[name];

export function set(name, value) {
  values[name] = value;
  try { localStorage.setItem(KEY, JSON.stringify(values)); } catch { /* see above */ }
  for (const listener of listeners) listener(name, value);
}

export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A player is who holds this key; it never leaves this browser but to our own server.
export function playerKey() {
  let key = null;
  try { key = localStorage.getItem("cotulenh.key"); } catch { /* see above */ }
  if (!key) {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    key = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
    try { localStorage.setItem("cotulenh.key", key); } catch { playerKey.kept = key; }
  }
  return key;
}

export function applyTheme() {
  const wanted = get("theme");
  const dark = wanted === "dark"
    || (wanted === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = wanted === "auto" ? (dark ? "dark" : "light") : wanted;
}
