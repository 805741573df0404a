"""One game between two players: clocks, forfeits, and the law as the only judge."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from cotulenh.engine import Limit, Score
from cotulenh.games import AnyBoard, end, end_text, move_text, side
from cotulenh.match.openings import Opening
from cotulenh.match.players import Player, PlayerError, Spec, with_clock

__all__ = ["Control", "GameRecord", "play_game"]

GRACE = 0.05  # seconds over the clock that are forgiven: the time of the machine, not the player's


@dataclass(frozen=True, slots=True)
class Control:
    """The time control of a game: a limit for each move, or a clock with increment for the game.

    The increment comes at the end of a turn, however many moves the turn had.

    >>> Control.parse("10+0.1")
    Control(limit=Limit(...), base=10.0, increment=0.1)
    """

    limit: Limit
    base: float | None = None
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Control:
        """Reads ``SECONDS+INCREMENT``, such as ``60+0.5``."""
        first, _, second = text.partition("+")
        try:
            base, increment = float(first), float(second or 0)
            limit = Limit(times=(base, base), increments=(increment, increment))
            if base <= 0:
                raise ValueError
        except ValueError:
            raise ValueError(f"expected a time control (such as 10+0.1), got {text!r}") from None
        return cls(limit, base, increment)

    def __str__(self) -> str:
        """As the PGN tag TimeControl."""
        if self.base is not None:
            return f"{self.base:g}+{self.increment:g}"
        limit = self.limit
        if limit.time is not None:
            return f"{limit.time:g}/move"
        return f"depth {limit.depth}" if limit.depth else f"nodes {limit.nodes}"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game. ``first`` is the number of the player (0 or 1) who moved first."""

    number: int
    pair: int
    first: int
    moves: tuple[str, ...]
    opening: int
    result: str
    reason: str
    turns: int
    seconds: float
    #: What the players thought after each of ``moves``: pawns for the side that moves first, as in
    #: ``[%eval …]``; empty where nobody said.
    evals: tuple[str, ...] = ()
    #: The day it was played, as in PGN.
    date: str = "????.??.??"

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> GameRecord:
        """A record from the values it was kept as, in JSON."""
        lists = {name: tuple(row.get(name, ())) for name in ("moves", "evals")}
        return cls(**{**row, **lists})

    @property
    def points(self) -> float:
        """The points of player 0."""
        white = {"1-0": 1.0, "0-1": 0.0}.get(self.result, 0.5)
        return white if self.first == 0 else 1 - white


class _Clock:
    """What both sides have left."""

    def __init__(self, control: Control) -> None:
        self.left = None if control.base is None else [control.base, control.base]
        self.increment = control.increment

    def limit(self, common: Limit) -> Limit:
        if self.left is None:
            return common
        return with_clock(common, (max(0.001, self.left[0]), max(0.001, self.left[1])))

    def spend(self, mover: int, seconds: float, turn_over: bool) -> bool:
        """Whether the mover is still in time."""
        if self.left is None:
            return True
        self.left[mover] -= seconds
        if self.left[mover] < -GRACE:
            return False
        self.left[mover] = max(0.0, self.left[mover]) + (self.increment if turn_over else 0.0)
        return True


def _begin(players: tuple[Player, Player], first: int, seed: int) -> tuple[str, str] | None:
    """Tells both that a game begins; the end of it if one of them cannot play."""
    for index, player in enumerate(players):
        try:
            player.new_game(seed * 2 + index)
        except PlayerError as error:
            return _lost_by(0 if index == first else 1), str(error)
    return None


def play_game(
    players: tuple[Player, Player],
    specs: tuple[Spec, Spec],
    opening: Opening,
    control: Control,
    *,
    number: int = 0,
    first: int = 0,
    most_turns: int = 600,
    seed: int = 0,
) -> tuple[GameRecord, AnyBoard]:
    """Plays a game from an opening. A player that fails loses; after ``most_turns`` it is drawn."""
    board, clock, started = opening.board(), _Clock(control), time.monotonic()
    moves, turns, ended = list(opening.moves), 0, _begin(players, first, seed)
    evals = [""] * len(moves)
    while ended is None:
        over = end(board)
        if over is not None:
            ended = (over.result, end_text(over))
        elif turns >= most_turns:
            ended = ("1/2-1/2", f"{most_turns} turns")
        else:
            mover = side(board)
            who = first if mover == 0 else 1 - first
            begun = time.monotonic()
            try:
                limit = specs[who].limit(clock.limit(control.limit))
                move = players[who].choose(board, limit)
                if not board.is_legal(move):
                    raise PlayerError("illegal move")
            except PlayerError as error:
                ended = (_lost_by(mover), str(error))
                break
            used = time.monotonic() - begun
            moves.append(move_text(board, move))
            evals.append(eval_text(players[who].last_score, mover))
            board.push(move)
            turn_over = side(board) != mover
            turns += turn_over
            if not clock.spend(mover, used, turn_over):
                ended = (_lost_by(mover), "time forfeit")
    record = GameRecord(
        number=number,
        pair=number // 2,
        first=first,
        moves=tuple(moves),
        opening=len(opening.moves),
        result=ended[0],
        reason=ended[1],
        turns=turns,
        seconds=round(time.monotonic() - started, 3),
        evals=tuple(evals) if any(evals) else (),
        date=time.strftime("%Y.%m.%d"),
    )
    return record, board


def eval_text(score: Score | None, mover: int) -> str:
    """A score as ``[%eval …]`` has it: from the first side's view, in pawns or moves to mate.

    >>> eval_text(Score(cp=31), 0), eval_text(Score(cp=31), 1), eval_text(Score(mate=3), 1)
    ('0.31', '-0.31', '#-3')
    """
    if score is None:
        return ""
    own = score if mover == 0 else -score
    return f"{(own.cp or 0) / 100:.2f}" if own.mate is None else f"#{own.mate}"


def _lost_by(mover: int) -> str:
    return "0-1" if mover == 0 else "1-0"
