"""Tactics found in self-play: positions with one best turn by a clear margin, proven by search.

The engine plays games against itself with few nodes (:mod:`cotulenh.engine.dataset`). At the start
of every turn a mistake is drawn by lot, and a short search with two lines looks at what comes after
it, and at the turns of the game that gave something away. Where the first line is much better than
the second, deeper searches of the bare position decide: the best turn must stay the best, and every
turn that ends in another position must be worse by ``Proof.chance`` (expected score) and
``Proof.margin`` (hundredths). The line goes on over the engine's best answers as long as the solver
has exactly one good turn. Everything is counted in nodes, so a seed gives the same puzzles on every
machine.

A turn is judged by the position it leads to: the steps of a deployment may be made in any order.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cotulenh._core import Move, MoveKind
from cotulenh.board import Board
from cotulenh.engine import Engine, Info, Limit, Score
from cotulenh.engine.dataset import (
    NOT_SEARCHED,
    Played,
    Settings,
    games_in,
    play_unit,
)
from cotulenh.engine.puzzles import Puzzle, themes_of
from cotulenh.engine.review import chance
from cotulenh.games import AnyBoard, end, move_text, new_board, push_text, side

__all__ = ["Candidate", "Finder", "Proof", "find"]

_MATE = 100_000


@dataclass(frozen=True, slots=True)
class Proof:
    """What a tactic must show, and how hard it is tried (nodes of a search)."""

    play: int = 50  # of a move in self-play
    screen: int = 1_500
    first: int = 20_000
    final: int = 80_000
    decided: int = 800  # hundredths from which on a game is not looked at any more
    chance: float = 0.15
    margin: int = 200
    most_turns: int = 4


@dataclass(slots=True)
class Candidate:
    """The best turn of a position: its moves, its score, the best turn that ends elsewhere."""

    turn: list[Any]
    score: Score
    second: Score | None
    depth: int  # from this depth on the search preferred the first move


def value(score: Score) -> int:
    """A score as one number; mates lie beyond all others, quick ones farthest."""
    if score.mate is not None:
        return _MATE - score.mate if score.mate > 0 else -_MATE - score.mate
    return score.cp or 0


class Finder:
    """Plays games and finds puzzles in them. One engine, one seed."""

    def __init__(self, variant: str, seed: int, proof: Proof | None = None) -> None:
        self.variant, self.proof = variant, proof or Proof()
        self.seed = seed
        self.engine = Engine(hash_mb=8)

    def close(self) -> None:
        """Ends the engine."""
        self.engine.close()

    # Games ----------------------------------------------------------------------------------------

    def game(self, number: int, most: int = 8) -> Iterator[Puzzle]:
        """The puzzles of one game of self-play."""
        rng = random.Random(f"{self.variant}:{self.seed}:{number}")
        settings = Settings(self.variant, games=1, nodes=self.proof.play)
        played = next(games_in(play_unit(settings, f"puzzles {self.seed} {number}")))
        self.engine.new_game()
        found, rest = 0, 0
        for board in self._moments(played, rng):
            rest -= 1
            puzzle = self._look(board) if rest <= 0 else None
            if puzzle is not None:
                found, rest = found + 1, 6
                yield puzzle
            if found >= most:
                return

    def _moments(self, played: Played, rng: random.Random) -> Iterator[AnyBoard]:
        """Positions worth a look: after turns that gave something away, and after random ones."""
        board: Any = new_board(self.variant)
        move_type = type(next(iter(board.legal_moves)))
        mover, before = None, 0
        for bits, score in zip(played.moves, played.scores, strict=True):
            if side(board) != mover:
                mover, lost, before = side(board), before + score, score
                if abs(score) < self.proof.decided:
                    if self.proof.margin <= lost < NOT_SEARCHED:
                        yield board.copy()
                    yield from self._mistaken(board, rng)
            board.push(move_type.from_int(bits))

    def _mistaken(self, board: Any, rng: random.Random) -> Iterator[AnyBoard]:
        """The position after a turn by lot; and with a stack for who may profit from one."""
        yield self._drawn(board, list(board.legal_moves), rng)
        joins = [move for move in board.legal_moves if _joins(move)]
        if joins:
            joined: Any = self._drawn(board, joins, rng)
            if end(joined) is None:
                yield self._drawn(joined, list(joined.legal_moves), rng)

    def _drawn(self, board: Any, moves: list[Any], rng: random.Random) -> AnyBoard:
        """The position after one of some moves, the turn finished by lot."""
        walk: AnyBoard = board.copy()
        walk.push(rng.choice(moves))
        while end(walk) is None and side(walk) == side(board):
            walk.push(rng.choice(list(walk.legal_moves)))
        return walk

    def _look(self, board: AnyBoard) -> Puzzle | None:
        """The puzzle of a position, if a short search promises one and longer ones prove it."""
        if end(board) is not None:
            return None
        promising = self._promising(board, self.lines(board, self.proof.screen, 2))
        return self.prove(board.fen()) if promising else None

    def search(self, fen: str | None, moves: Iterable[str], most: int = 6) -> Iterator[Puzzle]:
        """The puzzles of a game that was played: where it began, and its single moves."""
        self.engine.new_game()
        board = new_board(self.variant, fen)
        found, rest, fresh = 0, 0, True
        for text in moves:
            if end(board) is not None or found >= most:
                return
            rest -= fresh
            if fresh and rest <= 0:
                puzzle = self._look(board)
                if puzzle is not None:
                    found, rest = found + 1, 6
                    yield puzzle
            mover = side(board)
            push_text(board, text)
            fresh = side(board) != mover

    # Proofs ---------------------------------------------------------------------------------------

    def lines(self, board: Any, nodes: int, count: int) -> list[Info[Any]]:
        """The best lines of a search, the best first."""
        return self._searched(board, nodes, count)[0]

    def _searched(self, board: Any, nodes: int, count: int) -> tuple[list[Info[Any]], int]:
        found: dict[int, Info[Any]] = {}
        firsts: list[tuple[int, Any]] = []
        with self.engine.analyse(board, Limit(nodes=nodes), multipv=count) as analysis:
            for info in analysis:
                if info.bound is not None or not info.pv:
                    continue
                found[info.multipv] = info
                if info.multipv == 1:
                    firsts.append((info.depth, info.pv[0]))
        return [found[n] for n in sorted(found)], _settled(firsts)

    def _promising(self, board: AnyBoard, lines: list[Info[Any]]) -> bool:
        if len(lines) < 2 or not self._clear(lines[0].score, lines[1].score, part=0.6):
            return False
        # A single take that everybody sees is no puzzle; one in eight is kept for beginners.
        plain = lines[0].score.mate is None and is_greedy(board, turn_of(board, lines[0].pv))
        return not plain or board.key % 8 == 0

    def _clear(self, best: Score, second: Score | None, part: float = 1.0) -> bool:
        """Whether the best is better by the margin, and good enough to be looked for."""
        if second is None or value(best) < -150:
            return False
        gap = chance(best, self.variant) - chance(second, self.variant)
        apart = value(best) - value(second)
        return gap >= part * self.proof.chance and apart >= part * self.proof.margin

    def best_turn(self, board: AnyBoard, nodes: int) -> Candidate | None:
        """The best turn, if a search finds all that end elsewhere much worse."""
        lines, depth = self._searched(board, nodes, 4)
        if len(lines) < 2:
            return None
        turn = turn_of(board, lines[0].pv)
        if not _is_whole(board, turn):
            return None
        goal = key_after(board, turn)
        second = next(
            (line.score for line in lines[1:] if key_after(board, turn_of(board, line.pv)) != goal),
            None,
        )
        if not self._clear(lines[0].score, second):
            return None
        if not self._steps_are_forced(board, turn, nodes // 2, goal):
            return None
        return Candidate(turn, lines[0].score, second, depth)

    def _steps_are_forced(self, board: Any, turn: list[Any], nodes: int, goal: int) -> bool:
        """Whether in the middle of the turn, too, all that ends elsewhere is much worse."""
        walk = board.copy()
        for move in turn[:-1]:
            walk.push(move)
            lines = self.lines(walk, nodes, 3)
            ends = [key_after(walk, turn_of(walk, line.pv)) for line in lines]
            best = next((li for li, key in zip(lines, ends, strict=True) if key == goal), None)
            other = next((li for li, key in zip(lines, ends, strict=True) if key != goal), None)
            if best is None:
                return False
            if other is not None and not self._clear(best.score, other.score):
                return False
        return True

    def prove(self, fen: str) -> Puzzle | None:
        """The puzzle that begins with a position, if it holds one."""
        board = new_board(self.variant, fen)
        self.engine.new_game()
        if self.best_turn(board, self.proof.first) is None:
            return None
        self.engine.new_game()
        first = self.best_turn(board, self.proof.final)
        if first is None:
            return None
        line, last = self._line(board, first)
        return self._puzzle(board, first, line, last)

    def _line(self, board: Any, first: Candidate) -> tuple[list[list[Any]], Any]:
        """The solver's turns and the answers between, as long as there is one good turn."""
        walk = board.copy()
        line = [first.turn]
        for move in first.turn:
            walk.push(move)
        while end(walk) is None and len(line) < 2 * self.proof.most_turns - 1:
            ahead = walk.copy()
            answer = turn_of(ahead, self.lines(ahead, self.proof.first, 1)[0].pv)
            if not _is_whole(ahead, answer):
                break
            for move in answer:
                ahead.push(move)
            if end(ahead) is not None:
                break
            quick = self.best_turn(ahead, self.proof.first)  # most lines end here
            more = quick and self.best_turn(ahead, self.proof.final)
            if more is None:
                break
            for move in more.turn:
                ahead.push(move)
            line += [answer, more.turn]
            walk = ahead
        return line, walk

    def _puzzle(
        self, board: AnyBoard, first: Candidate, line: list[list[Any]], last: Any
    ) -> Puzzle:
        over = end(last)
        mates = over is not None and over.winner is not None
        worse = value(first.second) if first.second is not None else 0
        goal = "mate" if mates else "save" if value(first.score) < 150 and worse < -150 else "win"
        turns = (len(line) + 1) // 2
        themes = themes_of(board, line)
        if mates:
            themes.append(f"mate{turns}")
        if goal == "save":
            themes.append("defence")
        return Puzzle(
            variant=self.variant,
            fen=board.fen(),
            goal=goal,
            turns=turns,
            line=tuple(texts_of(board, line)),
            themes=tuple(sorted(set(themes))),
            rating=_guess(first.depth, turns, len(list(board.legal_moves)), len(first.turn)),
        )


