"""The lines of UCI, written and read: options, ``go``, ``info``, ``bestmove``, ``position``.

Both ends use them: the engine's (:mod:`cotulenh.protocols.uci`) and ours when we drive another
program (:mod:`cotulenh.protocols.client`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from cotulenh.engine import Info, Limit, PlayResult, Score
from cotulenh.games import AnyBoard, BoardLike, M, line_text, move_text, parse_move, start_of
from cotulenh.protocols.session import BadInputError, echo

__all__ = [
    "Go",
    "Option",
    "best_line",
    "go_line",
    "info_line",
    "parse_info",
    "parse_line",
    "position_line",
    "read_move",
    "whole",
]


def whole(name: str, text: str) -> int:
    """A whole number, or the reason why it is none."""
    try:
        if len(text) > 18:
            raise ValueError
        return int(text)
    except ValueError:
        raise BadInputError(f"{name}: expected a whole number, got {echo(text)}") from None


# Options --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    r"""One option: its type, default, and what it may be.

    >>> option = Option.parse("option name Skill Level\ttype spin  default 20 min 0 max 20")
    >>> option.name, option.low, option.high, option.checked(3)
    ('Skill Level', 0, 20, '3')
    >>> option.checked("21")
    Traceback (most recent call last):
        ...
    cotulenh.protocols.session.BadInputError: Skill Level: expected 0 to 20, got 21
    """

    name: str
    kind: str
    default: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Option:
        """Reads the line that announces an option; ``ValueError`` if it is none."""
        values: dict[str, list[str]] = {}
        choices: list[list[str]] = []
        into: list[str] = []
        words = line.split()
        for word in words[1:]:
            if word == "var":
                choices.append([])
                into = choices[-1]
            elif word in ("name", "type", "default", "min", "max") and word not in values:
                into = values[word] = []
            else:
                into.append(word)
        if words[:1] != ["option"] or not values.get("name") or len(values.get("type", [])) != 1:
            raise ValueError(f"expected an option, got {echo(line)}")
        low, high = (int("".join(values.get(name, [])) or 0) for name in ("min", "max"))
        return cls(
            " ".join(values["name"]),
            values["type"][0].lower(),
            " ".join(values.get("default", [])),
            low,
            high,
            tuple(" ".join(choice) for choice in choices),
        )

    def line(self) -> str:
        """How it is announced."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind != "button":
            text += f" default {self.default}"
        if self.kind == "spin":
            text += f" min {self.low} max {self.high}"
        return text + "".join(f" var {choice}" for choice in self.choices)

    def set_line(self, value: str) -> str:
        """The ``setoption`` of a value."""
        return f"setoption name {self.name}" + ("" if self.kind == "button" else f" value {value}")

    def checked(self, value: str | int | bool | None) -> str:
        """The value in its proper spelling, or the reason why it is none."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if self.kind == "spin":
            number = whole(self.name, text)
            if not self.low <= number <= self.high:
                raise BadInputError(
                    f"{self.name}: expected {self.low} to {self.high}, got {number}"
                )
            return str(number)
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise BadInputError(f"{self.name}: expected true or false, got {echo(text)}")
            return text.lower()
        if self.kind == "combo":
            return self._choice(text)
        if "\n" in text or "\r" in text:
            raise BadInputError(f"{self.name}: expected one line, got {echo(text)}")
        return text

    def _choice(self, text: str) -> str:
        for choice in self.choices:
            if choice.lower() == text.lower():
                return choice
        raise BadInputError(f"{self.name}: expected {', '.join(self.choices)}, got {echo(text)}")


# go -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Go:
    """What a ``go`` asks for; times are in milliseconds."""

    wtime: int | None = None
    btime: int | None = None
    winc: int = 0
    binc: int = 0
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    perft: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: list[str] = field(default_factory=list)

    @classmethod
    def parse(cls, words: list[str]) -> Go:
        """Reads the words after ``go``."""
        asked, rest = cls(), list(words)
        while rest:
            word = rest.pop(0)
            if word in ("infinite", "ponder"):
                setattr(asked, word, True)
            elif word == "searchmoves":
                while rest and rest[0] not in _GO_WORDS:
                    asked.searchmoves.append(rest.pop(0))
            elif word in _GO_WORDS:
                if not rest:
                    raise BadInputError(f"go {word}: expected a whole number, got nothing")
                setattr(asked, word, whole(f"go {word}", rest.pop(0)))
            else:
                raise BadInputError(f"go: expected a limit, got {echo(word)}")
        return asked

    def limit(self, mover: int, overhead: int) -> Limit:
        """The engine's limit. Clocks that have run out leave the least there is."""
        own = self.wtime if mover == 0 else self.btime
        times = None
        if own is not None:
            both = (self.wtime, self.btime)
            left = [max(1, (own if ms is None else ms) - overhead) / 1000 for ms in both]
            times = (left[0], left[1])
        limit = Limit(
            time=None if self.movetime is None else max(1, self.movetime) / 1000,
            depth=_within(1, self.depth, 245),
            nodes=_within(1, self.nodes, 2**62),
            mate=_within(1, self.mate, 120),
            infinite=self.infinite,
            times=times,
            increments=(max(0, self.winc) / 1000, max(0, self.binc) / 1000),
            moves_to_go=_within(1, self.movestogo, 1000),
        )
        return replace(limit, infinite=True) if limit.is_empty else limit


