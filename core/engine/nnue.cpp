#include "engine/nnue.hpp"

#include <atomic>

#include "engine/simd.hpp"

namespace cotulenh::engine {
namespace {

// The first bytes of a file, little-endian as they stand.
struct Header {
    char magic[8];
    u32 version;
    u32 checksum;  // CRC-32 of everything behind it
    char game[16];
    u32 inputs, hidden;
    u16 buckets, flags, one, unit, centipawns, decided;
    char rest[12];
};
static_assert(sizeof(Header) == 64);

constexpr std::string_view MAGIC{"CoTuNet\0", 8};
constexpr u32 VERSION = 1;

u32 crc32(std::string_view bytes) {
    static const auto table = [] {
        std::array<u32, 256> t{};
        for (u32 i = 0; i < 256; ++i) {
            u32 c = i;
            for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320U ^ c >> 1 : c >> 1;
            t[i] = c;
        }
        return t;
    }();
    u32 crc = ~0U;
    for (const char c : bytes) crc = table[(crc ^ u8(c)) & 0xFF] ^ crc >> 8;
    return ~crc;
}

struct Known {
    std::string_view game;
    u32 inputs;
    u16 buckets;
};
template <class P>
constexpr Known known_of() {
    return {Inputs<P>::GAME, Inputs<P>::COUNT, Inputs<P>::BUCKETS};
}
constexpr Known GAMES[] = {known_of<ctl::Position>(), known_of<chess::Position>()};

std::string expected(const char* what, std::size_t wanted, std::size_t got) {
    return "expected " + std::to_string(wanted) + " " + what + ", got " + std::to_string(got);
}

std::string_view name_of(const Header& h) {
    const std::string_view whole(h.game, sizeof h.game);
    return whole.substr(0, whole.find('\0'));
}

std::size_t numbers_of(const Header& h) {
    return (std::size_t(h.inputs) + 1 + 2 * h.buckets) * h.hidden + h.buckets;
}

// What is wrong with a header, or nothing.
std::string problem_of(const Header& h, std::size_t size) {
    if (h.version != VERSION) return expected("as the version", VERSION, h.version);
    const std::string_view name = name_of(h);
    const auto* known = std::find_if(std::begin(GAMES), std::end(GAMES),
                                     [&](const Known& k) { return k.game == name; });
    if (known == std::end(GAMES)) return "it is for a game that is not known here";
    if (h.inputs != known->inputs) return expected("inputs", known->inputs, h.inputs);
    if (h.buckets != known->buckets) return expected("buckets", known->buckets, h.buckets);
    if (h.hidden < 16 || h.hidden > Network::MOST_SUMS || h.hidden % 16 != 0)
        return "expected 16 to 256 sums, a multiple of 16, got " + std::to_string(h.hidden);
    if (h.one != Network::ONE || h.unit != Network::UNIT || h.centipawns != Network::CENTIPAWNS)
        return "its numbers have another scale";
    const std::size_t wanted = sizeof(Header) + 2 * numbers_of(h);
    return size == wanted ? "" : expected("bytes", wanted, size);
}

// The loops for every processor. Sums may wrap around, and come back.
void update_plain(std::int16_t* COTULENH_RESTRICT sums, const std::int16_t* COTULENH_RESTRICT rows,
                  const u16* come, int more, const u16* gone, int less, int hidden) {
    for (int r = 0; r < more; ++r) {
        const std::int16_t* row = rows + std::size_t(come[r]) * std::size_t(hidden);
        for (int i = 0; i < hidden; ++i) sums[i] = std::int16_t(sums[i] + row[i]);
    }
    for (int r = 0; r < less; ++r) {
        const std::int16_t* row = rows + std::size_t(gone[r]) * std::size_t(hidden);
        for (int i = 0; i < hidden; ++i) sums[i] = std::int16_t(sums[i] - row[i]);
    }
}

int weigh_plain(const std::int16_t* COTULENH_RESTRICT sums,
                const std::int16_t* COTULENH_RESTRICT weights, int hidden) {
    int total = 0;
    for (int i = 0; i < hidden; ++i) {
        const std::int16_t v = std::clamp<std::int16_t>(sums[i], 0, Network::ONE);
        total += int(std::int16_t(v * weights[i])) * v;
    }
    return total;
}

#if COTULENH_TWO_BUILDS
// The same by AVX2, written out: left to themselves compilers keep the sums in memory, which is
// several times slower.
constexpr int LANES = 16;

// N registers of sums stay where they are while all rows pass by.
template <int N>
COTULENH_AVX2 void update_block(std::int16_t* sums, const std::int16_t* rows, const u16* come,
                                int more, const u16* gone, int less, int hidden) {
    __m256i part[N];
    auto* const out = reinterpret_cast<__m256i*>(sums);
    const auto row = [&](u16 n) {
        return reinterpret_cast<const __m256i*>(rows + std::size_t(n) * std::size_t(hidden));
    };
    for (int i = 0; i < N; ++i) part[i] = _mm256_loadu_si256(out + i);
    for (int r = 0; r < more; ++r)
        for (int i = 0; i < N; ++i)
            part[i] = _mm256_add_epi16(part[i], _mm256_loadu_si256(row(come[r]) + i));
    for (int r = 0; r < less; ++r)
        for (int i = 0; i < N; ++i)
            part[i] = _mm256_sub_epi16(part[i], _mm256_loadu_si256(row(gone[r]) + i));
    for (int i = 0; i < N; ++i) _mm256_storeu_si256(out + i, part[i]);
}

COTULENH_AVX2 void update_wide(std::int16_t* sums, const std::int16_t* rows, const u16* come,
                               int more, const u16* gone, int less, int hidden) {
    int b = 0;
    for (; b + 4 * LANES <= hidden; b += 4 * LANES)
        update_block<4>(sums + b, rows + b, come, more, gone, less, hidden);
    for (; b < hidden; b += LANES)
        update_block<1>(sums + b, rows + b, come, more, gone, less, hidden);
}

COTULENH_AVX2 int weigh_wide(const std::int16_t* sums, const std::int16_t* weights, int hidden) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(Network::ONE);
    __m256i total = zero;
    for (int i = 0; i < hidden; i += LANES) {
        const auto* const sum = reinterpret_cast<const __m256i*>(sums + i);
        const auto* const weight = reinterpret_cast<const __m256i*>(weights + i);
        const __m256i v = _mm256_min_epi16(_mm256_max_epi16(_mm256_loadu_si256(sum), zero), one);
        const __m256i weighed = _mm256_mullo_epi16(v, _mm256_loadu_si256(weight));
        total = _mm256_add_epi32(total, _mm256_madd_epi16(weighed, v));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b01001110));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b10110001));
    return _mm_cvtsi128_si32(half);
}
#else
constexpr auto& update_wide = update_plain;
constexpr auto& weigh_wide = weigh_plain;
#endif

