// The transposition table: what earlier searches found out about a position. Shared by all threads.
#pragma once

#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "engine/score.hpp"

namespace cotulenh::engine {

enum Bound : u8 { NONE, UPPER, LOWER, EXACT };

struct TableHit {
    u32 move = 0;
    Score score = NO_SCORE, eval = NO_SCORE;
    int depth = -1;
    Bound bound = NONE;
    bool was_pv = false;  // the principal variation once went through it
    bool hit = false;
};

// Two words an entry, without locks: the first is stored xor the second, so an entry torn by two
// writers does not match any key. The low sixteen bits of the key choose the cluster anyway, so
// depth, age and bound live there.
class TranspositionTable {
  public:
    // Throws std::bad_alloc if there is not so much memory.
    explicit TranspositionTable(std::size_t megabytes) {
        const std::size_t clusters = std::bit_floor((megabytes << 20) / sizeof(Cluster));
        const std::size_t bytes = clusters * sizeof(Cluster);
        mask_ = clusters - 1;
        // Zeroed pages come from the system when they are first touched, so that a table of many
        // gigabytes is there at once. An entry of zeros is an empty one.
        memory_.reset(std::calloc(1, bytes + HUGE_PAGE));
        if (!memory_) throw std::bad_alloc();
        std::size_t room = bytes + HUGE_PAGE;
        void* aligned = memory_.get();
        std::align(HUGE_PAGE, bytes, aligned, room);
        clusters_ = static_cast<Cluster*>(aligned);
#if defined(__linux__)
        // On huge pages a probe costs one miss less, that of the address translation. In a table of
        // many gigabytes nearly every first probe would fill such a page with zeros, and the first
        // seconds of a search would find nothing.
        if (bytes >= HUGE_PAGE && bytes <= MOST_HUGE) madvise(clusters_, bytes, MADV_HUGEPAGE);
#endif
    }

    void clear() {
        age_ = 0;
#if defined(__linux__)
        // The system takes the pages back, and gives new ones of zeros.
        const std::size_t bytes = (mask_ + 1) * sizeof(Cluster);
        if (bytes >= HUGE_PAGE && madvise(clusters_, bytes, MADV_DONTNEED) == 0) return;
#endif
        for (std::size_t i = 0; i <= mask_; ++i)
            for (Entry& e : clusters_[i].entry) e.check.store(0, RELAXED), e.data.store(0, RELAXED);
    }
    void begin_search() { age_ = (age_ + 1) & AGES; }

    void prefetch(u64 key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&clusters_[key & mask_]);
#endif
    }

    TableHit probe(u64 key) const {
        for (const Entry& e : clusters_[key & mask_].entry) {
            const u64 data = e.data.load(RELAXED), check = e.check.load(RELAXED) ^ data;
            if ((check ^ key) & KEY_BITS || !(check & 3)) continue;
            return {u32(data),
                    Score(std::int16_t(data >> 32)),
                    Score(std::int16_t(data >> 48)),
                    int(check >> 8 & 0xFF) - 1,
                    Bound(check & 3),
                    bool(check >> 7 & 1),
                    true};
        }
        return {};
    }

    // Replaces the entry of the same position, otherwise the shallowest and oldest one.
    void store(u64 key, u32 move, Score score, Score eval, int depth, Bound bound, bool was_pv) {
        Cluster& cluster = clusters_[key & mask_];
        Entry* slot = nullptr;
        int least = 1 << 20;
        for (Entry& e : cluster.entry) {
            const u64 data = e.data.load(RELAXED), check = e.check.load(RELAXED) ^ data;
            if (!((check ^ key) & KEY_BITS) && (check & 3)) {
                const int old = int(check >> 8 & 0xFF) - 1;
                // A shallower bound of this search is worth less than what is there.
                if (bound != EXACT && depth + 3 < old && (check >> 2 & AGES) == age_) return;
                if (!move) move = u32(data);
                slot = &e;
                break;
            }
            const int worth = int(check >> 8 & 0xFF) - 8 * int((age_ - (check >> 2)) & AGES);
            if (worth < least) least = worth, slot = &e;
        }
        const u64 data =
            u64(move) | u64(std::uint16_t(score)) << 32 | u64(std::uint16_t(eval)) << 48;
        const u64 check =
            (key & KEY_BITS) | u64(depth + 1) << 8 | u64(was_pv) << 7 | u64(age_) << 2 | bound;
        slot->data.store(data, RELAXED);
        slot->check.store(check ^ data, RELAXED);
    }

    // Thousandths of the table that this search has filled, from a sample.
    int fullness() const {
        int n = 0;
        const std::size_t sample = std::min<std::size_t>(250, mask_ + 1);
        for (std::size_t i = 0; i < sample; ++i)
            for (const Entry& e : clusters_[i].entry) {
                const u64 check = e.check.load(RELAXED) ^ e.data.load(RELAXED);
                n += (check & 3) && (check >> 2 & AGES) == age_;
            }
        return int(n * 1000 / (sample * std::size(clusters_[0].entry)));
    }

  private:
    static constexpr auto RELAXED = std::memory_order_relaxed;
    static constexpr u64 KEY_BITS = ~u64(0xFFFF);
    static constexpr u32 AGES = 31;
    struct Entry {
        std::atomic<u64> check{0}, data{0};
    };
    struct alignas(64) Cluster {
        Entry entry[4];
    };
    static constexpr std::size_t HUGE_PAGE = std::size_t(2) << 20;
    static constexpr std::size_t MOST_HUGE = std::size_t(1) << 30;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    Cluster* clusters_ = nullptr;
    std::size_t mask_ = 0;
    u32 age_ = 0;
};

}  // namespace cotulenh::engine
