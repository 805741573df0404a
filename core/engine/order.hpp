// The order in which moves are tried: what paid before comes first.
#pragma once

#include <cstring>
#include <memory>

#include "engine/game.hpp"

namespace cotulenh::engine {

// A move is judged by what was played so many moves before it.
inline constexpr int FOLLOWED[] = {1, 2, 4};

// What one thread has learnt about moves. A place is a kind of piece and a target.
template <Playable P>
struct Lore {
    using Move = typename P::Move;
    static constexpr int PLACES = Game<P>::PLACES;
    using Worth = Gauge<16384>;
    using Row = Worth[PLACES];

    Row quiet[2][2];                // by side, step of a longer turn
    Row take[2][Game<P>::PREY];     // by side, what is taken
    Move answer[2][PLACES];         // the move that refuted this one
    std::unique_ptr<Row[]> follow;  // by the place of an earlier move

    Lore() : follow(new Row[PLACES + 1]) { clear(); }
    void clear() {
        std::memset(static_cast<void*>(quiet), 0, sizeof quiet);
        std::memset(static_cast<void*>(take), 0, sizeof take);
        std::memset(static_cast<void*>(answer), 0, sizeof answer);
        std::memset(static_cast<void*>(follow.get()), 0, sizeof(Row) * (PLACES + 1));
    }
    Row& after(int place) { return follow[place < 0 ? PLACES : place]; }
};

// Gives out moves best first. Takes that lose material are put off until after the quiet moves.
template <Playable P>
class Picker {
  public:
    using Move = typename P::Move;
    enum : int {
        FIRST_OF_ALL = 1 << 28,
        GOOD_TAKE = 1 << 24,
        KILLER = 1 << 22,
        BAD_TAKE = -(1 << 24)
    };

    // What the order is made from.
    struct Hints {
        u32 table = 0;
        Move killers[2]{}, answer{};
        const typename Lore<P>::Row* after[std::size(FOLLOWED)]{};
    };

    Picker(P& p, const MoveList<Move>& moves, Lore<P>& lore, const Hints& hints)
        : p_(p), moves_(moves) {
        if (moves.size() > INLINE) {
            heap_ = std::make_unique<int[]>(std::size_t(moves.size()));
            scores_ = heap_.get();
        }
        for (int i = 0; i < moves.size(); ++i) scores_[i] = score(moves[i], lore, hints);
    }

    // The next move and whether it counts as a losing take; false at the end.
    bool next(Move& out) {
        while (at_ < moves_.size()) {
            const int best = hurried_ ? at_ : first_best();
            const Move m = list()[best];
            const int s = scores_[best];
            // Whether a take pays is asked only when its turn has come.
            if (s >= TAKE_FLOOR && s < FIRST_OF_ALL && Game<P>::may_lose(p_, m) &&
                Game<P>::exchange_value(p_, m) < 0) {
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
    void hurry() { hurried_ = true; }
    bool last_was_bad_take() const { return last_score_ < BAD_TAKE / 2; }
    int last_score() const { return last_score_; }

  private:
    static constexpr int INLINE = 256, TAKE_FLOOR = GOOD_TAKE / 2;

    // The greatest first, then its place: two loops without guesses are faster than one with.
    int first_best() const {
        int most = scores_[at_];
        for (int i = at_ + 1; i < moves_.size(); ++i) most = std::max(most, scores_[i]);
        int i = at_;
        while (scores_[i] != most) ++i;
        return i;
    }

    Move* list() { return const_cast<Move*>(moves_.begin()); }

    int score(Move m, Lore<P>& lore, const Hints& h) const {
        if (m.bits() == h.table) return FIRST_OF_ALL;
        const Side us = p_.turn();
        const int place = Game<P>::place(p_, m);
        if (Game<P>::is_take(p_, m))
            return GOOD_TAKE + 32 * Game<P>::victim(p_, m) - 16 * Game<P>::taker(p_, m) +
                   lore.take[us][Game<P>::prey(p_, m)][place] / 4;
        if (m == h.killers[0]) return KILLER + 2;
        if (m == h.killers[1]) return KILLER + 1;
        if (m == h.answer) return KILLER;
        int s = lore.quiet[us][Game<P>::is_step(m)][place];
        for (const auto* row : h.after)
            if (row) s += (*row)[place];
        return s;
    }

    P& p_;
    const MoveList<Move>& moves_;
    int inline_[INLINE];
    std::unique_ptr<int[]> heap_;
    int* scores_ = inline_;
    int at_ = 0, last_score_ = 0;
    bool hurried_ = false;
};

}  // namespace cotulenh::engine
