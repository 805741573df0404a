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
    this.root = fresh(null);
    this.at = this.root;
  }

  /** The server's flat form: parents come before their children. @param {TreeData} data */
  static read(data) {
    const tree = new Tree(data.variant, data.fen);
    tree.tags = data.tags || {};
    tree.result = data.result || "*";
    Object.assign(tree.root, {
      comment: data.comment || "",
      arrows: data.arrows,
      circles: data.circles,
    });
    /** @type {TreeNode[]} */
    const made = [];
    for (const node of data.nodes || []) {
      const parent = node.parent < 0 ? tree.root : made[node.parent];
      const { move, san = node.move, label = "", comment = "", nags = [], arrows, circles } = node;
      const grown = fresh(parent, { move, san, label, comment, nags, arrows, circles });
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
        const { move, san, label, comment, nags, arrows, circles } = child;
        const kept = { parent, move, san, label, comment, nags };
        if (arrows?.length) Object.assign(kept, { arrows });
        if (circles?.length) Object.assign(kept, { circles });
        walk(child, nodes.push(kept) - 1);
      }
    };
    walk(this.root, -1);
    const { comment, arrows, circles } = this.root;
    const own = {
      variant: this.variant,
      fen: this.fen || null,
      tags: this.tags,
      result: this.result,
    };
    return { ...own, comment, nodes, arrows: arrows || [], circles: circles || [] };
  }

  /** @param {TreeNode} [node] */
  path(node = this.at) {
    const moves = [];
    for (let one = node; one.parent; one = one.parent) moves.push(one.move);
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
      const found = this.nodes.get(/** @type {HTMLElement} */ (event.target).closest("button"));
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
    const shown = node.label.endsWith(".") || (begins && node.label);
    const marks = node.nags.map((nag) => NAGS[nag] || "").join("");
    return [
      shown ? h("span", { class: "number" }, node.label) : null,
      this.button(
        node,
        [node.san, marks && h("span", { class: `mark ${tone(node.nags)}` }, marks)],
        main ? "main" : "",
      ),
    ];
  }

  /** @param {TreeNode} node */
  comment(node) {
    return node.comment ? h("span", { class: "comment" }, node.comment) : null;
  }
}
