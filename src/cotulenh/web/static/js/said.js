// A game as the server tells of it, and in words: who sits where, whose turn it is, how it ended.
import { need } from "./dom.js";
import { t } from "./i18n.js";
import { pieceName, sideName } from "./names.js";

/** @import { Change, GameState, Square } from "./types.js" */

/**
 * A game after what has changed in it, or null if the change belongs to another state of it.
 * @param {GameState} state
 * @param {Change} change
 * @returns {GameState | null}
 */
export function changed(state, { ply, turn = 0, moves = [], view, ...standing }) {
  if (ply !== state.moves.length) return null;
  const { id, mode, fen0, clock_setup, public: open, chess960, objective } = state;
  const always = { id, mode, fen0, clock_setup, public: open, chess960, objective };
  const known = state.view;
  const seen = view && {
    ...view,
    turns: [...(known.turns || []).slice(0, turn), ...(view.turns || [])],
    stops: [...(known.stops || []).slice(0, turn), ...(view.stops || [])],
  };
  const played = [...state.moves, ...moves];
  return { ...always, ...standing, t: "game", moves: played, view: seen || known };
}

/** The level of the engine that plays along, 0 if none does. @param {GameState} state */
export const engineLevel = (state) =>
  Number(state.seats.find((one) => one.startsWith("engine"))?.split(":")[1] || 0);

/** The side that moved first: a position may begin with the second. @param {GameState} state */
export const firstSide = (state) => (state.fen0.split(" ")[1] === "b" ? 1 : 0);

/** The number of the last turn, as the list of moves counts: both sides have one number. @param {GameState} state */
export const turnCount = (state) =>
  Math.ceil(((state.view.turns?.length || 0) + firstSide(state)) / 2);

/** How long something took, in the two largest units that say something. @param {number} seconds */
export function timeText(seconds) {
  if (seconds < 60) return t("time.seconds", { n: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("time.minutes", { n: minutes });
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours < 24) return t(rest ? "time.hours.minutes" : "time.hours", { n: hours, rest });
  return t("time.days", { n: Math.round(hours / 24) });
}

/** @param {GameState} state */
export function gameTitle(state) {
  const level = engineLevel(state);
  return level ? t("engine.level", { level }) : t(`mode.${state.mode}`);
}

/** Who sits there, "" where nothing but the side is known. @param {GameState} state @param {number} side */
export function seatTitle(state, side) {
  const [kind, level] = state.seats[side].split(":");
  if (kind === "engine") return t("engine.name", { level });
  if (kind === "open") return t("waiting");
  const name = state.names?.[side] || "";
  return state.you.length === 1 && state.you[0] === side ? name || t("you") : name;
}

/** @param {GameState} state @param {number} side */
export function seatSub(state, side) {
  const { view, result } = state;
  const busy = result || view.turn !== side ? undefined : view.deployment;
  if (busy) return t("status.step", { n: busy.steps.length + 1 });
  return seatTitle(state, side) ? sideName(view.variant, side) : "";
}

/** @param {GameState} state */
export function resultText(state) {
  const { winner, reason } = need(state.result, "the result of a game that is over");
  const nobody = winner === null || winner === undefined;
  const who = nobody
    ? t("result.draw")
    : t("result.won", { side: sideName(state.view.variant, winner) });
  return `${who} · ${t(`reason.${reason}`)}`;
}

/** @param {GameState} state @param {boolean} back whether an earlier position is shown */
export function statusText(state, back) {
  const { view } = state;
  if (back) return t("looking.back");
  if (state.result) return resultText(state);
  if (state.seats.includes("open")) return t("status.open");
  let text = t("status.turn", { side: sideName(view.variant, view.turn) });
  if (state.you.length === 1) {
    const mine = state.you.includes(view.turn);
    text = t(mine ? "status.yours" : state.thinking ? "status.thinking" : "status.theirs");
  }
  return view.check ? `${t("check")} · ${text}` : text;
}

/**
 * What is in the hand and where, or what is to be played as soon as it may.
 * @param {GameState} state
 * @param {Square | null} square
 * @param {{ from: Square, to: Square } | null} pre
 */
export function heldText(state, square, pre) {
  if (pre) return t("premove.set", pre);
  const stack = square && state.view.pieces[square];
  if (!stack) return "";
  return `${stack.map((piece) => pieceName(state.view.variant, piece)).join(" + ")}, ${square}`;
}
