// What the engine thinks: a bar, lines that update while it thinks, and the review's graph.
import { button, clear, h, iconButton, need, s, toggle } from "./dom.js";
import { t } from "./i18n.js";
import { get, set } from "./settings.js";

/** @import { EngineLine, Judged, KeptLine, Lines } from "./types.js" */

/** @param {number} score @param {number | null} [mate] */
export function scoreText(score, mate) {
  if (mate !== null && mate !== undefined) return `${mate < 0 ? "−" : ""}#${Math.abs(mate)}`;
  if (Math.abs(score) >= 90000) return score > 0 ? "1–0" : "0–1";
  return `${score > 0 ? "+" : score < 0 ? "−" : ""}${(Math.abs(score) / 100).toFixed(1)}`;
}

/** From the first side's view: 0 to 1, half is even; a mate is the whole. @param {number} score @param {number | null} [mate] */
export function share(score, mate) {
  if (mate !== null && mate !== undefined && mate !== 0) return mate > 0 ? 1 : 0;
  if (Math.abs(score) >= 90000) return score > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score / 350));
}

export class EvalBar {
  constructor() {
    this.fill = h("i", {});
    this.text = h("b", {}, "0.0");
    this.node = h("div", { class: "eval", role: "img", "aria-label": "0.0" }, this.text, this.fill);
  }

  /** @param {number} score @param {number | null} mate @param {{ flip: boolean, chess: boolean }} look */
  set(score, mate, { flip, chess }) {
    this.node.classList.toggle("flip", flip);
    this.node.classList.toggle("chess", chess);
    const part = `${(share(score, mate) * 100).toFixed(1)}%`;
    this.fill.style.height = part;
    this.node.style.setProperty("--share", part);
    this.text.textContent = scoreText(score, mate);
    this.node.classList.remove("unknown");
    this.node.setAttribute("aria-label", scoreText(score, mate));
  }

  /** Nothing is known of the position: an even bar would say that it is even. @param {{ flip: boolean, chess: boolean }} look */
  none(look) {
    this.set(0, null, look);
    this.text.textContent = "";
    this.node.classList.add("unknown");
    this.node.setAttribute("aria-label", t("eval.unknown"));
  }
}

export class EnginePanel {
  /** @type {Lines} */
  message;

  /**
   * @param {{ toggle(on: boolean): void, pick(line: EngineLine): void, relines(): void,
   *   keep(message: Lines): void }} hooks
   */
  constructor({ toggle: toggled, pick, relines, keep }) {
    this.on = false;
    this.pick = pick;
    this.keeper = iconButton("star", t("lines.keep"), () => keep(this.message), {
      "data-do": "keep-lines",
      hidden: true,
    });
    this.note = h("span", { class: "note", role: "status" }, "");
    this.list = h("ol", { class: "lines" });
    const label = toggle(
      t("analysis.engine"),
      false,
      (on) => {
        this.on = on;
        this.paint();
        toggled(on);
      },
      { "data-do": "engine" },
    );
    const count = h(
      "select",
      { "aria-label": t("analysis.lines") },
      [1, 2, 3, 4, 5].map((n) =>
        h("option", { value: n, selected: n === get("lines") }, t("analysis.count", { n })),
      ),
    );
    count.addEventListener("change", () => {
      set("lines", Number(count.value));
      this.paint();
      relines();
    });
    this.node = h(
      "section",
      { class: "engine", "aria-label": t("analysis.engine") },
      h("div", { class: "engine-head" }, label, this.note, this.keeper, count),
      this.list,
    );
    this.paint();
  }

  paint() {
    this.list.style.setProperty("--lines", this.on ? String(get("lines")) : "0");
    if (!this.on) this.empty("");
  }

  /** @param {string} text */
  empty(text) {
    this.note.textContent = text;
    this.keeper.hidden = true;
    clear(this.list);
  }

  /** Lines that were kept, as notation where it is known. @param {KeptLine[]} lines @param {string[][]} sans */
  kept(lines, sans) {
    this.empty(lines.length ? t("lines.of", { depth: lines[0].depth || 0 }) : "");
    const rows = lines.map((line, n) => {
      const { score = 0, mate = null, moves } = line;
      return this.row({ score, mate, moves, sans: sans[n] || moves, arrow: [] });
    });
    clear(this.list, rows);
  }

  /** @param {EngineLine} line */
  row(line) {
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => this.pick(line) },
        h(
          "b",
          { class: share(line.score, line.mate) >= 0.5 ? "first" : "" },
          scoreText(line.score, line.mate),
        ),
        h("span", {}, line.sans.join(" ")),
      ),
    );
  }

  /** It waits for a place among those who think. @param {number} place */
  wait(place) {
    if (this.on)
      this.note.textContent = place > 0 ? t("engine.waits", { place }) : t("engine.starts");
  }

  /** @param {Lines} message @param {boolean} chess */
  set(message, chess) {
    if (!message.lines.length) {
      this.empty(t("analysis.over"));
      return;
    }
    const facts = t("analysis.depth", {
      depth: message.depth,
      nps: Math.round(message.nps / 1000),
    });
    this.note.textContent = message.done ? `${facts} · ${t("engine.finished")}` : facts;
    this.list.classList.toggle("chess", chess);
    this.message = message;
    this.keeper.hidden = false;
    clear(
      this.list,
      message.lines.map((line) => this.row(line)),
    );
  }
}

