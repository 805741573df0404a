// The deployment tray: what has gone, what remains, and how the turn may end.
import { button, clear, h } from "./dom.js";
import { t } from "./i18n.js";
import { pieceIcon, pieceName } from "./names.js";

export class Tray {
  constructor({ commit, back, cancel }) {
    this.node = h("section", { class: "tray", "aria-label": t("tray.title"), hidden: true });
    Object.assign(this, { commit, back, cancel });
  }

  set(view, mine) {
    const deployment = view.deployment;
    this.node.hidden = !deployment;
    if (!deployment) return;
    const rest = [...deployment.remaining];
    const gone = deployment.stack.filter((piece) => {
      const at = rest.indexOf(piece);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
    const row = (label, pieces, cls) => h("div", { class: `tray-row ${cls}` }, h("span", {}, label),
      h("span", { class: "icons" }, pieces.length
        ? pieces.map((piece) => h("span", { class: "tray-piece", title: pieceName(view.variant, piece) },
          pieceIcon(view.variant, piece), h("span", { class: "hidden-text" }, pieceName(view.variant, piece))))
        : "–"));
    clear(this.node,
      h("h2", {}, t("tray.from", { square: deployment.origin })),
      row(t("tray.gone"), gone, "gone"),
      row(t("tray.remaining"), deployment.remaining, "remaining"),
      deployment.steps.length > 0 && h("p", { class: "tray-steps" }, deployment.steps.join("  ")),
      mine && h("div", { class: "tray-buttons" },
        button(t("tray.commit"), () => this.commit(deployment.commit),
          { icon: "check", cls: "primary", disabled: !deployment.commit }),
        button(t("tray.back"), this.back, { icon: "undo" }),
        button(t("tray.cancel"), this.cancel, { icon: "close" })),
      mine && !deployment.commit && h("p", { class: "note" }, t("tray.cannot")));
  }
}
