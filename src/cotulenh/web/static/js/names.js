// What things are called, from the server's table of the games and the language.
import { api } from "./net.js";
import { language, t } from "./i18n.js";
import { s } from "./dom.js";

let meta = null;

export async function loadMeta() {
  const [data, pieces] = await Promise.all([
    api("/api/meta"),
    fetch("/drawn/pieces.svg").then((answer) => answer.text()),
  ]);
  meta = data;
  const parsed = new DOMParser().parseFromString(pieces, "image/svg+xml").documentElement;
  document.getElementById("drawn").replaceChildren(document.importNode(parsed, true));
}

export const variants = () => meta.variants;
export const levels = () => meta.levels;
export const variantOf = (name) => meta.variants.find((one) => one.name === name);

const grounds = new Map();

export async function ground(variant) {
  if (!grounds.has(variant)) {
    const text = await (await fetch(`/drawn/${variant}.svg`)).text();
    grounds.set(variant, new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
  }
  return document.importNode(grounds.get(variant).firstElementChild, true);
}

// Pieces are texts: side, "+" if heroic, letter.
export const letterOf = (piece) => piece[piece.length - 1];
export const heroic = (piece) => piece.includes("+");

export function symbolOf(variant, piece) {
  const [side, letter] = [piece[0], letterOf(piece)];
  return variant === "chess" ? `chess-${side}-${letter}`
    : `ctl-${side}-${letter}${heroic(piece) ? "-hero" : ""}`;
}

export function pieceIcon(variant, piece, cls = "piece") {
  return s("svg", { viewBox: "-50 -50 100 100", class: cls, "aria-hidden": "true" },
    s("use", { href: `#${symbolOf(variant, piece)}`, x: -50, y: -50, width: 100, height: 100 }));
}

export function kindName(variant, letter) {
  const kind = variantOf(variant).kinds.find((one) => one.letter === letter);
  if (!kind) return letter;
  if (variant === "chess") return t(`chess.${letter}`);
  return language() === "vi" ? kind.vietnamese : kind.name;
}

export function sideName(variant, side) {
  return t(variant === "chess" ? `chess.side.${side}` : `side.${side}`);
}

export function pieceName(variant, piece) {
  const name = kindName(variant, letterOf(piece));
  return heroic(piece) ? t("heroic", { piece: name }) : name;
}

export function stackName(variant, pieces) {
  const side = variantOf(variant).sides.indexOf(pieces[0][0]);
  const names = pieces.map((piece) => pieceName(variant, piece));
  const what = names.length > 1
    ? t("stack.with", { carrier: names[0], load: names.slice(1).join(", ") }) : names[0];
  return `${sideName(variant, side)} ${what}`;
}

export const variantTitle = (name) => t(`variant.${name}`);

// "N+F" -> ["N", "+F"]: the letters of a move's group.
export const groupPieces = (group, side) =>
  [...group.matchAll(/\+?[A-Z]/g)].map((found) => side + found[0]);
