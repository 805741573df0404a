"""What one machine holds: games, sockets, searches.

    python bench/hosting.py [--games 100 400 1000] [--searches 0 2] [--seconds 12]

Starts a server of its own, opens so many local games with a socket each and plays a random legal
move in each about every ten seconds. A move's time runs from sending it to the new position, which
is on the disk by then. The last rows repeat the smallest number of games while analyses run.
"""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import msgspec
from beside import REPORT
from websockets.asyncio.client import connect

PAUSE = 10.0  # seconds between two moves of a game


class Page:
    """One game and its socket."""

    def __init__(self, port, slots):
        self.port, self.slots, self.key = port, slots, secrets.token_urlsafe(24)
        self.state = None
        self.address = {"X-Forwarded-For": f"10.{'.'.join(str(b) for b in secrets.token_bytes(3))}"}

    async def open(self):
        async with self.slots:
            self.socket = await connect(
                f"ws://127.0.0.1:{self.port}/ws",
                origin=f"http://127.0.0.1:{self.port}",
                compression=None,
                max_size=None,
                additional_headers=self.address,
            )
            game = await asyncio.to_thread(new_game, self.port, self.key, self.address)
            await self.tell("open", game=game, key=self.key)
            await self.hear(0)
        return self

    async def tell(self, t, **fields):
        await self.socket.send(msgspec.json.encode({"t": t, **fields}).decode())

    async def hear(self, moves):
        while True:
            message = msgspec.json.decode(await self.socket.recv())
            if message["t"] == "refused":
                raise RuntimeError(message)
            if message["t"] == "game":
                self.state = message
                if len(message["moves"]) == moves:
                    return

    async def play(self, seconds, times):
        """Plays until the time is over."""
        end = time.monotonic() + seconds
        await asyncio.sleep(random.random() * min(PAUSE, seconds))
        while time.monotonic() < end and not self.state.get("result"):
            before = len(self.state["moves"])
            text = random.choice(self.state["view"]["moves"])["text"]
            began = time.perf_counter()
            await self.tell("move", text=text, ply=before)
            await self.hear(before + 1)
            times.append(time.perf_counter() - began)
            left = end - time.monotonic()
            await asyncio.sleep(max(0.0, min(left, PAUSE * (0.5 + random.random()))))


def new_game(port, key, address):
    body = json.dumps({"key": key, "mode": "local"}).encode()
    ask = urllib.request.Request(f"http://127.0.0.1:{port}/api/games", body, address)
    with urllib.request.urlopen(ask, timeout=60) as answer:
        return json.loads(answer.read())["id"]


async def analyse(port):
    """A page that analyses without end."""
    socket = await connect(
        f"ws://127.0.0.1:{port}/ws", origin=f"http://127.0.0.1:{port}", compression=None
    )
    ask = {"t": "analyse", "id": 1, "variant": "official", "fen": "", "moves": [], "lines": 1}
    await socket.send(json.dumps(ask))
    return socket


def usage(pid):
    """Seconds of processor and MiB of memory of a process."""
    with open(f"/proc/{pid}/stat") as file:
        ticks = sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
    with open(f"/proc/{pid}/status") as file:
        kib = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
    return ticks / os.sysconf("SC_CLK_TCK"), kib / 1024


async def measured(port, pid, games, searches, seconds):
    """One row of the table."""
    slots = asyncio.Semaphore(20)
    pages = await asyncio.gather(*(Page(port, slots).open() for _ in range(games)))
    analysts = [await analyse(port) for _ in range(searches)]
    times = []
    before, began = usage(pid)[0], time.monotonic()
    await asyncio.gather(*(page.play(seconds, times) for page in pages))
    lasted = time.monotonic() - began
    spent, memory = usage(pid)
    for page in pages:
        await page.socket.close()
    for socket in analysts:
        await socket.close()
    times.sort()
    return {
        "games": games,
        "searches": searches,
        "moves_per_second": round(len(times) / lasted, 1),
        "median_ms": round(1000 * statistics.median(times), 1),
        "p99_ms": round(1000 * times[int(0.99 * (len(times) - 1))], 1),
        "processor": round((spent - before) / lasted, 3),
        "memory_mib": round(memory),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--games", type=int, nargs="+", default=[100, 400, 1000])
    parser.add_argument("--searches", type=int, nargs="+", default=[0, 2])
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--json", help="Write the rows to this file.")
    parser.add_argument("--quick", action="store_true", help="Small numbers, to see that it works.")
    args = parser.parse_args()
    if args.quick:
        args.games, args.seconds = [5], 1
    rows = []
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
        limits = ["--data", data, "--proxy", "127.0.0.1"]  # so that each page has its address
        server = subprocess.Popen([*command, *limits], stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
            plan = [(n, 0) for n in args.games] + [(args.games[0], n) for n in args.searches if n]
            print("games  searches  moves/s  median ms  p99 ms  processor  MiB", flush=True)
            for games, searches in plan:
                row = asyncio.run(measured(port, server.pid, games, searches, args.seconds))
                rows.append(row)
                print(
                    f"{games:5}  {searches:8}  {row['moves_per_second']:7}  {row['median_ms']:9}"
                    f"  {row['p99_ms']:6}  {row['processor']:9.0%}  {row['memory_mib']:3}",
                    flush=True,
                )
        finally:
            server.terminate()
            server.wait()
    for row in rows:
        name = f"{row['games']} games, {row['searches']} analyses"
        REPORT.add("hosting", name, row["p99_ms"], "ms", **row)
    REPORT.write(args.json)


if __name__ == "__main__":
    main()
