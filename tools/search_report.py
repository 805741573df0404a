"""The search measured: its counters, how often its guesses are wrong, what each part saves.

    python tools/search_report.py [--game official] [--nodes 150000] [--sample 97]
    python tools/search_report.py --depth 9 --without history,null_move   # nodes to a depth
    python tools/search_report.py --depth 9 --vary lmr_base=80            # the same of a margin

Positions are those of ``cotulenh bench`` and some of random play in which pieces join whenever
they can (``--stacks``; ``--stacks-only``: those alone), or the FENs of a file, one a line. Node
counts are the same on every machine; a change that does nothing to the search still moves them by a
few per cent. The geometric mean over the positions has its standard error beside it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from pathlib import Path

from cotulenh import Board, chess
from cotulenh.engine import Engine, Limit
from cotulenh.engine.bench import _BENCH


def board_of(game, fen):
    """The board of a position of a game."""
    return chess.Board(fen) if game == "chess" else Board(fen, rules=game)


def rich_in_stacks(game, count):
    """Positions of random play in which pieces join whenever they can."""
    found, seed = [], 0
    while len(found) < count:
        rng, board = random.Random(seed), Board(rules=game)
        seed += 1
        for _ in range(150):
            moves = list(board.legal_moves)
            if not moves or board.is_game_over():
                break
            board.push(rng.choice([m for m in moves if m.kind.name == "COMBINE"] or moves))
            if board.ply > 20 and board.deployment is None and board.fen().count("(") >= 3:
                found.append(board.fen())
                break
    return found


def positions(args):
    """The FENs to search."""
    if args.positions:
        return Path(args.positions).read_text().strip().splitlines()
    fens = _BENCH["chess" if args.game == "chess" else "official"][1].strip().splitlines()
    stacks = rich_in_stacks(args.game, args.stacks) if args.game != "chess" else []
    return stacks if args.stacks_only else [*fens, *stacks]


def counters(args, fens):
    """Counters and samples over all positions, each searched from nothing."""
    with Engine(hash_mb=args.hash, without=args.without, parameters=args.vary) as engine:
        engine._core.collect_statistics(args.sample)
        for fen in fens:
            engine.new_game()
            engine.play(board_of(args.game, fen), Limit(nodes=args.nodes))
        return engine._core.statistics()


def part(a, b):
    """A share in per cent."""
    return f"{100 * a / b:5.1f} %" if b else "    -"


def show(found):
    """The table that people read."""
    c = found["counts"]
    main = c["main_nodes"] + c["mid_turn_nodes"]
    rows = [
        ("nodes in quiescence", part(c["quiescence_nodes"], main + c["quiescence_nodes"])),
        ("nodes in mid-turn, of the main search", part(c["mid_turn_nodes"], main)),
        ("fail high with the first move", part(c["first_cuts"], c["cuts"])),
        ("mean number of the move that cuts", f"{c['cut_index'] / max(c['cuts'], 1):.2f}"),
        *(
            (f"cuts by {name.replace('_', ' ')}", part(c[f"{name}_cuts"], c["cuts"]))
            for name in ("hash", "good_take", "bad_take", "killer", "quiet", "step")
        ),
        ("table hits, main", part(c["main_hits"], c["main_nodes"])),
        ("table cuts, main", part(c["main_table_cuts"], c["main_nodes"])),
        ("table cuts, mid-turn", part(c["mid_turn_table_cuts"], c["mid_turn_nodes"])),
        ("table cuts, quiescence", part(c["quiescence_table_cuts"], c["quiescence_nodes"])),
        ("stand-pat cuts, of quiescence", part(c["stand_pat_cuts"], c["quiescence_nodes"])),
        ("moves generated", f"{c['generated'] / max(c['expanded'], 1):.1f} a node"),
        ("moves searched", f"{c['searched'] / max(c['expanded'], 1):.1f} a node"),
        ("mid-turn: generated", f"{c['mid_turn_generated'] / max(c['mid_turn_expanded'], 1):.1f}"),
        ("mid-turn: searched", f"{c['mid_turn_searched'] / max(c['mid_turn_expanded'], 1):.1f}"),
        ("mid-turn: repeated", f"{c['steps_repeated'] / max(c['mid_turn_expanded'], 1):.2f}"),
        ("reverse futility cuts, of main nodes", part(c["reverse_futility_cuts"], main)),
        ("razoring cuts", part(c["razoring_cuts"], c["razoring_tries"])),
        ("null-move cuts", part(c["null_cuts"], c["null_tries"])),
        ("LMR: reduced moves that fail high", part(c["lmr_fail_highs"], c["lmr_tries"])),
        ("LMR: confirmed", part(c["lmr_confirmed"], c["lmr_fail_highs"])),
        ("singular: extended", part(c["singular_extensions"], c["singular_tests"])),
        ("singular: doubly", part(c["double_extensions"], c["singular_tests"])),
        ("singular: multi-cut", part(c["multi_cuts"], c["singular_tests"])),
        ("aspiration failures", f"{c['aspiration_failures'] / c['iterations']:.2f} an iteration"),
    ]
    for name, value in rows:
        print(f"{name:40} {value}")
    print("\nguesses that were wrong, of those checked")
    for name, (checked, wrong) in found["samples"].items():
        print(f"{name:40} {part(wrong, checked)}  of {checked}")


def nodes_to_depth(args, fens, without, vary):
    """Nodes of each position to the depth, from nothing."""
    with Engine(hash_mb=args.hash, without=without, parameters=vary) as engine:
        nodes = []
        for fen in fens:
            engine.new_game()
            nodes.append(engine.play(board_of(args.game, fen), Limit(depth=args.depth)).info.nodes)
    return nodes


def geometric(nodes, full):
    """The geometric mean of the positions' ratios, and its standard error."""
    logs = [math.log(a / b) for a, b in zip(nodes, full, strict=True)]
    error = statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0
    mean = math.exp(statistics.fmean(logs))
    return mean, mean * error


