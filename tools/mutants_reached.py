"""A plugin of pytest for tools/mutate.py: which test executes which mutants, and for how long.

The switches of the mutants mark in a shared file what is executed, in processes that a test starts
too. With COTULENH_NOTES every test adds a line of JSON to that file; what is executed while the
tests are collected, such as the making of tables, belongs to a test without a name. With
COTULENH_TESTS only the tests of that file are run, in its order, and one that takes far longer than
it did is ended: a mutant may never come to an end.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

# An example that fails is enough: nobody reads it, so it is not made smaller.
settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate), derandomize=True)
settings.load_profile("mutants")

NOTES, TESTS = os.environ.get("COTULENH_NOTES"), os.environ.get("COTULENH_TESTS")
SECONDS: dict[str, float] = json.loads(Path(TESTS).read_text("utf-8")) if TESTS else {}


def _note(test: str, seconds: float) -> None:
    """Adds a test to the notes and forgets what was executed."""
    path = Path(os.environ["COTULENH_REACHED"])
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as reached:
        numbers = [i for i, mark in enumerate(reached[:]) if mark]
        reached[:] = bytes(len(reached))
    with Path(NOTES or "").open("a", encoding="utf-8") as out:
        out.write(json.dumps({"test": test, "seconds": seconds, "reached": numbers}) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests that are wanted, in the wanted order."""
    if TESTS:
        order = {test: i for i, test in enumerate(SECONDS)}
        items[:] = sorted(
            (item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid]
        )


def pytest_collection_finish() -> None:
    """What was executed so far belongs to no test."""
    if NOTES:
        _note("", 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Around each test."""
    if TESTS:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, 5 + 5 * SECONDS[item.nodeid])
    began = time.process_time()
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        if NOTES:
            _note(item.nodeid, round(time.process_time() - began, 3))
