"""What a wheel must and must not hold: ``wheel_contents.py FILE.whl``."""

import sys
import zipfile

NEEDED = [
    "cotulenh/py.typed",
    "cotulenh/_core/__init__.pyi",
    "cotulenh/rules/official.toml",
    "cotulenh/data/networks/blueprint.nnue",
    "cotulenh/data/networks/chess.nnue",
    "cotulenh/data/networks/cotulenh.nnue",
    "cotulenh/data/networks/online.nnue",
    "cotulenh/web/static/index.html",
    ".dist-info/licenses/LICENSE",
    ".dist-info/sboms/cotulenh.cdx.json",
]


def main() -> int:
    """Names what is missing or too much."""
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        names = wheel.namelist()
        metadata = wheel.read(next(n for n in names if n.endswith(".dist-info/METADATA"))).decode()
    wrong = [f"missing: {name}" for name in NEEDED if not any(n.endswith(name) for n in names)]
    wrong += [f"not wanted: {n}" for n in names if n.startswith(("tests/", "docs/", "core/"))]
    wrong += [f"not wanted: {n}" for n in names if n.endswith((".cpp", ".hpp", ".pyc", ".js.map"))]
    if not metadata.partition("License-Expression: MIT")[1]:
        wrong.append("no License-Expression (PEP 639)")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
