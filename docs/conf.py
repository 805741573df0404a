"""How the documentation is built: ``sphinx-build -W -b html docs build/docs``."""

import sys
from pathlib import Path
from typing import Any

from docutils import nodes

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from cotulenh import __version__  # noqa: E402

project = "cotulenh"
author = "the cotulenh authors"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "pictures",
    "benches",
    "articles",
    "gallery",
    "course",
]
exclude_patterns = ["_ext", "_build"]
source_suffix = {".md": "markdown"}
highlight_language = "text"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_default_options = {
    "members": True,
    "undoc-members": True,  # fields and members of enums speak for themselves
    "exclude-members": "add_note, args, with_traceback",
}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True

# Both games have a Move, and each is also known by its place in the core: an annotation that could
# mean several links to the first.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = "cotulenh"
html_static_path = ["_static"]
html_css_files = ["cards.css"]


def without_self(
    _app: Any, _what: str, _name: str, _object: Any, _options: Any, args: str | None, answer: str
) -> tuple[str | None, str]:
    """Methods of the core name ``self`` in their signatures; readers need not see it."""
    if args is not None and args.startswith("(self"):
        args = "(" + args.removeprefix("(self").removeprefix(", ")
    return args, answer


def without_markers(_app: Any, doctree: nodes.document) -> None:
    """How a test cuts an example down (``# tested: …``) is for the tests, not for readers."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if block.get("language") == "sh" and "# tested: " in text:
            shown = text.partition("# tested: ")[0].rstrip("\n")
            block.replace_self(nodes.literal_block(shown, shown, language="sh"))


def without_last_lines(_app: Any, doctree: nodes.document) -> None:
    """The empty line that ends an example for doctest is not for readers either."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if text.endswith("\n"):
            block[:] = [nodes.Text(text.rstrip("\n"))]
            block.rawsource = text.rstrip("\n")


def with_long_names(_app: Any, doctree: nodes.document) -> None:
    """Marks the names in tables that may be broken where a column is narrow."""
    for cell in doctree.findall(nodes.entry):
        for name in cell.findall(nodes.literal):
            if len(name.astext()) > 20:
                name["classes"].append("long")


def setup(app: Any) -> None:
    """What Sphinx calls."""
    app.connect("doctree-read", without_markers)
    app.connect("doctree-read", without_last_lines)
    app.connect("doctree-read", with_long_names)
    app.connect("autodoc-process-signature", without_self)
