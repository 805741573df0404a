"""What who runs a public server may choose: its names, its limits, where it tells how it is."""

from __future__ import annotations

from dataclasses import dataclass

from cotulenh.web.hall import MAX_GAMES
from cotulenh.web.socket import MOST_SOCKETS
from cotulenh.web.studies import MAX_STUDIES

__all__ = ["Hosting"]


@dataclass(frozen=True)
class Hosting:
    """The settings of a server.

    ``names`` are those it may be called by besides its own (:class:`~cotulenh.web.guard.Hosts`);
    ``metrics`` is the address for ``/healthz`` and ``/metrics``, kept apart from the players'.
    """

    names: tuple[str, ...] = ()
    games: int = MAX_GAMES
    studies: int = MAX_STUDIES
    sockets: int = MOST_SOCKETS
    sockets_of_one: int = 500  # a school may share an address
    searches: int = 2
    searches_of_one: int = 16
    metrics: tuple[str, int] | None = None
