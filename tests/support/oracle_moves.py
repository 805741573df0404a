"""The oracle's pseudo-legal moves: §2 to §7 of the law, one step of one piece or stack."""

from __future__ import annotations

from itertools import pairwise

from oracle_tables import (
    BRIDGE_FILES,
    CORNERS,
    HEAVY,
    INDIRECT,
    OTHER,
    Board,
    Law,
    Pieces,
    Row,
    Stack,
    arrange,
)
from oracle_text import BREACH


def commander(board: Board, color: str) -> int:
    """The point of this side's Commander, carried or not; -1 if it has none."""
    for point, (owner, pieces) in board.items():
        if owner == color and holds_commander(pieces):
            return point
    return -1


def holds_commander(pieces: Pieces) -> bool:
    return "C" in pieces or "+C" in pieces


def is_ship(stack: Stack) -> bool:
    """3.1: what a target is is decided by its carrier."""
    return stack[1][0][-1] == "N"


def clear(board: Board, points: tuple[int, ...]) -> bool:
    return all(p not in board for p in points)


def facing(law: Law, board: Board, a: int, b: int) -> bool:
    """6.1: one rank or file with no piece between."""
    line = law.lines[a].get(b)
    return line is not None and not line.diagonal and clear(board, line.between)


# 5 Air defence


def defenders(law: Law, board: Board, color: str) -> list[tuple[int, int]]:
    """5.1: points and squared rings of this side's uncarried (or carrying) defenders."""
    rows = law.rows
    return [
        (point, rows[pieces[0]].ring ** 2)
        for point, (owner, pieces) in board.items()
        if owner == color and rows[pieces[0]].ring
    ]


def cover(guards: list[tuple[int, int]], point: int) -> set[int]:
    """5.2: the defenders covering a point."""
    r, f = divmod(point, 16)
    found = set()
    for g, square in guards:
        dr, df = g // 16 - r, g % 16 - f
        if dr * dr + df * df <= square:
            found.add(g)
    return found


def meets_rings(law: Law, piece: str) -> bool:
    """3.2: a heroic Air Force ignores rings."""
    return law.rings and piece == "F"


def flight(law: Law, guards: list[tuple[int, int]], path: tuple[int, ...]) -> str:
    """5.2 for a taking flight past these defenders: "free", "exchange" or "none"."""
    covers = [cover(guards, p) for p in path]
    hit = set().union(*covers)
    if not hit:
        return "free"
    # S8: exactly one defender on the whole path, and it covers the target. Else: nobody hits the
    # aircraft before the target who does not cover the target too.
    allowed = len(hit) == 1 if law.one_ring_exchange else True
    return "exchange" if allowed and hit == covers[-1] else "none"


# Moving and boarding


def quiet_moves(
    law: Law, board: Board, color: str, src: int, group: Pieces
) -> list[tuple[int, str]]:
    """Quiet moves and combinations (7.1) of `group` from `src`: pairs of point and kind."""
    row = law.rows[group[0]]
    guards = defenders(law, board, OTHER[color]) if meets_rings(law, group[0]) else []
    exposed = facing_points(law, board, color, src, group)
    moves: list[tuple[int, str]] = []
    for i, ray in enumerate(law.rays[src]):
        previous = src
        afloat = False  # 2.6: over water by now, which only a Commander boarding a ship may be
        for point in ray[: row.move[i % 2]]:
            if not _may_step(law, group[0], previous, point):
                break
            if point in exposed or (guards and cover(guards, point)):
                break
            there = board.get(point)
            if there is None:
                if law.stands(group, point) and not afloat:
                    moves.append((point, ""))
            elif (
                there[0] == color
                and (is_ship(there) or not afloat)
                and _may_board(law, group, there[1], point)
            ):
                moves.append((point, "&"))
            if not _may_pass(law, row, color, group[0], point, there):
                if there is not None or not law.commander_over_water or group[0][-1] != "C":
                    break
                afloat = True
            previous = point
    return moves