_GO_WORDS = frozenset(one.name for one in fields(Go))


def _within(low: int, number: int | None, high: int) -> int | None:
    return None if number is None else min(max(low, number), high)


def go_line(limit: Limit, root_moves: Iterable[str] = (), *, ponder: bool = False) -> str:
    """The ``go`` of a limit.

    >>> go_line(Limit(time=0.5, depth=9), ["e2e4"])
    'go movetime 500 depth 9 searchmoves e2e4'
    """
    words = ["go", "ponder"] if ponder else ["go"]
    if limit.infinite or limit.is_empty:
        words.append("infinite")
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
    only = list(root_moves)
    return " ".join([*words, "searchmoves", *only] if only else words)


def position_line(board: AnyBoard) -> str:
    """The ``position`` of a board: where its history starts, and the moves since."""
    root = board.root()
    start = "startpos" if root.fen() == start_of(board).fen() else f"fen {root.fen()}"
    moves = line_text(root, board.move_stack)
    return f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")


# info and bestmove ----------------------------------------------------------------------------


def info_line(board: BoardLike[M], info: Info[M]) -> str:
    """An ``info`` line."""
    bound = f" {info.bound}bound" if info.bound else ""
    pv = " ".join(line_text(board, info.pv))
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
        f" score {info.score}{bound} nodes {info.nodes} nps {info.nps}"
        f" hashfull {info.hashfull} time {round(info.time * 1000)}" + (f" pv {pv}" if pv else "")
    )


_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time")


def parse_info(board: BoardLike[M], line: str) -> Info[M] | None:
    r"""What an ``info`` line says; ``None`` if it has no score. Odd words are passed over.

    >>> from cotulenh import chess
    >>> info = parse_info(chess.Board(), "info\tdepth 7 score cp  31 nodes x pv e2e4 e7e5 e2e4")
    >>> info.depth, str(info.score), [str(move) for move in info.pv]
    (7, 'cp 31', ['e2e4', 'e7e5'])
    """
    words = line.split()
    if words[:1] != ["info"] or "string" in words[:2]:
        return None
    pv = words.index("pv") if "pv" in words else len(words)
    head = words[1:pv]
    found = dict.fromkeys(_NUMBERS, 0) | {"multipv": 1}
    for name, text in itertools.pairwise(head):
        number = _integer(text)
        if name in found and number is not None:
            found[name] = number
    score, bound = _score(head)
    if score is None:
        return None
    seconds = found.pop("time") / 1000
    return Info(
        score=score, bound=bound, time=seconds, pv=parse_line(board, words[pv + 1 :]), **found
    )


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else None


def _score(words: list[str]) -> tuple[Score | None, Literal["lower", "upper"] | None]:
    for at, word in enumerate(words[:-1]):
        number = _integer(words[at + 1])
        if word not in ("cp", "mate") or number is None:
            continue
        score = Score(cp=number) if word == "cp" else Score(mate=number)
        bound = words[at + 2] if at + 2 < len(words) else ""
        if bound == "lowerbound":
            return score, "lower"
        return score, "upper" if bound == "upperbound" else None
    return None, None


def parse_line(board: BoardLike[M], words: Iterable[str]) -> tuple[M, ...]:
    """The moves of a line of play, up to the first that is none here."""
    board, moves = board.copy(), []
    for word in words:
        try:
            move = read_move(board, word)
        except ValueError:
            break
        moves.append(move)
        board.push(move)
    return tuple(moves)


def read_move(board: BoardLike[M], text: str) -> M:
    """The legal move another program means; some write chess moves in capitals."""
    try:
        return parse_move(board, text)
    except ValueError:
        if text == text.lower():
            raise
        return parse_move(board, text.lower())


def best_line(board: BoardLike[M], result: PlayResult[M]) -> str:
    """The ``bestmove`` line. The move to ponder on is named only if the opponent is to make it."""
    line = f"bestmove {move_text(board, result.move)}"
    after = board.copy()
    after.push(result.move)
    if after.turn is board.turn or result.ponder is None:
        return line
    answer = line_text(after, [result.ponder])
    return f"{line} ponder {answer[0]}" if answer else line
