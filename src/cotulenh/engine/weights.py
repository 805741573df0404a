"""Weights of the evaluation's terms as a file, to try them before they are built into the core.

``tools/tune.py --out`` writes such a file; ``Engine(weights=path)`` and ``engine,weights=PATH`` of
a match read it. It is JSON: the family of games and a pair for every term, its worth on the full
board and on the bare one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from cotulenh import _core

__all__ = ["WeightsError", "load", "save"]

_FAMILIES = ("chess", "cotulenh")


class WeightsError(ValueError):
    """A file that cannot be used as weights; the message says which and why."""


def load(path: str | Path) -> tuple[str, list[tuple[int, int]]]:
    """The family, "cotulenh" or "chess", and the weights in a file; ``WeightsError`` if not.

    >>> load("/dev/null")
    Traceback (most recent call last):
        ...
    cotulenh.engine.weights.WeightsError: /dev/null: it does not hold weights
    """
    try:
        found = json.loads(Path(path).read_bytes())
        family, pairs = found["game"], [(full, bare) for full, bare in found["weights"]]
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror or error}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WeightsError(f"{path}: it does not hold weights") from None
    if family not in _FAMILIES:
        raise WeightsError(f"{path}: expected weights of {' or '.join(_FAMILIES)}, got {family!r}")
    terms = len(_core.weights(family == "chess"))
    if len(pairs) != terms:
        raise WeightsError(f"{path}: expected {terms} weights of {family}, got {len(pairs)}")
    for number, pair in enumerate(pairs):
        if not all(type(one) is int and abs(one) < 1 << 15 for one in pair):
            raise WeightsError(f"{path}: weight {number}: expected two whole numbers, got {pair}")
    return family, pairs


def save(path: str | Path, family: str, pairs: Sequence[tuple[int, int]]) -> None:
    """Writes weights as ``load`` reads them."""
    text = json.dumps({"game": family, "weights": [list(pair) for pair in pairs]})
    Path(path).write_text(text + "\n", "utf-8")
