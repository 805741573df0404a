"""Bad rule sets: every complaint names file, line and field."""

import re
from pathlib import Path

import pytest

from cotulenh import Rules, RulesError
from cotulenh import rules as rules_package
from cotulenh.rules import check
from cotulenh.rules._source import key_lines

OFFICIAL = (Path(rules_package.__file__).parent / "official.toml").read_text("utf-8")
MINE = OFFICIAL.replace('name = "official"', 'name = "mine"', 1)


def write(folder, text, name="mine.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def in_table(header, old, new):
    """Official rules with the first `old` after a table's header replaced."""
    start = MINE.index(header)
    assert old in MINE[start:], old
    return MINE[:start] + MINE[start:].replace(old, new, 1)


def test_the_untouched_copy_loads(tmp_path):
    rules = Rules.load(write(tmp_path, MINE))
    assert rules.name == "mine"
    assert rules.rows == Rules.load("official").rows


# What is replaced in [table], by what, the field to be named, and words of the reason.
SINGLE = [
    ("name", 'name = "mine"', 'name = "Mine!"', "name", "a short lower-case name"),
    ("name", 'name = "mine"', 'name = "online"', "name", "the name of a shipped rule set"),
    ("title", "files = 11", 'files = "eleven"', "files", "expected a whole number, got 'eleven'"),
    ("title", "files = 11", "files = true", "files", "expected a whole number, got True"),
    ("title", "files = 11", "files = 13", "files", "13 is out of bounds (2 to 12)"),
    ("title", "ranks = 12", "ranks = 12\nlevels = 2", "levels", "unknown key"),
    ("title", "ranks = 12", "", "ranks", "is missing"),
    ("title", '"commander"', '"glory"', "objective", "tactical, got 'glory'"),
    ("[pieces.T]", "move = [2, 0]", "move = [13, 0]", "pieces.T.move", "range 13 is out of bounds"),
    ("[pieces.T]", "move = [2, 0]", "move = [-1, 0]", "pieces.T.move", "range -1 is out of bounds"),
    ("[pieces.T]", "move = [2, 0]", "move = [2.0, 0]", "pieces.T.move", "got 2.0"),
    ("[pieces.T]", "move = [2, 0]", "move = [2]", "pieces.T.move", "two ranges"),
    ("[pieces.T]", "move = [2, 0]", "move = 2", "pieces.T.move", "two ranges"),
    ("[pieces.T]", "move = [2, 0]", "mvoe = [2, 0]", "pieces.T.mvoe", "unknown key"),
    (
        "[pieces.T]",
        'stands = "land"',
        'stands = "air"',
        "pieces.T.stands",
        "one of land, sea, any, got 'air'",
    ),
    (
        "[pieces.T]",
        'stands = "land"',
        'stands = "land"\nship = 1',
        "pieces.T.ship",
        "true or false",
    ),
    ("[pieces.T]", "points = 20", "points = -1", "pieces.T.points", "-1 is out of bounds"),
    ("[pieces.T]", "points = 20", 'points = 20\nstay = "NX"', "pieces.T.stay", "'X' is not"),
    ("[pieces.T]", "points = 20", 'points = 20\nstay = "NN"', "pieces.T.stay", "twice"),
    ("[pieces.T]", "points = 20", "points = 20\nstay = 5", "pieces.T.stay", "letters, got 5"),
    ("[terrain]", "corners = [", "corners = 5 # [", "terrain.corners", "list of pairs"),
    ("[terrain]", '["c5", "d6"]', '["c5"]', "terrain.corners", "a pair of squares, got ['c5']"),
    ("[pieces.T]", "points = 20", "points = 20\nheavy = 'x'", "pieces.T.heavy", "true or false"),
    ("[pieces.T]", "points = 20", "points = 20\nring = 99", "pieces.T.ring", "99 is out of bounds"),
    (
        "[pieces.T]",
        "points = 20",
        "commander = true\npoints = 20",
        "pieces.T.commander",
        "expected one piece with commander = true, got C and T",
    ),
    ("[pieces.N]", 'stands = "sea"', 'stands = "land"', "pieces.N.stands", "a ship stands at sea"),
    ("[pieces.H]", "move = [2, 2], ", "", "pieces.H.heroic.move", "is missing"),
    ("[pieces.H]", "move = [2, 2], ", "hop = 1, move = [1, 1], ", "pieces.H.heroic.hop", "unknown"),
    ("[pieces.T]", "[pieces.T]", "[pieces.Q]", "pieces.Q", "unknown piece letter"),
    ("[cargo]", 'H = ["C"]', 'A = ["T"]', "cargo.A[0]", "T would be the carrier"),
    (
        "[cargo]",
        'T = ["C", "I", "M"]',
        'T = ["C", "I", "X"]',
        "cargo.T[2]",
        "'X' is not the letter",
    ),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = ["C", "I", 3]', "cargo.T[2]", "got 3"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = ["C", "I", ""]', "cargo.T[2]", "got ''"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = ["C", "I", "C"]', "cargo.T[2]", "stands twice"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = ["CIM"]', "cargo.T[0]", "more than 3 pieces"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = "CIM"', "cargo.T", "a list of loads"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = ["C", "T"]', "cargo.T", "a cycle: T carries T"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'T = ["F"]', "cargo.F", "a cycle: F carries T carries F"),
    ("[cargo]", 'T = ["C", "I", "M"]', 'Q = ["C"]', "cargo.Q", "unknown piece letter"),
    ("[switches]", 'exchange = "subset"', 'exchange = "x"', "switches.exchange", "one of subset"),
    ("[switches]", "shelter = true", "shelter = 1", "switches.shelter", "true or false"),
    ("[switches]", "shelter = true", "", "switches.shelter", "is missing"),
    ("[switches]", "shelter = true", "shelterr = true", "switches.shelterr", "unknown key"),
    (
        "[objectives]",
        'air = "F"',
        'air = "f"',
        "objectives.air",
        "'f' is not the letter of a piece",
    ),
    ("[terrain]", "river = [6, 7]", "river = [6, 8]", "terrain.river", "two neighbouring ranks"),
    ("[terrain]", "river = [6, 7]", "river = [12, 13]", "terrain.river", "expected two ranks"),
    ("[terrain]", '"d6"]', '"d9"]', "terrain.corners[0]", "not diagonal neighbours"),
    ("[terrain]", '["c5", "d6"]', '["k5", "l6"]', "terrain.corners[0]", "l6 is not on the board"),
    ("[terrain]", '"d6"]', '"z6"]', "terrain.corners", "expected a square, got 'z6'"),
    ("[terrain]", '"d6"]', "6]", "terrain.corners", "expected a square, got 6"),
    (
        "[terrain.legend]",
        '"water"',
        '"lava"',
        "terrain.legend.W.class",
        "one of water, land, mixed",
    ),
    ("[terrain.legend]", "W = {", "Sea = {", "terrain.legend.Sea", "one capital letter"),
    ("[terrain.legend]", "bridge = true", "bridge = 2", "terrain.legend.B.bridge", "true or false"),
    ("[terrain.legend]", "bridge = true", "ford = true", "terrain.legend.B.ford", "unknown key"),
    ("start", "6c4", "6c5", "start", "rank 12 has too many points: expected 11, got at least 12"),
    ("start", "6c4", "6c0", "start", "expected a run of 1 to 11 empty points"),
    ("start", "6c4/", "", "start", "expected 12 ranks, got 11"),
    ("start", "6c4", "6q4", "start", "unknown piece 'q'"),
    ("start", "6c4", "c10", "start", "a12: c cannot stand there"),
    ("start", "6c4", "11", "start", "Blue has no Commander"),
    ("start", "6c4", "5cc4", "start", "g12: a second Commander"),
    ("start", "6c4", "6(ci)4", "start", "g12: (ci) is not a stack of this rule set"),
    ("start", "6c4", "6(cI)4", "start", "a stack of two colours"),
    ("start", "6c4", "6()4", "start", "an empty stack"),
    ("start", "6c4", "6(c4", "start", "unknown piece '4'"),
    ("start", " r - -", " w - -", "start", "expected the side to move, r or b, got 'w'"),
    ("start", " r - -", " r", "start", "expected '-', got '0'"),
    ("start", " r - -", " r x -", "start", "expected '-', got 'x'"),
    ("start", " 0 1", " 0 one", "start", "fullmove counter"),
]


