// Small helpers over the DOM. Text is always set as text, never as markup.
import { t } from "./i18n.js";

/** @import { Kid } from "./types.js" */
/** @typedef {Record<string, any>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Kid[]} kids @returns {(Node | string)[]} */
const flat = (kids) => /** @type {any[]} */ (kids).flat(Infinity).filter((kid) => kid || kid === 0);

/**
 * @template {Element} E
 * @param {E} node
 * @param {Attributes | null} attrs
 * @param {Kid[]} kids
 */
function fill(node, attrs, kids) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...flat(kids));
  return node;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes | null} [attrs]
 * @param {...Kid} kids
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, attrs = null, ...kids) => fill(document.createElement(tag), attrs, kids);

/**
 * @param {string} tag
 * @param {Attributes | null} [attrs]
 * @param {...Kid} kids
 * @returns {SVGGraphicsElement}
 */
export const s = (tag, attrs = null, ...kids) =>
  /** @type {SVGGraphicsElement} */ (fill(document.createElementNS(SVG, tag), attrs, kids));

/**
 * What must be there; a clear error if it is not.
 * @template T
 * @param {T | null | undefined} value
 * @param {string} what
 * @returns {T}
 */
export function need(value, what) {
  if (value === null || value === undefined) throw new Error(`missing: ${what}`);
  return value;
}

/** A part of the page that every screen has. @param {string} id */
export const part = (id) => need(document.getElementById(id), `#${id}`);

/**
 * @template {Element} E
 * @param {E} node
 * @param {...Kid} kids
 */
export function clear(node, ...kids) {
  node.replaceChildren(...flat(kids));
  return node;
}

// Icons are lines on a 24-unit field, drawn for this page.
/** @type {Record<string, string>} */
const ICONS = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M6 5v14M18 5l-9 7 9 7z",
  prev: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  check: "M5 13l4.5 4.5L19 7",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 9h-3",
  flag: "M6 21V4m0 0h11l-2.5 4L17 12H6",
  half: "M5 9h14M5 15h14",
  flip: "M7 4v15m0 0-3-3m3 3 3-3M17 20V5m0 0-3 3m3-3 3 3",
  ring: "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2v4M12 18v4M2 12h4M18 12h4",
  book: "M4 5c3-1.5 6-1 8 1 2-2 5-2.5 8-1v14c-3-1.5-6-1-8 1-2-2-5-2.5-8-1zM12 6v14",
  sliders: "M4 8h10M18 8h2M4 16h2M10 16h10M16 5.5v5M8 13.5v5",
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M4 9v6h4l5 4V5L8 9zM17 9.5l4 5M21 9.5l-4 5",
  menu: "M4 6h16M4 12h16M4 18h16",
  cpu: "M7 7h10v10H7zM10 10h4v4h-4zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20c1-4 4-5.5 7-5.5s6 1.5 7 5.5",
  users:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 20c.8-4 3-5.5 6-5.5s5.2 1.5 6 5.5M16 5.5a3.3 3.3 0 0 1 0 6.3M18 15c1.7.8 2.6 2.4 3 5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1.5-1.5",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.5 1.1.5 2.1h6c0-1-.1-1.6.5-2.1A6 6 0 0 0 12 3z",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
  target:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  swords: "M5 4l11 11M19 4L8 15M14 17l3-3 3 3M10 17l-3-3-3 3M17 17l2.5 3M7 17l-2.5 3",
  tree: "M6 4v14M6 8h7M6 15h7M13 5.5h6v5h-6zM13 12.5h6v5h-6z",
  share: "M12 3v12M12 3L8 7M12 3l4 4M5 12v8h14v-8",
  chart: "M4 4v16h16M7 15l4-5 3 3 5-7",
  grad: "M2 10l10-5 10 5-10 5zM6 12.5V17c4 3 8 3 12 0v-4.5M22 10v6",
  play: "M7 5l12 7-12 7z",
  star: "M12 3.5l2.6 5.6 6 .7-4.5 4.2 1.2 6-5.3-3-5.3 3 1.2-6L3.4 9.8l6-.7z",
  refresh: "M4 12a8 8 0 0 1 14-5l2 2m0-5v5h-5M20 12a8 8 0 0 1-14 5l-2-2m0 5v-5h5",
  shuffle: "M3 7h4l10 10h4M3 17h4l3-3M14 10l3-3h4M18 4l3 3-3 3M18 14l3 3-3 3",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  info: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 11v5M12 8v.01",
  globe:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c-6 5-6 12 0 17 6-5 6-12 0-17z",
  fire: "M12 3c1 4 6 6 6 11a6 6 0 0 1-12 0c0-3 2-4 2.5-6.5 1.5 1 2 2 2 3.5C12 9 12.5 6 12 3z",
  eye: "M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  keys: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3M20 14v6h-3M14 20h.01",
  arrow: "M4 12h15M13 6l6 6-6 6",
  edit: "M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4",
  down: "M12 4v12M7 11l5 5 5-5M5 20h14",
  plus: "M12 5v14M5 12h14",
  offline:
    "M4 4l16 16M8.5 16a5 5 0 0 1 7 0M5 12.5a10 10 0 0 1 5-2.7M14 10a10 10 0 0 1 5 2.5M12 20h.01",
};

