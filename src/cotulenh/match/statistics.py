"""What the results of a match say: score, Elo with its error, and the sequential test.

Games come in pairs: one opening, colours swapped. The unit of the statistics is the pair, with five
possible results (0, ½, 1, 1½, 2 points: "pentanomial"), because two games of one opening depend on
each other, and counting them apart would overstate the error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cotulenh.match.game import GameRecord

__all__ = ["Sprt", "Tally", "elo", "expected_score", "log_likelihood_ratio"]

#: Points of a pair as a share of what can be had.
VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)
CONFIDENCE = 1.959963984540054  # 95 % of a normal distribution lie within so many deviations
SMALLEST = 1e-3  # stands for a result never seen, so that logarithms exist


def expected_score(difference: float) -> float:
    """The share of points at an Elo difference.

    >>> round(expected_score(100), 3)
    0.64
    """
    return 1 / (1 + math.pow(10, -difference / 400))


def elo(score: float) -> float:
    """The Elo difference of a share of points; infinite at 0 and 1.

    >>> round(elo(0.75), 1), elo(1.0)
    (190.8, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def _most_likely(shares: Sequence[float], mean: float) -> list[float]:
    """Of all distributions over the five results with this mean the one the data favour most.

    It is p / (1 + t (value - mean)) for one number t, found by halving: the mean falls as t grows.
    """
    low, high = -1 / (VALUES[-1] - mean), 1 / (mean - VALUES[0])
    for _ in range(100):
        t = (low + high) / 2
        gap = sum(
            p * (value - mean) / (1 + t * (value - mean))
            for p, value in zip(shares, VALUES, strict=True)
        )
        low, high = (t, high) if gap > 0 else (low, t)
    t = (low + high) / 2
    return [p / (1 + t * (value - mean)) for p, value in zip(shares, VALUES, strict=True)]


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """How much more likely the results of the pairs are if ``elo1`` is true than if ``elo0`` is.

    The generalised likelihood ratio of the five counts.

    >>> round(log_likelihood_ratio([10, 40, 100, 60, 20], 0, 10), 2)
    2.02
    """
    counts = [max(count, SMALLEST) for count in pairs]
    total = sum(counts)
    shares = [count / total for count in counts]
    under0 = _most_likely(shares, expected_score(elo0))
    under1 = _most_likely(shares, expected_score(elo1))
    logs = (math.log(b / a) for a, b in zip(under0, under1, strict=True))
    return total * sum(p * one for p, one in zip(shares, logs, strict=True))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test: is the first player ``elo1`` stronger, or only ``elo0``?

    ``alpha`` is how often elo1 may be accepted though elo0 is true, ``beta`` the reverse.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"expected elo0 below elo1, got {self.elo0} and {self.elo1}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(
                    f"{name}: expected a number between 0 and 0.5, got {getattr(self, name)}"
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratio below which elo0 is accepted, and the one above which elo1 is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio so far; 0 before the first pair."""
        return log_likelihood_ratio(pairs, self.elo0, self.elo1) if sum(pairs) else 0.0

    def verdict(self, pairs: Sequence[int]) -> str | None:
        """``"accepted"`` (elo1), ``"rejected"`` (elo0), or ``None``: play on."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        if ratio >= high:
            return "accepted"
        return "rejected" if ratio <= low else None


@dataclass(slots=True)
class Tally:
    """The results so far, from the first player's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    #: Won by the side that moves first, drawn, won by the other, whoever played them.
    by_side: list[int] = field(default_factory=lambda: [0] * 3)
    _halves: dict[int, float] = field(default_factory=dict)

    def add(self, record: GameRecord) -> None:
        """Counts a game, and its pair when both games are there."""
        points = record.points
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        self.by_side[{"1-0": 0, "0-1": 2}.get(record.result, 1)] += 1
        if record.pair in self._halves:
            self.pairs[round(2 * (self._halves.pop(record.pair) + points))] += 1
        else:
            self._halves[record.pair] = points

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first player's share of all points; a half before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of the score, from whole pairs."""
        total = sum(self.pairs)
        if total < 2:
            return 0.5
        mean = sum(n * value for n, value in zip(self.pairs, VALUES, strict=True)) / total
        spread = sum(n * (value - mean) ** 2 for n, value in zip(self.pairs, VALUES, strict=True))
        return CONFIDENCE * math.sqrt(spread / (total - 1) / total)

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo difference with the ends of its 95 % interval: low, middle, high."""
        return elo(self.score - self.error), elo(self.score), elo(self.score + self.error)

    @property
    def superiority(self) -> float:
        """How likely it is that the first player is the stronger one."""
        if not self.error:
            return 0.5 if self.score == 0.5 else float(self.score > 0.5)
        deviations = (self.score - 0.5) / (self.error / CONFIDENCE)
        return 0.5 * (1 + math.erf(deviations / math.sqrt(2)))

    def summary(self) -> str:
        """One line for people.

        >>> Tally(wins=6, draws=2, losses=2, pairs=[0, 1, 1, 1, 2]).summary()
        '+6 =2 -2  70.0 % (10 games)  Elo +147 [-60, +736]'
        """
        low, middle, high = self.elo
        return (
            f"+{self.wins} ={self.draws} -{self.losses}  {100 * self.score:.1f} %"
            f" ({self.games} games)  Elo {_elo(middle)} [{_elo(low)}, {_elo(high)}]"
        )


def _elo(number: float) -> str:
    return f"{number:+.0f}" if math.isfinite(number) else ("+∞" if number > 0 else "-∞")
