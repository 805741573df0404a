"""A slow twin of the tables: written from the rulebook alone, with names of squares and plain sets.

It shares no code and no data with the package; its tables were typed from the articles they cite.
"""

from typing import NamedTuple

INF = 12
FILES = {"official": 11, "online": 11, "blueprint": 12}
RANKS = 12
STEPS = {
    "NORTH": (0, 1),
    "SOUTH": (0, -1),
    "EAST": (1, 0),
    "WEST": (-1, 0),
    "NORTH_EAST": (1, 1),
    "NORTH_WEST": (-1, 1),
    "SOUTH_EAST": (1, -1),
    "SOUTH_WEST": (-1, -1),
}


class Piece(NamedTuple):
    move: tuple
    take: tuple
    ships: tuple
    ring: int = 0


# Article 3 (normal) and 3.2 (heroic), of the official rules.
NORMAL = {
    "C": Piece((INF, 0), (1, 0), (1, 0)),
    "I": Piece((1, 0), (1, 0), (1, 0)),
    "M": Piece((1, 1), (1, 1), (1, 1)),
    "E": Piece((1, 0), (1, 0), (1, 0)),
    "T": Piece((2, 0), (2, 0), (2, 0)),
    "A": Piece((3, 3), (3, 3), (3, 3)),
    "G": Piece((1, 0), (1, 0), (1, 0), 1),
    "S": Piece((2, 1), (2, 1), (0, 0), 2),
    "F": Piece((4, 4), (4, 4), (4, 4)),
    "N": Piece((4, 4), (3, 3), (4, 4), 1),
    "H": Piece((0, 0), (0, 0), (0, 0)),
}
HEROIC = {
    "C": Piece((INF, INF), (2, 2), (2, 2)),
    "I": Piece((2, 2), (2, 2), (2, 2)),
    "M": Piece((2, 2), (2, 2), (2, 2)),
    "E": Piece((2, 2), (2, 2), (2, 2)),
    "T": Piece((3, 3), (3, 3), (3, 3)),
    "A": Piece((4, 4), (4, 4), (4, 4)),
    "G": Piece((2, 2), (2, 2), (2, 2), 2),
    "S": Piece((3, 2), (3, 2), (0, 0), 3),
    "F": Piece((5, 5), (5, 5), (5, 5)),
    "N": Piece((5, 5), (4, 4), (5, 5), 2),
    "H": Piece((2, 2), (2, 2), (2, 2)),
}
# S1 and S3 of article 13.
ONLINE_NORMAL = NORMAL | {"S": Piece((2, 1), (2, 1), (2, 1), 2)}
ONLINE_HEROIC = HEROIC | {
    "S": Piece((3, 2), (3, 2), (3, 2), 3),
    "H": Piece((1, 1), (1, 1), (1, 1)),
}


def same(o, d):
    return Piece((o, d), (o, d), (o, d))


# Article 14.2.
BLUEPRINT_NORMAL = {
    "T": same(2, 0),
    "A": same(3, 0),
    "N": same(3, 0),
    "F": same(4, 4),
    "I": same(1, 1),
    "M": same(1, 1),
    "C": same(1, 0),
    "H": same(0, 0),
}
BLUEPRINT_HEROIC = {
    "T": same(4, 0),
    "A": same(6, 0),
    "N": same(6, 0),
    "F": same(8, 8),
    "I": same(2, 2),
    "M": same(2, 2),
    "C": same(2, 2),
    "H": same(1, 1),
}
PIECES = {
    ("official", False): NORMAL,
    ("official", True): HEROIC,
    ("online", False): ONLINE_NORMAL,
    ("online", True): ONLINE_HEROIC,
    ("blueprint", False): BLUEPRINT_NORMAL,
    ("blueprint", True): BLUEPRINT_HEROIC,
}


#: Rule set, letter and heroic state of every piece there is.
CASES = [(rules, letter, heroic) for (rules, heroic), pieces in PIECES.items() for letter in pieces]


