// Analysis: a tree of moves that stays, the engine beside it, review, studies, PGN in and out.
import { button, clear, h, iconButton, say, toast } from "./dom.js";
import { EnginePanel, EvalBar, Graph } from "./engine.js";
import { Explorer } from "./explorer.js";
import { keepReview, keptReview } from "./end.js";
import { api, Connection, position, pure, Refused } from "./net.js";
import { Chapters } from "./chapters.js";
import { drafts, keepDraft, newId } from "./shelf.js";
import { Stage } from "./stage.js";
import { NAG_OF, NAGS, Tree, TreeView } from "./tree.js";
import { get, recall } from "./settings.js";
import { sound } from "./sound.js";
import { gameTree, grow } from "./sources.js";
import { t } from "./i18n.js";
import { arrowsOf, betterText } from "./better.js";
import { InOut } from "./inout.js";
import { Mistakes } from "./mistakes.js";
import { isVariant, sideName } from "./names.js";

/** @import { BoardView } from "./board.js" */
/** @import { Arrow, EngineLine, Judged, Lines, Move, Route, TreeNode, View } from "./types.js" */

const ARROWS = ["", "second", "third", "third", "third"];
const SAVE_AFTER = 900;

export class AnalysisScreen {
  /** @type {Stage} */
  stage;
  /** @type {BoardView} */
  board;
  /** @type {HTMLButtonElement} */
  rings;
  /** @type {EvalBar} */
  bar;
  /** @type {EnginePanel} */
  engine;
  /** @type {TreeView} */
  treeView;
  /** @type {Graph} */
  graph;
  /** @type {Explorer} */
  explorer;
  /** @type {Mistakes} */
  mistakes;
  /** @type {InOut} */
  inout;
  /** @type {HTMLParagraphElement} */
  words;
  /** @type {HTMLSpanElement} */
  saved;
  /** @type {HTMLInputElement} */
  comment;
  /** @type {HTMLDivElement} */
  tabs;
  /** @type {{ moves: HTMLDivElement; openings: HTMLDivElement; }} */
  panels;
  /** @type {Tree} */
  tree;
  /** @type {View} from the first position on */
  view;

  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { go, query, id }) {
    this.go = go;
    this.chapters = new Chapters(this);
    this.draft = newId();
    this.reviewing = 0;
    /** @type {Judged[]} */
    this.judged = [];
    this.build(root);
    this.connection = new Connection({
      onMessage: (message) => this.hear(message),
      onOpen: () => {
        this.chapters.watch();
        this.chapters.saveAll();
        if (this.reviewing) this.review();
        else this.think();
      },
    });
    this.leaving = () => {
      if (document.visibilityState === "hidden") this.saveNow(true);
    };
    this.left = () => this.saveNow(true);
    addEventListener("pagehide", this.left);
    document.addEventListener("visibilitychange", this.leaving);
    this.load(query, id).catch((error) => {
      toast(error.message, "bad");
      this.use(new Tree(get("variant")));
    });
  }

  /** @param {HTMLElement} root */
  build(root) {
    this.stage = new Stage({
      variant: get("variant"),
      may: () => Boolean(this.view),
      play: (move) => this.play(move.text, move),
      back: (steps) => this.backSteps(steps),
      turned: () => this.turned(),
      noted: (notes) => this.noted(notes),
    });
    this.stage.hand.keepNotes = true;
    this.board = this.stage.board;
    this.rings = this.stage.tools.ringButton();
    this.bar = new EvalBar();
    this.engine = new EnginePanel({
      toggle: () => this.think(),
      relines: () => this.think(),
      pick: (line) => this.play(line.moves[0]),
      keep: (message) => this.keepLines(message),
    });
    this.treeView = new TreeView((node) => this.goTo(node));
    this.graph = new Graph({
      pick: (turn) => this.goTo(this.turnNode(turn)),
      learn: () => this.mistakes.learn(),
      lessons: () => this.mistakes.offered(),
    });
    this.explorer = new Explorer((move) => this.play(move));
    this.mistakes = new Mistakes(this);
    this.inout = new InOut(this);
    this.words = h("p", { class: "better", role: "status" });
    this.graph.node.append(this.words);
    this.saved = h("span", { class: "note saved", role: "status" });
    this.comment = h("input", {
      class: "wide",
      id: "comment",
      "aria-label": t("analysis.comment"),
      placeholder: t("analysis.comment"),
      maxlength: 2000,
    });
    this.comment.addEventListener("input", () => {
      this.tree.at.comment = this.comment.value;
      this.treeView.set(this.tree);
      this.changed();
    });
    const glyphs = h(
      "div",
      { class: "glyphs", role: "group", "aria-label": t("analysis.glyphs") },
      ["!!", "!", "!?", "?!", "?", "??"].map((mark) =>
        button(mark, () => this.glyph(mark), { "aria-label": t(`glyph.${mark}`) }),
      ),
    );
    const tab = (/** @type {string} */ name) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `panel-${name}`,
          "aria-selected": String(name === "moves"),
          onclick: () => this.tab(name),
        },
        t(`tab.${name}`),
      );
    this.tabs = h(
      "div",
      { class: "tree-tabs" },
      h(
        "span",
        { role: "tablist", "aria-label": t("analysis.moves") },
        tab("moves"),
        tab("openings"),
      ),
      this.saved,
    );
    this.panels = {
      moves: h(
        "div",
        {
          role: "tabpanel",
          id: "panel-moves",
          "aria-labelledby": "tab-moves",
          class: "panel",
        },
        this.treeView.node,
        h("div", { class: "comment-box" }, this.comment, glyphs),
      ),
      openings: h(
        "div",
        { role: "tabpanel", id: "panel-openings", "aria-labelledby": "tab-openings", hidden: true },
        this.explorer.node,
      ),
    };
    clear(
      root,
      h(
        "div",
        { class: "screen analysis" },
        h(
          "div",
          { class: "center" },
          h("div", { class: "eval-row" }, this.bar.node, this.stage.host),
        ),
        h(
          "aside",
          { class: "right", "aria-label": t("nav.analysis") },
          this.stage.context,
          this.engine.node,
          this.graph.node,
          this.mistakes.node,
          this.stage.card.node,
          h(
            "div",
            { class: "tree-card" },
            this.chapters.node,
            this.tabs,
            this.panels.moves,
            this.panels.openings,
          ),
          h(
            "div",
            { class: "steps" },
            iconButton("first", t("nav.first"), () => this.goTo(this.tree.root)),
            iconButton("prev", t("nav.prev"), () =>
              this.goTo(this.tree.at.parent || this.tree.root),
            ),
            iconButton("next", t("nav.next"), () =>
              this.goTo(this.tree.at.children[0] || this.tree.at),
            ),
            iconButton("last", t("nav.last"), () => this.goTo(this.tree.end())),
            iconButton("flip", t("flip"), () => this.stage.tools.flip(), { "data-tool": "flip" }),
            this.rings,
            iconButton("share", t("analysis.share"), () => this.inout.share(), {
              "data-do": "share",
            }),
            iconButton("more", t("more"), () => this.inout.more(), { "data-do": "more" }),
          ),
        ),
      ),
    );
  }

  /** @param {string} name */
  tab(name) {
    for (const node of this.tabs.querySelectorAll("[role=tab]")) {
      node.setAttribute("aria-selected", String(node.id === `tab-${name}`));
    }
    this.panels.moves.hidden = name !== "moves";
    this.panels.openings.hidden = name !== "openings";
    this.explorer.active = name === "openings";
    if (this.view) this.explorer.show(this.tree);
  }

  // Where a tree comes from ---------------------------------------------------------------------------

  /** @param {URLSearchParams} query @param {string} [study] */
  async load(query, study) {
    if (study) return this.chapters.open(study);
    const game = query.get("game");
    if (game) return this.loadGame(game, query.has("review"));
    const wanted = query.get("v") || "";
    const variant = isVariant(wanted) ? wanted : get("variant");
    const kept = query.get("draft")
      ? drafts().find((one) => one.id === query.get("draft"))
      : drafts()[0];
    const asked = ["v", "fen", "m", "new"].some((name) => query.has(name));
    if (kept && !asked) {
      this.draft = kept.id;
      return this.use(Tree.read(kept.tree));
    }
    const tree = new Tree(variant, query.get("fen"));
    await position(variant, tree.fen, []); // a position that cannot be is said at once
    await grow(tree, (query.get("m") || "").split(",").filter(Boolean));
    return this.use(tree);
  }

  /** @param {string} id @param {boolean} review */
  async loadGame(id, review) {
    const game = await api(`/api/games/${encodeURIComponent(id)}`).catch((error) => {
      const kept = recall(`cotulenh.game.${id}`, null);
      if (kept) return kept;
      throw error;
    });
    this.gameId = id;
    this.draft = `game-${id}`;
    const kept = drafts().find((one) => one.id === this.draft);
    if (kept) {
      await this.use(Tree.read(kept.tree));
    } else {
      const tree = gameTree(game);
      await grow(tree, game.moves);
      await this.use(tree);
    }
    const old = keptReview(id);
    if (old) this.showReview(old);
    else if (review) this.review();
  }

  /** @param {Tree} tree */
  use(tree) {
    this.tree = tree;
    const chess = tree.variant === "chess";
    this.graph.node.hidden = true;
    this.judged = [];
    this.graph.svg.classList.toggle("chess", chess);
    this.rings.hidden = chess; // there is no air defence in chess
    this.graph.names = [0, 1].map((side) => sideName(tree.variant, side));
    this.treeView.set(tree);
    return this.show();
  }

  get study() {
    return this.chapters.study;
  }

  // Keeping it --------------------------------------------------------------------------------------

  /** @param {string} key */
  note(key) {
    this.saved.textContent = t(key);
  }

  changed() {
    clearTimeout(this.saving);
    this.dirty = true;
    this.saving = setTimeout(() => this.saveNow(), SAVE_AFTER);
  }

  saveNow(leaving = false) {
    clearTimeout(this.saving);
    if (!this.dirty || !this.tree) return;
    this.dirty = false;
    if (this.study && this.chapters.mine) {
      this.chapters.save(leaving);
      return;
    }
    if (this.tree.empty) return;
    const title = this.tree
      .mainLine()
      .slice(0, 4)
      .map((node) => node.san)
      .join(" ");
    const kept = keepDraft({ id: this.draft, title, at: Date.now(), tree: this.tree.write() });
    this.note(kept ? "saved.device" : "saved.not");
  }

  // Moving about ------------------------------------------------------------------------------------

  /** @param {TreeNode | undefined} node */
  async goTo(node) {
    if (!node) return;
    this.tree.at = node;
    await this.show(true);
  }

  /** @param {string} text @param {Move} [move] */
  async play(text, move) {
    if (this.mistakes.at && !this.mistakes.tried(text)) return;
    const { view } = this;
    const label = view.deployment ? "" : `${view.number}${view.turn ? "…" : "."}`;
    const known = this.tree.at.children.length;
    const here = this.tree.at;
    this.tree.play(text, label);
    if (here.children.length !== known) this.changed();
    await this.show(!move);
    this.treeView.set(this.tree);
    sound(this.view?.check ? "check" : "move");
  }

  /** @param {boolean} [animate] @returns {Promise<void>} */
  async show(animate = false) {
    const { tree } = this;
    const node = tree.at;
    /** @type {View} */
    let view;
    try {
      view = await position(tree.variant, tree.fen, tree.path());
    } catch (error) {
      toast(error.message, "bad");
      if (node.parent && error.code !== "offline") tree.remove();
      else if (node.parent) tree.at = node.parent;
      if (node.parent) await this.show();
      return;
    }
    if (tree.at !== node || tree !== this.tree) return;
    const renamed = view.played && node.parent && node.san !== view.played;
    if (renamed) node.san = view.played;
    this.view = view;
    this.stage.show(view, { animate });
    this.board.showArrows([]);
    this.stage.hand.setNotes(notesOf(node));
    if (renamed || !this.treeView.nodes.size) this.treeView.set(tree);
    else this.treeView.mark();
    this.comment.value = node.comment;
    this.graph.draw(this.turnOf(node));
    this.explorer.show(tree);
    if (node.parent)
      say(
        `${node.label} ${node.san}${view.outcome ? `. ${t(`reason.${view.outcome.reason}`)}` : ""}`,
      );
    this.think();
    this.showBetter(node);
  }

  turned() {
    this.bar.node.classList.toggle("flip", this.board.flip);
  }

  /** @param {number} steps */
  backSteps(steps) {
    let node = this.tree.at;
    const own = Math.min(steps, this.view.deployment?.steps.length || 0);
    for (let n = 0; n < own && node.parent; n += 1) node = node.parent;
    this.goTo(node);
  }

  /** A turn begins where a label stands; turn 0 is the start. The last step of a turn stands for it. @param {number} turn */
  turnNode(turn) {
    let count = 0;
    let found = this.tree.root;
    for (const node of this.tree.mainLine()) {
      if (node.label) count += 1;
      if (count > turn) break;
      found = node;
    }
    return found;
  }

  /** @param {TreeNode} node */
  turnOf(node) {
    let count = 0;
    for (let one = node; one.parent; one = one.parent) if (one.label) count += 1;
    return count;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { tree } = this;
    if (!tree) return false;
    /** @type {Record<string, TreeNode>} */
    const places = {
      ArrowLeft: tree.at.parent || tree.root,
      ArrowRight: tree.at.children[0] || tree.at,
      Home: tree.root,
      End: tree.end(),
    };
    if (places[event.key]) this.goTo(places[event.key]);
    else if (event.key === "f") this.stage.tools.flip();
    else if (event.key === "r") this.stage.tools.cycle();
    else return false;
    return true;
  }

  /** @param {Arrow[]} notes */
  noted(notes) {
    const node = this.tree.at;
    const color = (/** @type {Arrow} */ one) => one.cls || "G";
    node.arrows = notes
      .filter((one) => one.from !== one.to)
      .map((one) => [one.from, one.to, color(one)]);
    node.circles = notes.filter((one) => one.from === one.to).map((one) => [one.from, color(one)]);
    this.changed();
  }

  /** @param {string} mark */
  glyph(mark) {
    const node = this.tree.at;
    if (!node.parent) return;
    const nag = NAG_OF[mark];
    const others = node.nags.filter((one) => !NAGS[one]);
    node.nags = node.nags.includes(nag) ? others : [nag, ...others];
    this.treeView.set(this.tree);
    this.changed();
  }

  // The engine --------------------------------------------------------------------------------------

  think() {
    if (!this.view || !this.connection) return;
    if (!this.engine.on) {
      this.connection.send("stop");
      this.board.showArrows([]);
      this.showBar();
      this.showBetter(this.tree.at);
      this.showKept();
      return;
    }
    if (this.reviewing) return;
    const ask = {
      variant: this.tree.variant,
      fen: this.tree.fen || null,
      moves: this.tree.path(),
      lines: get("lines"),
    };
    this.asked = this.connection.send("analyse", ask);
    if (!this.asked) this.engine.empty(t("refused.offline"));
  }

  /** @param {any} message */
  hear(message) {
    if (message.t === "refused") {
      if (message.id === this.reviewing) this.reviewRefused();
      toast(new Refused(message.code, message.text, message.args).message, "bad");
    } else if (message.t === "waiting") {
      if (message.id === this.reviewing)
        this.graph.note.textContent = t("engine.waits", { place: message.place });
      else if (message.id === this.asked) this.engine.wait(message.place);
    } else if (message.t === "lines" && message.id === this.asked && this.engine.on)
      this.lines(message);
    else if (message.t === "judged" && message.id === this.reviewing) this.judge(message);
    else if (message.t === "reviewed" && message.id === this.reviewing) this.reviewed(message);
    else if (message.t === "study_changed") this.chapters.changed(message);
  }

  /** @param {any} message */
  lines(message) {
    const chess = this.tree.variant === "chess";
    this.engine.set(message, chess);
    if (!message.lines.length) {
      this.showBar();
      return;
    }
    const [best] = message.lines;
    this.bar.set(best.score, best.mate, { flip: this.board.flip, chess });
    this.board.showArrows(
      message.lines
        .map((/** @type {EngineLine} */ line, /** @type {number} */ n) => ({
          from: line.arrow[0],
          to: line.arrow[1],
          cls: ARROWS[n],
        }))
        .reverse(),
    );
  }

  /** What is known without the engine: the end of the game, its review, an evaluation that was kept. */
  showBar() {
    const { at: node, variant } = this.tree;
    const look = { flip: this.board.flip, chess: variant === "chess" };
    const turn = this.turnOf(node);
    const judged = node === this.turnNode(turn) ? this.judged[turn] : undefined;
    const known = judged || node.eval || node.lines?.[0];
    const winner = this.view.outcome?.winner;
    if (this.view.outcome) this.bar.set(winner === 0 ? 100000 : winner ? -100000 : 0, null, look);
    else if (known) this.bar.set(known.score ?? 0, known.mate ?? null, look);
    else this.bar.none(look);
  }

  /** What the engine found stays with the position. @param {Lines} message */
  keepLines({ depth, lines }) {
    const node = this.tree.at;
    node.lines = lines.map(({ score, mate, moves }) => ({ score, mate, depth, moves }));
    if (node.parent) node.eval = { score: lines[0].score, mate: lines[0].mate, depth };
    this.changed();
    toast(t("lines.kept"));
  }

  /** While the engine rests, the lines that were kept. */
  async showKept() {
    const node = this.tree.at;
    const kept = node.lines || [];
    this.engine.kept(kept, []);
    if (!kept.length) return;
    const { variant, fen } = this.tree;
    const path = this.tree.path();
    const ask = (/** @type {string[]} */ moves) =>
      pure("/api/line", { variant, fen: fen || null, moves: [...path, ...moves] })
        .then((all) => all.slice(path.length).map((/** @type {any} */ one) => one.san))
        .catch(() => moves);
    const sans = await Promise.all(kept.map((one) => ask(one.moves)));
    if (this.tree.at === node && !this.engine.on) this.engine.kept(kept, sans);
  }

  // Review ------------------------------------------------------------------------------------------

  review() {
    if (!this.tree.root.children.length) {
      toast(t("analysis.nothing"));
      return;
    }
    this.graph.start();
    this.judged = [];
    const moves = this.tree.path(this.tree.end(this.tree.root));
    this.reviewing =
      this.connection.send("review", {
        variant: this.tree.variant,
        fen: this.tree.fen || null,
        moves,
      }) || -1;
  }

  /** Nothing was judged, so there is nothing to show; why is said by whoever refused. */
  reviewRefused() {
    this.reviewing = 0;
    this.graph.node.hidden = true;
  }

  /** @param {Judged} message */
  judge(message) {
    this.judged[message.turn] = message;
    this.graph.add(message);
    this.stamp(message);
    if (message.turn >= message.of && message.accuracy === undefined) this.reviewed({});
  }

  /** Marks a turn of the tree. @param {Judged} judged */
  stamp(judged) {
    if (!judged.mark) return;
    const node = this.turnNode(judged.turn);
    if (!node.parent) return;
    node.nags = [NAG_OF[judged.mark], ...node.nags.filter((nag) => !NAGS[nag])];
    this.treeView.set(this.tree);
    this.changed();
  }

  /** @param {{ accuracy?: number[], counts?: number[][] }} message */
  reviewed({ accuracy, counts }) {
    this.reviewing = 0;
    this.graph.summary(accuracy, counts);
    if (this.gameId) keepReview(this.gameId, { judged: this.judged, accuracy, counts });
    this.think();
    this.showBetter(this.tree.at);
  }

  /** @param {{ judged: Judged[], accuracy?: number[], counts?: number[][] }} review */
  showReview({ judged, accuracy, counts }) {
    this.graph.start();
    for (const one of judged) {
      if (!one) continue;
      this.judged[one.turn] = one;
      this.graph.add(one);
      this.stamp(one);
    }
    this.graph.summary(accuracy, counts);
    this.graph.draw(this.turnOf(this.tree.at));
    this.think();
    this.showBetter(this.tree.at);
  }

  /** The better turn, as an arrow and in words. @param {TreeNode} node */
  showBetter(node) {
    const judged = this.judged[this.turnOf(node)];
    const main = node === this.turnNode(this.turnOf(node));
    const shown = judged?.mark && main && !this.mistakes.at;
    clear(
      this.words,
      shown && h("b", { class: "mark" }, `${judged.san || node.san} ${judged.mark}`),
      shown && betterText(this.tree.variant, judged),
    );
    if (!shown || this.engine.on) return;
    this.board.showArrows(arrowsOf(judged));
  }

  /** @param {() => void} change */
  edited(change) {
    change();
    this.treeView.set(this.tree);
    this.changed();
    this.show();
  }

  /** Another board; what was here stays among the drafts. @param {string} variant */
  fresh(variant) {
    this.saveNow();
    this.chapters.close();
    this.gameId = null;
    this.draft = newId();
    this.note("analysis.fresh");
    history.replaceState(null, "", `/analysis?new=1&v=${variant}`);
    this.use(new Tree(variant));
  }

  /** @param {Tree} tree */
  take(tree) {
    this.saveNow();
    this.draft = newId();
    this.use(tree);
    this.changed();
  }

  destroy() {
    this.saveNow();
    removeEventListener("pagehide", this.left);
    document.removeEventListener("visibilitychange", this.leaving);
    this.connection.close();
    this.chapters.destroy();
    this.stage.destroy();
  }
}

/** @param {TreeNode} node @returns {Arrow[]} */
function notesOf(node) {
  const arrows = (node.arrows || []).map(([from, to, cls]) => ({ from, to, cls }));
  return [...arrows, ...(node.circles || []).map(([from, cls]) => ({ from, to: from, cls }))];
}
