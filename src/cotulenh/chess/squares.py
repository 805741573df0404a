"""The words of chess: colours, kinds, squares, sets of squares, how a game ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, SupportsIndex, TypeVar

from cotulenh.squares import GridSet, GridSquare

__all__ = [
    "BISHOP",
    "BLACK",
    "KING",
    "KNIGHT",
    "PAWN",
    "QUEEN",
    "ROOK",
    "STARTING",
    "WHITE",
    "Color",
    "Kind",
    "MoveKind",
    "Moves",
    "Outcome",
    "Piece",
    "Reason",
    "Square",
    "SquareSet",
]

#: The FEN of the start position.
STARTING = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Color(Enum):
    """A side.

    >>> WHITE.other
    <Color.BLACK: 'b'>
    """

    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> Color:
        """The opponent's colour."""
        return BLACK if self is WHITE else WHITE

    @property
    def index(self) -> int:
        """The core's number of the side: 0 for White, 1 for Black."""
        return 0 if self is WHITE else 1


WHITE = Color.WHITE
BLACK = Color.BLACK


class Kind(Enum):
    """A kind of piece; ``Kind("N")`` finds it by its letter.

    >>> Kind("N"), Kind.KNIGHT.letter, Kind.KNIGHT.index
    (<Kind.KNIGHT: 'N'>, 'N', 1)
    """

    PAWN = "P"
    KNIGHT = "N"
    BISHOP = "B"
    ROOK = "R"
    QUEEN = "Q"
    KING = "K"

    @property
    def letter(self) -> str:
        """The upper-case letter of the FEN."""
        return self.value

    @property
    def index(self) -> int:
        """The core's number of the kind, from 0 (pawn) to 5 (king)."""
        return "PNBRQK".index(self.value)

    @classmethod
    def _missing_(cls, value: object) -> Kind | None:
        if isinstance(value, str):
            return next((kind for kind in cls if value.upper() in (kind.value, kind.name)), None)
        return None


PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = Kind


M = TypeVar("M", bound=Any)


class Moves(tuple[M, ...]):
    """Moves of a position. A plain move that means castling or en passant is in it.

    >>> from cotulenh.chess import Board, Move
    >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> Move.from_uci("e1g1") in board.legal_moves, Move.from_uci("e1h1") in board.legal_moves
    (True, True)
    """

    __slots__ = ()  # lists of moves are made often: no dictionary comes with each

    def _castling(self) -> Sequence[Any] | None:
        """In Chess960, castling as the king taking its rook; elsewhere rooks are in the corners."""
        return None

    def __contains__(self, move: object) -> bool:
        return tuple.__contains__(self, move) or self._meant(move) is not None

    def index(self, move: Any, *bounds: SupportsIndex) -> int:
        """The place of a move, or of the one that a plain move means."""
        known = tuple.__contains__(self, move)
        return super().index(move if known else self._meant(move), *bounds)

    def _meant(self, move: Any) -> Any:
        """The castling or en passant that a plain move says: e1g1, or e1h1 for castling short."""
        if getattr(move, "kind", None) is not MoveKind.NORMAL:
            return None
        special = [one for one in self if one.kind.value >= MoveKind.EN_PASSANT.value]
        rooks = [one for one in special if one.kind is MoveKind.CASTLING]
        for one in special:
            if (one.from_square, one.to_square) == (move.from_square, move.to_square):
                return one
        for one, rook in zip(rooks, self._rooks(rooks), strict=True):
            if (one.from_square, rook) == (move.from_square, move.to_square):
                return one
        return None

    def _rooks(self, castling: list[Any]) -> list[Square]:
        known = self._castling()
        if known is not None:
            return [one.to_square for one in known]
        return [
            Square.at(7 if one.to_square.file == 6 else 0, one.to_square.rank) for one in castling
        ]


class Moves960(Moves[M]):
    """The same in Chess960, where a board has to tell which rooks may castle."""

    castling: Sequence[Any]

    def _castling(self) -> Sequence[Any] | None:
        return self.castling


class MoveKind(Enum):
    """What the two highest bits of a move say."""

    NORMAL = 0
    PROMOTION = 1
    EN_PASSANT = 2
    CASTLING = 3


class Reason(Enum):
    """How a game ended. The last two need a player's claim."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    INSUFFICIENT_MATERIAL = "insufficient material"
    SEVENTYFIVE_MOVES = "seventy-five moves"
    FIVEFOLD_REPETITION = "fivefold repetition"
    FIFTY_MOVES = "fifty moves"
    THREEFOLD_REPETITION = "threefold repetition"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won (``None``: a draw), and why the game is over.

    >>> Outcome(WHITE, Reason.CHECKMATE).result
    '1-0'
    """

    winner: Color | None
    reason: Reason

    @property
    def result(self) -> str:
        """The result as games are recorded: 1-0, 0-1 or 1/2-1/2."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is WHITE else "0-1"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its kind and its colour.

    >>> str(Piece(KNIGHT, BLACK)), Piece.from_letter("Q")
    ('n', Piece(kind=<Kind.QUEEN: 'Q'>, color=<Color.WHITE: 'w'>))
    """

    kind: Kind
    color: Color

    @classmethod
    def from_letter(cls, letter: str) -> Piece:
        """The piece of a letter of the FEN: upper case is White's."""
        return cls(Kind(letter), WHITE if letter.isupper() else BLACK)

    from_symbol = from_letter

    def symbol(self) -> str:
        """The letter of the FEN: upper case is White's."""
        return str(self)

    def unicode_symbol(self, invert_color: bool = False) -> str:
        """The figurine; inverted it suits light text on a dark ground.

        >>> Piece(KNIGHT, BLACK).unicode_symbol(), Piece(KNIGHT, WHITE).unicode_symbol()
        ('♞', '♘')
        """
        white = (self.color is WHITE) is not invert_color
        return chr((0x2659 if white else 0x265F) - self.kind.index)

    def __str__(self) -> str:
        letter = self.kind.letter
        return letter if self.color is WHITE else letter.lower()


class Square(GridSquare, files=8, ranks=8, stride=8):
    """A square of the chess board: ``int(square) == rank * 8 + file``.

    >>> Square("c3"), int(Square("c3")), Square(63).name
    (Square('c3'), 18, 'h8')
    """


class SquareSet(GridSet[Square]):
    """A set of squares of the chess board, held in one 64-bit ``int``.

    >>> SquareSet("a1 h8") | SquareSet(["e4"])
    SquareSet('a1 e4 h8')
    """

    __slots__ = ()
    square_type = Square
    default_files = 8
    default_ranks = 8
