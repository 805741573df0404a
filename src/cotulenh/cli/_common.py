"""What several verbs share: options, and printing for people and for machines."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from cotulenh.rules import Rules
from cotulenh.squares import SquareSet

__all__ = ["as_json", "data_dir", "load_rules", "print_json", "print_set", "rules_option"]


def load_rules(_context: click.Context, _parameter: click.Parameter, value: str) -> Rules:
    """Turns a name or path on the command line into the rule set."""
    if value == "chess":
        raise click.BadParameter("chess has no rule set: its tables are in cotulenh.chess.tables")
    return Rules.load(value)


rules_option = click.option(
    "-g",
    "--game",
    "--rules",
    "rules",
    callback=load_rules,
    default="official",
    show_default=True,
    metavar="NAME",
    help="official, online, blueprint, or the path of a rules file.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print for machines.")


def print_json(value: Any) -> None:
    """Prints one JSON value on a line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def print_set(squares: SquareSet, as_json: bool) -> None:
    """Draws a set of squares, or prints its names and its bits."""
    if as_json:
        print_json({"squares": [square.name for square in squares], "bits": hex(squares)})
    else:
        click.echo(str(squares))


def data_dir() -> Path:
    """Where a program of this user keeps its data."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "cotulenh"
