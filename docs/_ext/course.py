"""``course LANGUAGE``: the lessons of the page as a chapter to read, from the page's own files."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from pictures import Picture
from sphinx.application import Sphinx

from cotulenh import Board, Rules, draw

STATIC = files("cotulenh.web") / "static"


class CourseDirective(Directive):
    """A section for each lesson: what is to be learnt, and the position."""

    required_arguments = 1  # en or vi

    def run(self) -> list[nodes.Node]:
        """All lessons in their order."""
        words = json.loads((STATIC / "lang" / f"{self.arguments[0]}.json").read_text("utf-8"))
        lessons = json.loads((STATIC / "lessons.json").read_text("utf-8"))
        vietnamese = self.arguments[0] == "vi"
        return [self._section(lesson, words, vietnamese) for lesson in lessons]

    def _section(self, lesson: dict[str, Any], words: dict[str, str], vietnamese: bool) -> Any:
        section = nodes.section(ids=[f"lesson-{lesson['id']}"])
        section += nodes.title("", title_of(lesson, words, vietnamese))
        steps = lesson["steps"]
        for number, step in enumerate(steps, 1):
            key = f"lesson.{lesson['id']}.{number}.text"
            text = words.get(key) or words[f"lesson.{lesson['id']}.text"]
            section += nodes.paragraph("", text)
            figure = Picture()
            figure["svg"] = draw.svg(Board(step["fen"]), marks=step.get("marks", ()))
            figure["alt"], figure["width"] = text, 380
            section += figure
        return section


def title_of(lesson: dict[str, Any], words: dict[str, str], vietnamese: bool) -> str:
    """A lesson's own title, or the name of the piece it is about."""
    own = words.get(f"lesson.{lesson['id']}.title")
    if own:
        return own
    row = Rules.load("official").row(lesson["piece"][-1])
    return row.vietnamese if vietnamese else row.name


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_directive("course", CourseDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
