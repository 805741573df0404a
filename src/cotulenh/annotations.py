"""What programs write into comments: clocks, evaluations, arrows, circles.

A command is ``[%name value]``. Values are typed here and stay text in the comment: what is not
changed is written as it was read, to the last digit.

>>> Eval.parse("-0.35,18"), str(Eval(mate=3))
(Eval(cp=-35, mate=None, depth=18), '#3')
>>> seconds_of("0:00:06.543"), clock_text(598)
(6.543, '0:09:58')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

__all__ = [
    "Arrow",
    "Circle",
    "Eval",
    "clock_text",
    "decode",
    "find",
    "find_all",
    "parse_arrows",
    "parse_circles",
    "replaced",
    "said_of",
    "seconds_of",
    "shapes_text",
    "without_commands",
]

_COMMAND = re.compile(r"\s*\[%[^\]]*\]\s*")
_CLOCK = re.compile(r"(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?)\s*")
_EVAL = re.compile(r"(?:#\s*([+-]?\d+)|([+-]?(?:\d+(?:\.\d*)?|\.\d+)))\s*(?:,\s*(\d+)\s*)?")
_LINES = re.compile(r"\n{2,}|\n")
_SHAPE = re.compile(r"\s*([A-Za-z])([a-z]\d{1,2})([a-z]\d{1,2})?\s*")
_COLORS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
_LETTERS = {name: letter for letter, name in _COLORS.items()}


class Eval(NamedTuple):
    """An evaluation from the first side's view: centipawns, or moves to mate; and its depth."""

    cp: int | None = None
    mate: int | None = None
    depth: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """What ``[%eval …]`` says: pawns, or ``#`` and moves to mate; ``None`` if it is neither."""
        found = _EVAL.fullmatch(text.strip())
        if found is None:
            return None
        mate, pawns, depth = found.groups()
        deep = None if depth is None else int(depth)
        if mate is not None:
            return cls(None, int(mate), deep)
        return cls(round(100 * float(pawns)), None, deep)

    def __str__(self) -> str:
        depth = "" if self.depth is None else f",{self.depth}"
        if self.mate is not None:
            return f"#{self.mate}{depth}"
        cp = self.cp or 0
        return f"{'-' if cp < 0 else ''}{abs(cp) // 100}.{abs(cp) % 100:02}{depth}"


class Arrow(NamedTuple):
    """An arrow between two squares of the game's board: green, red, yellow or blue."""

    tail: Any
    head: Any
    color: str = "green"


class Circle(NamedTuple):
    """A marked square: green, red, yellow or blue."""

    square: Any
    color: str = "green"


# Commands in comments ---------------------------------------------------------------------------


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"\[%{name}\s+([^\]]*?)\s*\]")


def find(comments: Iterable[str], name: str) -> str | None:
    """The value of the first command of a name."""
    sign = f"[%{name}"
    for comment in comments:
        if sign in comment and (found := _pattern(name).search(comment)):
            return found[1]
    return None


def find_all(comments: Iterable[str], name: str) -> str:
    """The values of all commands of a name, as one list."""
    sign = f"[%{name}"
    said = (comment for comment in comments if sign in comment)
    return ",".join(value for comment in said for value in _pattern(name).findall(comment))


def replaced(comments: Sequence[str], name: str, value: str | None) -> list[str]:
    """The comments with a command's value changed in its place, set first, or taken out.

    >>> replaced(["[%clk 0:01:00] Hm."], "clk", "0:00:59"), replaced(["Hm."], "emt", "0:00:01")
    (['[%clk 0:00:59] Hm.'], ['[%emt 0:00:01] Hm.'])
    """
    out: list[str] = []
    pattern, done = _pattern(name), value is None
    for comment in comments:
        found = pattern.search(comment)
        if found is not None:
            head, tail = "" if done else f"[%{name} {value}]", comment[found.end() :]
            tail = re.sub(rf"\s*{pattern.pattern}\s*", " ", tail)
            comment, done = f"{comment[: found.start()]}{head}{tail}".strip(), True
            if not comment:
                continue
        out.append(comment)
    if done:
        return out
    mark = f"[%{name} {value}]"
    return [f"{mark} {out[0]}", *out[1:]] if out else [mark]


def without_commands(comment: str) -> str:
    """What is said in words."""
    return _COMMAND.sub(" ", comment).strip()


# Values -----------------------------------------------------------------------------------------


def seconds_of(text: str) -> float | None:
    """The seconds of ``h:mm:ss``, ``m:ss`` or ``s``, with or without a fraction."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, seconds = found.groups()
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + float(seconds)


def clock_text(seconds: float) -> str:
    """Seconds as ``h:mm:ss``, with as many digits behind the point as they have (six at most)."""
    if not 0 <= seconds < 1e9:
        raise ValueError(f"expected the seconds of a clock, got {seconds}")
    micros = round(seconds * 1_000_000)
    whole, rest = divmod(micros, 1_000_000)
    part = f".{rest:06}".rstrip("0") if rest else ""
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}{part}"


def _shapes(text: str, square: Callable[[str], Any]) -> Iterable[tuple[str, Any, Any]]:
    for piece in text.split(","):
        found = _SHAPE.fullmatch(piece)
        if found is None:
            continue
        try:
            first = square(found[2])
            second = None if found[3] is None else square(found[3])
        except ValueError:
            continue  # of another board
        yield _COLORS.get(found[1].upper(), "green"), first, second


def parse_arrows(text: str, square: Callable[[str], Any]) -> list[Arrow]:
    """The arrows of ``[%cal Gc2c3,Rc3d4]``."""
    shapes = _shapes(text, square)  # a1 is square 0, so `if head` would lose it
    return [Arrow(tail, head, color) for color, tail, head in shapes if head is not None]


def parse_circles(text: str, square: Callable[[str], Any]) -> list[Circle]:
    """The squares of ``[%csl Gd4,Rd5]``."""
    return [Circle(at, color) for color, at, head in _shapes(text, square) if head is None]


def shapes_text(shapes: Iterable[Arrow | Circle]) -> str | None:
    """Arrows or circles as commands write them; ``None`` if there are none."""
    words = []
    for shape in shapes:
        letter = _LETTERS.get(shape.color)
        if letter is None:
            raise ValueError(f"expected one of {', '.join(_LETTERS)}, got {shape.color!r}")
        names = (square if isinstance(square, str) else square.name for square in shape[:-1])
        words.append(letter + "".join(names))
    return ",".join(words) or None


# Text of comments -------------------------------------------------------------------------------


def decode(raw: bytes) -> str:
    r"""Text as it was meant: UTF-8, else as most old files have it.

    >>> decode("Nguyễn".encode()), decode(b"M\xfcller"), decode(b"\x81")
    ('Nguyễn', 'Müller', '\x81')
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def said_of(text: str) -> str:
    r"""What a comment says: a line's end is a space, an empty line a line's end.

    >>> said_of(" one\ntwo\n\nthree ")
    'one two\nthree'
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.strip(" \t\n")
    if "\n\n" in text:
        return _LINES.sub(lambda found: "\n" * (len(found[0]) - 1) or " ", text)
    return text.replace("\n", " ")
