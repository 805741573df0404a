// The start: words, pieces, theme, and which screen an address shows.
import { clear, dialog, h, icon, link, part, toast, toggle } from "./dom.js";
import { language, loadLanguage, t, useLanguage } from "./i18n.js";
import { applyTheme, get, onChange, set } from "./settings.js";
import { facts, loadMeta, loadPieces } from "./names.js";
import { keysDialog, legend } from "./tools.js";

/** @import { Screen, Route } from "./types.js" */
/** @typedef {new (root: HTMLElement, route: Route) => Screen} ScreenClass */

/** @type {[RegExp, () => Promise<any>][]} */
const ROUTES = [
  [/^\/(play)?$/, () => import("./home.js").then((m) => m.HomeScreen)],
  [/^\/game\/(?<id>[\w-]+)$/, () => import("./play.js").then((m) => m.PlayScreen)],
  [/^\/analysis$/, () => import("./analysis.js").then((m) => m.AnalysisScreen)],
  [/^\/study\/(?<id>[\w-]+)$/, () => import("./analysis.js").then((m) => m.AnalysisScreen)],
  [/^\/study$/, () => import("./studies.js").then((m) => m.StudiesScreen)],
  [/^\/editor$/, () => import("./editor.js").then((m) => m.EditorScreen)],
  [/^\/puzzles$/, () => import("./puzzles.js").then((m) => m.PuzzleScreen)],
  [/^\/(learn|intro)(\/(?<id>[\w-]+))?$/, () => import("./learn.js").then((m) => m.LearnScreen)],
  [/^\/lobby$/, () => import("./lobby.js").then((m) => m.LobbyScreen)],
  [/^\/about$/, () => import("./about.js").then((m) => m.AboutScreen)],
];
const main = part("main");
/** @type {Screen | null} */
let screen = null;
let shown = 0;

/** @param {string} address @param {{ replace?: boolean }} [options] */
async function go(address, { replace = false } = {}) {
  if (address !== location.pathname + location.search + location.hash) {
    history[replace ? "replaceState" : "pushState"](history.state, "", address);
  }
  await show();
  scrollTo(0, 0);
  main.focus({ preventScroll: true }); // a screen reader goes on where the new screen begins
}

async function show() {
  const turn = (shown += 1);
  const route = ROUTES.find(([pattern]) => pattern.test(location.pathname));
  /** @type {ScreenClass} */
  const Screen = route ? await route[1]() : null;
  if (turn !== shown) return; // another address was asked for meanwhile
  screen?.destroy?.();
  screen = null;
  clear(main);
  document.body.classList.remove("playing");
  const query = new URLSearchParams(location.search);
  const groups = route ? location.pathname.match(route[0])?.groups : {};
  if (Screen) screen = new Screen(main, { ...groups, go, query });
  else nothing();
  document.body.classList.toggle("playing", Boolean(screen?.playing));
  const title = `title/${location.pathname.split("/")[1]}`;
  const name = t(route ? title : "nothing.here");
  document.title = `${name} · Cờ Tư Lệnh`;
  if (!main.querySelector("h1")) main.prepend(h("h1", { class: "hidden-text" }, name));
  navigation();
}

function nothing() {
  clear(
    main,
    h(
      "div",
      { class: "prose" },
      h("h1", {}, t("nothing.here")),
      h("p", {}, link("/", { class: "button primary" }, icon("play"), t("nav.play"))),
    ),
  );
}

function navigation() {
  const links = [
    ["/", "nav.play", "swords"],
    ["/puzzles", "nav.puzzles", "target"],
    ["/learn", "nav.learn", "grad"],
    ["/analysis", "nav.analysis", "chart"],
    ["/study", "nav.studies", "tree"],
    ["/editor", "nav.editor", "edit"],
  ];
  const here = (/** @type {string} */ address) => {
    const at = location.pathname;
    const inside = address !== "/" && (at === address || at.startsWith(`${address}/`));
    return at === address || inside ? "page" : null;
  };
  clear(
    part("nav"),
    links.map(([address, key]) => link(address, { "aria-current": here(address) }, t(key))),
  );
  part("nav").setAttribute("aria-label", t("nav.main"));
  const tabs = part("tabs");
  tabs.setAttribute("aria-label", t("nav.tabs"));
  clear(
    tabs,
    links
      .slice(0, 4)
      .map(([address, key, name]) =>
        link(address, { "aria-current": here(address) }, icon(name), t(key)),
      ),
    h(
      "a",
      {
        href: "#more",
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          moreDialog();
        },
      },
      icon("more"),
      t("more"),
    ),
  );
  const settings = part("settings-button");
  clear(settings, icon("sliders"));
  settings.setAttribute("aria-label", t("settings"));
  settings.title = t("settings");
  const tongue = part("language-button");
  clear(tongue, icon("globe"), language() === "vi" ? "English" : "Tiếng Việt");
  tongue.setAttribute("lang", language() === "vi" ? "en" : "vi");
}

