"""Reads `.perft` files: lines of id, epd (or fen), and perft depth nodes; # begins a comment."""

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "perft"


class Entry(NamedTuple):
    name: str
    fen: str
    nodes: dict[int, int]


def read(name):
    """The entries of a suite, in order."""
    entries = []
    for line in (FOLDER / f"{name}.perft").read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "id":
            entries.append(Entry(rest, "", {}))
        elif word in ("epd", "fen"):
            entries[-1] = entries[-1]._replace(fen=rest)
        elif word == "perft":
            depth, nodes = map(int, rest.split())
            entries[-1].nodes[depth] = nodes
        else:
            assert not word or word == "#", f"a line that means nothing: {line!r}"
    return entries
