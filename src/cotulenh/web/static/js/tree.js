// A tree of moves with comments: the main line, variations, and where we are in it.
import { clear, h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { Kid, TreeData, TreeNode } from "./types.js" */

/** @type {Record<number, string>} */
export const NAGS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
/** @type {Record<string, number>} */
export const NAG_OF = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };

/** @param {TreeNode | null} parent @param {Partial<TreeNode>} [rest] @returns {TreeNode} */
const fresh = (parent, rest = {}) => ({ parent, children: [], comment: "", nags: [], ...rest });

export class Tree {
  /** @param {string} variant @param {string | null} [fen] */
  constructor(variant, fen = null) {
    this.variant = variant;
    this.fen = fen;
    /** @type {Record<string, string>} */
    this.tags = {};
    this.result = "*";
    /** What else belongs to the start: Chess960, an objective. @type {Record<string, any>} */
    this.more = {};
    this.root = fresh(null);
    this.at = this.root;
  }

  /** The server's flat form: parents come before their children. @param {TreeData} data */
  static read(data) {
    const tree = new Tree(data.variant, data.fen);
    const { variant, fen, nodes, tags = {}, result = "*", ...rest } = data;
    const { comment: words = "", arrows: drawn, circles: rings, lines: kept, ...more } = rest;
    Object.assign(tree, { tags, result, more });
    Object.assign(tree.root, { comment: words, arrows: drawn, circles: rings, lines: kept });
    /** @type {TreeNode[]} */
    const made = [];
    for (const { parent: number, ...node } of nodes || []) {
      const parent = number < 0 ? tree.root : made[number];
      const grown = fresh(parent, { san: node.move, label: "", ...node });
      parent.children.push(grown);
      made.push(grown);
    }
    return tree;
  }

  /** @returns {TreeData} */
  write() {
    /** @type {TreeData["nodes"]} */
    const nodes = [];
    const walk = (/** @type {TreeNode} */ node, /** @type {number} */ parent) => {
      for (const child of node.children) {
        const { parent: _, children, ...kept } = child;
        walk(child, nodes.push({ parent, move: "", ...kept }) - 1);
      }
    };
    walk(this.root, -1);
    const { comment, arrows = [], circles = [], lines = [] } = this.root;
    const { variant, fen, tags, result, more } = this;
    const own = { ...more, variant, fen: fen || null, tags, result };
    return { ...own, comment, nodes, arrows, circles, lines };
  }

  /** Goes along some moves as far as they are there. @param {string[]} moves */
  walk(moves) {
    for (const move of moves) {
      const next = this.at.children.find((one) => one.move === move);
      if (!next) return;
      this.at = next;
    }
  }

  /** @param {TreeNode} [node] */
  path(node = this.at) {
    /** @type {string[]} */
    const moves = [];
    for (let one = node; one.parent; one = one.parent) moves.push(one.move || "");
    return moves.reverse();
  }

  /** @param {string} move @param {string} label */
  play(move, label) {
    let child = this.at.children.find((one) => one.move === move);
    if (!child) {
      child = fresh(this.at, { move, san: move, label });
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

  /** @param {TreeNode} [node] */
  end(node = this.at) {
    let last = node;
    while (last.children.length) [last] = last.children;
    return last;
  }

  get empty() {
    return !this.root.children.length && !this.root.comment;
  }
}

/** @param {number[]} nags */
const tone = (nags) =>
  nags.includes(4) ? "bad" : nags.some((n) => n === 2 || n === 6) ? "poor" : "fine";

export class TreeView {
  /** @type {Tree} */
  tree;

  /** @param {(node: TreeNode) => void} pick */
  constructor(pick) {
    this.pick = pick;
    /** @type {Map<Element, TreeNode>} */
    this.nodes = new Map();
    this.node = h("div", {
      class: "tree",
      role: "group",
      "aria-label": t("analysis.moves"),
      tabindex: 0,
    });
    this.node.addEventListener("click", (event) => {
      const pressed = /** @type {HTMLElement} */ (event.target).closest("button");
      const found = pressed && this.nodes.get(pressed);
      if (found) this.pick(found);
    });
  }

  /** @param {Tree} tree */
  set(tree) {
    this.tree = tree;
    this.nodes = new Map();
    const first = this.button(tree.root, [t("analysis.start")], "");
    clear(this.node, first, this.comment(tree.root), this.line(tree.root, true));
    this.reveal();
  }

  /** Only where we are has changed. */
  mark() {
    for (const [node, of] of this.nodes) {
      const here = of === this.tree.at;
      node.classList.toggle("current", here);
      if (here) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
    }
    this.reveal();
  }

  reveal() {
    const current = /** @type {HTMLElement} */ (this.node.querySelector(".current"));
    if (current) this.node.scrollTop = current.offsetTop - this.node.clientHeight / 2;
  }

  /** A line goes on as long as it can; variations stand indented after the move they replace. @param {TreeNode} node @param {boolean} main @returns {Kid[]} */
  line(node, main) {
    /** @type {Kid[]} */
    const parts = [];
    let begins = true;
    for (let here = node; here.children.length; ) {
      const [next, ...others] = here.children;
      parts.push(this.move(next, main, begins), this.comment(next));
      begins = Boolean(next.comment) || others.length > 0;
      for (const one of others) {
        parts.push(
          h(
            "span",
            { class: "variation" },
            this.move(one, false, true),
            this.comment(one),
            this.line(one, false),
          ),
        );
      }
      here = next;
    }
    return parts;
  }

  /** @param {TreeNode} node @param {Kid[]} kids @param {string} cls */
  button(node, kids, cls) {
    const here = node === this.tree.at;
    const made = h(
      "button",
      {
        type: "button",
        class: `node ${cls} ${here ? "current" : ""}`,
        "aria-current": here ? "true" : null,
      },
      kids,
    );
    this.nodes.set(made, node);
    return made;
  }

  /** @param {TreeNode} node @param {boolean} main @param {boolean} begins @returns {Kid} */
  move(node, main, begins) {
    const { label = "" } = node;
    const shown = label.endsWith(".") || (begins && label);
    const marks = node.nags.map((nag) => NAGS[nag] || "").join("");
    const move = this.button(
      node,
      [node.san, marks && h("span", { class: `mark ${tone(node.nags)}` }, marks)],
      main ? "main" : "",
    );
    // A number never stays behind at the end of a line.
    return shown
      ? h("span", { class: "numbered" }, h("span", { class: "number" }, label), move)
      : move;
  }

  /** @param {TreeNode} node */
  comment(node) {
    return node.comment ? h("span", { class: "comment" }, node.comment) : null;
  }
}
