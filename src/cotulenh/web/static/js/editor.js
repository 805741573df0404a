// The position editor. Whether a position can be is the server's to say, with the reason.
import { button, clear, h, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { api, position } from "./net.js";
import { boardTools } from "./tools.js";
import { get, playerKey } from "./settings.js";
import { t } from "./i18n.js";
import { pieceIcon, pieceName, sideName, variantOf, variants, variantTitle } from "./names.js";

export class EditorScreen {
  constructor(root, { go, query }) {
    this.go = go;
    this.pieces = {};
    this.turn = 0;
    this.tool = null;
    this.heroic = false;
    this.name = query.get("v") && variantOf(query.get("v")) ? query.get("v") : get("variant");
    this.build(root);
    this.read(query.get("fen") || null);
  }

  build(root) {
    this.host = h("div", {});
    this.palette = h("div", {});
    this.problems = h("ul", { class: "problems", "aria-live": "polite" });
    this.fen = h("input", { class: "wide fen", id: "editor-fen", onchange: () => this.read(this.fen.value.trim()) });
    this.variant = h("select", { id: "editor-variant", onchange: () => { this.name = this.variant.value; this.read(null); } },
      variants().map((one) => h("option", { value: one.name, selected: one.name === this.name }, variantTitle(one.name))));
    this.turnSelect = h("select", { id: "editor-turn", onchange: () => { this.turn = Number(this.turnSelect.value); this.check(); } });
    this.tools = h("div", { class: "tools" });
    clear(root, h("div", { class: "screen editor" },
      h("div", { class: "board-column" }, this.host),
      h("aside", { class: "side scroll", "aria-label": t("editor.title") },
        h("section", {}, h("h2", {}, t("editor.title")), h("p", { class: "note" }, t("editor.hint")), this.palette),
        this.problems,
        h("div", { class: "field" }, h("label", { for: "editor-fen" }, t("editor.fen")), this.fen),
        h("div", { class: "actions" },
          h("div", { class: "field" }, h("label", { for: "editor-variant" }, t("new.variant")), this.variant),
          h("div", { class: "field" }, h("label", { for: "editor-turn" }, t("editor.turn")), this.turnSelect)),
        h("div", { class: "actions" },
          button(t("editor.clear"), () => { this.pieces = {}; this.check(); }, { icon: "trash", "data-do": "clear" }),
          button(t("editor.start"), () => this.read(null), { "data-do": "start" })),
        h("div", { class: "actions" },
          this.analyse = button(t("editor.analyse"), () => this.go(`/analysis?v=${this.name}&fen=${encodeURIComponent(this.good)}`), { cls: "primary", "data-do": "analyse" }),
          this.playButton = button(t("editor.play"), () => this.play(), { "data-do": "play" })),
        this.tools)));
    this.board = new BoardView(this.host, { variant: this.name });
    this.board.svg.addEventListener("pointerdown", (event) => {
      const square = this.board.squareAt(event.clientX, event.clientY);
      if (square) { event.preventDefault(); this.put(square); }
    });
    this.board.svg.addEventListener("keydown", (event) => this.boardKey(event));
    boardTools(this.tools, this.board, () => this.check());
    this.paint();
  }

  boardKey(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const square = event.target.dataset?.sq;
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
    const set = (side) => h("div", { class: "palette", role: "group", "aria-label": t("editor.red", { side: sideName(this.name, side) }) },
      facts.kinds.map((kind) => {
        const piece = facts.sides[side] + (this.heroic && !chess ? "+" : "") + kind.letter;
        return h("button", { type: "button", "aria-pressed": String(this.tool === piece), "data-piece": piece,
          "aria-label": `${sideName(this.name, side)} ${pieceName(this.name, piece)}`,
          onclick: () => { this.tool = piece; this.paint(); } }, pieceIcon(this.name, piece));
      }));
    clear(this.palette, set(0), set(1), h("div", { class: "actions" },
      button(t("editor.erase"), () => { this.tool = "erase"; this.paint(); }, { icon: "close", "aria-pressed": String(this.tool === "erase"), "data-piece": "erase" }),
      !chess && h("label", { class: "check" }, h("input", { type: "checkbox", checked: this.heroic, id: "editor-heroic",
        onchange: (event) => { this.heroic = event.target.checked; this.tool = null; this.paint(); } }), t("editor.heroic"))));
    clear(this.turnSelect, [0, 1].map((side) => h("option", { value: side, selected: side === this.turn }, sideName(this.name, side))));
  }

  put(square) {
    const there = this.pieces[square];
    if (!this.tool) return;
    if (this.tool === "erase") delete this.pieces[square];
    else if (there && there[0][0] === this.tool[0] && this.name !== "chess" && there.length < 4) this.pieces[square] = [...there, this.tool];
    else this.pieces[square] = [this.tool];
    this.check();
  }

  async read(fen) {
    try {
      const view = await position(this.name, fen, []);
      this.pieces = structuredClone(view.pieces);
      this.turn = view.turn;
      this.tool = null;
      this.paint();
      await this.check();
    } catch (error) {
      clear(this.problems, h("li", {}, error.detail || error.message));
    }
  }

  async check() {
    const shown = { variant: this.name, fen: "", pieces: this.pieces, rings: [[], []], moves: [] };
    this.board.set(shown);
    const asked = this.asked = Symbol("asked");
    const found = await api("/api/edit", { variant: this.name, pieces: this.pieces, turn: this.turn });
    if (this.asked !== asked) return;
    this.fen.value = found.fen;
    this.good = found.ok ? found.fen : "";
    this.analyse.disabled = this.playButton.disabled = !found.ok;
    this.board.showMarks(found.square ? [found.square] : []);
    // Stacks stand in the carrier's order, as the server reads them.
    if (found.ok) {
      const view = await position(this.name, found.fen, []);
      if (this.asked !== asked) return;
      this.pieces = structuredClone(view.pieces);
      this.board.set(view);
    }
    const texts = found.ok ? found.problems || [] : [found.reason];
    const where = found.square && !texts[0].startsWith(found.square) ? `${found.square}: ` : "";
    clear(this.problems, texts.map((text) => h("li", {}, where + text.replaceAll("_", " "))),
      found.ok && h("li", { class: "fine" }, t("editor.fine")));
  }

  async play() {
    try {
      const { id } = await api("/api/games", { key: playerKey(), mode: "engine", variant: this.name, fen: this.good,
        side: this.turn, level: get("level") });
      this.go(`/game/${id}`);
    } catch (error) { toast(error.message, "bad"); }
  }

  key(event) {
    if (event.key !== "f") return false;
    this.board.setFlip(!this.board.flip);
    this.check();
    return true;
  }

  destroy() { this.board.destroy(); }
}
