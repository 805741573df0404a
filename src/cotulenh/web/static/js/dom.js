// Small helpers over the DOM. Text is always set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attrs, kids) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...kids.flat(3).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return node;
}

export const h = (tag, attrs, ...kids) => fill(document.createElement(tag), attrs, kids);
export const s = (tag, attrs, ...kids) => fill(document.createElementNS(SVG, tag), attrs, kids);

export function clear(node, ...kids) {
  node.replaceChildren(...kids.flat(3).filter(Boolean));
  return node;
}

// Icons are single paths on a 24-unit field, drawn for this page.
const ICONS = {
  flip: "M7 4v13m0 0-3-3m3 3 3-3M17 20V7m0 0-3 3m3-3 3 3",
  gear: "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M18.7 5.3l-2.1 2.1M7.4 16.6l-2.1 2.1",
  first: "M6 5v14M18 5l-9 7 9 7z",
  prev: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  flag: "M6 21V4m0 0h11l-2.5 4L17 12H6",
  undo: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  half: "M5 9h14M5 15h14",
  again: "M4 12a8 8 0 0 1 14-5l2 2m0-5v5h-5M20 12a8 8 0 0 1-14 5l-2-2m0 5v-5h5",
  ring: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  book: "M4 5c3-1.5 6-1 8 1 2-2 5-2.5 8-1v14c-3-1.5-6-1-8 1-2-2-5-2.5-8-1zM12 6v14",
  check: "M5 13l4.5 4.5L19 7",
  close: "M6 6l12 12M18 6L6 18",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1.5-1.5",
  chart: "M4 20V4M4 20h16M7 15l4-5 3 3 5-7",
  keys: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.5 1.1.5 2.1h6c0-1-.1-1.6.5-2.1A6 6 0 0 0 12 3z",
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
};

export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "i", "aria-hidden": "true" },
    s("path", { d: ICONS[name] }));
}

export function button(label, action, { icon: name, cls = "", ...rest } = {}) {
  return h("button", { type: "button", class: cls, onclick: action, ...rest },
    name && icon(name), label && h("span", {}, label));
}

// A button that is only a picture still has a name.
export function iconButton(name, label, action, rest = {}) {
  return h("button", { type: "button", class: "icon", title: label, "aria-label": label,
    onclick: action, ...rest }, icon(name));
}

export function say(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  // A change in the next frame is announced even if the text is the same as before.
  requestAnimationFrame(() => { live.textContent = text; });
}

export function toast(text, kind = "info") {
  const box = h("div", { class: `toast ${kind}` }, text);
  // A modal dialog lies above everything else, so the news must be inside it.
  const host = document.querySelector("dialog[open] .dialog-body") || document.getElementById("toasts");
  host.append(box);
  setTimeout(() => box.remove(), 4500);
}

// A modal dialog; resolves when it is closed. `build` gets a function that closes it.
export function dialog(title, build, { cls = "" } = {}) {
  return new Promise((done) => {
    const box = h("dialog", { class: cls, "aria-label": title });
    const close = (value) => { box.close(); box.remove(); done(value); };
    const head = h("div", { class: "dialog-head" }, h("h2", {}, title),
      iconButton("close", "×", () => close()));
    box.append(head, h("div", { class: "dialog-body" }, build(close)));
    box.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
    box.addEventListener("click", (event) => { if (event.target === box) close(); });
    document.body.append(box);
    box.showModal();
  });
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission or not a secure origin: the caller shows the text instead
  }
}
