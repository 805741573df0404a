"""Directives for the figures of ``bench/all.py``: tables, charts and the machine, from bench.json.

``bench TABLE`` prints a table, ``bench-chart TABLE`` draws its bars, ``bench-machine`` says where
and when it was measured. Nothing of it is written by hand, so one run renews all pages.
"""

from __future__ import annotations

import json
import math
import re
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from pictures import picture, row_of, text_of
from sphinx.application import Sphinx

FILE = Path(__file__).parent.parent / "bench.json"

_BESIDE = [("ratio", "ratio"), ("asked", "asked")]
#: The columns of each table: heading and field; a bare number has the row's unit.
COLUMNS: dict[str, list[tuple[str, str]]] = {
    "chess-perft": [("cotulenh", "value"), ("Stockfish", "beside"), *_BESIDE],
    "chess-python": [("cotulenh", "value"), ("chess package", "beside"), *_BESIDE],
    "ctl-perft": [("", "value"), ("Stockfish on chess", "beside"), *_BESIDE],
    "ctl-python": [("time", "value"), ("asked at most", "asked")],
    "attacks": [
        ("magic", "value"),
        ("ray scan", "scan"),
        ("stepping", "beside"),
        ("stepping ÷ magic", "ratio"),
    ],
    "search": [("one thread", "value"), ("two threads", "two"), ("ratio", "ratio")],
    "signature": [("one thread", "value"), ("signature", "signature")],
    "pgn": [("", "value"), ("games/s", "games"), ("memory, MB", "memory")],
    "env": [("", "value")],
    "abi": [("stable ABI", "value"), ("one version", "beside"), ("", "costs")],
    "hosting": [
        ("moves/s", "moves_per_second"),
        ("median, ms", "median_ms"),
        ("99th percentile, ms", "p99_ms"),
        ("of one core", "processor"),
        ("memory, MiB", "memory_mib"),
    ],
    "matches": [("games", "games"), ("result", "result"), ("score", "value"), ("Elo", "elo")],
}
WITH_UNIT = {"value", "beside", "scan", "two"}
#: Rows that are not ours: drawn grey.
OTHERS = re.compile(r"^(fairy-)?stockfish|^OpenSpiel|^PettingZoo|chess package$")


def kept() -> dict[str, Any]:
    """The file of the last run."""
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def rows_of(table: str) -> list[dict[str, Any]]:
    """The rows of a table; a table that nobody measured is a mistake in the page."""
    if table not in COLUMNS:
        raise ValueError(f"no such table: {table}; there are {', '.join(COLUMNS)}")
    return [row for row in kept()["rows"] if row["table"] == table]


def shown(row: dict[str, Any], field: str) -> str:
    """A cell."""
    value = row.get(field)
    if value is None:
        return ""
    if field == "elo":
        low, middle, high = (signed(x, end) for x, end in zip(value, "−++", strict=True))
        return f"{middle} [{low}, {high}]"
    if field == "processor":
        return f"{100 * value:.0f} %"
    if isinstance(value, str):
        return value
    unit = f"\u00a0{row['unit']}" if field in WITH_UNIT else ""
    return number(value) + unit


def number(value: float) -> str:
    """A number with three digits or thin spaces."""
    if value >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}".replace(",", "\u202f")
    return f"{value:.3g}"


def signed(value: float | None, end: str) -> str:
    """An Elo difference; none is beyond all numbers."""
    return f"{end}∞" if value is None else f"{value:+.0f}".replace("-", "−")


class BenchDirective(Directive):
    """A table of figures; the content, if any, stands there while nobody has measured it."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The table, or a sentence if the last run left it out."""
        table = self.arguments[0]
        rows = rows_of(table)
        if not rows and self.content:
            block = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, block)
            return block.children
        if not rows:
            text = "Not measured in the last run."
            return [nodes.paragraph("", "", nodes.emphasis(text=text))]
        columns = [
            (head, f) for head, f in COLUMNS[table] if any(r.get(f) is not None for r in rows)
        ]
        group = nodes.tgroup(cols=len(columns) + 1)
        group += [nodes.colspec(colwidth=3), *(nodes.colspec(colwidth=1) for _ in columns)]
        group += nodes.thead("", row_of([text_of(head) for head in ("", *(h for h, _ in columns))]))
        body = nodes.tbody()
        for row in rows:
            cells = [row["name"], *(shown(row, field) for _, field in columns)]
            body += row_of([text_of(cell) for cell in cells])
        group += body
        return [nodes.table("", group)]


