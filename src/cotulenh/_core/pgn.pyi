"""Whole games: text to tape and back."""

import cotulenh._core


def find(text: bytes, at: int, final: bool) -> tuple[int, int, int, int]:
    """
    The next game: status (0 found, 1 needs more text, 2 nothing), start, moves, end.
    """

def read_chess(fen: str | None, chess960: bool, text: bytes, start: int, end: int) -> tuple[bytes, int, str | None, tuple[int, str] | None]:
    """
    Plays the moves of a text: the tape, turns, result, and where and why it stopped.
    """

def read_ctl(rules: cotulenh._core.Rules, fen: str, text: bytes, start: int, end: int) -> tuple[bytes, int, str | None, tuple[int, str] | None]:
    """The same for Cờ Tư Lệnh."""

def write_chess(fen: str | None, chess960: bool, tape: bytes) -> list[str]:
    """The SAN of each turn of a tape."""

def write_ctl(rules: cotulenh._core.Rules, fen: str, tape: bytes) -> list[str]:
    """The same for Cờ Tư Lệnh."""
