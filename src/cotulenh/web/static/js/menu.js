// What a game offers besides playing: behind "more".
import { button, dialog, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { invite } from "./invite.js";
import { keysDialog, legend } from "./tools.js";

/** @import { BoardTools } from "./tools.js" */

/** @param {string} id @param {BoardTools} tools */
export function gameMenu(id, tools) {
  dialog(t("more"), (close) => {
    const entry = (/** @type {string} */ label, /** @type {string} */ name, action = () => {}) =>
      button(
        label,
        () => {
          close();
          action();
        },
        { icon: name },
      );
    return h(
      "div",
      { class: "settings" },
      tools.switches(),
      h(
        "div",
        { class: "more-list" },
        entry(t("flip"), "flip", () => tools.flip()),
        entry(t("legend"), "book", () => legend(tools.board.variant)),
        entry(t("share"), "share", () => invite(location.href, t("share"))),
        h(
          "a",
          { class: "button", href: `/api/games/${id}/pgn`, download: "game.pgn" },
          icon("down"),
          "PGN",
        ),
        entry(t("keys"), "keys", keysDialog),
        entry(t("settings"), "sliders", () => document.getElementById("settings-button")?.click()),
      ),
    );
  });
}
