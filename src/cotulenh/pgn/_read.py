"""Text to games: a file in pieces, its games one by one, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import IO, Literal, Self, TypeAlias

from cotulenh._core import pgn as _core
from cotulenh.errors import ParseError
from cotulenh.game import CLOSE, OPEN, Game, decode
from cotulenh.pgn._file import Source, open_source
from cotulenh.rules import Rules

__all__ = [
    "Header",
    "Index",
    "PGNError",
    "Problem",
    "Reader",
    "headers",
    "index",
    "parse",
    "read",
]

Where: TypeAlias = "str | PathLike[str] | IO[bytes] | IO[str]"
Errors: TypeAlias = Literal["skip", "keep", "raise"]

#: A game of more bytes is not read: it is reported and passed over.
MOST_BYTES = 1 << 26

_TAG = re.compile(rb'\[\s*+([A-Za-z0-9_]++)\s*+"([^"\\\r\n]*+(?:\\[^\r\n][^"\\\r\n]*+)*+)"\s*+\]')
_ESCAPED = re.compile(r"\\(.)")
_STANDARD = {"", "standard", "chess", "normal", "from position", "?"}
_CHESS960 = {"chess960", "chess 960", "fischerandom", "fischer random", "freestyle"}
_COTULENH = {"cotulenh", "co tu lenh", "cờ tư lệnh", "commander chess"}
_FOUND, _MORE, _NOTHING = range(3)


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a file is wrong, and why. Lines, columns and games count from 1, bytes from 0."""

    file: str
    game: int
    line: int
    column: int
    offset: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.reason}"


