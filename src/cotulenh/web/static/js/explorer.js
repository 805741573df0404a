// Openings: what was played from here, in the book and on this server.
import { button, clear, h, link } from "./dom.js";
import { t } from "./i18n.js";
import { sideName } from "./names.js";
import { pure } from "./net.js";

/** @import { Tree } from "./tree.js" */
/** @typedef {{ text: string, san: string, games: number, wins: number[], weight?: number }} Known */
/** @typedef {{ id: string, names: string[], result?: { winner: number | null } }} Played */

export class Explorer {
  /** @param {(move: string) => void} play */
  constructor(play) {
    this.play = play;
    this.active = false;
    this.node = h("div", { class: "tree explorer" });
  }

  /** @param {Tree} tree */
  async show(tree) {
    if (!this.active) return;
    const moves = tree.path();
    const key = (this.key = moves.join());
    /** @type {{ moves: Known[], games?: Played[] }} */
    const found = await pure("/api/explorer", {
      variant: tree.variant,
      fen: tree.fen || null,
      moves,
    }).catch((error) => ({ moves: /** @type {Known[]} */ ([]), error }));
    if (this.key !== key) return;
    if (!found.moves.length) {
      clear(this.node, h("p", { class: "note" }, t("explorer.none")));
      return;
    }
    const total = found.moves.reduce((sum, one) => sum + one.games, 0) || 1;
    clear(
      this.node,
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["move", "games", "result"].map((name) =>
              h("th", { scope: "col" }, t(`explorer.${name}`)),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          found.moves.slice(0, 14).map((one) =>
            h(
              "tr",
              {},
              h(
                "td",
                {},
                button(one.san, () => this.play(one.text)),
              ),
              h("td", {}, `${one.games} (${Math.round((100 * one.games) / total)} %)`),
              h("td", {}, this.shares(one)),
            ),
          ),
        ),
      ),
      Boolean(found.games?.length) && this.played(found.games || [], tree.variant),
    );
  }

  /** Public games of this server that came through here. @param {Played[]} games @param {string} variant */
  played(games, variant) {
    const name = (/** @type {string} */ one, /** @type {number} */ side) =>
      one.startsWith("engine:")
        ? t("engine.name", { level: one.slice(7) })
        : one || sideName(variant, side);
    const ends = ["1–0", "0–1"];
    return [
      h("h3", { class: "label" }, t("explorer.server")),
      h(
        "ul",
        { class: "rows" },
        games.map(({ id, names, result }) =>
          h(
            "li",
            {},
            link(
              `/analysis?game=${id}`,
              {},
              h("span", {}, names.map(name).join(" – ")),
              h("span", { class: "note" }, result ? (ends[result.winner ?? 2] ?? "½–½") : ""),
            ),
          ),
        ),
      ),
    ];
  }

  /** @param {Known} known */
  shares({ wins, games }) {
    const [first, draws, second] = wins;
    const part = (/** @type {string} */ cls, /** @type {number} */ n) => {
      const node = h("span", { class: cls });
      node.style.width = `${games ? (100 * n) / games : 0}%`;
      return node;
    };
    const text = t("explorer.shares", { first, draws, second });
    const label = { role: "img", "aria-label": text, title: text };
    const parts = [part("w0", first), part("d", draws), part("w1", second)];
    return h("span", { class: "shares", ...label }, parts);
  }
}
