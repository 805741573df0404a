"""The 960 start positions of Chess960 by their number (0 to 959; 518 is that of chess)."""

from __future__ import annotations

__all__ = ["number_of", "start_fen"]

# The ten ways to put two knights on five squares, in the order of the numbering.
_KNIGHTS = [(a, b) for a in range(5) for b in range(a + 1, 5)]


def back_rank(number: int) -> str:
    """The pieces of a start position from file a to file h.

    >>> back_rank(518), back_rank(0), back_rank(959)
    ('RNBQKBNR', 'BBQNNRKR', 'RKRNNQBB')
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 959:
        raise ValueError(f"expected a start position from 0 to 959, got {number!r}")
    row: list[str | None] = [None] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    row[2 * light + 1], row[2 * dark] = "B", "B"
    _put(row, queen, "Q")
    first, second = _KNIGHTS[knights]
    _put(row, second, "N")  # the later one first: the earlier one's place is not moved by it
    _put(row, first, "N")
    for letter in "RKR":
        _put(row, 0, letter)
    return "".join(piece or "" for piece in row)


def _put(row: list[str | None], place: int, letter: str) -> None:
    """Puts a piece on the n-th square that is free."""
    row[[at for at, piece in enumerate(row) if piece is None][place]] = letter


_NUMBERS = {back_rank(number): number for number in range(960)}


def start_fen(number: int) -> str:
    """The FEN of a start position.

    >>> start_fen(518)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """
    row = back_rank(number)
    return f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"


def number_of(fen: str) -> int | None:
    """The number of a start position; ``None`` if the FEN is not one, counters aside.

    >>> number_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    518
    """
    placement, *fields = fen.split()
    found = _NUMBERS.get(placement.rpartition("/")[2])
    if found is None:
        return None
    start = start_fen(found).split()
    return found if [placement, *fields[:3]] == start[:4] else None