@pytest.mark.parametrize(("header", "old", "new", "field", "reason"), SINGLE)
def test_one_complaint(tmp_path, header, old, new, field, reason):
    path = write(tmp_path, in_table(header, old, new))
    with pytest.raises(RulesError) as caught:
        Rules.load(path)
    fields = [problem.field for problem in caught.value.problems]
    problem = caught.value.problems[fields.index(field)]
    assert reason in problem.reason
    assert problem.file == str(path)
    line = path.read_text("utf-8").splitlines()[problem.line - 1]
    key = re.sub(r"\[\d+\]", "", field).split(".")[-1]
    if problem.reason != "is missing":
        assert re.search(rf"\b{key}\b", line), line


@pytest.mark.parametrize("new", ["6(ch)4", "6(ct)4", "6(+t+c)4"])
def test_stacks_may_stand_in_a_start_position(tmp_path, new):
    assert check(write(tmp_path, MINE.replace("6c4", new, 1))) == []


def test_the_message_names_file_line_and_field(tmp_path):
    path = write(tmp_path, in_table("[pieces.T]", "move = [2, 0]", "move = [13, 0]"))
    line = path.read_text("utf-8").splitlines().index("move = [13, 0]         # 3") + 1
    with pytest.raises(RulesError) as caught:
        Rules.load(path)
    error = caught.value
    expected = f"{path}:{line}: pieces.T.move: range 13 is out of bounds (0 to 12, or inf)"
    assert str(error) == expected
    assert (error.file, error.line, error.field) == (str(path), line, "pieces.T.move")
    assert isinstance(error, ValueError)


