"""The job ``idle``: units that take time and nothing else, to measure executors and ledger by."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from cotulenh.cluster.job import Files, Job, Outputs, Payload, Result, register

__all__ = ["IdleJob"]


@register
@dataclass(frozen=True)
class IdleJob(Job):
    """So many units of so many seconds, slept, or with ``busy`` spent on a processor."""

    kind: ClassVar[str] = "idle"

    count: int = 10
    seconds: float = 1.0
    busy: bool = False

    def units(self) -> Iterator[Payload]:
        """Numbers."""
        for number in range(self.count):
            yield {"number": number}

    def work(self, payload: Payload, seed: int, files: Files) -> Result:
        """Lets time pass: of the clock, or of this process's own processor time."""
        end = time.process_time() + self.seconds
        while self.busy and time.process_time() < end:
            pass
        if not self.busy:
            time.sleep(self.seconds)
        return {"number": payload["number"]}

    def finish(self, outputs: Outputs) -> Result:
        """How many there were."""
        return {"count": sum(1 for _ in outputs.results())}
