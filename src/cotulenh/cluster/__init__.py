"""Runs that outgrow a process or a machine: resumable, exactly once, here or on a Ray cluster.

>>> import tempfile
>>> from pathlib import Path
>>> from cotulenh.cluster import PerftJob, Run, executor_for
>>> with tempfile.TemporaryDirectory() as place:
...     with Run(Path(place) / "perft", PerftJob(game="chess", depth=3, split=2)) as run:
...         done = run.drive(executor_for("local", 1), lambda progress: None)
...         run.finish()["nodes"]
'8902'
"""

from cotulenh.cluster.analyse import AnalyseJob
from cotulenh.cluster.errors import RunError
from cotulenh.cluster.executors import Executor, LocalExecutor, executor_for
from cotulenh.cluster.fingerprint import game_name
from cotulenh.cluster.idle import IdleJob
from cotulenh.cluster.job import Job
from cotulenh.cluster.ledger import Counts, Ledger, Outcome, Unit
from cotulenh.cluster.match import MatchJob
from cotulenh.cluster.perft import PerftJob
from cotulenh.cluster.puzzles import PuzzlesJob
from cotulenh.cluster.run import Progress, Run, runs_below
from cotulenh.cluster.selfplay import SelfplayJob
from cotulenh.cluster.verify import verify

__all__ = [
    "AnalyseJob",
    "Counts",
    "Executor",
    "IdleJob",
    "Job",
    "Ledger",
    "LocalExecutor",
    "MatchJob",
    "Outcome",
    "PerftJob",
    "Progress",
    "PuzzlesJob",
    "Run",
    "RunError",
    "SelfplayJob",
    "Unit",
    "executor_for",
    "game_name",
    "runs_below",
    "verify",
]