class MachineDirective(Directive):
    """Where and when the figures were taken."""

    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """One paragraph."""
        run = kept()
        m = run["machine"]
        text = (
            f"Measured on {m['date']} with version {m['version']} ({m['commit']}) on "
            f"{m['cores']} cores of {m['processor']}, {m['memory_gib']} GiB, {m['system']}, "
            f"Python {m['python']}, {m['compiler']}"
            f"{', beside ' + m['stockfish'] if m['stockfish'] else ''}; "
            f"load before the run {m['load']}."
        )
        if run["quick"]:
            text += " This was a quick run: it shows that the benches work, its figures say little."
        return [nodes.paragraph("", "", nodes.emphasis(text=text))]


class ChartDirective(Directive):
    """Bars: what we have, and beside it what others have where that was measured."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The picture."""
        rows = rows_of(self.arguments[0])
        if not rows:
            return []
        names = ", ".join(f"{r['name']} {shown(r, 'value')}" for r in rows)
        return [nodes.paragraph("", "", picture(chart(rows), f"Bars: {names}", 520))]


def chart(rows: list[dict[str, Any]]) -> str:
    """Horizontal bars, each below its name, so that a phone shows them at a readable size.

    On a logarithmic scale where the values differ by more than fifty times.
    """
    rows = [r for r in rows if r["unit"] == rows[0]["unit"]]
    values = [v for r in rows for v in (r["value"], r.get("beside"), r.get("two")) if v]
    most, least = max(values), min(values)
    logarithmic = most / least > 50

    def length(value: float) -> float:
        if not logarithmic:
            return 280 * value / most
        return 15 + 265 * math.log(value / least) / math.log(most / least)

    parts, y = [], 8.0
    for row in rows:
        own = ("other", "others") if OTHERS.search(row["name"]) else ("ours", "two")
        bars = [(own[0], row["value"]), (own[1], row.get("two")), ("other", row.get("beside"))]
        parts.append(f'<text x="8" y="{y + 9}" class="n">{escape(row["name"])}</text>')
        y += 14
        for kind, value in bars:
            if value:
                words = escape(f"{number(value)} {row['unit']}")
                parts.append(
                    f'<rect x="8" y="{y}" width="{length(value):.1f}" height="10" class="{kind}"/>'
                    f'<text x="{12 + length(value):.1f}" y="{y + 9}">{words}</text>'
                )
                y += 12
        y += 6
    if logarithmic:
        parts.append(f'<text x="8" y="{y + 9}" class="i">logarithmic scale</text>')
        y += 16
    style = (
        "text{font:11px system-ui,sans-serif;fill:#555}.n{fill:#222}.i{font-style:italic}"
        ".ours{fill:#b5402a}.two{fill:#d98b6a}.other{fill:#8796a6}.others{fill:#b9c3cd}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {y:.0f}"><style>{style}</style>'
        f'<rect width="400" height="{y:.0f}" rx="8" fill="#fcfaf6"/>{"".join(parts)}</svg>'
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_directive("bench", BenchDirective)
    app.add_directive("bench-chart", ChartDirective)
    app.add_directive("bench-machine", MachineDirective)
    app.connect("env-before-read-docs", outdated)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def outdated(_app: Sphinx, environment: Any, docnames: list[str]) -> None:
    """Pages with figures are read again whenever the file may have changed."""
    pages = ("speed", "strength", "hosting", "benchmarks")
    docnames.extend(p for p in pages if p in environment.found_docs and p not in docnames)
