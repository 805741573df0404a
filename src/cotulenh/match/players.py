"""Who can play: the engine in this process, any UCI program, and two simple players to measure by.

A player is named by a word and settings: ``engine,hash=16,movetime=20`` · ``random`` · ``greedy`` ·
``uci:/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=2400``. Of the settings ``movetime`` (ms),
``depth``, ``nodes`` and ``name`` are the match's own and override what the match gives everyone.
"""

from __future__ import annotations

import queue
import random
import re
import shlex
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from cotulenh import chess as _chess
from cotulenh.board import Board
from cotulenh.engine import Engine, Limit, part_bits
from cotulenh.games import (
    AnyBoard,
    BoardLike,
    M,
    end,
    line_text,
    parse_move,
    side,
    start_of,
)

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

PATIENCE = 10.0  # seconds a UCI program may be late before it counts as gone
LIMITS = ("movetime", "depth", "nodes")
ENGINE_SETTINGS = {"threads": "threads", "hash": "hash_mb", "skill": "skill", "elo": "elo"}
WITHOUT = "without"  # parts of the search to leave out, joined by +


class PlayerError(Exception):
    """A player cannot go on: it died, fell silent or made an illegal move. It loses the game."""


class Player(Protocol):
    """Chooses one move at a time; a turn of several moves is asked for several times."""

    def new_game(self, seed: int) -> None:
        """Another game begins; players that throw dice start them from the seed."""

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """The next single move. The board must be left as it is."""

    def close(self) -> None:
        """Frees what the player holds."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player as named on the command line.

    >>> spec = Spec.parse("uci:/usr/games/stockfish,UCI_Elo=2400,movetime=50")
    >>> spec.kind, spec.command, spec.settings, spec.limits
    ('uci', '/usr/games/stockfish', {'UCI_Elo': '2400'}, {'movetime': 50})
    """

    kind: str
    command: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    name: str = ""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Reads a player's name and settings; ``ValueError`` says what is wrong."""
        head, *rest = re.split(r",(?=[\w ]+=)", text.strip())
        kind, _, command = head.partition(":")
        if kind not in ("engine", "random", "greedy", "uci") or bool(command) != (kind == "uci"):
            raise ValueError(f"no such player: {text!r} (engine, random, greedy, uci:COMMAND)")
        settings, limits, name = {}, {}, text.strip()
        for part in rest:
            key, _, value = part.partition("=")
            key, value = key.strip(), value.strip()
            if key == "name":
                name = value
            elif key in LIMITS:
                limits[key] = _positive(key, value)
            elif kind == "engine" and key == WITHOUT:
                part_bits(value.split("+"))  # refused here if there is no such part
                settings[key] = value
            elif kind == "engine" and key not in ENGINE_SETTINGS:
                known = ", ".join([*ENGINE_SETTINGS, WITHOUT])
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
        milliseconds = self.limits.get("movetime")
        return Limit(
            time=None if milliseconds is None else milliseconds / 1000,
            depth=self.limits.get("depth"),
            nodes=self.limits.get("nodes"),
        )


def _positive(key: str, text: str, low: int = 1) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < low:
        raise ValueError(f"{key} must be a whole number from {low} on: {text!r}")
    return int(text)


def make_player(spec: Spec, variant: str) -> Player:
    """The player of a spec, ready to play a variant."""
    if spec.kind == "random":
        return RandomPlayer()
    if spec.kind == "greedy":
        return GreedyPlayer()
    if spec.kind == "uci":
        return UciPlayer(spec.command, variant, spec.settings)
    settings: dict[str, Any] = {
        ENGINE_SETTINGS[key]: int(value) for key, value in spec.settings.items() if key != WITHOUT
    }
    without = spec.settings.get(WITHOUT)
    if without:
        settings["without"] = without.split("+")
    return EnginePlayer(**{"hash_mb": 16, **settings})


class EnginePlayer:
    """The engine of this package, in this process."""

    def __init__(self, **settings: Any) -> None:
        self._engine = Engine(**settings)

    def new_game(self, seed: int) -> None:
        """Empties the hash table."""
        self._engine.new_game()

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """What the engine finds best."""
        return self._engine.play(board, limit).move

    def close(self) -> None:
        """Frees the engine."""
        self._engine.close()


