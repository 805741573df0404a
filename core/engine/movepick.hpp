// The move picker: what paid before comes first.
#pragma once

#include "engine/history.hpp"

namespace cotulenh::engine {

// Gives out moves best first: hash move, takes (most valuable victim first), killers, counter-move,
// quiet moves by their history. Takes that lose material are put off until after the quiet moves.
template <Playable P>
class MovePicker {
  public:
    using Move = typename P::Move;
    using G = Game<P>;
    enum : int {
        HASH_MOVE = 1 << 28,
        GOOD_TAKE = 1 << 24,
        KILLER = 1 << 22,
        BAD_TAKE = -(1 << 24)
    };

    // What the order is made from.
    struct Hints {
        u32 hash_move = 0;
        bool commit_first = false;  // before other quiet moves
        Move killers[2]{}, counter_move{};
        const typename History<P>::Row* continuation[std::size(CONTINUATIONS)]{};
    };

    MovePicker(P& p, const MoveList<Move>& moves, History<P>& history, const Hints& hints)
        : p_(p), moves_(moves) {
        if (moves.size() > INLINE) {
            heap_ = std::make_unique<int[]>(std::size_t(moves.size()));
            scores_ = heap_.get();
        }
        for (int i = 0; i < moves.size(); ++i) scores_[i] = score(moves[i], history, hints);
    }

    // The next move; false at the end.
    bool next(Move& out) {
        while (at_ < moves_.size()) {
            const int best = unsorted_ ? at_ : first_best();
            const Move m = list()[best];
            const int s = scores_[best];
            // Whether a take pays is asked only when its turn has come.
            if (s >= TAKE_FLOOR && s < HASH_MOVE && G::may_lose(p_, m) && G::see(p_, m) < 0) {
                scores_[best] = s - GOOD_TAKE + BAD_TAKE;
                continue;
            }
            std::swap(list()[best], list()[at_]);
            std::swap(scores_[best], scores_[at_]);
            last_score_ = scores_[at_++];
            out = m;
            return true;
        }
        return false;
    }
    // What is left hardly matters: it comes as it was generated.
    void skip_sorting() { unsorted_ = true; }
    bool last_was_bad_take() const { return last_score_ < BAD_TAKE / 2; }
    int last_score() const { return last_score_; }

  private:
    static constexpr int INLINE = 256, TAKE_FLOOR = GOOD_TAKE / 2;

    // The greatest first, then where it is: two loops without guesses are faster than one with.
    int first_best() const {
        int most = scores_[at_];
        for (int i = at_ + 1; i < moves_.size(); ++i) most = std::max(most, scores_[i]);
        int i = at_;
        while (scores_[i] != most) ++i;
        return i;
    }

    Move* list() { return const_cast<Move*>(moves_.begin()); }

    int score(Move m, History<P>& history, const Hints& h) const {
        if (m.bits() == h.hash_move) return HASH_MOVE;
        const Side us = p_.turn();
        const int piece_to = G::piece_to(p_, m);
        if (G::is_take(p_, m))
            return GOOD_TAKE + 32 * G::victim_value(p_, m) - 16 * G::attacker_value(p_, m) +
                   history.capture[us][G::captured(p_, m)][piece_to] / 4;
        if (h.commit_first && G::is_commit(m)) return KILLER + 3;
        if (m == h.killers[0]) return KILLER + 2;
        if (m == h.killers[1]) return KILLER + 1;
        if (m == h.counter_move) return KILLER;
        int s = history.quiet[us][G::is_step(m)][piece_to];
        for (const auto* row : h.continuation)
            if (row) s += (*row)[piece_to];
        return s;
    }

    P& p_;
    const MoveList<Move>& moves_;
    int inline_[INLINE];
    std::unique_ptr<int[]> heap_;
    int* scores_ = inline_;
    int at_ = 0, last_score_ = 0;
    bool unsorted_ = false;
};

}  // namespace cotulenh::engine
