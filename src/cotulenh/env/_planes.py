"""Observations plane by plane, and back to a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cotulenh._core import env as core
from cotulenh.chess import Board as ChessBoard
from cotulenh.env._checks import whole
from cotulenh.env._game import Game, game_of
from cotulenh.rules import Rules
from cotulenh.squares import CARRIER_ORDER, Kind

__all__ = ["Plane", "planes", "read_planes"]

_CHESS = "PNBRQK"


@dataclass(frozen=True, slots=True)
class Plane:
    """What the numbers of one plane say."""

    name: str
    meaning: str


def planes(game: str | Rules = "official", history: int = 0) -> list[Plane]:
    """The planes of an observation, in their order.

    >>> len(planes("official")), len(planes("chess")), len(planes("chess", history=7))
    (90, 18, 102)
    >>> planes("chess")[0]
    Plane(name='own P', meaning='1 where such a piece stands')
    """
    is_chess = game_of(game).is_chess
    whole("history", history, 0, 64)
    pieces = _chess_pieces() if is_chess else _ctl_pieces()
    now = pieces + (_chess_rest() if is_chess else _ctl_rest())
    past = [
        Plane(f"{plane.name}, {back} back", plane.meaning)
        for back in range(1, history + 1)
        for plane in pieces
    ]
    return now + past


def _ctl_pieces() -> list[Plane]:
    out = []
    for side in ("own", "enemy"):
        names = [Kind(letter).name.replace("_", " ").title() for letter in CARRIER_ORDER]
        out += [Plane(f"{side} {n}", "1 where it stands, alone or carrying") for n in names]
        out.append(Plane(f"{side} heroic", "1 where the piece that stands is heroic"))
        out += [Plane(f"{side} carried {n}", "how many are carried there (0 to 2)") for n in names]
        out += [
            Plane(f"{side} carried heroic {n}", "how many of the carried ones are heroic")
            for n in names
        ]
    return out


def _ctl_rest() -> list[Plane]:
    remaining = [
        Plane(f"may still move: {Kind(letter).name}", "how many, at the deployment's origin")
        for letter in CARRIER_ORDER
    ]
    return [
        Plane("own rings", "1 inside the viewer's air defence (5.1)"),
        Plane("enemy rings", "1 inside the other side's air defence (5.1)"),
        Plane("water", "1 at open sea (2.1)"),
        Plane("mixed", "1 on shore and river mouth (2.1)"),
        Plane("land", "1 on land (2.1)"),
        Plane("bridges", "1 at the ends of bridges (2.3)"),
        Plane("origin", "1 at the origin of the deployment under way (8)"),
        *remaining,
        Plane("may still move, heroic", "how many of those are heroic"),
        *_counters(),
    ]


def _counters() -> list[Plane]:
    return [
        Plane("clock", "half-turns without progress, 0 to 100, everywhere"),
        Plane("repetition", "how often the position stood before, 0 to 2, everywhere"),
        Plane("first player", "1 everywhere if the viewer moves first in the game"),
    ]


def _chess_pieces() -> list[Plane]:
    return [
        Plane(f"{side} {letter}", "1 where such a piece stands")
        for side in ("own", "enemy")
        for letter in _CHESS
    ]


def _chess_rest() -> list[Plane]:
    return [
        Plane("own castling", "1 on rooks that may castle"),
        Plane("enemy castling", "1 on rooks that may castle"),
        Plane("en passant", "1 on the square behind a pawn that may be taken in passing"),
        *_counters(),
    ]


# Back to a position ---------------------------------------------------------------------------


def read_planes(observation: NDArray[Any], game: str | Rules = "official") -> str:
    """The FEN of the position that an observation shows its side to move; the number of the
    turn, which no plane tells, is 1.

    >>> from cotulenh.env import VectorEnv
    >>> env = VectorEnv(1)
    >>> seen, _ = env.reset(seed=1)
    >>> read_planes(seen["observation"][0]) == env.board(0).fen()
    True
    """
    chosen = game_of(game)
    rows = _rows(observation, chosen)
    reader = _ChessReader(rows) if chosen.is_chess else _CtlReader(rows, chosen)
    return reader.fen()


def _rows(observation: Any, game: Game) -> NDArray[np.int_]:
    """The planes as whole numbers, if they are as many and as large as the game's."""
    rules, found = game.rules, np.asarray(observation)
    least = core.CHESS_PLANES if rules is None else core.CTL_PLANES
    board = (8, 8) if rules is None else (rules.ranks, rules.files)
    if found.ndim != 3 or len(found) < least or found.shape[1:] != board or found.dtype == object:
        raise ValueError(
            f"expected planes of shape ({least} or more, {board[0]}, {board[1]}), "
            f"got {found.dtype} of shape {found.shape}"
        )
    return found.astype(int)


