// Two languages. Missing words fall back to English, then to their key.
import { get, set } from "./settings.js";

const tables = {};
let lang = "en";

export async function loadLanguage() {
  const wanted = get("lang") || (navigator.language || "en").slice(0, 2);
  await useLanguage(wanted === "vi" ? "vi" : "en");
}

async function table(name) {
  tables[name] ??= await (await fetch(`/static/lang/${name}.json`)).json();
}

export async function useLanguage(name, remember = false) {
  await Promise.all([table("en"), table(name)]);
  lang = name;
  document.documentElement.lang = name;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  if (remember) set("lang", name);
}

export const language = () => lang;

export function t(key, values = {}) {
  const text = tables[lang]?.[key] ?? tables.en?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => Boolean(tables.en?.[key]);
