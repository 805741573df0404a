"""What callers may give: each check returns the value or says in one line what was expected."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

__all__ = ["check_seed", "choice", "dtype_name", "flag", "mode_of", "whole"]

SEEDS = 1 << 64


def whole(name: str, value: object, low: int, high: int) -> int:
    """A whole number within its limits.

    >>> whole("threads", 2.5, 1, 256)
    Traceback (most recent call last):
    TypeError: threads must be a whole number, got 2.5
    """
    number = _index(value)
    if number is None:
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if not low <= number <= high:
        raise ValueError(f"{name} must be {low} to {high}, got {number}")
    return number


def check_seed(seed: object) -> int:
    """A seed as a whole number.

    >>> check_seed(1.5)
    Traceback (most recent call last):
    TypeError: expected a whole number as seed, got float
    """
    number = _index(seed)
    if number is None:
        raise TypeError(f"expected a whole number as seed, got {type(seed).__name__}")
    if not 0 <= number < SEEDS:
        raise ValueError(f"expected a seed from 0 to 2**64 - 1, got {number}")
    return number


def _index(value: Any) -> int | None:
    """What Python takes for an index, but for booleans."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def flag(name: str, value: object) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def choice(name: str, value: object, allowed: Sequence[str]) -> int:
    """The place of a word among those allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return list(allowed).index(value)


def mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """One of Gymnasium's modes, by itself or by its text."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(one.value for one in AutoresetMode)
        raise ValueError(f"autoreset_mode must be one of {names}, got {mode!r}") from None


def dtype_name(dtype: Any) -> str:
    """``uint8`` or ``float32``, however NumPy's users say it.

    >>> dtype_name(np.float32), dtype_name("uint8")
    ('float32', 'uint8')
    """
    for name in ("uint8", "float32"):
        if dtype is not None and dtype in (name, np.dtype(name)):
            return name
    raise ValueError(f"dtype must be one of uint8, float32, got {dtype!r}")
