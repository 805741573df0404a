// Places: squares, directions and the shape of a board. Knows no game.
#pragma once

#include <array>
#include <cstdint>

namespace cotulenh {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// A square is rank * stride + file, counted from 0. Small on purpose: moves pack it in eight bits.
using Square = u8;
inline constexpr Square NO_SQUARE = 255;

// The order of the design notes: orthogonals first, each direction beside its opposite.
enum Direction : u8 { NORTH, SOUTH, EAST, WEST, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST };
inline constexpr int DIRECTIONS = 8;
inline constexpr std::array<int, DIRECTIONS> FILE_STEP{0, 0, 1, -1, 1, -1, 1, -1};
inline constexpr std::array<int, DIRECTIONS> RANK_STEP{1, -1, 0, 0, 1, 1, -1, -1};

constexpr bool is_diagonal(int direction) { return direction >= NORTH_EAST; }

constexpr Direction opposite(int direction) {
    constexpr std::array<Direction, DIRECTIONS> table{
        SOUTH, NORTH, WEST, EAST, SOUTH_WEST, SOUTH_EAST, NORTH_WEST, NORTH_EAST};
    return table[direction];
}

// The frame squares are numbered in. A stride wider than the board leaves guard files, so that
// shifts by a few files never wrap; a rank never straddles two words.
template <int Files, int Ranks, int Stride>
struct Grid {
    static_assert(Files <= Stride && 64 % Stride == 0);
    static constexpr int files = Files;
    static constexpr int ranks = Ranks;
    static constexpr int stride = Stride;
    static constexpr int size = Ranks * Stride;
    static constexpr int words = (size + 63) / 64;

    static constexpr Square at(int file, int rank) { return Square(rank * Stride + file); }
    static constexpr int file_of(int square) { return square % Stride; }
    static constexpr int rank_of(int square) { return square / Stride; }
    static constexpr bool holds(int file, int rank) {
        return file >= 0 && file < Files && rank >= 0 && rank < Ranks;
    }
};

using WideGrid = Grid<12, 12, 16>;  // 11 x 12 and 12 x 12 boards live in it, three words a set
using NarrowGrid = Grid<8, 8, 8>;   // one word a set

}  // namespace cotulenh
