// Tools under every board: flip, air defence, legend, keys.
import { clear, dialog, h, iconButton } from "./dom.js";
import { kindName, pieceIcon, variantOf } from "./names.js";
import { get, set } from "./settings.js";
import { t } from "./i18n.js";

export function boardTools(node, board, onFlip = () => {}) {
  const states = [null, "both", 0, 1];
  let at = 0;
  const rings = iconButton("ring", t("rings"), () => {
    at = (at + 1) % states.length;
    board.showRings(states[at]);
    rings.setAttribute("aria-pressed", String(states[at] !== null));
    rings.title = `${t("rings")}: ${t(`rings.${states[at] ?? "none"}`)}`;
  }, { "aria-pressed": "false", "data-tool": "rings" });
  const loud = iconButton("sound", t("set.sound"), () => {
    set("sound", !get("sound"));
    loud.setAttribute("aria-pressed", String(get("sound")));
  }, { "aria-pressed": String(get("sound")), "data-tool": "sound" });
  clear(node,
    iconButton("flip", t("flip"), () => { board.setFlip(!board.flip); onFlip(); }, { "data-tool": "flip" }),
    rings,
    iconButton("book", t("legend"), () => legend(board.variant), { "data-tool": "legend" }),
    iconButton("keys", t("keys"), keysDialog, { "data-tool": "keys" }),
    loud);
}

export function legend(variant) {
  const facts = variantOf(variant);
  const span = (range) => range.map((n) => (n >= 12 ? "∞" : n)).join("/");
  dialog(t("legend"), () => h("div", { class: "legend" },
    variant !== "chess" && h("ul", { class: "terrain" }, ["water", "mixed", "land", "bridge"].map((name) =>
      h("li", {}, h("span", { class: `swatch ${name}` }), t(`terrain.${name}`)))),
    variant !== "chess" && h("p", { class: "note" }, t("legend.heroic")),
    h("table", {},
      h("thead", {}, h("tr", {}, ["piece", ...(variant === "chess" ? [] : ["move", "take", "ring", "carries", "points"])]
        .map((name) => h("th", { scope: "col" }, t(`legend.${name}`))))),
      h("tbody", {}, facts.kinds.map((kind) => h("tr", {},
        h("th", { scope: "row" }, h("span", {}, pieceIcon(variant, facts.sides[0] + kind.letter),
          `${kindName(variant, kind.letter)} (${kind.letter})`)),
        kind.move && [span(kind.move), span(kind.take), kind.ring || "–",
          (facts.cargo?.[kind.letter] || []).join(" ") || "–", kind.points].map((cell) => h("td", {}, String(cell)))))))), { cls: "wide" });
}

export function keysDialog() {
  const rows = ["arrows", "home", "f", "r", "board", "enter", "escape", "help"];
  dialog(t("keys"), () => h("dl", { class: "keys" }, rows.flatMap((name) =>
    [h("dt", {}, h("kbd", {}, t(`key.${name}`))), h("dd", {}, t(`key.${name}.does`))])));
}
