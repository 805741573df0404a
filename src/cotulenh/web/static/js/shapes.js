// Shapes that are made while playing: arrows, the way of the last move, joined rings.
import { s } from "./dom.js";

/** @typedef {[number, number, number]} Disc x, y and radius */

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} width */
export function arrowPath(x1, y1, x2, y2, width = 16) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (/** @type {number} */ along, /** @type {number} */ across) => {
    const [x, y] = [x1 + ux * along - uy * across, y1 + uy * along + ux * across];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const [half, head, tip] = [width / 2, width * 1.35 + 6, length - 16];
  const neck = tip - head * 1.6;
  const left = [at(24, half), at(neck, half), at(neck, head)];
  const right = [at(neck, -head), at(neck, -half), at(24, -half)];
  return `M${[...left, at(tip, 0), ...right].join("L")}Z`;
}

/** A wedge that grows wider towards the end of a move. @param {number[]} a @param {number[]} b */
export function wedgePath([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 60) return "";
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [ex, ey] = [x2 - 40 * ux, y2 - 40 * uy];
  const corners = [
    [x1, y1],
    [ex - 20 * uy, ey + 20 * ux],
    [ex + 20 * uy, ey - 20 * ux],
  ];
  return `M${corners.map((one) => one.map((n) => n.toFixed(1)).join(" ")).join("L")}Z`;
}

/** Circles filled as one shape. @param {Disc[]} discs */
export const discsPath = (discs) =>
  discs
    .map(([x, y, r]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`)
    .join("");

/** The arcs of circles that lie in no other circle. @param {Disc[]} discs */
export function outlinePath(discs) {
  let path = "";
  discs.forEach(([x, y, r], i) => {
    /** @type {[number, number][]} */
    const hidden = [];
    for (const [j, [ox, oy, other]] of discs.entries()) {
      const away = Math.hypot(ox - x, oy - y);
      if (i === j || away >= r + other || away <= r - other) continue;
      if (away <= other - r && (away < other - r || j < i)) return;
      const angle = Math.atan2(oy - y, ox - x);
      const half = Math.acos((away * away + r * r - other * other) / (2 * away * r));
      hidden.push([angle - half, angle + half]);
    }
    for (const [a, b] of seen(hidden)) path += arc(x, y, r, a, b);
  });
  return path;
}

/** What is left of a full turn. @param {[number, number][]} hidden */
function seen(hidden) {
  const turn = 2 * Math.PI;
  const spans = hidden.flatMap(([a, b]) => {
    const begin = ((a % turn) + turn) % turn;
    const end = begin + b - a;
    return end <= turn
      ? [[begin, end]]
      : [
          [begin, turn],
          [0, end - turn],
        ];
  });
  spans.sort((one, two) => one[0] - two[0]);
  const left = [];
  let at = 0;
  for (const [a, b] of spans) {
    if (a > at) left.push([at, a]);
    at = Math.max(at, b);
  }
  if (at < turn) left.push([at, turn]);
  return left;
}

/** In two halves: a full turn has no direction otherwise. */
function arc(/** @type {number[]} */ ...[x, y, r, a, b]) {
  const point = (/** @type {number} */ angle) =>
    `${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`;
  const bow = `A${r} ${r} 0 0 1`;
  return `M${point(a)}${bow} ${point((a + b) / 2)}${bow} ${point(b)}`;
}

/** A mark of the board as a small picture. @param {string} kind */
export const markIcon = (kind) =>
  s(
    "svg",
    { viewBox: "-66 -66 132 132", class: "mark-icon", "aria-hidden": "true" },
    s("use", { href: `#mark-${kind}-small`, x: -50, y: -50, width: 100, height: 100 }),
  );
