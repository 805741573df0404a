"""Position by position the same as the `chess` package: moves, SAN, FEN, outcome, attackers.

The package (python-chess) is a development dependency only; the project shares no line with it.
"""

import random

import chess as reference
import pytest
import suites

from cotulenh.chess import BLACK, WHITE, Board, PositionError

GAMES = 24
PLIES = 110
SETUPS = 400


def assert_same(ours, theirs):
    """Two boards of the same position agree in all that both can say."""
    fen = theirs.fen()
    assert ours.fen() == fen
    moves = list(theirs.legal_moves)
    assert sorted(map(ours.uci, ours.legal_moves)) == sorted(map(theirs.uci, moves)), fen
    assert sorted(map(ours.san, ours.legal_moves)) == sorted(map(theirs.san, moves)), fen
    assert ours.is_check() == theirs.is_check(), fen
    assert ours.is_insufficient_material() == theirs.is_insufficient_material(), fen
    assert ours.is_repetition() == theirs.is_repetition(), fen
    for claim in (False, True):
        end, other = ours.outcome(claim_draw=claim), theirs.outcome(claim_draw=False)
        if other is None:  # the package also lets a player claim what the next move would bring
            if claim:
                claimable = theirs.is_repetition(3) or theirs.is_fifty_moves()
                assert (end is not None) == claimable, fen
            else:
                assert end is None, fen
        else:
            assert end is not None, fen
            assert end.reason.name == other.termination.name, fen
            assert end.result == other.result(), fen


def random_game(seed):
    chance = random.Random(seed)
    if seed % 3 == 0:
        theirs = reference.Board.from_chess960_pos(chance.randrange(960))
    else:
        theirs = reference.Board()
    return chance, theirs, Board(theirs.fen(), chess960=theirs.chess960)


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_play(seed):
    """At least 2 000 positions in all; see test_enough_positions."""
    chance, theirs, ours = random_game(seed)
    for _ in range(PLIES):
        assert_same(ours, theirs)
        if theirs.is_game_over():
            break
        move = chance.choice(list(theirs.legal_moves))
        san = theirs.san(move)
        ours.push_san(san) if chance.random() < 0.5 else ours.push_uci(theirs.uci(move))
        theirs.push(move)
    assert ours.history("uci") == [str(m) for m in history(theirs)]


def history(theirs):
    board = theirs.root()
    for move in theirs.move_stack:
        yield board.uci(move)
        board.push(move)


def test_enough_positions():
    played = 0
    for seed in range(GAMES):
        chance, theirs, _ = random_game(seed)
        for _ in range(PLIES):
            played += 1
            if theirs.is_game_over():
                break
            theirs.push(chance.choice(list(theirs.legal_moves)))
            chance.random()
    assert played >= 2000


def random_setup(chance):
    """Few or many pieces anywhere, rights and en passant squares at random: mostly impossible."""
    pieces = "".join(chance.choices("PPPPNBRQ", k=chance.randrange(14)))
    pieces += "".join(chance.choices("ppppnbrq", k=chance.randrange(14))) + "Kk"
    squares = chance.sample(range(64), len(pieces))
    board = dict(zip(squares, pieces, strict=True))
    if chance.random() < 0.4:
        board = {square: piece for square, piece in board.items() if piece not in "Kk"}
        board |= {4: "K", 60: "k", chance.choice((0, 7)): "R", chance.choice((56, 63)): "r"}
    if chance.random() < 0.4:  # a pawn that may just have gone two squares
        file = chance.randrange(1, 7)
        board |= {32 + file: "p", 33 + file: "P", 31 + file: "P"}
        board.pop(40 + file, None), board.pop(48 + file, None)
        passed = f"{'abcdefgh'[file]}6"
    else:
        passed = chance.choice(("-", "-", "-", "e3", "d6"))
    rows = []
    for rank in reversed(range(8)):
        row = "".join(board.get(8 * rank + file, ".") for file in range(8))
        for n in range(8, 0, -1):
            row = row.replace("." * n, str(n))
        rows.append(row)
    rights = chance.choice(("-", "-", "K", "Q", "kq", "KQkq", "Kq"))
    return f"{'/'.join(rows)} {chance.choice('wb')} {rights} {passed} 0 1"


def test_set_up_positions():
    """Refused by us if and only if the package calls them invalid; else the same in all."""
    chance, accepted, refused = random.Random(64), 0, 0
    while accepted < SETUPS:
        fen = random_setup(chance)
        theirs = reference.Board(fen)
        # The package drops some rights that cannot be, we refuse them all.
        if theirs.is_valid() and theirs.castling_xfen() == fen.split()[2]:
            assert_same(Board(fen), theirs)
            accepted += 1
        else:
            with pytest.raises(PositionError) as error:
                Board(fen)
            assert error.value.problems, fen
            refused += 1
    assert refused > 100


def test_themes_occur_among_the_set_ups():
    """Promotions, pins, double checks and en passant are among the positions compared."""
    chance, seen = random.Random(64), set()
    for _ in range(4 * SETUPS):
        board = reference.Board(random_setup(chance))
        if not board.is_valid():
            continue
        if any(move.promotion for move in board.legal_moves):
            seen.add("promotion")
        if board.has_legal_en_passant():
            seen.add("en passant")
        if len(board.checkers()) == 2:
            seen.add("double check")
        if any(board.is_pinned(board.turn, square) for square in board.pieces(1, board.turn)):
            seen.add("pin")
        if any(board.is_castling(move) for move in board.legal_moves):
            seen.add("castling")
    assert seen == {"promotion", "en passant", "double check", "pin", "castling"}


@pytest.mark.parametrize("entry", suites.read("chess"), ids=lambda entry: entry.name)
def test_the_positions_of_the_perft_suite(entry):
    chess960 = entry.name.startswith("chess960")
    theirs = reference.Board(f"{entry.fen} 0 1", chess960=chess960)
    ours = Board(entry.fen, chess960=chess960)
    assert_same(ours, theirs)
    nodes = 0
    for move in list(theirs.legal_moves):
        ours.push_uci(theirs.uci(move))
        theirs.push(move)
        assert_same(ours, theirs)
        nodes += theirs.legal_moves.count()
        theirs.pop()
        ours.pop()
    assert nodes == ours.perft(2)
    for color, other in ((WHITE, reference.WHITE), (BLACK, reference.BLACK)):
        for square in range(64):
            assert int(ours.attackers(color, square)) == int(theirs.attackers(other, square))
        assert ours.king(color) == theirs.king(other)
        for kind in range(6):
            letter = "PNBRQK"[kind]
            assert int(ours.pieces(letter, color)) == int(theirs.pieces(kind + 1, other))
