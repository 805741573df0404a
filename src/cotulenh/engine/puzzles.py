"""The puzzles of the package: proven mates and tactics from self-play, under one type.

Mates are judged by proof: every way to mate in time is right (:mod:`cotulenh.engine.mates`).
Tactics are judged by the position a turn leads to: a deployment may be made in any order, and a
mate is always right.

>>> puzzle = load("official")[0]
>>> puzzle.goal, len(puzzle.id)
('mate', 8)
>>> judged = puzzle.judge(list(puzzle.line[0]))
>>> judged.verdict
'solved'
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Any

from cotulenh.board import Board
from cotulenh.engine import mates
from cotulenh.games import AnyBoard, end, new_board, push_text, side

__all__ = ["Judged", "Puzzle", "load", "read_line", "themes_of"]

Turn = tuple[str, ...]

#: Positions that the proof of a mate may look at before it gives up.
BUDGET = 200_000


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a try: ``right`` (go on), ``wrong`` or ``solved``.

    ``moves`` are those tried and the other side's answer after them.
    """

    verdict: str
    moves: list[str]
    board: AnyBoard


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one thing to find.

    ``line`` are turns as texts, the solver's first, then the answer, and so on; a turn has several
    texts when it is a deployment. ``goal`` is ``mate``, ``win`` or ``save``; ``proven`` mates are
    judged by proof.
    """

    variant: str
    fen: str
    goal: str
    turns: int
    line: tuple[Turn, ...]
    themes: tuple[str, ...]
    rating: int
    proven: bool = False

    @property
    def id(self) -> str:
        """A name that stays as long as the position is the same."""
        return hashlib.sha256(f"{self.variant} {self.fen}".encode()).hexdigest()[:8]

    def board(self) -> Any:
        """The position."""
        return new_board(self.variant, self.fen)

    def moves(self) -> list[str]:
        """The solution as single moves, the answers included."""
        return [text for turn in self.line for text in turn]

    def to_json(self) -> str:
        """One line of the data."""
        row = {
            "fen": self.fen,
            "goal": self.goal,
            "line": [" ".join(turn) for turn in self.line],
            "themes": " ".join(self.themes),
            "rating": self.rating,
        }
        return json.dumps(row, separators=(",", ":"))

    # Judging --------------------------------------------------------------------------------------

    def judge(self, moves: Sequence[str]) -> Judged:
        """Judges a try; ``ValueError`` if a move is not legal.

        :class:`cotulenh.engine.mates.OutOfWorkError` says that a proof took too long.
        """
        board = self._at(moves)
        over = end(board)
        if over is not None:
            won = over.winner is self.board().turn
            return Judged("solved" if won else self._ended(moves), list(moves), board)
        if not moves:
            return Judged("right", [], board)
        return self._proof(board, moves) if self.proven else self._compare(board, moves)

    def _ended(self, moves: Sequence[str]) -> str:
        """A draw saves who had to save himself, if the solution ends so too."""
        return "solved" if self.goal == "save" and list(moves) == self.moves() else "wrong"

    def _proof(self, board: Any, moves: Sequence[str]) -> Judged:
        """A mate: whether it can still be given in time."""
        solver = self.board().turn
        turns = self.turns - _turns_of(self.board(), moves)
        prover = mates.Prover(solver, budget=BUDGET)
        if turns < 0 or not prover.wins(board, turns):
            return Judged("wrong", list(moves), board)
        answered = list(moves)
        while board.turn is not solver and board.outcome() is None:
            reply = board.legal_moves[0]
            answered.append(board.lan(reply))
            board.push(reply)
        return Judged("right", answered, board)

    def _compare(self, board: Any, moves: Sequence[str]) -> Judged:
        """A tactic: whether the moves lead along the line, turn by turn."""
        walk, rest = self.board(), list(moves)
        for n in range(0, len(self.line), 2):
            turn, made = self.line[n], _take_turn(walk, rest)
            if made is None:
                return Judged("right" if _fits(walk, rest, turn) else "wrong", list(moves), board)
            if not _same_end(walk, made, turn):
                return Judged("wrong", list(moves), board)
            for text in made:
                push_text(walk, text)
            rest = rest[len(made) :]
            if n + 1 >= len(self.line):
                return Judged("solved", list(moves), walk)
            reply = list(self.line[n + 1])
            if rest and rest[: len(reply)] != reply:
                return Judged("wrong", list(moves), board)
            for text in reply:
                push_text(walk, text)
            if len(rest) <= len(reply):
                return Judged("right", [*moves, *reply[len(rest) :]], walk)
            rest = rest[len(reply) :]
        return Judged("wrong", list(moves), board)

    def hint(self, moves: Sequence[str]) -> str:
        """The next move of a solution after some right moves, "" if there is none."""
        board = self._at(moves)
        if self.proven:
            turns = self.turns - _turns_of(self.board(), moves)
            prover = mates.Prover(self.board().turn, budget=BUDGET)
            wins = (m for m in board.legal_moves if prover.after(board, m, turns))
            return next((board.lan(move) for move in wins), "")
        done = 0
        for turn in self.line:
            if done + len(turn) > len(moves):
                left = _fits(self._at(moves[:done]), list(moves[done:]), turn)
                return left[0] if left else ""
            done += len(turn)
        return ""

    def _at(self, moves: Sequence[str]) -> Any:
        board = self.board()
        for text in moves:
            push_text(board, text)
        return board


def _turns_of(board: Any, moves: Sequence[str]) -> int:
    """Turns that the side to move has finished after some moves."""
    solver, turns = side(board), 0
    for text in moves:
        mover = side(board)
        push_text(board, text)
        turns += mover == solver and side(board) != solver
    return turns


def _take_turn(board: Any, moves: Sequence[str]) -> list[str] | None:
    """The moves up to the end of the turn, ``None`` if they do not reach it."""
    walk, mover = board.copy(), side(board)
    for n, text in enumerate(moves, 1):
        push_text(walk, text)
        if side(walk) != mover or end(walk) is not None:
            return list(moves[:n])
    return None


def _same_end(board: Any, one: Sequence[str], other: Sequence[str]) -> bool:
    return _key_after(board, one) == _key_after(board, other)


def _key_after(board: Any, moves: Iterable[str]) -> int:
    walk = board.copy()
    for text in moves:
        push_text(walk, text)
    return int(walk.key)


def _fits(board: Any, begun: list[str], turn: Turn) -> list[str]:
    """What is left of a turn in some order that begins with the moves made; empty if none does."""
    goal = _key_after(board, turn)
    for order in permutations(turn):
        if list(order[: len(begun)]) == begun and len(begun) < len(order):
            try:
                if _key_after(board, order) == goal:
                    return list(order[len(begun) :])
            except ValueError:  # not legal in this order
                continue
    return []


# Themes ---------------------------------------------------------------------------------------


def themes_of(board: AnyBoard, line: list[list[Any]]) -> list[str]:
    """What the solver's turns are about."""
    walk: Any = board.copy()
    found: set[str] = set()
    for n, turn in enumerate(line):
        heroes = _heroes(walk)
        for move in turn:
            if n % 2 == 0:
                found |= _move_themes(walk, move)
            walk.push(move)
        if n % 2 == 0 and _heroes(walk) > heroes:
            found.add("hero")
    return sorted(found)


