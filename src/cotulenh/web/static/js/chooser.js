// Choices about the board. They stand beside or below it, never over the points they speak of.
import { button, clear, h, iconButton, icon } from "./dom.js";
import { t } from "./i18n.js";
import { groupPieces, pieceIcon, pieceName } from "./names.js";

/** @import { Kid, Piece, Square } from "./types.js" */
/** @import { Hand } from "./hand.js" */
/**
 * @typedef {object} Choice
 * @property {string} label
 * @property {Kid} [content]
 * @property {string} [cls]
 * @property {() => void} action
 */

/** The place of choices is there, and in sight, while any of them is open. @param {HTMLElement} node */
export function markBusy(node) {
  const place = node.parentElement;
  const open = [...(place?.children || [])].some((one) => !(/** @type {any} */ (one).hidden));
  place?.classList.toggle("busy", open);
  if (open) place?.scrollIntoView({ block: "nearest" });
}

export class Chooser {
  /** @type {() => void} */
  cancel;

  constructor() {
    this.node = h("section", { class: "chooser", hidden: true });
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  get open() {
    return !this.node.hidden;
  }

  close() {
    if (!this.open) return;
    const had = this.node.contains(document.activeElement);
    this.node.hidden = true;
    clear(this.node);
    markBusy(this.node);
    if (had) this.onClose?.();
  }

  /**
   * @param {string} title
   * @param {Kid} body
   * @param {{ cancel(): void, focus?: boolean, onClose?(): void }} options
   */
  show(title, body, { cancel, focus = false, onClose }) {
    this.cancel = cancel;
    this.onClose = onClose;
    this.node.setAttribute("aria-label", title);
    clear(
      this.node,
      h(
        "div",
        { class: "chooser-head" },
        h("h2", {}, title),
        iconButton("close", t("cancel"), () => cancel(), { "data-do": "cancel-choice" }),
      ),
      body,
    );
    this.node.hidden = false;
    markBusy(this.node);
    if (focus) this.buttons()[0]?.focus();
  }

  /** @param {string} title @param {Choice[]} choices @param {{ cancel(): void, focus?: boolean, onClose?(): void }} options */
  choices(title, choices, options) {
    const buttons = choices.map(({ label, content, cls = "", action }) =>
      h(
        "button",
        { type: "button", class: `choice ${cls}`, onclick: action },
        content,
        h("span", {}, label),
      ),
    );
    this.show(title, h("div", { class: "choices" }, buttons), options);
  }

  /** @returns {HTMLButtonElement[]} */
  buttons() {
    const found = this.node.querySelectorAll("button:not(:disabled):not([data-do=cancel-choice])");
    return /** @type {HTMLButtonElement[]} */ ([...found]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") this.cancel();
    else if (steps[event.key]) {
      const all = this.buttons();
      const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      all[(at + steps[event.key] + all.length) % all.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The letters of a group in an order of their own, so that sets can be compared. @param {Piece[]} pieces */
const keyOf = (pieces) =>
  pieces
    .map((piece) => piece.slice(1))
    .sort()
    .join(",");

/** What of a stack moves: a toggle for each piece instead of a list of all combinations. */
export class Toggles {
  /** @type {boolean[]} */
  on;

  /** @param {Hand} hand @param {Square} square @param {Piece[]} pieces */
  constructor(hand, square, pieces) {
    Object.assign(this, { hand, square, pieces });
    this.hand = hand;
    this.square = square;
    this.pieces = pieces;
    /** @type {Map<string, string>} */
    this.groups = new Map();
    for (const group of hand.groupsOf(square)) {
      this.groups.set(keyOf(groupPieces(group, pieces[0][0])), group);
    }
    this.note = h("p", { class: "note", role: "status" });
    this.all = button(t("stack.all"), () => this.take(pieces.map(() => true)), { cls: "all" });
    this.buttons = pieces.map((piece, n) => this.button(piece, n));
    this.node = h("div", { class: "toggles" }, this.buttons, this.all, this.note);
    this.read();
  }

  /** @param {Piece} piece @param {number} n */
  button(piece, n) {
    const { variant } = this.hand.view;
    const name = pieceName(variant, piece);
    const possible = [...this.groups.values()].some((group) =>
      groupPieces(group, piece[0]).includes(piece),
    );
    const node = h(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-label": name,
        disabled: !possible,
        title: possible ? name : t("stack.cannot.one", { piece: name }),
      },
      pieceIcon(variant, piece),
      h("span", {}, name),
      h("span", { class: "tick" }, icon("check")),
    );
    node.addEventListener("click", () => this.flip(n));
    node.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") this.preview(n);
    });
    node.addEventListener("pointerleave", () => this.hand.preview(null));
    return node;
  }

  /** @param {boolean[]} on */
  groupOf(on) {
    return this.groups.get(keyOf(this.pieces.filter((_, n) => on[n])));
  }

  /** What a press would choose: one more or one less, or this piece alone. @param {number} n */
  after(n) {
    const alone = this.on.map((_, k) => k === n);
    // Out of the whole stack, the first press means that piece; then pieces are added and left out.
    if (this.on.every(Boolean) && this.groupOf(alone)) return alone;
    const on = this.on.map((one, k) => (k === n ? !one : one));
    if (this.groupOf(on)) return on;
    return this.groupOf(alone) ? alone : null;
  }

  /** @param {number} n */
  preview(n) {
    const on = this.after(n);
    if (on) this.hand.preview(this.groupOf(on) ?? null);
  }

  /** @param {number} n */
  flip(n) {
    const on = this.after(n);
    if (on) this.take(on);
    else this.note.textContent = t("stack.cannot");
  }

  /** @param {boolean[]} on */
  take(on) {
    const group = this.groupOf(on);
    if (!group) return;
    this.hand.choose(this.square, group);
    this.read();
  }

  /** Shows what the hand holds now. */
  read() {
    const chosen = groupPieces(this.hand.group || "", this.pieces[0][0]);
    this.on = this.pieces.map((piece) => {
      const at = chosen.indexOf(piece);
      if (at >= 0) chosen.splice(at, 1);
      return at >= 0;
    });
    this.buttons.forEach((node, n) => node.setAttribute("aria-pressed", String(this.on[n])));
    const whole = this.on.every(Boolean);
    this.all.setAttribute("aria-pressed", String(whole));
    this.all.disabled = !this.groupOf(this.pieces.map(() => true));
    const names = this.pieces
      .filter((_, n) => this.on[n])
      .map((piece) => pieceName(this.hand.view.variant, piece))
      .join(" + ");
    this.note.textContent = t("stack.where", { names, count: this.hand.targets.size });
  }
}
