// Correction history: what the evaluation gets wrong, learnt while searching. Where the pieces of a
// side stand the same way again, or the same two moves were played last, it errs the same way.
#pragma once

#include "engine/history.hpp"
#include "engine/parameters.hpp"

namespace cotulenh::engine {

template <Playable P>
class CorrectionHistory {
  public:
    // The last two moves (piece-to), the last one first; negative if there was none.
    struct LastMoves {
        int last = -1, before = -1;
    };

    void clear() { entries_ = std::make_unique<Entries>(); }

    // What to add to the evaluation of a position.
    Score of(const P& p, LastMoves moves, const Parameters& parameters) const {
        int sum = 0;
        each(p, moves, [&](const Entry& entry) { sum += entry; });
        return sum * parameters.correction_max / Entry::LIMIT;
    }

    void prefetch(const P& p, LastMoves moves) const {
#if defined(__GNUC__)
        each(p, moves, [](const Entry& entry) { __builtin_prefetch(&entry); });
#else
        (void)p, (void)moves;
#endif
    }

    // A search of this depth found the position worth so much more than the evaluation said.
    void update(const P& p, LastMoves moves, Score more, int depth, const Parameters& parameters) {
        const int bonus = std::clamp(more * depth / parameters.correction_slowness,
                                     -Entry::LIMIT / 4, Entry::LIMIT / 4);
        each(p, moves, [&](Entry& entry) { entry.update(bonus); });
    }

  private:
    static constexpr int KEY_BITS = 14, PIECE_TO = Game<P>::PIECE_TO;
    using Entry = HistoryEntry<1024>;
    struct Entries {
        Entry pieces[2][2][1 << KEY_BITS];  // by the side to move and the side they belong to
        Entry moves[PIECE_TO][PIECE_TO];    // by the last two
    };

    template <class Visit>
    void each(const P& p, LastMoves moves, Visit&& visit) const {
        for (const Side side : {Side(0), Side(1)})
            visit(
                entries_->pieces[p.turn()][side][Game<P>::pieces_key(p, side) >> (64 - KEY_BITS)]);
        if (moves.last >= 0 && moves.before >= 0) visit(entries_->moves[moves.before][moves.last]);
    }

    std::unique_ptr<Entries> entries_ = std::make_unique<Entries>();
};

}  // namespace cotulenh::engine
