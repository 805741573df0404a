// One game's thinker: the workers of a search, their threads, and how a search is begun and ended.
//
// It has no text and no globals: whoever owns it is told of thoughts through a callback.
#pragma once

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "engine/search.hpp"

namespace cotulenh::engine {

// What is asked of a search.
template <Playable P>
struct Question {
    P root;
    std::vector<u64> keys;                // see Worker::set_up
    std::vector<typename P::Move> moves;  // the root's, at least one
    Limits limits;
    int multipv = 1;
    bool ponder = false;
};

// What stays the same whatever the game is.
class Thinker {
  public:
    virtual ~Thinker() = default;
    virtual void stop() = 0;
    virtual void ponderhit() = 0;
    virtual void forget() = 0;       // what was learnt; not while thinking
    virtual u32 best() const = 0;    // valid once the search has ended
    virtual u32 ponder() const = 0;  // the answer expected of the opponent, or 0
};

template <Playable P>
class Player : public Thinker {
  public:
    using Move = typename P::Move;
    using G = Game<P>;

    explicit Player(int threads) {
        for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker<P>>());
    }

    // To be called before a search runs, from the thread that will ask for the answer.
    void prepare(const Question<P>& q, Table& table, u32 features,
                 const typename G::Weights& weights, std::function<void(const Thought&)> report) {
        shared_.table = &table;
        // Who asks for a short mate wants it found, quiet moves included; long ones need guesses.
        const bool short_mate = q.limits.mate > 0 && q.limits.mate <= 3;
        shared_.features = short_mate ? features & ~GUESSES : features;
        shared_.weights = &weights;
        shared_.limits = q.limits;
        shared_.budget = budget_of(q.limits, q.root.turn(), G::mid_turn(q.root));
        shared_.multipv = q.multipv;
        shared_.stop = false;
        shared_.pondering = q.ponder;
        shared_.began = Clock::now().time_since_epoch().count();
        shared_.report = std::move(report);
        shared_.total_nodes = [this] {
            u64 n = 0;
            for (const auto& w : workers_) n += w->nodes();
            return n;
        };
        for (std::size_t i = 0; i < workers_.size(); ++i)
            workers_[i]->set_up(q.root, q.keys, q.moves, shared_, int(i));
        root_.emplace(q.root);
        table.begin_search();
    }

    // Thinks to the end in this thread, with helpers beside it.
    void run() {
        std::vector<std::thread> helpers;
        try {
            for (std::size_t i = 1; i < workers_.size(); ++i)
                helpers.emplace_back([w = workers_[i].get()] { w->think(); });
        } catch (const std::system_error&) {
            // Fewer threads than asked for: the search is slower, not wrong.
        }
        workers_[0]->think();
        wait_for_permission();
        shared_.stop = true;
        for (auto& h : helpers) h.join();
        choose();
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

    void forget() override {
        for (auto& w : workers_) w->forget();
    }

    u32 best() const override { return best_; }
    u32 ponder() const override { return ponder_; }
    u64 nodes() const { return shared_.total_nodes(); }
    Score score() const { return score_; }  // of the best move

  private:
    // A pondering or endless search answers only when it is told to, even if all is found out.
    void wait_for_permission() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            return shared_.stop || (!shared_.pondering && !shared_.limits.infinite);
        });
    }

    // The first worker decides, unless a helper came deeper and found something better.
    const Worker<P>& wisest() const {
        const Worker<P>* chosen = workers_[0].get();
        if (shared_.multipv == 1)
            for (const auto& w : workers_)
                if (w->completed() > chosen->completed() && w->score() > chosen->score())
                    chosen = w.get();
        return *chosen;
    }

    void choose() {
        const Worker<P>& chosen = wisest();
        if (&chosen != workers_[0].get()) chosen.tell_best();
        score_ = chosen.score();
        const auto& line = chosen.root_moves()[0].pv;
        best_ = line[0];
        ponder_ = 0;
        if (line.size() < 2) return;
        // Only a move of the opponent can be pondered on.
        P p = *root_;
        typename P::Undo undo;
        p.make(Move::from_bits(line[0]), undo);
        if (p.turn() != root_->turn()) ponder_ = line[1];
    }

    std::vector<std::unique_ptr<Worker<P>>> workers_;
    Shared<P> shared_;
    std::optional<P> root_;
    u32 best_ = 0, ponder_ = 0;
    Score score_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace cotulenh::engine
