// Puzzles that count: rating, streak, history, themes, hints; a pack of them works offline.
import { button, clear, h, icon, s, say, toast } from "./dom.js";
import { after, unrated } from "./glicko.js";
import { api, pure } from "./net.js";
import { Stage } from "./stage.js";
import { get, keep, playerKey, recall } from "./settings.js";
import { isVariant, pieceIcon, sideName, variantOf, variants, variantTitle } from "./names.js";
import { sound } from "./sound.js";
import { has, t } from "./i18n.js";

/** @import { Route, View } from "./types.js" */
/** @typedef {{ move: string, view: View, accept?: string[], own?: boolean }} Step */
/** @typedef {{ id: string, index?: number, count?: number, turns: number, fen: string, view: View,
 *   themes?: string[], rating?: number, goal?: string, line?: Step[] }} Puzzle */
/** @typedef {{ rating: number, deviation: number, volatility: number, streak: number, best: number,
 *   solved: number, tried: number, curve: number[], last: boolean[], seen: string[] }} Record */

const STORE = "cotulenh.puzzles";
const WAITING = "cotulenh.puzzles.waiting";
/** Milliseconds between the moves of a solution that is shown. */
const PACE = 900;

/** @param {string} variant @returns {Record} */
function recordOf(variant) {
  /** @type {Record} */
  const fresh = {
    ...unrated(),
    streak: 0,
    best: 0,
    solved: 0,
    tried: 0,
    curve: [],
    last: [],
    seen: [],
  };
  return { ...fresh, ...(recall(STORE, {})[variant] || {}) };
}

