// Evaluation as a weighted sum of counts, so that the weights can be fitted to the results of
// games.
//
// Every weight is a pair: for the full board and for the bare one; the position's phase blends
// them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "engine/score.hpp"

namespace cotulenh::engine {

// Two scores in one integer: sums of both are one addition.
using Pair = int;
constexpr Pair pair(int full, int bare) { return Pair(u32(bare) << 16) + full; }
constexpr int full_of(Pair p) { return std::int16_t(u16(u32(p))); }
constexpr int bare_of(Pair p) { return std::int16_t(u16(u32(p + 0x8000) >> 16)); }

// A run of weights that belong together, for people and for the tuner.
struct TermGroup {
    std::string_view name;
    int first, count;
};

template <int N>
struct Weights {
    std::array<Pair, N> of{};
    Pair operator[](int i) const { return of[std::size_t(i)]; }
    bool operator==(const Weights&) const = default;
};

inline constexpr int FULL_PHASE = 256;
constexpr Score blend(Pair p, int phase) {
    return (full_of(p) * phase + bare_of(p) * (FULL_PHASE - phase)) / FULL_PHASE;
}

// Collects one side's counts: the sum alone in a search, every count when tracing.
template <int N, bool Traced>
class Tally {
  public:
    explicit Tally(const Weights<N>& weights) : weights_(weights) {}

    void add(int term, int n = 1) {
        sum_ += weights_[term] * n;
        if constexpr (Traced)
            counts_[std::size_t(term)] = std::int16_t(counts_[std::size_t(term)] + n);
    }
    // What is known to be worth so much already; not when every count is wanted.
    void add_sum(Pair worth)
        requires(!Traced)
    {
        sum_ += worth;
    }
    Pair sum() const { return sum_; }
    const auto& counts() const { return counts_; }

  private:
    struct Nothing {};
    const Weights<N>& weights_;
    Pair sum_ = 0;
    std::conditional_t<Traced, std::array<std::int16_t, N>, Nothing> counts_{};
};

// What the tuner sees of a position: counts of the first side minus those of the second.
struct Trace {
    std::vector<std::int16_t> counts;  // sparse form is made by the caller
    int phase = 0;
};

}  // namespace cotulenh::engine
