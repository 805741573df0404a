"""The engine: finds good moves in both games.

>>> from cotulenh import Board
>>> with Engine() as engine:
...     result = engine.play(Board(), Limit(depth=2))
>>> result.move in Board().legal_moves
True

The game is taken from the board's type. Scores are seen from the side to move; mates are counted
in turns, so a deployment of several steps counts once. The interpreter's lock is free while the
engine thinks: other threads run, several engines may think at once, and Ctrl-C is heard.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypeVar

from cotulenh import _core
from cotulenh import chess as _chess
from cotulenh.board import Board as _Board
from cotulenh.board import Move as _Move
from cotulenh.engine.levels import FULL, MAX_ELO, MIN_ELO, Weakness, skill_of
from cotulenh.engine.network import load as load_network
from cotulenh.engine.network import shipped as shipped_network
from cotulenh.engine.weights import load as load_weights
from cotulenh.errors import IllegalMoveError
from cotulenh.games import AnyBoard, AnyMove, BoardLike

__all__ = [
    "MAX_ELO",
    "MAX_HASH_MB",
    "MAX_THREADS",
    "MIN_ELO",
    "Analysis",
    "Engine",
    "Evaluation",
    "Info",
    "Limit",
    "PlayResult",
    "Score",
    "parameters",
]

MAX_THREADS = 256
MAX_HASH_MB = 65536

M = TypeVar("M", bound=AnyMove)


# What is asked and what is answered -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop thinking. Several may be given: the first one reached counts.

    ``time`` (for this move) and the clocks are in seconds. With clocks (``times``: what each side
    has left, the side that moves first in the game first) the engine shares out its own time.

    >>> Limit(time=-1)
    Traceback (most recent call last):
        ...
    ValueError: time: expected 0 or more, got -1
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    infinite: bool = False
    times: tuple[float, float] | None = None
    increments: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None

    def __post_init__(self) -> None:
        _not_negative("time", self.time)
        for name in ("times", "increments"):
            pair = getattr(self, name)
            if pair is not None and len(pair) != 2:
                raise ValueError(f"{name}: expected two numbers, one for each side, got {pair}")
            for seconds in pair or ():
                _not_negative(name, seconds)
        for name, low in (("depth", 1), ("nodes", 1), ("mate", 1), ("moves_to_go", 1)):
            number = getattr(self, name)
            if number is not None and number < low:
                raise ValueError(f"{name}: expected at least {low}, got {number}")

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked for, so that the search would never end."""
        asked = (self.time, self.depth, self.nodes, self.mate, self.times)
        return not self.infinite and all(limit is None for limit in asked)


def _not_negative(name: str, seconds: float | None) -> None:
    if seconds is None:
        return
    if not math.isfinite(seconds):
        raise ValueError(f"{name}: expected a finite number, got {seconds}")
    if seconds < 0:
        raise ValueError(f"{name}: expected 0 or more, got {seconds}")


@dataclass(frozen=True, slots=True)
class Score:
    """How good a position is for the side to move: hundredths of a pawn (in Cờ Tư Lệnh of an
    Infantry), or turns to mate, negative if the side to move is mated.

    >>> str(Score(cp=13)), str(Score(mate=-2)), -Score(mate=3)
    ('cp 13', 'mate -2', Score(cp=None, mate=-3))
    >>> Score(mate=1) > Score(mate=5) > Score(cp=900) > Score(cp=-5) > Score(mate=-1)
    True
    """

    cp: int | None = None
    mate: int | None = None

    def __post_init__(self) -> None:
        if (self.cp is None) == (self.mate is None):
            raise ValueError("a score is either cp or mate")

    @property
    def order(self) -> int:
        """A number that grows with the score; mates lie far beyond all centipawns."""
        if self.mate is None:
            return self.cp or 0
        return 1_000_000 - self.mate if self.mate > 0 else -1_000_000 - self.mate

    def __lt__(self, other: Score) -> bool:
        return self.order < other.order

    def __le__(self, other: Score) -> bool:
        return self.order <= other.order

    def __gt__(self, other: Score) -> bool:
        return self.order > other.order

    def __ge__(self, other: Score) -> bool:
        return self.order >= other.order

    def __neg__(self) -> Score:
        if self.mate is not None:
            return Score(mate=-self.mate)
        return Score(cp=-(self.cp or 0))

    def __str__(self) -> str:
        return f"cp {self.cp}" if self.mate is None else f"mate {self.mate}"


