"""Games beyond the largest size, with a lower limit; files that break off; open files."""

import io

import pytest

from cotulenh import pgn
from cotulenh.pgn import _blocks, _read

LONG = '[Event "long"]\n\n1. e4 {' + "x" * (3 << 20) + "} e5 *\n\n"
SHORT = '[Event "short"]\n\n1. d4 *\n'


@pytest.fixture(autouse=True)
def low_limit(monkeypatch):
    for module in (_blocks, _read):
        monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)


@pytest.mark.parametrize("text", [LONG + SHORT, SHORT + "\n" + LONG + SHORT, LONG])
def test_a_game_that_is_too_long_is_reported_and_passed_over(text):
    reader = pgn.read(io.StringIO(text))
    assert [game.tags["Event"] for game in reader] == ["short"] * text.count("short")
    assert [problem.reason for problem in reader.problems] == ["a game of more than 1 MiB"]
    assert reader.problems[0].game == 1 + text.startswith(SHORT)


def test_with_keep_its_beginning_stands_for_it():
    games = list(pgn.read(io.StringIO(LONG + SHORT), errors="keep"))
    assert [game.tags["Event"] for game in games] == ["long", "short"]
    assert games[0].problems[0].fatal


def test_its_tags_are_among_the_headers():
    headers = list(pgn.headers(io.StringIO(LONG + SHORT)))
    assert [header.tags["Event"] for header in headers] == ["long", "short"]


@pytest.mark.parametrize("text", [LONG + SHORT, LONG])
def test_blocks_leave_it_out(text):
    parts = list(_blocks.blocks(io.StringIO(text), size=1 << 18))
    problems = [problem.reason for part in parts for problem in part.problems]
    assert problems == ["a game of more than 1 MiB"]
    games = b"".join(part.text for part in parts)
    assert games.decode() == (SHORT if "short" in text else "")


class Breaks(io.BytesIO):
    """A file that cannot be read to its end."""

    def read(self, size=-1):
        if self.tell() > 0:
            raise OSError("the disk is gone")
        return super().read(60)


def test_a_file_that_breaks_off_is_reported_with_what_came_before():
    parts = list(_blocks.blocks(Breaks((SHORT + "\n").encode() * 9), size=1 << 18))
    assert [p.reason for part in parts for p in part.problems] == [
        "the file cannot be read on: the disk is gone"
    ]
    reader = pgn.read(Breaks(SHORT.encode() * 9))
    list(reader)
    assert any("the disk is gone" in problem.reason for problem in reader.problems)


class Slow(io.BytesIO):
    """A file that gives little at a time, as pipes do."""

    def read(self, size=-1):
        return super().read(min(size, 200))


def test_blocks_on_threads_come_in_order_and_may_be_left():
    text = ((SHORT + "\n") * 200).encode()
    blocks = _blocks.blocks(Slow(text), size=64)
    sizes = [size for _, size in _blocks.on_threads(lambda b: len(b.text), blocks, threads=3)]
    assert sum(sizes) == len(text)
    assert len(sizes) > 10
    work = _blocks.on_threads(len, _blocks.blocks(Slow(text), size=64), threads=3)
    next(work)
    work.close()


def test_names_that_no_tag_can_have_are_refused():
    game = next(pgn.read(io.StringIO(SHORT)))
    game.tags["no name"] = "x"
    with pytest.raises(ValueError, match="expected a name for a tag"):
        str(game)


def test_games_are_written_to_open_files_of_both_kinds():
    game = next(pgn.read(io.StringIO(SHORT)))
    text, raw = io.StringIO(), io.BytesIO()
    assert pgn.write(game, text) == pgn.write([game], raw) == 1
    assert raw.getvalue().decode() == text.getvalue()
    assert list(pgn.read(io.BytesIO(raw.getvalue()))) == [game]


def test_an_index_of_an_open_file_reads_each_game_anew():
    games = pgn.index(io.BytesIO((SHORT + "\n" + SHORT.replace("d4", "e4")).encode()))
    assert [games[n].sans() for n in (1, 0, 1)] == [["e4"], ["d4"], ["e4"]]
