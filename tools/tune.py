"""Fits the weights of an evaluation to the results of self-play.

    python tools/tune.py official --games 4000 --data official.txt --write
    python tools/tune.py chess --games 10000 --nodes 1500 --data chess.txt --write

The engine plays itself from random openings (in the core, several processes). Each quiet position
becomes a row of counts (what the evaluation sees in it, Red or White minus the other side), its
phase and the result of its game. The evaluation is linear in its weights, so

    P(first side scores) = 1 / (1 + exp(-k * counts . weights))

is a logistic regression; L-BFGS minimises the cross-entropy against a blend of the result and of
what the search said. A quadratic pull towards the weights before keeps those that the games say
little about where they are. One position in ten is kept out of the fit and says whether it learnt
or memorised. ``--data`` keeps the positions as text (FEN;score;result), so that they outlive the
terms; folders of whole games (``cotulenh selfplay --data``) may be given as well. ``--write``
puts the numbers into core/engine/weights_*.cpp; build again to use them. ``--out`` puts them into
a file, to be tried at once: `cotulenh match engine,weights=FILE engine`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.sparse import csr_matrix, diags, hstack

sys.path.insert(0, str(Path(__file__).parent))

import first_guess

from cotulenh import Rules, _core, chess
from cotulenh.engine import weights as weights_file
from cotulenh.engine.dataset import Dataset, Settings

ROOT = Path(__file__).parent.parent
FULL_PHASE = 256
KINDS = {"chess": "PNBRQ", "ctl": "NFTEHCIMAGS"}


def generate(job):
    """One process's share of games: (FEN, score, result) of their quiet positions."""
    game, games, nodes, seed, random_moves, weights = job
    os.nice(1)
    rules = None if game == "chess" else Rules.load(game).core
    fen = chess.STARTING if game == "chess" else Rules.load(game).start_fen
    played = _core.selfplay_games(rules, fen, games, nodes, seed, random_moves, weights)
    return _core.quiet_positions(rules, fen, *played)[::3]  # neighbours say much the same


