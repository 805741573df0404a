"""A signature of the search and its speed: fixed positions searched to fixed depths."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass

from cotulenh.engine import Engine, Limit
from cotulenh.games import AnyBoard, new_board

__all__ = ["BenchResult", "bench"]


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What ``bench`` measured for one game."""

    game: str
    nodes: int
    seconds: float
    signature: str

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 1e-6))


_BENCH_CTL = """
6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1
6c4/2n2h1hf2/3a2s2a1/2n1gt1tg2/2ie2(fm)2ei/11/N10/2I3M3I/4GT1TG2/3A2S1FA1/5H1HF2/2N4C3 r - - 0 6
2nc7/5h1hf2/3a1fs2a1/4gt2g2/3e3t1ei/11/4NF5/2IE2M2E1/4GTT1G2/3A1S3A1/5H1HF2/2N3C4 b - - 0 9
6c4/5h1h3/3a2s4/5t2a2/2ieg2tgei/11/7T3/2IE2S2EI/4GT2G2/3A5A1/5H1H3/6C4 r - - 3 14
6c4/5h1h3/6s4/4atm1ga1/9e1/5f2t2/3F7/2I3M4/4GT1TG2/3A2S2A1/5H1H3/6C4 r - - 1 18
6c4/5h1h3/3a2s1a2/4gf1tg2/2i6ei/4n6/11/N4AS2E1/7TG2/4G4A1/5H1H3/6C4 r - - 3 22
6c4/5h1h3/6s2a1/4a3g2/2ie1t3ei/7t1f1/6M4/2AIGT5/8S2/7A3/5H1H3/6C4 b - - 0 25
11/2c2h1h3/1n2s6/5t1a3/3e7/+N2i5a1/7t3/2I1F2T2E/4A3GA1/6S4/5H1H3/6C4 r - - 0 31
4c6/4ah1h3/8tg1/5FT4/11/6F4/4E4E1/9AI/4G6/3A2S1G2/5(HC)1H3/11 b - - 2 37
11/5(hc)1h3/11/11/4g3g2/4S6/2I6t1/4AT4E/9s1/11/4CH1H3/11 b - - 0 45
"""
_BENCH_CHESS = """
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 9
r2q1rk1/1b2bppp/p2ppn2/1p6/3NPP2/1BN1B3/PPPQ2PP/2KR3R w - - 0 13
2r3k1/pp3ppp/4b3/3p4/3P4/P3PN2/1P3PPP/2R3K1 b - - 0 22
8/5pk1/4p1p1/3pP2p/3P1P1P/2K3P1/8/8 w - - 0 40
6k1/5p2/1p5p/p1p2bp1/P1P5/1P4P1/3RPP1P/6K1 b - - 0 30
r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15
3r1rk1/p1q2pp1/1pn1pn1p/2p5/3P4/2PBPN1P/PPQ2PP1/3R1RK1 w - - 0 18
"""
#: Depth and positions of each game that has some of its own.
_BENCH = {"official": (7, _BENCH_CTL), "chess": (11, _BENCH_CHESS)}
_DEPTH, _TURNS = 5, (0, 6, 12, 18, 24, 30)  # of any other game: random play from its start


def bench(games: Iterable[str] = ("official", "chess"), threads: int = 1) -> list[BenchResult]:
    """Searches fixed positions to fixed depths: a signature of the search, and its speed.

    With one thread the node count of a game is the same on every machine: its signature. A game is
    a name or the path of a rules file.
    """
    return [_measure(game, threads) for game in games]


def _measure(game: str, threads: int) -> BenchResult:
    nodes, seconds = 0, 0.0
    depth, boards = _positions(game)
    with Engine(threads=threads, hash_mb=16) as engine:
        for board in boards:
            engine.new_game()
            began = time.perf_counter()
            info = engine.play(board, Limit(depth=depth)).info
            seconds += time.perf_counter() - began
            nodes += info.nodes if info is not None else 0
    return BenchResult(game, nodes, seconds, f"{nodes}")


def _positions(game: str) -> tuple[int, list[AnyBoard]]:
    if game in _BENCH:
        depth, fens = _BENCH[game]
        return depth, [new_board(game, fen) for fen in fens.strip().splitlines()]
    return _DEPTH, [_stroll(game, turns) for turns in _TURNS]


def _stroll(game: str, turns: int) -> AnyBoard:
    """A position after so many random turns, the same every time."""
    dice, board = random.Random(turns), new_board(game)
    while len(board.history("san")) < turns and not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
    return new_board(game) if board.is_game_over() else board
