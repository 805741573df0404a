// The search: one template for both games, read from step 1 to step 17.
//
// A turn may last several moves of one side, so a child's score is negated only if the side to move
// has changed. Depth counts single moves; mates count turns.
#pragma once

#include <cmath>
#include <functional>

#include "engine/correction.hpp"
#include "engine/limits.hpp"
#include "engine/order.hpp"
#include "engine/table.hpp"

namespace cotulenh::engine {

// Parts that can be switched off: tests compare what is left with plain minimax, and measurements
// the search with and without one of them. Beside each: its worth in Elo, from 200 games of chess
// at 5000 nodes a move against the engine without it (November 2026; the error is about 40).
enum Feature : u32 {
    HASH = 1 << 0,                 // +217
    QUIESCENCE = 1 << 1,           // +541
    NULL_MOVE = 1 << 2,            // +2
    REDUCTIONS = 1 << 3,           // +24
    REVERSE_FUTILITY = 1 << 4,     // +35
    FUTILITY = 1 << 5,             // -10
    LATE_MOVES = 1 << 6,           // +98
    EXCHANGES = 1 << 7,            // +26
    CHECK_EXTENSION = 1 << 8,      // -19
    SINGULAR = 1 << 9,             // +24
    ASPIRATION = 1 << 10,          // +67
    INTERNAL_REDUCTION = 1 << 11,  // +17
    KILLERS = 1 << 12,             // +61
    HISTORY = 1 << 13,             // +3
    FOLLOW_UPS = 1 << 14,          // -7
    STEPS_LATE = 1 << 15,          // 0 in 280 games of Cờ Tư Lệnh: deployments are reduced more
    RAZORING = 1 << 16,            // +31
    NETWORK = 1 << 17,             // +175 at 8000 nodes (the third one): of the evaluation of chess
    CORRECTION = 1 << 18,          // +26 in 600 games at 8000 nodes: of the evaluation, by searches
    EVERYTHING = (1 << 19) - 1,
    GUESSES = NULL_MOVE | REVERSE_FUTILITY | FUTILITY | LATE_MOVES | EXCHANGES | RAZORING,
};
// In the order of their bits.
inline constexpr std::string_view FEATURE_NAMES[] = {
    "hash",       "quiescence",         "null_move", "reductions",      "reverse_futility",
    "futility",   "late_moves",         "exchanges", "check_extension", "singular",
    "aspiration", "internal_reduction", "killers",   "history",         "follow_ups",
    "steps_late", "razoring",           "network",   "correction"};
static_assert((1 << std::size(FEATURE_NAMES)) - 1 == EVERYTHING);

// What a worker found so far, told to whoever asked for the search.
struct Thought {
    int depth = 0, seldepth = 0, multipv = 1;
    Score score = 0;
    Bound bound = EXACT;
    u64 nodes = 0;
    double time = 0;
    int hashfull = 0;
    std::vector<u32> pv;
};

// What all workers of one search share.
template <Playable P>
struct Shared {
    Table* table = nullptr;
    const typename Game<P>::Weights* weights = &Game<P>::weights();
    u32 features = EVERYTHING;
    Limits limits;
    Budget budget;
    int multipv = 1;
    std::atomic<Clock::rep> began{0};  // set anew by a ponderhit
    std::atomic<bool> stop{false}, pondering{false};
    std::function<u64()> total_nodes;
    std::function<void(const Thought&)> report;

    double elapsed() const {
        return std::chrono::duration<double>(Clock::now().time_since_epoch() -
                                             Clock::duration(began.load(std::memory_order_relaxed)))
            .count();
    }
};

template <Playable P>
class Worker {
  public:
    using G = Game<P>;
    using Move = typename P::Move;

    struct RootMove {
        Move move{};
        Score score = -INFINITE, before = -INFINITE;
        int seldepth = 0;
        std::vector<u32> pv;
    };

    Worker() : frames_(std::make_unique<Frame[]>(MOST_PLIES + 8)) {}

    void forget() { lore_.clear(), correction_.clear(); }

