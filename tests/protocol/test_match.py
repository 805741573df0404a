"""Matches: the mathematics of the test, fair pairs, clocks, forfeits, logs."""

import json
import math
import random
import sys

import fake_engine
import pytest

from cotulenh.engine import Limit
from cotulenh.games import end, names, new_board, push_text, side
from cotulenh.match import (
    Control,
    GameRecord,
    Log,
    Openings,
    Settings,
    Spec,
    Sprt,
    Tally,
    elo,
    expected_score,
    make_player,
    pgn,
    play_game,
    play_match,
)
from cotulenh.match.players import PlayerError, RandomPlayer
from cotulenh.match.statistics import log_likelihood_ratio
from cotulenh.pgn import read
from cotulenh.protocols.uci_text import go_line, position_line

FAST = {"time": 0.005, "balance": 0, "opening_turns": 4}

# Statistics ------------------------------------------------------------------------------------


@pytest.mark.parametrize("difference", [-400, -35, 0, 10, 250])
def test_elo_and_score_are_inverse(difference):
    assert elo(expected_score(difference)) == pytest.approx(difference)


def test_the_ratio_of_a_known_case():
    """With results of ½ and ½±¼ alone the most likely distributions can be worked out by hand."""
    pairs, s0, s1 = [0, 40, 100, 60, 0], expected_score(0), expected_score(20)

    def likelihood(mean):
        # p(¼)=a, p(¾)=b with b-a = 4(mean-½), p(½)=1-a-b: one free number, found by a fine scan.
        shift = 4 * (mean - 0.5)
        return max(
            40 * math.log(a) + 60 * math.log(a + shift) + 100 * math.log(1 - 2 * a - shift)
            for a in (n / 20000 for n in range(1, 10000))
            if a + shift > 0 and 1 - 2 * a - shift > 0
        )

    wanted = likelihood(s1) - likelihood(s0)
    assert log_likelihood_ratio(pairs, 0, 20) == pytest.approx(wanted, abs=0.02)


def test_the_ratio_does_not_care_who_is_called_first():
    pairs = [3, 10, 30, 14, 5]
    assert log_likelihood_ratio(pairs, 0, 10) == pytest.approx(
        log_likelihood_ratio(pairs[::-1], 0, -10), abs=1e-6
    )


def test_the_bounds():
    low, high = Sprt(0, 10, 0.05, 0.05).bounds
    assert (low, high) == (pytest.approx(-2.944, abs=0.001), pytest.approx(2.944, abs=0.001))


@pytest.mark.parametrize(("truth", "wrong"), [(0, "accepted"), (100, "rejected")])
def test_the_test_errs_seldom(truth, wrong):
    """At either end of the question the wrong verdict comes in about one of twenty matches."""
    dice, score, mistakes = random.Random(11), expected_score(truth), 0
    test = Sprt(0, 100)
    for _ in range(60):
        pairs = [0] * 5
        while (verdict := test.verdict(pairs)) is None:
            pairs[sum(2 * (dice.random() < score) for _ in range(2))] += 1
        mistakes += verdict == wrong
    assert mistakes <= 0.15 * 60


def test_a_tally_counts_pairs():
    tally = Tally()
    for number, result in enumerate(["1-0", "0-1", "1-0", "1-0", "1/2-1/2", "1/2-1/2"]):
        tally.add(GameRecord(number, number // 2, number % 2, (), 0, result, "", 1, 0.1))
    assert (tally.wins, tally.draws, tally.losses) == (3, 2, 1)
    assert tally.pairs == [0, 0, 2, 0, 1]
    assert tally.score == pytest.approx(4 / 6)
    low, middle, high = tally.elo
    assert low < middle < high


@pytest.mark.parametrize("bad", [(10, 0, 0.05, 0.05), (0, 10, 0, 0.05), (0, 10, 0.05, 0.7)])
def test_impossible_tests_are_refused(bad):
    with pytest.raises(ValueError, match="expected"):
        Sprt(*bad)


# Players ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("", "magic", "engine,wheels=4", "random,depth", "uci:", "engine,depth=0"),
        *("greedy,hash=3", "engine,without=brakes", "engine,without="),
    ],
)
def test_unknown_players_are_refused(text):
    with pytest.raises(ValueError, match=r"expected a p(layer|art)|setting|whole number"):
        Spec.parse(text)


