// How the board looks right after a move, before the server has said so. This is a drawing, not a
// rule: the server's position replaces it, or the old one comes back if the move is refused.
import { groupPieces, variantOf } from "./names.js";

/** @import { Move, Piece, View } from "./types.js" */

/**
 * @param {Piece[]} stack
 * @param {Piece[]} gone
 */
function without(stack, gone) {
  const rest = [...stack];
  for (const piece of gone) {
    const at = rest.indexOf(piece);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

/** Carriers first, in the order of the table of cargo. @param {string} variant @param {Piece[]} all */
function joined(variant, all) {
  const carriers = Object.keys(variantOf(variant).cargo || {});
  const rank = (/** @type {Piece} */ piece) => {
    const at = carriers.indexOf(piece[piece.length - 1]);
    return at < 0 ? carriers.length : at;
  };
  return [...all].sort((a, b) => rank(a) - rank(b));
}

/** @param {View} view @param {Move} move @returns {View} */
export function foresee(view, move) {
  const pieces = { ...view.pieces };
  const there = pieces[move.from] || [];
  const side = there[0]?.[0] || variantOf(view.variant).sides[view.turn];
  const moving = move.group ? groupPieces(move.group, side) : there;
  const rest = without(there, moving);
  const kind = move.kind || "normal";
  const put = (/** @type {string} */ square, /** @type {Piece[]} */ stack) => {
    if (stack.length) pieces[square] = stack;
    else delete pieces[square];
  };
  if (kind === "stay") put(move.to, []);
  else if (kind === "breach") {
    const target = pieces[move.to] || [];
    put(move.to, target.slice(1));
  } else if (kind === "exchange") {
    put(move.from, rest);
    put(move.to, []);
  } else if (kind === "combine") {
    put(move.from, rest);
    put(move.to, joined(view.variant, [...moving, ...(pieces[move.to] || [])]));
  } else {
    put(move.from, rest);
    put(move.to, move.promotion ? [side + move.promotion] : moving);
  }
  return { ...view, pieces, moves: [], check: undefined, last: [[move.from, move.to, kind]] };
}

/** @param {View} one @param {View} two */
export const samePieces = (one, two) => {
  const text = (/** @type {View} */ view) =>
    Object.entries(view.pieces)
      .map(([square, stack]) => square + stack.join(""))
      .sort()
      .join();
  return text(one) === text(two);
};
