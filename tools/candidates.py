"""Tests many changes of the search at once: random halves of them play the other halves.

    python tools/candidates.py --game chess --nodes 8000 --log all.jsonl without=null_move NAME=300

A candidate is a parameter of the search with another value (``cotulenh.engine.parameters()`` lists
them) or a part that is left out. In every pair of games (one opening, colours swapped) each of them
belongs to one side or to the other, by the toss of a coin, so that every game says something of
every candidate. A linear fit then says what each is worth:

    Elo of the one side over the other = sum of +-(what each candidate is worth)

The log keeps every pair; a run that was broken off goes on, and candidates may not change in it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from cotulenh.engine import Engine, Limit, parameters, part_bits
from cotulenh.match import Spec
from cotulenh.match.game import Control, play_game
from cotulenh.match.openings import Openings
from cotulenh.match.players import EnginePlayer

ELO_A_POINT = 1600 / math.log(10)  # near an even score


def check(candidates):
    """Refuses what is neither a parameter nor a part."""
    ranges = parameters()
    for candidate in candidates:
        name, _, value = candidate.partition("=")
        if name == "without":
            part_bits([value])
        elif name not in ranges:
            raise ValueError(f"no such parameter of the search: {name}")
        else:
            Engine(parameters={name: int(value)}).close()


def player(chosen):
    """The engine with these candidates."""
    pairs = [candidate.split("=") for candidate in chosen]
    return EnginePlayer(
        hash_mb=16,
        without=[value for name, value in pairs if name == "without"],
        parameters={name: int(value) for name, value in pairs if name != "without"},
    )


def play_pair(job):
    """One opening, colours swapped: which candidates the first had, and its share of points."""
    candidates, game, nodes, seed, number = job
    dice = random.Random(f"{seed}/{number}")
    signs = [dice.choice((-1, 1)) for _ in candidates]
    sides = [[c for c, s in zip(candidates, signs, strict=True) if s == which] for which in (1, -1)]
    players = (player(sides[0]), player(sides[1]))
    opening = Openings(game, seed=seed).opening(number)
    points, specs = 0.0, (Spec("engine"), Spec("engine"))
    for first in (0, 1):
        record, _ = play_game(players, specs, opening, Control(Limit(nodes=nodes)), first=first)
        points += record.points
    for one in players:
        one.close()
    return {"number": number, "signs": signs, "score": points / 2}


def fit(rows):
    """(Elo, standard error) of every candidate."""
    signs = np.array([row["signs"] for row in rows], float)
    elo = ELO_A_POINT * (np.array([row["score"] for row in rows]) - 0.5)
    worth, *_ = np.linalg.lstsq(signs, elo, rcond=None)
    spread = elo - signs @ worth
    variance = (spread @ spread) / max(len(rows) - signs.shape[1], 1)
    return worth, np.sqrt(variance * np.diag(np.linalg.pinv(signs.T @ signs)))


def read_log(path, settings):
    """The pairs played so far; ``ValueError`` if they are of another run."""
    if not path.exists():
        path.write_text(json.dumps(settings) + "\n", "utf-8")
        return []
    head, *rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if head != settings:
        raise ValueError(f"{path}: the log of another run: {head}")
    return rows


def run(args):
    """Plays what is missing; all pairs."""
    names = ("game", "nodes", "seed", "candidates")
    settings = {name: getattr(args, name) for name in names}
    rows = read_log(args.log, settings)
    known = {row["number"] for row in rows}
    jobs = [
        (args.candidates, args.game, args.nodes, args.seed, number)
        for number in range(args.pairs)
        if number not in known
    ]
    with ProcessPoolExecutor(args.processes) as pool, args.log.open("a", encoding="utf-8") as log:
        for row in pool.map(play_pair, jobs):
            rows.append(row)
            log.write(json.dumps(row) + "\n")
            log.flush()
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("candidates", nargs="+", help="PARAMETER=VALUE or without=PART")
    parser.add_argument("--game", default="official")
    parser.add_argument("--nodes", type=int, default=8000, help="for each move")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--log", type=Path, required=True)
    args = parser.parse_args()
    try:
        check(args.candidates)
        rows = run(args)
    except ValueError as error:
        parser.error(str(error))
    for candidate, worth, error in zip(args.candidates, *fit(rows), strict=True):
        print(f"{candidate:30} {worth:+6.1f} Elo, standard error {error:.1f}")


if __name__ == "__main__":
    main()
