"""Directives that draw boards and print piece tables while the documentation is built.

``board`` draws a position with ``cotulenh.draw``; its options are those of ``draw.svg``. ``pieces``
prints the rows of a rule set, each with its drawing. Nothing they show is kept in the sources.
"""

from __future__ import annotations

import hashlib
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx

from cotulenh import BLUE, RED, Rules, draw
from cotulenh.facts import UNLIMITED, Form, Row
from cotulenh.games import AnyBoard, new_board, play_text

SIDES: dict[str, Any] = {"red": RED, "blue": BLUE, "both": "both"}

#: The words of the piece table in the languages of the rules pages.
WORDS = {
    "en": {
        "head": ("", "", "piece", "moves", "takes", "as a hero", "ring", "carries", "points"),
        "ships": "ships",
        "none": "no ships",
    },
    "vi": {
        "head": ("", "", "quân", "đi", "ăn", "khi là anh hùng", "vòng", "chở", "điểm"),
        "ships": "tàu",
        "none": "không ăn tàu",
    },
}


class Picture(nodes.General, nodes.Element):
    """An SVG text with the words that stand for it."""


def visit_html(translator: Any, node: Picture) -> None:
    """Writes the picture beside the page and shows it."""
    text = node["svg"]
    name = f"board-{hashlib.sha256(text.encode()).hexdigest()[:16]}.svg"
    folder = Path(translator.builder.outdir, translator.builder.imagedir)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    source = f"{translator.builder.imgpath}/{name}"
    translator.body.append(
        f'<img src="{source}" alt="{escape(node["alt"])}" {measure(node["width"])}>'
    )
    raise nodes.SkipNode


def measure(width: int) -> str:
    """The width of a picture; a small one keeps it in however narrow a column."""
    least = f"min-width:{width}px;" if width <= 64 else ""
    return f'style="width:{width}px;{least}"'


def visit_text(translator: Any, node: Picture) -> None:
    """Builders without pictures show the words."""
    if hasattr(translator, "add_text"):
        translator.add_text(node["alt"])
    raise nodes.SkipNode


def picture(text: str, alt: str, width: int) -> Picture:
    """A node for an SVG text."""
    return Picture(svg=text, alt=alt, width=width)


def pairs(text: str) -> list[tuple[str, ...]]:
    """``c4,c8 d2,e3,#c33`` as tuples."""
    return [tuple(part.split(",")) for part in text.split()]


class BoardDirective(Directive):
    """A position; the content, if any, is the caption."""

    has_content = True
    optional_arguments = 1  # the game
    option_spec: ClassVar[dict[str, Any]] = {
        "fen": directives.unchanged_required,
        "play": directives.unchanged_required,
        "animate": directives.unchanged_required,
        "moves-of": directives.unchanged_required,
        "arrows": directives.unchanged_required,
        "marks": directives.unchanged_required,
        "air-defence": lambda value: directives.choice(value, tuple(SIDES)),
        "coordinates": lambda value: directives.choice(value, ("letters", "numbers")),
        "theme": lambda value: directives.choice(value, tuple(draw.THEMES)),
        "flip": directives.flag,
        "width": directives.positive_int,
        "alt": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """The picture in a figure."""
        caption = " ".join(self.content)
        try:
            text = self._drawn()
        except ValueError as error:
            raise self.error(str(error)) from error
        alt = self.options.get("alt") or caption or "a board"
        figure = nodes.figure("", picture(text, alt, self.options.get("width", 420)))
        if caption:
            inline, messages = self.state.inline_text(caption, self.lineno)
            figure += nodes.caption(caption, "", *inline)
            return [figure, *messages]
        return [figure]

    def _drawn(self) -> str:
        options = self.options
        board = new_board(self.arguments[0] if self.arguments else "official", options.get("fen"))
        last: Any = None
        for word in options.get("play", "").split():
            last = play_text(board, word)
        if "animate" in options:
            return draw.animate(board, play_text(board.copy(), options["animate"]), seconds=1.5)
        return draw.svg(
            board,
            last_move=last,
            moves=[m for name in options.get("moves-of", "").split() for m in leaving(board, name)],
            arrows=pairs(options.get("arrows", "")),
            marks=options.get("marks", "").split(),
            air_defence=SIDES.get(options.get("air-defence", "")),
            coordinates=options.get("coordinates", "letters"),
            theme=options.get("theme", "light"),
            flip="flip" in options,
        )


def leaving(board: AnyBoard, name: str) -> list[Any]:
    """The legal moves from a square; a picture that promises some must have some."""
    found = [move for move in list(board.legal_moves) if str(move.from_square) == name]
    if not found:
        raise ValueError(f"nothing moves from {name}")
    return found


class PiecesDirective(Directive):
    """The pieces of a rule set as its table has them."""

    required_arguments = 1  # the rule set
    option_spec: ClassVar[dict[str, Any]] = {
        "language": lambda value: directives.choice(value, tuple(WORDS)),
    }

    def run(self) -> list[nodes.Node]:
        """The table."""
        rules = Rules.load(self.arguments[0])
        language = self.options.get("language", "en")
        words = WORDS[language]
        head = words["head"]
        group = nodes.tgroup(cols=len(head))
        group += [nodes.colspec(colwidth=1) for _ in head]
        group += nodes.thead("", row_of([text_of(word) for word in head]))
        body = nodes.tbody()
        for row in rules.rows.values():
            body += row_of(cells(rules, row, language))
        group += body
        return [nodes.table("", group)]


def cells(rules: Rules, row: Row, language: str) -> list[nodes.Node]:
    """What the table says of a piece."""
    words = WORDS[language]
    name = row.vietnamese if language == "vi" else row.name
    rings = f"{row.normal.ring},\u00a0{row.heroic.ring}★" if row.normal.ring else "–"
    return [
        picture(draw.piece_svg(row.kind, RED), row.name, 40),
        nodes.literal(text=row.kind.letter),
        text_of(name),
        text_of(reach(row.normal.move)),
        text_of(taking(row.normal, words)),
        text_of(hero(row.heroic, words)),
        text_of(rings),
        text_of(", ".join(rules.cargo.get(row.kind, ())) or "–"),
        text_of(str(row.points)),
    ]


def reach(ranges: tuple[int, int]) -> str:
    """Orthogonal and diagonal range."""
    if not any(ranges):
        return "0"
    return "/".join("∞" if n >= UNLIMITED else str(n) for n in ranges)


def taking(form: Form, words: dict[str, Any]) -> str:
    """How far a piece takes, and ships where they differ."""
    if form.take_ships == form.take:
        return reach(form.take)
    ships = reach(form.take_ships)
    return f"{reach(form.take)}, {words['none'] if ships == '0' else words['ships'] + ' ' + ships}"


def hero(form: Form, words: dict[str, Any]) -> str:
    """Moves and takes of a hero, once if they are the same."""
    moves, takes = reach(form.move), taking(form, words)
    return moves if moves == takes else f"{moves}; {takes}"


def text_of(text: str) -> nodes.Node:
    """A text in a cell."""
    return nodes.inline(text=text)


def row_of(content: list[nodes.Node]) -> nodes.row:
    """A row of a table."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", part)) for part in content))


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (visit_text, None))
    app.add_node(Picture, html=(visit_html, None), **others)
    app.add_directive("board", BoardDirective)
    app.add_directive("pieces", PiecesDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
