"""UCI line by line: answers, limits, and everything that is not UCI."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from peer import Peer

from cotulenh import Board, Rules
from cotulenh.chess import Board as ChessBoard
from cotulenh.protocols.uci import Uci, options_of
from cotulenh.protocols.uci_text import Go

COMMAND = [sys.executable, "-m", "cotulenh", "uci"]


class UciPeer(Peer):
    def __init__(self, variant="chess"):
        super().__init__(Uci, variant)

    def go(self, text):
        """The bestmove of a go that ends by itself."""
        self.lines.clear()
        assert self.engine.handle(f"go {text}")
        best = self.until("bestmove")
        self.engine._must_be_idle("test")
        return best


@pytest.fixture
def peer():
    peer = UciPeer()
    yield peer
    peer.engine.close()


def test_the_handshake(peer):
    said = peer("uci")
    assert said[0].startswith("id name cotulenh")
    assert said[-1] == "uciok"
    assert sum(line.startswith("option name ") for line in said) == len(options_of("chess"))
    assert peer("isready") == ["readyok"]


@pytest.mark.parametrize(
    "limit",
    [
        "depth 3",
        "nodes 500",
        "movetime 30",
        "wtime 1000 btime 1000",
        "mate 1 movetime 50",
        "wtime 500 btime 500 winc 10 binc 10 movestogo 5",
        "depth 0",
        "wtime -50 btime 10",
    ],
)
def test_every_limit_ends_with_a_legal_move(peer, limit):
    best = peer.go(limit).split()[1]
    assert best in {move.uci() for move in ChessBoard().legal_moves}


def test_every_limit_ends_with_a_legal_move_of_co_tu_lenh():
    peer = UciPeer("official")
    board = Board()
    for limit in ("depth 2", "nodes 500", "movetime 30", "wtime 1000 btime 1000"):
        assert peer.go(limit).split()[1] in {board.lan(move) for move in board.legal_moves}
    peer.engine.close()


def test_bestmove_is_the_best_line(peer):
    peer("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert peer.go("depth 4").startswith("bestmove a1a8")
    assert any("score mate 1" in line for line in peer.lines)


def test_infinite_ends_only_with_stop(peer):
    peer("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "go infinite")
    time.sleep(0.3)
    assert not [line for line in peer.lines if line.startswith("bestmove")]
    peer("stop")
    assert peer.lines[-1].startswith("bestmove")


def test_ponder_waits_for_ponderhit(peer):
    peer("position startpos moves e2e4 e7e5", "go ponder movetime 50")
    time.sleep(0.3)
    assert not [line for line in peer.lines if line.startswith("bestmove")]
    peer("ponderhit")
    assert peer.until("bestmove", 5)


def test_it_listens_while_it_thinks(peer):
    peer("go infinite")
    assert "readyok" in peer("isready")
    assert "searching" in peer("position startpos")[-1]
    assert any(line.startswith("info string go while searching") for line in peer("go depth 1"))
    peer("stop")
    assert sum(line.startswith("bestmove") for line in peer.lines) == 1


def test_a_finished_game_has_no_move(peer):
    peer("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert peer.go("depth 3") == "bestmove (none)"
    assert "info depth 0 score mate 0" in peer.lines


def test_several_lines(peer):
    peer("setoption name MultiPV value 3")
    peer.go("depth 3")
    assert {line.split(" multipv ")[1][0] for line in peer.lines if " multipv " in line} == set(
        "123"
    )


def test_perft(peer):
    peer("position startpos", "go perft 3")
    assert peer.until("Nodes searched") == "Nodes searched: 8902"
    peer.engine._must_be_idle("test")
    peer("setoption name UCI_Variant value official", "go perft 2")
    assert peer.until("Nodes searched: 13459")


def test_variants_and_deployments(peer):
    peer("setoption name UCI_Variant value official")
    fen = "6c4/11/11/11/11/11/11/4(FT)6/11/11/11/4C6 r - - 0 1"
    assert peer(f"position fen {fen} moves te5>e6") == []
    shown = peer("d")
    assert any("e5:F" in line for line in shown)
    best = peer.go("depth 2").split()
    assert ">" in best[1] or best[1].endswith("<")
    assert peer(f"position fen {fen} moves Te5>e6 e5<") == []
    assert any(" b - - " in line for line in peer("d"))


def test_a_move_to_ponder_on_is_the_opponents():
    peer = UciPeer("official")
    peer("position fen 6c4/11/11/11/3t7/11/11/4(FT)6/11/11/11/4C6 r - - 0 1")
    for _ in range(6):
        words = peer.go("depth 3").split()
        board = peer.engine._board
        mover = board.turn
        board.push_lan(words[1])
        if board.turn is mover:
            assert len(words) == 2
    peer.engine.close()


def test_eval_and_the_picture(peer):
    assert any(line.startswith("Evaluation:") for line in peer("eval"))
    assert any(line.startswith("Fen: rnbqkbnr") for line in peer("d"))


def test_elo_and_skill(peer):
    peer("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 700")
    assert peer.go("movetime 50").startswith("bestmove ")
    peer("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 3")
    assert peer.go("movetime 50").startswith("bestmove ")


@pytest.mark.parametrize(
    "line",
    [
        "joho",
        "setoption",
        "setoption name Hash",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999",
        "setoption name Threads value -3",
        "setoption name Ponder value perhaps",
        "setoption name UCI_Variant value shogi",
        "setoption name Nonsense value 1",
        "ponderhit",
        "x" * 100_000,
        "ucí",
    ],
)
def test_bad_input_is_explained_and_harmless(peer, line):
    said = peer(line)
    assert len(said) == 1
    assert said[0].startswith("info string ")
    assert len(said[0]) < 250
    assert peer.go("depth 1").split()[1] in {move.uci() for move in ChessBoard().legal_moves}


BAD_GOES = [
    "depth",
    "depth x",
    "movetime 99999999999999999999999999",
    "searchmoves e2e5 depth 3",
    "perft -1",
    "perft 99",
    "swimming",
]


@pytest.mark.parametrize("game", ["chess", "official"])
@pytest.mark.parametrize("text", BAD_GOES)
def test_a_bad_go_is_answered_with_no_move(game, text):
    """A GUI waits for a bestmove, whatever it has sent."""
    peer = UciPeer(game)
    reason, answer = peer(f"go {text}")
    assert reason.startswith("info string ")
    assert answer == "bestmove 0000"
    assert peer.go("depth 1").split()[1] != "0000"
    peer.engine.close()


BAD_POSITIONS = {
    "chess": [
        "position",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 e7e5 d1d8",
        "position fen",
        "position fen 8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq - 0 1",
        "position fen " + "8/" * 50_000,
        "position elsewhere",
    ],
    "official": [
        "position startpos moves e2e4",
        "position startpos moves Mg5g6 Mg5g6",
        "position fen 11/11 r - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ],
}


@pytest.mark.parametrize(
    ("game", "line"), [(game, line) for game, lines in BAD_POSITIONS.items() for line in lines]
)
def test_after_a_refused_position_there_is_none(game, line):
    """The old one must not be played: the GUI believes that it shows another."""
    peer = UciPeer(game)
    peer("position startpos")
    said = peer(line)
    assert len(said) == 1
    assert said[0].startswith("info string ")
    assert len(said[0]) < 250
    for command in ("go depth 1", "go perft 1", "go infinite"):
        reason, answer = peer(command)
        assert "no position" in reason
        assert answer == "bestmove 0000"
    for command in ("d", "eval"):
        assert "no position" in peer(command)[0]
    assert peer("isready") == ["readyok"]
    peer("position startpos")
    assert peer.go("depth 1").split()[1] != "0000"
    peer(line, "ucinewgame")
    assert peer.go("depth 1").split()[1] != "0000"
    peer.engine.close()


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
PLAYED_BY_STOCKFISH = [
    f"{START} w KQkq - 0 0",
    f"{START} w KQkq - 0",
    f"{START} w KQkq -",
    f"{START} w KQkq",
    f"{START} w",
    f"{START}",
    f"{START} b KQkq - 0 -1",
    f"{START} w KQkq e3 0 1",
    f"{START} w KQkq e9 0 1",
    f"{START} w KQkq - x y",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R w KQkq - 5 0",
    "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 0",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 999 0",
]


@pytest.mark.parametrize("fen", PLAYED_BY_STOCKFISH)
def test_fens_that_stockfish_plays_are_played(peer, fen):
    assert peer(f"position fen {fen}") == []
    assert peer.engine._board.fen().split()[0] == fen.split()[0]
    assert peer.go("depth 1").split()[1] != "0000"


def test_rights_that_can_be_are_kept(peer):
    peer("position fen 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1")
    assert peer.engine._board.fen().split()[2] == "K"


@pytest.mark.parametrize("cut", range(1, 6))
def test_missing_fields_of_co_tu_lenh(cut):
    peer = UciPeer("official")
    fields = Board().fen().split()[:cut]
    assert peer("position fen " + " ".join(fields)) == []
    assert peer.engine._board == Board()
    peer.engine.close()


@pytest.mark.parametrize("game", ["chess", "official"])
@pytest.mark.parametrize("depth", [6, 20])
def test_perft_can_be_stopped(game, depth):
    peer = UciPeer(game)
    peer(f"go perft {depth}")
    time.sleep(0.05)
    peer("stop")
    assert "perft stopped" in peer.lines[-1]
    peer(f"go perft {depth}")
    peer.engine.close()
    assert not peer.engine._is_searching()


def test_perft_of_a_position_with_few_moves_can_be_stopped(peer):
    """Few moves now say nothing about the moves to come."""
    peer("position fen 7k/8/8/8/8/2q5/8/K7 w - - 0 1", "go perft 20")
    time.sleep(0.05)
    peer("stop")
    assert "perft stopped" in peer.lines[-1]


def test_stop_before_start(peer):
    assert peer("stop") == []


WORDS = [
    "uci",
    "isready",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "depth",
    "1",
    "stop",
    "ponderhit",
    "setoption",
    "name",
    "Hash",
    "value",
    "Threads",
    "infinite",
    "ponder",
    "e2e4",
    "Mg5g6",
    "UCI_Variant",
    "official",
    "chess",
    "d",
    "eval",
    "perft",
    "ucinewgame",
    "nodes",
    "50",
    "-1",
    "\x00",
    "é",
    "🙂",
    "(",
    ")",
    ">",
    "<",
    "@",
    "&",
    "searchmoves",
    "movetime",
    "mate",
    "Clear",
    "quit2",
    "debug",
    "on",
    "register",
]


def test_random_words_never_end_it(peer):
    dice = random.Random(5)
    for _ in range(400):
        line = " ".join(dice.choices(WORDS, k=dice.randint(1, 7)))
        if "Threads" in line or "perft" in line:
            continue
        assert peer.engine.handle(line)
        if dice.random() < 0.3:
            peer("stop")
    peer("stop", "setoption name UCI_Variant value chess", "position startpos")
    assert peer.go("depth 1").startswith("bestmove ")


# As a program ----------------------------------------------------------------------------------


def run(text, *options, seconds=60):
    if isinstance(text, str):
        text = text.encode()
    command = [*COMMAND, *options]
    return subprocess.run(command, input=text, capture_output=True, timeout=seconds)


def test_the_end_of_input_in_mid_search_ends_cleanly():
    done = run("position startpos\ngo infinite\n")
    assert done.returncode == 0
    assert done.stdout.decode().strip().splitlines()[-1].startswith("bestmove ")
    assert not done.stderr


def test_quit_in_mid_search():
    assert run("go infinite\nquit\nuci\n").returncode == 0


@pytest.mark.parametrize("ending", ["", "quit\n"])
def test_quit_and_closed_input_in_mid_perft(ending):
    assert run(f"go perft 20\n{ending}", seconds=20).returncode == 0


@pytest.mark.parametrize("game", ["chess", "official"])
def test_an_interrupt_in_mid_search_ends_with_a_move(game):
    with subprocess.Popen(
        [*COMMAND, "--game", game],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        program.stdin.write(b"go infinite\n")
        program.stdin.flush()
        assert program.stdout.readline().startswith(b"info depth")
        program.send_signal(signal.SIGINT)
        lines = program.stdout.read().splitlines()
        assert program.wait(20) in (0, 130)
        assert lines[-1].startswith(b"bestmove ")
        assert b"Traceback" not in program.stderr.read()


def test_bytes_that_are_no_text():
    done = run(b"\xff\xfe\x00\nuci\nposition fen \xc3\x28\nquit\n")
    assert done.returncode == 0
    assert b"uciok" in done.stdout
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves():
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        program.stdout.close()
        try:
            program.stdin.write(b"uci\ngo infinite\n" + b"isready\n" * 100)
            program.stdin.close()
        except BrokenPipeError:
            pass
        assert program.wait(20) in (0, 1)
        assert b"Traceback" not in program.stderr.read()


def test_it_can_start_with_another_game():
    done = run("position startpos moves Mg5g6\ngo depth 1\n", "--game", "official")
    assert b"bestmove" in done.stdout


def test_a_rule_set_of_ones_own():
    path = Path(__file__).parents[2] / "examples" / "armoured.toml"
    done = run("uci\nposition startpos\nd\ngo depth 1\n", "--rules", str(path)).stdout.decode()
    assert "default armoured var official" in done
    assert "var armoured" in done
    assert done.splitlines()[-1].split()[1] in {
        str(move) for move in Board(rules=Rules.load(path)).legal_moves
    }


def test_go_reads_all_its_words():
    asked = Go.parse(
        [
            "wtime",
            "1",
            "btime",
            "2",
            "winc",
            "3",
            "binc",
            "4",
            "movestogo",
            "5",
            "depth",
            "6",
            "nodes",
            "7",
            "mate",
            "8",
        ]
    )
    assert (asked.wtime, asked.btime, asked.winc, asked.binc) == (1, 2, 3, 4)
    asked = Go.parse(["searchmoves", "e2e4", "d2d4", "movetime", "9", "infinite", "ponder"])
    assert asked.searchmoves == ["e2e4", "d2d4"]
    assert asked.infinite
    assert asked.ponder
