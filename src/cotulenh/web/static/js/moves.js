// The list of turns; each leads back to its position. Rows are added, not rebuilt.
import { h } from "./dom.js";
import { t } from "./i18n.js";

export class MoveList {
  /** @type {string[]} */
  turns;
  /** @type {number[]} */
  stops;
  /** @type {HTMLButtonElement[]} */
  buttons;
  /** @type {number} */
  frame;

  /** @param {(stop: number) => void} pick */
  constructor(pick) {
    this.pick = pick;
    this.first = 0;
    this.node = h("ol", { class: "moves", "aria-label": t("moves"), tabindex: 0 });
    this.reset();
    this.node.addEventListener("click", (event) => {
      const turn = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.turn;
      if (turn !== undefined) this.pick(this.stops[Number(turn)]);
    });
  }

  reset() {
    /** @type {string[]} */
    this.turns = [];
    /** @type {number[]} */
    this.stops = [];
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.first = 0;
    this.node.replaceChildren();
  }

  /**
   * `first` is the side that began (a position may start with the second side); `under` are the
   * steps of a deployment under way.
   * @param {string[]} turns
   * @param {number[]} stops
   * @param {number} shown
   * @param {number} [first]
   * @param {string[]} [under]
   */
  set(turns, stops, shown, first = 0, under = []) {
    let same = 0;
    while (same < this.turns.length && this.turns[same] === turns[same]) same += 1;
    if (first !== this.first || same < this.turns.length) this.cut(first === this.first ? same : 0);
    this.first = first;
    this.stops = stops;
    this.pending?.remove();
    this.pending = null;
    for (let n = this.turns.length; n < turns.length; n += 1) this.add(n, turns[n]);
    this.turns = turns.slice();
    if (under.length) this.addPending(turns.length, under);
    this.mark(shown);
  }

  /** Takes away all turns from one on. @param {number} from */
  cut(from) {
    if (from === 0) return this.reset();
    for (const node of this.buttons.splice(from)) node.remove();
    this.turns.length = from;
    while (this.node.lastElementChild && !this.node.lastElementChild.querySelector("button")) {
      this.node.lastElementChild.remove();
    }
    return undefined;
  }

  /** The row a turn belongs to, made if need be. @param {number} turn */
  row(turn) {
    const place = turn + this.first;
    const number = Math.floor(place / 2) + 1;
    const last = this.node.lastElementChild;
    if (last && Number(last.getAttribute("data-row")) === number) return last;
    const dots = place % 2 ? h("span", { class: "turn" }, "…") : null;
    const row = h("li", { "data-row": number }, h("span", { class: "number" }, `${number}.`), dots);
    this.node.append(row);
    return row;
  }

  /** @param {number} turn @param {string} text */
  add(turn, text) {
    const node = h("button", { type: "button", class: "turn", "data-turn": turn }, text);
    this.buttons[turn] = node;
    this.row(turn).append(node);
  }

  /** @param {number} turn @param {string[]} steps */
  addPending(turn, steps) {
    this.pending = h("span", { class: "turn pending current" }, `${steps.join(" ")} …`);
    this.row(turn).append(this.pending);
  }

  /** @param {number} shown */
  mark(shown) {
    this.current?.classList.remove("current");
    this.current?.removeAttribute("aria-current");
    const at = this.stops.lastIndexOf(shown);
    this.current = at >= 0 ? this.buttons[at] : null;
    this.current?.classList.add("current");
    this.current?.setAttribute("aria-current", "true");
    // Where it stands is asked once a frame, after everything else has been drawn.
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.reveal(shown));
  }

  /** @param {number} shown */
  reveal(shown) {
    const seen = this.pending || this.current;
    if (!seen) {
      this.node.scrollTop = shown ? this.node.scrollHeight : 0;
      this.node.scrollLeft = shown ? this.node.scrollWidth : 0;
      return;
    }
    this.node.scrollTop = seen.offsetTop - this.node.clientHeight / 2;
    this.node.scrollLeft = seen.offsetLeft - this.node.clientWidth / 2;
  }
}
