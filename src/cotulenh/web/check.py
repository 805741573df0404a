"""``cotulenh serve --check``: whether all that is kept fits together. Nothing is changed."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from cotulenh.web import schema, studies
from cotulenh.web.forms import Tree
from cotulenh.web.messages import Refusal, Setup
from cotulenh.web.room import Room, State
from cotulenh.web.store import explain, read_game

__all__ = ["Report", "check"]


@dataclass
class Report:
    """What was looked at, and what is wrong with it."""

    path: Path
    games: int = 0
    moves: int = 0
    chapters: int = 0
    problems: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """For people."""
        seen = f"{self.games} games with {self.moves} moves, {self.chapters} chapters of studies"
        end = "all well" if not self.problems else f"{len(self.problems)} problems"
        return [*(f"{self.path.name}: {text}" for text in self.problems), f"{seen}: {end}"]


def check(path: Path) -> Report:
    """Looks at every page of the file, every game and every chapter."""
    report = Report(path)
    if not path.exists():
        report.problems.append("there is no such file")
        return report
    try:
        base = schema.reading(path)
        try:
            _check_all(base, path, report)
        finally:
            base.close()
    except sqlite3.Error as error:
        report.problems.append(explain(error))
    except schema.DamageError as damage:
        report.problems.append(str(damage))
    return report


def _check_all(base: sqlite3.Connection, path: Path, report: Report) -> None:
    report.problems += schema.problems(base)
    schema.check_identity(base, path)
    if schema.version_of(base) < schema.VERSION:
        report.problems.append("made by an older program; the next start brings it up to date")
        return
    for (game,) in base.execute("SELECT id FROM games ORDER BY created"):
        report.games += 1
        try:
            report.moves += _check_game(base, game)
        except (schema.DamageError, msgspec.DecodeError, ValueError, Refusal) as error:
            report.problems.append(f"game {game}: {error}")
    for study, chapter, tree in base.execute("SELECT study, id, tree FROM chapters"):
        report.chapters += 1
        try:
            studies.spell(msgspec.json.decode(tree, type=Tree))
        except (msgspec.DecodeError, Refusal) as error:
            report.problems.append(f"study {study}, chapter {chapter}: {error}")


def _check_game(base: sqlite3.Connection, game: str) -> int:
    """Replays a game; how many moves it has."""
    row = read_game(base, game)
    assert row is not None
    setup = msgspec.json.decode(row.setup, type=Setup)
    Room(game, setup, msgspec.json.decode(row.state, type=State), row.moves)
    return len(row.moves)
