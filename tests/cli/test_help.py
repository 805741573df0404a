"""The help of every verb, as it stands in ``help/``.

After a change that is meant: ``COTULENH_NEW_HELP=1 pytest tests/cli/test_help.py``.
"""

import os
from pathlib import Path

import click
import pytest

from cotulenh.cli._root import root

HERE = Path(__file__).parent / "help"
#: Verbs of the public contract that stand here so far.
VERBS = ["analyse", "bench", "match", "perft", "play", "selfplay", "uci", "xboard"]


def help_of(command, name):
    context = click.Context(
        command,
        info_name=name,
        terminal_width=100,
        max_content_width=100,
        help_option_names=["-h", "--help"],
    )
    return command.get_help(context) + "\n"


@pytest.mark.parametrize("verb", VERBS)
def test_help_of(verb):
    text = help_of(root.commands[verb], f"cotulenh {verb}")
    path = HERE / f"{verb}.txt"
    if os.environ.get("COTULENH_NEW_HELP"):
        HERE.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("verb", sorted(root.commands))
def test_every_verb_explains_itself(cli, verb):
    status, out, err = cli(verb, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: cotulenh {verb}")
    assert len(out.splitlines()) > 4
    assert max(map(len, out.splitlines())) <= 100


def test_the_root_lists_the_verbs(cli):
    status, out, _ = cli("--help")
    assert status == 0
    assert all(f"  {verb} " in out for verb in VERBS)


def test_shell_completion_is_there():
    from click.shell_completion import BashComplete

    found = BashComplete(root, {}, "cotulenh", "_COTULENH_COMPLETE").get_completions([], "ma")
    assert [item.value for item in found] == ["match"]
