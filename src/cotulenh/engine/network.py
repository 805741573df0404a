"""Networks of the evaluation: files that the trainer writes and the engine reads.

One format for both games (``docs/networks.md``): a header of 64 bytes that says for which game and
of which shape the network is, with a checksum, and 16-bit whole numbers. Those that come with the
package lie in ``cotulenh/data/networks`` and are read when an engine first needs one.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cotulenh import _core
from cotulenh.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["FOLDER", "NetworkError", "load", "pack", "shipped"]

#: Where the networks of the package lie.
FOLDER = Path(__file__).parent.parent / "data" / "networks"
HEADER = struct.Struct("<8sII16sII6H12x")
MAGIC, VERSION = b"CoTuNet\0", 1
#: What 1.0 is in the first layer and in the last, and the centipawns that an output of 1.0 means.
ONE, UNIT, CENTIPAWNS = 255, 64, 400
BESIDE_TERMS = 1


class NetworkError(ValueError):
    """A file that cannot be used as a network; the message says which and why."""


def load(path: str | Path) -> _core.Network:
    """The network in a file; ``NetworkError`` in one line if it does not fit.

    >>> load("/dev/null")
    Traceback (most recent call last):
        ...
    cotulenh.engine.network.NetworkError: /dev/null: it is not a network
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror or error}") from None
    try:
        return _core.Network(raw)
    except ValueError as error:
        raise NetworkError(f"{path}: {error}") from None


def shipped(game: str) -> _core.Network | None:
    """The network that comes with the package for "chess" or a rule set, if there is one.

    The official rules, and rule sets of one's own, have that of Cờ Tư Lệnh.

    >>> shipped("my own rules") is shipped("official"), shipped("online") is shipped("official")
    (True, False)
    """
    family = "chess" if game == "chess" else "cotulenh"
    return (_read(game) if game in Rules.names() else None) or _read(family)


@cache
def _read(name: str) -> _core.Network | None:
    path = FOLDER / f"{name}.nnue"
    return load(path) if path.exists() else None


def pack(
    game: str,
    first: ArrayLike,
    bias: ArrayLike,
    last: ArrayLike,
    offset: ArrayLike,
    *,
    beside_terms: bool = False,
    decided: int = 0,
) -> bytes:
    """A network file of whole numbers: ``first`` by inputs and sums, ``last`` by buckets."""
    import numpy as np

    layers = [np.asarray(layer) for layer in (first, bias, last, offset)]
    inputs, hidden = layers[0].shape
    body = b"".join(layer.astype("<i2").tobytes() for layer in layers)
    fields = (game.encode(), inputs, hidden, len(layers[3]), BESIDE_TERMS * beside_terms)
    scales = (ONE, UNIT, CENTIPAWNS, decided)
    checked = HEADER.pack(MAGIC, VERSION, 0, *fields, *scales)[16:] + body
    return HEADER.pack(MAGIC, VERSION, zlib.crc32(checked), *fields, *scales) + body
