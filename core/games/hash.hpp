// Zobrist keys: 64-bit words from a fixed seed, the same on every machine and in every build.
#pragma once

#include "board/grid.hpp"

namespace cotulenh {

// splitmix64: each call gives the next word of the sequence.
constexpr u64 next_key(u64& state) {
    u64 z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// One more word mixed into a hash; its high bits are the best.
constexpr u64 mix(u64 hash, u64 word) { return ((hash ^ hash >> 32) + word) * 0x9E3779B97F4A7C15; }

}  // namespace cotulenh
