// What every board offers beside it: turning, air defence, pieces, keys, sound.
import { clear, dialog, h, icon, iconButton, need, toggle } from "./dom.js";
import { kindName, pieceIcon, sideName, variantOf } from "./names.js";
import { factsOf, otherName } from "./card.js";
import { get, onChange, set } from "./settings.js";
import { t } from "./i18n.js";

/** @import { BoardView } from "./board.js" */

export class BoardTools {
  /** @param {BoardView} board @param {() => void} [onFlip] */
  constructor(board, onFlip = () => {}) {
    this.board = board;
    this.onFlip = onFlip;
    /** @type {boolean[]} */
    this.rings = [false, false];
    /** @type {(() => void)[]} */
    this.readers = [];
    this.forget = onChange(() => this.refresh());
  }

  refresh() {
    for (const reader of this.readers) reader();
  }

  /** @param {number} side @param {boolean} on */
  showRings(side, on) {
    this.rings[side] = on;
    const [red, blue] = this.rings;
    this.board.showRings(red && blue ? "both" : red ? 0 : blue ? 1 : null);
    this.refresh();
  }

  /** None, both, the one, the other. */
  cycle() {
    const states = [
      [false, false],
      [true, true],
      [true, false],
      [false, true],
    ];
    const at = states.findIndex(([red, blue]) => red === this.rings[0] && blue === this.rings[1]);
    const [red, blue] = states[(at + 1) % 4];
    this.showRings(0, red);
    this.showRings(1, blue);
  }

  flip() {
    this.board.setFlip(!this.board.flip);
    this.onFlip();
  }

  ringButton() {
    const node = iconButton("ring", t("rings"), () => this.cycle(), { "data-tool": "rings" });
    this.readers.push(() => {
      const on = this.rings.some(Boolean);
      node.setAttribute("aria-pressed", String(on));
      const which = this.rings.every(Boolean)
        ? "both"
        : on
          ? String(Number(this.rings[1]))
          : "none";
      node.title = `${t("rings")}: ${t(`rings.${which}`)}`;
    });
    this.refresh();
    return node;
  }

  soundButton() {
    const node = iconButton("sound", t("set.sound"), () => set("sound", !get("sound")), {
      "data-tool": "sound",
    });
    this.readers.push(() => {
      node.setAttribute("aria-pressed", String(get("sound")));
      clear(node, icon(get("sound") ? "sound" : "mute"));
    });
    this.refresh();
    return node;
  }

  /** A row of buttons. */
  row() {
    return h(
      "div",
      { class: "tools" },
      iconButton("flip", t("flip"), () => this.flip(), { "data-tool": "flip" }),
      this.board.chess ? null : this.ringButton(),
      iconButton("book", t("legend"), () => legend(this.board.variant), { "data-tool": "legend" }),
      iconButton("keys", t("keys"), keysDialog, { "data-tool": "keys" }),
      this.soundButton(),
    );
  }

  /** Switches with words, for the wide layout and for "more". */
  switches() {
    const chess = this.board.variant === "chess";
    // Settings may change elsewhere: a switch shows what holds, not what it was pressed to.
    const kept = (
      /** @type {string} */ label,
      /** @type {() => boolean} */ read,
      /** @type {(on: boolean) => void} */ write,
      rest = {},
    ) => {
      const node = toggle(label, read(), write, rest);
      this.readers.push(() => (need(node.querySelector("input"), "the switch").checked = read()));
      return node;
    };
    const ring = (/** @type {number} */ side) =>
      kept(
        t("rings.of", { side: sideName(this.board.variant, side) }),
        () => this.rings[side],
        (on) => this.showRings(side, on),
        { "data-ring": side },
      );
    const flag = (/** @type {string} */ name) =>
      kept(
        t(`set.${name}`),
        () => get(name),
        (on) => set(name, on),
        { "data-switch": name },
      );
    return h(
      "section",
      { class: "card switches" },
      h("h2", { class: "label" }, t("show.on.board")),
      !chess && [ring(1), ring(0)],
      flag("reach"),
      kept(
        t("set.coordinates"),
        () => get("coordinates") !== "none",
        (on) => set("coordinates", on ? "letters" : "none"),
        { "data-switch": "coordinates" },
      ),
      flag("sound"),
    );
  }

  destroy() {
    this.forget();
  }
}

/** The pieces and the terrain, one line a fact. @param {string} variant */
export function legend(variant) {
  const { kinds, sides } = variantOf(variant);
  const chess = variant === "chess";
  dialog(
    t("legend"),
    () =>
      h(
        "div",
        { class: "legend" },
        !chess &&
          h(
            "ul",
            { class: "terrain" },
            ["water", "mixed", "land", "bridge"].map((name) =>
              h("li", {}, h("span", { class: `swatch ${name}` }), t(`terrain.${name}`)),
            ),
          ),
        !chess && h("p", { class: "note" }, t("legend.heroic")),
        kinds.map((kind) =>
          h(
            "details",
            { class: "legend-piece" },
            h(
              "summary",
              {},
              pieceIcon(variant, sides[0] + kind.letter),
              h("b", {}, kindName(variant, kind.letter)),
              h("span", { class: "note" }, `${kind.letter} ${otherName(variant, kind)}`),
            ),
            h(
              "dl",
              { class: "facts" },
              factsOf(variant, sides[0] + kind.letter).map(([name, head, text]) =>
                h("div", {}, h("dt", {}, icon(name), head), h("dd", {}, text)),
              ),
            ),
          ),
        ),
      ),
    { cls: "wide" },
  );
}

export function keysDialog() {
  const rows = ["arrows", "home", "f", "r", "board", "enter", "i", "escape", "shift", "help"];
  dialog(t("keys"), () =>
    h(
      "dl",
      { class: "keys" },
      rows.map((name) => [
        h("dt", {}, h("kbd", {}, t(`key.${name}`))),
        h("dd", {}, t(`key.${name}.does`)),
      ]),
    ),
  );
}
