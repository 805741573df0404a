"""The root of the command line: the verbs there are, and how errors end."""

from __future__ import annotations

import os
import sys

import click

from cotulenh import __version__
from cotulenh.cli import (
    analyse,
    bench,
    match,
    perft,
    pgn,
    play,
    protocols,
    puzzles,
    render,
    rules,
    runs,
    serve,
    show,
    tables,
)

__all__ = ["root", "run"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="%(prog)s %(version)s")
def root() -> None:
    """Cờ Tư Lệnh (Commander Chess) and chess: board, engine, rules, games and pictures.

    "cotulenh serve" opens the board in the browser.
    """


for verb in (
    analyse.verb,
    bench.verb,
    match.match_verb,
    match.selfplay_verb,
    perft.verb,
    pgn.verb,
    play.verb,
    protocols.uci_verb,
    protocols.xboard_verb,
    puzzles.verb,
    render.verb,
    rules.verb,
    runs.verb,
    serve.verb,
    show.verb,
    tables.verb,
):
    root.add_command(verb)


def run(args: list[str] | None = None) -> int:
    """Runs a command line; returns its exit status."""
    try:
        status: object = root.main(args, prog_name="cotulenh", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help())
        return 0
    except click.ClickException as error:
        return _bad_input(error.format_message())
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # the reader had enough, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return _bad_input(str(error))
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0


def _bad_input(reason: str) -> int:
    line = " ".join(reason.split())
    click.echo(f"cotulenh: {line}", err=True)
    return 2
