// Nanoseconds per blocked lookup: stepping, ray scan, magic. Run it with bench/attacks.
//
// Each round times every method once, so that a busy machine disturbs them alike; the smallest
// round counts. All methods must agree on every sample, or the exit status is 1.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "board/window.hpp"

using namespace cotulenh;

namespace {

constexpr int FILES = 11, RANKS = 12, ROUNDS = 31, SAMPLES = 4096;

struct Case {
    const char* name;
    int orthogonal, diagonal;
};
constexpr Case CASES[] = {{"4 directions, range 2", 2, 0},
                          {"8 directions, range 3", 3, 3},
                          {"8 directions, range 4", 4, 4},
                          {"8 directions, range 5", 5, 5},
                          {"4 directions, unlimited", 12, 0}};

struct Sample {
    Padded occupied;
    Square square;
};

std::vector<Sample> samples(const Rays<WideGrid>& rays) {
    std::mt19937_64 random(1);
    std::vector<Square> squares;
    rays.board().each([&](Square s) { squares.push_back(s); });
    std::vector<Sample> out;
    for (int i = 0; i < SAMPLES; ++i) {
        WideSet occupied;
        for (int pieces = 8 + int(random() % 31); pieces > 0; --pieces)
            occupied.add(squares[random() % squares.size()]);
        out.push_back({Padded(occupied), squares[random() % squares.size()]});
    }
    return out;
}

// The tables each method may use, for one case.
struct Setting {
    const Rays<WideGrid>& rays;
    Case piece;
    std::vector<WideSet> reach, ranged[DIRECTIONS];

    Setting(const Rays<WideGrid>& given, Case c) : rays(given), piece(c), reach(WideGrid::size) {
        for (int d = 0; d < DIRECTIONS; ++d) {
            ranged[d].resize(WideGrid::size);
            rays.board().each([&](Square s) {
                ranged[d][s] = rays.ranged(d, s, range(d));
                reach[s] |= ranged[d][s];
            });
        }
    }
    int range(int direction) const {
        return is_diagonal(direction) ? piece.diagonal : piece.orthogonal;
    }
};

WideSet by_stepping(const Setting& t, const Sample& at) {
    WideSet out;
    for (int d = 0; d < DIRECTIONS; ++d) {
        int file = WideGrid::file_of(at.square), rank = WideGrid::rank_of(at.square);
        for (int k = 0; k < t.range(d); ++k) {
            file += FILE_STEP[d];
            rank += RANK_STEP[d];
            if (file < 0 || file >= FILES || rank < 0 || rank >= RANKS) break;
            const Square s = WideGrid::at(file, rank);
            out.add(s);
            if (at.occupied.set.has(s)) break;
        }
    }
    return out;
}

WideSet by_ray_scan(const Setting& t, const Sample& at) {
    WideSet out;
    for (int d = 0; d < DIRECTIONS; ++d) {
        if (!t.range(d)) continue;
        WideSet ray = t.ranged[d][at.square];
        const Square stop = t.rays.nearest(d, at.square, at.occupied.set & ray);
        if (stop != NO_SQUARE) ray -= t.rays.ray(d, stop);
        out |= ray;
    }
    return out;
}

WideSet by_magic(const Setting& t, const Sample& at) {
    const int far = std::max(t.piece.orthogonal, t.piece.diagonal);
    const WideSet seen = far <= FARTHEST_WINDOW ? visible_near(at.occupied, at.square, far)
                         : t.piece.diagonal     ? visible_far(at.occupied, at.square)
                                                : visible_orthogonal(at.occupied, at.square);
    return seen & t.reach[at.square];
}

template <class Method>
double nanoseconds(const Setting& t, const std::vector<Sample>& all, Method method, u64& sum) {
    const auto start = std::chrono::steady_clock::now();
    for (const Sample& at : all) {
        const WideSet found = method(t, at);
        sum += found.w[0] ^ found.w[1] ^ found.w[2];
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    return spent.count() / double(all.size());
}

}  // namespace

int main() {
    static const Rays<WideGrid> rays(FILES, RANKS);
    const std::vector<Sample> all = samples(rays);
    bool agree = true;
    u64 sum = 0;  // printed, so that no work is left out
    std::printf("ns per lookup, the best of %d rounds\n", ROUNDS);
    std::printf("%-26s%10s%10s%10s%18s\n", "", "stepping", "ray scan", "magic", "stepping/magic");
    for (const Case& piece : CASES) {
        const Setting t(rays, piece);
        for (const Sample& at : all) {
            const WideSet found = by_stepping(t, at);
            agree &= found == by_ray_scan(t, at) && found == by_magic(t, at);
        }
        double best[3] = {1e9, 1e9, 1e9};
        for (int round = 0; round < ROUNDS; ++round) {
            best[0] = std::min(best[0], nanoseconds(t, all, by_stepping, sum));
            best[1] = std::min(best[1], nanoseconds(t, all, by_ray_scan, sum));
            best[2] = std::min(best[2], nanoseconds(t, all, by_magic, sum));
        }
        std::printf("%-26s%10.1f%10.1f%10.1f%18.1f\n", piece.name, best[0], best[1], best[2],
                    best[0] / best[2]);
    }
    std::printf("tables of the magics: %zu KiB; checksum %llx\n", WINDOWS.bytes() / 1024,
                static_cast<unsigned long long>(sum));
    if (!agree || !WINDOWS.exact) std::printf("THE METHODS DISAGREE\n");
    return agree && WINDOWS.exact ? 0 : 1;
}
