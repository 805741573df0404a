"""The design notes on move generation (003), statement by statement.

Each test cites the statement it checks.
"""

import pytest

import cotulenh.chess.tables as tables
from cotulenh.chess import BLACK, PAWN, WHITE, Board, Kind, Move, MoveKind, Square, SquareSet

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SHARP = [
    KIWIPETE,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/1Ppp4/1K1k4/8/8/8 w - c6 0 1",
]


def targets(board, square):
    return {m.to_square for m in board.pseudo_legal_moves if m.from_square == Square(square)}


# Representation -----------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", SHARP)
def test_sixteen_bits(fen):
    """From-square (6 bits) and to-square (6 bits) ... promotion, 2 bits ... 2 bits leftover."""
    for move in Board(fen).pseudo_legal_moves:
        bits = int(move)
        assert bits < 1 << 16
        assert bits & 63 == move.from_square
        assert bits >> 6 & 63 == move.to_square
        assert MoveKind(bits >> 14) is move.kind
        promotion = "NBRQ"[bits >> 12 & 3]
        assert move.promotion is (Kind(promotion) if move.kind is MoveKind.PROMOTION else None)


def test_the_flags():
    """Use these for flags (mark as promotion, en passant, or castle)."""
    assert [kind.name for kind in MoveKind] == ["NORMAL", "PROMOTION", "EN_PASSANT", "CASTLING"]
    assert Board(SHARP[2]).parse_uci("g2g1n").kind is MoveKind.PROMOTION
    assert Board(SHARP[3]).parse_uci("b5c6").kind is MoveKind.EN_PASSANT
    assert Board(KIWIPETE).parse_uci("e1g1").kind is MoveKind.CASTLING
    assert Board().parse_uci("e2e4").kind is MoveKind.NORMAL


def test_four_promotion_types():
    """2 bits to represent 4 promotion types."""
    board = Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    promotions = [move for move in board.legal_moves if move.promotion]
    assert {move.promotion.letter for move in promotions} == set("NBRQ")
    assert len(promotions) == 4


