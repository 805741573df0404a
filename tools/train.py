"""Trains a network on games of self-play and writes it as a file that the engine reads.

    python tools/train.py --game cotulenh --data FOLDER … --out cotulenh.nnue
    python tools/train.py --game chess --data FOLDER … --beside-terms --decided 900 --out chess.nnue

The data are those of ``cotulenh selfplay --data`` (docs/networks.md): whole games. What a lesson
leaves out is decided here: moves in check, takes, openings, decided games. So that

    P(the side to move scores) = 1 / (1 + exp(-k * (what the network says)))

comes near a blend of the result and of what the search said. The core trains with ordinary numbers
(AdamW, batches in shuffled order, a rate that falls along a cosine); they are then rounded to the
whole numbers of the file. One game in twenty is kept out and says when it begins to memorise.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from pathlib import Path

import numpy as np

from cotulenh import _core
from cotulenh.engine import network
from cotulenh.engine.dataset import Dataset, Settings

POINTS, CODES = 144, 22  # of Cờ Tư Lệnh; core/engine/inputs.hpp
KEPT_OUT = 20  # one game in so many


def groups_of(game):
    """Which inputs share rows while learning: their number, and lists of shared rows."""
    if game == "chess":
        i = np.arange(768)
        return 768, [i // 64]
    i = np.arange(4 * CODES * POINTS)
    point, piece, side = i % POINTS, i // POINTS % CODES, i // (2 * CODES * POINTS)
    kind = (side * (CODES // 2) + piece // 2) * POINTS + point
    return len(i), [i // POINTS, kind]


def files(paths):
    """The data files in folders, or given by name."""
    for path in paths:
        yield from sorted(path.glob("*.games")) if path.is_dir() else [path]


def read(args, *, held_out):
    """The lessons of all files: those kept out, or the others."""
    lessons, began = _core.Lessons(), time.monotonic()
    judge = network.load(args.judge) if args.judge else None
    for path in files(args.data):
        data = Dataset(path)
        if (data.game == "chess") != (args.game == "chess") or (
            args.rules and data.game not in args.rules
        ):
            continue
        rules, fen = Settings(data.game).start()
        lessons.add(
            rules,
            fen,
            data.games.tobytes(),
            data.plies.tobytes(),
            share=KEPT_OUT,
            held_out=held_out,
            first_ply=args.first_ply,
            largest=args.largest,
            siblings=0 if held_out else args.siblings,
            judge=judge,
        )
    name = "kept out" if held_out else "to learn from"
    print(f"{len(lessons)} positions {name}, {time.monotonic() - began:.0f} s", flush=True)
    return lessons


def scale_of(lessons):
    """1 / the hundredths that make odds of e to 1: what explains the results best."""
    arrays = lessons.arrays()
    score = np.frombuffer(arrays["score"], np.int16).astype(float)
    result = np.frombuffer(arrays["result"], np.uint8) / 2
    scales = 1 / np.geomspace(50, 2000, 60)
    losses = [np.mean(np.logaddexp(0, k * score) - result * k * score) for k in scales]
    return float(scales[int(np.argmin(losses))])


def terms_alone(lessons, trust, scale):
    """The loss of the hand-made terms: what a network has to beat."""
    arrays = lessons.arrays()
    score, terms = (np.frombuffer(arrays[name], np.int16) for name in ("score", "terms"))
    result = np.frombuffer(arrays["result"], np.uint8) / 2
    target = trust * result + (1 - trust) / (1 + np.exp(-scale * score))
    guess = 1 / (1 + np.exp(-scale * terms))
    both = np.clip([target, 1 - target, guess, 1 - guess], 1e-9, 1)
    return np.mean(both[0] * np.log(both[0] / both[2]) + both[1] * np.log(both[1] / both[3]))


def rounded(trainer, game, inputs, hidden, buckets, **about):
    """The bytes of the file."""
    w = {name: np.frombuffer(raw, np.float32) for name, raw in trainer.weights().items()}
    return network.pack(
        game,
        np.rint(w["first"] * network.ONE).reshape(inputs, hidden),
        np.rint(w["bias"] * network.ONE),
        np.rint(w["last"] * network.UNIT).reshape(buckets, 2 * hidden),
        np.clip(np.rint(w["offset"] * network.ONE * network.UNIT), -32768, 32767),
        **about,
    )


def layers(path, wanted, seed):
    """The layers of a network file as ordinary numbers.

    Sums that the file lacks begin small, and count for nothing yet: the network says the same.
    """
    raw = path.read_bytes()
    inputs, hidden = (int(n) for n in np.frombuffer(raw[32:40], "<u4"))
    numbers = np.frombuffer(raw[network.HEADER.size :], "<i2").astype(np.float32)
    parts = np.split(numbers, np.cumsum([inputs * hidden, hidden, 8 * 2 * hidden]))
    units = (network.ONE, network.ONE, network.UNIT, network.ONE * network.UNIT)
    first, bias, last, offset = (part / unit for part, unit in zip(parts, units, strict=True))
    new = max(wanted - hidden, 0)
    rows = np.random.default_rng(seed).uniform(-0.05, 0.05, (inputs, new))
    first = np.hstack([first.reshape(inputs, hidden), rows])
    bias = np.append(bias, np.full(new, 0.08))
    last = np.pad(last.reshape(8, 2, hidden), ((0, 0), (0, 0), (0, new)))
    return [layer.astype(np.float32).tobytes() for layer in (first, bias, last, offset)]


def train(args, lessons, kept_out):
    """Learns, and keeps the network that judges the games kept out best."""
    inputs, groups = groups_of(args.game)
    shared = [] if args.no_sharing else [g.astype(np.uint32).tobytes() for g in groups]
    trainer = _core.Trainer(inputs, args.hidden, 8, shared, args.seed)
    if args.start:
        network.load(args.start)  # refused here if it cannot be used
        trainer.start_from(*layers(args.start, args.hidden, args.seed))
    options = _core.TrainingOptions()
    options.batch, options.threads, options.decay = args.batch, args.threads, args.decay
    options.trust, options.scale = args.trust, args.scale or scale_of(kept_out)
    options.beside_terms = args.beside_terms
    print(f"{1 / options.scale:.0f} hundredths are odds of e to 1", flush=True)
    alone = terms_alone(kept_out, options.trust, options.scale)
    print(f"kept out {alone:.5f}  terms alone", flush=True)
    total = math.ceil(args.epochs * len(lessons) / args.batch)
    parts = max(1, min(args.reports, total))
    done, best = 0, math.inf
    for part in range(parts):
        end = total * (part + 1) // parts
        options.batches = end - done

        def rate(step):
            warm = min(1, (step + 1) / min(200, total / 10))
            return args.rate * warm * max((1 + math.cos(math.pi * step / total)) / 2, 0.002)

        options.first_rate, options.last_rate = rate(done), rate(end)
        began = time.process_time()
        loss = trainer.train(lessons, options)
        seconds = time.process_time() - began  # of all threads together
        checked = trainer.loss(kept_out, options)
        print(
            f"{end * args.batch / len(lessons):6.2f} epochs  loss {loss:.5f}"
            f"  kept out {checked:.5f}"
            f"  {options.batches * args.batch / seconds / 1000:.0f} k positions/s a core",
            flush=True,
        )
        done = end
        if checked >= best:
            continue
        best = checked
        about = {"beside_terms": args.beside_terms, "decided": args.decided}
        args.out.write_bytes(rounded(trainer, args.game, inputs, args.hidden, 8, **about))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=["cotulenh", "chess"], default="cotulenh")
    parser.add_argument("--rules", nargs="*", help="take the games of these rule sets alone")
    parser.add_argument("--data", type=Path, required=True, nargs="+", help="folders or files")
    parser.add_argument("--out", type=Path, required=True, help="the network's file")
    parser.add_argument("--hidden", type=int, default=128, help="sums of the first layer")
    parser.add_argument("--epochs", type=float, default=12)
    parser.add_argument("--reports", type=int, default=12, help="how often to say how it goes")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=0.001, help="of learning, at its highest")
    parser.add_argument("--decay", type=float, default=0.01, help="of weights (AdamW)")
    parser.add_argument("--trust", type=float, default=0.3, help="in results, the rest in scores")
    parser.add_argument("--scale", type=float, help="1 / hundredths that are odds of e to 1")
    parser.add_argument("--first-ply", type=int, default=10)
    parser.add_argument("--largest", type=int, default=2000, help="score of a position that counts")
    parser.add_argument(
        "--siblings", type=int, default=0, help="neighbours of each position, judged by the terms"
    )
    parser.add_argument(
        "--judge", type=Path, help="a network whose quiescence judges the neighbours instead"
    )
    parser.add_argument("--beside-terms", action="store_true", help="learn what the terms miss")
    parser.add_argument("--decided", type=int, default=0, help="terms beyond which it is silent")
    parser.add_argument("--no-sharing", action="store_true", help="no rows shared while learning")
    parser.add_argument("--start", type=Path, help="a network to go on from, as wide or narrower")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    kept_out, lessons = read(args, held_out=True), read(args, held_out=False)
    if not len(kept_out) or not len(lessons):
        parser.error("nothing to learn from: no positions in the data")
    train(args, lessons, kept_out)
    print(f"written: {args.out}")


if __name__ == "__main__":
    main()
