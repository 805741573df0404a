// Reverse attack detection: who attacks a point, without generating moves.
//
// One look outwards from the target by the magic tables tells which points see it; every enemy
// piece in the target's zone is then asked whether its own row reaches that far.
#pragma once

#include "games/ctl/position.hpp"

namespace cotulenh::ctl {

// The rings of one side at one moment (5.1).
class AirDefence {
  public:
    AirDefence(const Position& position, Side side);

    const Set& covered() const { return covered_; }

    // What a flight over `path` to `target` (its last point) is (5.2).
    enum Flight : u8 { FREE, EXCHANGED, IMPOSSIBLE };
    Flight flight(const Set& path, Square target, Exchange rule) const;

  private:
    // Calls visit(disc) for every defender.
    template <class Visit>
    void each_disc(Visit&& visit) const;

    const Position& position_;
    const Side side_;
    Set covered_;
};

// Everything the attackers of one target share.
class Target {
  public:
    // The stack that stands there, or one that would: a Commander who is about to walk there.
    Target(const Position& position, Side by, Square target, const Padded& occupied)
        : Target(position, by, target, occupied, position.at(target)) {}
    Target(const Position& position, Side by, Square target, const Padded& occupied, Stack stack);

    // Could piece p on s take the target as it stands? (6.4, pseudo-legally)
    bool attacked_by(Piece p, Square s);
    // The same, were nothing in between.
    bool in_reach(Piece p, Square s) const;
    bool blockable(Piece p) const { return rules_.tables(p).take_look != Look::NOTHING; }

  private:
    bool may_fly(Square s);

    const Position& position_;
    const Rules& rules_;
    const Padded& occupied_;
    const Side by_;
    const Square target_;
    u16 kinds_ = 0;  // what the target is: the kind of its carrier, or what could stand there
    bool ship_ = false, sheltered_ = false;
    bool looked_ = false;
    Set seen_;
    std::optional<AirDefence> defence_;
};

template <class Visit>
void Position::each_attacker(Side by, Square target, Visit&& visit) const {
    const Set near = side_[by].set & rules_->zone(target);
    if (near.none()) return;
    Target t(*this, by, target, occupied_);
    near.each([&](Square s) {
        Piece last = 0;
        each_piece(board_[s], [&](Piece p) {
            if (p != last && t.attacked_by(p, s)) visit(s, p);
            last = p;
        });
    });
}

}  // namespace cotulenh::ctl
