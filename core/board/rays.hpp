// Rays, ranged rays, what lies between, discs; all from geometry alone, built once per board shape.
#pragma once

#include <algorithm>

#include "board/set.hpp"

namespace cotulenh {

template <class G>
class Rays {
  public:
    using Set = SquareSet<G>;

    // The board may be smaller than its grid (11 files in a grid of 12).
    Rays(int files, int ranks)
        : files_(files), ranks_(ranks), board_(Set::rectangle(files, ranks)) {
        board_.each([&](Square s) {
            for (int d = 0; d < DIRECTIONS; ++d) rays_[d][s] = ranged(d, s, G::size);
        });
    }

    int files() const { return files_; }
    int ranks() const { return ranks_; }
    const Set& board() const { return board_; }
    const Set& ray(int direction, Square from) const { return rays_[direction][from]; }

    // The neighbour in a direction, or NO_SQUARE at the edge.
    Square step(int direction, Square from) const {
        const int file = G::file_of(from) + FILE_STEP[direction];
        const int rank = G::rank_of(from) + RANK_STEP[direction];
        if (file < 0 || file >= files_ || rank < 0 || rank >= ranks_) return NO_SQUARE;
        return G::at(file, rank);
    }

    // The first n points of a ray.
    Set ranged(int direction, Square from, int n) const {
        Set out;
        for (Square s = step(direction, from); n > 0 && s != NO_SQUARE; s = step(direction, s), --n)
            out.add(s);
        return out;
    }

    // The nearest member of `blockers` on a ray, or NO_SQUARE. Rising directions meet their lowest
    // bit first, falling ones their highest: each direction has its own nearest.
    Square nearest(int direction, Square from, const Set& blockers) const {
        const Set on_ray = rays_[direction][from] & blockers;
        if (on_ray.none()) return NO_SQUARE;
        return rises(direction) ? on_ray.first() : on_ray.last();
    }

    // A ranged ray cut behind its first blocker; the blocker itself is included.
    Set blocked(int direction, Square from, int n, const Set& occupied) const {
        Set out = ranged(direction, from, n);
        const Square stop = nearest(direction, from, occupied);
        return stop == NO_SQUARE ? out : out - rays_[direction][stop];
    }

    // The direction from a to b when they share a line, otherwise -1.
    static int direction(Square a, Square b) {
        const int df = G::file_of(b) - G::file_of(a), dr = G::rank_of(b) - G::rank_of(a);
        if ((df == 0) == (dr == 0)) {
            if (df == 0 || (df != dr && df != -dr)) return -1;
            return dr > 0 ? (df > 0 ? NORTH_EAST : NORTH_WEST) : (df > 0 ? SOUTH_EAST : SOUTH_WEST);
        }
        return df == 0 ? (dr > 0 ? NORTH : SOUTH) : (df > 0 ? EAST : WEST);
    }

    static int distance(Square a, Square b) {
        const int df = G::file_of(b) - G::file_of(a), dr = G::rank_of(b) - G::rank_of(a);
        return std::max(df < 0 ? -df : df, dr < 0 ? -dr : dr);
    }

    // The points strictly between two points of one line; empty if they share none.
    Set between(Square a, Square b) const {
        const int d = direction(a, b);
        return d < 0 ? Set{} : rays_[d][a] & rays_[opposite(d)][b];
    }

    // Points with dx^2 + dy^2 <= r^2, the centre included.
    Set disc(Square centre, int r) const {
        Set out;
        board_.each([&](Square s) {
            const int df = G::file_of(s) - G::file_of(centre);
            const int dr = G::rank_of(s) - G::rank_of(centre);
            if (df * df + dr * dr <= r * r) out.add(s);
        });
        return out;
    }

  private:
    static constexpr bool rises(int direction) {
        return RANK_STEP[direction] * G::stride + FILE_STEP[direction] > 0;
    }

    int files_, ranks_;
    Set board_;
    std::array<std::array<Set, G::size>, DIRECTIONS> rays_{};
};

}  // namespace cotulenh
