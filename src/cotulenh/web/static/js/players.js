// The bars of the players: who plays, what was taken, the clock.
import { clear, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { letterOf, pieceIcon, pieceName, sideName, variantOf } from "./names.js";

/** @import { View } from "./types.js" */

export class PlayerBar {
  constructor() {
    this.key = ""; // what is shown, so that nothing is built twice
    this.clock = h("span", { class: "clock", role: "timer", hidden: true });
    this.face = h("span", { class: "face" });
    this.name = h("span", { class: "name" });
    this.sub = h("span", { class: "sub" });
    this.taken = h("span", { class: "taken", role: "img" });
    this.points = h("span", { class: "points" });
    const below = h("span", { class: "below" }, this.sub, this.taken, this.points);
    this.node = h(
      "div",
      { class: "player" },
      this.face,
      h("span", { class: "who" }, this.name, below),
      this.clock,
    );
  }

  /**
   * `side` is whose bar this is; it shows what that side has taken from the other.
   * @param {{ view: View, side: number, title: string, sub: string, turn: boolean, here?: boolean,
   *   engine?: boolean }} state
   */
  set({ view, side, title, sub, turn, here = true, engine = false }) {
    const facts = [view.variant, view.taken, view.points, side, title, sub, turn, here, engine];
    const key = JSON.stringify(facts);
    if (key === this.key) return;
    this.key = key;
    const mark = variantOf(view.variant).sides[side];
    this.node.classList.toggle("to-move", turn);
    this.face.className = `face ${view.variant === "chess" ? "chess-" : "side-"}${mark}`;
    clear(this.face, icon(engine ? "cpu" : "user"));
    clear(
      this.name,
      h("span", { class: "called" }, title || sideName(view.variant, side)),
      !here && h("span", { class: "away" }, t("away")),
    );
    this.sub.textContent = sub;
    const taken = view.taken?.[1 - side] || [];
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const piece of taken) counts.set(piece, (counts.get(piece) || 0) + 1);
    clear(
      this.taken,
      [...counts].map(([piece, count]) =>
        h(
          "span",
          { class: "took", title: `${pieceName(view.variant, piece)} × ${count}` },
          pieceIcon(view.variant, piece),
          count > 1 && h("sub", {}, String(count)),
        ),
      ),
    );
    const list = taken.map(letterOf).join(" ") || "–";
    this.taken.setAttribute("aria-label", t("taken", { list }));
    const points = view.points?.[side];
    clear(this.points, points ? h("span", { title: t("points") }, `+${points}`) : null);
  }

  /** @param {number | null} milliseconds @param {boolean} [running] */
  time(milliseconds, running = false) {
    this.clock.hidden = milliseconds === null;
    if (milliseconds === null) return;
    const seconds = Math.max(0, milliseconds / 1000);
    const minutes = Math.floor(seconds / 60);
    const rest =
      seconds < 10
        ? (Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0")
        : String(Math.floor(seconds % 60)).padStart(2, "0");
    const text = `${minutes}:${rest}`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle("running", running);
    this.clock.classList.toggle("low", seconds < 10);
  }
}
