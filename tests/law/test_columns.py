"""A fact is a column: in a rule set of one's own another kind is heavy, a ship, an aircraft."""

from __future__ import annotations

from pathlib import Path

import pytest
from picture import board, lans

from cotulenh import BLUE, RED, Board, Rules, RulesError, Square

HEAD = 'extends = "official"\nname = "mine"\ntitle = "Mine"\n'


@pytest.fixture
def own(tmp_path: Path):
    """Loads a rule set that adds this text to the official one."""

    def load(text: str) -> Rules:
        path = tmp_path / "mine.toml"
        path.write_text(HEAD + text, "utf-8")
        return Rules.load(path)

    return load


def fen(drawing: str) -> str:
    return board(drawing).fen()


RIVER = """
      g
    7 .
    6 {}
"""


def test_another_kind_is_heavy(own) -> None:
    """2.4: heavy militia do not cross the river at g, light artillery does."""
    rules = own("[pieces.M]\nheavy = true\n[pieces.A]\nheavy = false\n")
    assert "Mg6g7" in lans(Board(fen(RIVER.format("M"))))
    assert "Mg6g7" not in lans(Board(fen(RIVER.format("M")), rules=rules))
    assert "Ag6g7" not in lans(Board(fen(RIVER.format("A"))))
    assert "Ag6g7" in lans(Board(fen(RIVER.format("A")), rules=rules))


SHIP = '[pieces.T]\nship = true\nstands = "any"\n'


def test_another_kind_is_a_ship(own) -> None:
    """2.5: it needs sea under its way; 3: missiles do not take it; 2.6: a Commander boards it."""
    rules = own(SHIP)
    corner = "c d\n6 . .\n5 T ."
    assert "Tc5d5" in lans(Board(fen(corner)))
    at_sea = Board("11/11/11/11/11/11/11/11/11/T10/11/11 r - - 0 1", rules=rules)
    assert "Ta3a5" in lans(at_sea)
    missile = "c d e\n5 . . .\n4 t . S"
    assert "Se4xc4" in lans(Board(fen(missile)))
    assert not any("c4" in lan and "x" in lan for lan in lans(Board(fen(missile), rules=rules)))
    boarding = Board("10c/11/11/11/11/11/11/11/11/T1C8/11/11 r - - 0 1", rules=rules)
    assert "Cc3&a3" in lans(boarding)


def test_an_empty_point_at_sea_counts_as_a_ship_of_any_kind(own) -> None:
    """6.4: whom a piece attacks there does not depend on the Navy's name."""
    rules = own('[pieces.T]\nship = true\nstands = "any"\n[pieces.A]\nstay = "T"\n')
    b = Board("11/11/11/11/11/11/11/11/11/3A7/11/11 r - - 0 1", rules=rules)
    assert [(s.name, k.letter) for s, k in b.attackers(RED, Square("b3"))] == [("d3", "A")]
    none = own('[pieces.A]\nstay = "T"\n')
    b = Board("11/11/11/11/11/11/11/11/11/3A7/11/11 r - - 0 1", rules=none)
    assert b.attackers(RED, Square("b3")) == []


@pytest.mark.parametrize(("stay", "attacks"), [("I", True), ("N", False), ("F", False)])
def test_an_empty_point_inland_counts_as_a_land_piece(own, stay: str, attacks: bool) -> None:
    """6.4: a Navy that may take ships or aircraft alone by staying threatens nothing there."""
    rules = own(f'[pieces.N]\nstay = "{stay}"\n')
    b = Board(fen("b c d\n3 N . ."), rules=rules)
    assert bool(b.attackers(RED, Square("d3"))) == attacks


def test_who_stays_may_be_choosy_about_targets(own) -> None:
    """4.1, 14.3: this Navy takes infantry on land without moving, tanks not at all."""
    rules = own('[pieces.N]\nstay = "I"\n')
    b = Board(fen("c d\n4 . t\n3 N i"), rules=rules)
    assert "Nc3_d3" in lans(b)
    assert "Nc3_d4" not in lans(b)
    assert "Nc3_d4" in lans(Board(fen("c d\n4 . t\n3 N i")))


