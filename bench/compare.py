"""Names what got slower between two files of bench/all.py.

    python bench/compare.py OLD.json NEW.json [--tolerance 10]

Exit status 1 if something is worse by more than the tolerance (per cent). Figures of different
machines, or of quick runs, are compared with a warning. Matches are left to their intervals.
"""

import argparse
import json
import sys
from pathlib import Path

MACHINE = ("processor", "cores", "python", "compiler")


def changes(old, new):
    """Table, name, both values, and the change for the better in per cent."""
    before = {(r["table"], r["name"]): r for r in old["rows"]}
    for row in new["rows"]:
        was = before.get((row["table"], row["name"]))
        if was and row["table"] != "matches" and was["value"] and row["value"]:
            ratio = row["value"] / was["value"]
            gain = ratio if row["better"] == "more" else 1 / ratio
            yield row, was["value"], 100 * (gain - 1)


def warnings(old, new):
    for name in MACHINE:
        if old["machine"][name] != new["machine"][name]:
            yield f"{name}: {old['machine'][name]} and {new['machine'][name]}"
    if old["quick"] or new["quick"]:
        yield "a quick run says little"
    kept = {(r["table"], r["name"]) for r in new["rows"]}
    for row in old["rows"]:
        if (row["table"], row["name"]) not in kept:
            yield f"no longer measured: {row['table']}, {row['name']}"
    for name, old_row in signatures(old).items():
        if signatures(new).get(name, old_row) != old_row:
            yield f"the search of {name} has changed: its nodes are others"


def signatures(kept):
    return {r["name"]: r["signature"] for r in kept["rows"] if r["table"] == "signature"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--tolerance", type=float, default=10, help="Per cent.  [default: 10]")
    args = parser.parse_args()
    old, new = (json.loads(path.read_text("utf-8")) for path in (args.old, args.new))
    for text in warnings(old, new):
        print(f"note: {text}")
    slower = 0
    for row, was, gain in sorted(changes(old, new), key=lambda change: change[2]):
        if abs(gain) <= args.tolerance:
            continue
        word = "better" if gain > 0 else "WORSE"
        slower += gain < 0
        values = f"{was:g} → {row['value']:g} {row['unit']}"
        print(f"{word:6} {abs(gain):5.0f} %  {row['table']}, {row['name']}: {values}")
    print(f"{slower} worse by more than {args.tolerance:g} %")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
