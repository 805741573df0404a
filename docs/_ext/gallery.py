"""``drawn``: Python that is executed while the pages are built, with the picture it makes.

The content is shown as it stands. Its last line must be an expression that gives an SVG text.
"""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from pictures import Picture
from sphinx.application import Sphinx


class DrawnDirective(Directive):
    """A block of code, then its picture."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"width": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Executes the block in a namespace of its own."""
        code = "\n".join(self.content)
        block = nodes.literal_block(code, code, language="python")
        figure = Picture()
        figure["svg"], figure["width"] = drawn(code), self.options.get("width", 420)
        figure["alt"] = self.arguments[0] if self.arguments else "What the code draws"
        return [block, figure]


def drawn(code: str) -> str:
    """The value of the last expression."""
    tree = ast.parse(code)
    last = tree.body.pop()
    if not isinstance(last, ast.Expr):
        raise ValueError("the last line must be an expression")
    names: dict[str, Any] = {}
    exec(compile(tree, "<gallery>", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "<gallery>", "eval"), names)
    if not isinstance(value, str) or "<svg" not in value:
        raise ValueError("the last expression is no picture")
    return value


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_directive("drawn", DrawnDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