def test_who_stays_may_spare_ships_alone(own) -> None:
    """4.1, 14.3: these tanks take what they cannot replace at sea by staying, but no ship."""
    at_sea = fen("b c\n4 n T")
    everyone = own('[pieces.T]\nstay = "NFTEHCIMAGS"\n')
    assert "Tc4_b4" in lans(Board(at_sea, rules=everyone))
    land = own('[pieces.T]\nstay = "FTEHCIMAGS"\n')
    assert "Tc4_b4" not in lans(Board(at_sea, rules=land))


def test_walks_past_friends_do_not_open_the_way_of_takes(own) -> None:
    """3: this tank passes its own pieces when it moves, and takes only what it sees."""
    rules = own('[pieces.T]\nmove_blocked = "enemies"\n')
    b = Board(fen("d e f g\n6 . . . .\n5 T I i ."), rules=rules)
    assert "Td5xf5" not in lans(b)
    b = Board(fen("d e f g\n6 . . . .\n5 T I . ."), rules=rules)
    assert "Td5f5" in lans(b)


def test_a_commander_at_sea_is_attacked_as_a_land_piece(own) -> None:
    """6.5: missiles take no ships (3), and he is none: walking, he keeps out of their reach."""
    rules = own('[pieces.C]\nstands = "any"\n')
    b = Board("10c/10i/10i/10i/10i/10i/11/11/1C9/3s7/11/11 r - - 0 1", rules=rules)
    assert {"Cb4a4", "Cb4b5"} <= lans(b)
    assert "Cb4b3" not in lans(b)


def test_a_commander_who_is_a_ship_is_attacked_as_one(own) -> None:
    """6.5: a Navy takes ships four points away (3), on the shore too, where he might be on land."""
    start = "2c8/11/11/11/11/11/11/11/11/11/11/1C9 r - - 0 1"
    rules = own(f'start = "{start}"\n[pieces.C]\nship = true\nstands = "sea"\n')
    b = Board("c10/10i/10i/10i/10i/2n8/11/11/11/1C9/11/11 r - - 0 1", rules=rules)
    assert "Cb3b4" in lans(b)
    assert "Cb3c3" not in lans(b)


def test_another_kind_is_an_aircraft(own) -> None:
    """5.2: rings stop it; 4.3: it may take and return."""
    rules = own("[pieces.T]\naircraft = true\n[pieces.F]\naircraft = false\n")
    ring = "d e f g\n5 T . . .\n4 . . . g"
    assert "Td5f5" in lans(Board(fen(ring)))
    assert "Td5f5" in lans(Board(fen(ring), rules=rules))
    near = "d e f g\n5 T . g ."
    assert "Td5e5" in lans(Board(fen(near)))
    assert "Td5e5" not in lans(Board(fen(near), rules=rules))
    target = "d e f\n5 T i ."
    assert {"Td5xe5", "Td5_e5"} <= lans(Board(fen(target), rules=rules))
    assert "Td5_e5" not in lans(Board(fen(target)))


def test_another_kind_is_the_headquarters(own) -> None:
    """4.4: the shelter is a column, not a letter."""
    rules = own("[pieces.T]\nheadquarters = true\n[pieces.H]\nheadquarters = false\n")
    sheltered = "d e f\n9 I (tc) .\n1 . . C"
    assert "Id9_e9" in lans(Board(fen(sheltered), rules=rules))
    assert "Id9xe9" in lans(Board(fen(sheltered)))
    plain = "d e f\n9 I (hc) .\n1 . . C"
    assert "Id9xe9" in lans(Board(fen(plain), rules=rules))
    assert "Id9_e9" in lans(Board(fen(plain)))


