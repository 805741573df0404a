"""Changes the law a little, many times, and looks whether a test notices.

python tools/mutate.py [--mutants 400] [--seed 1] [--files core/games/ctl/deploy.cpp …] [--again]
python tools/mutate.py --report

A mutant is one changed sign in a file of core/games or core/board: a comparison, a sum, a yes, a
number, an "and"; what were its operands stay its operands. All of them are written into one copy
under build/mutation, each behind a switch that an environment variable turns (tools/mutants.py), so
that everything is built once. Nothing is tried before that copy has passed all below with every
switch off; this also tells which laws and which tests execute which mutants
(tools/mutants_reached.py).

Then each mutant has to get past the kept perft numbers and the laws on random games
(fuzz/laws.cpp), which need no Python, and past every test of the law floor that executes it, the
short ones first. One that crashes, never ends or eats the memory is caught. One that nothing
executes has survived. Results are kept in build/mutation/results.jsonl: a run that was broken off
goes on, --again tries survivors once more.

What does not count: mutants that do not compile; those that mean the same as before, which
tools/mutants_equal.txt names with the reason; and what only the compiler evaluates (tables and
bounds that are constexpr), because no switch can be turned there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mutants import Mutant, Source, switched

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutation"
SOURCE, BUILD, PACKAGE = WORK / "source", WORK / "build", WORK / "package"
RESULTS, REACHED, NOTES = WORK / "results.jsonl", WORK / "reached", WORK / "notes.jsonl"
EQUAL = Path(__file__).with_name("mutants_equal.txt")
MEMORY = 6 << 30  # bytes that a mutant may take
#: Tests of the law floor, PGN and books.
TESTS = (
    *("tests/tables", "tests/law", "tests/rules", "tests/chess", "tests/pgn", "tests/book"),
    *("tests/cli/test_pgn.py", "tests/cli/test_pgn_tools.py", "tests/test_laws.py"),
    *("tests/test_games.py", "tests/env/test_states.py"),
)
SURVIVING = ("survived", "not executed")
Numbered = list[tuple[int, Mutant]]

SWITCH = """// The switches of the mutants. Compiling sees them all off.
#pragma once
#include <type_traits>
namespace cotulenh_mutation {
extern int on;
extern unsigned char* reached;
inline bool is_on(int number) { return reached[number] = 1, number == on; }
}
constexpr bool cotulenh_mutant(int number) {
    return !std::is_constant_evaluated() && cotulenh_mutation::is_on(number);
}
"""
# Set before any other object is made: the law's tables are made while the program loads.
SWITCHBOARD = """#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
namespace cotulenh_mutation {
static unsigned char own[COUNT];
int on = -1;
unsigned char* reached = own;
extern "C" __attribute__((visibility("default"))) void cotulenh_turn_on(int number) { on = number; }
__attribute__((constructor(101))) static void start() {
    if (const char* number = std::getenv("COTULENH_MUTANT")) on = std::atoi(number);
    const char* path = std::getenv("COTULENH_REACHED");
    const int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void* shared = mmap(nullptr, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) reached = static_cast<unsigned char*>(shared);
    close(file);
}
}
"""


# Choosing ----------------------------------------------------------------------------------------


def files() -> list[str]:
    """Every file of the law floor."""
    return sorted(
        str(path.relative_to(ROOT))
        for folder in ("core/games", "core/board")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".cpp", ".hpp")
    )


def source(file: str) -> Source:
    """A file of the law floor as it is."""
    return Source(file, (ROOT / file).read_text("utf-8"))


def chosen(wanted: int, seed: int, only: Sequence[str]) -> Numbered:
    """Mutants of all files, more of the longer ones, at least two of each that has any.

    Each file has dice of its own, so that a change of one leaves the mutants of the others.
    """
    by_file = {file: source(file).mutants() for file in files() if not only or file in only}
    total = sum(map(len, by_file.values()))
    mutants = []
    for file, found in by_file.items():
        share = min(len(found), max(2, round(wanted * len(found) / max(total, 1))))
        mutants += random.Random(f"{seed} {file}").sample(found, share)
    return list(enumerate(mutants))


def and_survivors(mutants: Numbered) -> Numbered:
    """These and all that survived an earlier run, whatever was chosen there."""
    known, there = results(), {mutant.name for _, mutant in mutants}
    others = [
        mutant
        for file in files()
        for mutant in source(file).mutants()
        if known.get(mutant.name) in SURVIVING and mutant.name not in there
    ]
    return [*mutants, *enumerate(others, len(mutants))]


# Building ----------------------------------------------------------------------------------------


def write(path: Path, text: str) -> None:
    """Leaves a file alone that says so already: what it makes need not be built again."""
    if not path.exists() or path.read_text("utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def copy_repository() -> None:
    """All but the law: tests read the documentation and the examples too."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wanted = {name for name in names.split("\0") if name and (ROOT / name).is_file()}
    law = set(files())
    for name in wanted - law:
        old, new = ROOT / name, SOURCE / name
        if not new.exists() or old.read_bytes() != new.read_bytes():
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(old, new)
    for path in list(SOURCE.rglob("*")):  # what is gone from the repository goes here too
        if path.is_file() and "__pycache__" not in path.parts:
            name = str(path.relative_to(SOURCE))
            if name not in wanted and not path.name.startswith("mutation_switch"):
                path.unlink()


