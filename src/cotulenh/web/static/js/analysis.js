// Analysis: a tree of moves, the engine beside it, review of a game, FEN and PGN in and out.
import { button, clear, copy, dialog, h, iconButton, say, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { EnginePanel, EvalBar, Graph } from "./engine.js";
import { Hand } from "./hand.js";
import { api, Line, position, Refused } from "./net.js";
import { NAG_OF, Tree, TreeView } from "./tree.js";
import { Tray } from "./tray.js";
import { boardTools } from "./tools.js";
import { get, playerKey } from "./settings.js";
import { sound } from "./sound.js";
import { t } from "./i18n.js";
import { variants, variantTitle } from "./names.js";

const ARROWS = ["", "second", "third", "third", "third"];

export class AnalysisScreen {
  constructor(root, { go, query }) {
    this.go = go;
    this.view = null;
    this.build(root);
    this.line = new Line({
      onMessage: (message) => this.hear(message),
      onOpen: () => { this.reviewing = 0; this.think(); },
    });
    this.load(query).catch((error) => {
      toast(error.message, "bad");
      this.use(new Tree(get("variant"), null));
    });
  }

  build(root) {
    this.host = h("div", {});
    this.bar = new EvalBar();
    this.engine = new EnginePanel({ toggle: () => this.think(), relines: () => this.think(),
      pick: (line) => this.play(line.moves[0]) });
    this.treeView = new TreeView((node) => this.goTo(node));
    this.graph = new Graph((turn) => this.goTo(this.turnNode(turn)));
    this.tray = new Tray({ commit: (text) => this.play(text), back: () => this.goTo(this.tree.at.parent),
      cancel: () => this.goTo(this.deploymentStart()) });
    this.comment = h("input", { class: "wide", id: "comment", "aria-label": t("analysis.comment"), placeholder: t("analysis.comment"), maxlength: 2000,
      oninput: () => { this.tree.at.comment = this.comment.value; this.treeView.set(this.tree); } });
    this.variant = h("select", { "aria-label": t("new.variant"), onchange: () => this.use(new Tree(this.variant.value, null)) },
      variants().map((one) => h("option", { value: one.name }, variantTitle(one.name))));
    this.tools = h("div", { class: "tools" });
    clear(root, h("div", { class: "screen analysis" },
      h("div", { class: "board-column" }, h("div", { class: "eval-row" }, this.bar.node, this.host)),
      h("aside", { class: "side scroll", "aria-label": t("nav.analysis") },
        this.tray.node, this.engine.node, this.graph.node, this.treeView.node, this.comment,
        h("div", { class: "steps" },
          iconButton("first", t("nav.first"), () => this.goTo(this.tree.root)),
          iconButton("prev", t("nav.prev"), () => this.goTo(this.tree.at.parent || this.tree.root)),
          iconButton("next", t("nav.next"), () => this.goTo(this.tree.at.children[0] || this.tree.at)),
          iconButton("last", t("nav.last"), () => this.goTo(this.tree.end()))),
        h("div", { class: "actions" }, this.variant,
          button(t("analysis.import"), () => this.importDialog(), { "data-do": "import" }),
          button(t("analysis.export"), () => this.exportDialog(), { "data-do": "export" }),
          button(t("analysis.share"), () => this.share(), { icon: "link", "data-do": "share" }),
          button(t("analysis.review"), () => this.review(), { icon: "chart", "data-do": "review" }),
          button(t("analysis.promote"), () => { this.tree.promote(); this.show(); }),
          button(t("analysis.delete"), () => { this.tree.remove(); this.show(); }, { icon: "trash" }),
          button(t("analysis.edit"), () => this.go(`/editor?v=${this.tree.variant}&fen=${encodeURIComponent(this.view.fen)}`)),
          button(t("analysis.play"), () => this.playFrom())),
        this.tools)));
    this.board = new BoardView(this.host, { variant: get("variant") });
    this.hand = new Hand(this.board, { may: () => Boolean(this.view), play: (move) => this.play(move.text) });
    boardTools(this.tools, this.board, () => this.turned());
  }

  // Where a tree comes from ---------------------------------------------------------------------------

  async load(query) {
    if (query.get("game")) {
      const game = await api(`/api/games/${encodeURIComponent(query.get("game"))}`);
      const tree = new Tree(game.view.variant, game.fen0);
      await this.grow(tree, game.moves);
      return this.use(tree);
    }
    const tree = new Tree(query.get("v") || get("variant"), query.get("fen"));
    await this.grow(tree, (query.get("m") || "").split(",").filter(Boolean));
    return this.use(tree);
  }

  // Notation comes from the server: the whole line is written and read back once.
  async grow(tree, moves) {
    if (!moves.length) return;
    for (const move of moves) tree.play(move, "");
    const line = await api("/api/line", { variant: tree.variant, fen: tree.fen || null, moves });
    tree.mainLine().forEach((node, i) => Object.assign(node, { san: line[i].san, label: line[i].label }));
  }

  use(tree) {
    this.tree = tree;
    this.variant.value = tree.variant;
    this.graph.node.hidden = true;
    this.graph.svg.classList.toggle("chess", tree.variant === "chess");
    this.bar.set(0, null, { flip: this.board.flip, chess: tree.variant === "chess" });
    return this.show();
  }

  // Moving about ------------------------------------------------------------------------------------

  async goTo(node) {
    if (!node) return;
    this.tree.at = node;
    await this.show(true);
  }

  async play(text) {
    const { view } = this;
    const label = view.deployment ? "" : `${view.number}${view.turn ? "…" : "."}`;
    this.tree.play(text, label);
    await this.show(true);
    sound(this.view?.check ? "check" : "move");
  }

  async show(animate = false) {
    const { tree } = this;
    const node = tree.at;
    let view;
    try {
      view = await position(tree.variant, tree.fen, tree.path());
    } catch (error) {
      toast(error.message, "bad");
      if (node.parent) { tree.remove(); return this.show(); }
      throw error;
    }
    if (tree.at !== node || tree !== this.tree) return undefined;
    if (view.played) node.san = view.played;
    this.view = view;
    this.board.set(view, { animate });
    this.board.showArrows([]);
    this.hand.setView(view);
    this.tray.set(view, true);
    this.treeView.set(tree);
    this.comment.value = node.comment;
    this.graph.draw(this.turnOf(node));
    if (node.parent) say(`${node.label} ${node.san}${view.outcome ? `. ${t(`reason.${view.outcome.reason}`)}` : ""}`);
    this.think();
    return undefined;
  }

  turned() {
    this.bar.node.classList.toggle("flip", this.board.flip);
    this.show();
  }

  deploymentStart() {
    let node = this.tree.at;
    for (let n = this.view.deployment.steps.length; n > 0 && node.parent; n -= 1) node = node.parent;
    return node;
  }

  // A turn begins where a label stands; turn 0 is the start.
  turnNode(turn) {
    let count = 0;
    let found = this.tree.root;
    for (const node of this.tree.mainLine()) {
      if (node.label && count === turn) break;
      if (node.label) count += 1;
      found = node;
    }
    return found;
  }

  turnOf(node) {
    let count = 0;
    for (let one = node; one.parent; one = one.parent) if (one.label) count += 1;
    return count;
  }

  key(event) {
    const { tree } = this;
    const to = { ArrowLeft: tree.at.parent || tree.root, ArrowRight: tree.at.children[0] || tree.at,
      Home: tree.root, End: tree.end() }[event.key];
    if (to) this.goTo(to);
    else if (event.key === "f") { this.board.setFlip(!this.board.flip); this.turned(); }
    else return false;
    return true;
  }

  // The engine --------------------------------------------------------------------------------------

  think() {
    if (!this.view || !this.line) return;
    if (!this.engine.on) { this.line.send("stop"); this.board.showArrows([]); return; }
    if (this.reviewing) return;
    this.asked = this.line.send("analyse", { variant: this.tree.variant, fen: this.tree.fen || null,
      moves: this.tree.path(), lines: get("lines") });
  }

  hear(message) {
    if (message.t === "refused") {
      if (message.id === this.reviewing) this.reviewing = 0;
      toast(new Refused(message.code, message.text).message, "bad");
    }
    else if (message.t === "lines" && message.id === this.asked && this.engine.on) {
      this.engine.set(message);
      if (!message.lines.length) return;
      const [best] = message.lines;
      this.bar.set(best.score, best.mate, { flip: this.board.flip, chess: this.tree.variant === "chess" });
      this.board.showArrows(message.lines.map((line, i) => ({ from: line.arrow[0], to: line.arrow[1], cls: ARROWS[i] })).reverse());
    } else if (message.t === "judged" && message.id === this.reviewing) this.judged(message);
  }

  review() {
    if (!this.tree.root.children.length) return;
    this.graph.start();
    this.reviewing = this.line.send("review", { variant: this.tree.variant, fen: this.tree.fen || null,
      moves: this.tree.path(this.tree.end(this.tree.root)) });
  }

  judged(message) {
    this.graph.add(message);
    if (message.mark) {
      const node = this.turnNode(message.turn);
      node.nags = [NAG_OF[message.mark]];
      if (!node.comment) node.comment = t("analysis.best", { best: message.best });
      this.treeView.set(this.tree);
      this.graph.tell((turn) => { const one = this.turnNode(turn); return `${one.label} ${one.san}`; });
    }
    if (message.turn === message.of) { this.reviewing = 0; this.think(); }
  }

  // In and out --------------------------------------------------------------------------------------

  importDialog() {
    const text = h("textarea", { rows: 8, id: "import-text", "aria-label": t("analysis.paste"), placeholder: t("analysis.paste") });
    dialog(t("analysis.import"), (close) => h("div", { class: "settings" }, text,
      button(t("analysis.load"), async () => {
        try {
          await this.importText(text.value.trim());
          close();
        } catch (error) { toast(`${error.message} ${error.detail || ""}`, "bad"); }
      }, { cls: "primary", "data-do": "load" })), { cls: "wide" });
  }

  async importText(text) {
    const isFen = /^[^\s[]+\/[^\s]+\s+[rbw]\s/.test(text);
    if (!isFen) return this.use(Tree.read(await api("/api/pgn/read", { text, variant: this.variant.value })));
    await position(this.variant.value, text, []);
    return this.use(new Tree(this.variant.value, text));
  }

  async exportDialog() {
    const { text } = await api("/api/pgn/write", this.tree.write());
    dialog(t("analysis.export"), () => h("div", { class: "settings" },
      h("label", { class: "field" }, "FEN", h("input", { class: "wide fen", readonly: true, value: this.view.fen })),
      h("label", { class: "field" }, "PGN", h("textarea", { rows: 10, readonly: true, id: "export-text", class: "fen" }, text)),
      button(t("copy.link").split(" ")[0], async () => { if (await copy(text)) toast(t("copied")); })), { cls: "wide" });
  }

  async share() {
    const query = new URLSearchParams({ v: this.tree.variant });
    if (this.tree.fen) query.set("fen", this.tree.fen);
    const moves = this.tree.path();
    if (moves.length) query.set("m", moves.join(","));
    const address = `/analysis?${query}`;
    history.replaceState(null, "", address);
    if (await copy(location.href)) toast(t("copied"));
    else dialog(t("analysis.share"), () => h("input", { class: "wide", readonly: true, value: location.href }));
  }

  async playFrom() {
    try {
      const { id } = await api("/api/games", { key: playerKey(), mode: "engine", variant: this.tree.variant,
        fen: this.view.fen, side: this.view.turn, level: get("level") });
      this.go(`/game/${id}`);
    } catch (error) { toast(error.message, "bad"); }
  }

  destroy() {
    this.line.close();
    this.board.destroy();
  }
}
