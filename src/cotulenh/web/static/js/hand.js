// The hand: turns pointing, dragging, touching and keys into one of the moves the server listed.
import { say } from "./dom.js";
import { t } from "./i18n.js";
import { groupPieces, pieceIcon, pieceName, variantOf } from "./names.js";
import { Chooser, Toggles } from "./chooser.js";
import { markIcon } from "./shapes.js";

/** @import { Arrow, Move, Square, View } from "./types.js" */
/** @import { BoardView } from "./board.js" */
/** @typedef {{ focus?: boolean, dragged?: boolean }} How */

const HOLD = 420;
const SLACK = 7;

export class Hand {
  /** @type {View} */
  view;

  /**
   * `may()` says whether this page may move now; `play(move)` sends a chosen one. `side()` is the
   * side whose moves may be chosen before its turn (null: no premoves); `look(square)` shows a piece;
   * `held()` hears when something else is in the hand.
   * @param {BoardView} board
   * @param {{ may(): boolean, play(move: Move): void, side?(): number | null,
   *   look?(square: Square | null, why: string): void, noted?(notes: Arrow[]): void,
   *   held?(): void }} hooks
   */
  constructor(board, { may, play, side = () => null, ...hooks }) {
    const { look = () => {}, noted = () => {}, held = () => {} } = hooks;
    this.board = board;
    this.may = may;
    this.play = play;
    this.side = side;
    this.look = look;
    this.noted = noted;
    this.held = held;
    this.chooser = new Chooser();
    /** @type {Square | null} */
    this.from = null;
    /** @type {string | null} */
    this.group = null;
    /** @type {Map<Square, Set<string>>} */
    this.targets = new Map();
    /** @type {Map<Square, Map<string, Move[]>>} */
    this.byFrom = new Map();
    /** @type {{ from: Square, to: Square } | null} */
    this.pre = null;
    /** @type {Arrow[]} */
    this.notes = [];
    /** Whether notes stay when the board is pressed. */
    this.keepNotes = false;
    /** @type {Square | null} */
    this.rested = null;
    board.on("isMine", (square) => this.isMine(square));
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.hover(event));
    svg.addEventListener("pointerleave", () => this.hover(null));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      this.pre = null;
      this.clear();
      this.look(null, "key");
    };
    addEventListener("keydown", this.escape);
  }

  destroy() {
    removeEventListener("keydown", this.escape);
    clearTimeout(this.resting);
  }

  /** @param {Square} square */
  isMine(square) {
    if (this.may()) return this.byFrom.has(square);
    return this.premoves() && this.ownPiece(square);
  }

  premoves() {
    return this.side() !== null && !this.may();
  }

  /** @param {Square} square */
  ownPiece(square) {
    const stack = this.view?.pieces[square];
    const side = this.side();
    return Boolean(stack) && side !== null && stack[0][0] === this.sideLetter(side);
  }

  /** @param {number} side */
  sideLetter(side) {
    return variantOf(this.view.variant).sides[side];
  }

  /** @param {View} view */
  setView(view) {
    this.view = view;
    this.byFrom = new Map();
    for (const move of view.moves) {
      /** @type {Map<string, Move[]>} */
      const groups = this.byFrom.get(move.from) || new Map();
      const group = move.group || "";
      this.byFrom.set(move.from, groups);
      const moves = groups.get(group) || [];
      moves.push(move);
      groups.set(group, moves);
    }
    this.clear(); // names the squares, too
    // In mid-deployment there is one place to act from: show it at once.
    const origin = view.deployment?.origin;
    if (origin && this.may() && this.byFrom.has(origin)) this.choose(origin, null);
    this.tryPremove();
  }

  clear() {
    this.chooser.close();
    this.from = this.group = null;
    this.targets = new Map();
    this.board.showTargets(null, this.targets);
    this.showPremove();
    this.held();
  }

  // Choosing what moves -----------------------------------------------------------------------------

  /** The largest group first: the whole stack, then its parts. @param {Square} square */
  groupsOf(square) {
    const groups = [...(this.byFrom.get(square)?.keys() || [])];
    const size = (/** @type {string} */ group) => groupPieces(group, "").length;
    return groups.sort((a, b) => size(b) - size(a));
  }

  /** @param {Square} square @param {string} group */
  targetsOf(square, group) {
    /** @type {Map<Square, Set<string>>} */
    const targets = new Map();
    for (const move of this.byFrom.get(square)?.get(group) || []) {
      const kinds = targets.get(move.to) || new Set();
      targets.set(move.to, kinds.add(move.kind || "normal"));
    }
    return targets;
  }

  /** Takes a group into the hand without asking. @param {Square} square @param {string | null} group */
  choose(square, group) {
    const groups = this.groupsOf(square);
    this.from = square;
    this.group = group ?? groups[0];
    this.targets = this.targetsOf(square, this.group);
    this.board.showTargets(square, this.targets);
    this.look(square, "chosen");
    this.held();
  }

  /** Shows for a moment where another group could go. @param {string | null} group */
  preview(group) {
    if (!this.from) return;
    const shown = group === null ? this.targets : this.targetsOf(this.from, group);
    this.board.showTargets(this.from, shown, group === null ? "" : "preview");
  }

  /** @param {Square} square @param {How} [how] */
  select(square, { focus = false } = {}) {
    const groups = this.groupsOf(square);
    if (!groups.length) return this.clear();
    this.chooser.close();
    this.choose(square, null);
    if (groups.length > 1) this.askGroup(square, focus);
    else if (focus) say(t("say.selected", { square, count: this.targets.size }));
    return undefined;
  }

  /** @param {Square} square @param {boolean} focus */
  askGroup(square, focus) {
    if (this.view.deployment) return; // the tray has the toggles
    const toggles = new Toggles(this, square, this.view.pieces[square]);
    this.chooser.show(t("stack.choose", { square }), toggles.node, {
      focus,
      cancel: () => this.clear(),
      onClose: () => this.board.focus(square),
    });
  }

  // Choosing where to and how -----------------------------------------------------------------------

  /** @param {Square} square */
  movesTo(square) {
    if (!this.from || this.group === null) return [];
    return (this.byFrom.get(this.from)?.get(this.group) || []).filter((move) => move.to === square);
  }

  /** @param {Square} square @param {How} [how] */
  go(square, { dragged = false, focus = false } = {}) {
    const moves = this.movesTo(square);
    const kind = moves[0].kind || "normal";
    const delicate = kind === "exchange" || kind === "breach";
    // A click on a friend may mean "join" or "take that one instead"; a drag can only mean join.
    const twofold = kind === "combine" && !dragged && this.byFrom.has(square);
    if (moves.length === 1 && !delicate && !twofold) return this.done(moves[0]);
    const choices = moves.map((move) => this.choice(move));
    if (twofold) {
      choices.push({
        label: t("choice.select"),
        content: markIcon("selected"),
        cls: "select",
        action: () => this.select(square, { focus }),
      });
    }
    const title = moves[0].promotion ? "promotion" : delicate ? kind : "how";
    this.chooser.choices(t(`choice.title.${title}`), choices, {
      focus,
      cancel: () => this.clear(),
      onClose: () => this.board.focus(square),
    });
    return undefined;
  }

  /** @param {Move} move */
  choice(move) {
    const action = () => this.done(move);
    if (move.promotion) {
      const piece = variantOf("chess").sides[this.view.turn] + move.promotion;
      const content = pieceIcon("chess", piece);
      return { content, label: pieceName("chess", piece), cls: "promotion", action };
    }
    const kind = move.kind || "normal";
    return { content: markIcon(kind), label: t(`choice.${kind}`), cls: kind, action };
  }

  /** @param {Move} move */
  done(move) {
    this.clear();
    this.play(move);
  }

  // Premoves ---------------------------------------------------------------------------------------

  tryPremove() {
    const { pre } = this;
    if (!pre || !this.may()) return;
    this.pre = null;
    const order = ["normal", "capture", "combine", "stay", "castling"];
    for (const group of this.groupsOf(pre.from)) {
      const moves = this.byFrom.get(pre.from)?.get(group) || [];
      const fits = moves.filter((one) => one.to === pre.to);
      const best = order.map((kind) => fits.find((one) => (one.kind || "normal") === kind));
      const move = best.find((one) => one && (!one.promotion || one.promotion === "Q"));
      if (move) {
        this.done(move);
        return;
      }
    }
    this.showPremove();
    say(t("premove.gone"));
  }

  showPremove() {
    const { pre } = this;
    if (!pre) {
      this.board.layer.chosen.querySelectorAll(".pre").forEach((node) => node.remove());
      return;
    }
    const marks = [this.board.mark("selected", pre.from, "pre")];
    if (pre.to) marks.push(this.board.mark("hint", pre.to, "pre"));
    this.board.layer.chosen.replaceChildren(...marks);
  }

  /** Before one's turn: the first press takes a piece, the second says where to. @param {Square} square */
  premove(square) {
    if (this.from && this.from !== square) {
      this.pre = { from: this.from, to: square };
      this.clear();
      say(t("premove.set", { from: this.pre.from, to: square }));
    } else if (this.ownPiece(square) && this.from !== square) {
      this.pre = null;
      this.clear();
      this.from = square;
      this.board.showTargets(square, new Map(), "pre");
      this.look(square, "chosen");
      this.held();
    } else {
      this.pre = null;
      this.clear();
    }
  }

  // Pointer -----------------------------------------------------------------------------------------

  /** @param {PointerEvent | null} event */
  hover(event) {
    if (event && (event.pointerType !== "mouse" || event.buttons)) return;
    const square = event && this.board.squareAt(event.clientX, event.clientY);
    if (square === this.rested) return;
    this.rested = square;
    clearTimeout(this.resting);
    const stack = square && this.view?.pieces[square];
    this.resting = setTimeout(
      () => {
        if (!this.from) this.look(stack ? square : null, "hover");
      },
      stack ? 260 : 120,
    );
  }

  /** @param {PointerEvent} event */
  down(event) {
    const square = this.board.squareAt(event.clientX, event.clientY);
    if (event.button === 2 || (event.button === 0 && event.shiftKey))
      return this.annotate(event, square);
    if (event.button !== 0) return undefined;
    event.preventDefault();
    clearTimeout(this.resting);
    if (!square) return this.clear();
    this.board.emit("press", square, event);
    this.forgetNotes();
    return this.track(event, square);
  }

  /** Follows a pressed pointer: a press, a drag, or a long press. @param {PointerEvent} event @param {Square} square */
  track(event, square) {
    const { svg } = this.board;
    const start = [event.clientX, event.clientY];
    const again = this.from === square;
    const target = Boolean(this.from) && !again && this.targets.has(square) && this.may();
    let mode = "press";
    try {
      svg.setPointerCapture(event.pointerId);
    } catch {
      // the pointer is gone already
    }
    const hold = setTimeout(() => {
      if (event.pointerType === "mouse" || mode !== "press") return;
      mode = "held";
      navigator.vibrate?.(12);
      this.look(this.view?.pieces[square] ? square : null, "held");
    }, HOLD);
    const move = (/** @type {PointerEvent} */ moved) => {
      const far = Math.hypot(moved.clientX - start[0], moved.clientY - start[1]) > SLACK;
      if (mode === "press" && far) {
        clearTimeout(hold);
        mode = this.isMine(square) ? "drag" : "none";
        if (mode === "drag") this.pickUp(square, again);
      }
      if (mode === "drag") this.board.carry(moved);
      if (mode === "held" && far) {
        const at = this.board.squareAt(moved.clientX, moved.clientY);
        this.board.showNotes([...this.notes, { from: square, to: at || square }]);
      }
    };
    const up = (/** @type {PointerEvent} */ ended) => {
      clearTimeout(hold);
      svg.removeEventListener("pointermove", move);
      svg.removeEventListener("pointerup", up);
      svg.removeEventListener("pointercancel", up);
      this.board.drop();
      const at = this.board.squareAt(ended.clientX, ended.clientY);
      if (ended.type === "pointercancel") this.clear();
      else if (mode === "press") this.tapped(square, target, again);
      else if (mode === "drag") this.dropped(square, at);
      else if (mode === "held" && (at !== square || !this.view?.pieces[square])) {
        this.addNote(square, at);
      }
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", up);
    svg.addEventListener("pointercancel", up);
  }

  /** @param {Square} square @param {boolean} target @param {boolean} again */
  tapped(square, target, again) {
    if (this.premoves()) this.premove(square);
    else if (target) this.go(square);
    else if (!this.may() || !this.byFrom.has(square)) {
      this.clear();
      this.look(this.view?.pieces[square] ? square : null, "tap");
    } else if (again && !this.chooser.open && !this.view.deployment) this.clear();
    else if (!again || !this.view.deployment) this.select(square);
  }

  /** @param {Square} square @param {boolean} again */
  pickUp(square, again) {
    const side = variantOf(this.view.variant).sides[this.view.turn];
    if (this.may()) this.choose(square, again ? this.group : null);
    else this.from = square;
    const pieces =
      this.may() && this.group ? groupPieces(this.group, side) : this.view.pieces[square];
    this.board.lift(square, pieces);
  }

  /** @param {Square} square @param {Square | null} at */
  dropped(square, at) {
    if (this.premoves()) {
      if (at && at !== square) this.premove(at);
      else this.clear();
    } else if (at && at !== square && this.targets.has(at)) this.go(at, { dragged: true });
    else if (this.groupsOf(square).length > 1) this.select(square);
  }

  // Notes: arrows and circles of one's own --------------------------------------------------------------

  /** @param {PointerEvent} event @param {Square | null} square */
  annotate(event, square) {
    if (!square) return;
    event.preventDefault();
    const up = (/** @type {PointerEvent} */ ended) => {
      removeEventListener("pointerup", up);
      this.addNote(square, this.board.squareAt(ended.clientX, ended.clientY));
    };
    addEventListener("pointerup", up);
  }

  /** The same note once more takes it away. @param {Square} from @param {Square | null} to */
  addNote(from, to) {
    if (!to) return this.board.showNotes(this.notes);
    const same = (/** @type {Arrow} */ one) => one.from === from && one.to === to;
    this.notes = this.notes.some(same)
      ? this.notes.filter((one) => !same(one))
      : [...this.notes, { from, to }];
    this.board.showNotes(this.notes);
    this.noted(this.notes);
    return undefined;
  }

  /** @param {Arrow[]} notes */
  setNotes(notes) {
    this.notes = notes;
    this.board.showNotes(notes);
  }

  /** Where notes are not kept, a press on the board wipes them off. */
  forgetNotes() {
    if (this.keepNotes || !this.notes.length) return;
    this.setNotes([]);
    this.noted([]);
  }

  // Keys --------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const square = /** @type {HTMLElement} */ (event.target).dataset?.sq;
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) this.board.step(...steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.press(square);
    else if (event.key === "i") this.look(this.view?.pieces[square] ? square : null, "key");
    else if (event.key === "Escape") {
      this.pre = null;
      this.clear();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Square} square */
  press(square) {
    this.board.emit("press", square, null);
    if (this.premoves()) this.premove(square);
    else if (!this.may()) this.look(this.view?.pieces[square] ? square : null, "key");
    else if (this.from && this.targets.has(square)) this.go(square, { focus: true });
    else if (this.byFrom.has(square)) this.select(square, { focus: true });
    else this.clear();
  }
}
