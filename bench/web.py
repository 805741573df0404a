"""How long a move takes on a busy server: open games on loopback, moves at a steady pace.

    python bench/web.py [--games 200] [--rate 2] [--seconds 60]

Starts its own server over a temporary directory, opens all games with a socket each, and plays
random legal moves in random games at the given rate in all. A move's time runs from sending it to
the arrival of the new position; by then it is on the disk. Everything is bounded: at most 500
games, 50 moves a second, 300 seconds.
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

from websockets.asyncio.client import connect


class Game:
    def __init__(self, key, game, socket):
        self.key, self.id, self.socket, self.state = key, game, socket, None

    async def hear(self, moves):
        """Waits for the game with so many moves."""
        while True:
            message = json.loads(await self.socket.recv())
            if message["t"] == "refused":
                raise RuntimeError(message)
            if message["t"] == "game":
                self.state = message
                if len(message["moves"]) == moves:
                    return

    async def play(self):
        """Plays a random move; the seconds it took."""
        if self.state.get("result"):
            return None
        before = len(self.state["moves"])
        text = random.choice(self.state["view"]["moves"])["text"]
        began = time.perf_counter()
        await self.socket.send(json.dumps({"t": "move", "text": text, "ply": before}))
        await self.hear(before + 1)
        return time.perf_counter() - began


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


async def open_game(port):
    key = secrets.token_urlsafe(24)
    url = f"http://localhost:{port}/api/games"
    made = await asyncio.to_thread(post, url, {"key": key, "mode": "local"})
    socket = await connect(
        f"ws://localhost:{port}/ws", origin=f"http://localhost:{port}", compression=None
    ).__aenter__()
    game = Game(key, made["id"], socket)
    await socket.send(json.dumps({"t": "open", "game": game.id, "key": key}))
    await game.hear(0)
    return game


async def run(port, games, rate, seconds, pid):
    opened = []
    for _ in range(games):
        opened.append(await open_game(port))
    print(f"{len(opened)} games open", flush=True)
    times, tasks = [], []

    async def one():
        took = await random.choice(opened).play()
        if took is not None:
            times.append(took * 1000)

    before = cpu_seconds(pid)
    began = time.monotonic()
    for n in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + n / rate - time.monotonic()))
        tasks.append(asyncio.create_task(one()))
    await asyncio.gather(*tasks)
    used = cpu_seconds(pid) - before
    for game in opened:
        await game.socket.close()
    return sorted(times), used


def baseline(data, count=60):
    """What the machine itself takes now: a bare 4 KiB write with fsync, in milliseconds."""
    handle = os.open(os.path.join(data, "baseline"), os.O_CREAT | os.O_WRONLY)
    times = []
    for _ in range(count):
        began = time.perf_counter()
        os.write(handle, bytes(4096))
        os.fsync(handle)
        times.append((time.perf_counter() - began) * 1000)
        time.sleep(0.02)
    os.close(handle)
    return sorted(times)


def cpu_seconds(pid):
    """Seconds of processor time a process has used; 0 where /proc does not tell."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--most", type=float, help="fail if the 99th percentile is above (ms)")
    options = parser.parse_args()
    games, rate = min(options.games, 500), min(options.rate, 50)
    seconds = min(options.seconds, 300)
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "cotulenh", "serve", "--no-browser", "--port", "0"]
        server = subprocess.Popen([*command, "--data", data], stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
            times, cpu = asyncio.run(run(port, games, rate, seconds, server.pid))
            disk = baseline(data)
        finally:
            server.terminate()
            server.wait()
    p99, load = percentile(times, 0.99), os.getloadavg()[0]
    print(
        f"{games} games, {rate:g} moves/s, {len(times)} moves:"
        f" median {statistics.median(times):.1f} ms, p99 {p99:.1f} ms,"
        f" worst {times[-1]:.1f} ms; {1000 * cpu / len(times):.1f} ms of processor a move"
    )
    print(
        f"the machine meanwhile: load {load:.1f},"
        f" a bare fsync {statistics.median(disk):.1f} ms, p99 {percentile(disk, 0.99):.1f} ms"
    )
    if options.most is not None and p99 > options.most:
        sys.exit(f"p99 is above {options.most:g} ms")


if __name__ == "__main__":
    main()
