"""What the engine's side of both protocols shares: lines in, lines out, one search at a time."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import IO, Any

from cotulenh.engine import Engine

__all__ = ["BadInputError", "Session", "echo", "run"]

LONGEST_ECHO = 80  # characters of a bad line that are repeated in the answer


class BadInputError(ValueError):
    """Something the other side said cannot be done; the text says why."""


def echo(text: str, longest: int = LONGEST_ECHO) -> str:
    """A line repeated in an answer: short, and without anything unprintable."""
    shown = "".join(char if char.isprintable() else "?" for char in text[:longest])
    return shown + ("…" if len(text) > longest else "")


class Session(ABC):
    """A protocol from the engine's side. ``send`` is called with each line; calls never overlap."""

    def __init__(
        self, send: Callable[[str], None], engine_type: Callable[..., Engine] = Engine
    ) -> None:
        self._send, self._lock = send, threading.Lock()
        self._engine_type = engine_type
        self._engine: Engine | None = None
        self._worker: threading.Thread | None = None
        self._halt = threading.Event()  # the other side wants the search to end

    # Lines ------------------------------------------------------------------------------------

    def say(self, line: str) -> None:
        """Sends one line."""
        with self._lock:
            self._send(line)

    def handle(self, line: str) -> bool:
        """Does what one line says. False: the session is over."""
        words = line.replace("\0", " ").split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        try:
            self._obey(words, line.strip())
        except (ValueError, MemoryError, OverflowError, RecursionError) as error:
            self._refuse(str(error) or type(error).__name__, words, line.strip())
        return True

    @abstractmethod
    def _obey(self, words: list[str], line: str) -> None:
        """Does what a line says, or raises with the reason why not."""

    @abstractmethod
    def _refuse(self, reason: str, words: list[str], line: str) -> None:
        """Answers a line that cannot be obeyed."""

    # The engine -------------------------------------------------------------------------------

    @abstractmethod
    def _engine_settings(self) -> dict[str, Any]:
        """What the engine is built with."""

    def _get_engine(self) -> Engine:
        if self._engine is None:
            self._engine = self._engine_type(**self._engine_settings())
        return self._engine

    def _change_engine(self, change: Callable[[], None], undo: Callable[[], None]) -> None:
        """Builds the engine anew with other settings; what cannot be had is undone."""
        before, self._engine = self._engine, None
        change()
        try:
            self._get_engine()
        except (ValueError, MemoryError) as error:
            undo()
            self._engine = before
            raise BadInputError(str(error) or "not enough memory") from None
        if before is not None:
            before.close()

    def close(self) -> None:
        """Ends a search under way and frees the engine."""
        self._end_search()
        if self._engine is not None:
            self._engine.close()

    # The search -------------------------------------------------------------------------------

    @abstractmethod
    def _search_failed(self, reason: str) -> None:
        """Tells that a search came to nothing."""

    def _start_search(self, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except OSError:  # nobody reads any more
                self._halt.set()
            except Exception as error:
                self._search_failed(str(error) or type(error).__name__)

        self._halt.clear()
        self._worker = threading.Thread(target=run, name="search", daemon=True)
        self._worker.start()

    def _is_searching(self) -> bool:
        return self._worker is not None and self._worker.is_alive()

    def _end_search(self) -> None:
        """Stops the search under way, if there is one, and waits until it has ended."""
        self._halt.set()
        worker, self._worker = self._worker, None
        while worker is not None and worker.is_alive():
            if self._engine is not None:
                self._engine.stop()
            worker.join(0.02)


def run(
    session_of: Callable[[Callable[[str], None]], Session], lines: IO[bytes], out: IO[str]
) -> int:
    """Runs a session until it is over, the input ends or Ctrl-C; returns the exit status.

    ``session_of`` is given the function that sends a line.
    """

    def send(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    session = session_of(send)
    try:
        for raw in lines:
            if not session.handle(raw.decode("utf-8", "replace")):
                break
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
    return 0
