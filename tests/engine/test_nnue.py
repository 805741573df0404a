"""Networks of both games: a slow twin in NumPy, step by step against from scratch, bad files."""

import random
import struct
import zlib

import nnue_twin
import numpy as np
import pytest
from nnue_twin import BUCKETS, INPUTS

from cotulenh import Board, Rules, _core, chess
from cotulenh.engine import Engine, Limit, network
from cotulenh.engine.bench import bench
from cotulenh.engine.network import NetworkError
from cotulenh.match import Settings

GAMES = ["official", "online", "blueprint", "chess"]

# Stacks, heroes, deployments, few pieces and many: what random games from the start seldom show.
RICH = [
    "6c4/1n2(fi)h1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2(NFT)1GT1TG2/3A2S2A1/4FH1HF2/6C4"
    " r - - 0 1",
    "6(hc)4/11/2(n+ft)2+t5/4(ti)6/11/3(ea)7/5+I5/2(+NFM)3(TI)4/3(EG)7/4(FT)6/5+H5/5(HC)5 r - - 0 1",
    "6c4/11/11/2+N8/11/11/4(FT)6/11/11/11/11/5C5 b - - 0 1",
]


def family(game):
    return "chess" if game == "chess" else "cotulenh"


def core_rules(game):
    return None if game == "chess" else Rules.load(game).core


def new_board(game, fen=None):
    return chess.Board(*([fen] if fen else [])) if game == "chess" else Board(fen, game)


def walk(game, seed, plies=100, fen=None):
    """The positions of a random game, those within deployments too."""
    rng, board = random.Random(seed), new_board(game, fen)
    fens = [board.fen()]
    while len(fens) <= plies and not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
        fens.append(board.fen())
    return fens


def walks(game, seed):
    fens = walk(game, seed)
    for fen in RICH if game == "official" else []:
        fens += walk(game, seed, 40, fen)
    return fens


def random_network(game, hidden=64, seed=1, largest=300, **about):
    rng, name = np.random.default_rng(seed), family(game)
    return network.pack(
        name,
        rng.integers(-largest, largest + 1, (INPUTS[name], hidden)),
        rng.integers(-200, 201, hidden),
        rng.integers(-100, 101, (BUCKETS, 2 * hidden)),
        rng.integers(-9000, 9001, BUCKETS),
        **about,
    )


def says(raw, game, fens):
    return _core.network_says(_core.Network(raw), core_rules(game), fens)


# The twin -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [16, 64, 80, 128])
@pytest.mark.parametrize("game", GAMES)
def test_the_core_and_the_twin_agree(game, hidden):
    raw = random_network(game, hidden)
    fens = walks(game, 3)
    assert says(raw, game, fens) == [nnue_twin.says(raw, fen) for fen in fens]


SHIPPED = [("official", "cotulenh"), ("online", "online"), ("blueprint", "blueprint")]
SHIPPED += [("chess", "chess")]


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_shipped_networks_agree_with_the_twin(game, name):
    raw, fens = (network.FOLDER / f"{name}.nnue").read_bytes(), walks(game, 4)
    assert says(raw, game, fens) == [nnue_twin.says(raw, fen) for fen in fens]


def test_an_engine_takes_the_network_of_the_rule_set_at_hand():
    with Engine(hash_mb=4) as one:
        found = [one.evaluate(new_board(game)) for game, _ in (*SHIPPED, *SHIPPED)]
    for (game, name), evaluation in zip((*SHIPPED, *SHIPPED), found, strict=True):
        with Engine(hash_mb=4, network=network.FOLDER / f"{name}.nnue") as fresh:
            assert fresh.evaluate(new_board(game)) == evaluation


@pytest.mark.parametrize("game", GAMES)
def test_step_by_step_is_as_good_as_from_scratch(game):
    raw = random_network(game)
    fens = [fen for seed in range(10, 14) for fen in walks(game, seed)]
    in_order = says(raw, game, fens)
    assert in_order == [says(raw, game, [fen])[0] for fen in fens]
    mixed = random.Random(1).sample(fens, len(fens))
    assert says(raw, game, mixed) == [in_order[fens.index(fen)] for fen in mixed]


@pytest.mark.parametrize("game", GAMES)
def test_the_plain_loops_give_the_same_numbers(game):
    raw, fens = random_network(game, 128), walks(game, 6)
    fast = says(raw, game, fens)
    _core.use_plain_loops(True)
    try:
        assert says(raw, game, fens) == fast
    finally:
        _core.use_plain_loops(False)


@pytest.mark.parametrize("game", ["official", "chess"])
def test_the_plain_loops_give_the_same_signature(game):
    fast = bench([game])[0].signature
    _core.use_plain_loops(True)
    try:
        assert bench([game])[0].signature == fast
    finally:
        _core.use_plain_loops(False)


@pytest.mark.parametrize("game", GAMES)
def test_colours_swapped_nothing_changes(game):
    raw = random_network(game)
    other = {"w": "b", "r": "b", "b": "w" if game == "chess" else "r"}
    pairs = []
    for fen in walk(game, 5):
        board, turn, third, _, *rest = fen.split()
        if len(rest) > 2:
            continue  # within a deployment, which names its origin
        board = "/".join(reversed(board.split("/"))).swapcase()
        pairs.append((fen, " ".join([board, other[turn], third.swapcase(), "-", *rest])))
    assert says(raw, game, [a for a, _ in pairs]) == says(raw, game, [b for _, b in pairs])