class PGNError(ParseError):
    """Raised for the first problem when one asks for it; ``problem`` says all."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.reason, problem.offset)
        self.problem = problem

    def __str__(self) -> str:
        return str(self.problem)


@dataclass(frozen=True, slots=True)
class Header:
    """The tags of a game and where it is."""

    tags: dict[str, str]
    game: int
    line: int
    offset: int


class _Trouble(Exception):  # noqa: N818  (it never leaves this file)
    """Something is wrong at a place of the buffer."""

    def __init__(self, at: int, reason: str) -> None:
        super().__init__(reason)
        self.at, self.reason = at, reason


class Reader(Iterator[Game]):
    """Games one after another, as they are asked for; in ``problems`` what was passed over.

    The file is read in pieces: memory depends on the longest game, not on the file.
    """

    def __init__(
        self,
        where: Where,
        *,
        rules: Rules | str | PathLike[str] | None = None,
        errors: Errors = "skip",
        encoding: str | None = None,
        on_problem: Callable[[Problem], None] | None = None,
    ) -> None:
        if errors not in ("skip", "keep", "raise"):
            raise ValueError(f"no such way with errors: {errors!r} (skip, keep, raise)")
        self.problems: list[Problem] = []
        self._errors, self._on_problem = errors, on_problem
        self._chess_only = rules == "chess"
        self._rules = None if rules is None or rules == "chess" else _rules(rules)
        self._source: Source = open_source(where, encoding)
        self._buffer, self._at, self._final = b"", 0, False
        # The offset of the buffer in the file; lines that ended before a place of the buffer.
        self._offset, self._lines, self._counted, self._line_start = 0, 0, 0, 0
        self._games = 0

    # The file -----------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, if the reader opened it."""
        self._source.close()
        self._final, self._buffer, self._at = True, b"", 0

    def __next__(self) -> Game:
        while (span := self._next_span()) is not None:
            game = self._game(*span)
            if game is not None:
                return game
        raise StopIteration

    def headers(self) -> Iterator[Header]:
        """The tags of all games that follow; their moves are not looked at."""
        while (span := self._next_span()) is not None:
            start, moves, _ = span
            try:
                tags = self._tags(start, moves)
            except _Trouble as trouble:
                self._report(trouble)
                continue
            line, _ = self._line_of(start)
            yield Header(tags, self._games, line, self._offset + start)

    def _next_span(self) -> tuple[int, int, int] | None:
        """Where the next game is in the buffer, filling it as needed."""
        while True:
            status, start, moves, end = _core.find(self._buffer, self._at, self._final)
            if status == _FOUND:
                self._at = end
                self._games += 1
                return start, moves, end
            if self._final:
                self._source.close()
                return None
            if status == _MORE and len(self._buffer) - start > MOST_BYTES:
                self._games += 1
                self._report(_Trouble(start, f"a game of more than {MOST_BYTES >> 20} MiB"))
                self._skip_far(start)
                continue
            # What is left is kept; the more it is, the more is read, so that the work stays linear.
            self._fill(start if status == _MORE else len(self._buffer))

    def _fill(self, keep_from: int) -> None:
        self._forget(keep_from)
        try:
            more = self._source.read(max(1 << 20, len(self._buffer)))
        except (OSError, EOFError, ValueError) as error:
            self._report(_Trouble(len(self._buffer), f"the file cannot be read on: {error}"))
            more = b""
        self._final = not more
        self._buffer += more

    def _forget(self, before: int) -> None:
        """Drops the beginning of the buffer, keeping count of its lines."""
        self._line_of(before)
        self._buffer = self._buffer[before:]
        self._offset += before
        self._counted -= before
        self._line_start -= before
        self._at = 0

    def _skip_far(self, start: int) -> None:
        """Leaves a game that is too long: on to the next that begins with an Event."""
        sign, at = b"\n[Event ", start + 1
        while (found := self._buffer.find(sign, at)) < 0 and not self._final:
            self._fill(max(0, len(self._buffer) - len(sign)))
            at = 0
        self._at = found + 1 if found >= 0 else len(self._buffer)

    def _line_of(self, at: int) -> tuple[int, int]:
        """Line and column of a place in the buffer; places are asked for in rising order."""
        if at > self._counted:
            self._lines += self._buffer.count(b"\n", self._counted, at)
            last = self._buffer.rfind(b"\n", self._counted, at)
            if last >= 0:
                self._line_start = last + 1
            self._counted = at
            return self._lines + 1, at - self._line_start + 1
        back = self._buffer.count(b"\n", at, self._counted)
        last = self._buffer.rfind(b"\n", 0, at)
        line_start = last + 1 if last >= 0 else min(self._line_start, 0)
        return self._lines - back + 1, at - line_start + 1

    def _report(self, trouble: _Trouble) -> Problem:
        line, column = self._line_of(trouble.at)
        offset = self._offset + trouble.at
        problem = Problem(self._source.name, self._games, line, column, offset, trouble.reason)
        self.problems.append(problem)
        if self._on_problem is not None:
            self._on_problem(problem)
        if self._errors == "raise":
            raise PGNError(problem)
        return problem

    # One game -----------------------------------------------------------------------------------

    def _game(self, start: int, moves: int, end: int) -> Game | None:
        try:
            tags = self._tags(start, moves)
            rules, chess960 = self._variant(tags, start)
            reading = self._play(rules, chess960, tags, start, moves, end)
        except _Trouble as trouble:
            self._report(trouble)
            return None
        text = self._buffer[moves:end]
        if reading[3] is None:
            return Game._read(rules, chess960, tags, reading, text)
        problem = self._report(_Trouble(*reading[3]))
        if self._errors != "keep":
            return None
        game = Game._read(rules, chess960, tags, _mended(reading), text)
        game.problems.append(problem)
        return game

    def _tags(self, start: int, end: int) -> dict[str, str]:
        header = self._buffer[start:end]
        tags: dict[str, str] = {}
        at = 0
        for found in _TAG.finditer(header):
            if found.start() > at and header[at : found.start()].strip():
                raise _Trouble(start + at + _blank(header, at), 'not a tag: [Name "value"] is')
            name, value = decode(found[1]), decode(found[2])
            tags[name] = _ESCAPED.sub(r"\1", value) if "\\" in value else value
            at = found.end()
        if header[at:].strip():
            raise _Trouble(start + at + _blank(header, at), 'not a tag: [Name "value"] is')
        return tags

    def _variant(self, tags: dict[str, str], at: int) -> tuple[Rules | None, bool]:
        """Which game it is: the rule set, ``None`` for chess, and whether it is Chess960."""
        variant = tags.get("Variant", "")
        if self._rules is not None:
            return self._rules, False
        key = variant.strip().lower()
        if key in _CHESS960:
            return None, True
        if self._chess_only:
            return None, False
        if key in _shipped():
            return Rules.load(key), False
        if key in _COTULENH:
            return Rules.load("official"), False
        if key not in _STANDARD:
            raise _Trouble(at, f"no such variant here: {variant!r}")
        if "Red" in tags or "Blue" in tags or tags.get("FEN", "").count("/") == 11:
            return Rules.load("official"), False
        return None, False

    def _play(
        self,
        rules: Rules | None,
        chess960: bool,
        tags: dict[str, str],
        start: int,
        moves: int,
        end: int,
    ) -> tuple[bytes, int, str | None, tuple[int, str] | None]:
        fen = tags.get("FEN")
        try:
            if rules is None:
                return _core.read_chess(fen, chess960, self._buffer, moves, end)
            begin = rules.start_fen if fen is None else fen
            return _core.read_ctl(rules.core, begin, self._buffer, moves, end)
        except ParseError as error:
            at = max(0, self._buffer.find(b"[FEN", start, moves) - start)
            raise _Trouble(start + at, f"the FEN: {error}") from None


