"""``cotulenh uci`` and ``cotulenh xboard``: the engine for chess programs."""

from __future__ import annotations

import sys

import click

from cotulenh import games
from cotulenh.cli._games import game_option_of

__all__ = ["uci_verb", "xboard_verb"]


@click.command("uci")
@game_option_of("chess")
def uci_verb(game: str) -> int:
    """Speak UCI on standard input and output.

    Chess programs start this command. Chess is the default, as they expect; the option UCI_Variant
    switches to Cờ Tư Lệnh. By hand: "position startpos", "go movetime 1000", "d", "quit".
    """
    from cotulenh.protocols import uci

    return uci.serve(sys.stdin.buffer, sys.stdout, games.add(game))


@click.command("xboard")
@game_option_of("official")
def xboard_verb(game: str) -> int:
    """Speak CECP, the protocol of XBoard and WinBoard.

    \b
    xboard -fcp "cotulenh xboard"
    xboard -fcp "cotulenh xboard --game chess"
    """  # noqa: D301  (click reads the sign)
    from cotulenh.protocols import xboard

    return xboard.serve(sys.stdin.buffer, sys.stdout, xboard.variant_of(games.add(game)))
