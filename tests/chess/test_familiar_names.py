"""Constants, functions and small methods of python-chess, compared with that package."""

import chess as other
import pytest
from chess_walks import walks

import cotulenh.chess as ours


def test_constants():
    names = [name for name in dir(other) if name.startswith("BB_") and hasattr(ours, name)]
    assert len(names) > 24
    for name in names:
        assert getattr(ours, name) == getattr(other, name), name
    for name in other.SQUARE_NAMES:
        assert getattr(ours, name.upper()) == getattr(other, name.upper())
    for name in ("SQUARES", "SQUARE_NAMES", "FILE_NAMES", "RANK_NAMES", "UNICODE_PIECE_SYMBOLS"):
        assert getattr(ours, name) == getattr(other, name), name
    assert ours.STARTING_FEN == other.STARTING_FEN
    assert ours.STARTING_BOARD_FEN == other.STARTING_BOARD_FEN


@pytest.mark.parametrize("name", ["square_name", "square_file", "square_rank", "square_mirror"])
def test_functions_of_a_square(name):
    for square in range(64):
        assert getattr(ours, name)(square) == getattr(other, name)(square)


@pytest.mark.parametrize(
    "name", ["square_distance", "square_manhattan_distance", "square_knight_distance"]
)
def test_distances(name):
    for a in (0, 1, 9, 27, 36, 63):
        for b in range(64):
            assert getattr(ours, name)(a, b) == getattr(other, name)(a, b), (a, b)


@pytest.mark.parametrize("name", ["between", "ray"])
def test_lines(name):
    for a in range(64):
        for b in range(64):
            assert getattr(ours, name)(a, b) == getattr(other, name)(a, b), (a, b)


def test_small_functions():
    assert ours.parse_square("e4") == ours.E4 == ours.square(4, 3)
    for mask in (1, 0x8100, other.BB_ALL):
        assert ours.popcount(mask) == other.popcount(mask)
        assert (ours.lsb(mask), ours.msb(mask)) == (other.lsb(mask), other.msb(mask))
    for kind, number in zip(ours.PIECE_TYPES, other.PIECE_TYPES, strict=True):
        assert ours.piece_symbol(kind) == other.piece_symbol(number)
        assert ours.piece_name(kind) == other.piece_name(number)
    for letter in "PNBRQKpnbrqk":
        mine, theirs = ours.Piece.from_symbol(letter), other.Piece.from_symbol(letter)
        assert mine.symbol() == theirs.symbol()
        for inverted in (False, True):
            assert mine.unicode_symbol(inverted) == theirs.unicode_symbol(invert_color=inverted)


def ucis(moves):
    return sorted(move.uci() for move in moves)


def test_along_games():
    from_mask, to_mask = other.BB_RANK_2 | other.BB_RANK_7 | other.BB_FILE_D, other.BB_LIGHT_SQUARES
    for mine, theirs, move, same in walks(8, 60, 11):
        assert mine.board_fen() == theirs.board_fen()
        assert mine.castling_xfen() == theirs.castling_xfen()
        assert mine.castling_shredder_fen() == theirs.castling_shredder_fen()
        assert mine.has_legal_en_passant() == theirs.has_legal_en_passant()
        assert mine.has_pseudo_legal_en_passant() == theirs.has_pseudo_legal_en_passant()
        assert mine.is_irreversible(move) == theirs.is_irreversible(same)
        assert mine.unicode(empty_square=".") == theirs.unicode(empty_square=".")
        for name in ("generate_legal_moves", "generate_legal_captures", "generate_legal_ep"):
            for masks in ((), (from_mask, to_mask)):
                found, wanted = getattr(mine, name)(*masks), getattr(theirs, name)(*masks)
                assert ucis(found) == ucis(wanted), (mine, name)
        assert ucis(mine.generate_castling_moves()) == ucis(theirs.generate_castling_moves())


def test_what_changes_the_board():
    board = ours.Board()
    assert board.san_and_push(ours.Move.from_uci("e2e4")) == "e4"
    board.clear_stack()
    assert board.ply == 0
    assert board.fen().startswith("rnbqkbnr/pppppppp/8/8/4P3")
    board.apply_mirror()
    assert board.board_fen() == "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR"
    board.apply_transform(ours.flip_horizontal)
    assert board.piece_type_at("d5") is ours.PAWN
    board.set_board_fen("r3k3/8/8/8/8/8/8/4K2R")
    board.set_castling_fen("Kq")
    assert board.castling_xfen() == "Kq"
    assert not board.has_chess960_castling_rights()
    board.clear_board()
    assert sorted(board.status()) == ["no_black_king", "no_white_king"]
    board.reset_board()
    assert board.fen().split()[2] == "-"
    board.set_chess960_pos(0)
    assert board.has_chess960_castling_rights()
    assert board.clean_castling_rights() == board.castling_rights
    with pytest.raises(ours.ParseError):
        board.set_board_fen("nothing")
