// A board with all that belongs to it: hand, piece card, choices, deployment bar, tools.
import { h } from "./dom.js";
import { BoardView } from "./board.js";
import { PieceCard } from "./card.js";
import { foresee } from "./foresee.js";
import { Hand } from "./hand.js";
import { BoardTools } from "./tools.js";
import { Tray } from "./tray.js";

/** @import { Arrow, Move, Square, View } from "./types.js" */

export class Stage {
  /** @type {View} from the first `show` on */
  view;

  /**
   * @param {object} hooks
   * @param {string} hooks.variant
   * @param {() => boolean} hooks.may whether the user may move now
   * @param {(move: Move) => void} hooks.play
   * @param {(steps: number) => void} hooks.back takes back steps of a deployment
   * @param {() => void} [hooks.turned]
   * @param {(notes: Arrow[]) => void} [hooks.noted]
   */
  constructor({ variant, may, play, back, turned = () => {}, noted }) {
    this.may = may;
    this.host = h("div", {});
    this.board = new BoardView(this.host, { variant });
    this.card = new PieceCard(this.board);
    this.hand = new Hand(this.board, {
      may,
      noted,
      play: (move) => {
        this.ahead(move);
        play(move);
      },
      look: (square, why) => this.look(square, why),
    });
    this.tools = new BoardTools(this.board, () => {
      if (this.view) this.hand.setView(this.view);
      turned();
    });
    this.tray = new Tray({
      commit: (text) => play({ text, from: "", to: "", kind: "commit" }),
      back: () => back(1),
      cancel: () => back(99),
    });
    this.context = h("div", { class: "context" }, this.hand.chooser.node, this.tray.node);
  }

  /** @param {Square | null} square @param {string} why */
  look(square, why) {
    this.card.look(square, why);
  }

  /** Drawn at once; the position that comes replaces it. @param {Move} move */
  ahead(move) {
    this.drawn = foresee(this.view, move);
    this.board.set(this.drawn);
  }

  /** @param {View} view @param {{ animate?: boolean }} [options] */
  show(view, { animate = false } = {}) {
    this.view = view;
    this.board.set(view, { animate: animate && !this.drawn });
    this.drawn = null;
    this.card.look(null);
    this.hand.setView(view);
    this.tray.set(view, this.may(), this.hand);
  }

  destroy() {
    this.hand.destroy();
    this.tools.destroy();
    this.board.destroy();
  }
}
