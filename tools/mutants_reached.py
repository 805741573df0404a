"""A plugin of pytest for tools/mutate.py: which test executes which mutants, and which notices one.

COTULENH_NOTES: every test adds a line to that file. The switches of the mutants mark in a shared
file what is executed, in processes that a test starts too; what is executed while the tests are
collected, such as the making of tables, belongs to a test without a name.

COTULENH_JOBS: the tests are collected once. Then for every job of that file (a mutant and the tests
to ask) a child process turns the mutant on and runs the tests until one fails. Answers go to the
open file COTULENH_ANSWERS, a line for each mutant.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import resource
import signal
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

# An example that fails is enough: nobody reads it, so it is not made smaller.
settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate), derandomize=True)
settings.load_profile("mutants")

NOTES, JOBS = os.environ.get("COTULENH_NOTES"), os.environ.get("COTULENH_JOBS")
MEMORY = 6 << 30  # bytes that a mutant may take


def _note(test: str, seconds: float) -> None:
    """Adds a test to the notes and forgets what was executed."""
    path = Path(os.environ["COTULENH_REACHED"])
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as reached:
        numbers = [i for i, mark in enumerate(reached[:]) if mark]
        reached[:] = bytes(len(reached))
    with Path(NOTES or "").open("a", encoding="utf-8") as out:
        out.write(json.dumps({"test": test, "seconds": seconds, "reached": numbers}) + "\n")


def pytest_collection_finish() -> None:
    """What was executed so far belongs to no test."""
    if NOTES:
        _note("", 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Notes what a test has executed."""
    began = time.process_time()
    try:
        return (yield)
    finally:
        if NOTES:
            _note(item.nodeid, round(time.process_time() - began, 3))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """One job after the other instead of the tests."""
    if not JOBS:
        return None
    items = {item.nodeid: item for item in session.items}
    answers = int(os.environ["COTULENH_ANSWERS"])
    for job in json.loads(Path(JOBS).read_text("utf-8")):
        by = _first_failure(job, items)
        os.write(answers, (json.dumps({"number": job["number"], "by": by}) + "\n").encode())
    return True


def _first_failure(job: dict[str, Any], items: dict[str, pytest.Item]) -> str:
    """The test that fails, or how a mutant came to grief; nothing if all is well."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(read)
        _ask(job, items, write)
    os.close(write)
    # Waiting takes no time of the processor: on a busy machine a test may last long.
    deadline = time.monotonic() + 60 + 40 * sum(job["tests"].values())
    while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < deadline:
        time.sleep(0.02)
    if not ended[0]:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    said = os.read(read, 1 << 16).decode() if ended[0] else "took too long"
    os.close(read)
    return said or (f"signal {os.WTERMSIG(ended[1])}" if os.WIFSIGNALED(ended[1]) else "")


def _ask(job: dict[str, Any], items: dict[str, pytest.Item], answer: int) -> None:
    """The child: runs tests until one fails, then ends."""
    from cotulenh import _core

    os.environ["COTULENH_MUTANT"] = str(job["number"])  # for processes that tests start
    ctypes.CDLL(_core.__file__).cotulenh_turn_on(job["number"])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    wanted = [items[test] for test in job["tests"] if test in items]
    for item, following in zip(wanted, [*wanted[1:], None], strict=True):
        # A mutant may never come to an end: the signal ends it, in Python and in the core.
        signal.setitimer(signal.ITIMER_PROF, 3 + 5 * job["tests"][item.nodeid])
        reports = runtestprotocol(item, nextitem=following, log=False)
        if any(report.failed for report in reports):
            os.write(answer, item.nodeid.encode())
            break
    os._exit(0)
