// Searches the magic factors stored in core/board/magics.hpp and core/games/chess/magics.hpp, and
// prints either file.
// Build and run: g++ -std=c++20 -O2 -Icore tools/find_magics.cpp -o find_magics && ./find_magics
// wide
#include <cstdio>
#include <string>
#include <vector>

#include "board/magic.hpp"
#include "board/window.cpp"

using namespace cotulenh;

namespace {

// A small generator of sparse words: factors with few bits collide less.
struct Random {
    u64 state = 0x9E3779B97F4A7C15;
    u64 next() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
    u64 sparse() { return next() & next() & next(); }
};

template <class Answer>
u64 find(u64 mask, u32 shift, Random& random, Answer&& answer) {
    std::vector<u64> block(std::size_t(1) << (64 - shift));
    for (;;) {
        const MagicPart part{mask, random.sparse(), shift, 0};
        if (fill_part(part, block.data(), answer)) return part.magic;
    }
}

// Chess: the far edge of each ray does not matter, unless the piece stands on it.
u64 chess_slider(const Rays<NarrowGrid>& rays, Square s, bool diagonal, u64 occupied, bool mask) {
    u64 out = 0;
    for (int d = diagonal ? 4 : 0; d < (diagonal ? 8 : 4); ++d) {
        NarrowSet occ;
        occ.w[0] = occupied;
        NarrowSet ray = rays.blocked(d, s, 8, occ);
        if (mask && ray.any()) {
            const bool rising = RANK_STEP[d] * 8 + FILE_STEP[d] > 0;
            ray.remove(rising ? ray.last() : ray.first());
        }
        out |= ray.w[0];
    }
    return out;
}

void print(const char* indent, const std::vector<u64>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        std::printf("%s0x%016llX%s", i % 4 ? " " : indent, (unsigned long long)values[i],
                    i + 1 == values.size() ? "\n"
                    : i % 4 == 3           ? ",\n"
                                           : ",");
}

void print_windows(Random& random) {
    std::printf(
        "// [side][range - 2][file], for the windows above and below a square.\n"
        "inline constexpr u64 WINDOW[2][3][12] = {\n");
    for (int side = UP; side <= DOWN; ++side) {
        std::printf("    {\n");
        for (int range = NEAREST_WINDOW; range <= FARTHEST_WINDOW; ++range) {
            std::vector<u64> values;
            for (int file = 0; file < WideGrid::files; ++file) {
                const u64 mask = window_mask(WindowSide(side), range, file);
                values.push_back(find(mask, 64 - std::popcount(mask), random, [&](u64 occupied) {
                    return window_answer(WindowSide(side), range, file, occupied);
                }));
            }
            std::printf("        {\n");
            print("            ", values);
            std::printf("        },\n");
        }
        std::printf("    },\n");
    }
    std::printf("};\n");
}

void print_chess(Random& random, const char* name, bool diagonal) {
    static const Rays<NarrowGrid> rays(8, 8);
    std::vector<u64> values;
    for (int s = 0; s < 64; ++s) {
        const u64 mask = chess_slider(rays, Square(s), diagonal, 0, true);
        const u32 shift = diagonal ? 64 - std::popcount(mask) : 52;
        values.push_back(find(mask, shift, random, [&](u64 occupied) {
            return chess_slider(rays, Square(s), diagonal, occupied, false);
        }));
    }
    std::printf("inline constexpr u64 %s[64] = {\n", name);
    print("    ", values);
    std::printf("};\n");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string which = argc == 2 ? argv[1] : "";
    if (which != "wide" && which != "chess") {
        std::fprintf(stderr, "find_magics wide | chess\n");
        return 2;
    }
    Random random;
    std::printf(
        "// Magic factors of the %s board. Written by `find_magics %s` (tools/find_magics.cpp); "
        "verified"
        "\n// by the tests.\n#pragma once\n\n#include \"board/grid.hpp\"\n\n"
        "// clang-format off\nnamespace cotulenh::magics {\n\n",
        which.c_str(), which.c_str());
    if (which == "wide") {
        print_windows(random);
    } else {
        std::printf("// Rooks: one shift (52) for every square.\n");
        print_chess(random, "ROOK", false);
        std::printf("\n// Bishops: 64 minus the bits of the square's mask.\n");
        print_chess(random, "BISHOP", true);
    }
    std::printf("\n}  // namespace cotulenh::magics\n// clang-format on\n");
}
