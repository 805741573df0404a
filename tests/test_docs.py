"""What the documentation shows is true: its examples and those of the docstrings are executed."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cotulenh
import cotulenh.draw
from cotulenh import pgn
from cotulenh.cli import main, play
from cotulenh.facts import UNLIMITED
from cotulenh.game import Game
from cotulenh.games import play_text

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(cotulenh.__path__, "cotulenh.")
    if not module.name.startswith("cotulenh._")
)


def fenced(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_of(page):
    blocks = "\n".join(fenced(page.read_text("utf-8"), "python"))
    example = doctest.DocTestParser().get_doctest(blocks, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    assert runner.run(example).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_examples_of(page, capsys):
    for block in fenced(page.read_text("utf-8"), "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            program, *args = command.split()
            assert program == "cotulenh"
            with pytest.raises(SystemExit) as stopped:
                main(args)
            assert stopped.value.code == 0
            assert capsys.readouterr().out == expected


SHELL = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(fenced(page.read_text("utf-8"), "sh"), 1)
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder like the repository's, without its sources, and with some games in it."""
    for entry in ROOT.iterdir():
        if entry.name not in ("build", ".git", ".hypothesis", "src"):
            (tmp_path / entry.name).symlink_to(entry)
    games = [Game(start) for start in (cotulenh.Board(), cotulenh.chess.Board())]
    for game, moves in zip(games, (["Mg6", "Mg7"], ["e4", "e5"]), strict=True):
        for move in moves:
            game.add(move)
    for name in ("games.pgn", "games.pgn.gz", "games.pgn.zst", "more.pgn.zst"):
        pgn.write(games, tmp_path / name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:/usr/games:{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize("block", SHELL)
def test_shell_blocks(block, folder):
    """Run as they stand; the last line of a block may cut down what takes long."""
    script, _, expression = block.partition("# tested: ")
    if expression:
        script = subprocess.run(
            ["sed", "-E", expression.strip()],
            input=script,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert script != block.partition("# tested: ")[0], "the marker changes nothing"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", ["cotulenh", *MODULES])
def test_docstrings_of(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


#: Modules of the reference, docs/api.
DOCUMENTED = [
    "cotulenh",
    "squares",
    "errors",
    "rules",
    "tables",
    "terrain",
    "chess",
    "chess.tables",
    "game",
    "annotations",
    "pgn",
    "book",
    "book.polyglot",
    "draw",
    "engine",
    "engine.mates",
    "engine.puzzles",
    "engine.tactics",
    "engine.review",
    "games",
    "protocols.client",
    "match",
    "env",
    "cluster",
]
#: Names whose use takes minutes, a cluster or a change for the whole process; how-to pages tell.
WITHOUT = {
    "add",
    "themes_of",
    "read_line",
    "Judged",
    "Candidate",
    "Finder",
    "Proof",
    "find",
    "Tally",
    "Log",
    "play_game",
    "pgn",
    "Player",
    "Counts",
    "Executor",
    "Ledger",
    "MatchJob",
    "Outcome",
    "Progress",
    "PuzzlesJob",
    "RunError",
    "Unit",
    "executor_for",
    "game_name",
}


def public_names():
    """Classes and functions that the reference lists, with their modules."""
    for name in DOCUMENTED:
        module = importlib.import_module(name if name == "cotulenh" else f"cotulenh.{name}")
        for word in module.__all__:
            found = getattr(module, word)
            if callable(found):
                yield name, word, found


def has_example(found):
    members = vars(found).values() if isinstance(found, type) else ()
    return any(">>>" in (getattr(one, "__doc__", None) or "") for one in (found, *members))


def test_every_public_name_has_an_example():
    pages = "\n".join(block for p in PAGES for block in fenced(p.read_text("utf-8"), "python"))
    shown = set(re.findall(r"\w+", pages))
    bare = {word for _, word, found in public_names() if not has_example(found)}
    assert bare - shown - WITHOUT == set()
    assert bare | shown >= WITHOUT, "a name that is no longer bare"


def test_the_readme_begins_with_the_two_commands():
    text = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^    (\./\w+)", text, re.MULTILINE)
    assert commands == ["./run", "./test"]
    for command in commands:
        assert (ROOT / command).stat().st_mode & 0o111


def test_the_film_of_the_readme():
    """A deployment, as draw makes it today."""
    fen = cotulenh.Board().fen()
    fen = fen.replace("2N1GT1TG2", "2(NFT)1G2TG2").replace("1N2FH1HF2", "1N3H1HF2")
    board = cotulenh.Board(fen)
    turn = play_text(board.copy(), "N<F>f7,T>d4")
    film = cotulenh.draw.animate(board, turn, seconds=1.5, size=420) + "\n"
    path = ROOT / "docs" / "deployment.svg"
    if os.environ.get("COTULENH_UPDATE"):
        path.write_text(film, "utf-8")
    assert path.read_text("utf-8") == film


def told_at_the_start(capsys):
    """Where a newcomer looks for the letters of pieces and the signs of moves."""
    with pytest.raises(SystemExit):
        main(["--help"])
    yield capsys.readouterr().out
    yield play.SIGNS
    for page in ("README.md", "docs/start.md"):
        yield (ROOT / page).read_text("utf-8")


def test_letters_and_signs_are_explained_wherever_one_starts(capsys):
    rows = cotulenh.rules.Rules.load("official").rows
    for text in told_at_the_start(capsys):
        for kind, row in rows.items():
            letter = re.escape(kind.letter)
            assert re.search(rf"(`{letter}` \| |{letter}(\[/b\])? ){row.name.split()[0]}", text), (
                row.name
            )
        for sign in "&_@><^+#x":
            assert sign in text


def test_the_glossary_has_the_words():
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8").lower()
    game = "stack deployment commit ring breach exchange heroic carrier facing shelter"
    engine = "transposition table, see, lmr, accumulator, nnue, continuation history, counter-move"
    for word in (*game.split(), *engine.split(", ")):
        assert word in text, word


WORDS = {
    "rules.md": {"over": "none", "all": "all", "enemies": "enemies"},
    "rules_vi.md": {"vượt": "none", "mọi quân": "all", "quân địch": "enemies"},
}


@pytest.mark.parametrize("page", WORDS)
def test_the_table_of_pieces_is_that_of_the_rule_file(page):
    """Written by hand for people to read, beside the one made from the file (3)."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    rows = re.findall(r"^\| ([A-Z]) \| (.*) \|$", text, re.MULTILINE)
    told = {letter: [cell.strip() for cell in cells.split("|")] for letter, cells in rows}
    rules = cotulenh.rules.Rules.load("official")
    assert set(told) == {kind.letter for kind in rules.kinds}

    def ranges(straight, diagonal):
        if not straight and not diagonal:
            return "0"
        return f"{'∞' if straight == UNLIMITED else straight}/{diagonal}"

    for kind in rules.kinds:
        row, (name, move, take, way, aim, _, ring, points) = rules.row(kind), told[kind.letter]
        assert name == (row.name if page == "rules.md" else row.vietnamese)
        assert move == ranges(*row.normal.move)
        assert ranges(*row.normal.take) in take
        if row.normal.take_ships not in ((0, 0), row.normal.take):
            assert ranges(*row.normal.take_ships) in take
        assert (WORDS[page][way], WORDS[page][aim]) == (row.move_blocked, row.take_blocked)
        assert ring == (str(row.normal.ring) if row.normal.ring else "–")
        assert int(points) == row.points
