"""cotulenh tables and cotulenh show print what the tables say."""

import json

import pytest

from cotulenh import Board, Rules


@pytest.fixture
def tables(cli):
    """Standard output of a command line, or standard error where that is the status."""

    def run(*args, status=0):
        code, out, err = cli(*args)
        assert code == status
        return err if status else out

    return run


T = Rules.load("official").tables
B = Rules.load("blueprint").tables


def test_terrain(tables):
    assert tables("tables", "terrain") == T.show("terrain") + "\n"
    assert tables("tables", "terrain", "--rules", "blueprint") == B.show("terrain") + "\n"
    letters = json.loads(tables("tables", "terrain", "--json"))
    assert letters["f6"] == "B"
    assert len(letters) == 132


def test_access(tables):
    assert tables("tables", "access", "navy") == T.show("N") + "\n"
    found = json.loads(tables("tables", "access", "A", "--rules", "blueprint", "--json"))
    assert len(found["stay"]) == 24


def test_ray(tables):
    assert tables("tables", "ray", "N", "c3") == f"{T.ray('N', 'c3')}\n"
    assert tables("tables", "ray", "ne", "c3", "-n", "2") == f"{T.ranged_ray('NE', 'c3', 2)}\n"
    blocked = T.blocked_ray("E", "c3", 12, "f3")
    assert tables("tables", "ray", "east", "c3", "--occupied", "f3 h3") == f"{blocked}\n"


def test_reach(tables):
    assert tables("tables", "reach", "T", "e5") == f"{T.reach('T', 'e5')}\n"
    assert tables("tables", "reach", "T", "e5", "--heroic") == f"{T.reach('T', 'e5', True)}\n"
    taking = T.reach("C", "e5", taking=True)
    assert tables("tables", "reach", "C", "e5", "--taking") == f"{taking}\n"


def test_moves(tables):
    args = ("tables", "moves", "T", "e4", "--occupied", "e5", "--friendly", "d4", "--json")
    found = json.loads(tables(*args))
    assert found["squares"] == ["e2", "e3", "f4", "g4", "e5"]
    assert int(found["bits"], 16) == int(T.moves("T", "e4", "e5 d4", "d4"))


def test_disc(tables):
    assert tables("tables", "disc", "e5", "2") == f"{T.disc('e5', 2)}\n"


def test_magic(tables):
    text = tables("tables", "magic", "tank", "e5")
    magic = T.magic("T", "e5")
    assert all(f"{number:#018x}" in text for number in magic.magics)
    found = json.loads(tables("tables", "magic", "tank", "e5", "--json"))
    assert found["size"] == magic.size
    assert tables("tables", "magic", "I", "e5") == "nothing can block it: no magic is needed\n"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["ray", "up", "c3"], "expected a direction"),
        (["ray", "N", "l3"], "expected a square, got 'l3'"),
        (["ray", "N", "c3", "-n", "13"], "got 13"),
        (["ray", "N", "c3", "-n", "x"], "'x' is not a valid int"),
        (["ray", "N", "c3", "--occupied", "zz"], "expected a square, got 'zz'"),
        (["reach", "Q", "c3"], "'Q' is not a valid Kind"),
        (["reach", "E", "c3", "--rules", "blueprint"], "expected a piece of blueprint, got E"),
        (["access", "terrain"], "'terrain' is not a valid Kind"),
        (["moves", "T"], "Missing argument 'SQUARE'"),
        (["disc", "c3", "-2"], "No such option"),
    ],
)
def test_bad_input(tables, args, words):
    line = tables("tables", *args, status=2)
    assert words in line
    assert len(line.splitlines()) == 1


# show ---------------------------------------------------------------------------------------


def test_show_the_start(tables):
    text = tables("show")
    assert T.show("terrain") in text
    assert " 5  . . I E . . M . . E I" in text
    assert "legal moves" in text


def test_show_a_piece(tables):
    text = tables("show", "c5")
    board = Board()
    moves = [board.san(move) for move in board.legal_moves if move.from_square.name == "c5"]
    assert text.splitlines()[-1].split() == moves
    assert f"I on c5 has {len(moves)} legal moves" in text


def test_show_for_machines(tables):
    found = json.loads(tables("show", "c5", "--json", "--rules", "online"))
    assert found["fen"] == Rules.load("online").start_fen
    assert found["square"] == "c5"
    assert found["moves"]


def test_show_an_empty_point(tables):
    assert "nothing stands on a1" in tables("show", "a1")


@pytest.mark.parametrize(
    "args", [["l3"], ["--fen", "rubbish"], ["--fen", ""], ["--rules", "checkers"]]
)
def test_show_bad_input(tables, args):
    line = tables("show", *args, status=2)
    assert line.startswith("cotulenh: ")
    assert len(line.splitlines()) == 1
