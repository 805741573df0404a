"""``cotulenh pgn``: problems by line and column, totals, packed files, bad input."""

import gzip
import io
import json
import os
import pty
import subprocess
import sys

import pytest

GOOD = '[Red "Lan"]\n[Blue "Minh"]\n[Result "1-0"]\n\n1. Mg6 Mg7 2. Tf6 1-0\n\n'
CHESS = '[White "Anna"]\n[Black "Bo"]\n\n1. e4 e5 {Hm.} 2. Nf3 *\n\n'
BAD = '[White "Anna"]\n[Black "Cy"]\n\n1. e4 e5 2. Ke3 *\n\n'


def test_good_files(cli, file):
    status, out, err = cli("pgn", "check", file(GOOD), file(CHESS, "chess.pgn"))
    assert (status, out) == (0, "")
    assert err.startswith("2 good games, 0 problems; ")


def test_problems_have_their_place(cli, file):
    path = file(GOOD + BAD + CHESS)
    status, out, err = cli("pgn", "check", path)
    assert status == 1
    assert out == f"{path}:10:13: illegal move: 'Ke3'\n"
    assert err.startswith("2 good games, 1 problem; ")


def test_problems_for_machines(cli, file):
    path = file(GOOD + BAD)
    status, out, err = cli("pgn", "check", "--json", path)
    found = json.loads(out)
    assert (status, err, found["games"]) == (1, "", 1)
    (problem,) = found["problems"]
    assert problem == {
        "file": path,
        "game": 2,
        "line": 10,
        "column": 13,
        "offset": problem["offset"],
        "reason": "illegal move: 'Ke3'",
    }


def test_which_game_when_the_tags_are_silent(cli, file):
    path = file("1. Mg6 Mg7 *\n")
    assert cli("pgn", "check", path)[0] == 1
    assert cli("pgn", "check", path, "-g", "official")[0] == 0


def test_stats(cli, file):
    status, out, err = cli("pgn", "stats", file(GOOD + CHESS + BAD + CHESS))
    assert (status, err) == (0, "")
    assert out == (
        "games       3\n"
        "variants    chess 2 (67 %), official 1 (33 %)\n"
        "results     * 2 (67 %), 1-0 1 (33 %)\n"
        "turns       9\n"
        "mean        3.0\n"
        "shortest    3\n"
        "longest     3\n"
        "players     4\n"
        "first moves e4 2 (67 %), Mg6 1 (33 %)\n"
        "problems    1\n"
    )


def test_stats_for_machines(cli, file):
    found = json.loads(cli("pgn", "stats", "--json", file(GOOD))[1])
    assert found["results"] == {"1-0": 1}
    assert found["first_moves"] == {"Mg6": 1}


def test_stats_of_a_first_turn_that_deploys(cli, file):
    fen = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1"
    text = f'[Red "A"]\n[Blue "B"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. N<F>c6,T>d3 *\n'
    found = json.loads(cli("pgn", "stats", "--json", file(text))[1])
    assert (found["turns"], found["first_moves"]) == (1, {})  # set up: no first move of the game


def test_nothing_is_no_problem(cli, file):
    path = file("")
    assert cli("pgn", "check", path)[0] == 0
    assert cli("pgn", "stats", path)[1].startswith("games       0\nvariants    -\n")


def test_packed(cli, file):
    assert cli("pgn", "check", file(gzip.compress(GOOD.encode()), "games.pgn.gz"))[0] == 0
    status, out, _ = cli("pgn", "check", file(gzip.compress(GOOD.encode())[:-12], "cut.pgn.gz"))
    assert status == 1
    assert "the file cannot be read on" in out


def test_standard_input(cli, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CHESS.encode())))
    assert cli("pgn", "check", "-")[0] == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["pgn", "check"], "Missing argument"),
        (["pgn", "check", "none.pgn"], "none.pgn"),
        (["pgn", "check", "."], "is a directory"),
        (
            ["pgn", "stats", "games.pgn", "--encoding", "martian"],
            "expected an encoding, got 'martian'",
        ),
        (["pgn", "stats", "games.pgn", "-g", "no-such-game"], "no-such-game"),
        (["pgn", "count"], "No such command"),
    ],
)
def test_bad_input_is_one_line(cli, file, tmp_path, monkeypatch, words, says):
    file(GOOD)
    monkeypatch.chdir(tmp_path)
    status, out, err = cli(*words)
    assert (status, out) == (2, "")
    assert err.startswith("cotulenh: ")
    assert err.count("\n") == 1
    assert says in err


def on_a_terminal(*args):
    """Runs a command whose standard error is a terminal; what it printed and what was seen."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cotulenh", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        try:
            while piece := os.read(ours, 4096):
                seen += piece
        except OSError:  # the other end is closed
            pass
        out = process.stdout.read()
    os.close(ours)
    return out.decode(), seen.decode()


def test_a_bar_on_a_terminal(file):
    """On a terminal the reading is watched; the answer on standard output stays clean."""
    out, seen = on_a_terminal("pgn", "stats", "--json", file(CHESS * 3000))
    assert json.loads(out)["games"] == 3000
    assert "games" in seen


def test_problems_go_to_standard_output_beside_a_bar(file):
    path = file(CHESS + BAD * 2)
    out, seen = on_a_terminal("pgn", "check", path)
    assert out == f"{path}:9:13: illegal move: 'Ke3'\n{path}:14:13: illegal move: 'Ke3'\n"
    assert "Ke3" not in seen
    assert "1 good game, 2 problems" in seen
