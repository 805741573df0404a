r"""Reading and writing games as PGN, both games alike (12.4).

>>> import io
>>> text = '[White "Anna"] [Black "Bo"]\n\n1. e4 e5 {Hm.} 2. Qh9 *\n\n1. d4 *'
>>> games = read(io.StringIO(text))
>>> [len(game) for game in games], [str(problem) for problem in games.problems]
([1], ["<stream>:3:19: not a move: 'Qh9'"])

A bad game is passed over and reported; ``errors="keep"`` keeps what could be read of it, and
``errors="raise"`` raises :class:`PGNError`.
"""

from __future__ import annotations

from cotulenh.pgn._read import (
    Header,
    Index,
    PGNError,
    Problem,
    Reader,
    headers,
    index,
    parse,
    read,
)
from cotulenh.pgn._write import dumps, write

__all__ = [
    "Header",
    "Index",
    "PGNError",
    "Problem",
    "Reader",
    "dumps",
    "headers",
    "index",
    "parse",
    "read",
    "write",
]
