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

inline constexpr int MOST_IN_STACK = 3;

// Pieces without colour, in canonical order. Group{} is none; a plain `Group g;` is left unset.
class Group {
  public:
    Group() = default;
    // Any order, empties anywhere.
    static constexpr Group of(Piece a, Piece b = 0, Piece c = 0) {
        const auto key = [](Piece p) { return p ? p : Piece(31); };
        if (key(b) < key(a)) std::swap(a, b);
        if (key(c) < key(b)) std::swap(b, c);
        if (key(b) < key(a)) std::swap(a, b);
        return Group(u16(a | b << 5 | c << 10));
    }

    constexpr u16 bits() const { return bits_; }
    constexpr Piece operator[](int i) const { return Piece(bits_ >> 5 * i & 31); }
    constexpr explicit operator bool() const { return bits_ != 0; }
    friend constexpr bool operator==(Group, Group) = default;

  private:
    friend class Stack;
    constexpr explicit Group(u16 bits) : bits_(bits) {}
    u16 bits_;
};

// A group with its owner: what stands on a point. Stack{} is an empty point. It is a group wherever
// the colour does not matter.
class Stack {
  public:
    Stack() = default;
    constexpr Stack(Group g, Side side) : bits_(g ? u16(g.bits() | side << 15) : u16(0)) {}

    constexpr u16 bits() const { return bits_; }
    constexpr Side side() const { return Side(bits_ >> 15); }
    constexpr Group group() const { return Group(u16(bits_ & 0x7FFF)); }
    constexpr operator Group() const { return group(); }
    constexpr explicit operator bool() const { return bits_ != 0; }
    friend constexpr bool operator==(Stack, Stack) = default;

  private:
    u16 bits_;
};

constexpr Side side_of(Stack s) { return s.side(); }
constexpr Group group_of(Stack s) { return s.group(); }
constexpr Piece carrier_of(Group g) { return g[0]; }
constexpr bool is_single(Group g) { return !(g.bits() & 0x7FE0); }
constexpr int size_of(Group g) { return !!g.bits() + !!(g.bits() >> 5) + !!(g.bits() >> 10); }

template <class Visit>
constexpr void each_piece(Group g, Visit&& visit) {
    for (u16 rest = g.bits(); rest; rest >>= 5) visit(Piece(rest & 31));
}

constexpr bool contains(Group g, Kind kind) {
    bool found = false;
    each_piece(g, [&](Piece p) { found |= kind_of(p) == kind; });
    return found;
}

// All pieces of two groups together, or none if they are more than a stack can hold.
constexpr Group merged(Group a, Group b) {
    if (is_single(a) && is_single(b)) return Group::of(a[0], b[0]);
    if (size_of(a) + size_of(b) > MOST_IN_STACK) return {};
    const Group small = size_of(a) < size_of(b) ? a : b, large = size_of(a) < size_of(b) ? b : a;
    // The larger of the two has at most two pieces, unless the other is empty.
    if (!small) return large;
    return Group::of(large[0], large[1] ? large[1] : small[1], small[0]);
}

// What remains of a group when some of its pieces leave (which must all be in it).
constexpr Group without(Group whole, Group part) {
    if (whole == part) return {};  // most of the time
    Piece left[MOST_IN_STACK] = {whole[0], whole[1], whole[2]};
    each_piece(part, [&](Piece p) {
        for (Piece& l : left)
            if (l == p) {
                l = 0;
                return;
            }
    });
    return Group::of(left[0], left[1], left[2]);
}

// True if every piece of `part` is in `whole`, equal pieces counted.
constexpr bool includes(Group whole, Group part) {
    return size_of(without(whole, part)) + size_of(part) == size_of(whole);
}

// Calls visit(group) once for every different choice of pieces; the whole one only if asked for.
template <class Visit>
constexpr void each_choice(Group g, bool whole_too, Visit&& visit) {
    const int n = size_of(g), all = (1 << n) - 1;
    Group seen[7]{};
    int met = 0;
    for (int mask = 1; mask <= all; ++mask) {
        if (mask == all && !whole_too) break;
        Piece chosen[MOST_IN_STACK]{};
        for (int i = 0; i < n; ++i)
            if (mask >> i & 1) chosen[i] = g[i];
        const Group choice = Group::of(chosen[0], chosen[1], chosen[2]);
        bool known = false;
        for (int i = 0; i < met; ++i) known |= seen[i] == choice;
        if (known) continue;
        seen[met++] = choice;
        visit(choice);
    }
}

// Groups numbered without gaps, so that a move can hold one in twelve bits: the combinatorial
// number of the codes in falling order.
inline constexpr int GROUPS = 2300;
constexpr u16 group_number(Group g) {
    // In canonical order the codes rise; with empties as the smallest they fall from last to first.
    int x = g[0], y = g[1], z = g[2];
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
                    const Group g = Group::of(Piece(x), Piece(y), Piece(z));
                    of[group_number(g)] = g;
                }
    }
};
inline constexpr GroupTable GROUP_TABLE;

}  // namespace cotulenh::ctl
