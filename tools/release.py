"""The check-list of a release, executed: ``python tools/release.py [--all] [--tag vX.Y.Z]``.

Prints a line for each point and ends with status 1 if one fails. Nothing is changed. Needs Python
alone; with --all the project's own environment (``./test`` makes it) for the long points.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Not there yet")


class WrongError(Exception):
    """A point that does not hold; the text says what to do."""


def text(name: str) -> str:
    """A file of the repository."""
    return (ROOT / name).read_text("utf-8")


def version() -> str:
    """The version by pyproject.toml, which counts."""
    return str(tomllib.loads(text("pyproject.toml"))["project"]["version"])


def found(pattern: str, name: str) -> str:
    """What a pattern finds in a file."""
    match = re.search(pattern, text(name), re.MULTILINE)
    if match is None:
        raise WrongError(f"{name}: nothing like {pattern}")
    return match[1]


def one_version() -> str:
    """The same version everywhere."""
    places = {
        "src/cotulenh/__init__.py": r'^__version__ = "(.*)"',
        "CITATION.cff": r"^version: (.*)",
    }
    for name, pattern in places.items():
        if found(pattern, name) != version():
            raise WrongError(f"{name} has {found(pattern, name)}, pyproject.toml {version()}")
    return version()


def tagged(tag: str | None) -> str:
    """The tag names this version."""
    if tag is not None and tag != f"v{version()}":
        raise WrongError(f"the tag {tag} is not v{version()}")
    return tag or "none given"


def dated_changelog() -> str:
    """The newest release in the changelog is this one, with a date that was."""
    day = found(rf"^## \[{re.escape(version())}\] - (\d{{4}}-\d\d-\d\d)$", "CHANGELOG.md")
    if date.fromisoformat(day) > date.today():
        raise WrongError(f"CHANGELOG.md: {day} is still to come")
    newest = found(r"^## \[(\d.*)\] - ", "CHANGELOG.md")
    if newest != version():
        raise WrongError(f"CHANGELOG.md: the newest release is {newest}")
    return day


def tidy_changelog() -> str:
    """Only the known sections, each once a release, and an Unreleased part on top."""
    parts = re.split(r"^## ", text("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    if not parts[0].startswith("[Unreleased]"):
        raise WrongError("CHANGELOG.md: the first part is [Unreleased]")
    for part in parts:
        heads = re.findall(r"^### (.*)$", part, re.MULTILINE)
        twice = sorted({head for head in heads if heads.count(head) > 1})
        unknown = sorted(set(heads) - set(SECTIONS))
        if twice or unknown:
            where = part.splitlines()[0]
            raise WrongError(f"CHANGELOG.md, {where}: sections {', '.join(twice + unknown)}")
    return f"{len(parts) - 1} releases"


def pythons() -> str:
    """Classifiers, requires-python and wheels speak of the same versions."""
    project = tomllib.loads(text("pyproject.toml"))
    told = re.findall(r"Python :: (3\.\d+)\b", "\n".join(project["project"]["classifiers"]))
    built = re.findall(r"cp(3)(\d+)-", " ".join(project["tool"]["cibuildwheel"]["build"]))
    if told != [".".join(pair) for pair in built]:
        raise WrongError(f"classifiers {told} but wheels {built}")
    if project["project"]["requires-python"] != f">={told[0]}":
        raise WrongError("requires-python is not the first of the classifiers")
    return " ".join(told)


def clean_tree() -> str:
    """Everything is committed."""
    changed = git("status", "--porcelain")
    if changed:
        raise WrongError(f"not committed: {changed.splitlines()[0].strip()}")
    return git("rev-parse", "--short", "HEAD")


def no_machine_paths() -> str:
    """No path of somebody's machine in what is published."""
    names = git("ls-files", "src", "docs", "core", "examples", "*.md", "*.toml").splitlines()
    for name in names:
        if name.endswith((".py", ".md", ".toml", ".cpp", ".hpp", ".js", ".yml", ".json")):
            bad = re.search(r"(?<![\w.])/(?:home|root|Users)/[a-z]\w*", text(name))
            if bad:
                raise WrongError(f"{name}: {bad[0]}")
    return f"{len(names)} files"


def measured() -> str:
    """The figures of the documentation come from a whole run."""
    kept = json.loads(text("docs/bench.json"))
    if kept["quick"] or kept["failed"]:
        raise WrongError(
            "docs/bench.json: python bench/all.py -o docs/bench.json on a quiet machine"
        )
    return f"{kept['machine']['date']}, {len(kept['rows'])} rows"


def workflows() -> str:
    """The workflows call scripts that are there."""
    called = set()
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        pattern = r"(?<![\w/])((?:\.ci|tools|bench|fuzz|\.github/workflows)/[\w.-]+)"
        for name in re.findall(pattern, path.read_text("utf-8")):
            called.add(name)
            if not (ROOT / name).exists():
                raise WrongError(f"{path.name}: there is no {name}")
    return f"{len(called)} scripts"


def git(*words: str) -> str:
    """What git says."""
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)
    return done.stdout.strip()


def command(*words: str) -> Callable[[], str]:
    """A point that holds if a command ends well."""

    def run() -> str:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise WrongError(f"{' '.join(words)}: {(done.stdout + done.stderr).strip()[-300:]}")
        return (done.stdout.strip().splitlines() or ["fine"])[-1]

    return run


def points(tag: str | None, everything: bool) -> Iterator[tuple[str, Callable[[], str]]]:
    """The list."""
    yield "one version everywhere", one_version
    yield "the tag", lambda: tagged(tag)
    yield "the changelog has this release and its date", dated_changelog
    yield "the changelog has the known sections, each once", tidy_changelog
    yield "classifiers, requires-python and wheels agree", pythons
    yield "the workflows call what is there", workflows
    yield "everything is committed", clean_tree
    yield "no paths of a machine", no_machine_paths
    yield "the figures are those of a whole run", measured
    if everything:
        yield "the stub is that of the core", command(".ci/stub")
        yield "tests", command("./test")
        yield "the long tests", command("./test", "-m", "long")
        yield (
            "documentation",
            command(*[".venv/bin/sphinx-build", "-W", "-q", "-b", "html", "docs", "build/docs"]),
        )
        yield "known weaknesses of dependencies", command(".ci/audit")
        yield "sdist and wheel", command(".ci/wheel")


def main() -> int:
    """Goes through the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="tests, documentation and wheel too")
    parser.add_argument("--tag", help="the tag that is to be released")
    args = parser.parse_args()
    failed = 0
    for name, check in points(args.tag, args.all):
        try:
            print(f"[x] {name}: {check()}", flush=True)
        except WrongError as wrong:
            failed += 1
            print(f"[ ] {name}: {wrong}", flush=True)
    print("by hand, once the repository has an address: [project.urls], CITATION.cff, and whole")
    print("addresses for the pictures and links of README.md, which PyPI shows")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
