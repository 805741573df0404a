// Loops compiled twice: once for every processor, once for those with AVX2, chosen when the program
// runs. Bodies are plain loops marked COTULENH_INLINE; whole numbers come out the same either way.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
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
    for (int i = 0; i < 4; ++i) {
        const __m128i x = _mm_loadu_si128(static_cast<const __m128i*>(a) + i);
        const __m128i y = _mm_loadu_si128(static_cast<const __m128i*>(b) + i);
        const auto same = std::uint16_t(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)));
        out |= std::uint64_t(std::uint16_t(~same)) << 16 * i;
    }
#else
    for (int i = 0; i < 64; ++i) {
        const bool differs =
            static_cast<const unsigned char*>(a)[i] != static_cast<const unsigned char*>(b)[i];
        out |= std::uint64_t(differs) << i;
    }
#endif
    return out;
}

}  // namespace cotulenh::engine