def gather(game, games, nodes, seed, random_moves, processes, weights=None):
    """Self-play in several processes, put together."""
    share = max(1, min(50, games // (4 * processes)))
    jobs = [
        (game, share, nodes, seed + 7919 * i, random_moves, weights)
        for i in range(-(-games // share))
    ]
    began, samples = time.monotonic(), []
    with ProcessPoolExecutor(processes) as pool:
        for done, part in enumerate(pool.map(generate, jobs), 1):
            samples += part
            print(f"\r{done * share} games, {len(samples)} positions", end="", flush=True)
    print(f", {time.monotonic() - began:.0f} s")
    return samples


def rows_of(game, samples):
    """(sparse counts, phases, scores, results) of samples."""
    rules = None if game == "chess" else Rules.load(game).core
    found = _core.trace(rules, [fen for fen, _, _ in samples])
    start = np.frombuffer(found["start"], np.uint32)
    term = np.frombuffer(found["term"], np.uint16)
    count = np.frombuffer(found["count"], np.int16)
    width = len(_core.weights(game == "chess"))
    counts = csr_matrix((count.astype(np.float32), term, start), shape=(len(start) - 1, width))
    phase = np.frombuffer(found["phase"], np.uint16) / FULL_PHASE
    score = np.array([score for _, score, _ in samples], float)
    result = np.array([result for _, _, result in samples]) / 2
    return counts, phase, score, result


def cross_entropy(x, target):
    """Of log-odds x against targets between 0 and 1."""
    return np.mean(np.logaddexp(0, x) - target * x)


def fit(counts, phase, score, result, before, *, trust, pull, steps):
    """The weights (full, bare) that explain the results best, near those before."""
    design = hstack([diags(phase) @ counts, diags(1 - phase) @ counts]).tocsr()
    start = np.concatenate([before[:, 0], before[:, 1]])
    said = design @ start
    # How many centipawns make which odds is a matter of who plays: found first, then held.
    scale = minimize_scalar(
        lambda k: cross_entropy(k * said, result), bounds=(1 / 1000, 1 / 50), method="bounded"
    ).x
    searched = 1 / (1 + np.exp(-scale * np.clip(score, -2000, 2000)))
    target = trust * result + (1 - trust) * searched
    rows, unit = design.shape[0], np.maximum(np.abs(start), 20.0)
    # Neighbours come from one game: what is kept out is one run of rows, not rows here and there.
    kept_out = np.arange(rows) < rows // 10
    seen, aim = design[~kept_out], target[~kept_out]
    across = seen.T.tocsr()

    def loss(weights):
        x = scale * (seen @ weights)
        away = (weights - start) / unit
        odds = 1 / (1 + np.exp(-x))
        gradient = scale * (across @ (odds - aim)) / len(aim) + pull * away / unit / len(start)
        return cross_entropy(x, aim) + pull * 0.5 * np.mean(away**2), gradient

    options = {"maxiter": steps, "maxfun": 2 * steps, "ftol": 1e-10, "gtol": 1e-9}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    print(f"{1 / scale:.0f} centipawns are odds of e to 1; {rows} positions, {found.nit} steps")
    for name, part in (("fitted", ~kept_out), ("kept out", kept_out)):
        losses = [cross_entropy(scale * (design[part] @ w), target[part]) for w in (start, found.x)]
        print(f"loss {losses[0]:.5f} -> {losses[1]:.5f}  {name}")
    half = len(start) // 2
    return np.stack([found.x[:half], found.x[half:]], axis=1)


TEMPLATE = """// Written by tools/tune.py; do not edit. Pairs: full board, bare board.
#include "engine/eval_{short}.hpp"

namespace cotulenh::engine::{short}_eval {{
namespace {{

// clang-format off
constexpr short NUMBERS[][2] = {{
{body}
}};
// clang-format on
static_assert(std::size(NUMBERS) == TERMS);

}}  // namespace

const Weights DEFAULT = [] {{
    Weights w;
    for (int i = 0; i < TERMS; ++i) w.of[std::size_t(i)] = pair(NUMBERS[i][0], NUMBERS[i][1]);
    return w;
}}();

}}  // namespace cotulenh::engine::{short}_eval
"""


def rows(entries):
    """Entries of a C++ table in lines of the usual width."""
    lines, line = [], "   "
    for entry in entries:
        if len(line) + len(entry) + 2 > 98:
            lines.append(line)
            line = "   "
        line += f" {entry},"
    return "\n".join([*lines, line])


def source(short, pairs):
    """The C++ file that holds the weights."""
    body = rows(f"{{{round(full)}, {round(bare)}}}" for full, bare in pairs)
    return TEMPLATE.format(short=short, body=body)


def show_values(short, before, after):
    """What the pieces are worth: full board, bare board, before and after."""
    letters = KINDS[short]
    plain = range(len(letters)) if short == "chess" else range(1, 2 * len(letters), 2)
    for letter, i in zip(letters, plain, strict=True):
        hero = ""
        if short == "ctl":
            hero = f"   heroic {after[i - 1, 0]:6.0f} {after[i - 1, 1]:6.0f}"
        print(
            f"{letter}  {before[i, 0]:6.0f} {before[i, 1]:6.0f}"
            f"  ->  {after[i, 0]:6.0f} {after[i, 1]:6.0f}{hero}"
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=["chess", "official", "online", "blueprint"])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=400, help="for each move of self-play")
    parser.add_argument("--random-moves", type=int, default=8, help="at the start of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--trust", type=float, default=0.5, help="in results, the rest in scores")
    parser.add_argument("--pull", type=float, default=0.004, help="towards the weights before")
    parser.add_argument("--steps", type=int, default=250, help="of the fit, at most")
    parser.add_argument("--cap", type=int, default=700, help="leave out positions decided so far")
    parser.add_argument("--from-guess", action="store_true", help="start from first_guess.py")
    parser.add_argument(
        "--data",
        type=Path,
        nargs="+",
        default=[],
        help="keep the positions here and use them again; or folders of whole games",
    )
    parser.add_argument("--write", action="store_true", help="into core/engine")
    parser.add_argument("--out", type=Path, help="a file for `cotulenh match engine,weights=FILE`")
    args = parser.parse_args()
    short = "chess" if args.game == "chess" else "ctl"
    guess = first_guess.chess() if short == "chess" else first_guess.ctl()
    before = np.array(guess if args.from_guess else _core.weights(short == "chess"), float)
    weights = [(round(a), round(b)) for a, b in before]
    samples = [one for path in args.data if path.exists() for one in read(path, args.game)]
    if args.games and any(path.is_dir() for path in args.data):
        parser.error("a folder of games is read, not added to: give --games 0")
    if args.games:
        played = gather(
            args.game, args.games, args.nodes, args.seed, args.random_moves, args.processes, weights
        )
        if args.data:
            keep(args.data[0], played)
        samples += played
    if not samples:
        parser.error("nothing to fit: give --games or --data")
    data = rows_of(args.game, [sample for sample in samples if abs(sample[1]) <= args.cap])
    after = fit(*data, before, trust=args.trust, pull=args.pull, steps=args.steps)
    show_values(short, before, after)
    if args.out:
        rounded = [(round(full), round(bare)) for full, bare in after]
        weights_file.save(args.out, "chess" if short == "chess" else "cotulenh", rounded)
    if args.write:
        path = ROOT / "core" / "engine" / f"weights_{short}.cpp"
        path.write_text(source(short, after), "utf-8")
        print(f"written: {path.relative_to(ROOT)}; build again to use it")


def quiet(path, game):
    """Every third quiet position of a file of games: neighbours say much the same."""
    data = Dataset(path)
    if data.game != game:
        return []
    rules, fen = Settings(game).start()
    return _core.quiet_positions(rules, fen, data.games.tobytes(), data.plies.tobytes())[::3]


def keep(path, samples):
    """Adds samples to those that earlier runs kept."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{fen};{score};{result}\n" for fen, score, result in samples)


def read(path, game):
    """Samples that earlier runs kept, or the quiet positions of whole games."""
    if path.is_dir():
        return [sample for file in sorted(path.glob("*.games")) for sample in quiet(file, game)]
    rows = (line.rsplit(";", 2) for line in path.read_text("utf-8").splitlines())
    return [(fen, int(score), int(result)) for fen, score, result in rows]


if __name__ == "__main__":
    main()
