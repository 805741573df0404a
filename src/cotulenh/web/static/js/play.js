// A game: against the engine, on one screen, or between two browsers.
import { ask, button, clear, h, icon, iconButton, say, toast } from "./dom.js";
import { arrowsOf, betterText } from "./better.js";
import { BoardView } from "./board.js";
import { PieceCard } from "./card.js";
import { Chat } from "./chat.js";
import { EndPanel } from "./end.js";
import { foresee, samePieces } from "./foresee.js";
import { Hand } from "./hand.js";
import { MoveList } from "./moves.js";
import { api, Connection, position, Refused } from "./net.js";
import { PlayerBar } from "./players.js";
import { changed, engineLevel, firstSide, gameTitle, heldText, resultText } from "./said.js";
import { seatSub, seatTitle, statusText } from "./said.js";
import { Tray } from "./tray.js";
import { t } from "./i18n.js";
import { get, keep, playerKey } from "./settings.js";
import { sideName, stackName, variantTitle } from "./names.js";
import { sound } from "./sound.js";
import { BoardTools } from "./tools.js";
import { invite } from "./invite.js";
import { gameMenu } from "./menu.js";

/** @import { Change, GameState, Judged, Move, Route, View } from "./types.js" */

export class PlayScreen {
  /** @type {GameState} from the server's first answer on */
  state;
  /** @type {PlayerBar[]} */
  bars;
  /** @type {HTMLParagraphElement} */
  status;
  /** @type {HTMLParagraphElement} */
  lost;
  /** @type {HTMLDivElement} */
  actions;
  /** @type {HTMLDivElement} */
  offer;
  /** @type {MoveList} */
  moves;
  /** @type {Tray} */
  tray;
  /** @type {HTMLElement} */
  info;
  /** @type {HTMLSpanElement} */
  title;
  /** @type {EndPanel} */
  end;
  /** @type {BoardView} */
  board;
  /** @type {PieceCard} */
  card;
  /** @type {Hand} */
  hand;
  /** @type {BoardTools} */
  tools;
  /** @type {Chat} */
  chat;
  /** @type {HTMLDivElement} */
  switches;
  /** @type {HTMLDivElement} */
  top;
  /** @type {HTMLDivElement} */
  bottom;
  /** @type {number} */
  heard;

  /** @param {HTMLElement} root @param {Route} route */
  constructor(root, { id, go }) {
    this.root = root;
    this.id = id || "";
    this.go = go;
    this.playing = true;
    this.built = "";
    this.offered = "";
    /** @type {number | null} null: the present; a number: looking back at that many moves */
    this.shown = null;
    /** @type {View | null} what was drawn before the server has said so */
    this.ahead = null;
    this.build();
    this.connection = new Connection({
      onMessage: (message) => this.hear(message),
      onOpen: () => this.watch(),
      onState: (state) => this.connected(state === "open"),
    });
    this.ticking = setInterval(() => this.tick(), 100);
  }