function moreDialog() {
  const places = [
    ["/study", "nav.studies", "tree"],
    ["/editor", "nav.editor", "edit"],
    ["/lobby", "nav.lobby", "users"],
    ["/about", "nav.about", "info"],
  ];
  dialog(t("more"), (close) =>
    h(
      "div",
      { class: "more-list" },
      places.map(([address, key, name]) =>
        h(
          "a",
          {
            class: "button",
            href: address,
            onclick: (/** @type {Event} */ event) => {
              event.preventDefault();
              close();
              go(address);
            },
          },
          icon(name),
          t(key),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            close();
            legend(get("variant"));
          },
        },
        icon("book"),
        t("legend"),
      ),
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            close();
            settingsDialog();
          },
        },
        icon("sliders"),
        t("settings"),
      ),
    ),
  );
}

/** @param {string} name */
async function speak(name) {
  await useLanguage(name, true);
  await show();
}

function settingsDialog() {
  const choice = (
    /** @type {string} */ name,
    /** @type {string[]} */ options,
    /** @type {(value: string) => void} */ change = (value) => set(name, value),
  ) => {
    const now = name === "lang" ? language() : get(name);
    const select = h(
      "select",
      { id: `set-${name}` },
      options.map((value) =>
        h("option", { value, selected: value === now }, t(`set.${name}.${value}`)),
      ),
    );
    select.addEventListener("change", () => change(select.value));
    return h(
      "div",
      { class: "field" },
      h("label", { for: `set-${name}` }, t(`set.${name}`)),
      select,
    );
  };
  const flag = (/** @type {string} */ name) =>
    toggle(t(`set.${name}`), get(name), (on) => set(name, on), { id: `set-${name}` });
  const name = h("input", {
    id: "set-name",
    maxlength: 24,
    value: get("name"),
    autocomplete: "nickname",
  });
  name.addEventListener("change", () => set("name", name.value.trim()));
  dialog(t("settings"), (close) =>
    h(
      "div",
      { class: "settings" },
      choice("lang", ["en", "vi"], (value) => {
        close();
        speak(value);
      }),
      choice("theme", ["auto", "light", "dark", "contrast"]),
      h("div", { class: "field" }, h("label", { for: "set-name" }, t("set.name")), name),
      choice("pieces", facts().pieces),
      choice("coordinates", ["letters", "numbers", "none"]),
      flag("tone"),
      flag("sound"),
      flag("animate"),
      flag("reach"),
      flag("confirm"),
    ),
  );
}

document.addEventListener("click", (event) => {
  const found = /** @type {HTMLElement} */ (event.target).closest?.("a[data-link]");
  if (!found || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(found.getAttribute("href") || "/");
});

document.addEventListener("legend", (event) => legend(/** @type {CustomEvent} */ (event).detail));

document.addEventListener("keydown", (event) => {
  const node = /** @type {HTMLInputElement} */ (event.target);
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName) && node.type !== "checkbox";
  if (
    typing ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    document.querySelector("dialog[open]")
  )
    return;
  if (event.key === "?") keysDialog();
  else if (!screen?.key?.(event)) return;
  event.preventDefault();
});

/** The network: what is offline is said, and what works without it goes on. */
function network() {
  const note = part("offline");
  note.hidden = navigator.onLine;
  note.textContent = navigator.onLine ? "" : t("offline");
}

addEventListener("online", network);
addEventListener("offline", network);
addEventListener("popstate", show);
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  toast(event.reason?.message || String(event.reason), "bad");
});
part("settings-button").addEventListener("click", settingsDialog);
part("language-button").addEventListener("click", () => speak(language() === "vi" ? "en" : "vi"));
onChange((name, value) => {
  if (name === "theme") {
    applyTheme();
    if (value === "contrast") set("tone", true);
  }
  if (name === "pieces" || name === "tone") loadPieces();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
applyTheme();
// The screen's code comes while words and pieces are on their way.
ROUTES.find(([pattern]) => pattern.test(location.pathname))?.[1]();
await Promise.all([loadLanguage(), loadMeta()]);
await show();
network();
document.documentElement.dataset.ready = "true";
if ("serviceWorker" in navigator && isSecureContext) {
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // without it the page needs a network
}
