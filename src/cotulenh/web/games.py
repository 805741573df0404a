"""Games under way: whose turn, clocks, offers, the end. One room a game, all rooms in the hall.

A room changes only under its lock, and an answer leaves only after the change is on the disk.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from cotulenh.web.messages import (
    Clock,
    Created,
    GameLine,
    GameState,
    NewGame,
    Refusal,
    Result,
    Seat,
    Setup,
)
from cotulenh.web.store import GameRow, Store
from cotulenh.web.view import MAX_MOVES, AnyBoard, View, new_board, play, side, view

__all__ = ["Hall", "Room", "State", "Viewer", "hashed"]

log = logging.getLogger("cotulenh.web")

#: Kept games at most; the oldest are never thrown away behind a player's back.
MAX_GAMES = 100_000
#: Rooms held in memory without a viewer before the idle ones are let go (they stay on the disk).
MAX_IDLE_ROOMS = 500


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


class Viewer(Protocol):
    """Someone who watches a room; ``key`` is the hash of the player's key."""

    key: str

    def send(self, message: msgspec.Struct) -> None:
        """Hands over a message without waiting."""


class Room:
    """One game."""

    def __init__(self, game: str, setup: Setup, state: State, moves: list[str]) -> None:
        self.id, self.setup, self.state = game, setup, state
        self.first = new_board(setup.variant, setup.fen)
        self.board = self.first.copy()
        self.moves = moves
        for text in moves:
            play(self.board, text)
        self.viewers: set[Viewer] = set()
        self.lock = asyncio.Lock()
        self.thinking: asyncio.Task[None] | None = None
        self.flag: asyncio.TimerHandle | None = None
        self.since: float | None = None
        self.score: int | None = None  # what the engine last thought of its own position
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

    def sides_of(self, key: str) -> list[int]:
        """The sides a player plays."""
        return [i for i, seat in enumerate(self.setup.seats) if seat.key and seat.key == key]

    def engine_to_move(self) -> bool:
        """Whether the engine is to think now."""
        return not self.over and self.setup.seats[self.turn].level > 0

    def view(self) -> View:
        """The board as data, made once a position."""
        if self._view is None:
            self._view = view(self.board, self.first)
        return self._view

    def told(self, key: str) -> GameState:
        """The game as a viewer sees it."""
        here = [any(v.key == seat.key for v in self.viewers) for seat in self.setup.seats]
        return GameState(
            id=self.id,
            mode=self.setup.mode,
            view=self.view(),
            fen0=self.first.fen(),
            moves=self.moves,
            you=self.sides_of(key),
            seats=[_seat_name(seat) for seat in self.setup.seats],
            clock=self.clock(),
            clock_setup=self.setup.clock,
            result=self.state.result,
            draw_offer=self.state.draw_offer,
            takeback_offer=self.state.takeback_offer,
            rematch_offer=self.state.rematch_offer,
            next=self.state.next,
            thinking=self.engine_to_move(),
            here=here,
        )

    def tell(self) -> None:
        """Sends the game to all who watch."""
        for viewer in list(self.viewers):
            viewer.send(self.told(viewer.key))

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

    def play(self, text: str) -> str:
        """Plays a legal move of the side to move; its text as it is kept."""
        if self.over:
            raise Refusal("game_over", "the game is over")
        if len(self.moves) >= MAX_MOVES:
            raise Refusal("too_long", f"a game has at most {MAX_MOVES} moves")
        mover = self.turn
        try:
            play(self.board, text)
        except ValueError as error:
            raise Refusal("illegal_move", str(error)) from None
        done = self.turn != mover or self.board.is_game_over()
        if self.since is not None:
            self.stop_clock(mover, increment=done)
        kept = self.last_text()
        self.moves.append(kept)
        self.state.draw_offer = self.state.draw_offer if self.state.draw_offer == mover else None
        self.state.takeback_offer = None
        self._changed()
        outcome = self.view().outcome
        if outcome is not None:
            self.finish(outcome.winner, outcome.reason)
        self.start_clock()
        return kept

    def last_text(self) -> str:
        """The text of the last move on the board."""
        return str(self.board.peek())

    def back(self, moves: int) -> None:
        """Takes back single moves."""
        for _ in range(moves):
            self.board.pop()
            self.moves.pop()
        self._changed()

    def turn_length(self) -> int:
        """Single moves of the last turn, or steps of the deployment under way."""
        stops = [0, *self.view().stops]
        return len(self.moves) - stops[-1] or len(self.moves) - stops[-2:][0]

    def finish(self, winner: int | None, reason: str) -> None:
        """Ends the game."""
        if self.since is not None:
            self.stop_clock(self.turn, increment=False)
        self.state.result = Result(winner, reason)
        self.state.draw_offer = self.state.takeback_offer = None

    def _changed(self) -> None:
        self._view = None


