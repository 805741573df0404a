// A better turn in words: "deploys the tank to e4 instead".
import { t } from "./i18n.js";
import { groupPieces, pieceName } from "./names.js";

/** @import { Better, Judged } from "./types.js" */

/** @param {string} variant @param {Better} step */
function stepText(variant, step) {
  const names = (/** @type {string} */ text) =>
    groupPieces(text.toUpperCase(), "r")
      .map((piece) => pieceName(variant, piece))
      .join(" + ");
  const code = step.deploy && step.code === "move" ? "deploy" : step.code;
  const words = t(`better.${code}`, {
    piece: names(step.pieces),
    to: step.to,
    from: step.from,
    taken: names(step.taken || ""),
  });
  return step.mate ? `${words}, ${t("better.mate")}` : words;
}

/** @param {string} variant @param {Judged} judged */
export function betterText(variant, judged) {
  const best = judged.best || "";
  if (!judged.better?.length) return t("analysis.best", { best });
  const words = judged.better
    .map((step) => stepText(variant, step))
    .filter(Boolean)
    .join(", ");
  return t("better", { best, words });
}

/** The better turn as arrows, one a step. @param {Judged} judged */
export const arrowsOf = (judged) =>
  (judged.best_moves || [])
    .map((text) => text.match(/[a-l]\d+/g) || [])
    .filter((squares) => squares.length > 1)
    .map(([from, to]) => ({ from, to }));