def compare(args, fens):
    """Nodes of each position to a depth: full engine, without each part, with each margin."""
    full = nodes_to_depth(args, fens, [], {})
    rows = {"full": full}
    for name in args.without:
        rows[f"without {name}"] = nodes_to_depth(args, fens, [name], {})
    for name, value in args.vary.items():
        rows[f"{name}={value}"] = nodes_to_depth(args, fens, [], {name: value})
    return rows


def margin(text):
    """A parameter and its value, from NAME=NUMBER."""
    name, _, value = text.partition("=")
    try:
        return name, int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, got {text!r}") from None


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="official", help="a rule set, or chess")
    parser.add_argument("--positions", help="a file of FENs, one a line")
    parser.add_argument("--stacks", type=int, default=14, help="positions rich in stacks")
    parser.add_argument("--stacks-only", action="store_true", help="no others")
    parser.add_argument("--nodes", type=int, default=150_000, help="for each position")
    parser.add_argument("--sample", type=int, default=97, help="check one guess of so many")
    parser.add_argument("--depth", type=int, help="count the nodes to this depth instead")
    parser.add_argument("--without", type=lambda s: s.split(","), default=[], help="parts")
    parser.add_argument("--vary", type=margin, action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--hash", type=int, default=64, help="megabytes")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    args.vary = dict(args.vary)
    fens = positions(args)
    found = compare(args, fens) if args.depth else counters(args, fens)
    if args.json:
        print(json.dumps(found, indent=1))
    elif args.depth:
        for name, nodes in found.items():
            times, error = geometric(nodes, found["full"])
            all_times = sum(nodes) / sum(found["full"])
            print(f"{name:30} {sum(nodes):>12,} nodes  x{all_times:.3f}", end="")
            print(f"  geometric mean x{times:.3f} ± {error:.3f}")
    else:
        show(found)


if __name__ == "__main__":
    main()
