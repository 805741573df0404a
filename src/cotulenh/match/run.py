"""Plays a match: pairs of games, several at once, until the number or the verdict is reached."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from cotulenh.engine import Limit, Score
from cotulenh.match.game import Control, GameRecord, play_game
from cotulenh.match.openings import Openings
from cotulenh.match.players import Player, Spec, make_player
from cotulenh.match.record import Log
from cotulenh.match.statistics import Sprt, Tally

__all__ = ["Arena", "Settings", "play_match"]


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides how a match goes; ``players`` are texts as in :class:`Spec`."""

    players: tuple[str, str]
    variant: str = "official"
    games: int = 100
    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clock: str | None = None
    opening_turns: int = 8
    balance: int = 100
    seed: int = 1
    most_turns: int = 600
    concurrency: int = 1
    sprt: Sprt | None = field(default=None)

    def __post_init__(self) -> None:
        self.specs()
        given = (self.time, self.depth, self.nodes, self.clock)
        if sum(one is not None for one in given) != 1:
            raise ValueError("give one of time, depth, nodes and clock")
        for name in ("games", "concurrency", "most_turns"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, got {getattr(self, name)}")
        for name in ("opening_turns", "balance"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: expected 0 or more, got {getattr(self, name)}")

    def specs(self) -> tuple[Spec, Spec]:
        """The players, read."""
        return Spec.parse(self.players[0]), Spec.parse(self.players[1])

    def control(self) -> Control:
        """The time control."""
        if self.clock is not None:
            return Control.parse(self.clock)
        return Control(Limit(time=self.time, depth=self.depth, nodes=self.nodes))

    def for_log(self) -> dict[str, Any]:
        """What a log must agree with; how many games and how many at once may change."""
        values = asdict(self)
        for name in ("games", "concurrency", "sprt"):
            del values[name]
        return values


def play_match(settings: Settings, log: Log | None = None) -> Iterator[GameRecord]:
    """Yields the games as they end, those of the log first. Closing the iterator ends the match."""
    done = {record.number: record for record in log.records} if log else {}
    tally = Tally()
    for record in sorted(done.values(), key=lambda one: one.number):
        tally.add(record)
        yield record
    if _decided(settings, tally):
        return
    todo: queue.Queue[int] = queue.Queue()
    for number in range(settings.games):
        if number not in done:
            todo.put(number)
    with _crew(settings, todo) as finished:
        for record in iter(finished, None):
            if log:
                log.add(record)
            tally.add(record)
            yield record
            if _decided(settings, tally):
                return


def _decided(settings: Settings, tally: Tally) -> bool:
    return settings.sprt is not None and settings.sprt.verdict(tally.pairs) is not None


@contextlib.contextmanager
def _crew(settings: Settings, todo: queue.Queue[int]) -> Iterator[Callable[[], GameRecord | None]]:
    """Workers with their own players. What is given back waits for the next game, or the end."""
    results: queue.Queue[GameRecord | BaseException | None] = queue.Queue()
    stop = threading.Event()
    threads = [
        threading.Thread(target=_work, args=(settings, todo, results, stop), daemon=True)
        for _ in range(min(settings.concurrency, todo.qsize()))
    ]
    for thread in threads:
        thread.start()
    working = len(threads)

    def finished() -> GameRecord | None:
        nonlocal working
        while working:
            found = results.get()
            if isinstance(found, BaseException):
                raise found
            if found is not None:
                return found
            working -= 1
        return None

    try:
        yield finished
    finally:
        stop.set()
        for thread in threads:
            thread.join()


class Arena:
    """The two players of a match and its openings: plays any game of the match by its number."""

    def __init__(self, settings: Settings, stop: threading.Event | None = None) -> None:
        self._settings, self._specs = settings, settings.specs()
        self._openings = Openings(
            settings.variant, settings.opening_turns, settings.seed, settings.balance
        )
        self._players: list[Player] = []
        for spec in self._specs:
            self._players.append(make_player(spec))
        stop = stop or threading.Event()
        self._watched = (_Stoppable(self._players[0], stop), _Stoppable(self._players[1], stop))

    def play(self, number: int) -> GameRecord:
        """Games 2n and 2n + 1 are a pair: the same opening, colours swapped."""
        record, _ = play_game(
            self._watched,
            self._specs,
            self._openings.opening(number // 2),
            self._settings.control(),
            number=number,
            first=number % 2,
            most_turns=self._settings.most_turns,
            seed=self._settings.seed * 1_000_003 + number,
        )
        return record

    def close(self) -> None:
        """Ends the players."""
        for player in self._players:
            player.close()


def _work(
    settings: Settings,
    todo: queue.Queue[int],
    results: queue.Queue[GameRecord | BaseException | None],
    stop: threading.Event,
) -> None:
    arena = None
    try:
        arena = Arena(settings, stop)
        while not stop.is_set():
            results.put(arena.play(todo.get_nowait()))
    except (queue.Empty, _StopError):
        pass
    except BaseException as error:
        results.put(error)
    finally:
        if arena is not None:
            arena.close()
        results.put(None)


class _StopError(Exception):
    """The match was ended in the middle of a game."""


class _Stoppable:
    """A player that stops thinking of further moves once the match has been ended."""

    def __init__(self, player: Player, stop: threading.Event) -> None:
        self._player, self._stop = player, stop

    @property
    def last_score(self) -> Score | None:
        return self._player.last_score

    def new_game(self, seed: int) -> None:
        self._player.new_game(seed)

    def choose(self, board: Any, limit: Limit) -> Any:
        if self._stop.is_set():
            raise _StopError
        return self._player.choose(board, limit)

    def close(self) -> None:
        self._player.close()
