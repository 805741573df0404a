"""Puzzles for the page: which one next, what a try was worth, ratings, streak and history."""

from __future__ import annotations

import random
import sqlite3
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any

from cotulenh.engine import mates
from cotulenh.engine.puzzles import Puzzle, load
from cotulenh.games import push_text, side
from cotulenh.web import forms as f
from cotulenh.web.glicko import Rating
from cotulenh.web.messages import Refusal
from cotulenh.web.room import hashed
from cotulenh.web.store import Store
from cotulenh.web.view import variants, view

__all__ = ["Puzzles"]

#: A puzzle's rating is a guess of the finder's at first.
FIRST_DEVIATION = 150.0
MOST_PACKED, MOST_HISTORY, MOST_OPEN_TRIES = 30, 200, 20_000


class Puzzles:
    """The puzzles of the package, and what the players of a store have made of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # What was judged here and not counted yet: by player, variant and puzzle.
        self._judged: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    # Looking --------------------------------------------------------------------------------------

    def of(self, variant: str) -> tuple[Puzzle, ...]:
        """The puzzles of a variant."""
        found = load(variant) if variant in variants() else ()
        if not found:
            raise Refusal("no_puzzles", "there are no puzzles for this game", 404)
        return found

    def find(self, variant: str, name: str) -> Puzzle:
        """A puzzle by its id, or by its number in the list."""
        listed = self.of(variant)
        if name.isdecimal() and len(name) < 6 and int(name) < len(listed):
            return listed[int(name)]
        puzzle = _by_id(variant).get(name)
        if puzzle is None:
            raise Refusal("no_such_puzzle", "there is no such puzzle", 404)
        return puzzle

    def themes(self, variant: str) -> dict[str, int]:
        """How many puzzles there are of each theme, and of all."""
        count = Counter(theme for puzzle in self.of(variant) for theme in puzzle.themes)
        return {"all": len(self.of(variant)), **dict(sorted(count.items()))}

    async def view(self, variant: str, name: str) -> f.PuzzleView:
        """A puzzle without its solution."""
        puzzle = self.find(variant, name)
        ratings = await self._store.do(lambda base: _puzzle_ratings(base, variant))
        return self._view(puzzle, ratings)

    def _view(self, puzzle: Puzzle, ratings: Mapping[str, float]) -> f.PuzzleView:
        return f.PuzzleView(
            id=puzzle.id,
            index=self.of(puzzle.variant).index(puzzle),
            variant=puzzle.variant,
            count=len(self.of(puzzle.variant)),
            turns=puzzle.turns,
            fen=puzzle.fen,
            goal=puzzle.goal,
            themes=list(puzzle.themes),
            rating=round(ratings.get(puzzle.id, puzzle.rating)),
            view=view(puzzle.board()),
        )

    async def next(self, variant: str, wish: Mapping[str, str]) -> f.PuzzleView:
        """A puzzle near a rating, of a theme, none of those tried lately."""
        near, ratings = await self._near(variant, wish)
        return self._view(random.choice(near[:12]), ratings)

    async def _near(
        self, variant: str, wish: Mapping[str, str]
    ) -> tuple[list[Puzzle], Mapping[str, float]]:
        """The puzzles that fit a wish, the nearest in rating first."""
        theme, key = wish.get("theme", ""), wish.get("key", "")
        skip = set(wish.get("skip", "").split(",")[:1000])
        player = hashed(key) if 16 <= len(key) <= 64 else ""

        def work(base: sqlite3.Connection) -> tuple[dict[str, float], float, set[str]]:
            rating = _player(base, player, variant)[0].rating
            tried = base.execute(
                "SELECT id FROM tries WHERE key=? AND variant=? ORDER BY at DESC LIMIT 500",
                (player, variant),
            )
            return _puzzle_ratings(base, variant), rating, {row[0] for row in tried}

        fitting = [p for p in self.of(variant) if not theme or theme in p.themes]
        if not fitting:
            raise Refusal("no_puzzles", "there are no puzzles of this theme", 404)
        ratings, rating, tried = await self._store.do(work)
        rating = _number(wish.get("rating"), rating)
        fresh = [p for p in fitting if p.id not in skip and p.id not in tried] or fitting
        fresh.sort(key=lambda p: abs(ratings.get(p.id, p.rating) - rating))
        return fresh, ratings

    async def pack(self, variant: str, wish: Mapping[str, str], aside: Any) -> list[f.PackedPuzzle]:
        """Some puzzles with their solutions, to be solved without the server."""
        count = int(_number(wish.get("n"), MOST_PACKED))
        near, ratings = await self._near(variant, wish)
        chosen = near[: max(1, min(MOST_PACKED, count))]
        packed: list[f.PackedPuzzle] = await aside(True, _pack_all, chosen, ratings)
        return packed

    # Trying ---------------------------------------------------------------------------------------

    def verdict(self, ask: f.PuzzleAsk) -> f.PuzzleVerdict:
        """Judges a try. With a key the outcome is remembered until the player is done."""
        puzzle = self.find(ask.variant, ask.id or str(ask.index))
        try:
            judged = puzzle.judge(ask.moves)
            asked = ask.hint or not ask.moves
            hint = puzzle.hint(ask.moves) if asked and judged.verdict == "right" else ""
        except mates.OutOfWorkError:
            raise Refusal("too_hard", "this line could not be judged in time") from None
        except ValueError as error:
            raise Refusal("illegal_move", str(error), reason=error) from None
        if ask.key is not None:
            self._remember((hashed(ask.key), ask.variant, puzzle.id), judged.verdict, ask.hint)
        seen = view(judged.board, puzzle.board())
        return f.PuzzleVerdict(judged.verdict, judged.moves, seen, hint)

    def _remember(self, what: tuple[str, str, str], verdict: str, hint: bool) -> None:
        """The first wrong move or hint decides; only after neither a solution is a win."""
        known = self._judged.get(what)
        if hint and known is None:
            self._judged[what] = "helped"
        elif verdict != "right" and known is None:
            self._judged[what] = verdict
        while len(self._judged) > MOST_OPEN_TRIES:
            self._judged.popitem(last=False)

    async def done(self, ask: f.PuzzleDone) -> f.PuzzleRating:
        """Counts a puzzle: for both if it was judged here, for the player alone if not.

        With a hint, or when it was tried before, nothing counts.
        """
        puzzle = self.find(ask.variant, ask.id)
        player = hashed(ask.key)
        judged = self._judged.pop((player, ask.variant, ask.id), None)
        won = judged == "solved" if judged else ask.won
        helped = judged == "helped" or ask.hints > 0

        def work(base: sqlite3.Connection) -> f.PuzzleRating:
            return _count(base, player, puzzle, won, helped, both=judged is not None)

        return await self._store.do(work)

    async def record(self, key: str) -> f.PuzzleRecord:
        """A player's standings and history."""
        player = hashed(key)

        def work(base: sqlite3.Connection) -> f.PuzzleRecord:
            rows = base.execute("SELECT * FROM solvers WHERE key=?", (player,)).fetchall()
            standings = {row[1]: _standing(row) for row in rows}
            tries = base.execute(
                "SELECT variant, id, won, rating, at FROM tries WHERE key=?"
                " ORDER BY at DESC LIMIT ?",
                (player, MOST_HISTORY),
            )
            history = [f.PuzzleTry(v, n, bool(w), round(r), at) for v, n, w, r, at in tries]
            return f.PuzzleRecord(standings, history)

        return await self._store.do(work)


