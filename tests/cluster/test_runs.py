"""A run is a directory: what it keeps, what it refuses, and how it goes on."""

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cotulenh import chess
from cotulenh.cluster import (
    LocalExecutor,
    MatchJob,
    Outcome,
    PerftJob,
    Run,
    RunError,
    executor_for,
    ledger,
    runs_below,
    verify,
)
from cotulenh.games import new_board
from cotulenh.match import Settings, Sprt

PERFT = PerftJob(game="chess", depth=4, split=2)


def nobody(progress):
    """Watches nothing."""


def do(directory, job, workers=2):
    with Run(directory, job) as run:
        assert run.drive(executor_for("local", workers), nobody)
        return run.finish()


def command(directory, *more, depth=5, game="chess"):
    words = ["perft", str(depth), "-g", game, "--run", str(directory), "-j", "2", *more]
    return [sys.executable, "-m", "cotulenh", *words]


@pytest.mark.parametrize(
    ("game", "depth", "split", "nodes"),
    [("chess", 4, 2, 197281), ("official", 3, 1, 1582546), ("blueprint", 2, 2, None)],
)
def test_perft_as_a_run_counts_what_perft_counts(tmp_path, game, depth, split, nodes):
    summary = do(tmp_path / "run", PerftJob(game=game, depth=depth, split=split, twice=True))
    assert int(summary["nodes"]) == new_board(game).perft(depth)
    assert nodes is None or int(summary["nodes"]) == nodes


PUBLISHED = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "perft" / "runs.jsonl").read_text().splitlines()
]


def published(depth):
    """The counts of tests/perft/runs.jsonl, whose units were all counted twice."""
    rows = [row for row in PUBLISHED if row["depth"] == depth]
    return pytest.mark.parametrize("row", rows, ids=lambda row: row["game"])


def count_again(directory, row):
    job = PerftJob(row["game"], row["depth"], row["split"], twice=True)
    found = do(directory, job)
    assert {name: found[name] for name in ("units", "ledger")} == {
        name: row[name] for name in ("units", "ledger")
    }
    assert int(found["nodes"]) == row["nodes"]


@published(3)
def test_published_counts_have_the_ledgers_that_a_run_has(tmp_path, row):
    count_again(tmp_path, row)


@pytest.mark.long
@published(4)
def test_published_counts_one_move_deeper(tmp_path, row):
    count_again(tmp_path, row)


def test_published_counts_reach_depth_five():
    assert {row["game"] for row in PUBLISHED if row["depth"] == 5} == {
        "official",
        "online",
        "blueprint",
    }


def test_a_finished_run_is_not_worked_on_again(tmp_path):
    first = do(tmp_path, PERFT)
    before = (tmp_path / "summary.json").read_bytes()
    with Run(tmp_path, PERFT) as run:
        assert run.drive(_Nobody(), nobody), "nothing is left for an executor to do"
        assert run.finish() == first
    assert (tmp_path / "summary.json").read_bytes() == before


class _Nobody(LocalExecutor):
    def __init__(self):
        super().__init__(1)

    def start(self, assignment):
        raise AssertionError("no work is left")


def test_counts_above_64_bits_are_exact(tmp_path):
    """Multiplicities and sums are Python's integers."""
    job = PerftJob(game="chess", depth=1, split=1)
    with Run(tmp_path, job) as run:
        run.drive(executor_for("local", 1), nobody)
        result = json.dumps({"count": str(2**70), "times": 1})
        run.ledger._database.execute("UPDATE units SET result=?", (result,))
        assert run.finish()["nodes"] == str(2**70)


# Other jobs, other hands --------------------------------------------------------------------------


def test_another_fingerprint_is_refused_with_the_difference_named(tmp_path):
    do(tmp_path, PERFT)
    with pytest.raises(RunError, match=r"another job: depth 4, not 5$"):
        Run(tmp_path, PerftJob(game="chess", depth=5, split=2))
    with pytest.raises(RunError, match=r"rules chess, not \w{32}; game chess, not official"):
        Run(tmp_path, PerftJob(game="official", depth=4, split=2))
    match = MatchJob.of(Settings(("engine", "greedy"), nodes=100, games=2))
    with pytest.raises(RunError, match="job perft, not match"):
        Run(tmp_path, match)


