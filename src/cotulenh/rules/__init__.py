"""Rule sets as data: ``official``, ``online``, ``blueprint``, or a TOML file of your own.

>>> rules = Rules.load("official")
>>> rules.files, rules.ranks, rules.rows[Kind.TANK].normal.move
(11, 12, (2, 0))
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from cotulenh import _core
from cotulenh.facts import Form, Row
from cotulenh.rules._source import Problem, RulesError, read_source, shipped_names
from cotulenh.rules._words import CHOICES
from cotulenh.squares import Kind
from cotulenh.tables import Tables, Terrain

__all__ = ["Form", "Problem", "Row", "Rules", "RulesError", "check"]


class Rules:
    """A rule set. Get one with :meth:`load`; equal rule sets are one object.

    >>> Rules.load("online")
    Rules.load('online')
    >>> Rules.names()
    ['blueprint', 'official', 'online']
    """

    _loaded: ClassVar[dict[str, Rules]] = {}  # by content
    _shipped: ClassVar[dict[str | Path, Rules]] = {}  # by name

    def __init__(self, table: dict[str, Any], source: str, objective: str | None) -> None:
        self._table, self._source, self._objective = table, source, objective
        self.name: str = table["name"]
        self.title: str = table["title"]
        self.files: int = table["files"]
        self.ranks: int = table["ranks"]
        self.start_fen: str = table["start"]
        self.objective: str = table["objective"]
        # Loaded with the first rule set: a program that reads none does not pay for the linter.
        from cotulenh.rules._facts import core_spec, rows_of

        rows = rows_of(table)
        #: The kinds of piece there are, in the order of ``Kind``.
        self.kinds: tuple[Kind, ...] = tuple(rows)
        #: What is said of each kind.
        self.rows = MappingProxyType(rows)
        #: The switches of article 13.
        self.switches = MappingProxyType(dict(table["switches"]))
        #: What each carrier may carry, a text of letters for each load (7.2).
        self.cargo = MappingProxyType({Kind(k): tuple(v) for k, v in table["cargo"].items()})
        #: The same facts as plain numbers: what the core is built from.
        self.spec: dict[str, Any] = core_spec(table, rows)

    @staticmethod
    def names() -> list[str]:
        """The rule sets that come with the package."""
        return shipped_names()

    @classmethod
    def load(cls, name: str | Path | Rules = "official", objective: str | None = None) -> Rules:
        """Loads a shipped rule set by name, or any by the path of its TOML file.

        ``objective`` replaces the file's (10.2). Raises :class:`RulesError` naming file, line and
        field when the rule set does not exist or is not sound.
        """
        known = name if isinstance(name, Rules) else cls._shipped.get(name) or cls._read(name)
        return known if objective is None else cls._of(known._table, known._source, objective)

    @classmethod
    def _read(cls, name: str | Path) -> Rules:
        from cotulenh.rules._lint import lint

        source = read_source(name)
        if problems := lint(source):
            raise RulesError(*problems)
        rules = cls._of(source.table, str(name), None)
        if source.shipped:  # files of the package do not change, so they are read once
            cls._shipped[name] = rules
        return rules

    @classmethod
    def _of(cls, table: dict[str, Any], source: str, objective: str | None) -> Rules:
        if objective is not None:
            if objective not in CHOICES["objective"]:
                words = ", ".join(CHOICES["objective"])
                raise ValueError(f"expected an objective ({words}), got {objective!r}")
            table = {**table, "objective": objective}
        key = json.dumps(table, sort_keys=True)
        if key not in cls._loaded:
            cls._loaded[key] = cls(table, source, objective)
        return cls._loaded[key]

    def row(self, kind: Kind | str) -> Row:
        """The row of a kind; ``ValueError`` if this rule set has no such piece.

        >>> Rules.load("official").row("N").heroic.move
        (5, 5)
        """
        kind = Kind(kind)
        if kind not in self.rows:
            raise ValueError(f"expected a piece of {self.name}, got {kind.letter} ({kind.name})")
        return self.rows[kind]

    @cached_property
    def core(self) -> _core.Rules:
        """The same rules in the C++ core, built when first asked for."""
        return _core.Rules(self.spec)

    @cached_property
    def tables(self) -> Tables:
        """Rays, reach, masks, magics: see :mod:`cotulenh.tables`."""
        return Tables(self)

    @property
    def terrain(self) -> Terrain:
        """The board's ground: see :mod:`cotulenh.terrain`."""
        return self.tables.terrain

    @property
    def source(self) -> str:
        """The name or path it was loaded by."""
        return self._source

    def __repr__(self) -> str:
        objective = "" if self._objective is None else f", objective={self._objective!r}"
        return f"Rules.load({self._source!r}{objective})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules._of, (self._table, self._source, self._objective)


def check(name: str | Path) -> list[Problem]:
    """All problems of a rule set: an empty list means that it loads.

    >>> check("official")
    []
    """
    from cotulenh.rules._lint import lint

    try:
        return lint(read_source(name))
    except RulesError as error:
        return list(error.problems)
