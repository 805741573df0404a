"""The verbs that play: what they print, for people and machines, and how they end."""

import io
import json
import time
from pathlib import Path

import pytest

from cotulenh import pgn

START = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4"
ARMOURED = str(Path(__file__).parents[2] / "examples" / "armoured.toml")
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


# perft -----------------------------------------------------------------------------------------


def test_perft(cli):
    status, out, err = cli("perft", "2")
    assert (status, err) == (0, "")
    assert out.startswith("13459 sequences of 2 moves")
    assert cli("perft", "3", "-g", "chess")[1].startswith("8902 ")
    assert cli("perft", "0")[1].startswith("1 ")


def test_perft_for_machines(cli):
    found = json.loads(cli("perft", "2", "--divide", "--json")[1])
    assert found["nodes"] == sum(found["divide"].values()) == 13459
    assert found["fen"].startswith(START)


def test_perft_after_moves(cli):
    assert cli("perft", "1", "e4", "e5", "-g", "chess")[1].startswith("29 ")
    assert cli("perft", "1", "Mg6")[0] == 0


def test_perft_can_be_a_check(cli):
    assert cli("perft", "2", "-g", "chess", "--expect", "400")[0] == 0
    status, out, err = cli("perft", "2", "-g", "chess", "--expect", "401")
    assert (status, out[:4], err) == (1, "400 ", "cotulenh: expected 401, counted 400\n")
    assert "expected 5, counted 13459" in cli("perft", "2", "--expect", "5")[2]


# analyse ---------------------------------------------------------------------------------------


def test_analyse(cli):
    status, out, err = cli("analyse", "--depth", "3", "-n", "2")
    assert (status, err) == (0, "")
    assert out.splitlines()[0].startswith("Red to move")
    assert [line[:2] for line in out.splitlines()[1:]] == ["1.", "2."]


