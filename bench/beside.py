"""What the benches share: processor time, and Stockfish's perft as the measure of a machine."""

import json
import os
import subprocess
import time
from pathlib import Path


class Report:
    """Rows for bench/all.py: which table, which line, how much of what, and which way is better."""

    def __init__(self):
        self.rows = []

    def add(self, table, name, value, unit, better="less", **more):
        """``more``: what stands beside it, ratios, what was asked."""
        row = {"table": table, "name": name, "value": value, "unit": unit, "better": better}
        self.rows.append(row | more)

    def write(self, path):
        """Keeps the rows if someone wants them."""
        if path:
            Path(path).write_text(json.dumps(self.rows, ensure_ascii=False, indent=1), "utf-8")


REPORT = Report()


def seconds(work, times=1):
    began = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - began) / times


def processor_seconds(process):
    """What another process has used so far; the clock's time where the system does not tell."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return time.perf_counter()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stockfish_perft(path, depth, rounds):
    """Seconds and nodes of `go perft` for each round, all in one process."""
    with subprocess.Popen(
        [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as engine:

        def ask(text, until):
            began = processor_seconds(engine)
            engine.stdin.write(text + "\n")
            for line in engine.stdout:
                if line.startswith(until):
                    return processor_seconds(engine) - began, line
            raise RuntimeError("stockfish went away")

        ask("isready", "readyok")
        for _ in range(rounds):
            took, line = ask(f"go perft {depth}", "Nodes searched")
            yield took, int(line.split()[-1])
        engine.stdin.write("quit\n")