def test_another_core_is_refused(tmp_path, monkeypatch):
    do(tmp_path, PERFT)
    monkeypatch.setattr("cotulenh.cluster.fingerprint._core_hash", lambda: "0" * 32)
    with pytest.raises(RunError, match=r"core \w{32}, not 0{32}"):
        Run(tmp_path, PERFT)


def test_a_worker_with_another_version_takes_no_part(tmp_path):
    with Run(tmp_path, PERFT) as run:
        run.fingerprint["environment"]["cotulenh"] = "0.0.1"
        with pytest.raises(RunError, match=r"a worker differs from the run: cotulenh 0\.0\.1, not"):
            run.drive(executor_for("local", 1), nobody)


def test_a_directory_with_something_else_in_it_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear Anna")
    with pytest.raises(RunError, match="is not empty and holds no run"):
        Run(tmp_path, PERFT)
    assert (tmp_path / "letter.txt").read_text() == "dear Anna"
    with pytest.raises(RunError, match="holds no run"):
        Run(tmp_path)


def test_only_one_process_works_on_a_run(tmp_path):
    with Run(tmp_path, PERFT), pytest.raises(RunError, match="another process is working on"):
        Run(tmp_path, PERFT)
    Run(tmp_path, PERFT).close()


@pytest.mark.parametrize("damage", [b"", b"nonsense" * 1000, None])
def test_a_damaged_or_foreign_ledger_is_named(tmp_path, damage):
    do(tmp_path, PERFT)
    path = tmp_path / "ledger.sqlite"
    for extra in tmp_path.glob("ledger.sqlite-*"):
        extra.unlink()
    if damage is None:
        path.unlink()
        other = sqlite3.connect(path)
        other.execute("CREATE TABLE recipes (name TEXT)")
        other.close()
    else:
        path.write_bytes(damage)
    with pytest.raises(RunError, match=r"ledger\.sqlite"):
        Run(tmp_path, PERFT)


def test_a_ledger_with_a_broken_page_is_named(tmp_path):
    do(tmp_path, PERFT)
    path = tmp_path / "ledger.sqlite"
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(range(256)) * 16
    path.write_bytes(data)
    with pytest.raises(RunError, match="damaged"):
        Run(tmp_path, PERFT)


def test_a_description_that_was_changed_is_noticed(tmp_path):
    do(tmp_path, PERFT)
    path = tmp_path / "run.json"
    path.write_text(path.read_text().replace('"depth": 4', '"depth": 3'))
    with pytest.raises(RunError, match="its fingerprint does not match its hash"):
        Run(tmp_path)


def test_a_full_disk_stops_the_run_and_keeps_what_was_done(tmp_path):
    job = PerftJob(game="chess", depth=4, split=3)
    with Run(tmp_path, job) as run:
        run.ledger.add_units(run._named(job.units()))
        pages = run.ledger._database.execute("PRAGMA page_count").fetchone()[0]
        run.ledger._database.execute(f"PRAGMA max_page_count={pages}")
        big = "x" * 3_000_000
        name = next(run.ledger.todo()).name
        with pytest.raises(RunError, match="the disk is full; what was done is kept"):
            run.ledger.record([Outcome(name, result=big)])
    summary = do(tmp_path, job)
    assert summary["nodes"] == "197281"


def test_a_disk_that_is_full_when_the_ledger_is_made_leaves_none(tmp_path, monkeypatch):
    """Or half a ledger would be taken for a foreign one when there is room again."""
    schema = ledger.SCHEMA
    monkeypatch.setattr(ledger, "SCHEMA", schema + "INSERT INTO nowhere VALUES (1);")
    with pytest.raises(RunError, match=r"ledger\.sqlite: "):
        Run(tmp_path, PERFT)
    assert not (tmp_path / "ledger.sqlite").exists()
    monkeypatch.setattr(ledger, "SCHEMA", schema)
    assert do(tmp_path, PERFT)["nodes"] == "197281"


