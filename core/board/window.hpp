// The magic tables of the wide board, in window form.
//
// Four ranks of stride 16 are one 64-bit word. So every ray of range <= 4 that climbs from a square
// lies in the one unaligned word above it, every ray that falls in the word below it, and the row
// in a 16-bit lane: three small lookups whose tables depend on the file alone. Longer rays gather
// each line (row, column, two diagonals) into twelve dense bits by a magic multiplication per word
// and share one table of blocked lines. Answers run up to and including the first blocker,
// unlimited in range within their form: callers cut them by a reach mask, which also removes points
// off the board.
#pragma once

#include <cstring>

#include "board/magic.hpp"

namespace cotulenh {

// A set with a readable word on each side, so that windows may hang over the board's edge.
struct Padded {
    u64 below = 0;
    WideSet set;
    u64 above = 0;

    Padded() = default;
    explicit Padded(const WideSet& s) : set(s) {}

    // The 64 bits that start `ranks` ranks above the board's first rank (may be -4 .. 12).
    u64 window(int rank) const {
        u64 out;
        std::memcpy(&out, reinterpret_cast<const char*>(&set) + rank * 2, sizeof out);
        return out;
    }
    u16 row(int rank) const {
        u16 out;
        std::memcpy(&out, reinterpret_cast<const char*>(&set) + rank * 2, sizeof out);
        return out;
    }
};
static_assert(sizeof(Padded) == 40);

enum WindowSide : u8 { UP, DOWN };
inline constexpr int WINDOW_RANKS = 4;
inline constexpr int NEAREST_WINDOW = 2, FARTHEST_WINDOW = 4;  // ranges that have window tables

// A line of the far form: twelve points, of which the answer at each end never matters.
inline constexpr int LINE_POINTS = 12;
enum Line : u8 { COLUMN, RISING, FALLING, LINES };  // the row needs no gathering
inline constexpr std::array<int, LINES> LINE_SLANT{0, 1, -1};

struct WindowTables {
    WindowTables();

    // --- near: ranges 2, 3, 4 ---
    MagicPart part[2][FARTHEST_WINDOW + 1][WideGrid::files];  // [side][range][file]
    std::vector<u64> answers;                                 // windows
    // --- far and rows ---
    u16 line[LINE_POINTS][1 << (LINE_POINTS - 2)];           // [place][inner occupancy] -> points
    u64 line_mask[LINES][WideGrid::size][WideGrid::words];   // the line's points in each word
    u64 line_magic[LINES][WideGrid::size][WideGrid::words];  // gathers them into the top nibble
    u64 nibble[LINES][16];                                   // the way back, before the shift

    std::size_t bytes() const;
    bool exact = true;  // no two configurations with different answers met in one place
};
extern const WindowTables WINDOWS;

// What a window table answers, found by stepping: the tool, the builder and the tests share it.
u64 window_mask(WindowSide side, int range, int file);
u64 window_answer(WindowSide side, int range, int file, u64 occupied);

inline u16 visible_row(const Padded& occupied, Square from) {
    const int inner = occupied.row(from >> 4) >> 1 & 0x3FF;
    return WINDOWS.line[from & 15][inner];
}

// Puts 64 window bits back in place. Guard words of the scratch board swallow what hangs over.
inline void place(u64 (&out)[5], int rank, u64 bits) {
    const int at = rank * 16 + 64, word = at >> 6, shift = at & 63;
    out[word] |= bits << shift;
    if (shift) out[word + 1] |= bits >> (64 - shift);
}

// Points seen from a square in all eight directions up to `range` (2, 3 or 4; at least).
inline WideSet visible_near(const Padded& occupied, Square from, int range) {
    const int rank = from >> 4, file = from & 15;
    const MagicPart& up = WINDOWS.part[UP][range][file];
    const MagicPart& down = WINDOWS.part[DOWN][range][file];
    const u64* answers = WINDOWS.answers.data();
    const u64 above = answers[up.offset + up.index(occupied.window(rank + 1))];
    const u64 below = answers[down.offset + down.index(occupied.window(rank - 4))];
    // Window, row and window are one run of nine ranks: moved to its place within a word, then by
    // whole words. Guard words swallow what hangs over the board.
    const u64 middle = visible_row(occupied, from) | above << 16;
    const int shift = (rank & 3) * 16;
    const auto carried = [shift](u64 bits) { return bits >> 1 >> (63 - shift); };
    u64 out[5];
    out[1] = out[3] = 0;
    u64* const run = out + (rank >> 2);  // rank - 4 lies in the first of its words
    run[0] = below << shift;
    run[1] = carried(below) | middle << shift;
    run[2] = carried(middle) | above >> 48 << shift;
    WideSet set;
    for (int i = 0; i < 3; ++i) set.w[i] = out[i + 1];
    return set;
}

// Points seen along one gathered line, at any distance.
inline void add_line(WideSet& out, const Padded& occupied, Square from, Line line) {
    const u64* mask = WINDOWS.line_mask[line][from];
    const u64* magic = WINDOWS.line_magic[line][from];
    u32 dense = 0;
    for (int i = 0; i < 3; ++i)
        dense |= u32((occupied.set.w[i] & mask[i]) * magic[i] >> 60) << 4 * i;
    const u32 seen = WINDOWS.line[from >> 4][dense >> 1 & 0x3FF];
    for (int i = 0; i < 3; ++i) {
        const int shift = (from & 15) + LINE_SLANT[line] * (4 * i - (from >> 4));
        const u64 bits = WINDOWS.nibble[line][seen >> 4 * i & 15];
        out.w[i] |= (shift >= 0 ? bits << shift : bits >> -shift) & mask[i];
    }
}

inline WideSet visible_orthogonal(const Padded& occupied, Square from) {
    WideSet out;
    out.w[from >> 6] = u64(visible_row(occupied, from)) << (from >> 4 & 3) * 16;
    add_line(out, occupied, from, COLUMN);
    return out;
}

inline WideSet visible_far(const Padded& occupied, Square from) {
    WideSet out = visible_orthogonal(occupied, from);
    add_line(out, occupied, from, RISING);
    add_line(out, occupied, from, FALLING);
    return out;
}

}  // namespace cotulenh
