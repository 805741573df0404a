"""``cotulenh rules``: which rule sets there are, what they say, and whether a file is one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from cotulenh.cli._common import as_json, load_rules, print_json
from cotulenh.facts import UNLIMITED, Row
from cotulenh.rules import Rules, check

__all__ = ["verb"]


@click.group("rules")
def verb() -> None:
    """List, show and check rule sets."""


@verb.command("list")
@as_json
def list_(as_json: bool) -> None:
    """The rule sets that come with the package."""
    found = {name: Rules.load(name).title for name in Rules.names()}
    if as_json:
        print_json(found)
    else:
        for name, title in found.items():
            click.echo(f"{name:<10} {title}")


@verb.command()
@click.argument("rules", callback=load_rules, default="official")
@as_json
def show(rules: Rules, as_json: bool) -> None:
    """What a rule set says: pieces, cargo, switches, terrain, start."""
    if as_json:
        print_json(_for_machines(rules))
        return
    console = Console()
    console.print(f"[bold]{rules.name}[/bold]  {rules.title}  ({rules.files}×{rules.ranks})")
    console.print(_piece_table(rules))
    for kind, loads in rules.cargo.items():
        console.print(f"{kind.letter} carries {', '.join(loads)}", highlight=False)
    click.echo()
    for name, value in rules.switches.items():
        click.echo(f"{name:<30} {_word(value)}")
    click.echo(f"{'objective':<30} {rules.objective}\n")
    click.echo(rules.tables.show("terrain"))
    click.echo(f"\nstart {rules.start_fen}")


@verb.command()
@click.argument("files", nargs=-1, required=True)
@as_json
def lint(files: tuple[str, ...], as_json: bool) -> int:
    """Check rule sets by name or file."""
    found = {name: check(name) for name in files}
    problems = [problem for listed in found.values() for problem in listed]
    if missing := [problem for problem in problems if not problem.line]:
        raise click.ClickException(str(missing[0]))
    if as_json:
        print_json([vars(problem) for problem in problems])
    else:
        for name, listed in found.items():
            click.echo("\n".join(map(str, listed)) if listed else f"{name}: ok")
    return 1 if problems else 0


def _piece_table(rules: Rules) -> Table:
    title = "ranges orthogonal/diagonal, and those of the heroic piece"
    table = Table(title=title, box=None, pad_edge=False, title_justify="left")
    for heading in ("", "piece", "", "moves", "takes", "ships", "blocked by", "ring", "pts"):
        table.add_column(heading, no_wrap=True)
    for row in rules.rows.values():
        table.add_row(*_cells(row))
    return table


def _cells(row: Row) -> list[str]:
    normal, heroic = row.normal, row.heroic
    return [
        row.kind.letter,
        row.name,
        row.vietnamese,
        f"{_ranges(normal.move)} {_ranges(heroic.move)}",
        f"{_ranges(normal.take)} {_ranges(heroic.take)}",
        f"{_ranges(normal.take_ships)} {_ranges(heroic.take_ships)}",
        f"{row.move_blocked}/{row.take_blocked}",
        f"{normal.ring} {heroic.ring}" if heroic.ring else "",
        str(row.points),
    ]


def _for_machines(rules: Rules) -> dict[str, Any]:
    """The facts as JSON values; an unlimited range is the number no board exceeds."""
    pieces = {}
    for kind, row in rules.rows.items():
        stay = "".join(sorted(one.letter for one in row.stay & set(rules.kinds)))
        pieces[kind.letter] = {**asdict(row), "kind": kind.letter, "stay": stay}
    return {
        "name": rules.name,
        "title": rules.title,
        "files": rules.files,
        "ranks": rules.ranks,
        "start": rules.start_fen,
        "objective": rules.objective,
        "terrain": ["".join(row.split()[1:]) for row in str(rules.terrain).splitlines()[:-1]],
        "pieces": pieces,
        "cargo": {kind.letter: loads for kind, loads in rules.cargo.items()},
        "switches": dict(rules.switches),
    }


def _ranges(pair: tuple[int, int]) -> str:
    return "/".join("∞" if number == UNLIMITED else str(number) for number in pair)


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value))
