"""The root of the command line: the verbs there are, and how errors end."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module

import click

from cotulenh import __version__

__all__ = ["root", "run"]

#: The module and the name of each verb. A verb is loaded when it is used, or its help is shown.
VERBS = {
    "analyse": "analyse.verb",
    "bench": "bench.verb",
    "book": "book.verb",
    "match": "match.match_verb",
    "perft": "perft.verb",
    "pgn": "pgn.verb",
    "play": "play.verb",
    "puzzles": "puzzles.verb",
    "render": "render.verb",
    "rules": "rules.verb",
    "runs": "runs.verb",
    "selfplay": "match.selfplay_verb",
    "serve": "serve.verb",
    "show": "show.verb",
    "tables": "tables.verb",
    "uci": "protocols.uci_verb",
    "xboard": "protocols.xboard_verb",
}


class _Verbs(click.Group):
    """The verbs, each loaded when it is first asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name].partition(".")
        found = getattr(import_module(f"cotulenh.cli.{module}"), name)
        assert isinstance(found, click.Command)
        return found


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def root() -> None:
    """Cờ Tư Lệnh (Commander Chess) and chess: board, engine, rules, games and pictures.

    "cotulenh serve" opens the board in the browser.

    \b
    Pieces   C Commander    I Infantry  M Militia    E Engineer  T Tank  A Artillery
             G Anti-air     S Missile   F Air Force  N Navy      H Headquarters
    Moves    Tc3d3 goes     Txd3 takes  F_h6 takes and stays     F@h6 both are lost
             T&c4 boards    N>c6 a step out of a stack   c3< the rest stays
             +T a hero      ^ check     # mate
    """  # noqa: D301  (click reads the sign)


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
    except SystemExit:  # how click and rich end when the reader had enough, as `head` does;
        return 0  # verbs return their status
    except (ValueError, OSError, ImportError) as error:  # an extra that is missing names itself
        if isinstance(error, BrokenPipeError):  # the same of what was left to be written
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return _bad_input(_reason(error))
    except MemoryError:
        return _bad_input("there is not enough memory for this")
    except RecursionError:
        return _bad_input("what was given is nested too deeply")
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0


def _reason(error: Exception) -> str:
    """What was wrong; of a file its name first, as everywhere, without the system's number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _bad_input(reason: str) -> int:
    line = " ".join(reason.split())
    with suppress(OSError):  # there may be no room for the reason either
        click.echo(f"cotulenh: {line}", err=True)
    return 2
