"""What ``cotulenh serve`` knows for public servers: names, proxies, limits, metrics, logs."""

from __future__ import annotations

import ipaddress
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from cotulenh.web.hosting import Hosting

__all__ = ["chosen_hosting", "hosting_options", "set_up_log"]

F = TypeVar("F", bound=Callable[..., Any])


def _networks(_ctx: Any, _param: Any, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        try:
            ipaddress.ip_network(value)
        except ValueError:
            raise click.BadParameter(f"expected an address or a network, got {value}") from None
    return values


def _address(_ctx: Any, _param: Any, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"expected HOST:PORT, got {value}")
    return host.strip("[]") or "127.0.0.1", int(port)


_COUNT = click.IntRange(min=1)
_OPTIONS = [
    click.option(
        "--name",
        "names",
        multiple=True,
        help="A name this server is called by, such as club.example.org; may be given again.",
    ),
    click.option(
        "--proxy",
        "proxies",
        multiple=True,
        callback=_networks,
        help="Believe what this reverse proxy says of its visitors' addresses and scheme.",
    ),
    click.option(
        "--metrics", callback=_address, help="HOST:PORT for /healthz and Prometheus' /metrics."
    ),
    click.option("--max-games", type=_COUNT, help="Games kept at most.  [default: 100000]"),
    click.option("--max-studies", type=_COUNT, help="Studies kept at most.  [default: 50000]"),
    click.option("--max-pages", type=_COUNT, help="Pages connected at once.  [default: 2000]"),
    click.option("--max-pages-each", type=_COUNT, help="Of one address at most.  [default: 500]"),
    click.option(
        "--searches",
        type=click.IntRange(1, 256),
        help="Analyses at once; as many games get an engine's move at once.  [default: 2]",
    ),
    click.option(
        "--searches-each",
        type=_COUNT,
        help="Analyses of one address, waiting ones included.  [default: 16]",
    ),
]
_FIELDS = {
    "max_games": "games",
    "max_studies": "studies",
    "max_pages": "sockets",
    "max_pages_each": "sockets_of_one",
    "searches": "searches",
    "searches_each": "searches_of_one",
    "metrics": "metrics",
}


def hosting_options(verb: F) -> F:
    """Gives a verb the options of a public server."""
    for option in reversed(_OPTIONS):
        verb = option(verb)
    return verb


def chosen_hosting(chosen: dict[str, Any], files: int) -> Hosting:
    """The settings that were chosen; no more pages than the process may open files."""
    from cotulenh.web.hosting import Hosting

    given = {_FIELDS[n]: v for n, v in chosen.items() if n in _FIELDS and v is not None}
    names = tuple(name.lower() for name in chosen["names"])
    given["sockets"] = max(1, min(given.get("sockets", Hosting.sockets), files - 600))
    return Hosting(names=names, **given)


# Logs ---------------------------------------------------------------------------------------------


class _NoQueries(logging.Filter):
    """Keeps what stands behind the question mark out of the log: it may hold a player's key."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                part.split("?")[0] if isinstance(part, str) and part.startswith("/") else part
                for part in record.args
            )
        return True


class _VisitorsFault(logging.Filter):
    """A message that is no UTF-8 is its sender's fault: a line of the log, no trace of our code."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
            record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class _Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def set_up_log(verbose: bool, log_format: str) -> None:
    """The log on standard error; with ``verbose`` every request."""
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(_Json() if log_format == "json" else plain)
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])
    logging.getLogger("uvicorn.access").addFilter(_NoQueries())
    logging.getLogger("uvicorn.error").addFilter(_VisitorsFault())
