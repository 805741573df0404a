"""Boards as pictures: drawings to FENs, and what the tests of the law ask of a board.

A drawing names its files in the first line and its rank at the start of each further line; what it
leaves out is empty. Cells are written as in a FEN, `.` is an empty point:

        c d     e  f
      4 . .     .  .
      3 T (NFT) +n i
"""

from __future__ import annotations

import cotulenh

FILES = "abcdefghijkl"


Cells = dict[tuple[str, int], str]


def cells(drawing: str) -> Cells:
    """The occupied points of a drawing: (file, rank) to the text of what stands there."""
    lines = [line.split() for line in drawing.splitlines() if line.strip()]
    files = lines[0]
    assert all(f in FILES and len(f) == 1 for f in files), f"the first line names files: {files}"
    found = {}
    for rank, *row in lines[1:]:
        assert len(row) == len(files), f"rank {rank} has {len(row)} cells, not {len(files)}"
        found.update({(f, int(rank)): cell for f, cell in zip(files, row, strict=True)})
    return {point: cell for point, cell in found.items() if cell != "."}


def placement(drawing: str, files: int = 11) -> str:
    """The first field of a FEN (11.1)."""
    return placed(cells(drawing), files)


def placed(points: Cells, files: int = 11) -> str:
    """The first field of a FEN, of points without a drawing."""
    return "/".join(_rank(points, rank, files) for rank in range(12, 0, -1))


def _rank(drawn: Cells, rank: int, files: int) -> str:
    text, empty = "", 0
    for f in FILES[:files]:
        cell = drawn.get((f, rank))
        if cell is None:
            empty += 1
            continue
        text += (str(empty) if empty else "") + cell
        empty = 0
    return text + (str(empty) if empty else "")


def fen(
    drawing: str,
    turn: str = "r",
    clock: int = 0,
    number: int = 1,
    deploying: str = "",
    rules: str = "official",
) -> str:
    """The FEN of a drawing; `deploying` is the seventh field."""
    files = 12 if rules == "blueprint" else 11
    text = f"{placement(drawing, files)} {turn} - - {clock} {number}"
    return f"{text} {deploying}" if deploying else text


def board(
    drawing: str,
    turn: str = "r",
    clock: int = 0,
    number: int = 1,
    deploying: str = "",
    rules: str = "official",
) -> cotulenh.Board:
    """The board of a drawing."""
    return cotulenh.Board(fen(drawing, turn, clock, number, deploying, rules), rules=rules)


def lans(b: cotulenh.Board) -> set[str]:
    """All legal moves."""
    return {b.lan(move) for move in b.legal_moves}


def goes(b: cotulenh.Board, pieces: str) -> set[str]:
    """Marks and targets of the moves that begin so: `Tc3` for moves, `Tc3>` for deploy steps."""
    texts = [lan.removeprefix(pieces) for lan in lans(b) if lan.startswith(pieces)]
    return {text for text in texts if text[0] not in ">0123456789<"}


def words(*texts: str) -> set[str]:
    return set(" ".join(texts).split())


def star(centre: str, orthogonal: int, diagonal: int | None = None) -> set[str]:
    """The points within these ranges of a point, on the eight lines, on a board of 11 files."""
    diagonal = orthogonal if diagonal is None else diagonal
    file, rank = FILES.index(centre[0]), int(centre[1:])
    found = set()
    for df in (-1, 0, 1):
        for dr in (-1, 0, 1):
            for n in range(1, 1 + (diagonal if df and dr else orthogonal)):
                f, r = file + n * df, rank + n * dr
                if (df or dr) and 0 <= f < 11 and 1 <= r <= 12:
                    found.add(f"{FILES[f]}{r}")
    return found


def after(b: cotulenh.Board, *texts: str) -> str:
    """The FEN after these moves; the board itself stays as it is."""
    other = b.copy()
    for text in texts:
        other.push_lan(text)
    return other.fen()


def then(b: cotulenh.Board, *texts: str) -> cotulenh.Board:
    """A board after these moves."""
    other = b.copy()
    for text in texts:
        other.push_lan(text)
    return other