def test_all_problems_come_together(tmp_path):
    text = in_table("[pieces.T]", "move = [2, 0]", "move = [13, 0]")
    text = text.replace("points = 20", "points = -5", 1).replace('air = "F"', 'air = "Q"')
    problems = check(write(tmp_path, text))
    assert [one.field for one in problems] == ["objectives.air", "pieces.T.move", "pieces.T.points"]
    with pytest.raises(RulesError, match=r"\(and 2 more\)"):
        Rules.load(tmp_path / "mine.toml")


# The map ------------------------------------------------------------------------------------


def line_of(path, text):
    return path.read_text("utf-8").splitlines().index(text) + 1


def test_map_with_a_short_row(tmp_path):
    path = write(tmp_path, MINE.replace("WWMRRBLBLLL", "WWMRRBLBLL", 1))
    (problem,) = check(path)
    assert problem.reason == "rank 7 of the map has 10 letters, the board 11 files"
    assert problem.field == "terrain.map"
    assert problem.line == line_of(path, "WWMRRBLBLL")


def test_map_with_an_unknown_letter(tmp_path):
    path = write(tmp_path, MINE.replace("WWMRRBLBLLL", "WWMRRBLBLLX", 1))
    (problem,) = check(path)
    assert problem.reason == "rank 7 of the map: the letter 'X' is not in the legend"
    assert problem.line == line_of(path, "WWMRRBLBLLX")


def test_map_with_a_missing_row(tmp_path):
    path = write(tmp_path, MINE.replace("WWMRRBLBLLL\n", "", 1))
    problems = check(path)
    assert problems[0].reason == "the map has 11 rows, the board has 12 ranks"


def test_blanks_in_the_map_do_not_count(tmp_path):
    spaced = MINE.replace("WWMRRBLBLLL", "  W W M R R B L B L L L")
    assert check(write(tmp_path, spaced)) == []


# Files --------------------------------------------------------------------------------------


def test_no_such_rule_set():
    with pytest.raises(RulesError, match="checkers: expected a rule set"):
        Rules.load("checkers")


def test_bad_toml(tmp_path):
    path = write(tmp_path, 'name = "mine"\ntitle = \n')
    (problem,) = check(path)
    assert (problem.line, problem.field) == (2, "")
    assert problem.reason.startswith("not TOML")


def test_bad_toml_at_the_end(tmp_path):
    path = write(tmp_path, 'name = "mine"\ntitle = """open\n')
    (problem,) = check(path)
    assert problem.line == 3


def test_not_text(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"name = 'mine'\ntitle = '\xff'\n")
    (problem,) = check(path)
    assert (problem.line, problem.reason) == (2, "not UTF-8 text")


def test_a_folder_is_no_rule_set(tmp_path):
    with pytest.raises(RulesError, match="expected a rule set"):
        Rules.load(tmp_path)


@pytest.mark.parametrize("text", ["", "[pieces]\nT = 3\n[cargo]\n", "terrain = 5", "pieces = 'x'"])
def test_almost_nothing(tmp_path, text):
    problems = check(write(tmp_path, text))
    assert any(one.reason == "is missing" for one in problems)


# extends ------------------------------------------------------------------------------------

SMALL = 'extends = "official"\nname = "small"\n'


def test_extends_changes_only_what_it_says(tmp_path):
    rules = Rules.load(write(tmp_path, SMALL + "[pieces.T]\nmove = [3, 0]\n"))
    tank = rules.row("T")
    assert (tank.normal.move, tank.normal.take, tank.heroic.move) == ((3, 0), (2, 0), (4, 4))
    assert rules.title == Rules.load("official").title


def test_extends_may_remove_a_piece(tmp_path):
    text = SMALL + (
        'start = "6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1"\n'
        "[pieces]\nM = false\n[cargo]\n"
        'N = ["F"]\nF = ["T"]\nT = ["I"]\nH = ["C"]\n'
    )
    rules = Rules.load(write(tmp_path, text))
    assert "M" not in {kind.letter for kind in rules.kinds}


