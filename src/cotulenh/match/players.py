"""Who can play: the engine in this process, any UCI program, and two simple players to measure by.

A player is named by a word and settings: ``engine,hash=16,time=0.02`` · ``random`` · ``greedy`` ·
``uci:/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=2400``. Of the settings ``time``
(seconds), ``depth``, ``nodes`` and ``name`` are the match's own and override what the match gives
everyone.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from cotulenh import chess as _chess
from cotulenh.board import Board
from cotulenh.book import Book, open_book
from cotulenh.book.polyglot import PolyglotBook
from cotulenh.engine import Engine, Limit, Score, parameters, part_bits
from cotulenh.engine.network import load as load_network
from cotulenh.engine.weights import load as load_weights
from cotulenh.games import (
    AnyBoard,
    BoardLike,
    M,
    end,
    side,
)
from cotulenh.protocols.client import EngineError, UciClient

__all__ = [
    "EnginePlayer",
    "GreedyPlayer",
    "Player",
    "PlayerError",
    "RandomPlayer",
    "Spec",
    "UciPlayer",
    "make_player",
]

LIMITS = ("time", "depth", "nodes")
ENGINE_SETTINGS = {"threads": "threads", "hash": "hash_mb", "skill": "skill", "elo": "elo"}
WITHOUT = "without"  # parts of the search to leave out, joined by +
NETWORK = "network"  # the path of a network of one's own
WEIGHTS = "weights"  # the path of weights for the terms of the evaluation
BOOK = "book"  # the path of a book to play from


class PlayerError(Exception):
    """A player cannot go on: it died, fell silent or made an illegal move. It loses the game."""


class Player(Protocol):
    """Chooses one move at a time; a turn of several moves is asked for several times."""

    @property
    def last_score(self) -> Score | None:
        """What it thought of its last move, if it says such things."""

    def new_game(self, seed: int) -> None:
        """Another game begins; players that throw dice start them from the seed."""

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """The next single move. The board must be left as it is."""

    def close(self) -> None:
        """Frees what the player holds."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player as named on the command line.

    >>> spec = Spec.parse("uci:/usr/games/stockfish,UCI_Elo=2400,time=0.05")
    >>> spec.kind, spec.command, spec.settings, spec.limits
    ('uci', '/usr/games/stockfish', {'UCI_Elo': '2400'}, {'time': 0.05})
    """

    kind: str
    command: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Reads a player's name and settings; ``ValueError`` says what is wrong."""
        head, *rest = re.split(r",(?=[\w ]+=)", text.strip())
        kind, _, command = head.partition(":")
        if kind not in ("engine", "random", "greedy", "uci") or bool(command) != (kind == "uci"):
            raise ValueError(
                f"expected a player (engine, random, greedy, uci:COMMAND), got {text!r}"
            )
        settings, limits, name = {}, {}, text.strip()
        for part in rest:
            key, _, value = part.partition("=")
            key, value = key.strip(), value.strip()
            if key == "name":
                name = value
            elif key == "time":
                limits[key] = _seconds(value)
            elif key in LIMITS:
                limits[key] = _positive(key, value)
            elif kind == "engine" and key == WITHOUT:
                part_bits(value.split("+"))  # refused here if there is no such part
                settings[key] = value
            elif kind == "engine" and key == BOOK:
                settings[key] = value
            elif kind == "engine" and key == NETWORK:
                load_network(value)  # refused here if it cannot be used
                settings[key] = value
            elif kind == "engine" and key == WEIGHTS:
                load_weights(value)
                settings[key] = value
            elif kind == "engine" and key in parameters():
                settings[key] = str(_margin(key, value))
            elif kind == "engine" and key not in ENGINE_SETTINGS:
                known = ", ".join([*ENGINE_SETTINGS, BOOK, WITHOUT, NETWORK, WEIGHTS])
                raise ValueError(f"the engine has no setting {key!r} ({known})")
            elif kind in ("random", "greedy"):
                raise ValueError(f"{kind} has no setting {key!r}")
            else:
                settings[key] = str(_positive(key, value, 0)) if kind == "engine" else value
        return cls(kind, command, settings, limits, name)

    def limit(self, common: Limit) -> Limit:
        """The player's own limit if it has one, else everyone's."""
        if not self.limits:
            return common
        depth, nodes = self.limits.get("depth"), self.limits.get("nodes")
        return Limit(
            time=self.limits.get("time"),
            depth=None if depth is None else int(depth),
            nodes=None if nodes is None else int(nodes),
        )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
        if not 0 < seconds < 1e6:
            raise ValueError
    except ValueError:
        raise ValueError(f"time: expected seconds above 0, got {text!r}") from None
    return seconds


def _positive(key: str, text: str, low: int = 1) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < low:
        raise ValueError(f"{key}: expected a whole number from {low} on, got {text!r}")
    return int(text)


def _margin(key: str, text: str) -> int:
    """The value of a parameter of the search, for tuning matches."""
    _, low, high = parameters()[key]
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{key}: expected a whole number, got {text!r}") from None
    if not low <= value <= high:
        raise ValueError(f"{key}: expected {low} to {high}, got {value}")
    return value


