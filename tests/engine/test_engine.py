"""Engine in Python: limits, infos, stopping, several at once, trouble."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from cotulenh import Board, Rules, _core, chess
from cotulenh.engine import Engine, Evaluation, Info, Limit, Score, parameters
from cotulenh.engine.bench import bench

GAMES = [pytest.param(Board, id="ctl"), pytest.param(chess.Board, id="chess")]


@pytest.mark.parametrize("board_type", GAMES)
def test_play_gives_a_legal_move_and_leaves_the_board(board_type):
    board = board_type()
    before = board.fen()
    with Engine(hash_mb=4) as engine:
        result = engine.play(board, Limit(nodes=2000))
    assert board.fen() == before
    assert result.move in board.legal_moves
    board.push(result.move)
    assert result.ponder is None or result.ponder in board.legal_moves
    assert isinstance(result.info, Info)
    assert result.info.pv[0] == result.move


@pytest.mark.parametrize("rules", Rules.names())
def test_all_rule_sets_can_be_played(rules):
    board = Board(rules=rules)
    with Engine(hash_mb=4) as engine:
        for _ in range(12):
            move = engine.play(board, Limit(nodes=300)).move
            assert move in board.legal_moves
            board.push(move)


@pytest.mark.parametrize("board_type", GAMES)
def test_infos_grow_deeper_and_their_lines_can_be_played(board_type):
    with Engine(hash_mb=4) as engine:
        infos = list(engine.analyse(board_type(), Limit(depth=5)))
    assert [i.depth for i in infos] == sorted(i.depth for i in infos)
    assert infos[-1].depth == 5
    for info in infos:
        board = board_type()
        for move in info.pv:
            assert move in board.legal_moves
            board.push(move)


def test_several_lines_are_different_and_sorted():
    with Engine(hash_mb=4) as engine:
        infos = [i for i in engine.analyse(Board(), Limit(depth=4), multipv=3) if i.depth == 4]
    assert [i.multipv for i in infos] == [1, 2, 3]
    assert len({i.pv[0] for i in infos}) == 3
    assert infos[0].score >= infos[1].score >= infos[2].score


def test_root_moves_restrict_the_choice():
    board = chess.Board()
    only = [board.parse_uci("a2a3"), board.parse_uci("h2h3")]
    with Engine(hash_mb=4) as engine:
        assert engine.play(board, Limit(depth=4), root_moves=only).move in only
        with pytest.raises(ValueError, match="root moves"):
            engine.play(board, Limit(depth=4), root_moves=[])


def test_nodes_and_depth_limit():
    with Engine(hash_mb=4) as engine:
        info = engine.play(chess.Board(), Limit(nodes=5000)).info
        assert info.nodes <= 5000
        assert engine.play(Board(), Limit(depth=3)).info.depth == 3


@pytest.mark.parametrize(
    "limit", [Limit(time=0.2), Limit(times=(2.0, 2.0), increments=(0.01, 0.01))], ids=str
)
@pytest.mark.parametrize("board_type", GAMES)
def test_time_and_clocks_end_a_search(board_type, limit):
    """Before the greatest depth, so it was the time: without it the search would go on for ever."""
    with Engine(hash_mb=4) as engine:
        result = engine.play(board_type(), limit)
    assert result.move in board_type().legal_moves
    assert 1 <= result.info.depth < 60


def test_stop_from_another_thread():
    with Engine(hash_mb=4) as engine:
        threading.Timer(0.2, engine.stop).start()
        result = engine.play(Board(), Limit(infinite=True))
        assert result.move in Board().legal_moves


def test_stop_before_start_does_nothing():
    with Engine(hash_mb=4) as engine:
        engine.stop()
        engine.ponderhit()
        assert not engine.is_thinking
        info = engine.play(chess.Board(), Limit(depth=3)).info
        assert info.depth == 3


def test_closing_the_iterator_stops_the_search():
    with Engine(hash_mb=4) as engine:
        analysis = engine.analyse(Board(), Limit(infinite=True))
        assert next(analysis).depth == 1
        assert engine.is_thinking
        analysis.close()
        assert not engine.is_thinking
        assert analysis.result().move in Board().legal_moves


def test_dropping_the_iterator_stops_the_search():
    with Engine(hash_mb=4) as engine:
        next(engine.analyse(Board(), Limit(infinite=True)))
        assert not engine.is_thinking


def test_pondering_waits_for_the_hit():
    with Engine(hash_mb=4) as engine:
        analysis = engine.analyse(chess.Board(), Limit(depth=2), ponder=True)
        time.sleep(0.1)
        assert engine.is_thinking
        engine.ponderhit()
        assert analysis.result().move in chess.Board().legal_moves


def test_several_engines_at_once():
    boards = [Board(), chess.Board(), Board(rules="online")]
    moves: list[object] = [None] * 3

    def think(i):
        with Engine(hash_mb=4) as engine:
            moves[i] = engine.play(boards[i], Limit(nodes=3000)).move

    threads = [threading.Thread(target=think, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for board, move in zip(boards, moves, strict=True):
        assert move in board.legal_moves


def test_two_threads_of_one_engine():
    with Engine(threads=2, hash_mb=4) as engine:
        result = engine.play(Board(), Limit(depth=5))
    assert result.move in Board().legal_moves
    assert result.info.depth >= 5


def test_one_engine_may_change_games():
    """What was learnt of another game is forgotten: it answers like a fresh one."""
    with Engine(hash_mb=4) as engine:
        for board in (Board(), chess.Board(), Board(rules="blueprint"), chess.Board()):
            with Engine(hash_mb=4) as fresh:
                wanted = fresh.play(board, Limit(depth=4))
            found = engine.play(board, Limit(depth=4))
            assert (found.move, found.info.nodes) == (wanted.move, wanted.info.nodes)


def test_a_search_at_a_time():
    with (
        Engine(hash_mb=4) as engine,
        engine.analyse(Board(), Limit(infinite=True)),
        pytest.raises(ValueError, match="thinking already"),
    ):
        engine.play(Board(), Limit(depth=1))


def test_ctrl_c_is_heard():
    with Engine(hash_mb=4) as engine:
        main = threading.main_thread().ident
        assert main is not None
        threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            engine.play(Board(), Limit(infinite=True))
        assert not engine.is_thinking


@pytest.mark.parametrize("board_type", GAMES)
def test_evaluation_has_terms(board_type):
    with Engine(hash_mb=4) as engine:
        found = engine.evaluate(board_type())
    assert isinstance(found, Evaluation)
    assert found.score.cp is not None
    assert found.terms["material"][0] == found.terms["material"][1]


@pytest.mark.parametrize("skill", [0, 10, 19])
def test_weaker_play_is_legal(skill):
    with Engine(hash_mb=4, skill=skill) as engine:
        assert engine.play(Board(), Limit(nodes=2000)).move in Board().legal_moves
    with Engine(hash_mb=4, elo=800) as engine:
        assert engine.play(chess.Board(), Limit(time=5)).move in chess.Board().legal_moves


# Trouble --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        {"threads": 0},
        {"threads": 1000},
        {"hash_mb": 0},
        {"hash_mb": 10**9},
        {"skill": 21},
        {"elo": 99},
        {"skill": 3, "elo": 1500},
    ],
)
def test_impossible_settings(bad):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        Engine(**bad)


@pytest.mark.parametrize(
    "bad",
    [
        {"time": -1.0},
        {"time": float("nan")},
        {"depth": 0},
        {"nodes": 0},
        {"mate": 0},
        {"times": (1.0,)},
        {"times": (1.0, -1.0)},
        {"increments": (0.0, float("inf"))},
        {"moves_to_go": 0},
    ],
)
def test_impossible_limits(bad):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        Limit(**bad)


def test_no_limit_at_all():
    with Engine(hash_mb=4) as engine, pytest.raises(ValueError, match="limit is needed"):
        engine.play(Board(), Limit())


def test_no_legal_moves():
    mated = chess.Board("k6R/8/1K6/8/8/8/8/8 b - - 0 1")
    with Engine(hash_mb=4) as engine, pytest.raises(ValueError, match="no legal moves"):
        engine.play(mated, Limit(depth=1))


def test_a_closed_engine_says_so():
    engine = Engine(hash_mb=4)
    engine.close()
    engine.close()
    for act in (engine.stop, engine.new_game, lambda: engine.play(Board(), Limit(depth=1))):
        with pytest.raises(ValueError, match="closed"):
            act()


def test_not_a_board():
    with (
        Engine(hash_mb=4) as engine,
        pytest.raises(ValueError, match="expected a board, got 'e2e4'"),
    ):
        engine.play("e2e4", Limit(depth=1))  # type: ignore[call-overload]


def test_scores_compare_and_read_as_uci():
    assert str(Score(cp=-7)) == "cp -7"
    assert Score(mate=2) > Score(cp=5000) > Score(mate=-3)
    with pytest.raises(ValueError, match="either"):
        Score()


def test_parameters_change_the_search_and_are_checked():
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 9")

    def nodes(**values):
        with Engine(hash_mb=4, parameters=values) as engine:
            return engine.play(board, Limit(depth=8)).info.nodes

    defaults = {name: default for name, (default, _, _) in parameters().items()}
    assert nodes() == nodes(**defaults)
    for name in ("lmr_base", "reverse_futility_margin", "aspiration_window", "singular_margin"):
        assert nodes(**{name: 2 * defaults[name]}) != nodes(), name
    for name, (default, low, high) in parameters().items():
        assert low <= default <= high
        with pytest.raises(ValueError, match=f"{name} must be {low} to {high}"):
            Engine(parameters={name: high + 1})
    with pytest.raises(ValueError, match="no such parameter"):
        Engine(parameters={"luck": 1})


@pytest.mark.parametrize("board_type", GAMES)
def test_other_weights_hold_at_once(board_type):
    """Nothing that was kept of evaluations by the old weights is used with the new ones."""
    is_chess = board_type is chess.Board
    pairs = [(2 * full, 2 * bare) for full, bare in _core.weights(is_chess)]

    def think(engine):
        infos = engine.analyse(board_type(), Limit(depth=4))
        return [(info.score, info.nodes, info.pv) for info in infos if info.bound is None]

    with Engine(hash_mb=4) as engine, Engine(hash_mb=4) as fresh:
        before = think(engine)
        for one in (engine, fresh):
            one._core.set_weights(is_chess, pairs)
            one.new_game()
        assert think(engine) == think(fresh) != before


def test_bench_repeats_its_signature():
    first = bench(["chess"])[0]
    assert first.game == "chess"
    assert first.signature == bench(["chess"])[0].signature
    with pytest.raises(ValueError, match="expected a rule set"):
        bench(["go"])


@pytest.mark.parametrize("text", ["e1g1", "e1h1", "e1c1", "e1a1"])
def test_a_plain_castling_move_may_be_a_root_move(text):
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    with Engine() as engine:
        found = engine.play(board, Limit(depth=2), root_moves=[chess.Move.from_uci(text)]).move
    assert board.is_castling(found)
    assert found.to_square.file == (6 if text in ("e1g1", "e1h1") else 2)


def test_an_illegal_root_move_is_named():
    moves = [chess.Move.from_uci("e2e4"), chess.Move.from_uci("e2e5")]
    with Engine() as engine, pytest.raises(ValueError, match="root_moves: e2e5 is not legal"):
        engine.play(chess.Board(), Limit(depth=2), root_moves=moves)
