"""All games under way, and who may do what in them. One room a game, all rooms in the hall.

A room changes only under its lock and inside ``Hall._change``: when that ends the change is on the
disk, or it has not happened and nobody was told.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec

from cotulenh.games import AnyBoard
from cotulenh.web import explorer
from cotulenh.web.forms import Created, GameLine
from cotulenh.web.messages import (
    Challenge,
    ChatLine,
    ChatLines,
    Clock,
    Declined,
    Gone,
    Lobby,
    NewGame,
    Refusal,
    Running,
    Seat,
    Setup,
)
from cotulenh.web.room import Room, State, Viewer, common_length, hashed
from cotulenh.web.store import Store, Write, create_game

__all__ = ["Hall", "chess960_fen"]

log = logging.getLogger("cotulenh.web")

#: Kept games at most; the oldest are never thrown away behind a player's back.
MAX_GAMES = 100_000
#: Rooms held in memory without a viewer before the idle ones are let go (they stay on the disk).
MAX_IDLE_ROOMS = 500
#: Lines of chat kept of a game, and shown to who comes later.
MAX_CHAT, SHOWN_CHAT = 500, 50
#: Games listed in the lobby.
MAX_LISTED = 50
#: Seconds before something that failed by itself is tried again: doubled each time, up to the last.
RETRY_FIRST, RETRY_LAST = 1.0, 30.0

Think = Callable[[AnyBoard, int, Clock | None, int], Awaitable[tuple[str, int | None]]]


class Hall:
    """All rooms, and who may do what in them."""

    def __init__(self, store: Store, think: Think, most: int = MAX_GAMES) -> None:
        self.store, self._think, self._most = store, think, most
        self.rooms: dict[str, Room] = {}
        self.public: set[str] = set()
        self.lobby_watchers: set[Viewer] = set()
        self.people = 0
        self._lobby_task: asyncio.Task[None] | None = None
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    # Rooms ----------------------------------------------------------------------------------------

    async def create(self, ask: NewGame) -> Created:
        """A new game, its maker in a seat."""
        if ask.chess960 and ask.variant == "chess" and not ask.fen:
            ask.fen = chess960_fen(random.randrange(960))
        if ask.board().is_game_over():
            raise Refusal("game_over", "in this position the game is over")
        if await self.store.count() >= self._most:
            raise Refusal("too_many_games", "no room for another game", 503)
        me = Seat(key=hashed(ask.key), name=clean(ask.name))
        other = {"local": me, "engine": Seat(level=ask.level), "link": Seat()}[ask.mode]
        first = random.randrange(2) if ask.side is None else ask.side
        setup = Setup(
            variant=ask.variant,
            fen=ask.fen,
            chess960=ask.chess960 and ask.variant == "chess",
            objective="" if ask.variant == "chess" else ask.objective,
            mode=ask.mode,
            seats=[me, other] if first == 0 else [other, me],
            clock=ask.clock,
            public=ask.public and ask.mode != "local",
        )
        return Created(await self._open(setup))

    async def _open(self, setup: Setup) -> str:
        room = _new_room(setup)
        await self.store.do(_creation(room))
        self._keep(room)
        self.wake(room)
        return room.id

    def _keep(self, room: Room) -> None:
        if len(self.rooms) > MAX_IDLE_ROOMS:
            idle = [r for r in self.rooms.values() if not r.viewers and r.thinking is None]
            for old in idle[: len(idle) // 2]:
                if old.flag is None:
                    self._forget(old)
        self.rooms[room.id] = room
        if room.setup.public:
            self.public.add(room.id)

    def _forget(self, room: Room) -> None:
        self.rooms.pop(room.id, None)
        self.public.discard(room.id)

    async def room(self, game: str) -> Room:
        """A room by its id, read from the disk if need be."""
        if game not in self.rooms:
            async with self._loading:
                if game not in self.rooms:
                    room = await self._load(game)
                    self._keep(room)
                    room.start_clock()
                    self.wake(room)
        return self.rooms[game]

    async def _load(self, game: str) -> Room:
        row = await self.store.load(game)
        if row is None:
            raise Refusal("no_such_game", "there is no such game", 404)
        try:
            setup = msgspec.json.decode(row.setup, type=Setup)
            state = msgspec.json.decode(row.state, type=State)
            return Room(row.id, setup, state, row.moves)
        except (msgspec.DecodeError, ValueError, Refusal) as error:
            log.error("game %s is damaged: %s", game, error)
            text = f"this game is damaged on the disk: {error}"
            raise Refusal("damaged", text, 500, reason=error) from None

    async def of_key(self, key: str) -> list[GameLine]:
        """A player's games, the latest first; a damaged one does not hide the others."""
        lines = []
        for game, updated, setup, state, moves in await self.store.of_key(hashed(key)):
            try:
                made = msgspec.json.decode(setup, type=Setup)
                result = msgspec.json.decode(state, type=State).result
            except msgspec.DecodeError as error:
                log.error("game %s is damaged: %s", game, error)
                continue
            names = [seat.name for seat in made.seats]
            lines.append(GameLine(game, updated, made.mode, made.variant, moves, names, result))
        return lines

    # Changes --------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _change(self, room: Room, key: str = "") -> AsyncIterator[list[Write]]:
        """A change of a room: on the disk when this ends, or undone. ``key`` sat down in it.

        What is added to the list it gives is written in the same transaction.
        """
        old = room.snapshot()
        was_over = room.over
        also: list[Write] = []
        try:
            yield also
            if room.over and not was_over:
                also.append(explorer.entry_of(room))
            state = msgspec.structs.replace(room.state)
            clock = room.clock()
            state.left = None if clock is None else clock.left
            seat = (key, _pack(room.setup)) if key else None
            keep = common_length(room.moves, old.moves)
            moves = room.moves
            await self.store.save(room.id, _pack(state), moves, keep=keep, seat=seat, also=also)
        except BaseException:
            room.restore(old)
            raise

    # What players do ------------------------------------------------------------------------------

    async def join(self, room: Room, viewer: Viewer, wants_seat: bool, name: str = "") -> None:
        """Lets someone watch; a free seat is taken by the first who asks for it."""
        room.viewers.add(viewer)  # first of all: a room with a viewer is never let go
        async with room.lock:
            if room.id not in self.rooms:
                room.viewers.discard(viewer)
                raise Refusal("no_such_game", "there is no such game", 404)
            try:
                await self._take_seat(room, viewer.key, wants_seat, clean(name))
            finally:  # without a seat one may still watch
                if room.sides_of(viewer.key):
                    room.broadcast(newcomer=viewer)
                else:  # a crowd that comes and goes is no news to the others
                    viewer.send(room.state_for(viewer.key))
            self.wake(room)
        self.lobby_changed(room)

    async def _take_seat(self, room: Room, key: str, wants_seat: bool, name: str) -> None:
        free = [n for n, s in enumerate(room.setup.seats) if not s.key and not s.level]
        mine = room.sides_of(key)
        if wants_seat and free and not mine:
            async with self._change(room, key):
                room.setup.seats[free[0]] = Seat(key=key, name=name)
        elif name and mine and not room.setup.seats[mine[0]].name:
            async with self._change(room, key):
                for side_ in mine:
                    room.setup.seats[side_].name = name

    def leave(self, room: Room, viewer: Viewer) -> None:
        """Someone no longer watches."""
        room.viewers.discard(viewer)
        if room.sides_of(viewer.key):
            room.broadcast()
        self.lobby_changed(room)

    async def play(self, room: Room, key: str, text: str, ply: int) -> None:
        """A player's move."""
        async with room.lock:
            self._check_turn(room, key)
            if ply != len(room.moves):
                raise Refusal("stale", f"the game is at move {len(room.moves)}, not {ply}")
            if room.is_open:
                raise Refusal("no_opponent", "the other seat is still free")
            await self._play(room, text)

    async def _play(self, room: Room, text: str) -> None:
        if room.flagged():
            await self._time_over(room)
            raise Refusal("time_over", "your time is over")
        offer = room.state.draw_offer
        async with self._change(room):
            room.play(text)
        if offer is not None and room.state.draw_offer is None and not room.over:
            room.tell(Declined("draw", 1 - offer))
        room.broadcast()
        self.wake(room)
        if len(room.moves) <= 1 or room.over:
            self.lobby_changed(room)

    async def back(self, room: Room, key: str, whole: bool) -> None:
        """In a deployment: the last step back, or all of them."""
        async with room.lock:
            self._check_turn(room, key)
            deployment = room.view().deployment
            if deployment is None or not deployment.steps:
                raise Refusal("no_deployment", "no deployment is under way")
            async with self._change(room):
                room.back(len(deployment.steps) if whole else 1)
            room.broadcast()

    async def act(self, room: Room, key: str, what: str) -> None:
        """Resign, offer, answer, call off."""
        async with room.lock:
            mine = room.sides_of(key)
            if not mine:
                raise Refusal("not_your_game", "only players may do that", 403)
            me = room.turn if len(mine) == 2 else mine[0]
            acts: dict[str, Callable[[Room, int], Awaitable[None]]] = {
                "resign": self._resign,
                "draw": self._draw,
                "takeback": self._take_back,
                "rematch": self._rematch,
                "decline": self._decline,
                "cancel": self._cancel,
            }
            try:
                await acts[what](room, me)
            finally:
                self.wake(room)
            room.broadcast()
        self.lobby_changed(room)

    def _check_turn(self, room: Room, key: str) -> None:
        mine = room.sides_of(key)
        if not mine:
            raise Refusal("not_your_game", "you do not play in this game", 403)
        _check_running(room)
        if room.turn not in mine:
            raise Refusal("not_your_turn", "it is not your turn", 403)

    async def _resign(self, room: Room, me: int) -> None:
        _check_running(room)
        async with self._change(room):
            room.finish(1 - me, "resigned")

    async def _draw(self, room: Room, me: int) -> None:
        _check_running(room)
        agreed = room.state.draw_offer == 1 - me or room.setup.mode == "local"
        if room.setup.seats[1 - me].level:
            # The engine takes a draw when it does not stand better.
            agreed = len(room.moves) >= 20 and room.score is not None and room.score <= 0
        if not agreed and not room.can_offer_draw(me):
            raise Refusal("one_offer_a_turn", "one draw offer a turn")
        async with self._change(room):
            room.state.offered[me] = room.own_turns(me) + 1
            if agreed:
                room.finish(None, "agreed")
            elif not room.setup.seats[1 - me].level:
                room.state.draw_offer = me
        if room.setup.seats[1 - me].level and not agreed:
            raise Refusal("declined", "the engine plays on")

    async def _take_back(self, room: Room, me: int) -> None:
        _check_running(room)
        if not room.moves:
            raise Refusal("nothing_to_take_back", "no move was played yet")
        agreed = room.state.takeback_offer == 1 - me
        async with self._change(room):
            if room.setup.mode == "link" and not agreed:
                room.state.takeback_offer = me
                return
            self._stop_thinking(room)
            asked = 1 - me if agreed else me
            room.state.takeback_offer = None
            room.turn_back()
            # Back to a turn of the one who asked; on one screen one turn is enough.
            if room.setup.mode != "local" and room.turn != asked and room.moves:
                room.turn_back()

    async def _rematch(self, room: Room, me: int) -> None:
        if not room.over:
            raise Refusal("game_goes_on", "the game is not over")
        if room.state.next:
            return
        if room.setup.mode == "link" and room.state.rematch_offer in (None, me):
            async with self._change(room):
                room.state.rematch_offer = me
            return
        seats = list(reversed(room.setup.seats))
        again = _new_room(msgspec.structs.replace(room.setup, seats=seats))
        async with self._change(room) as also:
            room.state.next = again.id
            also.append(_creation(again))
        self._keep(again)
        self.wake(again)

    async def _decline(self, room: Room, me: int) -> None:
        offers = ("draw", "takeback", "rematch")
        declined = [what for what in offers if getattr(room.state, f"{what}_offer") == 1 - me]
        if not declined:
            return
        async with self._change(room):
            for what in declined:
                setattr(room.state, f"{what}_offer", None)
        for what in declined:
            room.tell(Declined(what, me))

    async def _cancel(self, room: Room, _me: int) -> None:
        if not room.is_open or room.moves:
            raise Refusal("already_begun", "the game has begun; it can only be resigned")
        await self.store.delete(room.id)
        self._forget(room)
        room.finish(None, "cancelled")
        room.tell(Gone(room.id))

    # Chat -----------------------------------------------------------------------------------------

    async def said(self, room: Room) -> ChatLines:
        """What was said in a game so far."""
        if room.chat is None:
            rows = await self.store.do(
                lambda base: base.execute(
                    "SELECT side, name, at, text, preset FROM chat WHERE game=? ORDER BY n",
                    (room.id,),
                ).fetchall()
            )
            room.chat = [ChatLine(*row) for row in rows] if room.chat is None else room.chat
        return ChatLines(room.chat[-SHOWN_CHAT:], all=True)

    async def say(self, room: Room, key: str, name: str, text: str, preset: str) -> None:
        """Someone says something."""
        text = clean(text)
        if not text and not preset:
            raise Refusal("nothing_said", "there are no words in it")
        mine = room.sides_of(key)
        name = room.setup.seats[mine[0]].name or clean(name) if mine else clean(name)
        if not mine and not name:
            raise Refusal("name_needed", "spectators say their name first")
        async with room.lock:
            await self.said(room)
            assert room.chat is not None
            if len(room.chat) >= MAX_CHAT:
                raise Refusal("too_long", f"at most {MAX_CHAT} lines a game", most=MAX_CHAT)
            line = ChatLine(mine[0] if mine else -1, name, time.time(), text, preset)
            row = (room.id, len(room.chat), line.at, line.side, name, text, preset)
            await self.store.do(
                lambda base: base.execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            )
            room.chat.append(line)
            room.tell(ChatLines([line]))

    # The lobby ------------------------------------------------------------------------------------

    def lobby(self) -> Lobby:
        """Challenges whose maker is there, and games whose players are."""
        rooms = [self.rooms[game] for game in self.public if game in self.rooms]
        waiting = [_challenge(room) for room in rooms if room.is_open and any(room.here())]
        running = [
            _running(room)
            for room in rooms
            if not room.is_open and not room.over and any(room.here())
        ]
        running.sort(key=lambda game: -game.spectators)
        waiting.sort(key=lambda challenge: -challenge.created)
        return Lobby(waiting[:MAX_LISTED], running[:MAX_LISTED], self.people)

    def lobby_changed(self, room: Room | None = None) -> None:
        """Tells those who watch the lobby, at most once a second."""
        if room is not None and not room.setup.public:
            return
        if not self.lobby_watchers or self._lobby_task is not None:
            return

        async def later() -> None:
            await asyncio.sleep(1)
            self._lobby_task = None
            lobby = self.lobby()
            for viewer in list(self.lobby_watchers):
                viewer.send(lobby)

        self._lobby_task = self._run(later(), "lobby")

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
            room.flag = loop.call_later(later, self._flag_timer, room)
        if room.engine_to_move() and room.thinking is None:
            room.thinking = self._run(self._engine_turn(room), room.id)

    def _run(self, work: Awaitable[None], what: str) -> asyncio.Task[None]:
        async def run() -> None:
            try:
                await work
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("%s: a task failed", what)

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _flag_timer(self, room: Room) -> None:
        self._run(self._flag_falls(room), room.id)

    async def _flag_falls(self, room: Room) -> None:
        pause = RETRY_FIRST
        while True:
            try:
                async with room.lock:
                    if room.flagged() and not room.over:
                        await self._time_over(room)
                return
            except Refusal as refusal:
                log.warning("game %s: time over: %s, tried again", room.id, refusal.code)
                await asyncio.sleep(pause)
                pause = min(RETRY_LAST, 2 * pause)

    async def _time_over(self, room: Room) -> None:
        async with self._change(room):
            room.finish(1 - room.turn, "time")
        room.broadcast()
        self.lobby_changed(room)

    def _stop_thinking(self, room: Room) -> None:
        if room.thinking is not None:
            room.thinking.cancel()
            room.thinking = None

    async def _engine_turn(self, room: Room) -> None:
        """The engine's whole turn: a deployment may take several moves.

        What goes wrong (no place, no space on the disk, an error) is tried again, ever more slowly.
        """
        pause = RETRY_FIRST
        try:
            while room.engine_to_move():
                try:
                    await self._engine_move(room)
                    pause = RETRY_FIRST
                except Exception as error:
                    reason = error.code if isinstance(error, Refusal) else repr(error)
                    log.warning("game %s: engine: %s, tried again", room.id, reason)
                    await asyncio.sleep(pause)
                    pause = min(RETRY_LAST, 2 * pause)
        finally:
            if room.thinking is asyncio.current_task():
                room.thinking = None

    async def _engine_move(self, room: Room) -> None:
        ply, level = len(room.moves), room.setup.seats[room.turn].level
        increment = room.setup.clock.increment if room.setup.clock else 0
        text, score = await self._think(room.board.copy(), level, room.clock(), increment)
        async with room.lock:
            if not room.over and len(room.moves) == ply:
                room.score = score
                await self._play(room, text)

    async def close(self) -> None:
        """Ends what runs by itself."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def forget_all(self) -> None:
        """Lets go of all rooms: what the disk holds counts, and is read again when asked for."""
        await self.close()
        for room in list(self.rooms.values()):
            if room.flag is not None:
                room.flag.cancel()
            self._forget(room)


def _new_room(setup: Setup) -> Room:
    left = None if setup.clock is None else [setup.clock.base * 1000] * 2
    return Room(secrets.token_urlsafe(9), setup, State(left=left), [])


def _creation(room: Room) -> Write:
    """What puts a new game on the disk."""
    keys = sorted({seat.key for seat in room.setup.seats if seat.key})
    return create_game(room.id, _pack(room.setup), _pack(room.state), keys)


def _check_running(room: Room) -> None:
    if room.over:
        raise Refusal("game_over", "the game is over")


def _challenge(room: Room) -> Challenge:
    setup = room.setup
    free = next(n for n, seat in enumerate(setup.seats) if not seat.key and not seat.level)
    return Challenge(
        id=room.id,
        variant=setup.variant,
        name=setup.seats[1 - free].name,
        side=free,
        created=room.created,
        clock=setup.clock,
        fen=setup.fen,
        chess960=setup.chess960,
        objective=setup.objective,
    )


def _running(room: Room) -> Running:
    setup = room.setup
    names = [seat.name or (f"engine:{seat.level}" if seat.level else "") for seat in setup.seats]
    return Running(
        room.id,
        setup.variant,
        names,
        len(room.moves),
        room.spectators(),
        setup.mode,
        setup.clock,
    )


def clean(text: str) -> str:
    """What someone typed, on one line and without invisible signs."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def chess960_fen(number: int) -> str:
    """The start position of a number from 0 to 959, as Scharnagl counts them.

    >>> chess960_fen(518).split()[0]
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
    """
    row = [""] * 8
    rest, light = divmod(number, 4)
    row[2 * light + 1] = "B"
    rest, dark = divmod(rest, 4)
    row[2 * dark] = "B"
    rest, queen = divmod(rest, 6)
    free = [n for n in range(8) if not row[n]]
    row[free.pop(queen)] = "Q"
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for n in pairs[rest]:
        row[free[n]] = "N"
    for letter, n in zip("RKR", [n for n in range(8) if not row[n]], strict=True):
        row[n] = letter
    first = "".join(row)
    rooks = [chr(97 + n) for n in range(8) if row[n] == "R"]
    rights = f"{rooks[1]}{rooks[0]}"
    pawns = "pppppppp/8/8/8/8/PPPPPPPP"
    return f"{first.lower()}/{pawns}/{first} w {rights.upper()}{rights} - 0 1"


def _pack(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value)
