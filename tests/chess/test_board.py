"""The chess board as people use it."""

import copy
import pickle

import pytest

from cotulenh.chess import (
    BLACK,
    KING,
    STARTING,
    WHITE,
    AmbiguousMoveError,
    Board,
    IllegalMoveError,
    Move,
    MoveKind,
    ParseError,
    Piece,
    PositionError,
    Reason,
    Square,
    SquareSet,
)

OPERA = """1. e4 e5 2. Nf3 d6 {Philidor} 3. d4 Bg4?! 4. dxe5 Bxf3 (4... dxe5? 5. Qxd8+ {and (wins)}
5. -- (5. Nc3)) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 $1 Qe7 8. Nc3 c6 9. Bg5 b5 ; a comment (
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! Nxb8
17.Rd8# 1-0"""


def after(moves, board=None):
    board = board or Board()
    board.push_sans(moves)
    return board


# Reading and writing ------------------------------------------------------------------------------


def test_a_new_board():
    board = Board()
    assert board.fen() == STARTING
    assert (board.turn, board.halfmove_clock, board.fullmove_number) == (WHITE, 0, 1)
    assert board.castling_rights == SquareSet("a1 h1 a8 h8")
    assert board.ep_square is None
    assert board == Board(STARTING) == Board(fen=STARTING, chess960=False)
    assert board != "a board"
    assert Board(chess960=True) != board


def test_an_epd_has_clocks_of_a_new_game():
    assert Board("4k3/8/8/8/8/8/8/4K3 w - -").fen() == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "offset"),
    [
        ("", 0),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", 19),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", 18),
        ("4k3/8/8/8/8/8/8/44 w - - 0 1", 17),
        ("4k3/8/8/8/8/8/8 w - - 0 1", 15),
        ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", 20),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", 20),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", 22),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", 27),
        ("r3k2r/8/8/8/8/8/8/R3K2R w  - 0 1", 26),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", 24),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", 26),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", 28),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", 28),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999 1", 26),
        ("4k3/8/é", 6),
    ],
)
def test_a_fen_that_is_none(fen, offset):
    with pytest.raises(ParseError) as error:
        Board(fen)
    assert error.value.offset == offset
    assert error.value.reason


@pytest.mark.parametrize(
    ("fen", "problems"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", {"no_white_king", "no_black_king"}),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", {"no_white_king"}),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", {"too_many_kings"}),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", {"too_many_white_pawns"}),
        ("4k3/8/p7/pppppppp/8/8/8/4K3 w - - 0 1", {"too_many_black_pawns"}),
        ("4k3/8/8/8/8/N7/NNNNNNNN/RNBQKBNR w - - 0 1", {"too_many_white_pieces"}),
        ("rnbqkbnr/nnnnnnnn/n7/8/8/8/8/4K3 w - - 0 1", {"too_many_black_pieces"}),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", {"pawns_on_back_rank"}),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", {"bad_castling_rights"}),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", {"bad_castling_rights"}),
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", {"bad_castling_rights"}),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", {"bad_en_passant"}),
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", {"bad_en_passant"}),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", {"opposite_check"}),
        ("4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1", {"too_many_checkers", "impossible_check"}),
        ("R3k2R/8/8/8/8/8/8/4K3 b - - 0 1", {"impossible_check"}),
        (
            "P3k3/8/8/8/8/8/8/4K3 w K e3 0 1",
            {"pawns_on_back_rank", "bad_castling_rights", "bad_en_passant"},
        ),
    ],
)
def test_a_position_that_cannot_be(fen, problems):
    with pytest.raises(PositionError) as error:
        Board(fen)
    assert error.value.problems == problems
    assert all(problem.replace("_", " ") in str(error.value) for problem in problems)


@pytest.mark.parametrize(
    ("fen", "field"),
    [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", 0),
        ("P3k3/8/8/8/8/8/8/4K3 w K e3 0 1", 0),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", 2),
        ("4k3/8/8/8/8/8/8/4K2R w Q e3 0 1", 2),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", 3),
    ],
)
def test_an_impossible_position_names_the_field_of_its_fen(fen, field):
    """Pieces, side to move, castling rights, en passant square: the first that is wrong."""
    with pytest.raises(PositionError) as error:
        Board(fen)
    assert error.value.offset == len(" ".join([*fen.split()[:field], ""]))


