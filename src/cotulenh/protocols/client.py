"""Driving other engines: any program that speaks UCI, in both games.

>>> import sys
>>> from cotulenh import Board
>>> from cotulenh.engine import Limit
>>> with UciClient([sys.executable, "-m", "cotulenh", "uci"]) as client:
...     result = client.play(Board(), Limit(depth=1))
>>> result.move in Board().legal_moves
True

:class:`AsyncUciClient` is the same with ``await``. The names are those of
:class:`cotulenh.engine.Engine`, so either can stand in for the other. What a program does wrong
(it dies, falls silent, names a move that is none) is an :class:`EngineError`; after it the program
is no longer running.
"""

from __future__ import annotations

import asyncio
import queue
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self, TypeVar

from cotulenh.engine import Info, Limit, PlayResult
from cotulenh.games import BoardLike, M
from cotulenh.protocols._dialogue import (
    Dialogue,
    EngineDiedError,
    EngineError,
    EngineTimeoutError,
    Lines,
    OptionValue,
    Script,
    Search,
    Wait,
    deadline,
)
from cotulenh.protocols.uci_text import Option

__all__ = [
    "AsyncUciAnalysis",
    "AsyncUciClient",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "Option",
    "UciAnalysis",
    "UciClient",
]

TIMEOUT = 10.0  # seconds a program may be late before it counts as hung
QUIT_TIMEOUT = 2.0  # seconds it has to end when it is asked to
MOST_LINES = 10_000  # unread ones, then the program has to wait

T = TypeVar("T")


# With threads -----------------------------------------------------------------------------------


