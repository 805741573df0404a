// One thread of a search and what it shares with the others (Lazy SMP: they meet in the
// transposition table alone). search.hpp and root.hpp hold its longer functions.
#pragma once

#include <functional>
#include <optional>

#include "engine/correction_history.hpp"
#include "engine/eval_cache.hpp"
#include "engine/features.hpp"
#include "engine/limit.hpp"
#include "engine/movepick.hpp"
#include "engine/nnue.hpp"
#include "engine/parameters.hpp"
#include "engine/statistics.hpp"
#include "engine/transposition.hpp"

namespace cotulenh::engine {

// What a worker found so far, for whoever asked for the search.
struct Report {
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
    TranspositionTable* table = nullptr;
    const typename Game<P>::Weights* weights = &Game<P>::weights();
    std::shared_ptr<const Network> network;
    u32 features = EVERYTHING;
    Parameters parameters;
    Reductions reductions;
    Limit limit;
    Budget budget;
    int multipv = 1;
    std::atomic<Clock::rep> began{0};  // set anew by a ponderhit
    std::atomic<bool> stop{false}, pondering{false};
    std::function<u64()> total_nodes;
    std::function<void(const Report&)> report;

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
        Score score = -INFINITE, previous_score = -INFINITE;
        int seldepth = 0;
        std::vector<u32> pv;
    };

    Worker() : plies_(std::make_unique<PlyState[]>(MAX_PLY + 8)) {}

    // The evaluation has changed: what is kept of it holds no more.
    void forget_evaluations() { memory_.clear(), evals_.clear(); }
    void clear() { history_.clear(), correction_.clear(), evals_.clear(); }

    // `keys`: of the positions at the start of each turn of the game, the root's included if it is
    // one.
    void set_up(const P& root, std::vector<u64> keys, const std::vector<Move>& moves,
                Shared<P>& shared, int number) {
        position_.emplace(root);
        keys_ = std::move(keys);
        keys_.reserve(keys_.size() + MAX_PLY + 8);
        root_key_ = keys_.size() - !G::mid_turn(root);
        shared_ = &shared;
        number_ = number;
        nodes_.store(0, std::memory_order_relaxed);
        root_moves_.clear();
        for (const Move m : moves) root_moves_.push_back({m, -INFINITE, -INFINITE, 0, {m.bits()}});
        completed_depth_ = 0;
        memory_.net.use(shared.network);
        memory_.begin();
    }

    u64 nodes() const { return nodes_.load(std::memory_order_relaxed); }
    const std::vector<RootMove>& root_moves() const { return root_moves_; }
    int completed_depth() const { return completed_depth_; }
    Score score() const { return root_moves_[0].score; }
    // What the last whole iteration found, or at least the first one until it was stopped.
    void report_best() const {
        if (completed_depth_)
            report(completed_depth_, 0, EXACT);
        else if (score() > -INFINITE)
            report(1, 0, LOWER);
    }
    // Counts from now on, and checks one guess of so many; a negative number: no longer.
    void collect_statistics(int sample_every) {
        statistics_.reset(sample_every < 0 ? nullptr : new Statistics);
        if (statistics_) statistics_->sample_every = sample_every;
    }
    const Statistics* statistics() const { return statistics_.get(); }

    void iterative_deepening();  // until something says stop
    Score quiet_score();         // what quiescence says of the root

