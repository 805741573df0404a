"""The engine behind the page: searches in threads, with caps on time, memory and number.

The interpreter's lock is free while the engine thinks, so the server goes on answering. Who finds
no place waits in a line and is told how many come first.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from cotulenh.engine import Engine, Info, Limit, Score
from cotulenh.games import AnyBoard, line_text, move_text, side
from cotulenh.web.messages import Clock, EngineLine, Lines, Refusal, Waiting

__all__ = ["LEVELS", "MATE", "Level", "Search", "Thinker", "first_side"]

log = logging.getLogger("cotulenh.web")
T = TypeVar("T")
Send = Callable[[Any], None]


class Level(NamedTuple):
    """A strength to play against: the engine's skill (0 to 20) and seconds a move."""

    skill: int
    seconds: float


#: From beginner to full strength; the page counts from 1.
LEVELS = (
    Level(0, 0.2),
    Level(3, 0.3),
    Level(6, 0.4),
    Level(9, 0.5),
    Level(12, 0.8),
    Level(15, 1.0),
    Level(18, 1.5),
    Level(20, 3.0),
)

HASH_MB = 32
#: Seconds an analysis runs unless it is stopped; the page asks again if it still wants more.
ANALYSIS_SECONDS = 60.0
#: Analyses and reviews that may wait for a place.
MOST_WAITING = 64
#: Lines go out at most this often.
_PAUSE = 0.15
MATE = 100_000


class Thinker:
    """Shares a few threads among all who want the engine."""

    def __init__(self, play_threads: int = 2, study_threads: int = 2, queue: int = 64) -> None:
        self._players = ThreadPoolExecutor(play_threads, thread_name_prefix="play")
        self._students = ThreadPoolExecutor(study_threads, thread_name_prefix="study")
        self._room, self._places = queue, study_threads
        self._running: set[Search] = set()
        self._waiting: deque[Search] = deque()
        self._playing: set[Engine] = set()

    # Games ----------------------------------------------------------------------------------------

    async def play(
        self, board: AnyBoard, level: int, clock: Clock | None, increment: int
    ) -> tuple[str, int | None]:
        """The engine's move at a level, and what it thinks of its position."""
        strength = LEVELS[max(1, min(level, len(LEVELS))) - 1]
        times = None
        if clock is not None:
            times = (clock.left[0] / 1000, clock.left[1] / 1000)
        limit = Limit(
            time=strength.seconds if times is None else min(10.0, 3 * strength.seconds),
            times=times,
            increments=(float(increment), float(increment)),
        )

        def search() -> tuple[str, int | None]:
            with Engine(hash_mb=HASH_MB, skill=strength.skill) as engine:
                self._playing.add(engine)
                try:
                    found = engine.play(board, limit)
                finally:
                    self._playing.discard(engine)
            score = None if found.info is None else found.info.score.order
            return move_text(board, found.move), score

        if self._room <= 0:
            raise Refusal("engine_busy", "too many games wait for the engine", 503)
        self._room -= 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._players, search)
        finally:
            self._room += 1

    # Analyses -------------------------------------------------------------------------------------

    def start(self, ask: int, work: Callable[[Search], None], send: Send) -> Search:
        """Starts work with an engine when there is a place; ``send`` is called on the loop."""
        if len(self._waiting) >= MOST_WAITING:
            raise Refusal("engine_busy", "too many analyses at once, try again soon", 503)
        loop = asyncio.get_running_loop()

        def safely(message: Any) -> None:
            loop.call_soon_threadsafe(send, message)

        search = Search(ask, work, safely)
        self._waiting.append(search)
        self._next()
        if search in self._waiting:
            send(Waiting(ask, len(self._waiting)))
        return search

    def stop(self, search: Search) -> None:
        """Ends a search, or takes it out of the line."""
        search.stop()
        search.ended = True
        if search in self._waiting:
            self._waiting.remove(search)
            self._tell_places()

    def _next(self) -> None:
        while self._waiting and len(self._running) < self._places:
            search = self._waiting.popleft()
            self._running.add(search)
            loop = asyncio.get_running_loop()
            future = loop.run_in_executor(self._students, search.run)
            future.add_done_callback(partial(self._ended, search))

    def _ended(self, search: Search, done: asyncio.Future[None]) -> None:
        self._running.discard(search)
        search.ended = True
        if not done.cancelled() and done.exception() is not None:
            log.error("an analysis failed", exc_info=done.exception())
            refusal = Refusal("engine_failed", "the engine failed here", 500)
            search.send(refusal.message(search.ask))
        self._next()
        self._tell_places()

    def _tell_places(self) -> None:
        for place, search in enumerate(self._waiting, 1):
            search.send(Waiting(search.ask, place))

    @property
    def load(self) -> tuple[int, int, int]:
        """Analyses that run, analyses that wait, games where the engine thinks."""
        return len(self._running), len(self._waiting), len(self._playing)

    def close(self) -> None:
        """Stops all searches."""
        self._waiting.clear()
        for search in list(self._running):
            search.stop()
        self._players.shutdown(wait=False, cancel_futures=True)
        for engine in list(self._playing):
            engine.stop()
        self._students.shutdown(wait=False, cancel_futures=True)


