"""A session of a protocol: any lines are answered, and a search that was begun has an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import _atheris
import atheris

with atheris.instrument_imports(include=["cotulenh.protocols"]):
    from cotulenh.engine import Engine
    from cotulenh.protocols.session import Session

MOST_LINES = 24


def small_engine(**settings: Any) -> Engine:
    """An engine with little memory and one thread, whatever the other side wants."""
    return Engine(**{**settings, "hash_mb": 1, "threads": 1})


def session(kind: Callable[..., Session], opening: list[str], data: bytes) -> list[str]:
    """What is answered to the lines of an input, after some lines that open the session."""
    said: list[str] = []
    talk = kind(said.append, engine_type=small_engine)
    try:
        for line in [*opening, *_atheris.text_of(data).split("\n")[:MOST_LINES]]:
            if not talk.handle(line):
                break
    finally:
        talk.close()
    for line in said:
        assert "\n" not in line, repr(line)
        assert len(line) < 100_000, len(line)
    return said