def test_an_engine_may_leave_out_parts_of_its_search():
    board = new_board("chess")
    whole = make_player(Spec.parse("engine,hash=1"))
    less = make_player(Spec.parse("engine,hash=1,without=null_move+reductions"))
    nodes = [player._engine.play(board, Limit(depth=6)).info.nodes for player in (whole, less)]
    assert nodes[1] > nodes[0]


def test_a_command_may_have_words_and_options():
    spec = Spec.parse("uci:/bin/my engine --x a,b,Hash=4,Skill Level=3,name=me,nodes=9")
    assert spec.command == "/bin/my engine --x a,b"
    assert spec.settings == {"Hash": "4", "Skill Level": "3"}
    assert (spec.name, spec.limits) == ("me", {"nodes": 9})


@pytest.mark.parametrize("variant", names())
@pytest.mark.parametrize("kind", ["random", "greedy", "engine,hash=1,nodes=50"])
def test_players_play_legal_turns(variant, kind):
    player, board = make_player(Spec.parse(kind)), new_board(variant)
    player.new_game(3)
    for _ in range(20):
        if end(board) is not None:
            break
        move = player.choose(board, Limit(nodes=50))
        assert board.is_legal(move)
        board.push(move)
    player.close()


def test_the_greedy_player_mates():
    board = new_board("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    assert board.uci(make_player(Spec.parse("greedy")).choose(board, Limit(depth=1))) == ("a1a8")


def test_uci_lines():
    board = new_board("official")
    push_text(board, "Mg5g6")
    assert position_line(board) == "position startpos moves Mg5g6"
    limit = Limit(times=(1.5, 2.0), increments=(0.1, 0.2), moves_to_go=7)
    assert go_line(limit) == "go wtime 1500 btime 2000 winc 100 binc 200 movestogo 7"


def test_a_uci_program_plays_both_games():
    command = f"uci:{sys.executable} -m cotulenh uci,Hash=4,nodes=100"
    for variant in ("chess", "official"):
        settings = Settings((command, "random"), variant=variant, games=2, **FAST, most_turns=12)
        records = list(play_match(settings))
        assert [record.reason for record in records] == ["12 turns"] * 2 or all(
            record.points == 1 for record in records
        )


def test_a_program_that_is_none():
    settings = Settings(("uci:/no/such/program", "random"), games=2, **FAST)
    records = list(play_match(settings))
    assert all(record.points == 0 and "cannot start" in record.reason for record in records)


def test_a_program_that_ends_at_once():
    settings = Settings((f"uci:{sys.executable} -c ''", "random"), games=2, **FAST)
    assert all("has ended" in record.reason for record in play_match(settings))


def test_a_program_without_the_variant():
    program = f"uci:{sys.executable} {fake_engine.__file__} plain"
    settings = Settings((program, "random"), games=2, **FAST)
    assert all("does not play" in record.reason for record in play_match(settings))


# Games -----------------------------------------------------------------------------------------


class Cheat(RandomPlayer):
    def choose(self, board, limit):
        raise PlayerError("illegal move: e1e8")


class Sleeper(RandomPlayer):
    def choose(self, board, limit):
        import time

        time.sleep(0.08)
        return super().choose(board, limit)


def play(players, clock=None, **options):
    specs = (Spec("random"), Spec("random"))
    control = Control.parse(clock) if clock else Control(Limit(nodes=1))
    opening = Openings("official", 4, 1, 0).opening(0)
    return play_game(players, specs, opening, control, **options)[0]


def test_who_fails_loses():
    assert play((Cheat(), RandomPlayer())).result == "0-1"
    assert play((Cheat(), RandomPlayer()), first=1).result == "1-0"
    assert play((Cheat(), RandomPlayer()), first=1).points == 0


def test_who_oversteps_the_clock_loses():
    record = play((Sleeper(), RandomPlayer()), "0.1+0")
    assert (record.result, record.reason) == ("0-1", "time forfeit")


def test_long_games_are_drawn():
    record = play((RandomPlayer(), RandomPlayer()), most_turns=3)
    assert (record.result, record.turns) == ("1/2-1/2", 3)


@pytest.mark.parametrize("text", ["", "x", "-1+1", "0+1", "1+-1", "inf"])
def test_impossible_clocks_are_refused(text):
    with pytest.raises(ValueError, match="expected a time control"):
        Control.parse(text)


# Openings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", names())
def test_openings_are_legal_balanced_and_repeatable(variant):
    made = Openings(variant, 6, seed=3, bound=100, nodes=500)
    openings = [made.opening(n) for n in range(3)]
    assert openings == [
        Openings(variant, 6, seed=3, bound=100, nodes=500).opening(n) for n in range(3)
    ]
    assert len({opening.moves for opening in openings}) == 3
    for opening in openings:
        board = opening.board()
        assert end(board) is None
        assert side(board) == 0


def test_a_pair_shares_its_opening():
    games = list(play_match(Settings(("random", "random"), games=4, **FAST, most_turns=2)))
    for one, other in ((games[0], games[1]), (games[2], games[3])):
        assert one.moves[: one.opening] == other.moves[: other.opening]
        assert {one.first, other.first} == {0, 1}


# Matches ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 3])
def test_all_games_are_played_once(workers):
    settings = Settings(("random", "random"), games=8, concurrency=workers, **FAST, most_turns=6)
    assert sorted(record.number for record in play_match(settings)) == list(range(8))


def test_the_test_ends_a_match():
    settings = Settings(("greedy", "random"), variant="chess", games=400, sprt=Sprt(0, 300), **FAST)
    tally = Tally()
    for record in play_match(settings):
        tally.add(record)
    assert tally.games < 400
    assert settings.sprt.verdict(tally.pairs) == "accepted"


def test_a_match_is_resumed(tmp_path):
    settings = Settings(("random", "greedy"), games=6, **FAST, most_turns=10)
    path = tmp_path / "log.jsonl"
    running = play_match(settings, Log(path, settings.for_log()))
    first = [next(running), next(running)]
    running.close()
    with path.open("a") as file:
        file.write('{"number": 5, "pai')  # the power went out
    log = Log(path, settings.for_log())
    assert log.records[:2] == first
    records = list(play_match(settings, log))
    assert records[:2] == first
    assert sorted(record.number for record in records) == list(range(6))
    assert len(path.read_text().splitlines()) == 7
    straight = {record.number: record.moves for record in play_match(settings)}
    assert {record.number: record.moves for record in records} == straight


def test_a_log_of_another_match_is_refused(tmp_path):
    path = tmp_path / "log.jsonl"
    Log(path, Settings(("random", "greedy"), **FAST).for_log())
    with pytest.raises(ValueError, match="another match"):
        Log(path, Settings(("random", "random"), **FAST).for_log())
    path.write_text("nonsense\n")
    with pytest.raises(ValueError, match="line 1"):
        Log(path, {})


@pytest.mark.parametrize("variant", names())
def test_games_become_pgn(variant, tmp_path):
    settings = Settings(("random", "greedy"), variant=variant, games=1, **FAST, most_turns=20)
    record = next(iter(play_match(settings)))
    text = pgn(record, variant, ("me", 'the "other"'), "x")
    first = "White" if variant == "chess" else "Red"
    assert f'[{first} "me"]' in text
    assert '\\"other\\"' in text
    assert text.rstrip().endswith(record.result)
    path = tmp_path / "game.pgn"
    path.write_text(text, "utf-8")
    (game,) = read(path)
    assert not game.problems
    assert game.result == record.result


@pytest.mark.parametrize(
    "options",
    [{}, {"time": 0.005, "depth": 3}, {"games": 0, "depth": 1}, {"depth": 1, "balance": -1}],
)
def test_impossible_settings_are_refused(options):
    with pytest.raises(ValueError, match=r"give one of|expected"):
        Settings(("random", "random"), **options)


def test_settings_can_be_kept_as_json():
    kept = Settings(("random", "random"), sprt=Sprt(), **FAST).for_log()
    assert json.loads(json.dumps(kept)) == {**kept, "players": ["random", "random"]}
    other = Settings(("random", "greedy"), games=7, concurrency=2, **FAST).for_log()
    assert {name for name in kept if kept[name] != other[name]} == {"players"}
