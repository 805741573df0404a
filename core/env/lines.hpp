// Ordered pairs of squares that share a rank, a file or a diagonal, numbered without gaps.
#pragma once

#include "board/grid.hpp"

namespace cotulenh::env {

// Pairs are sorted by the square they begin on (rank by rank), then direction, then distance.
template <int N>
class Lines {
  public:
    static constexpr int PAIRS = N * N * 2 * (N - 1) + 2 * N * (N - 1) * (2 * N - 1) / 3;
    static constexpr int NONE = -1;

    struct Pair {
        u8 from, to;  // rank * N + file
    };

    constexpr Lines() {
        for (u8& r : ray_) r = OFF;
        int next = 0;
        for (int from = 0; from < N * N; ++from)
            for (int d = 0; d < DIRECTIONS; ++d) next = number_ray(from, d, next);
    }

    // The number of a pair, NONE if no line joins the two squares.
    constexpr int number(int from, int files, int ranks) const {
        const u8 ray = ray_[slot(files, ranks)];
        return ray == OFF ? NONE : first_[from][ray / N] + ray % N;
    }
    constexpr Pair pair(int number) const { return pairs_[number]; }

  private:
    static constexpr u8 OFF = 255;
    static constexpr int WIDTH = 2 * N - 1;
    static constexpr int slot(int files, int ranks) {
        return (ranks + N - 1) * WIDTH + files + N - 1;
    }

    constexpr int number_ray(int from, int d, int next) {
        first_[from][d] = u16(next);
        int file = from % N, rank = from / N;
        for (int distance = 0;; ++distance, ++next) {
            file += FILE_STEP[d], rank += RANK_STEP[d];
            if (file < 0 || file >= N || rank < 0 || rank >= N) return next;
            pairs_[next] = {u8(from), u8(rank * N + file)};
            ray_[slot(FILE_STEP[d] * (distance + 1), RANK_STEP[d] * (distance + 1))] =
                u8(d * N + distance);
        }
    }

    u16 first_[N * N][DIRECTIONS]{};
    u8 ray_[WIDTH * WIDTH]{};  // direction * N + distance - 1
    Pair pairs_[PAIRS]{};
};

}  // namespace cotulenh::env
