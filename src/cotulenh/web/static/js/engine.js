// What the engine thinks: a bar, lines that update while it thinks, and the review's graph.
import { button, clear, h, s } from "./dom.js";
import { t } from "./i18n.js";
import { get, set } from "./settings.js";

export function scoreText(score, mate) {
  if (mate !== null && mate !== undefined) return `${mate < 0 ? "−" : ""}#${Math.abs(mate)}`;
  if (Math.abs(score) >= 90000) return score > 0 ? "1–0" : "0–1";
  return `${score > 0 ? "+" : score < 0 ? "−" : ""}${(Math.abs(score) / 100).toFixed(1)}`;
}

// From the first side's view: 0 to 1, half is even.
export const share = (score) => 1 / (1 + Math.exp(-score / 350));

export class EvalBar {
  constructor() {
    this.fill = h("span", {});
    this.node = h("div", { class: "eval", role: "img", "aria-label": "0.0" }, this.fill);
  }

  set(score, mate, { flip, chess }) {
    this.node.classList.toggle("flip", flip);
    this.node.classList.toggle("chess", chess);
    this.fill.style.height = `${(share(score) * 100).toFixed(1)}%`;
    this.node.setAttribute("aria-label", scoreText(score, mate));
  }
}

export class EnginePanel {
  constructor({ toggle, pick, relines }) {
    this.on = false;
    this.score = h("span", { class: "score" }, "–");
    this.depth = h("span", { class: "note" }, "");
    this.list = h("ol", { class: "lines" });
    this.pick = pick;
    this.switch = button(t("analysis.engine"), () => { this.on = !this.on; this.paint(); toggle(this.on); },
      { "aria-pressed": "false", "data-do": "engine" });
    const count = h("select", { "aria-label": t("analysis.lines"), onchange: (event) => { set("lines", Number(event.target.value)); relines(); } },
      [1, 2, 3, 4, 5].map((n) => h("option", { value: n, selected: n === get("lines") }, String(n))));
    this.node = h("section", { class: "engine", "aria-label": t("analysis.engine") },
      h("div", { class: "engine-head" }, this.switch, count, this.score, this.depth), this.list);
    this.paint();
  }

  paint() {
    this.switch.setAttribute("aria-pressed", String(this.on));
    if (!this.on) this.empty(t("analysis.off"));
  }

  empty(text) {
    this.score.textContent = "–";
    this.depth.textContent = "";
    clear(this.list, h("li", { class: "note" }, text));
  }

  set(message) {
    if (!message.lines.length) { this.empty(t("analysis.over")); return; }
    const [best] = message.lines;
    this.score.textContent = scoreText(best.score, best.mate);
    this.depth.textContent = t("analysis.depth", { depth: message.depth, nps: Math.round(message.nps / 1000) });
    clear(this.list, message.lines.map((line) => h("li", {}, h("button", { type: "button", onclick: () => this.pick(line) },
      h("b", {}, scoreText(line.score, line.mate)), h("span", {}, line.sans.join(" "))))));
  }
}

// The evaluation after every turn, the first side below; a click goes there.
export class Graph {
  constructor(pick) {
    this.pick = pick;
    this.points = [];
    this.svg = s("svg", { class: "graph", viewBox: "0 0 300 90", preserveAspectRatio: "none", role: "img", "aria-label": t("analysis.graph") });
    this.list = h("ul", { class: "review-list" });
    this.note = h("p", { class: "note" });
    this.node = h("section", { "aria-label": t("analysis.graph"), hidden: true }, this.svg, this.note, this.list);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      if (this.points.length < 2) return;
      this.pick(Math.round((event.clientX - box.left) / box.width * (this.of || 1)));
    });
  }

  start() {
    this.points = [];
    this.bad = [];
    this.node.hidden = false;
    clear(this.list);
  }

  add(judged) {
    this.points[judged.turn] = judged;
    this.of = judged.of;
    this.note.textContent = judged.turn < judged.of ? t("analysis.reviewing", judged) : "";
    if (judged.mark) this.bad.push(judged);
    if (judged.turn === judged.of && !this.bad.length) this.note.textContent = t("analysis.none");
    this.draw();
  }

  draw(at = this.at) {
    this.at = at;
    if (!this.of) return;
    const x = (turn) => 300 * turn / Math.max(1, this.of);
    const y = (score) => 90 - 90 * share(score);
    const line = this.points.map((one) => `${x(one.turn).toFixed(1)} ${y(one.score).toFixed(1)}`);
    const last = this.points.length - 1;
    clear(this.svg, line.length > 1 && s("path", { class: "area", d: `M0 90L${line.join("L")}L${x(last)} 90Z` }),
      s("line", { class: "zero", x1: 0, x2: 300, y1: 45, y2: 45 }),
      this.points.filter((one) => one.mark).map((one) => s("circle", { class: "bad", cx: x(one.turn), cy: y(one.score), r: 3.5 })),
      at >= 0 && s("line", { class: "at", x1: x(at), x2: x(at), y1: 0, y2: 90 }));
  }

  // `name(turn)` is the text of a turn, known to the tree.
  tell(name) {
    clear(this.list, this.bad.map((one) => h("li", {}, button("", () => this.pick(one.turn), {}))));
    [...this.list.querySelectorAll("button")].forEach((node, i) => {
      node.textContent = `${name(this.bad[i].turn)} ${this.bad[i].mark}  ${t("analysis.best", { best: this.bad[i].best })}`;
    });
  }
}
