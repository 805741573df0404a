"""The search against plain minimax, its mates, draws, and that it repeats itself exactly."""

from __future__ import annotations

import pytest

from cotulenh import Board, _core, chess
from cotulenh.engine import Engine, Limit, Score

HASH, ASPIRATION, NETWORK, STEP_ORDER = (
    _core.features()[name] for name in ("hash", "aspiration", "network", "step_order")
)

CHESS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1",  # a mate on the back rank is in the air
    "k7/8/1K6/8/8/8/8/7R w - - 0 1",
]
CTL = [
    Board().fen(),
    "11/5(hc)1h3/11/11/4g3g2/4S6/2I6t1/4AT4E/9s1/11/4CH1H3/11 b - - 0 45",
    "4c6/11/4t6/11/(nft)10/11/11/2(NFT)8/4I6/11/6C4/11 r - - 0 1",  # deployments on both sides
    "4c6/11/11/11/11/4T6/11/2(EA)8/4(TI)6/11/6C4/11 r - - 0 1",
]


def evaluate(engine, board):
    return engine.evaluate(board).score.cp


MATE = 1_000_000


def minimax(engine, board, depth, turns=0):
    """The score for the side to move, mates counted in turns from the root; nothing pruned."""
    if isinstance(board, Board):
        outcome = board.outcome()
        if outcome is not None and outcome.reason.name in ("COMMANDER_TAKEN", "OBJECTIVE"):
            return MATE - turns if outcome.winner is board.turn else turns - MATE
    elif board.is_insufficient_material():
        return 0
    mid_turn = isinstance(board, Board) and board.deployment is not None
    moves = list(board.legal_moves)
    if not moves:
        return turns - MATE if not mid_turn and board.is_check() else 0
    if depth <= 0:
        return evaluate(engine, board)
    best = -2 * MATE
    for move in moves:
        turn = board.turn
        board.push(move)
        commit = isinstance(board, Board) and move.kind.name == "COMMIT"
        below = depth if commit else depth - 1
        if board.turn is turn:
            score = minimax(engine, board, below, turns)
        else:
            score = -minimax(engine, board, below, turns + 1)
        board.pop()
        best = max(best, score)
    return best


