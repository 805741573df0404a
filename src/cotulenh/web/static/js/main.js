// The start: words, pieces, theme, and which screen an address shows.
import { clear, dialog, h, icon, toast } from "./dom.js";
import { loadLanguage, language, t, useLanguage } from "./i18n.js";
import { applyTheme, get, onChange, set } from "./settings.js";
import { loadMeta } from "./names.js";
import { keysDialog } from "./tools.js";
import { closePopup } from "./popup.js";

const ROUTES = [
  [/^\/$/, () => import("./home.js").then((m) => m.HomeScreen)],
  [/^\/game\/(?<id>[\w-]+)$/, () => import("./play.js").then((m) => m.PlayScreen)],
  [/^\/analysis$/, () => import("./analysis.js").then((m) => m.AnalysisScreen)],
  [/^\/editor$/, () => import("./editor.js").then((m) => m.EditorScreen)],
  [/^\/puzzles$/, () => import("./puzzles.js").then((m) => m.PuzzleScreen)],
  [/^\/intro$/, () => import("./intro.js").then((m) => m.IntroScreen)],
];
const main = document.getElementById("main");
let screen = null;

export async function go(address, { replace = false } = {}) {
  if (address !== location.pathname + location.search) {
    history[replace ? "replaceState" : "pushState"](null, "", address);
  }
  await show();
  scrollTo(0, 0);
  main.focus({ preventScroll: true }); // a screen reader goes on where the new screen begins
}

async function show() {
  closePopup();
  screen?.destroy?.();
  screen = null;
  for (const [pattern, load] of ROUTES) {
    const found = location.pathname.match(pattern);
    if (!found) continue;
    const Screen = await load();
    clear(main);
    screen = new Screen(main, { ...found.groups, go, query: new URLSearchParams(location.search) });
    break;
  }
  if (!screen) clear(main, h("p", { class: "card" }, t("nothing.here")));
  const name = t(`title/${location.pathname.split("/")[1]}`);
  document.title = `${name} · Cờ Tư Lệnh`;
  if (!main.querySelector("h1")) main.prepend(h("h1", { class: "hidden-text" }, name));
  navigation();
}

function navigation() {
  const links = [["/", "nav.play"], ["/analysis", "nav.analysis"], ["/puzzles", "nav.puzzles"],
    ["/editor", "nav.editor"], ["/intro", "nav.learn"]];
  clear(document.getElementById("nav"), links.map(([address, key]) => h("a", {
    href: address, "data-link": true, "aria-current": location.pathname === address ? "page" : null }, t(key))));
  const settings = document.getElementById("settings-button");
  clear(settings, icon("gear"));
  settings.setAttribute("aria-label", t("settings"));
  settings.title = t("settings");
}

function settingsDialog() {
  const choice = (name, options, change = (value) => set(name, value)) => h("div", { class: "field" },
    h("label", { for: `set-${name}` }, t(`set.${name}`)),
    h("select", { id: `set-${name}`, onchange: (event) => change(event.target.value) },
      options.map((value) => h("option", { value, selected: String(value) === String(name === "lang" ? language() : get(name)) },
        t(`set.${name}.${value}`)))));
  const flag = (name) => h("label", { class: "check" },
    h("input", { type: "checkbox", checked: get(name), onchange: (event) => set(name, event.target.checked) }), t(`set.${name}`));
  dialog(t("settings"), (close) => h("div", { class: "settings" },
    choice("lang", ["en", "vi"], async (value) => { await useLanguage(value, true); close(); show(); }),
    choice("theme", ["auto", "light", "dark", "contrast"]),
    choice("coordinates", ["letters", "numbers", "none"]),
    flag("sound"), flag("animate")));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (typing || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.key === "?") keysDialog();
  else if (event.key === "r") document.querySelector('[data-tool="rings"]')?.click();
  else if (!screen?.key?.(event)) return;
  event.preventDefault();
});

addEventListener("popstate", show);
addEventListener("unhandledrejection", (event) => toast(event.reason?.message || String(event.reason), "bad"));
document.getElementById("settings-button").addEventListener("click", settingsDialog);
onChange((name) => { if (name === "theme") applyTheme(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
applyTheme();
// The screen's code comes while words and pieces are on their way.
ROUTES.find(([pattern]) => pattern.test(location.pathname))?.[1]();
await Promise.all([loadLanguage(), loadMeta()]);
await show();
document.documentElement.dataset.ready = "true";
