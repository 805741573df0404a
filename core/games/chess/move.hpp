// Pieces and moves of chess as small integers.
#pragma once

#include "games/chess/tables.hpp"
#include "games/game.hpp"

namespace cotulenh::chess {

inline constexpr Side WHITE = FIRST, BLACK = SECOND;

enum Kind : u8 { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_KIND };

// A piece on the board in one byte; EMPTY has NO_KIND.
using Piece = u8;
constexpr Piece piece_of(Side side, Kind kind) { return Piece(side << 3 | kind); }
constexpr Kind kind_of(Piece p) { return Kind(p & 7); }
constexpr Side side_of(Piece p) { return Side(p >> 3); }
inline constexpr Piece EMPTY = NO_KIND;

enum MoveKind : u8 { NORMAL, PROMOTION, EN_PASSANT, CASTLING };

// 16 bits as in the design notes: from 6, to 6, promotion 2, kind 2. Castling names the king's own
// squares (e1g1); its kind tells it from a king's step, which Chess960 needs. Move{} is no move. A
// plain `Move m;` is left unset, so that lists of moves cost nothing to make.
class Move {
  public:
    Move() = default;
    static constexpr Move of(int from, int to, MoveKind kind = NORMAL, Kind promotion = KNIGHT) {
        return Move(u16(from | to << 6 | (promotion - KNIGHT) << 12 | kind << 14));
    }
    // Any bits, from a hash table or a user: each is some move, though maybe never a legal one.
    static constexpr Move from_bits(u32 bits) { return Move(u16(bits)); }

    constexpr u16 bits() const { return bits_; }
    constexpr Square from() const { return bits_ & 63; }
    constexpr Square to() const { return bits_ >> 6 & 63; }
    constexpr MoveKind kind() const { return MoveKind(bits_ >> 14); }
    constexpr Kind promotion() const { return Kind(KNIGHT + (bits_ >> 12 & 3)); }
    constexpr bool well_formed() const { return true; }
    constexpr explicit operator bool() const { return bits_ != 0; }
    friend constexpr bool operator==(Move, Move) = default;

  private:
    constexpr explicit Move(u16 bits) : bits_(bits) {}
    u16 bits_;
};

using Moves = MoveList<Move>;

}  // namespace cotulenh::chess
