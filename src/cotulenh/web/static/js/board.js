// The board: data in, picture out, and squares that can be pointed at. It knows no rule.
import { need, s } from "./dom.js";
import { get, onChange } from "./settings.js";
import { facts, ground, stackName, symbolOf, variantOf } from "./names.js";
import { t } from "./i18n.js";
import { arrowPath, discsPath, outlinePath, wedgePath } from "./shapes.js";

/** @import { Arrow, Piece, Square, View } from "./types.js" */

const CELL = 100;
const LAYERS = [
  "ground",
  "labels",
  "rings",
  "last",
  "chosen",
  "check",
  "reach",
  "pieces",
  "marks",
  "notes",
  "arrows",
  "cells",
  "drag",
];
const NARROW =
  "(max-width: 1199px) and (orientation: portrait), (max-width: 859px), (max-height: 500px)";

export class BoardView {
  /** @type {number} */
  files;
  /** @type {number} */
  ranks;
  /** @type {number} */
  edge;
  /** @type {Record<string, SVGGraphicsElement>} */
  layer;
  /** @type {SVGGraphicsElement} */
  frame;
  /** @type {number} */
  width;
  /** @type {SVGGraphicsElement | null} */
  aim = null;
  /** @type {SVGGraphicsElement | null} */
  ghost = null;
  /** @type {View} from the first `set` on */
  view;

  /** @param {HTMLElement} host @param {{ variant?: string, flip?: boolean, still?: boolean }} [options] */
  constructor(host, { variant = "official", flip = false, still = false } = {}) {
    this.host = host;
    this.flip = flip;
    this.still = still;
    /** @type {Square} none: "" */
    this.focused = "";
    /** @type {Record<string, (...values: any[]) => any>} */
    this.handlers = {};
    /** @type {Map<Square, SVGGraphicsElement>} */
    this.stacks = new Map();
    /** @type {Map<Square, SVGGraphicsElement>} */
    this.cells = new Map();
    /** @type {Map<Square, Set<string>>} */
    this.targets = new Map();
    /** @type {null | "both" | 0 | 1} */
    this.rings = null;
    this.small = false;
    /** @type {string} */
    this.variant = "";
    /** @type {Arrow[]} */
    this.notes = [];
    /** @type {Square} none: "" */
    this.checked = "";
    this.svg = /** @type {SVGSVGElement} */ (/** @type {any} */ (s("svg", { class: "board" })));
    host.classList.add("board-host");
    host.replaceChildren(this.svg);
    // Wherever the focus comes from, walking goes on from there.
    this.svg.addEventListener("focusin", (event) => {
      const at = /** @type {HTMLElement} */ (event.target).dataset.sq;
      if (at && at !== this.focused) this.enter(at);
    });
    this.narrow = matchMedia(NARROW);
    this.relayout = () => this.shape();
    this.narrow.addEventListener("change", this.relayout);
    this.sized = new ResizeObserver(() => this.measure());
    this.sized.observe(host);
    this.setVariant(variant);
    this.forget = onChange((name) => {
      if (name === "coordinates") this.shape();
    });
  }

  /** @param {string} name @param {(...values: any[]) => any} handler */
  on(name, handler) {
    this.handlers[name] = handler;
  }

  /** @param {string} name @param {...any} values */
  emit(name, ...values) {
    return this.handlers[name]?.(...values);
  }

  // Shape of the board ----------------------------------------------------------------------------

  /** @param {string} variant */
  setVariant(variant) {
    if (this.variant === variant) return;
    this.variant = variant;
    const { files, ranks } = variantOf(variant);
    this.files = files;
    this.ranks = ranks;
    this.chess = variant === "chess";
    this.edge = this.chess ? 50 : 54;
    this.svg.dataset.variant = variant;
    /** @type {Record<string, SVGGraphicsElement>} */
    this.layer = {};
    this.frame = s("rect", { rx: 16, class: "frame" });
    this.svg.replaceChildren(
      this.frame,
      ...LAYERS.map((name) => (this.layer[name] = s("g", { class: `layer-${name}` }))),
    );
    for (const name of LAYERS) {
      if (name !== "cells") this.layer[name].setAttribute("aria-hidden", "true");
    }
    if (!this.still) {
      this.layer.cells.setAttribute("role", "grid");
      this.layer.cells.setAttribute("aria-label", t("board"));
    }
    ground(variant).then((drawn) => {
      if (this.variant === variant) this.layer.ground.replaceChildren(drawn);
    });
    this.focused = "";
    this.shape();
    this.place();
  }

