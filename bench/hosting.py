"""What one machine holds: games, sockets, searches.

    python bench/hosting.py [--games 100 400 1000] [--searches 0 2] [--seconds 12]

Starts a server of its own, opens so many local games with a socket each and plays a random legal
move in each about every ten seconds. A move's time runs from sending it to the new position, which
is on the disk by then. The last rows repeat the smallest number of games while analyses run.
"""

import argparse
import asyncio
import json
import random
import re
import secrets
import statistics
import time

from beside import REPORT, processor_seconds
from guest import Guest, dial, server

PAUSE = 10.0  # seconds between two moves of a game


async def play(guest, seconds, times):
    """Plays until the time is over."""
    end = time.monotonic() + seconds
    await asyncio.sleep(random.random() * min(PAUSE, seconds))
    while time.monotonic() < end and (took := await guest.random_move()) is not None:
        times.append(took)
        left = end - time.monotonic()
        await asyncio.sleep(max(0.0, min(left, PAUSE * (0.5 + random.random()))))


async def analyse(port):
    """A page that analyses without end."""
    socket = await dial(port)
    ask = {"t": "analyse", "id": 1, "variant": "official", "fen": "", "moves": [], "lines": 1}
    await socket.send(json.dumps(ask))
    return socket


async def opened(port, games):
    """So many guests, each with an address of its own, twenty at a time."""
    slots = asyncio.Semaphore(20)

    async def one():
        address = f"10.{'.'.join(str(b) for b in secrets.token_bytes(3))}"
        async with slots:
            return await Guest(port, {"X-Forwarded-For": address}).open()

    return await asyncio.gather(*(one() for _ in range(games)))


def memory(process):
    """MiB of a process."""
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024


async def measured(process, port, games, searches, seconds):
    """One row of the table."""
    guests = await opened(port, games)
    analysts = [await analyse(port) for _ in range(searches)]
    times = []
    before, began = processor_seconds(process), time.monotonic()
    await asyncio.gather(*(play(guest, seconds, times) for guest in guests))
    lasted = time.monotonic() - began
    spent = processor_seconds(process) - before
    for one in [*guests, *analysts]:
        await one.close()
    times.sort()
    return {
        "games": games,
        "searches": searches,
        "moves_per_second": round(len(times) / lasted, 1),
        "median_ms": round(1000 * statistics.median(times), 1),
        "p99_ms": round(1000 * times[int(0.99 * (len(times) - 1))], 1),
        "processor": round(spent / lasted, 3),
        "memory_mib": round(memory(process)),
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
    with server("--proxy", "127.0.0.1") as (process, port, _):  # each guest has its own address
        plan = [(n, 0) for n in args.games] + [(args.games[0], n) for n in args.searches if n]
        print("games  searches  moves/s  median ms  p99 ms  processor  MiB", flush=True)
        for games, searches in plan:
            row = asyncio.run(measured(process, port, games, searches, args.seconds))
            rows.append(row)
            print(
                f"{games:5}  {searches:8}  {row['moves_per_second']:7}  {row['median_ms']:9}"
                f"  {row['p99_ms']:6}  {row['processor']:9.0%}  {row['memory_mib']:3}",
                flush=True,
            )
    for row in rows:
        name = f"{row['games']} games, {row['searches']} analyses"
        REPORT.add("hosting", name, row["p99_ms"], "ms", **row)
    REPORT.write(args.json)


if __name__ == "__main__":
    main()
