"""Makes notebooks of the examples: ``python tools/notebooks.py``.

The scripts of ``examples/`` are written in cells; ``examples/notebooks`` holds the same cells in
Jupyter's format, without outputs. A test compares both and executes the notebooks.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent / "examples"
#: Those that ask for arguments or hours are left as scripts.
SCRIPTS = ("first_game", "pictures", "study_pgn", "bitboards", "own_rules", "tournament")


def cells(text: str) -> list[dict[str, Any]]:
    """The cells of a script."""
    parts = re.split(r"^# %%(.*)\n", text, flags=re.MULTILINE)[1:]
    return [cell(head.strip(), body) for head, body in zip(parts[::2], parts[1::2], strict=True)]


def cell(head: str, body: str) -> dict[str, Any]:
    """One cell; its id is made of its content, so that the same script gives the same file."""
    body = body.strip("\n")
    words = head == "[markdown]"
    if words:
        body = re.sub(r"^# ?", "", body, flags=re.MULTILINE)
    made: dict[str, Any] = {
        "cell_type": "markdown" if words else "code",
        "id": hashlib.sha256(body.encode()).hexdigest()[:8],
        "metadata": {},
        "source": body.splitlines(keepends=True),
    }
    return made if words else made | {"execution_count": None, "outputs": []}


def notebook(text: str) -> str:
    """A script as a notebook of format 4.5."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": cells(text),
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    """Writes them all."""
    target = EXAMPLES / "notebooks"
    target.mkdir(exist_ok=True)
    for name in SCRIPTS:
        text = (EXAMPLES / f"{name}.py").read_text("utf-8")
        (target / f"{name}.ipynb").write_text(notebook(text), "utf-8")


if __name__ == "__main__":
    main()
