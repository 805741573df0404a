// Five steps for what makes this game different. Each is a position and something to do.
import { button, clear, h, say, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { Hand } from "./hand.js";
import { position } from "./net.js";
import { Tray } from "./tray.js";
import { boardTools } from "./tools.js";
import { sound } from "./sound.js";
import { t } from "./i18n.js";

// `goal` is asked of the move that was played and of the position after it.
const LESSONS = [
  { fen: "5c5/11/11/3i7/11/11/11/11/1N1IT6/11/11/6C4 r - - 0 1", marks: ["b7"], goal: (move) => move.to === "b7" },
  { fen: "5c5/11/11/3i7/11/11/11/11/1N1IT6/11/11/6C4 r - - 0 1", marks: ["d4", "e4"], goal: (move) => move.kind === "combine" },
  { fen: "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1", marks: ["c4"], goal: (move, view, played) => view.turn === 1 && played.some((one) => one.deploy) },
  { fen: "8c2/11/11/5g5/5t5/11/11/11/5F5/11/11/6C4 r - - 0 1", marks: ["f8"], rings: 1, goal: (move) => move.kind === "exchange" },
  { fen: "11/11/11/5i5/6c4/11/11/6T4/11/11/11/5C5 r - - 0 1", marks: ["g6"], goal: (move, view) => Object.values(view.pieces).some((stack) => stack[0].startsWith("r+")) },
];

export class IntroScreen {
  constructor(root, { go }) {
    this.go = go;
    this.host = h("div", {});
    this.bars = h("ol", { class: "lesson-steps", "aria-hidden": "true" });
    this.title = h("h2", {});
    this.text = h("p", {});
    this.verdict = h("p", { class: "verdict good", role: "status" });
    this.buttons = h("div", { class: "actions" });
    this.tools = h("div", { class: "tools" });
    this.tray = new Tray({ commit: (text) => this.play({ text, kind: "commit" }), back: () => this.back(1), cancel: () => this.back(99) });
    clear(root, h("div", { class: "screen intro" },
      h("div", { class: "board-column" }, this.host),
      h("aside", { class: "side", "aria-label": t("nav.learn") },
        h("section", {}, this.bars, this.title, this.text, this.verdict), this.tray.node, this.buttons, this.tools)));
    this.board = new BoardView(this.host, { variant: "official" });
    this.hand = new Hand(this.board, { may: () => !this.done && this.view?.turn === 0, play: (move) => this.play(move) });
    boardTools(this.tools, this.board, () => this.hand.setView(this.view));
    this.start(0);
  }

  async start(number) {
    this.number = number;
    this.done = false;
    this.moves = [];
    this.played = [];
    const lesson = LESSONS[number];
    clear(this.bars, LESSONS.map((_, i) => h("li", { class: i < number ? "done" : i === number ? "now" : "" })));
    this.title.textContent = t("intro.title", { n: number + 1, name: t(`intro.${number + 1}`) });
    this.text.textContent = t(`intro.${number + 1}.text`);
    this.verdict.textContent = "";
    say(`${this.title.textContent}. ${this.text.textContent}`);
    this.actions();
    await this.show();
    this.board.showRings(lesson.rings ?? null);
    this.board.showMarks(lesson.marks);
  }

  actions() {
    const last = this.number === LESSONS.length - 1;
    clear(this.buttons,
      button(t("intro.again"), () => this.start(this.number), { icon: "again" }),
      last ? button(t("intro.finish"), () => this.go("/"), { cls: "primary", "data-do": "finish" })
        : button(t("intro.next"), () => this.start(this.number + 1), { cls: this.done ? "primary" : "", icon: "next", "data-do": "next" }));
  }

  async show(animate = false) {
    this.view = await position("official", LESSONS[this.number].fen, this.moves);
    this.board.set(this.view, { animate });
    this.hand.setView(this.view);
    this.tray.set(this.view, !this.done);
  }

  async play(move) {
    this.moves.push(move.text);
    this.played.push(move);
    try {
      await this.show(true);
    } catch (error) { toast(error.message, "bad"); return; }
    if (LESSONS[this.number].goal(move, this.view, this.played)) {
      this.done = true;
      this.verdict.textContent = t("intro.done");
      sound("join");
      this.actions();
    } else if (this.view.turn === 1) {
      // Not it: the same position once more.
      sound("wrong");
      setTimeout(() => this.start(this.number), 700);
    }
  }

  back(steps) {
    const own = Math.min(steps, this.view.deployment?.steps.length || 0);
    this.moves.splice(this.moves.length - own, own);
    this.played.splice(this.moves.length);
    this.show();
  }

  destroy() { this.board.destroy(); }
}