@pytest.mark.parametrize("game", ["official", "chess"])
def test_the_largest_numbers_do_not_overflow(game):
    name, hidden = family(game), 128
    shape = (INPUTS[name], hidden)
    fen = new_board(game).fen()
    for sign in (1, -1):
        raw = network.pack(
            name,
            np.full(shape, 500),
            np.full(hidden, 500),
            np.full((BUCKETS, 2 * hidden), 127 * sign),
            np.full(BUCKETS, 32767 * sign),
        )
        assert says(raw, game, [fen]) == [nnue_twin.says(raw, fen)] == [20000 * sign]


# Files ----------------------------------------------------------------------------------------


def resealed(raw):
    return raw[:12] + struct.pack("<I", zlib.crc32(raw[16:])) + raw[16:]


def changed(raw, at, what, *, seal=True):
    raw = raw[:at] + what + raw[at + len(what) :]
    return resealed(raw) if seal else raw


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda raw: b"", "it is not a network"),
        (lambda raw: raw[:63], "it is not a network"),
        (lambda raw: b"CoTuData" + raw[8:], "it is not a network"),
        (lambda raw: changed(raw, 8, b"\2"), "expected 1 as the version, got 2"),
        (lambda raw: changed(raw, 16, b"shogi\0"), "a game that is not known"),
        (lambda raw: changed(raw, 32, struct.pack("<I", 769)), "expected 768 inputs, got 769"),
        (lambda raw: changed(raw, 36, struct.pack("<I", 65)), "expected 16 to 256 sums"),
        (lambda raw: changed(raw, 36, struct.pack("<I", 1 << 30)), "expected 16 to 256 sums"),
        (lambda raw: changed(raw, 36, struct.pack("<I", 48)), "bytes, got"),
        (lambda raw: changed(raw, 40, b"\7"), "expected 8 buckets, got 7"),
        (lambda raw: changed(raw, 44, b"\1"), "another scale"),
        (lambda raw: raw[:-1], "bytes, got"),
        (lambda raw: raw + b"\0", "bytes, got"),
        (lambda raw: changed(raw, 99, b"\x55\x55", seal=False), "damaged, the checksum"),
        (lambda raw: changed(raw, 64, struct.pack("<h", 900)), "first layer is too large"),
        (
            lambda raw: changed(raw, 64 + 2 * 769 * 64, struct.pack("<h", -32768)),
            "last layer is too large",
        ),
    ],
)
def test_files_that_do_not_fit_are_refused_in_one_line(tmp_path, change, reason):
    path = tmp_path / "own.nnue"
    path.write_bytes(change(random_network("chess", 64)))
    with pytest.raises(NetworkError, match=reason) as error:
        Engine(network=path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(NetworkError, match="No such file"):
        Engine(network=tmp_path / "none.nnue")
    with pytest.raises(NetworkError, match="directory"):
        Engine(network=tmp_path)


def test_sums_that_are_too_large_together_are_refused():
    raw = network.pack(
        "chess",
        np.zeros((768, 256)),
        np.zeros(256),
        np.full((BUCKETS, 512), 127),
        np.zeros(BUCKETS),
    )
    with pytest.raises(ValueError, match="too large together"):
        _core.Network(raw)


# In the engine ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_network_of_ones_own(tmp_path, game):
    alone, beside = tmp_path / "alone.nnue", tmp_path / "beside.nnue"
    alone.write_bytes(random_network(game))
    beside.write_bytes(random_network(game, beside_terms=True))
    board = new_board(game)
    said = says(alone.read_bytes(), game, [board.fen()])[0]
    with Engine(without=["network"]) as plain:
        terms = plain.evaluate(board).score.cp
    with Engine(network=alone) as engine:
        assert engine.evaluate(board).score.cp == said
        assert engine.play(board, Limit(depth=2)).move in board.legal_moves
    with Engine(network=str(beside)) as engine:
        assert engine.evaluate(board).score.cp == terms + said
    with Engine(network=alone, without=["network"]) as engine:
        assert engine.evaluate(board).score.cp == terms


def test_a_network_is_used_for_its_game_alone(tmp_path):
    path = tmp_path / "own.nnue"
    path.write_bytes(random_network("official"))
    board = chess.Board()
    with Engine(network=path) as own, Engine() as usual:
        assert own.evaluate(board) == usual.evaluate(board)


def test_where_the_terms_have_decided_a_network_beside_them_is_silent(tmp_path):
    path = tmp_path / "own.nnue"
    path.write_bytes(random_network("chess", beside_terms=True, decided=900))
    board = chess.Board("4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1")
    with Engine(network=path) as engine, Engine(without=["network"]) as plain:
        assert engine.evaluate(board).score == plain.evaluate(board).score


def test_the_evaluation_names_the_network():
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 1")
    with Engine() as whole, Engine(without=["network"]) as terms_alone:
        found, plain = whole.evaluate(board), terms_alone.evaluate(board)
    white, black = found.terms["network"]
    assert "network" not in plain.terms
    assert found.score.cp == plain.score.cp + white - black
    raw = (network.FOLDER / "chess.nnue").read_bytes()
    assert white - black == nnue_twin.says(raw, board.fen())


def test_a_player_of_a_match_may_have_its_own(tmp_path):
    path = tmp_path / "own.nnue"
    path.write_bytes(random_network("official"))
    settings = Settings(("engine", f"engine,network={path}"), variant="official", nodes=10)
    assert settings.specs()[1].settings == {"network": str(path)}
    path.write_bytes(b"no")
    with pytest.raises(ValueError, match="it is not a network"):
        Settings(("engine", f"engine,network={path}"), variant="official", nodes=10).specs()