  build() {
    this.host = h("div", {});
    this.bars = [new PlayerBar(), new PlayerBar()];
    this.status = h("p", { class: "status" });
    this.lost = h(
      "p",
      { class: "lost", hidden: true, role: "status" },
      icon("offline"),
      t("reconnecting"),
    );
    this.actions = h("div", { class: "actions action-bar" });
    this.offer = h("div", { class: "offer", hidden: true });
    this.moves = new MoveList((stop) => this.look(stop));
    this.tray = new Tray({
      commit: (text) => this.send({ text, from: "", to: "", kind: "commit" }),
      back: () => this.connection.send("back", { whole: false }),
      cancel: () => this.connection.send("back", { whole: true }),
    });
    this.info = h("section", { class: "card info" });
    this.title = h("span", { class: "slim-title" });
    this.end = new EndPanel({
      rematch: () => this.act("rematch"),
      review: () => this.review(),
      fresh: () => this.go("/"),
      easier: () => this.easier(),
      turning: (judged) => this.turning(judged),
    });
    this.board = new BoardView(this.host, {});
    this.host.append(this.end.node);
    this.card = new PieceCard(this.board);
    this.hand = new Hand(this.board, {
      may: () => this.mayMove(),
      play: (move) => this.chosen(move),
      side: () => this.premoveSide(),
      look: (square, why) => this.card.look(square, why),
      held: () => this.showStatus(),
    });
    this.tools = new BoardTools(this.board, () => this.turned());
    this.chat = new Chat((fields) => this.connection.send("chat", fields));
    this.context = h("div", { class: "context" }, this.hand.chooser.node, this.tray.node);
    this.switches = h("div", { class: "switch-place" });
    const steps = h(
      "div",
      { class: "steps" },
      iconButton("first", t("nav.first"), () => this.step("first")),
      iconButton("prev", t("nav.prev"), () => this.step(-1)),
      iconButton("next", t("nav.next"), () => this.step(1)),
      iconButton("last", t("nav.last"), () => this.step("last")),
      iconButton("flip", t("flip"), () => this.tools.flip(), { "data-tool": "flip" }),
      iconButton("more", t("more"), () => gameMenu(this.id, this.tools), { "data-do": "more" }),
    );
    clear(
      this.root,
      h(
        "div",
        { class: "screen play" },
        h(
          "div",
          { class: "slim" },
          iconButton("back", t("nav.home"), () => this.go("/")),
          this.title,
          this.tools.ringButton(),
          iconButton("more", t("more"), () => gameMenu(this.id, this.tools), { "data-do": "more" }),
        ),
        h(
          "aside",
          { class: "left", "aria-label": t("panel.piece") },
          this.info,
          this.context,
          this.card.node,
          h("p", { class: "card note card-hint" }, t("card.hint")),
          this.switches,
          this.chat.node,
        ),
        h("div", { class: "center" }, this.host),
        h(
          "aside",
          { class: "right", "aria-label": t("panel") },
          (this.top = h("div", { class: "player-top" })),
          this.lost,
          this.status,
          this.offer,
          this.moves.node,
          steps,
          this.actions,
          (this.bottom = h("div", { class: "player-bottom" })),
        ),
      ),
    );
  }

  mayMove() {
    const { state } = this;
    return Boolean(
      state &&
        !state.result &&
        this.shown === null &&
        !this.ahead &&
        state.you.includes(state.view.turn) &&
        !state.seats.includes("open"),
    );
  }

  /** Whose moves may be chosen ahead of their turn. */
  premoveSide() {
    const { state } = this;
    const able = state && !state.result && this.shown === null && state.you.length === 1;
    return able && !state.seats.includes("open") && !state.you.includes(state.view.turn)
      ? state.you[0]
      : null;
  }

  // Moving ----------------------------------------------------------------------------------------

  /** @param {Move} move */
  chosen(move) {
    if (!get("confirm")) {
      this.send(move);
      return;
    }
    const before = this.state.view;
    this.board.set(foresee(before, move));
    const undo = () => {
      this.hand.chooser.close();
      if (this.state.view === before) this.show(before);
    };
    this.hand.chooser.choices(
      t("confirm.move"),
      [
        {
          label: t("confirm.yes"),
          cls: "primary",
          content: icon("check"),
          action: () => {
            this.hand.chooser.close();
            this.send(move);
          },
        },
        { label: t("confirm.no"), content: icon("undo"), action: undo },
      ],
      { cancel: undo, focus: true },
    );
  }

  /** Drawn at once, then sent; what the server says replaces it. @param {Move} move */
  send(move) {
    const { view, moves } = this.state;
    this.sent = this.connection.send("move", { text: move.text, ply: moves.length });
    if (!this.sent) {
      toast(t("refused.offline"), "bad");
      this.show(view);
      return;
    }
    if (move.kind === "commit") return;
    this.ahead = foresee(view, move);
    this.board.set(this.ahead);
    this.hand.setView(this.ahead);
    this.noise(move.kind || "normal", false);
  }

  // What the server says ------------------------------------------------------------------------------

  /** @param {any} message */
  hear(message) {
    if (message.t === "refused") this.refused(message);
    else if (message.t === "chat") this.chat.hear(message, this.state);
    else if (message.t === "gone") this.go("/");
    else if (message.t === "declined") toast(t(`declined.${message.what}`));
    else if (message.t === "game") this.update(message);
    else if (message.t === "change" && this.state) this.change(message);
  }