class Search:
    """One analysis or review; may be stopped from any thread."""

    def __init__(self, ask: int, work: Callable[[Search], None], send: Send) -> None:
        self.ask, self._work, self._to = ask, work, send
        self._over = threading.Event()
        self.ended = False
        self.engine: Engine | None = None

    @property
    def over(self) -> bool:
        """Whether nobody wants it any more."""
        return self._over.is_set()

    def send(self, message: Any) -> None:
        """Sends something, unless nobody waits for it any more."""
        if not self.over:
            self._to(message)

    def stop(self) -> None:
        """Ends it soon."""
        self._over.set()
        engine = self.engine
        if engine is not None and engine.is_thinking:
            engine.stop()

    def run(self) -> None:
        """Does the work with an engine of its own."""
        if self.over:
            return
        self.send(Waiting(self.ask, 0))
        with Engine(hash_mb=HASH_MB) as engine:
            self.engine = engine
            try:
                self._work(self)
            finally:
                self.engine = None


def analysis(board: AnyBoard, count: int) -> Callable[[Search], None]:
    """Work that thinks about a position and sends the best lines as they get better."""
    count = min(count, len(board.legal_moves))

    def work(search: Search) -> None:
        assert search.engine is not None
        depths: dict[int, dict[int, Info[Any]]] = {}
        whole: dict[int, Info[Any]] = {}  # the lines of the deepest finished depth
        sent = 0.0
        with search.engine.analyse(board, Limit(time=ANALYSIS_SECONDS), multipv=count) as infos:
            for info in infos:
                if search.over:
                    return
                if info.bound is not None or not info.pv:
                    continue
                lines = depths.setdefault(info.depth, {})
                lines[info.multipv] = info
                if len(lines) < count:
                    continue
                whole = dict(lines)
                now = time.monotonic()
                if now - sent >= _PAUSE:
                    search.send(_lines(search.ask, board, whole, done=False))
                    sent = now
        search.send(_lines(search.ask, board, whole, done=True))

    return work


def first_side(score: Score, mover: int) -> tuple[int, int | None]:
    """A score for the first side as a number, and the turns to mate."""
    mine = score if mover == 0 else -score
    if mine.mate is not None:
        return (MATE - mine.mate if mine.mate > 0 else -MATE - mine.mate), mine.mate
    return mine.cp or 0, None


def _lines(ask: int, board: AnyBoard, found: dict[int, Info[Any]], done: bool) -> Lines:
    state = "finished" if done else "thinking"
    if not found:
        return Lines(ask, 0, 0, 0, [], done, state)
    best = found[min(found)]
    lines = [_line(board, found[n]) for n in sorted(found)]
    return Lines(ask, best.depth, best.nodes, best.nps, lines, done, state)


def _line(board: AnyBoard, info: Info[Any]) -> EngineLine:
    pv = info.pv[:10]
    score, mate = first_side(info.score, side(board))
    first = pv[0]
    arrow = [first.from_square.name, first.to_square.name]
    return EngineLine(score, mate, line_text(board, pv), line_text(board, pv, "san"), arrow)
