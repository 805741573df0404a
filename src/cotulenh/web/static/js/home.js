// The first page: one form, one Play; below it what can be gone on with.
import { button, clear, dialog, h, icon, link, segments, toast, toggle } from "./dom.js";
import { BoardView } from "./board.js";
import { api, position } from "./net.js";
import { get, playerKey, recall, set } from "./settings.js";
import { language, t } from "./i18n.js";
import { isVariant, levelName, levels, sideName, variants, variantTitle } from "./names.js";

/** @import { Route } from "./types.js" */

const CLOCKS = ["0+0", "3+2", "5+3", "10+5", "15+10", "30+20"];
const OBJECTIVES = ["commander", "marine", "air", "land", "tactical"];

/** "10+5" as the server wants it. @param {string} text */
export function clockOf(text) {
  const [minutes, seconds] = text.split("+").map(Number);
  return minutes > 0 ? { base: Math.round(minutes * 60), increment: seconds || 0 } : null;
}

/** @param {string} text */
export const clockText = (text) =>
  text.startsWith("0+") ? t("clock.none") : text.replace("+", " + ");

export class HomeScreen {
  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { go }) {
    this.go = go;
    if (!isVariant(get("variant"))) set("variant", variants()[0].name);
    this.host = h("div", { class: "picture", "aria-hidden": "true" });
    this.tiles = h("div", { class: "tiles" });
    this.recent = h("div", {});
    this.formHost = h("div", {});
    clear(
      root,
      h(
        "div",
        { class: "home" },
        this.host,
        h(
          "div",
          { class: "home-side" },
          h("h1", {}, t("home.title")),
          h("p", { class: "lead" }, t("home.lead")),
          this.formHost,
          this.tiles,
          this.recent,
        ),
      ),
      h(
        "footer",
        { class: "foot" },
        link("/lobby", {}, t("nav.lobby")),
        link("/about", {}, t("nav.about")),
        link("/about#rules", {}, t("nav.rules")),
        h("span", {}, t("credit")),
      ),
    );
    this.board = new BoardView(this.host, { variant: get("variant"), still: true });
    this.host.addEventListener("click", () => this.start());
    this.form();
    this.picture();
    this.showTiles();
  }

  /** The board of the chosen game, from the chosen side. */
  async picture() {
    this.board.setVariant(get("variant"));
    this.board.setFlip(get("side") === "1" && get("mode") !== "local");
    const view = await position(get("variant"), null, []).catch(() => /** @type {any} */ (null));
    if (view && view.variant === get("variant")) this.board.set({ ...view, last: [] });
  }

  form() {
    const mode = get("mode");
    const again = () => {
      this.form();
      this.picture();
    };
    const pick = (/** @type {string} */ name) => (/** @type {any} */ value) => {
      set(name, value);
      again();
    };
    const chess = get("variant") === "chess";
    const disc = (/** @type {number} */ n) =>
      h("span", { class: `of-disc ${chess ? "wk"[n] : `d${n}`}` });
    const sides = /** @type {[string, any][]} */ ([
      ["0", [disc(0), sideName(get("variant"), 0)]],
      ["1", [disc(1), sideName(get("variant"), 1)]],
      ["random", [icon("shuffle"), h("span", { class: "hidden-text" }, t("side.random"))]],
    ]);
    const clocks = [...new Set(["0+0", "5+3", "10+5", get("clock")])];
    const levelKeys = h(
      "div",
      { class: "level-keys", role: "group", "aria-label": t("new.level") },
      levels().map(({ level }) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(level === get("level")),
            "aria-label": levelName(level, get("variant")),
            onclick: () => pick("level")(level),
          },
          String(level),
        ),
      ),
    );
    const field = (/** @type {string} */ label, /** @type {any} */ kid) =>
      h("div", { class: "field" }, h("p", { class: "label" }, label), kid);
    const at = /** @type {HTMLElement} */ (document.activeElement);
    const { value, do: does } = this.formHost.contains(at) ? at.dataset : {};
    const had = value ? `[data-value="${value}"]` : does && `[data-do="${does}"]`;
    const modes = /** @type {[string, any][]} */ (
      ["engine", "link", "local"].map((one) => [
        one,
        [icon({ engine: "cpu", link: "link", local: "users" }[one] || ""), t(`mode.${one}.short`)],
      ])
    );
    const form = h(
      "form",
      {
        class: "card new-game",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.start();
        },
      },
      segments(t("new.mode"), modes, mode, pick("mode"), { id: "new-mode" }),
      mode === "engine" &&
        field(t("new.level.is", { level: levelName(get("level"), get("variant")) }), levelKeys),
      h(
        "div",
        { class: "pair" },
        mode !== "local" &&
          field(
            t("new.side"),
            segments(t("new.side"), sides, get("side"), pick("side"), { id: "new-side" }),
          ),
        field(
          t("new.clock"),
          segments(
            t("new.clock"),
            /** @type {[string, any][]} */ ([
              ...clocks.slice(0, 3).map((one) => [one, one === "0+0" ? t("clock.no") : one]),
              ["more", [icon("more"), h("span", { class: "hidden-text" }, t("more"))]],
            ]),
            get("clock"),
            (value) => {
              if (value === "more") this.clockDialog(again);
              else pick("clock")(value);
            },
            { id: "new-clock" },
          ),
        ),
      ),
      mode === "link" &&
        toggle(t("new.public"), get("public"), (on) => set("public", on), { id: "new-public" }),
      h(
        "button",
        { type: "submit", class: "primary big", "data-do": "play" },
        icon("play"),
        t("home.play"),
      ),
      h(
        "p",
        { class: "game-line" },
        h("span", {}, `${t("new.variant")}: `, h("b", {}, this.gameName())),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "data-do": "choose-game",
            onclick: () => this.gameDialog(again),
          },
          t("new.change"),
          h("i", {}, t("new.change.what")),
        ),
      ),
    );
    clear(this.formHost, form);
    if (had) /** @type {HTMLElement} */ (form.querySelector(had))?.focus();
  }

  gameName() {
    const extra =
      get("variant") === "chess"
        ? get("chess960")
          ? " 960"
          : ""
        : get("objective") !== "commander"
          ? ` · ${t(`objective.${get("objective")}`)}`
          : "";
    return variantTitle(get("variant")) + extra;
  }

  /** @param {() => void} again */
  clockDialog(again) {
    const [base, add] = get("clock").split("+");
    const minutes = h("input", {
      type: "number",
      min: 0,
      max: 180,
      step: "any",
      value: base,
      id: "clock-minutes",
    });
    const seconds = h("input", {
      type: "number",
      min: 0,
      max: 180,
      value: add,
      id: "clock-seconds",
    });
    dialog(t("new.clock"), (close) => {
      const take = (/** @type {string} */ text) => {
        set("clock", text);
        close();
        again();
      };
      return h(
        "div",
        { class: "settings" },
        h(
          "div",
          { class: "themes" },
          CLOCKS.map((one) => button(clockText(one), () => take(one))),
        ),
        h(
          "div",
          { class: "pair-buttons" },
          h(
            "div",
            { class: "field" },
            h("label", { for: "clock-minutes" }, t("clock.minutes")),
            minutes,
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "clock-seconds" }, t("clock.seconds")),
            seconds,
          ),
        ),
        button(
          t("clock.take"),
          () =>
            take(
              `${Math.max(0, Number(minutes.value) || 0)}+${Math.max(0, Math.round(Number(seconds.value)) || 0)}`,
            ),
          { cls: "primary", "data-do": "take-clock" },
        ),
      );
    }).then(again);
  }

  /** @param {() => void} again */
  gameDialog(again) {
    dialog(t("new.variant"), (close) => {
      const body = h("div", { class: "settings" });
      const fill = () => {
        const chess = get("variant") === "chess";
        const objective = h(
          "select",
          { id: "new-objective" },
          OBJECTIVES.map((one) =>
            h("option", { value: one, selected: one === get("objective") }, t(`objective.${one}`)),
          ),
        );
        objective.addEventListener("change", () => set("objective", objective.value));
        clear(
          body,
          h(
            "div",
            { class: "choices" },
            variants().map((one) =>
              button(
                variantTitle(one.name),
                () => {
                  set("variant", one.name);
                  fill();
                  const same = body.querySelector(`[data-variant="${one.name}"]`);
                  /** @type {HTMLElement} */ (same).focus();
                },
                {
                  cls: "choice",
                  "aria-pressed": String(one.name === get("variant")),
                  "data-variant": one.name,
                },
              ),
            ),
          ),
          chess
            ? toggle("Chess960", Boolean(get("chess960")), (on) => set("chess960", on), {
                id: "new-960",
              })
            : h(
                "div",
                { class: "field" },
                h("label", { for: "new-objective" }, t("objective")),
                objective,
              ),
          button(t("clock.take"), () => close(), { cls: "primary", "data-do": "take-game" }),
        );
      };
      fill();
      return body;
    }).then(again);
  }

  async start() {
    const chess = get("variant") === "chess";
    const side = get("side") === "random" ? Math.round(Math.random()) : Number(get("side"));
    /** @type {Record<string, any>} */
    const ask = {
      key: playerKey(),
      mode: get("mode"),
      variant: get("variant"),
      level: get("level"),
      side: get("mode") === "local" ? 0 : side,
      clock: clockOf(get("clock")),
      name: get("name"),
    };
    if (chess && get("chess960")) ask.chess960 = true;
    if (!chess && get("objective") !== "commander") ask.objective = get("objective");
    if (get("mode") === "link" && get("public")) ask.public = true;
    try {
      const { id } = await api("/api/games", ask);
      this.go(`/game/${id}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** @param {string} address @param {string} name @param {string} head @param {string} text */
  tile(address, name, head, text) {
    return link(
      address,
      { class: "card tile" },
      icon(name),
      h("span", {}, h("b", {}, head), h("span", { class: "note" }, text)),
      icon("forward"),
    );
  }

  async showTiles() {
    const lessons = Object.keys(recall("cotulenh.lessons", {})).length;
    const rating = recall("cotulenh.puzzles", {})[get("variant")]?.rating;
    const fixed = [
      this.tile(
        "/puzzles",
        "target",
        t("nav.puzzles"),
        rating ? t("puzzle.your.rating", { rating: Math.round(rating) }) : t("tile.puzzles"),
      ),
      this.tile(
        "/learn",
        "grad",
        t("home.learn"),
        lessons ? t("learn.progress", { done: lessons }) : t("tile.learn"),
      ),
      this.tile("/analysis", "chart", t("nav.analysis"), t("tile.analysis")),
      this.tile("/lobby", "users", t("nav.lobby"), t("tile.lobby")),
    ];
    clear(this.tiles, fixed);
    const games = await api("/api/games/mine", { key: playerKey() }).catch(
      () => /** @type {any[]} */ ([]),
    );
    if (!games.length) return;
    const going = games.find((/** @type {any} */ game) => !game.result);
    if (going) {
      const text = `${variantTitle(going.variant)} · ${t("recent.moves", { count: going.moves })}`;
      clear(
        this.tiles,
        this.tile(
          `/game/${going.id}`,
          "refresh",
          t("go.on", { mode: t(`mode.${going.mode}`) }),
          text,
        ),
        fixed.slice(0, 3),
      );
    }
    const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
    clear(
      this.recent,
      h(
        "details",
        { class: "card" },
        h("summary", {}, t("recent")),
        h(
          "ul",
          { class: "rows" },
          games
            .slice(0, 12)
            .map((/** @type {any} */ game) =>
              h(
                "li",
                {},
                link(
                  `/game/${game.id}`,
                  {},
                  h("span", {}, `${variantTitle(game.variant)} · ${t(`mode.${game.mode}`)}`),
                  h(
                    "span",
                    { class: "note" },
                    `${when.format(game.updated * 1000)} · ${t("recent.moves", { count: game.moves })}${
                      game.result ? ` · ${t(`reason.${game.result.reason}`)}` : ""
                    }`,
                  ),
                ),
              ),
            ),
        ),
      ),
    );
  }

  destroy() {
    this.board.destroy();
  }
}
