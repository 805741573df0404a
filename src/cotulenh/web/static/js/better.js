// A better turn in words: "deploys the tank to e4 instead".
import { t } from "./i18n.js";
import { groupPieces, pieceName } from "./names.js";

/** @import { Better, Judged } from "./types.js" */

/** @param {string} variant @param {Better} step */
function stepText(variant, step) {
  const letters = step.group || step.piece || "";
  const names = (/** @type {string} */ text) =>
    groupPieces(text.toUpperCase(), "r")
      .map((piece) => pieceName(variant, piece))
      .join(" + ");
  return t(`better.${step.code}`, {
    piece: names(letters),
    to: step.to,
    from: step.from,
    taken: names(step.taken || ""),
  });
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