def name(file, rank):
    return f"{'abcdefghijkl'[file]}{rank + 1}"


def place(square):
    return "abcdefghijkl".index(square[0]), int(square[1:]) - 1


def board(rules):
    return [name(file, rank) for rank in range(RANKS) for file in range(FILES[rules])]


def on_board(rules, file, rank):
    return 0 <= file < FILES[rules] and 0 <= rank < RANKS


# Rays ---------------------------------------------------------------------------------------


def line(rules, direction, square, n=INF):
    """The first n points of a ray, nearest first."""
    step, (file, rank) = STEPS[direction], place(square)
    points = [(file + step[0] * k, rank + step[1] * k) for k in range(1, n + 1)]
    return [name(*point) for point in points if on_board(rules, *point)]


def cut(points, occupied):
    """A ray up to and including its first occupied point."""
    seen = []
    for point in points:
        seen.append(point)
        if point in occupied:
            break
    return seen


def between(rules, one, other):
    for direction in STEPS:
        points = line(rules, direction, one)
        if other in points:
            return set(points[: points.index(other)])
    return set()


def disc(rules, square, radius):
    file, rank = place(square)
    return {
        other
        for other in board(rules)
        if (place(other)[0] - file) ** 2 + (place(other)[1] - rank) ** 2 <= radius**2
    }


def rays(rules, letter, square, heroic, taking=False):
    piece = PIECES[rules, heroic][letter]
    orthogonal, diagonal = piece.take if taking else piece.move
    return [
        line(rules, direction, square, diagonal if "_" in direction else orthogonal)
        for direction in STEPS
    ]


def reach(rules, letter, square, heroic, taking=False):
    return {point for ray in rays(rules, letter, square, heroic, taking) for point in ray}


# Terrain ------------------------------------------------------------------------------------


def terrain(rules, square):
    """The sign of a point: articles 2.1, 2.3 and 14.1."""
    file, rank = square[0], int(square[1:])
    if file in "ab":
        return "W"
    if file == "c":
        return "M"
    if rules == "blueprint":
        if rank not in (4, 9) or file == "l":
            return "L"
        return "B" if file in "efg" else "R"
    if rank in (6, 7):
        return {"d": "R", "e": "R", "f": "B", "h": "B"}.get(file, "L")
    return "L"


def terrain_class(rules, square):
    sign = terrain(rules, square)
    mixed = {"M", "R", "B"} if rules == "blueprint" else {"M", "R"}
    return "water" if sign == "W" else "mixed" if sign in mixed else "land"


def stands(rules, letter, square):
    """Articles 2.2 and 14.1."""
    ground = terrain_class(rules, square)
    if letter == "N":
        return ground != "land"
    if letter == "F" and rules == "blueprint":
        return True
    return ground != "water"


def takes_by_staying(rules, letter, target):
    """Articles 4.1, 3 (missiles spare ships) and 14.3."""
    if rules == "blueprint":
        return letter == "N" or (letter == "A" and target == "N")
    return not (rules == "official" and letter == "S" and target == "N")


def stay_points(rules, letter):
    """Where a piece cannot stand though something it may take can."""
    return {
        square
        for square in board(rules)
        if not stands(rules, letter, square)
        and any(
            takes_by_staying(rules, letter, target) and stands(rules, target, square)
            for target in PIECES[rules, False]
        )
    }


def moves(rules, letter, square, occupied, friendly, heroic):
    """The design notes' generatePieceMoves, with the blocking of article 3 and 14.2."""
    blockers = set(occupied)
    if letter == "F":
        blockers = set()
    elif letter == "N" and rules == "official":
        blockers -= set(friendly)
    seen = {point for ray in rays(rules, letter, square, heroic) for point in cut(ray, blockers)}
    return {point for point in seen if stands(rules, letter, point)} - set(friendly)
