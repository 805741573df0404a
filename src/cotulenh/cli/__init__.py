"""The command ``cotulenh``: one module for each verb.

Exit status: 0 fine, 1 the answer is "no", 2 bad input with one clear line on standard error.
"""

from __future__ import annotations

import io
import sys

from cotulenh import __version__

__all__ = ["main"]


def main(args: list[str] | None = None) -> None:
    """Runs the command line and ends the program with its exit status."""
    _replace_what_cannot_be_shown()
    if (sys.argv[1:] if args is None else args) == ["--version"]:  # nothing has to be loaded
        print(f"cotulenh {__version__}")
        sys.exit(0)
    try:
        from cotulenh.cli._root import run
    except ModuleNotFoundError as missing:
        from cotulenh.errors import install_hint

        print(f"cotulenh: {missing.name} is missing: {install_hint('cli')}", file=sys.stderr)
        sys.exit(2)
    sys.exit(run(args))


def _replace_what_cannot_be_shown() -> None:
    """A terminal may know no "ờ": it gets a "?" instead of the program an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
