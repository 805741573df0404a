"""CECP line by line, turns in legs, and XBoard itself."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from peer import Peer

from cotulenh import Board, Square
from cotulenh.protocols.compound import (
    decode,
    encode,
    faithful,
    next_targets,
    sendable,
    targets,
    turns_from,
)
from cotulenh.protocols.xboard import Xboard, display_fen

COMMAND = [sys.executable, "-m", "cotulenh", "xboard"]
RULES = ["official", "online", "blueprint"]


def meet(variant="cotulenh"):
    return Peer(Xboard, variant)


@pytest.fixture
def peer():
    peer = meet()
    peer("xboard", "protover 2")
    yield peer
    peer.engine.close()


def test_the_handshake():
    peer = meet()
    said = peer("xboard", "protover 2")
    assert 'variants="cotulenh,cotulenh-online,cotulenh-blueprint"' in said[0]
    assert said[-1] == "feature done=1"
    setup = peer("new", "variant cotulenh")[-1]
    assert setup.startswith("setup (")
    assert " 11x12+0_fairy 6c4/1n2fh1hf2/" in setup
    assert " 12x12+0_fairy " in peer("variant cotulenh-blueprint")[-1]
    peer.engine.close()


def test_a_rule_set_of_ones_own():
    path = Path(__file__).parents[2] / "examples" / "armoured.toml"
    text = b"xboard\nprotover 2\nnew\nvariant cotulenh-armoured\nsd 1\nusermove g5g6\nping 1\n"
    command = [*COMMAND, "-g", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        program.stdin.write(text)
        program.stdin.flush()
        said = b"".join(iter(program.stdout.readline, b"pong 1\n")).decode()
        program.stdin.close()
    assert 'variants="cotulenh-armoured,cotulenh,' in said
    assert "\nmove " in said


def test_it_answers_a_move(peer):
    peer("new", "variant cotulenh", "sd 2", "st 1", "usermove g5g6")
    assert peer.until("move ")
    peer("ping 3")
    assert peer.until("pong 3")


def test_it_plays_chess():
    peer = meet("normal")
    assert '"normal,' in peer("protover 2")[0]
    peer("new", "st 1", "sd 3", "usermove e2e4")
    assert len(peer.until("move ").split()[1]) == 4
    peer("force", "undo", "undo", "go")
    assert peer.engine._board.ply <= 1
    peer.engine.close()


def test_force_follows_without_moving(peer):
    peer("new", "variant cotulenh", "force", "usermove g5g6", "usermove g8g7")
    time.sleep(0.1)
    assert not [line for line in peer.lines if line.startswith("move")]
    assert peer.engine._board.ply == 2
    peer("undo")
    assert peer.engine._board.ply == 1
    peer("remove")
    assert peer.lines[-1].startswith("Error (nothing to take back)")


def test_illegal_moves_are_refused(peer):
    peer("new", "variant cotulenh")
    assert peer("usermove g5g9") == ["Illegal move (expected a legal turn): g5g9"]
    assert peer("usermove nonsense")[0].startswith("Illegal move")


def test_the_result_is_told(peer):
    peer("new", "variant cotulenh", "force", "setboard 5c5/11/11/11/11/11/11/11/11/11/11/4C6 w")
    assert not peer("usermove e1e2")[:0]
    peer("new", "variant cotulenh", "force", "setboard 11/11/11/11/5c5/5T5/11/11/11/11/11/4C6 w")
    said = peer("usermove f7f8")
    assert said[-1].startswith("1-0 {")


def test_lifting_highlights_the_legal_moves(peer):
    peer("new", "variant cotulenh")
    assert peer("lift e2")[-1] == (
        "highlight 11/11/11/11/11/11/4Y3Y2/4Y2Y3/2B3Y4/4YY5/1BYY2Y4/3YYY5"
    )
    assert peer("lift a1") == ["highlight " + "/".join(["11"] * 12)]


def test_what_xboard_gives_back_keeps_stacks_and_heroes(peer):
    peer("new", "variant cotulenh", "force", "usermove e2c4n")
    board = peer.engine._board
    assert str(board.stack_at("c4")) == "(NF)"
    shown = display_fen(board)
    peer(f"setboard {shown}")
    assert str(peer.engine._board.stack_at("c4")) == "(NF)"


def test_analysis(peer):
    peer("new", "variant cotulenh", "analyze")
    assert peer.until("1 ")
    peer("usermove g5g6", "exit", "ping 1")
    assert peer.until("pong 1")


@pytest.mark.parametrize(
    "line",
    [
        "variant shogi",
        "memory 0",
        "cores x",
        "level",
        "level a b c",
        "st",
        "st -1",
        "joho",
        "option Wings=1",
        "setboard",
        "setboard 8/8 w",
        "time",
        "usermove",
        "lift z99",
        "e2",
    ],
)
def test_bad_input_is_answered(peer, line):
    peer("new", "variant cotulenh", "force")
    said = peer(line)
    assert len(said) == 1
    assert said[0].startswith(("Error (", "Illegal move (")), said


def test_random_words_never_end_it(peer):
    words = "new force go undo remove usermove e2e4 g5g6 lift e2 put e3 ? analyze exit level 40 5 0"
    words = [
        *words.split(),
        "\0",
        "é",
        "setboard",
        "variant",
        "cotulenh",
        "st",
        "1",
        "hint",
        "post",
    ]
    dice = random.Random(2)
    peer("st 1", "sd 1")
    for _ in range(300):
        assert peer.engine.handle(" ".join(dice.choices(words, k=dice.randint(1, 3))))
    peer("force", "ping 77")
    assert peer.lines[-1] == "pong 77"


def test_the_end_of_input():
    text = b"xboard\nprotover 2\nnew\nvariant cotulenh\nusermove g5g6\n"
    done = subprocess.run(COMMAND, input=text, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


# Legs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_plain_turns_read_back_as_themselves(rules):
    dice = random.Random(4)
    board = Board(rules=rules)
    for _ in range(120):
        if board.is_game_over():
            board = Board(rules=rules)
        if board.deployment is None:
            origin = dice.choice(list(board.occupied(board.turn)))
            for turn in turns_from(board, origin)[:60]:
                found = decode(board, turn.text)
                assert found is not None
                assert found.text == turn.text
                assert found.moves == turn.moves or not faithful(turn)
        board.push(dice.choice(list(board.legal_moves)))


def test_the_words_of_turns():
    board = Board("6c4/11/11/11/11/6t4/11/2(NFT)1A6/11/11/11/4C6 r - - 0 1")
    texts = {turn.text for turn in turns_from(board, Square("c5"))}
    assert {"c5c6", "c5g7,g7c5", "c5e5,e5c5"} & texts
    first = next(m for m in board.legal_moves if board.lan(m) == "Ae5e6")
    assert encode(board, (first,)) == "e5e6"


def test_what_xboard_makes_of_blues_legs_is_mended():
    board = Board("5(hc)5/11/11/11/11/5t5/11/11/11/11/5H5/4C6 b - - 0 1")
    plain = decode(board, "f7f8")
    assert plain is not None
    board = Board("6c4/11/11/11/4(ft)6/11/11/11/11/11/11/4C6 b - - 0 1")
    wanted = decode(board, "e8e9,e9e8")
    assert wanted is not None
    assert decode(board, "e8e8,e9d8") == wanted


def test_highlights_of_legs():
    board = Board("6c4/11/11/11/11/11/11/4(FT)6/11/11/11/4C6 r - - 0 1")
    marks = targets(board, Square("e5"))
    assert marks[Square("e6")] in "yc"
    two = next(t for t in turns_from(board, Square("e5")) if "," in t.text and sendable(t))
    assert next_targets(board, two.text.partition(",")[0])


# XBoard itself ---------------------------------------------------------------------------------

XBOARD = shutil.which("xboard", path=f"{os.environ.get('PATH', '')}:/usr/games")
XVFB = shutil.which("Xvfb")


@pytest.mark.skipif(
    XBOARD is None or XVFB is None, reason="XBoard or Xvfb is missing: apt-get install xboard xvfb"
)
def test_xboard_plays_a_whole_game(tmp_path):
    """Two engines, XBoard between them; it draws the board and writes the game down."""
    game, debug = tmp_path / "game.pgn", tmp_path / "xboard.debug"
    (tmp_path / "settings").touch()
    read, write = os.pipe()
    server = subprocess.Popen(
        [XVFB, "-displayfd", str(write), "-screen", "0", "1200x1000x24"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        display = f":{pipe.readline().strip()}"
    engine = " ".join(COMMAND)
    window = subprocess.Popen(
        [
            XBOARD,
            "-fcp",
            engine,
            "-scp",
            engine,
            "-variant",
            "cotulenh",
            "-mg",
            "1",
            "-depth",
            "1",
            "-tc",
            "5",
            "-testLegality",
            "false",
            "-soundProgram",
            "true",
            "-settingsFile",
            str(tmp_path / "settings"),
            "-saveSettingsOnExit",
            "false",
            "-sgf",
            str(game),
            "-debug",
            "-nameOfDebugFile",
            str(debug),
        ],
        env={**os.environ, "DISPLAY": display},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 400
        while time.monotonic() < deadline and not (game.exists() and game.stat().st_size):
            assert window.poll() is None, "XBoard has ended"
            time.sleep(0.5)
    finally:
        os.killpg(window.pid, signal.SIGTERM)
        window.wait(20)
        server.terminate()
        server.wait(20)
    log = debug.read_text("utf-8", "replace")
    assert "11x12+0_fairy" in log
    text = game.read_text("utf-8", "replace")
    assert "Forfeit" not in text, text[-300:]
    assert "Illegal" not in log
    assert any(f'[Result "{one}"]' in text for one in ("1-0", "0-1", "1/2-1/2"))
    assert log.count("usermove") > 20
