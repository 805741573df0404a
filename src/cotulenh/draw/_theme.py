"""The colours of pictures and page: one table, read here and by the page's style sheet."""

from __future__ import annotations

from dataclasses import dataclass, fields

__all__ = ["THEMES", "VARIABLES", "Theme", "css"]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture. Pieces look the same in every theme."""

    frame: str
    neatline: str
    label: str
    #: Land at the coast and inland; the sand of the beach, dry and wet.
    land: str
    land_inland: str
    sand: str
    wet_sand: str
    #: The sea in steps of depth, from open sea to surf.
    sea_0: str
    sea_1: str
    sea_2: str
    sea_3: str
    sea_4: str
    foam: str
    line: str
    sea_line: str
    contour: str
    stipple: str
    stone: str
    stone_top: str
    stone_edge: str
    light_square: str
    dark_square: str
    #: Marks. Each has a casing around it that keeps it readable on any ground.
    casing: str
    dot: str
    take: str
    exchange: str
    join: str
    check: str
    last: str
    last_line: str
    ring_red: str
    ring_blue: str
    arrow: str
    arrow_second: str
    arrow_third: str


_LIGHT = Theme(
    frame="#fbfaf6",
    neatline="#2b3a44",
    label="#4a5660",
    land="#e8dfc0",
    land_inland="#dfd9b2",
    sand="#f3e6bd",
    wet_sand="#d9c391",
    sea_0="#4f9cc0",
    sea_1="#66b0cf",
    sea_2="#83c5da",
    sea_3="#a5d9e2",
    sea_4="#c3e8e6",
    foam="#ffffff",
    line="#8d7d52",
    sea_line="#1d5f82",
    contour="#6b5a2a",
    stipple="#8b7a58",
    stone="#b9b2a0",
    stone_top="#d9d3c2",
    stone_edge="#746d5c",
    light_square="#efe7d4",
    dark_square="#7f9489",
    casing="#ffffff",
    dot="#12303a",
    take="#9c3206",
    exchange="#6424c8",
    join="#085546",
    check="#a60a3c",
    last="#f2b705",
    last_line="#6b4700",
    ring_red="#9c1f0a",
    ring_blue="#123c7c",
    arrow="#0b6b5b",
    arrow_second="#1c4f9f",
    arrow_third="#5d6b76",
)

_DARK = Theme(
    frame="#12191d",
    neatline="#c9d2d6",
    label="#a9b6bd",
    land="#454a45",
    land_inland="#3b413f",
    sand="#8a7f5c",
    wet_sand="#6b6549",
    sea_0="#0b2536",
    sea_1="#0f3145",
    sea_2="#154055",
    sea_3="#1d5366",
    sea_4="#276675",
    foam="#8fc3cc",
    line="#97998a",
    sea_line="#7fc0d6",
    contour="#e8eef0",
    stipple="#a9c9c4",
    stone="#7d7a70",
    stone_top="#9b978a",
    stone_edge="#24231f",
    light_square="#9aa6a2",
    dark_square="#59666a",
    casing="#0a1418",
    dot="#eef7f5",
    take="#ff9a52",
    exchange="#c9a2ff",
    join="#4fd6b8",
    check="#ff8fa9",
    last="#ffcb3d",
    last_line="#0a1418",
    ring_red="#ff9a82",
    ring_blue="#8bbaff",
    arrow="#45cdb0",
    arrow_second="#86b4ff",
    arrow_third="#b9c4ca",
)

_CONTRAST = Theme(
    frame="#ffffff",
    neatline="#000000",
    label="#000000",
    land="#ffffff",
    land_inland="#ffffff",
    sand="#ffe9a8",
    wet_sand="#c79a2b",
    sea_0="#66b8f2",
    sea_1="#7cc4f5",
    sea_2="#93d0f8",
    sea_3="#b0ddfa",
    sea_4="#cdeafc",
    foam="#ffffff",
    line="#333333",
    sea_line="#00395f",
    contour="#ffffff",
    stipple="#4a3a10",
    stone="#8a8a8a",
    stone_top="#cfcfcf",
    stone_edge="#000000",
    light_square="#ffffff",
    dark_square="#8f8f8f",
    casing="#ffffff",
    dot="#000000",
    take="#8a2500",
    exchange="#4a00b0",
    join="#00442f",
    check="#93002f",
    last="#ffe100",
    last_line="#000000",
    ring_red="#8a1200",
    ring_blue="#002b6b",
    arrow="#00513f",
    arrow_second="#002f7a",
    arrow_third="#3a3a3a",
)

THEMES = {"light": _LIGHT, "dark": _DARK, "contrast": _CONTRAST}


def _variable(name: str) -> str:
    return f"--{name.replace('_', '-')}"


#: Every colour as a variable of the style sheet: one drawing then serves all themes.
VARIABLES = Theme(**{field.name: f"var({_variable(field.name)})" for field in fields(Theme)})


def css() -> str:
    """The themes as blocks of variables for a style sheet.

    >>> css().count("--land:")
    3
    """
    blocks = []
    for name, theme in THEMES.items():
        where = ":root" if name == "light" else f'[data-theme="{name}"]'
        rows = "".join(f"{_variable(f.name)}:{getattr(theme, f.name)};" for f in fields(Theme))
        blocks.append(f"{where}{{{rows}}}")
    return "\n".join(blocks)
