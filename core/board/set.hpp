// Sets of places: the bitboard. One template serves one-word and three-word boards.
#pragma once

#include <bit>

#include "board/grid.hpp"

namespace cotulenh {

template <class G>
struct SquareSet {
    using Frame = G;
    static constexpr int words = G::words;
    u64 w[words]{};

    constexpr SquareSet() = default;
    static constexpr SquareSet of(int square) {
        SquareSet s;
        s.w[square >> 6] = u64(1) << (square & 63);
        return s;
    }
    static constexpr SquareSet rectangle(int files, int ranks) {
        SquareSet s;
        for (int r = 0; r < ranks; ++r)
            for (int f = 0; f < files; ++f) s.add(G::at(f, r));
        return s;
    }

    constexpr bool has(int square) const { return w[square >> 6] >> (square & 63) & 1; }
    constexpr void add(int square) { w[square >> 6] |= u64(1) << (square & 63); }
    constexpr void remove(int square) { w[square >> 6] &= ~(u64(1) << (square & 63)); }

    constexpr bool any() const {
        u64 all = 0;
        for (int i = 0; i < words; ++i) all |= w[i];
        return all != 0;
    }
    constexpr bool none() const { return !any(); }
    constexpr explicit operator bool() const { return any(); }
    constexpr int count() const {
        int n = 0;
        for (int i = 0; i < words; ++i) n += std::popcount(w[i]);
        return n;
    }

    // The lowest and the highest member; the set must not be empty.
    constexpr Square first() const {
        for (int i = 0; i < words; ++i)
            if (w[i]) return Square(i * 64 + std::countr_zero(w[i]));
        return NO_SQUARE;
    }
    constexpr Square last() const {
        for (int i = words - 1; i >= 0; --i)
            if (w[i]) return Square(i * 64 + 63 - std::countl_zero(w[i]));
        return NO_SQUARE;
    }

    // Calls visit(square) in rising order. The copy lets the visitor change the set.
    template <class Visit>
    constexpr void each(Visit&& visit) const {
        for (int i = 0; i < words; ++i)
            for (u64 rest = w[i]; rest; rest &= rest - 1)
                visit(Square(i * 64 + std::countr_zero(rest)));
    }

    constexpr SquareSet& operator&=(const SquareSet& o) {
        for (int i = 0; i < words; ++i) w[i] &= o.w[i];
        return *this;
    }
    constexpr SquareSet& operator|=(const SquareSet& o) {
        for (int i = 0; i < words; ++i) w[i] |= o.w[i];
        return *this;
    }
    constexpr SquareSet& operator^=(const SquareSet& o) {
        for (int i = 0; i < words; ++i) w[i] ^= o.w[i];
        return *this;
    }
    constexpr SquareSet& operator-=(const SquareSet& o) {
        for (int i = 0; i < words; ++i) w[i] &= ~o.w[i];
        return *this;
    }
    friend constexpr SquareSet operator&(SquareSet a, const SquareSet& b) { return a &= b; }
    friend constexpr SquareSet operator|(SquareSet a, const SquareSet& b) { return a |= b; }
    friend constexpr SquareSet operator^(SquareSet a, const SquareSet& b) { return a ^= b; }
    friend constexpr SquareSet operator-(SquareSet a, const SquareSet& b) { return a -= b; }
    friend constexpr bool operator==(const SquareSet&, const SquareSet&) = default;

    constexpr bool meets(const SquareSet& o) const {
        u64 all = 0;
        for (int i = 0; i < words; ++i) all |= w[i] & o.w[i];
        return all != 0;
    }
    constexpr bool within(const SquareSet& o) const {
        u64 all = 0;
        for (int i = 0; i < words; ++i) all |= w[i] & ~o.w[i];
        return all == 0;
    }
};

using WideSet = SquareSet<WideGrid>;
using NarrowSet = SquareSet<NarrowGrid>;

}  // namespace cotulenh
