"""One game under way: whose turn, clocks, offers, the end."""

from __future__ import annotations

import asyncio
import hashlib
import time
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from cotulenh.games import move_text, parse_move, push_text, side
from cotulenh.web.messages import (
    Change,
    ChatLine,
    Clock,
    GameState,
    Refusal,
    Result,
    Seat,
    Setup,
)
from cotulenh.web.view import MAX_MOVES, View, view

__all__ = ["Room", "State", "Viewer", "common_length", "hashed"]


def hashed(key: str) -> str:
    """A player's key as it is kept: nobody can play with what a copy of the file shows."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]


class State(msgspec.Struct):
    """What is kept of a game beside its moves."""

    left: list[int] | None = None
    result: Result | None = None
    draw_offer: int | None = None
    takeback_offer: int | None = None
    rematch_offer: int | None = None
    next: str = ""
    #: When the first move was made, and how many seconds later the game ended.
    begun: float | None = None
    took: int | None = None
    #: For each side: the turns of its own it had finished when it last offered a draw, plus one.
    offered: list[int] = msgspec.field(default_factory=lambda: [0, 0])


class Viewer(Protocol):
    """Someone who watches a room; ``key`` is the hash of the player's key.

    With ``changes`` one is told what is new, not the whole game each time.
    """

    key: str
    changes: bool

    def send(self, message: msgspec.Struct) -> None:
        """Hands over a message without waiting."""


class Snapshot(NamedTuple):
    """A room as it was, to go back to when a change could not be saved."""

    setup: bytes
    state: bytes
    moves: list[str]
    since: float | None


class Room:
    """One game."""

    def __init__(self, game: str, setup: Setup, state: State, moves: list[str]) -> None:
        self.id, self.setup, self.state = game, setup, state
        self.created = time.time()
        self.first = setup.board()
        self.board: Any = self.first.copy()
        self.moves = moves
        for text in moves:
            push_text(self.board, text)
        self.viewers: set[Viewer] = set()
        #: How many of the moves all viewers know; None when they know some that are no more.
        self._told: int | None = len(moves)
        self.lock = asyncio.Lock()
        self.thinking: asyncio.Task[None] | None = None
        self.flag: asyncio.TimerHandle | None = None
        self.since: float | None = None
        self.score: int | None = None  # what the engine last thought of its own position
        self.chat: list[ChatLine] | None = None  # read when first asked for
        self._view: View | None = None

    # Looking --------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The side to move."""
        return side(self.board)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None

    @property
    def is_open(self) -> bool:
        """Whether a seat is still free."""
        return any(not seat.key and not seat.level for seat in self.setup.seats)

    def sides_of(self, key: str) -> list[int]:
        """The sides a player plays."""
        return [i for i, seat in enumerate(self.setup.seats) if seat.key and seat.key == key]

    def here(self) -> list[bool]:
        """Which players are connected."""
        keys = {viewer.key for viewer in self.viewers}
        return [seat.key in keys for seat in self.setup.seats]

    def spectators(self) -> int:
        """How many watch who do not play."""
        return sum(not self.sides_of(viewer.key) for viewer in self.viewers)

    def engine_to_move(self) -> bool:
        """Whether the engine is to think now."""
        return not self.over and self.setup.seats[self.turn].level > 0

    def own_turns(self, me: int) -> int:
        """How many turns a side has finished."""
        finished = len(self.view().stops)
        return (finished + (side(self.first) == me)) // 2

    def can_offer_draw(self, me: int) -> bool:
        """One offer a turn."""
        return not self.over and self.state.offered[me] != self.own_turns(me) + 1

    def view(self) -> View:
        """The board as data, made once a position."""
        if self._view is None:
            self._view = view(self.board, self.first)
        return self._view

    def state_for(self, key: str) -> GameState:
        """The game as a viewer sees it."""
        return GameState(
            id=self.id,
            mode=self.setup.mode,
            view=self.view(),
            fen0=self.first.fen(),
            moves=self.moves,
            clock_setup=self.setup.clock,
            public=self.setup.public,
            chess960=self.setup.chess960,
            objective=self.setup.objective,
            **self._standing(key),
        )

    def change_for(self, key: str, told: int) -> Change:
        """What is new to a viewer who knows the first ``told`` moves."""
        change = Change(ply=told, moves=self.moves[told:], **self._standing(key))
        if change.moves:
            seen = self.view()
            change.turn = bisect_right(seen.stops, told)
            change.view = msgspec.structs.replace(
                seen,
                turns=seen.turns[change.turn :],
                stops=seen.stops[change.turn :],
                moves=seen.moves if self.turn in change.you else [],
            )
        return change

    def _standing(self, key: str) -> dict[str, Any]:
        mine = self.sides_of(key)
        return {
            "you": mine,
            "seats": [_seat_name(seat) for seat in self.setup.seats],
            "clock": self.clock(),
            "result": self.state.result,
            "draw_offer": self.state.draw_offer,
            "takeback_offer": self.state.takeback_offer,
            "rematch_offer": self.state.rematch_offer,
            "next": self.state.next,
            "thinking": self.engine_to_move(),
            "here": self.here(),
            "names": [seat.name for seat in self.setup.seats],
            "spectators": self.spectators(),
            "can_draw": any(self.can_offer_draw(me) for me in mine),
            "took": self.state.took,
        }

    def tell(self, message: msgspec.Struct) -> None:
        """Sends a message to all who watch."""
        for viewer in list(self.viewers):
            viewer.send(message)

    def broadcast(self, newcomer: Viewer | None = None) -> None:
        """Tells all who watch how the game stands; one who has just come gets the whole of it."""
        told, self._told = self._told, len(self.moves)
        for viewer in list(self.viewers):
            if told is None or viewer is newcomer or not viewer.changes:
                viewer.send(self.state_for(viewer.key))
            else:
                viewer.send(self.change_for(viewer.key, told))

    # Clocks ---------------------------------------------------------------------------------------

    def clock(self) -> Clock | None:
        """What is left on the clocks at this moment."""
        if self.state.left is None:
            return None
        left = list(self.state.left)
        if self.since is not None:
            left[self.turn] = max(0, left[self.turn] - self._elapsed())
        return Clock(left, self.turn if self.since is not None else None)

    def _elapsed(self) -> int:
        return 0 if self.since is None else int((time.monotonic() - self.since) * 1000)

    def start_clock(self) -> None:
        """Lets the clock of the side to move run, from the first move of the game on."""
        runs = self.state.left is not None and not self.over and self.moves
        self.since = time.monotonic() if runs else None

    def stop_clock(self, side_: int, increment: bool) -> None:
        """Books the time since the clock was started."""
        if self.state.left is not None:
            self.state.left[side_] = max(0, self.state.left[side_] - self._elapsed())
            if increment and self.setup.clock is not None:
                self.state.left[side_] += self.setup.clock.increment * 1000
        self.since = None

    def flagged(self) -> bool:
        """Whether the side to move has no time left."""
        clock = self.clock()
        return clock is not None and clock.running is not None and clock.left[clock.running] <= 0

    # Changing -------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The room as it is now."""
        encode = msgspec.json.encode
        return Snapshot(encode(self.setup), encode(self.state), list(self.moves), self.since)

    def restore(self, old: Snapshot) -> None:
        """The room as it was: what happened since has not happened."""
        common = common_length(self.moves, old.moves)
        self.back(len(self.moves) - common)
        for text in old.moves[common:]:
            push_text(self.board, text)
            self.moves.append(text)
        self.setup = msgspec.json.decode(old.setup, type=Setup)
        self.state = msgspec.json.decode(old.state, type=State)
        self.since = old.since
        self._view = None

    def play(self, text: str) -> None:
        """Plays a legal move of the side to move."""
        if self.over:
            raise Refusal("game_over", "the game is over")
        if len(self.moves) >= MAX_MOVES:
            raise Refusal("too_long", f"a game has at most {MAX_MOVES} moves", most=MAX_MOVES)
        mover = self.turn
        try:
            move = parse_move(self.board, text)
        except ValueError as error:
            raise Refusal("illegal_move", str(error), reason=error) from None
        kept = move_text(self.board, move)
        self.board.push(move)
        done = self.turn != mover or self.board.is_game_over()
        if self.since is not None:
            self.stop_clock(mover, increment=done)
        self.moves.append(kept)
        if self.state.begun is None and len(self.moves) == 1:
            self.state.begun = time.time()
        self.state.draw_offer = self.state.draw_offer if self.state.draw_offer == mover else None
        self.state.takeback_offer = None
        self._view = None
        outcome = self.view().outcome
        if outcome is not None:
            self.finish(outcome.winner, outcome.reason)
        self.start_clock()

    def back(self, moves: int) -> None:
        """Takes back single moves."""
        for _ in range(moves):
            self.board.pop()
            self.moves.pop()
        if not self.moves:
            self.state.begun = None
        if self._told is not None and len(self.moves) < self._told:
            self._told = None
        self._view = None

    def turn_back(self) -> None:
        """Takes back the last turn, or what was made of the present one.

        The time it took stays spent, and what was added for it goes.
        """
        running = self.since is not None
        self.stop_clock(self.turn, increment=False)
        stops = [0, *self.view().stops]
        whole = len(self.moves) == stops[-1]
        begin = stops[-2] if whole else stops[-1]
        self.back(len(self.moves) - begin)
        left, clock = self.state.left, self.setup.clock
        if whole and begin and left is not None and clock is not None:
            left[self.turn] = max(0, left[self.turn] - clock.increment * 1000)
        if running:
            self.start_clock()

    def finish(self, winner: int | None, reason: str) -> None:
        """Ends the game."""
        if self.since is not None:
            self.stop_clock(self.turn, increment=False)
        self.state.result = Result(winner, reason)
        if self.state.begun is not None:
            self.state.took = max(0, round(time.time() - self.state.begun))
        self.state.draw_offer = self.state.takeback_offer = None


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """How many moves two games share from their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _seat_name(seat: Seat) -> str:
    if seat.level:
        return f"engine:{seat.level}"
    return "human" if seat.key else "open"
