"""``cotulenh uci`` and ``cotulenh xboard``: the engine for chess programs."""

from __future__ import annotations

import sys

import click

from cotulenh.games import names
from cotulenh.protocols import uci, xboard

__all__ = ["uci_verb", "xboard_verb"]


@click.command("uci")
@click.option(
    "-g",
    "--game",
    type=click.Choice(names()),
    default="chess",
    show_default=True,
    help="Where UCI_Variant stands at first.",
)
def uci_verb(game: str) -> int:
    """Speak UCI on standard input and output.

    Chess programs start this command. Chess is the default, as they expect; the option UCI_Variant
    switches to Cờ Tư Lệnh. By hand: "position startpos", "go movetime 1000", "d", "quit".
    """
    return uci.serve(sys.stdin.buffer, sys.stdout, game)


@click.command("xboard")
@click.option(
    "-g",
    "--game",
    type=click.Choice(names()),
    default="official",
    show_default=True,
    help="The game XBoard's window opens with.",
)
def xboard_verb(game: str) -> int:
    """Speak CECP, the protocol of XBoard and WinBoard.

    \b
    xboard -fcp "cotulenh xboard"
    xboard -fcp "cotulenh xboard --game chess"
    """  # noqa: D301  (click reads the sign)
    names = {variant: name for name, variant in reversed(xboard.NAMES.items())}
    return xboard.serve(sys.stdin.buffer, sys.stdout, names[game])
