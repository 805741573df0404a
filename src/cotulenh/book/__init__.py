"""Opening books of both games: what was played, how often, and how it ended.

A book is one file, mapped into memory: opening it costs nothing but the check of its sum, and a
position is looked up in microseconds. Chess has Polyglot's books too
(:mod:`cotulenh.book.polyglot`).

>>> import tempfile
>>> from cotulenh import chess, pgn
>>> games = [pgn.parse("1. e4 e5 1-0"), pgn.parse("1. e4 c5 1/2-1/2"), pgn.parse("1. d4 *")]
>>> with tempfile.TemporaryDirectory() as folder:
...     book = Book.build(games, f"{folder}/small.book")
...     for move, count, wins, draws, losses, score in book.moves(chess.Board()):
...         print(move, count, wins, draws, losses, score)
e2e4 2 1 1 0 None
d2d4 1 0 0 0 None
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from cotulenh import chess
from cotulenh._core import book as _core
from cotulenh.board import Board, Move
from cotulenh.game import Game
from cotulenh.games import AnyBoard, AnyMove, new_board
from cotulenh.pgn import dumps
from cotulenh.pgn._blocks import Block, blocks, game_of, on_threads
from cotulenh.pgn._read import variants
from cotulenh.rules import Rules

if TYPE_CHECKING:
    from cotulenh.book.polyglot import PolyglotBook

__all__ = ["Book", "BookMove", "Position", "open_book"]

Path: TypeAlias = "str | PathLike[str]"
Games: TypeAlias = "Path | Iterable[Game] | Iterable[Path]"

TURNS = 40
MEMORY_MB = 256
#: In books of more games, positions that only one game reached are left out unless asked for.
MANY = 100_000


def book_name(path: Path) -> str:
    """A file's name as the core takes it."""
    name = fspath(path)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: expected the name of a book in UTF-8") from None
    return name


class BookMove(NamedTuple):
    """A move of a position: the games it was played in, and how they went for who played it.

    Games without a result count too, so wins, draws and losses may be fewer than ``count``.
    ``score`` is the mean of the evaluations written behind the move (``[%eval …]``), in
    centipawns for who played it; ``None`` if there were none.
    """

    move: Any
    count: int  # type: ignore[assignment]  # a column, not the method of tuples
    wins: int
    draws: int
    losses: int
    score: float | None


class Position(NamedTuple):
    """A position of a book: its key and the moves' packed forms with their numbers."""

    key: int
    moves: list[tuple[int, int, int, int, int, float | None]]


