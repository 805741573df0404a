// When to stop: the limit of a search and how a clock is shared out among the moves of a game.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "engine/score.hpp"

namespace cotulenh::engine {

using Clock = std::chrono::steady_clock;

// Several may be given: the first one reached counts.
struct Limit {
    double time = -1;  // seconds for this move; negative: none
    int depth = 0;     // 0: none, as for the others
    u64 nodes = 0;
    int mate = 0;
    bool infinite = false;
    std::optional<std::array<double, 2>> times;  // what the clocks of both sides show
    std::array<double, 2> increments{0, 0};
    int moves_to_go = 0;
};

// Seconds after which no new iteration begins, and after which the search breaks off.
struct Budget {
    double soft = 1e9, hard = 1e9;
};

inline Budget budget_of(const Limit& limit, Side us, bool mid_turn) {
    constexpr double LAG = 0.010, FEWEST = 0.001;  // what the way to the clock may cost
    Budget b;
    if (limit.times) {
        const double inc = limit.increments[us];
        const double left = std::max((*limit.times)[us] - 3 * LAG, FEWEST);
        // Without a number of moves, as if about this many were still to come.
        const double moves = limit.moves_to_go ? std::min(limit.moves_to_go, 40) : 32;
        const double share = left / moves + 0.8 * inc;
        const double most = limit.moves_to_go == 1 ? 0.9 : 0.5;
        b.soft = std::min(share * 0.75, left * most);
        b.hard = std::min(share * 3.0, left * most);
        // The later steps of a deployment have few moves to choose from.
        if (mid_turn) b.soft /= 3, b.hard /= 2;
    }
    if (limit.time >= 0) {
        const double time = std::max(limit.time - std::min(LAG / 10, limit.time / 20), FEWEST);
        b.soft = std::min(b.soft, time), b.hard = std::min(b.hard, time);
    }
    return b;
}

}  // namespace cotulenh::engine