  /** Says what is watched here; the answer is the whole game, then what changes in it. */
  watch() {
    const who = { key: playerKey(), name: get("name") };
    this.connection.send("open", { game: this.id, join: true, changes: true, ...who });
  }

  /** @param {Change} message */
  change(message) {
    const now = changed(this.state, message);
    if (now) this.update(now);
    else this.watch(); // out of step: the whole game, please
  }

  /** @param {any} message */
  refused(message) {
    const refused = new Refused(message.code, message.text, message.args);
    const moved = this.ahead && message.id === this.sent;
    this.ahead = null;
    toast(moved ? t("rolled.back", { why: refused.message }) : refused.message, "bad");
    if (message.code === "no_such_game") this.go("/");
    else if (this.state && this.shown === null) this.show(this.state.view);
  }

  /** @param {GameState} message */
  update(message) {
    const before = this.state;
    const ahead = this.ahead;
    this.state = message;
    this.ahead = null;
    this.heard = performance.now();
    // A finished game is kept: its review opens without a network.
    if (message.result) keep(`cotulenh.game.${message.id}`, message);
    if (!before) this.begin();
    if (message.next && before && !before.next && message.you.length) {
      this.go(`/game/${message.next}`, { replace: false });
      return;
    }
    const news = before && before.moves.length !== message.moves.length;
    if (news) this.shown = null;
    const changed =
      !before ||
      news ||
      ahead ||
      before.view.fen !== message.view.fen ||
      before.seats.join() !== message.seats.join();
    if (changed && this.shown === null) {
      // What was drawn at the drop is not moved a second time.
      const drawn = ahead && samePieces(ahead, message.view);
      this.show(message.view, Boolean(before) && !drawn);
    }
    if (news && message.moves.length > before.moves.length) this.announce(message, Boolean(ahead));
    if (message.result && (!before || !before.result)) this.ended(Boolean(before));
    this.panel();
  }

  begin() {
    const { you, view, mode } = this.state;
    this.board.setVariant(view.variant);
    this.board.setFlip(you.length === 1 && you[0] === 1);
    clear(this.switches, this.tools.switches());
    this.chat.node.hidden = mode !== "link";
    this.arrange();
  }

  /** The bar of the side that is below comes below. */
  arrange() {
    const below = this.board.flip ? 1 : 0;
    clear(this.top, this.bars[1 - below].node);
    clear(this.bottom, this.bars[below].node);
  }

  turned() {
    this.arrange();
    if (this.state && this.shown === null) this.hand.setView(this.ahead || this.state.view);
  }

  /** @param {boolean} open */
  connected(open) {
    this.lost.hidden = open;
    if (!open) this.ahead = null;
    if (!open && this.state && this.shown === null) this.show(this.state.view);
  }

  /** @param {GameState} now @param {boolean} own */
  announce(now, own) {
    const { view } = now;
    const last = view.last?.[view.last.length - 1];
    if (!last) return;
    const [from, to, kind] = last;
    const stack = view.pieces[to];
    const there = stack && !["stay", "exchange", "breach"].includes(kind);
    const who = there ? stackName(view.variant, stack) : "";
    const moved = t("say.moved", { who, from, to, did: t(`did.${kind}`) }).trim();
    say([moved, view.check && t("check"), view.outcome && t("over")].filter(Boolean).join(". "));
    if (!own || view.check) this.noise(kind, Boolean(view.check));
  }

  /** @param {string} kind @param {boolean} check */
  noise(kind, check) {
    if (check) sound("check");
    else if (kind === "combine") sound("join");
    else if (kind !== "normal" && kind !== "commit") sound("take");
    else sound("move");
  }

  /** @param {boolean} now whether it ended before our eyes */
  ended(now) {
    if (now) sound("end");
    say(resultText(this.state));
    this.end.show(
      this.state,
      (side) => seatTitle(this.state, side) || sideName(this.state.view.variant, side),
    );
  }

  // What is shown -----------------------------------------------------------------------------------

