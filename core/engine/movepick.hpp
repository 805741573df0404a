// The move picker: what paid before comes first.
#pragma once

#include "engine/history.hpp"
#include "engine/simd.hpp"

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
        bool commit_first = false;      // before other quiet moves
        typename G::Threats threats{};  // what the opponent attacks
        Move killers[2]{}, counter_move{};
        const typename History<P>::Row* continuation[std::size(CONTINUATIONS)];
        Hints() {
            std::fill(std::begin(continuation), std::end(continuation), &History<P>::NOTHING);
        }
    };

    // Which moves to give out. STAGED: all of them, but the hash move before any is generated, and
    // takes before quiet moves are: many nodes need no more.
    enum class Mode : u8 { ALL, TAKES, STAGED };

    MovePicker(P& p, History<P>& history, const Hints& hints, Mode mode)
        : p_(p), history_(history), hints_(hints) {
        if (mode == Mode::STAGED) {
            stage_ = hints.hash_move && p.is_legal(Move::from_bits(hints.hash_move))
                         ? Stage::HASH_MOVE
                         : Stage::TAKES;
            if (stage_ == Stage::TAKES) hints_.hash_move = 0;
        } else {
            mode == Mode::TAKES ? G::takes(p, moves_) : p.legal_moves(moves_);
            score_from(0);
        }
    }

    // The next move; false at the end.
    bool next(Move& out) {
        if (stage_ == Stage::HASH_MOVE) {
            stage_ = Stage::TAKES;
            last_score_ = HASH_MOVE;
            out = Move::from_bits(hints_.hash_move);
            return true;
        }
        if (stage_ == Stage::TAKES) generate(Stage::GOOD_TAKES);
        while (at_ < moves_.size() || stage_ == Stage::GOOD_TAKES) {
            if (at_ == moves_.size()) {
                generate(Stage::ALL);
                continue;
            }
            const int best = unsorted_ ? at_ : first_best();
            const Move m = moves_[best];
            const int s = scores_[best];
            // Whether a take pays is asked only when its turn has come.
            if (s >= TAKE_FLOOR && s < HASH_MOVE && G::may_lose(p_, m) && G::see(p_, m) < 0) {
                scores_[best] = s - GOOD_TAKE + BAD_TAKE;
                continue;
            }
            if (stage_ == Stage::GOOD_TAKES && s < TAKE_FLOOR) {  // losing takes alone are left
                generate(Stage::ALL);
                continue;
            }
            std::swap(moves_[best], moves_[at_]);
            std::swap(scores_[best], scores_[at_]);
            last_score_ = scores_[at_++];
            out = m;
            return true;
        }
        return false;
    }
    const MoveList<Move>& generated() const { return moves_; }
    // What is left hardly matters: it comes as it was generated.
    void skip_sorting() { unsorted_ = true; }
    // Of what is left, passes over quiet moves that cannot give check, up to any other move or
    // `stop`. How many they were.
    int pass_over_quiets(Move stop) {
        const int from = at_;
        while (at_ < moves_.size() && scores_[at_] > BAD_TAKE / 2 && !(moves_[at_] == stop) &&
               !G::is_take(p_, moves_[at_]) && !G::is_commit(moves_[at_]) &&
               !G::may_check(p_, moves_[at_]))
            ++at_;
        return at_ - from;
    }
    bool last_was_bad_take() const { return last_score_ < BAD_TAKE / 2; }
    int last_score() const { return last_score_; }
    // Whether a move that was given out is legal must still be asked.
    bool is_doubtful(Move m) const { return G::is_doubtful(m, doubts_); }

  private:
    static constexpr int INLINE = 256, TAKE_FLOOR = GOOD_TAKE / 2;
    enum class Stage : u8 { HASH_MOVE, TAKES, GOOD_TAKES, ALL };

    // Takes, or all others behind them; without the hash move, which has been given out.
    void generate(Stage stage) {
        stage_ = stage;
        const int from = moves_.size();
        stage == Stage::GOOD_TAKES ? G::takes(p_, moves_) : G::quiets(p_, moves_, doubts_);
        for (int i = from; hints_.hash_move && i < moves_.size(); ++i) {
            if (moves_[i].bits() != hints_.hash_move) continue;
            std::copy(moves_.begin() + i + 1, moves_.end(), moves_.begin() + i);
            moves_.shrink(moves_.size() - 1);
        }
        score_from(from);
    }

    void score_from(int from) {
        if (moves_.size() > INLINE) {
            auto wider = std::make_unique<int[]>(std::size_t(moves_.size()));
            std::copy(scores_, scores_ + from, wider.get());
            heap_ = std::move(wider);
            scores_ = heap_.get();
        }
        for (int i = from; i < moves_.size(); ++i) scores_[i] = score(moves_[i]);
    }

    int first_best() const { return at_ + first_greatest(scores_ + at_, moves_.size() - at_); }

    int score(Move m) const {
        const Hints& h = hints_;
        if (m.bits() == h.hash_move) return HASH_MOVE;
        const Side us = p_.turn();
        const int piece_to = G::piece_to(p_, m);
        if (G::is_take(p_, m))
            return GOOD_TAKE + 32 * G::victim_value(p_, m) - 16 * G::attacker_value(p_, m) +
                   history_.capture[us][G::captured(p_, m)][piece_to] / 4;
        if (h.commit_first && G::is_commit(m)) return KILLER + 3;
        if (m == h.killers[0]) return KILLER + 2;
        if (m == h.killers[1]) return KILLER + 1;
        if (m == h.counter_move) return KILLER;
        int s = history_.quiet_of(us, m, h.threats, piece_to);
        for (const auto* row : h.continuation) s += (*row)[piece_to];
        return s;
    }

    P& p_;
    History<P>& history_;
    Hints hints_;
    Stage stage_ = Stage::ALL;
    MoveList<Move> moves_;
    [[no_unique_address]] typename G::Doubts doubts_{};
    int inline_[INLINE];
    std::unique_ptr<int[]> heap_;
    int* scores_ = inline_;
    int at_ = 0, last_score_ = 0;
    bool unsorted_ = false;
};

}  // namespace cotulenh::engine
