"""Text to games: a file in pieces, its games one by one, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import IO, Literal, Self, TypeAlias

from cotulenh._core import pgn as _core
from cotulenh.errors import ParseError
from cotulenh.game import Game
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
    "variants",
]

Where: TypeAlias = "str | PathLike[str] | IO[bytes] | IO[str]"
Errors: TypeAlias = Literal["skip", "keep", "raise"]

#: A game of more bytes is not read: it is reported and passed over.
MOST_BYTES = 1 << 26

_FOUND, _MORE, _NOTHING = range(3)
_CHESS, _CHESS960, _CTL = range(1, 4)  # kinds of games, as the core counts them

#: What the tag Variant says, in lower case.
_STANDARD = ("", "standard", "chess", "normal", "from position", "?")
_FISCHER = (
    "chess960",
    "chess 960",
    "chess-960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischer random",
    "fischer random chess",
    "fischer-random",
    "frc",
    "freestyle",
    "freestyle chess",
)
_COTULENH = ("cotulenh", "co tu lenh", "cờ tư lệnh", "commander chess")


@dataclass(frozen=True, slots=True)
class Problem:
    """Where a file is wrong, and why. Lines, columns and games count from 1, bytes from 0.

    What is ``fatal`` cost the game, or a part of its main line; all else was understood or left
    out. Game 0 is the file itself, which cannot be read on.
    """

    file: str
    game: int
    line: int
    column: int
    offset: int
    reason: str
    fatal: bool = False

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

    def __init__(
        self, at: int, reason: str, fatal: bool = True, *, game: int | None = None
    ) -> None:
        super().__init__(reason)
        self.at, self.reason, self.fatal, self.game = at, reason, fatal, game


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
            raise ValueError(f"expected a way with errors (skip, keep, raise), got {errors!r}")
        self.problems: list[Problem] = []
        self._errors, self._on_problem = errors, on_problem
        self._lenient = False  # errors="raise": what cost nothing is let pass
        self._variants, self._by_name = variants(rules)
        self._source: Source = open_source(where, encoding)
        self._buffer, self._at, self._final = b"", 0, False
        # The offset of the buffer in the file; lines that ended before a place of the buffer.
        self._offset, self._lines, self._counted, self._line_start = 0, 0, 0, 0
        self._games = 0
        self._long: Problem | None = None  # said of the game that is being read

    # The file -----------------------------------------------------------------------------------

    @property
    def progress(self) -> tuple[int, int]:
        """Bytes of the games that were given, and bytes that were read, both unpacked."""
        return self._offset + self._at, self._source.given

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
            start, _, end = span
            tags, notes = _core.read_header(self._buffer, start, end)
            for at, reason, fatal in notes:
                self._report(_Trouble(start + at, reason, fatal))
            line, _ = self._line_of(start)
            header = Header(tags, self._games, line, self._offset + start)
            if self._long is not None:
                self._long = None
                self._skip_far()
            yield header

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
                return self._too_long(start)
            # What is left is kept; the more it is, the more is read, so that the work stays linear.
            self._fill(start if status == _MORE else len(self._buffer))

    def _too_long(self, start: int) -> tuple[int, int, int]:
        """A game that is too long to be held: its beginning stands for it."""
        self._games += 1
        trouble = _Trouble(start, f"a game of more than {MOST_BYTES >> 20} MiB")
        self._long = self._report(trouble)
        self._at = min(len(self._buffer), start + MOST_BYTES)
        return start, start, self._at

    def _fill(self, keep_from: int) -> None:
        self._forget(keep_from)
        try:
            more = self._source.read(max(1 << 20, len(self._buffer)))
        except (OSError, EOFError, ValueError) as error:
            reason = f"the file cannot be read on: {error}"
            self._report(_Trouble(len(self._buffer), reason, game=0))
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

    def _skip_far(self) -> None:
        """Leaves a game that is too long: on to the next that begins with an Event."""
        sign, at = b"\n[Event ", self._at
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
        game = self._games if trouble.game is None else trouble.game
        problem = Problem(
            self._source.name, game, line, column, offset, trouble.reason, trouble.fatal
        )
        self.problems.append(problem)
        if self._on_problem is not None:
            self._on_problem(problem)
        if self._errors == "raise" and (problem.fatal or not self._lenient):
            raise PGNError(problem)
        return problem

    # One game -----------------------------------------------------------------------------------

    def _game(self, start: int, _moves: int, end: int) -> Game | None:
        long, self._long = self._long, None
        if long is not None and self._errors != "keep":
            self._skip_far()
            return None
        reading = _core.read_game(self._variants, self._buffer, start, end)
        tags, kind, name, chess960, fen, tape, turns, result, notes, is_game, playable = reading
        problems = [self._report(_Trouble(start + at, why, fatal)) for at, why, fatal in notes]
        text = self._buffer[start:end]
        if long is not None:
            problems.insert(0, long)
            self._skip_far()
        lost = any(problem.fatal for problem in problems)
        if not is_game or (lost and self._errors != "keep"):
            return None
        if fen is not None:
            tags["FEN"] = fen
        elif not playable and "FEN" in tags:
            tags["SetUp"] = "0"  # a start that cannot be set up does not count
        rules = self._by_name[name] if kind == _CTL else None
        game = Game._read(rules, chess960, tags, (tape, turns, result), text)
        game.problems = problems
        return game


def variants(
    rules: Rules | str | PathLike[str] | None = None,
) -> tuple[_core.Variants, Mapping[str, Rules]]:
    """What the core needs to know which game a text is, and the rule sets by name."""
    table, by_name = _core.Variants(), dict(_shipped())
    for tag in _STANDARD:
        table.add(tag, _CHESS, None, "chess")
    for tag in _FISCHER:
        table.add(tag, _CHESS960, None, "chess")
    for name, known in by_name.items():
        table.add(name.lower(), _CTL, known.core, name)
    for tag in _COTULENH:
        table.add(tag, _CTL, by_name["official"].core, "official")
    if rules == "chess":
        table.fix(_CHESS, None, "chess")
    elif rules is not None:
        given = rules if isinstance(rules, Rules) else Rules.load(rules)  # type: ignore[arg-type]
        by_name[given.name] = given
        table.fix(_CTL, given.core, given.name)
    return table, by_name


@cache
def _shipped() -> Mapping[str, Rules]:
    return {name: Rules.load(name) for name in Rules.names()}


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
    """The first game of a text; :class:`PGNError` if it cannot be read or there is none.

    >>> parse("1. e4 (1. d4 d5) 1... c5 1/2-1/2").sans()
    ['e4', 'c5']
    """
    import io

    reader = Reader(io.StringIO(text), rules=rules, errors="raise")
    reader._lenient = True
    game = next(reader, None)
    if game is None:
        problem = Problem("<stream>", 0, 1, 1, 0, "there is no game in the text", True)
        raise PGNError(problem)
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
