// The deployment bar: what has gone, what is still here, and how the turn may end.
import { button, clear, h, icon, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { groupPieces, pieceIcon, pieceName } from "./names.js";
import { markBusy, Toggles } from "./chooser.js";

/** @import { Deployment, View } from "./types.js" */
/** @import { Hand } from "./hand.js" */

export class Tray {
  /** @param {{ commit(text: string): void, back(): void, cancel(): void }} hooks */
  constructor({ commit, back, cancel }) {
    this.node = h("section", { class: "tray", "aria-label": t("tray.title"), hidden: true });
    this.commit = commit;
    this.back = back;
    this.cancel = cancel;
  }

  /** @param {{ variant: string, deployment?: View["deployment"] }} view @param {boolean} mine @param {Hand} hand */
  set(view, mine, hand) {
    const { deployment, variant } = view;
    this.node.hidden = !deployment;
    if (deployment) this.fill(variant, deployment, mine, hand);
    markBusy(this.node);
  }

  /** @param {string} variant @param {Deployment} deployment @param {boolean} mine @param {Hand} hand */
  fill(variant, deployment, mine, hand) {
    const left = (/** @type {string} */ step) => {
      const squares = step.match(/[a-l]\d+/g) || [];
      const pieces = groupPieces(step.split(/[a-l]\d/)[0], deployment.stack[0][0]);
      return h(
        "span",
        { class: "tray-piece gone" },
        pieces.map((piece) => pieceIcon(variant, piece)),
        h("span", { class: "hidden-text" }, pieces.map((one) => pieceName(variant, one)).join(" ")),
        icon("arrow"),
        h("span", {}, squares[squares.length - 1]),
      );
    };
    const able = mine && hand.byFrom.has(deployment.origin);
    const here = able
      ? new Toggles(hand, deployment.origin, deployment.remaining).node
      : h(
          "span",
          { class: "remaining" },
          deployment.remaining.map((one) => pieceIcon(variant, one)),
        );
    clear(
      this.node,
      h(
        "div",
        { class: "tray-head" },
        h("h2", {}, t("tray.from", { square: deployment.origin })),
        h(
          "span",
          { class: "tray-steps" },
          deployment.steps.map((step) => h("span", { class: "chip" }, step)),
        ),
      ),
      h("div", { class: "tray-row" }, deployment.steps.map(left), here),
      mine && !deployment.commit && h("p", { class: "note" }, t("tray.cannot")),
      mine &&
        h(
          "div",
          { class: "tray-buttons" },
          iconButton("close", t("tray.cancel"), this.cancel, {
            class: "icon danger",
            "data-do": "tray-cancel",
          }),
          button(t("tray.back"), this.back, { icon: "undo", "data-do": "tray-back" }),
          button(t("tray.commit"), () => this.commit(deployment.commit || ""), {
            icon: "check",
            cls: "primary",
            disabled: !deployment.commit,
            "data-do": "tray-done",
          }),
        ),
    );
  }
}
