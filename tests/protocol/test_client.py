"""Other programs driven by us: real ones, our own, and those that do everything wrong."""

import asyncio
import contextlib
import gc
import os
import shutil
import sys
import threading
import time

import fake_engine
import pytest

from cotulenh import Board, chess
from cotulenh.engine import Limit, Score
from cotulenh.games import names, new_board
from cotulenh.protocols.client import (
    AsyncUciClient,
    EngineDiedError,
    EngineError,
    EngineTimeoutError,
    UciClient,
)

OWN = [sys.executable, "-m", "cotulenh", "uci"]
PATH = f"{os.environ.get('PATH', '')}:/usr/games"
OTHERS = {name: shutil.which(name, path=PATH) for name in ("stockfish", "fairy-stockfish")}
FEN = "6c4/11/11/11/11/11/11/4(FT)6/11/11/11/4C6 r - - 0 1"


def fake(manner):
    return [sys.executable, fake_engine.__file__, manner]


class Twin:
    """The asynchronous client with the face of the other one, so that one test tries both."""

    def __init__(self, command, options=None, **settings):
        self._client = AsyncUciClient(command, options, **settings)
        self._loop = asyncio.new_event_loop()
        try:
            self._wait(self._client.open())
        except EngineError:
            self._loop.close()
            raise

    def _wait(self, work):
        return self._loop.run_until_complete(work)

    def play(self, *args, **settings):
        return self._wait(self._client.play(*args, **settings))

    def analyse(self, *args, **settings):
        async def everything():
            return [info async for info in await self._client.analyse(*args, **settings)]

        return self._wait(everything())

    def configure(self, options):
        self._wait(self._client.configure(options))

    def new_game(self):
        self._wait(self._client.new_game())

    def close(self):
        self._wait(self._client.close())
        self._loop.close()

    def __getattr__(self, name):
        return getattr(self._client, name)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


@pytest.fixture(params=[UciClient, Twin], ids=["sync", "async"])
def client_type(request):
    return request.param


# Real programs ----------------------------------------------------------------------------------


def test_our_own_engine_plays_both_games(client_type):
    with client_type(OWN, {"Hash": 4}) as client:
        assert client.name.startswith("cotulenh")
        for game in names():
            client.new_game()
            board = new_board(game)
            for _ in range(6):
                result = client.play(board, Limit(depth=2))
                assert result.move in board.legal_moves
                assert result.info.pv[0] == result.move
                board.push(result.move)


def test_a_turn_of_several_moves(client_type):
    board = Board(FEN)
    board.push(board.parse_lan("Te5>e6"))
    with client_type(OWN) as client:
        assert client.play(board, Limit(depth=2)).move in board.legal_moves
        only = [board.parse_lan("e5<")]
        assert client.play(board, Limit(depth=2), root_moves=only).move == only[0]


@pytest.mark.parametrize("name", OTHERS)
def test_other_programs_play(client_type, name):
    if OTHERS[name] is None:
        pytest.skip(f"{name} is missing")
    with client_type([OTHERS[name]], {"Hash": 4}) as client:
        assert client.options["Threads"].kind == "spin"
        assert client.option("threads") is client.options["Threads"]
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K2R w K - 0 1")
        result = client.play(board, Limit(depth=6))
        assert board.uci(result.move) == "a1a8"
        assert result.info.score == Score(mate=1)
        infos = client.analyse(chess.Board(), Limit(depth=5), 3)
        assert {info.multipv for info in infos} == {1, 2, 3}
        # Castling in both notations, the king's two steps and the king that takes its rook.
        for is_960 in (False, True):
            board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", is_960)
            only = [board.parse_san("O-O")]
            assert client.play(board, Limit(depth=4), root_moves=only).move == only[0]


def test_a_game_against_another_program():
    if OTHERS["stockfish"] is None:
        pytest.skip("stockfish is missing")
    board = chess.Board()
    with UciClient(OTHERS["stockfish"], {"Skill Level": 0}) as white, UciClient(OWN) as black:
        while board.ply < 30 and not board.is_game_over():
            player = white if board.turn is chess.WHITE else black
            board.push(player.play(board, Limit(time=0.01)).move)
    assert board.ply == 30 or board.is_game_over()


def test_a_program_that_does_not_play_the_game(client_type):
    with client_type(fake("plain")) as client, pytest.raises(EngineError, match="does not play"):
        client.play(Board(), Limit(depth=1))


def test_analysis_is_stopped_from_another_thread():
    with UciClient(OWN) as client:
        with client.analyse(Board(), Limit(infinite=True)) as analysis:
            next(analysis)
            threading.Timer(0.1, client.stop).start()
            assert analysis.result().move in Board().legal_moves
        assert client.play(Board(), Limit(depth=1)).move in Board().legal_moves


def test_leaving_an_analysis_ends_it():
    with UciClient(OWN) as client:
        with client.analyse(chess.Board(), Limit(infinite=True)) as analysis:
            with pytest.raises(ValueError, match="a search is under way"):
                client.new_game()
            assert next(analysis).depth >= 1
        assert list(analysis) == []
        client.new_game()


def test_pondering():
    with UciClient(OWN) as client:
        board = chess.Board()
        with client.analyse(board, Limit(time=0.05), ponder=True) as analysis:
            next(analysis)
            client.ponderhit()
            assert analysis.result().move in board.legal_moves


