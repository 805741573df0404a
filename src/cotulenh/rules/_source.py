"""Reading a rule set: TOML text → one table, remembering the file and line of every value.

``tomllib`` forgets where a value stood, so a small scanner walks the (already valid) text again and
notes the line of each key and list item. ``extends`` lays one file over another.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = [
    "Place",
    "Problem",
    "RulesError",
    "Source",
    "key_lines",
    "map_rows",
    "read_source",
    "shipped_names",
]

#: Where a value stands in a table, such as ``("pieces", "T", "move")``; list items by number.
Place = tuple[str | int, ...]

SHIPPED = Path(__file__).parent

#: What a rule set may be at most: bytes of a file, brackets inside each other, parts of a dotted
#: key, files one upon the other. The shipped ones stay far below.
MOST_BYTES, MOST_NESTING, MOST_PARTS, MOST_EXTENDS = 262_144, 16, 8, 16


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a rule set, and where."""

    file: str
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        line = f":{self.line}" if self.line else ""
        return f"{self.file}{line}: {where}{self.reason}"


class RulesError(ValueError):
    """A rule set that cannot be used. The first problem gives the text, ``problems`` has them all.

    >>> from cotulenh.rules import Rules
    >>> try:
    ...     Rules.load("checkers")
    ... except RulesError as error:
    ...     print(error)
    checkers: expected a rule set (blueprint, official, online, or the path of a TOML file)
    """

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        more = len(problems) - 1
        super().__init__(str(problems[0]) + (f" (and {more} more)" if more else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.problems

    @property
    def file(self) -> str:
        """The file of the first problem."""
        return self.problems[0].file

    @property
    def line(self) -> int:
        """The line of the first problem, counted from 1; 0 when the file itself is the problem."""
        return self.problems[0].line

    @property
    def field(self) -> str:
        """The field of the first problem, such as ``pieces.T.move``; may be empty."""
        return self.problems[0].field


@dataclass
class Source:
    """The table of a rule set and the file and line of each of its values."""

    file: str
    table: dict[str, Any]
    lines: dict[Place, tuple[str, int]] = field(default_factory=dict)
    shipped: bool = False

    def where(self, place: Place) -> tuple[str, int]:
        """File and line of a value, or of the nearest thing around it that has one."""
        for end in range(len(place), 0, -1):
            if place[:end] in self.lines:
                return self.lines[place[:end]]
        return self.file, 1

    def problem(self, place: Place, reason: str, *, line_offset: int = 0) -> Problem:
        """A problem at a place; the offset counts lines inside a text of several lines."""
        file, line = self.where(place)
        dotted = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
        return Problem(file, line + line_offset, dotted.lstrip("."), reason)


def read_source(name: str | Path) -> Source:
    """Reads a shipped rule set by name, or a file by path, with all that it extends."""
    return _read(_find(name, None), ())


def shipped_names() -> list[str]:
    """The rule sets that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def _find(name: str | Path, base: Path | None) -> Path:
    if isinstance(name, str) and name in shipped_names():
        return SHIPPED / f"{name}.toml"
    path = Path(name) if base is None else base / name
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):  # a name that no file can have
        name = str(name)[:200]
    shipped = ", ".join(shipped_names())
    reason = f"expected a rule set ({shipped}, or the path of a TOML file)"
    raise RulesError(Problem(str(name).replace("\0", "\\0"), 0, "", reason))


def _read(path: Path, children: tuple[Path, ...]) -> Source:
    label = path.name if path.parent == SHIPPED else str(path)
    text = _text(path, label)
    source = Source(label, _parse(text, label), shipped=path.parent == SHIPPED)
    source.lines = {place: (label, line) for place, line in _lines_of(text).items()}
    if "extends" not in source.table:
        return source
    base_name = source.table.pop("extends")
    if not isinstance(base_name, str):
        raise RulesError(source.problem(("extends",), f"expected a text, got {base_name!r}"))
    try:
        base_path = _find(base_name, path.parent)
    except RulesError as error:
        reason = f"{base_name!r}: {error.problems[0].reason}"
        raise RulesError(source.problem(("extends",), reason)) from None
    if base_path.resolve() in (*children, path.resolve()):
        raise RulesError(source.problem(("extends",), f"{base_name!r} extends itself"))
    if len(children) >= MOST_EXTENDS:
        raise RulesError(source.problem(("extends",), f"more than {MOST_EXTENDS} files in a row"))
    return _lay_over(_read(base_path, (*children, path.resolve())), source)


def _text(path: Path, label: str) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise RulesError(Problem(label, 0, "", f"a rule set has at most {MOST_BYTES} bytes"))
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise RulesError(Problem(label, line, "", "not UTF-8 text")) from None
    except OSError as error:
        raise RulesError(Problem(label, 0, "", error.strerror or str(error))) from None


def _parse(text: str, label: str) -> dict[str, Any]:
    if reason := _excess(text):
        raise RulesError(Problem(label, 0, "", reason))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of too many digits is a ValueError
        reason, _, place = str(error).partition(" (at ")
        found = re.search(r"line (\d+)", place)
        line = int(found[1]) if found else text.count("\n") + 1
        raise RulesError(Problem(label, line, "", f"not TOML: {reason}")) from None


def _excess(text: str) -> str:
    """What is too much in a text, before anything slow or recursive looks at it."""
    parts, at = [], 0
    while found := _PLAIN.match(text, at):  # up to a string or comment, which do not count
        parts.append(found[0])
        skipped = _STRING.match(text, found.end()) or _COMMENT.match(text, found.end())
        if skipped is None:  # the end, or a string without end: the parser will say so
            break
        parts.append("s" if skipped[0][:1] != "#" else "")
        at = skipped.end()
    plain = "".join(parts)
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", plain):
        depth += 1 if bracket in "[{" else -1
        if depth > MOST_NESTING:
            return f"more than {MOST_NESTING} brackets inside each other"
    if any(piece.count(".") >= MOST_PARTS for piece in re.split(r"[\n=,\[\]{}]", plain)):
        return f"a key of more than {MOST_PARTS} parts"
    return ""


def _lines_of(text: str) -> dict[Place, int]:
    """The lines of the keys; none if the scanner does not understand what the parser did."""
    try:
        return key_lines(text)
    except (AssertionError, IndexError, StopIteration, RecursionError):
        return {}


def _lay_over(base: Source, top: Source) -> Source:
    """Lays a table over the one it extends: tables merge, other values replace, false removes."""
    replaced: set[Place] = set()

    def merge(low: dict[str, Any], high: dict[str, Any], at: Place) -> dict[str, Any]:
        out = dict(low)
        for key, value in high.items():
            place = (*at, key)
            if isinstance(value, dict) and isinstance(low.get(key), dict):
                out[key] = merge(low[key], value, place)
                continue
            replaced.add(place)
            if value is False and key in low and not isinstance(low[key], bool):
                del out[key]
            else:
                out[key] = value
        return out

    table = merge(base.table, top.table, ())
    lines = {
        place: line
        for place, line in base.lines.items()
        if not any(place[:end] in replaced for end in range(1, len(place) + 1))
    }
    return Source(top.file, table, lines | top.lines, top.shipped)


def map_rows(text: str) -> list[str]:
    """The rows of a terrain map, the highest rank first; blanks inside rows do not count."""
    return ["".join(line.split()) for line in text.strip("\n").split("\n")]


# The line scanner -------------------------------------------------------------------------------

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'", re.DOTALL
)
_BARE = re.compile(r"[^,\]}\n#]*")
_PLAIN = re.compile(r"""[^"'#]*""")
_COMMENT = re.compile(r"#[^\n]*")


class _Scanner:
    """Walks over valid TOML once and notes the line of every key and list item."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Place, int] = {}
        self._counted = (0, 1)  # up to here lines are counted, and the line there

    def run(self) -> dict[Place, int]:
        table: Place = ()
        while self.skip() < len(self.text):
            if self.text[self.at] == "[":
                self.at += 2 if self.text.startswith("[[", self.at) else 1
                table = self.key(())
                self.at = self.text.find("\n", self.at) % (len(self.text) + 1)
            else:
                self.pair(table)
        return self.lines

    def line(self) -> int:
        """The line it stands on."""
        at, line = self._counted
        self._counted = (self.at, line + self.text.count("\n", at, self.at))
        return self._counted[1]

    def skip(self) -> int:
        """Steps over blanks and comments."""
        self.at = self._match(_BLANK).end()
        return self.at

    def key(self, table: Place) -> Place:
        """Reads a dotted key and notes the line of each of its parts."""
        line = self.line()
        place = table
        while True:
            found = self._match(_KEY)
            place = (*place, next(part for part in found.groups() if part is not None))
            self.lines.setdefault(place, line)
            self.at = found.end()
            if not self.text.startswith(".", self.at):
                return place
            self.at += 1

    def pair(self, table: Place) -> None:
        place = self.key(table)
        self.at += 1  # the equals sign
        self.value(place)

    def value(self, place: Place) -> None:
        self.skip()
        match self.text[self.at : self.at + 1]:
            case "[":
                self.members("]", lambda number: self.item((*place, number)))
            case "{":
                self.members("}", lambda _: self.pair(place))
            case '"' | "'":
                self.at = self._match(_STRING).end()
            case _:
                self.at = self._match(_BARE).end()

    def item(self, place: Place) -> None:
        self.lines[place] = self.line()
        self.value(place)

    def members(self, close: str, read: Any) -> None:
        """Reads what stands between brackets, comma by comma."""
        self.at += 1
        number = 0
        while self.skip() < len(self.text) and self.text[self.at] != close:
            read(number)
            number += 1
            self.skip()
            self.at += self.text.startswith(",", self.at)
        self.at += 1

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.at)
        assert found, "valid TOML"
        return found


def key_lines(text: str) -> dict[Place, int]:
    r"""The line of every key and list item of a valid TOML text.

    >>> key_lines("a = 1\n[b]\nc = { d = 2 }")[("b", "c", "d")]
    3
    """
    return _Scanner(text).run()
