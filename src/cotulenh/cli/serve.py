"""``cotulenh serve``: the board in the browser."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import urllib.request
import webbrowser
from pathlib import Path
from typing import Any

import click

from cotulenh.cli._common import data_dir
from cotulenh.cli._hosting import chosen_hosting, hosting_options, set_up_log
from cotulenh.errors import install_hint

__all__ = ["verb"]


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 to share it.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8480,
    show_default=True,
    help="0 takes a free one.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where games are kept; by default the user's data directory.",
)
@click.option(
    "--book",
    "books",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="An opening book for the explorer; may be given for each game.",
)
@click.option("--check", is_flag=True, help="Check what is kept and end: status 1 if damaged.")
@click.option(
    "--backup",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Copy what is kept to a file and end; a server may run.",
)
@click.option(
    "--restore",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Bring a backup back and end; a running server takes it over.",
)
@click.option("--verbose", is_flag=True, help="Log every request.")
@click.option(
    "--log",
    "log_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines of the log, on standard error.",
)
@hosting_options
def verb(
    host: str,
    port: int,
    no_browser: bool,
    data: Path | None,
    books: tuple[str, ...],
    check: bool,
    backup: Path | None,
    restore: Path | None,
    verbose: bool,
    log_format: str,
    **hosting: Any,
) -> int:
    """Play, study and analyse in the browser.

    Only this computer can see the page unless --host says otherwise. Ctrl-C ends it; the games
    are kept. What a public server needs is in the documentation: "Hosting for a club".
    """
    data = data or data_dir()
    set_up_log(verbose, log_format)
    try:
        if check:
            return _check(data)
        if backup or restore:
            _keep(data, backup, restore)
        else:
            _serve(host, port, data, books, not no_browser, verbose, hosting)
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is missing: {install_hint('web')}") from None
    return 0


def _keep(data: Path, backup: Path | None, restore: Path | None) -> None:
    from cotulenh.web import upkeep
    from cotulenh.web.store import StoreError

    if backup and restore:
        raise click.ClickException("--backup or --restore, not both")
    try:
        if backup:
            games = upkeep.backup(data, backup)
            click.echo(f"{games} games and all else of {data} are in {backup}")
        elif restore:
            games = upkeep.restore(data, restore)
            click.echo(f"{games} games of {restore} are in {data}")
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _check(data: Path) -> int:
    from cotulenh.web.check import check

    report = check(data / "games.sqlite")
    for line in report.lines():
        click.echo(line)
    return 1 if report.problems else 0


def _serve(
    host: str,
    port: int,
    data: Path,
    books: tuple[str, ...],
    browser: bool,
    verbose: bool,
    chosen: dict[str, Any],
) -> None:
    import uvicorn

    from cotulenh.book import Book
    from cotulenh.web import create_app
    from cotulenh.web.protocol import RESERVED_FILES, Limits, TimedProtocol, raise_file_limit
    from cotulenh.web.store import BusyError, StoreError

    try:
        listener = _listen(host, port)
    except _TakenError as taken:  # by ourselves, if the same command was given twice
        _open_running(data, taken, browser)
        return
    number = listener.getsockname()[1]
    address = _address(host, number)
    files = raise_file_limit(8192) - RESERVED_FILES
    try:
        hosting = chosen_hosting(chosen, files)
        app = create_app(data, host=host, hosting=hosting, books=[Book(path) for path in books])
    except BusyError as busy:
        listener.close()
        _open_running(data, busy, browser)
        return
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{data}: {error.strerror or error}") from None
    note = data / "server.url"
    note.write_text(address)
    click.echo(f"Cờ Tư Lệnh: {address}   (Ctrl-C ends it)")
    if host in ("0.0.0.0", "::"):
        click.echo(f"on the network: http://{socket.gethostname()}:{number}/")
    sys.stdout.flush()
    if browser:
        threading.Timer(0.4, webbrowser.open, [address]).start()
    TimedProtocol.limits = Limits(files)
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        log_level="info" if verbose else "warning",
        log_config=None,  # everything goes to standard error, as set up above
        access_log=verbose,
        backlog=128,
        ws="websockets-sansio",
        ws_max_size=131_072,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        # Uvicorn would believe any process of this machine what it says of addresses.
        proxy_headers=bool(chosen["proxies"]),
        forwarded_allow_ips=list(chosen["proxies"]),
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        note.unlink(missing_ok=True)


def _open_running(data: Path, busy: Exception, browser: bool) -> None:
    """A server for these games runs already: its page is what was wanted."""
    try:
        address = (data / "server.url").read_text().strip()
        with urllib.request.urlopen(f"{address}api/lobby", timeout=3):
            pass
    except (OSError, ValueError):
        raise click.ClickException(str(busy)) from None
    if not browser:
        raise click.ClickException(f"{busy}: {address}")
    click.echo(f"Cờ Tư Lệnh: {address}   (it runs already)")
    webbrowser.open(address)


class _TakenError(click.ClickException):
    """Somebody listens at the address."""


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; without a wish for another port a busy one is passed over."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [port, 0] if port == 8480 else [port]
    for number in wanted:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
        except OSError as error:
            listener.close()
            if number == wanted[-1]:
                kind = _TakenError if error.errno == errno.EADDRINUSE else click.ClickException
                raise kind(f"{host}:{number}: {error.strerror}") from None
            continue
        listener.listen(128)
        return listener
    raise AssertionError("unreachable")


def _address(host: str, port: int) -> str:
    name = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"
