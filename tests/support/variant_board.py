"""A board of Cờ Tư Lệnh for ``chess.engine`` of the ``chess`` package.

The package's own boards are 8×8 and cannot hold 11×12, but its UCI client asks little of a board:
the variant's name, the first FEN, the moves since, and reading a move. This is all of it, but for
the client's own idea of what a move looks like in a line of play, which :data:`MOVE` widens.
"""

from __future__ import annotations

import re

import chess
import chess.engine

from cotulenh import RED, Board

#: What the client takes for a move in a line of play: those of chess, and LAN (12.1).
MOVE = re.compile(
    r"^[a-h][1-8][a-h][1-8][pnbrqk]?\Z|^0000\Z"
    r"|^(\([+A-Z]+\)|\+?[A-Z])?[a-l]\d+(>?[x_@&]?[a-l]\d+|<)\Z"
)


class Step:
    """A move as the client wants it."""

    def __init__(self, move, text):
        self.move, self.text = move, text

    def uci(self):
        return self.text


class VariantBoard:
    uci_variant = "official"
    chess960 = False

    def __init__(self, fen=None, board=None):
        self.board = board or Board(fen, self.uci_variant)
        self._first = self.board.fen()
        self.move_stack = []

    @property
    def turn(self):
        return chess.WHITE if self.board.turn is RED else chess.BLACK

    def fen(self, **_):
        return self.board.fen()

    def root(self):
        return type(self)(self._first)

    def copy(self, *, stack=True):
        made = type(self)(self._first if stack else self.board.fen())
        if stack:
            for step in self.move_stack:
                made.push(step)
        return made

    def parse_uci(self, text):
        move = self.board.parse_lan(text)
        return Step(move, self.board.lan(move))

    def push_uci(self, text):
        step = self.parse_uci(text)
        self.push(step)
        return step

    def push(self, step):
        self.board.push(step.move)
        self.move_stack.append(step)

    def pop(self):
        self.board.pop()
        return self.move_stack.pop()


class OnlineBoard(VariantBoard):
    uci_variant = "online"


class BlueprintBoard(VariantBoard):
    uci_variant = "blueprint"
