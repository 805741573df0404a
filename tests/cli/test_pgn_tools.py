"""``cotulenh pgn filter|convert|annotate|duplicates|openings`` and ``cotulenh book``."""

import gzip
import json
from pathlib import Path

import pytest

from cotulenh import pgn

ANNA = (
    '[White "Anna"]\n[Black "Bo"]\n[WhiteElo "2400"]\n[Date "2020.05.01"]\n\n1. e4 e5 {x} 1-0\n\n'
)
CY = (
    '[White "Cy"]\n[Black "Anna"]\n[WhiteElo "1800"]\n[Date "2021.01.01"]\n\n1. d4 d5 2. c4 0-1\n\n'
)
CTL = '[Red "Lan"]\n[Blue "Minh"]\n\n1. Mg6 Mg7 2. Tf6 1/2-1/2\n\n'
BAD = '[White "Dee"]\n\n1. e4 e5 2. Ke3 *\n\n'
ALL = ANNA + CY + CTL + BAD


AFTER_D4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["--tag", "White=Anna"], ANNA),
        (["--tag", "Black~^An"], CY),
        (["--tag", "WhiteElo>=2000"], ANNA),
        (["--tag", "Date<2021"], ANNA),
        (["--tag", "White>=2000"], ""),
        (["--tag", "White=Anna", "--tag", "Black=Cy"], ""),
        (["--result", "0-1", "--result", "1/2-1/2"], CY + CTL),
        (["--position", AFTER_D4], CY),
        (["--min-turns", "3"], CY + CTL),
        (["--tag", "White=Anna", "--invert"], CY + CTL + BAD),
    ],
)
def test_filter_copies_what_fits(cli, file, words, kept):
    status, out, _ = cli("pgn", "filter", file(ALL), *words)
    assert (out, status) == (kept, 0 if kept else 1)


def test_filter_by_a_position_of_cotulenh(cli, file):
    from cotulenh import Board

    board = Board()
    board.push_san("Mg6")
    assert cli("pgn", "filter", file(ALL), "--position", board.fen())[1] == CTL


def test_filter_writes_packed_files(cli, file, tmp_path):
    out = str(tmp_path / "won.pgn.gz")
    assert cli("pgn", "filter", file(ALL), "--result", "1-0", "-o", out)[0] == 0
    assert gzip.decompress(Path(out).read_bytes()).decode() == ANNA


def test_convert_merges_numbers_and_splits(cli, file, tmp_path):
    one, two = file(ANNA, "1.pgn"), file(CY + CTL, "2.pgn")
    out = tmp_path / "all.pgn"
    assert cli("pgn", "convert", one, two, "--renumber", "-o", str(out))[0] == 0
    games = list(pgn.read(out))
    assert [game.tags["Round"] for game in games] == ["1", "2", "3"]
    assert cli("pgn", "convert", str(out), "--split", "2", "-o", str(tmp_path / "part.pgn"))[0] == 0
    parts = [list(pgn.read(tmp_path / f"part-000{i}.pgn")) for i in (1, 2)]
    assert parts == [games[:2], games[2:]]


def test_convert_to_json_lines(cli, file):
    status, out, _ = cli("pgn", "convert", "--to", "jsonl", file(ALL))
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [row["game"] for row in rows] == ["chess", "chess", "official", "chess"]
    assert rows[1]["moves"] == ["d4", "d5", "c4"]
    assert "Ke3" in rows[3]["problems"][0]


def test_convert_leaves_out_what_is_not_wanted(cli, file):
    text = "1. e4 {best} (1. d4) e5 $1 *\n"
    out = cli("pgn", "convert", "--no-comments", "--no-variations", file(text))[1]
    assert out == "1. e4 e5 *\n\n"


def test_annotate_and_resume(cli, file, tmp_path):
    path, out = file(ANNA + CTL), tmp_path / "out.pgn"
    words = ["--nodes", "200", "-j", "1", "--hash", "1", "-o", str(out)]
    assert cli("pgn", "annotate", path, *words)[0] == 0
    games = list(pgn.read(out))
    assert [len(game) for game in games] == [2, 3]
    for game in games:
        assert all(node.eval is not None for node in game.mainline())
    whole = out.read_bytes()
    first = whole.index(b"[Red")
    out.write_bytes(whole[: first + 20])  # interrupted in the second game
    assert cli("pgn", "annotate", path, *words, "--resume")[0] == 0
    again = list(pgn.read(out))
    assert [game.tags for game in again] == [game.tags for game in games]
    assert out.read_bytes()[:first] == whole[:first]


def test_duplicates(cli, file, tmp_path):
    path = file(ALL + ANNA.replace("{x}", "") + ANNA.replace("Anna", "Eve"))
    status, out, err = cli("pgn", "duplicates", path)
    assert status == 1
    assert out == f"{path}: game 5 is game 1 of {path}\n"
    assert err == "5 different games, 1 duplicates\n"
    assert "2 duplicates" in cli("pgn", "duplicates", "--moves-only", path)[2]
    kept = tmp_path / "once.pgn"
    assert cli("pgn", "duplicates", path, "-o", str(kept))[0] == 0
    assert sum(1 for _ in pgn.read(kept, errors="keep")) == 5