def find(
    variant: str, fen: str | None, moves: Iterable[str], proof: Proof | None = None
) -> list[Puzzle]:
    """The proven puzzles of one game; ``moves`` are texts as protocols write them."""
    finder = Finder(variant, 0, proof)
    try:
        return list(finder.search(fen, moves))
    finally:
        finder.close()


def _joins(move: Any) -> bool:
    return isinstance(move, Move) and move.kind is MoveKind.COMBINE


def _settled(firsts: list[tuple[int, Any]]) -> int:
    """The depth from which on the first move stayed the best."""
    depth = firsts[-1][0] if firsts else 0
    for at, move in reversed(firsts):
        if move != firsts[-1][1]:
            break
        depth = at
    return depth


def _guess(depth: int, turns: int, choices: int, steps: int) -> int:
    """A first rating: what is found late, is long or has many rivals is harder."""
    raw = 700 + 90 * min(depth, 10) + 170 * (turns - 1) + 60 * math.log2(max(2, choices))
    return int(max(700, min(2400, raw + 60 * (steps - 1))))


def is_greedy(board: AnyBoard, turn: list[Any]) -> bool:
    """Whether the turn is one move that takes the dearest piece that can be taken."""
    if len(turn) > 1 or not _gain(board, turn[0]):
        return False
    return _gain(board, turn[0]) >= max(_gain(board, move) for move in board.legal_moves)


