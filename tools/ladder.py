"""The ladder of levels: what each skill is worth, by matches of neighbours.

    python tools/ladder.py --game official --logs ladder -n 240 -j 2

Each rung plays the one below it, in pairs of games from one opening. A step is known within the
error printed beside it (95 %); ratings are the sum of the steps, counted from 500 for the lowest.
One log for each step: a run that was broken off goes on, and one with more games adds them. The
last line is what ``_LADDER`` in ``cotulenh/engine/levels.py`` takes.
"""

from __future__ import annotations

import argparse
import math
from itertools import pairwise
from pathlib import Path

from cotulenh.engine.levels import MIN_ELO, RUNGS
from cotulenh.match import Log, Settings, Tally, play_match

NODES = 1_000_000  # far beyond what any level looks at


def play_step(game, below, above, games, jobs, folder):
    """The match of two neighbours, the stronger one first."""
    players = (f"engine,skill={above},hash=4", f"engine,skill={below},hash=4")
    settings = Settings(
        players, variant=game, games=games, nodes=NODES, balance=0, concurrency=jobs, most_turns=250
    )
    log = Log(folder / f"{game}-{below}-{above}.jsonl", settings.for_log())
    tally = Tally()
    for record in play_match(settings, log):
        tally.add(record)
    return tally


def main():
    """Plays, and prints the table for docs/strength.md."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="official", help="a rule set or chess")
    parser.add_argument("--logs", type=Path, default=Path("ladder"), help="folder of the logs")
    parser.add_argument("-n", "--games", type=int, default=240, help="games of each step")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--rungs", type=int, nargs="+", default=RUNGS, help="skills, rising")
    given = parser.parse_args()
    given.logs.mkdir(parents=True, exist_ok=True)
    print("| skill | rating | over the one below | games | result |\n|---|---|---|---|---|")
    ratings = [float(MIN_ELO)]
    print(f"| {given.rungs[0]} | {MIN_ELO} | | | |")
    for below, above in pairwise(given.rungs):
        tally = play_step(given.game, below, above, given.games, given.jobs, given.logs)
        low, step, high = tally.elo
        ratings.append(ratings[-1] + step)
        error = "∞" if math.isinf(high - low) else f"{(high - low) / 2:.0f}"
        result = f"+{tally.wins} ={tally.draws} −{tally.losses}"
        print(f"| {above} | {ratings[-1]:.0f} | {step:+.0f} ± {error} | {tally.games} | {result} |")
    print(tuple(round(one) for one in ratings))


if __name__ == "__main__":
    main()
