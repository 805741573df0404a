// Two languages. Missing words fall back to English, then to their key.
import { get, set } from "./settings.js";

/** @type {Record<string, Record<string, string>>} */
const tables = {};
let lang = "en";

export async function loadLanguage() {
  const wanted = get("lang") || (navigator.language || "en").slice(0, 2);
  await useLanguage(wanted === "vi" ? "vi" : "en");
}

/** @param {string} name */
async function table(name) {
  const address = new URL(`../lang/${name}.json`, import.meta.url);
  tables[name] ??= await (await fetch(address)).json();
}

/** @param {string} name @param {boolean} [remember] */
export async function useLanguage(name, remember = false) {
  await Promise.all([table("en"), table(name)]);
  lang = name;
  document.documentElement.lang = name;
  for (const node of document.querySelectorAll("[data-t]")) {
    node.textContent = t(/** @type {HTMLElement} */ (node).dataset.t || "");
  }
  if (remember) set("lang", name);
}

export const language = () => lang;

/** @param {string} key @param {Record<string, any>} [values] @returns {string} */
export function t(key, values = {}) {
  return fill(tables[lang]?.[key] ?? tables.en?.[key] ?? key, values);
}

/** The same in the other language. @param {string} key @returns {string} */
export const other = (key) => tables[lang === "vi" ? "en" : "vi"]?.[key] ?? "";

/** `{count}` is a value, `{count|turn|turns}` one of two words. @param {string} text @param {Record<string, any>} values */
const fill = (text, values) =>
  text
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, name, one, many) =>
      Number(values[name]) === 1 ? one : many,
    )
    .replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** @param {string} key */
export const has = (key) => Boolean(tables.en?.[key]);