def write_law(mutants: Numbered) -> None:
    """The law with these mutants in it."""
    by_file = defaultdict(list)
    for number, mutant in mutants:
        by_file[mutant.file].append((number, mutant))
    for file in files():
        write(SOURCE / file, switched((ROOT / file).read_text("utf-8"), by_file[file]))


def configure(count: int) -> None:
    """A build directory of the copy."""
    write(SOURCE / "core/board/mutation_switch.hpp", SWITCH)
    board = SWITCHBOARD.replace("COUNT", str(count))
    write(SOURCE / "core/board/mutation_switch.cpp", board)
    binaries = Path(sys.executable).parent
    flags = f"-O1 -w -include {SOURCE / 'core/board/mutation_switch.hpp'}"
    command = [
        *(str(binaries / "cmake"), "-G", "Ninja", "-S", str(SOURCE), "-B", str(BUILD)),
        *("-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_FLAGS_DEBUG={flags}", "-DCOTULENH_LTO=OFF"),
        *("-DCOTULENH_LAWS=ON", f"-DFUZZ_PYTHON={sys.executable}"),
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DCMAKE_MAKE_PROGRAM={binaries / 'ninja'}",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def build(mutants: Numbered, jobs: int) -> Numbered:
    """Builds everything; answers the mutants that compile, and whose neighbours in a line do."""
    ninja = [str(Path(sys.executable).parent / "ninja"), "-C", str(BUILD), f"-j{jobs}", "-k0"]
    for target in ("games", "laws", "_core"):
        while True:
            write_law(mutants)
            done = subprocess.run([*ninja, target], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                break
            wrong = set(re.findall(rf"{SOURCE}/(\S+?):(\d+):\d+: +error", done.stdout))
            left = [one for one in mutants if (one[1].file, str(one[1].line)) not in wrong]
            if len(left) == len(mutants):
                sys.exit(f"the law does not compile:\n{done.stdout[-3000:]}")
            mutants = left
    return mutants


def install() -> None:
    """The package with the module that was built."""
    shutil.rmtree(PACKAGE, ignore_errors=True)
    shutil.copytree(SOURCE / "src", PACKAGE)
    module = next(BUILD.glob("_core.*.so"))
    shutil.copy(module, PACKAGE / "cotulenh" / module.name)


# Running -----------------------------------------------------------------------------------------


def run(command: Sequence[str], seconds: float, **environment: str) -> tuple[bool, str]:
    """Whether a command ends well within so many seconds of processor time, and what it said.

    Waiting takes none of these: a command may last twenty times as long on a busy machine.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=SOURCE,
        env=environment_of(**environment),
        preexec_fn=limit,
        start_new_session=True,
    ) as process:
        try:
            said = process.communicate(timeout=20 * seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return False, "took too long"
    return process.returncode == 0, said


def laws() -> list[list[str]]:
    """The kept numbers and the laws, without Python."""
    program = str(BUILD / "fuzz" / "laws")
    suites = [
        [program, "perft", game, f"tests/perft/{game}.perft", "30000"]
        for game in ("official", "online", "blueprint", "chess")
    ]
    return [*suites, [program, "6000"]]


def pytest_command(tests: Iterable[str]) -> list[str]:
    """Pytest without the installed package."""
    options = ["-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-p", "mutants_reached"]
    python = [sys.executable, "-S", "-m", "pytest"]
    return [*python, *options, f"--basetemp={WORK / 'tmp'}", *tests]


def environment_of(**environment: str) -> dict[str, str]:
    """The built package in place of the installed one."""
    site = sysconfig.get_path("purelib")
    path = f"{PACKAGE}:{Path(__file__).parent}:{site}"
    return {**os.environ, "PYTHONPATH": path, **environment}


def clear(count: int) -> None:
    """No mutant is executed yet."""
    REACHED.write_bytes(bytes(count))


def record_laws(count: int) -> list[set[int]]:
    """Which mutants each law executes; ends unless all pass with every switch off."""
    by_law = []
    for law in laws():
        clear(count)
        good, said = run(law, 600, COTULENH_REACHED=str(REACHED))
        if not good:
            sys.exit(f"the unchanged law does not pass: {said}")
        by_law.append({i for i, mark in enumerate(REACHED.read_bytes()) if mark})
    return by_law


def record_tests(count: int) -> list[dict[str, Any]]:
    """Which mutants each test executes; kept until the law or a test changes."""
    made_from = [*BUILD.glob("_core.*.so"), *SOURCE.glob("tests/**/*.*")]
    newest = max(path.stat().st_mtime for path in made_from if "__pycache__" not in path.parts)
    if not NOTES.exists() or NOTES.stat().st_mtime < newest:
        clear(count)
        fresh = NOTES.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        marks = {"COTULENH_REACHED": str(REACHED), "COTULENH_NOTES": str(fresh)}
        good, said = run(pytest_command(TESTS), 6000, **marks)
        if not good:
            sys.exit(f"the unchanged law does not pass the tests:\n{said[-3000:]}")
        fresh.rename(NOTES)
    return [json.loads(line) for line in NOTES.read_text("utf-8").splitlines()]


def caught_by_laws(number: int, by_law: Sequence[set[int]], seconds: float) -> str:
    """The first law that notices a mutant, or nothing."""
    for law, reached in zip(laws(), by_law, strict=True):
        if number in reached and not run(law, seconds, COTULENH_MUTANT=str(number))[0]:
            return " ".join(law[1:3])
    return ""


def varied(notes: Sequence[dict[str, Any]], budget: float) -> list[dict[str, Any]]:
    """Tests in the order in which they are asked: short ones first, and of a test that comes with
    many parameters one before the seconds of others; as many as fit into the budget.
    """
    met: Counter[str] = Counter()
    ranked = []
    for note in sorted(notes, key=lambda note: note["seconds"]):
        function = note["test"].split("[")[0]
        ranked.append((met[function], note["seconds"], note))
        met[function] += 1
    chosen_, spent = [], 0.0
    for _, seconds, note in sorted(ranked, key=lambda row: row[:2]):
        if spent + seconds <= budget:
            spent += seconds
            chosen_.append(note)
    return chosen_


def jobs_of(mutants: Numbered, notes: list[dict[str, Any]], budget: float) -> list[dict[str, Any]]:
    """For each mutant the tests to ask, with the seconds they take."""
    # What is made while the program loads may be seen anywhere, and needs a fresh program.
    loading = next(note for note in notes if not note["test"])["reached"]
    jobs = []
    for number, _ in mutants:
        fresh = number in loading
        met = [note for note in notes if note["test"] and (fresh or number in note["reached"])]
        tests = {note["test"]: note["seconds"] for note in varied(met, budget)}
        jobs.append({"number": number, "fresh": fresh, "tests": tests})
    return jobs


def caught_by_tests(jobs: list[dict[str, Any]], **environment: str) -> Iterator[tuple[int, str]]:
    """The number of each mutant, and what noticed it."""
    path = WORK / "jobs.json"
    path.write_text(json.dumps(jobs), "utf-8")
    files_ = dict.fromkeys(test.split("::")[0] for job in jobs for test in job["tests"])
    if not files_:
        yield from ((job["number"], "") for job in jobs)
        return
    read, write_ = os.pipe()
    with subprocess.Popen(
        pytest_command(files_),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=SOURCE,
        pass_fds=[write_],
        env=environment_of(COTULENH_JOBS=str(path), COTULENH_ANSWERS=str(write_), **environment),
    ):
        os.close(write_)
        answered = set()
        with os.fdopen(read, encoding="utf-8") as answers:
            for line in answers:
                answer = json.loads(line)
                answered.add(answer["number"])
                yield answer["number"], answer["by"]
    for job in jobs:
        if job["number"] not in answered:
            yield job["number"], "the tests cannot even begin"


# Results -----------------------------------------------------------------------------------------


def keep(mutant: Mutant, result: str, by: str = "") -> None:
    """Keeps and says how it went."""
    with RESULTS.open("a", encoding="utf-8") as out:
        out.write(json.dumps({"name": mutant.name, "result": result, "by": by}) + "\n")
    print(f"{result:16} {mutant.name}   {by}", flush=True)


def results() -> dict[str, str]:
    """What is known of earlier runs, by name; of mutants that are still possible."""
    if not RESULTS.exists():
        return {}
    possible = {mutant.name for file in files() for mutant in source(file).mutants()}
    rows = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]
    return {row["name"]: row["result"] for row in rows if row["name"] in possible}


def excused() -> set[str]:
    """The mutants that mean the same as before. Lines that begin with # give the reasons."""
    lines = EQUAL.read_text("utf-8").splitlines() if EQUAL.exists() else []
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


def counts_of(source_: Source) -> tuple[int, int]:
    """How many places of a file can be switched, and how many only the compiler evaluates."""
    return len(source_.mutants()), source_.constants()


def report() -> None:
    """How many were caught, file by file, and who survived."""
    equal = excused()
    known = {
        name: "equal" if result in SURVIVING and name in equal else result
        for name, result in results().items()
    }
    kinds = ("caught by laws", "caught by tests", *SURVIVING, "equal")
    by_file: dict[str, Counter[str]] = defaultdict(Counter)
    for name, result in known.items():
        by_file[name.split(" | ")[0]][result] += 1
    print(f"{'':32}" + "".join(f"{kind:>17}" for kind in kinds))
    for file, counts in sorted(by_file.items()):
        print(f"{file:32}" + "".join(f"{counts[kind]:17}" for kind in kinds))
    for name, result in known.items():
        if result in SURVIVING:
            print(f"{result}: {name}")
    total = Counter(known.values())
    caught = total["caught by laws"] + total["caught by tests"]
    left = total["survived"] + total["not executed"]
    share = 100 * caught / max(1, caught + left)
    by = f"{total['caught by laws']} by the laws, {total['caught by tests']} by tests"
    print(f"{caught + left} mutants, {caught} caught ({by}), {left} survived: {share:.1f} %")
    others = f"{total['equal']} mean the same as before, {total['not compiled']} did not compile"
    print(f"{others}, {total['constant']} only the compiler evaluates")
    sources = [source(file) for file in files()]
    places, constants = (sum(n) for n in zip(*map(counts_of, sources), strict=True))
    print(f"of {places} places that can be switched; {constants} more are a matter of compiling")


def try_all(mutants: Numbered, left: Numbered, seconds: float, budget: float) -> None:
    """Those that are left, of all that were built: all against the laws, then against the tests."""
    count = max(number for number, _ in mutants) + 1
    by_law, notes = record_laws(count), record_tests(count)
    reached = set().union(*by_law, *(note["reached"] for note in notes))
    past = []
    for number, mutant in left:
        if number not in reached:
            keep(mutant, "not executed" if mutant.runs else "constant")
        elif by := caught_by_laws(number, by_law, seconds):
            keep(mutant, "caught by laws", by)
        else:
            past.append((number, mutant))
    jobs, named = jobs_of(past, notes, budget), dict(past)
    fresh = [job for job in jobs if job["fresh"]]
    rounds = [caught_by_tests([job for job in jobs if not job["fresh"]])]
    rounds += [caught_by_tests([job], COTULENH_MUTANT=str(job["number"])) for job in fresh]
    for number, by in itertools.chain.from_iterable(rounds):
        keep(named[number], "caught by tests" if by else "survived", by)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5, help="of processor, for each law")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds of tests for a mutant")
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--again", action="store_true", help="try survivors once more")
    parser.add_argument("--jobs", type=int, default=1, help="of the compiler")
    parser.add_argument("--report", action="store_true")
    given = parser.parse_args()
    if not given.report:
        mutants = chosen(given.mutants, given.seed, given.files)
        if given.again:
            mutants = and_survivors(mutants)
        copy_repository()
        configure(len(mutants))
        known = results()
        hopeful = [one for one in mutants if known.get(one[1].name) != "not compiled"]
        compiled = build(hopeful, given.jobs)
        install()
        for _, mutant in set(hopeful) - set(compiled):
            keep(mutant, "not compiled")
        wanted, equal = {"", *(SURVIVING if given.again else ())}, excused()
        left = [
            one
            for one in compiled
            if known.get(one[1].name, "") in wanted
            and (one[1].name not in equal or one[1].name not in known)
        ]
        if left:
            try_all(compiled, left, given.seconds, given.budget)
    report()


if __name__ == "__main__":
    main()
