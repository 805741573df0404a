"""Every verb that takes a file, and files of another kind: an answer, or one line and status 2."""

import errno
import gzip
import os
import pathlib
import random

import pytest

GAME = b'[Event "x"]\n[Variant "chess"]\n\n1. e4 e5 2. Nf3 *\n'
FILES = {
    "empty": b"",
    "zeros": b"\0" * 5000,
    "noise": random.Random(1).randbytes(20_000),
    "latin": '[Event "Café"]\n\n1. e4 ÿþ *\n'.encode("latin-1"),
    "wide": GAME.decode().encode("utf-16"),
    "cut.gz": gzip.compress(GAME * 500)[:60],
    "spoilt.gz": gzip.compress(GAME * 500)[:-6] + b"xxxxxx",
    "not_packed.zst": b"hello" * 100,
    "one_line": b"a" * 1_000_000,
    "deep": b'{"a":' * 100_000 + b"\n",
    "brackets": b"[" * 100_000 + b"\n",
    "number": b"9" * 100_000 + b"\n",
    "json": b'{}\nnull\n[1, 2]\n{"fen": 1, "settings": 2}\n',
}
VERBS = (
    ("pgn", "check", "FILE"),
    ("pgn", "stats", "FILE"),
    ("pgn", "filter", "FILE", "--result", "1-0"),
    ("pgn", "convert", "FILE"),
    ("pgn", "annotate", "FILE", "--depth", "1"),
    ("pgn", "duplicates", "FILE"),
    ("pgn", "openings", "FILE"),
    ("book", "build", "FILE", "-o", "OUT/new.book"),
    ("book", "merge", "FILE", "-o", "OUT/new.book"),
    ("book", "dump", "FILE"),
    ("show", "-g", "FILE"),
    ("rules", "show", "FILE"),
    ("rules", "lint", "FILE"),
    ("render", "--pgn", "FILE", "-o", "OUT/game.svg"),
    ("play", "--load", "FILE"),
    ("puzzles", "FILE", "--check"),
    ("puzzles", "FILE", "--games", "1"),
    ("runs", "show", "FILE"),
    ("perft", "1", "--run", "FILE"),
    ("match", "engine,network=FILE", "random", "--games", "1", "--depth", "1"),
    ("match", "engine,weights=FILE", "random", "--games", "1", "--depth", "1"),
    ("match", "random", "random", "--games", "1", "--log", "FILE"),
    ("selfplay", "--data", "FILE", "--games", "1", "--nodes", "10"),
    ("serve", "--restore", "FILE", "--data", "OUT/data"),
    ("serve", "--book", "FILE", "--data", "OUT/data", "--check"),
)


def run(cli, verb, path, out):
    return cli(*(word.replace("FILE", str(path)).replace("OUT", str(out)) for word in verb))


def is_clear(status, err):
    """Status 2 comes with one line; nothing comes with an error of the program's own."""
    assert status in (0, 1, 2, None)
    if status == 2:
        lines = [line for line in err.splitlines() if line.startswith("cotulenh: ")]
        assert len(lines) == 1
        assert err.endswith(lines[0] + "\n")
        assert "[Errno" not in err
        assert "codec can't decode" not in err or ":" in err.partition("codec")[0]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: " ".join(verb[:2]))
def test_a_file_of_another_kind(cli, tmp_path, verb):
    for name, content in FILES.items():
        path = tmp_path / name
        path.write_bytes(content)
        status, _, err = run(cli, verb, path, tmp_path)
        is_clear(status, err)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: " ".join(verb[:2]))
def test_no_file_at_all(cli, tmp_path, verb):
    """A directory, a link to itself, a name that no text can be, a file that is not there."""
    (tmp_path / "directory").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    odd = os.fsdecode(b"name\xff\xfe.pgn")
    (tmp_path / odd).write_bytes(GAME)
    for name in ("directory", "loop", odd, "missing/file"):
        status, _, err = run(cli, verb, tmp_path / name, tmp_path)
        is_clear(status, err)


def test_a_log_of_a_match_with_a_row_that_is_none(cli, tmp_path):
    log = tmp_path / "match.jsonl"
    match = ("match", "random", "random", "--games", "1", "--log", str(log))
    assert cli(*match)[0] == 0
    log.write_text(log.read_text().splitlines()[0] + '\n{"moves": [], "nonsense": 1}\n')
    status, _, err = cli(*match)
    assert status == 2
    assert f"{log}, line 2: no game" in err


def test_a_puzzle_that_is_none_is_named_by_file_and_line(cli, file):
    path = file('{"fen": 1}\n', "puzzles.jsonl")
    assert f"{path}:1: no puzzle in" in cli("puzzles", path, "--check")[2]
    path = file(b"\xff\n", "puzzles.jsonl")
    assert f"{path}:1: " in cli("puzzles", path, "--check")[2]


def test_a_full_disk_does_not_cost_the_game_that_was_kept_before(tmp_path, monkeypatch):
    from cotulenh import Board
    from cotulenh.cli.play import load, save

    path = tmp_path / "game.json"
    board = Board()
    save(path, board)
    write = pathlib.Path.write_text

    def full(self, text, *rest):
        write(self, text[:10], *rest)
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(pathlib.Path, "write_text", full)
    board.push(next(iter(board.legal_moves)))
    with pytest.raises(OSError, match="No space"):
        save(path, board)
    assert load(path).fen() == Board().fen()
    assert [p.name for p in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "there is not enough memory for this"),
        (RecursionError(), "what was given is nested too deeply"),
        (OSError(errno.EIO, "Input/output error", "games.pgn"), "games.pgn: Input/output error"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    ],
)
def test_what_ends_any_verb_is_one_line(cli, monkeypatch, error, said):
    from cotulenh.cli import show

    def fail(*_args, **_options):
        raise error

    monkeypatch.setattr(show.verb, "callback", fail)
    assert cli("show")[::2] == (2, f"cotulenh: {said}\n")
