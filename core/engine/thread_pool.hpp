// The threads that search one game together (Lazy SMP), and how a search is begun and ended.
#pragma once

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "engine/check.hpp"
#include "engine/root.hpp"
#include "engine/search.hpp"

namespace cotulenh::engine {

// What is asked of a search.
template <Playable P>
struct Task {
    P root;
    std::vector<u64> keys;                // see Worker::set_up
    std::vector<typename P::Move> moves;  // the root's, at least one
    Limit limit;
    int multipv = 1;
    bool ponder = false;
};

// How it is searched: what stays the same from one task to the next.
template <Playable P>
struct Settings {
    u32 features = EVERYTHING;
    Parameters parameters;
    typename Game<P>::Weights weights = Game<P>::weights();
    std::shared_ptr<const Network> network;  // of this game; without one the terms alone judge
};

// What stays the same whatever the game is.
class AnyThreadPool {
  public:
    virtual ~AnyThreadPool() = default;
    virtual void stop() = 0;
    virtual void ponderhit() = 0;
    virtual void clear() = 0;  // the histories; not while searching
    virtual void collect_statistics(int sample_every) = 0;
    virtual Statistics statistics() const = 0;  // of all threads
    virtual u32 best() const = 0;               // valid once the search has ended
    virtual u32 ponder() const = 0;             // the answer expected of the opponent, or 0
};

template <Playable P>
class ThreadPool : public AnyThreadPool {
  public:
    using Move = typename P::Move;
    using G = Game<P>;

    explicit ThreadPool(int threads) {
        for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker<P>>());
    }

    // To be called before a search runs, from the thread that will ask for the answer. Table and
    // settings must live until it has ended.
    void prepare(const Task<P>& task, TranspositionTable& table, const Settings<P>& settings,
                 std::function<void(const Report&)> report) {
        shared_.table = &table;
        // Who asks for a short mate wants it found, quiet moves included; long ones need pruning.
        const bool short_mate = task.limit.mate > 0 && task.limit.mate <= 3;
        shared_.features = short_mate ? settings.features & ~PRUNING : settings.features;
        shared_.parameters = settings.parameters;
        shared_.reductions = Reductions(settings.parameters);
        use_evaluation(settings);
        shared_.limit = task.limit;
        shared_.budget = budget_of(task.limit, task.root.turn(), G::mid_turn(task.root));
        shared_.multipv = task.multipv;
        shared_.stop = false;
        shared_.pondering = task.ponder;
        shared_.began = Clock::now().time_since_epoch().count();
        shared_.report = std::move(report);
        shared_.total_nodes = [this] {
            u64 n = 0;
            for (const auto& w : workers_) n += w->nodes();
            return n;
        };
        for (std::size_t i = 0; i < workers_.size(); ++i)
            workers_[i]->set_up(task.root, task.keys, task.moves, shared_, int(i));
        root_.emplace(task.root);
        table.begin_search();
    }

    // Searches to the end in this thread, with helpers beside it.
    void run() {
        std::vector<std::thread> helpers;
        try {
            for (std::size_t i = 1; i < workers_.size(); ++i)
                helpers.emplace_back([w = workers_[i].get()] { w->iterative_deepening(); });
        } catch (const std::system_error&) {
            // Fewer threads than asked for: the search is slower, not wrong.
        }
        workers_[0]->iterative_deepening();
        wait_for_permission();
        shared_.stop = true;
        for (auto& h : helpers) h.join();
        choose_move();
    }

    void stop() override {
        const std::lock_guard lock(mutex_);
        shared_.stop = true;
        shared_.pondering = false;
        changed_.notify_all();
    }

    void ponderhit() override {
        const std::lock_guard lock(mutex_);
        shared_.began = Clock::now().time_since_epoch().count();
        shared_.pondering = false;
        changed_.notify_all();
    }

    void clear() override {
        for (auto& w : workers_) w->clear();
    }

    void collect_statistics(int sample_every) override {
        for (auto& w : workers_) w->collect_statistics(sample_every);
    }
    Statistics statistics() const override {
        Statistics sum;
        for (const auto& w : workers_)
            if (w->statistics()) sum.add(*w->statistics());
        return sum;
    }

    u32 best() const override { return best_; }
    u32 ponder() const override { return ponder_; }
    u64 nodes() const { return shared_.total_nodes(); }
    Score score() const { return score_; }  // of the best move

  private:
    // With other weights or another network nothing kept of earlier evaluations holds.
    void use_evaluation(const Settings<P>& settings) {
        shared_.weights = &settings.weights;
        shared_.network = settings.network;
        const Network* network = settings.features & NETWORK ? settings.network.get() : nullptr;
        if (weights_ == settings.weights && network_ == network) return;
        weights_ = settings.weights, network_ = network;
        for (auto& w : workers_) w->forget_evaluations();
    }

    // A pondering or endless search answers only when it is told to, even if all is found out.
    void wait_for_permission() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            return shared_.stop || (!shared_.pondering && !shared_.limit.infinite);
        });
    }

    // The first one decides, unless a helper came deeper and found something better.
    const Worker<P>& best_thread() const {
        const Worker<P>* best = workers_[0].get();
        if (shared_.multipv == 1)
            for (const auto& w : workers_)
                if (w->completed_depth() > best->completed_depth() && w->score() > best->score())
                    best = w.get();
        return *best;
    }

    void choose_move() {
        const Worker<P>& thread = best_thread();
        if (&thread != workers_[0].get() || !thread.completed_depth()) thread.report_best();
        score_ = thread.score();
        const auto& pv = thread.root_moves()[0].pv;
        best_ = pv[0];
        ponder_ = 0;
        if (pv.size() < 2) return;
        // Only a move of the opponent can be pondered on.
        P p = *root_;
        typename P::Undo undo;
        p.make(Move::from_bits(pv[0]), undo);
        if (p.turn() != root_->turn()) ponder_ = pv[1];
    }

    std::vector<std::unique_ptr<Worker<P>>> workers_;
    Shared<P> shared_;
    std::optional<P> root_;
    typename G::Weights weights_ = G::weights();  // of the last search,
    const Network* network_ = nullptr;            // and its network
    u32 best_ = 0, ponder_ = 0;
    Score score_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace cotulenh::engine
