"""Whatever is typed: a named error or a sound board, soon; the board asked is unchanged."""

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cotulenh.chess import STARTING, Board, Move, ParseError, PositionError

NAMED = (ParseError, PositionError)
FENS = st.sampled_from(
    (
        STARTING,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "4k3/8/8/8/8/8/8/4K2R w K - 12 34",
    )
)
SOME = settings(max_examples=300, deadline=None)


@st.composite
def mutated(draw, texts, alphabet):
    """A text with a few characters replaced, dropped or added."""
    text = list(draw(texts))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 2))] = draw(st.text(alphabet, max_size=2))
    return "".join(text)


def sound(board):
    """A board that was accepted can be used without harm."""
    assert Board(board.fen(), chess960=board.chess960) == board
    assert board.perft(2) >= 0
    for move in board.legal_moves:
        board.push(move)
        board.outcome()
        board.pop()


@SOME
@given(fen=mutated(FENS, "pnbrqkPNBRQK12345678/ wb-abcdefghABCDEFGH9x"), chess960=st.booleans())
def test_mutated_fens(fen, chess960):
    try:
        board = Board(fen, chess960)
    except NAMED as error:
        assert 0 <= error.offset <= len(fen)  # noqa: PT017  (no error is fine too)
    else:
        sound(board)


@SOME
@given(fen=st.text(st.characters(codec=None), max_size=80))
def test_any_text_as_fen(fen):
    with pytest.raises(ParseError):
        Board(fen)


@SOME
@given(data=st.binary(max_size=80))
def test_any_bytes_as_text(data):
    text = data.decode("latin-1")
    board = Board()
    before = board._state()
    with pytest.raises(NAMED):
        Board(text)
    for read in (board.push_san, board.push_uci, Move.from_uci):
        try:
            read(text)
        except ValueError:
            assert board._state() == before
        else:
            board = Board()


@SOME
@given(text=mutated(st.just("1. e4 e5 2. Nf3 {c} Nc6 (2... d6) 3. Bb5 $1 a6 1-0"), st.characters()))
def test_mutated_games(text):
    board = Board()
    try:
        moves = board.push_sans(text)
    except ValueError:
        assert board == Board()
        assert board.ply == 0
    else:
        assert board.ply == len(moves)


@SOME
@given(bits=st.integers(0, 0xFFFF), fen=FENS)
def test_any_bits_pushed(bits, fen):
    board, move = Board(fen), Move.from_int(bits)
    assert Move.from_int(int(move)) is move
    before = board._state()
    legal = move in tuple(board.legal_moves)  # a plain move may mean another: not to this one
    try:
        board.push_unchecked(move)
    except ValueError:
        assert not legal
        assert board._state() == before
    else:
        assert legal
        sound(board)


HUGE = 10**6


@pytest.mark.parametrize(
    "text",
    [
        "8" * HUGE,
        "/" * HUGE,
        "p" * HUGE,
        " " * HUGE,
        STARTING + " -" * HUGE,
        STARTING.replace("KQkq", "K" * HUGE),
        STARTING.replace("0 1", "0" * HUGE),
        STARTING.replace("0 1", "0 " + "9" * HUGE),
        "é" * HUGE,
        "\ud800" * HUGE,
        "\0" * HUGE,
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_a_million_characters(text):
    began = time.perf_counter()
    with pytest.raises(ParseError) as error:
        Board(text)
    board = Board()
    for read in (board.push_san, board.push_uci, board.push_sans, Move.from_uci):
        try:
            read(text)
        except ValueError as trouble:
            assert len(str(trouble)) < 200  # noqa: PT017
    assert time.perf_counter() - began < 2
    assert len(str(error.value)) < 200
    assert board.fen() == STARTING


@pytest.mark.parametrize("text", ["(" * HUGE, "{" * HUGE, "1." * HUGE, "$" * HUGE, "()" * HUGE])
def test_a_million_marks(text):
    board, began = Board(), time.perf_counter()
    with contextlib.suppress(ParseError):
        board.push_sans(text)
    assert time.perf_counter() - began < 2
    assert board.ply == 0


def test_more_queens_than_any_game_has():
    """The position with the most moves known."""
    board = Board("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(board.legal_moves) == 218
    assert len(board.legal_moves) == len(set(board.legal_moves)) == board.perft(1)


def test_wrong_types():
    board = Board()
    for value in (None, 3, b"e4", ["e4"]):
        with pytest.raises(TypeError):
            Board(value)
        for read in (board.push_san, board.push_uci, board.push_sans, board.push):
            with pytest.raises(TypeError):
                read(value)


def test_every_beginning_of_a_fen_is_refused_where_it_ends():
    """Unless it is a FEN by itself: counters may be left out, and digits of the last."""
    start = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 12 34"
    for end in range(len(start)):
        text = start[:end]
        if len(text.split()) in (4, 6) and text[-1] != "d":
            assert Board(text).board_fen() == start.split()[0]
            continue
        with pytest.raises(ParseError) as refused:
            Board(text)
        assert refused.value.offset <= end, text


@pytest.mark.parametrize(
    ("rights", "reason"),
    [("KG", "impossible position: bad castling"), ("x", "expected castling"), ("KK", "twice")],
)
def test_castling_rights_that_cannot_be(rights, reason):
    """Chess960: one rook on each wing."""
    with pytest.raises(ValueError, match=reason):
        Board(f"4k3/8/8/8/8/8/8/R3K1RR w {rights} - 0 1", chess960=True)


@pytest.mark.parametrize(
    ("text", "offset"),
    [("e7e8qq", 5), ("e7e8p", 4), ("e7e8k", 4), ("e7e8Q", 4), ("g2g2", 2), ("g8g8q", 2), ("e9", 1)],
)
def test_what_is_no_move_of_uci_says_where(text, offset):
    with pytest.raises(ParseError) as refused:
        Move.from_uci(text)
    assert refused.value.offset == offset


@pytest.mark.parametrize("text", ["c1c1", "g1g1", "c8c8", "g8g8"])
def test_a_king_may_castle_where_it_stands(text):
    """Chess960: its target is its own square; the rook alone moves."""
    assert Move.from_uci(text).uci() == text


def test_uci_writes_promotions_in_small_letters():
    board = Board("8/4P2k/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(ParseError):
        board.push_uci("e7e8Q")
    board.push_uci("e7e8q")
    assert board.board_fen() == "4Q3/7k/8/8/8/8/8/4K3"


@pytest.mark.parametrize("square", ["e9", "x6", "e", "66"])
def test_an_en_passant_square_has_a_file_and_a_rank(square):
    with pytest.raises(ParseError, match="expected an en passant square or '-'"):
        Board(f"4k3/8/8/8/8/8/8/4K3 w - {square} 0 1")
