// What things are called, from the server's table of the games and the language.
import { api } from "./net.js";
import { language, t } from "./i18n.js";
import { need, part, s } from "./dom.js";
import { get } from "./settings.js";

/** @import { Meta, Piece, Variant, Kind } from "./types.js" */

/** @type {Meta} from the start of the page on */
let meta;

/** Where drawings are, next to the scripts. @param {string} name */
const drawn = (name) => new URL(`../drawn/${name}`, import.meta.url);

/** @param {string} name */
async function picture(name) {
  const answer = await fetch(drawn(name)).catch(() => null);
  const text = await (answer?.ok ? answer : await fetch(`/drawn/${name}`)).text();
  return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
}

export async function loadPieces() {
  const name = `pieces-${get("pieces")}${get("tone") ? "-tone" : ""}.svg`;
  const found = document.importNode(await picture(name), true);
  part("drawn").replaceChildren(found);
}

export async function loadMeta() {
  [meta] = await Promise.all([api("/api/meta"), loadPieces()]);
}

export const facts = () => meta;
export const variants = () => meta.variants;
export const levels = () => meta.levels;

/** A level with what it is worth in a game. @param {number} level @param {string} variant */
export function levelName(level, variant) {
  const name = t(`level.${level}`);
  const rating = variantOf(variant).ratings[level - 1];
  return rating ? t("level.rated", { name, rating }) : name;
}

/** @param {string} name @returns {Variant} */
export const variantOf = (name) =>
  meta.variants.find((one) => one.name === name) || meta.variants[0];

/** @param {string} name */
export const isVariant = (name) => meta.variants.some((one) => one.name === name);

/** @type {Map<string, Promise<Element>>} */
const grounds = new Map();

/** @param {string} variant */
export async function ground(variant) {
  const asked = grounds.get(variant) || picture(`${variant}.svg`);
  grounds.set(variant, asked);
  return document.importNode(need((await asked).firstElementChild, `${variant}.svg`), true);
}

/** @param {Piece} piece */
export const letterOf = (piece) => piece[piece.length - 1];

/** @param {Piece} piece */
export const heroic = (piece) => piece.includes("+");

/** @param {string} variant @param {Piece} piece @param {string} [role] */
export function symbolOf(variant, piece, role = "") {
  const [side, letter] = [piece[0], letterOf(piece)];
  if (variant === "chess") return `chess-${side}-${letter}`;
  return `ctl-${side}-${letter}${heroic(piece) ? "-hero" : ""}${role ? `-${role}` : ""}`;
}

/** @param {string} variant @param {Piece} piece @param {string} [cls] */
export function pieceIcon(variant, piece, cls = "piece") {
  const half = heroic(piece) ? 62 : 50;
  const box = `${-half} ${-half} ${2 * half} ${2 * half}`;
  const href = `#${symbolOf(variant, piece)}`;
  return s(
    "svg",
    { viewBox: box, class: cls, "aria-hidden": "true" },
    s("use", { href, x: -50, y: -50, width: 100, height: 100 }),
  );
}

/** @param {string} variant @param {string} letter @returns {Kind | undefined} */
export const kindOf = (variant, letter) =>
  variantOf(variant).kinds.find((one) => one.letter === letter);

/** @param {string} variant @param {string} letter */
export function kindName(variant, letter) {
  const kind = kindOf(variant, letter);
  if (!kind) return letter;
  if (variant === "chess") return t(`chess.${letter}`);
  return language() === "vi" ? kind.vietnamese : kind.name;
}

/** @param {string} variant @param {number} side */
export const sideName = (variant, side) =>
  t(variant === "chess" ? `chess.side.${side}` : `side.${side}`);

/** @param {string} variant @param {Piece} piece */
export function pieceName(variant, piece) {
  const name = kindName(variant, letterOf(piece));
  return heroic(piece) ? t("heroic", { piece: name }) : name;
}

/** @param {string} variant @param {Piece[]} pieces */
export function stackName(variant, pieces) {
  const side = variantOf(variant).sides.indexOf(pieces[0][0]);
  const [first, ...others] = pieces.map((piece) => pieceName(variant, piece));
  const carrier = t("side.piece", { side: sideName(variant, side), piece: first });
  return others.length ? t("stack.with", { carrier, load: others.join(", ") }) : carrier;
}

/** @param {string} name */
export const variantTitle = (name) => t(`variant.${name}`);

/** "N+F" -> ["N", "+F"] with their side. @param {string} group @param {string} side */
export const groupPieces = (group, side) =>
  [...group.matchAll(/\+?[A-Z]/g)].map((found) => side + found[0]);
