// Loops compiled twice: once for every processor, once for those with AVX2, chosen when the program
// runs. Bodies are plain loops marked COTULENH_INLINE; whole numbers come out the same either way.
#pragma once

#include <algorithm>
#include <bit>

#include "board/grid.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define COTULENH_TWO_BUILDS 1
#define COTULENH_AVX2 __attribute__((target("avx2,fma")))
#else
#define COTULENH_TWO_BUILDS 0
#define COTULENH_AVX2
#endif

#if defined(__GNUC__) || defined(__clang__)
#define COTULENH_INLINE inline __attribute__((always_inline))
#define COTULENH_RESTRICT __restrict__
#define COTULENH_FLATTEN __attribute__((flatten))  // all that is called becomes part of it
#else
#define COTULENH_INLINE inline
#define COTULENH_RESTRICT __restrict
#define COTULENH_FLATTEN
#endif

namespace cotulenh::engine {

inline bool processor_has_avx2() {
#if COTULENH_TWO_BUILDS
    static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return found;
#else
    return false;
#endif
}

// Where the first of the greatest numbers is; there must be one.
inline int first_greatest(const int* numbers, int n) {
    int most = numbers[0], i = 0;
#if defined(__SSE4_1__)
    const auto four = [&](int at) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + at));
    };
    if (n >= 4) {
        __m128i best = four(0);
        for (i = 4; i + 4 <= n; i += 4) best = _mm_max_epi32(best, four(i));
        best = _mm_max_epi32(best, _mm_shuffle_epi32(best, 0b01001110));
        best = _mm_max_epi32(best, _mm_shuffle_epi32(best, 0b10110001));
        most = _mm_cvtsi128_si32(best);
    }
    for (; i < n; ++i) most = std::max(most, numbers[i]);
    const __m128i wanted = _mm_set1_epi32(most);
    for (i = 0; i + 4 <= n; i += 4)
        if (const int found = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four(i), wanted))))
            return i + std::countr_zero(unsigned(found));
#else
    for (i = 1; i < n; ++i) most = std::max(most, numbers[i]);
    i = 0;
#endif
    while (numbers[i] != most) ++i;
    return i;
}

// Which of 64 bytes differ, the first one in the lowest bit.
inline std::uint64_t differing_bytes(const void* a, const void* b) {
    std::uint64_t out = 0;
#if defined(__SSE2__)
    __m128i same[4];
    for (int i = 0; i < 4; ++i)
        same[i] = _mm_cmpeq_epi8(_mm_loadu_si128(static_cast<const __m128i*>(a) + i),
                                 _mm_loadu_si128(static_cast<const __m128i*>(b) + i));
    const __m128i all = _mm_and_si128(_mm_and_si128(same[0], same[1]),  //
                                      _mm_and_si128(same[2], same[3]));
    if (_mm_movemask_epi8(all) == 0xFFFF) return 0;  // most of the time
    for (int i = 0; i < 4; ++i)
        out |= std::uint64_t(std::uint16_t(~_mm_movemask_epi8(same[i]))) << 16 * i;
#else
    for (int i = 0; i < 64; ++i) {
        const bool differs =
            static_cast<const unsigned char*>(a)[i] != static_cast<const unsigned char*>(b)[i];
        out |= std::uint64_t(differs) << i;
    }
#endif
    return out;
}

// Calls visit(square) for every cell in which two boards differ, in rising order.
template <int CELLS, class Cell, class Visit>
void each_difference(const Cell* a, const Cell* b, Visit&& visit) {
    constexpr int BLOCK = int(64 / sizeof(Cell));
    static_assert(CELLS % BLOCK == 0 && sizeof(Cell) <= 2);
    for (int s = 0; s < CELLS; s += BLOCK) {
        std::uint64_t differ = differing_bytes(a + s, b + s);
        if (sizeof(Cell) == 2) differ = (differ | differ >> 1) & 0x5555555555555555;
        for (; differ; differ &= differ - 1)
            visit(Square(s + std::countr_zero(differ) / int(sizeof(Cell))));
    }
}

}  // namespace cotulenh::engine