  private:
    // A principal variation.
    struct PvLine {
        int size = 0;
        Move moves[MAX_PLY + 8];
        void set(Move m, const PvLine& rest) {
            moves[0] = m;
            std::copy(rest.moves, rest.moves + rest.size, moves + 1);
            size = rest.size + 1;
        }
    };
    // The steps that were searched at a node, where nothing that may follow them was pruned, and
    // their scores.
    struct Steps {
        Move moves[64];
        Score scores[64];
        int count = 0;
        void add(Move m, Score score) {
            if (count < 64) moves[count] = m, scores[count++] = score;
        }
    };
    // What is known of the node searched at one ply.
    struct PlyState {
        Move move{}, excluded{}, killers[2]{};
        int piece_to = -1;   // of the move that is being tried here,
        bool quiet = false;  // whether it takes nothing,
        int reduction = 0;   // and the plies it lost
        Score static_eval = NO_SCORE;
        bool in_check = false;
        Side side = FIRST;      // that is to move here,
        bool mid_turn = false;  // in the middle of its turn or not,
        bool cut_node = false;  // and whether the node is expected to fail high
        bool pv_node = false;
        bool lmr = false;       // the move that is being tried is a late one, expected to fail low
        bool unpruned = false;  // a guess is checked: the node is to be searched
        const Steps* steps = nullptr;  // searched here before the move that is being tried
        bool left_out = false;         // a move was pruned
        [[no_unique_address]] typename G::Threats threats{};  // what the opponent attacks here
        int cutoffs = 0;  // how often a node here failed high since its grandparent was entered
        PvLine pv;
    };
    // Moves that were searched before the best one, for their history.
    struct Tried {
        Move quiets[64], takes[32];
        int quiet_count = 0, take_count = 0;
        void add(Move m, bool take, bool quiet) {
            if (take && take_count < 32) takes[take_count++] = m;
            if (quiet && quiet_count < 64) quiets[quiet_count++] = m;
        }
    };

    // A move made on the worker's position for as long as this lives.
    class ScopedMove {
      public:
        ScopedMove(Worker& w, Move m, int ply) : w_(w), m_(m), us_(w.position_->turn()) {
            PlyState& here = w.at(ply);
            here.move = m;
            here.piece_to = G::piece_to(*w.position_, m);
            w.position_->make(m, undo_);
            w.memory_.note(undo_);
            starts_turn_ = !G::mid_turn(*w.position_);
            if (starts_turn_) w.keys_.push_back(w.position_->key());
            w.shared_->table->prefetch(w.position_->key());
            w.evals_.prefetch(w.position_->key());
            w.correction_.prefetch(*w.position_, w.last_moves(ply + 1));
            w.at(ply + 1).in_check = starts_turn_ && G::in_check_after(*w.position_, undo_);
        }
        ~ScopedMove() {
            if (starts_turn_) w_.keys_.pop_back();
            w_.position_->unmake(m_, undo_);
            w_.memory_.note(undo_);
        }
        bool same_side() const { return w_.position_->turn() == us_; }

      private:
        Worker& w_;
        const Move m_;
        const Side us_;
        bool starts_turn_;
        typename P::Undo undo_;
    };

    // --- helpers of search and quiescence (search.hpp) ---
    bool on(Feature f) const { return shared_->features & f; }
    const Parameters& par() const { return shared_->parameters; }
    PlyState& at(int ply) { return plies_[ply + 4]; }  // guards before the root
    bool stopped() const { return shared_->stop.load(std::memory_order_relaxed); }
    void count_node();
    bool is_draw() const;
    bool is_repetition() const;
    std::optional<Score> enter_node(int ply, int turns);
    TableHit probe() const;
    static bool bound_fits(const TableHit& hit, Score score, Score limit);
    void store(const TableHit& hit, Move best, Score score, int turns, Score raw, int depth,
               Bound bound, bool pv);
    Score evaluate() {
        return evals_.of(position_->key(), [&] {
            count(Count::EVALUATIONS);
            return G::evaluate(*position_, *shared_->weights, memory_, on(NETWORK));
        });
    }
    // What the opponent attacks, by which the history tells moves apart.
    typename G::Threats threats() const {
        return on(THREAT_HISTORY) ? G::threats(*position_) : typename G::Threats{};
    }
    Score raw_eval(const TableHit& hit);
    Score corrected(Score raw, int ply);
    typename CorrectionHistory<P>::LastMoves last_moves(int ply) {
        return {at(ply - 1).piece_to, at(ply - 2).piece_to};
    }
    typename MovePicker<P>::Hints hints(int ply, u32 hash_move);
    void update_quiet_history(Side side, Move m, int piece_to, int ply, int bonus);
    void update_history(Move best, int depth, int ply, const Tried& tried);
    int history_bonus(int depth) const {
        return std::min(par().history_bonus * depth, par().history_bonus_max);
    }

