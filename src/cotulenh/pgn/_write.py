"""Games to text: tags, then words in lines of at most 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike
from typing import IO, TypeAlias

from cotulenh.game import MOVE, OPEN, Game, walk
from cotulenh.pgn._file import writing

__all__ = ["dumps", "write"]

Where: TypeAlias = "str | PathLike[str] | IO[bytes] | IO[str]"

_ROSTER = ("Event", "Site", "Date", "Round", "White", "Red", "Black", "Blue", "Result")
WIDTH = 80
_ENDS = re.compile(r"\r\n|\r|\n")
_TAGS = re.compile(r'\n(?=\[Event ")')  # what would begin another game


def dumps(game: Game) -> str:
    r"""A game as PGN, lines of at most 80 columns. Reading it gives the same game.

    >>> from cotulenh import pgn
    >>> print(dumps(pgn.parse('[Event "Blitz"]\n\n1.e4 e5!? {why not} 2.Nf3 1-0')))
    [Event "Blitz"]
    <BLANKLINE>
    1. e4 e5 $5 {why not} 2. Nf3 1-0
    <BLANKLINE>
    """
    out = [_tag(name, game.tags[name]) for name in _ROSTER if name in game.tags]
    out += [_tag(name, value) for name, value in game.tags.items() if name not in _ROSTER]
    if out:
        out.append("")
    lines = _Lines()
    for comment in game.root.comments:
        lines.comment(comment)
    _write_moves(game, lines)
    lines.word(game.result)
    return "\n".join(out + lines.done()) + "\n"


def write(games: Iterable[Game] | Game, where: Where) -> int:
    """Writes games to a path or an open file and says how many; ``.gz`` and ``.zst`` are packed."""
    count = 0
    with writing(where) as put:
        for game in (games,) if isinstance(games, Game) else games:
            put(dumps(game) + "\n")
            count += 1
    return count


def _tag(name: str, value: str) -> str:
    # Other programs' names may hold more than the standard's letters, digits and underscores.
    if not re.fullmatch(r'[A-Za-z0-9_\x80-\U0010ffff][^\x00-\x20\x7f"\[\]]*', name):
        raise ValueError(f"expected a name for a tag, got {name!r}")
    line = _ENDS.sub(" ", str(value)).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{line}"]'


def _write_moves(game: Game, lines: _Lines) -> None:
    texts = iter(game.texts())
    fields = game.fen.split()  # the last two may be missing
    number = int(fields[5]) if len(fields) > 5 else 1
    first = number * 2 + (fields[1] == "b")
    say_number = True
    for kind, node, ply in walk(game.root):
        if kind == MOVE:
            _, nags, before, comments = node.contents
            for comment in before:
                lines.comment(comment)
            say_number |= bool(before)
            full, second = divmod(first + ply, 2)
            if not second or say_number:
                lines.word(f"{full}{'...' if second else '.'}")
            lines.word(next(texts))
            for nag in nags:
                lines.word(f"${nag}")
            for comment in comments:
                lines.comment(comment)
            say_number = bool(comments)
        elif kind == OPEN:
            lines.open()
            say_number = True
        else:
            lines.close()
            say_number = True


def _parts(text: str) -> list[str]:
    """The words of a comment; a command such as [%clk 0:09:58] is one word."""
    parts: list[str] = []
    for part in re.split(r"(?<=\S) (?=[^\s%\[])", text):
        last = parts[-1] if parts else ""
        if last.rfind("[%") > last.rfind("]") and len(last) + len(part) < WIDTH // 2:
            parts[-1] = f"{last} {part}"
        else:
            parts.append(part)
    return parts


class _Lines:
    """Words in lines of at most 80 columns."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._words: list[str] = []
        self._length = 0
        self._prefix = ""

    def word(self, word: str) -> None:
        """Adds a word, on a new line if it does not fit."""
        word, self._prefix = self._prefix + word, ""
        if self._words and self._length + 1 + len(word) > WIDTH:
            self._break()
        self._length += len(word) + bool(self._words)
        self._words.append(word)

    def open(self) -> None:
        """A parenthesis that clings to the next word."""
        self._prefix += "("

    def close(self) -> None:
        """A parenthesis that clings to the last word, if the line has room for it."""
        if not self._words or self._length + 1 > WIDTH:
            self.word(")")
        else:
            self._words[-1] += ")"
            self._length += 1

    def comment(self, text: str) -> None:
        """A comment. Only single spaces become line breaks, so that reading restores them.

        A line's end within it is written as an empty line.
        """
        text = _TAGS.sub(" ", _ENDS.sub("\n", text)).strip(" \t\n")
        if not text:
            return
        if "}" in text:  # nothing can stand for it between braces
            self.word(";" + text.replace("\n", " "))
            self._break()
            return
        for i, line in enumerate(re.split(r"(\n+)", f"{{{text}}}")):
            if i % 2:
                for _ in range(len(line) + 1):
                    self._break()
            else:
                for part in _parts(line):
                    self.word(part)

    def _break(self) -> None:
        self._lines.append(" ".join(self._words))
        self._words, self._length = [], 0

    def done(self) -> list[str]:
        """The lines."""
        if self._words:
            self._break()
        return self._lines
