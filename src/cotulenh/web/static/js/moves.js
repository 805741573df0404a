// The list of turns; each leads back to its position.
import { clear, h } from "./dom.js";
import { t } from "./i18n.js";

export class MoveList {
  constructor(pick) {
    this.pick = pick;
    this.node = h("ol", { class: "moves", "aria-label": t("moves") });
  }

  // `first` is the side that began (a position may start with the second side).
  set(turns, stops, shown, first = 0, marks = []) {
    const rows = [];
    const padded = first ? [null, ...turns] : turns;
    for (let i = 0; i < padded.length; i += 2) {
      rows.push(h("li", {}, h("span", { class: "number" }, `${i / 2 + 1}.`),
        [i, i + 1].map((n) => {
          if (n >= padded.length) return h("span", {});
          if (padded[n] === null) return h("span", { class: "turn" }, "…");
          const turn = n - first;
          const current = stops[turn] === shown;
          return h("button", { type: "button", class: `turn${current ? " current" : ""}`,
            "aria-current": current ? "true" : null, onclick: () => this.pick(stops[turn]) },
          padded[n] + (marks[turn] || ""));
        })));
    }
    clear(this.node, rows);
    const current = this.node.querySelector(".current");
    if (current) {
      const [top, height] = [current.offsetTop - this.node.offsetTop, this.node.clientHeight];
      this.node.scrollTop = top - height / 2;
    }
  }
}
