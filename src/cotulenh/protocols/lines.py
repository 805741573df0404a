"""What the two protocols share: a conversation in lines, whoever is at the other end."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Protocol

__all__ = ["Talker", "converse", "echo"]

LONGEST_ECHO = 80  # characters of a bad line that are repeated in the answer


class Talker(Protocol):
    """One side of a conversation."""

    def handle(self, line: str) -> bool:
        """Does what one line says. False: the conversation is over."""

    def close(self) -> None:
        """Ends what is under way."""


def converse(
    meet: Callable[[Callable[[str], None]], Talker], lines: IO[bytes], out: IO[str]
) -> int:
    """Talks until it is over or the input ends; returns the exit status.

    ``meet`` is given the function that sends a line.
    """

    def say(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    talker = meet(say)
    try:
        for raw in lines:
            if not talker.handle(raw.decode("utf-8", "replace")):
                break
    except KeyboardInterrupt:
        pass
    finally:
        talker.close()
    return 0


def echo(text: str, longest: int = LONGEST_ECHO) -> str:
    """A line repeated in an answer: short, and without anything unprintable."""
    shown = "".join(char if char.isprintable() else "?" for char in text[:longest])
    return shown + ("…" if len(text) > longest else "")
