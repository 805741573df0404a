"""Where units are done: an executor takes units and gives back what became of them.

``local`` uses processes of this machine and needs nothing; ``ray`` (:mod:`.ray_executor`) uses a
Ray cluster. Both promise the same: a unit that was submitted comes back exactly once, as a result,
an error, or lost with its worker.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess, parent_process
from typing import Protocol

from cotulenh.cluster.errors import RunError
from cotulenh.cluster.ledger import Outcome, Unit
from cotulenh.cluster.worker import Assignment, perform, problem_here

__all__ = ["Executor", "LocalExecutor", "executor_for"]


class Executor(Protocol):
    """Does units somewhere else."""

    def start(self, assignment: Assignment) -> None:
        """Gets ready; :class:`RunError` if there is nothing to work with."""

    @property
    def workers(self) -> int:
        """How many units are done at the same time, now."""

    @property
    def capacity(self) -> int:
        """How many units should be under way, now: a few more than there are workers."""

    def submit(self, unit: Unit) -> None:
        """Hands a unit over."""

    def wait(self, seconds: float) -> list[Outcome]:
        """What has come back, after at most so long. Fatal troubles raise :class:`RunError`."""

    def close(self) -> None:
        """Stops at once; units under way are dropped."""


def executor_for(cluster: str, workers: int | None) -> Executor:
    """The executor of a command line's ``--cluster``."""
    if cluster == "local":
        return LocalExecutor(workers or os.cpu_count() or 1)
    from cotulenh.cluster.ray_executor import RayExecutor

    return RayExecutor(None if cluster == "ray" else cluster, workers)


# Processes of this machine ------------------------------------------------------------------------


def _serve(pipe: Connection, assignment: Assignment) -> None:
    """A worker's life: units in, outcomes out, until the driver is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's business
    threading.Thread(target=_die_with_parent, daemon=True).start()
    pipe.send(problem_here(assignment))
    while True:
        try:
            unit = pipe.recv()
        except EOFError:
            return
        pipe.send(perform(assignment, unit))


def _die_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    ready: bool = False
    unit: Unit | None = None


class LocalExecutor:
    """Processes of this machine. One that dies is replaced; its unit comes back as lost."""

    MOST_FAILED_STARTS = 3

    def __init__(self, workers: int) -> None:
        self.workers = self.capacity = workers
        self._crew: list[_Worker] = []
        self._waiting: list[Unit] = []
        self._failed_starts = 0

    def start(self, assignment: Assignment) -> None:
        """Starts the processes; the first words of each say whether it can work."""
        self._assignment = assignment
        self._crew = [self._hire() for _ in range(self.workers)]

    def _hire(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, self._assignment), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def submit(self, unit: Unit) -> None:
        """Hands a unit to a worker that is free, or keeps it until one is."""
        self._waiting.append(unit)
        self._hand_out()

    def _hand_out(self) -> None:
        for worker in self._crew:
            if self._waiting and worker.ready and worker.unit is None:
                worker.unit = self._waiting.pop(0)
                with suppress(OSError):  # it died just now: the next wait finds out
                    worker.pipe.send(worker.unit)

    def wait(self, seconds: float) -> list[Outcome]:
        """Outcomes of finished units; those of dead workers are lost."""
        by_pipe = {worker.pipe: worker for worker in self._crew}
        found = []
        for pipe in wait(list(by_pipe), seconds):
            assert isinstance(pipe, Connection)
            outcome = self._hear(by_pipe[pipe])
            if outcome is not None:
                found.append(outcome)
        self._hand_out()
        return found

    def _hear(self, worker: _Worker) -> Outcome | None:
        try:
            said = worker.pipe.recv()
        except (EOFError, OSError):
            return self._bury(worker)
        if isinstance(said, Outcome):
            worker.unit = None
            return said
        if said:
            raise RunError(said)
        worker.ready, self._failed_starts = True, 0
        return None

    def _bury(self, worker: _Worker) -> Outcome | None:
        worker.process.join()
        worker.pipe.close()
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= self.MOST_FAILED_STARTS:
                raise RunError("workers end before they begin: is there memory enough?")
        self._crew[self._crew.index(worker)] = self._hire()
        if worker.unit is None:
            return None
        code = worker.process.exitcode or 0
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        return Outcome(worker.unit.name, error=f"its worker ended {how}", lost=True)

    def close(self) -> None:
        """Kills the processes."""
        for worker in self._crew:
            worker.process.kill()
        for worker in self._crew:
            worker.process.join()
            worker.pipe.close()
        self._crew, self._waiting = [], []
