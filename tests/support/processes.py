"""Processes below the test's own: who they are, and killing them."""

import contextlib
import os
import signal
from pathlib import Path


def children(pid):
    with contextlib.suppress(OSError):
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def command_line(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def kill(pids):
    """Kills the first that still lives; whether there was one."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            return True
    return False


def workers_of_ray():
    """Those of this process's own cluster that do units now."""
    found, below = [], children(os.getpid())
    while below:
        pid = below.pop()
        below += children(pid)
        if command_line(pid).startswith(b"ray::perform"):
            found.append(pid)
    return found
