"""Where the tuner starts: weights guessed by formula, for both games.

Each function returns pairs (full board, bare board), in the order of the core's terms.
"""

from __future__ import annotations

Pairs = list[tuple[float, float]]


def by_rank(full: list[float], bare: list[float]) -> Pairs:
    """Weights of a term that is indexed by rank."""
    return list(zip(full, bare, strict=True))


def chess_place() -> Pairs:
    """Piece-square weights: the middle is good, pawns go forward, kings hide and later come out."""
    pairs: Pairs = []
    for kind in "PNBRQK":
        for rank in range(8):
            for file in range(4):
                middle = file + min(rank, 7 - rank)  # 0 in the corner, 6 in the centre
                pairs.append(_chess_square(kind, rank, file, middle))
    return pairs


def _chess_square(kind: str, rank: int, file: int, middle: int) -> tuple[float, float]:
    if kind == "P":
        return (file * 4 - 6) * (rank >= 2) + (rank - 2) * 3, (rank - 2) * 8
    if kind == "N":
        return middle * 9 - 34 + (rank in (4, 5)) * 6, middle * 6 - 22
    if kind == "B":
        return middle * 4 - 14 - (rank == 0) * 6, middle * 3 - 9
    if kind == "R":
        return file * 4 - 8 + (rank == 6) * 14, (rank == 6) * 10
    if kind == "Q":
        return (rank in (1, 2)) * 4 - (rank >= 5) * 2, middle * 5 - 16
    home = (28, 34, 8, -4)[file] if rank == 0 else (6, 4, -12, -20)[file]
    return home - 16 * max(rank - 1, 0), middle * 9 - 34


def chess() -> Pairs:
    """All terms of the chess evaluation."""
    out: Pairs = [(90, 105), (330, 310), (345, 330), (470, 540), (980, 980)]
    out += chess_place()
    for most, full, bare in ((8, 5, 5), (13, 5, 5), (14, 3, 5), (27, 2, 4)):
        out += [((n - most * 0.45) * full, (n - most * 0.45) * bare) for n in range(most + 1)]
    out += by_rank([0, 2, 2, 8, 22, 45, 70, 0], [0, 8, 12, 25, 50, 90, 140, 0])  # passed
    out += by_rank([0, 0, 0, 3, 6, 10, 15, 0], [0, 2, 5, 12, 25, 45, 70, 0])  # its way is free
    out += by_rank([0, 0, 0, 0, 4, 8, 12, 0], [0, 0, 2, 6, 15, 30, 50, 0])  # and safe
    out += by_rank([0] * 8, [0, 0, 0, -3, -7, -10, -12, 0])  # own king's distance
    out += by_rank([0] * 8, [0, 0, 0, 6, 12, 17, 20, 0])  # enemy king's distance
    out += by_rank([0, 0, 10, 8, 14, 26, 50, 0], [0, 0, 8, 8, 14, 26, 50, 0])  # supported
    out += by_rank([0, 2, 6, 10, 18, 35, 60, 0], [0, 1, 4, 8, 15, 30, 50, 0])  # phalanx
    out += [(-12, -14), (-8, -18), (-10, -12)]  # isolated, doubled, backward
    out += [(28, 50), (26, 14), (12, 8), (26, 18), (20, 10), (-3, -4)]
    out += by_rank([-18, 24, 16, 4, 0, 0, 0, 0], [0] * 8)  # shelter
    out += by_rank([0, 0, -28, -18, -6, -2, 0, 0], [0] * 8)  # storm
    out += [(-10, 0)]
    out += [(10, 0)]  # castling
    out += [(n * n * 0.15, n * 0.5) for n in range(64)]  # danger to the king
    out += [(10, 5), (5, 5), (10, 5), (8, 5)]  # safe checks
    out += [(-10, -8), (-10, -8), (-15, -12), (-25, -20)]  # pinned
    out += [(52, 40), (55, 45), (80, 40), (70, 40)]  # threats by pawns
    out += [(4, 12), (20, 24), (24, 26), (44, 30), (38, 40)]  # by minor pieces
    out += [(0, 14), (18, 26), (18, 24), (6, 10), (44, 40)]  # by rooks
    out += [(2, 6), (4, 6), (4, 6), (4, 6), (0, 0), (10, 20)]  # by the queen and the king
    out += [(22, 16), (3, 2), (18, 12)]  # hanging, restricted, push threats
    out += [
        (5, 2),
        (4, 12),
        (2, 0),
        (22, 14),
    ]  # minor behind pawn, rook behind passed, space, tempo
    return out


#: Plain worth of the kinds, in the core's order: the rulebook's points (article 3) times ten.
CTL_VALUES = {
    "N": 800, "F": 450, "T": 220, "E": 90, "H": 60, "C": 0,
    "I": 100, "M": 110, "A": 320, "G": 120, "S": 220,
}  # fmt: skip
CTL_MOBILITY = {
    "N": 3, "F": 2, "T": 4, "E": 2, "H": 2, "C": 0,
    "I": 2, "M": 2, "A": 3, "G": 2, "S": 3,
}  # fmt: skip


def ctl() -> Pairs:
    """All terms of the evaluation of Cờ Tư Lệnh."""
    out: Pairs = []
    for kind, value in CTL_VALUES.items():
        hero = value * 1.35 + 30 if kind != "C" else 0
        out += [(hero, hero), (value, value)]
    out += [(-5, -5) for _ in CTL_VALUES]  # carried
    for kind in CTL_VALUES:  # going forward is good, for Commander and Headquarters it is not
        step = {"C": -6.0, "H": 0.0, "G": 1.0, "N": 2.0, "F": 1.0}.get(kind, 4.0)
        out += [(step * (rank - 3), step * (rank - 3)) for rank in range(12)]
    out += [(0, 0)] * (11 * 12)  # files
    out += [(worth, worth) for worth in CTL_MOBILITY.values()]
    for share in (0.04, 0.12):  # attacked; attacked and not defended
        out += [(value * share, value * share) for value in CTL_VALUES.values()]
    out += [(3, 3)] * 11  # defended
    out += [(1, 1), (2, 1), (1, 0), (8, 8), (3, 3), (10, 10)]  # sea, sky (2), air, bridges (2)
    out += [(n * n * 4.0, n * n * 4.0) for n in range(8)]  # attackers
    out += [(n * 10.0, n * 10.0) for n in range(9)]  # hits
    out += [(n * 5.0 - 20, n * 5.0 - 20) for n in range(8)]  # escapes
    out += [(n * 4.0, n * 4.0) for n in range(8)]  # guards
    out += [(12, 12), (40, 20), (-10, -10), (0, 0), (0, 0), (0, 0)]
    out += [(-300, -300), (-80, -80), (20, 20)]
    return out