  /** @param {View} view @param {boolean} [animate] */
  show(view, animate = false) {
    this.board.set(view, { animate });
    this.board.showArrows([]);
    this.card.look(null);
    this.hand.setView(view);
  }

  /** @param {number} stop */
  async look(stop) {
    const { state } = this;
    if (stop >= state.moves.length) {
      this.shown = null;
      this.show(state.view);
    } else {
      this.shown = stop;
      this.end.hide();
      const view = await position(state.view.variant, state.fen0, state.moves.slice(0, stop)).catch(
        (error) => {
          toast(error.message, "bad");
          this.shown = null;
          return state.view;
        },
      );
      if (this.shown === stop) this.show({ ...view, moves: [] });
    }
    this.panel();
  }

  /** @param {number | "first" | "last"} where */
  step(where) {
    if (!this.state) return;
    const stops = [0, ...(this.state.view.stops || [])];
    const end = this.state.moves.length;
    if (stops[stops.length - 1] !== end) stops.push(end);
    const at = stops.indexOf(this.shown ?? end);
    const last = stops.length - 1;
    const to =
      where === "first" ? 0 : where === "last" ? last : Math.max(0, Math.min(last, at + where));
    this.look(stops[to]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number | "first" | "last">} */
    const keys = { ArrowLeft: -1, ArrowRight: 1, Home: "first", End: "last" };
    if (event.key in keys) this.step(keys[event.key]);
    else if (event.key === "f") this.tools.flip();
    else if (event.key === "r") this.tools.cycle();
    else return false;
    return true;
  }

  panel() {
    const { state } = this;
    const { view } = state;
    const seat = (/** @type {number} */ side) => state.seats[side];
    this.bars.forEach((bar, side) =>
      bar.set({
        view,
        side,
        title: seatTitle(state, side),
        sub: seatSub(state, side),
        turn: !state.result && view.turn === side,
        here: state.mode !== "link" || seat(side) === "open" || state.here?.[side] !== false,
        engine: seat(side).startsWith("engine"),
      }),
    );
    const under = view.deployment?.steps || [];
    this.moves.set(
      view.turns || [],
      view.stops || [],
      this.shown ?? state.moves.length,
      firstSide(state),
      under,
    );
    this.tray.set(
      this.shown === null ? view : { variant: view.variant },
      this.mayMove(),
      this.hand,
    );
    this.showStatus();
    this.title.textContent = gameTitle(state);
    this.tick();
    this.showOffer();
    // What did not change is not built again.
    const { seats, names, you, result, can_draw: may, spectators, here } = state;
    const begun = state.moves.length > 0;
    const facts = [seats, names, you, result, may, spectators, here, begun, this.end.node.hidden];
    const key = JSON.stringify(facts);
    if (key === this.built) return;
    this.built = key;
    this.showInfo();
    this.showActions();
  }

  showStatus() {
    const { state } = this;
    if (!state) return;
    clear(
      this.status,
      h("span", { class: "dot-sign" }),
      h("b", {}, statusText(state, this.shown !== null)),
      h(
        "span",
        { class: "held" },
        this.shown === null && heldText(state, this.hand.from, this.hand.pre),
      ),
    );
    this.status.classList.toggle("over", Boolean(state.result));
    this.status.classList.toggle("mine", this.mayMove());
  }

  showInfo() {
    const { state } = this;
    const clock = state.clock_setup;
    const facts = [
      clock ? `${clock.base / 60} + ${clock.increment}` : t("clock.none"),
      gameTitle(state),
      state.objective && state.objective !== "commander" && t(`objective.${state.objective}`),
      state.chess960 && "Chess960",
      state.spectators && t("watching", { count: state.spectators }),
    ];
    clear(
      this.info,
      h("p", { class: "label" }, t("game.casual")),
      h("h2", {}, variantTitle(state.view.variant)),
      h("p", { class: "note" }, facts.filter(Boolean).join(" · ")),
    );
  }

  // Actions ---------------------------------------------------------------------------------------

  /** @param {string} what */
  act(what) {
    if (what === "rematch" && this.state.next) {
      this.go(`/game/${this.state.next}`); // agreed on already: come along
      return;
    }
    if (!this.connection.send("act", { what })) toast(t("refused.offline"), "bad");
  }

