"""UCI and XBoard under torture: random sessions, stops at every moment, signals, floods, crowds.

Nothing hangs, nothing is left behind, every ``go`` has one ``bestmove``.
"""

import os
import random
import signal
import subprocess
import sys
import time

import pytest
from peer import Peer

from cotulenh import Board, chess
from cotulenh.engine import Engine, Limit
from cotulenh.protocols.uci import Uci
from cotulenh.protocols.xboard import Xboard

COMMAND = [sys.executable, "-m", "cotulenh"]
PATIENCE = 120  # seconds: for machines with much else to do


def small_engine(**settings):
    return Engine(**{**settings, "hash_mb": 1, "threads": 1})


# Sessions --------------------------------------------------------------------------------------

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/8/k7/K7 w - - 0 1",
    "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1",
    "6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 99 1",
    "x/y",
    "",
)
MOVES = ("e2e4", "e7e5", "e1g1", "a7a8q", "0000", "Mg5g6", "Tc3>xe3", "c3<", "(NF)b2b5", "zz")
LIMITS = (
    *("depth 2", "nodes 60", "movetime 5", "mate 1 nodes 200", "infinite", "ponder nodes 50"),
    *("wtime 50 btime 50 winc 5 binc 5", "movestogo 1 wtime 9 btime 9", "depth -1", "nodes x", ""),
    *("searchmoves e2e4 e2e3 nodes 30", "searchmoves zz", "perft 2", "perft 99"),
)
OPTIONS = (
    *("MultiPV value 3", "MultiPV value 0", "Ponder value true", "Move Overhead value 50"),
    *("UCI_Variant value official", "UCI_Variant value chess", "UCI_Variant value nonsense"),
    *("UCI_Chess960 value true", "Clear Hash", "Skill Level value 3", "UCI_Elo value 900"),
    *("Hash value 2", "Hash value -1", "Hash value 99999999", "BookFile value /", "x value y", ""),
)


def uci_line(dice):
    def position():
        start = dice.choice(["startpos", f"fen {dice.choice(FENS)}"])
        moves = " ".join(dice.choices(MOVES, k=dice.randrange(4)))
        return f"position {start}" + (f" moves {moves}" if moves else "")

    ways = [
        position,
        lambda: f"go {dice.choice(LIMITS)}",
        lambda: "stop",
        lambda: "ponderhit",
        lambda: f"setoption name {dice.choice(OPTIONS)}",
        lambda: dice.choice(["isready", "uci", "ucinewgame", "d", "eval", "debug on", "register"]),
        lambda: "".join(chr(dice.choice([9, 32, 65, 0x7F, 0xE9, 0x1F642])) for _ in range(9)),
    ]
    return dice.choice(ways)()


XBOARD_LINES = (
    *("new", "force", "go", "playother", "?", "undo", "remove", "analyze", "exit", "hard", "easy"),
    *("post", "nopost", "draw", "result 1-0 {x}", "level 40 5 0", "level 0 0:01 0", "st 0.01"),
    *("sd 2", "sd -1", "time 10", "otim 10", "memory 1", "cores 1", "ping 7", "usermove e2e4"),
    *(
        "usermove zz",
        "e7e5",
        "g5g6",
        "variant cotulenh",
        "variant normal",
        "variant x",
        "hint",
        "bk",
    ),
    *(f"setboard {fen}" for fen in FENS),
    *(
        "lift g5",
        "put g6",
        "protover 2",
        "accepted usermove",
        "rejected x",
        "option x=1",
        ".",
        "é\x00",
    ),
)


def uci_session(seed, length=20):
    """Random lines; every search that was begun and every go that was refused has its bestmove."""
    dice = random.Random(seed)
    game = dice.choice(["chess", "official", "online", "blueprint"])
    peer = Peer(lambda send: Uci(send, game, small_engine))
    least = most = 0
    for _ in range(length):
        line = uci_line(dice)
        if line.startswith("go") and not peer.engine._is_searching():
            most += 1
            least += "perft" not in line
        assert peer.engine.handle(line), line
        if dice.random() < 0.5:
            time.sleep(dice.choice([0, 0, 0.002, 0.01]))
    assert peer("isready")[-1] == "readyok"
    peer.engine.close()
    told = sum(line.startswith("bestmove") for line in peer.lines)
    assert least <= told <= most, (seed, peer.lines)


def xboard_session(seed, length=25):
    dice = random.Random(seed)
    peer = Peer(lambda send: Xboard(send, engine_type=small_engine))
    peer("xboard", "protover 2", "st 0.01", "sd 2")
    pings = 0
    for n in range(length):
        line = dice.choice(XBOARD_LINES)
        assert peer.engine.handle(line), line
        if dice.random() < 0.3:
            time.sleep(dice.choice([0, 0.003]))
        if n % 8 == 0:
            peer.engine.handle(f"ping {1000 + n}")
            pings += 1
    peer.engine.handle("force")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and answered(peer) < pings:
        time.sleep(0.01)
    peer.engine.close()
    assert answered(peer) == pings


def answered(peer):
    return sum(line.startswith("pong 10") for line in peer.lines)


@pytest.mark.parametrize("part", range(4))
def test_random_uci_sessions(part):
    for seed in range(10 * part, 10 * part + 10):
        uci_session(seed)


