// The board: data in, picture out, and squares that can be pointed at. It knows no rule.
import { s } from "./dom.js";
import { get, onChange } from "./settings.js";
import { ground, stackName, symbolOf, variantOf } from "./names.js";
import { t } from "./i18n.js";
import { arrowPath, badge, SEATS } from "./shapes.js";

const CELL = 100;

export class BoardView {
  constructor(host, { variant = "official", flip = false } = {}) {
    this.host = host;
    this.flip = flip;
    this.view = null;
    this.focused = null;
    this.handlers = {};
    this.svg = s("svg", { class: "board" });
    host.classList.add("board-host");
    host.replaceChildren(this.svg);
    this.setVariant(variant);
    this.forget = onChange((name) => { if (name === "coordinates") this.labels(); });
  }

  on(name, handler) { this.handlers[name] = handler; }
  emit(name, ...values) { return this.handlers[name]?.(...values); }

  // Shape of the board ----------------------------------------------------------------------------

  setVariant(variant) {
    if (this.variant === variant) return;
    this.variant = variant;
    const facts = variantOf(variant);
    [this.files, this.ranks] = [facts.files, facts.ranks];
    this.edge = variant === "chess" ? 50 : 54;
    this.margin = 42;
    const away = this.edge + this.margin;
    const width = CELL * (this.files - 1) + 2 * away;
    const height = CELL * (this.ranks - 1) + 2 * away;
    this.box = [-away, -away, width, height];
    this.svg.setAttribute("viewBox", this.box.join(" "));
    this.svg.dataset.variant = variant;
    this.host.style.setProperty("--board-ratio", width / height);
    this.layer = {};
    const names = ["ground", "labels", "rings", "last", "chosen", "check", "pieces", "marks", "arrows", "cells", "drag"];
    this.svg.replaceChildren(
      s("rect", { x: -away, y: -away, width, height, rx: 16, class: "frame" }),
      ...names.map((name) => (this.layer[name] = s("g", { class: `layer-${name}` }))));
    this.layer.cells.setAttribute("role", "grid");
    this.layer.cells.setAttribute("aria-label", t("board"));
    for (const name of ["ground", "labels", "rings", "last", "chosen", "check", "pieces", "marks", "arrows", "drag"]) {
      this.layer[name].setAttribute("aria-hidden", "true");
    }
    ground(variant).then((drawn) => { if (this.variant === variant) this.layer.ground.replaceChildren(drawn); });
    this.focused = null;
    this.place();
  }

  setFlip(flip) {
    this.flip = flip;
    this.place();
    if (this.view) this.set(this.view);
  }

  // All that depends on which side is below.
  place() {
    const [cx, cy] = [CELL * (this.files - 1) / 2, CELL * (this.ranks - 1) / 2];
    this.layer.ground.setAttribute("transform", this.flip ? `rotate(180 ${cx} ${cy})` : "");
    this.labels();
    this.makeCells();
  }