def as_score(value):
    if value > MATE // 2:
        return Score(mate=(MATE - value + 1) // 2)
    if value < -MATE // 2:
        return Score(mate=-((MATE + value + 1) // 2))
    return Score(cp=value)


def score_of(engine, board, depth, features):
    engine.new_game()
    engine._core.features = features
    return engine.play(board, Limit(depth=depth)).info.score


def boards():
    for fen in CHESS:
        yield pytest.param(
            chess.Board(fen), 3 if fen.count("/") and len(fen) < 60 else 2, id=fen[:24]
        )
    for fen in CTL:
        yield pytest.param(Board(fen), 1 if "1n2fh" in fen else 2, id=fen[:24])


@pytest.mark.parametrize(("board", "depth"), list(boards()))
def test_without_pruning_the_search_is_minimax(board, depth):
    with Engine(hash_mb=4) as engine:
        truth = as_score(minimax(engine, board.copy(), depth))
        assert score_of(engine, board, depth, NETWORK) == truth
        assert score_of(engine, board, depth, NETWORK | HASH) == truth
        assert score_of(engine, board, depth, NETWORK | HASH | ASPIRATION) == truth
        assert score_of(engine, board, depth, NETWORK | STEP_ORDER) == truth
        assert score_of(engine, board, depth, NETWORK | HASH | STEP_ORDER) == truth


@pytest.mark.parametrize("board", [chess.Board(CHESS[1]), Board(), Board(CTL[2])])
def test_one_thread_counts_the_same_nodes_every_time(board):
    def think():
        with Engine(hash_mb=8) as engine:
            # Bounds are told only after a second: they depend on the machine.
            infos = [i for i in engine.analyse(board, Limit(depth=6)) if i.bound is None]
            return [(i.depth, i.score, i.nodes, i.pv) for i in infos]

    assert think() == think()


def test_a_fresh_game_forgets():
    with Engine(hash_mb=8) as engine:
        board = chess.Board(CHESS[1])
        first = engine.play(board, Limit(depth=6)).info.nodes
        engine.new_game()
        assert engine.play(board, Limit(depth=6)).info.nodes == first


@pytest.mark.parametrize(
    ("fen", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", 1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
        ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", None),  # already mated
        ("4k3/8/4K3/8/8/8/8/7R w - - 0 1", 1),
        ("8/8/8/4k3/8/8/8/1K1R3R w - - 0 1", 7),
    ],
)
def test_mates_of_chess_are_counted_in_turns(fen, mate):
    board = chess.Board(fen)
    with Engine(hash_mb=8) as engine:
        if mate is None:
            with pytest.raises(ValueError, match="no legal moves"):
                engine.play(board, Limit(depth=3))
            return
        info = engine.play(board, Limit(nodes=400_000, mate=mate)).info
        assert info.score.mate is not None
        assert 0 < info.score.mate <= mate + 1


def test_being_mated_is_negative():
    board = chess.Board("8/8/8/8/8/1k6/7r/K7 w - - 0 1")
    with Engine(hash_mb=8) as engine:
        info = engine.play(board, Limit(depth=6)).info
        assert info.score.mate == -1


@pytest.mark.parametrize(
    "board",
    [
        chess.Board("7k/8/8/8/8/8/R7/7K w - - 99 80"),
        Board("4c6/11/11/11/11/4T6/11/2(EA)8/4(TI)6/11/6C4/11 r - - 99 80"),
    ],
)
def test_the_clock_runs_out(board):
    with Engine(hash_mb=8) as engine:
        assert engine.play(board, Limit(depth=5)).info.score == Score(cp=0)


def test_a_third_time_is_known_from_the_game():
    board = chess.Board("7k/8/8/8/8/8/R7/7K w - - 0 1")
    for _ in range(2):
        for text in ("a2a3", "h8g8", "a3a2", "g8h8"):
            board.push(board.parse_uci(text))
    with Engine(hash_mb=8) as engine:
        # a2a3 would be the third time: the engine does something else.
        move = engine.play(board, Limit(depth=6)).move
        board.push(move)
        assert not board.is_repetition(3)


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/4p3/3p4/4Q3/8/8/4K3 w - - 0 1", "e4d5", 100 - 950),
        ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),  # backed by a second rook
        ("4k3/8/2p1p3/3p4/4P3/2N5/8/4K3 w - - 0 1", "e4d5", 0),
    ],
)
def test_exchanges_of_chess(fen, move, value):
    board = chess.Board(fen)
    assert _core.see(board, int(board.parse_uci(move))) == value


def exchange(fen, lan):
    board = Board(fen)
    return _core.see(board, int(board.parse_lan(lan)))


def test_exchanges_of_stacks_stays_and_aircraft():
    worth = dict(zip("NFTEHCIMAGS", [b for _, b in _values()], strict=True))
    # An undefended tank; one that infantry defends; a whole stack in the tank's place.
    assert exchange("4c6/11/11/11/11/11/4t6/4T6/11/11/6C4/11 r - - 0 1", "Te5xe6") == worth["T"]
    fen = "4c6/11/11/11/11/4i6/4t6/4T6/11/11/6C4/11 r - - 0 1"
    assert exchange(fen, "Te5xe6") == 0
    fen = "4c6/11/11/11/11/4i6/4t6/4(TI)6/11/11/6C4/11 r - - 0 1"
    assert exchange(fen, "(TI)e5xe6") == -worth["I"]
    # Bombing and flying back risks nothing, though the target is defended.
    fen = "4c6/11/11/11/11/4i6/4t6/11/4F6/11/6C4/11 r - - 0 1"
    assert exchange(fen, "Fe4_e6") == worth["T"]
    # Inside a ring both go.
    fen = "4c6/11/11/11/11/4g6/4t6/11/4F6/11/6C4/11 r - - 0 1"
    assert exchange(fen, "Fe4@e6") == worth["T"] - worth["F"]


def _values():
    weights = _core.weights(False)[:22]
    pairs = [(a + b) // 2 if a + b >= 0 else -((-a - b) // 2) for a, b in weights]
    return [(pairs[2 * i], pairs[2 * i + 1]) for i in range(11)]


def test_threats_tell_quiet_moves_apart_in_chess_alone():
    def nodes(board, without):
        with Engine(hash_mb=4, without=without) as engine:
            return engine.play(board, Limit(depth=8)).info.nodes

    assert nodes(chess.Board(CHESS[1]), ["threats"]) != nodes(chess.Board(CHESS[1]), [])
    assert nodes(Board(CTL[1]), ["threats"]) == nodes(Board(CTL[1]), [])
