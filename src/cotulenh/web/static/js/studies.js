// What was analysed: drafts on this device and studies on the server.
import { ask, clear, h, icon, iconButton, link } from "./dom.js";
import { language, t } from "./i18n.js";
import { variantTitle } from "./names.js";
import { drafts, dropDraft, ownStudies } from "./shelf.js";

export class StudiesScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.device = h("ul", { class: "rows" });
    this.server = h("ul", { class: "rows" });
    clear(
      root,
      h(
        "div",
        { class: "prose" },
        h("h1", {}, t("nav.studies")),
        h("p", { class: "note" }, t("studies.note")),
        h("section", { class: "card" }, h("h2", {}, t("studies.server")), this.server),
        h("section", { class: "card" }, h("h2", {}, t("studies.device")), this.device),
        h(
          "p",
          {},
          link("/analysis?new=1", { class: "button primary" }, icon("plus"), t("studies.new")),
        ),
      ),
    );
    this.when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
    this.showDrafts();
    this.showStudies();
  }

  showDrafts() {
    const all = drafts();
    clear(
      this.device,
      all.length
        ? all.map((draft) =>
            h(
              "li",
              { class: "draft" },
              link(
                `/analysis?draft=${draft.id}`,
                { class: "grow" },
                h("span", {}, draft.title || variantTitle(draft.tree.variant)),
                h(
                  "span",
                  { class: "note" },
                  `${variantTitle(draft.tree.variant)} · ${this.when.format(draft.at)}`,
                ),
              ),
              iconButton("trash", t("delete"), async () => {
                if (!(await ask(t("studies.delete"), t("delete"), { danger: true }))) return;
                dropDraft(draft.id);
                this.showDrafts();
              }),
            ),
          )
        : h("li", { class: "note" }, t("studies.none")),
    );
  }

  async showStudies() {
    const all = await ownStudies().catch(() => /** @type {any[]} */ ([]));
    clear(
      this.server,
      all.length
        ? all.map((study) =>
            h(
              "li",
              {},
              link(
                `/study/${study.id}`,
                {},
                h("span", {}, study.title),
                h("span", { class: "note" }, this.when.format(study.updated * 1000)),
              ),
            ),
          )
        : h("li", { class: "note" }, t("studies.none")),
    );
  }
}