def make_player(spec: Spec) -> Player:
    """The player of a spec."""
    if spec.kind == "random":
        return RandomPlayer()
    if spec.kind == "greedy":
        return GreedyPlayer()
    if spec.kind == "uci":
        return UciPlayer(spec.command, spec.settings)
    settings: dict[str, Any] = {
        ENGINE_SETTINGS[key]: int(value)
        for key, value in spec.settings.items()
        if key in ENGINE_SETTINGS
    }
    settings["parameters"] = {
        key: int(value) for key, value in spec.settings.items() if key in parameters()
    }
    settings |= {key: spec.settings[key] for key in (NETWORK, WEIGHTS) if key in spec.settings}
    if BOOK in spec.settings:
        settings["book"] = open_book(spec.settings[BOOK])
    without = spec.settings.get(WITHOUT)
    if without:
        settings["without"] = without.split("+")
    return EnginePlayer(**{"hash_mb": 16, **settings})


class EnginePlayer:
    """The engine of this package, in this process."""

    def __init__(self, *, book: Book | PolyglotBook | None = None, **settings: Any) -> None:
        self._engine, self._book = Engine(**settings), book
        self._dice = random.Random(0)
        self.last_score: Score | None = None

    def new_game(self, seed: int) -> None:
        """Empties the hash table and starts the dice anew."""
        self._engine.new_game(seed)
        self._dice = random.Random(seed)

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """What the book knows, else what the engine finds best."""
        known: Any = None if self._book is None else self._book.choose(board, self._dice)
        if known is not None:
            self.last_score = None
            move: M = known
            return move
        result = self._engine.play(board, limit)
        self.last_score = result.info.score if result.info is not None else None
        return result.move

    def close(self) -> None:
        """Frees the engine."""
        self._engine.close()


class RandomPlayer:
    """Any legal move, all equally likely."""

    last_score = None

    def __init__(self) -> None:
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        """Starts the dice anew."""
        self._random = random.Random(seed)

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """Any legal move."""
        return self._random.choice(list(board.legal_moves))

    def close(self) -> None:
        """Holds nothing."""


class GreedyPlayer:
    """Looks at each of its whole turns: mates if it can, else takes what is worth most."""

    MOST_TURNS = 3000  # of a deployment-rich position; enough to see every take
    last_score = None

    def __init__(self) -> None:
        self._random = random.Random(0)
        self._plan: list[tuple[int, Any]] = []  # position key and the move chosen for it

    def new_game(self, seed: int) -> None:
        """Starts the dice anew."""
        self._random = random.Random(seed)
        self._plan = []

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """The next move of the turn decided on."""
        if not self._plan or self._plan[0][0] != board.key:
            self._plan = self._best_turn(board.copy())
        move: M = self._plan.pop(0)[1]
        return move

    def _best_turn(self, board: AnyBoard) -> list[tuple[int, Any]]:
        me, best, chosen = side(board), -1e9, None
        path: list[tuple[int, Any]] = []
        left = self.MOST_TURNS
        before = board.turn

        def walk() -> None:
            nonlocal best, chosen, left
            for move in list(board.legal_moves):
                path.append((board.key, move))
                board.push(move)
                over = board.turn is not before
                if over or not list(board.legal_moves):
                    left -= 1
                    worth = _worth(board, me) + self._random.random()
                    if worth > best:
                        best, chosen = worth, list(path)
                elif left > 0:
                    walk()
                board.pop()
                path.pop()

        walk()
        assert chosen is not None, "a player is asked only while there are moves"
        return chosen

    def close(self) -> None:
        """Holds nothing."""


CHESS_POINTS = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}


def _worth(board: AnyBoard, me: int) -> float:
    """Material from a side's view; a won game is worth more than any material."""
    over = end(board) if not list(board.legal_moves) else None
    if over is not None and over.winner is not None:
        return 1e6 if over.result == ("1-0", "0-1")[me] else -1e6
    if isinstance(board, _chess.Board):
        pieces = [board.piece_at(square) for square in board.occupied()]
        total = sum(
            CHESS_POINTS[p.kind.letter] * (1 if p.color is _chess.WHITE else -1)
            for p in pieces
            if p is not None
        )
        return total if me == 0 else -total
    assert isinstance(board, Board)
    mover = board.turn if side(board) == me else board.turn.other
    return board.points(mover) - board.points(mover.other)


class UciPlayer:
    """Any program that speaks UCI. It is started again for the next game if it died."""

    SLOWEST = 60.0  # seconds for a move when only depth or nodes are limited

    def __init__(self, command: str, settings: dict[str, str] | None = None) -> None:
        self._command, self._settings = command, settings or {}
        self._client: UciClient | None = None
        self.last_score: Score | None = None

    def new_game(self, seed: int) -> None:
        """Starts the program if needed, and tells it."""
        try:
            if self._client is None or not self._client.is_alive:
                self.close()
                self._client = UciClient(self._command, self._settings)
            self._client.new_game()
        except (EngineError, ValueError) as error:
            raise PlayerError(str(error)) from None

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """What the program answers."""
        if self._client is None:
            raise PlayerError("no game has begun")
        timed = limit.time is not None or limit.times is not None
        try:
            result = self._client.play(board, limit, timeout=None if timed else self.SLOWEST)
        except (EngineError, ValueError) as error:
            raise PlayerError(str(error)) from None
        self.last_score = result.info.score if result.info is not None else None
        return result.move

    def close(self) -> None:
        """Ends the program."""
        if self._client is not None:
            self._client.close()
        self._client = None


def with_clock(limit: Limit, times: tuple[float, float]) -> Limit:
    """A limit with what the clocks show now."""
    return replace(limit, times=times)