/** The evaluation after every turn, the first side below; a click goes there. */
export class Graph {
  /**
   * @param {{ pick(turn: number): void, learn(): void,
   *   lessons(): { own: boolean, mistakes: Judged[] } }} hooks
   */
  constructor({ pick, learn, lessons }) {
    this.pick = pick;
    this.lessons = lessons;
    /** @type {Judged[]} */
    this.points = [];
    this.at = 0;
    this.of = 0;
    /** What the sides are called. */
    this.names = ["", ""];
    this.svg = s("svg", {
      class: "graph",
      viewBox: "0 0 300 84",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("analysis.graph"),
    });
    this.note = h("p", { class: "note", role: "status" });
    this.sides = h("span", { class: "sides" });
    this.foot = h("div", { class: "review-foot" });
    this.learn = button(t("learn.mistakes"), learn, {
      icon: "target",
      cls: "tinted",
      "data-do": "learn-mistakes",
    });
    this.node = h(
      "section",
      { class: "review", "aria-label": t("analysis.graph"), hidden: true },
      h("div", { class: "review-head" }, h("h2", {}, t("review")), this.note, this.sides),
      this.svg,
      this.foot,
    );
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      if (this.of) this.pick(Math.round(((event.clientX - box.left) / box.width) * this.of));
    });
  }

  start() {
    this.points = [];
    this.of = 0;
    this.node.hidden = false;
    this.note.textContent = t("engine.starts");
    clear(this.sides);
    clear(this.foot);
    clear(this.svg);
  }

  /** @param {Judged} judged */
  add(judged) {
    this.points[judged.turn] = judged;
    this.of = judged.of;
    const done = judged.turn >= judged.of;
    this.note.textContent = done
      ? t("end.turns", { count: Math.ceil(judged.of / 2) })
      : t("analysis.reviewing", judged);
    if (done) this.summary();
    this.draw();
  }

  /** @param {number[] | null} [accuracy] @param {number[][] | null} [counts] inaccuracies, mistakes, blunders of each side */
  summary(accuracy, counts) {
    if (accuracy) {
      clear(
        this.sides,
        [0, 1].map((side) =>
          h(
            "span",
            { class: `of-side${side}` },
            `${this.names[side]} ${Math.round(accuracy[side])} %`,
          ),
        ),
      );
    }
    const bad = this.points.filter((one) => one?.mark);
    const { own, mistakes } = this.lessons();
    need(this.learn.lastChild, "the words of the button").textContent = t(
      own ? "learn.own" : "learn.mistakes",
    );
    const chip = (/** @type {string} */ mark, /** @type {number} */ n, /** @type {string} */ cls) =>
      h(
        "span",
        { class: "chip", title: t(`mark.${mark}`) },
        h("b", { class: `mark ${cls}`, "aria-hidden": "true" }, mark),
        h("span", { class: "hidden-text" }, t(`mark.${mark}`)),
        counts
          ? [0, 1].map((side) => [
              h("span", { class: "hidden-text" }, this.names[side]),
              h("span", { class: `of-side${side}` }, String(counts[side][n])),
            ])
          : String(bad.filter((one) => one.mark === mark).length),
      );
    clear(
      this.foot,
      chip("??", 2, "bad"),
      chip("?", 1, "poor"),
      chip("?!", 0, "poor"),
      mistakes.length
        ? this.learn
        : h("span", { class: "note" }, t(own ? "analysis.none.own" : "analysis.none")),
    );
  }

  /** @param {number} [at] */
  draw(at = this.at) {
    this.at = at;
    if (!this.of) return;
    const x = (/** @type {number} */ turn) => (300 * turn) / Math.max(1, this.of);
    const y = (/** @type {Judged} */ one) => 84 - 84 * share(one.score, one.mate);
    const known = this.points.filter(Boolean);
    const line = known.map((one) => `${x(one.turn).toFixed(1)} ${y(one).toFixed(1)}`);
    const last = known[known.length - 1]?.turn || 0;
    const wide = this.svg.clientWidth || 300; // the graph is stretched, its dots stay round
    const dots = known.filter((one) => one.mark === "??" || one.mark === "?");
    clear(
      this.svg,
      line.length > 1 && s("path", { class: "area", d: `M0 84L${line.join("L")}L${x(last)} 84Z` }),
      s("line", { class: "zero", x1: 0, x2: 300, y1: 42, y2: 42 }),
      dots.map((one) =>
        s("ellipse", {
          class: one.mark === "??" ? "bad" : "poor",
          cx: x(one.turn),
          cy: y(one),
          rx: (4.4 * 300) / wide,
          ry: 4.4,
        }),
      ),
      at >= 0 && s("line", { class: "at", x1: x(at), x2: x(at), y1: 0, y2: 84 }),
    );
  }
}
