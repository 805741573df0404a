"""What stands on a chess board, and setting it up: the part of a board that knows no moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from cotulenh import _core
from cotulenh.chess import chess960 as _chess960
from cotulenh.chess.squares import (
    KING,
    STARTING,
    Color,
    Kind,
    Piece,
    Square,
    SquareSet,
)

_EMPTY, _NO_SQUARE = 6, 255
_PIECES = {color.index << 3 | kind.index: Piece(kind, color) for color in Color for kind in Kind}


class Pieces(_core.chess.Board):
    """The pieces of a board; :class:`cotulenh.chess.Board` is the whole of it."""

    __slots__ = ()

    # What stands where --------------------------------------------------------------------------

    def piece_at(self, square: int | str) -> Piece | None:
        """The piece on a square.

        >>> from cotulenh.chess import Board
        >>> str(Board().piece_at("e8"))
        'k'
        """
        return _PIECES.get(self._piece(Square(square)))

    def pieces(self, kind: Kind | str, color: Color) -> SquareSet:
        """The squares of all pieces of a kind and colour.

        >>> from cotulenh.chess import Board, WHITE
        >>> Board().pieces(Kind.ROOK, WHITE)
        SquareSet('a1 h1')
        """
        return SquareSet(self._kind(Kind(kind).index) & self._side(color.index))

    def occupied(self, color: Color | None = None) -> SquareSet:
        """The squares of one side's pieces, or of both sides'."""
        if color is not None:
            return SquareSet(self._side(color.index))
        return SquareSet(self._side(0) | self._side(1))

    def piece_map(self) -> dict[Square, Piece]:
        """All pieces by their squares.

        >>> from cotulenh.chess import Board
        >>> len(Board().piece_map())
        32
        """
        return {square: _PIECES[self._piece(square)] for square in self.occupied()}

    def color_at(self, square: int | str) -> Color | None:
        """Whose piece stands on a square."""
        piece = self.piece_at(square)
        return None if piece is None else piece.color

    def kind_at(self, square: int | str) -> Kind | None:
        """What kind of piece stands on a square."""
        piece = self.piece_at(square)
        return None if piece is None else piece.kind

    piece_type_at = kind_at

    def board_fen(self) -> str:
        """Where the pieces stand: the first field of the FEN.

        >>> from cotulenh.chess import Board
        >>> Board().board_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
        """
        return self.fen().split(" ")[0]

    def unicode(self, *, invert_color: bool = False, empty_square: str = "\N{MIDDLE DOT}") -> str:
        """The board as figurines, White below; ``invert_color`` suits light text on dark."""

        def sign(square: int) -> str:
            piece = self.piece_at(square)
            return empty_square if piece is None else piece.unicode_symbol(invert_color)

        ranks = (" ".join(map(sign, range(8 * rank, 8 * rank + 8))) for rank in reversed(range(8)))
        return "\n".join(ranks)

    def king(self, color: Color) -> Square | None:
        """The square of a king; ``None`` on an unfinished board without one."""
        return next(iter(self.pieces(KING, color)), None)

    def attackers(self, color: Color, square: int | str) -> SquareSet:
        """The pieces of a side that attack a square, whether or not they may move there.

        >>> from cotulenh.chess import Board, WHITE
        >>> Board().attackers(WHITE, "f3")
        SquareSet('g1 e2 g2')
        """
        return SquareSet(self._attackers(color.index, Square(square)))

    def is_attacked_by(self, color: Color, square: int | str) -> bool:
        """Whether a side attacks a square."""
        return bool(self.attackers(color, square))

    def checkers(self) -> SquareSet:
        """The pieces that give check to the side to move."""
        king = self.king(self.turn)
        return SquareSet() if king is None else self.attackers(self.turn.other, king)

    def attacks(self, square: int | str) -> SquareSet:
        """The squares that the piece on a square attacks, its own side's pieces included.

        >>> from cotulenh.chess import Board
        >>> Board().attacks("b1")
        SquareSet('d2 a3 c3')
        """
        return SquareSet(self._attacks(Square(square)))

    def pin(self, color: Color, square: int | str) -> SquareSet:
        """The line on which what stands on a square is pinned to a king; all squares if it is not.

        >>> from cotulenh.chess import Board, WHITE
        >>> Board("4k3/4r3/8/8/4B3/8/8/4K3 w - - 0 1").pin(WHITE, "e4") == SquareSet.ray("e1", "e8")
        True
        """
        return self._pin_line(color, Square(square)) or ~SquareSet()

    def is_pinned(self, color: Color, square: int | str) -> bool:
        """Whether leaving its line would expose the king."""
        return self._pin_line(color, Square(square)) is not None

    def _pin_line(self, color: Color, square: Square) -> SquareSet | None:
        king = self.king(color)
        line = None if king is None else SquareSet.ray(king, square)
        if not line:
            return None
        assert king is not None
        straight = king.file == square.file or king.rank == square.rank
        sliders = self.pieces(Kind.ROOK if straight else Kind.BISHOP, color.other)
        for sniper in (sliders | self.pieces(Kind.QUEEN, color.other)) & line:
            if (SquareSet.between(king, sniper) & self.occupied()) == SquareSet.from_square(square):
                return line
        return None

    @property
    def castling_rights(self) -> SquareSet:
        """The rooks that may still castle.

        >>> from cotulenh.chess import Board
        >>> Board().castling_rights
        SquareSet('a1 h1 a8 h8')
        """
        return SquareSet(self._castling())

    def has_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle on some wing."""
        return bool(self._castling_of(color))

    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle towards file h."""
        king = self.king(color)
        return king is not None and any(rook > king for rook in self._castling_of(color))

    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle towards file a."""
        king = self.king(color)
        return king is not None and any(rook < king for rook in self._castling_of(color))

    def has_chess960_castling_rights(self) -> bool:
        """Whether some king or rook that may castle began elsewhere than in chess."""
        usual = all(rook.file in (0, 7) for rook in self.castling_rights)
        sides = [color for color in Color if self.has_castling_rights(color)]
        kings = (self.king(color) for color in sides)
        return not (usual and all(king is not None and king.file == 4 for king in kings))

    def clean_castling_rights(self) -> SquareSet:
        """The same as :attr:`castling_rights`: rights that cannot be are never kept."""
        return self.castling_rights

    def castling_xfen(self) -> str:
        """The castling rights as the FEN has them."""
        return self.fen().split(" ")[2]

    def castling_shredder_fen(self) -> str:
        """The castling rights by the files of the rooks.

        >>> from cotulenh.chess import Board
        >>> Board().castling_shredder_fen()
        'HAha'
        """
        rooks = sorted(self.castling_rights, key=lambda rook: (rook.rank, -rook.file))
        letters = [rook.name[0].upper() if rook.rank == 0 else rook.name[0] for rook in rooks]
        return "".join(letters) or "-"

    def set_castling_fen(self, text: str) -> None:
        """Sets the castling rights as a FEN says them; the history is gone."""
        fields = self.fen().split(" ")
        self.set_fen(" ".join([*fields[:2], text, *fields[3:]]))

    def _castling_of(self, color: Color) -> SquareSet:
        return self.castling_rights & self.occupied(color)

    # Setting up -----------------------------------------------------------------------------------

    @classmethod
    def empty(cls) -> Self:
        """A board without pieces: unfinished until both kings are there."""
        board = cls()
        board.clear()
        return board

    @classmethod
    def from_chess960_pos(cls, number: int) -> Self:
        """The start position of Chess960 with a number from 0 to 959.

        >>> from cotulenh.chess import Board
        >>> Board.from_chess960_pos(0).fen().split()[0]
        'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR'
        """
        return cls(_chess960.start_fen(number), True)

    def chess960_pos(self) -> int | None:
        """The number of this start position of Chess960; ``None`` if it is not one."""
        return _chess960.number_of(self.fen()) if not self.ply else None

    def clear(self) -> None:
        """Takes all pieces off; White is to move. The history is gone."""
        self._set_up(bytes([_EMPTY] * 64), 0, 0, _NO_SQUARE, 0, 1)

    def reset(self) -> None:
        """Goes back to the start of chess."""
        self.set_fen(STARTING)

    def set_fen(self, fen: str) -> None:
        """Sets a position up from its FEN; the history is gone."""
        self._become(type(self)(fen, self.chess960))

    def set_board_fen(self, text: str) -> None:
        """Sets the pieces up as the first field of a FEN; no castling rights, no history."""
        self.set_fen(f"{text.strip()} {self.turn.value} - - 0 1")

    def reset_board(self) -> None:
        """Puts the pieces of the start of chess up, without castling rights."""
        self.set_board_fen(STARTING.split(" ")[0])

    def clear_board(self) -> None:
        """Takes all pieces off; who is to move stays."""
        self.set_piece_map({})

    def set_chess960_pos(self, number: int) -> None:
        """Goes to a start position of Chess960."""
        self._become(type(self).from_chess960_pos(number))

    def set_piece_at(self, square: int | str, piece: Piece | None) -> None:
        """Puts a piece on a square, or takes what is there off; the history is gone.

        The result may be a position that cannot be played (:meth:`status` names what is wrong);
        it can be looked at and changed, and moves are refused until it is whole.

        >>> from cotulenh.chess import Board
        >>> board = Board.empty()
        >>> board.set_piece_at("e1", Piece.from_letter("K"))
        >>> sorted(board.status())
        ['no_black_king']
        >>> board.set_piece_at("e8", Piece.from_letter("k"))
        >>> board.is_valid(), board.fen()
        (True, '4k3/8/8/8/8/8/8/4K3 w - - 0 1')
        """
        pieces = bytearray(self._board())
        place = Square(square)
        pieces[place] = _EMPTY if piece is None else _code(piece)
        rights = self._castling() & ~(1 << place)
        counters = self.halfmove_clock, self.fullmove_number
        self._set_up(bytes(pieces), self.turn.index, rights, _NO_SQUARE, *counters)

    def remove_piece_at(self, square: int | str) -> Piece | None:
        """Takes the piece on a square off, and returns it."""
        piece = self.piece_at(square)
        if piece is not None:
            self.set_piece_at(square, None)
        return piece

    def set_piece_map(self, pieces: Mapping[Any, Piece]) -> None:
        """Takes everything off and puts these pieces up."""
        codes = bytearray([_EMPTY] * 64)
        for square, piece in pieces.items():
            codes[Square(square)] = _code(piece)
        self._set_up(bytes(codes), self.turn.index, 0, _NO_SQUARE, 0, 1)

    def status(self) -> frozenset[str]:
        """What is wrong with the position; empty if it can be played.

        >>> from cotulenh.chess import Board
        >>> sorted(Board.empty().status())
        ['no_black_king', 'no_white_king']
        """
        return frozenset(self._status())

    def is_valid(self) -> bool:
        """Whether the position can be played."""
        return not self._status()

    def mirror(self) -> Self:
        """The position with colours swapped, seen from the other side of the board.

        >>> from cotulenh.chess import Board
        >>> Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").mirror().fen()
        '4k3/4p3/8/8/8/8/8/4K3 b - - 0 1'
        """
        pieces = bytes(
            code if code == _EMPTY else code ^ 8
            for rank in reversed(range(8))
            for code in self._board()[8 * rank : 8 * rank + 8]
        )
        ep = self.ep_square
        return self._made(
            pieces,
            1 - self.turn.index,
            int(self.castling_rights.mirror()),
            _NO_SQUARE if ep is None else ep ^ 56,
        )

    def transform(self, change: Callable[[SquareSet], Iterable[int]]) -> Self:
        """The position with every set of squares changed by a function, such as a reflection.

        >>> from cotulenh.chess import Board
        >>> board = Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1").transform(flip_horizontal)
        >>> board.fen()
        '3k4/8/8/8/8/8/3P4/3K3R w - - 0 1'
        """
        codes = bytearray([_EMPTY] * 64)
        for code, piece in _PIECES.items():
            for square in change(self.pieces(piece.kind, piece.color)):
                codes[square] = code
        ep = self.ep_square
        moved = None if ep is None else next(iter(change(SquareSet.from_square(ep))), None)
        rights = int(SquareSet(change(self.castling_rights)))
        place = _NO_SQUARE if moved is None else int(moved)
        return self._made(bytes(codes), self.turn.index, rights, place)

    def apply_mirror(self) -> None:
        """Becomes its own :meth:`mirror`; the history is gone."""
        self._become(self.mirror())

    def apply_transform(self, change: Callable[[SquareSet], Iterable[int]]) -> None:
        """Becomes its own :meth:`transform`; the history is gone."""
        self._become(self.transform(change))

    def _made(self, pieces: bytes, turn: int, castling: int, ep_square: int) -> Self:
        """A board of its own with the counters of this one; rights that cannot be are dropped."""
        made = type(self)(self, False)
        made._set_up(pieces, turn, castling, ep_square, self.halfmove_clock, self.fullmove_number)
        return made


def flip_vertical(squares: SquareSet) -> SquareSet:
    """Squares seen in a mirror between ranks 4 and 5."""
    return squares.mirror()


def flip_horizontal(squares: SquareSet) -> SquareSet:
    """Squares seen in a mirror between files d and e."""
    return SquareSet(square ^ 7 for square in squares)


def flip_diagonal(squares: SquareSet) -> SquareSet:
    """Squares seen in a mirror along the diagonal from a1 to h8."""
    return SquareSet(Square.at(square.rank, square.file) for square in squares)


def flip_anti_diagonal(squares: SquareSet) -> SquareSet:
    """Squares seen in a mirror along the diagonal from a8 to h1."""
    return SquareSet(Square.at(7 - square.rank, 7 - square.file) for square in squares)


def _code(piece: Piece) -> int:
    if not isinstance(piece, Piece):
        raise TypeError(f"expected a Piece, got {piece!r}")
    return piece.color.index << 3 | piece.kind.index
