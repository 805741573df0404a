"""Every bench in one run, with the machine described: the figures of the documentation.

    python bench/all.py [--quick] [--only NAME …] [-o docs/bench.json]

Runs the other scripts of this folder one after the other (about ten minutes on two quiet cores;
--quick, a minute, only shows that it works) and writes one JSON file. The tables and charts of
docs/speed.md, docs/strength.md, docs/hosting.md and docs/benchmarks.md are drawn from that file
when the documentation is built. `python bench/compare.py OLD.json NEW.json` names what got slower.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cotulenh

HERE = Path(__file__).parent
STOCKFISH = shutil.which("stockfish", path=f"{os.environ.get('PATH')}:/usr/games")


def machine():
    """What the figures depend on besides the code."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "version": cotulenh.__version__,
        "commit": output("git", "-C", str(HERE), "describe", "--always", "--dirty"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(memory() / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "compiler": output("c++", "--version").split("\n")[0],
        "stockfish": stockfish(),
        "load": round(os.getloadavg()[0], 2),
    }


def output(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def processor():
    try:
        return re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def stockfish():
    if STOCKFISH is None:
        return ""
    done = subprocess.run([STOCKFISH], input="quit\n", capture_output=True, text=True)
    return done.stdout.split("\n")[0].partition(" by ")[0]


def script(name, *options):
    """Runs a script of this folder that writes rows."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "rows.json")
        run([sys.executable, str(HERE / name), *options, "--json", str(target)])
        return json.loads(target.read_text("utf-8"))


def run(command, **options):
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()[-500:]}")
    return done.stdout


def chess(quick):
    return script("chess.py", *(["--rounds", "1", "--depth", "5"] if quick else ["--rounds", "9"]))


def perft(quick):
    return script("perft.py", *(["--rounds", "1", "--depth", "2"] if quick else ["--rounds", "5"]))


def attacks(_quick):
    text = run([str(HERE / "attacks")], stdout=subprocess.PIPE)
    return list(attack_rows(text))


def attack_rows(text):
    """The lines of bench/attacks: a name, then nanoseconds of stepping, ray scan and magic."""
    for line in text.splitlines():
        found = re.match(r"(.+?)\s{2,}([\d.]+)\s+([\d.]+)\s+([\d.]+)", line)
        if found:
            name, step, scan, magic = found[1], *map(float, found.groups()[1:])
            more = {"beside": step, "scan": scan, "ratio": step / magic}
            row = {"table": "attacks", "name": name, "value": magic, "unit": "ns"}
            yield row | {"better": "less"} | more


def search(quick):
    command = [sys.executable, str(HERE / "search.py"), "--json"]
    seconds = ["--seconds", "0.02" if quick else "1"]
    found = json.loads(run([*command, *seconds], stdout=subprocess.PIPE))
    speeds = {(r["engine"], r["game"], r["threads"]): r["nps"] for r in found if "engine" in r}
    for (engine, game, threads), nps in speeds.items():
        if threads == 1:
            two = speeds.get((engine, game, 2))
            more = {"two": two, "ratio": two / nps} if two else {}
            yield row("search", f"{engine}, {game}", nps, "nodes/s", "more", **more)


def signature(_quick):
    found = json.loads(run([*COTULENH, "bench", "--json"], stdout=subprocess.PIPE))
    for one in found:
        more = {"signature": one["signature"]}
        yield row("signature", one["game"], one["nps"], "nodes/s", "more", **more)


def pgn(quick):
    command = [sys.executable, str(HERE / "pgn.py"), "--json", "--mb", "0.2" if quick else "2"]
    for one in json.loads(run(command, stdout=subprocess.PIPE)):
        name = f"{one['file']}: {one['work']}"
        more = {"games": one["games/s"], "memory": one["memory MB"]}
        yield row("pgn", name, one["MB/s"], "MB/s", "more", **more)


def env(quick):
    few = ["--seconds", "0.05", "--rounds", "1"]
    return script("env.py", *(few if quick else ["--seconds", "1"]))


def abi(quick):
    """Two wheels are built for it; without Python 3.12 or newer there is no such table."""
    if quick:
        return script("abi.py", "--rounds", "1")
    try:
        return script("abi.py", "--compare")
    except RuntimeError as error:
        if "is needed" not in str(error):
            raise
        print(f"    left out: {error}", flush=True)
        return []


def hosting(quick):
    return script("hosting.py", *(["--quick"] if quick else []))


def matches(quick):
    """Short matches: their intervals are wide. docs/strength.md has the long ones."""
    plan = [
        ("against random play, 20 ms a move", "random", "official", 0.02, 40),
        ("against the greedy player, 20 ms a move", "greedy", "official", 0.02, 40),
        ("100 ms against 20 ms", "engine,time=0.02", "official", 0.1, 12),
    ]
    if STOCKFISH:
        other = f"uci:{STOCKFISH},UCI_LimitStrength=true,UCI_Elo=2400,Hash=16"
        name = "chess: 100 ms against Stockfish limited to 2400"
        plan.append((name, other, "chess", 0.1, 12))
    for name, other, game, seconds, games in plan:
        command = [*COTULENH, "match", "engine", other, "-g", game, "--time", str(seconds)]
        few = ["--max-turns", "2", "--balance", "0"] if quick else []
        command += ["-n", str(2 if quick else games), "-j", "2", "--json", *few]
        found = json.loads(run(command, stdout=subprocess.PIPE))
        more = {"games": found["games"], "result": result_of(found), "elo": found.get("elo")}
        yield row("matches", name, 100 * found["score"], "%", "more", **more)


def result_of(found):
    return f"+{found['wins']} ={found['draws']} −{found['losses']}"


def row(table, name, value, unit, better, **more):
    return {"table": table, "name": name, "value": value, "unit": unit, "better": better} | more


COTULENH = [sys.executable, "-m", "cotulenh"]
SECTIONS = [signature, chess, perft, attacks, search, pgn, env, abi, hosting, matches]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="Seconds instead of minutes.")
    parser.add_argument("--only", nargs="+", choices=[s.__name__ for s in SECTIONS])
    parser.add_argument("-o", "--output", default="bench.json", help="[default: bench.json]")
    args = parser.parse_args()
    chosen = [s for s in SECTIONS if not args.only or s.__name__ in args.only]
    kept = {"machine": machine(), "quick": args.quick, "seconds": {}, "rows": [], "failed": {}}
    began = time.monotonic()
    for number, section in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {section.__name__} ...", flush=True)
        start = time.monotonic()
        try:
            kept["rows"] += list(section(args.quick))
        except (RuntimeError, OSError, KeyError, ValueError) as error:
            kept["failed"][section.__name__] = f"{type(error).__name__}: {error}"
            print(f"    failed: {error}", flush=True)
        kept["seconds"][section.__name__] = round(time.monotonic() - start, 1)
        Path(args.output).write_text(rounded(kept), "utf-8")
        print(f"    {kept['seconds'][section.__name__]} s", flush=True)
    print(f"{len(kept['rows'])} rows in {args.output}, {time.monotonic() - began:.0f} s")
    return 1 if kept["failed"] else 0


def rounded(value):
    """As JSON, floats with four digits: more nobody measured."""

    def short(thing):
        if isinstance(thing, float):
            return float(f"{thing:.4g}")
        if isinstance(thing, dict):
            return {name: short(part) for name, part in thing.items()}
        return [short(part) for part in thing] if isinstance(thing, list) else thing

    return json.dumps(short(value), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
