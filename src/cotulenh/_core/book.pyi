"""Opening books of both games."""

import cotulenh._core.pgn


class Batch:
    """What some games add to a book."""

    @property
    def games(self) -> int:
        """How many games they are."""

    def __len__(self) -> int: ...

def collect(variants: cotulenh._core.pgn.Variants, block: bytes, variant: str, turns: int) -> Batch:
    """The first turns of the games of a block that are of one variant."""

class Builder:
    """Collects games and writes a book."""

    def __init__(self, path: str, variant: str, memory_mb: int) -> None: ...

    def add(self, batch: Batch) -> None:
        """Adds games."""

    def add_book(self, book: Book) -> None:
        """Adds all that a book has."""

    def finish(self, least: int) -> None:
        """Writes the book, without positions that fewer games reached."""

class Book:
    """A book that is open for reading."""

    @staticmethod
    def open(path: str) -> Book:
        """Opens and checks a file; ValueError says what is wrong with it."""

    @property
    def variant(self) -> str: ...

    @property
    def games(self) -> int: ...

    @property
    def positions(self) -> int: ...

    @property
    def moves(self) -> int: ...

    def find(self, key: int) -> list[tuple[int, int, int, int, int, float | None]]:
        """
        The moves of a position: bits, games, wins, draws and losses of the side that moves, mean evaluation in centipawns.
        """

    def entries(self, position: int) -> tuple[int, list[tuple[int, int, int, int, int, float | None]]]:
        """The key and the moves of a position."""
