// Pieces and stacks as small integers (articles 3 and 7).
//
// A piece code is 1..22: kinds in carrier order N F T E H C I M A G S, the heroic one before the
// plain one. So sorting codes gives exactly the order of FEN (11.1), and the first is the carrier.
// A group is up to three codes of five bits in that order; a stack is a group plus its colour.
#pragma once

#include <bit>
#include <string_view>
#include <utility>

#include "board/set.hpp"
#include "games/game.hpp"

namespace cotulenh::ctl {

using Set = WideSet;
using Frame = WideGrid;

enum Kind : u8 {
    NAVY,
    AIR_FORCE,
    TANK,
    ENGINEER,
    HEADQUARTERS,
    COMMANDER,
    INFANTRY,
    MILITIA,
    ARTILLERY,
    ANTI_AIR,
    MISSILE,
    KINDS
};
inline constexpr std::string_view LETTERS = "NFTEHCIMAGS";

using Piece = u8;  // 0 = none
inline constexpr int PIECES = 2 * KINDS + 1;

constexpr Piece piece_of(Kind kind, bool heroic) { return Piece(1 + 2 * kind + (heroic ? 0 : 1)); }
constexpr Kind kind_of(Piece p) { return Kind((p - 1) >> 1); }
constexpr bool is_heroic(Piece p) { return p & 1; }
constexpr Piece heroic(Piece p) { return Piece(p - 1 + (p & 1)); }

using Group = u16;  // pieces without colour
using Stack = u16;  // a group with the colour in bit 15; 0 = empty point

inline constexpr int MOST_IN_STACK = 3;
inline constexpr Stack COLOUR_BIT = 0x8000;

constexpr Side side_of(Stack s) { return Side(s >> 15); }
constexpr Group group_of(Stack s) { return Group(s & 0x7FFF); }
constexpr Stack stack_of(Group g, Side side) { return g ? Stack(g | side << 15) : Stack(0); }
constexpr Piece carrier_of(u16 s) { return Piece(s & 31); }
constexpr Piece piece_at(u16 s, int i) { return Piece(s >> 5 * i & 31); }
constexpr bool is_single(u16 s) { return !(s & 0x7FE0); }
constexpr int size_of(u16 s) { return !!(s & 31) + !!(s & 31 << 5) + !!(s & 31 << 10); }

template <class Visit>
constexpr void each_piece(u16 s, Visit&& visit) {
    for (u16 rest = group_of(s); rest; rest >>= 5) visit(Piece(rest & 31));
}

constexpr bool contains(u16 s, Kind kind) {
    bool found = false;
    each_piece(s, [&](Piece p) { found |= kind_of(p) == kind; });
    return found;
}

// Three codes in canonical order, empties last.
constexpr Group sorted(Piece a, Piece b, Piece c) {
    const auto key = [](Piece p) { return p ? p : Piece(31); };
    if (key(b) < key(a)) std::swap(a, b);
    if (key(c) < key(b)) std::swap(b, c);
    if (key(b) < key(a)) std::swap(a, b);
    return Group(a | b << 5 | c << 10);
}

constexpr Group sorted(Piece a, Piece b) { return a < b ? Group(a | b << 5) : Group(b | a << 5); }

// All pieces of two groups together, or 0 if they are more than a stack can hold.
constexpr Group merged(u16 a, u16 b) {
    if (is_single(a) && is_single(b)) return sorted(carrier_of(a), carrier_of(b));
    if (size_of(a) + size_of(b) > MOST_IN_STACK) return 0;
    const u16 small = size_of(a) < size_of(b) ? a : b, large = size_of(a) < size_of(b) ? b : a;
    // The larger of the two has at most two pieces, unless the other is empty.
    if (!group_of(small)) return group_of(large);
    return sorted(piece_at(large, 0), piece_at(large, 1) ? piece_at(large, 1) : piece_at(small, 1),
                  piece_at(small, 0));
}

// What remains of a group when some of its pieces leave (which must all be in it).
constexpr Group without(u16 whole, u16 part) {
    Piece left[MOST_IN_STACK] = {piece_at(whole, 0), piece_at(whole, 1), piece_at(whole, 2)};
    each_piece(part, [&](Piece p) {
        for (Piece& l : left)
            if (l == p) {
                l = 0;
                return;
            }
    });
    return sorted(left[0], left[1], left[2]);
}

// True if every piece of `part` is in `whole`, equal pieces counted.
constexpr bool includes(u16 whole, u16 part) {
    return size_of(without(whole, part)) + size_of(part) == size_of(whole);
}

// Calls visit(group) once for every different choice of pieces; the whole one only if asked for.
template <class Visit>
constexpr void each_choice(u16 s, bool whole_too, Visit&& visit) {
    const int n = size_of(s), all = (1 << n) - 1;
    Group seen[7]{};
    int met = 0;
    for (int mask = 1; mask <= all; ++mask) {
        if (mask == all && !whole_too) break;
        Piece chosen[MOST_IN_STACK]{};
        for (int i = 0; i < n; ++i)
            if (mask >> i & 1) chosen[i] = piece_at(s, i);
        const Group g = sorted(chosen[0], chosen[1], chosen[2]);
        bool known = false;
        for (int i = 0; i < met; ++i) known |= seen[i] == g;
        if (known) continue;
        seen[met++] = g;
        visit(g);
    }
}

// Groups numbered without gaps, so that a move can hold one in twelve bits: the combinatorial
// number of the codes in falling order.
inline constexpr int GROUPS = 2300;
constexpr u16 group_number(Group g) {
    // In canonical order the codes rise; with empties as the smallest they fall from last to first.
    int x = piece_at(g, 0), y = piece_at(g, 1), z = piece_at(g, 2);
    if (z)
        std::swap(x, z);  // rising a b c becomes falling c b a
    else if (y)
        std::swap(x, y);
    return u16(x * (x + 1) * (x + 2) / 6 + y * (y + 1) / 2 + z);
}

struct GroupTable {
    Group of[GROUPS]{};
    constexpr GroupTable() {
        for (int x = 0; x < PIECES; ++x)
            for (int y = 0; y <= x; ++y)
                for (int z = 0; z <= y; ++z) {
                    const Group g = sorted(Piece(x), Piece(y), Piece(z));
                    of[group_number(g)] = g;
                }
    }
};
inline constexpr GroupTable GROUP_TABLE;

}  // namespace cotulenh::ctl
