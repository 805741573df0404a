// What the evaluation of Cờ Tư Lệnh knows of every stack, kept from one position to the next: most
// of it is the same there.
#pragma once

#include <functional>

#include "engine/journal.hpp"
#include "engine/terms_ctl.hpp"
#include "games/ctl/position.hpp"

namespace cotulenh::engine::ctl_eval {

// A number for every point: how many stacks attack it. One set for each binary digit, so that whole
// sets of points are counted up and down.
class PointCounts {
  public:
    void add(const ctl::Set& points) {
        for (int i = 0; i < ctl::Set::words; ++i) {
            u64 carry = points.w[i];
            for (int d = 0; carry; ++d) {
                const u64 before = digit_[d].w[i];
                digit_[d].w[i] = before ^ carry;
                carry &= before;
            }
        }
    }
    void remove(const ctl::Set& points) {
        for (int i = 0; i < ctl::Set::words; ++i) {
            u64 borrow = points.w[i];
            for (int d = 0; borrow; ++d) {
                const u64 before = digit_[d].w[i];
                digit_[d].w[i] = before ^ borrow;
                borrow &= ~before;
            }
        }
    }
    ctl::Set twice() const {  // counted at least twice
        ctl::Set out = digit_[1];
        for (int d = 2; d < DIGITS; ++d) out |= digit_[d];
        return out;
    }
    ctl::Set once() const { return digit_[0] | twice(); }

  private:
    static constexpr int DIGITS = 6;  // a point is attacked along its lines, which have 44 points
    ctl::Set digit_[DIGITS];
};

// What a carrier brings along wherever it stands; phase and aircraft are those of the whole stack.
struct Traits {
    ctl::Kind kind{};
    u8 phase = 0, aircraft = 0;
    bool ship = false, defends = false;  // has a ring
    bool flies = false;                  // and may be shot down
    bool is_calm = false;                // frightens no Commander
    bool far = false;                    // looks farther than Rules::near_sight
    bool is_aloft() const { return flies || aircraft; }
    bool is_joint() const { return ship || is_aloft(); }
};

// What a stack is worth by itself, and what it sees: the same as long as neither it nor anything in
// its sight changes.
struct Stand : Traits {
    Pair worth = 0;  // by pieces, point and mobility, unless that is in the air
    int mobility = 0;
    ctl::Set watched;  // where a change of the board matters
    ctl::Set walks, takes;
};

class Stands {
  public:
    void clear();
    // Goes over to another position. What is kept holds for one rule set and one set of weights.
    void update(const ctl::Position& p, const Weights& weights);

    Journal<ctl::Position> journal;  // of those positions

    int phase() const { return phase_; }

    // Of one side:
    const ctl::Set& attacks(Side side) const { return sides_[side].attacks; }
    const ctl::Set& attacked_twice(Side side) const { return sides_[side].twice; }
    const ctl::Set& around_commander(Side side) const { return sides_[side].around; }
    int attackers(Side side) const { return sides_[side].near.count(); }
    int hero_candidates(Side side) const { return sides_[side].aims.count(); }
    Pair worth(Side side) const { return sides_[side].worth; }
    // The terms in that worth, one by one: visit(term, count).
    void each_term(Side side, const std::function<void(int, int)>& visit) const;

  private:
    // What all stacks of a side come to.
    struct Army {
        Pair worth = 0;           // of everything; in it:
        Pair sky = 0, joint = 0;  // what rings, and what ships and aircraft, are worth together
        PointCounts counts;       // of attacks,
        ctl::Set attacks;         // and what follows from them
        ctl::Set twice;
        ctl::Set cover;                 // inside the rings
        ctl::Set rings, ships, aloft;   // stacks that have one, that are one, with aircraft
        ctl::Set near;                  // stacks that attack the other Commander's surroundings
        ctl::Set aims;                  // stacks of plain pieces whose range holds him
        ctl::Set held, pressed, loose;  // stacks that are defended, attacked, attacked only
        ctl::Set around;                // the own Commander and the points beside him
        Square commander = NO_SQUARE;
        bool rings_changed = false, joint_changed = false, enemy_moved = false;
    };

    void begin(const ctl::Position& p, const Weights& weights);
    void note_traits(ctl::Piece p);
    void note_commander(const ctl::Position& p, Side side);
    void replace(const ctl::Position& p, Square s);
    void leave(Square s);
    void meet(Square s);
    void look(const ctl::Position& p, Square s);
    bool is_near(Square s) const;
    bool aims(Square s) const;
    void sum_up(const ctl::Position& p);
    void sum_up_rings(Side side);
    void sum_up_joint(Side side);
    void sum_up_threats(const ctl::Position& p, Side side);
    void follow(ctl::Set& kept, const ctl::Set& now, int term, Pair& worth) const;
    template <class Visit>
    void each_own_term(Square s, Visit&& visit) const;
    template <class Visit>
    void each_sky_term(Side side, Visit&& visit) const;
    template <class Visit>
    void each_joint_term(Side side, Visit&& visit) const;
    // Each member of a set counts for a term by the kind of its carrier.
    template <class Visit>
    void each_kind_term(const ctl::Set& stacks, int term, Visit&& visit) const {
        stacks.each([&](Square s) { visit(term + int(at_[s].kind), 1); });
    }
    Army& army_of(Square s) { return sides_[side_of(board_[s])]; }
    const Army& enemy_of(Square s) const { return sides_[side_of(board_[s]) ^ 1]; }

    u64 serial_ = 0;
    const ctl::Rules* rules_ = nullptr;
    const Weights* weights_ = nullptr;
    ctl::Set before_;  // where something stood
    ctl::Set far_;     // stacks that look far
    ctl::Set south_;   // half of the board
    Army sides_[2];
    int phase_ = 0;
    Traits traits_[ctl::PIECES];
    ctl::Stack board_[ctl::Frame::size]{};
    Stand at_[ctl::Frame::size];
};

}  // namespace cotulenh::engine::ctl_eval
