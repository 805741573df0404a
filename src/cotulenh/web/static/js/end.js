// The end of a game, over the board: won, lost or drawn, why, points and accuracy, what next.
import { button, clear, h, icon, iconButton, need, s } from "./dom.js";
import { t } from "./i18n.js";
import { sideName } from "./names.js";
import { Connection } from "./net.js";
import { share } from "./engine.js";
import { invite } from "./invite.js";
import { engineLevel, firstSide, timeText, turnCount } from "./said.js";
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

/**
 * The turn that cost the loser most, if one of them was a mistake at all.
 * @param {GameState} state
 * @param {Judged[]} judged
 * @returns {Judged | null}
 */
export function turningPoint(state, judged) {
  const { result, you } = state;
  const loser = you.length === 1 && result?.winner === 1 - you[0] ? you[0] : null;
  if (loser === null) return null;
  const bad = judged.filter((one) => one?.mark?.includes("?") && one.best_moves?.length);
  const lost = bad.filter((one) => (one.turn - 1 + firstSide(state)) % 2 === loser);
  return lost.sort((a, b) => (b.loss || 0) - (a.loss || 0))[0] || null;
}

/** The winner's medal: the sunburst of a hero with a star in it. */
function sunburst() {
  const points = Array.from({ length: 36 }, (_, n) => {
    const [r, angle] = [n % 2 ? 46 : 55, (Math.PI * n) / 18];
    return `${(r * Math.sin(angle)).toFixed(1)} ${(-r * Math.cos(angle)).toFixed(1)}`;
  });
  const star = s("g", { transform: "translate(-27 -27) scale(2.25)" }, icon("star").firstChild);
  star.setAttribute("class", "burst");
  return s(
    "svg",
    { viewBox: "-57 -57 114 114", width: "100%", height: "100%", "aria-hidden": "true" },
    s("path", { class: "burst", d: `M${points.join("L")}Z` }),
    s("circle", { class: "burst-disc", r: 39 }),
    star,
  );
}

export class EndPanel {
  /** @type {GameState} */
  state;
  /** @type {HTMLDivElement} */
  body;
  /** @type {HTMLDivElement} */
  course;
  /** @type {HTMLDivElement} */
  turn;

  /**
   * @param {{ rematch(): void, review(): void, fresh(): void, easier(): void,
   *   turning(judged: Judged): void }} hooks
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.wish = "";
    this.node = h("section", { class: "end-panel", hidden: true, role: "dialog", tabindex: -1 });
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  hide() {
    this.node.hidden = true;
  }

  /** Whose wish for a rematch is open: the panel lies over the place where offers stand. @param {string} whose */
  offered(whose) {
    this.wish = whose;
    const node = /** @type {HTMLButtonElement} */ (this.node.querySelector("[data-do=rematch]"));
    if (!node) return;
    const words = { mine: "offered.rematch", theirs: "accept.rematch" };
    need(node.lastChild, "the words of the button").textContent = t(
      words[/** @type {"mine"} */ (whose)] || "rematch",
    );
    node.disabled = whose === "mine";
  }

  /** @param {GameState} state @param {(side: number) => string} title */
  show(state, title) {
    const { view, you } = state;
    const { winner, reason } = need(state.result, "the result of a game that is over");
    this.state = state;
    const drawn = winner === null || winner === undefined;
    const own = you.length === 1;
    const won = own && winner === you[0];
    const head = drawn
      ? t("end.draw")
      : own
        ? t(won ? "end.won" : "end.lost")
        : t("result.won", { side: sideName(view.variant, winner) });
    const game = view.variant === "chess" ? "chess" : "";
    this.node.className = `end-panel ${game} ${drawn ? "drawn" : own && !won ? "beaten" : "won"}`;
    this.node.setAttribute("aria-label", head);
    const facts = [
      t(`reason.${reason}`),
      t("end.turns", { count: turnCount(state) }),
      state.took !== undefined && timeText(state.took),
    ];
    this.body = h("div", { class: "end-numbers" });
    this.course = h("div", { class: "end-course", hidden: true });
    this.turn = h("div", {});
    const lost = own && !won && !drawn;
    const level = engineLevel(state);
    clear(
      this.node,
      h(
        "div",
        { class: "end-head" },
        h("span", { class: "medal" }, drawn ? icon("half") : lost ? icon("flag") : sunburst()),
        h(
          "div",
          {},
          h("h2", {}, head),
          h("p", { class: "note" }, facts.filter(Boolean).join(" · ")),
        ),
        iconButton("close", t("end.see"), () => this.hide(), {
          class: "icon quiet",
          "data-do": "see-board",
        }),
      ),
      this.body,
      this.course,
      this.turn,
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
        button(t("share"), () => invite(location.href, t("share")), { cls: "quiet" }),
        button(t("end.see"), () => this.hide(), { cls: "quiet see" }),
      ),
    );
    this.numbers(title, null);
    this.offered(this.wish);
    this.node.hidden = false;
    // The panel, not Rematch: who has just moved by key would start a game with the same key.
    this.node.focus({ preventScroll: true });
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

  /** @param {Judged[]} points */
  draw(points) {
    this.course.hidden = false;
    clear(this.course, points.length > 1 && courseOf(points));
  }

  /** All that a finished review says. @param {(side: number) => string} title @param {any} review */
  judged(title, review) {
    this.numbers(title, review);
    this.draw(review.judged);
    const worst = turningPoint(this.state, review.judged);
    clear(
      this.turn,
      worst &&
        button(
          t("end.turning", { n: Math.floor((worst.turn - 1 + firstSide(this.state)) / 2) + 1 }),
          () => {
            this.hide();
            this.hooks.turning(worst);
          },
          { icon: "bulb", cls: "turning", "data-do": "turning" },
        ),
    );
  }

  /** The review runs while the panel is open; what it finds is kept. @param {GameState} state @param {(side: number) => string} title */
  judge(state, title) {
    const kept = keptReview(state.id);
    if (kept) {
      this.judged(title, kept);
      return;
    }
    if (state.moves.length < 2) {
      this.numbers(title, {});
      return;
    }
    this.draw([]); // its place is kept, so that nothing moves under the finger
    /** @type {Judged[]} */
    const judged = [];
    let asked = 0;
    const finish = (/** @type {any} */ review) => {
      keepReview(state.id, review);
      this.judged(title, review);
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
          if (message.turn % 4 === 0) this.draw(judged.filter(Boolean));
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
