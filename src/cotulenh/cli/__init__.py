"""The command ``cotulenh``: one module for each verb.

Exit status: 0 fine, 1 the answer is "no", 2 bad input with one clear line on standard error.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from cotulenh import __version__

__all__ = ["main"]


def main(args: list[str] | None = None) -> None:
    """Runs the command line and ends the program with its exit status."""
    _open_what_is_closed()
    _replace_what_cannot_be_shown()
    try:
        sys.exit(_status(args))
    except KeyboardInterrupt:  # while the verbs are being loaded; later ones are theirs
        sys.exit(130)


def _status(args: list[str] | None) -> int:
    if (sys.argv[1:] if args is None else args) == ["--version"]:  # nothing has to be loaded
        return _print_version()
    try:
        from cotulenh.cli._root import run
    except ModuleNotFoundError as missing:
        from cotulenh.errors import install_hint

        print(f"cotulenh: {missing.name} is missing: {install_hint('cli')}", file=sys.stderr)
        return 2
    return run(args)


def _print_version() -> int:
    try:
        print(f"cotulenh {__version__}", flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left unwritten has somewhere to go
        if isinstance(error, BrokenPipeError):  # the reader had enough
            return 0
        with suppress(OSError):
            print(f"cotulenh: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _open_what_is_closed() -> None:
    """Streams that were closed lead nowhere; a file opened later must not take their places."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            stream = os.fdopen(number, "w" if number else "r", encoding="utf-8")
            setattr(sys, name, stream)


def _replace_what_cannot_be_shown() -> None:
    """A terminal may know no "ờ": it gets a "?" instead of the program an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