def _gain(board: Any, move: Any) -> int:
    """The points on the square a move goes to, if it takes them."""
    if isinstance(board, Board):
        stack = board.stack_at(move.to_square)
        if stack is None or stack.color is board.turn:
            return 0
        return sum(max(1, board.rules.rows[piece.kind].points) for piece in stack.pieces)
    piece = board.piece_at(move.to_square)
    return 0 if piece is None or piece.color is board.turn else " PNBRQK".index(piece.kind.letter)


# Turns ----------------------------------------------------------------------------------------


def turn_of(board: AnyBoard, moves: Any) -> list[Any]:
    """The moves of a line up to the end of the first turn."""
    walk: Any = board.copy()
    mover, turn = side(walk), []
    for move in moves:
        if end(walk) is not None or side(walk) != mover or not walk.is_legal(move):
            break
        walk.push(move)
        turn.append(move)
    return turn


def key_after(board: Any, moves: list[Any]) -> int:
    """The key of the position after some moves."""
    walk = board.copy()
    for move in moves:
        walk.push(move)
    return int(walk.key)


def _is_whole(board: Any, turn: list[Any]) -> bool:
    """Whether the moves are a whole turn."""
    walk = board.copy()
    for move in turn:
        walk.push(move)
    return bool(turn) and (end(walk) is not None or side(walk) != side(board))


def texts_of(board: AnyBoard, line: list[list[Any]]) -> list[tuple[str, ...]]:
    """The turns of a line as protocols write them."""
    walk: Any = board.copy()
    found = []
    for turn in line:
        texts = []
        for move in turn:
            texts.append(move_text(walk, move))
            walk.push(move)
        found.append(tuple(texts))
    return found
