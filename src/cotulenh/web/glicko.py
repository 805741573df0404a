"""Ratings of players and puzzles: Glicko-2 (Glickman 2013), one game a rating period.

>>> player, puzzle = Rating(1500, 200, 0.06), Rating(1400, 30, 0.06)
>>> after = player.after(puzzle, 1.0)
>>> 1540 < after.rating < 1570 and after.deviation < 200
True
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["Rating"]

_SCALE = 173.7178
_TAU = 0.5  # how fast volatility may change
_CLOSE = 1e-6
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 350.0


class Rating(NamedTuple):
    """How strong someone is, how sure that is, and how much it varies."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, other: Rating, score: float) -> Rating:
        """The rating after one game: 1 won, 0.5 drawn, 0 lost."""
        mu, phi = (self.rating - 1500) / _SCALE, self.deviation / _SCALE
        mu_other, phi_other = (other.rating - 1500) / _SCALE, other.deviation / _SCALE
        g = 1 / math.sqrt(1 + 3 * phi_other**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-g * (mu - mu_other)))
        variance = 1 / (g * g * expected * (1 - expected))
        delta = variance * g * (score - expected)
        sigma = self._volatility(phi, variance, delta)
        before = math.hypot(phi, sigma)
        phi_after = 1 / math.sqrt(1 / before**2 + 1 / variance)
        mu_after = mu + phi_after**2 * g * (score - expected)
        deviation = min(MOST_DEVIATION, max(LEAST_DEVIATION, _SCALE * phi_after))
        return Rating(min(3500.0, max(100.0, _SCALE * mu_after + 1500)), deviation, sigma)

    def _volatility(self, phi: float, variance: float, delta: float) -> float:
        """Step 5 of the paper: the Illinois algorithm."""
        a = math.log(self.volatility**2)

        def f(x: float) -> float:
            e = math.exp(x)
            top = e * (delta**2 - phi**2 - variance - e)
            return top / (2 * (phi**2 + variance + e) ** 2) - (x - a) / _TAU**2

        low = a
        if delta**2 > phi**2 + variance:
            high = math.log(delta**2 - phi**2 - variance)
        else:
            k = 1
            while f(a - k * _TAU) < 0:
                k += 1
            high = a - k * _TAU
        f_low, f_high = f(low), f(high)
        while abs(high - low) > _CLOSE:
            middle = low + (low - high) * f_low / (f_high - f_low)
            f_middle = f(middle)
            if f_middle * f_high <= 0:
                low, f_low = high, f_high
            else:
                f_low /= 2
            high, f_high = middle, f_middle
        return math.exp(low / 2)