class UciClient(Dialogue):
    """A UCI program in a process of its own.

    ``options`` are set before anything else; ``timeout`` is how many seconds the program may be
    late. One search at a time; ``stop`` and ``ponderhit`` may be called from any thread.
    """

    def __init__(
        self,
        command: Sequence[str] | str,
        options: Mapping[str, OptionValue] | None = None,
        *,
        timeout: float = TIMEOUT,
    ) -> None:
        super().__init__(command, timeout)
        self._search: Search[Any] | None = None
        self._sending = threading.Lock()
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._closed = threading.Event()
        try:
            self._program = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            raise EngineDiedError(_cannot_start(self.command, error)) from None
        self._reader = threading.Thread(target=self._read_all, name="uci-reader", daemon=True)
        self._reader.start()
        self._run(self._handshake(options or {}))

    # Input and output -------------------------------------------------------------------------

    def _read_all(self) -> None:
        cut, stream = Lines(), self._program.stdout
        assert stream is not None
        with suppress(OSError, ValueError):  # closed meanwhile
            while data := stream.read(65536):
                for line in cut.feed(data):
                    self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._closed.is_set():
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def _send(self, line: str) -> None:
        stream = self._program.stdin
        assert stream is not None
        try:
            with self._sending:
                stream.write(line.encode() + b"\n")
        except (OSError, ValueError):
            raise self._died() from None

    def _read(self, wait: Wait) -> str:
        left = None if wait.until is None else max(0.0, wait.until - time.monotonic())
        try:
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise EngineTimeoutError(f"{self.name} does not answer") from None
        if line is None:
            raise self._died()
        return line

    def _died(self) -> EngineDiedError:
        if self._closed.is_set():
            return EngineDiedError(f"{self.name} is closed")
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(1)
        return EngineDiedError(f"{self.name} has ended{_status(self._program.returncode)}")

    def _run(self, script: Script[T]) -> T:
        """Runs a script; an error ends the program, since nobody knows what it would say next."""
        try:
            step = next(script)
            while True:
                if isinstance(step, str):
                    self._send(step)
                    step = script.send("")
                else:
                    step = script.send(self._read(step))
        except StopIteration as done:
            found: T = done.value
            return found
        except ValueError:  # bad input of the caller: nothing was sent
            raise
        except BaseException:
            self._search = None
            self.close()
            raise

    # Playing ----------------------------------------------------------------------------------

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options. A button is pressed with any value."""
        self._must_be_idle()
        self._run(self._configure(options))
        self._run(self._ready())

    def new_game(self) -> None:
        """Tells that another game begins."""
        self._must_be_idle()
        self._run(self._new_game())

    def play(
        self,
        board: BoardLike[M],
        limit: Limit,
        *,
        root_moves: Iterable[M] | None = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> PlayResult[M]:
        """Lets the program think and returns the move it wants to play.

        ``timeout``: the seconds it may take; without it, the limit's and the client's together.
        """
        with self.analyse(
            board, limit, root_moves=root_moves, ponder=ponder, timeout=timeout
        ) as analysis:
            return analysis.result()

    def analyse(
        self,
        board: BoardLike[M],
        limit: Limit,
        multipv: int = 1,
        *,
        root_moves: Iterable[M] | None = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> UciAnalysis[M]:
        """Starts a search and returns at once: an iterator of what the program reports."""
        self._must_be_idle()
        search = Search(board.copy(), None)
        self._run(self._start(search, limit, multipv, root_moves, ponder))
        search.until = deadline(self._longest(limit, timeout))
        self._search = search
        return UciAnalysis(self, search)

    def stop(self) -> None:
        """Asks the program to end its search; without one nothing happens."""
        if self._search is not None:
            self._send("stop")

    def ponderhit(self) -> None:
        """The expected move was played: a pondering search goes on as a search."""
        if self._search is not None:
            self._send("ponderhit")

    def _must_be_idle(self) -> None:
        if self._search is not None:
            raise ValueError("a search is under way: close it first")

    @property
    def is_alive(self) -> bool:
        """Whether the program is running."""
        return not self._closed.is_set() and self._program.poll() is None

    # Life -------------------------------------------------------------------------------------

    def close(self) -> None:
        """Asks the program to end, and makes it end if it does not. Closing twice is fine."""
        if self._closed.is_set():
            return
        with suppress(EngineError):
            self._send("quit")
        self._closed.set()
        try:
            self._program.wait(QUIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
        self._reader.join(QUIT_TIMEOUT)  # a grandchild may hold the pipe open
        with suppress(queue.Full):
            self._lines.put_nowait(None)  # for a thread that still waits for a line
        for pipe in (self._program.stdin, self._program.stdout):
            if pipe is not None and not (pipe is self._program.stdout and self._reader.is_alive()):
                with suppress(OSError):
                    pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class UciAnalysis(Iterator[Info[M]]):
    """A search of another program: an iterator of ``Info`` and a context manager."""

    def __init__(self, client: UciClient, search: Search[M]) -> None:
        self._client, self._search = client, search

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info[M]:
        if self._search.is_over:
            raise StopIteration
        info = self._client._run(self._client._next(self._search))
        if info is None:
            self._client._search = None
            raise StopIteration
        return info

    def result(self) -> PlayResult[M]:
        """Waits for the end of the search; the move, the expected answer, the last info."""
        for _ in self:
            pass
        if self._search.result is None:
            raise EngineError(f"{self._client.name} has named no move")
        return self._search.result

    def stop(self) -> None:
        """Asks the program to end the search."""
        self._client.stop()

    def close(self) -> None:
        """Stops the search, if it is not over, and waits for its end."""
        if self._search.is_over or self._client._search is not self._search:
            return
        self._client.stop()
        self._search.until = deadline(self._client.timeout)
        for _ in self:
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


# With asyncio -----------------------------------------------------------------------------------


class AsyncUciClient(Dialogue):
    """The same for asyncio: ``async with AsyncUciClient(command) as client``, and ``await``."""

    def __init__(
        self,
        command: Sequence[str] | str,
        options: Mapping[str, OptionValue] | None = None,
        *,
        timeout: float = TIMEOUT,
    ) -> None:
        super().__init__(command, timeout)
        self._wanted = dict(options or {})
        self._search: Search[Any] | None = None
        self._program: asyncio.subprocess.Process | None = None
        self._cut, self._unread = Lines(), list[str]()

    async def open(self) -> Self:
        """Starts the program."""
        try:
            self._program = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except (OSError, ValueError) as error:
            raise EngineDiedError(_cannot_start(self.command, error)) from None
        await self._run(self._handshake(self._wanted))
        return self

    # Input and output -------------------------------------------------------------------------

    def _alive(self) -> asyncio.subprocess.Process:
        if self._program is None:
            raise EngineDiedError(f"{self.name} is closed")
        return self._program

    async def _send(self, line: str) -> None:
        program = self._alive()
        assert program.stdin is not None
        try:
            program.stdin.write(line.encode() + b"\n")
            await program.stdin.drain()
        except OSError:
            raise await self._died() from None

    async def _read(self, wait: Wait) -> str:
        program = self._alive()
        assert program.stdout is not None
        while not self._unread:
            left = None if wait.until is None else max(0.0, wait.until - time.monotonic())
            try:
                data = await asyncio.wait_for(program.stdout.read(65536), left)
            except TimeoutError:
                raise EngineTimeoutError(f"{self.name} does not answer") from None
            if not data:
                raise await self._died()
            self._unread = self._cut.feed(data)
        return self._unread.pop(0)

    async def _died(self) -> EngineDiedError:
        program = self._alive()
        with suppress(TimeoutError):
            await asyncio.wait_for(program.wait(), 1)
        return EngineDiedError(f"{self.name} has ended{_status(program.returncode)}")

    async def _run(self, script: Script[T]) -> T:
        try:
            step = next(script)
            while True:
                if isinstance(step, str):
                    await self._send(step)
                    step = script.send("")
                else:
                    step = script.send(await self._read(step))
        except StopIteration as done:
            found: T = done.value
            return found
        except ValueError:
            raise
        except BaseException:
            self._search = None
            await self.close()
            raise

    # Playing ----------------------------------------------------------------------------------

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options. A button is pressed with any value."""
        self._must_be_idle()
        await self._run(self._configure(options))
        await self._run(self._ready())

    async def new_game(self) -> None:
        """Tells that another game begins."""
        self._must_be_idle()
        await self._run(self._new_game())

    async def play(
        self,
        board: BoardLike[M],
        limit: Limit,
        *,
        root_moves: Iterable[M] | None = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> PlayResult[M]:
        """Lets the program think and returns the move it wants to play."""
        analysis = await self.analyse(
            board, limit, root_moves=root_moves, ponder=ponder, timeout=timeout
        )
        async with analysis:
            return await analysis.result()

    async def analyse(
        self,
        board: BoardLike[M],
        limit: Limit,
        multipv: int = 1,
        *,
        root_moves: Iterable[M] | None = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> AsyncUciAnalysis[M]:
        """Starts a search: an asynchronous iterator of what the program reports."""
        self._must_be_idle()
        search = Search(board.copy(), None)
        await self._run(self._start(search, limit, multipv, root_moves, ponder))
        search.until = deadline(self._longest(limit, timeout))
        self._search = search
        return AsyncUciAnalysis(self, search)

    async def stop(self) -> None:
        """Asks the program to end its search; without one nothing happens."""
        if self._search is not None:
            await self._send("stop")

    async def ponderhit(self) -> None:
        """The expected move was played: a pondering search goes on as a search."""
        if self._search is not None:
            await self._send("ponderhit")

    def _must_be_idle(self) -> None:
        if self._search is not None:
            raise ValueError("a search is under way: close it first")

    # Life -------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Asks the program to end, and makes it end if it does not. Closing twice is fine."""
        program, self._program = self._program, None
        if program is None:
            return
        assert program.stdin is not None
        with suppress(OSError):
            program.stdin.write(b"quit\n")
            program.stdin.close()
        try:
            await asyncio.wait_for(program.wait(), QUIT_TIMEOUT)
        except TimeoutError:
            program.kill()
            await program.wait()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


class AsyncUciAnalysis(AsyncIterator[Info[M]]):
    """A search of another program: an asynchronous iterator and context manager."""

    def __init__(self, client: AsyncUciClient, search: Search[M]) -> None:
        self._client, self._search = client, search

    async def __anext__(self) -> Info[M]:
        if self._search.is_over:
            raise StopAsyncIteration
        info = await self._client._run(self._client._next(self._search))
        if info is None:
            self._client._search = None
            raise StopAsyncIteration
        return info

    async def result(self) -> PlayResult[M]:
        """Waits for the end of the search; the move, the expected answer, the last info."""
        async for _ in self:
            pass
        if self._search.result is None:
            raise EngineError(f"{self._client.name} has named no move")
        return self._search.result

    async def stop(self) -> None:
        """Asks the program to end the search."""
        await self._client.stop()

    async def close(self) -> None:
        """Stops the search, if it is not over, and waits for its end."""
        if self._search.is_over or self._client._search is not self._search:
            return
        await self._client.stop()
        self._search.until = deadline(self._client.timeout)
        async for _ in self:
            pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def _cannot_start(command: list[str], error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"cannot start {command[0]}: {reason}"


def _status(code: int | None) -> str:
    if code is None:
        return ""
    return f" (signal {-code})" if code < 0 else f" (exit status {code})"