# Pseudo-legal moves -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),  # a pinned knight
        ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "e1e2"),  # a king into check
        ("4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "a2a3"),  # a check not answered
        ("4k3/5r2/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),  # castling across an attacked square
        ("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),  # castling out of check
    ],
)
def test_pseudolegal_leaves_the_king_unsafe(fen, uci):
    """Able to be played if the rules regarding king safety ... did not exist."""
    board = Board(fen)
    assert uci in {move.uci() for move in board.pseudo_legal_moves}
    assert uci not in {move.uci() for move in board.legal_moves}


@pytest.mark.parametrize("fen", SHARP)
def test_legal_is_pseudolegal_and_safe(fen):
    """Every pseudo-legal move that leaves the king safe is legal, and no other."""
    board = Board(fen)
    legal = set(board.legal_moves)
    assert legal <= set(board.pseudo_legal_moves)
    for move in set(board.pseudo_legal_moves) - legal:
        with pytest.raises(ValueError, match="illegal move"):
            board.push(move)


def test_the_fifty_move_rule_does_not_touch_pseudolegality():
    """The 50 move rule, draw by repetition, and draw by material did not exist."""
    assert len(Board("7k/8/8/8/8/8/8/K7 w - - 149 150").pseudo_legal_moves) == 3


# Easy pieces --------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", range(64))
def test_knight_and_king_tables(square):
    """KNIGHT_MOVES[i] corresponds to the set of squares reachable by a knight (likewise kings)."""
    file, rank = square % 8, square // 8

    def reach(steps):
        around = [(file + df, rank + dr) for df, dr in steps]
        return sum(1 << 8 * r + f for f, r in around if 0 <= f < 8 and 0 <= r < 8)

    jumps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    assert tables.KNIGHT_MOVES[square] == reach(jumps)
    assert tables.KING_MOVES[square] == reach(steps)
    assert len(tables.KNIGHT_MOVES) == len(tables.KING_MOVES) == 64


def test_knights_move_by_table():
    """For from_sq in board[Knight] & board[player] ... (mended: not onto one's own pieces)."""
    board = Board(KIWIPETE)
    own = board.occupied(WHITE)
    for square in board.pieces("N", WHITE):
        assert targets(board, square) == set(SquareSet(tables.KNIGHT_MOVES[square]) - own)


# Pawns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", range(64))
def test_pawn_attacks(square):
    """Store a lookup table for attacks on each side."""
    for side, up in ((0, 1), (1, -1)):
        file, rank = square % 8, square // 8 + up
        expected = {(f, rank) for f in (file - 1, file + 1) if 0 <= f < 8 and 0 <= rank < 8}
        attacked = SquareSet(tables.PAWN_ATTACKS[side][square])
        assert {(s.file, s.rank) for s in attacked} == expected


def test_pushes_by_shifts():
    """singlemoves = pawns << 8 & !occupancy; doublemoves = singlemoves << 8 ... & RANK_4."""
    board = Board("4k3/8/8/3p4/1p1P4/4n3/PPP1PP2/4K3 w - - 0 1")
    pawns, empty = int(board.pieces(PAWN, WHITE)), ~int(board.occupied())
    single = pawns << 8 & empty
    double = single << 8 & empty & 0xFF000000
    pushes = {
        (move.from_square, move.to_square)
        for move in board.pseudo_legal_moves
        if move.from_square in board.pieces(PAWN, WHITE)
        and move.from_square.file == move.to_square.file
    }
    expected = {(to - 8, int(to)) for to in SquareSet(single)}
    expected |= {(to - 16, int(to)) for to in SquareSet(double)}
    assert pushes == expected
    # Mended: only the side's own pawns move. Black's pawns on b4 and d5 do not.
    assert (Square("b4"), Square("b5")) not in pushes
    assert len(pushes) == 7


def test_en_passant_by_hand():
    """Just manually check the en passant case: two pawns leave one rank at once."""
    pinned = Board("8/8/8/KPp4r/8/8/8/4k3 w - - 0 1")
    assert pinned.ep_square is None
    board = Board("8/2p5/8/KP5r/8/8/8/4k3 b - - 0 1")
    board.push_uci("c7c5")
    assert board.ep_square is None, "the rook would see the king"
    assert "b5c6" not in {move.uci() for move in board.legal_moves}
    board = Board("8/2p5/8/1P5r/K7/8/8/4k3 b - - 0 1")
    board.push_uci("c7c5")
    assert board.ep_square == Square("c6")
    assert board.san(board.parse_uci("b5c6")) == "bxc6"
    board.push_uci("b5c6")
    assert board.piece_at("c5") is None


# Sliders ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", SHARP[:2])
def test_attacks_are_the_squares_visible(fen):
    """_attacks_; the set of squares visible to a piece on a square, found in O(1)."""
    board = Board(fen)
    occupied, own = int(board.occupied()), board.occupied(WHITE)
    for letter, look in (("R", tables.rook_moves), ("B", tables.bishop_moves)):
        for square in board.pieces(letter, WHITE):
            assert targets(board, square) == set(SquareSet(look(square, occupied)) - own)
    for square in board.pieces("Q", WHITE):
        seen = tables.rook_moves(square, occupied) | tables.bishop_moves(square, occupied)
        assert targets(board, square) == set(SquareSet(seen) - own)
        for target in SquareSet(seen):
            assert square in board.attackers(WHITE, target)
    assert board.attackers(BLACK, "e5") == SquareSet(board.attackers(BLACK, "e5"))


def test_a_move_is_one_object():
    """Moves are packed values: the same bits are the same move."""
    assert Move.from_int(int(Move.from_uci("e2e4"))) is Move.from_uci("e2e4")
