// Evaluations of positions met lately. The transposition table keeps them only of nodes that were
// searched: those that were pruned or stood pat come again too.
#pragma once

#include <memory>

#include "engine/score.hpp"

namespace cotulenh::engine {

class EvalCache {
  public:
    void clear() { std::fill_n(entries_.get(), SIZE, 0); }

    void prefetch(u64 key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&entries_[key % SIZE]);
#endif
    }

    // The evaluation of a position, by asking for it if it is not known.
    template <class Evaluate>
    Score of(u64 key, Evaluate&& evaluate) {
        u64& entry = entries_[key % SIZE];
        if (!((entry ^ key) & KEY_BITS)) return Score(std::int16_t(entry));
        const Score score = evaluate();
        entry = (key & KEY_BITS) | std::uint16_t(score);
        return score;
    }

  private:
    // The low bits of the key choose the entry anyway: the score lives there.
    static constexpr std::size_t SIZE = std::size_t(1) << 16;
    static constexpr u64 KEY_BITS = ~u64(0xFFFF);
    std::unique_ptr<u64[]> entries_ = std::make_unique<u64[]>(SIZE);
};

}  // namespace cotulenh::engine
