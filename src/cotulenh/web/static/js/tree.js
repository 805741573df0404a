// A tree of moves with comments: the main line, variations, and where we are in it.
import { clear, h } from "./dom.js";
import { t } from "./i18n.js";

const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
export const NAG_OF = { "??": 4, "?": 2, "?!": 6 };

export class Tree {
  constructor(variant, fen) {
    this.variant = variant;
    this.fen = fen;
    this.tags = {};
    this.root = { parent: null, children: [], comment: "", nags: [] };
    this.at = this.root;
  }

  // The server's flat form: parents come before their children.
  static read(data) {
    const tree = new Tree(data.variant, data.fen);
    tree.tags = data.tags || {};
    tree.root.comment = data.comment || "";
    const made = [];
    for (const node of data.nodes || []) {
      const parent = node.parent < 0 ? tree.root : made[node.parent];
      const grown = { parent, children: [], move: node.move, san: node.san, label: node.label || "",
        comment: node.comment || "", nags: node.nags || [] };
      parent.children.push(grown);
      made.push(grown);
    }
    return tree;
  }

  write() {
    const nodes = [];
    const walk = (node, parent) => {
      for (const child of node.children) {
        const index = nodes.push({ parent, move: child.move, comment: child.comment, nags: child.nags }) - 1;
        walk(child, index);
      }
    };
    walk(this.root, -1);
    return { variant: this.variant, fen: this.fen || null, tags: this.tags, comment: this.root.comment, nodes };
  }

  path(node = this.at) {
    const moves = [];
    for (let one = node; one.parent; one = one.parent) moves.unshift(one.move);
    return moves;
  }

  play(move, label) {
    let child = this.at.children.find((one) => one.move === move);
    if (!child) {
      child = { parent: this.at, children: [], move, san: move, label, comment: "", nags: [] };
      this.at.children.push(child);
    }
    this.at = child;
    return child;
  }

  promote() {
    for (let node = this.at; node.parent; node = node.parent) {
      const { children } = node.parent;
      children.splice(children.indexOf(node), 1);
      children.unshift(node);
    }
  }

  remove() {
    const gone = this.at;
    if (!gone.parent) return;
    gone.parent.children.splice(gone.parent.children.indexOf(gone), 1);
    this.at = gone.parent;
  }

  mainLine() {
    const line = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  end(node = this.at) {
    let last = node;
    while (last.children.length) [last] = last.children;
    return last;
  }
}

export class TreeView {
  constructor(pick) {
    this.pick = pick;
    this.node = h("div", { class: "tree", role: "group", "aria-label": t("analysis.moves"), tabindex: 0 });
  }

  set(tree) {
    this.tree = tree;
    const first = h("button", { type: "button", class: `node${tree.at === tree.root ? " current" : ""}`,
      onclick: () => this.pick(tree.root) }, t("analysis.start"));
    clear(this.node, first, this.comment(tree.root), this.line(tree.root, true));
    const current = this.node.querySelector(".current");
    if (current) this.node.scrollTop = current.offsetTop - this.node.offsetTop - this.node.clientHeight / 2;
  }

  // A line goes on as long as it can; variations stand indented after the move they replace.
  line(node, main) {
    const parts = [];
    let fresh = true;
    for (let here = node; here.children.length;) {
      const [next, ...others] = here.children;
      parts.push(this.move(next, main, fresh));
      fresh = Boolean(next.comment) || others.length > 0;
      parts.push(this.comment(next));
      for (const other of others) {
        parts.push(h("span", { class: "variation" }, this.move(other, false, true), this.comment(other), this.line(other, false)));
      }
      here = next;
    }
    return parts;
  }

  move(node, main, fresh) {
    const shown = node.label.endsWith(".") || (fresh && node.label);
    const marks = node.nags.map((nag) => NAGS[nag] || "").join("");
    return [shown ? h("span", { class: "number" }, node.label) : null,
      h("button", { type: "button", class: `node${main ? " main" : ""}${node === this.tree.at ? " current" : ""}`,
        "aria-current": node === this.tree.at ? "true" : null, onclick: () => this.pick(node) },
      node.san, marks && h("span", { class: "mark" }, marks))];
  }

  comment(node) {
    return node.comment ? h("span", { class: "comment" }, node.comment) : null;
  }
}
