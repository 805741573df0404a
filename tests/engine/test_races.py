"""Engines that several threads start, stop, ask and close at once; counting on threads; vectors.

These are the tests that .ci/sanitized thread runs under the race detector. Whoever comes at the
wrong moment is refused by name; nothing hangs.
"""

import random
import threading

import pytest

from cotulenh import Board, chess
from cotulenh.engine import Engine, Limit

PATIENCE = 300  # seconds: under sanitizers, on a machine with much else to do


def together(*works):
    """Runs functions at once, each in a thread of its own; what they raise is raised here."""
    errors = []

    def guarded(work):
        try:
            work()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), "it hangs"
    if errors:
        raise errors[0]


REFUSALS = ("thinking already", "the engine is closed", "the search is not over")


def refused(work):
    """Does it, or is told that this is not the moment."""
    try:
        return work()
    except ValueError as error:
        if not any(reason in str(error) for reason in REFUSALS):
            raise
        return None


def actions(engine, chance):
    board = chance.choice([Board(), chess.Board(), Board(rules="online")])
    limit = Limit(nodes=chance.choice([1, 50, 400]))

    def look():
        with engine.analyse(board, Limit(infinite=True), multipv=2) as analysis:
            next(iter(analysis), None)

    return {
        "play": lambda: engine.play(board, limit),
        "look": look,
        "stop": engine.stop,
        "hit": engine.ponderhit,
        "new": engine.new_game,
        "evaluate": lambda: engine.evaluate(board),
        "thinking": lambda: engine.is_thinking,
    }


def trouble(engine, seed, times):
    chance = random.Random(seed)
    for _ in range(times):
        does = actions(engine, chance)
        refused(does[chance.choice(sorted(does))])


def race(seed, times, threads=2):
    with Engine(threads=threads, hash_mb=1) as engine:
        together(*(lambda n=n: trouble(engine, f"{seed} {n}", times) for n in range(3)))
        engine.stop()
        together(lambda: refused(lambda: engine.play(chess.Board(), Limit(depth=1))))


@pytest.mark.parametrize("seed", range(3))
def test_anybody_may_start_stop_and_ask(seed):
    race(seed, 12)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 60))
def test_anybody_may_start_stop_and_ask_for_long(seed):
    race(seed, 40, threads=1 + seed % 4)


@pytest.mark.parametrize("seed", range(4))
def test_closing_ends_whatever_is_under_way(seed):
    engine = Engine(threads=2, hash_mb=1)
    together(
        lambda: trouble(engine, f"a{seed}", 6),
        lambda: trouble(engine, f"b{seed}", 6),
        lambda: (refused(lambda: engine.play(Board(), Limit(nodes=200))), engine.close()),
    )
    assert not engine.is_thinking


@pytest.mark.parametrize("game", [Board, chess.Board])
def test_counting_on_threads(game):
    board = game()
    wanted = board.perft(3)
    together(*(lambda: check_count(game(), wanted) for _ in range(2)))


def check_count(board, wanted):
    assert board.perft(3, threads=3, hash_mb=1) == wanted
    assert board.perft(4, threads=2) > wanted


@pytest.mark.parametrize("game", ["official", "chess"])
@pytest.mark.parametrize("opponent", [None, "greedy"])
def test_vectors_on_threads(game, opponent):
    pytest.importorskip("gymnasium")
    from cotulenh.env import VectorEnv

    def play():
        env = VectorEnv(8, game, threads=3, opponent=opponent, max_moves=20)
        env.reset(seed=1)
        for _ in range(20):
            env.step(env.sample_actions())
        env.close()

    together(play, play)
