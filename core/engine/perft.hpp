// Perft on several threads, with an optional hash table that they share; it can be stopped.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "games/game.hpp"
#include "games/hash.hpp"

namespace cotulenh {

// Counts of positions met before. Two words an entry, no locks: the first holds key ^ data, so an
// entry torn by two writers never matches. Replaces always; depth shares the word with the count.
class PerftTable {
  public:
    explicit PerftTable(std::size_t megabytes)
        : slots_(std::bit_floor(std::max<std::size_t>(megabytes, 1) << 16)) {}

    bool find(u64 key, int depth, u64& nodes) const {
        const Slot& slot = at(key);
        const u64 data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || int(data >> 56) != depth)
            return false;
        nodes = data & COUNT;
        return true;
    }
    void store(u64 key, int depth, u64 nodes) {
        if (nodes > COUNT) return;
        Slot& slot = at(key);
        const u64 data = u64(depth) << 56 | nodes;
        slot.check.store(key ^ data, std::memory_order_relaxed);
        slot.data.store(data, std::memory_order_relaxed);
    }

  private:
    static constexpr u64 COUNT = (u64(1) << 56) - 1;
    struct Slot {
        std::atomic<u64> check{0}, data{0};
    };
    Slot& at(u64 key) { return slots_[key & (slots_.size() - 1)]; }
    const Slot& at(u64 key) const { return slots_[key & (slots_.size() - 1)]; }
    std::vector<Slot> slots_;
};

// A key that owes nothing to the Zobrist words: a hash of the position's FEN without its counters.
// Two counts with two seeds do not make the same mistake when two positions have the same key.
template <class P>
u64 seeded_key(const P& position, u64 seed) {
    const std::string fen = write_fen(position);
    u64 hash = seed;
    int field = 0;
    for (const char c : fen) {
        field += c == ' ';
        if (field != 4 && field != 5) hash = mix(hash, u8(c));
    }
    return next_key(hash);
}

// One count: shares out the pairs of first moves among threads, each with its own position.
template <GamePosition P>
class PerftRun {
  public:
    using Move = typename P::Move;

    // With a seed that is not 0 the table goes by seeded_key instead of the position's own key.
    PerftRun(const P& root, int depth, PerftTable* table = nullptr, u64 seed = 0)
        : root_(root), depth_(depth), table_(table), seed_(seed) {}

    // Calls `keep_going` in this thread a few times a second; false stops the count, whose result
    // then means nothing. Shallow counts take less time than starting a thread.
    u64 count(int threads, const std::function<bool()>& keep_going = {}) {
        if (depth_ < 4) {
            P position = root_;
            return perft(position, depth_);
        }
        collect_jobs();
        std::vector<std::thread> pool = start(std::max(threads, 1));
        wait(keep_going);
        for (auto& thread : pool) thread.join();
        return nodes_;
    }

  private:
    struct Job {
        Move first, second;
    };

    void collect_jobs() {
        P position = root_;
        MoveList<Move> firsts;
        position.legal_moves(firsts);
        for (const Move first : firsts) {
            typename P::Undo undo;
            position.make(first, undo);
            MoveList<Move> seconds;
            position.legal_moves(seconds);
            for (const Move second : seconds) jobs_.push_back({first, second});
            position.unmake(first, undo);
        }
    }

    // As many threads as the system grants; without any the work is done right here.
    std::vector<std::thread> start(int threads) {
        std::vector<std::thread> pool;
        running_ = threads;
        try {
            for (int i = 0; i < threads; ++i) pool.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            const std::unique_lock lock(mutex_);
            running_ -= threads - int(pool.size());
        }
        if (pool.empty()) running_ = 1, work();
        return pool;
    }

    void work() {
        u64 nodes = 0;
        for (std::size_t i; !stop_ && (i = next_++) < jobs_.size();) {
            P position = root_;
            typename P::Undo undo;
            position.make(jobs_[i].first, undo);
            position.make(jobs_[i].second, undo);
            nodes += count(position, depth_ - 2);
        }
        const std::lock_guard lock(mutex_);
        nodes_ += nodes;
        if (--running_ == 0) done_.notify_one();
    }

    void wait(const std::function<bool()>& keep_going) {
        std::unique_lock lock(mutex_);
        const auto finished = [this] { return running_ == 0; };
        while (!done_.wait_for(lock, std::chrono::milliseconds(50), finished)) {
            lock.unlock();
            if (!stop_ && keep_going && !keep_going()) stop_ = true;
            lock.lock();
        }
    }

    // The last plies need neither the table nor the look at the clock.
    u64 count(P& position, int depth) {
        if (depth <= 2) return perft(position, depth);
        u64 nodes = 0;
        const u64 key = table_ ? table_key(position) : 0;
        if (table_ && table_->find(key, depth, nodes)) return nodes;
        MoveList<Move> moves;
        position.legal_moves(moves);
        typename P::Undo undo;
        for (const Move m : moves) {
            if (stop_.load(std::memory_order_relaxed)) return 0;
            position.make(m, undo);
            nodes += count(position, depth - 1);
            position.unmake(m, undo);
        }
        if (table_ && !stop_) table_->store(key, depth, nodes);
        return nodes;
    }

    u64 table_key(const P& position) const {
        return seed_ ? seeded_key(position, seed_) : position.key();
    }

    const P root_;
    const int depth_;
    PerftTable* const table_;
    const u64 seed_;
    std::vector<Job> jobs_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::condition_variable done_;
    int running_ = 0;
    u64 nodes_ = 0;
};

}  // namespace cotulenh