class Book:
    """A book that is open for reading; ``ValueError`` says what is wrong with the file."""

    def __init__(self, path: Path) -> None:
        self.path = book_name(path)
        self._book = _core.Book.open(self.path)

    @property
    def game(self) -> str:
        """The game it is of: ``chess`` or the name of a rule set."""
        return self._book.variant

    @property
    def games(self) -> int:
        """How many games it was built from."""
        return self._book.games

    def __len__(self) -> int:
        """How many positions it has."""
        return self._book.positions

    def __repr__(self) -> str:
        return f"<Book of {self.game}, {len(self)} positions of {self.games} games>"

    # Looking up ---------------------------------------------------------------------------------

    def moves(self, board: AnyBoard) -> list[BookMove]:
        """The moves of a position, the most frequent first; none if the book does not know it."""
        if not self.fits(board):
            raise ValueError(f"expected a board of {self.game}, got one of {_name(board)}")
        make = _move_type(board)
        found = []
        for bits, count, wins, draws, losses, score in self._book.find(board.key):
            move = make.from_int(bits)
            if board.is_legal(move):  # two positions may share a key
                found.append(BookMove(move, count, wins, draws, losses, score))
        return sorted(found, key=lambda one: (-one.count, int(one.move)))

    def choose(self, board: AnyBoard, dice: random.Random | None = None) -> AnyMove | None:
        """A move to play, the more often the more it was played and the better it did."""
        known = self.moves(board)
        if not known:
            return None
        weights = [one.count * (0.1 + _points(one)) for one in known]
        chosen: AnyMove = (dice or random.Random()).choices(known, weights)[0].move
        return chosen

    def fits(self, board: AnyBoard) -> bool:
        """Whether a board is of the book's game."""
        return _name(board) == self.game

    # Making -------------------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        games: Games,
        path: Path,
        *,
        game: str | None = None,
        turns: int = TURNS,
        least: int | None = None,
        threads: int = 1,
        memory_mb: int = MEMORY_MB,
    ) -> Self:
        """Builds a book of PGN files or of games and opens it.

        ``game`` is the name of one or the path of its rules; without it, that of the first game.
        Others are left out. The first
        ``turns`` turns count; positions that fewer than ``least`` games reached are left out: by
        default none, but in books of more than 100000 games those that only one game reached.
        What does not fit the memory is laid aside in files beside ``path``.
        """
        parts = _parts(games)
        first = next(parts, None)
        table, _ = variants()
        if game is None:
            game = (None if first is None else game_of(first, table)) or "chess"
        elif game != "chess":
            table, _ = variants(game)
            game = Rules.load(game).name
        builder = _core.Builder(book_name(path), game, memory_mb)

        def work(block: Block) -> _core.Batch:
            return _core.collect(table, block.text, game, turns)

        count = 0
        for _, batch in on_threads(work, _again(first, parts), threads):
            builder.add(batch)
            count += batch.games
        builder.finish(least_of(least, count))
        return cls(path)

    @classmethod
    def merge(
        cls, books: Iterable[Self | Path], path: Path, *, least: int = 1, memory_mb: int = MEMORY_MB
    ) -> Self:
        """Puts books of one game together in a new one."""
        opened = [book if isinstance(book, cls) else cls(book) for book in books]  # type: ignore[arg-type]
        if not opened:
            raise ValueError("expected a book, got none")
        builder = _core.Builder(book_name(path), opened[0].game, memory_mb)
        for book in opened:
            if book.game != opened[0].game:
                raise ValueError(f"expected a book of {opened[0].game}, got one of {book.game}")
            builder.add_book(book._book)
        builder.finish(least)
        return cls(path)

    def dump(self) -> Iterator[Position]:
        """All positions in the order of their keys."""
        for i in range(len(self)):
            yield Position(*self._book.entries(i))

    def lines(
        self, turns: int = 4, least: int = 1, start: AnyBoard | None = None
    ) -> Iterator[tuple[list[str], BookMove]]:
        """The tree from the start position, or another: the moves' texts, the last one's numbers.

        A book of rules of one's own needs a board to start from.
        """
        board = new_board(self.game) if start is None else start.copy()
        line: list[str] = []
        stack = [iter(self.moves(board))]
        while stack:
            one = next(stack[-1], None)
            if one is None:
                stack.pop()
                if stack:
                    board.pop()
                    line.pop()
            elif one.count >= least:
                line.append(board.san(one.move))
                yield line.copy(), one
                board.push(one.move)
                deeper = self.moves(board) if len(line) < turns else []
                stack.append(iter(deeper))


def open_book(path: Path) -> Book | PolyglotBook:
    """A book to play from: a native one, or Polyglot's if the name ends in ``.bin``."""
    from cotulenh.book.polyglot import PolyglotBook

    return PolyglotBook(path) if fspath(path).endswith(".bin") else Book(path)


def _name(board: AnyBoard) -> str:
    """What the rules call themselves, wherever their file is."""
    return board.rules.name if isinstance(board, Board) else "chess"


def least_of(least: int | None, games: int) -> int:
    """How many games must have reached a position of a book of so many."""
    return least if least is not None else 1 + (games > MANY)


def _points(one: BookMove) -> float:
    known = one.wins + one.draws + one.losses
    return (one.wins + one.draws / 2) / known if known else 0.5


def _move_type(board: AnyBoard) -> Any:
    return chess.Move if isinstance(board, chess.Board) else Move


def _parts(games: Any) -> Iterator[Block]:
    """Games, or the paths of files, as blocks of text."""
    if isinstance(games, str | PathLike) or hasattr(games, "read"):
        yield from blocks(games)
        return
    texts: list[str] = []
    for one in games:
        if not isinstance(one, Game):
            yield from blocks(one)
            continue
        texts.append(dumps(one))
        if len(texts) == 1000:
            yield Block("\n".join(texts).encode(), 0, 0)
            texts = []
    if texts:
        yield Block("\n".join(texts).encode(), 0, 0)


def _again(first: Block | None, rest: Iterator[Block]) -> Iterator[Block]:
    if first is not None:
        yield first
        yield from rest
