"""Compares the core with the oracle on arbitrary set-ups and the moves from them.

python tools/differential.py [--positions 300000] [--seed 1] [--state FILE]

Goes through rule sets and themes in rounds (tests/support/positions.py: stacks, two equal
passengers, heroes, shelter, facing Commanders, deployments under way, few pieces, many pieces), and
through random games. Legal moves, FEN, check, outcome, points; in every tenth position also the FEN
after every move and the attackers of every stack. Stops at the first difference. With --state it
goes on where it was broken off. The oracle is compiled by mypyc first, which makes it more than
twice as fast and changes nothing else; --plain leaves it as it is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUPPORT, COMPILED = ROOT / "tests" / "support", ROOT / "build" / "oracle"
PARTS = ("oracle_tables.py", "oracle_text.py", "oracle_moves.py", "oracle.py")
SHARE = 100  # positions of one rule set and theme in one round


def compile_oracle() -> None:
    """Compiles a copy of the oracle, unless the one that is there is the same."""
    same = all(
        (COMPILED / part).exists()
        and (COMPILED / part).read_bytes() == (SUPPORT / part).read_bytes()
        for part in PARTS
    )
    if same and list(COMPILED.glob("oracle.*.so")):
        return
    shutil.rmtree(COMPILED, ignore_errors=True)
    COMPILED.mkdir(parents=True)
    for part in PARTS:
        shutil.copy(SUPPORT / part, COMPILED)
    mypyc = Path(sys.executable).with_name("mypyc")
    subprocess.run([str(mypyc), *PARTS], cwd=COMPILED, check=True, capture_output=True)


def one_round(seed: int, counts: dict[str, int]) -> None:
    """Every rule set and theme once, and games."""
    from agreement import RULES, agree, agree_on_set_ups
    from positions import THEMES

    for rules in RULES:
        for theme in THEMES:
            seen = agree_on_set_ups(seed, rules, theme, SHARE)
            counts[f"{rules} {theme}"] = counts.get(f"{rules} {theme}", 0) + seen
        seen = agree(seed, rules, SHARE)
        counts[f"{rules} games"] = counts.get(f"{rules} games", 0) + seen


def run(positions: int, seed: int, state: Path | None) -> dict[str, int]:
    """Compares until so many positions were seen; tells how many of each kind."""
    counts: dict[str, int] = {}
    if state is not None and state.exists():
        seed, counts = json.loads(state.read_text())
    while sum(counts.values()) < positions:
        one_round(seed, counts)
        seed += 1
        if state is not None:
            state.write_text(json.dumps([seed, counts]))
    return counts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--plain", action="store_true", help="do not compile the oracle")
    given = parser.parse_args()
    sys.path.insert(0, str(SUPPORT))
    if not given.plain:
        compile_oracle()
        sys.path.insert(0, str(COMPILED))
    began = time.process_time()
    counts = run(given.positions, given.seed, given.state)
    for name, number in counts.items():
        print(f"{name:24}{number:>9}")
    print(
        f"{sum(counts.values())} positions agree ({time.process_time() - began:.0f} s of processor)"
    )


if __name__ == "__main__":
    main()
