"""The help of every verb, as it stands in ``help/``.

After a change that is meant: ``COTULENH_UPDATE=1 pytest tests/cli/test_help.py``.
"""

import os
from pathlib import Path

import click
import pytest

from cotulenh.cli._root import root

HERE = Path(__file__).parent / "help"
#: Verbs of the public contract.
VERBS = [
    *("analyse", "bench", "match", "perft", "pgn", "play", "render", "rules", "selfplay", "serve"),
    *("tables", "uci", "xboard"),
]


def commands(command, name):
    """A command and all below it, by the words one types."""
    yield name, command
    if isinstance(command, click.Group):
        for word in sorted(command.list_commands(None)):
            yield from commands(command.get_command(None, word), f"{name} {word}")


ALL = dict(commands(root, "cotulenh"))


def help_of(command, name):
    context = click.Context(
        command,
        info_name=name,
        terminal_width=100,
        max_content_width=100,
        help_option_names=["-h", "--help"],
    )
    return command.get_help(context) + "\n"


@pytest.mark.parametrize("name", ALL)
def test_help_of(name):
    text = help_of(ALL[name], name)
    path = HERE / f"{'-'.join(name.split()[1:]) or 'cotulenh'}.txt"
    if os.environ.get("COTULENH_UPDATE"):
        HERE.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_no_help_of_what_is_gone():
    names = {"-".join(name.split()[1:]) or "cotulenh" for name in ALL}
    assert {path.stem for path in HERE.glob("*.txt")} == names


@pytest.mark.parametrize("verb", root.list_commands(None))
def test_every_verb_explains_itself(cli, verb):
    status, out, err = cli(verb, "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: cotulenh {verb}")
    assert len(out.splitlines()) > 4
    assert max(map(len, out.splitlines())) <= 100
    assert "\\b" not in out  # click's sign for lines that stay as they are


def test_the_root_lists_the_verbs(cli):
    status, out, _ = cli("--help")
    assert status == 0
    assert all(f"  {verb} " in out for verb in VERBS)


def test_no_colours_in_a_pipe(cli):
    for line in (["--help"], ["show"], ["rules", "show"], ["pgn", "--help"]):
        assert "\x1b" not in cli(*line)[1]


@pytest.mark.parametrize(
    ("before", "word", "offers"),
    [
        ([], "ma", ["match"]),
        (
            ["pgn"],
            "",
            ["annotate", "check", "convert", "duplicates", "filter", "openings", "stats"],
        ),
        (["render", "--theme"], "", ["light", "dark", "contrast"]),
        (["render"], "--air", ["--air-defence"]),
    ],
)
def test_shell_completion(before, word, offers):
    from click.shell_completion import BashComplete

    found = BashComplete(root, {}, "cotulenh", "_COTULENH_COMPLETE").get_completions(before, word)
    assert [item.value for item in found] == offers


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_scripts_of_the_page(cli, monkeypatch, shell):
    """docs/command-line.md tells to ask for them so."""
    monkeypatch.setenv("_COTULENH_COMPLETE", f"{shell}_source")
    monkeypatch.setattr("click.shell_completion.BashComplete._check_version", lambda _: None)
    status, out, _ = cli()
    assert status == 0
    assert "_COTULENH_COMPLETE" in out
