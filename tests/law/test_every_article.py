"""Every article of the law has a test named after it, every contested ruling one on each side."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
LAST = {1: 3, 2: 6, 3: 3, 4: 5, 5: 3, 6: 5, 7: 3, 8: 5, 9: 2, 10: 4, 11: 3, 12: 4, 14: 5}
ARTICLES = [f"{chapter}.{n}" for chapter, last in LAST.items() for n in range(1, last + 1)]
SWITCHES = [f"S{n}" for n in range(1, 13)]
CONTESTED = ["1.1", "4.2", "4.3", "5.1", "5.2", "6.4", "7.1", "10.3"]
PIECES = (
    "commander infantry militia engineer tank artillery anti_air_gun missile air_force navy "
    "headquarters"
)


def named() -> list[str]:
    """The functions of all files of articles, each with its docstring's first line."""
    sources = [path.read_text("utf-8") for path in sorted(HERE.glob("test_article_*.py"))]
    return re.findall(r"^def (test_\w+\(.*\n(?:[^\n]*\"\"\".*)?)", "\n".join(sources), re.M)


@pytest.mark.parametrize("article", [*ARTICLES, *SWITCHES])
def test_has_a_test(article: str) -> None:
    name = f"test_{article.lower().replace('.', '_')}_"
    assert any(test.startswith(name) for test in named())


@pytest.mark.parametrize("piece", PIECES.split())
def test_every_row_of_the_table_has_a_test(piece: str) -> None:
    assert any(test.startswith(f"test_3_{piece}(") for test in named())


@pytest.mark.parametrize("article", CONTESTED)
def test_both_sides_of_a_contested_ruling(article: str) -> None:
    name = f"test_{article.replace('.', '_')}_"
    sides = Counter(
        side
        for test in named()
        if test.startswith(name)
        for side in ("[R] this side", "[R] the other side")
        if side in test
    )
    assert sides["[R] this side"] >= 1
    assert sides["[R] the other side"] >= 1


@pytest.mark.parametrize("page", ["rules.md", "rules_vi.md"])
@pytest.mark.parametrize("article", [*ARTICLES, *SWITCHES])
def test_can_be_found_on_the_page(page: str, article: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    assert re.search(rf"^(\* )?\*\*{re.escape(article)}\*\* ", text, re.M)
