"""Trains the network that stands beside the terms of chess, on positions of self-play.

    python tools/train.py --games 20000 --nodes 500 --data chess.txt --write
    python tools/train.py --data chess.txt --epochs 12 --write

The positions are those of tools/tune.py, in the same format (FEN;score;result). What the terms say
of a position stays as it is; the network learns what is to be added, so that

    P(the side to move scores) = 1 / (1 + exp(-k * (terms + network)))

comes near a blend of the result and of what the search said. core/engine/net_chess.hpp tells how
the network is built. Here it is trained with ordinary numbers (Adam, sparse rows of SciPy), then
rounded to those of the core. One position in twenty is kept out and says when it begins to
memorise. ``--write`` puts the numbers into core/engine/weights_chess_net.cpp; build again to use
them. After the terms or their weights have changed, train anew.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix

sys.path.insert(0, str(Path(__file__).parent))

import tune

from cotulenh import _core

INPUTS, BUCKETS = 768, 8
ONE, UNIT, CENTIPAWNS = 255, 64, 400.0  # as in net_chess.hpp
MOST = 127 / UNIT  # a weight of the last layer that still fits, and a good bound for the first
HIDDEN = (len(_core.net_numbers()) // 2 - BUCKETS) // (INPUTS + 1 + 2 * BUCKETS)


@functools.cache
def many_ones(power):
    """Shared by all batches, where they would fill half the memory."""
    return np.ones(1 << power, np.float32)


def ones(n):
    """So many ones."""
    return many_ones(int(n).bit_length())[:n]


class Positions:
    """Positions as the network sees them; what terms, search and the end of the game say."""

    def __init__(self, samples):
        found = _core.net_rows([fen for fen, _, _ in samples])
        start = np.frombuffer(found["start"], np.uint32).astype(np.int32)
        self.mine, self.theirs = (
            csr_matrix(
                (ones(start[-1]), np.frombuffer(found[side], np.uint16), start),
                shape=(len(samples), INPUTS),
            )
            for side in ("mine", "theirs")
        )
        self.bucket = np.frombuffer(found["bucket"], np.uint8)
        self.terms = np.frombuffer(found["terms"], np.int16).astype(np.float32)
        # Samples speak of White, the network of the side to move.
        white = np.array([" w " in fen for fen, _, _ in samples])
        score = np.array([score for _, score, _ in samples], np.float32)
        result = np.array([result for _, _, result in samples], np.float32) / 2
        self.score = np.where(white, score, -score)
        self.result = np.where(white, result, 1 - result)

    def target(self, scale, trust):
        """What the network should come to: a blend of results and scores, between 0 and 1."""
        return trust * self.result + (1 - trust) * odds(scale * self.score)


def odds(x):
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


class Network:
    """Two layers and how they learn: weights by name, and Adam's averages of their gradients."""

    def __init__(self, rng):
        self.weights = {
            "first": rng.normal(0, 0.04, (INPUTS, HIDDEN)).astype(np.float32),
            "bias": np.full(HIDDEN, 0.1, np.float32),
            "last": rng.normal(0, 0.02, (BUCKETS, 2 * HIDDEN)).astype(np.float32),
            "offset": np.zeros(BUCKETS, np.float32),
        }
        self.mean = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in self.weights.items()}
        self.steps = 0

    def forward(self, positions):
        """The clamped first layer, the weights of the last, and the output in centipawns."""
        w = self.weights
        layer = np.concatenate(
            [x @ w["first"] + w["bias"] for x in (positions.mine, positions.theirs)], 1
        )
        np.clip(layer, 0, 1, out=layer)
        last = w["last"][positions.bucket]
        output = np.einsum("ij,ij,ij->i", layer, layer, last) + w["offset"][positions.bucket]
        return layer, last, CENTIPAWNS * output

    def says(self, positions):
        """Terms and network together."""
        return positions.terms + self.forward(positions)[2]

    def learn(self, positions, target, scale, rate):
        """One step down the gradient of the cross-entropy."""
        layer, last, output = self.forward(positions)
        wrong = odds(scale * (positions.terms + output)) - target
        wrong = (wrong * (CENTIPAWNS * scale / len(target))).astype(np.float32)
        rows = np.arange(len(target) + 1, dtype=np.int32)
        chosen = csr_matrix(
            (wrong, positions.bucket.astype(np.int32), rows), shape=(len(target), BUCKETS)
        )
        back = 2 * layer * last * wrong[:, None] * (layer < 1)  # 0 where it was cut off below
        mine, theirs = (np.ascontiguousarray(half) for half in np.split(back, 2, axis=1))
        gradients = {
            "first": positions.mine.T @ mine + positions.theirs.T @ theirs,
            "bias": mine.sum(0) + theirs.sum(0),
            "last": chosen.T @ (layer * layer),
            "offset": np.asarray(chosen.sum(0)).ravel(),
        }
        self.steps += 1
        for name, gradient in gradients.items():
            mean, square = self.mean[name], self.square[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self.steps)
            step /= np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            self.weights[name] -= rate * step
        for name in ("first", "last"):
            np.clip(self.weights[name], -MOST, MOST, out=self.weights[name])

    def numbers(self):
        """As the core stores them."""
        w = self.weights
        scaled = [w["first"] * ONE, w["bias"] * ONE, w["last"] * UNIT, w["offset"] * ONE * UNIT]
        return np.rint(np.concatenate([part.ravel() for part in scaled])).astype(np.int16)


