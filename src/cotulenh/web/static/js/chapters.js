// The study of an analysis: its chapters, saved one by one, and what others change meanwhile.
import { ask, button, clear, dialog, h, iconButton, need, toast } from "./dom.js";
import { t } from "./i18n.js";
import { api } from "./net.js";
import { editSecret, keepCopy, keepOwn, openStudy, ownStudies } from "./shelf.js";
import { playerKey } from "./settings.js";
import { Tree } from "./tree.js";

/** @import { AnalysisScreen } from "./analysis.js" */
/** @import { Chapter, Study } from "./shelf.js" */

export class Chapters {
  /** @param {AnalysisScreen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Study | null} */
    this.study = null;
    this.mine = false;
    this.at = 0;
    /** Versions that we made ourselves: news of them are none. @type {Set<number>} */
    this.own = new Set();
    /** @type {Promise<any>} one thing at a time goes to the server */
    this.last = Promise.resolve();
    /** How much is on its way to the server or waits for that. */
    this.busy = 0;
    this.node = h("div", { class: "chapters", hidden: true });
    this.online = () => this.saveAll();
    addEventListener("online", this.online);
  }

  /** The study that is open. */
  get opened() {
    return need(this.study, "an open study");
  }

  get chapter() {
    return this.opened.chapters[this.at];
  }

  /** @param {string} id */
  async open(id) {
    const study = await openStudy(id);
    const known = () => ownStudies().then((all) => all.some((one) => one.id === id));
    this.mine = Boolean(editSecret(id)) || (await known().catch(() => false));
    this.study = study;
    this.screen.note(this.mine ? "saved.server" : "study.readonly");
    this.watch();
    this.saveAll();
    return this.show(0);
  }

  close() {
    this.study = null;
    this.node.hidden = true;
  }

  watch() {
    if (this.study) this.screen.connection.send("study", { study: this.study.id });
  }

  /** @param {number} n */
  show(n) {
    this.at = n;
    this.draw();
    return this.screen.use(Tree.read(this.chapter.tree));
  }

  draw() {
    const study = this.opened;
    this.node.hidden = false;
    document.title = `${study.title} · Cờ Tư Lệnh`;
    clear(
      this.node,
      study.chapters.map((one, n) =>
        button(
          one.title || t("chapter", { n: n + 1 }),
          () => {
            this.screen.saveNow();
            this.show(n);
          },
          { "aria-pressed": String(n === this.at) },
        ),
      ),
      this.mine &&
        iconButton("plus", t("chapter.new"), () => this.add(), { "data-do": "add-chapter" }),
    );
  }

  // Changing ----------------------------------------------------------------------------------------

  add() {
    const title = t("chapter", { n: this.opened.chapters.length + 1 });
    return this.take([{ title, tree: new Tree(this.screen.tree.variant).write() }]);
  }

  /** New chapters; the first of them is shown. @param {Chapter[]} chapters */
  take(chapters) {
    this.screen.saveNow();
    const first = this.opened.chapters.length;
    this.opened.chapters.push(...chapters.map((one) => ({ ...one, unsaved: true })));
    this.saveAll();
    return this.show(first);
  }

  async rename() {
    const name = h("input", {
      class: "wide",
      id: "chapter-title",
      maxlength: 80,
      value: this.chapter.title,
      "aria-label": t("chapter.rename"),
    });
    const yes = await dialog(t("chapter.rename"), (close) =>
      h(
        "div",
        { class: "settings" },
        name,
        button(t("chapter.rename"), () => close(true), { cls: "primary", "data-do": "yes" }),
      ),
    );
    if (!yes || !name.value.trim()) return;
    this.chapter.title = name.value.trim();
    this.draw();
    this.save();
  }

  async remove() {
    if (this.opened.chapters.length < 2) return;
    if (!(await ask(t("chapter.delete.sure"), t("delete"), { danger: true }))) return;
    const { chapter } = this;
    this.queue(async () => {
      const { id, title, version, chapters } = this.opened;
      const left = chapters.filter((one) => one !== chapter && one.id).map((one) => one.id);
      try {
        const saved = await this.post(`/api/studies/${id}/order`, {
          version,
          title,
          chapters: left,
        });
        this.wrote(saved.version);
      } catch (error) {
        toast(error.message, "bad");
      }
      await this.reload();
    });
  }

  // Saving ------------------------------------------------------------------------------------------

  /**
   * Keeps the chapter that is shown, here first, then on the server. A page that is being left runs
   * nothing later: what it has to say, it says at once.
   * @param {boolean} [leaving]
   */
  save(leaving = false) {
    const { chapter } = this;
    chapter.tree = this.screen.tree.write();
    chapter.unsaved = true;
    keepCopy(this.opened);
    if (leaving && !this.busy) this.send(chapter);
    else this.queue(() => this.send(chapter));
  }

  /** What could not be sent before. */
  saveAll() {
    if (!this.study || !this.mine) return;
    for (const one of this.study.chapters) if (one.unsaved) this.queue(() => this.send(one));
  }

  /** @param {() => Promise<any>} work */
  queue(work) {
    this.busy += 1;
    this.last = this.last.then(work, work).finally(() => (this.busy -= 1));
    return this.last;
  }

  /** @param {string} path @param {any} body */
  post(path, body) {
    const edit = editSecret(this.opened.id) || undefined;
    return api(path, { key: playerKey(), edit, ...body }, { leaving: true });
  }

  /** @param {number} version */
  wrote(version) {
    this.own.add(version);
    this.opened.version = version;
  }

  /** @param {Chapter} chapter */
  async send(chapter) {
    if (!this.study || !chapter.unsaved) return;
    const { id, title, tree, version } = chapter;
    chapter.unsaved = false;
    try {
      const saved = await this.post(`/api/studies/${this.study.id}/chapter`, {
        id: id || "",
        version: version || 0,
        title,
        tree,
      });
      this.wrote(saved.version);
      [chapter.id] = saved.ids;
      chapter.version = saved.version;
      this.screen.note("saved.server");
      keepCopy(this.opened);
    } catch (error) {
      await this.notSaved(chapter, error.code);
    }
  }

  /** Of two versions of a chapter none is lost: the server has one, ours becomes a draft. @param {Chapter} chapter @param {string} code */
  async notSaved(chapter, code) {
    const gone = code === "conflict" || code === "no_such_chapter" || code === "not_your_study";
    if (!gone) {
      chapter.unsaved = true;
      keepCopy(this.opened);
      this.screen.note("saved.later");
      return;
    }
    keepOwn(chapter);
    toast(t("study.conflict"), "bad");
    await this.reload();
  }

  // What others do ------------------------------------------------------------------------------------

  /** @param {{ study: string, version: number }} message */
  changed({ study, version }) {
    if (this.study?.id !== study) return;
    this.screen.saveNow();
    this.queue(async () => {
      if (!this.own.has(version)) await this.reload();
    });
  }

  /** The study as it is on the server, at the same place as far as that is there. */
  async reload() {
    const before = this.study;
    if (!before) return;
    const fresh = await openStudy(before.id).catch(() => null);
    if (!fresh || this.study !== before) return;
    const shown = this.chapter;
    const moves = this.screen.tree.path();
    const changed = fresh.chapters.find((one) => one.id === shown.id);
    this.study = fresh;
    this.at = changed
      ? fresh.chapters.indexOf(changed)
      : Math.min(this.at, fresh.chapters.length - 1);
    this.draw();
    if (changed && changed.version === shown.version) return;
    const tree = Tree.read(this.chapter.tree);
    tree.walk(moves);
    await this.screen.use(tree);
  }

  destroy() {
    removeEventListener("online", this.online);
  }
}
