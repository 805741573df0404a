"""What is said to a UCI program and when, without input and output: see client.py."""

from __future__ import annotations

import shlex
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from cotulenh.board import Board
from cotulenh.chess import Board as ChessBoard
from cotulenh.engine import Info, Limit, PlayResult
from cotulenh.games import AnyBoard, BoardLike, M, move_text
from cotulenh.protocols.session import echo
from cotulenh.protocols.uci_text import (
    Option,
    go_line,
    parse_info,
    parse_line,
    position_line,
    read_move,
)

__all__ = [
    "Dialogue",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "Lines",
    "OptionValue",
    "Script",
    "Search",
    "Wait",
    "deadline",
]

LONGEST_LINE = 1 << 20  # bytes; what is longer is no line of UCI

T = TypeVar("T")
OptionValue: TypeAlias = str | int | bool | None


class EngineError(Exception):
    """The other program did something that it must not."""


class EngineDiedError(EngineError):
    """The program could not be started, or has ended by itself."""


class EngineTimeoutError(EngineError):
    """The program did not answer in time."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The next line is wanted; ``until`` is the latest moment, by ``time.monotonic``."""

    until: float | None


#: Yields lines to send and waits for lines; both clients run the same scripts.
Script: TypeAlias = Generator[str | Wait, str, T]


def deadline(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds


class Search(Generic[M]):
    """A search under way: its board, and what is known so far."""

    def __init__(self, board: BoardLike[M], until: float | None) -> None:
        self.board, self.until = board, until
        self.last: dict[int, Info[M]] = {}
        self.result: PlayResult[M] | None = None
        self.is_over = False

    def keep(self, info: Info[M]) -> None:
        if info.bound is None or info.multipv not in self.last:
            self.last[info.multipv] = info


class Dialogue:
    """What both clients know of a program, and the scripts they run with it."""

    def __init__(self, command: Sequence[str] | str, timeout: float) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.command:
            raise ValueError("expected a command, got nothing")
        self.timeout = timeout
        #: What it calls itself; before it has said so, its command.
        self.name = self.command[0]
        self.author = ""
        #: Its options by name.
        self.options: dict[str, Option] = {}
        self._values: dict[str, str] = {}

    def option(self, name: str) -> Option | None:
        """An option by name, in any case."""
        lower = name.lower()
        return next((one for key, one in self.options.items() if key.lower() == lower), None)

    # Scripts ----------------------------------------------------------------------------------

    def _handshake(self, options: Mapping[str, OptionValue]) -> Script[None]:
        yield "uci"
        until = deadline(self.timeout)
        while True:
            words = (yield Wait(until)).split()
            if words[:1] == ["uciok"]:
                break
            self._learn(words)
        yield from self._configure(options)
        yield from self._ready()

    def _learn(self, words: list[str]) -> None:
        """Takes note of ``id`` and ``option``; what cannot be read is passed over."""
        if words[:2] == ["id", "name"] and len(words) > 2:
            self.name = echo(" ".join(words[2:]))
        elif words[:2] == ["id", "author"]:
            self.author = echo(" ".join(words[2:]))
        elif words[:1] == ["option"]:
            with suppress(ValueError):
                option = Option.parse(" ".join(words))
                self.options[option.name] = option
                self._values[option.name] = option.default

    def _ready(self) -> Script[None]:
        yield "isready"
        until = deadline(self.timeout)
        while (yield Wait(until)).split()[:1] != ["readyok"]:
            pass

    def _configure(self, options: Mapping[str, OptionValue]) -> Script[None]:
        checked = []
        for name, value in options.items():
            option = self.option(name)
            if option is None:
                raise ValueError(f"{self.name} has no option {name}")
            checked.append((option, option.checked(value)))
        for option, text in checked:
            yield option.set_line(text)
            self._values[option.name] = text

    def _new_game(self) -> Script[None]:
        yield "ucinewgame"
        yield from self._ready()

    def _start(
        self,
        search: Search[M],
        limit: Limit,
        multipv: int,
        root_moves: Iterable[M] | None,
        ponder: bool,
    ) -> Script[None]:
        board = search.board
        only = [] if root_moves is None else [move_text(board, move) for move in root_moves]
        yield from self._adjust(board, multipv)
        yield position_line(board)
        yield go_line(limit, only, ponder=ponder)

    def _adjust(self, board: AnyBoard, multipv: int) -> Script[None]:
        """Sets what the board asks for: its game, Chess960, how many lines."""
        wanted = {"UCI_Variant": board.rules.name if isinstance(board, Board) else "chess"}
        if self.option("UCI_Variant") is None and wanted.pop("UCI_Variant") != "chess":
            raise EngineError(f"{self.name} does not play Cờ Tư Lệnh")
        is_960 = isinstance(board, ChessBoard) and board.chess960
        if self.option("UCI_Chess960") is not None or is_960:
            wanted["UCI_Chess960"] = "true" if is_960 else "false"
        if self.option("MultiPV") is not None or multipv > 1:
            wanted["MultiPV"] = str(multipv)
        new = {name: value for name, value in wanted.items() if self._value(name) != value}
        try:
            yield from self._configure(new)
        except ValueError as error:
            raise EngineError(f"{self.name} does not play this: {error}") from None
        if new:
            yield from self._ready()

    def _value(self, name: str) -> str | None:
        option = self.option(name)
        return None if option is None else self._values[option.name]

    def _next(self, search: Search[M]) -> Script[Info[M] | None]:
        """The next info of a search, or ``None`` when it is over."""
        while not search.is_over:
            line = yield Wait(search.until)
            words = line.split()
            if words[:1] == ["bestmove"]:
                search.is_over = True
                search.result = self._result(search, words)
            elif words[:1] == ["info"]:
                info = parse_info(search.board, line)
                if info is not None:
                    search.keep(info)
                    return info
        return None

    def _result(self, search: Search[M], words: list[str]) -> PlayResult[M]:
        board = search.board
        try:
            move = read_move(board, words[1])
        except (IndexError, ValueError) as error:
            said = echo(" ".join(words))
            raise EngineError(f"{self.name} names an illegal move: {said} ({error})") from None
        after = board.copy()
        after.push(move)
        answer = parse_line(after, words[3:4] if words[2:3] == ["ponder"] else ())
        return PlayResult(move, answer[0] if answer else None, search.last.get(1))

    def _longest(self, limit: Limit, timeout: float | None) -> float | None:
        """How long a search may take: what was asked for, and the patience on top."""
        if timeout is not None:
            return timeout
        if limit.times is not None:
            return max(limit.times) + self.timeout
        return None if limit.time is None else limit.time + self.timeout


class Lines:
    """Cuts what a program writes into lines; what is too long to be one is dropped."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, self._rest = (self._rest + data).replace(b"\r", b"\n").split(b"\n")
        if len(self._rest) > LONGEST_LINE:
            self._rest = b""
        return [line.decode("utf-8", "replace").replace("\0", " ") for line in lines if line]