def _by_id(variant: str) -> dict[str, Puzzle]:
    if variant not in _INDEX:
        _INDEX[variant] = {puzzle.id: puzzle for puzzle in load(variant)}
    return _INDEX[variant]


_INDEX: dict[str, dict[str, Puzzle]] = {}


def _number(text: str | None, otherwise: float) -> float:
    try:
        value = float(text) if text else otherwise
    except ValueError:
        return otherwise
    return value if -1e6 < value < 1e6 else otherwise


def _pack_all(puzzles: list[Puzzle], ratings: Mapping[str, float]) -> list[f.PackedPuzzle]:
    return [_packed(puzzle, ratings) for puzzle in puzzles]


def _packed(puzzle: Puzzle, ratings: Mapping[str, float]) -> f.PackedPuzzle:
    board = puzzle.board()
    solver = side(board)
    steps: list[f.PuzzleStep] = []
    made: list[str] = []
    for text in puzzle.moves():
        own = side(board) == solver
        accept = _accepted(puzzle, board, made) if own else []
        push_text(board, text)
        made.append(text)
        steps.append(f.PuzzleStep(text, view(board, puzzle.board()), own, accept))
    return f.PackedPuzzle(
        id=puzzle.id,
        variant=puzzle.variant,
        turns=puzzle.turns,
        fen=puzzle.fen,
        goal=puzzle.goal,
        themes=list(puzzle.themes),
        rating=round(ratings.get(puzzle.id, puzzle.rating)),
        view=view(puzzle.board()),
        line=steps,
    )