class _Reader(ABC):
    """What both games share: ranks from the other side's home to the viewer's, runs of empties."""

    width: int

    def __init__(self, rows: NDArray[np.int_], counters: int) -> None:
        self.planes = rows
        self.clock = int(rows[counters, 0, 0])
        self.first = bool(rows[counters + 2, 0, 0])

    @abstractmethod
    def point(self, rank: int, file: int) -> str:
        """What stands on a point, as in the FEN; empty if nothing does."""

    def placement(self) -> str:
        ranks, files = self.planes.shape[1:]
        order = range(ranks - 1, -1, -1) if self.first else range(ranks)
        return "/".join(_run_lengths([self.point(r, f) for f in range(files)]) for r in order)

    def cased(self, text: str, own: bool) -> str:
        """Upper case for the first player, as in a FEN."""
        return text.upper() if own == self.first else text.lower()


def _run_lengths(points: list[str]) -> str:
    out, empty = "", 0
    for text in points:
        if not text:
            empty += 1
            continue
        out, empty = out + (str(empty) if empty else "") + text, 0
    return out + (str(empty) if empty else "")


class _CtlReader(_Reader):
    SIDE = 34

    def __init__(self, rows: NDArray[np.int_], game: Game) -> None:
        super().__init__(rows, 87)
        self.game = game

    def point(self, rank: int, file: int) -> str:
        for own in (True, False):
            first = 0 if own else self.SIDE
            column = self.planes[first : first + self.SIDE, rank, file]
            if column[:11].any():
                return self.cased(self.stack(column), own)
        return ""

    def stack(self, column: NDArray[np.int_]) -> str:
        carrier = ("+" if column[11] else "") + CARRIER_ORDER[int(column[:11].argmax())]
        carried = self.group(column[12:23], column[23:34])
        return f"({carrier}{carried})" if carried else carrier

    @staticmethod
    def group(counts: NDArray[np.int_], heroic: NDArray[np.int_]) -> str:
        return "".join(
            ("+" if number < heroes else "") + letter
            for letter, count, heroes in zip(CARRIER_ORDER, counts, heroic, strict=True)
            for number in range(count)
        )

    def fen(self) -> str:
        side = "r" if self.first else "b"
        text = f"{self.placement()} {side} - - {self.clock} 1"
        at = np.argwhere(self.planes[74])
        text = f"{text} {self.deployment(*at[0])}" if len(at) else text
        return self.game.board(text).fen()  # which complains where that is no position

    def deployment(self, rank: int, file: int) -> str:
        """Which of the pieces on the origin may still move (11.2). At most one kind of three
        pieces can be there both heroic and not, so the number of heroes says which.
        """
        counts = self.planes[75:86, rank, file]
        here = self.planes[: self.SIDE, rank, file]
        total = here[:11] + here[12:23]
        heroes = here[23:34] + here[:11] * here[11]
        heroic, left = np.minimum(heroes, counts), int(self.planes[86, rank, file])
        least = np.maximum(0, counts - (total - heroes))
        for kind in range(11):  # as few as there must be, then more until the number is right
            heroic[kind] = least[kind]
        for kind in range(11):
            more = min(left - int(heroic.sum()), int(min(heroes[kind], counts[kind]) - least[kind]))
            heroic[kind] += max(0, more)
        home = rank if self.first else self.planes.shape[1] - 1 - rank
        return f"{chr(97 + file)}{home + 1}:{self.group(counts, heroic)}"


class _ChessReader(_Reader):
    def __init__(self, rows: NDArray[np.int_]) -> None:
        super().__init__(rows, 15)

    def point(self, rank: int, file: int) -> str:
        for own in (True, False):
            column = self.planes[:6, rank, file] if own else self.planes[6:12, rank, file]
            if column.any():
                return self.cased(_CHESS[int(column.argmax())], own)
        return ""

    def fen(self) -> str:
        side = "w" if self.first else "b"
        fields = (self.placement(), side, self.castling() or "-", self.en_passant() or "-")
        text = f"{' '.join(fields)} {self.clock} 1"
        return ChessBoard(text, chess960=True).fen()  # its own letters for castling

    def castling(self) -> str:
        """The files of the rooks, as Chess960 writes them."""
        own, enemy = (
            "".join(chr(97 + f) for _, f in np.argwhere(self.planes[p])) for p in (12, 13)
        )
        return self.cased(own, True) + self.cased(enemy, False)

    def en_passant(self) -> str:
        at = np.argwhere(self.planes[14])
        if not len(at):
            return ""
        rank, file = at[0]
        return f"{chr(97 + file)}{(rank if self.first else 7 - rank) + 1}"
