"""What a turn was worth: expected score, accuracy, marks, and the better turn in codes.

A deployment is one turn, however many moves it has. Accuracy is the field's: of the expected score
that a turn gives away, 103.17·e^(−4.354·loss) − 3.17, in per cent.

>>> judge(Score(cp=30), Score(cp=-400), "chess").mark
'??'
>>> judge(Score(cp=30), Score(cp=25), "chess").mark
''
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cotulenh.board import Board
from cotulenh.engine import Engine, Limit, Score
from cotulenh.games import AnyBoard, end, side

__all__ = [
    "MARKS",
    "Judgement",
    "Step",
    "Tally",
    "best_turn",
    "chance",
    "end_score",
    "judge",
    "steps_of",
    "turns_of",
]

#: Losses in hundredths from which on a turn is marked: blunder, mistake, inaccuracy.
MARKS = ((300, "??"), (150, "?"), (70, "?!"))
#: Hundredths at which the expected score is e/(1+e): chess as the field has it; in Cờ Tư Lệnh the
#: pieces weigh more (a Navy is eight Infantry).
_SCALE = {"chess": 272.0}
#: Scores beyond this count as this: won is won.
_WON = 1500
_CODES = {"normal": "move", "capture": "take"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a turn was worth to the side that made it."""

    loss: int
    accuracy: float
    mark: str


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a turn, for words: what is done, by which pieces, from where to where.

    ``code`` is ``move take stay exchange breach combine castle promote commit``.
    """

    code: str
    pieces: str
    from_square: str
    to_square: str
    taken: str = ""
    deploy: bool = False
    mate: bool = False


def _hundredths(score: Score) -> int:
    if score.mate is not None:
        return 100_000 if score.mate > 0 else -100_000
    return score.cp or 0


def chance(score: Score, game: str) -> float:
    """The expected score of the side to move, 0 to 1."""
    cut = max(-3000, min(3000, _hundredths(score)))
    return 1 / (1 + math.exp(-cut / _SCALE.get(game, 400.0)))


def judge(before: Score, after: Score, game: str) -> Judgement:
    """Judges a turn; both scores are seen from the side that made it."""
    cut = [max(-_WON, min(_WON, _hundredths(score))) for score in (before, after)]
    loss = max(0, cut[0] - cut[1])
    lost = 100 * max(0.0, chance(before, game) - chance(after, game))
    accuracy = max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * lost) - 3.1669))
    return Judgement(loss, accuracy, next((mark for least, mark in MARKS if loss >= least), ""))


class Tally:
    """Counts what the turns of a game were worth, for each side."""

    def __init__(self) -> None:
        self._judged: tuple[list[Judgement], list[Judgement]] = ([], [])

    def add(self, mover: int, judgement: Judgement) -> None:
        """One more turn."""
        self._judged[mover].append(judgement)

    def accuracy(self, mover: int) -> float:
        """Of a whole game: between arithmetic and harmonic mean, so that a blunder weighs."""
        values = [turn.accuracy for turn in self._judged[mover]]
        if not values:
            return 100.0
        harmonic = len(values) / sum(1 / max(value, 1.0) for value in values)
        return (sum(values) / len(values) + harmonic) / 2

    def counts(self, mover: int) -> list[int]:
        """Inaccuracies, mistakes, blunders."""
        marks = [turn.mark for turn in self._judged[mover]]
        return [marks.count(mark) for _, mark in reversed(MARKS)]

    def loss(self, mover: int) -> float:
        """Hundredths lost in a turn, on average."""
        losses = [turn.loss for turn in self._judged[mover]]
        return sum(losses) / max(1, len(losses))


# Turns ----------------------------------------------------------------------------------------


def turns_of(start: AnyBoard, moves: Iterable[Any]) -> list[list[Any]]:
    """The moves of a game, cut into turns; the last may be unfinished.

    >>> from cotulenh import chess
    >>> board = chess.Board()
    >>> moves = [board.push_san("e4"), board.push_san("e5")]
    >>> len(turns_of(chess.Board(), moves))
    2
    """
    board = start.copy()
    turns: list[list[Any]] = []
    fresh = True
    for move in moves:
        if fresh:
            turns.append([])
        mover = side(board)
        board.push(move)
        turns[-1].append(move)
        fresh = side(board) != mover
    return turns


def end_score(board: AnyBoard) -> Score | None:
    """The score of a game that is over, for the side to move; ``None`` while it goes on."""
    over = end(board)
    if over is None:
        return None
    if over.winner is None:
        return Score(cp=0)
    return Score(mate=1 if over.winner is board.turn else -1)


def best_turn(engine: Engine, board: AnyBoard, limit: Limit) -> tuple[Score, list[Any]]:
    """What the engine thinks of a position, and the whole turn it would play."""
    over = end_score(board)
    if over is not None:
        return over, []
    found = engine.play(board, limit)
    score = found.info.score if found.info else Score(cp=0)
    line = list(found.info.pv) if found.info and found.info.pv else [found.move]
    walk: Any = board.copy()
    turn: list[Any] = []
    while line:
        turn.append(line.pop(0))
        walk.push(turn[-1])
        if side(walk) != side(board) or end(walk) is not None:
            break
        if not line or not walk.is_legal(line[0]):  # the line ends inside the turn: look again
            line = [engine.play(walk, limit).move]
    return score, turn


def steps_of(board: AnyBoard, turn: Sequence[Any]) -> list[Step]:
    """A turn in codes that a face can put into words."""
    walk: Any = board.copy()
    steps = []
    for n, move in enumerate(turn, 1):
        read = _ctl_step if isinstance(walk, Board) else _chess_step
        before = walk.copy()
        walk.push(move)
        steps.append(read(before, move, n == len(turn) and walk.is_checkmate()))
    return steps


def _ctl_step(board: Board, move: Any, mate: bool) -> Step:
    kind = move.kind.name.lower()
    stack = board.stack_at(move.to_square)
    hostile = stack is not None and stack.color is not board.turn
    taken = "".join(p.kind.letter for p in stack.pieces) if stack is not None and hostile else ""
    return Step(
        code=_CODES.get(kind, kind),
        pieces="".join(map(str, move.pieces)),
        from_square=move.from_square.name,
        to_square=move.to_square.name,
        taken=taken,
        deploy=move.is_deploy,
        mate=mate,
    )


def _chess_step(board: Any, move: Any, mate: bool) -> Step:
    target = board.piece_at(move.to_square)
    castles = move.kind.name == "CASTLING"
    taken = "" if target is None or castles else target.kind.letter
    if move.kind.name == "EN_PASSANT":
        taken = "P"
    code = "castle" if castles else "promote" if move.promotion else "take" if taken else "move"
    piece = board.piece_at(move.from_square)
    return Step(
        code=code,
        pieces=piece.kind.letter if piece else "",
        from_square=move.from_square.name,
        to_square=move.to_square.name,
        taken=taken,
        mate=mate,
    )
