"""What runs cost: overhead of executor and ledger, scaling, memory, and where one driver saturates.

    python bench/cluster.py [--seconds 1.0] [--units 40] [--json]

Figures asked for: overhead on one-second units below 3 % (local) and 5 % (Ray), two workers 1.85
times one, driver memory flat over 100 000 units, 1 000 workers kept busy by one driver. The
thousand workers are simulated: their units only let a second pass, in this process and then in
actors of a real Ray cluster, so that all messages are real. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import json
import resource
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from cotulenh.cluster import IdleJob, Outcome, Run, executor_for

HAVE_RAY = find_spec("ray") is not None


def drive(job, executor):
    """Seconds from the first unit under way to the end, and the seconds until the first was done.

    Starting processes or a cluster is not the overhead of a unit.
    """
    marks = []
    with tempfile.TemporaryDirectory() as place, Run(Path(place) / "run", job) as run:
        run.drive(executor, lambda seen: marks.append((time.monotonic(), seen.counts.done)))
    first = next(at for at, done in marks if done)
    return marks[-1][0] - first, marks[-1][1] - next(done for _, done in marks if done)


def overhead(cluster, workers, units, seconds, busy):
    """What a unit takes beyond its own time, as a share, with so many workers."""
    spent, done = drive(IdleJob("chess", units, seconds, busy), executor_for(cluster, workers))
    return spent / (done * seconds / workers) - 1


class Instant:
    """Every unit is done when it is handed over: what is left is the driver and the ledger."""

    workers = capacity = 100

    def __init__(self):
        self._done = []

    def start(self, assignment):
        """Nothing to start."""

    def submit(self, unit):
        self._done.append(Outcome(unit.name, '{"number":0}'))

    def wait(self, seconds):
        done, self._done = self._done, []
        return done

    def close(self):
        """Nothing to stop."""


def memory(units):
    """Units a second of driver and ledger alone, and how its memory grew after the first tenth."""
    peak = []

    def watch(seen):
        if seen.counts.done in (units // 10, units):
            peak.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)

    with (
        tempfile.TemporaryDirectory() as place,
        Run(Path(place) / "run", IdleJob("chess", units)) as run,
    ):
        began = time.monotonic()
        run.drive(Instant(), watch)
        spent = time.monotonic() - began
    return units / spent, peak[-1] - peak[0]


class Sleepers(Instant):
    """A thousand workers that sleep, simulated in this process."""

    def __init__(self, workers, seconds):
        self.workers = self.capacity = workers
        self._seconds, self._due = seconds, []

    def submit(self, unit):
        heapq.heappush(self._due, (time.monotonic() + self._seconds, unit.name))

    def wait(self, seconds):
        if self._due:
            time.sleep(max(0.0, min(seconds, self._due[0][0] - time.monotonic())))
        done = []
        while self._due and self._due[0][0] <= time.monotonic():
            done.append(Outcome(heapq.heappop(self._due)[1], '{"number":0}'))
        return done


def ray_sleepers(workers, seconds):
    """The same as coroutines of one actor of a Ray cluster: submitting and fetching are Ray's."""
    from cotulenh.cluster.ray_executor import RayExecutor

    class RaySleepers(RayExecutor):
        workers = capacity = 0

        def start(self, assignment):
            super().start(assignment)

            @self._ray.remote(max_concurrency=workers, num_cpus=1)
            class Actor:
                async def perform(self, _assignment, unit):
                    await asyncio.sleep(seconds)
                    return Outcome(unit.name, '{"number":0}')

            self._actor = Actor.remote()
            self._task = self._actor.perform

    RaySleepers.workers = RaySleepers.capacity = workers
    return RaySleepers(None, None)


def kept_busy(executor, workers, seconds):
    """The share of the workers' time that they had something to do."""
    spent, done = drive(IdleJob("chess", 10 * workers, seconds), executor)
    return done * seconds / workers / spent


def main():
    """Prints all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--units", type=int, default=40)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = {}
    for cluster in ("local", "ray") if HAVE_RAY else ("local",):
        one = overhead(cluster, 1, options.units, options.seconds, True)
        two = overhead(cluster, 2, options.units, options.seconds, True)
        found[f"{cluster}: overhead of a unit, one worker"] = one
        found[f"{cluster}: overhead of a unit, two workers"] = two
        found[f"{cluster}: two workers against one"] = 2 * (1 + one) / (1 + two)
    rate, growth = memory(options.many)
    found["driver and ledger alone, units/s"] = rate
    found["driver's memory after the first tenth of the units, MiB more"] = growth
    busy = kept_busy(Sleepers(options.workers, options.seconds), options.workers, options.seconds)
    found[f"{options.workers} simulated workers kept busy"] = busy
    if HAVE_RAY:
        sleepers = ray_sleepers(options.workers, options.seconds)
        found[f"{options.workers} coroutines on Ray kept busy"] = kept_busy(
            sleepers, options.workers, options.seconds
        )
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<62} {value:10.3f}")


if __name__ == "__main__":
    main()