    // `keys`: of the positions at the start of each turn of the game, the root's included if it is
    // one.
    void set_up(const P& root, std::vector<u64> keys, const std::vector<Move>& moves,
                Shared<P>& shared, int number) {
        position_.emplace(root);
        keys_ = std::move(keys);
        keys_.reserve(keys_.size() + MOST_PLIES + 8);
        root_key_ = keys_.size() - !G::mid_turn(root);
        shared_ = &shared;
        number_ = number;
        nodes_.store(0, std::memory_order_relaxed);
        root_moves_.clear();
        for (const Move m : moves) root_moves_.push_back({m, -INFINITE, -INFINITE, 0, {m.bits()}});
        completed_ = 0;
        memory_.clear();
    }

    u64 nodes() const { return nodes_.load(std::memory_order_relaxed); }
    const std::vector<RootMove>& root_moves() const { return root_moves_; }
    int completed() const { return completed_; }
    Score score() const { return root_moves_[0].score; }
    void tell_best() const { tell(completed_, 0, EXACT); }

    void think();  // iterative deepening until something says stop

  private:
    struct Line {
        int size = 0;
        Move moves[MOST_PLIES + 8];
        void set(Move m, const Line& rest) {
            moves[0] = m;
            std::copy(rest.moves, rest.moves + rest.size, moves + 1);
            size = rest.size + 1;
        }
    };
    struct Frame {
        Move move{}, excluded{}, killers[2]{};
        int place = -1;      // of the move that is being tried here,
        bool quiet = false;  // and whether it takes nothing
        int reduced = 0;     // the plies it lost
        Score eval = NO_SCORE;
        bool in_check = false;
        int cuts = 0;  // how often a node here failed high since its grandparent was entered
        Line line;
    };

    bool on(Feature f) const { return shared_->features & f; }
    Frame& frame(int ply) { return frames_[ply + 4]; }  // guards before the root
    bool stopped() const { return shared_->stop.load(std::memory_order_relaxed); }
    // What the position is worth by itself, and as experience says.
    Score evaluate() { return G::evaluate(*position_, *shared_->weights, memory_, on(NETWORK)); }
    Score corrected(Score raw, int ply) {
        return on(CORRECTION) ? raw + correction_.of(*position_, trail(ply)) : raw;
    }
    typename Correction<P>::Trail trail(int ply) {
        return {frame(ply - 1).place, frame(ply - 2).place};
    }

    void count_node();
    bool is_draw() const;
    bool is_repetition() const;

    // A move made on the worker's position for as long as this lives.
    class Made {
      public:
        Made(Worker& w, Move m, int ply) : w_(w), m_(m), us_(w.position_->turn()) {
            Frame& f = w.frame(ply);
            f.move = m;
            f.place = G::place(*w.position_, m);
            w.position_->make(m, undo_);
            starts_turn_ = !G::mid_turn(*w.position_);
            if (starts_turn_) w.keys_.push_back(w.position_->key());
            w.shared_->table->prefetch(w.position_->key());
            w.frame(ply + 1).in_check = starts_turn_ && w.position_->in_check();
        }
        ~Made() {
            if (starts_turn_) w_.keys_.pop_back();
            w_.position_->unmake(m_, undo_);
        }
        bool same_side() const { return w_.position_->turn() == us_; }

      private:
        Worker& w_;
        const Move m_;
        const Side us_;
        bool starts_turn_;
        typename P::Undo undo_;
    };

    // The score of the position below a move, seen from the side that made it.
    Score below(const Made& made, Score alpha, Score beta, int depth, int ply, int turns,
                bool cut) {
        if (made.same_side()) return search(alpha, beta, depth, ply + 1, turns, cut);
        return -search(-beta, -alpha, depth, ply + 1, turns + 1, cut);
    }

    Score search(Score alpha, Score beta, int depth, int ply, int turns, bool cut);
    Score quiet_search(Score alpha, Score beta, int ply, int turns);
    Score search_root(Score alpha, Score beta, int depth, int line);
    Score aspire(int depth, int line);
    void tell(int depth, int line, Bound bound) const;
    bool enough(int depth);
    typename Picker<P>::Hints hints(int ply, u32 table_move);
    void reward(Move best, bool take, int depth, int ply, const Move* tried, int n,
                const Move* takes, int taken);
    void learn(Side side, bool step, int place, int ply, int amount);
    static int worth(int depth) { return std::min(230 * depth, 1600); }  // of a lesson
    static int reduction(int depth, int n, int more = 0);