    Score previous_turn_eval(int ply);
    Score repeated_step(Move m, int ply);

    // --- statistics (check.hpp) ---
    void count(Count c, u64 n = 1) {
        if (statistics_ && !statistics_->checking) [[unlikely]]
            statistics_->counts[std::size_t(c)] += n;
    }
    void count_node_of(bool mid_turn, const TableHit& hit, bool cut);
    void count_cut(int score, int index, bool take, bool step);
    void count_role(int ply, bool pv);
    bool sampled();
    void check_node(Guess guess, bool fails_high, Score alpha, Score beta, int depth, int ply,
                    int turns, bool cut_node);
    void check_move(Guess guess, Move m, Score alpha, int depth, int ply, int turns);
    void record(Guess guess, bool wrong);

    // --- the search (search.hpp) ---
    Score search(Score alpha, Score beta, int depth, int ply, int turns, bool cut_node);
    Score quiescence(Score alpha, Score beta, int ply, int turns);
    Score null_move_search(Score beta, int depth, int ply, int turns, bool cut_node);
    // The score after a move, seen from the side that made it. `cut_node`: is the opponent
    // expected to fail high? If the same side moves on, that means the child is expected not to.
    Score search_child(const ScopedMove& made, Score alpha, Score beta, int depth, int ply,
                       int turns, bool cut_node) {
        if (made.same_side()) {
            const bool pv = beta - alpha > 1;
            return search(alpha, beta, depth, ply + 1, turns, !pv && !cut_node);
        }
        return -search(-beta, -alpha, depth, ply + 1, turns + 1, cut_node);
    }
    // Where quiescence stands before any move: may it stop here, and with what?
    struct StandPat {
        Score raw, eval, best;
        bool allowed, pv;
    };
    Score quiescence_moves(Score alpha, Score beta, int ply, int turns, const TableHit& hit,
                           const StandPat& stand);
    bool is_idle_reply(Move m, bool can_commit, const MovePicker<P>& picker) const;
    Score quiescence_child(Move m, Score alpha, Score beta, int ply, int turns) {
        const ScopedMove made(*this, m, ply);
        return made.same_side() ? quiescence(alpha, beta, ply + 1, turns)
                                : -quiescence(-beta, -alpha, ply + 1, turns + 1);
    }

    // --- the root (root.hpp) ---
    Score search_root(Score alpha, Score beta, int depth, int line);
    Score search_root_move(std::size_t i, Score alpha, Score beta, int depth, int line);
    Score aspiration_search(int depth, int line);
    void search_lines(int depth, int lines);
    void list_turn(int line);
    bool ends_listed_turn(Move m);
    void clear_plies();
    void report(int depth, int line, Bound bound) const;
    bool time_is_up(int depth);

    std::optional<P> position_;
    std::vector<u64> keys_;
    std::size_t root_key_ = 0;
    Shared<P>* shared_ = nullptr;
    int number_ = 0;
    std::atomic<u64> nodes_{0};
    std::vector<RootMove> root_moves_;
    std::vector<u64> listed_;  // where the first turns of the lines found so far end
    History<P> history_;
    typename G::Memory memory_;  // of the evaluation
    EvalCache evals_;
    CorrectionHistory<P> correction_;
    std::unique_ptr<PlyState[]> plies_;
    std::unique_ptr<Statistics> statistics_;
    int root_depth_ = 0, seldepth_ = 0, completed_depth_ = 0;
    int stable_iterations_ = 0;  // since the best move changed
};

}  // namespace cotulenh::engine