def test_leaving_an_asynchronous_analysis_ends_it():
    async def program():
        async with AsyncUciClient(OWN) as client:
            analysis = await client.analyse(Board(), Limit(infinite=True))
            async with analysis:
                first = await anext(analysis)
            return first, await client.play(Board(), Limit(depth=1))

    first, result = asyncio.run(program())
    assert first.pv[0] in Board().legal_moves
    assert result.move in Board().legal_moves


# Options ----------------------------------------------------------------------------------------


BAD_OPTIONS = [
    ({"Nonsense": 1}, "has no option Nonsense"),
    ({"Hash": 0}, "Hash: expected 1 to "),
    ({"Hash": "many"}, "Hash: expected a whole number, got many"),
    ({"Ponder": "perhaps"}, "Ponder: expected true or false"),
    ({"UCI_Variant": "shogi"}, "UCI_Variant: expected official"),
]


def test_options_are_checked_before_they_are_sent(client_type):
    with client_type(OWN) as client:
        for options, reason in BAD_OPTIONS:
            with pytest.raises(ValueError, match=reason):
                client.configure({"Hash": 2, **options})
        client.configure({"hash": 2, "Ponder": True, "Clear Hash": None})
        assert client.play(chess.Board(), Limit(depth=1)).move


# Bad programs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "manner", ["plain", "tabs", "upper", "noise", "bounds", "crlf", "flood", "bad-ponder"]
)
def test_odd_programs_are_understood(client_type, manner):
    board = chess.Board()
    with client_type(fake(manner)) as client:
        for _ in range(2):
            result = client.play(board, Limit(depth=3))
            assert board.uci(result.move) == "e2e4"
        if manner in ("plain", "tabs", "noise", "bounds", "crlf"):
            assert result.info.score == Score(cp=20)
            assert [str(move) for move in result.info.pv] == ["e2e4", "e7e5"]
            assert str(result.ponder) == "e7e5"
        if manner == "tabs":
            assert client.name == "Odd Blanks 1"
            assert client.options["Skill Level"].high == 9
        if manner == "bad-ponder":
            assert result.ponder is None


def test_bounds_are_told(client_type):
    with client_type(fake("bounds")) as client:
        infos = list(client.analyse(chess.Board(), Limit(depth=3)))
    assert [(info.score.cp, info.bound) for info in infos] == [
        (20, None),
        (70, "lower"),
        (-30, "upper"),
    ]


@pytest.mark.parametrize(
    ("manner", "kind", "reason"),
    [
        ("illegal", EngineError, "illegal move: bestmove e2e5"),
        ("other-game", EngineError, "illegal move"),
        ("none", EngineError, r"illegal move: bestmove \(none\)"),
        ("null", EngineError, "illegal move"),
        ("nothing", EngineError, "illegal move"),
        ("dies", EngineDiedError, r"Fake has ended \(exit status 3\)"),
        ("hangs", EngineTimeoutError, "Fake does not answer"),
    ],
)
def test_what_goes_wrong_in_a_search_is_one_clear_error(client_type, manner, kind, reason):
    with client_type(fake(manner), timeout=1) as client:
        with pytest.raises(kind, match=reason):
            client.play(chess.Board(), Limit(time=0.05))
        with pytest.raises(EngineDiedError, match="is closed"):
            client.play(chess.Board(), Limit(time=0.05))


@pytest.mark.parametrize(
    ("command", "kind", "reason"),
    [
        (fake("silent"), EngineTimeoutError, "does not answer"),
        (fake("never-ready"), EngineTimeoutError, "Fake does not answer"),
        (fake("dies-at-once"), EngineDiedError, "has ended"),
        (fake("dies-not-ready"), EngineDiedError, "has ended"),
        (["/no/such/program"], EngineDiedError, "cannot start /no/such/program"),
        (["/"], EngineDiedError, "cannot start /"),
        ("a\0b", EngineDiedError, "cannot start"),
        ("true", EngineDiedError, "has ended"),
        ("cat", EngineTimeoutError, "does not answer"),
    ],
)
def test_programs_that_do_not_start(client_type, command, kind, reason):
    with pytest.raises(kind, match=reason):
        client_type(command, timeout=0.7)


def test_an_empty_command(client_type):
    with pytest.raises(ValueError, match="expected a command, got nothing"):
        client_type("")


def test_a_timeout_for_one_search(client_type):
    with client_type(fake("hangs")) as client, pytest.raises(EngineTimeoutError):
        client.play(chess.Board(), Limit(depth=40), timeout=0.2)


def test_a_program_that_does_not_quit_is_ended(client_type):
    began = time.monotonic()
    with client_type(fake("stays")) as client:
        program = client._program
        assert client.play(chess.Board(), Limit(depth=1)).move
    assert program.returncode is not None
    assert time.monotonic() - began < 30


def test_closing_wakes_a_thread_that_waits():
    client = UciClient(fake("hangs"))
    analysis = client.analyse(chess.Board(), Limit(infinite=True))
    threading.Timer(0.2, client.close).start()
    with pytest.raises(EngineDiedError):
        analysis.result()
    client.close()


def test_many_clients_leave_nothing_behind():
    gc.collect()  # what earlier tests left is not counted
    threads = threading.active_count()
    files = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for manner in ("plain", "dies", "illegal", "tabs") * 3:
        with UciClient(fake(manner)) as client, contextlib.suppress(EngineError):
            client.play(chess.Board(), Limit(depth=1))
        assert not client.is_alive
    assert threading.active_count() <= threads
    if files:
        assert len(os.listdir("/proc/self/fd")) <= files
