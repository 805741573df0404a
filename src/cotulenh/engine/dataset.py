"""Whole games of self-play as a binary data set: written in units, read by NumPy without copying.

A file holds a header of 256 bytes, the games (32 bytes each) and their plies (8 bytes each), all
little-endian; ``docs/networks.md`` explains every field. A *unit* is one file: its games follow
from its name and the settings alone, so that a unit played twice is the same file, whoever plays.

>>> settings = Settings("official", games=1, nodes=20, random_moves=4)
>>> data = play_unit(settings, "a unit")
>>> data == play_unit(settings, "a unit")
True
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cotulenh import _core
from cotulenh import chess as _chess
from cotulenh.engine import network
from cotulenh.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DataError",
    "Dataset",
    "Played",
    "Settings",
    "games_in",
    "merged",
    "packed",
    "play_unit",
    "play_units",
    "rules_hash",
]

MAGIC = b"CoTuData"
VERSION = 1
HEADER = struct.Struct("<8sIIQQ32sQ32sII16sI")  # the rest of the 256 bytes is zero
HEADER_SIZE = 256
GAME_SIZE, PLY_SIZE = 32, 8
_GAME, _PLY = struct.Struct("<QIBBHQQ"), struct.Struct("<IhH")
_RESULTS = ("0-1", "1/2-1/2", "1-0")

#: Fields of the records, for ``numpy.dtype``.
GAME_FIELDS = [
    ("first", "<u8"),
    ("count", "<u4"),
    ("result", "u1"),
    ("reason", "u1"),
    ("random", "<u2"),
    ("seed", "<u8"),
    ("last_key", "<u8"),
]
PLY_FIELDS = [("move", "<u4"), ("score", "<i2"), ("flags", "<u2")]
#: Bits of a ply's flags: not chosen but random; in check; a take; within a deployment.
RANDOM, CHECK, TAKE, MID_TURN = 1, 2, 4, 8
#: The score of a ply that was not searched.
NOT_SEARCHED = 32001


class DataError(ValueError):
    """A file that is no data set, or a damaged one; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the games of a run are played. ``nodes`` is where a move's last iteration begins;
    ``network`` is a file's path, "" for the one of the package, None for the terms alone.
    """

    game: str = "official"
    games: int = 100
    nodes: int = 500
    random_moves: int = 8
    network: str | None = ""

    def __post_init__(self) -> None:
        for name, low in (("games", 1), ("nodes", 1), ("random_moves", 0)):
            if getattr(self, name) < low:
                raise ValueError(f"{name}: expected at least {low}, got {getattr(self, name)}")

    def start(self) -> tuple[_core.Rules | None, str]:
        """The rules of the core (none for chess) and the start position."""
        if self.game == "chess":
            return None, _chess.STARTING
        rules = Rules.load(self.game)
        return rules.core, rules.start_fen

    def judge(self) -> _core.Network | None:
        """The network that judges positions, if any."""
        if self.network is None:
            return None
        return network.load(self.network) if self.network else network.shipped(self.game)


def rules_hash(game: str) -> bytes:
    """SHA-256 of everything the core knows of a rule set, cut to 16 bytes; of chess, of its name.

    >>> rules_hash("official") == rules_hash("online")
    False
    """
    facts: Any = "chess" if game == "chess" else Rules.load(game).spec
    text = json.dumps(facts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).digest()[:16]


# Playing --------------------------------------------------------------------------------------


def unit_seed(settings: Settings, unit: str) -> int:
    """The seed of a unit: from its name and the settings, so that no two units are alike."""
    judge = settings.judge()
    facts = asdict(settings) | {"network": None if judge is None else judge.checksum}
    text = json.dumps([unit, facts], sort_keys=True)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def play_unit(settings: Settings, unit: str) -> bytes:
    """The games of one unit, as the bytes of a file."""
    rules, fen = settings.start()
    seed, judge = unit_seed(settings, unit), settings.judge()
    games, plies = _core.selfplay_games(
        rules, fen, settings.games, settings.nodes, seed, settings.random_moves, None, judge
    )
    checksum = 0 if judge is None else judge.checksum
    facts = (seed, unit, settings.nodes, settings.random_moves, checksum)
    return _file(settings.game, facts, games, plies)


def _file(game: str, facts: tuple[int, str, int, int, int], games: bytes, plies: bytes) -> bytes:
    seed, unit, nodes, random_moves, network_checksum = facts
    body = games + plies
    header = HEADER.pack(
        MAGIC,
        VERSION,
        zlib.crc32(body),
        len(games) // GAME_SIZE,
        len(plies) // PLY_SIZE,
        game.encode()[:32],
        seed,
        unit.encode()[:32],
        nodes,
        random_moves,
        rules_hash(game),
        network_checksum,
    )
    return header.ljust(HEADER_SIZE, b"\0") + body


def play_units(
    settings: Settings, folder: Path, run: str, units: range, processes: int = 1
) -> Iterator[Path]:
    """Plays the units of a run that are not there yet, one file each; a file is whole or absent."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(settings, folder, f"{run}-{number:05}") for number in units]
    if processes == 1:
        yield from map(_write_unit, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_write_unit, jobs)


