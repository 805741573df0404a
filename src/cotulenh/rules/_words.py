"""The words of rule files. The core spells those it knows; only the ground's are Python's own."""

from __future__ import annotations

from cotulenh import _core

__all__ = ["CHOICES", "FLAGS", "GROUPS", "SWITCHES"]

_VOCABULARY = _core.rule_vocabulary()

#: The yes/no columns of a piece.
FLAGS = _VOCABULARY.pop("flags")
#: The switches of article 13 and their like.
SWITCHES = _VOCABULARY.pop("switches")
#: The groups of arms (10.2).
GROUPS = _VOCABULARY.pop("objectives")
#: The words a field may hold.
CHOICES = {**_VOCABULARY, "class": ("water", "land", "mixed")}
