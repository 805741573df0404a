"""The review of a game for the page: every turn as it is judged, then the sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cotulenh.engine import Limit, Score
from cotulenh.engine.review import Judgement, Tally, best_turn, judge, steps_of
from cotulenh.games import AnyBoard, line_text, name_of, push_text, side
from cotulenh.web.messages import Judged, Reviewed, Step
from cotulenh.web.think import MATE, Search, first_side
from cotulenh.web.view import View, view

__all__ = ["review"]


def review(first: AnyBoard, moves: Sequence[str], seconds: float) -> Callable[[Search], None]:
    """Work that judges every turn of a game and sends each as it is judged."""

    def work(search: Search) -> None:
        engine = search.engine
        assert engine is not None
        board: Any = first.copy()
        seen = _whole_view(first, moves)
        ends = _turn_ends(seen.stops, len(moves))
        score, best = best_turn(engine, board, Limit(time=seconds))
        search.send(_judged(search.ask, 0, len(ends), score, side(board)))
        tally, start = Tally(), 0
        for turn, end in enumerate(ends, 1):
            before = board.copy()
            for text in moves[start:end]:
                push_text(board, text)
            after, next_best = best_turn(engine, board, Limit(time=seconds))
            if search.over:
                return
            mine = after if side(board) == side(before) else -after
            verdict = _fair(judge(score, mine, name_of(first)), before, best, board)
            tally.add(side(before), verdict)
            judged = _judged(search.ask, turn, len(ends), after, side(board), verdict)
            judged.ply = end
            judged.san = seen.turns[turn - 1] if turn <= len(seen.turns) else ""
            _add_better(judged, before, best)
            search.send(judged)
            score, best, start = after, next_best, end
        search.send(_summary(search.ask, tally))

    return work


def _whole_view(first: AnyBoard, moves: Sequence[str]) -> View:
    board = first.copy()
    for text in moves:
        push_text(board, text)
    return view(board)


def _turn_ends(stops: list[int], count: int) -> list[int]:
    """After how many single moves each turn ends; a turn left open counts as one."""
    return [*stops, count] if count > (stops[-1] if stops else 0) else list(stops)


def _judged(
    ask: int, turn: int, of: int, score: Score, mover: int, verdict: Judgement | None = None
) -> Judged:
    value, mate = first_side(score, mover)
    # A game that is over has no turns to mate any more.
    told = Judged(id=ask, turn=turn, of=of, score=value, mate=mate if abs(value) < MATE else None)
    if verdict is not None:
        told.mark, told.loss = verdict.mark, verdict.loss
        told.accuracy = round(verdict.accuracy, 1)
    return told


def _fair(verdict: Judgement, before: Any, best: list[Any], after: AnyBoard) -> Judgement:
    """Who played the best known turn has lost nothing, whatever a second look says."""
    walk = before.copy()
    for move in best:
        walk.push(move)
    return Judgement(0, 100.0, "") if best and walk.key == after.key else verdict


def _add_better(judged: Judged, before: Any, best: list[Any]) -> None:
    """Says what would have been better than a marked turn."""
    if not judged.mark or not best:
        return
    judged.best_moves = line_text(before, best)
    judged.better = [
        Step(s.code, s.pieces, s.from_square, s.to_square, s.taken, s.deploy, s.mate)
        for s in steps_of(before, best)
    ]
    judged.best = _turn_text(before, best)


def _turn_text(before: Any, turn: list[Any]) -> str:
    """A whole turn in short notation."""
    walk = before.copy()
    for move in turn:
        walk.push(move)
    said = walk.history("san")
    return str(said[-1]) if said else " ".join(line_text(before, turn))


def _summary(ask: int, tally: Tally) -> Reviewed:
    return Reviewed(
        ask,
        [round(tally.accuracy(mover), 1) for mover in (0, 1)],
        [tally.counts(mover) for mover in (0, 1)],
        [round(tally.loss(mover), 1) for mover in (0, 1)],
    )