def _heroes(board: AnyBoard) -> int:
    return board.fen().split()[0].count("+") if isinstance(board, Board) else 0


def _move_themes(board: AnyBoard, move: Any) -> set[str]:
    if not isinstance(board, Board):
        return _chess_themes(board, move)
    letters = {piece.kind.letter for piece in move.pieces}
    found = {name for letter, name in (("F", "air"), ("N", "navy")) if letter in letters}
    if len(move.pieces) > 1 or move.kind.name == "COMBINE":
        found.add("stack")
    if move.is_deploy or move.kind.name == "COMMIT":
        found.add("deployment")
    if any(piece.heroic for piece in move.pieces):
        found.add("hero")
    if move.kind.name in ("CAPTURE", "STAY", "EXCHANGE", "BREACH"):
        found.add("material")
    return found


def _chess_themes(board: Any, move: Any) -> set[str]:
    found = set()
    if move.promotion:
        found.add("promotion")
    if board.piece_at(move.to_square) is not None:
        found.add("material")
    if len(list(board.occupied())) <= 10:
        found.add("endgame")
    return found


# Data -----------------------------------------------------------------------------------------


def read_line(variant: str, text: str) -> Puzzle:
    """Reads one line of the data; a ValueError says what is wrong with it."""
    try:
        row = json.loads(text)
        line = tuple(tuple(turn.split()) for turn in row["line"])
        themes = tuple(row["themes"].split())
        fen, goal, rating = str(row["fen"]), str(row["goal"]), int(row["rating"])
    except (
        *(KeyError, TypeError, AttributeError, ValueError),
        *(OverflowError, RecursionError),
    ) as error:
        raise ValueError(f"no puzzle in {text[:40]!r}: {type(error).__name__} {error}") from None
    return Puzzle(variant, fen, goal, (len(line) + 1) // 2, line, themes, rating)


@cache
def load(variant: str = "official") -> tuple[Puzzle, ...]:
    """The puzzles of a game, mates first; none if it has none."""
    return (*_mates(variant), *_tactics(variant))


def _tactics(variant: str) -> list[Puzzle]:
    data = files("cotulenh") / "data" / "tactics" / f"{variant}.jsonl.gz"
    try:
        text = gzip.decompress(data.read_bytes()).decode()
    except FileNotFoundError:
        return []
    return [read_line(variant, line) for line in text.splitlines() if line]


def _mates(variant: str) -> list[Puzzle]:
    try:
        found = mates.load(variant)
    except ValueError:
        return []
    return [_from_mate(mate) for mate in found]


def _from_mate(mate: mates.Puzzle) -> Puzzle:
    line = _turns(mate.board(), mate.line)
    themes = (*themes_of(mate.board(), line), f"mate{mate.turns}")
    rating = 700 + 350 * (mate.turns - 1) + (0 if len(mate.moves) > 1 else 100)
    texts = tuple(tuple(map(str, turn)) for turn in line)
    return Puzzle(
        mate.rules, mate.fen, "mate", mate.turns, texts, tuple(sorted(themes)), rating, proven=True
    )


def _turns(board: Any, texts: Sequence[str]) -> list[list[Any]]:
    """A line of single moves, cut into turns."""
    turns: list[list[Any]] = [[]]
    for n, text in enumerate(texts):
        mover = side(board)
        turns[-1].append(push_text(board, text))
        if side(board) != mover and n + 1 < len(texts):
            turns.append([])
    return turns