  /** The frame: all around on wide screens, left and below only on narrow ones. */
  shape() {
    const none = get("coordinates") === "none";
    this.compact = this.narrow.matches && !this.still;
    const full = none ? 12 : 44;
    const [left, top] = this.compact ? [none ? 0 : 36, 0] : [full, full];
    const [right, bottom] = this.compact ? [0, none ? 0 : 36] : [full, full];
    const x = -this.edge - left;
    const y = -this.edge - top;
    const width = CELL * (this.files - 1) + 2 * this.edge + left + right;
    const height = CELL * (this.ranks - 1) + 2 * this.edge + top + bottom;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    for (const [name, value] of Object.entries({ x, y, width, height })) {
      this.frame.setAttribute(name, String(value));
    }
    document.documentElement.style.setProperty("--board-ratio", String(width / height));
    this.host.style.setProperty("--own-ratio", String(width / height));
    this.width = width;
    this.labels();
    this.measure();
  }

  /** Below 40 px a cell, marks are drawn bolder. */
  measure() {
    const cell = this.host.clientWidth / (this.width / CELL);
    const small = cell > 0 && cell < 40;
    if (small === this.small) return;
    this.small = small;
    this.svg.classList.toggle("small", small);
    if (this.view) this.redraw();
  }

  /** @param {boolean} flip */
  setFlip(flip) {
    this.flip = flip;
    this.place();
    if (this.view) this.redraw();
  }

  /** All that depends on which side is below. */
  place() {
    const [cx, cy] = [(CELL * (this.files - 1)) / 2, (CELL * (this.ranks - 1)) / 2];
    this.layer.ground.setAttribute("transform", this.flip ? `rotate(180 ${cx} ${cy})` : "");
    this.labels();
    this.makeCells();
  }

