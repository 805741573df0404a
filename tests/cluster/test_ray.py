"""Runs on Ray: several nodes on this machine, killed one after the other."""

import json
import socket
import subprocess
import sys
import threading
import time
from importlib.util import find_spec

import pytest
from processes import kill, workers_of_ray

from cotulenh.cluster import MatchJob, PerftJob, Run, RunError, executor_for
from cotulenh.match import Settings

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (extra cluster)"),
    # Ray itself leaves sockets and log files to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

WORDS = {
    "perft": ["perft", "4", "-g", "chess", "--split", "3"],
    "match": ["match", "engine", "random", "--nodes", "60", "-n", "40", "--max-turns", "60"],
}


def command(job, directory, *more):
    return [sys.executable, "-m", "cotulenh", *WORDS[job], "--run", str(directory), *more]


def outputs(directory):
    """All that a run is for, byte for byte."""
    names = ("summary.json", "games.pgn", "games.jsonl")
    return {name: (directory / name).read_bytes() for name in names if (directory / name).exists()}


@pytest.fixture(scope="module")
def cluster():
    """A head without processors and two nodes with one each, as on three machines."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [made.add_node(num_cpus=1) for _ in range(2)]
    yield made, nodes
    made.shutdown()


def test_a_run_on_ray_is_the_run_of_one_process(cluster, tmp_path):
    address = cluster[0].address
    for job in WORDS:
        subprocess.run(command(job, tmp_path / job), check=True, capture_output=True)
        there = tmp_path / f"{job}-ray"
        subprocess.run(
            command(job, there, "--cluster", address), check=True, capture_output=True, timeout=300
        )
        assert outputs(there) == outputs(tmp_path / job)


def disturb(cluster, nodes, driver, what):
    """Kills a worker, a whole node (another takes its place), or the driver."""
    if what == "driver":
        driver.kill()
    elif what == "node":
        cluster.remove_node(nodes.pop(0), allow_graceful=False)
        nodes.append(cluster.add_node(num_cpus=1))
    else:
        kill(workers_of_ray())


def test_killed_a_few_times(cluster, tmp_path):
    made, nodes = cluster
    words = command("perft", tmp_path, "--cluster", made.address)
    driver = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not workers_of_ray() and driver.poll() is None:
        time.sleep(0.1)
    disturb(made, nodes, driver, "worker")
    disturb(made, nodes, driver, "driver")
    driver.wait()
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    assert json.loads(outputs(tmp_path)["summary.json"])["nodes"] == "197281"


def test_a_unit_that_always_fails_on_ray(cluster, tmp_path):
    job = PerftJob(game="chess", depth=2, split=1)
    with Run(tmp_path, job) as run:
        run.ledger.add_units(run._named(iter([{"positions": [["no fen", 1]]}, *job.units()])))
        assert run.drive(executor_for(cluster[0].address, None), lambda progress: None)
        assert run.ledger.counts().failed == 1
        assert run.ledger.failures()[0][1].startswith("ParseError")


def test_nobody_listens_there(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        with pytest.raises(RunError, match=rf"no cluster answers at 127\.0\.0\.1:{port}: "):
            executor_for(address, None).start(None)
    for address in ("nonsense", "host:port", "host:99999999999"):
        with pytest.raises(RunError, match=r"expected local, ray|no cluster answers at host:9"):
            executor_for(address, None).start(None)


def test_another_server_listens_there():
    """Ray would try for minutes to talk to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def answer():
            door, _ = server.accept()
            with door:
                door.recv(100)
                door.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(RunError, match=f"what answers at {address} is no Ray cluster"):
            executor_for(address, None).start(None)
        thread.join()


def test_a_worker_of_another_version_ends_the_run(cluster, tmp_path):
    with Run(tmp_path, PerftJob(game="chess", depth=2, split=1)) as run:
        run.fingerprint["environment"]["core"] = "0" * 32
        with pytest.raises(RunError, match=r"a worker differs from the run: core 0{32}, not"):
            run.drive(executor_for(cluster[0].address, None), lambda progress: None)
        assert run.ledger.counts().done == 0


def test_workers_must_see_the_directory_of_a_run_with_files(cluster, tmp_path):
    job = MatchJob.of(Settings(("random", "random"), depth=1, games=2, most_turns=5))
    with Run(tmp_path / "run", job) as run:
        run.marker = "another directory of the same name"
        with pytest.raises(RunError, match="must be on storage that all nodes share"):
            run.drive(executor_for(cluster[0].address, None), lambda progress: None)
