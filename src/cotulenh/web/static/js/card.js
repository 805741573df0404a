// The piece card: what a piece is and can do, in words, its reach drawn on the board.
import { clear, h, icon, iconButton, need } from "./dom.js";
import { language, t } from "./i18n.js";
import {
  heroic,
  kindName,
  kindOf,
  letterOf,
  pieceIcon,
  pieceName,
  stackName,
  variantOf,
} from "./names.js";
import { reachOf } from "./net.js";
import { get } from "./settings.js";

/** @import { Kind, Piece, Square, View } from "./types.js" */
/** @import { BoardView } from "./board.js" */

const FAR = 12;

/** @param {number} n */
const steps = (n) => (n >= FAR ? t("fact.far") : t(n === 1 ? "fact.step" : "fact.steps", { n }));

/** A range as words: how far, in how many ways. @param {number[]} range */
function reachText([straight, across]) {
  if (!straight && !across) return t("fact.none");
  if (straight === across) return t("fact.eight", { steps: steps(straight) });
  if (!across) return t("fact.four", { steps: steps(straight) });
  return t("fact.both", { straight: steps(straight), across: steps(across) });
}

/** @param {string} variant @param {string} letters */
const namesOf = (variant, letters) =>
  [...letters].map((letter) => kindName(variant, letter)).join(", ");

/** @param {string} variant @param {string} letter */
function carriers(variant, letter) {
  const { cargo = {} } = variantOf(variant);
  return Object.entries(cargo)
    .filter(([, loads]) => loads.some((one) => one.includes(letter)))
    .map(([carrier]) => kindName(variant, carrier));
}

/**
 * One line a fact: icon, heading, words.
 * @param {string} variant
 * @param {Piece} piece
 * @returns {[string, string, string][]}
 */
export function factsOf(variant, piece) {
  const kind = kindOf(variant, letterOf(piece));
  if (variant === "chess" || !kind?.move)
    return [["arrow", t("fact.moves"), t(`chess.${letterOf(piece)}.does`)]];
  const form = heroic(piece) ? kind.hero : kind;
  const stopped = {
    all: "fact.stopped",
    enemies: "fact.enemies",
    ships: "fact.ships",
    none: "fact.over",
  };
  const blocked = (/** @type {string} */ how) =>
    t(stopped[/** @type {"all"} */ (how)] || "fact.stopped");
  /** @type {[string, string, string][]} */
  const rows = [
    [
      "arrow",
      t("fact.moves"),
      form.move.some(Boolean)
        ? `${reachText(form.move)}; ${blocked(kind.move_blocked)}`
        : reachText(form.move),
    ],
  ];
  if (form.take.some(Boolean)) {
    const ships =
      String(form.take_ships) === String(form.take)
        ? ""
        : form.take_ships.some(Boolean)
          ? `; ${t("fact.take.ships", { reach: reachText(form.take_ships) })}`
          : `; ${t("fact.no.ships")}`;
    rows.push([
      "target",
      t("fact.takes"),
      `${reachText(form.take)}; ${blocked(kind.take_blocked)}${ships}`,
    ]);
  }
  if (form.ring) rows.push(["ring", t("fact.ring"), t("fact.ring.text", { n: form.ring })]);
  if (kind.aircraft)
    rows.push([
      "ring",
      t("fact.sky"),
      t(heroic(piece) && kind.hero.ignores_rings ? "fact.sky.hero" : "fact.sky.text"),
    ]);
  rows.push(["globe", t("fact.stands"), t(`fact.stands.${kind.stands}`)]);
  if (kind.heavy) rows.push(["swords", t("fact.river"), t("fact.river.text")]);
  const loads = variantOf(variant).cargo?.[kind.letter] || [];
  if (loads.length) {
    const most = Math.max(...loads.map((one) => one.length));
    const names = namesOf(variant, [...new Set(loads.join(""))].join(""));
    rows.push([
      "users",
      t("fact.carries"),
      t(most > 1 ? "fact.carries.two" : "fact.carries.one", { names }),
    ]);
  }
  const rides = carriers(variant, kind.letter);
  if (rides.length) rows.push(["users", t("fact.rides"), rides.join(", ")]);
  if (!heroic(piece) && kind.hero.move.some(Boolean)) {
    const ring = kind.hero.ring ? `; ${t("fact.ring.text", { n: kind.hero.ring })}` : "";
    rows.push(["star", t("fact.hero"), reachText(kind.hero.move) + ring]);
  }
  return rows;
}

/** Both names of a kind. @param {string} variant @param {Kind} kind */
export const otherName = (variant, kind) =>
  variant === "chess" ? "" : language() === "vi" ? kind.name : kind.vietnamese;

export class PieceCard {
  /** @param {BoardView} board */
  constructor(board) {
    this.board = board;
    this.node = h("section", { class: "card piece-card", hidden: true, "aria-live": "polite" });
    /** @type {Square | null} */
    this.square = null;
  }

  /** @param {Square | null} square @param {string} [why] */
  look(square, why = "hover") {
    const { view } = this.board;
    if (!square || !view?.pieces[square]) {
      this.square = null;
      this.node.hidden = true;
      this.board.showReach(null, []);
      return;
    }
    this.square = square;
    this.node.dataset.why = why;
    this.fill(view, square, why === "held" || why === "key");
    if (why === "chosen" || !get("reach")) this.board.showReach(null, []);
    else this.reach(view, square);
  }

  /** @param {View} view @param {Square} square @param {boolean} full */
  fill(view, square, full) {
    const stack = view.pieces[square];
    const [piece] = stack;
    const { variant } = view;
    const kind = need(kindOf(variant, letterOf(piece)), `the facts of ${piece}`);
    const rows = factsOf(variant, piece);
    const points = kind.points ? t("fact.points", { n: kind.points }) : "";
    clear(
      this.node,
      h(
        "div",
        { class: "piece-head" },
        pieceIcon(variant, piece),
        h(
          "div",
          {},
          h("h2", {}, pieceName(variant, piece)),
          h(
            "p",
            { class: "note" },
            [otherName(variant, kind), points, square].filter(Boolean).join(" · "),
          ),
        ),
        iconButton("info", t("card.more"), () => this.look(square, "held"), {
          class: "icon quiet more-card",
        }),
        iconButton("close", t("close"), () => this.look(null), { class: "icon quiet close-card" }),
      ),
      stack.length > 1 && h("p", {}, stackName(variant, stack)),
      h(
        "dl",
        { class: "facts" },
        rows.map(([name, head, text]) =>
          h("div", {}, h("dt", {}, icon(name), head), h("dd", {}, text)),
        ),
      ),
    );
    this.node.classList.toggle("full", full);
    this.node.hidden = false;
  }

  /** @param {View} view @param {Square} square */
  async reach(view, square) {
    if (!view.fen) return;
    const side = variantOf(view.variant).sides.indexOf(view.pieces[square][0][0]);
    const guns = (view.guns?.[side] || []).filter(([at]) => at === square);
    const found = await reachOf(view.variant, view.fen, square).catch(() => ({
      targets: /** @type {[string, string][]} */ ([]),
    }));
    if (this.square !== square || this.board.view !== view) return;
    this.board.showReach(square, found.targets, guns);
  }
}
