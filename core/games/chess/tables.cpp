#include "games/chess/tables.hpp"

namespace cotulenh::chess {

namespace {

using Geometry = Rays<ChessGrid>;

// Squares seen from s along four directions, each ray up to and including its first blocker.
Bits trace(const Geometry& rays, Square s, bool diagonal, Bits occupied) {
    ChessSet blockers, seen;
    blockers.w[0] = occupied;
    for (int d = diagonal ? 4 : 0, end = d + 4; d < end; ++d) {
        seen |= rays.ray(d, s);
        const Square stop = rays.nearest(d, s, blockers);
        if (stop != NO_SQUARE) seen -= rays.ray(d, stop);
    }
    return seen.w[0];
}

// A piece on the last square of a ray blocks nothing: that square is left out of the mask.
Bits relevant(const Geometry& rays, Square s, bool diagonal) {
    Bits mask = 0;
    for (int d = diagonal ? 4 : 0, end = d + 4; d < end; ++d)
        rays.ray(d, s).each([&](Square to) {
            if (rays.ray(d, to).any()) mask |= bit(to);
        });
    return mask;
}

Bits jumps(Square s, const std::array<std::array<int, 2>, 8>& steps) {
    Bits set = 0;
    for (const auto [df, dr] : steps) {
        const int file = file_of(s) + df, r = rank_of(s) + dr;
        if (ChessGrid::holds(file, r)) set |= bit(ChessGrid::at(file, r));
    }
    return set;
}

constexpr std::array<std::array<int, 2>, 8> KNIGHT_STEPS{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};
constexpr std::array<std::array<int, 2>, 8> KING_STEPS{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

void fill_leapers(Tables& t, Square s) {
    t.knight[s] = jumps(s, KNIGHT_STEPS);
    t.king[s] = jumps(s, KING_STEPS);
    const Bits beside = bit(s) >> 1 & ~FILE_H, other = bit(s) << 1 & ~FILE_A;
    t.pawn[0][s] = (beside | other) << 8;
    t.pawn[1][s] = (beside | other) >> 8;
}

void fill_sliders(Tables& t, const Geometry& rays, Square s) {
    t.rook[s] = {relevant(rays, s, false), magics::ROOK[s], ROOK_SHIFT, u32(s) * ROOK_ROW};
    const Bits mask = relevant(rays, s, true);
    t.bishop[s] = {mask, magics::BISHOP[s], u32(64 - std::popcount(mask)), u32(s) * BISHOP_ROW};
    fill_part(t.rook[s], t.rook_moves[s], [&](u64 o) { return trace(rays, s, false, o); });
    fill_part(t.bishop[s], t.bishop_moves[s], [&](u64 o) { return trace(rays, s, true, o); });
    t.rook_lines[s] = trace(rays, s, false, 0);
    t.bishop_lines[s] = trace(rays, s, true, 0);
    t.diagonal[s] = (rays.ray(NORTH_EAST, s) | rays.ray(SOUTH_WEST, s)).w[0];
    t.antidiagonal[s] = (rays.ray(NORTH_WEST, s) | rays.ray(SOUTH_EAST, s)).w[0];
}

void fill_pairs(Tables& t, const Geometry& rays, Square a) {
    for (Square b = 0; b < 64; ++b) {
        const int d = Geometry::direction(a, b);
        if (d < 0) continue;
        t.between[a][b] = rays.between(a, b).w[0];
        t.line[a][b] = (rays.ray(d, a) | rays.ray(opposite(d), a)).w[0] | bit(a);
    }
}

}  // namespace

Tables::Tables() : between{}, line{}, rook_moves{}, bishop_moves{} {
    const Geometry rays(8, 8);
    for (Square s = 0; s < 64; ++s) {
        fill_leapers(*this, s);
        fill_sliders(*this, rays, s);
        fill_pairs(*this, rays, s);
    }
}

const Tables TABLES;

}  // namespace cotulenh::chess