def test_a_king_off_its_rank_has_no_rights_in_chess960_either():
    with pytest.raises(PositionError) as error:
        Board("4k3/8/8/8/8/8/4K3/7R w H - 0 1", chess960=True)
    assert error.value.problems == {"bad_castling_rights"}


def test_who_passes_lets_the_chance_of_en_passant_go():
    board = after("e4 a6 e5 d5")
    before, key = board.fen(), board.key
    board.push_null()
    assert board.ep_square is None
    assert board.key == Board(board.fen()).key
    board.pop()
    assert (board.fen(), board.key) == (before, key)


@pytest.mark.parametrize(
    ("rank", "rights"),
    [("4KR1R", "K"), ("R1R1K3", "Q"), ("R1R1KR1R", "KQ"), ("1R2KRR1", "GB"), ("1R2KRR1", "FB")],
)
def test_k_and_q_are_the_outermost_rooks(rank, rights):
    """X-FEN: a rook farther in is named by its file, whatever stands between it and the king."""
    wanted = rights.replace("G", "K").replace("B", "Q")
    for chess960 in (False, True) if rights in ("K", "Q", "KQ") else (True,):
        board = Board(f"4k3/8/8/8/8/8/8/{rank} w {rights} - 0 1", chess960=chess960)
        assert board.fen().split()[2] == wanted
        assert Board(board.fen(), chess960=chess960) == board


def test_en_passant_counts_only_if_legal():
    board = after("e4")
    assert board.ep_square is None
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    stated = Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert stated == board
    assert stated.key == board.key
    assert after("e4 a6 e5 d5").ep_square == Square("d6")


def test_drawing_and_repr():
    board = Board("r3k3/8/8/8/8/8/8/4K2R w Kq - 3 7")
    assert repr(board) == "Board('r3k3/8/8/8/8/8/8/4K2R w Kq - 3 7')"
    assert str(board).splitlines()[0].split() == ["8", "r", ".", ".", ".", "k", ".", ".", "."]
    assert "chess960=True" in repr(Board(chess960=True))
    assert repr(Move.from_uci("a7a8q")) == "Move.from_uci('a7a8q')"
    assert str(board.parse_san("O-O")) == "e1g1"


# Moves --------------------------------------------------------------------------------------------


def test_push_checks():
    board = Board()
    before = board._state()
    with pytest.raises(IllegalMoveError, match="e2e5"):
        board.push(Move.from_uci("e2e5"))
    with pytest.raises(IllegalMoveError):
        board.push_unchecked(Move.from_int(0))
    with pytest.raises(TypeError):
        board.push("e2e4")
    assert board._state() == before
    with pytest.raises(IndexError):
        board.pop()


def test_plain_moves_are_understood():
    """Move.from_uci knows no board: castling and en passant are plain moves to it."""
    board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    plain = Move.from_uci("e1g1")
    assert board.is_legal(plain)
    assert plain in board.legal_moves
    assert board.legal_moves[board.legal_moves.index(plain)].kind is MoveKind.CASTLING
    board.push(plain)
    assert board.pop().kind is MoveKind.CASTLING
    board.push(Move.from_uci("e1a1"))
    assert board.history("uci") == ["e1c1"]
    board = after("e4 a6 e5 d5")
    board.push(Move.from_uci("e5d6"))
    assert board.pop().kind is MoveKind.EN_PASSANT


@pytest.mark.parametrize("bits", [-1, 1 << 16, 1 << 40])
def test_a_move_has_sixteen_bits(bits):
    with pytest.raises(ValueError, match="16 bits"):
        Move.from_int(bits)


def test_moves_travel():
    move = Board().legal_moves[3]
    assert pickle.loads(pickle.dumps(move)) is move
    assert copy.deepcopy(move) is move
    assert hash(move) == int(move)
    assert {move: 1}[Move.from_int(int(move))] == 1


@pytest.mark.parametrize(
    ("fen", "san", "uci"),
    [
        (STARTING, "Nf3", "g1f3"),
        (STARTING, "Ng1-f3!?", "g1f3"),
        (STARTING, "e2e4", "e2e4"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O+!", "e1g1"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N", "a7a8n"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=q", "a7a8q"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a7a8q"),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=R+", "a7b8r"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "Rad1", "a1d1"),
    ],
)
def test_reading_san(fen, san, uci):
    assert Board(fen).parse_san(san).uci() == uci


