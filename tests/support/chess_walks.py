"""Random games of chess on our board and on that of python-chess at once."""

import random

import chess as other

from cotulenh.chess import Board, Move


def walks(games, plies, seed):
    """Boards of both packages along the same random games."""
    rng = random.Random(seed)
    for _ in range(games):
        ours, theirs = Board(), other.Board()
        for _ in range(plies):
            if theirs.is_game_over():
                break
            move = rng.choice(list(theirs.legal_moves))
            yield ours, theirs, Move.from_uci(move.uci()), move
            ours.push(Move.from_uci(move.uci()))
            theirs.push(move)
