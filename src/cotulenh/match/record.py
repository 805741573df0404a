"""What stays of a match: a log of JSON lines that a match can be resumed from, and PGN."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cotulenh.game import Game
from cotulenh.games import AnyBoard, new_board, push_text, side_name
from cotulenh.match.game import GameRecord

__all__ = ["Log", "pgn"]


class Log:
    """A file of JSON lines: the settings first, then a line for each finished game.

    A half-written last line (the program was killed) is dropped. A log of other settings is
    refused: their games say nothing about this match.
    """

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.records: list[GameRecord] = []
        if path.exists() and path.stat().st_size:
            self._read(settings)
        else:
            self._write({"settings": settings})

    def _read(self, settings: dict[str, Any]) -> None:
        try:
            text = self.path.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.path} is no log of a match: {error}") from None
        whole = text[: text.rfind("\n") + 1]
        rows = [self._row(n, line) for n, line in enumerate(whole.splitlines(), 1)]
        if not rows or rows[0].get("settings") != json.loads(json.dumps(settings)):
            raise ValueError(f"{self.path} is the log of another match: resume with its settings")
        for number, row in enumerate(rows[1:], 2):
            try:
                self.records.append(GameRecord.from_row(row))
            except TypeError as error:
                raise ValueError(f"{self.path}, line {number}: no game: {error}") from None
        if whole != text:
            os.truncate(self.path, len(whole.encode()))

    def _row(self, number: int, line: str) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{self.path}, line {number}: {error}") from None
        if not isinstance(row, dict):
            raise ValueError(f"{self.path}, line {number}: not a record")
        return row

    def add(self, record: GameRecord) -> None:
        """Writes a game at once, so that nothing is lost if the program ends."""
        self.records.append(record)
        self._write(asdict(record))

    def _write(self, row: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def pgn(
    record: GameRecord,
    variant: str,
    names: tuple[str, str],
    control: str = "?",
    event: str = "match",
) -> str:
    """A game of a match as PGN: opening, evaluations and the day it was played included."""
    board = new_board(variant)
    for text in record.moves:
        push_text(board, text)
    tags = dict(zip(_sides(board), names if record.first == 0 else names[::-1], strict=True))
    game = Game.from_board(board, tags)
    game.tags |= {
        "Event": event,
        "Date": record.date,
        "Round": f"{record.pair + 1}.{record.number % 2 + 1}",
        "Opening": f"{record.opening} random moves",
        "TimeControl": control,
        "Termination": record.reason,
    }
    game.result = record.result
    at = 0
    for node in game.mainline():
        at += len(node.moves)
        if at <= len(record.evals) and record.evals[at - 1]:
            node.comments.append(f"[%eval {record.evals[at - 1]}]")
    return f"{game}\n"


def _sides(board: AnyBoard) -> tuple[str, str]:
    return side_name(board, 0), side_name(board, 1)