@dataclass(frozen=True, slots=True)
class Info(Generic[M]):
    """What the engine thinks at one moment: one line of play and what it cost to find it.

    ``bound`` is ``"lower"`` or ``"upper"`` while the score is known only to be at least or at most
    this; ``time`` is in seconds, ``hashfull`` in thousandths; ``multipv`` counts lines from 1.
    """

    depth: int
    seldepth: int
    score: Score
    pv: tuple[M, ...]
    nodes: int
    nps: int
    time: float
    hashfull: int
    multipv: int = 1
    bound: Literal["lower", "upper"] | None = None


@dataclass(frozen=True, slots=True)
class PlayResult(Generic[M]):
    """The move to play, the answer the engine expects, and its last report."""

    move: M
    ponder: M | None
    info: Info[M] | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth without looking ahead.

    ``terms`` maps each part of the evaluation to its worth for the first and the second side, in
    centipawns.
    """

    score: Score
    terms: dict[str, tuple[int, int]] = field(default_factory=dict)


# A search under way ---------------------------------------------------------------------------


class Analysis(Iterator[Info[M]]):
    """A search that is running: an iterator of ``Info``, and a context manager.

    Closing it (or leaving the ``with`` block, or dropping it) stops the search. ``result`` waits
    for the end. All methods may be called from any thread.
    """

    def __init__(
        self, engine: Engine, core: _core.Engine, kind: type[M], weakness: Weakness | None
    ) -> None:
        self._engine = engine
        self._core = core
        self._kind = kind
        self._weakness = weakness
        self._ticket = core.ticket
        self._lines: dict[int, Info[M]] = {}
        self._result: PlayResult[M] | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info[M]:
        found = self._core.next(self._ticket)
        if found is None:
            raise StopIteration
        info = self._info(found)
        if info.bound is None or info.multipv not in self._lines:
            self._lines[info.multipv] = info
        return info

    def result(self) -> PlayResult[M]:
        """Waits for the end of the search; the move, the expected answer, the last report."""
        if self._result is None:
            for _ in self:
                pass
            best, ponder = self._core.best(self._ticket)
            info = self._lines.get(1)
            if self._weakness is not None and len(self._lines) > 1:
                info = self._weakness.choose(list(self._lines.values()))
                best, ponder = int(info.pv[0]), int(info.pv[1]) if len(info.pv) > 1 else 0
            self._result = PlayResult(
                self._move(best), self._move(ponder) if ponder else None, info
            )
        return self._result

    def stop(self) -> None:
        """Ends the search soon; infos already found can still be read."""
        self._core.stop(self._ticket)

    def close(self) -> None:
        """Stops the search and waits until it has ended."""
        self._core.finish(self._ticket)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_ticket"):
            self.close()

    def _move(self, bits: int) -> M:
        make: Any = self._kind.from_int
        move: M = make(bits)
        return move

    def _info(self, found: _core.Report) -> Info[M]:
        score = Score(mate=found.value) if found.is_mate else Score(cp=found.value)
        bound: Literal["lower", "upper"] | None = None
        if found.bound:
            bound = "lower" if found.bound > 0 else "upper"
        return Info(
            depth=found.depth,
            seldepth=found.seldepth,
            score=score,
            pv=tuple(self._move(bits) for bits in found.pv),
            nodes=found.nodes,
            nps=int(found.nodes / max(found.time, 1e-6)),
            time=found.time,
            hashfull=found.hashfull,
            multipv=found.multipv,
            bound=bound,
        )


def _check_level(skill: int | None, elo: int | None) -> None:
    if skill is not None and elo is not None:
        raise ValueError("give skill or elo, not both")
    if elo is not None and not MIN_ELO <= elo <= MAX_ELO:
        raise ValueError(f"elo: expected {MIN_ELO} to {MAX_ELO}, got {elo}")
    if skill is not None and not 0 <= skill <= FULL:
        raise ValueError(f"skill: expected 0 to {FULL}, got {skill}")


# The engine -----------------------------------------------------------------------------------


def part_bits(names: Iterable[str]) -> int:
    """The bits of parts of the search; ``ValueError`` if there is no such part."""
    parts, bits = _core.features(), 0
    for name in names:
        if name not in parts:
            raise ValueError(f"expected a part of the search ({', '.join(parts)}), got {name!r}")
        bits |= parts[name]
    return bits


def parameters() -> dict[str, tuple[int, int, int]]:
    """The margins of the search that a tuner may vary: default, least, greatest.

    >>> parameters()["null_depth"]
    (3, 1, 30)
    """
    return _core.parameters()


class Engine:
    """Owns a hash table and threads; thinks about one position at a time.

    ``threads`` search together (with one thread the same question gets the same answer every
    time). ``hash_mb`` is the size of the hash table. ``skill`` (0 to 20) or ``elo`` (500 to 2500,
    on the ladder of ``docs/strength.md``) make it play weaker, as people do. ``without`` names
    parts of the search to leave out, for measuring what they are worth; ``parameters`` sets margins
    of the search by name, for tuning (``parameters()`` lists them). ``network`` is the path of a
    network of one's own, used for its game in place of the one that comes with the package (see
    ``docs/networks.md``); ``weights`` that of a file of weights for the terms (``tools/tune.py``).

    >>> Engine(threads=0)
    Traceback (most recent call last):
        ...
    ValueError: threads: expected 1 to 256, got 0
    """

    def __init__(
        self,
        threads: int = 1,
        hash_mb: int = 64,
        skill: int | None = None,
        elo: int | None = None,
        *,
        without: Iterable[str] = (),
        parameters: Mapping[str, int] | None = None,
        network: str | Path | None = None,
        weights: str | Path | None = None,
    ) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads: expected 1 to {MAX_THREADS}, got {threads}")
        if not 1 <= hash_mb <= MAX_HASH_MB:
            raise ValueError(f"hash_mb: expected 1 to {MAX_HASH_MB}, got {hash_mb}")
        left_out = part_bits(without)
        _check_level(skill, elo)
        self._skill, self._elo = FULL if skill is None else skill, elo
        self._dice = random.Random()
        self._core: _core.Engine | None = _core.Engine(threads, hash_mb)
        self._core.features &= ~left_out
        self._core.set_parameters(dict(parameters or {}))
        self._networks: dict[str, _core.Network] = {}  # of the package, in use, by family of games
        self._own_network = None if network is None else load_network(network)
        if self._own_network is not None:
            self._core.set_network(self._own_network)
        if weights is not None:
            family, pairs = load_weights(weights)
            self._core.set_weights(family == "chess", pairs)

    # Thinking ---------------------------------------------------------------------------------

    def play(
        self,
        board: BoardLike[M],
        limit: Limit,
        *,
        root_moves: Iterable[M] | None = None,
        ponder: bool = False,
    ) -> PlayResult[M]:
        """Thinks within the limit and returns the move to play; the board stays as it is.

        ``root_moves`` restricts the choice. With ``ponder`` the limit counts only from
        ``ponderhit()`` on, and the search does not end before that or ``stop()``.
        """
        with self._start(board, limit, 1, root_moves, ponder) as analysis:
            return analysis.result()

    def analyse(
        self,
        board: BoardLike[M],
        limit: Limit,
        multipv: int = 1,
        *,
        root_moves: Iterable[M] | None = None,
        ponder: bool = False,
    ) -> Analysis[M]:
        """Starts thinking and returns at once: an iterator of what is found, best line first.

        One search at a time: starting another one before this has ended is a ``ValueError``.
        """
        return self._start(board, limit, multipv, root_moves, ponder)

    def stop(self) -> None:
        """Ends the search under way soon, from any thread; without one nothing happens."""
        self._alive().stop(0)

    def ponderhit(self) -> None:
        """The expected move was played: from now on the limits of a pondering search count."""
        self._alive().ponderhit()

    @property
    def is_thinking(self) -> bool:
        """Whether a search is under way."""
        return self._core is not None and self._core.is_thinking

    def evaluate(self, board: AnyBoard) -> Evaluation:
        """What the position is worth without looking ahead, and the parts it consists of."""
        value, terms = self._ready(board).evaluate(board)
        return Evaluation(Score(cp=value), {name: (a, b) for name, a, b in terms})

    # Life -------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> None:
        """Forgets everything learnt in earlier searches; a seed starts a weak player's dice."""
        self._alive().new_game()
        if seed is not None:
            self._dice = random.Random(seed)

    def close(self) -> None:
        """Stops thinking and frees threads and memory. Closing twice is fine."""
        core, self._core = self._core, None
        if core is not None:
            core.finish(0)

    def __enter__(self) -> Self:
        self._alive()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _alive(self) -> _core.Engine:
        if self._core is None:
            raise ValueError("the engine is closed")
        return self._core

    def _ready(self, board: object) -> _core.Engine:
        """The core with the network of the board's game: read when first needed."""
        core = self._alive()
        family = "cotulenh" if isinstance(board, _Board) else "chess"
        if (self._own_network and self._own_network.game == family) or core.is_thinking:
            return core
        network = shipped_network(board.rules.name if isinstance(board, _Board) else "chess")
        if network is not None and self._networks.get(family) is not network:
            core.set_network(network)
            self._networks[family] = network
        return core

    def _start(
        self,
        board: BoardLike[M],
        limit: Limit,
        multipv: int,
        root_moves: Iterable[M] | None,
        ponder: bool,
    ) -> Analysis[M]:
        core = self._alive()
        if limit.is_empty:
            raise ValueError("a limit is needed: time, depth, nodes, mate, times or infinite=True")
        if not 1 <= multipv <= 500:
            raise ValueError(f"multipv: expected 1 to 500, got {multipv}")
        moves = None if root_moves is None else list(root_moves)
        weakness = self._weakness(board)
        if weakness is not None:
            limit = replace(limit, nodes=min(limit.nodes or weakness.nodes, weakness.nodes))
            multipv = max(multipv, weakness.LINES)
            moves = weakness.noticed(board, list(board.legal_moves) if moves is None else moves)
        only = None if moves is None else [_root_bits(board, move) for move in moves]
        self._ready(board).start(board, limit, multipv=multipv, root_moves=only, ponder=ponder)
        given: object = board
        kind: Any = _chess.Move if isinstance(given, _chess.Board) else _Move
        return Analysis(self, core, kind, weakness)

    def _weakness(self, board: Any) -> Weakness | None:
        """How to play below full strength, if that is asked for."""
        if self._elo is not None:
            game = "chess" if isinstance(board, _chess.Board) else "cotulenh"
            return Weakness(skill_of(self._elo, game), self._dice)
        return Weakness(self._skill, self._dice) if self._skill < FULL else None


def _root_bits(board: Any, move: Any) -> int:
    """A root move in the core's form; a plain one that means castling or en passant is that."""
    meant = board._resolve(move) if isinstance(board, _chess.Board) else move
    if meant is None or not board.is_legal(meant):
        raise IllegalMoveError(f"root_moves: {move} is not legal")
    return int(meant)
