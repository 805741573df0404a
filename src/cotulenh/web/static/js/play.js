// A game: against the engine, on one screen, or between two browsers.
import { button, clear, copy, dialog, h, iconButton, say, toast } from "./dom.js";
import { BoardView } from "./board.js";
import { Hand } from "./hand.js";
import { MoveList } from "./moves.js";
import { Line, position, Refused } from "./net.js";
import { PlayerBar } from "./players.js";
import { Tray } from "./tray.js";
import { t } from "./i18n.js";
import { playerKey } from "./settings.js";
import { sideName, stackName } from "./names.js";
import { sound } from "./sound.js";
import { boardTools } from "./tools.js";

export class PlayScreen {
  constructor(root, { id, go }) {
    Object.assign(this, { root, id, go });
    this.state = null;
    this.shown = null; // null: the present; a number: looking back at that many moves
    this.build();
    this.line = new Line({
      onMessage: (message) => this.hear(message),
      onOpen: () => this.line.send("open", { game: id, key: playerKey(), join: true }),
      onState: (state) => { this.lost.hidden = state === "open"; },
    });
    this.ticking = setInterval(() => this.tick(), 100);
  }

  build() {
    this.host = h("div", {});
    this.bars = [new PlayerBar(), new PlayerBar()];
    this.status = h("p", { class: "status" });
    this.lost = h("p", { class: "lost", hidden: true, role: "status" }, t("reconnecting"));
    this.actions = h("div", { class: "actions" });
    this.offer = h("div", { class: "offer", hidden: true });
    this.moves = new MoveList((stop) => this.look(stop));
    this.tray = new Tray({
      commit: (text) => this.send(text),
      back: () => this.line.send("back", { whole: false }),
      cancel: () => this.line.send("back", { whole: true }),
    });
    this.tools = h("div", { class: "tools" });
    const steps = h("div", { class: "steps" },
      iconButton("first", t("nav.first"), () => this.step("first")),
      iconButton("prev", t("nav.prev"), () => this.step(-1)),
      iconButton("next", t("nav.next"), () => this.step(1)),
      iconButton("last", t("nav.last"), () => this.step("last")));
    clear(this.root, h("div", { class: "screen play" },
      h("div", { class: "board-column" }, this.top = h("div", {}), this.host, this.bottom = h("div", {})),
      h("aside", { class: "side", "aria-label": t("panel") }, this.lost, this.status, this.tray.node,
        this.offer, this.moves.node, steps, this.actions, this.tools)));
    this.board = new BoardView(this.host, {});
    this.hand = new Hand(this.board, {
      may: () => this.mayMove(),
      play: (move) => this.send(move.text),
    });
    boardTools(this.tools, this.board, () => this.arrange());
  }

  mayMove() {
    const { state } = this;
    return Boolean(state && !state.result && this.shown === null && state.you.includes(state.view.turn)
      && !state.seats.includes("open"));
  }

  send(text) {
    if (!this.line.send("move", { text, ply: this.state.moves.length })) toast(t("refused.offline"), "bad");
  }

  // What the server says ------------------------------------------------------------------------------

  hear(message) {
    if (message.t === "refused") {
      const refused = new Refused(message.code, message.text);
      toast(refused.message, "bad");
      if (message.code === "no_such_game") this.go("/");
      else if (this.state && this.shown === null) this.show(this.state.view);
      return;
    }
    if (message.t !== "game") return;
    const before = this.state;
    this.state = message;
    this.heard = performance.now();
    if (!before) this.begin();
    if (message.next && before && !before.next && message.you.length) this.go(`/game/${message.next}`);
    const news = before && before.moves.length !== message.moves.length;
    if (news) this.shown = null;
    if (!before || news || before.view.fen !== message.view.fen || before.seats.join() !== message.seats.join()) {
      if (this.shown === null) this.show(message.view, Boolean(before));
      if (news && message.moves.length > before.moves.length) this.announce(before, message);
    }
    if (before && !before.result && message.result) this.ended();
    this.panel();
  }

  begin() {
    const { you } = this.state;
    this.board.setVariant(this.state.view.variant);
    this.board.setFlip(you.length === 1 && you[0] === 1);
    this.arrange();
  }

  // The bar of the side that is below comes below.
  arrange() {
    const below = this.board.flip ? 1 : 0;
    clear(this.top, this.bars[1 - below].node);
    clear(this.bottom, this.bars[below].node);
  }

  announce(before, now) {
    const { view } = now;
    const last = view.last?.[view.last.length - 1];
    if (!last) return;
    const [from, to, kind] = last;
    const stack = view.pieces[to];
    const who = stack && kind !== "stay" && kind !== "exchange" && kind !== "breach" ? stackName(view.variant, stack) : "";
    say([t("say.moved", { who, from, to, did: t(`did.${kind}`) }).trim(), view.check ? t("check") : "",
      view.outcome ? t("over") : ""].filter(Boolean).join(". "));
    if (view.check) sound("check");
    else if (kind === "combine") sound("join");
    else if (kind !== "normal" && kind !== "commit") sound("take");
    else sound("move");
  }

  ended() {
    sound("end");
    say(this.resultText());
  }

  resultText() {
    const { result, view } = this.state;
    const who = result.winner === null || result.winner === undefined ? t("result.draw")
      : t("result.won", { side: sideName(view.variant, result.winner) });
    return `${who} · ${t(`reason.${result.reason}`)}`;
  }

