"""``cotulenh play`` as a person uses it: what is kept, what is completed, how lists are wrapped."""

import json
import os
import select
import signal
import subprocess
import sys
import time

import pytest

from cotulenh.cli._prompt import matches
from cotulenh.cli.play import kept_path, load
from cotulenh.games import new_board

pty = pytest.importorskip("pty")
COMMAND = [sys.executable, "-m", "cotulenh", "play", "--time", "0.02"]
OPENINGS = {"chess": ["e4", "e5"], "official": ["Mg6", "Mg7"], "blueprint": ["Ik6"]}


@pytest.fixture
def play(cli, monkeypatch):
    """Plays with lines given beforehand; the last may be an exception that is raised."""

    def run(*lines, options=()):
        left = list(lines)

        def ask(prompt):
            line = left.pop(0)
            if isinstance(line, str):
                return line
            raise line

        monkeypatch.setattr("cotulenh.cli.play.ask", ask)
        return cli("play", "--time", "0.02", *options)

    return run


# Left and taken up again ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "leave", [KeyboardInterrupt(), EOFError(), "quit"], ids=["^C", "^D", "quit"]
)
@pytest.mark.parametrize("game", OPENINGS)
def test_a_game_that_is_left_is_kept(play, game, leave):
    moves = OPENINGS[game]
    status, out, err = play(*moves, leave, options=("-g", game, "--side", "both"))
    assert (status, err) == (0, "")
    assert "cotulenh play --resume" in out
    board = new_board(game)
    for move in moves:
        board.push_san(move)
    assert load(kept_path()) == board
    status, out, _ = play("fen", "history", "quit", options=("--resume",))
    assert status == 0
    assert board.fen() in out.replace("\n", "")
    assert " ".join(board.history()) in out


def test_resume_can_be_typed(play):
    play("e4", "quit", options=("-g", "chess", "--side", "both"))
    _, out, _ = play("resume", "history", "quit")
    assert "A game was left" in out
    assert "e4" in out


def test_whose_side_it_was_is_kept_too(play):
    play("go", "quit", options=("--side", "second", "-g", "chess"))
    assert json.loads(kept_path().read_text())["people"] in ([0], [1])
    play("e4", "quit", options=("--side", "both", "-g", "chess"))
    assert json.loads(kept_path().read_text())["people"] == [0, 1]


def test_nothing_is_kept_of_a_game_that_is_over_or_not_begun(play):
    play("quit")
    assert not kept_path().exists()
    play("e4", "resign", options=("-g", "chess", "--side", "both"))
    assert not kept_path().exists()
    mate = ("f3", "e5", "g4", "Qh4#", "quit")
    play(*mate, options=("-g", "chess", "--side", "both"))
    assert not kept_path().exists()


def test_nothing_to_resume(cli):
    assert cli("play", "--resume")[2] == "cotulenh: no game was left: there is nothing to resume\n"


def test_a_kept_game_that_was_damaged(cli, play):
    play("e4", "quit", options=("-g", "chess", "--side", "both"))
    for text in ("{", "[]", '{"game": "chess"}', '{"game": "chess", "fen": "x", "moves": []}'):
        kept_path().write_text(text)
        status, _, err = cli("play", "--resume")
        assert (status, err.count("\n")) == (2, 1)
        assert "is no saved game" in err


# What is shown ----------------------------------------------------------------------------------


def test_lists_are_wrapped_between_words(play, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = play("moves", "quit")
    board = new_board("official")
    sans = {board.san(move) for move in board.legal_moves}
    lines = [line for line in out.splitlines() if line and set(line.split()) <= sans]
    assert len(lines) > 5
    assert all(len(line) <= 60 for line in lines)
    assert {word for line in lines for word in line.split()} == sans


@pytest.mark.parametrize("game", ["official", "chess"])
def test_help_explains_letters_and_signs(play, game):
    _, out, _ = play("help", "quit", options=("-g", game))
    wanted = (
        ["Commander", "Headquarters", "_h6", "@h6", "&c4", "<"] if game == "official" else ["O-O"]
    )
    assert all(word in out for word in [*wanted, "resume", "undo"])


def test_moves_of_the_other_side(play):
    assert "Blue's, and it is Red's turn" in play("moves c8", "quit")[1]


# Completion, in a terminal ------------------------------------------------------------------------


def test_what_is_completed():
    words = ["moves", "history", "Mg6", "Mg7", "Ik6"]
    assert matches(words, "Mg") == ["Mg6", "Mg7"]
    assert matches(words, "mg") == ["Mg6", "Mg7"]
    assert matches(words, "m") == ["moves"]
    assert matches(words, "") == sorted(words)


class Terminal:
    """A program at the other end of a pseudo-terminal."""

    def __init__(self, *options):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # pragma: no cover
            os.environ |= {"TERM": "xterm", "COLUMNS": "100"}
            os.execv(sys.executable, [*COMMAND, *options])
        self.seen = ""

    def until(self, text, seconds=60):
        deadline = time.monotonic() + seconds
        start = len(self.seen)
        while text not in self.seen[start:]:
            assert time.monotonic() < deadline, self.seen[-500:]
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.fd, 4096).decode("utf-8", "replace")
                except OSError:
                    break
        return self.seen[start:]

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self):
        while True:
            try:
                if not os.read(self.fd, 4096):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_completion_and_history_in_a_terminal():
    pytest.importorskip("readline")
    terminal = Terminal("-g", "chess", "--side", "both")
    terminal.until("White> ")
    terminal.type("Nf\t\n")  # only Nf3
    terminal.until("Black> ")
    terminal.type("hist\t\n")
    assert "Nf3" in terminal.until("Black> ")
    terminal.type("\x1b[A\n")  # the line before
    assert "Nf3" in terminal.until("Black> ")
    terminal.type("\x03")
    assert "The game is kept" in terminal.until("--resume")
    assert terminal.wait() == 0
    assert load(kept_path()).history() == ["Nf3"]
    again = Terminal("--resume")
    again.until("Black> ")
    again.type("\x1b[A\x1b[A\x1b[A\n")  # lines of the program before: hist, hist, Nf
    again.type("quit\n")
    assert again.wait() == 0


def test_an_interrupt_while_the_engine_thinks():
    program = subprocess.Popen(
        [*COMMAND[:-1], "60", "--side", "second", "-g", "chess"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout.read(1)  # the board is shown, the engine has the move
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=30)
    assert program.returncode == 0
    assert b"Traceback" not in err