/** @param {string} name @returns {SVGGraphicsElement} */
export function icon(name) {
  const d = ICONS[name];
  const cls = name === "more" ? "i dots" : "i";
  return s("svg", { viewBox: "0 0 24 24", class: cls, "aria-hidden": "true" }, s("path", { d }));
}

/**
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {{ icon?: string, cls?: string } & Attributes} [options]
 */
export function button(label, action, { icon: name, cls = "", ...rest } = {}) {
  const attrs = { type: "button", class: cls, onclick: action, ...rest };
  return h("button", attrs, name && icon(name), label && h("span", {}, label));
}

/**
 * A button that is only a picture still has a name.
 * @param {string} name
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {Attributes} [rest]
 */
export function iconButton(name, label, action, rest = {}) {
  const attrs = { type: "button", class: "icon", title: label, "aria-label": label };
  return h("button", { ...attrs, onclick: action, ...rest }, icon(name));
}

/**
 * @param {string} address
 * @param {Attributes} attrs
 * @param {...Kid} kids
 */
export const link = (address, attrs, ...kids) =>
  h("a", { href: address, "data-link": true, ...attrs }, ...kids);

/**
 * A row of choices of which one holds.
 * @param {string} label
 * @param {[any, Kid][]} options
 * @param {any} value
 * @param {(value: any) => void} change
 * @param {Attributes} [rest]
 */
export function segments(label, options, value, change, rest = {}) {
  const buttons = options.map(([key, kid]) =>
    h("button", { type: "button", "aria-pressed": String(key === value), "data-value": key }, kid),
  );
  buttons.forEach((node, n) =>
    node.addEventListener("click", () => {
      buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === node)));
      change(options[n][0]);
    }),
  );
  return h("div", { class: "segments", role: "group", "aria-label": label, ...rest }, buttons);
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} change @param {Attributes} [rest] */
export function toggle(label, on, change, rest = {}) {
  const box = h("input", { type: "checkbox", role: "switch", checked: on, ...rest });
  box.addEventListener("change", () => change(box.checked));
  return h("label", { class: "switch" }, h("span", {}, label), box);
}

/** @param {string} text */
export function say(text) {
  const live = part("live");
  live.textContent = "";
  // A change in the next frame is announced even if the text is the same as before.
  requestAnimationFrame(() => (live.textContent = text));
}

/** @param {string} text @param {string} [kind] */
export function toast(text, kind = "info") {
  // A modal dialog lies above everything else, so the news must be inside it.
  const host = document.querySelector("dialog[open] .dialog-body") || part("toasts");
  if ([...host.querySelectorAll(".toast")].some((one) => one.textContent === text)) return;
  const box = h("div", { class: `toast ${kind}` }, text);
  host.append(box);
  setTimeout(() => box.remove(), 4500);
}

/**
 * A modal dialog; resolves when it is closed. `build` gets a function that closes it.
 * @param {string} title
 * @param {(close: (value?: any) => void) => Kid} build
 * @param {{ cls?: string }} [options]
 * @returns {Promise<any>}
 */
export function dialog(title, build, { cls = "" } = {}) {
  return new Promise((done) => {
    const box = h("dialog", { class: cls, "aria-label": title });
    const close = (/** @type {any} */ value = undefined) => {
      box.close();
      box.remove();
      done(value);
    };
    const head = h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, title),
      iconButton("close", t("close"), () => close()),
    );
    box.append(head, h("div", { class: "dialog-body" }, build(close)));
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      close();
    });
    box.addEventListener("click", (event) => {
      if (event.target === box) close();
    });
    document.body.append(box);
    box.showModal();
  });
}

/**
 * A question with a yes and a no; the answer is true or not.
 * @param {string} title
 * @param {string} yes
 * @param {{ danger?: boolean, text?: string }} [options]
 */
export function ask(title, yes, { danger = false, text = "" } = {}) {
  return dialog(title, (close) => [
    text && h("p", {}, text),
    h(
      "div",
      { class: "actions" },
      button(yes, () => close(true), { cls: danger ? "danger" : "primary", "data-do": "yes" }),
      button(t("cancel"), () => close(false)),
    ),
  ]);
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission or not a secure origin: the caller shows the text instead
  }
}

/**
 * Gives a text to the user as a file.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