def train(samples, *, trust, epochs, rate, batch, seed):
    """The network that explains the samples best, beside the terms. It uses the list up."""
    rng = np.random.default_rng(seed)
    first = len(samples) // 20
    kept_out = Positions(samples[:first])  # neighbours come from one game: one run
    del samples[:first]
    rng.shuffle(samples)
    scale = minimize_scalar(
        lambda k: tune.cross_entropy(k * kept_out.score, kept_out.result),
        bounds=(1 / 1000, 1 / 50),
        method="bounded",
    ).x
    print(f"{len(samples)} positions, {1 / scale:.0f} centipawns are odds of e to 1", flush=True)
    batches = []
    while samples:  # text takes more memory than rows: it goes as they come
        batches.append(Positions(samples[-batch:]))
        del samples[-batch:]
    network, aim = Network(rng), kept_out.target(scale, trust)
    print(
        f"loss {tune.cross_entropy(scale * kept_out.terms, aim):.5f}  terms alone, kept out",
        flush=True,
    )
    steps = epochs * len(batches)
    for epoch in range(epochs):
        began = time.monotonic()
        for i in rng.permutation(len(batches)):
            warm = min(1, network.steps / 200)
            cooled = max((1 + np.cos(np.pi * network.steps / steps)) / 2, 0.02)
            target = batches[i].target(scale, trust)
            network.learn(batches[i], target, scale, rate * warm * cooled)
        loss = tune.cross_entropy(scale * network.says(kept_out), aim)
        print(f"loss {loss:.5f}  epoch {epoch + 1}, {time.monotonic() - began:.0f} s", flush=True)
    return network


TEMPLATE = """// Written by tools/train.py; do not edit. In the order of Net.
#include <bit>

#include "engine/net_chess.hpp"

namespace cotulenh::engine::chess_net {{
namespace {{

// clang-format off
alignas(64) constexpr std::int16_t NUMBERS[] = {{
{body}
}};
// clang-format on
static_assert(sizeof NUMBERS == sizeof(Net));
constexpr Net LEARNT = std::bit_cast<Net>(NUMBERS);

}}  // namespace

const Net& NET = LEARNT;

}}  // namespace cotulenh::engine::chess_net
"""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, nargs="+", help="FEN;score;result")
    parser.add_argument(
        "--games", type=int, default=0, help="of self-play, added to the first data"
    )
    parser.add_argument("--nodes", type=int, default=500, help="for each move of self-play")
    parser.add_argument("--random-moves", type=int, default=8, help="at the start of each game")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--trust", type=float, default=0.15, help="in results, the rest in scores")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.001, help="of learning, at its highest")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="into core/engine")
    args = parser.parse_args()
    if args.games:
        played = tune.gather(
            "chess", args.games, args.nodes, args.seed, args.random_moves, args.processes
        )
        tune.keep(args.data[0], played)
    for path in args.data:
        if not path.exists():
            parser.error(f"no such file: {path}; give --games to play some")
    samples = [sample for path in args.data for sample in tune.read(path)]
    if len(samples) < 20:
        parser.error("nothing to learn from: fewer than twenty positions")
    network = train(
        samples,
        trust=args.trust,
        epochs=args.epochs,
        rate=args.rate,
        batch=args.batch,
        seed=args.seed,
    )
    if args.write:
        path = tune.ROOT / "core" / "engine" / "weights_chess_net.cpp"
        path.write_text(TEMPLATE.format(body=tune.rows(map(str, network.numbers()))), "utf-8")
        print(f"written: {path.relative_to(tune.ROOT)}; build again to use it")


if __name__ == "__main__":
    main()
