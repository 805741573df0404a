// Blocked attack sets in O(1): masks, magic multiplication, tables.
//
// A magic is a factor that gathers the masked occupancy bits of a word into the top bits of the
// product, each configuration at an index of its own (or sharing one with a configuration that
// blocks alike). The factors stored in magics.hpp were found by tools/find_magics.cpp.
#pragma once

#include <vector>

#include "board/rays.hpp"

namespace cotulenh {

// One word's worth of a lookup: which bits matter, how they are hashed, where the answers lie.
struct MagicPart {
    u64 mask = 0;
    u64 magic = 0;
    u32 shift = 0;   // 64 - index bits
    u32 offset = 0;  // of this part's block in the table

    u64 index(u64 word) const { return (word & mask) * magic >> shift; }
    u32 size() const { return u32(1) << (64 - shift); }
};

// Every subset of a mask, the empty one first (the carry-rippler).
template <class Visit>
void each_subset(u64 mask, Visit&& visit) {
    u64 subset = 0;
    do {
        visit(subset);
        subset = (subset - mask) & mask;
    } while (subset);
}

// Fills a part's block; false if two configurations with different answers meet in one place.
template <class Answer>
bool fill_part(const MagicPart& part, u64* block, Answer&& answer) {
    std::vector<bool> used(part.size());
    bool clean = true;
    each_subset(part.mask, [&](u64 occupied) {
        const u64 i = part.index(occupied), value = answer(occupied);
        if (used[i] && block[i] != value) clean = false;
        used[i] = true;
        block[i] = value;
    });
    return clean;
}

}  // namespace cotulenh
