"""A run is a directory: its job with a fingerprint, the ledger of its units, data, results.

Started again, after whatever ended it, it goes on where it stopped.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Self

from cotulenh.cluster.errors import RunError
from cotulenh.cluster.executors import Executor
from cotulenh.cluster.fingerprint import canonical, difference, digest
from cotulenh.cluster.job import Files, Job, Outputs, job_from, unit_name, write_whole
from cotulenh.cluster.ledger import Counts, Ledger, Outcome, Unit
from cotulenh.cluster.worker import Assignment

__all__ = ["Progress", "Run", "is_run", "runs_below"]

DESCRIPTION, LEDGER, SUMMARY, LOCK = "run.json", "ledger.sqlite", "summary.json", "lock"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, told to whoever watches; ``outcome`` is the unit that just came back."""

    counts: Counts
    workers: int
    in_flight: int
    outcome: Outcome | None = None


def is_run(directory: Path) -> bool:
    """Whether a directory holds a run."""
    return (directory / DESCRIPTION).is_file()


def runs_below(directory: Path) -> list[Path]:
    """The runs in a directory: itself, or those directly below it."""
    below = sorted(one for one in directory.iterdir() if one.is_dir())
    return [one for one in (directory, *below) if is_run(one)]


class Run:
    """An open run. Use it as a context: only one process works on a run at a time."""

    def __init__(self, directory: Path, job: Job | None = None) -> None:
        """Opens a run; with a job, makes it if it is not there and refuses one of another job."""
        self.directory = directory
        if job is not None and not is_run(directory):
            self._make(job)
        self._lock = _lock(directory) if job is not None else None
        try:
            self._open(job)
        except BaseException:
            self._unlock()
            raise

    def _open(self, job: Job | None) -> None:
        description = self._read()
        self.marker = str(description["run"])
        self.fingerprint: dict[str, Any] = description["fingerprint"]
        self.job = job_from(self.fingerprint["job"], self.fingerprint["settings"])
        if job is not None:
            self._compare(job)
        self.ledger = Ledger(self.directory / LEDGER, create=job is not None)

    def _make(self, job: Job) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        if any(self.directory.iterdir()):
            raise RunError(f"{self.directory} is not empty and holds no run")
        (self.directory / Files.FOLDER).mkdir()
        fingerprint = _fingerprint(job)
        text = json.dumps(
            {"run": secrets.token_hex(8), "hash": digest(fingerprint), "fingerprint": fingerprint},
            indent=1,
            ensure_ascii=False,
        )
        write_whole(self.directory / DESCRIPTION, [text.encode()])

    def _read(self) -> dict[str, Any]:
        path = self.directory / DESCRIPTION
        try:
            found = json.loads(path.read_text("utf-8"))
            if digest(found["fingerprint"]) != found["hash"]:
                raise ValueError("its fingerprint does not match its hash")
        except FileNotFoundError:
            raise RunError(f"{self.directory} holds no run") from None
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise RunError(f"{path} is damaged: {error}") from None
        return dict(found)

    def _compare(self, job: Job) -> None:
        given = _fingerprint(job)
        if given["job"] != self.fingerprint["job"]:
            wrong = difference({"job": self.fingerprint["job"]}, {"job": given["job"]})
        else:
            wrong = [
                text
                for part in ("environment", "settings")
                for text in difference(self.fingerprint[part], given[part])
            ]
        if wrong:
            raise RunError(f"{self.directory} is the run of another job: {'; '.join(wrong)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the ledger and lets others work on the run."""
        self.ledger.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # Working --------------------------------------------------------------------------------------

    def drive(self, executor: Executor, watch: Callable[[Progress], None]) -> bool:
        """Works until all units are done or the job is decided; whether it came that far.

        The first Ctrl-C finishes what is under way, the second stops at once.
        """
        self.ledger.add_units(self._named(self.job.units()))
        self.ledger.try_failed_again()
        driver = _Driver(self, executor, watch)
        if driver.decided or not self.ledger.counts().todo:
            return True
        interrupts = _Interrupts()
        with interrupts.listening():
            try:
                executor.start(self._assignment())
                driver.loop(interrupts)
            finally:
                executor.close()
        return driver.decided or not self.ledger.counts().todo

    def _named(self, payloads: Iterator[dict[str, Any]]) -> Iterator[tuple[str, str]]:
        for payload in payloads:
            yield unit_name(self.job.kind, payload), canonical(payload)

    def _assignment(self) -> Assignment:
        return Assignment(
            kind=self.job.kind,
            settings=canonical(self.job.settings()),
            environment=tuple(self.fingerprint["environment"].items()),
            directory=str(self.directory.resolve()),
            marker=self.marker,
        )

    def finish(self) -> dict[str, Any]:
        """Puts the results together and writes the summary; the summary."""
        try:
            return self._finish()
        except OSError as error:
            reason = f"{error.filename}: {error.strerror or error}"
            raise RunError(f"{reason}; what was done is kept") from None

    def _finish(self) -> dict[str, Any]:
        most = self.decided_at()
        summary = {
            "job": self.job.kind,
            **self.job.finish(Outputs(self.directory, lambda: self._results(most))),
            "units": self.ledger.counts().done if most is None else most,
            "ledger": self.ledger.hash(most),
        }
        text = json.dumps(summary, indent=1, ensure_ascii=False)
        write_whole(self.directory / SUMMARY, [text.encode()])
        self._drop_orphans()
        return summary

    def _results(self, most: int | None) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        for unit, result in self.ledger.results(most):
            yield json.loads(unit.payload), json.loads(result)

    def decided_at(self) -> int | None:
        """After how many units the job's judge ended the run; ``None`` if he did not."""
        judge = self.job.follow()
        if judge is None:
            return None
        for number in range(self.ledger.counts().total):
            result = self.ledger.result(number)
            if result is None:
                return None
            if judge(json.loads(result)):
                return number + 1
        return None

    def _drop_orphans(self) -> None:
        """Files of attempts that did not count."""
        kept = {one["file"] for one in self.announced()}
        for path in (self.directory / Files.FOLDER).iterdir():
            if path.name not in kept:
                path.unlink()

    def announced(self) -> Iterator[dict[str, Any]]:
        """The data files that results tell of."""
        for _, result in self.ledger.results():
            for value in json.loads(result).values():
                if isinstance(value, dict) and "file" in value:
                    yield value

    def summary(self) -> dict[str, Any] | None:
        """What :meth:`finish` wrote, if it has been there."""
        path = self.directory / SUMMARY
        return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else None


def _fingerprint(job: Job) -> dict[str, Any]:
    return {
        "job": job.kind,
        "environment": job.environment(),
        "settings": json.loads(canonical(job.settings())),
    }


def _lock(directory: Path) -> int:
    """Held while a process works on a run; the system frees it when the process ends."""
    handle = os.open(directory / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise RunError(f"another process is working on {directory}") from None
    return handle


class _Driver:
    """The loop: keeps the executor busy, writes down what comes back."""

    POLL = 0.2  # seconds until Ctrl-C is noticed at the latest

    def __init__(self, run: Run, executor: Executor, watch: Callable[[Progress], None]) -> None:
        self._ledger, self._executor, self._watch = run.ledger, executor, watch
        self._counts = run.ledger.counts()
        self._fresh: Iterator[Unit] = run.ledger.todo()
        self._again: deque[str] = deque()
        self._in_flight = 0
        self._judge, self._judged = run.job.follow(), 0
        self.decided = False
        self._follow()

    def loop(self, interrupts: _Interrupts) -> None:
        """Until nothing is left, the judge has decided, or somebody wants it to end."""
        self._tell(None)
        while not self.decided and interrupts.count < 2:
            if not interrupts.count:
                self._submit()
            if not self._in_flight:
                return
            self._take(self._executor.wait(self.POLL))

    def _submit(self) -> None:
        while self._in_flight < self._executor.capacity:
            unit = self._next()
            if unit is None:
                return
            self._executor.submit(unit)
            self._in_flight += 1

    def _next(self) -> Unit | None:
        if self._again:
            return self._ledger.unit(self._again.popleft())
        return next(self._fresh, None)

    def _take(self, outcomes: list[Outcome]) -> None:
        if not outcomes:
            return
        self._in_flight -= len(outcomes)
        fatal = next((one for one in outcomes if one.fatal), None)
        again = self._ledger.record([one for one in outcomes if not one.fatal])
        if fatal is not None:
            raise RunError(f"the run stops, what was done is kept: {fatal.error}")
        self._again.extend(again)
        self._count(outcomes, again)
        self._follow()
        for one in outcomes:
            self._tell(one)

    def _count(self, outcomes: list[Outcome], again: list[str]) -> None:
        done = sum(one.result is not None for one in outcomes)
        failed = len(outcomes) - done - len(again)
        old = self._counts
        self._counts = Counts(old.total, old.done + done, old.failed + failed)

    def _follow(self) -> None:
        """Shows the judge all results up to the first that is missing."""
        while self._judge is not None and not self.decided:
            result = self._ledger.result(self._judged)
            if result is None:
                return
            self.decided = self._judge(json.loads(result))
            self._judged += 1

    def _tell(self, outcome: Outcome | None) -> None:
        self._watch(Progress(self._counts, self._executor.workers, self._in_flight, outcome))


class _Interrupts:
    """Counts Ctrl-C instead of raising KeyboardInterrupt."""

    def __init__(self) -> None:
        self.count = 0

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        self.count += 1

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While a run works; only the main thread may set signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._heard)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
