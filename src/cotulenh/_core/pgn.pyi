"""Whole games: text to tape and back."""

import cotulenh._core


class Variants:
    """Which game the tags of a game mean."""

    def __init__(self) -> None: ...

    def add(self, tag: str, kind: int, rules: cotulenh._core.Rules | None, name: str) -> None:
        """
        A value of the tag Variant, in lower case: 1 chess, 2 Chess960, 3 Cờ Tư Lệnh.
        """

    def fix(self, kind: int, rules: cotulenh._core.Rules | None, name: str) -> None:
        """What every game is, whatever its tags say."""

class Totals:
    """What the games of a file add up to."""

    def __init__(self) -> None: ...

    def merge(self, other: Totals) -> None:
        """Adds what other games add up to."""

    @property
    def games(self) -> int:
        """Games that were read."""

    @property
    def good(self) -> int:
        """Those of them that nothing was wrong with."""

    @property
    def lost(self) -> int:
        """Games that could not be read to their end."""

    @property
    def problems(self) -> int:
        """Problems in all games."""

    @property
    def turns(self) -> int:
        """Turns of all main lines."""

    @property
    def shortest(self) -> int:
        """The fewest turns of a game."""

    @property
    def longest(self) -> int:
        """The most turns of a game."""

    @property
    def players(self) -> int:
        """How many different players there are."""

    @property
    def results(self) -> dict[str, int]:
        """How many games ended how."""

    @property
    def variants(self) -> dict[str, int]:
        """How many games of which variant."""

    @property
    def openings(self) -> dict[str, tuple[int, int, int, int]]:
        """
        The first turns of games from the start position, and how often they ended 1-0, 0-1, 1/2-1/2 and *.
        """

def find(text: bytes, at: int, final: bool) -> tuple[int, int, int, int]:
    """
    The next game: status (0 found, 1 needs more text, 2 nothing), start, moves, end.
    """

def whole_games(text: bytes) -> int:
    """How much of a text that goes on is whole games."""

def read_game(variants: Variants, text: bytes, start: int, end: int) -> tuple[dict[str, str], int, str, bool, str | None, bytes, int, str | None, list[tuple[int, str, bool]], bool, bool]:
    """
    One game: tags, kind, variant, whether Chess960, the FEN if it was mended, tape, turns, result, notes, whether it is a game at all, whether its start is known.
    """

def read_header(text: bytes, start: int, end: int) -> tuple[dict[str, str], list[tuple[int, str, bool]]]:
    """The tags of a game, and what is wrong with them."""

def scan(variants: Variants, block: bytes, turns: int = 1) -> tuple[Totals, int, list[tuple[int, int, str, bool]]]:
    """
    A block of whole games: what they add up to, how many there are, and their notes (game, offset, reason, fatal). Openings are the first so many turns.
    """

def records(variants: Variants, block: bytes, keys: list[int]) -> list[tuple[int, int, int, int, int, int, int, int, str, bool]]:
    """
    A block's games: start, moves, end, hash of the moves, key of the last position, turns, the ply of the first position whose key is wanted or -1, kind, result, whether it is lost.
    """

def write_chess(fen: str | None, chess960: bool, tape: bytes) -> list[str]:
    """The SAN of each turn of a tape."""

def write_ctl(rules: cotulenh._core.Rules, fen: str, tape: bytes) -> list[str]:
    """The same for Cờ Tư Lệnh."""
