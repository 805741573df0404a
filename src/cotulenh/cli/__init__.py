"""The command ``cotulenh``: one module for each verb.

Exit status: 0 fine, 1 the answer is "no", 2 bad input with one clear line on standard error.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main(args: list[str] | None = None) -> None:
    """Runs the command line and ends the program with its exit status."""
    try:
        from cotulenh.cli._root import run
    except ModuleNotFoundError as missing:
        print(f"cotulenh: {missing.name} is missing: pip install 'cotulenh[cli]'", file=sys.stderr)
        sys.exit(2)
    sys.exit(run(args))