def _accepted(puzzle: Puzzle, board: Any, made: list[str]) -> list[str]:
    """What would do as well: a mate at once, or another order of a deployment's steps."""
    found = []
    for move in board.legal_moves:
        board.push(move)
        if board.is_checkmate():
            found.append(str(move))
        board.pop()
    if not puzzle.proven:
        legal = {str(move) for move in board.legal_moves}
        others = {text for turn in puzzle.line[::2] if len(turn) > 1 for text in turn} & legal
        found += [t for t in others if puzzle.judge([*made, t]).verdict != "wrong"]
    return sorted(set(found))


# Ratings on the disk --------------------------------------------------------------------------


def _puzzle_ratings(base: sqlite3.Connection, variant: str) -> dict[str, float]:
    return dict(base.execute("SELECT id, rating FROM puzzles WHERE variant=?", (variant,)))


def _player(
    base: sqlite3.Connection, player: str, variant: str
) -> tuple[Rating, tuple[int, int, int, int]]:
    """A player's rating; streak, best streak, solved and tried."""
    row = base.execute(
        "SELECT * FROM solvers WHERE key=? AND variant=?", (player, variant)
    ).fetchone()
    if row is None:
        return Rating(), (0, 0, 0, 0)
    return Rating(*row[2:5]), tuple(row[5:9])


def _standing(row: Any) -> f.PuzzleStanding:
    return f.PuzzleStanding(round(row[2]), round(row[3]), *row[5:9])


def _count(
    base: sqlite3.Connection, player: str, puzzle: Puzzle, won: bool, helped: bool, both: bool
) -> f.PuzzleRating:
    mine, (streak, best, solved, tried) = _player(base, player, puzzle.variant)
    row = base.execute(
        "SELECT rating, deviation, volatility, tried FROM puzzles WHERE variant=? AND id=?",
        (puzzle.variant, puzzle.id),
    ).fetchone()
    its = Rating(*row[:3]) if row else Rating(puzzle.rating, FIRST_DEVIATION)
    before = base.execute(
        "SELECT count(*) FROM tries WHERE key=? AND variant=? AND id=?",
        (player, puzzle.variant, puzzle.id),
    ).fetchone()[0]
    counts = not helped and not before
    if not won or helped:
        streak = 0
    elif counts:  # a puzzle solved before adds nothing
        streak += 1
    best, solved, tried = max(best, streak), solved + won, tried + 1
    after = mine.after(its, float(won)) if counts else mine
    base.execute(
        "INSERT OR REPLACE INTO solvers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (player, puzzle.variant, *after, streak, best, solved, tried),
    )
    base.execute(
        "INSERT INTO tries VALUES (?, ?, ?, ?, ?, ?)",
        (player, time.time(), puzzle.variant, puzzle.id, int(won), after.rating),
    )
    if counts and both:
        its_after = its.after(mine, float(not won))
        base.execute(
            "INSERT OR REPLACE INTO puzzles VALUES (?, ?, ?, ?, ?, ?)",
            (puzzle.variant, puzzle.id, *its_after, (row[3] if row else 0) + 1),
        )
        its = its_after
    return f.PuzzleRating(
        rating=round(after.rating),
        deviation=round(after.deviation),
        change=round(after.rating) - round(mine.rating),
        puzzle_rating=round(its.rating),
        streak=streak,
        best=best,
        rated=counts,
    )
