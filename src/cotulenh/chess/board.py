"""The board of chess: a position, what is legal in it, how it came about.

The names are those that people know from other Python libraries of chess; docs/python-chess.md
puts both side by side.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Literal, Self, overload

from cotulenh import _core
from cotulenh._core.chess import Move
from cotulenh.chess import _epd
from cotulenh.chess._pieces import Pieces
from cotulenh.chess.squares import (
    KING,
    STARTING,
    WHITE,
    Color,
    Kind,
    MoveKind,
    Moves,
    Moves960,
    Outcome,
    Reason,
    Square,
    SquareSet,
)
from cotulenh.errors import IllegalMoveError
from cotulenh.squares import draw_grid

__all__ = ["Board", "Move"]

_SQUARES = tuple(Square(i) for i in range(64))
_core.chess._adopt(_SQUARES, tuple(Color), tuple(Kind), tuple(MoveKind), Moves, Moves960)


_ALL = (1 << 64) - 1


def _between(
    moves: Iterable[Move], from_mask: Iterable[int] | int, to_mask: Iterable[int] | int
) -> Iterator[Move]:
    start, goal = SquareSet(from_mask), SquareSet(to_mask)
    return (move for move in moves if move.from_square in start and move.to_square in goal)


def _move(bits: int) -> Move:
    return Move.from_int(bits)


# A move that is copied or travels between processes becomes the one object of its value again.
copyreg.pickle(Move, lambda move: (_move, (int(move),)))


class Board(Pieces):
    """A position with the moves that led to it.

    A FEN that is not one raises ``ParseError``, an impossible position ``PositionError`` with all
    its problems. Two boards are equal if their FENs are.

    >>> board = Board()
    >>> board.push(Move.from_uci("e2e4"))
    >>> board.push_san("e5").uci()
    'e7e5'
    >>> board.fen()
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> len(board.legal_moves), board.parse_san("Nf3") in board.legal_moves
    (29, True)
    """

    __slots__ = ()

    # Moves ----------------------------------------------------------------------------------------

    def find_move(
        self, from_square: int | str, to_square: int | str, promotion: Kind | str | None = None
    ) -> Move:
        """The legal move from a square to another; a pawn becomes a queen unless told otherwise.

        >>> Board().find_move("e2", "e4").uci()
        'e2e4'
        """
        start, goal = Square(from_square), Square(to_square)
        wanted = None if promotion is None else Kind(promotion)
        piece = self.piece_at(start)
        if wanted is None and piece is not None and piece.kind is Kind.PAWN and goal.rank in (0, 7):
            wanted = Kind.QUEEN
        move = self._resolve(Move(start, goal, wanted))
        if move is None:
            raise IllegalMoveError(f"no legal move goes from {start} to {goal}")
        return move

    def generate_legal_moves(
        self, from_mask: Iterable[int] | int = _ALL, to_mask: Iterable[int] | int = _ALL
    ) -> Iterator[Move]:
        """Legal moves from some squares to some squares.

        >>> [move.uci() for move in Board().generate_legal_moves(SquareSet("b1"))]
        ['b1a3', 'b1c3']
        """
        return _between(self.legal_moves, from_mask, to_mask)

    def generate_pseudo_legal_moves(
        self, from_mask: Iterable[int] | int = _ALL, to_mask: Iterable[int] | int = _ALL
    ) -> Iterator[Move]:
        """Pseudo-legal moves from some squares to some squares."""
        return _between(self.pseudo_legal_moves, from_mask, to_mask)

    def generate_legal_captures(
        self, from_mask: Iterable[int] | int = _ALL, to_mask: Iterable[int] | int = _ALL
    ) -> Iterator[Move]:
        """Legal captures, en passant among them."""
        return filter(self.is_capture, self.generate_legal_moves(from_mask, to_mask))

    def generate_legal_ep(
        self, from_mask: Iterable[int] | int = _ALL, to_mask: Iterable[int] | int = _ALL
    ) -> Iterator[Move]:
        """Legal captures en passant."""
        return filter(self.is_en_passant, self.generate_legal_moves(from_mask, to_mask))

    def generate_castling_moves(
        self, from_mask: Iterable[int] | int = _ALL, to_mask: Iterable[int] | int = _ALL
    ) -> Iterator[Move]:
        """Legal castling moves."""
        return filter(self.is_castling, self.generate_legal_moves(from_mask, to_mask))

    def has_legal_en_passant(self) -> bool:
        """Whether some capture en passant is legal."""
        return self.ep_square is not None

    def has_pseudo_legal_en_passant(self) -> bool:
        """Whether some capture en passant is possible if kings could be left in check."""
        return any(move.kind is MoveKind.EN_PASSANT for move in self.pseudo_legal_moves)

    def is_irreversible(self, move: Move) -> bool:
        """Whether no later position can be the same as this one once the move is played.

        >>> Board().is_irreversible(Move.from_uci("g1f3"))
        False
        """
        after = self.copy(history=False)
        after.push(move)
        rights = after.castling_rights != self.castling_rights
        return rights or self.is_zeroing(move) or self.has_legal_en_passant()

    def san_and_push(self, move: Move) -> str:
        """The SAN of a legal move, which is played."""
        text = self.san(move)
        self.push(move)
        return text

    def clear_stack(self) -> None:
        """Forgets the moves that led here."""
        self._become(self.copy(history=False))

    def is_capture(self, move: Move) -> bool:
        """Whether a move takes something, en passant included."""
        taken = self.piece_at(move.to_square)
        other = taken is not None and taken.color is not self.turn
        return other or self.is_en_passant(move)

    def is_en_passant(self, move: Move) -> bool:
        """Whether a move takes a pawn in passing."""
        return self._kind_of(move) is MoveKind.EN_PASSANT

    def is_castling(self, move: Move) -> bool:
        """Whether a move is castling."""
        return self._kind_of(move) is MoveKind.CASTLING

    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a move is castling towards file h."""
        return self.is_castling(move) and move.to_square.file > move.from_square.file

    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a move is castling towards file a."""
        return self.is_castling(move) and not self.is_kingside_castling(move)

    def is_zeroing(self, move: Move) -> bool:
        """Whether a move sets the clock of the fifty moves back: a capture or a pawn's move."""
        piece = self.piece_at(move.from_square)
        return self.is_capture(move) or (piece is not None and piece.kind is Kind.PAWN)

    def is_into_check(self, move: Move) -> bool:
        """Whether a move would be legal if it did not leave the own king in check."""
        return not self.is_legal(move) and self.is_pseudo_legal(move)

    def is_pseudo_legal(self, move: Move) -> bool:
        """Whether a move is among the pseudo-legal moves."""
        return move in self.pseudo_legal_moves

    def _kind_of(self, move: Move) -> MoveKind:
        """What a move is here: a plain one may mean castling or en passant."""
        return (self._resolve(move) or move).kind

    def lan(self, move: Move) -> str:
        """A legal move in long notation.

        >>> Board().lan(Move.from_uci("g1f3"))
        'Ng1-f3'
        """
        short = self.san(move)
        if short.startswith("O-O"):
            return short
        end = short.rstrip("+#")
        suffix = short[len(end) :]
        promotion = "" if move.promotion is None else f"={move.promotion.letter}"
        piece = self.piece_at(move.from_square)
        assert piece is not None
        letter = "" if piece.kind is Kind.PAWN else piece.kind.letter
        sign = "x" if self.is_capture(move) else "-"
        return f"{letter}{move.from_square}{sign}{move.to_square}{promotion}{suffix}"

    def variation_san(self, moves: Iterable[Move]) -> str:
        """A line of moves as text with numbers.

        >>> board = Board()
        >>> board.variation_san(Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3"))
        '1. e4 e5 2. Nf3'
        """
        board, words = self.copy(history=False), []
        for move in moves:
            if board.turn is WHITE:
                words.append(f"{board.fullmove_number}.")
            elif not words:
                words.append(f"{board.fullmove_number}...")
            words.append(board.san(move))
            board.push(move)
        return " ".join(words)

    # How it stands ------------------------------------------------------------------------------

    def is_fifty_moves(self) -> bool:
        """Whether fifty moves each were made without a capture or a pawn's move."""
        return self.halfmove_clock >= 100 and self._has_legal_move()

    def is_seventyfive_moves(self) -> bool:
        """Whether the game is drawn: seventy-five such moves."""
        return self.halfmove_clock >= 150 and self._has_legal_move()

    def is_fivefold_repetition(self) -> bool:
        """Whether the game is drawn: the position stands for the fifth time."""
        return self.is_repetition(5)

    def can_claim_fifty_moves(self) -> bool:
        """Whether a draw may be claimed now, or by announcing a move that completes fifty."""
        if self.is_fifty_moves():
            return True
        return self.halfmove_clock >= 99 and self._leads_to(Board.is_fifty_moves)

    def can_claim_threefold_repetition(self) -> bool:
        """Whether a draw may be claimed now, or by announcing a move that repeats the third time.

        >>> board = Board()
        >>> _ = board.push_sans("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
        >>> board.is_repetition(3), board.can_claim_threefold_repetition()
        (False, True)
        """
        return self.is_repetition(3) or self._leads_to(Board.is_repetition)

    def can_claim_draw(self) -> bool:
        """Whether the side to move may claim a draw (FIDE 9.2 and 9.3)."""
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def _leads_to(self, holds: Callable[[Self], bool]) -> bool:
        """Whether some legal move that does not set the clock back leads to such a position."""
        board = self.copy()
        for move in self.legal_moves:
            if self.is_zeroing(move):
                continue
            board.push_unchecked(move)
            if holds(board):
                return True
            board.pop()
        return False

    def drawn_on_the_board(self) -> Outcome | None:
        """The draw that fifty moves or a third repetition give, if they stand on the board."""
        if self.is_fifty_moves():
            return Outcome(None, Reason.FIFTY_MOVES)
        return Outcome(None, Reason.THREEFOLD_REPETITION) if self.is_repetition(3) else None

    def has_insufficient_material(self, color: Color) -> bool:
        """Whether a side cannot win by any sequence of moves, as far as its material tells.

        >>> board = Board("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1")
        >>> board.has_insufficient_material(WHITE), board.has_insufficient_material(WHITE.other)
        (False, True)
        """
        mine, theirs = self.occupied(color), self.occupied(color.other)

        def both(kind: Kind) -> SquareSet:
            return self.pieces(kind, color) | self.pieces(kind, color.other)

        if mine & (both(Kind.PAWN) | both(Kind.ROOK) | both(Kind.QUEEN)):
            return False
        if mine & both(Kind.KNIGHT):  # alone it mates only a king shut in by its own pieces
            return len(mine) <= 2 and not theirs - both(KING) - both(Kind.QUEEN)
        bishops = both(Kind.BISHOP)
        if mine & bishops:  # on one colour they mate only with others' help
            dark = {(square.file + square.rank) % 2 for square in bishops}
            return len(dark) == 1 and not both(Kind.PAWN) and not both(Kind.KNIGHT)
        return True

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game has an outcome."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on."""
        found = self.outcome(claim_draw=claim_draw)
        return "*" if found is None else found.result

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """Winner and reason, or ``None`` while the game goes on.

        A third repetition and fifty moves count only with ``claim_draw``: then also if some legal
        move would complete them, since a player may announce it and claim. A fifth repetition and
        seventy-five moves always count.

        >>> Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome()
        Outcome(winner=None, reason=<Reason.STALEMATE: 'stalemate'>)
        """
        if not self._has_legal_move():
            if self.is_check():
                return Outcome(self.turn.other, Reason.CHECKMATE)
            return Outcome(None, Reason.STALEMATE)
        draw = self._draw(claim_draw)
        return None if draw is None else Outcome(None, draw)

    def _draw(self, claim_draw: bool) -> Reason | None:
        if self.is_insufficient_material():
            return Reason.INSUFFICIENT_MATERIAL
        if self.is_seventyfive_moves():
            return Reason.SEVENTYFIVE_MOVES
        if self.is_repetition(5):
            return Reason.FIVEFOLD_REPETITION
        if claim_draw and self.can_claim_fifty_moves():
            return Reason.FIFTY_MOVES
        if claim_draw and self.can_claim_threefold_repetition():
            return Reason.THREEFOLD_REPETITION
        return None

    # History -------------------------------------------------------------------------------------

    @overload
    def history(self, as_text: Literal["san", "uci"] = "san") -> list[str]: ...
    @overload
    def history(self, as_text: None) -> list[Move]: ...
    def history(self, as_text: Literal["san", "uci"] | None = "san") -> list[str] | list[Move]:
        """The moves played on this board: as SAN, as UCI, or (``None``) as they are.

        >>> board = Board()
        >>> _ = board.push_sans("1. e4 c5 2. Nf3")
        >>> board.history(), board.history(as_text="uci")
        (['e4', 'c5', 'Nf3'], ['e2e4', 'c7c5', 'g1f3'])
        """
        if as_text is None:
            return self.move_stack
        if as_text not in ("san", "uci"):
            raise ValueError(f"as_text: expected 'san', 'uci' or None, got {as_text!r}")
        return self._history(as_text == "san")

    @property
    def move_stack(self) -> list[Move]:
        """The moves played on this board; a null move among them is ``Move.null()``."""
        return list(self._moves())

    def peek(self) -> Move:
        """The last move; ``IndexError`` if there is none."""
        return self.move_stack[-1]

    def root(self) -> Self:
        """A board at the position where this one's history starts."""
        start = self.copy()
        start._rewind()
        return start

    # Text ----------------------------------------------------------------------------------------

    def shredder_fen(self) -> str:
        """The FEN with the files of the rooks for castling rights, as Shredder-FEN has it.

        >>> Board().shredder_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
        """
        fields = self.fen().split(" ")
        fields[2] = self.castling_shredder_fen()
        return " ".join(fields)

    def epd(self, **operations: Any) -> str:
        """The first four fields of the FEN, and operations: moves are written as SAN.

        >>> board = Board()
        >>> board.epd(bm=[Move.from_uci("e2e4")], acd=12, id="the start")
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; acd 12; id "the start";'
        """
        return _epd.write(self, operations)

    def set_epd(self, text: str) -> dict[str, Any]:
        """Sets the position of an EPD up, and returns its operations.

        >>> Board().set_epd("4k3/8/8/8/8/8/8/R3K3 w Q - bm O-O-O; hmvc 3;")["hmvc"]
        3
        """
        fen, rest = _epd.split(text)
        self.set_fen(fen)
        operations = _epd.operations(self, rest)
        counters = int(operations.get("hmvc", 0)), int(operations.get("fmvn", 1))
        self.set_fen(f"{self.fen().rsplit(' ', 2)[0]} {counters[0]} {counters[1]}")
        return operations

    @classmethod
    def from_epd(cls, text: str, *, chess960: bool = False) -> tuple[Self, dict[str, Any]]:
        """A board and the operations of an EPD."""
        board = cls(STARTING, chess960)
        return board, board.set_epd(text)

    def copy(self, *, history: bool = True) -> Self:
        """A board of its own, with or without the moves that led here."""
        return type(self)(self, history)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _replay, (type(self), self.root().fen(), self.chess960, self.move_stack)

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def __str__(self) -> str:
        """The board as text, White below.

        >>> print(Board())
         8  r n b q k b n r
         7  p p p p p p p p
         6  . . . . . . . .
         5  . . . . . . . .
         4  . . . . . . . .
         3  . . . . . . . .
         2  P P P P P P P P
         1  R N B Q K B N R
            a b c d e f g h
        """
        return draw_grid(lambda square: str(self.piece_at(square) or "."), Square, 8, 8)

    def _repr_svg_(self) -> str:
        """The board as a notebook shows it. Pictures are a floor above: looked up when needed."""
        return str(import_module("cotulenh.draw").svg(self, size=400))


def _replay(kind: type[Board], fen: str, chess960: bool, moves: list[Move]) -> Board:
    board = kind(fen, chess960)
    for move in moves:
        board.push(move)
    return board