export class PuzzleScreen {
  /** @type {Puzzle} from the first puzzle on */
  puzzle;
  /** @type {Stage} */
  stage;
  /** @type {HTMLElement} */
  ratingCard;
  /** @type {HTMLElement} */
  themes;
  /** @type {HTMLElement} */
  history;
  /** @type {HTMLElement} */
  task;
  /** @type {HTMLParagraphElement} */
  turns;
  /** @type {HTMLParagraphElement} */
  cost;
  /** @type {HTMLParagraphElement} */
  verdict;
  /** @type {HTMLDivElement} */
  buttons;
  /** @type {HTMLSelectElement} */
  variant;
  /** @type {boolean} */
  open;
  /** @type {number} */
  hints;
  /** @type {number} */
  hinted;
  /** @type {string[]} */
  moves;
  /** @type {number} */
  at;
  /** @type {[string[], View, number][]} */
  past;

  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { query }) {
    const wanted = query.get("v") || "";
    this.name = isVariant(wanted) ? wanted : get("variant");
    this.theme = query.get("theme") || "";
    this.record = recordOf(this.name);
    this.build(root);
    if (wanted && !isVariant(wanted)) toast(t("refused.no_such_variant"), "bad");
    this.start(query.get("id") || query.get("n"));
  }

  /** @param {HTMLElement} root */
  build(root) {
    this.stage = new Stage({
      variant: this.name,
      may: () => this.open,
      play: (move) => this.play(move.text),
      back: (steps) => this.back(steps),
    });
    this.ratingCard = h("section", { class: "card", "aria-label": t("puzzle.rating") });
    this.themes = h("section", { class: "card", hidden: true });
    this.history = h("section", { class: "card" });
    this.task = h("section", { class: "card lead-block" });
    this.turns = h("p", { class: "played", "aria-label": t("puzzle.turns") });
    this.cost = h("p", { class: "note cost" }, t("puzzle.cost"));
    this.verdict = h("p", { class: "verdict", role: "status" });
    this.buttons = h("div", { class: "pair-buttons push" });
    this.variant = h(
      "select",
      { "aria-label": t("new.variant"), class: "wide" },
      variants().map((one) =>
        h("option", { value: one.name, selected: one.name === this.name }, variantTitle(one.name)),
      ),
    );
    this.variant.addEventListener("change", () => this.use(this.variant.value));
    clear(
      root,
      h(
        "div",
        { class: "screen puzzles" },
        h(
          "aside",
          { class: "left", "aria-label": t("puzzle.rating") },
          this.ratingCard,
          this.themes,
          this.history,
          this.variant,
        ),
        h("div", { class: "center" }, this.stage.host),
        h(
          "aside",
          { class: "right", "aria-label": t("nav.puzzles") },
          this.task,
          this.verdict,
          this.turns,
          this.stage.context,
          this.stage.card.node,
          this.buttons,
          this.cost,
          this.stage.tools.row(),
        ),
      ),
    );
    this.showRecord();
  }

  /** @param {string} name */
  use(name) {
    this.name = name;
    this.theme = "";
    this.record = recordOf(name);
    this.showRecord();
    this.start(null);
  }

  /** @param {string | null} id */
  async start(id) {
    this.showThemes();
    this.sync();
    await this.load(id);
    this.pack();
  }

  // Which puzzle ------------------------------------------------------------------------------------

  /** @param {string | null} [id] @returns {Promise<void>} */
  async load(id = null) {
    try {
      this.use1(await this.next(id));
    } catch (error) {
      if (id && error.code !== "offline") {
        toast(error.message, "bad");
        return this.load(null);
      }
      const kept = this.kept();
      if (error.code === "offline" && kept) this.use1(kept);
      else this.none(error);
    }
    return undefined;
  }

  /** @param {string | null} id @returns {Promise<Puzzle>} */
  next(id) {
    const base = `/api/puzzles/${encodeURIComponent(this.name)}`;
    if (id) return api(`${base}/${encodeURIComponent(id)}`);
    const query = new URLSearchParams({
      rating: String(Math.round(this.record.rating)),
      key: playerKey(),
      skip: this.record.seen.slice(-40).join(","),
    });
    if (this.theme) query.set("theme", this.theme);
    return api(`${base}?${query}`);
  }

  /** A puzzle of the pack that was not seen yet. @returns {Puzzle | undefined} */
  kept() {
    /** @type {Puzzle[]} */
    const pack = recall(`cotulenh.pack.${this.name}`, []);
    const fits = pack.filter((one) => !this.theme || one.themes?.includes(this.theme));
    return fits.find((one) => !this.record.seen.includes(one.id)) || fits[0];
  }

  async pack() {
    const query = new URLSearchParams({ n: "20", rating: String(Math.round(this.record.rating)) });
    const pack = await api(`/api/puzzles/${encodeURIComponent(this.name)}/pack?${query}`).catch(
      () => /** @type {any} */ (null),
    );
    if (Array.isArray(pack) && pack.length) keep(`cotulenh.pack.${this.name}`, pack);
  }

  /** @param {Error} error */
  none(error) {
    this.open = false;
    clear(this.task, h("h2", {}, t("puzzle.none")), h("p", { class: "note" }, error.message));
    clear(
      this.buttons,
      button(t("puzzle.next"), () => this.load(), { icon: "refresh", cls: "primary" }),
    );
  }

  /** @param {Puzzle} puzzle */
  use1(puzzle) {
    this.puzzle = puzzle;
    const { variant, turn } = puzzle.view;
    this.solver = turn;
    this.hints = this.hinted = 0;
    // What was counted once is not counted again, neither here nor by the server.
    this.counted = this.record.seen.includes(puzzle.id);
    this.address();
    this.stage.board.setVariant(variant);
    this.stage.board.setFlip(turn === 1);
    const goal =
      puzzle.goal === "mate" || !puzzle.goal
        ? t("puzzle.mate", { turns: puzzle.turns })
        : t(`puzzle.goal.${puzzle.goal}`);
    const letter = variant === "chess" ? "K" : "C";
    const themes = (puzzle.themes || []).filter((name) => has(`theme.${name}`));
    clear(
      this.task,
      h(
        "p",
        { class: "label" },
        t("puzzle.number", { id: puzzle.index === undefined ? puzzle.id : puzzle.index + 1 }),
        Boolean(puzzle.rating) && ` · ${Math.round(puzzle.rating || 0)}`,
      ),
      h(
        "div",
        { class: "task-head" },
        pieceIcon(variant, variantOf(variant).sides[turn] + letter),
        h(
          "div",
          {},
          h("h2", {}, t("status.turn", { side: sideName(variant, turn) })),
          h("p", { class: "note" }, goal),
        ),
      ),
      h("p", { class: "note" }, t("puzzle.explain")),
    );
    this.after = themes;
    this.again();
  }

  /** A reload brings the same puzzle, and its address can be given to others. */
  address() {
    if (this.gone) return;
    const query = new URLSearchParams({ v: this.name, id: this.puzzle.id });
    if (this.theme) query.set("theme", this.theme);
    history.replaceState(null, "", `/puzzles?${query}`);
  }

  again() {
    this.finished = false;
    this.showing = null;
    /** @type {string[]} */
    this.moves = [];
    this.at = 0;
    /** @type {[string[], View, number][]} */
    this.past = [];
    this.open = true;
    this.say("", "");
    this.stage.show(this.puzzle.view);
    this.showTurns(this.puzzle.view);
    this.showButtons();
    this.task.scrollIntoView({ block: "nearest" });
  }

  /** The turns played so far, the solver's numbered. @param {View} view */
  showTurns({ turns = [] }) {
    const text = turns.map((turn, n) => (n % 2 ? turn : `${n / 2 + 1}. ${turn}`)).join(" ");
    this.turns.textContent = text;
    this.turns.hidden = !text;
  }

  showButtons() {
    const solved = this.finished;
    this.cost.hidden = Boolean(solved);
    clear(
      this.buttons,
      (solved || !this.open) &&
        button(t("puzzle.next"), () => this.load(), {
          icon: "forward",
          cls: "primary",
          "data-do": "next",
        }),
      !solved && button(t("puzzle.hint"), () => this.hint(), { icon: "bulb", "data-do": "hint" }),
      !solved &&
        button(t("puzzle.solution"), () => this.solution(), { icon: "eye", "data-do": "solution" }),
      button(t("puzzle.again"), () => this.again(), {
        icon: "refresh",
        cls: solved ? "whole" : "",
        "data-do": "again",
      }),
      !solved &&
        this.open &&
        button(t("puzzle.skip"), () => this.load(), { icon: "forward", "data-do": "skip" }),
    );
  }

  /** @param {string} text @param {string} cls */
  say(text, cls) {
    this.verdict.textContent = text;
    this.verdict.className = `verdict ${cls}`;
    if (!text) return;
    say(text);
    (this.turns.hidden ? this.verdict : this.turns).scrollIntoView({ block: "nearest" });
  }

  // Solving -----------------------------------------------------------------------------------------

  /** @param {string} text */
  async play(text) {
    let found;
    try {
      const { id, index } = this.puzzle;
      found = await api("/api/puzzles", {
        variant: this.name,
        id,
        index,
        moves: [...this.moves, text],
        key: playerKey(),
      });
    } catch (error) {
      found = error.code === "offline" ? this.judge(text) : null;
      if (!found) {
        toast(error.message, "bad");
        this.stage.show(this.stage.view);
        return;
      }
    }
    if (found.verdict === "wrong") this.wrong();
    else this.right(found);
  }

  /** Without a network the known line decides. @param {string} text */
  judge(text) {
    const { line } = this.puzzle;
    if (!line?.length) return null;
    const step = line[this.at];
    if (step.move !== text && !step.accept?.includes(text)) return { verdict: "wrong" };
    let last = this.at;
    while (line[last + 1] && line[last + 1].own === false) last += 1;
    const moves = [
      ...this.moves,
      text,
      ...line.slice(this.at + 1, last + 1).map((one) => one.move),
    ];
    const solved = last === line.length - 1;
    return { verdict: solved ? "solved" : "right", moves, view: line[last].view, at: last + 1 };
  }

  wrong() {
    sound("wrong");
    this.say(t("puzzle.wrong"), "bad");
    this.count(false);
    const { view } = this.stage;
    this.open = false;
    setTimeout(() => {
      this.open = true;
      this.stage.show(view);
    }, 800);
  }

  /** @param {{ verdict: string, moves: string[], view: View, at?: number }} found */
  right(found) {
    this.past.push([this.moves, this.stage.view, this.at]);
    this.moves = found.moves;
    this.at = found.at ?? found.moves.length;
    this.hinted = 0;
    const solved = found.verdict === "solved";
    this.open = !solved;
    this.finished = solved;
    sound(solved ? "end" : "move");
    if (solved) this.count(true);
    const names = (this.after || []).map((name) => t(`theme.${name}`)).join(", ");
    this.showTurns(found.view);
    if (this.showing) this.say(solved ? t("puzzle.shown") : "", "");
    else this.say(solved ? t("puzzle.solved", { themes: names }) : t("puzzle.right"), "good");
    this.stage.show(found.view, { animate: true });
    this.showButtons();
    if (solved)
      /** @type {HTMLElement} */ (this.buttons.querySelector(".primary"))?.focus({
        preventScroll: true,
      });
  }

  /** @param {number} steps */
  back(steps) {
    const own = Math.min(steps, this.stage.view.deployment?.steps.length || 0);
    let view = this.stage.view;
    for (const [moves, before, at] of this.past.splice(this.past.length - own).reverse())
      [this.moves, view, this.at] = [moves, before, at];
    this.stage.show(view);
    this.showTurns(view);
  }

  /** The next move of the solution, wherever we are in it. */
  async ask() {
    const { id, index, line } = this.puzzle;
    const ask = { variant: this.name, id, index, moves: this.moves, hint: true };
    try {
      return (await api("/api/puzzles", ask)).hint || "";
    } catch (error) {
      const known = line?.[this.at]?.move;
      if (error.code === "offline" && known) return known;
      throw error;
    }
  }

  async hint() {
    this.hints += 1;
    this.hinted += 1; // first where from, then where to
    const move = await this.ask().catch((error) => {
      toast(error.message, "bad");
      return "";
    });
    const squares = move.match(/[a-l]\d+/g);
    if (!squares) return;
    this.stage.hand.clear();
    const first = this.hinted % 2 === 1 || squares.length < 2;
    this.stage.board.showMarks(squares.slice(0, first ? 1 : 2));
    this.say(
      t(first ? "puzzle.hint.from" : "puzzle.hint.to", { square: squares[first ? 0 : 1] }),
      "",
    );
  }

  /** Plays what is left of the solution, each move with its arrow and its name. */
  async solution() {
    this.count(false);
    const showing = (this.showing = Symbol("solution"));
    this.open = false;
    this.stage.hand.clear();
    const pause = () => new Promise((done) => setTimeout(done, PACE));
    try {
      while (this.showing === showing && !this.finished) {
        const move = await this.ask();
        const name = await this.nameOf(move);
        const squares = move.match(/[a-l]\d+/g) || [];
        if (this.showing !== showing || !squares.length) return;
        this.stage.board.showArrows([{ from: squares[0], to: squares[1] || squares[0] }]);
        this.say(t("puzzle.solution.is", { move: name }), "");
        await pause();
        if (this.showing !== showing) return;
        this.stage.board.showArrows([]);
        const before = this.moves;
        await this.play(move);
        this.open = this.moves === before; // it was not taken: what is wrong has been said
        if (this.open) return;
        await pause();
      }
    } catch (error) {
      this.open = this.showing === showing;
      toast(error.message, "bad");
    }
  }

  /** A move in short notation. @param {string} move @returns {Promise<string>} */
  async nameOf(move) {
    const ask = { variant: this.name, fen: this.puzzle.fen, moves: [...this.moves, move] };
    const line = await pure("/api/line", ask).catch(() => /** @type {{ san: string }[]} */ ([]));
    return line.at(-1)?.san || move;
  }

  // What counts -------------------------------------------------------------------------------------

  /** The first verdict counts; with a hint nothing is gained. @param {boolean} won */
  count(won) {
    if (this.counted) return;
    this.counted = true;
    const { record, puzzle } = this;
    const before = record.rating;
    if (!(won && this.hints))
      Object.assign(record, after(record, { rating: puzzle.rating || 1500 }, won ? 1 : 0));
    record.tried += 1;
    record.solved += won ? 1 : 0;
    record.streak = won ? record.streak + 1 : 0;
    record.best = Math.max(record.best, record.streak);
    record.last = [...record.last, won].slice(-12);
    record.seen = [...record.seen, puzzle.id].slice(-200);
    record.curve = [...record.curve, Math.round(record.rating)].slice(-60);
    this.gained = Math.round(record.rating) - Math.round(before);
    this.write();
    this.tell({ key: playerKey(), variant: this.name, id: puzzle.id, won, hints: this.hints });
  }

  write() {
    keep(STORE, { ...recall(STORE, {}), [this.name]: this.record });
    this.showRecord();
  }

  /** The server's rating is the one that counts; without it the attempt waits. @param {any} attempt */
  async tell(attempt) {
    try {
      const told = await api("/api/puzzles/done", attempt);
      if (told.rating && attempt.variant === this.name) {
        Object.assign(this.record, {
          rating: told.rating,
          deviation: told.deviation ?? this.record.deviation,
        });
        this.write();
      }
    } catch (error) {
      if (error.code === "offline") keep(WAITING, [...recall(WAITING, []), attempt].slice(-200));
    }
  }

  async sync() {
    const waiting = recall(WAITING, []);
    if (!waiting.length || !navigator.onLine) return;
    keep(WAITING, []);
    for (const attempt of waiting) await this.tell(attempt);
  }

  showRecord() {
    const { record } = this;
    const points = record.curve.length ? record.curve : [Math.round(record.rating)];
    const [low, high] = [Math.min(...points) - 10, Math.max(...points) + 10];
    const line = points.map(
      (value, n) =>
        `${((200 * n) / Math.max(1, points.length - 1)).toFixed(1)} ${(50 - (44 * (value - low)) / (high - low)).toFixed(1)}`,
    );
    const gain = this.gained;
    clear(
      this.ratingCard,
      h("p", { class: "label" }, t("puzzle.rating")),
      h(
        "div",
        {},
        h("span", { class: "rating" }, String(Math.round(record.rating))),
        " ",
        gain
          ? h(
              "span",
              { class: gain > 0 ? "gain" : "loss" },
              `${gain > 0 ? "+" : "−"}${Math.abs(gain)}`,
            )
          : null,
        record.deviation > 110 &&
          h("span", { class: "note", title: t("puzzle.provisional") }, " ?"),
      ),
      points.length > 1 &&
        s(
          "svg",
          {
            class: "curve",
            viewBox: "0 0 200 52",
            preserveAspectRatio: "none",
            "aria-hidden": "true",
          },
          s("path", { d: `M0 60L${line.join("L")}L200 60Z` }),
        ),
      h(
        "p",
        { class: "streak" },
        h("span", {}, icon("fire"), t("puzzle.streak", { n: record.streak })),
        h(
          "span",
          {},
          icon("check"),
          t("puzzle.count", { solved: record.solved, tried: record.tried }),
        ),
      ),
    );
    this.history.hidden = !record.last.length;
    clear(
      this.history,
      h("h2", { class: "label" }, t("puzzle.last")),
      h(
        "ol",
        { class: "last-twelve" },
        record.last.map((won) =>
          h(
            "li",
            { class: won ? "" : "bad" },
            icon(won ? "check" : "close"),
            h("span", { class: "hidden-text" }, t(won ? "puzzle.won" : "puzzle.lost")),
          ),
        ),
      ),
    );
  }

  async showThemes() {
    const name = this.name;
    const found = await api(`/api/puzzles/${encodeURIComponent(name)}/themes`).catch(
      () => /** @type {any} */ (null),
    );
    const counts = found?.themes || found;
    if (!counts || name !== this.name || typeof counts !== "object") return;
    const known = Object.keys(counts).filter((one) => one !== "all" && has(`theme.${one}`));
    this.themes.hidden = !known.length;
    const chip = (/** @type {string} */ theme, /** @type {string} */ label) =>
      button(
        label,
        () => {
          this.theme = theme;
          this.showThemes();
          this.load();
        },
        { "aria-pressed": String(theme === this.theme) },
      );
    clear(
      this.themes,
      h("h2", { class: "label" }, t("puzzle.themes")),
      h(
        "div",
        { class: "themes" },
        chip("", t("theme.all")),
        known.map((one) => chip(one, t(`theme.${one}`))),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "f") this.stage.tools.flip();
    else if (event.key === "r") this.stage.tools.cycle();
    else if (event.key === "h") this.hint();
    else if (event.key === "n") this.load();
    else return false;
    return true;
  }

  destroy() {
    this.gone = true;
    this.showing = null;
    this.stage.destroy();
  }
}
