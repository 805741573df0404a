"""``cotulenh serve``: the board in the browser."""

from __future__ import annotations

import logging
import os
import socket
import sqlite3
import sys
import threading
import webbrowser
from pathlib import Path

import click

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
@click.option("--verbose", is_flag=True, help="Log every request.")
def verb(host: str, port: int, no_browser: bool, data: Path | None, verbose: bool) -> None:
    """Play, study and analyse in the browser.

    Only this computer can see the page unless --host says otherwise. Ctrl-C ends it; the games
    are kept.
    """
    try:
        import uvicorn

        from cotulenh.web import create_app
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"{missing.name} is missing: pip install 'cotulenh[web]'"
        ) from None
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    listener = _listen(host, port)
    address = _address(host, listener.getsockname()[1])
    try:
        app = create_app(data or _data_dir(), host=host)
    except sqlite3.Error as error:
        raise click.ClickException(f"{data or _data_dir()}: {error}") from None
    click.echo(f"Cờ Tư Lệnh: {address}   (Ctrl-C ends it)")
    if host in ("0.0.0.0", "::"):
        port = listener.getsockname()[1]
        click.echo(f"on the network: http://{socket.gethostname()}:{port}/")
    sys.stdout.flush()
    if not no_browser:
        threading.Timer(0.4, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        app,
        log_level="info" if verbose else "warning",
        log_config=None,  # everything goes to standard error, as set up above
        access_log=verbose,
        ws="websockets-sansio",
        ws_max_size=131_072,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


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
                raise click.ClickException(f"{host}:{number}: {error.strerror}") from None
            continue
        listener.listen(256)
        return listener
    raise AssertionError("unreachable")


def _address(host: str, port: int) -> str:
    name = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _data_dir() -> Path:
    """Where a program of this user keeps its data."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "cotulenh"
