"""Lines typed by a person: editing, history and completion where the terminal has them."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

__all__ = ["matches", "set_up"]

MOST_LINES = 1000  # of the history


def matches(words: Iterable[str], typed: str) -> list[str]:
    """The words that begin as typed; in capitals or not, if none does exactly.

    >>> matches(["moves", "Mg6", "mg7"], "m"), matches(["Mg6", "Ik6"], "mg")
    (['mg7', 'moves'], ['Mg6'])
    """
    found = sorted({word for word in words if word.startswith(typed)})
    lower = typed.lower()
    return found or sorted({word for word in words if word.lower().startswith(lower)})


def set_up(words: Callable[[], Iterable[str]], history: Path) -> bool:
    """Prepares ``input()``; ``words`` are what may be typed now. False: there is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        import readline
    except ImportError:  # Windows: its console has editing and history of its own
        return False

    def complete(typed: str, number: int) -> str | None:
        found = matches(words(), typed)
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    with suppress(OSError):
        readline.read_history_file(history)
    readline.set_history_length(MOST_LINES)
    atexit.register(_write, history)
    return True


def _write(history: Path) -> None:
    import readline

    with suppress(OSError):  # a history is worth no error
        history.parent.mkdir(parents=True, exist_ok=True)
        readline.write_history_file(history)
