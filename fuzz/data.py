"""Writes the rule sets and some positions as C++, so that the fuzz targets need no Python.

python fuzz/data.py FILE    (with the package installed; the positions are those of the tests)
"""

import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

import laws  # noqa: E402
from positions import random_fen, start_positions  # noqa: E402

from cotulenh import Rules  # noqa: E402

RULE_SETS = ("official", "online", "blueprint")
SET_UPS = 120  # random ones for each rule set
FLAGS = ("ship", "aircraft", "heavy", "indirect", "commander", "headquarters")


def number(value: object) -> str:
    return str(int(value))  # also of yes and no


def text(value: str) -> str:
    return f'"{value}"'


def point_set(value: int) -> str:
    words = [f"{value >> 64 * i & (1 << 64) - 1}ull" for i in range(3)]
    return f"points({', '.join(words)})"


def row(facts: dict) -> str:
    return "{" + ", ".join(number(value) for value in facts.values()) + "}"


def kind(facts: dict) -> list[str]:
    if not facts["present"]:
        return []
    lines = ["k.present = true;"]
    for name, words in (
        ("move_blocked", "BLOCKING"),
        ("take_blocked", "BLOCKING"),
        ("stands", "STANDS"),
    ):
        enum = "Stands" if name == "stands" else "Blocking"
        lines.append(f"k.{name} = {enum}(place({text(facts[name])}, {words}));")
    lines += [f"k.{name} = {number(facts[name])};" for name in (*FLAGS, "points", "stay")]
    return lines


def rule_set(name: str) -> list[str]:
    spec = Rules.load(name).spec
    lines = [f"inline RuleSpec {name}() {{", "RuleSpec s;"]
    lines += [f"s.{field} = {text(spec[field])};" for field in ("name", "start")]
    lines += [
        f"s.{field} = {number(spec[field])};"
        for field in ("files", "ranks", "river", "bridge_files")
    ]
    lines += [f"s.{f} = {point_set(spec[f])};" for f in ("water", "land", "mixed", "bridges")]
    pairs = ", ".join(f"{{Square({a}), Square({b})}}" for a, b in spec["corners"])
    lines.append(f"s.corners = {{{pairs}}};")
    for k, facts in enumerate(spec["kinds"]):
        lines += [f"{{ auto& k = s.kinds[{k}];", *kind(facts), "}"]
        for heroic in (0, 1):
            given = row(spec["rows"][2 * k + heroic])
            lines.append(f"s.rows[piece_of(Kind({k}), {heroic})] = Row{given};")
    stacks = ", ".join("{" + ", ".join(f"Kind({k})" for k in s) + "}" for s in spec["cargo"])
    lines.append(f"s.cargo = {{{stacks}}};")
    for switch, value in spec["switches"].items():
        given = text(value) if isinstance(value, str) else number(value)
        lines.append(f"flip(s.switches, {text(switch)}, {given});")
    lines.append(f"s.objective = Objective(place({text(spec['objective'])}, OBJECTIVES));")
    for i, arms in enumerate(("marine", "air", "land")):
        lines.append(f"s.arms[{i}] = {spec['groups'][arms]};")
    return [*lines, "return s;", "}"]


def weight(fen: str) -> int:
    """Stacks count thrice: their deployments are what takes time."""
    placement = fen.split()[0]
    return sum(c.isalpha() for c in placement) + 3 * placement.count("(")


def list_of(name: str, fens: list[str]) -> list[str]:
    return [f"inline constexpr const char* {name}[] = {{", *(f"{text(f)}," for f in fens), "};"]


def main() -> None:
    lines = ["// Written by fuzz/data.py."]
    for name in RULE_SETS:
        chance = random.Random(f"set-ups {name}")
        fens = start_positions(name) + [random_fen(chance, name) for _ in range(SET_UPS)]
        fens.sort(key=weight)
        lines += [*rule_set(name), *list_of(f"{name.upper()}_FENS", fens)]
    lines += list_of("CHESS_FENS", list(laws.CHESS.starts))
    lines += list_of("CHESS960_FENS", list(laws.CHESS960.starts))
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
