"""Mates in a few turns: a prover that asks only the law, and the puzzles of the package.

A turn may be several moves: all moves of the attacker until the turn ends are choices (one good one
is enough), all moves of the defender until his turn ends are threats (every one must fail). Won is
won by the law: checkmate, or the Commander taken (10.1).

>>> puzzle = load("official")[0]
>>> sorted(moves_that_mate(puzzle.board(), puzzle.turns)) == sorted(puzzle.moves)
True
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from cotulenh.board import Board, Move
from cotulenh.squares import Color

__all__ = ["Prover", "Puzzle", "load", "moves_that_mate", "shortest_mate"]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which the side to move mates in ``turns`` turns and not sooner.

    ``moves`` are all first moves that keep this mate, as LAN; ``line`` is one way it may go, move
    by move.
    """

    rules: str
    fen: str
    turns: int
    moves: tuple[str, ...]
    line: tuple[str, ...]

    def board(self) -> Board:
        """The position."""
        return Board(self.fen, self.rules)

    @classmethod
    def from_json(cls, rules: str, text: str) -> Puzzle:
        """Reads one line of the data."""
        row = json.loads(text)
        return cls(rules, row["fen"], row["turns"], tuple(row["moves"]), tuple(row["line"]))

    def to_json(self) -> str:
        """One line of the data."""
        row = {"fen": self.fen, "turns": self.turns, "moves": self.moves, "line": self.line}
        return json.dumps(row)


def load(rules: str = "official") -> list[Puzzle]:
    """The puzzles of a shipped rule set, the short mates first."""
    data = files("cotulenh") / "data" / "mates" / f"{rules}.jsonl"
    try:
        text = data.read_text("utf-8")
    except FileNotFoundError:
        raise ValueError(f"no puzzles for these rules: {rules!r}") from None
    return [Puzzle.from_json(rules, line) for line in text.splitlines() if line.strip()]


class OutOfWorkError(Exception):
    """The prover was told to give up after so many positions."""


class Prover:
    """Proves or refutes "the side to move mates within n turns" by trying everything.

    ``checks_only`` lets the attacker try only turns that end with a check: a quick way to find
    mates, never to refute them. ``budget`` ends a proof after so many positions.
    """

    def __init__(
        self, attacker: Color, *, checks_only: bool = False, budget: int | None = None
    ) -> None:
        self.attacker = attacker
        self.checks_only = checks_only
        self.budget = budget
        self.positions = 0
        self._known: dict[tuple[int, int], bool] = {}
        self._replies: dict[int, Move] = {}

    def wins(self, board: Board, turns: int) -> bool:
        """Whether the attacker mates within so many more turns of his own.

        ``board`` may be in the middle of a turn of either side; it is left as it was.
        """
        key = (board.key, turns)
        known = self._known.get(key)
        if known is None:
            attacking = board.turn is self.attacker
            known = self._attack(board, turns) if attacking else self._defend(board, turns)
            self._known[key] = known
        return known

    def after(self, board: Board, move: Move, turns: int) -> bool:
        """Whether the attacker's move, made with so many turns to go, leads to mate in time."""
        self.positions += 1
        if self.budget is not None and self.positions > self.budget:
            raise OutOfWorkError
        board.push_unchecked(move)
        try:
            if board.turn is self.attacker:
                return self.wins(board, turns)
            if (turns == 1 or self.checks_only) and not _threatens(board):
                return False
            return self.wins(board, turns - 1)
        finally:
            board.pop()

    def _attack(self, board: Board, turns: int) -> bool:
        return turns > 0 and any(self.after(board, move, turns) for move in board.legal_moves)

    def _defend(self, board: Board, turns: int) -> bool:
        moves = board.legal_moves
        if not moves:
            end = board.outcome()
            return end is not None and end.winner is self.attacker
        if not turns:
            return False
        return all(self._fails(board, move, turns) for move in self._sorted(moves, turns))

    def _fails(self, board: Board, move: Move, turns: int) -> bool:
        board.push_unchecked(move)
        try:
            lost = self.wins(board, turns)
        finally:
            board.pop()
        if not lost:  # try it first next time: one escape often answers many attacks
            self._replies[turns] = move
        return lost

    def _sorted(self, moves: Iterable[Move], turns: int) -> list[Move]:
        listed = list(moves)
        killer = self._replies.get(turns)
        if killer is not None and killer in listed:
            listed.remove(killer)
            listed.insert(0, killer)
        return listed


def _threatens(board: Board) -> bool:
    """Whether the side to move may be mated: it is in check, or has lost its Commander."""
    return board.is_check() or board.commander(board.turn) is None


def shortest_mate(board: Board, most: int, budget: int | None = None) -> int | None:
    """In how many turns the side to move mates at best, or ``None`` if not within ``most``."""
    for turns in range(1, most + 1):
        if Prover(board.turn, budget=budget).wins(board, turns):
            return turns
    return None


def moves_that_mate(board: Board, turns: int, budget: int | None = None) -> list[str]:
    """All moves of the side to move (as LAN) after which it mates within so many turns."""
    prover = Prover(board.turn, budget=budget)
    return [board.lan(move) for move in board.legal_moves if prover.after(board, move, turns)]


def line_of(board: Board, turns: int, budget: int | None = None) -> list[str]:
    """One way a proven mate may go: the attacker mates fast, the defender holds out long."""
    board = board.copy()
    prover = Prover(board.turn, budget=budget)
    line: list[str] = []
    while not board.is_game_over():
        move = _best(board, prover, turns)
        line.append(board.lan(move))
        ours = board.turn is prover.attacker
        board.push(move)
        turns -= ours and board.turn is not prover.attacker
    return line


def _best(board: Board, prover: Prover, turns: int) -> Move:
    if board.turn is prover.attacker:
        for less in range(1, turns + 1):
            for move in board.legal_moves:
                if prover.after(board, move, less):
                    return move
        raise ValueError("no mate in so many turns")

    def holds(move: Move) -> int:
        board.push(move)
        needed = next(n for n in range(turns + 1) if prover.wins(board, n))
        board.pop()
        return needed

    return max(board.legal_moves, key=holds)
