"""Changes the law a little, many times, and looks whether a test notices.

python tools/mutate.py [--mutants 300] [--seed 1] [--files core/games/ctl/deploy.cpp …] [--report]

A mutant is one changed sign in a file of core/games or core/board: a comparison, a sum, a yes, a
number, an "and". It is built without link-time optimization in a copy under build/mutation (for a
header the law floor is compiled as one file, which takes a third of the time), then has to get past
the kept perft numbers and the laws on random games (fuzz/laws.cpp), which need no Python, and then
past the tests. Reading PGN and books is no part of the laws: those go to the tests at once. Results
are kept in build/mutation/results.jsonl: a run that was broken off goes on. A mutant that does not
compile does not count; one that the compiler makes into the same program does, until it is named in
tools/mutants_equal.txt with the reason. Nothing is tried before the unchanged law has passed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutation"
SOURCE, RESULTS = WORK / "source", WORK / "results.jsonl"
BUILD, WHOLE = WORK / "build", WORK / "whole"  # file by file; the law floor as one file
PAST = "past the laws"
MEMORY = 6 << 30  # bytes that a mutant may take
APART = "core/games/ctl/notation.cpp"  # its private names are those of other files too
EQUAL = Path(__file__).with_name("mutants_equal.txt")
#: What is changed into what. Signs stand between blanks, so that templates are left alone.
CHANGES = (
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" & ", " | "),
    (r" \| ", " & "),
    (r" \^ ", " | "),
    (r" \|= ", " &= "),
    (r" &= ", " |= "),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<=[(\s])!(?=[a-z(*])", ""),
    (r"\+\+", "--"),
    (r"\bcontinue;", "break;"),
    (r"\bbreak;", "continue;"),
    (r"(?<=[ (\[])([0-9])(?=[;,) \]])", None),  # a small number: one more
)
SKIPPED = re.compile(r"^\s*(//|#|static_assert|template|using|friend|namespace)")


def files() -> list[Path]:
    """Every file of the law floor."""
    return sorted(
        path.relative_to(ROOT)
        for folder in ("core/games", "core/board")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".cpp", ".hpp")
    )


def places(path: Path) -> list[tuple[int, str, str]]:
    """Line number, the line and the changed line, for everything that may be changed in a file."""
    found = []
    for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1):
        code = line.split("//")[0]
        if SKIPPED.match(line) or '"' in code or "'" in code:
            continue
        for pattern, new in CHANGES:
            for match in re.finditer(pattern, code):
                word = str(int(match[1]) + 1) if new is None else new
                found.append((number, line, line[: match.start()] + word + line[match.end() :]))
    return found


def chosen(wanted: int, seed: int, only: list[str]) -> list[dict[str, Any]]:
    """Mutants of all files, more of the longer ones, at least two of each that has any."""
    dice = random.Random(seed)
    by_file = {path: places(path) for path in files() if not only or str(path) in only}
    total = sum(map(len, by_file.values()))
    mutants: list[dict[str, Any]] = []
    for path, found in by_file.items():
        share = min(len(found), max(2, round(wanted * len(found) / max(total, 1))))
        for line, before, after in dice.sample(found, share):
            mutants.append({"file": str(path), "line": line, "before": before, "after": after})
    dice.shuffle(mutants)
    mutants.sort(key=lambda mutant: mutant["file"].endswith(".hpp"))  # headers take long to build
    return mutants[: max(wanted, len(by_file))] if not only else mutants


def name(mutant: dict[str, Any]) -> str:
    """The same mutant in another run, also when lines above it have come or gone."""
    return f"{mutant['file']} | {mutant['before'].strip()} | {mutant['after'].strip()}"


def prepare() -> None:
    """A copy of the sources that may be spoilt, and its build directory."""
    if SOURCE.exists():
        shutil.rmtree(SOURCE)
    SOURCE.mkdir(parents=True)
    # All of the repository: tests read the documentation and the examples too.
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name_ in filter(None, names.split("\0")):
        if (ROOT / name_).is_file():
            (SOURCE / name_).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name_, SOURCE / name_)
    with (SOURCE / "CMakeLists.txt").open("a") as out:
        out.write(f"set_source_files_properties({APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)")
    configure(BUILD)
    configure(WHOLE, "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=100")


def configure(directory: Path, *options: str) -> None:
    """A build directory of the copy."""
    binaries = Path(sys.executable).parent
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    subprocess.run(
        [
            *(str(binaries / "cmake"), "-G", "Ninja", "-S", str(SOURCE), "-B", str(directory)),
            *("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DCOTULENH_LTO=OFF"),
            *("-DCOTULENH_LAWS=ON", f"-DFUZZ_PYTHON={sys.executable}", *launcher, *options),
            *(
                f"-DPython_EXECUTABLE={sys.executable}",
                f"-DCMAKE_MAKE_PROGRAM={binaries / 'ninja'}",
            ),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def build(target: str, directory: Path = BUILD) -> bool:
    """Whether it compiles."""
    ninja = [str(Path(sys.executable).parent / "ninja"), "-C", str(directory), target]
    return subprocess.run(ninja, capture_output=True, check=False).returncode == 0


def passes(command: list[str], seconds: int, **options: Any) -> bool:
    """Whether a command ends well within so many seconds of processor time, ten times that in all.

    What waits for ever uses none of the former, what runs on a busy machine much of the latter.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    try:
        done = subprocess.run(
            command,
            timeout=10 * seconds,
            capture_output=True,
            check=False,
            cwd=SOURCE,
            preexec_fn=limit,
            **options,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def gate(directory: Path, seconds: int) -> bool:
    """The kept numbers and the laws, without Python."""
    laws = str(directory / "fuzz" / "laws")
    suites = [
        [laws, "perft", game, f"tests/perft/{game}.perft", "30000"]
        for game in ("official", "online", "blueprint", "chess")
    ]
    return all(passes(command, seconds) for command in [*suites, [laws, "6000"]])


#: What is likely to notice first, by a word of the file's name; all the rest follows.
FIRST = {
    "pgn": ("tests/pgn/test_cases.py", "tests/pgn/test_read.py", "tests/pgn/test_game.py"),
    "chess": ("tests/chess/test_board.py", "tests/chess/test_hostile.py"),
    "notation": ("tests/law/test_article_12_text.py", "tests/law/test_hostile.py"),
    "fen": ("tests/law/test_article_11_fen.py", "tests/law/test_hostile.py"),
    "refusal": ("tests/law/test_refusals.py",),
}


def tests_of(path: str) -> list[str]:
    """The tests that are likely to notice first, then the others of the law floor."""
    first = [test for word, tests in FIRST.items() if word in path for test in tests]
    if "pgn" in path:
        return [*first, "tests/pgn", "tests/cli/test_pgn.py"]
    if "book" in path:
        return ["tests/book"]
    law, chess = ["tests/law", "tests/rules", "tests/tables"], ["tests/chess"]
    both = [*chess, *law] if "chess" in path else [*law, *chess]
    return [*first, *both, "tests/test_laws.py", "tests/pgn/test_cases.py"]


def tested(path: str, seconds: int) -> bool:
    """The tests, with the mutated module in place of the installed one."""
    package = WORK / "package"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(SOURCE / "src", package)
    module = next(BUILD.glob("_core.*.so"))
    shutil.copy(module, package / "cotulenh" / module.name)
    site = subprocess.run(
        [sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    environment = {**os.environ, "PYTHONPATH": f"{package}:{site}"}
    pytest = [sys.executable, "-S", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    return passes([*pytest, *tests_of(path)], seconds, env=environment)


@contextmanager
def applied(mutant: dict[str, Any]) -> Iterator[bool]:
    """The copy with this change in it; no if the line has changed since."""
    path = SOURCE / mutant["file"]
    kept = path.read_text("utf-8")
    lines = kept.split("\n")
    if lines[mutant["line"] - 1] != mutant["before"]:
        yield False
        return
    lines[mutant["line"] - 1] = mutant["after"]
    path.write_text("\n".join(lines), "utf-8")
    try:
        yield True
    finally:
        path.write_text(kept, "utf-8")


def against_laws(mutant: dict[str, Any], seconds: int) -> str:
    """How a mutant gets on with the laws."""
    if re.search("pgn|book", mutant["file"]):
        return PAST
    with applied(mutant) as there:
        if not there:
            return "gone"
        directory = WHOLE if mutant["file"].endswith(".hpp") else BUILD
        if not build("laws", directory):
            return "not compiled"
        return PAST if gate(directory, seconds) else "caught by laws"


def against_tests(mutant: dict[str, Any], seconds: int) -> str:
    """How a mutant that got past the laws ends."""
    with applied(mutant) as there:
        if not there:
            return "gone"
        if not build("_core"):
            return "not compiled"
        return "survived" if tested(mutant["file"], 20 * seconds) else "caught by tests"


def check_tests(mutants: list[dict[str, Any]], seconds: int) -> None:
    """Ends the program unless the unchanged law passes the tests, which else catch anything."""
    if not build("_core"):
        sys.exit("the unchanged law does not compile")
    checked = set()
    for path in (mutant["file"] for mutant in mutants):
        tests = tuple(sorted(set(tests_of(path))))
        if tests not in checked and not tested(path, 20 * seconds):
            sys.exit(f"the unchanged law does not pass the tests of {path}")
        checked.add(tests)


def note(mutant: dict[str, Any], result: str) -> None:
    """Keeps and says how it went."""
    with RESULTS.open("a", encoding="utf-8") as out:
        out.write(json.dumps({"name": name(mutant), "result": result}) + "\n")
    print(f"{result:16} {name(mutant)}", flush=True)


def results() -> dict[str, str]:
    """What is known of earlier runs, by name."""
    if not RESULTS.exists():
        return {}
    rows = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]
    return {row["name"]: row["result"] for row in rows}


def report() -> None:
    """How many were caught, and who survived."""
    known = results()
    equal = EQUAL.read_text("utf-8") if EQUAL.exists() else ""
    excused = [n for n, r in known.items() if r == "survived" and n in equal]
    counts = Counter(known.values())
    caught = counts["caught by laws"] + counts["caught by tests"]
    left = [n for n, r in known.items() if r == "survived" and n not in equal]
    for mutant in left:
        print(f"survived: {mutant}")
    counted = caught + len(left)
    share = 100 * caught / counted if counted else 0
    by = f"{counts['caught by laws']} by the laws, {counts['caught by tests']} by tests"
    print(f"{counted} mutants, {caught} caught ({by}), {len(left)} survived: {share:.1f} %")
    if counts[PAST]:
        print(f"{counts[PAST]} got past the laws and were not tried against the tests yet")
    print(f"{counts['not compiled']} did not compile, {len(excused)} mean the same as before")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=15, help="of processor, for the laws")
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--report", action="store_true")
    given = parser.parse_args()
    if given.report:
        return report()
    prepare()
    for directory in (BUILD, WHOLE):
        if not build("laws", directory) or not gate(directory, given.seconds):
            sys.exit("the unchanged law does not pass")
    # All against the laws first, which takes seconds; those that are left against the tests.
    mutants = chosen(given.mutants, given.seed, given.files)
    for attempt, before in ((against_laws, None), (against_tests, PAST)):
        known = results()
        left = [mutant for mutant in mutants if known.get(name(mutant)) == before]
        if attempt is against_tests:
            check_tests(left, given.seconds)
        for mutant in left:
            note(mutant, attempt(mutant, given.seconds))
    return report()


if __name__ == "__main__":
    main()
