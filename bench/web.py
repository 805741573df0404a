"""How long a move takes on a busy server, and what the page costs a visitor.

    python bench/web.py [--games 200] [--rate 2] [--seconds 60] [--turns 600] [--no-page]

First the page in Debian's Chromium, if there is one: bytes, requests and the time until it can be
used, of a first visit and of a second one; then the time the page takes to draw a move, from the
server's message to a finished layout, in a game of so many turns, and the page's processor time for
a whole move, the two clicks included.

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
import statistics
import sys
import time
import urllib.request

from beside import processor_seconds
from guest import Guest, post, server


async def run(process, port, games, rate, seconds):
    opened = []
    for _ in range(games):
        opened.append(await Guest(port).open())
    print(f"{len(opened)} games open", flush=True)
    times, tasks = [], []

    async def one():
        took = await random.choice(opened).random_move()
        if took is not None:
            times.append(took * 1000)

    before = processor_seconds(process)
    began = time.monotonic()
    for n in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + n / rate - time.monotonic()))
        tasks.append(asyncio.create_task(one()))
    await asyncio.gather(*tasks)
    used = processor_seconds(process) - before
    for game in opened:
        await game.close()
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


# The page ---------------------------------------------------------------------------------------

CHROMIUM = "/usr/bin/chromium"
# Every message the page gets is timed, the layout that follows it included.
TIMED = """
const real = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
window.times = [];
Object.defineProperty(WebSocket.prototype, "onmessage", {
  set(handler) {
    real.set.call(this, (event) => {
      const began = performance.now();
      handler(event);
      document.body.getBoundingClientRect();
      window.times.push(performance.now() - began);
    });
  },
});
"""


def long_game(turns):
    """Moves of a game that does not end: no repetition, and a take before the clock runs out."""
    from cotulenh import Board

    best = []
    for seed in range(20):
        texts = _walk(Board(), random.Random(seed), turns)
        best = max(best, texts, key=len)
        if len(best) == turns:
            break
    return best


def _walk(board, chance, turns):
    """A game by chance that goes on as long as it can."""
    texts = []
    while len(texts) < turns:
        moves = [m for m in board.legal_moves if not m.is_deploy]
        takes = [m for m in moves if m.kind.name in ("CAPTURE", "STAY", "EXCHANGE")]
        quiet = [m for m in moves if m.kind.name == "NORMAL"]
        wanted = takes if takes and board.halfmove_clock > 60 else quiet or moves
        for move in chance.sample(wanted, min(8, len(wanted))):
            board.push(move)
            if board.outcome() is None:
                texts.append(move.lan())
                break
            board.pop()
        else:
            return texts
    return texts


async def play_out(port, texts):
    """Plays a game of our own on the server."""
    game = await Guest(port).open()
    for text in texts:
        await game.move(text)
        await asyncio.sleep(0.05)  # below the server's limit for one page
    await game.close()
    return game


def visit(context, url):
    page = context.new_page()
    sizes = []
    page.on("requestfinished", lambda r: sizes.append(network_bytes(r)))
    began = time.perf_counter()
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector(".board .stack")
    usable = (time.perf_counter() - began) * 1000
    page.wait_for_timeout(1500)
    asked = [size for size in sizes if size is not None]
    page.close()
    return usable, len(asked), sum(asked)


def network_bytes(request):
    """What a request brought over the network; nothing if a cache answered."""
    answer = request.response()
    if answer is None or answer.from_service_worker:
        return None
    size = request.sizes()["responseBodySize"] + request.sizes()["responseHeadersSize"]
    return size if size > 0 else None


def page_figures(port, turns):
    from playwright.sync_api import sync_playwright

    url = f"http://127.0.0.1:{port}/"
    game = asyncio.run(play_out(port, long_game(turns)))
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        for name in ("first", "second"):
            usable, requests, size = visit(context, url)
            print(
                f"{name} visit: usable after {usable:.0f} ms,"
                f" {requests} requests, {size / 1024:.0f} KiB",
                flush=True,
            )
        times, cpu = draw_times(context, url, game)
        browser.close()
    print(
        f"a move in a game of {len(game.state['moves'])} turns is drawn in"
        f" {statistics.median(times):.1f} ms, worst {max(times):.1f} ms ({len(times)} moves);"
        f" {cpu:.1f} ms of processor for scripts, styles and layout"
    )


def draw_times(context, url, game, moves=20):
    context.add_init_script(TIMED)
    page = context.new_page()
    page.goto(url)
    page.evaluate(f"localStorage.setItem('cotulenh.key', '{game.key}')")
    page.goto(f"{url}game/{game.id}")
    page.wait_for_selector(".board .stack")
    page.evaluate("window.times.length = 0")
    tools = context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before_all = page_cpu(tools)
    view = game.state["view"]
    for _ in range(moves):
        pieces = view["pieces"]
        free = [m for m in view["moves"] if m["to"] not in pieces and len(pieces[m["from"]]) == 1]
        if not free:  # the game has come to its end
            break
        move = random.choice(free)
        before = page.evaluate("window.times.length")
        for name in (move["from"], move["to"]):
            page.locator(f'[data-sq="{name}"]').click()
        while page.evaluate("window.times.length") == before:
            page.wait_for_timeout(10)
        view = post(f"{url}api/position", {"fen": state_fen(url, game.id)})
    times = page.evaluate("window.times")
    cpu = (page_cpu(tools) - before_all) / len(times)
    page.close()
    return times, cpu


def page_cpu(tools):
    """Milliseconds of processor the page has used; other work on the machine does not count."""
    found = tools.send("Performance.getMetrics")["metrics"]
    parts = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
    return 1000 * sum(one["value"] for one in found if one["name"] in parts)


def state_fen(url, game):
    with urllib.request.urlopen(f"{url}api/games/{game}") as answer:
        return json.loads(answer.read())["view"]["fen"]


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--turns", type=int, default=600, help="of the game the page draws")
    parser.add_argument("--no-page", action="store_true", help="only the server")
    parser.add_argument("--most", type=float, help="fail if the 99th percentile is above (ms)")
    options = parser.parse_args()
    games, rate = min(options.games, 500), min(options.rate, 50)
    seconds = min(options.seconds, 300)
    with server() as (process, port, data):
        if not options.no_page and os.path.exists(CHROMIUM):
            page_figures(port, min(options.turns, 1000))
        times, cpu = asyncio.run(run(process, port, games, rate, seconds))
        disk = baseline(data)
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