std::atomic<bool> wide{processor_has_avx2()};

}  // namespace

void use_plain_loops(bool plain) { wide = !plain && processor_has_avx2(); }

namespace nnue {

void update(std::int16_t* sums, const std::int16_t* rows, const u16* come, int more,
            const u16* gone, int less, int hidden) {
    const auto run = wide.load(std::memory_order_relaxed) ? &update_wide : &update_plain;
    run(sums, rows, come, more, gone, less, hidden);
}

int weigh(const std::int16_t* sums, const std::int16_t* weights, int hidden) {
    const auto run = wide.load(std::memory_order_relaxed) ? &weigh_wide : &weigh_plain;
    return run(sums, weights, hidden);
}

}  // namespace nnue

std::shared_ptr<const Network> Network::read(std::string_view file, std::string& reason) {
    Header h;
    if (file.size() < sizeof h || file.substr(0, MAGIC.size()) != MAGIC) {
        reason = "it is not a network";
        return nullptr;
    }
    std::memcpy(&h, file.data(), sizeof h);
    if (!(reason = problem_of(h, file.size())).empty()) return nullptr;
    if (crc32(file.substr(16)) != h.checksum) {
        reason = "it is damaged, the checksum does not fit";
        return nullptr;
    }
    auto made = std::make_shared<Network>();
    made->game_ = name_of(h);
    made->inputs_ = int(h.inputs), made->hidden_ = int(h.hidden), made->buckets_ = h.buckets;
    made->flags_ = h.flags, made->decided_ = h.decided, made->checksum_ = h.checksum;
    made->count_ = numbers_of(h);
    made->numbers_.reset(
        static_cast<std::int16_t*>(::operator new(2 * made->count_, std::align_val_t(64))));
    std::memcpy(made->numbers_.get(), file.data() + sizeof h, 2 * made->count_);
    if (!(reason = made->problem()).empty()) return nullptr;
    return made;
}

// Sums of a full board must stay within sixteen bits, those of the last layer within thirty-two.
std::string Network::problem() const {
    constexpr int PIECES = 40;
    int row = 0, own = 0;
    for (const std::int16_t* w = rows(); w < bias(); ++w) row = std::max(row, std::abs(int(*w)));
    for (const std::int16_t* w = bias(); w < last(0); ++w) own = std::max(own, std::abs(int(*w)));
    if (row * PIECES + own > 32767) return "a weight of its first layer is too large";
    for (int b = 0; b < buckets_; ++b) {
        std::int64_t plus = 0, minus = 0;
        for (const std::int16_t* w = last(b); w < last(b) + 2 * hidden_; ++w) {
            if (std::abs(int(*w)) > 128) return "a weight of its last layer is too large";
            (*w > 0 ? plus : minus) += std::abs(int(*w));
        }
        if (std::max(plus, minus) * ONE * ONE > INT32_MAX)
            return "the weights of its last layer are too large together";
    }
    return {};
}

}  // namespace cotulenh::engine
