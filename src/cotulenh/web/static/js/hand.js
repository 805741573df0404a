// The hand: turns pointing, dragging and keys into one of the moves the server listed.
import { h, say } from "./dom.js";
import { t } from "./i18n.js";
import { groupPieces, pieceIcon, pieceName, variantOf } from "./names.js";
import { closePopup, popup } from "./popup.js";
import { badgeIcon } from "./shapes.js";

export class Hand {
  // `may()` says whether this page may move now; `play(move)` sends a chosen one.
  constructor(board, { may, play }) {
    Object.assign(this, { board, may, play });
    this.from = null;
    this.byFrom = new Map();
    board.on("isMine", (square) => this.may() && this.byFrom.has(square));
    board.svg.addEventListener("pointerdown", (event) => this.down(event));
    board.svg.addEventListener("keydown", (event) => this.key(event));
    board.svg.addEventListener("contextmenu", (event) => { event.preventDefault(); this.clear(); });
  }

  setView(view) {
    this.view = view;
    this.clear();
    this.byFrom = new Map();
    for (const move of view.moves) {
      if (!this.byFrom.has(move.from)) this.byFrom.set(move.from, new Map());
      const groups = this.byFrom.get(move.from);
      const group = move.group || "";
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(move);
    }
    this.board.nameCells();
    // In mid-deployment there is one place to act from: show it at once.
    const origin = view.deployment?.origin;
    if (origin && this.may() && this.byFrom.has(origin)) this.select(origin, null, false);
  }

  clear() {
    closePopup();
    this.from = this.group = null;
    this.targets = new Map();
    this.board.showTargets(null, this.targets);
  }

  // Choosing what moves -----------------------------------------------------------------------------

  // The largest group first: the whole stack, then its parts.
  groupsOf(square) {
    const groups = [...(this.byFrom.get(square)?.keys() || [])];
    const size = (group) => groupPieces(group, "").length;
    return groups.sort((a, b) => size(b) - size(a));
  }

  select(square, group = null, ask = true, focus = false) {
    const groups = this.groupsOf(square);
    if (!groups.length) return this.clear();
    closePopup();
    this.from = square;
    this.group = group ?? groups[0];
    this.targets = new Map();
    for (const move of this.byFrom.get(square).get(this.group)) {
      if (!this.targets.has(move.to)) this.targets.set(move.to, new Set());
      this.targets.get(move.to).add(move.kind || "normal");
    }
    this.board.showTargets(square, this.targets);
    if (ask && groups.length > 1 && group === null) this.askGroup(square, groups, focus);
    else if (focus) say(t("say.selected", { square, count: this.targets.size }));
    return undefined;
  }

  askGroup(square, groups, focus) {
    const side = variantOf(this.view.variant).sides[this.view.turn];
    const standing = (this.view.pieces[square] || []).length;
    const choices = groups.map((group) => {
      const pieces = groupPieces(group, side);
      const names = pieces.map((piece) => pieceName(this.view.variant, piece)).join(" + ");
      const whole = pieces.length === standing && !this.view.deployment;
      return {
        content: [whole && h("b", {}, t("stack.all")),
          h("span", { class: "icons" }, pieces.map((piece) => pieceIcon(this.view.variant, piece)))],
        hideLabel: true,
        cls: "group",
        label: whole ? t("stack.whole", { names }) : names,
        pressed: group === this.group,
        action: () => { this.select(square, group, false, focus); if (focus) this.board.focus(square); },
      };
    });
    popup(this.board, square, t("stack.choose"), choices, { focus, onCancel: () => this.clear() });
  }

  // Choosing where to and how -----------------------------------------------------------------------

  movesTo(square) {
    if (!this.from) return [];
    return this.byFrom.get(this.from).get(this.group).filter((move) => move.to === square);
  }

  go(square, { dragged = false, focus = false } = {}) {
    const moves = this.movesTo(square);
    const kind = moves[0].kind || "normal";
    const delicate = kind === "exchange" || kind === "breach";
    // A click on a friend may mean "join" or "take that one instead"; a drag can only mean join.
    const twofold = kind === "combine" && !dragged && this.byFrom.has(square);
    if (moves.length === 1 && !delicate && !twofold) return this.done(moves[0]);
    const choices = moves.map((move) => this.choice(move));
    if (twofold) {
      choices.push({ label: t("choice.select"), content: badgeIcon("stay"),
        action: () => this.select(square, null, true, focus) });
    }
    if (delicate) choices.push({ label: t("cancel"), content: null, action: () => this.clear() });
    popup(this.board, square, t(`choice.title.${moves[0].promotion ? "promotion" : delicate ? kind : "how"}`),
      choices, { focus, onCancel: () => this.clear() });
    return undefined;
  }

  choice(move) {
    if (move.promotion) {
      const side = variantOf("chess").sides[this.view.turn];
      return { content: pieceIcon("chess", side + move.promotion), label: pieceName("chess", side + move.promotion),
        action: () => this.done(move) };
    }
    const kind = move.kind || "normal";
    return { content: badgeIcon(kind), label: t(`choice.${kind}`), cls: kind, action: () => this.done(move) };
  }

  done(move) {
    this.clear();
    this.play(move);
  }

  // Pointer -----------------------------------------------------------------------------------------

  down(event) {
    if (event.button !== 0) return;
    const square = this.board.squareAt(event.clientX, event.clientY);
    if (!square) return this.clear();
    this.board.emit("press", square, event);
    if (!this.may()) return undefined;
    if (this.from && this.from !== square && this.targets.has(square)) {
      event.preventDefault();
      return this.go(square);
    }
    if (!this.byFrom.has(square)) return this.clear();
    event.preventDefault();
    const again = this.from === square;
    this.startDrag(event, square, again);
    return undefined;
  }

  startDrag(event, square, again) {
    const side = variantOf(this.view.variant).sides[this.view.turn];
    const start = [event.clientX, event.clientY];
    let dragging = false;
    const group = again ? this.group : null;
    const move = (moved) => {
      if (!dragging && Math.hypot(moved.clientX - start[0], moved.clientY - start[1]) > 6) {
        dragging = true;
        this.select(square, group, false);
        const pieces = this.group ? groupPieces(this.group, side) : this.view.pieces[square];
        this.board.lift(square, pieces);
      }
      if (dragging) this.board.carry(moved.clientX, moved.clientY);
    };
    const up = (ended) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      this.board.drop();
      if (!dragging) {
        if (again && this.groupsOf(square).length < 2) this.clear();
        else this.select(square, null, true);
        return;
      }
      const target = ended.type === "pointerup" && this.board.squareAt(ended.clientX, ended.clientY);
      if (target && target !== square && this.targets.has(target)) this.go(target, { dragged: true });
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }

  // Keys --------------------------------------------------------------------------------------------

  key(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const square = event.target.dataset?.sq;
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) this.board.step(...steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.press(square);
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  press(square) {
    this.board.emit("press", square, null);
    if (!this.may()) return;
    if (this.from && this.targets.has(square)) this.go(square, { focus: true });
    else if (this.byFrom.has(square)) this.select(square, null, true, true);
    else this.clear();
  }
}