def _may_step(law: Law, carrier: str, previous: int, point: int) -> bool:
    """Terrain of one step of a moving or boarding piece, the last one included."""
    letter = carrier[-1]
    if not law.path_terrain:
        return True
    if letter == "N":  # 2.5
        return point in law.sea and (previous, point) not in CORNERS
    if letter in HEAVY and {previous // 16, point // 16} == {5, 6}:  # 2.4
        return previous % 16 == point % 16 and point % 16 in BRIDGE_FILES
    return True


def _may_board(law: Law, group: Pieces, there: Pieces, point: int) -> bool:
    """7.1"""
    both = arrange(group + there)
    if not law.valid(both) or not law.stands(both, point):
        return False
    flies = group[0][-1] == "F"
    return flies or not law.boarder_stands or law.stands(group, point)  # S5


def _may_pass(
    law: Law, row: Row, color: str, carrier: str, point: int, there: Stack | None
) -> bool:
    """Whether a moving piece may go on beyond `point`: §3 blocking, 2.6."""
    if law.path_terrain and carrier[-1] not in "NF" and point not in law.land:  # 2.6
        return False
    if there is None or row.blocked_by == "none":
        return True
    if row.blocked_by == "enemies":
        return there[0] == color
    return row.blocked_by == "ships" and not is_ship(there)  # S2


def facing_points(law: Law, board: Board, color: str, src: int, group: Pieces) -> set[int]:
    """6.2: points a Commander moving by itself may not enter or pass."""
    if not law.facing or len(group) > 1 or group[0][-1] != "C":
        return set()
    enemy = commander(board, OTHER[color])
    if enemy < 0:
        return set()
    points: set[int] = set()
    screens = len(board[src][1]) > 1  # the rest of his stack stays and may screen
    for ray in law.rays[enemy][::2]:
        for point in ray:
            points.add(point)
            if point in board and (point != src or screens):
                break
    return points


# 4 Taking


def takes(
    law: Law, board: Board, color: str, src: int, group: Pieces, dst: int, deploy: bool
) -> tuple[str, ...]:
    """The ways in which `group` on `src` may take the enemy stack on `dst`."""
    kinds = reach_takes(law, board, color, src, group, dst, deploy)
    if len(group) == 1 and group[0][-1] == "C" and law.facing:
        kinds = _lawful_for_commander(law, board, color, src, group, dst, kinds)
    return kinds


def _lawful_for_commander(
    law: Law, board: Board, color: str, src: int, group: Pieces, dst: int, kinds: tuple[str, ...]
) -> tuple[str, ...]:
    """6.3: a facing Commander takes at any distance; 6.2: no replacing into a facing line."""
    if holds_commander(board[dst][1]):
        face_take = "x" if law.stands(group, dst) else "_"
        if facing(law, board, src, dst) and face_take not in kinds:
            return (*kinds, face_take)
    elif "x" in kinds:
        exposed = facing_points(law, board, color, src, group)
        if exposed.intersection((*law.lines[src][dst].between, dst)):
            return tuple(kind for kind in kinds if kind != "x")
    return kinds


def reach_takes(
    law: Law, board: Board, color: str, src: int, group: Pieces, dst: int, deploy: bool
) -> tuple[str, ...]:
    """Takes within the range of §3, by 4.1 to 4.4 and 5.2."""
    line = law.lines[src].get(dst)
    if line is None:
        return ()
    piece, target = group[0], board[dst]
    row = law.rows[piece]
    reach = row.take_ships if is_ship(target) else row.take
    if line.distance > reach[line.diagonal]:
        return ()
    if not row.over and not clear(board, line.between):
        return ()
    if meets_rings(law, piece):
        way = flight(law, defenders(law, board, OTHER[color]), (*line.between, dst))
        if way != "free":
            return ("@",) if way == "exchange" and not holds_commander(group) else ()  # 5.3
    if law.shelter and _sheltered(target[1]) and piece[-1] not in INDIRECT:
        return (BREACH,)
    return _landing(law, src, group, dst, target, deploy)


def _sheltered(pieces: Pieces) -> bool:
    """4.4: a Commander inside a Headquarters."""
    return len(pieces) == 2 and pieces[0][-1] == "H" and pieces[1][-1] == "C"


def _landing(
    law: Law, src: int, group: Pieces, dst: int, target: Stack, deploy: bool
) -> tuple[str, ...]:
    """4.1 to 4.3: replace, stay, or the aircraft's choice."""
    letter = group[0][-1]
    stands = law.stands(group, dst)
    if letter == "F":
        if not stands:
            return ("_",)
        aircraft = target[1][0][-1] == "F" and not law.returns_from_aircraft  # S7
        return ("x",) if deploy or aircraft or not law.returns else ("x", "_")
    if law.few_stay_captures and not stands:  # 14.3
        return ("_",) if letter == "N" or (letter == "A" and is_ship(target)) else ()
    if letter == "N" and stands and law.ship_stays_if_unsailable and not sailable(law, src, dst):
        return ("_",)  # 4.2
    return ("x",) if stands else ("_",)


def sailable(law: Law, src: int, dst: int) -> bool:
    """2.5: every point of the path takes ships, and no land corner is cut."""
    if not law.path_terrain:
        return True
    path = (src, *law.lines[src][dst].between, dst)
    return all(b in law.sea and (a, b) not in CORNERS for a, b in pairwise(path))


def attacks(law: Law, board: Board, color: str, src: int, piece: str, dst: int) -> bool:
    """6.4: could this single piece, carried or not, take the stack on `dst` as it stands?"""
    kinds = reach_takes(law, board, color, src, (piece,), dst, False)
    if kinds:
        return kinds != (BREACH,) or _faces(law, board, src, piece, dst)
    return _faces(law, board, src, piece, dst)


def _faces(law: Law, board: Board, src: int, piece: str, dst: int) -> bool:
    """6.4, S12: facing counts as being attacked."""
    return (
        law.facing_is_check
        and piece[-1] == "C"
        and holds_commander(board[dst][1])
        and facing(law, board, src, dst)
    )


def attackers(law: Law, board: Board, color: str, dst: int) -> list[tuple[int, str]]:
    """All pieces of this side, carried ones included, that attack the stack on `dst`."""
    lines = law.lines[dst]
    return [
        (point, piece)
        for point, (owner, pieces) in board.items()
        if owner == color and point in lines
        for piece in pieces
        if attacks(law, board, color, point, piece, dst)
    ]
