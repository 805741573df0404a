// The lobby: open challenges of this server, and games to watch.
import { clear, h, icon, link } from "./dom.js";
import { Connection } from "./net.js";
import { t } from "./i18n.js";
import { sideName, variantTitle } from "./names.js";

/** @import { Route } from "./types.js" */

export class LobbyScreen {
  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { go }) {
    this.go = go;
    this.open = h("ul", { class: "rows" });
    this.running = h("ul", { class: "rows" });
    this.people = h("p", { class: "note", role: "status" });
    clear(
      root,
      h(
        "div",
        { class: "prose" },
        h("h1", {}, t("nav.lobby")),
        this.people,
        h("section", { class: "card" }, h("h2", {}, t("lobby.open")), this.open),
        h("section", { class: "card" }, h("h2", {}, t("lobby.running")), this.running),
        h("p", {}, link("/", { class: "button primary" }, icon("plus"), t("lobby.new"))),
      ),
    );
    this.connection = new Connection({
      onOpen: () => this.connection.send("lobby", { on: true }),
      onMessage: (message) => message.t === "lobby" && this.show(message),
    });
    this.show({ open: [], running: [] });
  }

  /** @param {any} lobby */
  show(lobby) {
    const clock = (/** @type {any} */ one) =>
      one.clock ? `${one.clock.base / 60} + ${one.clock.increment}` : t("clock.none");
    const none = (/** @type {string} */ key) => h("li", { class: "note" }, t(key));
    const who = (
      /** @type {any} */ one,
      /** @type {string} */ name,
      /** @type {number} */ side,
    ) => {
      const level = name.match(/^engine:(\d)$/)?.[1];
      return level ? t("engine.name", { level }) : name || sideName(one.variant, side);
    };
    clear(
      this.open,
      lobby.open.length
        ? lobby.open.map((/** @type {any} */ one) =>
            h(
              "li",
              {},
              link(
                `/game/${one.id}`,
                {},
                h("b", {}, one.name || t("chat.guest")),
                h(
                  "span",
                  { class: "note" },
                  [
                    one.chess960 ? "Chess960" : variantTitle(one.variant),
                    one.objective && t(`objective.${one.objective}`),
                    clock(one),
                    t("lobby.you.play", { side: sideName(one.variant, one.side) }),
                  ]
                    .filter(Boolean)
                    .join(" · "),
                ),
              ),
            ),
          )
        : none("lobby.none"),
    );
    clear(
      this.running,
      lobby.running.length
        ? lobby.running.map((/** @type {any} */ one) =>
            h(
              "li",
              {},
              link(
                `/game/${one.id}`,
                {},
                h(
                  "b",
                  {},
                  [0, 1].map((side) => who(one, one.names?.[side] || "", side)).join(" – "),
                ),
                h(
                  "span",
                  { class: "note" },
                  [
                    variantTitle(one.variant),
                    t("recent.moves", { count: one.moves ?? one.turns ?? 0 }),
                    one.spectators && t("watching", { count: one.spectators }),
                  ]
                    .filter(Boolean)
                    .join(" · "),
                ),
              ),
            ),
          )
        : none("lobby.quiet"),
    );
    this.people.textContent = lobby.people ? t("lobby.people", { count: lobby.people }) : "";
  }

  destroy() {
    this.connection.close();
  }
}
