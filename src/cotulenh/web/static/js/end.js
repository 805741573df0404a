// The end of a game, over the board: won, lost or drawn, why, points and accuracy, what next.
import { button, clear, h, icon, iconButton, s } from "./dom.js";
import { t } from "./i18n.js";
import { sideName } from "./names.js";
import { Connection } from "./net.js";
import { share } from "./engine.js";
import { keep, recall } from "./settings.js";

/** @import { GameState, Judged } from "./types.js" */

/** Where the review of a game is kept, so that it opens again without asking. @param {string} id */
const place = (id) => `cotulenh.review.${id}`;

/** @param {string} id @returns {{ judged: Judged[], accuracy?: number[], counts?: number[][] } | null} */
export const keptReview = (id) => recall(place(id), null);

/** @param {string} id @param {any} review */
export const keepReview = (id, review) => keep(place(id), review);

/**
 * The course of a game as one line, the first side below.
 * @param {{ score: number }[]} points
 */
export function courseOf(points) {
  const last = Math.max(1, points.length - 1);
  const line = points.map(
    (one, n) => `${((300 * n) / last).toFixed(1)} ${(60 - 60 * share(one.score)).toFixed(1)}`,
  );
  return s(
    "svg",
    { class: "course", viewBox: "0 0 300 60", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("path", { class: "area", d: `M0 60L${line.join("L")}L300 60Z` }),
    s("line", { class: "zero", x1: 0, x2: 300, y1: 30, y2: 30 }),
  );
}

export class EndPanel {
  /** @param {{ rematch(): void, review(turn?: number): void, fresh(): void, easier(): void }} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    this.node = h("section", { class: "end-panel", hidden: true, role: "dialog" });
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  hide() {
    this.node.hidden = true;
  }

  /** @param {GameState} state @param {(side: number) => string} title */
  show(state, title) {
    const { result, view, you } = state;
    this.state = state;
    const drawn = result.winner === null || result.winner === undefined;
    const own = you.length === 1;
    const won = own && result.winner === you[0];
    const head = drawn
      ? t("end.draw")
      : own
        ? t(won ? "end.won" : "end.lost")
        : t("result.won", { side: sideName(view.variant, result.winner) });
    const game = view.variant === "chess" ? "chess" : "";
    this.node.className = `end-panel ${game} ${drawn ? "drawn" : own && !won ? "lost" : "won"}`;
    this.node.setAttribute("aria-label", head);
    const turns = t("end.turns", { count: view.turns?.length || 0 });
    this.body = h("div", { class: "end-numbers" });
    this.course = h("div", { class: "end-course" });
    const lost = own && !won && !drawn;
    const level = Number(state.seats.find((one) => one.startsWith("engine"))?.split(":")[1] || 0);
    clear(
      this.node,
      h(
        "div",
        { class: "end-head" },
        h("span", { class: "medal" }, icon(drawn ? "half" : lost ? "flag" : "star")),
        h(
          "div",
          {},
          h("h2", {}, head),
          h("p", { class: "note" }, `${t(`reason.${result.reason}`)} · ${turns}`),
        ),
        iconButton("close", t("end.see"), () => this.hide(), {
          class: "icon quiet",
          "data-do": "see-board",
        }),
      ),
      this.body,
      this.course,
      h(
        "div",
        { class: "end-actions" },
        you.length > 0 &&
          button(t("rematch"), this.hooks.rematch, {
            icon: "refresh",
            cls: "primary",
            "data-do": "rematch",
          }),
        button(t("review"), () => this.hooks.review(), { icon: "chart", "data-do": "review-game" }),
      ),
      h(
        "div",
        { class: "end-links" },
        lost &&
          level > 1 &&
          button(t("end.easier", { level: level - 1 }), this.hooks.easier, { cls: "quiet" }),
        button(t("end.new"), this.hooks.fresh, { cls: "quiet", "data-do": "new-game" }),
        h(
          "a",
          { class: "button quiet", href: `/api/games/${state.id}/pgn`, download: "game.pgn" },
          "PGN",
        ),
        button(t("end.see"), () => this.hide(), { cls: "quiet" }),
      ),
    );
    this.numbers(title, null);
    this.node.hidden = false;
    const first = this.node.querySelector("button.primary") || this.node.querySelector("button");
    /** @type {HTMLElement} */ (first).focus({ preventScroll: true });
    this.judge(state, title);
  }

  /** @param {(side: number) => string} title @param {{ accuracy?: number[], counts?: number[][] } | null} review */
  numbers(title, review) {
    const { view } = this.state;
    const row = (/** @type {string} */ label, /** @type {string[]} */ cells) =>
      h("tr", {}, h("td", {}, cells[0]), h("th", { scope: "row" }, label), h("td", {}, cells[1]));
    const wait = review === null ? "…" : "–";
    const accuracy = [0, 1].map((side) =>
      review?.accuracy ? `${Math.round(review.accuracy[side])} %` : wait,
    );
    const counts = [0, 1].map((side) =>
      review?.counts ? [...review.counts[side]].reverse().join(" · ") : wait,
    );
    clear(
      this.body,
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [0, 1]
              .map((side) => h("th", { scope: "col", class: `of-side${side}` }, title(side)))
              .flatMap((node, n) => (n ? [h("td", {}), node] : [node])),
          ),
        ),
        h(
          "tbody",
          {},
          row(t("end.accuracy"), accuracy),
          row(
            t("end.points"),
            [0, 1].map((side) => String(view.points?.[side] ?? 0)),
          ),
          row("?? · ? · ?!", counts),
        ),
      ),
    );
  }

  /** The review runs while the panel is open; what it finds is kept. @param {GameState} state @param {(side: number) => string} title */
  judge(state, title) {
    const kept = keptReview(state.id);
    if (kept) {
      this.numbers(title, kept);
      clear(this.course, courseOf(kept.judged));
      return;
    }
    if (state.moves.length < 2) {
      this.numbers(title, {});
      return;
    }
    /** @type {Judged[]} */
    const judged = [];
    let asked = 0;
    const finish = (/** @type {any} */ review) => {
      keepReview(state.id, review);
      this.numbers(title, review);
      clear(this.course, courseOf(judged));
      this.stop();
    };
    this.connection = new Connection({
      onOpen: () => {
        asked = this.connection.send("review", {
          variant: state.view.variant,
          fen: state.fen0,
          moves: state.moves,
        });
      },
      onMessage: (message) => {
        if (message.id !== asked) return;
        if (message.t === "judged") {
          judged[message.turn] = message;
          if (message.turn % 4 === 0) clear(this.course, courseOf(judged.filter(Boolean)));
          if (message.turn === message.of && !("accuracy" in message)) finish({ judged });
        } else if (message.t === "reviewed") {
          finish({ judged, accuracy: message.accuracy, counts: message.counts });
        } else if (message.t === "refused") {
          this.numbers(title, {});
          this.stop();
        }
      },
    });
  }

  stop() {
    this.connection?.close();
    this.connection = null;
  }

  destroy() {
    this.stop();
  }
}