    std::optional<P> position_;
    std::vector<u64> keys_;
    std::size_t root_key_ = 0;
    Shared<P>* shared_ = nullptr;
    int number_ = 0;
    std::atomic<u64> nodes_{0};
    std::vector<RootMove> root_moves_;
    Lore<P> lore_;
    typename G::Memory memory_;  // of the evaluation
    Correction<P> correction_;
    std::unique_ptr<Frame[]> frames_;
    int root_depth_ = 0, seldepth_ = 0, completed_ = 0;
    int stable_ = 0;  // iterations since the best move changed
};

template <Playable P>
void Worker<P>::count_node() {
    const u64 n = nodes() + 1;
    nodes_.store(n, std::memory_order_relaxed);
    if (number_ != 0) return;
    const Limits& limits = shared_->limits;
    const bool all = (n & 1023) == 0;
    if (limits.nodes && (n >= limits.nodes || (all && shared_->total_nodes() >= limits.nodes)) &&
        !shared_->pondering)
        shared_->stop = true;
    if (all && !shared_->pondering && !limits.infinite && shared_->elapsed() > shared_->budget.hard)
        shared_->stop = true;
}

// Within the search one repetition is enough; of earlier positions it takes three in all.
template <Playable P>
bool Worker<P>::is_repetition() const {
    const std::size_t last = keys_.size() - 1;
    const std::size_t reach = std::min<std::size_t>(G::clock(*position_), last);
    int times = 1;
    for (std::size_t back = 4; back <= reach; back += 2) {  // the same side moves every other turn
        if (keys_[last - back] != keys_[last]) continue;
        if (last - back >= root_key_ || ++times == 3) return true;
    }
    return false;
}

template <Playable P>
bool Worker<P>::is_draw() const {
    return is_repetition() || G::clock(*position_) >= G::DRAWN_AFTER;
}

// Plies that the n-th move loses; `more` in hundredths of a ply.
template <Playable P>
int Worker<P>::reduction(int depth, int n, int more) {
    static const auto table = [] {
        std::array<std::array<short, 64>, 64> t{};
        for (int d = 1; d < 64; ++d)
            for (int i = 1; i < 64; ++i)
                t[std::size_t(d)][std::size_t(i)] = short(60 + 44 * std::log(d) * std::log(i));
        return t;
    }();
    return (table[std::size_t(std::min(depth, 63))][std::size_t(std::min(n, 63))] + more) / 100;
}

template <Playable P>
typename Picker<P>::Hints Worker<P>::hints(int ply, u32 table_move) {
    typename Picker<P>::Hints h;
    h.table = table_move;
    if (on(KILLERS)) {
        const Frame& here = frame(ply);
        h.killers[0] = here.killers[0], h.killers[1] = here.killers[1];
        if (const int before = frame(ply - 1).place; before >= 0)
            h.answer = lore_.answer[position_->turn()][before];
    }
    if (on(FOLLOW_UPS))
        for (std::size_t i = 0; i < std::size(FOLLOWED); ++i)
            if (const int before = frame(ply - FOLLOWED[i]).place; before >= 0)
                h.after[i] = &lore_.after(before);
    return h;
}

// How good a quiet move made at this ply turned out to be.
template <Playable P>
void Worker<P>::learn(Side side, bool step, int place, int ply, int amount) {
    if (on(HISTORY)) lore_.quiet[side][step][place].update(amount);
    if (!on(FOLLOW_UPS)) return;
    for (const int back : FOLLOWED)
        if (const int before = frame(ply - back).place; before >= 0)
            lore_.after(before)[place].update(amount);
}

// The best move gains, those tried in vain lose.
template <Playable P>
void Worker<P>::reward(Move best, bool take, int depth, int ply, const Move* tried, int n,
                       const Move* takes, int taken) {
    const P& p = *position_;
    const Side us = p.turn();
    const int bonus = worth(depth), malus = bonus * 5 / 6;
    const auto quiet = [&](Move m, int amount) {
        learn(us, G::is_step(m), G::place(p, m), ply, amount);
    };
    const auto sharp = [&](Move m, int amount) {
        lore_.take[us][G::prey(p, m)][G::place(p, m)].update(amount);
    };
    if (take) {
        sharp(best, bonus);
    } else {
        Frame& f = frame(ply);
        if (!(f.killers[0] == best)) f.killers[1] = f.killers[0], f.killers[0] = best;
        if (frame(ply - 1).place >= 0) lore_.answer[us][frame(ply - 1).place] = best;
        quiet(best, bonus);
        for (int i = 0; i < n; ++i) quiet(tried[i], -malus);
    }
    for (int i = 0; i < taken; ++i) sharp(takes[i], -bonus);
}

template <Playable P>
Score Worker<P>::search(Score alpha, Score beta, int depth, int ply, int turns, bool cut) {
    P& p = *position_;
    Frame& here = frame(ply);
    const bool pv = beta - alpha > 1;
    const bool mid_turn = G::mid_turn(p), in_check = here.in_check;
    const Score first_alpha = alpha;

    // 1. The horizon: takes alone are looked at from here on. On the principal variation an answer
    // to check costs no depth.
    if (in_check && pv && on(CHECK_EXTENSION) && ply < 2 * root_depth_) ++depth;
    if (depth <= 0) return quiet_search(alpha, beta, ply, turns);
    here.line.size = 0;
    count_node();
    if (stopped()) return 0;
    seldepth_ = std::max(seldepth_, ply);

    // 2. The game is over: Commander taken, objective lost, drawn by material.
    switch (G::ending(p)) {
        case Ending::LOST:
            return lost_in(turns);
        case Ending::WON:
            return won_in(turns);
        case Ending::DRAWN:
            return 0;
        default:
            break;
    }

    // 3. Draws by repetition and clock; a mate on the board goes before them.
    if (!mid_turn && is_draw() && (!in_check || p.count_legal() > 0)) return 0;
    if (ply >= MOST_PLIES - 2) return evaluate();

    // 4. Mate distance: a shorter mate is known already.
    alpha = std::max(alpha, lost_in(turns));
    beta = std::min(beta, won_in(turns));
    if (alpha >= beta) return alpha;

    // 5. Has the position been searched before, deeply enough? Without pruning only the very same
    // depth will do, so that the answer is that of minimax.
    const Move excluded = here.excluded;
    const bool singular_test = excluded.bits() != 0;
    const Found known = on(HASH) && !singular_test ? shared_->table->find(p.key()) : Found{};
    const Score known_score = known.hit ? from_table(known.score, turns) : NO_SCORE;
    const bool deep_enough = on(REDUCTIONS) ? known.depth >= depth : known.depth == depth;
    if (known.hit && !pv && deep_enough && G::clock(p) < G::DRAWN_AFTER - 10 &&
        (known.bound == EXACT || known.bound == (known_score >= beta ? LOWER : UPPER)))
        return known_score;

    const bool was_pv = pv || known.was_pv;  // worth more care

    // 6. What the position seems worth; the hash table may know better.
    Score raw = NO_SCORE, eval = NO_SCORE;
    if (!in_check) {
        raw = known.hit && known.eval != NO_SCORE ? known.eval : evaluate();
        here.eval = eval = corrected(raw, ply);
        if (known.hit && !is_mate(known_score) &&
            (known.bound == EXACT || known.bound == (known_score > eval ? LOWER : UPPER)))
            eval = known_score;
    } else {
        here.eval = NO_SCORE;
    }
    const Score earlier = frame(ply - 2).eval;
    const bool improving = !in_check && ply >= 2 && earlier != NO_SCORE && here.eval > earlier;
    const bool may_prune = !pv && !in_check && !mid_turn && !singular_test;
    frame(ply + 1).killers[0] = frame(ply + 1).killers[1] = Move{};
    frame(ply + 2).cuts = 0;
    here.reduced = 0;

    // 7. In hindsight: what did the opponent's move change? The order of moves learns from it, and
    // a reduced move gets a ply back if it did no harm, and loses another if it did much.
    const Frame& before = frame(ply - 1);
    if (!in_check && !mid_turn && !singular_test && before.place >= 0 && before.eval != NO_SCORE) {
        const Score gift = here.eval + before.eval;
        if (before.quiet && on(HISTORY))
            lore_.quiet[p.turn() ^ 1][G::is_step(before.move)][before.place].update(
                std::clamp(-8 * gift, -1000, 1000));
        if (before.reduced >= 3 && gift < 3)
            ++depth;
        else if (before.reduced && depth >= 2 && gift > 90)
            --depth;
    }

    // 8. Reverse futility: so far above beta that a quiet turn will not lose it all.
    if (may_prune && on(REVERSE_FUTILITY) && depth <= 8 && !was_pv && !is_mate(beta) &&
        !is_mate(eval) && eval - 70 * (depth - improving) >= beta)
        return eval - (eval - beta) / 3;

    // 9. Razoring: so far below alpha that only takes could help.
    if (may_prune && on(RAZORING) && depth <= 3 && eval + 260 * depth < alpha) {
        const Score score = quiet_search(alpha, alpha + 1, ply, turns);
        if (score <= alpha || stopped()) return score;
    }

    // 10. Null move: if even passing keeps us above beta, a real move will. Not in mid-turn, where
    // the same side moves on, nor where the right to pass would be worth something.
    if (may_prune && on(NULL_MOVE) && depth >= 3 && eval >= beta &&
        here.eval >= beta - 17 * depth && !is_mate(beta) && before.place >= 0 && G::may_pass(p)) {
        const int r = (365 + 27 * depth) / 100 + std::min((eval - beta) / 180, 4);
        typename P::Undo undo;
        here.move = Move{}, here.place = -1;
        p.make_null(undo);
        keys_.push_back(p.key());
        frame(ply + 1).in_check = false;
        const Score score = -search(-beta, -beta + 1, depth - r, ply + 1, turns + 1, !cut);
        keys_.pop_back();
        p.unmake_null(undo);
        if (stopped()) return 0;
        if (score >= beta) return is_mate(score) ? beta : score;
    }

    // 11. Nobody knows a good move here: look less deeply, and find one.
    if (on(INTERNAL_REDUCTION) && depth >= 4 && !known.move && !singular_test && (pv || cut))
        --depth;

    // 12. All legal moves, best first.
    MoveList<Move> moves;
    p.legal_moves(moves);
    if (moves.empty()) return singular_test ? alpha : in_check ? lost_in(turns) : 0;
    Picker<P> picker(p, moves, lore_, hints(ply, known.move));

    const int full_depth = depth;
    const bool table_takes = known.move && G::is_take(p, Move::from_bits(known.move));
    Score best = -INFINITE;
    Move best_move{}, tried[64], taken[32];
    int count = 0, quiets = 0, takes = 0;
    for (Move m; picker.next(m);) {
        if (m == excluded) continue;
        ++count;
        const bool take = G::is_take(p, m), step = G::is_step(m), commit = G::is_commit(m);
        const int order = picker.last_score();
        const bool quiet = !take && !commit;

        // 13. Moves that hardly matter at this depth are left out, once one is known not to lose.
        if (!pv && !mid_turn && best > -SURE && !in_check) {
            const int left = std::max(depth - reduction(depth, count), 0);
            if (quiet) {
                const int enough = (4 + depth * depth) / (improving ? 1 : 2);
                const bool late = on(LATE_MOVES) && depth <= 8 && count > enough + 1;
                if (late) picker.hurry();
                const bool hopeless =
                    late || (on(FUTILITY) && left <= 9 && eval + 80 + 65 * left <= alpha) ||
                    (on(HISTORY) && on(LATE_MOVES) && left <= 3 && order < -4000 * left - 2000) ||
                    (on(EXCHANGES) && left <= 6 &&
                     G::exchange_value(p, m) < -30 * left * left - 10);
                // Mates are often quiet moves: what may give check is looked at, if it is no gift.
                if (hopeless && (!G::may_check(p, m) || G::exchange_value(p, m) < -60 * depth))
                    continue;
            } else if (take && on(EXCHANGES) && depth <= 6 && picker.last_was_bad_take() &&
                       G::exchange_value(p, m) < -86 * depth) {
                continue;
            }
        }

        // 14. Extension: the only move that holds, by a search that leaves it out.
        int extension = 0;
        if (on(SINGULAR) && depth >= 5 && m.bits() == known.move && !singular_test && !mid_turn &&
            known.depth >= depth - 3 && (known.bound & LOWER) && !is_mate(known_score) &&
            ply < 2 * root_depth_) {
            const Score margin = known_score - 24 * depth / 10;
            here.excluded = m;
            const Score without = search(margin - 1, margin, (depth - 1) / 2, ply, turns, cut);
            here.excluded = Move{};
            if (stopped()) return 0;
            // Far below: two plies more. And if others hold as well, the move is nothing special.
            if (without < margin)
                extension = 1 + (!pv && without < margin - 26 && ply < root_depth_ + 6);
            else if (margin >= beta)
                return margin;
            else if (known_score >= beta)
                extension = -1;
        }

        Score score;
        {
            here.quiet = quiet;
            const Made made(*this, m, ply);
            // A commit only ends the turn: it costs no depth.
            const int next = depth - !commit + extension;

            // 15. Late moves get a shallow look first; a full one only if they surprise. Less
            // shallow on the principal variation, of now or of before, and for what paid elsewhere.
            bool full = count == 1;
            if (!full && on(REDUCTIONS) && depth >= 2 && count > 1 + pv &&
                (quiet || picker.last_was_bad_take())) {
                int more = 170 * cut - 200 * pv - 100 * was_pv + 105 * !improving;
                if (step && on(STEPS_LATE)) more += 100;
                if (frame(ply + 1).in_check) more -= 120;
                if (quiet) more -= std::clamp(order / 100, -200, 200);
                if (table_takes) more += 70;
                if (frame(ply + 1).cuts > 3) more += 50;
                const int r = reduction(depth, count, more);
                const int shallow = std::clamp(next - r, std::min(1, next), next);
                here.reduced = next - shallow;
                score = below(made, alpha, alpha + 1, shallow, ply, turns, true);
                here.reduced = 0;
                if (score > alpha && shallow < next) {
                    // Deeper than planned after a great surprise, less deep after a small one.
                    const int again = next - (score < best + 8) +
                                      (score > best + 45 + 2 * next && ply < 2 * root_depth_);
                    if (again > shallow)
                        score = below(made, alpha, alpha + 1, again, ply, turns, !cut);
                }
                full = score > alpha && pv;
            } else if (!full) {
                score = below(made, alpha, alpha + 1, next, ply, turns, !cut);
                full = score > alpha && pv;
            }
            if (full) score = below(made, alpha, beta, next, ply, turns, !pv && !cut);
        }
        if (stopped()) return 0;

        // 16. Better than what was known?
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = m;
                here.line.set(m, frame(ply + 1).line);
                alpha = score;
                if (alpha >= beta) {
                    ++here.cuts;
                    break;
                }
                // One good move is known: the others have to beat it at less depth.
                if (on(REDUCTIONS) && depth > 2 && depth < 12 && !is_mate(score)) --depth;
            }
        }
        if (!(m == best_move)) {
            if (take && takes < 32) taken[takes++] = m;
            if (quiet && quiets < 64) tried[quiets++] = m;
        }
    }
    if (count == 0) return alpha;  // only the excluded move was legal

    // 17. Remember what was found.
    // If no move was good enough, the one before, which allowed none, was a good one.
    if (best_move.bits())
        reward(best_move, G::is_take(p, best_move), full_depth, ply, tried, quiets, taken, takes);
    else if (before.quiet && before.place >= 0 && !mid_turn && !singular_test)
        learn(Side(p.turn() ^ 1), G::is_step(before.move), before.place, ply - 1,
              worth(depth) * 6 / 5);
    if (singular_test) return best;
    const Bound bound = best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER;
    // A bound says something of the evaluation only if that lies beyond it.
    if (on(CORRECTION) && !in_check && !mid_turn && !is_mate(best) &&
        !(best_move.bits() && G::is_take(p, best_move)) &&
        (bound & (best > here.eval ? LOWER : UPPER)))
        correction_.learn(p, trail(ply), best - here.eval, full_depth);
    if (on(HASH))
        shared_->table->store(p.key(), best_move.bits(), to_table(best, turns), raw, full_depth,
                              bound, was_pv);
    return best;
}

