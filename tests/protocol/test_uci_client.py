"""The ``chess`` package's UCI client plays and analyses with our engine in both games."""

import sys

import chess
import chess.engine
import pytest
from variant_board import MOVE, BlueprintBoard, OnlineBoard, VariantBoard

from cotulenh.games import names

COMMAND = [sys.executable, "-m", "cotulenh", "uci"]


@pytest.fixture(scope="module")
def engine():
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as found:
        yield found


@pytest.fixture(autouse=True)
def _wider_moves(monkeypatch):
    monkeypatch.setattr(chess.engine, "UCI_REGEX", MOVE)


def test_the_handshake_offers_what_clients_use(engine):
    assert engine.id["name"].startswith("cotulenh")
    wanted = {"Hash", "Threads", "MultiPV", "Ponder", "UCI_Variant", "UCI_Chess960", "UCI_Elo"}
    assert wanted <= set(engine.options)
    assert engine.options["UCI_Variant"].var == names()


def test_a_game_of_chess(engine):
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        board.push(engine.play(board, chess.engine.Limit(nodes=300)).move)
    assert board.ply() >= 20 or board.is_game_over()


def test_a_mate_in_chess_is_announced(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K2R w K - 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=6))
    assert info["score"].white() == chess.engine.Mate(1)
    assert info["pv"][0] == chess.Move.from_uci("a1a8")


def test_analysis_of_chess_with_several_lines(engine):
    lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=5), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3
    scores = [line["score"].relative.score() for line in lines]
    assert scores == sorted(scores, reverse=True)


def test_chess960(engine):
    board = chess.Board.from_chess960_pos(400)
    for _ in range(10):
        board.push(engine.play(board, chess.engine.Limit(depth=3)).move)
    assert board.is_valid()


def test_search_moves(engine):
    only = [chess.Move.from_uci("a2a3")]
    found = engine.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=only)
    assert found.move == only[0]


def test_clocks(engine):
    limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1)
    assert engine.play(chess.Board(), limit).move in chess.Board().legal_moves


@pytest.mark.parametrize("kind", [VariantBoard, OnlineBoard, BlueprintBoard])
def test_turns_of_co_tu_lenh(engine, kind):
    """One step at a time: the client asks again while the same side is to move."""
    board = kind()
    while not board.board.is_game_over() and board.board.ply < 30:
        board.push(engine.play(board, chess.engine.Limit(nodes=200)).move)
    assert board.board.ply >= 20 or board.board.is_game_over()


def test_a_whole_game_of_co_tu_lenh_with_deployments(engine):
    fen = "6c4/5t5/11/3(ft)7/11/11/11/4(FT)6/2(NFT)8/3A7/4E1I4/6C4 r - - 0 1"
    board = VariantBoard(fen)
    while not board.board.is_game_over() and board.board.ply < 400:
        board.push(engine.play(board, chess.engine.Limit(nodes=300)).move)
    assert board.board.is_game_over() or board.board.ply == 400


def test_analysis_of_co_tu_lenh(engine):
    lines = engine.analyse(VariantBoard(), chess.engine.Limit(depth=3), multipv=2)
    assert len(lines) == 2
    assert all(line["pv"][0].move in VariantBoard().board.legal_moves for line in lines)


def test_a_deployment_in_the_middle_is_understood(engine):
    board = VariantBoard("6c4/11/11/11/11/11/11/4(FT)6/11/11/11/4C6 r - - 0 1")
    board.push(board.parse_uci("te5>e6"))
    assert board.board.deployment is not None
    found = engine.play(board, chess.engine.Limit(depth=3))
    assert found.move.move in board.board.legal_moves


def test_an_analysis_that_is_stopped(engine):
    with engine.analysis(chess.Board()) as analysis:
        for number, _ in enumerate(analysis):
            if number > 3:
                break
    assert engine.play(chess.Board(), chess.engine.Limit(depth=2)).move


def test_pondering(engine):
    board = chess.Board()
    for _ in range(3):
        found = engine.play(board, chess.engine.Limit(time=0.05), ponder=True)
        assert found.move in board.legal_moves
        board.push(found.move)
        assert found.ponder in board.legal_moves
        board.push(found.ponder)


def test_strength_can_be_limited():
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=60) as weak:
        weak.configure({"UCI_LimitStrength": True, "UCI_Elo": 600, "Hash": 4})
        assert weak.play(chess.Board(), chess.engine.Limit(time=0.2)).move
