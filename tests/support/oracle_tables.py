"""The oracle's own tables of the law: boards, terrain, pieces and stacks of the three rule sets.

Written from the law's text alone; nothing here is read from the project's rule files, so that a
slip in either shows up as a disagreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

Pieces = tuple[str, ...]  # "T" or heroic "+T", carrier first, in the order of 11.1
Stack = tuple[str, Pieces]  # colour "r" or "b", and what stands there
Board = dict[int, Stack]  # point (rank * 16 + file, from 0) -> stack

ORDER = "NFTEHCIMAGS"  # 11.1 and 11.2: carriers N F T E H first, passengers F T C I M A G S
RANK = {mark + letter: 2 * i + (mark == "") for i, letter in enumerate(ORDER) for mark in ("+", "")}
PERSONS = "CIM"  # 3.1
HEAVY = frozenset("AGS")  # 2.4
INDIRECT = frozenset("AFN")  # 4.4: fire that a Headquarters does not stop
POINTS = dict(zip("CIMETAGSFNH", (100, 10, 10, 10, 20, 30, 10, 20, 40, 80, 10), strict=True))
FAR = 12  # an unlimited range
STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))  # even = orthogonal
OTHER = {"r": "b", "b": "r"}


class Row(NamedTuple):
    """One line of §3; a range is the pair (orthogonal, diagonal)."""

    move: tuple[int, int]
    take: tuple[int, int]
    take_ships: tuple[int, int]
    blocked_by: str  # moving: "all", "enemies", "ships", "none"
    over: bool  # takes over pieces standing in between
    ring: int


class Line(NamedTuple):
    """The straight way between two points."""

    diagonal: bool
    distance: int
    between: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Law:
    """A rule set: its tables and the switches of §13 and §14."""

    name: str
    files: int
    rows: dict[str, Row]
    stacks: frozenset[str]  # letters of the valid stacks (7.2), in ORDER
    land: frozenset[int]  # where land pieces stand
    sea: frozenset[int]  # where ships stand
    air: frozenset[int]  # where aircraft stand
    water: frozenset[int]
    rays: dict[int, tuple[tuple[int, ...], ...]]
    lines: dict[int, dict[int, Line]]
    start: str
    path_terrain: bool = True  # 2.4-2.6; blueprint asks the last point only (14.3)
    boarder_stands: bool = False  # S5
    ship_stays_if_unsailable: bool = True  # 4.2, S6
    returns: bool = True  # 4.3; not in blueprint
    returns_from_aircraft: bool = False  # S7
    one_ring_exchange: bool = False  # S8
    rings: bool = True  # §5
    shelter: bool = True  # 4.4, S9
    single_steps: bool = False  # S10
    heroes_each_step: bool = False  # S11
    facing: bool = True  # 6.1-6.3
    facing_is_check: bool = True  # S12
    commander_over_water: bool = True  # S13, 2.6
    last_guard: bool = True  # 9.2
    safe_steps: bool = False  # 14.3: every deploy step must itself be safe
    few_stay_captures: bool = False  # 14.3: only the two listed stay captures exist

    def stands(self, pieces: Pieces, point: int) -> bool:
        """2.2, 7.3: a stack stands as its carrier."""
        return point in self.ground(pieces[0])

    def ground(self, piece: str) -> frozenset[int]:
        """2.2: the points where a piece of this kind stands."""
        letter = piece[-1]
        return self.sea if letter == "N" else self.air if letter == "F" else self.land

    def valid(self, pieces: Pieces) -> bool:
        """7.2: a single piece or a valid stack."""
        return len(pieces) == 1 or "".join(p[-1] for p in pieces) in self.stacks


def square(name: str) -> int:
    """The point called `name`; ValueError if no board has it."""
    if len(name) < 2 or not "a" <= name[0] <= "l" or name[1:] not in RANK_NAMES:
        raise ValueError(f"bad square {name!r}")
    return (int(name[1:]) - 1) * 16 + ord(name[0]) - ord("a")


def square_name(point: int) -> str:
    return f"{chr(ord('a') + point % 16)}{point // 16 + 1}"


RANK_NAMES = frozenset(str(n) for n in range(1, 13))


def arrange(pieces: Pieces) -> Pieces:
    """11.1: carrier first, then the fixed order; of two equals the heroic one first."""
    return tuple(sorted(pieces, key=RANK.__getitem__))


def without(pieces: Pieces, group: Pieces) -> Pieces:
    """What is left when `group` leaves."""
    left = list(pieces)
    for piece in group:
        left.remove(piece)
    return tuple(left)


def squares(files: str, ranks: range | tuple[int, ...]) -> frozenset[int]:
    return frozenset(square(f"{f}{r}") for f in files for r in ranks)


CORNERS = frozenset(  # 2.5: land corners no ship may cut
    pair
    for a, b in (("c5", "d6"), ("c8", "d7"))
    for pair in ((square(a), square(b)), (square(b), square(a)))
)
BRIDGE_FILES = frozenset((5, 7))  # 2.3: f and h


@cache
def rays(files: int) -> dict[int, tuple[tuple[int, ...], ...]]:
    return {
        r * 16 + f: tuple(_ray(files, r, f, dr, df) for dr, df in STEPS)
        for r in range(12)
        for f in range(files)
    }


def _ray(files: int, r: int, f: int, dr: int, df: int) -> tuple[int, ...]:
    points = []
    while 0 <= r + dr < 12 and 0 <= f + df < files:
        r, f = r + dr, f + df
        points.append(r * 16 + f)
    return tuple(points)


@cache
def lines(files: int) -> dict[int, dict[int, Line]]:
    return {
        point: {
            q: Line(bool(i % 2), n + 1, ray[:n])
            for i, ray in enumerate(all_rays)
            for n, q in enumerate(ray)
        }
        for point, all_rays in rays(files).items()
    }


def _official_rows() -> dict[str, Row]:
    return {
        "C": Row((FAR, 0), (1, 0), (1, 0), "all", False, 0),
        "I": Row((1, 0), (1, 0), (1, 0), "all", False, 0),
        "M": Row((1, 1), (1, 1), (1, 1), "all", False, 0),
        "E": Row((1, 0), (1, 0), (1, 0), "all", False, 0),
        "T": Row((2, 0), (2, 0), (2, 0), "all", False, 0),
        "A": Row((3, 3), (3, 3), (3, 3), "all", True, 0),
        "G": Row((1, 0), (1, 0), (1, 0), "all", False, 1),
        "S": Row((2, 1), (2, 1), (0, 0), "all", False, 2),
        "F": Row((4, 4), (4, 4), (4, 4), "none", True, 0),
        "N": Row((4, 4), (3, 3), (4, 4), "enemies", True, 1),
        "H": Row((0, 0), (0, 0), (0, 0), "all", False, 0),
    }


def _grown(reach: tuple[int, int]) -> tuple[int, int]:
    """3.2: ranges that are not 0 grow by 1; orthogonal-only pieces get diagonals too."""
    orthogonal = reach[0] + 1 if reach[0] else 0
    return orthogonal, reach[1] + 1 if reach[1] else orthogonal


def _with_heroes(plain: dict[str, Row], headquarters: int) -> dict[str, Row]:
    """3.2: the heroic row of every piece; Headquarters learn to walk."""
    rows = dict(plain)
    for letter, row in plain.items():
        ring = row.ring + 1 if row.ring else 0
        rows["+" + letter] = Row(
            _grown(row.move), _grown(row.take), _grown(row.take_ships), *row[3:5], ring
        )
    reach = (headquarters, headquarters)
    rows["+H"] = Row(reach, reach, reach, "all", False, 0)
    return rows


def _online_rows() -> dict[str, Row]:
    plain = _official_rows()
    plain["S"] = plain["S"]._replace(over=True, take_ships=(2, 1))  # S1
    plain["N"] = plain["N"]._replace(blocked_by="ships")  # S2
    return _with_heroes(plain, 1)  # S3


def _blueprint_rows() -> dict[str, Row]:
    """14.2: taking = moving; all but aircraft blocked by the first piece."""
    reaches = {
        "C": ((1, 0), (2, 2)),
        "T": ((2, 0), (4, 0)),
        "A": ((3, 0), (6, 0)),
        "N": ((3, 0), (6, 0)),
        "F": ((4, 4), (8, 8)),
        "I": ((1, 1), (2, 2)),
        "M": ((1, 1), (2, 2)),
        "H": ((0, 0), (1, 1)),
    }
    rows = {}
    for letter, both in reaches.items():
        flies = letter == "F"
        for mark, reach in zip(("", "+"), both, strict=True):
            row = Row(reach, reach, reach, "none" if flies else "all", flies, 0)
            rows[mark + letter] = row
    return rows


def _stack_names(*stacks: tuple[str, str]) -> frozenset[str]:
    """Letters of carrier and passengers in ORDER; `passengers` lists choices parted by blanks."""
    return frozenset(
        "".join(sorted(carrier + cargo, key=ORDER.index))
        for carrier, choices in stacks
        for cargo in choices.split()
    )


COMMON_STACKS = _stack_names(("T", "C I M"), ("E", "A G S"), ("H", "C"))
OFFICIAL_STACKS = COMMON_STACKS | _stack_names(  # 7.2
    ("N", "FF TT FT FC FI FM F T C I M"), ("F", "T C I M")
)
ONLINE_STACKS = COMMON_STACKS | _stack_names(  # S4
    ("N", "F T C I M FT FC FI FM"), ("F", "T C I M TC TI TM")
)
BLUEPRINT_STACKS = frozenset(s for s in ONLINE_STACKS if not set(s) & set("EGS"))

RANKS = range(1, 13)
RIVER_MOUTH = squares("de", (6, 7))
WATER = squares("ab", RANKS)
MIXED = squares("c", RANKS) | RIVER_MOUTH
LAND = squares("cdefghijk", RANKS)  # 2.2: land and mixed points
START = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/"
    "2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
)
BLUEPRINT_START = (  # 14.4: the official array without E G S, file l empty
    "6c5/1n2fh1hf3/3a5a2/2n2t1t4/2i3m3i1/12/12/2I3M3I1/2N2T1T4/3A5A2/1N2FH1HF3/6C5 r - - 0 1"
)


@cache
def law_of(name: str) -> Law:
    """The rule set of this name."""
    if name == "official":
        return Law(
            name, 11, _with_heroes(_official_rows(), 2), OFFICIAL_STACKS, LAND, WATER | MIXED,
            LAND, WATER, rays(11), lines(11), START,
        )  # fmt: skip
    if name == "online":
        return Law(
            name, 11, _online_rows(), ONLINE_STACKS, LAND, WATER | MIXED,
            LAND, WATER, rays(11), lines(11), START,
            boarder_stands=True, ship_stays_if_unsailable=False, returns_from_aircraft=True,
            one_ring_exchange=True, shelter=False, single_steps=True, heroes_each_step=True,
            facing_is_check=False,
            commander_over_water=False,
        )  # fmt: skip
    if name == "blueprint":
        land = squares("cdefghijkl", RANKS)
        mixed = squares("c", RANKS) | squares("defghijk", (4, 9))  # 14.1
        return Law(
            name, 12, _blueprint_rows(), BLUEPRINT_STACKS, land, WATER | mixed,
            land | WATER, WATER, rays(12), lines(12), BLUEPRINT_START,
            path_terrain=False, returns=False, rings=False, shelter=False, facing=False,
            facing_is_check=False, last_guard=False, safe_steps=True, few_stay_captures=True,
        )  # fmt: skip
    raise ValueError(f"unknown rule set {name!r}")
