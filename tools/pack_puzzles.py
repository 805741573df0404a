"""Puts found puzzles together as the package ships them: ``data/tactics/NAME.jsonl.gz``.

    cotulenh puzzles --game official --games 2000 --seed 1 -o found.jsonl
    python tools/pack_puzzles.py official found.jsonl more.jsonl

Every line is played and judged once more; positions that differ in nothing but clocks are one
puzzle. Easy ones come first.
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter
from pathlib import Path

from cotulenh.engine.puzzles import Puzzle, read_line

HERE = Path(__file__).resolve().parent.parent / "src" / "cotulenh" / "data" / "tactics"


def read(variant: str, paths: list[Path]) -> list[Puzzle]:
    """The sound puzzles of some files, each position once."""
    found: dict[str, Puzzle] = {}
    for path in paths:
        for text in path.read_text("utf-8").splitlines():
            puzzle = read_line(variant, text)
            if puzzle.judge(puzzle.moves()).verdict == "solved":
                found.setdefault(" ".join(puzzle.fen.split()[:4]), puzzle)
    return sorted(found.values(), key=lambda puzzle: (puzzle.rating, puzzle.fen))


def main() -> None:
    """Packs and says what there is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("variant")
    parser.add_argument("files", nargs="+", type=Path)
    args = parser.parse_args()
    puzzles = read(args.variant, args.files)
    text = "".join(puzzle.to_json() + "\n" for puzzle in puzzles)
    HERE.mkdir(exist_ok=True)
    target = HERE / f"{args.variant}.jsonl.gz"
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    print(f"{len(puzzles)} puzzles, {target.stat().st_size} bytes; {dict(themes.most_common())}")


if __name__ == "__main__":
    main()
