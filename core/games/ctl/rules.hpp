// A rule set: its facts, and what is derived from them once.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "games/ctl/tables.hpp"

namespace cotulenh::ctl {

class Rules {
  public:
    explicit Rules(RuleSpec spec);
    Rules(const Rules&) = delete;

    const RuleSpec spec;
    const Switches& sw = spec.switches;
    const Rays<Frame> rays;

    const KindFacts& facts(Piece p) const { return spec.kinds[kind_of(p)]; }
    const PieceTables& tables(Piece p) const { return (*tables_)[p]; }
    Kind commander() const { return commander_; }  // the kind whose loss ends the game
    const Set& stand(Kind k) const { return stand_[k]; }
    bool can_stand(Group g, Square s) const { return stand_[kind_of(carrier_of(g))].has(s); }
    // 7.2: one piece of the rule set, or a stack of its cargo table.
    bool valid(Group g) const { return valid_[index(g)]; }
    // 7.1: where two single pieces may stand as one stack; nowhere if they cannot be one.
    const Set& pair_stands(Piece a, Piece b) const { return stand_[pair_carrier_[a][b]]; }
    const Set& zone(Square s) const { return zone_[s]; }    // whence anything could take s
    const Set& sight(Square s) const { return sight_[s]; }  // whence s could be in anyone's way
    const Set& near_sight(Square s) const { return near_sight_[s]; }    // of two points at most
    Look attack_look() const { return attack_look_; }                   // covers every blocked take
    const std::vector<Piece>& defenders() const { return defenders_; }  // codes with a ring
    const std::vector<Piece>& ships() const { return ships_; }          // codes of ships
    u16 ship_kinds() const { return ship_kinds_; }
    u16 land_kinds() const { return land_kinds_; }  // neither ships nor aircraft
    bool facing() const { return sw.facing != Facing::NONE; }
    // 2.6, S13: where a Commander may board a ship, water on the way or not.
    const Set& ferry(Piece commander, Square from) const {
        return ferry_[is_heroic(commander)][from];
    }
    std::size_t bytes() const;
    // Another one for every rule set: tells them apart where one may have taken another's place.
    u64 serial() const { return serial_; }

    static constexpr Set everything() {
        Set s;
        for (u64& w : s.w) w = ~u64(0);
        return s;
    }
    // Points seen from a square by a given look; NOTHING sees everything.
    static Set seen(Look look, const Padded& occupied, Square from) {
        switch (look) {
            case Look::NOTHING:
                break;
            case Look::ORTHOGONAL:
                return visible_orthogonal(occupied, from);
            case Look::FAR:
                return visible_far(occupied, from);
            default:
                return visible_near(occupied, from, int(look));
        }
        return everything();
    }

  private:
    static std::size_t index(Group g) {
        const auto k = [](Piece p) { return std::size_t(p + 1) >> 1; };  // kind + 1; 0 = none
        return (k(g[0]) * 12 + k(g[1])) * 12 + k(g[2]);
    }
    void note_kind(Kind k);
    void note_cargo(const std::vector<Kind>& stack);
    void note_pairs();
    void build(Piece p);
    void widen_attack_look(Look look);

    static u64 next_serial();
    const u64 serial_ = next_serial();
    Kind commander_ = COMMANDER;
    Set stand_[KINDS + 1];             // the last one is nowhere
    u8 pair_carrier_[PIECES][PIECES];  // the kind of the carrier, KINDS if they cannot be a stack
    std::array<bool, 12 * 12 * 12> valid_{};
    u16 ship_kinds_ = 0, land_kinds_ = 0;
    std::unique_ptr<std::array<PieceTables, PIECES>> tables_;
    std::array<Set, Frame::size> zone_{}, sight_{}, near_sight_{}, ferry_[2]{};
    Look attack_look_ = Look::NOTHING;
    std::vector<Piece> defenders_, ships_;
};

}  // namespace cotulenh::ctl