def _write_unit(job: tuple[Settings, Path, str]) -> Path:
    settings, folder, unit = job
    path = folder / f"{Path(settings.game).stem}-{unit}.games"
    if not path.exists():
        part = path.with_suffix(f".part{os.getpid()}")
        part.write_bytes(play_unit(settings, unit))
        part.replace(path)
    return path


def merged(parts: Callable[[], Iterator[bytes]]) -> Iterator[bytes]:
    """The blocks of one file that holds the games of several, in their order.

    ``parts`` is asked three times for the contents of the files, one at a time: the whole need not
    fit into memory. The seed and the unit of the first file stand for all.

    >>> settings = Settings("official", games=1, nodes=20, random_moves=4)
    >>> files = [play_unit(settings, name) for name in ("a", "b")]
    >>> whole = b"".join(merged(lambda: iter(files)))
    >>> len(whole) == sum(map(len, files)) - HEADER_SIZE
    True
    """
    blocks = [_games_block, _plies_block]
    checksum = games = plies = 0
    head: tuple[Any, ...] | None = None
    for read in blocks:
        games = plies = 0
        for data in parts():
            fields = HEADER.unpack(data[: HEADER.size])
            head = head or fields
            checksum = zlib.crc32(read(data, fields, plies), checksum)
            games, plies = games + fields[3], plies + fields[4]
    if head is None:
        return
    made = HEADER.pack(*head[:2], checksum, games, plies, *head[5:])
    yield made.ljust(HEADER_SIZE, b"\0")
    for read in blocks:
        before = 0
        for data in parts():
            fields = HEADER.unpack(data[: HEADER.size])
            yield read(data, fields, before)
            before += fields[4]


def _games_block(data: bytes, fields: tuple[Any, ...], before: int) -> bytes:
    """The games of a file, as they stand after so many plies of other files."""
    out = bytearray(data[HEADER_SIZE : HEADER_SIZE + fields[3] * GAME_SIZE])
    for at in range(0, len(out), GAME_SIZE):
        (first,) = struct.unpack_from("<Q", out, at)
        struct.pack_into("<Q", out, at, first + before)
    return bytes(out)


def _plies_block(data: bytes, fields: tuple[Any, ...], _before: int) -> bytes:
    return data[HEADER_SIZE + fields[3] * GAME_SIZE :]


class Played(NamedTuple):
    """A game of a data set: result for the side that moves first; of each ply its move as bits, its
    score and its flags.
    """

    result: str
    reason: int
    random: int
    seed: int
    last_key: int
    moves: tuple[int, ...]
    scores: tuple[int, ...]
    flags: tuple[int, ...]