def test_analyse_for_machines(cli):
    _, out, _ = cli("analyse", "--nodes", "2000", "-g", "chess", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert found[-1]["depth"] >= 1
    assert found[-1]["pv"]


def test_nothing_to_analyse(cli):
    status, out, _ = cli("analyse", "-g", "chess", "--fen", MATED)
    assert (status, out) == (1, "the game is over: 1-0 (checkmate)\n")
    status, out, _ = cli("analyse", "-g", "chess", "--fen", MATED, "--json")
    assert (status, json.loads(out)["result"]) == (1, "1-0")


# match and selfplay ----------------------------------------------------------------------------

FAST = ("--time", "0.005", "--balance", "0", "--max-turns", "8")


def test_match(cli, tmp_path):
    log, games = tmp_path / "log.jsonl", tmp_path / "games.pgn"
    command = (
        "match",
        "greedy",
        "random",
        "-n",
        "4",
        *FAST,
        "--log",
        str(log),
        "--pgn",
        str(games),
    )
    status, out, err = cli(*command)
    assert (status, err) == (0, "")
    assert "(4 games)" in out
    assert games.read_text("utf-8").count("[Event ") == 4
    assert len(log.read_text().splitlines()) == 5
    assert cli(*command)[1] == out  # resumed: nothing is left to play, nothing is written twice
    assert games.read_text("utf-8").count("[Event ") == 4


def test_match_for_machines(cli):
    found = json.loads(cli("match", "random", "random", "-n", "2", *FAST, "--json")[1])
    assert found["games"] == 2
    assert found["verdict"] is None


def test_a_verdict_is_an_exit_status(cli):
    options = ("-g", "chess", "-n", "300", "--balance", "0", "--time", "0.001", "--sprt")
    status, out, _ = cli("match", "random", "greedy", *options, "0", "300")
    assert status == 1
    assert "rejected" in out
    status, out, _ = cli("match", "greedy", "random", *options, "0", "300")
    assert status == 0
    assert "accepted" in out


def test_selfplay(cli, tmp_path):
    games = tmp_path / "games.pgn"
    options = ("--depth", "1", "--balance", "0", "--max-turns", "6", "--pgn", str(games))
    status, out, err = cli("selfplay", "-n", "2", *options)
    assert (status, out, err) == (0, "2 games: Red 0, drawn 2, Blue 0\n", "")
    text = games.read_text("utf-8")
    assert text.count("[Event ") == 2
    assert text.count("[%eval ") >= 6
    assert text.count(f'[Date "{time.strftime("%Y.")}') == 2
    for game in pgn.read(games):
        assert len(game.turns()) >= 6
        assert game.tags["Termination"] == "6 turns"


@pytest.mark.parametrize(
    ("game", "sides"), [("chess", ("White", "Black")), ("online", ("Red", "Blue"))]
)
def test_selfplay_counts_by_side(cli, game, sides):
    options = ("-g", game, "--nodes", "30", "--balance", "0", "--max-turns", "6", "--json")
    found = json.loads(cli("selfplay", "-n", "2", *options)[1])
    assert list(found["by_side"]) == [sides[0], "drawn", sides[1]]
    assert sum(found["by_side"].values()) == 2


# bench -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["online", "blueprint", ARMOURED])
def test_bench_of_any_game(cli, game):
    (row,) = json.loads(cli("bench", "-g", game, "--json")[1])
    assert row["game"] == game
    assert row["nodes"] > 1000
    status, _, err = cli("bench", "-g", game, "--expect", "7")
    assert (status, err) == (1, f"cotulenh: expected 7, got {row['signature']}\n")


def test_bench(cli):
    first = json.loads(cli("bench", "--json")[1])
    again = json.loads(cli("bench", "--json")[1])
    assert [row["signature"] for row in first] == [row["signature"] for row in again]
    assert {row["game"] for row in first} == {"official", "chess"}
    assert cli("bench", "chess", "--expect", "no such signature")[0] == 1


# play ------------------------------------------------------------------------------------------


@pytest.fixture
def play(cli, monkeypatch):
    """Plays a game of typed lines."""

    def run(*lines, options=()):
        typed = iter(lines)

        def read(prompt=""):
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("cotulenh.cli.play.ask", read)
        return cli("play", "--time", "0.02", *options)

    return run


def test_a_short_game(play):
    status, out, err = play("Mg6", "moves e2", "hint", "undo", "fen", "quit")
    assert (status, err) == (0, "")
    assert "Blue: " in out
    assert f"{START} r - - 0 1" in out


def test_two_people_and_a_deployment(play):
    fen = "6c4/11/11/11/3t7/11/11/4(FT)6/11/11/11/4C6 r - - 0 1"
    lines = ("T>e6", "commit", "history", "undo", "T>e7,F>e9", "history", "quit")
    status, out, err = play(*lines, options=("--fen", fen, "--side", "both"))
    assert (status, err) == (0, "")
    assert "F<T>e6" in out


def test_what_cannot_be_is_explained(play):
    lines = ("Mg9", "what is this", "save", "load /no/such/file", "commit", "undo", "help")
    status, out, err = play(*lines)
    assert (status, err) == (0, "")
    assert out.count("\n") > 20
    assert "no deployment is under way" in out
    assert "nothing to take back" in out
    assert "Traceback" not in out


def test_save_and_load(play, tmp_path):
    path = str(tmp_path / "game.json")
    play("e4", f"save {path}", "fen", "quit", options=("-g", "chess", "--side", "both"))
    status, out, _ = play("fen", "history", "quit", options=("--load", path, "--side", "both"))
    assert status == 0
    assert "4P3" in out
    assert "e4" in out


def test_the_engine_alone_plays_to_the_end(play):
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
    _, out, _ = play(options=("-g", "chess", "--side", "none", "--fen", fen))
    assert "1-0" in out
    assert "checkmate" in out


def test_resigning(play):
    assert "Red resigns" in play("resign")[1]


# Bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ("perft", "-1"),
        ("perft", "x"),
        ("perft", "2", "--fen", "nonsense"),
        ("perft", "2", "-g", "shogi"),
        ("perft", "1", "e2e9"),
        ("analyse", "--depth", "0"),
        ("analyse", "Zz9"),
        ("match", "engine", "nobody"),
        ("match", "random", "random", "--time", "0.005", "--depth", "3"),
        ("match", "random", "random", "--tc", "soon"),
        ("match", "random", "random", "--sprt", "5", "1"),
        ("match", "random"),
        ("bench", "go"),
        ("play", "--load", "/no/such/file"),
        ("play", "--fen", "x"),
        ("uci", "--game", "shogi"),
    ],
)
def test_bad_input_is_one_clear_line(cli, args):
    status, out, err = cli(*args)
    assert status == 2
    assert out == ""
    assert err.startswith("cotulenh: ")
    assert err.count("\n") == 1


# One option for the game -------------------------------------------------------------------------

PLAYED = [
    ("analyse", "--depth", "1"),
    ("perft", "1"),
    ("show",),
    ("render",),
    ("play", "--side", "both"),
    ("match", "random", "random", "-n", "2", *FAST),
    ("selfplay", "--player", "random", "-n", "2", *FAST),
    ("uci",),
    ("xboard",),
]


@pytest.mark.parametrize("option", ["-g", "--game", "--rules"])
@pytest.mark.parametrize("words", PLAYED, ids=lambda words: words[0])
def test_every_verb_takes_every_game(cli, monkeypatch, words, option):
    games = {"-g": "chess", "--game": "blueprint", "--rules": ARMOURED}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    status, _, err = cli(*words, option, games[option])
    assert (status, err) == (0, "")
    status, _, err = cli(*words, option, "no-such-game")
    assert status == 2
    assert "expected a rule set" in err


def test_tables_are_those_of_rule_sets(cli):
    assert cli("tables", "terrain", "-g", ARMOURED)[0] == 0
    status, _, err = cli("tables", "terrain", "-g", "chess")
    assert status == 2
    assert "chess has no rule set" in err


def test_time_is_in_seconds(cli):
    for verb in ("analyse", "play", "match", "selfplay"):
        assert "econds a move" in cli(verb, "--help")[1]
    assert "time: expected seconds above 0, got 'x'" in cli("match", "engine,time=x", "random")[2]
