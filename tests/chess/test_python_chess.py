"""Boards as people know them from python-chess, compared with that package position by position."""

import pickle

import chess as other
import pytest
from chess_walks import walks

from cotulenh import IllegalMoveError, ParseError, PositionError
from cotulenh.chess import BLACK, WHITE, Board, Kind, Move, Piece, Square, SquareSet, flip_diagonal

SIDES = ((WHITE, True), (BLACK, False))


def test_what_moves_are():
    for ours, theirs, mine, move in walks(12, 60, 1):
        assert mine in ours.legal_moves
        assert ours.is_legal(mine)
        assert ours.is_capture(mine) == theirs.is_capture(move)
        assert ours.is_castling(mine) == theirs.is_castling(move)
        assert ours.is_kingside_castling(mine) == theirs.is_kingside_castling(move)
        assert ours.is_en_passant(mine) == theirs.is_en_passant(move)
        assert ours.is_zeroing(mine) == theirs.is_zeroing(move)
        assert ours.gives_check(mine) == theirs.gives_check(move)
        assert ours.lan(mine) == theirs.lan(move)
        assert ours.find_move(move.from_square, move.to_square, mine.promotion) == ours._resolve(
            mine
        )


def test_attacks_and_pins():
    for ours, theirs, _, _ in walks(4, 60, 2):
        for square in range(64):
            assert int(ours.attacks(square)) == int(theirs.attacks(square))
            for color, theirs_color in SIDES:
                if theirs.color_at(square) == theirs_color:
                    assert int(ours.pin(color, square)) == int(theirs.pin(theirs_color, square))
                    pinned = theirs.is_pinned(theirs_color, square)
                    assert ours.is_pinned(color, square) == pinned


def test_rights_claims_and_material():
    for ours, theirs, _, _ in walks(12, 120, 3):
        assert ours.can_claim_draw() == theirs.can_claim_draw()
        assert ours.shredder_fen().split()[2] == theirs.shredder_fen().split()[2]
        assert ours.mirror().fen().split()[:3] == theirs.mirror().fen().split()[:3]
        for color, side in SIDES:
            assert ours.has_insufficient_material(color) == theirs.has_insufficient_material(side)
            assert ours.has_castling_rights(color) == theirs.has_castling_rights(side)
            kings = theirs.has_kingside_castling_rights(side)
            assert ours.has_kingside_castling_rights(color) == kings


def test_pseudo_legal_moves():
    for ours, theirs, _, _ in walks(6, 60, 4):
        mine = {m.uci() for m in ours.pseudo_legal_moves if not ours.is_castling(m)}
        assert mine == {m.uci() for m in theirs.pseudo_legal_moves if not theirs.is_castling(m)}


def test_a_pinned_pawn_takes_en_passant_pseudo_legally():
    board = Board("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1")
    move = Move.from_uci("e4d3")
    assert move in board.pseudo_legal_moves
    assert move not in board.legal_moves
    assert board.is_into_check(move)


def test_chess960_positions_by_number():
    for number in range(960):
        board = Board.from_chess960_pos(number)
        assert board.fen() == other.Board.from_chess960_pos(number).fen()
        assert board.chess960_pos() == number
    with pytest.raises(ValueError, match="from 0 to 959, got 960"):
        Board.from_chess960_pos(960)


def test_castling_in_chess960_is_known_by_both_names():
    board = Board("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", chess960=True)
    assert Move.from_uci("f1g1") in board.legal_moves
    assert board.is_castling(Move.from_uci("f1g1"))
    assert Move.from_uci("f1b1") in board.legal_moves
    assert Move.from_uci("f1a1") not in board.legal_moves


# Unfinished boards ------------------------------------------------------------------------------


def test_a_board_is_set_up_piece_by_piece():
    board = Board.empty()
    assert board.status() == {"no_white_king", "no_black_king"}
    board.set_piece_at("e1", Piece.from_letter("K"))
    board.set_piece_at("e8", Piece.from_letter("k"))
    assert board.is_valid()
    board.set_piece_at("a1", Piece.from_letter("P"))
    assert board.status() == {"pawns_on_back_rank"}
    assert board.remove_piece_at("a1") == Piece(Kind.PAWN, WHITE)
    assert board.remove_piece_at("a1") is None
    assert len(board.legal_moves) == 5


def test_a_king_set_elsewhere_leaves_the_other_side_its_rights():
    start = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    board, theirs = Board(start), other.Board(start)
    board.set_piece_at("f8", board.remove_piece_at("e8"))
    theirs.set_piece_at(other.F8, theirs.remove_piece_at(other.E8))
    assert board.fen() == theirs.fen()
    assert board.castling_rights == SquareSet("a1 h1")


@pytest.mark.parametrize(
    "use",
    [
        lambda b: b.legal_moves,
        lambda b: b.pseudo_legal_moves,
        lambda b: b.push(Move.from_uci("e1e2")),
        lambda b: b.push_unchecked(Move.from_uci("e1e2")),
        lambda b: b.push_san("Ke2"),
        lambda b: b.push_uci("e1e2"),
        lambda b: b.push_null(),
        lambda b: b.san(Move.from_uci("e1e2")),
        lambda b: b.perft(2),
        lambda b: b.divide(2),
        lambda b: b.outcome(),
        lambda b: b.is_stalemate(),
        lambda b: b.is_legal(Move.from_uci("e1e2")),
        lambda b: b.find_move("e1", "e2"),
    ],
)
def test_moves_are_refused_until_the_position_is_whole(use):
    board = Board.empty()
    board.set_piece_at("e1", Piece.from_letter("K"))
    with pytest.raises(PositionError, match="unfinished: no_black_king") as caught:
        use(board)
    assert caught.value.problems == {"no_black_king"}


