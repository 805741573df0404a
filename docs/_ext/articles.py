"""Articles of the law as links: "(8.3)" anywhere in the pages leads to the article.

The rules pages mark articles by a bold number at the beginning of a paragraph; those get anchors. A
number that is no article (a version, a ratio) stays text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

RULES = Path(__file__).parent.parent / "rules.md"
#: Paragraphs such as 8.3 and whole articles such as 8.
ARTICLES = frozenset(
    re.findall(r"^(?:\*\*|## )(\d+(?:\.\d+)?)\b", RULES.read_text("utf-8"), re.MULTILINE)
)
#: What a citation looks like: a parenthesis that holds articles alone or begins with a paragraph's
#: number, or the word before one.
NUMBER = r"\d{1,2}(?:\.\d{1,2})?"
CITED = re.compile(
    rf"(?<=\(){NUMBER}(?:(?:, | and ){NUMBER})*(?=\))"
    r"|(?<=\()\d{1,2}\.\d{1,2}(?=[,;: ])"
    rf"|(?<=\barticle ){NUMBER}\b|(?<=\bđiều ){NUMBER}\b"
)
#: Where a link would stand inside another, or inside code.
CLOSED = (nodes.reference, nodes.literal, nodes.literal_block, nodes.title, nodes.raw)


def anchor(article: str) -> str:
    """The name of an article's place."""
    return f"article-{article.replace('.', '-')}"


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Gives the articles of the rules pages and their paragraphs their anchors."""
    if app.env.docname not in ("rules", "rules_vi"):
        return
    for section in doctree.findall(nodes.section):
        number = section[0].astext().partition(" ")[0]
        if number in ARTICLES:
            section["ids"].append(anchor(number))
    for paragraph in doctree.findall(nodes.paragraph):
        first = paragraph.children[0] if paragraph.children else None
        if isinstance(first, nodes.strong) and first.astext() in ARTICLES:
            paragraph["ids"].append(anchor(first.astext()))


def link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turns citations into links, to the page's own language where it is one of the rules."""
    page = docname if docname in ("rules", "rules_vi") else "rules"
    target = "" if page == docname else app.builder.get_relative_uri(docname, page)
    for text in list(doctree.findall(nodes.Text)):
        if not CITED.search(text) or closed(text):
            continue
        parts = list(pieces(str(text), target))
        if len(parts) > 1:
            text.parent.replace(text, parts)


def closed(text: nodes.Text) -> bool:
    """Whether something around the text forbids a link."""
    node: Any = text.parent
    while node is not None:
        if isinstance(node, CLOSED):
            return True
        node = node.parent
    return False


def pieces(text: str, target: str) -> Any:
    """The text, its citations as references; a list is one only if all of it are articles."""
    at = 0
    for found in CITED.finditer(text):
        if not set(re.findall(NUMBER, found[0])) <= ARTICLES:
            continue
        for one in re.finditer(NUMBER, found[0]):
            yield nodes.Text(text[at : found.start() + one.start()])
            place = f"{target}#{anchor(one[0])}"
            yield nodes.reference("", one[0], internal=True, refuri=place, classes=["article"])
            at = found.start() + one.end()
    yield nodes.Text(text[at:])


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.connect("doctree-read", mark)
    app.connect("doctree-resolved", link)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
