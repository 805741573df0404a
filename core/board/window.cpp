#include "board/window.hpp"

#include "board/magics.hpp"

namespace cotulenh {
namespace {

using G = WideGrid;

// Where the k-th step of a ray from `file` lies in its window, or -1 off the board.
int window_bit(WindowSide side, int file, int slant, int k) {
    const int f = file + slant * k;
    if (f < 0 || f >= G::files) return -1;
    const int lane = side == UP ? k - 1 : WINDOW_RANKS - k;
    return lane * G::stride + f;
}

// Blocked points of a twelve-point line seen from `place`, first blockers included.
u16 line_answer(int place, u32 occupied) {
    u32 seen = 0;
    for (int step : {1, -1})
        for (int p = place + step; p >= 0 && p < LINE_POINTS; p += step) {
            seen |= 1u << p;
            if (occupied >> p & 1) break;
        }
    return u16(seen);
}

// The base bit of a line's nibble in word i: where it would stand on the word's first rank.
int line_base(Line line, Square from, int word) {
    return G::file_of(from) + LINE_SLANT[line] * (4 * word - G::rank_of(from));
}

}  // namespace

u64 window_mask(WindowSide side, int range, int file) {
    u64 mask = 0;
    for (int slant = -1; slant <= 1; ++slant)
        for (int k = 1; k < range && window_bit(side, file, slant, k + 1) >= 0; ++k)
            mask |= u64(1) << window_bit(side, file, slant, k);
    return mask;
}

u64 window_answer(WindowSide side, int range, int file, u64 occupied) {
    u64 seen = 0;
    for (int slant = -1; slant <= 1; ++slant)
        for (int k = 1; k <= range; ++k) {
            const int bit = window_bit(side, file, slant, k);
            if (bit < 0) break;
            seen |= u64(1) << bit;
            if (occupied >> bit & 1) break;
        }
    return seen;
}

WindowTables::WindowTables() {
    for (int side = UP; side <= DOWN; ++side)
        for (int range = NEAREST_WINDOW; range <= FARTHEST_WINDOW; ++range)
            for (int file = 0; file < G::files; ++file) {
                const u64 mask = window_mask(WindowSide(side), range, file);
                MagicPart& p = part[side][range][file];
                p = {mask, magics::WINDOW[side][range - NEAREST_WINDOW][file],
                     u32(64 - std::popcount(mask)), u32(answers.size())};
                answers.resize(answers.size() + p.size());
                exact &= fill_part(p, answers.data() + p.offset, [&](u64 occupied) {
                    return window_answer(WindowSide(side), range, file, occupied);
                });
            }
    for (int place = 0; place < LINE_POINTS; ++place)
        for (u32 inner = 0; inner < 1u << (LINE_POINTS - 2); ++inner)
            line[place][inner] = line_answer(place, inner << 1);
    for (int l = COLUMN; l < LINES; ++l) {
        for (u32 n = 0; n < 16; ++n) {
            nibble[l][n] = 0;
            for (int j = 0; j < 4; ++j)
                if (n >> j & 1) nibble[l][n] |= u64(1) << (16 + LINE_SLANT[l]) * j;
        }
        for (int s = 0; s < G::size; ++s)
            for (int i = 0; i < G::words; ++i) {
                u64 mask = 0, magic = 0;
                const int base = line_base(Line(l), Square(s), i);
                for (int j = 0; j < 4; ++j) {
                    const int file = base + LINE_SLANT[l] * j;
                    if (file < 0 || file >= G::files) continue;
                    const int bit = j * G::stride + file;
                    mask |= u64(1) << bit;
                    magic |= u64(1) << (60 + j - bit);  // moves that bit to place 60 + j
                }
                line_mask[l][s][i] = mask;
                line_magic[l][s][i] = magic;
            }
    }
}

std::size_t WindowTables::bytes() const { return sizeof *this + answers.size() * sizeof(u64); }

const WindowTables WINDOWS;

}  // namespace cotulenh
