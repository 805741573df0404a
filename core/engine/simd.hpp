// Loops compiled twice: once for every processor, once for those with AVX2, chosen when the program
// runs. Bodies are plain loops marked COTULENH_INLINE; whole numbers come out the same either way.
#pragma once

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

}  // namespace cotulenh::engine