// Takes only, until the position is quiet; in check every answer. In mid-turn the side cannot stop
// where it likes: it must commit, or go on if it may not.
template <Playable P>
Score Worker<P>::quiet_search(Score alpha, Score beta, int ply, int turns) {
    P& p = *position_;
    Frame& here = frame(ply);
    const bool pv = beta - alpha > 1, mid_turn = G::mid_turn(p), in_check = here.in_check;
    here.line.size = 0;
    count_node();
    if (stopped()) return 0;
    seldepth_ = std::max(seldepth_, ply);
    switch (G::ending(p)) {
        case Ending::LOST:
            return lost_in(turns);
        case Ending::WON:
            return won_in(turns);
        case Ending::DRAWN:
            return 0;
        default:
            break;
    }
    if (!mid_turn && is_draw() && (!in_check || p.count_legal() > 0)) return 0;
    if (!on(QUIESCENCE)) return p.count_legal() ? evaluate() : in_check ? lost_in(turns) : 0;
    if (ply >= MOST_PLIES - 2) return evaluate();

    const Found known = on(HASH) ? shared_->table->find(p.key()) : Found{};
    const Score known_score = known.hit ? from_table(known.score, turns) : NO_SCORE;
    if (known.hit && !pv &&
        (known.bound == EXACT || known.bound == (known_score >= beta ? LOWER : UPPER)))
        return known_score;

    const bool may_stop = !in_check && !mid_turn;
    Score best = -INFINITE, raw = NO_SCORE, eval = NO_SCORE;
    if (may_stop) {
        raw = known.hit && known.eval != NO_SCORE ? known.eval : evaluate();
        eval = best = corrected(raw, ply);
        if (known.hit && !is_mate(known_score) &&
            known.bound == (known_score > best ? LOWER : UPPER))
            best = known_score;
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }

    MoveList<Move> moves;
    if (may_stop) {
        G::takes(p, moves);
    } else {
        p.legal_moves(moves);
        if (moves.empty()) return lost_in(turns);
    }
    // A commit is made last by the generator.
    const bool can_commit = mid_turn && G::is_commit(moves[moves.size() - 1]);

    Picker<P> picker(p, moves, lore_, hints(ply, known.move));
    Move best_move{};
    const Score first_alpha = alpha;
    for (Move m; picker.next(m);) {
        const bool take = G::is_take(p, m);
        if (may_stop) {
            if (picker.last_was_bad_take()) break;
            if (const Score most = eval + G::victim(p, m) + 245; most <= alpha) {
                best = std::max(best, most);
                continue;
            }
        } else if (can_commit && best > -SURE && !take && !G::is_commit(m)) {
            continue;  // unless everything else loses the Commander: a step may yet save him
        } else if (in_check && best > -SURE && (!take || picker.last_was_bad_take())) {
            continue;  // one answer that holds is enough to know that it is no mate
        }
        Score score;
        {
            const Made made(*this, m, ply);
            score = made.same_side() ? quiet_search(alpha, beta, ply + 1, turns)
                                     : -quiet_search(-beta, -alpha, ply + 1, turns + 1);
        }
        if (stopped()) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        best_move = m;
        here.line.set(m, frame(ply + 1).line);
        alpha = score;
        if (alpha >= beta) break;
    }
    if (on(HASH)) {
        const Bound bound = best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER;
        shared_->table->store(p.key(), best_move.bits(), to_table(best, turns), raw, 0, bound,
                              pv || known.was_pv);
    }
    return best;
}

}  // namespace cotulenh::engine

#include "engine/root.hpp"