  /** @param {Square} square @returns {[number, number]} */
  xy(square) {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square.slice(1)) - 1;
    return this.flip
      ? [CELL * (this.files - 1 - file), CELL * rank]
      : [CELL * file, CELL * (this.ranks - 1 - rank)];
  }

  /** @param {number} clientX @param {number} clientY */
  point(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(
      need(this.svg.getScreenCTM(), "the place of the board").inverse(),
    );
  }

  /** The nearest point of the board. @param {number} clientX @param {number} clientY */
  squareAt(clientX, clientY) {
    const point = this.point(clientX, clientY);
    let file = Math.round(point.x / CELL);
    let rank = this.ranks - 1 - Math.round(point.y / CELL);
    if (this.flip) [file, rank] = [this.files - 1 - file, this.ranks - 1 - rank];
    if (file < 0 || rank < 0 || file >= this.files || rank >= this.ranks) return null;
    return String.fromCharCode(97 + file) + (rank + 1);
  }

  labels() {
    const wanted = get("coordinates");
    const numbers = wanted === "numbers" && !this.chess;
    const [right, bottom] = [CELL * (this.files - 1), CELL * (this.ranks - 1)];
    const away = this.edge + (this.compact ? 18 : 22);
    /** @type {SVGGraphicsElement[]} */
    const parts = [];
    const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ label) =>
      parts.push(s("text", { x, y, class: label.length > 1 ? "long" : "" }, label));
    const files = wanted === "none" ? 0 : this.files;
    for (let file = 0; file < files; file += 1) {
      const letter = String.fromCharCode(97 + file);
      const [x] = this.xy(`${letter}1`);
      if (!this.compact) text(x, -away, numbers ? String(file) : letter);
      text(x, bottom + away, numbers ? String(file) : letter);
    }
    for (let rank = 0; rank < (files && this.ranks); rank += 1) {
      const [, y] = this.xy(`a${rank + 1}`);
      const name = String(numbers ? rank : rank + 1);
      text(-away, y, name);
      if (!this.compact) text(right + away, y, name);
    }
    this.layer.labels.replaceChildren(this.neatline(), ...parts);
  }

  /** The line around a chart, with bars that count the files and ranks. */
  neatline() {
    const [edge, far] = [this.edge, this.edge + 4];
    const [right, bottom] = [CELL * (this.files - 1), CELL * (this.ranks - 1)];
    let bars = "";
    for (let file = 0; file < this.files; file += 2) {
      if (!this.compact) bars += `M${CELL * file - 50} ${-far}h100`;
      bars += `M${CELL * file - 50} ${bottom + far}h100`;
    }
    for (let rank = 0; rank < this.ranks; rank += 2) {
      bars += `M${-far} ${CELL * rank - 50}v100`;
      if (!this.compact) bars += `M${right + far} ${CELL * rank - 50}v100`;
    }
    const box = { x: -edge, y: -edge, width: right + 2 * edge, height: bottom + 2 * edge };
    return s("g", { class: "neatline" }, s("rect", box), s("path", { d: bars }));
  }

  /** Squares as cells of a grid: what the pointer, the keyboard and a screen reader find. */
  makeCells() {
    this.cells = new Map();
    if (this.still) return;
    const rows = [];
    for (let row = 0; row < this.ranks; row += 1) {
      const cells = [];
      for (let column = 0; column < this.files; column += 1) {
        const file = this.flip ? this.files - 1 - column : column;
        const rank = this.flip ? row : this.ranks - 1 - row;
        const square = String.fromCharCode(97 + file) + (rank + 1);
        const [x, y] = [CELL * column - 50, CELL * row - 50];
        const cell = s("rect", {
          x,
          y,
          width: CELL,
          height: CELL,
          role: "gridcell",
          tabindex: -1,
          "data-sq": square,
          "aria-label": square,
        });
        this.cells.set(square, cell);
        cells.push(cell);
      }
      rows.push(s("g", { role: "row" }, cells));
    }
    this.layer.cells.replaceChildren(...rows);
    const corner = this.flip ? `${String.fromCharCode(96 + this.files)}${this.ranks}` : "a1";
    const entry = this.cells.has(this.focused) ? this.focused : corner;
    this.cells.get(entry)?.setAttribute("tabindex", "0");
    this.focused = entry;
  }

  /** The cell that Tab comes to. @param {Square} square */
  enter(square) {
    this.cells.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = square;
    this.cells.get(square)?.setAttribute("tabindex", "0");
  }

  /** @param {Square} [square] */
  focus(square = this.focused) {
    this.enter(square);
    this.cells.get(square)?.focus();
  }

  /** @param {number} dx @param {number} dy */
  step(dx, dy) {
    const [x, y] = this.xy(this.focused);
    for (const square of this.cells.keys()) {
      const [ox, oy] = this.xy(square);
      if (ox === x + CELL * dx && oy === y + CELL * dy) return this.focus(square);
    }
    return undefined;
  }

  // What is shown -----------------------------------------------------------------------------------

  /** @param {View} view @param {{ animate?: boolean }} [options] */
  set(view, { animate = false } = {}) {
    this.setVariant(view.variant);
    const before = this.view;
    this.view = view;
    this.redraw();
    if (animate && before && before.fen !== view.fen) this.animate(view.last || []);
  }

  redraw() {
    const { view } = this;
    this.drawLast(view.last || []);
    this.drawCheck(view.check || "");
    this.drawPieces(view.pieces);
    this.drawRings();
    this.nameCells();
  }

  /** Only stacks that changed are drawn anew. @param {View["pieces"]} pieces */
  drawPieces(pieces) {
    const kept = new Map();
    const squares = Object.keys(pieces).sort((a, b) => this.xy(a)[1] - this.xy(b)[1]);
    for (const square of squares) {
      const [x, y] = this.xy(square);
      const look = `${this.variant}${this.small}${pieces[square].join()}`;
      let group = this.stacks.get(square);
      if (group?.dataset.look !== look) {
        group = s(
          "g",
          { class: "stack", "data-look": look, "data-at": square },
          this.stackParts(pieces[square]),
        );
      }
      group.classList.remove("lifted");
      group.setAttribute("transform", `translate(${x} ${y})`);
      kept.set(square, group);
    }
    this.stacks = kept;
    const wanted = [...kept.values()];
    const shown = this.layer.pieces.children;
    if (wanted.length !== shown.length || wanted.some((node, n) => shown[n] !== node)) {
      this.layer.pieces.replaceChildren(...wanted);
    }
  }

  /** @param {Piece[]} stack */
  stackParts(stack) {
    if (this.chess) return [this.use(symbolOf("chess", stack[0]), 0, 0, 1.09)];
    const shown = stack.slice(0, 4);
    return shown.map((piece, n) => {
      const role = shown.length === 1 ? "" : n === 0 ? "carrier" : "coin";
      const [x, y, scale] = facts().seats[shown.length][n];
      const size = this.small && role === "coin" ? scale * 1.08 : scale;
      return this.use(symbolOf(this.variant, piece, role), x, y, size);
    });
  }

  /** @param {string} id @param {number} x @param {number} y @param {number} [scale] */
  use(id, x, y, scale = 1) {
    const side = 100 * scale;
    const corner = { x: x - side / 2, y: y - side / 2 };
    return s("use", { href: `#${id}`, ...corner, width: side, height: side });
  }

  /** One of the marks that page and pictures share. @param {string} name @param {Square} square @param {string} [cls] */
  mark(name, square, cls = "") {
    const own = ["selected", "last-from", "last-to"].includes(name);
    const id = this.chess && own ? `chess-${name}` : name;
    const [x, y] = this.xy(square);
    const ringed = this.chess && !own && name !== "normal";
    const drawn = this.use(`mark-${id}${this.small ? "-small" : ""}`, x, y, ringed ? 0.86 : 1);
    drawn.setAttribute("class", `mark ${name} ${cls}`);
    return drawn;
  }

  /** @param {NonNullable<View["last"]>} last */
  drawLast(last) {
    const steps = last.filter(([from, to]) => from !== to);
    const ends = new Set(steps.map(([, to]) => to));
    const starts = new Set(steps.map(([from]) => from).filter((one) => !ends.has(one)));
    this.layer.last.replaceChildren(
      ...(this.chess ? [] : steps).map(([from, to]) =>
        s("path", { class: "wedge", d: wedgePath(this.xy(from), this.xy(to)) }),
      ),
      ...[...starts].map((one) => this.mark("last-from", one)),
      ...[...ends].map((one) => this.mark("last-to", one)),
    );
  }

  /** @param {Square} square */
  drawCheck(square) {
    this.layer.check.replaceChildren(...(square ? [this.mark("check", square, "halo")] : []));
    this.svg.classList.toggle("in-check", Boolean(square));
    this.checked = square;
    this.drawNotes();
  }

  /** @param {null | "both" | 0 | 1} which */
  showRings(which) {
    this.rings = which;
    this.drawRings();
  }

  drawRings() {
    /** @type {SVGGraphicsElement[]} */
    const shapes = [];
    (this.view?.guns || []).forEach((guns, side) => {
      if (this.rings !== "both" && this.rings !== side) return;
      shapes.push(...this.ringShapes(guns, side));
    });
    this.layer.rings.replaceChildren(...shapes);
  }

  /** Circles that hold every covered point and no other. @param {[Square, number][]} guns @param {number} side */
  ringShapes(guns, side) {
    const discs = guns.map(([square, ring]) => {
      const [x, y] = this.xy(square);
      return /** @type {[number, number, number]} */ ([x, y, CELL * (ring + facts().ring_margin)]);
    });
    if (!discs.length) return [];
    const [area, edge] = [discsPath(discs), outlinePath(discs)];
    return [
      s("path", { d: area, class: `ring-area side${side}` }),
      s("path", { d: area, fill: `url(#hatch-${"rb"[side]})` }),
      s("path", { d: edge, class: "ring-casing" }),
      s("path", { d: edge, class: `ring-edge side${side}` }),
    ];
  }

  /**
   * Targets by what would happen there: a shape for each.
   * @param {Square | null} from
   * @param {Map<Square, Set<string>>} targets
   * @param {string} [cls]
   */
  showTargets(from, targets, cls = "") {
    this.layer.chosen.replaceChildren(...(from ? [this.mark("selected", from, cls)] : []));
    const order = ["exchange", "breach", "capture", "stay", "combine", "castling"];
    const parts = [...targets].map(([square, kinds]) => {
      const main = order.find((kind) => kinds.has(kind)) || "normal";
      // A quiet move onto a friend (chess has none) or a take is never a mere dot.
      const shown = main === "normal" && this.view?.pieces[square] ? "capture" : main;
      return this.mark(shown === "castling" ? "combine" : shown, square, `target ${cls}`);
    });
    this.layer.marks.replaceChildren(...parts);
    this.targets = targets;
    this.nameCells();
  }

  /** Hints and squares to look at. @param {Square[]} squares */
  showMarks(squares) {
    this.layer.marks.replaceChildren(...squares.map((square) => this.mark("hint", square)));
  }

  /**
   * The reach of a piece that is only looked at: smaller dots, and its ring.
   * @param {Square | null} square
   * @param {[Square, string][]} targets
   * @param {[Square, number][]} [guns]
   */
  showReach(square, targets, guns = []) {
    const side = square ? variantOf(this.variant).sides.indexOf(this.view.pieces[square][0][0]) : 0;
    const dots = targets.map(([to, kind]) => {
      const [x, y] = this.xy(to);
      const take = kind !== "normal" && kind !== "combine" && kind !== "castling";
      return s("circle", {
        cx: x,
        cy: y,
        r: take ? 47 : 9,
        class: `reach ${take ? "takes" : ""} side${side}`,
      });
    });
    this.layer.reach.replaceChildren(...this.ringShapes(guns, side), ...dots);
  }

  /** @param {Arrow[]} arrows */
  showArrows(arrows) {
    /** @type {Record<string, number>} */
    const widths = { "": 20, second: 14, third: 11 };
    const shapes = arrows.map(({ from, to, cls = "" }) =>
      from === to
        ? this.mark("circle", from)
        : s("path", {
            d: arrowPath(...this.xy(from), ...this.xy(to), widths[cls] || 16),
            class: `arrow ${cls}`,
          }),
    );
    this.layer.arrows.replaceChildren(...shapes);
  }

  /** What the player drew: arrows and circles, and the badge of a check above all pieces. */
  drawNotes() {
    const badge = this.checked ? [this.mark("check-badge", this.checked)] : [];
    const shapes = (this.notes || []).map(({ from, to, cls = "" }) => {
      const [x, y] = this.xy(from);
      return from === to
        ? s("circle", { cx: x, cy: y, r: 50, class: `note ${cls}` })
        : s("path", { d: arrowPath(x, y, ...this.xy(to), 14), class: `arrow note ${cls}` });
    });
    this.layer.notes.replaceChildren(...badge, ...shapes);
  }

  /** @param {Arrow[]} notes */
  showNotes(notes) {
    this.notes = notes;
    this.drawNotes();
  }

  nameCells() {
    for (const [square, cell] of this.cells) {
      const stack = this.view?.pieces[square];
      const kinds = this.targets.get(square);
      const mine = this.emit("isMine", square) === true;
      const key = `${stack?.join()}|${kinds ? [...kinds].join() : ""}|${this.view?.check === square}`;
      cell.classList.toggle("mine", mine);
      if (cell.dataset.key === key) continue;
      cell.dataset.key = key;
      const parts = [square, stack ? stackName(this.variant, stack) : t("empty")];
      for (const kind of kinds || []) parts.push(t(`kind.${kind}`));
      if (this.view?.check === square) parts.push(t("check"));
      cell.setAttribute("aria-label", parts.join(", "));
    }
  }

  /** @param {NonNullable<View["last"]>} last */
  animate(last) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!get("animate") || calm || !last.length) return;
    const [from, to, kind] = last[last.length - 1];
    const group = this.stacks.get(to);
    if (!group || ["stay", "breach", "exchange"].includes(kind)) return;
    const [x, y] = this.xy(to);
    const [ox, oy] = this.xy(from);
    this.layer.pieces.append(group);
    group.animate(
      [{ transform: `translate(${ox}px, ${oy}px)` }, { transform: `translate(${x}px, ${y}px)` }],
      { duration: 160, easing: "cubic-bezier(.2,.8,.2,1)" },
    );
  }

  // Carrying a piece -----------------------------------------------------------------------------

  /** A picture that follows the pointer while the stack itself fades. @param {Square} square @param {Piece[]} pieces */
  lift(square, pieces) {
    this.stacks.get(square)?.classList.add("lifted");
    this.ghost = s("g", { class: "ghost" }, this.stackParts(pieces));
    this.aim = s("circle", { r: 74, class: "aim", visibility: "hidden" });
    this.layer.drag.replaceChildren(this.aim, this.ghost);
  }

  /** Under a finger the piece is drawn above it, its target circled. @param {PointerEvent} event */
  carry(event) {
    const raised = event.pointerType === "touch" ? 52 : 0;
    const point = this.point(event.clientX, event.clientY - raised);
    const scale = raised ? 1.5 : 1.08;
    this.ghost?.setAttribute("transform", `translate(${point.x} ${point.y}) scale(${scale})`);
    const square = this.squareAt(event.clientX, event.clientY);
    const aimed = square && this.targets.has(square);
    this.aim?.setAttribute("visibility", aimed ? "visible" : "hidden");
    if (!aimed) return;
    const [x, y] = this.xy(square);
    this.aim?.setAttribute("cx", String(x));
    this.aim?.setAttribute("cy", String(y));
  }

  drop() {
    this.layer.drag.replaceChildren();
    this.ghost = this.aim = null;
    for (const stack of this.stacks.values()) stack.classList.remove("lifted");
  }

  destroy() {
    this.forget();
    this.sized.disconnect();
    this.narrow.removeEventListener("change", this.relayout);
  }
}