def packed(game: str, seed: int, unit: str, games: Iterable[Played]) -> bytes:
    """The file of games that were played by other means than nodes, which its header has as 0.

    >>> settings = Settings("official", games=2, nodes=20, random_moves=4)
    >>> games = list(games_in(play_unit(settings, "a unit")))
    >>> list(games_in(packed("official", 1, "the same", games))) == games
    True
    """
    rows, plies, first = bytearray(), bytearray(), 0
    for one in games:
        count, result = len(one.moves), _RESULTS.index(one.result)
        rows += _GAME.pack(first, count, result, one.reason, one.random, one.seed, one.last_key)
        for ply in zip(one.moves, one.scores, one.flags, strict=True):
            plies += _PLY.pack(*ply)
        first += count
    return _file(game, (seed, unit, 0, 0, 0), bytes(rows), bytes(plies))


def games_in(data: bytes) -> Iterator[Played]:
    """The games of a file's contents, without NumPy.

    >>> settings = Settings("official", games=2, nodes=20, random_moves=4)
    >>> [len(one.moves) > 4 for one in games_in(play_unit(settings, "a unit"))]
    [True, True]
    """
    games, plies = HEADER.unpack(data[: HEADER.size])[3:5]
    middle = HEADER_SIZE + games * GAME_SIZE
    if data[:8] != MAGIC or len(data) != middle + plies * PLY_SIZE:
        raise DataError("not a data set of games, or a damaged one")
    for number in range(games):
        first, count, result, reason, opening, seed, key = _GAME.unpack_from(
            data, HEADER_SIZE + number * GAME_SIZE
        )
        at = middle + first * PLY_SIZE
        rows = list(_PLY.iter_unpack(data[at : at + count * PLY_SIZE]))
        columns = (tuple(row[place] for row in rows) for place in range(3))
        yield Played(_RESULTS[result], reason, opening, seed, key, *columns)


# Reading --------------------------------------------------------------------------------------


class Dataset:
    """A file of games, mapped into memory: ``games`` and ``plies`` are NumPy arrays of records."""

    def __init__(self, path: str | Path) -> None:
        import numpy

        self.path = Path(path)
        with self.path.open("rb") as file:
            head = file.read(HEADER_SIZE)
        if len(head) < HEADER_SIZE or head[:8] != MAGIC:
            raise DataError(f"{path}: not a data set of games")
        _, version, self.checksum, games, plies, game, self.seed, unit, *rest = HEADER.unpack(
            head[: HEADER.size]
        )
        if version != VERSION:
            raise DataError(f"{path}: version {version}, expected {VERSION}")
        size = HEADER_SIZE + games * GAME_SIZE + plies * PLY_SIZE
        if self.path.stat().st_size != size:
            raise DataError(f"{path}: {self.path.stat().st_size} bytes, expected {size}")
        self.game = game.rstrip(b"\0").decode()
        self.unit = unit.rstrip(b"\0").decode()
        #: ``network`` is the checksum of the network that judged positions, 0 for the terms.
        self.nodes, self.random_moves, self.rules_hash, self.network = rest
        whole = numpy.memmap(path, numpy.uint8, "r")
        middle = HEADER_SIZE + games * GAME_SIZE
        self.games: NDArray[np.void] = whole[HEADER_SIZE:middle].view(numpy.dtype(GAME_FIELDS))
        self.plies: NDArray[np.void] = whole[middle:].view(numpy.dtype(PLY_FIELDS))

    def verify(self) -> None:
        """Reads everything once: ``DataError`` if it is damaged or of other rules than today's."""
        if zlib.crc32(self.path.read_bytes()[HEADER_SIZE:]) != self.checksum:
            raise DataError(f"{self.path}: damaged, the checksum does not fit")
        if rules_hash(self.game) != self.rules_hash:
            raise DataError(f"{self.path}: played under other rules than {self.game} has now")

    def __repr__(self) -> str:
        return f"Dataset({str(self.path)!r})"
