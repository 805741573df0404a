// The course: one lesson a piece, then terrain, stacks, deployment, air defence, heroes and the end.
import { button, clear, h, icon, say, toast } from "./dom.js";
import { api, position } from "./net.js";
import { Stage } from "./stage.js";
import { keep, playerKey, recall, get } from "./settings.js";
import { sound } from "./sound.js";
import { has, t } from "./i18n.js";
import { factsOf } from "./card.js";
import { kindName, pieceIcon } from "./names.js";

/** @import { Move, Route, View } from "./types.js" */
/**
 * What a step asks for; whatever is left out may be anything.
 * @typedef {object} Goal
 * @property {string[]} [from]
 * @property {string[]} [to]
 * @property {string[]} [kind]
 * @property {string[]} [group]
 * @property {boolean} [deploy] the turn was a deployment and has ended
 * @property {boolean} [hero] a piece of ours is a hero afterwards
 * @property {boolean} [won] the game is won
 */
/** @typedef {{ fen: string, marks?: string[], rings?: 0 | 1, goal: Goal }} Step */
/** @typedef {{ id: string, piece?: string, icon?: string, steps: Step[] }} Lesson */

const DONE = "cotulenh.lessons";

export class LearnScreen {
  /** @type {number} */
  number;
  /** @type {number} */
  step;
  /** @type {Move[]} */
  played;
  /** @type {View} */
  view;

  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { go, id }) {
    this.go = go;
    /** @type {Lesson[]} */
    this.lessons = [];
    this.list = h("ol", { class: "course-list" });
    this.progress = h("p", { class: "note" });
    this.bars = h("ol", { class: "lesson-steps", "aria-hidden": "true" });
    this.title = h("h2", {});
    this.text = h("p", {});
    this.lead = h("section", { class: "card lead-block" }, this.bars, this.title, this.text);
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.facts = h("section", { class: "piece-facts", hidden: true });
    this.buttons = h("div", { class: "pair-buttons push" });
    this.stage = new Stage({
      variant: "official",
      may: () => !this.done && this.view?.turn === 0,
      play: (move) => this.play(move),
      back: (steps) => this.back(steps),
    });
    clear(
      root,
      h(
        "div",
        { class: "screen learn" },
        h(
          "aside",
          { class: "left", "aria-label": t("learn.course") },
          h("section", { class: "card" }, h("h2", {}, t("learn.course")), this.progress, this.list),
        ),
        h("div", { class: "center" }, this.stage.host),
        h(
          "aside",
          { class: "right", "aria-label": t("nav.learn") },
          this.lead,
          this.verdict,
          this.stage.context,
          this.stage.card.node,
          this.facts,
          this.buttons,
          this.stage.tools.row(),
        ),
      ),
    );
    this.load(id);
  }

  /** @param {string} [id] */
  async load(id) {
    try {
      this.lessons = await (await fetch(new URL("../lessons.json", import.meta.url))).json();
    } catch {
      toast(t("refused.offline"), "bad");
      return;
    }
    this.showList();
    const known = this.lessons.findIndex((one) => one.id === id);
    const open = this.lessons.findIndex((one) => !this.learned()[one.id]);
    await this.start(known >= 0 ? known : Math.max(0, open));
    this.prefetch();
  }

  /** @returns {Record<string, number>} */
  learned() {
    return recall(DONE, {});
  }

  /** The whole course works without a network once it was opened. */
  async prefetch() {
    for (const lesson of this.lessons) {
      for (const step of lesson.steps) {
        const view = await position("official", step.fen, []).catch(() => null);
        if (!view) return;
        const right = view.moves.filter((move) => fits(step.goal, move)).slice(0, 4);
        for (const move of right)
          await position("official", step.fen, [move.text]).catch(() => null);
      }
    }
  }

  get lesson() {
    return this.lessons[this.number];
  }

  /**
   * Words, address and board change together when the position is there: never the old board under
   * the new words.
   * @param {number} number
   * @param {number} [step]
   */
  async start(number, step = 0) {
    const turn = (this.turn = Symbol("start"));
    const view = await this.ask(this.lessons[number].steps[step].fen, []);
    if (!view || this.turn !== turn) return;
    this.number = number;
    this.step = step;
    this.done = false;
    /** @type {Move[]} */
    this.played = [];
    this.showWords();
    this.showList();
    this.showButtons();
    this.show(view);
    this.stage.tools.showRings(0, this.now.rings === 0);
    this.stage.tools.showRings(1, this.now.rings === 1);
    this.stage.board.showMarks(this.now.marks || []);
    this.lead.scrollIntoView({ block: "nearest" });
  }

  showWords() {
    const { id } = this.lesson;
    const many = this.lesson.steps.length > 1;
    const key = many ? `lesson.${id}.${this.step + 1}` : `lesson.${id}`;
    this.words = has(`${key}.text`) ? key : `lesson.${id}`;
    this.title.textContent = this.nameOf(this.lesson);
    this.text.textContent = t(`${this.words}.text`);
    this.showFacts();
    this.say("", "");
    say(`${this.title.textContent}. ${this.text.textContent}`);
    history.replaceState(null, "", `/learn/${id}`);
  }

  /** All that the piece of a lesson can do, in words. */
  showFacts() {
    const { piece } = this.lesson;
    this.facts.hidden = !piece;
    if (!piece) return;
    clear(
      this.facts,
      h("h2", { class: "label" }, kindName("official", piece[1])),
      h(
        "dl",
        { class: "facts" },
        factsOf("official", piece).map(([name, head, text]) =>
          h("div", {}, h("dt", {}, icon(name), head), h("dd", {}, text)),
        ),
      ),
    );
  }

  get now() {
    return this.lesson.steps[this.step];
  }

  /** @param {Lesson} lesson */
  nameOf(lesson) {
    return lesson.piece && !has(`lesson.${lesson.id}.title`)
      ? kindName("official", lesson.piece[1])
      : t(`lesson.${lesson.id}.title`);
  }

  showList() {
    const learned = this.learned();
    this.progress.textContent = t("learn.of", {
      done: this.lessons.filter((one) => learned[one.id]).length,
      of: this.lessons.length,
    });
    clear(
      this.list,
      this.lessons.map((lesson, n) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              "data-lesson": lesson.id,
              "aria-current": n === this.number ? "true" : null,
              onclick: () => this.start(n),
            },
            lesson.piece ? pieceIcon("official", lesson.piece) : icon(lesson.icon || "star"),
            h("span", {}, this.nameOf(lesson)),
            Boolean(learned[lesson.id]) &&
              h(
                "span",
                { class: "done" },
                icon("check"),
                h("span", { class: "hidden-text" }, t("learn.done")),
              ),
          ),
        ),
      ),
    );
    clear(
      this.bars,
      this.lessons.map((lesson, n) =>
        h("li", { class: learned[lesson.id] ? "done" : n === this.number ? "now" : "" }),
      ),
    );
    this.reveal();
  }

  /** The lesson is in sight where the list has a column of its own. */
  reveal() {
    const box = this.list.closest(".left");
    const here = this.list.querySelector("[aria-current]");
    if (!box || !here || box.scrollHeight <= box.clientHeight) return;
    const [outer, inner] = [box.getBoundingClientRect(), here.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.scrollTop += inner.top - outer.top - outer.height / 2;
  }

  showButtons() {
    const last = this.number === this.lessons.length - 1;
    const more = this.step < this.lesson.steps.length - 1;
    const on = () => (more ? this.start(this.number, this.step + 1) : this.start(this.number + 1));
    const cls = this.done ? "primary" : "whole";
    const onward =
      last && !more
        ? button(t("learn.play"), () => this.game(), { icon: "play", cls, "data-do": "finish" })
        : button(t(more ? "learn.go.on" : "learn.next.lesson"), on, {
            cls,
            icon: "forward",
            "data-do": "next",
          });
    const help = [
      !this.done &&
        button(t("puzzle.hint"), () => this.hint(), { icon: "bulb", "data-do": "hint" }),
      button(t("puzzle.again"), () => this.start(this.number, this.step), {
        cls: this.done ? "whole" : "",
        icon: "refresh",
        "data-do": "again",
      }),
    ];
    clear(this.buttons, this.done ? [onward, help] : [help, onward]);
  }

  /** @param {string} text @param {string} cls */
  say(text, cls) {
    this.verdict.textContent = text;
    this.verdict.className = `verdict ${cls}`;
    if (!text) return;
    say(text);
    this.verdict.scrollIntoView({ block: "nearest" });
  }

  /** The position after some moves; null, with a word, if the server does not tell. @param {string} fen @param {string[]} moves */
  async ask(fen, moves) {
    try {
      return await position("official", fen, moves);
    } catch (error) {
      toast(error.message, "bad");
      return null;
    }
  }

  /** @param {View} view @param {boolean} [animate] */
  show(view, animate = false) {
    this.view = view;
    this.stage.show(view, { animate });
  }

  /** Goes to the position after some moves, unless something else was begun meanwhile. @param {Move[]} played */
  async to(played, animate = false) {
    const turn = (this.turn = Symbol("turn"));
    const moves = played.map((move) => move.text);
    const view = await this.ask(this.now.fen, moves);
    if (this.turn !== turn) return false;
    if (view) this.played = played;
    this.show(view || this.view, animate);
    return Boolean(view);
  }

  /** @param {Move} move */
  async play(move) {
    this.say("", ""); // what was said of the last try
    if (!(await this.to([...this.played, move], true))) return;
    if (reached(this.now.goal, this.played, this.view)) this.success();
    else if (this.view.turn === 1 || this.view.outcome) this.failure(move);
  }

  success() {
    this.done = true;
    sound("join");
    const done = `${this.words}.done`;
    this.say(t(has(done) ? done : "learn.well"), "good");
    if (this.step === this.lesson.steps.length - 1)
      keep(DONE, { ...this.learned(), [this.lesson.id]: Date.now() });
    this.showList();
    this.showButtons();
    /** @type {HTMLElement} */ (this.buttons.querySelector(".primary"))?.focus({
      preventScroll: true,
    });
  }

  /** What was wrong is said, then the same position comes back. @param {Move} move */
  failure(move) {
    sound("wrong");
    const own = `${this.words}.wrong`;
    const kind = `learn.wrong.${move.kind || "normal"}`;
    this.say(t(has(own) ? own : has(kind) ? kind : "learn.wrong"), "bad");
    const { turn } = this;
    setTimeout(async () => {
      if (this.turn === turn && (await this.to([])))
        this.stage.board.showMarks(this.now.marks || []);
    }, 1100);
  }

  hint() {
    const move =
      this.view.moves.find((one) => fits(this.now.goal, one)) ||
      this.view.moves.find((one) => one.deploy);
    if (!move) return;
    this.stage.hand.clear();
    this.stage.board.showMarks([move.from, move.to]);
    this.say(t("puzzle.hint.to", { square: `${move.from} → ${move.to}` }), "");
  }

  /** @param {number} steps */
  back(steps) {
    const own = Math.min(steps, this.view.deployment?.steps.length || 0);
    this.to(this.played.slice(0, this.played.length - own));
  }

  /** The course ends with a game against the first level. */
  async game() {
    try {
      const { id } = await api("/api/games", {
        key: playerKey(),
        mode: "engine",
        variant: "official",
        side: 0,
        level: 1,
        name: get("name"),
      });
      this.go(`/game/${id}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "f") this.stage.tools.flip();
    else if (event.key === "r") this.stage.tools.cycle();
    else if (event.key === "h") this.hint();
    else return false;
    return true;
  }

  destroy() {
    this.turn = null;
    this.stage.destroy();
  }
}

/** Whether one move is of the kind a goal asks for. @param {Goal} goal @param {Move} move */
function fits(goal, move) {
  const ok = (/** @type {string[] | undefined} */ wanted, /** @type {string} */ value) =>
    !wanted || wanted.includes(value);
  return (
    ok(goal.from, move.from) &&
    ok(goal.to, move.to) &&
    ok(goal.kind, move.kind || "normal") &&
    ok(goal.group, move.group || "")
  );
}

/** @param {Goal} goal @param {Move[]} played @param {View} view */
function reached(goal, played, view) {
  const heroes = Object.values(view.pieces)
    .flat()
    .some((piece) => piece.startsWith("r+"));
  if (goal.hero && !heroes) return false;
  if (goal.won && view.outcome?.winner !== 0) return false;
  if (goal.deploy && !(view.turn === 1 && played.some((one) => one.deploy))) return false;
  return played.some((one) => fits(goal, one));
}