@cache
def _shipped() -> frozenset[str]:
    return frozenset(Rules.names())


def _blank(header: bytes, at: int) -> int:
    rest = header[at:]
    return len(rest) - len(rest.lstrip())


def _mended(
    reading: tuple[bytes, int, str | None, tuple[int, str] | None],
) -> tuple[bytes, int, str | None, None]:
    """A tape that broke off within variations, its lines closed."""
    tape, turns, result, _ = reading
    opens = sum(1 if tape[i] == OPEN else -1 for i in range(7, len(tape), 8) if tape[i] in (2, 3))
    while opens and tape[-1] == OPEN:  # a variation that had no move yet
        tape, opens = tape[:-8], opens - 1
    return tape + opens * (bytes(7) + bytes([CLOSE])), turns, result, None


def _rules(rules: Rules | str | PathLike[str]) -> Rules:
    return rules if isinstance(rules, Rules) else Rules.load(rules)  # type: ignore[arg-type]


# Reading ----------------------------------------------------------------------------------------


def read(
    where: Where,
    *,
    rules: Rules | str | PathLike[str] | None = None,
    errors: Errors = "skip",
    encoding: str | None = None,
    on_problem: Callable[[Problem], None] | None = None,
) -> Reader:
    """The games of a file, one by one: a path, or a file that is open for bytes or text.

    Files packed with gzip or Zstandard are unpacked on the way (Zstandard: ``cotulenh[zst]``).
    ``rules`` says which game it is when the tags do not: a rule set or ``"chess"``. Text is UTF-8,
    and what is not is taken for Windows-1252, unless ``encoding`` says what it is.
    """
    return Reader(where, rules=rules, errors=errors, encoding=encoding, on_problem=on_problem)


def parse(text: str, *, rules: Rules | str | None = None) -> Game:
    """The first game of a text; :class:`PGNError` if it is wrong or there is none.

    >>> parse("1. e4 (1. d4 d5) 1... c5 1/2-1/2").sans()
    ['e4', 'c5']
    """
    import io

    reader = Reader(io.StringIO(text), rules=rules, errors="raise")
    game = next(reader, None)
    if game is None:
        raise PGNError(Problem("<stream>", 0, 1, 1, 0, "there is no game in the text"))
    return game


def headers(where: Where, *, encoding: str | None = None) -> Iterator[Header]:
    """Only the tags of a file's games, and where each begins: much faster than reading them."""
    with Reader(where, encoding=encoding) as reader:
        yield from reader.headers()


class Index:
    r"""The games of a file without holding them: their tags, and each game when asked for.

    >>> import io
    >>> games = index(io.BytesIO(b'[Event "A"]\n\n1. e4 *\n\n[Event "B"]\n\n1. d4 *\n'))
    >>> len(games), games.headers[1].tags["Event"], games[1].sans()
    (2, 'B', ['d4'])
    """

    def __init__(
        self, where: Where, *, rules: Rules | str | None = None, encoding: str | None = None
    ) -> None:
        self._where, self._rules, self._encoding = where, rules, encoding
        reader = Reader(where, encoding=encoding)
        #: Where each game is and what its tags say.
        self.headers: list[Header] = list(reader.headers())
        #: What was wrong with tags; games with wrong moves are found when they are asked for.
        self.problems: list[Problem] = reader.problems
        if isinstance(where, str | PathLike):
            reader.close()

    def __len__(self) -> int:
        return len(self.headers)

    def __getitem__(self, number: int) -> Game:
        """The game of a number, counted from 0; :class:`PGNError` if it cannot be read."""
        header = self.headers[number]
        if not isinstance(self._where, str | PathLike):
            self._where.seek(0)
        reader = Reader(self._where, rules=self._rules, errors="raise", encoding=self._encoding)
        try:
            reader._source.skip(header.offset)
            reader._offset, reader._lines = header.offset, header.line - 1
            reader._games = header.game - 1
            return next(reader)
        finally:
            if isinstance(self._where, str | PathLike):
                reader.close()

    def __iter__(self) -> Iterator[Game]:
        return (self[i] for i in range(len(self)))

    def find(self, **tags: str) -> list[int]:
        """The numbers of the games whose tags have these values."""
        return [
            i
            for i, header in enumerate(self.headers)
            if all(header.tags.get(name) == value for name, value in tags.items())
        ]


def index(where: Where, *, rules: Rules | str | None = None, encoding: str | None = None) -> Index:
    """Looks where the games of a file are, so that each can be had by its number."""
    return Index(where, rules=rules, encoding=encoding)