class RandomPlayer:
    """Any legal move, all equally likely."""

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
    """Any program that speaks UCI."""

    def __init__(self, command: str, variant: str, settings: dict[str, str] | None = None) -> None:
        self._command, self._variant = shlex.split(command), variant
        self._settings = settings or {}
        self._program: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    # Talking ----------------------------------------------------------------------------------

    def _start(self) -> None:
        try:
            program = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except OSError as error:
            raise PlayerError(f"cannot start {self._command[0]}: {error.strerror}") from None
        lines: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            assert program.stdout is not None
            for line in program.stdout:
                lines.put(line.strip())
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        self._program, self._lines = program, lines
        self._say("uci")
        offered = self._until("uciok")
        if self._variant != "chess":
            self._need_variant(offered)
        for name, value in self._settings.items():
            if not any(line.startswith(f"option name {name} ") for line in offered):
                raise PlayerError(f"{self._command[0]} has no option {name}")
            self._say(f"setoption name {name} value {value}")

    def _need_variant(self, offered: list[str]) -> None:
        line = next((one for one in offered if one.startswith("option name UCI_Variant ")), "")
        if f" var {self._variant}" not in line:
            raise PlayerError(f"{self._command[0]} does not play {self._variant}")
        self._say(f"setoption name UCI_Variant value {self._variant}")

    def _say(self, line: str) -> None:
        try:
            assert self._program is not None
            assert self._program.stdin is not None
            self._program.stdin.write(line + "\n")
            self._program.stdin.flush()
        except OSError:
            raise PlayerError(f"{self._command[0]} has ended") from None

    def _until(self, word: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to one that begins with a word."""
        heard, deadline = [], time.monotonic() + patience
        while True:
            try:
                line = self._lines.get(timeout=max(0.001, deadline - time.monotonic()))
            except queue.Empty:
                raise PlayerError(f"{self._command[0]} does not answer") from None
            if line is None:
                raise PlayerError(f"{self._command[0]} has ended")
            heard.append(line)
            if line.split(" ")[0] == word:
                return heard

    # Playing ----------------------------------------------------------------------------------

    def new_game(self, seed: int) -> None:
        """Starts the program if needed, and tells it."""
        if self._program is None or self._program.poll() is not None:
            try:
                self._start()
            except PlayerError:
                self.close()
                raise
        self._say("ucinewgame")
        self._say("isready")
        self._until("readyok")

    def choose(self, board: BoardLike[M], limit: Limit) -> M:
        """What the program answers."""
        self._say(position_line(board))
        self._say(go_line(limit))
        longest = limit.time if limit.times is None else max(limit.times)
        answer = self._until("bestmove", (60 if longest is None else longest) + PATIENCE)[-1]
        words = answer.split()
        try:
            return parse_move(board, words[1])
        except (IndexError, ValueError) as error:
            raise PlayerError(f"illegal move: {answer} ({error})") from None

    def close(self) -> None:
        """Asks the program to end, and makes it end if it does not."""
        if self._program is None:
            return
        try:
            self._say("quit")
            self._program.wait(2)
        except (PlayerError, subprocess.TimeoutExpired):
            self._program.kill()
            self._program.wait()
        for pipe in (self._program.stdin, self._program.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was said to a program that is gone
                    pipe.close()
        self._program = None


def position_line(board: AnyBoard) -> str:
    """The ``position`` of UCI: where the history starts and the moves since."""
    root = board.root()
    start = "startpos" if root.fen() == start_of(board).fen() else f"fen {root.fen()}"
    moves = line_text(root, board.move_stack)
    return f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")


def go_line(limit: Limit) -> str:
    """The ``go`` of UCI for a limit."""
    words = ["go"]
    if limit.times is not None:
        first, second = (max(1, round(seconds * 1000)) for seconds in limit.times)
        plus1, plus2 = (round(seconds * 1000) for seconds in limit.increments)
        words.append(f"wtime {first} btime {second} winc {plus1} binc {plus2}")
    if limit.moves_to_go is not None:
        words.append(f"movestogo {limit.moves_to_go}")
    if limit.time is not None:
        words.append(f"movetime {max(1, round(limit.time * 1000))}")
    for name in ("depth", "nodes", "mate"):
        if getattr(limit, name) is not None:
            words.append(f"{name} {getattr(limit, name)}")
    return " ".join(words)


def with_clock(limit: Limit, times: tuple[float, float]) -> Limit:
    """A limit with what the clocks show now."""
    return replace(limit, times=times)
