// Learn from your mistakes: back before each of them, to find the better turn.
import { button, clear, h, need, toast } from "./dom.js";
import { arrowsOf, betterText } from "./better.js";
import { sideName } from "./names.js";
import { recall } from "./settings.js";
import { sound } from "./sound.js";
import { t } from "./i18n.js";

/** @import { GameState, Judged } from "./types.js" */
/** @import { AnalysisScreen } from "./analysis.js" */

export class Mistakes {
  /** @param {AnalysisScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.node = h("section", { class: "verdict", role: "status", hidden: true });
    /** @type {{ judged: Judged, step: number } | null} */
    this.at = null;
    /** @type {Judged[]} */
    this.mistakes = [];
    this.mistake = -1;
  }

  /** The side that this browser has played in the game under review; null if none or both. */
  get own() {
    const { draft, study } = this.screen;
    if (study || !draft.startsWith("game-")) return null;
    /** @type {GameState | null} */
    const game = recall(`cotulenh.game.${draft.slice(5)}`, null);
    return game?.you.length === 1 ? game.you[0] : null;
  }

  /** What there is to learn from: one's own mistakes if one has played, else those of both. */
  offered() {
    const { own } = this;
    const sides = own === null ? [0, 1] : [own];
    return { own: own !== null, mistakes: sides.flatMap((side) => this.of(side)) };
  }

  /** The mistakes of a side for which a better turn is known. @param {number} side @returns {Judged[]} */
  of(side) {
    const { judged, tree } = this.screen;
    const first = tree.fen?.split(" ")[1] === "b" ? 1 : 0;
    return judged.filter(
      (one) => one?.mark && one.best_moves?.length && (one.turn - 1 + first) % 2 === side,
    );
  }

  learn() {
    const sides = (this.own === null ? [0, 1] : [this.own]).filter((side) => this.of(side).length);
    if (sides.length > 1) this.choose(sides);
    else if (sides.length) this.begin(sides[0]);
  }

  /** Who has played neither side, or both, says whose mistakes. @param {number[]} sides */
  choose(sides) {
    const { variant } = this.screen.tree;
    const label = (/** @type {number} */ side) =>
      `${sideName(variant, side)} · ${this.of(side).length}`;
    this.at = null;
    this.node.hidden = false;
    this.node.className = "verdict";
    clear(
      this.node,
      h("p", {}, t("learn.whose")),
      h(
        "div",
        { class: "actions" },
        sides.map((side) =>
          button(label(side), () => this.begin(side), { "data-do": `learn-side${side}` }),
        ),
        button(t("learn.stop"), () => this.stopLearning(), { icon: "close" }),
      ),
    );
    this.node.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} side */
  begin(side) {
    this.mistakes = this.of(side);
    this.mistake = -1;
    this.nextMistake();
  }

  /** The board is in sight, and so is what is said of it. */
  reveal() {
    this.screen.stage.host.scrollIntoView({ block: "nearest" });
    this.node.scrollIntoView({ block: "nearest" });
  }

  async nextMistake() {
    this.mistake += 1;
    const judged = this.mistakes[this.mistake];
    if (!judged) {
      this.at = null;
      this.node.hidden = true;
      toast(t("learn.over"));
      return;
    }
    this.at = { judged, step: 0 };
    this.node.hidden = false;
    const node = this.screen.turnNode(judged.turn);
    await this.screen.goTo(this.screen.turnNode(judged.turn - 1));
    const side = sideName(this.screen.tree.variant, this.screen.view.turn);
    this.node.className = "verdict";
    clear(
      this.node,
      h("p", {}, t("learn.find", { side, bad: judged.san || node.san })),
      h(
        "div",
        { class: "actions" },
        button(t("puzzle.solution"), () => this.tell(true), {
          icon: "eye",
          "data-do": "show-better",
        }),
        button(t("learn.skip"), () => this.nextMistake(), {
          icon: "forward",
          "data-do": "next-mistake",
        }),
        button(t("learn.stop"), () => this.stopLearning(), { icon: "close" }),
      ),
    );
    this.reveal();
  }

  stopLearning() {
    this.at = null;
    this.node.hidden = true;
    this.screen.show();
  }

  /** Whether a tried move is part of the better turn. @param {string} text */
  tried(text) {
    const at = need(this.at, "a mistake to mend");
    const { judged, step } = at;
    const right = judged.best_moves?.[step] === text;
    if (!right) {
      sound("wrong");
      this.node.className = "verdict bad";
      need(this.node.firstElementChild, "the words").textContent = t("learn.not");
      this.screen.stage.show(this.screen.view);
      return false;
    }
    at.step += 1;
    if (at.step === judged.best_moves?.length) this.tell(false);
    return true;
  }

  /** @param {boolean} shown */
  tell(shown) {
    const { judged } = need(this.at, "a mistake to mend");
    this.at = null;
    this.node.className = "verdict good";
    clear(
      this.node,
      h("p", {}, shown ? betterText(this.screen.tree.variant, judged) : t("learn.right")),
      h(
        "div",
        { class: "actions" },
        button(t("learn.next"), () => this.nextMistake(), {
          icon: "forward",
          cls: "primary",
          "data-do": "next-mistake",
        }),
        button(t("learn.stop"), () => this.stopLearning(), { icon: "close" }),
      ),
    );
    this.reveal();
    if (shown) this.screen.board.showArrows(arrowsOf(judged));
  }
}
