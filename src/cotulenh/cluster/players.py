"""Players of matches in runs: where their files lie, and what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cotulenh.cluster.fingerprint import file_hash
from cotulenh.match import Settings, Spec

__all__ = ["file_hashes", "settings_from", "settings_of"]

_FILES = ("network", "weights", "book")
_FILE = re.compile(rf",({'|'.join(_FILES)})=([^,]+)")


def settings_of(settings: Settings) -> dict[str, Any]:
    """All that decides how games go, as JSON values; files by their whole paths."""
    players = [_FILE.sub(_whole_path, text) for text in settings.players]
    return {**settings.for_log(), "games": settings.games, "players": players}


def _whole_path(found: re.Match[str]) -> str:
    """Workers begin in other directories.

    >>> _whole_path(_FILE.search("engine,book=/a/b.bin,skill=3"))
    ',book=/a/b.bin'
    """
    return f",{found[1]}={Path(found[2]).resolve()}"


def settings_from(values: dict[str, Any]) -> Settings:
    """The same back."""
    return Settings(**{**values, "players": tuple(values["players"])})


def file_hashes(players: Iterable[str]) -> dict[str, str]:
    """What the files of players hold: part of a run's fingerprint."""
    return {
        f"{name} {path}": file_hash(Path(path))
        for text in players
        for name, path in Spec.parse(text).settings.items()
        if name in _FILES
    }
