"""Runs killed at random: whatever dies, and whenever, the result is that of an undisturbed run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from processes import children, command_line, kill, workers_of_ray

from cotulenh.cluster import Run, verify

KILLS = 7  # of each job, so 35 of each executor
WORDS = {
    "perft": ["perft", "6", "-g", "chess", "--split", "3", "--twice"],
    "selfplay": ["selfplay", "-n", "120", "--nodes", "10"],
    "match": ["match", "engine", "random", "--nodes", "60", "-n", "24", "--max-turns", "60"],
    "analyse": ["analyse", "SOURCE", "--nodes", "60"],
    "puzzles": ["puzzles", "SOURCE"],
}
NOT_COMPARED = {"run.json", "ledger.sqlite", "lock", "data"}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Games to look at."""
    made = tmp_path_factory.mktemp("games")
    words = ["selfplay", "-n", "20", "--nodes", "10", "--run", str(made / "run")]
    subprocess.run([sys.executable, "-m", "cotulenh", *words], check=True, capture_output=True)
    return made / "run" / "games.pgn"


def command(job, directory, source, *more):
    words = [str(source) if word == "SOURCE" else word for word in WORDS[job]]
    return [sys.executable, "-m", "cotulenh", *words, "--run", str(directory), *more]


def outputs(directory):
    """All that a run is for, byte for byte; nothing is there twice, nothing is missing."""
    with Run(directory) as run:
        assert verify(run) == []
        counts = run.ledger.counts()
        assert counts.done == counts.total
        announced = {one["file"] for one in run.announced()}
    assert {path.name for path in (directory / "data").iterdir()} == announced
    found = [path for path in directory.iterdir() if path.name not in NOT_COMPARED]
    return {path.name: path.read_bytes() for path in found if not path.name.startswith("ledger")}


class Processes:
    """Workers are the driver's children; a node is the whole of them, the driver included."""

    more = ("-j", "2")

    def disturb(self, driver, what, rng):
        """Kills something; whether there was something to kill."""
        if what == "worker":
            found = children(driver.pid)
            workers = [one for one in found if b"resource_tracker" not in command_line(one)]
            return kill(rng.sample(workers, len(workers)))
        if what == "node":
            os.killpg(driver.pid, signal.SIGKILL)
            return True
        return kill([driver.pid])


class Nodes:
    """A head without processors and two nodes of one each, as on three machines."""

    def __init__(self):
        # A busy machine answers late; one that is gone refuses at once.
        os.environ.setdefault("RAY_health_check_timeout_ms", "120000")
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        self.nodes = [self.cluster.add_node(num_cpus=1) for _ in range(2)]
        self.more = ("--cluster", self.cluster.address)

    def disturb(self, driver, what, rng):
        """Kills something; whether there was something to kill."""
        if what == "worker":
            return kill(workers_of_ray())
        if what == "node":
            self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)
            self.nodes.append(self.cluster.add_node(num_cpus=1))
            return True
        return kill([driver.pid])


def run_disturbed(place, words, kills, rng, errors):
    """The same command until it is done, disturbed so often at most; what was killed.

    A kill comes some units and a moment after the one before: moments are counted in units done,
    since a busy machine may take any time for one.
    """
    killed = []
    while True:
        with (
            errors.open("w") as error,
            subprocess.Popen(
                [*words, *place.more, "--json"],
                stdout=subprocess.PIPE,
                stderr=error,
                text=True,
                start_new_session=True,
            ) as driver,
        ):
            wait = rng.randint(0, 3)
            for line in driver.stdout:
                wait -= json.loads(line)["event"] in ("unit", "start")
                if wait < 0 and len(killed) < kills and driver.poll() is None:
                    time.sleep(rng.uniform(0, 0.3))
                    what = rng.choice(["worker", "worker", "node", "driver"])
                    if place.disturb(driver, what, rng):
                        killed.append(what)
                        wait = rng.randint(0, 3)
        if driver.returncode == 0:
            return killed
        assert driver.returncode == -signal.SIGKILL, errors.read_text()


def killed_and_compared(place, job, source, tmp_path, kills, seed):
    rng, quiet, left, rounds = random.Random(f"{job}/{seed}"), tmp_path / "quiet", kills, 0
    subprocess.run(command(job, quiet, source), check=True, capture_output=True)
    expected = outputs(quiet)
    while left > 0:
        there, rounds = tmp_path / f"disturbed-{rounds}", rounds + 1
        words = command(job, there, source)
        left -= len(run_disturbed(place, words, left, rng, tmp_path / "errors"))
        assert outputs(there) == expected


@pytest.mark.parametrize("job", ["perft", "selfplay"])
def test_processes_killed_a_few_times(job, source, tmp_path):
    killed_and_compared(Processes(), job, source, tmp_path, kills=2, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("job", list(WORDS))
def test_processes_killed_at_random(job, source, tmp_path):
    killed_and_compared(Processes(), job, source, tmp_path, KILLS, seed=2)


@pytest.fixture(scope="module")
def nodes():
    """A Ray cluster on this machine."""
    place = Nodes()
    yield place
    place.cluster.shutdown()


@pytest.mark.long
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (extra cluster)")
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("job", list(WORDS))
def test_workers_nodes_and_drivers_of_ray_killed_at_random(job, nodes, source, tmp_path):
    killed_and_compared(nodes, job, source, tmp_path, KILLS, seed=3)
