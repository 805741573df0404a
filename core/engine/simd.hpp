// Loops compiled twice: once for every processor, once for those with AVX2, chosen when the program
// runs. Bodies are plain loops marked COTULENH_INLINE; whole numbers come out the same either way.
#pragma once

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
#else
#define COTULENH_INLINE inline
#define COTULENH_RESTRICT __restrict
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