def test_openings(cli, file):
    out = cli("pgn", "openings", "--turns", "2", file(ANNA * 3 + CY + CTL))[1]
    assert out.splitlines()[1] == "      3  60.0%  100%    0%    0%  e4 e5"
    rows = json.loads(cli("pgn", "openings", "--turns", "1", "--json", file(ANNA * 3 + CY))[1])
    assert rows[0] == {"moves": "e4", "games": 3, "first": 3, "second": 0, "draws": 0, "open": 0}


def test_an_opening_is_the_main_line_alone(cli, file):
    """Neither comments nor marks nor variations belong to it."""
    plain = "1. e4 e5 2. Nf3 Nc6 1-0\n\n"
    told = "1. e4 {best by test} $1 (1. d4 d5) e5 (1... c5 2. Nf3) 2. Nf3 Nc6 0-1\n\n"
    rows = json.loads(cli("pgn", "openings", "--turns", "2", "--json", file(plain + told))[1])
    assert len(rows) == 1
    assert rows[0]["games"] == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["filter", "games.pgn", "--tag", "White"], "expected NAME=VALUE"),
        (["filter", "games.pgn", "--tag", "White~("], "regular expression"),
        (["filter", "games.pgn", "--position", "x"], "expected"),
        (["convert", "games.pgn", "--split", "2"], "--split needs a file"),
        (["annotate", "games.pgn", "--resume"], "--resume needs a plain file"),
        (["filter", "games.pgn", "-o", "games.pgn"], "expected another file"),
        (["convert", "games.pgn", "-o", "./games.pgn"], "expected another file"),
    ],
)
def test_bad_input_is_one_line(cli, file, tmp_path, monkeypatch, words, says):
    file(ALL)
    monkeypatch.chdir(tmp_path)
    status, _, err = cli("pgn", *words)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1


VERBS = (["filter"], ["convert"], ["annotate", "--depth", "1"], ["duplicates"], ["openings"])


@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_a_damaged_file_is_told(cli, file, words):
    """What could be read is worked on; nobody takes it for the whole."""
    text = "".join(f'[White "{i % 150}"]\n\n1. e4 e5 2. Ke2 *\n\n' for i in range(200))
    path = file(gzip.compress(text.encode())[:-12], "cut.pgn.gz")
    status, out, err = cli("pgn", *words, path)
    assert status == 1
    assert out
    assert "cut.pgn.gz:" in err
    assert "the file cannot be read on: the packed data ends too early" in err


@pytest.mark.parametrize("text", ["\n\n", "{x}", " \t\n%\n"])
@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_files_without_a_game(cli, file, words, text):
    status, _, err = cli("pgn", *words, file(text))
    assert status == (words == ["filter"])
    assert "cotulenh:" not in err


# Books --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n\n", "{x}"])
def test_a_book_of_nothing(cli, file, tmp_path, text):
    status, _, err = cli("book", "build", file(text), "-o", str(tmp_path / "a.book"))
    assert (status, err) == (2, "cotulenh: there is no game in the files\n")


def test_books(cli, file, tmp_path):
    book, other = str(tmp_path / "a.book"), str(tmp_path / "b.book")
    status, _, err = cli("book", "build", file(ANNA * 2 + CY + CTL), "-o", book)
    assert (status, err.partition(";")[0]) == (0, "3 games, 4 positions")
    status, out, _ = cli("book", "probe", book)
    assert [line.split()[:2] for line in out.splitlines()] == [["e4", "2"], ["d4", "1"]]
    rows = json.loads(cli("book", "probe", book, "--moves", "d4", "--json")[1])
    assert rows == [{"move": "d5", "count": 1, "wins": 1, "draws": 0, "losses": 0, "score": None}]
    assert cli("book", "probe", book, "--moves", "a4")[0] == 1
    assert cli("book", "merge", book, book, "-o", other)[0] == 0
    out = cli("book", "dump", other)[1]
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["e4", "4"], ["e5", "4"], ["d4", "2"], ["d5", "2"], ["c4", "2"],
    ]  # fmt: skip
    assert len(cli("book", "dump", "--all", other)[1].splitlines()) == 4


def test_a_book_of_cotulenh_and_one_for_polyglot(cli, file, tmp_path):
    book = str(tmp_path / "a.book")
    assert cli("book", "build", file(ALL), "-g", "official", "-o", book)[0] == 0
    assert cli("book", "probe", book)[1].split()[:2] == ["Mg6", "1"]
    packed = str(tmp_path / "a.bin")
    assert cli("book", "build", file(ANNA * 2), "-o", packed)[0] == 0
    assert cli("book", "probe", packed)[1].split() == ["e4", "4"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.bin", "a.book", "games.pgn"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["probe", "games.pgn"], "not a book"),
        (["merge", "games.pgn", "-o", "x"], "not a book"),
        (["build", "empty.pgn", "-o", "x.book"], "no game"),
    ],
)
def test_bad_books_are_one_line(cli, file, tmp_path, monkeypatch, words, says):
    file(ALL)
    file("", "empty.pgn")
    monkeypatch.chdir(tmp_path)
    status, _, err = cli("book", *words)
    assert status == 2
    assert says in err
    assert err.count("\n") == 1
