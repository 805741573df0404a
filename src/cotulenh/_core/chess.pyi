"""Chess: moves, boards, tables."""

from typing import overload

import cotulenh.chess.squares


class Move:
    """
    A move in 16 bits: from 6, to 6, promotion 2, kind 2. Equal moves are one object.
    """

    def __hash__(self, /):
        """Return hash(self)."""

    def __init__(self, from_square: object, to_square: object, promotion: object | None = None) -> None: ...

    def __int__(self, /):
        """int(self)"""

    def __index__(self, /):
        """
        Return self converted to an integer, if self is suitable for use as an index into a list.
        """

    @staticmethod
    def null() -> Move:
        """
        The null move, which passes the turn (Board.push_null plays it): false, 0000 as text, -- in PGN.
        """

    def __bool__(self) -> bool: ...

    @staticmethod
    def from_int(bits: int) -> Move:
        """The move of a packed 16-bit form."""

    @staticmethod
    def from_uci(text: str) -> Move:
        """
        Takes e2e4 or e7e8q at its word. Without a board it is never castling or en passant; Board.push understands it all the same.
        """

    def uci(self) -> str:
        """The move as e2e4, e7e8q; castling as the king moves, e1g1."""

    @property
    def from_square(self) -> cotulenh.chess.squares.Square:
        """Where the piece comes from."""

    @property
    def to_square(self) -> cotulenh.chess.squares.Square:
        """Where it goes; in castling, where the king goes."""

    @property
    def promotion(self) -> cotulenh.chess.squares.Kind | None:
        """What a pawn becomes."""

    @property
    def kind(self) -> cotulenh.chess.squares.MoveKind:
        """NORMAL, PROMOTION, EN_PASSANT or CASTLING."""

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class Board:
    """Position and history; cotulenh.chess.Board is its public face."""

    @overload
    def __init__(self) -> None: ...

    @overload
    def __init__(self, other: Board, history: bool) -> None: ...

    @overload
    def __init__(self, fen: str = ..., chess960: bool = False) -> None: ...

    def perft(self, depth: int, threads: int = 1, hash_mb: int = 0, hash_seed: int = 0) -> int:
        """How many sequences of `depth` legal moves there are."""

    def divide(self, depth: int) -> dict[Move, int]:
        """The same, for each first move."""

    def push(self, move: Move) -> None:
        """
        Plays a legal move; IllegalMoveError otherwise. A plain move that can only mean castling or en passant (as from_uci gives) is understood.
        """

    def push_unchecked(self, move: Move) -> None:
        """
        Plays a move that is known to be legal, exactly these bits. One that would break the board is refused all the same (IllegalMoveError); nothing else is asked.
        """

    def pop(self) -> Move:
        """Takes back the last move and returns it; IndexError if there is none."""

    def push_null(self) -> None:
        """Passes the turn; IllegalMoveError in check."""

    def undo(self) -> None:
        """Takes back the last move."""

    def push_san(self, text: str) -> Move:
        """Plays a move given as SAN."""

    def push_uci(self, text: str) -> Move:
        """Plays a move given as UCI."""

    def push_sans(self, text: str) -> tuple[Move, ...]:
        """
        Plays the moves of a game's text, skipping numbers, comments, variations and marks, up to the result or the end. At the first trouble the board is as it was.
        """

    def fen(self) -> str:
        """
        The position as FEN; the en passant square only if such a capture is legal.
        """

    def san(self, move: Move) -> str:
        """A legal move in standard algebraic notation."""

    def uci(self, move: Move) -> str:
        """A legal move as UCI; in Chess960 castling is the king taking its rook."""

    def parse_san(self, text: str) -> Move:
        """The legal move that a SAN means."""

    def parse_uci(self, text: str) -> Move:
        """The legal move that a UCI text means; castling as e1g1 or e1h1."""

    def _history(self, san: bool) -> list[str]: ...

    def _moves(self) -> tuple[Move, ...]: ...

    @property
    def legal_moves(self) -> cotulenh.chess.squares.Moves[Move]:
        """
        The legal moves now: a tuple that later moves on the board do not change. Plain moves that mean castling or en passant are in it.
        """

    @property
    def pseudo_legal_moves(self) -> cotulenh.chess.squares.Moves[Move]:
        """Moves that would be legal if kings could be left or moved into check."""

    @property
    def captures(self) -> cotulenh.chess.squares.Moves[Move]:
        """Legal captures and promotions."""

    @property
    def quiets(self) -> cotulenh.chess.squares.Moves[Move]:
        """All other legal moves."""

    def is_legal(self, move: Move) -> bool:
        """
        Whether a move is legal. A plain one that means castling or en passant is that move.
        """

    def _resolve(self, move: Move) -> Move | None: ...

    def gives_check(self, move: Move) -> bool:
        """Whether a legal move puts the other king in check."""

    @property
    def turn(self) -> cotulenh.chess.squares.Color:
        """The side to move."""

    @property
    def key(self) -> int:
        """
        The 64-bit Zobrist key: placement, turn, castling rights, usable en passant.
        """

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""

    @property
    def fullmove_number(self) -> int:
        """The move number, one more after each move of Black."""

    @property
    def ep_square(self) -> cotulenh.chess.squares.Square | None:
        """Where a pawn may be captured en passant now, if it legally may."""

    @property
    def chess960(self) -> bool:
        """Whether castling follows the rules of Chess960."""

    @property
    def ply(self) -> int:
        """How many moves the board remembers."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move and is not in check."""

    def is_insufficient_material(self) -> bool:
        """Whether neither side has the material for any mate."""

    def is_repetition(self, n: int = 3) -> bool:
        """Whether the position stands on the board for at least the n-th time."""

    def _has_legal_move(self) -> bool: ...

    def _piece(self, arg: int, /) -> int: ...

    def _kind(self, arg: int, /) -> int: ...

    def _side(self, arg: int, /) -> int: ...

    def _castling(self) -> int: ...

    def _attacks(self, arg: int, /) -> int: ...

    def _board(self) -> bytes: ...

    def _status(self) -> list[str]: ...

    def _set_up(self, pieces: bytes, turn: int, castling: int, en_passant: int, halfmove: int, fullmove: int) -> None: ...

    def _become(self, arg: Board, /) -> None: ...

    def _rewind(self) -> None: ...

    def _attackers(self, arg0: int, arg1: int, /) -> int: ...

    def _state(self) -> bytes: ...

    def _key_from_scratch(self) -> int: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

def _tables() -> dict: ...

def _rook_moves(arg0: int, arg1: int, /) -> int: ...

def _bishop_moves(arg0: int, arg1: int, /) -> int: ...

def _adopt(squares: tuple, colors: tuple, kinds: tuple, move_kinds: tuple, moves_type: object, moves_type_960: object) -> None:
    """Tells the bindings which objects of Python to hand out."""
