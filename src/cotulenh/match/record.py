"""What stays of a match: a log of JSON lines that a match can be resumed from, and PGN."""

from __future__ import annotations

import json
import os
import textwrap
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cotulenh.games import AnyBoard, name_of, new_board, push_text
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
        text = self.path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        rows = [self._row(n, line) for n, line in enumerate(whole.splitlines(), 1)]
        if not rows or rows[0].get("settings") != json.loads(json.dumps(settings)):
            raise ValueError(f"{self.path} is the log of another match: resume with its settings")
        for row in rows[1:]:
            row["moves"] = tuple(row["moves"])
            self.records.append(GameRecord(**row))
        if whole != text:
            os.truncate(self.path, len(whole.encode()))

    def _row(self, number: int, line: str) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except ValueError as error:
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


def pgn(record: GameRecord, variant: str, names: tuple[str, str], control: str = "?") -> str:
    """A game of a match as PGN, opening included."""
    board = new_board(variant)
    for text in record.moves:
        push_text(board, text)
    first, second = names if record.first == 0 else names[::-1]
    chess = name_of(board) == "chess"
    tags = {
        "Event": "match",
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{record.pair + 1}.{record.number % 2 + 1}",
        "White" if chess else "Red": first,
        "Black" if chess else "Blue": second,
        "Result": record.result,
        **({} if chess else {"Variant": variant}),
        "Opening": f"{record.opening} random moves",
        "TimeControl": control,
        "Termination": record.reason,
    }
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
    return f"{head}\n{_movetext(board, record.result)}\n\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _movetext(board: AnyBoard, result: str) -> str:
    words = []
    for number, turn in enumerate(board.history("san")):
        if number % 2 == 0:
            words.append(f"{number // 2 + 1}.")
        words.append(turn)
    return textwrap.fill(
        " ".join([*words, result]), 80, break_long_words=False, break_on_hyphens=False
    )
