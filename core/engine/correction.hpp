// What the evaluation gets wrong, learnt while searching: where the pieces of a side stand the same
// way again, or the same two moves were played last, it errs the same way again.
#pragma once

#include <memory>

#include "engine/game.hpp"

namespace cotulenh::engine {

template <Playable P>
class Correction {
  public:
    // The places of the last two moves, the last one first; negative if there was none.
    struct Trail {
        int last = -1, before = -1;
    };

    void clear() { errors_ = std::make_unique<Errors>(); }

    // What to add to the evaluation of a position.
    Score of(const P& p, Trail trail) const {
        int sum = 0;
        each(p, trail, [&](const Error& error) { sum += error; });
        return sum * MOST / Error::LIMIT;
    }

    // A search of this depth found the position worth so much more than the evaluation said.
    void learn(const P& p, Trail trail, Score more, int depth) {
        const int lesson = std::clamp(more * depth / 8, -Error::LIMIT / 4, Error::LIMIT / 4);
        each(p, trail, [&](Error& error) { error.update(lesson); });
    }

  private:
    static constexpr int ROW_BITS = 14, PLACES = Game<P>::PLACES;
    static constexpr Score MOST = 80;  // centipawns that one error can stand for
    using Error = Gauge<1024>;
    struct Errors {
        Error pieces[2][2][1 << ROW_BITS];  // by the side to move and the side they belong to
        Error moves[PLACES][PLACES];        // by the last two
    };

    template <class Visit>
    void each(const P& p, Trail trail, Visit&& visit) const {
        for (const Side side : {Side(0), Side(1)})
            visit(errors_->pieces[p.turn()][side][Game<P>::shape(p, side) >> (64 - ROW_BITS)]);
        if (trail.last >= 0 && trail.before >= 0) visit(errors_->moves[trail.before][trail.last]);
    }

    std::unique_ptr<Errors> errors_ = std::make_unique<Errors>();
};

}  // namespace cotulenh::engine
