# ruff: noqa: N803, N806  (the notes have their own names)
"""A slow twin of `cotulenh.chess.tables`, filled by the loops of the design notes (004).

The names are the notes'. Their slips are mended: the bishops' loop fills the bishops' table, the
rooks' loop starts from the rooks' masks, the mapping takes as many bits as there are squares. Masks
and traced moves come from walking; of the package only the magics are taken, for a magic is
whatever factor works.
"""

CAP_TO_64_BITS = lambda number: number & ((1 << 64) - 1)  # noqa: E731  (as in the notes)
DEBRUIJN64 = 0x07EDD5E59A4E28C2
ROOK_BIT_SHIFT = 52
ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (-1, 1), (1, -1), (-1, -1))

DEBRUIJN_LOOKUP_TABLE = [0] * 64
for index in range(64):
    DEBRUIJN_LOOKUP_TABLE[CAP_TO_64_BITS((1 << index) * DEBRUIJN64) >> 58] = index


def bit_index(bitmask):
    return DEBRUIJN_LOOKUP_TABLE[CAP_TO_64_BITS(bitmask * DEBRUIJN64) >> 58]


def trace(occupancy, square, steps):
    """Counts out in each direction, stopping at the end of the board or at a blocking piece."""
    moves = 0
    for df, dr in steps:
        file, rank = square % 8 + df, square // 8 + dr
        while 0 <= file < 8 and 0 <= rank < 8:
            moves |= 1 << (8 * rank + file)
            if occupancy >> (8 * rank + file) & 1:
                break
            file, rank = file + df, rank + dr
    return moves


def traceOutRookMoves(occupancy, square):
    return trace(occupancy, square, ROOK_STEPS)


def traceOutBishopMoves(occupancy, square):
    return trace(occupancy, square, BISHOP_STEPS)


def relevant(square, steps):
    """Without the outer edges: whether a piece stands at the end of a line changes nothing."""
    mask = 0
    for step in steps:
        line = trace(0, square, (step,))
        ends = [s for s in range(64) if line >> s & 1 and not trace(0, s, (step,))]
        mask |= line & ~sum(1 << s for s in ends)
    return mask


RELEVANT_ROOK_BITMASKS = [relevant(square, ROOK_STEPS) for square in range(64)]
RELEVANT_BISHOP_BITMASKS = [relevant(square, BISHOP_STEPS) for square in range(64)]
BISHOP_SHIFTS = [64 - bitmask.bit_count() for bitmask in RELEVANT_BISHOP_BITMASKS]


def mapLinearOccToSquares(squares, linearOccupation):
    return sum(1 << square for i, square in enumerate(squares) if linearOccupation >> i & 1)


def fill(masks, magics, shifts, width, traceOut):
    table = [[0 for _ in range(width)] for _ in range(64)]
    for squarePosition in range(64):  # step 1
        squares = []
        mask = masks[squarePosition]
        while mask:  # step 2
            LSB = mask & -mask
            squares.append(bit_index(LSB))
            mask ^= LSB
        for linearOccupation in range(1 << len(squares)):  # step 3
            mappedOccupancy = mapLinearOccToSquares(squares, linearOccupation)  # step 4
            product = CAP_TO_64_BITS(mappedOccupancy * magics[squarePosition])
            slot = product >> shifts[squarePosition]  # step 5
            moves = traceOut(mappedOccupancy, squarePosition)
            assert table[squarePosition][slot] in (0, moves), "two answers in one place"
            table[squarePosition][slot] = moves  # step 6
    return table