  xy(square) {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square.slice(1)) - 1;
    return this.flip ? [CELL * (this.files - 1 - file), CELL * rank]
      : [CELL * file, CELL * (this.ranks - 1 - rank)];
  }

  squareAt(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    let file = Math.round(point.x / CELL);
    let rank = this.ranks - 1 - Math.round(point.y / CELL);
    if (this.flip) [file, rank] = [this.files - 1 - file, this.ranks - 1 - rank];
    if (file < 0 || rank < 0 || file >= this.files || rank >= this.ranks) return null;
    return String.fromCharCode(97 + file) + (rank + 1);
  }

  labels() {
    const wanted = get("coordinates");
    const custom = this.variant === "chess" && wanted === "numbers" ? "letters" : wanted;
    const away = this.edge + this.margin / 2;
    const [right, bottom] = [CELL * (this.files - 1) + away, CELL * (this.ranks - 1) + away];
    const texts = [];
    const text = (x, y, label) => texts.push(s("text", { x, y }, label));
    if (custom !== "none") {
      for (let file = 0; file < this.files; file += 1) {
        const name = custom === "numbers" ? String(file) : String.fromCharCode(97 + file);
        const [x] = this.xy(String.fromCharCode(97 + file) + 1);
        text(x, -away, name);
        text(x, bottom, name);
      }
      for (let rank = 0; rank < this.ranks; rank += 1) {
        const [, y] = this.xy(`a${rank + 1}`);
        const name = custom === "numbers" ? String(rank) : String(rank + 1);
        text(-away, y, name);
        text(right, y, name);
      }
    }
    this.layer.labels.replaceChildren(...texts);
  }

  // Squares as cells of a grid: what the pointer, the keyboard and a screen reader find.
  makeCells() {
    this.cells = new Map();
    const rows = [];
    for (let row = 0; row < this.ranks; row += 1) {
      const cells = [];
      for (let column = 0; column < this.files; column += 1) {
        const file = this.flip ? this.files - 1 - column : column;
        const rank = this.flip ? row : this.ranks - 1 - row;
        const square = String.fromCharCode(97 + file) + (rank + 1);
        const cell = s("rect", {
          x: CELL * column - 50, y: CELL * row - 50, width: CELL, height: CELL,
          role: "gridcell", tabindex: -1, "data-sq": square, "aria-label": square,
        });
        this.cells.set(square, cell);
        cells.push(cell);
      }
      rows.push(s("g", { role: "row" }, cells));
    }
    this.layer.cells.replaceChildren(...rows);
    const entry = this.focused && this.cells.has(this.focused) ? this.focused : this.flip
      ? `${String.fromCharCode(96 + this.files)}${this.ranks}` : "a1";
    this.cells.get(entry).setAttribute("tabindex", 0);
    this.focused = entry;
  }

  focus(square = this.focused) {
    this.cells.get(this.focused)?.setAttribute("tabindex", -1);
    this.focused = square;
    const cell = this.cells.get(square);
    cell.setAttribute("tabindex", 0);
    cell.focus();
  }

  step(dx, dy) {
    const [x, y] = this.xy(this.focused);
    for (const square of this.cells.keys()) {
      const [ox, oy] = this.xy(square);
      if (ox === x + CELL * dx && oy === y + CELL * dy) return this.focus(square);
    }
    return undefined;
  }

  // What is shown -----------------------------------------------------------------------------------

  set(view, { animate = false } = {}) {
    this.setVariant(view.variant);
    const before = this.view;
    this.view = view;
    this.drawLast(view.last || []);
    this.drawCheck(view.check);
    this.drawPieces(view.pieces);
    this.drawRings();
    this.nameCells();
    if (animate && before && before.fen !== view.fen) this.animate(view.last || []);
  }

  drawPieces(pieces) {
    this.stacks = new Map();
    for (const [square, stack] of Object.entries(pieces)) {
      const [x, y] = this.xy(square);
      const group = s("g", { class: "stack", transform: `translate(${x} ${y})` },
        this.stackParts(stack));
      this.stacks.set(square, group);
    }
    this.layer.pieces.replaceChildren(...this.stacks.values());
  }

  stackParts(stack) {
    const parts = [];
    if (this.variant === "chess") return [this.use(stack[0], 0, 0, 47)];
    if (stack.length > 1) {
      parts.push(s("rect", { x: -48, y: -48, width: 96, height: 96, rx: 22, class: `plate ${stack[0][0]}` }));
    }
    const seats = SEATS[Math.min(stack.length, 4)];
    stack.slice(0, 4).forEach((piece, i) => parts.push(this.use(piece, ...seats[i])));
    return parts;
  }

  use(piece, x, y, size) {
    const side = size * 100 / 43;
    return s("use", { href: `#${symbolOf(this.variant, piece)}`,
      x: x - side / 2, y: y - side / 2, width: side, height: side });
  }

  drawLast(last) {
    const squares = new Set(last.flatMap(([from, to]) => [from, to]));
    this.layer.last.replaceChildren(...[...squares].map((square) => this.patch(square, "last")));
  }

  patch(square, cls) {
    const [x, y] = this.xy(square);
    return s("rect", { x: x - 49, y: y - 49, width: 98, height: 98, class: cls,
      rx: this.variant === "chess" ? 2 : 18 });
  }

  drawCheck(square) {
    if (!square) { this.layer.check.replaceChildren(); return; }
    const [x, y] = this.xy(square);
    this.layer.check.replaceChildren(s("circle", { cx: x, cy: y, r: 50, class: "check" }));
  }

  showRings(which) {
    this.rings = which;
    this.drawRings();
  }

  drawRings() {
    const shapes = [];
    (this.view?.rings || []).forEach((squares, side) => {
      if (this.rings !== "both" && this.rings !== side) return;
      const covered = new Set(squares);
      let area = "";
      let border = "";
      for (const square of squares) {
        const [x, y] = this.xy(square);
        area += `M${x - 50} ${y - 50}h100v100h-100z`;
        const file = square.charCodeAt(0);
        const rank = Number(square.slice(1));
        for (const [df, dr] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
          if (covered.has(String.fromCharCode(file + df) + (rank + dr))) continue;
          const [sx, sy] = this.flip ? [-df, dr] : [df, -dr];
          border += sx ? `M${x + 50 * sx} ${y - 50}v100` : `M${x - 50} ${y + 50 * sy}h100`;
        }
      }
      shapes.push(s("path", { d: area, class: `ring-area side${side}` }),
        s("path", { d: border, class: `ring-edge side${side}` }));
    });
    this.layer.rings.replaceChildren(...shapes);
  }

  // Targets: a dot on empty points, a ring and a badge that says what would happen otherwise.
  showTargets(from, targets) {
    this.layer.chosen.replaceChildren(...(from ? [this.patch(from, "selected")] : []));
    const parts = [];
    for (const [square, kinds] of targets) {
      const [x, y] = this.xy(square);
      if (kinds.has("normal") && !this.view.pieces[square]) {
        parts.push(s("circle", { cx: x, cy: y, r: 15, class: "dot" }));
        continue;
      }
      const main = ["exchange", "breach", "capture", "stay", "combine"].find((kind) => kinds.has(kind)) || "normal";
      parts.push(s("circle", { cx: x, cy: y, r: 46, class: `target ${main}` }));
      const badges = [...kinds].filter((kind) => kind !== "normal" && kind !== "castling" && kind !== "capture");
      if (kinds.has("capture") && badges.length) badges.unshift("capture");
      badges.forEach((kind, i) => parts.push(badge(kind, x + 34 - 34 * i, y - 34)));
    }
    this.layer.marks.replaceChildren(...parts);
    this.targets = targets;
    this.nameCells();
  }

  // Other marks: hints and squares to look at.
  showMarks(squares) {
    this.layer.marks.replaceChildren(...squares.map((square) => this.patch(square, "hint")));
  }

  showArrows(arrows) {
    this.layer.arrows.replaceChildren(...arrows.map(({ from, to, cls }) =>
      s("path", { d: arrowPath(...this.xy(from), ...this.xy(to)), class: `arrow ${cls || ""}` })));
  }

  nameCells() {
    for (const [square, cell] of this.cells) {
      const stack = this.view?.pieces[square];
      const parts = [square, stack ? stackName(this.variant, stack) : t("empty")];
      for (const kind of this.targets?.get(square) || []) parts.push(t(`kind.${kind}`));
      if (this.view?.check === square) parts.push(t("check"));
      cell.setAttribute("aria-label", parts.join(", "));
      cell.classList.toggle("mine", this.emit("isMine", square) === true);
    }
  }

  animate(last) {
    const slow = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!get("animate") || slow || !last.length) return;
    const [from, to, kind] = last[last.length - 1];
    const group = this.stacks.get(to);
    if (!group || kind === "stay" || kind === "breach" || kind === "exchange") return;
    const [x, y] = this.xy(to);
    const [ox, oy] = this.xy(from);
    this.layer.pieces.append(group);
    group.animate([{ transform: `translate(${ox}px, ${oy}px)` }, { transform: `translate(${x}px, ${y}px)` }],
      { duration: 180, easing: "ease-out" });
  }

  // A picture that follows the pointer while the stack itself fades.
  lift(square, pieces) {
    this.stacks.get(square)?.classList.add("lifted");
    this.ghost = s("g", { class: "ghost" }, this.stackParts(pieces));
    this.layer.drag.replaceChildren(this.ghost);
  }

  carry(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    this.ghost?.setAttribute("transform", `translate(${point.x} ${point.y}) scale(1.12)`);
  }

  drop() {
    this.layer.drag.replaceChildren();
    this.ghost = null;
    for (const stack of this.stacks?.values() || []) stack.classList.remove("lifted");
  }

  destroy() { this.forget(); }
}