@pytest.mark.parametrize("part", range(3))
def test_random_xboard_sessions(part):
    for seed in range(8 * part, 8 * part + 8):
        xboard_session(seed)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_many_random_sessions(part):
    for seed in range(1000 + 100 * part, 1100 + 100 * part):
        uci_session(seed, 40)
        xboard_session(seed, 40)


# Stops -----------------------------------------------------------------------------------------


def stop_at_moments(moments, game):
    peer = Peer(lambda send: Uci(send, game, small_engine))
    for n in range(moments):
        peer.lines.clear()
        assert peer.engine.handle("go infinite" if n % 3 else "go ponder wtime 100 btime 100")
        time.sleep(n * 0.0001)
        assert peer.engine.handle("stop")
        assert sum(line.startswith("bestmove") for line in peer.lines) == 1, (n, peer.lines)
    peer.engine.close()


@pytest.mark.parametrize("game", ["chess", "official"])
def test_stop_at_every_moment(game):
    stop_at_moments(60, game)


@pytest.mark.long
@pytest.mark.parametrize("game", ["chess", "official", "online", "blueprint"])
def test_stop_at_very_many_moments(game):
    stop_at_moments(1500, game)


# As a program ----------------------------------------------------------------------------------


def program(*words):
    return subprocess.Popen(
        [*COMMAND, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
@pytest.mark.parametrize("verb", ["uci", "xboard"])
def test_signals_in_mid_search_leave_nothing_behind(verb, name):
    with program(verb) as child:
        child.stdin.write(b"go infinite\n" if verb == "uci" else b"xboard\npost\nnew\nanalyze\n")
        child.stdin.flush()
        assert child.stdout.readline()
        child.send_signal(getattr(signal, name))
        try:
            child.wait(PATIENCE)
        finally:
            child.kill()
        said = child.stdout.read()
        assert b"Traceback" not in child.stderr.read(), said
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


def test_a_flood_of_lines_is_answered_line_by_line():
    with program("uci") as child:
        out, _ = child.communicate(b"isready\nstop\nd2d4\n" * 3000 + b"quit\n", timeout=PATIENCE)
    assert out.count(b"readyok") == 3000
    assert out.count(b"unknown command") == 3000


def test_a_line_without_end():
    with program("uci") as child:
        line = b"position startpos moves " + b"g1f3 g8f6 f3g1 f6g8 " * 50_000
        out, error = child.communicate(line + b"\nisready\nquit\n", timeout=PATIENCE)
    assert out.count(b"readyok") == 1
    assert b"Traceback" not in error


def test_a_reader_that_is_slow():
    """Nobody reads for a while: the engine waits, and goes on."""
    with program("uci") as child:
        child.stdin.write(b"setoption name MultiPV value 100\ngo depth 6\n")
        child.stdin.flush()
        time.sleep(1)
        child.stdin.write(b"stop\nisready\nquit\n")
        child.stdin.flush()
        assert b"bestmove" in child.stdout.read()
        assert child.wait(PATIENCE) == 0


@pytest.mark.parametrize("megabytes", [20_000, 65_536])
def test_a_great_hash_table_is_there_or_refused_at_once(megabytes):
    lines = f"setoption name Hash value {megabytes}\nisready\ngo nodes 100\n"
    with program("uci") as child:
        child.stdin.write(lines.encode())
        child.stdin.flush()
        while not (line := child.stdout.readline()).startswith(b"bestmove"):
            assert line
        assert line.split()[1] != b"0000"
        child.communicate(b"quit\n", timeout=PATIENCE)


# Crowds ----------------------------------------------------------------------------------------


def tasks():
    return len(os.listdir("/proc/self/task"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
def test_a_hundred_engines_at_once_leave_no_thread():
    before = tasks()
    engines = [Engine(hash_mb=1) for _ in range(100)]
    boards = [Board(), chess.Board()]
    searches = [e.analyse(boards[n % 2], Limit(infinite=True)) for n, e in enumerate(engines)]
    assert all(e.is_thinking for e in engines)
    for engine in engines:
        engine.stop()
    assert all(s.result().move for s in searches)
    del searches
    for engine in engines:
        engine.close()
    del engines, engine
    deadline = time.monotonic() + PATIENCE
    while tasks() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert tasks() <= before


@pytest.mark.long
def test_a_hundred_programs_at_once():
    children = [program("uci") for _ in range(100)]
    for child in children:
        child.stdin.write(b"go infinite\n")
        child.stdin.flush()
    for child in children:
        out, error = child.communicate(b"stop\nquit\n", timeout=600)
        assert out.count(b"bestmove") == 1
        assert child.returncode == 0, error


# Memory ----------------------------------------------------------------------------------------


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def play_games(engine, count, dice):
    """Short games of both kinds, the engine against itself, with what a session keeps."""
    for n in range(count):
        board = Board() if n % 2 else chess.Board()
        engine.new_game()
        for _ in range(12):
            moves = board.legal_moves
            if not moves or board.is_game_over():
                break
            random_move = dice.random() < 0.5
            found = dice.choice(moves) if random_move else engine.play(board, Limit(nodes=30)).move
            board.push(found)
        board.fen(), board.history()


def memory_stays_flat(warm, games, most_mb):
    dice = random.Random(1)
    with Engine(hash_mb=1) as engine:
        play_games(engine, warm, dice)
        before = resident_mb()
        play_games(engine, games, dice)
    assert resident_mb() - before < most_mb


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_stays_flat():
    memory_stays_flat(30, 60, 8)


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_stays_flat_over_ten_thousand_games():
    memory_stays_flat(500, 10_000, 8)