@pytest.mark.parametrize(
    ("fen", "san"),
    [
        ("1k6/8/8/3R4/8/8/4K3/R7 w - - 0 1", "Rad1"),
        ("7k/8/8/8/R7/8/8/R6K w - - 0 1", "R1a3"),
        ("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "Qh4e1"),
        ("4k3/8/8/8/1b6/8/3N4/4KN2 w - - 0 1", "Ne3"),  # the other knight is pinned
        ("7k/4P3/5K2/8/8/8/8/8 w - - 0 1", "e8=Q+"),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "Qg7#"),
        ("4k2r/8/8/8/8/8/8/4K2R b k - 0 1", "Rxh1+"),
    ],
)
def test_writing_san(fen, san):
    board = Board(fen)
    assert board.san(board.parse_san(san)) == san


@pytest.mark.parametrize(
    ("san", "error"),
    [
        ("", ParseError),
        ("Nf9", ParseError),
        ("Xf3", ParseError),
        ("e8=K", ParseError),
        ("Nf3??x", ParseError),
        ("N" * 1000, ParseError),
        ("--", ParseError),
        ("Nf6", IllegalMoveError),
        ("O-O", IllegalMoveError),
        ("e4=Q", IllegalMoveError),
        ("exd3", IllegalMoveError),
    ],
)
def test_san_that_is_no_move(san, error):
    board = Board()
    for method in (board.parse_san, board.push_san):
        with pytest.raises(error):
            method(san)
    assert board.fen() == STARTING


@pytest.mark.parametrize(
    ("uci", "error"),
    [
        ("", ParseError),
        ("e2", ParseError),
        ("e2e9", ParseError),
        ("e7e8k", ParseError),
        ("e2e4qq", ParseError),
        ("0000", IllegalMoveError),
        ("e2e5", IllegalMoveError),
        ("e2e4q", IllegalMoveError),
    ],
)
def test_uci_that_is_no_move(uci, error):
    with pytest.raises(error):
        Board().push_uci(uci)


def test_ambiguity_is_named():
    with pytest.raises(AmbiguousMoveError, match="Nd2"):
        Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").push_san("Nd2")


def test_a_whole_game():
    board = Board()
    moves = board.push_sans(OPERA)
    assert len(moves) == 33
    assert board.is_checkmate()
    assert board.outcome().winner is WHITE
    assert board.history()[-1] == "Rd8#"
    assert board.history(None) == list(moves)
    again = Board()
    for san in board.history():
        again.push_san(san)
    assert again == board


@pytest.mark.parametrize(
    ("text", "error", "offset"),
    [
        ("1. e4 e5 2. Nf3 {never closed", ParseError, 16),
        ("1. e4 (e5", ParseError, 6),
        ("1. e4 é5", ParseError, 6),
        ("1. e4 ) e5", ParseError, 6),
        ("1. e4 {ä} x9", ParseError, 11),
        ("1. e4 e5 2. Ke3", IllegalMoveError, None),
    ],
)
def test_a_game_with_trouble_leaves_the_board(text, error, offset):
    board = after("")
    with pytest.raises(error) as caught:
        board.push_sans(text)
    assert board.fen() == STARTING
    assert board.history() == []
    if offset is not None:
        assert caught.value.offset == offset
    else:
        assert "(at 12)" in str(caught.value)


def test_captures_and_quiets_are_all():
    for fen in (STARTING, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"):
        board = Board(fen)
        for _ in range(60):
            assert sorted(map(int, board.captures + board.quiets)) == sorted(
                map(int, board.legal_moves)
            )
            for move in board.captures:
                taken = board.piece_at(move.to_square) is not None
                assert taken or move.kind in (MoveKind.EN_PASSANT, MoveKind.PROMOTION)
            for move in board.legal_moves:
                check = board.gives_check(move)
                board.push(move)
                assert board.is_check() == check
                board.pop()
            if not board.legal_moves:
                break
            board.push(board.legal_moves[board.key % len(board.legal_moves)])


# Chess960 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "uci", "after"),
    [
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/1R4KR w HB - 0 1", "g1h1", "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
    ],
)
def test_castling_in_chess960(fen, uci, after):
    board = Board(fen, chess960=True)
    move = board.parse_uci(uci)
    assert move.kind is MoveKind.CASTLING
    assert board.uci(move) == uci
    board.push(move)
    assert board.fen() == after
    board.pop()
    assert Board(board.fen(), chess960=True) == board


