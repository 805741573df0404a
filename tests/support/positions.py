"""Seeded random set-ups, rich in what makes the law hard: stacks, heroes, ships, aircraft, shelter.

Made with the oracle's tables and text, never with the core.
"""

from __future__ import annotations

import random

from oracle import attacked
from oracle_moves import commander, facing
from oracle_tables import OTHER, Board, Law, Pieces, arrange, law_of
from oracle_text import Position, fen, parse_fen

ARMY_SIZES = (1, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20)  # stacks beside the Commander's
HERO_RATES = (0.0, 0.1, 0.4)
CLOCKS = (0, 0, 1, 3, 17, 60, 97, 98, 99, 100)
SINGLES = "IIMMTTTAAEGSFFFNNNH"
NEAR = 3  # points

# Set-ups that random ones seldom hit, on points that serve every rule set.
COMMON_THEMES = (
    # 10.1: a study without Commanders
    "11/3f4t2/11/2n1a6/5i5/11/4T1M4/2(NF)8/6A4/11/3H7/11 r - - 0 1",
    # 9.2: one guard each, then one in a stack with its Commander
    "11/11/6c4/11/4t6/11/11/5I5/11/3F7/3C7/11 r - - 0 1",
    "11/2(nc)8/11/11/11/11/11/11/11/5T5/6C4/11 b - - 12 30",
    # 3.3: heroic Commanders and heroic Headquarters
    "11/3+h2+c4/5i5/11/4+T6/11/11/6+F4/5t5/4+H6/3+C7/11 r - - 0 1",
    # 7, 8: full ships, and a Commander at sea
    "1(nft)7c1/(nfm)10/11/3(ft)2(tm)4/11/11/11/1(NFI)3(FM)5/(NFC)2A7/11/3T7/11 r - - 99 1",
    # 4.4: Commanders in their Headquarters, Artillery and ships near
    "6(hc)4/5T1I3/2NA7/11/5M5/11/4F6/11/4t6/3im2a3/5(HC)5/2n8 r - - 0 1",
    # 6.3: Commanders facing, one of them carried
    "11/6c4/11/11/11/11/11/11/11/2A3(TC)4/11/3f7 r - - 0 1",
    # 10.3: no move and no check
    "11/3h7/11/11/11/11/11/11/11/11/3H7/11 r - - 5 9",
)
OFFICIAL_THEMES = (
    # 7.2: two equal passengers
    "(nff)1(ntt)6c1/11/3(eg)7/11/4(es)6/11/11/3(EA)7/(N+FF)1(N+TT)8/1(NTT)9/4C1(EG)4/11 r - - 0 1",
    # 5.2: aircraft before several rings
    "8c2/4g1g4/5s5/2n2i5/4g6/11/3F1F5/5F5/2N8/4S1G4/8C2/11 r - - 0 1",
)


def start_positions(rules: str) -> list[str]:
    """The start position of a rule set, then set-ups with a theme."""
    law, official = law_of(rules), law_of("official")
    themes = COMMON_THEMES + (OFFICIAL_THEMES if rules == "official" else ())
    return [law.start, *(fen(law, parse_fen(official, theme)) for theme in themes)]


def random_fen(rng: random.Random, rules: str) -> str:
    """A valid set-up with both Commanders, no deployment under way."""
    law = law_of(rules)
    turn = rng.choice("rb")
    while True:
        board = _random_board(law, rng)
        if _wanted(law, rng, board, turn):
            break
    return fen(law, Position(board, turn, rng.choice(CLOCKS), rng.randint(1, 60)))


def _wanted(law: Law, rng: random.Random, board: Board, turn: str) -> bool:
    """Keeps a few set-ups in which the Commanders face or can be taken at once (6.3, 4.5)."""
    commanders = commander(board, "r"), commander(board, "b")
    if law.facing and facing(law, board, *commanders) and rng.random() > 0.15:
        return False
    return not attacked(law, board, OTHER[turn]) or rng.random() < 0.15


def _random_board(law: Law, rng: random.Random) -> Board:
    board: Board = {}
    rate, near = rng.choice(HERO_RATES), rng.random() < 0.5
    for color in rng.sample("rb", 2):
        _place(law, rng, board, color, _commander_stack(law, rng), rate / 2, near)
    for color in "rb":
        for _ in range(rng.choice(ARMY_SIZES)):
            _place(law, rng, board, color, _stack(law, rng), rate, near)
    return board