def test_a_disk_that_is_full_at_the_end_names_the_file(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Run(tmp_path, PERFT) as run:
        assert run.drive(executor_for("local", 1), nobody)
        monkeypatch.setattr(os, "fsync", full)
        wanted = r"summary\.json: No space left on device; what was done is kept"
        with pytest.raises(RunError, match=wanted):
            run.finish()
        assert sorted(path.name for path in tmp_path.glob(".*")) == []
        monkeypatch.undo()
        assert run.finish()["nodes"] == "197281"


# Units that fail, workers that die ----------------------------------------------------------------


def test_a_unit_that_always_fails_is_tried_again_and_then_reported(tmp_path):
    with Run(tmp_path, PERFT) as run:
        run.ledger.add_units(run._named(iter([{"positions": [["no fen", 1]]}, *PERFT.units()])))
        seen = []
        assert run.drive(executor_for("local", 1), lambda p: seen.append(p.outcome))
        (failure,) = run.ledger.failures()
        assert failure[1].startswith("ParseError: ")
        assert sum(one is not None and one.error != "" for one in seen) == 3
        assert run.ledger.counts().done == run.ledger.counts().total - 1


def test_a_unit_that_failed_is_tried_anew_when_the_run_is_started_again(tmp_path):
    with Run(tmp_path, PERFT) as run:
        run.ledger.add_units(run._named(PERFT.units()))
        unit = next(run.ledger.todo())
        for _ in range(3):
            run.ledger.record([Outcome(unit.name, error="out of luck")])
        assert run.ledger.counts().failed == 1
        run.drive(executor_for("local", 1), nobody)
        assert run.ledger.counts().failed == 0
        assert run.finish()["nodes"] == "197281"


def test_a_second_result_changes_nothing_and_success_beats_failure(tmp_path):
    with Run(tmp_path, PERFT) as run:
        run.ledger.add_units(run._named(PERFT.units()))
        name = next(run.ledger.todo()).name
        run.ledger.record([Outcome(name, error="lost", lost=True), Outcome(name, '{"count":"1"}')])
        run.ledger.record([Outcome(name, '{"count":"2"}'), Outcome(name, error="too late")])
        assert run.ledger.result(0) == '{"count":"1"}'
        assert run.ledger.counts().failed == 0


def test_a_worker_that_dies_is_replaced_and_its_unit_done_again(tmp_path):
    executor = LocalExecutor(2)
    killed = []

    def kill(progress):
        if len(killed) < 5 and executor._crew:
            victim = executor._crew[len(killed) % 2].process
            os.kill(victim.pid, signal.SIGKILL)
            killed.append(victim.pid)

    job = PerftJob(game="official", depth=3, split=2)
    with Run(tmp_path / "disturbed", job) as run:
        assert run.drive(executor, kill)
        found = run.finish()
    assert killed
    assert found == do(tmp_path / "quiet", job)


def kill_driver_at_random(directory, moments, tmp_path):
    """Starts the same command again and again, and kills driver and workers after a while."""
    for seconds in moments:
        driver = subprocess.Popen(command(directory), start_new_session=True, stdout=-3, stderr=-3)
        try:
            driver.wait(seconds)
        except subprocess.TimeoutExpired:
            driver.kill()
        driver.wait()
    done = subprocess.run(command(directory), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_killed_driver_goes_on_where_it_stopped(tmp_path):
    kill_driver_at_random(tmp_path / "a", [0.9, 1.3], tmp_path)
    subprocess.run(command(tmp_path / "b"), check=True, capture_output=True)
    summary = (tmp_path / "a" / "summary.json").read_bytes()
    assert summary == (tmp_path / "b" / "summary.json").read_bytes()
    assert json.loads(summary)["nodes"] == "4865609"


def test_no_worker_outlives_a_killed_driver(tmp_path):
    driver = subprocess.Popen(
        command(tmp_path / "a", depth=6), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    children = wait_for_children(driver.pid)
    driver.kill()
    driver.wait()
    deadline = time.monotonic() + 10
    while any(map(alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, children))


def wait_for_children(pid):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        if len(text.split()) >= 2:
            return [int(one) for one in text.split()]
        time.sleep(0.05)
    raise AssertionError("the driver started no workers")


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_first_ctrl_c_finishes_what_is_under_way(tmp_path):
    driver = subprocess.Popen(
        command(tmp_path / "a", "--json", depth=6),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in driver.stdout:
        if json.loads(line)["event"] == "unit":
            break
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=60)
    assert driver.returncode == 130
    assert "the same command goes on from there" in said
    with Run(tmp_path / "a") as run:
        assert 0 < run.ledger.counts().done < run.ledger.counts().total
        assert not verify(run)


def test_the_second_ctrl_c_stops_at_once(tmp_path):
    """What is under way is dropped, and nothing that was done is lost."""
    words = ["perft", "7", "-g", "chess", "--split", "1", "--run", str(tmp_path / "a"), "-j", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "cotulenh", *words, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as driver:
        done = next(line for line in driver.stdout if json.loads(line)["event"] == "unit")
        for _ in range(2):
            driver.send_signal(signal.SIGINT)
            time.sleep(0.05)  # two signals that nobody has noticed yet are one
        assert "the same command goes on from there" in driver.stderr.read()
    assert driver.returncode == 130
    with Run(tmp_path / "a") as run:
        assert json.loads(done)["name"] in {unit.name for unit, _ in run.ledger.results()}
        assert run.ledger.counts().done < run.ledger.counts().total


# Matches ------------------------------------------------------------------------------------------


def test_any_number_of_workers_gives_the_same_verdict(tmp_path):
    settings = Settings(("engine", "random"), nodes=50, games=40, sprt=Sprt(0, 100))
    job = MatchJob.of(settings)
    summaries = [do(tmp_path / str(n), job, n) for n in (1, 3)]
    assert summaries[0] == summaries[1]
    assert summaries[0]["verdict"] == "accepted"
    assert summaries[0]["units"] < 20, "the test ended the match early"
    for name in ("games.pgn", "games.jsonl", "summary.json"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "3" / name).read_bytes()


# Looking at runs ----------------------------------------------------------------------------------


def test_verify_finds_what_is_missing_or_changed(tmp_path):
    settings = Settings(("random", "random"), variant="chess", depth=1, games=4, most_turns=10)
    do(tmp_path, MatchJob.of(settings))
    with Run(tmp_path) as run:
        assert verify(run) == []
        data = sorted((tmp_path / "data").iterdir())
        data[0].unlink()
        data[1].write_text("something else")
        (tmp_path / "games.pgn").write_text("")
        problems = verify(run)
    assert len(problems) == 3
    assert "is missing" in problems[0] + problems[1]


def test_a_damaged_run_does_not_hide_the_others(tmp_path):
    for name in ("one", "two"):
        do(tmp_path / name, PerftJob(game="chess", depth=2, split=1))
    (tmp_path / "one" / "ledger.sqlite").write_bytes(b"nonsense" * 1000)
    words = [sys.executable, "-m", "cotulenh", "runs", "list", str(tmp_path)]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    first, second = said.stdout.splitlines()
    assert "one  cannot be read: " in first
    assert second.endswith("two  perft  1 of 1 units")
    assert said.returncode == 1
    said = subprocess.run([*words, "--json"], capture_output=True, text=True, check=False)
    assert ["error" in json.loads(line) for line in said.stdout.splitlines()] == [True, False]


def test_runs_below_a_directory(tmp_path):
    do(tmp_path / "one", PERFT)
    do(tmp_path / "two", PerftJob(game="chess", depth=2, split=1))
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    (tmp_path / "other").mkdir()
    assert [path.name for path in runs_below(tmp_path)] == ["copy", "one", "two"]
    with Run(tmp_path / "two") as run:
        assert run.summary()["nodes"] == str(chess.Board().perft(2))
