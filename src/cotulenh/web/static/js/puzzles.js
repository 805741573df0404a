// Puzzles: mates in a few turns, each move judged by proof on the server.
import { button, clear, h, say, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { Hand } from "./hand.js";
import { api } from "./net.js";
import { Tray } from "./tray.js";
import { boardTools } from "./tools.js";
import { get } from "./settings.js";
import { sideName, variants, variantTitle } from "./names.js";
import { sound } from "./sound.js";
import { t } from "./i18n.js";

export class PuzzleScreen {
  constructor(root, { query }) {
    this.name = query.get("v") || (get("variant") === "chess" ? "official" : get("variant"));
    this.host = h("div", {});
    this.title = h("h2", {});
    this.task = h("p", {});
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.buttons = h("div", { class: "actions" });
    this.tools = h("div", { class: "tools" });
    this.variant = h("select", { "aria-label": t("new.variant"), onchange: () => { this.name = this.variant.value; this.load(0); } },
      variants().filter((one) => one.name !== "chess").map((one) => h("option", { value: one.name, selected: one.name === this.name }, variantTitle(one.name))));
    this.tray = new Tray({ commit: (text) => this.play(text), back: () => this.back(1), cancel: () => this.back(99) });
    clear(root, h("div", { class: "screen puzzles" },
      h("div", { class: "board-column" }, this.host),
      h("aside", { class: "side", "aria-label": t("nav.puzzles") },
        h("section", {}, this.title, this.task, this.verdict), this.tray.node, this.buttons, this.variant, this.tools)));
    this.board = new BoardView(this.host, { variant: this.name });
    this.hand = new Hand(this.board, { may: () => this.open, play: (move) => this.play(move.text) });
    boardTools(this.tools, this.board, () => this.hand.setView(this.view));
    this.load(Number(query.get("n")) || this.remembered());
  }

  remembered() {
    try { return Number(localStorage.getItem(`cotulenh.puzzle.${this.name}`)) || 0; } catch { return 0; }
  }

  async load(index) {
    let puzzle;
    try {
      puzzle = await api(`/api/puzzles/${encodeURIComponent(this.name)}/${index}`);
    } catch (error) {
      if (index > 0) return this.load(0);
      clear(this.title, t("puzzle.none"));
      return undefined;
    }
    try { localStorage.setItem(`cotulenh.puzzle.${this.name}`, String(index)); } catch { /* not remembered then */ }
    this.puzzle = puzzle;
    this.solver = puzzle.view.turn;
    this.board.setVariant(this.name);
    this.board.setFlip(this.solver === 1);
    this.title.textContent = t("puzzle.title", { n: index + 1, count: puzzle.count });
    this.task.textContent = t("puzzle.task", { side: sideName(this.name, this.solver), turns: puzzle.turns });
    this.again();
    return undefined;
  }

  again() {
    this.moves = [];
    this.past = [];
    this.open = true;
    this.say("", "");
    this.show(this.puzzle.view);
    clear(this.buttons,
      button(t("puzzle.hint"), () => this.hint(), { icon: "bulb", "data-do": "hint" }),
      button(t("puzzle.again"), () => this.again(), { icon: "again" }),
      button(t("puzzle.prev"), () => this.load(Math.max(0, this.puzzle.index - 1)), { icon: "prev" }),
      button(t("puzzle.next"), () => this.load((this.puzzle.index + 1) % this.puzzle.count), { icon: "next", cls: "primary", "data-do": "next" }));
  }

  show(view, animate = false) {
    this.view = view;
    this.board.set(view, { animate });
    this.hand.setView(view);
    this.tray.set(view, this.open);
  }

  say(text, cls) {
    this.verdict.textContent = text;
    this.verdict.className = `verdict ${cls}`;
    if (text) say(text);
  }

  async play(text) {
    const moves = [...this.moves, text];
    let found;
    try {
      found = await api("/api/puzzles", { variant: this.name, index: this.puzzle.index, moves });
    } catch (error) { toast(error.message, "bad"); return; }
    if (found.verdict === "wrong") {
      sound("wrong");
      this.say(t("puzzle.wrong"), "bad");
      const { view } = this;
      this.board.set(found.view, { animate: true });
      this.open = false;
      setTimeout(() => { this.open = true; this.show(view); }, 900);
      return;
    }
    this.past.push([this.moves, this.view]);
    this.moves = found.moves;
    if (found.verdict === "solved") {
      this.open = false;
      sound("end");
      this.say(t("puzzle.solved"), "good");
    } else {
      sound("move");
      this.say(t("puzzle.right"), "good");
    }
    this.show(found.view, true);
  }

  back(steps) {
    const own = Math.min(steps, this.view.deployment?.steps.length || 0);
    for (let n = 0; n < own && this.past.length; n += 1) [this.moves, this.view] = this.past.pop();
    this.show(this.view);
  }

  async hint() {
    const found = await api("/api/puzzles", { variant: this.name, index: this.puzzle.index, moves: [] });
    const square = found.hint?.match(/[a-l]\d+/)?.[0];
    if (square) this.board.showMarks([square]);
  }

  key(event) {
    if (event.key === "ArrowRight") this.load((this.puzzle.index + 1) % this.puzzle.count);
    else if (event.key === "ArrowLeft") this.load(Math.max(0, this.puzzle.index - 1));
    else if (event.key === "f") { this.board.setFlip(!this.board.flip); this.hand.setView(this.view); }
    else return false;
    return true;
  }

  destroy() { this.board.destroy(); }
}
