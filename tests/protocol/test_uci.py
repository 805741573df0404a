"""UCI line by line: answers, limits, and everything that is not UCI."""

import random
import subprocess
import sys
import time

import pytest
from conversation import Talk

from cotulenh import Board
from cotulenh.chess import Board as ChessBoard
from cotulenh.protocols.uci import OPTIONS, Go, Uci

COMMAND = [sys.executable, "-m", "cotulenh", "uci"]


class UciTalk(Talk):
    def __init__(self, variant="chess"):
        super().__init__(Uci, variant)

    def go(self, text):
        """The bestmove of a go that ends by itself."""
        self.lines.clear()
        assert self.other.handle(f"go {text}")
        best = self.until("bestmove")
        self.other._wait()
        return best


@pytest.fixture
def talk():
    talk = UciTalk()
    yield talk
    talk.other.close()


def test_the_handshake(talk):
    said = talk("uci")
    assert said[0].startswith("id name cotulenh")
    assert said[-1] == "uciok"
    assert sum(line.startswith("option name ") for line in said) == len(OPTIONS)
    assert talk("isready") == ["readyok"]


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
def test_every_limit_ends_with_a_legal_move(talk, limit):
    best = talk.go(limit).split()[1]
    assert best in {move.uci() for move in ChessBoard().legal_moves}


def test_every_limit_ends_with_a_legal_move_of_co_tu_lenh():
    talk = UciTalk("official")
    board = Board()
    for limit in ("depth 2", "nodes 500", "movetime 30", "wtime 1000 btime 1000"):
        assert talk.go(limit).split()[1] in {board.lan(move) for move in board.legal_moves}
    talk.other.close()


def test_bestmove_is_the_best_line(talk):
    talk("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert talk.go("depth 4").startswith("bestmove a1a8")
    assert any("score mate 1" in line for line in talk.lines)


def test_infinite_ends_only_with_stop(talk):
    talk("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "go infinite")
    time.sleep(0.3)
    assert not [line for line in talk.lines if line.startswith("bestmove")]
    talk("stop")
    assert talk.lines[-1].startswith("bestmove")


def test_ponder_waits_for_ponderhit(talk):
    talk("position startpos moves e2e4 e7e5", "go ponder movetime 50")
    time.sleep(0.3)
    assert not [line for line in talk.lines if line.startswith("bestmove")]
    talk("ponderhit")
    assert talk.until("bestmove", 5)


def test_it_listens_while_it_thinks(talk):
    talk("go infinite")
    assert "readyok" in talk("isready")
    assert "thinking" in talk("position startpos")[-1]
    assert any(line.startswith("info string go while thinking") for line in talk("go depth 1"))
    talk("stop")
    assert sum(line.startswith("bestmove") for line in talk.lines) == 1


def test_a_finished_game_has_no_move(talk):
    talk("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert talk.go("depth 3") == "bestmove (none)"
    assert "info depth 0 score mate 0" in talk.lines


def test_several_lines(talk):
    talk("setoption name MultiPV value 3")
    talk.go("depth 3")
    assert {line.split(" multipv ")[1][0] for line in talk.lines if " multipv " in line} == set(
        "123"
    )


def test_perft(talk):
    talk("position startpos", "go perft 3")
    assert talk.until("Nodes searched") == "Nodes searched: 8902"
    talk.other._wait()
    talk("setoption name UCI_Variant value official", "go perft 2")
    assert talk.until("Nodes searched: 13459")


def test_variants_and_deployments(talk):
    talk("setoption name UCI_Variant value official")
    fen = "6c4/11/11/11/11/11/11/4(FT)6/11/11/11/4C6 r - - 0 1"
    assert talk(f"position fen {fen} moves te5>e6") == []
    shown = talk("d")
    assert any("e5:F" in line for line in shown)
    best = talk.go("depth 2").split()
    assert ">" in best[1] or best[1].endswith("<")
    assert talk(f"position fen {fen} moves Te5>e6 e5<") == []
    assert any(" b - - " in line for line in talk("d"))


def test_a_move_to_ponder_on_is_the_opponents():
    talk = UciTalk("official")
    talk("position fen 6c4/11/11/11/3t7/11/11/4(FT)6/11/11/11/4C6 r - - 0 1")
    for _ in range(6):
        words = talk.go("depth 3").split()
        board = talk.other._board
        mover = board.turn
        board.push_lan(words[1])
        if board.turn is mover:
            assert len(words) == 2
    talk.other.close()


def test_eval_and_the_picture(talk):
    assert any(line.startswith("Evaluation:") for line in talk("eval"))
    assert any(line.startswith("Fen: rnbqkbnr") for line in talk("d"))


def test_elo_and_skill(talk):
    talk("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 700")
    assert talk.go("movetime 50").startswith("bestmove ")
    talk("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 3")
    assert talk.go("movetime 50").startswith("bestmove ")


@pytest.mark.parametrize(
    "line",
    [
        "joho",
        "position",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position fen",
        "position fen 8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq - 0 1",
        "go depth",
        "go depth x",
        "go movetime 99999999999999999999999999",
        "go searchmoves e2e5 depth 3",
        "go perft -1",
        "go perft 99",
        "go swimming",
        "setoption",
        "setoption name Hash",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999",
        "setoption name Threads value -3",
        "setoption name Ponder value perhaps",
        "setoption name UCI_Variant value shogi",
        "setoption name Nonsense value 1",
        "ponderhit",
        "debug maybe",
        "x" * 100_000,
        "position fen " + "8/" * 50_000,
        "ucí",
    ],
)
def test_bad_input_is_explained_and_harmless(talk, line):
    said = talk(line)
    assert len(said) == 1
    assert said[0].startswith("info string ")
    assert len(said[0]) < 250
    assert talk.go("depth 1").startswith("bestmove ")


def test_a_refused_position_leaves_the_old_one(talk):
    talk("position startpos moves e2e4")
    before = talk.other._board.fen()
    talk("position startpos moves e2e4 e7e5 d1d8")
    assert talk.other._board.fen() == before


def test_stop_before_start(talk):
    assert talk("stop") == []


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


def test_random_words_never_end_it(talk):
    dice = random.Random(5)
    for _ in range(400):
        line = " ".join(dice.choices(WORDS, k=dice.randint(1, 7)))
        if "Threads" in line or "perft" in line:
            continue
        assert talk.other.handle(line)
        if dice.random() < 0.3:
            talk("stop")
    talk("stop", "setoption name UCI_Variant value chess", "position startpos")
    assert talk.go("depth 1").startswith("bestmove ")


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
