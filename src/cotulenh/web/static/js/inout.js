// What goes into an analysis and out of it: FEN and PGN, links, studies, a game from here.
import { ask, button, copy, dialog, download, h, icon, toast } from "./dom.js";
import { api, position } from "./net.js";
import { createStudy, editSecret } from "./shelf.js";
import { Tree } from "./tree.js";
import { get, playerKey } from "./settings.js";
import { t } from "./i18n.js";
import { levelName, variants, variantTitle } from "./names.js";

/** @import { AnalysisScreen } from "./analysis.js" */
/** @import { TreeData } from "./types.js" */

export class InOut {
  /** @param {AnalysisScreen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  more() {
    const act =
      (/** @type {() => void} */ what, /** @type {(value?: any) => void} */ close) => () => {
        close();
        what();
      };
    dialog(t("more"), (close) => {
      const variant = h(
        "select",
        { "aria-label": t("new.variant") },
        variants().map((one) =>
          h(
            "option",
            { value: one.name, selected: one.name === this.screen.tree.variant },
            variantTitle(one.name),
          ),
        ),
      );
      variant.addEventListener(
        "change",
        act(() => this.screen.fresh(variant.value), close),
      );
      return h(
        "div",
        { class: "settings" },
        h(
          "div",
          { class: "more-list" },
          button(
            t("analysis.review"),
            act(() => this.screen.review(), close),
            { icon: "chart", "data-do": "review" },
          ),
          button(
            t("analysis.play"),
            act(() => this.playFrom(), close),
            { icon: "play" },
          ),
          button(
            t("analysis.import"),
            act(() => this.importDialog(), close),
            { icon: "down", "data-do": "import" },
          ),
          button(
            t("analysis.export"),
            act(() => this.exportDialog(), close),
            { icon: "share", "data-do": "export" },
          ),
          button(
            t("analysis.promote"),
            act(() => this.screen.edited(() => this.screen.tree.promote()), close),
            { icon: "star" },
          ),
          button(
            t("analysis.delete"),
            act(() => this.screen.edited(() => this.screen.tree.remove()), close),
            { icon: "trash", cls: "danger-text" },
          ),
          button(
            t("analysis.edit"),
            act(
              () =>
                this.screen.go(
                  `/editor?v=${this.screen.tree.variant}&fen=${encodeURIComponent(this.screen.view.fen)}`,
                ),
              close,
            ),
            { icon: "edit" },
          ),
          ...(this.screen.study && this.screen.chapters.mine ? this.ofChapter(act, close) : []),
          button(
            t("studies.new"),
            act(() => this.screen.fresh(this.screen.tree.variant), close),
            { icon: "plus", "data-do": "new-analysis" },
          ),
          !this.screen.study &&
            button(
              t("study.create"),
              act(() => this.makeStudy(), close),
              { icon: "tree", "data-do": "make-study" },
            ),
          button(
            t("legend"),
            act(
              () =>
                document.dispatchEvent(
                  new CustomEvent("legend", { detail: this.screen.tree.variant }),
                ),
              close,
            ),
            { icon: "book" },
          ),
        ),
        h("div", { class: "field" }, h("p", { class: "label" }, t("new.variant")), variant),
      );
    });
  }

  /**
   * @param {(work: () => void, close: () => void) => () => void} act
   * @param {() => void} close
   */
  ofChapter(act, close) {
    const { chapters } = this.screen;
    return [
      button(
        t("chapter.rename"),
        act(() => chapters.rename(), close),
        { icon: "edit", "data-do": "rename-chapter" },
      ),
      chapters.opened.chapters.length > 1 &&
        button(
          t("chapter.delete"),
          act(() => chapters.remove(), close),
          { icon: "trash", cls: "danger-text", "data-do": "delete-chapter" },
        ),
    ];
  }

  async makeStudy() {
    const title = h("input", {
      class: "wide",
      maxlength: 80,
      id: "study-title",
      value: this.screen.tree.tags.Event || t("study.untitled"),
    });
    const yes = await dialog(t("study.create"), (close) =>
      h(
        "div",
        { class: "settings" },
        h("div", { class: "field" }, h("label", { for: "study-title" }, t("study.title")), title),
        button(t("study.create"), () => close(true), { cls: "primary", "data-do": "yes" }),
      ),
    );
    if (!yes) return;
    try {
      const made = await createStudy(title.value.trim() || t("study.untitled"), [
        { title: t("chapter", { n: 1 }), tree: this.screen.tree.write() },
      ]);
      this.screen.go(`/study/${made.id}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  importDialog() {
    const text = h("textarea", {
      rows: 8,
      id: "import-text",
      "aria-label": t("analysis.paste"),
      placeholder: t("analysis.paste"),
    });
    const file = h("input", { type: "file", accept: ".pgn,.txt", hidden: true });
    file.addEventListener("change", async () => {
      const [chosen] = file.files || [];
      if (chosen) text.value = await chosen.text();
    });
    // The browser's own field speaks the browser's language, not the page's.
    const choose = button(t("analysis.file"), () => file.click(), {
      icon: "share",
      "data-do": "file",
    });
    dialog(
      t("analysis.import"),
      (close) =>
        h(
          "div",
          { class: "settings" },
          text,
          file,
          choose,
          button(
            t("analysis.load"),
            async () => {
              try {
                await this.importText(text.value.trim());
                close();
              } catch (error) {
                toast(error.message, "bad");
              }
            },
            { cls: "primary", "data-do": "load" },
          ),
        ),
      { cls: "wide" },
    );
  }

  /** @param {string} text */
  async importText(text) {
    const { variant } = this.screen.tree;
    const isFen = /^[^\s[]+\/[^\s]+\s+[rbw]\s/.test(text);
    if (isFen) {
      await position(variant, text, []);
      this.take([new Tree(variant, text).write()]);
      return;
    }
    const games =
      this.screen.study && this.screen.chapters.mine
        ? await api("/api/pgn/read_all", { text, variant })
        : [await api("/api/pgn/read", { text, variant })];
    await this.take(games);
  }

  /** In a study of one's own as new chapters, else as a new analysis. @param {TreeData[]} trees */
  async take(trees) {
    const { chapters } = this.screen;
    if (!this.screen.study || !chapters.mine) {
      this.screen.take(Tree.read(trees[0]));
      return;
    }
    const { length } = this.screen.study.chapters;
    const titled = (/** @type {TreeData} */ tree, /** @type {number} */ n) => ({
      title: tree.tags?.Event?.replace(/^\?$/, "") || t("chapter", { n: length + n + 1 }),
      tree,
    });
    await chapters.take(trees.map(titled));
  }

  async exportDialog() {
    const { text } = await api("/api/pgn/write", this.screen.tree.write());
    dialog(
      t("analysis.export"),
      () =>
        h(
          "div",
          { class: "settings" },
          h(
            "div",
            { class: "field" },
            h("label", { for: "export-fen" }, "FEN"),
            h("input", {
              class: "wide fen",
              id: "export-fen",
              readonly: true,
              value: this.screen.view.fen,
            }),
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "export-text" }, "PGN"),
            h("textarea", { rows: 10, readonly: true, id: "export-text", class: "fen" }, text),
          ),
          h(
            "div",
            { class: "actions" },
            button(
              t("copy"),
              async () => toast(t((await copy(text)) ? "copied" : "copy.by.hand")),
              { icon: "link" },
            ),
            button(t("download"), () => download("analysis.pgn", text), { icon: "down" }),
          ),
        ),
      { cls: "wide" },
    );
  }

  async share() {
    this.screen.saveNow();
    const lines = this.screen.study
      ? this.studyLinks()
      : [[t("share.position"), location.origin + this.address()]];
    dialog(t("analysis.share"), (close) =>
      h(
        "div",
        { class: "settings" },
        lines.map(([label, address]) =>
          h(
            "div",
            { class: "field" },
            h("p", { class: "label" }, label),
            h("input", { class: "wide", readonly: true, value: address, "aria-label": label }),
            button(
              t("copy.link"),
              async () => toast(t((await copy(address)) ? "copied" : "copy.by.hand")),
              { icon: "link" },
            ),
          ),
        ),
        !this.screen.study &&
          button(
            t("study.create"),
            () => {
              close();
              this.makeStudy();
            },
            { icon: "tree" },
          ),
        this.screen.study &&
          h(
            "a",
            {
              class: "button",
              href: `/api/studies/${this.screen.study.id}/pgn`,
              download: "study.pgn",
            },
            icon("down"),
            t("share.pgn"),
          ),
      ),
    );
  }

  studyLinks() {
    const { id } = this.screen.chapters.opened;
    const read = `${location.origin}/study/${id}`;
    const secret = editSecret(id);
    return [
      [t("share.read"), read],
      ...(secret ? [[t("share.edit"), `${read}#edit=${secret}`]] : []),
    ];
  }

  address() {
    const query = new URLSearchParams({ v: this.screen.tree.variant });
    if (this.screen.tree.fen) query.set("fen", this.screen.tree.fen);
    const moves = this.screen.tree.path();
    if (moves.length) query.set("m", moves.join(","));
    const address = `/analysis?${query}`;
    history.replaceState(null, "", address);
    return address;
  }

  async playFrom() {
    if (
      !(await ask(t("analysis.play"), t("home.play"), {
        text: t("level.now", { level: levelName(get("level"), this.screen.tree.variant) }),
      }))
    )
      return;
    try {
      const { id } = await api("/api/games", {
        key: playerKey(),
        mode: "engine",
        variant: this.screen.tree.variant,
        fen: this.screen.view.fen,
        side: this.screen.view.turn,
        level: get("level"),
      });
      this.screen.go(`/game/${id}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
