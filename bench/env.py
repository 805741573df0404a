"""Learning environments side by side in one run: steps a second, everything written.

    python bench/env.py [--seconds 3] [--envs 64] [--rounds 3]
    python bench/env.py --designs

Ours with planes and mask, with planes and ragged actions, on one thread and on two, and what a step
would take if it were nothing but writing planes and mask (the rest is playing the move and finding
the legal ones after it). Beside them PettingZoo's chess_v6 and OpenSpiel's chess, with what they
observe, and our own Python boards. All play random legal moves. One thread is measured in seconds
of processor, two in seconds of the clock, which says something on a quiet machine only. The best
round counts. Rows whose package is missing are left out.

`--designs` compares two ways to number the moves: pairs of squares on one line without gaps, which
ships, and planes of direction and distance for every square, as AlphaZero has them.
"""

import argparse
import random
import sys
import time
import warnings
from unittest import mock

import numpy as np
from beside import REPORT, seconds

from cotulenh.env import VectorEnv, action_space
from cotulenh.games import new_board


def rate(step, seconds, clock):
    """Steps a second; `step` says how many it made."""
    step()
    made, began = 0, clock()
    while clock() - began < seconds:
        made += step()
    return made / (clock() - began)


def vector(game, envs, threads, mask):
    env = VectorEnv(
        envs, game, threads=threads, action_mask=mask, copy=False, autoreset_mode="SameStep"
    )
    env.reset(seed=1)

    def step():
        if not mask:
            env.legal_actions()
        env.step(env.sample_actions())
        return envs

    return step


def writing(game, envs):
    """Planes and mask of all games, and no move: `restore` of one game writes everything."""
    env = VectorEnv(envs, game, copy=False, autoreset_mode="SameStep")
    env.reset(seed=1)
    for _ in range(50):
        env.step(env.sample_actions())
    states = [env.state(0)]

    def step():
        env.restore(states, [0])
        return envs

    return step


def python_board(game):
    board, dice = new_board(game), random.Random(1)

    def step():
        nonlocal board
        for _ in range(50):
            moves = board.legal_moves
            if not moves or board.ply > 400:
                board = new_board(game)
                continue
            board.push(moves[dice.randrange(len(moves))])
        return 50

    return step


def pettingzoo_chess():
    with warnings.catch_warnings(), mock.patch.object(sys, "path", sys.path[1:]):
        warnings.simplefilter("ignore")  # and the package chess is meant, not our bench/chess.py
        from pettingzoo.classic import chess_v6
    env = chess_v6.env()
    env.reset(seed=1)

    def step():
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
        else:
            env.step(int(np.random.choice(np.flatnonzero(seen["action_mask"]))))
        return 1

    return step


def openspiel(name):
    import pyspiel

    game, dice = pyspiel.load_game(name), random.Random(1)
    state = game.new_initial_state()

    def step():
        nonlocal state
        for _ in range(20):
            if state.is_terminal():
                state = game.new_initial_state()
            state.observation_tensor(0)
            state.legal_actions_mask()
            state.apply_action(dice.choice(state.legal_actions()))
        return 20

    return step


def rows(envs):
    """Name, how to make it, and the clock it is measured by."""
    alone, wall = time.process_time, time.perf_counter
    for game in ("chess", "official", "online", "blueprint"):
        yield f"{game}: planes, mask", lambda g=game: vector(g, envs, 1, True), alone
        yield f"{game}: planes, ragged actions", lambda g=game: vector(g, envs, 1, False), alone
        yield f"{game}: writing planes, mask alone", lambda g=game: writing(g, envs), alone
        yield f"{game}: two threads, mask", lambda g=game: vector(g, 4 * envs, 2, True), wall
        yield f"{game}: Python legal_moves and push", lambda g=game: python_board(g), alone
    yield "PettingZoo chess_v6", pettingzoo_chess, alone
    yield "OpenSpiel chess", lambda: openspiel("chess"), alone


def designs(rounds):
    """What the number of actions costs: the same legal moves in both spaces."""
    env = VectorEnv(64, "official", action_mask=False, copy=False)
    env.reset(seed=1)
    for _ in range(100):
        env.step(env.sample_actions())
    actions, offsets = env.legal_actions()
    owner = np.repeat(np.arange(64), np.diff(offsets))
    space = action_space("cotulenh")
    pairs = len(space.pairs)
    squares = np.array(space.pairs)[actions % pairs]
    way = squares[:, 1] - squares[:, 0]
    plane = np.minimum(actions // pairs, 7) * 88 + np.abs(way) % 88  # some plane of 88 a variant
    for name, size, numbers in (
        ("lines without gaps", space.n, actions),
        ("planes for every square", 8 * 88 * 144 + 8, plane * 144 + squares[:, 0]),
    ):
        mask, weights = np.zeros((64, size), np.int8), np.ones((32, size), np.float32)
        hidden = np.ones((64, 32), np.float32)

        def ones(value, mask=mask, numbers=numbers):
            mask[owner, numbers] = value

        work = {
            "clear all, write": lambda m=mask, o=ones: (m.fill(0), o(1)),
            "clear the old, write": lambda o=ones: (o(0), o(1)),
            "copy": mask.copy,
            "a head of 32 numbers": lambda h=hidden, w=weights: h @ w,
        }
        costs = [f"{what} {best(job, rounds):6.1f} us" for what, job in work.items()]
        print(f"{name:24} {size:7} actions; a game: {', '.join(costs)}")


def best(work, rounds):
    """Microseconds for each of 64 games."""
    return min(seconds(work, 20) for _ in range(rounds)) * 1e6 / 64


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--designs", action="store_true", help="two ways to number the moves")
    parser.add_argument("--json", help="Write the rows to this file.")
    options = parser.parse_args()
    if options.designs:
        designs(options.rounds)
        return
    for name, make, clock in rows(options.envs):
        try:
            best = max(rate(make(), options.seconds, clock) for _ in range(options.rounds))
        except ImportError as missing:
            print(f"{name:36} left out: {missing}")
        else:
            print(f"{name:36} {best:12,.0f} steps/s", flush=True)
            REPORT.add("env", name, best, "steps/s", "more")
    REPORT.write(options.json)


if __name__ == "__main__":
    main()
