// Where the tree of an analysis comes from: a line of moves, a game of this server.
import { toast } from "./dom.js";
import { api } from "./net.js";
import { Tree } from "./tree.js";

/** @import { GameState } from "./types.js" */

/** The start of a game with its tags and its result, still without moves. @param {GameState} game */
export function gameTree(game) {
  const tree = new Tree(game.view.variant, game.fen0);
  const sides = game.view.variant === "chess" ? ["White", "Black"] : ["Red", "Blue"];
  tree.tags = Object.fromEntries((game.names || []).map((name, n) => [sides[n], name || "?"]));
  const ends = ["1-0", "0-1"];
  if (game.result) tree.result = ends[game.result.winner ?? 2] ?? "1/2-1/2";
  return tree;
}

/**
 * Notation comes from the server: the whole line is written and read back once. Of a line that
 * cannot be played the part that can is kept, with a word.
 * @param {Tree} tree
 * @param {string[]} moves
 */
export async function grow(tree, moves) {
  if (!moves.length) return;
  const { variant, fen } = tree;
  const ask = (/** @type {string[]} */ some) =>
    api("/api/line", { variant, fen: fen || null, moves: some });
  let good = moves;
  /** @type {{ san: string, label: string }[]} */
  let line = [];
  try {
    line = await ask(good);
  } catch (error) {
    if (error.code === "illegal_move") {
      toast(error.message, "bad");
      good = moves.slice(0, Number(error.args.at));
      line = await ask(good);
    }
  }
  for (const move of good) tree.play(move, "");
  tree.at = tree.root;
  tree
    .mainLine()
    .forEach((node, n) =>
      Object.assign(node, line[n] && { san: line[n].san, label: line[n].label }),
    );
}
