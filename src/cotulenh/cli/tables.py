"""``cotulenh tables``: terrain, rays, reach, moves and masks of a rule set, drawn."""

from __future__ import annotations

import math

import click

from cotulenh.cli._common import as_json, print_json, print_set, rules_option
from cotulenh.rules import Rules

__all__ = ["verb"]

heroic_option = click.option("--heroic", is_flag=True, help="Of the heroic piece.")
occupied_option = click.option(
    "--occupied", default="", help='Occupied squares, such as "e5 f6".', metavar="SQUARES"
)


@click.group("tables")
def verb() -> None:
    """Print the tables of a rule set as boards."""


@verb.command()
@rules_option
@as_json
def terrain(rules: Rules, as_json: bool) -> None:
    """The terrain map, with the letters W L M R B."""
    if as_json:
        ground = rules.terrain
        print_json({square.name: ground.letter_at(square) for square in ground.all_accessible})
    else:
        click.echo(rules.tables.show("terrain"))


@verb.command()
@click.argument("kind")
@rules_option
@as_json
def access(kind: str, rules: Rules, as_json: bool) -> None:
    """Where a piece can move (M) and where it takes by staying (A)."""
    if as_json:
        moves, stays = rules.tables.movement_mask(kind), rules.tables.stay_capture_squares(kind)
        print_json({"move": [one.name for one in moves], "stay": [one.name for one in stays]})
    else:
        click.echo(rules.tables.show(rules.row(kind).kind))


@verb.command()
@click.argument("direction")
@click.argument("square")
@click.option("-n", "--range", "n", type=int, help="At most so many points.")
@occupied_option
@rules_option
@as_json
def ray(
    direction: str, square: str, n: int | None, occupied: str, rules: Rules, as_json: bool
) -> None:
    """A ray (N S E W NE NW SE SW), up to its first blocker."""
    length = math.inf if n is None else n
    print_set(rules.tables.blocked_ray(direction, square, length, occupied), as_json)


@verb.command()
@click.argument("kind")
@click.argument("square")
@heroic_option
@click.option("--taking", is_flag=True, help="As far as it takes, not as far as it moves.")
@rules_option
@as_json
def reach(kind: str, square: str, heroic: bool, taking: bool, rules: Rules, as_json: bool) -> None:
    """The points a piece reaches on an empty board."""
    print_set(rules.tables.reach(kind, square, heroic, taking=taking), as_json)


@verb.command()
@click.argument("kind")
@click.argument("square")
@occupied_option
@click.option("--friendly", default="", help="Its own side's squares.", metavar="SQUARES")
@heroic_option
@rules_option
@as_json
def moves(
    kind: str,
    square: str,
    occupied: str,
    friendly: str,
    heroic: bool,
    rules: Rules,
    as_json: bool,
) -> None:
    """Where a piece may go when these squares are occupied."""
    everyone = f"{occupied} {friendly}"
    print_set(rules.tables.moves(kind, square, everyone, friendly, heroic), as_json)


@verb.command()
@click.argument("square")
@click.argument("radius", type=int)
@rules_option
@as_json
def disc(square: str, radius: int, rules: Rules, as_json: bool) -> None:
    """The points a ring of air defence covers."""
    print_set(rules.tables.disc(square, radius), as_json)


@verb.command()
@click.argument("kind")
@click.argument("square")
@heroic_option
@rules_option
@as_json
def magic(kind: str, square: str, heroic: bool, rules: Rules, as_json: bool) -> None:
    """How the core looks a piece up: masks, magic numbers, shifts."""
    found = rules.tables.magic(kind, square, heroic)
    parts = list(zip(found.masks, found.magics, found.shifts, strict=True))
    if as_json:
        listed = [{"mask": hex(m), "magic": hex(n), "shift": s} for m, n, s in parts]
        print_json({"parts": listed, "size": found.size})
        return
    for mask, number, shift in parts:
        click.echo(f"magic {number:#018x}, shift {shift}, of the points\n{mask}\n")
    answers = f"{found.size} answers" if parts else "nothing can block it: no magic is needed"
    click.echo(answers)