def _seat_name(seat: Seat) -> str:
    if seat.level:
        return f"engine:{seat.level}"
    return "human" if seat.key else "open"


Think = Callable[[AnyBoard, int, Clock | None, int], Awaitable[tuple[str, int | None]]]


class Hall:
    """All rooms, and who may do what in them."""

    def __init__(self, store: Store, think: Think) -> None:
        self.store, self._think = store, think
        self.rooms: dict[str, Room] = {}
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    # Rooms ----------------------------------------------------------------------------------------

    async def create(self, ask: NewGame) -> Created:
        """A new game, its maker in a seat."""
        try:
            first = new_board(ask.variant, ask.fen)
        except ValueError as error:
            raise Refusal("bad_position", str(error)) from None
        if first.is_game_over():
            raise Refusal("game_over", "in this position the game is over")
        if await self.store.count() >= MAX_GAMES:
            raise Refusal("too_many_games", "no room for another game", 503)
        me = Seat(key=hashed(ask.key))
        other = {"local": me, "engine": Seat(level=ask.level), "link": Seat()}[ask.mode]
        seats = [me, other] if ask.side == 0 else [other, me]
        setup = Setup(ask.mode, ask.variant, ask.fen, seats, ask.clock)
        return Created(await self._open(setup))

    async def _open(self, setup: Setup) -> str:
        game = secrets.token_urlsafe(9)
        left = None if setup.clock is None else [setup.clock.base * 1000] * 2
        room = Room(game, setup, State(left=left), [])
        keys = sorted({seat.key for seat in setup.seats if seat.key})
        await self.store.create(game, _pack(setup), _pack(room.state), keys)
        self._keep(room)
        self.wake(room)
        return game

    def _keep(self, room: Room) -> None:
        if len(self.rooms) > MAX_IDLE_ROOMS:
            idle = [r for r in self.rooms.values() if not r.viewers and r.thinking is None]
            for old in idle[: len(idle) // 2]:
                if old.flag is None:
                    del self.rooms[old.id]
        self.rooms[room.id] = room

    async def room(self, game: str) -> Room:
        """A room by its id, read from the disk if need be."""
        if game not in self.rooms:
            async with self._loading:
                if game not in self.rooms:
                    row = await self.store.load(game)
                    if row is None:
                        raise Refusal("no_such_game", "there is no such game", 404)
                    room = _from_row(row)
                    self._keep(room)
                    room.start_clock()
                    self.wake(room)
        return self.rooms[game]

    async def of_key(self, key: str) -> list[GameLine]:
        """A player's games, the latest first."""
        lines = []
        for game, updated, setup, state, moves in await self.store.of_key(hashed(key)):
            made = msgspec.json.decode(setup, type=Setup)
            result = msgspec.json.decode(state, type=State).result
            lines.append(GameLine(game, updated, made.mode, made.variant, moves, result))
        return lines

    # What players do ------------------------------------------------------------------------------

    async def join(self, room: Room, viewer: Viewer, wants_seat: bool) -> None:
        """Lets someone watch; a free seat is taken by the first who asks for it."""
        room.viewers.add(viewer)  # first of all: a room with a viewer is never let go
        async with room.lock:
            free = [s for s in room.setup.seats if not s.key and not s.level]
            if wants_seat and free and not room.sides_of(viewer.key):
                free[0].key = viewer.key
                await self._save(room, key=viewer.key, setup=True)
            if room.sides_of(viewer.key):
                room.tell()
            else:  # a crowd that comes and goes is no news to the others
                viewer.send(room.told(viewer.key))
            self.wake(room)

    def leave(self, room: Room, viewer: Viewer) -> None:
        """Someone no longer watches."""
        room.viewers.discard(viewer)
        if room.sides_of(viewer.key):
            room.tell()

    async def play(self, room: Room, key: str, text: str, ply: int) -> None:
        """A player's move."""
        async with room.lock:
            self._check_turn(room, key)
            if ply != len(room.moves):
                raise Refusal("stale", f"the game is at move {len(room.moves)}, not {ply}")
            if any(not s.key and not s.level for s in room.setup.seats):
                raise Refusal("no_opponent", "the other seat is still free")
            await self._play(room, text)

    async def _play(self, room: Room, text: str) -> None:
        if room.flagged():
            await self._time_over(room)
            raise Refusal("time_over", "your time is over")
        before = msgspec.json.encode(room.state)
        since = room.since
        kept = room.play(text)
        try:
            await self._save(room, keep=len(room.moves) - 1, texts=(kept,))
        except Exception:
            room.back(1)  # not on the disk: it has not happened
            room.state = msgspec.json.decode(before, type=State)
            room.since = since
            raise
        room.tell()
        self.wake(room)

    async def back(self, room: Room, key: str, whole: bool) -> None:
        """In a deployment: the last step back, or all of them."""
        async with room.lock:
            self._check_turn(room, key)
            deployment = room.view().deployment
            if deployment is None or not deployment.steps:
                raise Refusal("no_deployment", "no deployment is under way")
            room.back(len(deployment.steps) if whole else 1)
            await self._save(room)
            room.tell()

    async def act(self, room: Room, key: str, what: str) -> None:
        """Resign, offer, answer."""
        async with room.lock:
            mine = room.sides_of(key)
            if not mine:
                raise Refusal("not_your_game", "only players may do that", 403)
            me = room.turn if len(mine) == 2 else mine[0]
            await getattr(self, f"_{what}")(room, me)
            room.tell()
            self.wake(room)

    def _check_turn(self, room: Room, key: str) -> None:
        mine = room.sides_of(key)
        if not mine:
            raise Refusal("not_your_game", "you do not play in this game", 403)
        if room.over:
            raise Refusal("game_over", "the game is over")
        if room.turn not in mine:
            raise Refusal("not_your_turn", "it is not your turn", 403)

    async def _resign(self, room: Room, me: int) -> None:
        if room.over:
            raise Refusal("game_over", "the game is over")
        room.finish(1 - me, "resigned")
        await self._save(room)

    async def _draw(self, room: Room, me: int) -> None:
        if room.over:
            raise Refusal("game_over", "the game is over")
        other = room.setup.seats[1 - me]
        agreed = room.state.draw_offer == 1 - me or room.setup.mode == "local"
        if other.level:  # the engine takes a draw when it does not stand better
            agreed = len(room.moves) >= 20 and room.score is not None and room.score <= 0
            if not agreed:
                raise Refusal("declined", "the engine plays on")
        if agreed:
            room.finish(None, "agreed")
        else:
            room.state.draw_offer = me
        await self._save(room)

    async def _takeback(self, room: Room, me: int) -> None:
        if room.over:
            raise Refusal("game_over", "the game is over")
        if not room.moves:
            raise Refusal("nothing_to_take_back", "no move was played yet")
        agreed = room.state.takeback_offer == 1 - me
        if room.setup.mode == "link" and not agreed:
            room.state.takeback_offer = me
            await self._save(room)
            return
        asked = 1 - me if agreed else me
        self._stop_thinking(room)
        room.state.takeback_offer = None
        room.back(room.turn_length())
        # Back to a turn of the one who asked; on one screen one turn is enough.
        if room.setup.mode != "local" and room.turn != asked and room.moves:
            room.back(room.turn_length())
        room.start_clock()
        await self._save(room)

    async def _rematch(self, room: Room, me: int) -> None:
        if not room.over:
            raise Refusal("game_goes_on", "the game is not over")
        if room.state.next:
            return
        if room.setup.mode == "link" and room.state.rematch_offer in (None, me):
            room.state.rematch_offer = me
        else:
            old = room.setup
            seats = list(reversed(old.seats))
            room.state.next = await self._open(
                Setup(old.mode, old.variant, old.fen, seats, old.clock)
            )
        await self._save(room)

    async def _decline(self, room: Room, me: int) -> None:
        state = room.state
        if 1 - me in (state.draw_offer, state.takeback_offer, state.rematch_offer):
            state.draw_offer = state.takeback_offer = state.rematch_offer = None
            await self._save(room)

    # What happens by itself -----------------------------------------------------------------------

    def wake(self, room: Room) -> None:
        """After a change: the flag of the running clock, and the engine if it is its turn."""
        if room.flag is not None:
            room.flag.cancel()
            room.flag = None
        clock = room.clock()
        if clock is not None and clock.running is not None:
            loop = asyncio.get_running_loop()
            later = clock.left[clock.running] / 1000 + 0.02
            room.flag = loop.call_later(later, self._spawn, self._flag_falls, room)
        if room.engine_to_move() and room.thinking is None:
            room.thinking = self._spawn(self._engine_turn, room)

    def _spawn(self, work: Callable[[Room], Awaitable[None]], room: Room) -> asyncio.Task[None]:
        async def run() -> None:
            try:
                await work(room)
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("game %s: a task failed", room.id)

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _flag_falls(self, room: Room) -> None:
        async with room.lock:
            if room.flagged() and not room.over:
                await self._time_over(room)

    async def _time_over(self, room: Room) -> None:
        room.finish(1 - room.turn, "time")
        await self._save(room)
        room.tell()

    def _stop_thinking(self, room: Room) -> None:
        if room.thinking is not None:
            room.thinking.cancel()
            room.thinking = None

    async def _engine_turn(self, room: Room) -> None:
        """The engine's whole turn: a deployment may take several moves."""
        try:
            while room.engine_to_move():
                ply, level = len(room.moves), room.setup.seats[room.turn].level
                board = room.board.copy()
                increment = room.setup.clock.increment if room.setup.clock else 0
                try:
                    text, score = await self._think(board, level, room.clock(), increment)
                except Refusal as refusal:  # too busy: the game waits its turn
                    log.warning("game %s: %s", room.id, refusal.code)
                    await asyncio.sleep(1)
                    continue
                async with room.lock:
                    if room.over or len(room.moves) != ply:
                        continue
                    room.score = score
                    try:
                        await self._play(room, text)
                    except Refusal as refusal:
                        log.warning("game %s: engine refused: %s", room.id, refusal.code)
                        return
        finally:
            if room.thinking is asyncio.current_task():
                room.thinking = None

    # The disk -------------------------------------------------------------------------------------

    async def _save(
        self,
        room: Room,
        *,
        keep: int | None = None,
        texts: tuple[str, ...] = (),
        key: str | None = None,
        setup: bool = False,
    ) -> None:
        state = msgspec.structs.replace(room.state)
        clock = room.clock()
        state.left = None if clock is None else clock.left
        await self.store.save(
            room.id,
            _pack(state),
            keep=len(room.moves) if keep is None else keep,
            texts=texts,
            key=key,
            setup=_pack(room.setup) if setup else None,
        )

    async def close(self) -> None:
        """Ends what runs by itself."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _pack(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value)


def _from_row(row: GameRow) -> Room:
    setup = msgspec.json.decode(row.setup, type=Setup)
    state = msgspec.json.decode(row.state, type=State)
    return Room(row.id, setup, state, [move.text for move in row.moves])
