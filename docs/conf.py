"""How the documentation is built: ``sphinx-build -W -b html docs build/docs``."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from cotulenh import __version__  # noqa: E402

project = "cotulenh"
author = "the cotulenh authors"
project_copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "pictures"]
exclude_patterns = ["_ext", "_build"]
source_suffix = {".md": "markdown"}
highlight_language = "text"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "show-inheritance": False}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "cotulenh"
html_static_path: list[str] = []
