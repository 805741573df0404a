"""The network of chess against a slow twin in NumPy, and step by step against from scratch."""

import random

import numpy as np
import pytest

from cotulenh import _core, chess
from cotulenh.engine import Engine

INPUTS, BUCKETS, ONE, UNIT, CENTIPAWNS = 768, 8, 255, 64, 400
KINDS = "pnbrqk"


def walk(seed, plies=120):
    """The positions of a random game: every kind of move is in one of them sooner or later."""
    rng, board = random.Random(seed), chess.Board()
    fens = [board.fen()]
    while len(fens) <= plies and not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
        fens.append(board.fen())
    return fens


def learnt(fens):
    return np.frombuffer(_core.net_rows(fens)["learnt"], np.int16)


def pieces(fen):
    """(white?, kind, file, rank) of every piece of a FEN."""
    for row, text in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                yield letter.isupper(), KINDS.index(letter.lower()), file, 7 - row
                file += 1


def inputs(fen, white):
    """The rows one side sees: from its own end, its king on the left half of the board."""
    board = list(pieces(fen))
    king = next(file for owner, kind, file, _ in board if owner == white and KINDS[kind] == "k")
    for owner, kind, file, rank in board:
        square = (rank if white else 7 - rank) * 8 + (file if king < 4 else 7 - file)
        yield (owner != white) * 384 + kind * 64 + square


def twin(fen):
    """The network, written a second time."""
    numbers = np.frombuffer(_core.net_numbers(), np.int16).astype(int)
    hidden = (len(numbers) - BUCKETS) // (INPUTS + 1 + 2 * BUCKETS)
    sizes = np.cumsum([INPUTS * hidden, hidden, BUCKETS * 2 * hidden])
    first, bias, last, offset = np.split(numbers, sizes)
    first, last = first.reshape(INPUTS, hidden), last.reshape(BUCKETS, 2 * hidden)
    mover = fen.split()[1] == "w"
    layers = [bias + first[list(inputs(fen, side))].sum(0) for side in (mover, not mover)]
    layer = np.clip(np.concatenate(layers), 0, ONE)
    bucket = (len(list(pieces(fen))) - 1) // 4
    total = int((layer * layer * last[bucket]).sum())
    total = int(total / ONE) + int(offset[bucket])  # towards zero, as in C++
    return int(total * CENTIPAWNS / (ONE * UNIT))


@pytest.mark.parametrize("seed", range(4))
def test_the_core_and_the_twin_agree(seed):
    fens = walk(seed)
    assert list(learnt(fens)) == [twin(fen) for fen in fens]


def test_piece_by_piece_is_as_good_as_from_scratch():
    fens = [fen for seed in range(10, 30) for fen in walk(seed)]
    random.Random(1).shuffle(fens)
    assert list(learnt(fens)) == [learnt([fen])[0] for fen in fens]


def swapped(fen):
    """The same position with colours swapped."""
    board, turn, castling, _, *clocks = fen.split()
    board = "/".join(reversed(board.split("/"))).swapcase()
    return " ".join([board, "b" if turn == "w" else "w", castling.swapcase(), "-", *clocks])


def test_colours_swapped_nothing_changes():
    fens = walk(5)
    assert list(learnt(fens)) == list(learnt([swapped(fen) for fen in fens]))


def test_the_numbers_stay_within_sixteen_bits():
    numbers = np.frombuffer(_core.net_numbers(), np.int16).astype(int)
    hidden = (len(numbers) - BUCKETS) // (INPUTS + 1 + 2 * BUCKETS)
    first, bias = (
        numbers[: INPUTS * hidden].reshape(INPUTS, hidden),
        numbers[INPUTS * hidden :][:hidden],
    )
    most = np.sort(np.abs(first), axis=0)[-32:].sum(0) + np.abs(bias)  # no board has more pieces
    assert most.max() < 2**15
    last = numbers[(INPUTS + 1) * hidden :][: BUCKETS * 2 * hidden]
    assert ONE * np.abs(last).max() < 2**15


def test_the_evaluation_names_the_network():
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 1")
    with Engine() as whole, Engine(without=["network"]) as terms_alone:
        found, plain = whole.evaluate(board), terms_alone.evaluate(board)
    white, black = found.terms["network"]
    assert "network" not in plain.terms
    assert found.score.cp == plain.score.cp + white - black
    assert white - black == learnt([board.fen()])[0]
