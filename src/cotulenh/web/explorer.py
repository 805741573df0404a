"""The opening explorer: what was played in a position, by a book and by the games of this server.

A finished game is counted in the transaction that ends it. Keys are the boards' own, so positions
reached in different ways are one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from cotulenh.book import Book
from cotulenh.games import AnyBoard, move_text, name_of, parse_move, side
from cotulenh.web.forms import BookGame, BookMove, Explored, PositionAsk
from cotulenh.web.messages import Result, Setup
from cotulenh.web.room import Room, State
from cotulenh.web.store import Store, Write

__all__ = ["Explorer", "entry_of"]

#: Turns of a game that are counted, and games shown beside the moves.
MOST_TURNS, MOST_GAMES = 30, 8
#: Games shorter than this say nothing.
LEAST_MOVES = 4


def entry_of(room: Room) -> Write:
    """What counts a finished game."""
    rows = list(_rows(room)) if len(room.moves) >= LEAST_MOVES else []
    place = _column(room.state.result)

    def write(base: sqlite3.Connection) -> None:
        for key, text in rows:
            base.execute(
                f"INSERT INTO openings VALUES (?1, ?2, ?3, {place == 0:d}, {place == 1:d},"
                f" {place == 2:d}) ON CONFLICT DO UPDATE SET first = first + {place == 0:d},"
                f" draws = draws + {place == 1:d}, second = second + {place == 2:d}",
                (room.setup.variant, key, text),
            )
        visits = [(room.setup.variant, key, room.id) for key, _ in rows]
        base.executemany("INSERT OR IGNORE INTO visits VALUES (?, ?, ?)", visits)

    return write


def _column(result: Result | None) -> int:
    """0 if the first side won, 1 after a draw, 2 if the second side won."""
    if result is None or result.winner is None:
        return 1
    return 2 * result.winner


def _rows(room: Room) -> Iterable[tuple[int, str]]:
    walk: Any = room.first.copy()
    turns = 0
    for move in room.board.move_stack:
        if turns >= MOST_TURNS:
            return
        yield signed(walk.key), move_text(walk, move)
        mover = side(walk)
        walk.push(move)
        turns += side(walk) != mover


def signed(key: int) -> int:
    """A 64-bit key as SQLite keeps numbers."""
    return key - (1 << 64) if key >> 63 else key


class Explorer:
    """Answers what is known of a position, by its books (one a game) and its store."""

    def __init__(self, store: Store, books: Sequence[Book] = ()) -> None:
        self._store = store
        self._books = {book.game: book for book in books}

    async def ask(self, ask: PositionAsk) -> Explored:
        """The moves played in a position, the most played first."""
        board = ask.board(ask.moves)
        found: dict[str, list[int]] = {}  # first side, draws, second side, games
        rows, games = await self._server(ask.variant, signed(board.key))
        for text, *counts in (*self._book(ask.variant, board), *rows):
            known = found.setdefault(text, [0, 0, 0, 0])
            found[text] = [a + b for a, b in zip(known, counts, strict=True)]
        known_moves = (_move(board, text, found) for text in found)
        moves = [move for move in known_moves if move is not None]
        moves.sort(key=lambda move: (-move.games, move.text))
        return Explored(sum(move.games for move in moves), moves, games)

    def _book(self, variant: str, board: AnyBoard) -> Iterable[tuple[str, int, int, int, int]]:
        book = self._books.get(variant)
        if book is None or name_of(board) != variant:
            return
        # A book counts for who moves; here the first side comes first.
        for move, count, wins, draws, losses, _ in book.moves(board):
            ends = (losses, draws, wins) if side(board) else (wins, draws, losses)
            yield (move_text(board, move), *ends, count)

    async def _server(self, variant: str, key: int) -> tuple[list[Any], list[BookGame]]:
        def work(base: sqlite3.Connection) -> tuple[list[Any], list[Any]]:
            rows = base.execute(
                "SELECT move, first, draws, second, first + draws + second FROM openings"
                " WHERE variant=? AND key=?",
                (variant, key),
            ).fetchall()
            games = base.execute(
                "SELECT g.id, g.setup, g.state FROM visits v JOIN games g ON g.id = v.game"
                " WHERE v.variant=? AND v.key=? ORDER BY g.updated DESC LIMIT ?",
                (variant, key, MOST_GAMES),
            ).fetchall()
            return rows, games

        rows, games = await self._store.do(work)
        return rows, [game for row in games if (game := _game(*row)) is not None]


def _game(game: str, setup: bytes, state: bytes) -> BookGame | None:
    """A game for the list, if it was a public one and is not damaged."""
    try:
        made = msgspec.json.decode(setup, type=Setup)
        result = msgspec.json.decode(state, type=State).result
    except msgspec.DecodeError:
        return None
    if not made.public:
        return None
    names = [seat.name or (f"engine:{seat.level}" if seat.level else "") for seat in made.seats]
    return BookGame(game, names, result)


def _move(board: AnyBoard, text: str, found: dict[str, list[int]]) -> BookMove | None:
    try:
        san = board.san(parse_move(board, text))
    except ValueError:  # two positions of one key: once in an age
        return None
    *ends, count = found[text]
    total = sum(counts[-1] for counts in found.values())
    return BookMove(text, san, count, ends, round(count / max(1, total), 4))
