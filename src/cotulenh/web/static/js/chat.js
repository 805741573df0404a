// Chat between the players of a game and those who watch: short texts and presets.
import { clear, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { facts, sideName } from "./names.js";

/** @import { GameState } from "./types.js" */
/** @typedef {{ side: number, name: string, text: string, preset: string }} Said */

const PRESETS = ["hello", "good_luck", "well_played", "thanks", "goodbye"];

export class Chat {
  /** @param {(fields: Record<string, string>) => void} send */
  constructor(send) {
    this.list = h("ol", { class: "chat-lines" });
    const text = h("input", {
      maxlength: 200,
      "aria-label": t("chat.write"),
      placeholder: t("chat.write"),
      class: "wide",
    });
    const form = h(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (text.value.trim()) send({ text: text.value.trim() });
          text.value = "";
        },
      },
      text,
    );
    const presets = (facts().presets || PRESETS)
      .slice(0, 5)
      .map((name) =>
        h(
          "button",
          { type: "button", class: "chip", onclick: () => send({ preset: name }) },
          t(`preset.${name}`),
        ),
      );
    this.count = h("span", { class: "chip count", hidden: true });
    this.node = h(
      "details",
      { class: "card chat", hidden: true },
      h("summary", {}, icon("comment"), t("chat"), this.count),
      h("div", { role: "log", "aria-label": t("chat") }, this.list),
      h("div", { class: "presets" }, presets),
      form,
    );
    /** How many lines were there when it was last open. */
    this.seen = 0;
    this.node.addEventListener("toggle", () => this.tally());
  }

  /** @param {{ lines: Said[], all?: boolean }} message @param {GameState} state */
  hear(message, state) {
    if (message.all) clear(this.list);
    for (const line of message.lines) {
      const seat = line.side === 0 || line.side === 1;
      const who =
        line.name || (seat && state ? sideName(state.view.variant, line.side) : t("chat.guest"));
      const text = line.preset ? t(`preset.${line.preset}`) : line.text;
      this.list.append(
        h("li", {}, h("b", { class: seat ? `of-side${line.side}` : "" }, who), " ", text),
      );
    }
    this.list.scrollTop = this.list.scrollHeight;
    if (message.lines.length) this.node.hidden = false;
    this.tally();
  }

  /** How many lines are new. */
  tally() {
    const all = this.list.children.length;
    if (this.node.open) this.seen = all;
    this.count.hidden = all <= this.seen;
    this.count.textContent = String(all - this.seen);
  }
}