def test_another_kind_is_the_commander(own) -> None:
    """6: whose loss ends the game is a column too."""
    start = "6i4/11/11/11/11/11/11/11/11/11/11/3I7 r - - 0 1"
    rules = own(f'start = "{start}"\n[pieces.I]\ncommander = true\n[pieces.C]\ncommander = false\n')
    b = Board("6i4/6T4/11/11/11/11/11/11/11/11/11/3I7 r - - 0 1", rules=rules)
    assert b.commander(RED) == Square("d1")
    assert b.commander(BLUE) == Square("g12")
    b.push_lan("Tg11xg12")
    assert b.outcome().winner is RED
    with pytest.raises(RulesError, match="expected one piece with commander = true, got"):
        own("[pieces.I]\ncommander = true\n")


HEADQUARTERS = "d e f\n6 i . i\n5 . H .\n4 . i ."


@pytest.mark.parametrize(
    ("ranges", "moves"),
    [
        ("take = [1, 0]\ntake_ships = [0, 0]", {"He5xe4"}),
        ("take = [0, 1]\ntake_ships = [0, 0]", {"He5xd6", "He5xf6"}),
        ("move = [1, 0]\ntake = [0, 0]", {"He5e6", "He5d5", "He5f5"}),
        ("move = [0, 1]\ntake = [0, 0]", {"He5d4", "He5f4"}),
    ],
)
def test_who_has_any_range_is_not_idle(own, ranges: str, moves: set[str]) -> None:
    """3: who may take but not walk takes, who may walk but not take walks."""
    rules = own(f"[pieces.H]\n{ranges}\n")
    assert lans(Board(fen(HEADQUARTERS), rules=rules)) == moves


@pytest.mark.parametrize(("ships", "move"), [("[1, 0]", "He3_e4"), ("[0, 1]", "He3_d4")])
def test_who_takes_ships_alone_is_not_idle(own, ships: str, move: str) -> None:
    """3: on a board whose tanks are ships on land."""
    rules = own(f"{SHIP}[pieces.H]\ntake_ships = {ships}\n")
    b = Board(fen("d e\n4 t t\n3 . H"), rules=rules)
    assert {lan.replace("x", "_") for lan in lans(b)} == {move}


def test_a_blocked_take_may_reach_farther_than_a_walk(own) -> None:
    """3: what stands in between counts on the longer way too."""
    rules = own("[pieces.T]\ntake = [4, 0]\n")
    assert "Td5xh5" in lans(Board(fen("d e f g h\n5 T . . . i"), rules=rules))
    assert "Td5xh5" not in lans(Board(fen("d e f g h\n5 T . . I i"), rules=rules))


def test_without_a_river_heavy_pieces_cross_anywhere(own) -> None:
    """2.4."""
    rules = own("[terrain]\nriver = false\n")
    assert "Ag6g7" in lans(Board(fen(RIVER.format("A")), rules=rules))


def test_no_exchange_at_all(own) -> None:
    """5.2, S8: who flies into a ring does not take the defender with him."""
    rules = own('[switches]\nexchange = "none"\n')
    ring = "d e f\n5 F . g\n12 . c .\n1 C . ."
    assert "Fd5@f5" in lans(Board(fen(ring)))
    assert not any("@" in lan for lan in lans(Board(fen(ring), rules=rules)))
    attacked = "d e f\n5 f . G\n4 . . .\n6 . . C\n12 c . ."
    assert not Board(fen(attacked), rules=rules).is_check()


def test_a_commander_boards_over_water_only_where_he_could_stand(own) -> None:
    """2.6, S5 and S13 together: the ship on the shore, not the one at sea."""
    rules = own("[switches]\nboarding_last_point_for_mover = true\n")
    ships = "c e k\n12 . . c\n3 N C ."
    assert "Ce3&c3" in lans(Board(fen(ships), rules=rules))
    at_sea = "b c k\n12 . . c\n3 N C ."
    assert "Cc3&b3" in lans(Board(fen(at_sea)))
    assert "Cc3&b3" not in lans(Board(fen(at_sea), rules=rules))


def test_the_linter_knows_the_words_of_the_core() -> None:
    from cotulenh import _core

    words = _core.rule_vocabulary()
    rules = Rules.load("official")
    assert set(words["switches"]) == set(rules.switches)
    assert set(words["flags"]) <= set(vars(rules.row("N")))
    for name, value in rules.switches.items():
        assert value in words[name] if name in words else isinstance(value, bool)
