// The first page: one click to play, everything else below it.
import { button, clear, h, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { api, position } from "./net.js";
import { get, playerKey, set } from "./settings.js";
import { language, t } from "./i18n.js";
import { levels, sideName, variants, variantTitle } from "./names.js";

const CLOCKS = [[0, 0], [180, 2], [300, 5], [600, 5], [900, 10], [1800, 20]];

export class HomeScreen {
  constructor(root, { go }) {
    this.go = go;
    this.recent = h("div", { class: "recent" });
    clear(root, h("div", { class: "home" },
      h("section", { class: "hero" },
        h("h1", {}, t("home.title")),
        h("p", {}, t("home.lead")),
        h("div", { class: "actions" },
          button(t("home.play"), () => this.start({ mode: "engine" }), { cls: "primary big", "data-do": "play" }),
          button(t("home.learn"), () => go("/intro"), { cls: "big", icon: "book" })),
        this.picture()),
      this.form(),
      this.recent));
    this.showRecent();
  }

  // A board to look at: the start position of the game chosen last.
  picture() {
    const host = h("div", { class: "picture", "aria-hidden": "true" });
    const board = new BoardView(host, { variant: get("variant") });
    board.svg.setAttribute("inert", "");
    for (const cell of board.cells.values()) cell.removeAttribute("tabindex");
    position(get("variant"), null, []).then((view) => board.set(view)).catch(() => {});
    host.addEventListener("click", () => this.start({ mode: "engine" }));
    this.board = board;
    return host;
  }

  form() {
    const select = (name, options, value) => h("select", { name, id: `new-${name}` },
      options.map(([key, label]) => h("option", { value: key, selected: String(key) === String(value) }, label)));
    const field = (name, control) => h("div", { class: `field field-${name}` }, h("label", { for: `new-${name}` }, t(`new.${name}`)), control);
    const mode = select("mode", ["engine", "local", "link"].map((m) => [m, t(`mode.${m}`)]), "engine");
    const variant = select("variant", variants().map((v) => [v.name, variantTitle(v.name)]), get("variant"));
    const level = select("level", levels().map((l) => [l.level, t(`level.${l.level}`)]), get("level"));
    const side = select("side", [], 0);
    const clock = select("clock", CLOCKS.map(([base, inc], i) =>
      [i, base ? `${base / 60} + ${inc}` : t("clock.none")]), 0);
    const sides = () => {
      const random = [["random", t("side.random")]];
      clear(side, [[0, sideName(variant.value, 0)], [1, sideName(variant.value, 1)], ...random]
        .map(([key, label]) => h("option", { value: key }, label)));
    };
    sides();
    const fields = { level: field("level", level), side: field("side", side) };
    const shape = () => {
      fields.level.hidden = mode.value !== "engine";
      fields.side.hidden = mode.value === "local";
    };
    mode.addEventListener("change", shape);
    variant.addEventListener("change", sides);
    shape();
    const submit = (event) => {
      event.preventDefault();
      set("variant", variant.value);
      set("level", Number(level.value));
      const [base, increment] = CLOCKS[Number(clock.value)];
      this.start({ mode: mode.value, variant: variant.value, level: Number(level.value),
        side: side.value === "random" ? Math.round(Math.random()) : Number(side.value),
        clock: base ? { base, increment } : null });
    };
    return h("form", { class: "card new-game", onsubmit: submit },
      h("h2", {}, t("new.title")),
      field("mode", mode), field("variant", variant), fields.level, fields.side, field("clock", clock),
      h("button", { type: "submit", class: "primary" }, t("new.start")));
  }

  async start(ask) {
    try {
      const { id } = await api("/api/games", { key: playerKey(), variant: get("variant"), level: get("level"), ...ask });
      this.go(`/game/${id}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  async showRecent() {
    const games = await api("/api/games/mine", { key: playerKey() }).catch(() => []);
    if (!games.length) return;
    const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
    clear(this.recent, h("section", { class: "card" }, h("h2", {}, t("recent")), h("ul", {},
      games.slice(0, 8).map((game) => h("li", {}, h("a", { href: `/game/${game.id}`, "data-link": true },
        h("span", {}, `${variantTitle(game.variant)} · ${t(`mode.${game.mode}`)}`),
        h("span", { class: "note" }, `${when.format(game.updated * 1000)} · ${t("recent.moves", { count: game.moves })}${
          game.result ? ` · ${t(`reason.${game.result.reason}`)}` : ""}`)))))));
  }

  destroy() { this.board.destroy(); }
}
