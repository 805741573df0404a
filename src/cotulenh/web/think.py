"""The engine behind the page: searches in threads, with caps on time, memory and number.

The interpreter's lock is free while the engine thinks, so the server goes on answering.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from cotulenh.engine import Engine, Info, Limit, Score
from cotulenh.games import move_text
from cotulenh.web.messages import Clock, Judged, Line, Lines, Refusal
from cotulenh.web.view import AnyBoard, play, side, view

__all__ = ["LEVELS", "Level", "Thinker"]


T = TypeVar("T")


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
REVIEW_SECONDS = 0.12
REVIEW_TURNS = 400
#: Lines go out at most this often.
_PAUSE = 0.15
_MATE = 100_000


class Thinker:
    """Shares a few threads among all who want the engine."""

    def __init__(self, play_threads: int = 2, study_threads: int = 2, queue: int = 64) -> None:
        self._players = ThreadPoolExecutor(play_threads, thread_name_prefix="play")
        self._students = ThreadPoolExecutor(study_threads, thread_name_prefix="study")
        self._room = {"play": queue, "study": 2 * study_threads}
        self._stops: set[Study] = set()
        self._playing: set[Engine] = set()

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

        return await self._run("play", self._players, search)

    def analyse(self, ask: int, board: AnyBoard, lines: int, tell: Callable[[Any], None]) -> Study:
        """Starts an analysis; ``tell`` is called on the event loop with what is found."""
        return self._study(lambda study: study.lines(ask, board, lines), tell)

    def review(
        self, ask: int, first: AnyBoard, moves: list[str], tell: Callable[[Any], None]
    ) -> Study:
        """Starts the review of a game."""
        return self._study(lambda study: study.judge(ask, first, moves), tell)

    def _study(self, work: Callable[[Study], None], tell: Callable[[Any], None]) -> Study:
        if len(self._stops) >= self._room["study"]:
            raise Refusal("engine_busy", "too many analyses at once, try again soon", 503)
        loop = asyncio.get_running_loop()

        def send(message: Any) -> None:
            loop.call_soon_threadsafe(tell, message)

        study = Study(send)
        self._stops.add(study)
        future = loop.run_in_executor(self._students, work, study)
        future.add_done_callback(lambda done: self._ended(study, done))
        return study

    def _ended(self, study: Study, done: asyncio.Future[None]) -> None:
        self._stops.discard(study)
        if not done.cancelled() and done.exception() is not None:
            raise done.exception()  # type: ignore[misc]

    async def _run(self, kind: str, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._room[kind] <= 0:
            raise Refusal("engine_busy", "too many games wait for the engine", 503)
        self._room[kind] -= 1
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        finally:
            self._room[kind] += 1

    def close(self) -> None:
        """Stops all searches."""
        for study in list(self._stops):
            study.stop()
        self._players.shutdown(wait=False, cancel_futures=True)
        for engine in list(self._playing):
            engine.stop()
        self._students.shutdown(wait=False, cancel_futures=True)


class Study:
    """One analysis or review; may be stopped from any thread."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self._send = send
        self._over = threading.Event()
        self._engine: Engine | None = None

    def stop(self) -> None:
        """Ends it soon."""
        self._over.set()
        engine = self._engine
        if engine is not None and engine.is_thinking:
            engine.stop()

    def lines(self, ask: int, board: AnyBoard, count: int) -> None:
        """Thinks about a position and sends the best lines as they get better."""
        if self._over.is_set():
            return
        found: dict[int, Info[Any]] = {}
        sent = 0.0
        with Engine(hash_mb=HASH_MB) as engine:
            self._engine = engine
            limit = Limit(time=ANALYSIS_SECONDS)
            with engine.analyse(board, limit, multipv=count) as analysis:
                for info in analysis:
                    if info.bound is None:
                        found[info.multipv] = info
                    if self._over.is_set():
                        break
                    now = time.monotonic()
                    if found and now - sent >= _PAUSE:
                        self._send(_lines(ask, board, found, done=False))
                        sent = now
            self._engine = None
        if found and not self._over.is_set():
            self._send(_lines(ask, board, found, done=True))

    def judge(self, ask: int, first: AnyBoard, moves: list[str]) -> None:
        """Looks at the position after every turn and marks turns that gave much away."""
        board = first.copy()
        starts = [(board.copy(), 0)]
        for n, text in enumerate(moves, 1):
            mover = side(board)
            play(board, text)
            if side(board) != mover or n == len(moves):
                starts.append((board.copy(), n))
        starts = starts[: REVIEW_TURNS + 1]
        with Engine(hash_mb=HASH_MB) as engine:
            before: tuple[int, int | None, str] | None = None
            for turn, (place, _) in enumerate(starts):
                if self._over.is_set():
                    return
                after = _glance(engine, place)
                mark, loss = "", 0
                if before is not None:
                    mover = side(starts[turn - 1][0])
                    loss = _loss(before[0], after[0], mover)
                    mark = _mark(loss)
                self._send(
                    Judged(
                        id=ask,
                        turn=turn,
                        of=len(starts) - 1,
                        score=after[0],
                        mate=after[1],
                        mark=mark,
                        best=before[2] if before is not None and mark else "",
                        loss=loss,
                    )
                )
                before = after


def _glance(engine: Engine, board: AnyBoard) -> tuple[int, int | None, str]:
    """Score for the first side, mate, and the best move as SAN."""
    outcome = view(board).outcome
    if outcome is not None:
        value = 0 if outcome.winner is None else (_MATE if outcome.winner == 0 else -_MATE)
        return value, None, ""
    result = engine.play(board, Limit(time=REVIEW_SECONDS))
    score, mate = _first_side(result.info.score, side(board)) if result.info else (0, None)
    return score, mate, board.san(result.move)


def _loss(before: int, after: int, mover: int) -> int:
    """What a turn gave away, in hundredths; scores beyond 15 count as 15: won is won."""
    sign = 1 if mover == 0 else -1
    cut = [max(-1500, min(1500, value)) * sign for value in (before, after)]
    return max(0, cut[0] - cut[1])


def _mark(loss: int) -> str:
    for least, mark in ((300, "??"), (150, "?"), (70, "?!")):
        if loss >= least:
            return mark
    return ""


def _first_side(score: Score, mover: int) -> tuple[int, int | None]:
    mine = score if mover == 0 else -score
    if mine.mate is not None:
        return (_MATE - mine.mate if mine.mate > 0 else -_MATE - mine.mate), mine.mate
    return mine.cp or 0, None


def _lines(ask: int, board: AnyBoard, found: dict[int, Info[Any]], done: bool) -> Lines:
    best = found[min(found)]
    depth = best.depth
    lines = [_line(board, found[n]) for n in sorted(found) if found[n].pv]
    return Lines(ask, depth, best.nodes, best.nps, lines, done)


def _line(board: AnyBoard, info: Info[Any]) -> Line:
    walk = board.copy()
    sans: list[str] = []
    texts: list[str] = []
    for move in info.pv[:10]:
        if not walk.is_legal(move):
            break
        sans.append(walk.san(move))
        texts.append(move_text(walk, move))
        walk.push(move)
    score, mate = _first_side(info.score, side(board))
    first = info.pv[0]
    return Line(score, mate, texts, sans, [first.from_square.name, first.to_square.name])