def test_a_rook_that_leaves_may_uncover_check():
    board = Board("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", chess960=True)
    assert not any(m.kind is MoveKind.CASTLING for m in board.legal_moves)


def test_an_inner_rook_is_named_by_its_file():
    board = Board("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", chess960=True)
    assert board.fen().split()[2] == "G"
    assert board.castling_rights == SquareSet("g1")


# How games end ------------------------------------------------------------------------------------


def test_checkmate():
    board = after("f3 e5 g4 Qh4#")
    assert board.is_checkmate()
    assert board.is_game_over()
    outcome = board.outcome()
    assert (outcome.winner, outcome.reason, outcome.result) == (BLACK, Reason.CHECKMATE, "0-1")
    assert board.legal_moves == ()


@pytest.mark.parametrize(
    ("fen", "dead"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", False),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", True),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", False),
        ("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", False),
    ],
)
def test_insufficient_material(fen, dead):
    board = Board(fen)
    assert board.is_insufficient_material() == dead
    assert (board.outcome() is not None) == dead


def test_repetition():
    board = Board()
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    board.push_sans(shuffle)
    assert board.is_repetition(2)
    assert not board.is_repetition()
    board.push_sans(shuffle)
    assert board.is_repetition()
    assert board.outcome() is None
    assert board.outcome(claim_draw=True).reason is Reason.THREEFOLD_REPETITION
    board.push_sans(shuffle * 2)
    assert board.outcome().reason is Reason.FIVEFOLD_REPETITION
    board.push_san("e4")
    assert not board.is_repetition(2)


def test_lost_rights_are_no_repetition():
    board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    board.push_sans("Kf1 Kd8 Ke1 Ke8")
    assert not board.is_repetition(2)


def test_fifty_and_seventyfive_moves():
    board = Board("6k1/8/8/8/8/8/8/K6R w - - 99 80")
    assert not board.is_fifty_moves()
    board.push_uci("h1h2")
    assert board.is_fifty_moves()
    assert board.outcome() is None
    assert board.outcome(claim_draw=True).reason is Reason.FIFTY_MOVES
    board = Board("6k1/8/8/8/8/8/8/K6R w - - 149 80")
    board.push_uci("h1h2")
    assert board.outcome().reason is Reason.SEVENTYFIVE_MOVES
    assert Board("7k/6Q1/6K1/8/8/8/8/8 b - - 150 80").outcome().reason is Reason.CHECKMATE


# The rest -----------------------------------------------------------------------------------------


def test_what_stands_where():
    board = Board()
    assert board.piece_at("e1") == Piece(KING, WHITE)
    assert board.piece_at(28) is None
    assert board.king(BLACK) == Square("e8")
    assert len(board.occupied()) == 32
    assert board.occupied(BLACK) == SquareSet(0xFFFF << 48)
    assert after("e4 e5 Qh5 Nc6 Qxf7").checkers() == SquareSet("f7")
    for square in ("i1", "a9", 64, -1):
        with pytest.raises(ValueError, match="square"):
            board.piece_at(square)


def test_copies():
    board = after("e4 e5 Nf3")
    for made in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert made == board
        assert hash(made) == hash(board)
        assert type(made) is Board
        assert made.history() == ["e4", "e5", "Nf3"]
        made.undo()
        assert made.history() == ["e4", "e5"]
    assert board.copy(history=False).history() == []
    assert pickle.loads(pickle.dumps(board)).history() == board.history()
    assert board.ply == 3
    with pytest.raises(ValueError, match="as_text"):
        board.history("lan")


@pytest.mark.parametrize(
    "other",
    [
        "4k2r/8/8/3pP3/8/8/8/4K2R w Kk d6 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R b Kq - 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R w Kq - 0 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 1 1",
        "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 2",
    ],
    ids=["pieces", "castling", "turn", "en passant", "clock", "number"],
)
def test_boards_are_equal_if_nothing_differs(other):
    fen = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1"
    assert Board(fen) == Board(fen)
    assert Board(fen) != Board(other)
    assert Board(fen) != Board(fen, chess960=True)