  // What is shown -----------------------------------------------------------------------------------

  show(view, animate = false) {
    this.board.set(view, { animate });
    this.hand.setView(view);
  }

  async look(stop) {
    const { state } = this;
    if (stop >= state.moves.length) {
      this.shown = null;
      this.show(state.view);
    } else {
      this.shown = stop;
      const view = await position(state.view.variant, state.fen0, state.moves.slice(0, stop));
      if (this.shown === stop) this.show({ ...view, moves: [] });
    }
    this.panel();
  }

  step(where) {
    if (!this.state) return;
    const stops = [0, ...(this.state.view.stops || [])];
    const end = this.state.moves.length;
    if (stops[stops.length - 1] !== end) stops.push(end);
    const at = stops.indexOf(this.shown ?? end);
    const to = where === "first" ? 0 : where === "last" ? stops.length - 1
      : Math.max(0, Math.min(stops.length - 1, at + where));
    this.look(stops[to]);
  }

  key(event) {
    const keys = { ArrowLeft: -1, ArrowRight: 1, Home: "first", End: "last" };
    if (event.key in keys) this.step(keys[event.key]);
    else if (event.key === "f") { this.board.setFlip(!this.board.flip); this.arrange(); this.hand.setView(this.state.view); }
    else return false;
    return true;
  }

  panel() {
    const { state } = this;
    const { view } = state;
    const first = (state.fen0.split(" ")[1] === "b") ? 1 : 0;
    this.bars.forEach((bar, side) => bar.set({ view, side, title: this.seatTitle(side),
      turn: !state.result && view.turn === side, here: state.mode !== "link" || state.here?.[side] !== false }));
    this.moves.set(view.turns || [], view.stops || [], this.shown ?? state.moves.length, first);
    this.tray.set(this.shown === null ? view : { deployment: null }, this.mayMove());
    this.status.textContent = this.statusText();
    this.status.classList.toggle("over", Boolean(state.result));
    this.tick();
    this.showActions();
    this.showOffer();
  }

  seatTitle(side) {
    const { state } = this;
    const [kind, level] = state.seats[side].split(":");
    if (kind === "engine") return t("engine.level", { level });
    if (kind === "open") return t("waiting");
    return state.you.length === 1 && state.you[0] === side ? t("you") : "";
  }

  statusText() {
    const { state } = this;
    const { view } = state;
    if (this.shown !== null) return t("looking.back");
    if (state.result) return this.resultText();
    if (state.seats.includes("open")) return t("status.open");
    const side = sideName(view.variant, view.turn);
    const parts = [state.you.length === 1
      ? (state.you.includes(view.turn) ? t("status.yours") : state.thinking ? t("status.thinking") : t("status.theirs"))
      : t("status.turn", { side })];
    if (!state.you.length) parts[0] = t("status.turn", { side });
    if (view.check) parts.unshift(t("check"));
    return parts.join(" · ");
  }

  showActions() {
    const { state } = this;
    const act = (what) => () => this.line.send("act", { what });
    const kids = [];
    if (state.you.length && !state.result) {
      kids.push(button(t("takeback"), act("takeback"), { icon: "undo", disabled: !state.moves.length }),
        button(t("offer.draw"), act("draw"), { icon: "half" }),
        button(t("resign"), () => this.confirmResign(act("resign")), { icon: "flag" }));
    }
    if (state.seats.includes("open")) {
      kids.push(button(t("copy.link"), () => this.shareLink(), { icon: "link", cls: "primary" }));
    }
    if (state.result) {
      if (state.you.length) kids.push(button(t("rematch"), act("rematch"), { icon: "again", cls: "primary" }));
      kids.push(button(t("review"), () => this.go(`/analysis?game=${state.id}`), { icon: "chart" }));
      kids.push(h("a", { class: "button", href: `/api/games/${state.id}/pgn`, download: "game.pgn" }, "PGN"));
    }
    clear(this.actions, kids);
  }

  async shareLink() {
    if (await copy(location.href)) toast(t("copied"));
    else dialog(t("copy.link"), () => h("input", { value: location.href, readonly: true, class: "wide" }));
  }

  confirmResign(act) {
    dialog(t("resign.sure"), (close) => h("div", { class: "actions" },
      button(t("resign"), () => { close(); act(); }, { cls: "danger" }),
      button(t("cancel"), () => close())));
  }

  showOffer() {
    const { state } = this;
    const names = ["draw_offer", "takeback_offer", "rematch_offer"];
    const name = names.find((one) => state[one] === 0 || state[one] === 1);
    const mine = name && state.you.includes(state[name]);
    this.offer.hidden = !name || state.you.length !== 1;
    if (this.offer.hidden) return;
    const what = name.split("_")[0];
    clear(this.offer, h("p", {}, t(mine ? `offered.${what}` : `asked.${what}`)),
      !mine && h("div", { class: "actions" },
        button(t("accept"), () => this.line.send("act", { what }), { cls: "primary" }),
        button(t("decline"), () => this.line.send("act", { what: "decline" }))));
    if (!mine) say(t(`asked.${what}`));
  }

  tick() {
    const clock = this.state?.clock;
    this.bars.forEach((bar, side) => {
      if (!clock) return bar.time(null);
      const running = clock.running === side;
      return bar.time(clock.left[side] - (running ? performance.now() - this.heard : 0), running);
    });
  }

  destroy() {
    clearInterval(this.ticking);
    this.line.close();
    this.board.destroy();
  }
}
