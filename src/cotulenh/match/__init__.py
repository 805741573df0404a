"""Matches: player against player, for both games, until a number of games or a verdict.

>>> settings = Settings(("greedy", "random"), variant="official", games=2, time=0.01)
>>> tally = Tally()
>>> for record in play_match(settings):
...     tally.add(record)
>>> tally.games
2
"""

from cotulenh.match.game import Control, GameRecord, play_game
from cotulenh.match.openings import Opening, Openings
from cotulenh.match.players import Player, Spec, make_player
from cotulenh.match.record import Log, pgn
from cotulenh.match.run import Settings, play_match
from cotulenh.match.statistics import Sprt, Tally, elo, expected_score

__all__ = [
    "Control",
    "GameRecord",
    "Log",
    "Opening",
    "Openings",
    "Player",
    "Settings",
    "Spec",
    "Sprt",
    "Tally",
    "elo",
    "expected_score",
    "make_player",
    "pgn",
    "play_game",
    "play_match",
]
