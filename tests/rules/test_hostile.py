"""Rule files made to hurt: each is refused with file and reason, never with a traceback.

Without the limits some of these take minutes, or do not end at all.
"""

import pytest

from cotulenh.rules import Rules, RulesError, check


def refused(tmp_path, text):
    path = tmp_path / "own.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RulesError) as caught:
        Rules.load(path)
    assert "own.toml" in str(caught.value)
    assert check(path) == list(caught.value.problems)
    return caught.value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 5000 + "]" * 5000, "brackets"),
        ("a = " + "{b=" * 5000 + "1" + "}" * 5000, "brackets"),
        ("[" * 3000, "brackets"),
        (".".join("a" * 1 for _ in range(20_000)) + " = 1", "parts"),
        ("[" + ".".join(["a"] * 20_000) + "]", "parts"),
        (".".join(['"a"'] * 20_000) + " = 1", "parts"),
        ("n = " + "9" * 5000, "not TOML"),
        ("\n".join(f"k{n} = {n}" for n in range(60_000)), "bytes"),
        ('a = "' + "x" * 300_000, "bytes"),
        (b"\xff\xfe", "UTF-8"),
        ("a = 0000-99-99T99:99:99", "not TOML"),
        ('"""' * 50_000, "not TOML"),
        ("'" * 100_000, "not TOML"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_excess_is_named(tmp_path, text, reason):
    assert reason in str(refused(tmp_path, text))


def test_many_keys_within_the_limit_are_all_reported(tmp_path):
    text = 'extends = "official"\n' + "\n".join(f"k{n} = {n}" for n in range(15_000))
    error = refused(tmp_path, text)
    assert len(error.problems) >= 15_000
    assert error.problems[-1].line == 15_001


def test_a_long_chain_of_extends_is_refused(tmp_path):
    (tmp_path / "r0.toml").write_text('extends = "official"\nname = "r0"')
    for n in range(1, 1200):
        (tmp_path / f"r{n}.toml").write_text(f'extends = "r{n - 1}.toml"\nname = "r{n}"')
    assert Rules.load(tmp_path / "r5.toml").name == "r5"
    with pytest.raises(RulesError, match="in a row"):
        Rules.load(tmp_path / "r1199.toml")


@pytest.mark.parametrize("name", ["\0", "a" * 5000, "x/" * 3000, "\udcff"])
def test_names_no_file_can_have(tmp_path, name):
    with pytest.raises(RulesError, match="expected a rule set"):
        Rules.load(name)
    escaped = name.encode("unicode_escape").decode().replace("\\x", "\\u00")
    if "\\udc" not in escaped:
        refused(tmp_path, f'extends = "{escaped}"')


def test_files_that_extend_each_other(tmp_path):
    (tmp_path / "a.toml").write_text('extends = "b.toml"')
    (tmp_path / "b.toml").write_text('extends = "a.toml"')
    with pytest.raises(RulesError, match="extends itself"):
        Rules.load(tmp_path / "a.toml")


def test_lines_are_still_right(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('extends = "official"\nname = "own"\n# [[[[\n\n[pieces.T]\nmove = "far"\n')
    assert [problem.line for problem in check(path)] == [6]
