// The position editor. Whether a position can be is the server's to say, with the reason.
import { button, clear, h, iconButton, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { api, position } from "./net.js";
import { BoardTools } from "./tools.js";
import { get, playerKey } from "./settings.js";
import { has, t } from "./i18n.js";
import {
  isVariant,
  pieceIcon,
  pieceName,
  sideName,
  variantOf,
  variants,
  variantTitle,
} from "./names.js";

/** @import { Pieces, Route, Square, View } from "./types.js" */
/** @typedef {{ fen?: string, ok?: boolean, reason?: string, problems?: string[], square?: string,
 *   code?: string, args?: Record<string, string> }} Edited */

export class EditorScreen {
  /** @type {HTMLDivElement} */
  palette;
  /** @type {HTMLUListElement} */
  problems;
  /** @type {HTMLInputElement} */
  fen;
  /** @type {HTMLSelectElement} */
  variant;
  /** @type {HTMLSelectElement} */
  turnSelect;
  /** @type {BoardView} */
  board;
  /** @type {BoardTools} */
  tools;
  /** @type {HTMLButtonElement} */
  analyse;
  /** @type {HTMLButtonElement} */
  playButton;
  /** @type {string} */
  good;

  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { go, query }) {
    this.go = go;
    /** @type {Pieces} */
    this.pieces = {};
    this.turn = 0;
    /** @type {string | null} */
    this.tool = null;
    this.heroic = false;
    const wanted = query.get("v") || "";
    this.name = isVariant(wanted) ? wanted : get("variant");
    this.build(root);
    this.read(query.get("fen") || null);
  }

  /** @param {HTMLElement} root */
  build(root) {
    this.host = h("div", {});
    this.palette = h("div", {});
    this.problems = h("ul", { class: "problems", "aria-live": "polite" });
    this.fen = h("input", { class: "wide fen", id: "editor-fen" });
    this.fen.addEventListener("change", () => this.read(this.fen.value.trim()));
    this.variant = h(
      "select",
      { id: "editor-variant" },
      variants().map((one) =>
        h("option", { value: one.name, selected: one.name === this.name }, variantTitle(one.name)),
      ),
    );
    this.variant.addEventListener("change", () => {
      this.name = this.variant.value;
      this.read(null);
    });
    this.turnSelect = h("select", { id: "editor-turn" });
    this.turnSelect.addEventListener("change", () => {
      this.turn = Number(this.turnSelect.value);
      this.check();
    });
    this.board = new BoardView(this.host, { variant: this.name });
    this.tools = new BoardTools(this.board, () => this.check());
    const address = () => `/analysis?v=${this.name}&fen=${encodeURIComponent(this.good)}`;
    this.analyse = button(t("editor.analyse"), () => this.go(address()), {
      cls: "primary",
      icon: "chart",
      "data-do": "analyse",
    });
    this.playButton = button(t("editor.play"), () => this.play(), {
      icon: "play",
      "data-do": "play",
    });
    clear(
      root,
      h(
        "div",
        { class: "screen editor" },
        h(
          "aside",
          { class: "left", "aria-label": t("editor.title") },
          h(
            "section",
            { class: "card" },
            h("h2", {}, t("editor.title")),
            h("p", { class: "note" }, t("editor.hint")),
          ),
          h(
            "section",
            { class: "card" },
            h(
              "div",
              { class: "settings" },
              h(
                "div",
                { class: "field" },
                h("label", { for: "editor-variant" }, t("new.variant")),
                this.variant,
              ),
              h(
                "div",
                { class: "field" },
                h("label", { for: "editor-turn" }, t("editor.turn")),
                this.turnSelect,
              ),
            ),
          ),
        ),
        h("div", { class: "center" }, this.host),
        h(
          "aside",
          { class: "right", "aria-label": t("editor.pieces") },
          this.problems,
          h("section", { class: "card" }, this.palette),
          h(
            "div",
            { class: "field" },
            h("label", { for: "editor-fen" }, t("editor.fen")),
            this.fen,
          ),
          h(
            "div",
            { class: "actions board-actions" },
            button(
              t("editor.clear"),
              () => {
                this.pieces = {};
                this.check();
              },
              { icon: "trash", "data-do": "clear" },
            ),
            button(t("editor.start"), () => this.read(null), {
              icon: "refresh",
              "data-do": "start",
            }),
            iconButton("flip", t("flip"), () => this.tools.flip(), { "data-tool": "flip" }),
          ),
          h("div", { class: "actions push" }, this.analyse, this.playButton),
        ),
      ),
    );
    this.board.svg.addEventListener("pointerdown", (event) => {
      const square = this.board.squareAt(event.clientX, event.clientY);
      if (!square) return;
      event.preventDefault();
      this.put(square);
    });
    this.board.svg.addEventListener("keydown", (event) => this.boardKey(event));
  }

  /** @param {KeyboardEvent} event */
  boardKey(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const square = /** @type {HTMLElement} */ (event.target).dataset?.sq;
    if (!square) return;
    if (steps[event.key]) this.board.step(...steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.put(square);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  paint() {
    const facts = variantOf(this.name);
    const chess = this.name === "chess";
    const set = (/** @type {number} */ side) =>
      h(
        "div",
        {
          class: "palette",
          role: "group",
          "aria-label": t("editor.red", { side: sideName(this.name, side) }),
        },
        facts.kinds.map((kind) => {
          const piece = facts.sides[side] + (this.heroic && !chess ? "+" : "") + kind.letter;
          return h(
            "button",
            {
              type: "button",
              "aria-pressed": String(this.tool === piece),
              "data-piece": piece,
              "aria-label": t("side.piece", {
                side: sideName(this.name, side),
                piece: pieceName(this.name, piece),
              }),
              onclick: () => {
                this.tool = piece;
                this.paint();
              },
            },
            pieceIcon(this.name, piece),
          );
        }),
      );
    const hero = h("input", {
      type: "checkbox",
      role: "switch",
      checked: this.heroic,
      id: "editor-heroic",
    });
    hero.addEventListener("change", () => {
      this.heroic = hero.checked;
      this.tool = null;
      this.paint();
    });
    clear(
      this.palette,
      set(0),
      set(1),
      h(
        "div",
        { class: "actions" },
        button(
          t("editor.erase"),
          () => {
            this.tool = "erase";
            this.paint();
          },
          { icon: "close", "aria-pressed": String(this.tool === "erase"), "data-piece": "erase" },
        ),
        !chess && h("label", { class: "switch" }, h("span", {}, t("editor.heroic")), hero),
      ),
    );
    clear(
      this.turnSelect,
      [0, 1].map((side) =>
        h("option", { value: side, selected: side === this.turn }, sideName(this.name, side)),
      ),
    );
  }

  /** @param {Square} square */
  put(square) {
    const there = this.pieces[square];
    if (!this.tool) return;
    const joins =
      there && there[0][0] === this.tool[0] && this.name !== "chess" && there.length < 4;
    if (this.tool === "erase") delete this.pieces[square];
    else this.pieces[square] = joins ? [...there, this.tool] : [this.tool];
    this.check();
  }

  /** @param {string | null} fen */
  async read(fen) {
    try {
      const view = await position(this.name, fen, []);
      this.pieces = structuredClone(view.pieces);
      this.turn = view.turn;
      this.tool = null;
      this.paint();
      await this.check();
    } catch (error) {
      this.paint();
      clear(
        this.problems,
        h("li", {}, error.message, error.detail !== error.message && ` ${error.detail}`),
      );
    }
  }

  async check() {
    /** @type {View} */
    const shown = { variant: this.name, fen: "", turn: this.turn, pieces: this.pieces, moves: [] };
    this.board.set(shown);
    const asked = (this.asked = Symbol("asked"));
    /** @type {Edited} */
    const found = await api("/api/edit", {
      variant: this.name,
      pieces: this.pieces,
      turn: this.turn,
    });
    if (this.asked !== asked) return;
    this.fen.value = found.fen || "";
    this.good = (found.ok && found.fen) || "";
    const grave = (found.problems || []).filter(
      (one) => one.startsWith("missing") || one.startsWith("no_"),
    );
    this.analyse.disabled = !found.ok;
    this.playButton.disabled = !found.ok || grave.length > 0;
    this.board.showMarks(found.square ? [found.square] : []);
    if (this.good) await this.settle(this.good, asked);
    if (this.asked === asked) this.tell(found, grave.length > 0);
  }

  /** Stacks stand in the carrier's order, as the server reads them. @param {string} fen @param {symbol} asked */
  async settle(fen, asked) {
    const view = await position(this.name, fen, []);
    if (this.asked !== asked) return;
    this.pieces = structuredClone(view.pieces);
    this.board.set({ ...view, moves: [] });
  }

  /** @param {Edited} found @param {boolean} grave */
  tell(found, grave) {
    const words = (/** @type {string} */ code) =>
      has(`problem.${code}`) ? t(`problem.${code}`, found.args) : code.replaceAll("_", " ");
    const reason = found.code && has(`problem.${found.code}`) ? words(found.code) : found.reason;
    const texts = found.ok
      ? (found.problems || []).map(words)
      : [reason || t("problem.bad_position")];
    const where = found.square && !texts[0]?.startsWith(found.square) ? `${found.square}: ` : "";
    const verdict = grave ? "editor.study" : "editor.fine";
    clear(
      this.problems,
      texts.map((text) => h("li", {}, where + text)),
      found.ok && h("li", { class: grave ? "" : "fine" }, t(verdict)),
    );
  }

  async play() {
    try {
      const { id } = await api("/api/games", {
        key: playerKey(),
        mode: "engine",
        variant: this.name,
        fen: this.good,
        side: this.turn,
        level: get("level"),
      });
      this.go(`/game/${id}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "f") return false;
    this.tools.flip();
    return true;
  }

  destroy() {
    this.tools.destroy();
    this.board.destroy();
  }
}
