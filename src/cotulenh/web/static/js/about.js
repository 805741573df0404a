// About the game, its author, its rules and this page.
import { button, clear, h, link } from "./dom.js";
import { t } from "./i18n.js";
import { legend } from "./tools.js";

export class AboutScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    const parts = ["sea", "stacks", "deployment", "sky", "heroes", "commander", "end"];
    clear(
      root,
      h(
        "div",
        { class: "prose" },
        h("h1", {}, t("about.title")),
        h("p", {}, t("about.author")),
        h("p", {}, t("about.page")),
        h("h2", { id: "rules" }, t("nav.rules")),
        h("p", { class: "note" }, t("about.rules.note")),
        h(
          "ol",
          {},
          parts.map((name) =>
            h("li", {}, h("b", {}, t(`about.${name}`)), " ", t(`about.${name}.text`)),
          ),
        ),
        h(
          "div",
          { class: "actions" },
          button(t("legend"), () => legend("official"), { icon: "book" }),
          link("/learn", { class: "button primary" }, t("home.learn")),
        ),
      ),
    );
    if (location.hash === "#rules") document.getElementById("rules")?.scrollIntoView();
  }
}
