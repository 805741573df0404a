"""TCP connections before a request is whole: how long and how many.

A connection that says nothing, or half a request, holds a file of the process. It has a few
seconds, and when there are too many of them the oldest go first: silence locks nobody out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEADER_SECONDS", "Limits", "TimedProtocol", "raise_file_limit"]

log = logging.getLogger("cotulenh.web")

#: Seconds from the first byte (or from connecting) to the end of a request's head.
HEADER_SECONDS = 10.0
#: Connections that may be without a whole request at once, of all and of one address.
MOST_SILENT, MOST_SILENT_OF_ONE = 512, 128
#: Files the process needs beside connections: database, standard streams, engine threads.
RESERVED_FILES = 64


class Limits:
    """The connections without a whole request, the oldest first, and how many there may be."""

    def __init__(self, most_connections: int) -> None:
        self.most_connections = most_connections
        self.silent: OrderedDict[TimedProtocol, str] = OrderedDict()

    def add(self, connection: TimedProtocol) -> None:
        """One more that says nothing yet; one too many costs the oldest its place."""
        address = connection.client[0] if connection.client else "?"
        self.silent[connection] = address
        own = [c for c, a in self.silent.items() if a == address]
        if len(own) > MOST_SILENT_OF_ONE:
            own[0].give_up("too_many_silent")
        elif len(self.silent) > MOST_SILENT:
            next(iter(self.silent)).give_up("too_many_silent")

    def discard(self, connection: TimedProtocol) -> None:
        """It has said something, or is gone."""
        self.silent.pop(connection, None)


class TimedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a limit of time and number for requests that never come.

    ``limits`` is set for the server before it starts.
    """

    limits = Limits(1000)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection: the clock runs."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.most_connections:
            transport.abort()
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Some bytes: if they are no whole head yet, the clock goes on."""
        super().data_received(data)
        if self._is_waiting():
            self._watch()
        else:
            self._unwatch()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._unwatch()
        super().connection_lost(exc)

    def give_up(self, reason: str) -> None:
        """Closes a connection that has had its time."""
        self._unwatch()
        if self._is_waiting() and not self.transport.is_closing():
            log.info("closed a connection: %s", reason)
            self.transport.abort()

    def _is_waiting(self) -> bool:
        if self.transport.get_protocol() is not self:  # it has become a WebSocket
            return False
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self.give_up, "no_request")
            self.limits.add(self)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.limits.discard(self)


def raise_file_limit(wanted: int) -> int:
    """Lets the process open ``wanted`` files if the system allows it; how many it may."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    if soft == infinite or soft >= wanted:
        return wanted if soft == infinite else soft
    target = wanted if hard == infinite else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
    except (ValueError, OSError):
        return soft
    return target