  showActions() {
    const { state } = this;
    const open = state.seats.includes("open");
    const kids = [];
    if (open) {
      kids.push(
        button(t("share.link"), () => invite(location.href), {
          icon: "share",
          cls: "primary",
          "data-do": "share-link",
        }),
      );
      if (state.you.length)
        kids.push(
          button(t("cancel.game"), () => this.act("cancel"), {
            icon: "close",
            "data-do": "cancel-game",
          }),
        );
    } else if (state.you.length && !state.result) {
      const may = Boolean(state.can_draw);
      kids.push(
        button(t("takeback"), () => this.act("takeback"), {
          icon: "undo",
          disabled: !state.moves.length,
          "data-do": "takeback",
        }),
        button(t("offer.draw"), () => this.offerDraw(), {
          icon: "half",
          disabled: !may,
          "data-do": "draw",
        }),
        button(t("resign"), () => this.resign(), {
          icon: "flag",
          cls: "danger-text",
          "data-do": "resign",
        }),
      );
    }
    if (state.result) {
      if (state.you.length)
        kids.push(
          button(t("rematch"), () => this.act("rematch"), { icon: "refresh", cls: "primary" }),
        );
      kids.push(button(t("review"), () => this.review(), { icon: "chart" }));
      if (this.end.node.hidden)
        kids.push(button(t("end.result"), () => this.ended(false), { icon: "star" }));
    }
    clear(
      this.actions,
      button(t("nav.prev"), () => this.step(-1), { icon: "prev", cls: "step" }),
      button(t("nav.next"), () => this.step(1), { icon: "next", cls: "step" }),
      kids,
    );
  }

  async offerDraw() {
    // On one screen both would agree at once: ask first.
    if (this.state.mode === "local" && !(await ask(t("draw.sure"), t("offer.draw")))) return;
    this.act("draw");
  }

  async resign() {
    if (await ask(t("resign.sure"), t("resign"), { danger: true })) this.act("resign");
  }

  review() {
    this.go(`/analysis?game=${this.state.id}&review=1`);
  }

  /** Back before the turn that cost the game, the better one as an arrow and in words. @param {Judged} judged */
  async turning(judged) {
    const { view } = this.state;
    await this.look(view.stops?.[judged.turn - 2] || 0);
    this.board.showArrows(arrowsOf(judged));
    clear(
      this.status,
      h("span", { class: "dot-sign" }),
      h("span", {}, betterText(view.variant, judged)),
    );
  }

  async easier() {
    const { state } = this;
    const level = Math.max(1, engineLevel(state) - 1);
    const made = await api("/api/games", {
      key: playerKey(),
      mode: "engine",
      variant: state.view.variant,
      side: state.you[0],
      level,
      clock: state.clock_setup || null,
      name: get("name"),
    }).catch((error) => toast(error.message, "bad"));
    if (made) this.go(`/game/${made.id}`);
  }

  showOffer() {
    const { state } = this;
    const names = /** @type {("draw_offer" | "takeback_offer" | "rematch_offer")[]} */ ([
      "draw_offer",
      "takeback_offer",
      "rematch_offer",
    ]);
    const name = names.find((one) => state[one] === 0 || state[one] === 1);
    const mine = name && state.you.includes(state[name] ?? -1);
    const key = state.you.length === 1 && name ? `${name} ${mine}` : "";
    if (key === this.offered) return; // said once, and what has the focus keeps it
    this.offered = key;
    this.offer.hidden = !key;
    this.end.offered(name === "rematch_offer" ? (mine ? "mine" : "theirs") : "");
    if (!key || !name) return;
    const what = name.split("_")[0];
    clear(
      this.offer,
      h("p", {}, t(mine ? `offered.${what}` : `asked.${what}`)),
      !mine &&
        h(
          "div",
          { class: "actions" },
          button(t("accept"), () => this.act(what), { cls: "primary" }),
          button(t("decline"), () => this.act("decline")),
        ),
    );
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
    this.connection.close();
    this.end.destroy();
    this.hand.destroy();
    this.tools.destroy();
    this.board.destroy();
  }
}