def test_an_engine_refuses_an_unfinished_board():
    from cotulenh.engine import Engine, Limit

    with Engine() as engine, pytest.raises(PositionError, match="unfinished"):
        engine.play(Board.empty(), Limit(depth=1))


def test_an_unfinished_board_can_be_looked_at():
    board = Board.empty()
    board.set_piece_at("d5", Piece.from_letter("q"))
    assert board.fen() == "8/8/8/3q4/8/8/8/8 w - - 0 1"
    assert board.piece_map() == {Square("d5"): Piece(Kind.QUEEN, BLACK)}
    assert not board.is_check()
    assert board.attacks("d5")
    assert board.king(WHITE) is None
    assert "<svg" in board._repr_svg_()
    assert board.copy() == board
    board.reset()
    assert board == Board()


# Text --------------------------------------------------------------------------------------------


def test_epd_both_ways():
    text = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4 e4; id "a \\"b\\""; acd 3;'
    board, operations = Board.from_epd(text)
    theirs = other.Board().set_epd(text)
    assert [m.uci() for m in operations["bm"]] == sorted(m.uci() for m in theirs["bm"])
    assert operations["id"] == theirs["id"]
    assert operations["acd"] == theirs["acd"]
    assert board.epd(**operations) == text


def test_epd_lines_counters_and_missing_semicolons():
    board, operations = Board.from_epd("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 30; pv e4 Kd7")
    assert (board.halfmove_clock, board.fullmove_number) == (7, 30)
    assert [move.uci() for move in operations["pv"]] == ["e2e4", "e8d7"]


@pytest.mark.parametrize("text", ["", "8/8", "4k3/8/8/8/8/8/8/4K3 w - - bm Qh9;"])
def test_a_bad_epd_is_refused(text):
    with pytest.raises(ValueError, match=r"EPD|Qh9"):
        Board.from_epd(text)


def test_variation_san():
    board = Board()
    line = [Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3")]
    assert board.variation_san(line) == "1. e4 e5 2. Nf3"
    board.push_san("e4")
    assert board.variation_san(line[1:]) == "1... e5 2. Nf3"


@pytest.mark.parametrize("blanks", ["  {}", "{} \n", "\t{}\r\n"])
def test_blanks_around_a_fen_do_not_matter(blanks):
    assert Board(blanks.format(Board().fen())) == Board()


# Moves and sets --------------------------------------------------------------------------------


def test_moves_are_made_from_their_parts():
    assert Move("e2", "e4") is Move.from_uci("e2e4")
    assert Move(52, 60, "q") == Move.from_uci("e7e8q")
    assert repr(Move("e2", "e4")) == "Move.from_uci('e2e4')"
    for wrong in (("e2", "e9"), ("e2", "e4", "k"), ("e2", "e4", 3)):
        with pytest.raises(ValueError, match=r"expected|no such|not a valid"):
            Move(*wrong)


def test_the_null_move():
    board = Board()
    board.push_null()
    assert board.turn is BLACK
    assert board.peek() is Move.null()
    assert not Move.null()
    assert Move.from_uci("0000") is Move.null()
    assert pickle.loads(pickle.dumps(Move.null())) is Move.null()
    assert board.pop() == Move.null()
    assert board == Board()
    board = Board("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")
    with pytest.raises(IllegalMoveError):
        board.push_null()


@pytest.mark.parametrize("text", ["a1a1", "e4e4", "h8h8", "g8g8q"])
def test_a_move_that_stays_is_none(text):
    """0000 alone is the null move; python-chess refuses the same texts."""
    with pytest.raises(other.InvalidMoveError):
        other.Move.from_uci(text)
    with pytest.raises(ParseError):
        Move.from_uci(text)


def test_a_king_that_castles_where_it_stands():
    board = Board("4k3/8/8/8/8/8/8/6KR w H - 0 1", chess960=True)
    castling = board.parse_uci("g1h1")
    assert Move.from_uci(castling.uci()) in board.legal_moves
    assert board.san(castling) == "O-O"


def test_outcome_with_a_claim_counts_the_intended_move():
    board = Board()
    board.push_sans("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
    assert board.outcome() is None
    assert board.outcome(claim_draw=True) is not None
    fifty = Board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    assert fifty.can_claim_fifty_moves()
    assert not Board("4k3/8/8/8/8/8/8/R3K3 w - - 98 80").can_claim_fifty_moves()


def test_sets_are_mutable_and_shift():
    ours, theirs = SquareSet("a1 e4 h8"), other.SquareSet([0, 28, 63])
    assert int(ours << 8) == int(theirs << 8)
    assert int(ours >> 3) == int(theirs >> 3)
    ours.add("b2")
    theirs.add(9)
    ours ^= SquareSet("a1 c3")
    theirs ^= other.SquareSet([0, 18])
    assert int(ours) == int(theirs)
    assert ours.pop() == theirs.pop()
    assert [int(part) for part in ours.carry_rippler()] == list(theirs.carry_rippler())
    with pytest.raises(KeyError):
        ours.remove("g7")
    with pytest.raises(KeyError):
        SquareSet().pop()


def test_between_and_ray():
    for a in range(64):
        for b in range(64):
            assert int(SquareSet.between(a, b)) == int(other.SquareSet.between(a, b))
            if a != b:
                assert int(SquareSet.ray(a, b)) == int(other.SquareSet.ray(a, b))


def test_transform():
    board = Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1").transform(flip_diagonal)
    theirs = other.Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1").transform(other.flip_diagonal)
    assert board.fen().split()[0] == theirs.fen().split()[0]