def test_extends_may_remove_a_heroic_row(tmp_path):
    rules = Rules.load(write(tmp_path, SMALL + "[pieces.H]\nmove = [1, 0]\nheroic = false\n"))
    assert rules.row("H").heroic.move == (2, 2)


def test_extends_another_file(tmp_path):
    write(tmp_path, SMALL + "[pieces.T]\nmove = [3, 0]\n", "base.toml")
    path = write(tmp_path, 'extends = "base.toml"\nname = "top"\n[pieces.T]\ntake = [4, 0]\n')
    tank = Rules.load(path).row("T")
    assert (tank.normal.move, tank.normal.take) == ((3, 0), (4, 0))


def test_a_problem_in_the_base_names_the_base(tmp_path):
    base = write(tmp_path, SMALL + "[pieces.T]\nmove = [33, 0]\n", "base.toml")
    (problem,) = check(write(tmp_path, 'extends = "base.toml"\nname = "top"\n'))
    assert (problem.file, problem.line, problem.field) == (str(base), 4, "pieces.T.move")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('"nothing"', "'nothing': expected a rule set"),
        ("3", "expected a text, got 3"),
        ('"mine.toml"', "'mine.toml' extends itself"),
    ],
)
def test_bad_extends(tmp_path, value, reason):
    (problem,) = check(write(tmp_path, f'name = "x"\nextends = {value}\n'))
    assert (problem.line, problem.field) == (2, "extends")
    assert reason in problem.reason


def test_extends_in_a_ring(tmp_path):
    write(tmp_path, 'extends = "b.toml"\n', "a.toml")
    write(tmp_path, 'extends = "a.toml"\n', "b.toml")
    (problem,) = check(tmp_path / "a.toml")
    assert "extends itself" in problem.reason


# The line scanner ---------------------------------------------------------------------------


def test_lines_of_all_kinds_of_toml():
    text = """\
# comment with = and [brackets]
a = 1
"quoted key" = 'x # no comment'
b.c.d = "a \\" quote"
e = [1, # one
  2,
  [3, 4],
]
f = { g = 1, h = { i = "}" } }
m = '''
n = 5
'''
o = \"\"\"
p = 5\"\"\"

[ t . u ]  # header
v = 2026-01-01
[[w]]
x = 1
"""
    lines = key_lines(text)
    expected = {
        ("a",): 2,
        ("quoted key",): 3,
        ("b", "c", "d"): 4,
        ("e",): 5,
        ("e", 0): 5,
        ("e", 1): 6,
        ("e", 2): 7,
        ("e", 2, 1): 7,
        ("f", "g"): 9,
        ("f", "h", "i"): 9,
        ("m",): 10,
        ("o",): 13,
        ("t", "u"): 16,
        ("t", "u", "v"): 17,
        ("w",): 18,
        ("w", "x"): 19,
    }
    assert {place: lines.get(place) for place in expected} == expected
    assert ("n",) not in lines
    assert ("p",) not in lines


def test_what_a_removed_piece_leaves_behind_is_named(tmp_path):
    """Cargo, groups of arms and targets that name a piece which the rule set no longer has."""
    text = """extends = "official"
name = "mine"
[pieces]
T = false
[pieces.S]
stay = "T"
"""
    with pytest.raises(RulesError) as refused:
        Rules.load(write(tmp_path, text))
    found = {problem.field for problem in refused.value.problems}
    assert {"cargo.T", "objectives.land", "pieces.S.stay"} <= found
    assert any(field.startswith("cargo.N") for field in found)


def test_a_game_does_not_start_in_mid_deployment(tmp_path):
    start = "6c4/11/11/11/11/11/11/11/11/2(NF)8/11/6C4 r - - 0 1 c3:F"
    text = f'extends = "official"\nname = "mine"\nstart = "{start}"\n'
    with pytest.raises(RulesError, match="does not start in mid-deployment"):
        Rules.load(write(tmp_path, text))


def test_a_stated_hero_may_say_what_it_does_to_ships(tmp_path):
    ships = "heroic = { move = [2, 2], take = [2, 2], take_ships = [1, 0] }"
    rules = Rules.load(write(tmp_path, in_table("[pieces.H]", "heroic = {", f"{ships} #")))
    assert rules.row("H").heroic.take_ships == (1, 0)


def test_problems_can_be_sent_to_another_process(tmp_path):
    import pickle

    with pytest.raises(RulesError) as refused:
        Rules.load(write(tmp_path, "name = 5"))
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.problems == refused.value.problems


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    """A directory, whoever asks for it."""
    folder = tmp_path / "mine.toml"
    folder.mkdir()
    with pytest.raises(RulesError, match=r"mine\.toml"):
        Rules.load(folder)
