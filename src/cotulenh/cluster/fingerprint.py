"""What a result depends on besides its unit: the core, the rules, the networks, the settings.

Two runs with the same fingerprint give the same results, so a directory belongs to one fingerprint,
and a worker with another one is sent home before it does anything.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from cotulenh import __version__, _core
from cotulenh.rules import Rules

__all__ = ["canonical", "difference", "digest", "environment", "file_hash", "game_name"]


def canonical(value: Any) -> str:
    """A value as JSON, the same text for the same value.

    >>> canonical({"b": 1, "a": [2.5, None]})
    '{"a":[2.5,null],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: Any) -> str:
    """A short hash of any JSON value: 128 bits as hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:32]


def game_name(game: str) -> str:
    """The name of a game for a run: a rules file is named by its whole path."""
    return str(Path(game).resolve()) if game.endswith(".toml") else game


def environment(game: str, network: str | None = None) -> dict[str, str]:
    """All that must be the same on every worker."""
    return {
        "cotulenh": __version__,
        "core": _core_hash(),
        "python": platform.python_version().rpartition(".")[0],
        "rules": _rules_hash(game),
        "network": _network_hash(network),
    }


def difference(kept: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """What differs between two fingerprints, one text for each name.

    >>> difference({"match": {"nodes": 500}, "seed": 1}, {"match": {"nodes": 800}, "seed": 1})
    ['match.nodes 500, not 800']
    """
    kept, given = _flat(kept), _flat(given)
    names = [*kept, *(name for name in given if name not in kept)]
    return [
        f"{name} {_short(kept.get(name))}, not {_short(given.get(name))}"
        for name in names
        if kept.get(name) != given.get(name)
    ]


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values of values under names with dots."""
    out: dict[str, Any] = {}
    for name, value in values.items():
        inner = isinstance(value, Mapping)
        out |= _flat(value, f"{prefix}{name}.") if inner else {prefix + name: value}
    return out


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 60 else text[:59] + "…"


@cache
def _core_hash() -> str:
    path = _core.__file__
    assert path is not None, "the core is a file"
    return file_hash(Path(path))


@cache
def _rules_hash(game: str) -> str:
    """Chess has no rules file: its law is in the core."""
    return "chess" if game == "chess" else digest(Rules.load(game).spec)


@cache
def _network_hash(path: str | None) -> str:
    """Of a network of one's own, or of those that come with the package."""
    if path is not None:
        return file_hash(Path(path))
    data = files("cotulenh") / "data" / "networks"
    shipped = sorted(one.name for one in data.iterdir() if one.name.endswith(".nnue"))
    return digest([hashlib.sha256((data / name).read_bytes()).hexdigest() for name in shipped])


def file_hash(path: Path) -> str:
    """What a file holds, as a short hash."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]
