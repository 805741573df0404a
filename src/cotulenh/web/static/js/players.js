// The bars above and below the board: who plays, what was taken, the clock.
import { clear, h } from "./dom.js";
import { t } from "./i18n.js";
import { letterOf, pieceIcon, pieceName, sideName, variantOf } from "./names.js";

export class PlayerBar {
  constructor() {
    this.clock = h("span", { class: "clock", role: "timer", hidden: true });
    this.name = h("span", { class: "name" });
    this.taken = h("span", { class: "taken" });
    this.points = h("span", { class: "points" });
    this.node = h("div", { class: "player" }, this.name, this.taken, this.points, this.clock);
  }

  // `side` is whose bar this is; it shows what that side has taken from the other.
  set({ view, side, title, turn, here = true }) {
    const mark = variantOf(view.variant).sides[side];
    this.node.classList.toggle("to-move", turn);
    clear(this.name, h("span", { class: `disc ${view.variant === "chess" ? "chess-" : ""}${mark}` }),
      `${sideName(view.variant, side)}${title ? ` · ${title}` : ""}`,
      !here && h("span", { class: "away" }, t("away")));
    const taken = view.taken[1 - side] || [];
    const counts = new Map();
    for (const piece of taken) counts.set(piece, (counts.get(piece) || 0) + 1);
    clear(this.taken, [...counts].map(([piece, count]) => h("span", {
      class: "took", title: `${pieceName(view.variant, piece)} × ${count}` },
    pieceIcon(view.variant, piece), count > 1 ? h("sub", {}, String(count)) : null)));
    this.taken.setAttribute("aria-label", t("taken", { list: taken.map(letterOf).join(" ") || "–" }));
    this.taken.setAttribute("role", "img");
    clear(this.points, view.points[side] ? h("span", { title: t("points") }, `+${view.points[side]}`) : null);
  }

  time(milliseconds, running) {
    this.clock.hidden = milliseconds === null;
    if (milliseconds === null) return;
    const seconds = Math.max(0, milliseconds / 1000);
    const minutes = Math.floor(seconds / 60);
    const rest = seconds < 20 ? (seconds % 60).toFixed(1).padStart(4, "0")
      : String(Math.floor(seconds % 60)).padStart(2, "0");
    this.clock.textContent = `${minutes}:${rest}`;
    this.clock.classList.toggle("running", running);
    this.clock.classList.toggle("low", seconds < 20);
  }
}
