"""A disk that is full, fails to sync or cannot be written, and a wall clock that jumps, on command.

The shim is a small C file, compiled once a run and loaded before the C library of a server.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("faulty_disk.c")


def compiled(directory: Path) -> Path | None:
    """The shim as a shared library; ``None`` where there is no compiler or no LD_PRELOAD."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or os.uname().sysname != "Linux":
        return None
    target = directory / "faulty_disk.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(target), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return target


class Faults:
    """Switches faults of a server on and off while it runs."""

    def __init__(self, directory: Path, shim: Path) -> None:
        self.directory, self._shim = directory, shim
        directory.mkdir(exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        """What the server must be started with."""
        return {"LD_PRELOAD": str(self._shim), "FAULTS": str(self.directory)}

    @contextmanager
    def on(self, fault: str, text: str = ""):
        """While this lasts, ``full``, ``sync``, ``readonly`` or ``clock`` is on."""
        path = self.directory / fault
        path.write_text(text)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
