"""EPD: the first four fields of a FEN and operations (16.2 of the PGN standard), both ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cotulenh._core.chess import Move
from cotulenh.errors import ParseError

if TYPE_CHECKING:
    from cotulenh.chess.board import Board

__all__ = ["operations", "split", "write"]

#: Operations whose operands are moves of the position; ``pv`` is a line of moves.
MOVES, LINES = frozenset({"bm", "am", "sm"}), frozenset({"pv"})
_WORD = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+)|(;)|(\S))')


def split(text: str) -> tuple[str, str]:
    """The position as a FEN, and the text of the operations."""
    fields = text.split(None, 4)
    if len(fields) < 4:
        raise ParseError(f"expected an EPD of at least four fields, got {len(fields)}", len(text))
    return " ".join([*fields[:4], "0", "1"]), fields[4] if len(fields) > 4 else ""


def operations(board: Board, text: str) -> dict[str, Any]:
    """The operations of an EPD: lists of moves, numbers, texts, ``None`` without an operand."""
    found: dict[str, Any] = {}
    words: list[tuple[str, bool]] = []
    at = 0
    while match := _WORD.match(text, at):
        at = match.end()
        quoted, word, ends, odd = match.groups()
        if odd is not None:
            raise ParseError(f"expected an operation, got {odd!r}", match.start(4))
        if ends is None:
            words.append(
                (word if quoted is None else re.sub(r"\\(.)", r"\1", quoted), word is None)
            )
        elif words:
            found[words[0][0]] = _operand(board, words)
            words = []
    if words:  # the last semicolon is often left out
        found[words[0][0]] = _operand(board, words)
    return found


def _operand(board: Board, words: list[tuple[str, bool]]) -> Any:
    (name, _), operands = words[0], words[1:]
    if name in MOVES:
        return [board.parse_san(text) for text, _ in operands]
    if name in LINES:
        walk, line = board.copy(history=False), []
        for text, _ in operands:
            line.append(walk.push_san(text))
        return line
    if not operands:
        return None
    values = [text if quoted else _number(text) for text, quoted in operands]
    return values[0] if len(values) == 1 else " ".join(text for text, _ in operands)


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def write(board: Board, given: dict[str, Any]) -> str:
    """The EPD of a board with operations."""
    words = board.fen().split(" ")[:4]
    for name, value in given.items():
        if not re.fullmatch(r"[A-Za-z]\w*", name):
            raise ValueError(f"expected the name of an operation, got {name!r}")
        operand = _text(board, name, value)
        words.append(f"{name} {operand};" if operand else f"{name};")
    return " ".join(words)


def _text(board: Board, name: str, value: Any) -> str:
    if isinstance(value, Move):
        return board.san(value)
    if isinstance(value, list | tuple):
        walk, texts = board.copy(history=False), []
        for move in value:
            texts.append(walk.san(move))
            if name in LINES:
                walk.push(move)
        return " ".join(texts if name in LINES else sorted(texts))
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return str(value)
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
