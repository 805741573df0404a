// What a piece sees from a square: every table of the design notes, built once when the core loads.
//
// A set of squares is one word here; rays, tracing and magics come from the board floor.
#pragma once

#include "board/magic.hpp"
#include "games/chess/magics.hpp"

namespace cotulenh::chess {

using ChessGrid = NarrowGrid;
using ChessSet = NarrowSet;

using Bits = u64;

constexpr Bits bit(int square) { return Bits(1) << square; }
constexpr Square first(Bits set) { return Square(std::countr_zero(set)); }
constexpr bool several(Bits set) { return (set & (set - 1)) != 0; }
constexpr int file_of(int square) { return square & 7; }
constexpr int rank_of(int square) { return square >> 3; }

// Takes the lowest member out of a set.
constexpr Square pop(Bits& set) {
    const Square s = first(set);
    set &= set - 1;
    return s;
}

inline constexpr Bits FILE_A = 0x0101010101010101, FILE_H = FILE_A << 7;
constexpr Bits rank(int r) { return Bits(0xFF) << (8 * r); }
inline constexpr Bits DARK_SQUARES = 0xAA55AA55AA55AA55;  // a1 is dark

// One shift for all rooks wastes some room where fewer bits matter, but saves a load per lookup.
inline constexpr int ROOK_SHIFT = 52;
inline constexpr int ROOK_ROW = 4096, BISHOP_ROW = 512;

// A word that holds all 64 patterns of six bits: multiplying it by a lone bit shifts the pattern
// that tells which bit it was into the top.
inline constexpr u64 DEBRUIJN = 0x07EDD5E59A4E28C2;
constexpr std::array<u8, 64> make_debruijn_lookup() {
    std::array<u8, 64> table{};
    for (int i = 0; i < 64; ++i) table[(DEBRUIJN << i) >> 58] = u8(i);
    return table;
}
inline constexpr std::array<u8, 64> DEBRUIJN_LOOKUP = make_debruijn_lookup();

struct Tables {
    Tables();

    MagicPart rook[64], bishop[64];
    Bits knight[64], king[64], pawn[2][64];  // pawn: squares a pawn of a side attacks
    Bits rook_lines[64], bishop_lines[64];   // whole lines on an empty board
    Bits diagonal[64], antidiagonal[64];     // rising to the right, rising to the left
    Bits between[64][64];                    // strictly between, empty if not on one line
    Bits line[64][64];                       // edge to edge through both, or empty
    Bits rook_moves[64][ROOK_ROW];
    Bits bishop_moves[64][BISHOP_ROW];
};

extern const Tables TABLES;

inline u64 rook_hash(Square s, Bits occupied) {
    return (occupied & TABLES.rook[s].mask) * TABLES.rook[s].magic >> ROOK_SHIFT;
}
inline u64 bishop_hash(Square s, Bits occupied) { return TABLES.bishop[s].index(occupied); }

inline Bits rook_attacks(Square s, Bits occupied) {
    return TABLES.rook_moves[s][rook_hash(s, occupied)];
}
inline Bits bishop_attacks(Square s, Bits occupied) {
    return TABLES.bishop_moves[s][bishop_hash(s, occupied)];
}
inline Bits queen_attacks(Square s, Bits occupied) {
    return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
}

}  // namespace cotulenh::chess
