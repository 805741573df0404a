"""Files that mean harm end in reports, in time linear in their size."""

import gzip
import io
import random
import time

import pytest

from cotulenh import pgn

MEGA = 1_000_000

HOSTILE = {
    "open brace": lambda n: "1. e4 {" + "x" * n,
    "open braces": lambda n: "1. e4 " + "{" * n,
    "open parentheses": lambda n: "1. e4 " + "(" * n,
    "closed parentheses": lambda n: "1. e4 " + ")" * n,
    "variations left open": lambda n: "1. e4 " + "(1. d4 " * (n // 7),
    "one word": lambda n: "x" * n,
    "one stack": lambda n: '[Red "x"]\n\n' + "(NF" * (n // 3),
    "one deployment": lambda n: '[Red "x"]\n\n' + "N<F>c6," * (n // 7),
    "one number": lambda n: "1" * n,
    "one mark": lambda n: "1. e4 " + "!" * n,
    "one NAG": lambda n: "1. e4 $" + "1" * n,
    "nul bytes": lambda n: "\0" * n,
    "nul bytes in a comment": lambda n: "1. e4 {" + "\0" * n + "} e5 *",
    "open tag": lambda n: '[Event "' + "x" * n,
    "open tags": lambda n: '[A "x' * (n // 5),
    "open tags on lines": lambda n: '[A "x\n' * (n // 6),
    "backslashes": lambda n: '[Event "' + "\\" * n,
    "brackets": lambda n: "[" * n,
    "many tags": lambda n: '[A "x"]\n' * (n // 8),
    "blank lines": lambda n: "\n" * n,
    "escaped lines": lambda n: "%\n" * (n // 2),
    "comments": lambda n: "1. e4 " + "{x} " * (n // 4),
    "comments with tags": lambda n: "1. e4 " + '{\n[Event "x} ' * (n // 13),
    "rest of line": lambda n: "1. e4 ;" + "x" * n,
    "numbers": lambda n: "1. " * (n // 3),
    "deployments torn apart": lambda n: '[Red "x"]\n\n' + "N< " * (n // 3),
    "steps torn apart": lambda n: '[Red "x"]\n\n1. Mg6 Mg7 ' + ">a1, " * (n // 5),
    "commas": lambda n: '[Red "x"]\n\n1. Mg6 ' + ",,, ,< " * (n // 7),
    "promotions torn apart": lambda n: "1. e4 e5 " + "=Q " * (n // 3),
    "tags among moves": lambda n: "1. e4 e5\n" + '[A "x"]\n2. ' * (n // 11),
    "odd tags": lambda n: '[A B "x"]\n' * (n // 10),
    "results": lambda n: "1. e4 " + "1-0 " * (n // 4),
    "clinging results": lambda n: "1. e4 " + "e51-0\n\n" * (n // 20 // 7),
    "words in capitals": lambda n: "1. e4 " + "NF9X " * (n // 5),
    "bad games": lambda n: "1. e5 *\n" * (n // 20 // 8),
    "bad headers": lambda n: "[x\n\n*\n" * (n // 20 // 6),
    "long FEN": lambda n: f'[FEN "{"8/" * (n // 2)}"]\n\n*',
}


def bytes_of(name, size):
    return HOSTILE[name](size).encode()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_survived(name):
    reader = pgn.read(io.BytesIO(bytes_of(name, MEGA) + b'\n\n[Event "last"]\n\n1. d4 *\n'))
    games = list(reader)
    assert all(problem.reason and problem.line >= 1 for problem in reader.problems)
    assert games[-1].sans() == ["d4"]


@pytest.mark.parametrize("name", HOSTILE)
def test_time_is_linear(name):
    """Ten times the text may take thirty times as long (machines are busy), never a hundred."""

    def seconds(size):
        raw = bytes_of(name, size)
        began = time.process_time()
        sum(1 for _ in pgn.read(io.BytesIO(raw)))
        return time.process_time() - began

    small = min(seconds(MEGA // 10) for _ in range(3))
    large = seconds(MEGA)
    assert large < max(30 * small, 0.5), f"{small:.4f} s, then {large:.4f} s"


@pytest.mark.parametrize("name", ["open brace", "one word", "nul bytes", "open tag", "brackets"])
def test_lines_of_ten_megabytes(name):
    began = time.process_time()
    reader = pgn.read(io.BytesIO(bytes_of(name, 10 * MEGA)))
    assert sum(len(game) for game in reader) <= 1
    assert reader.problems
    assert time.process_time() - began < 10


def test_a_game_that_never_ends_is_passed_over(monkeypatch):
    monkeypatch.setattr("cotulenh.pgn._read.MOST_BYTES", 3 * MEGA)
    raw = b"1. e4 {" + b"x\n" * (5 * MEGA) + b'\n\n[Event "last"]\n\n1. d4 *\n'
    for text in (raw, raw.replace(b"{", b"")):
        reader = pgn.read(io.BytesIO(text))
        assert [game.tags["Event"] for game in reader] == ["last"]
        assert "MiB" in reader.problems[0].reason
    reader = pgn.read(io.BytesIO(raw[: 9 * MEGA]))
    assert list(reader) == []
    assert len(reader.problems) == 1


def test_a_bomb_is_unpacked_piece_by_piece(monkeypatch):
    monkeypatch.setattr("cotulenh.pgn._read.MOST_BYTES", 3 * MEGA)
    reader = pgn.read(io.BytesIO(gzip.compress(b"x" * (60 * MEGA))))
    assert list(reader) == []
    assert "MiB" in reader.problems[0].reason


@pytest.mark.parametrize("seed", range(60))
def test_noise(seed):
    """Random bytes, and a good file with some bytes changed: reports, no tracebacks."""
    dice = random.Random(seed)
    good = b'[Event "x"]\n[Red "a"]\n\n1. Mg6 {hm} (1. Ik6 $1) 1... mg7 2. N<F>c6,T>d3 *\n\n' * 5
    good += b'[Event "y"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 {fine} 1-0\n\n' * 5
    noise = bytearray(dice.randbytes(2000) if seed % 2 else good)
    for _ in range(20):
        noise[dice.randrange(len(noise))] = dice.choice(b'\0{}()[]"\\;%$!?<>*10-\n\xff')
    for errors in ("skip", "keep"):
        reader = pgn.read(io.BytesIO(bytes(noise)), errors=errors)
        for game in reader:
            if not game.problems:
                assert pgn.parse(pgn.dumps(game)).moves() == game.moves()
        assert all(str(problem) for problem in reader.problems)
    list(pgn.headers(io.BytesIO(bytes(noise))))


NESTED = ("Nf3 e5", "Nf6 e4", "Ng1 e5", "Ng8 e4")


def test_a_million_variations_within_each_other():
    """Deeper than 131072 they are left out, with a problem that says so."""
    depth = MEGA
    text = "e4 (" + " (".join(NESTED[i % 4] for i in range(depth)) + ")" * depth + " d5 1-0"
    reader = pgn.read(io.StringIO(text))
    (game,) = reader
    assert (len(game), game.result) == (2, "1-0")
    assert [problem.reason for problem in reader.problems] == [
        "variations nest deeper than 131072: the rest is left out"
    ]


def test_endless_tags():
    text = "".join(f'[Tag{i} "x"]\n' for i in range(100_000)) + "\n1. e4 *\n"
    reader = pgn.read(io.StringIO(text))
    (game,) = reader
    assert len(game.tags) == 10_000
    assert game.sans() == ["e4"]
    assert [problem.reason for problem in reader.problems] == [
        "more than 10000 tags: the rest is left out"
    ]


@pytest.mark.long
@pytest.mark.parametrize("fill", [b"x", b"x\n", b"x y z "])
def test_a_comment_of_a_hundred_megabytes(tmp_path, fill):
    path = tmp_path / "long.pgn"
    many = 100 * MEGA // len(fill)
    path.write_bytes(b"1. e4 {" + fill * many + b'} e5 *\n\n[Event "last"]\n\n1. d4 *\n')
    reader = pgn.read(path)
    assert [game.tags["Event"] for game in reader] == ["last"]
    assert "more than 64 MiB" in reader.problems[0].reason
    kept = list(pgn.read(path, errors="keep"))
    assert [game.sans() for game in kept] == [["e4"], ["d4"]]


def test_what_is_too_long_is_kept_as_far_as_it_goes(monkeypatch):
    monkeypatch.setattr("cotulenh.pgn._read.MOST_BYTES", 3 * MEGA)
    raw = b'[White "A"]\n\n1. e4 {' + b"x\n" * (3 * MEGA) + b'} e5 *\n\n[Event "last"]\n\n1. d4 *\n'
    reader = pgn.read(io.BytesIO(raw), errors="keep")
    games = list(reader)
    assert [game.sans() for game in games] == [["e4"], ["d4"]]
    assert games[0].tags["White"] == "A"
    assert "MiB" in games[0].problems[0].reason