def _commander_stack(law: Law, rng: random.Random) -> str:
    stacks = sorted(s for s in law.stacks if "C" in s)
    return rng.choice(["C", "C", "HC", rng.choice(stacks)])


def _stack(law: Law, rng: random.Random) -> str:
    """Letters of a single piece or of any valid stack without the Commander."""
    if rng.random() < 0.55:
        return rng.choice([letter for letter in SINGLES if letter in law.rows])
    return rng.choice(sorted(s for s in law.stacks if "C" not in s))


def _place(
    law: Law, rng: random.Random, board: Board, color: str, letters: str, rate: float, near: bool
) -> None:
    """Puts a stack on a free point, often near one that is taken; heroes at the given rate."""
    marks = tuple(("+" if rng.random() < rate else "") + letter for letter in letters)
    pieces: Pieces = arrange(marks)
    free = [p for p in sorted(law.ground(pieces[0])) if p not in board]
    if near and board and rng.random() < 0.7:
        free = [p for p in free if any(_close(p, q) for q in board)] or free
    if free:
        board[rng.choice(free)] = (color, pieces)


def _close(a: int, b: int) -> bool:
    return abs(a // 16 - b // 16) <= NEAR and abs(a % 16 - b % 16) <= NEAR


# Arbitrary set-ups by theme: what random ones seldom hit. Nothing is asked of them but that a FEN
# may say so (11.3).

THEMES = ("stacks", "equals", "heroes", "shelter", "facing", "deployment", "few", "crowd")


def themed_fen(rng: random.Random, rules: str, theme: str) -> str:
    """A set-up of a theme; both Commanders are there unless few pieces are."""
    law = law_of(rules)
    board = _themed_board(law, rng, theme)
    turn = rng.choice("rb")
    position = Position(board, turn, rng.choice(CLOCKS), rng.randint(1, 60))
    if theme == "deployment" or rng.random() < 0.1:
        position = _under_way(law, rng, position)
    return fen(law, position)


def _themed_board(law: Law, rng: random.Random, theme: str) -> Board:
    board: Board = {}
    rate = 1.0 if theme == "heroes" else rng.choice(HERO_RATES)
    near = rng.random() < 0.7
    if theme == "facing":
        _face(law, rng, board)
    else:
        for color in rng.sample("rb", 2):
            if theme != "few" or rng.random() < 0.9:
                stack = "HC" if theme == "shelter" else _commander_stack(law, rng)
                _place(law, rng, board, color, stack, rate / 2, near)
    sizes = {"few": (0, 1, 1, 2), "crowd": (18, 24, 30)}.get(theme, ARMY_SIZES)
    for color in "rb":
        for _ in range(rng.choice(sizes)):
            _place(law, rng, board, color, _themed_stack(law, rng, theme), rate, near)
    return board


def _themed_stack(law: Law, rng: random.Random, theme: str) -> str:
    stacks = sorted(s for s in law.stacks if "C" not in s)
    twins = [s for s in stacks if len(set(s)) < len(s)]
    if theme == "equals" and twins and rng.random() < 0.7:
        return rng.choice(twins)
    if theme in ("stacks", "deployment") and rng.random() < 0.8:
        return rng.choice(stacks)
    return _stack(law, rng)


def _face(law: Law, rng: random.Random, board: Board) -> None:
    """6.1: Commanders on one line, alone or carried, with up to two points between them."""
    ground = sorted(law.land)
    while len(board) < 2:
        board.clear()
        one = rng.choice(ground)
        line = rng.choice(law.rays[one][::2])
        other = [point for point in line[: rng.randint(1, 11)] if point in law.land][-1:]
        for color, point in zip(rng.sample("rb", 2), [one, *other], strict=False):
            letters = rng.choice(["C", "C", "HC", "TC"])
            if not law.valid(tuple(letters)):
                letters = "C"
            board[point] = (color, tuple(letters))


def _under_way(law: Law, rng: random.Random, position: Position) -> Position:
    """11.2: a deployment of some stack, of which some pieces may have acted or left."""
    own = [p for p, (color, _) in sorted(position.board.items()) if color == position.turn]
    if not own:
        return position
    origin = max(rng.sample(own, min(len(own), 3)), key=lambda p: len(position.board[p][1]))
    pieces = position.board[origin][1]
    rest = arrange(tuple(rng.sample(pieces, rng.randint(1, len(pieces)))))
    return Position(
        position.board, position.turn, position.halfmove, position.fullmove, origin, rest
    )
