"""The tool that changes the law: what it finds to change, and that the rest keeps its meaning."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from mutants import Source, switched

sys.path.pop(0)


def found(code, old=None):
    """The signs that can be changed and the expressions around them."""
    source = Source("law.cpp", code)
    return [
        (mutant.old, code[slice(*mutant.region)])
        for mutant in source.mutants()
        if old is None or mutant.old == old
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = a + b * c;", [("+", "a + b * c"), ("*", "b * c")]),
        ("x = a - b - c;", [("-", "a - b"), ("-", "a - b - c")]),
        ("return p & q || r == s;", [("&", "p & q"), ("||", "p & q || r == s"), ("==", "r == s")]),
        ("if (ready) total |= f(x);", [("|=", "total |= f(x)")]),
        ("n = is ? a < b : c;", [("<", "a < b")]),
        ("f(a, b > c, d);", [(">", "b > c")]),
        ("x = !left.any(y) && z;", [("!", "!left.any(y)"), ("&&", "!left.any(y) && z")]),
        ("x = std::min<A, B>(a, b) - c;", [("-", "std::min<A, B>(a, b) - c")]),
        ("x = list[n++] ^ [&](T t) { return t; }(y);", [("++", "n++"), ("^", None)]),
    ],
)
def test_an_operand_ends_where_a_weaker_sign_begins(code, expected):
    assert [old for old, _ in found(code)] == [old for old, _ in expected]
    for (_, region), (_, wanted) in zip(found(code), expected, strict=True):
        assert wanted is None or region == wanted


@pytest.mark.parametrize(
    "code",
    [
        "template <int N> struct Grid { static_assert(N < 64); };",
        "inline constexpr int STEPS[] = {1, 2, 3};",
        "std::array<int, 8> table;",
        "template <class Visit> void each(Visit&& visit, const Set& all);",
        'say("a < b"); // c < d',
        "if constexpr (sizeof(T) == 8) f();",
        "enum Side { FIRST = 0, SECOND = 1 };",
        "struct Table { u64 words[64][2], lines[3]; };",
        "char digits[16]{};",
        "#if defined(_WIN32)\nint f() { return 1; }\n#else\n#endif",
    ],
)
def test_what_only_the_compiler_evaluates_and_text_is_left_alone(code):
    assert found(code) == []


def test_a_place_in_an_array_is_no_bound():
    assert found("x = table[1], y = words[a + 2][3];", "1") == [("1", "1")]
    assert found("return table[1];") == [("1", "1")]


def test_a_constexpr_function_may_run():
    assert found("constexpr bool f(int d) { return d >= LAST; }") == [(">=", "d >= LAST")]


def test_all_switches_fit_into_one_text():
    code = "x = a < b && !c;"
    mutants = list(enumerate(Source("law.cpp", code).mutants()))
    on = [f"cotulenh_mutant({i})" for i in range(3)]
    less = f"({on[0]} ? ((a ) <= ( b)) : ((a ) < ( b)))"
    negated = f"(!(c) != {on[2]})"
    assert switched(code, mutants) == (
        f"x = ({on[1]} ? (({less} ) || ( {negated})) : (({less} ) && ( {negated})));"
    )


def test_lines_stay_where_they_are():
    code = "x = a &&\n    b;\ny = 1;\n"
    mutants = list(enumerate(Source("law.cpp", code).mutants()))
    assert [mutant.line for _, mutant in mutants] == [1, 3]
    assert switched(code, mutants).splitlines()[2] == "y = (cotulenh_mutant(1) ? (2) : (1));"
