// A rule set: facts as rows (given), and the tables derived from them (built once).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "board/window.hpp"
#include "games/ctl/stack.hpp"

namespace cotulenh::ctl {

enum class Blocking : u8 { ALL, NONE, ENEMIES, SHIPS };
enum class Stands : u8 { LAND, SEA, ANY };
enum class Exchange : u8 { SUBSET, SINGLE, NONE };
enum class Facing : u8 { CHECK, FORBIDDEN, NONE };
enum class Objective : u8 { COMMANDER, MARINE, AIR, LAND, TACTICAL };
inline constexpr int GROUPS_OF_ARMS = 3;  // marine, air, land (10.2)

// Ranges: orthogonal and diagonal, 0 = never. One row for each kind and heroic state (3, 3.2).
struct Row {
    u8 move_o = 0, move_d = 0;
    u8 take_o = 0, take_d = 0;    // against anything but ships
    u8 ships_o = 0, ships_d = 0;  // against ships
    u8 ring = 0;
    bool ignores_rings = false;
};

struct KindFacts {
    bool present = false;
    Blocking move_blocked = Blocking::ALL;
    Blocking take_blocked = Blocking::ALL;
    Stands stands = Stands::LAND;
    bool ship = false, aircraft = false, heavy = false, indirect = false;
    u16 points = 0;
    u16 stay = 0;  // target kinds it may take without moving
};

struct Switches {
    bool boarding_last_point_for_mover = false;  // S5
    bool ship_stays_on_broken_path = true;       // S6, 4.2
    bool return_against_aircraft = false;        // S7
    bool aircraft_return = true;                 // 4.3
    Exchange exchange = Exchange::SUBSET;        // S8
    bool shelter = true;                         // S9
    bool deploy_substacks = true;                // S10
    bool heroes_each_step = false;               // S11
    Facing facing = Facing::CHECK;               // S12
    bool last_guard = true;                      // 9.2
    bool terrain_every_point = true;             // 14.3
    bool deploy_steps_safe = false;              // 14.3
};

struct RuleSpec {
    std::string name, start;
    int files = 11, ranks = 12;
    Set water, land, mixed, rivers, bridges;
    int river = 0;  // lower rank of the border heavy pieces mind (2.4), counted from 1; 0 = none
    u16 bridge_files = 0;                            // files where they may cross it
    std::vector<std::pair<Square, Square>> corners;  // 2.5
    Row rows[PIECES]{};                              // by piece code
    KindFacts kinds[KINDS]{};
    std::vector<std::vector<Kind>> cargo;  // whole stacks, carrier included
    Switches switches;
    Objective objective = Objective::COMMANDER;
    u16 arms[GROUPS_OF_ARMS]{};  // kinds of the marine, air and land groups
};

// How far blockers must be looked for, so the cheapest table is asked.
enum class Look : u8 { NOTHING, NEAR2 = 2, NEAR3, NEAR4, ORTHOGONAL, FAR };

// Everything that depends on a piece and its square alone, on an empty board.
struct PieceTables {
    Look move_look = Look::NOTHING, take_look = Look::NOTHING;
    bool aircraft = false;                      // and not one that ignores rings
    bool idle = true;                           // neither moves nor takes: a plain Headquarters
    Set walk[Frame::size];                      // quiet destinations
    Set board[Frame::size];                     // boarding destinations
    Set take[Frame::size], ships[Frame::size];  // takes, against others and against ships
    Set replace[Frame::size];                   // where a take is by replacing
    Set disc[Frame::size];                      // the ring around it (5.1); empty without one
};

class Rules {
  public:
    explicit Rules(RuleSpec spec);
    Rules(const Rules&) = delete;

    const RuleSpec spec;
    const Switches& sw = spec.switches;
    const Rays<Frame> rays;

    const KindFacts& facts(Piece p) const { return spec.kinds[kind_of(p)]; }
    const PieceTables& tables(Piece p) const { return (*tables_)[p]; }
    const Set& stand(Kind k) const { return stand_[k]; }
    bool can_stand(u16 stack, Square s) const { return stand_[kind_of(carrier_of(stack))].has(s); }
    // 7.2: one piece of the rule set, or a stack of its cargo table.
    bool valid(u16 stack) const { return valid_[index(stack)]; }
    // Kinds that share some valid stack with this one.
    u16 partners(Kind k) const { return partners_[k]; }
    const Set& zone(Square s) const { return zone_[s]; }  // whence anything could take s
    Look attack_look() const { return attack_look_; }     // covers every blocked take
    const std::vector<Piece>& defenders() const { return defenders_; }  // codes with a ring
    const std::vector<Piece>& ships() const { return ships_; }          // codes of ships
    bool facing() const { return sw.facing != Facing::NONE; }
    std::size_t bytes() const;

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
    static Look look_for(int o, int d);
    static constexpr Set everything() {
        Set s;
        for (u64& w : s.w) w = ~u64(0);
        return s;
    }

  private:
    static std::size_t index(u16 s) {
        const auto k = [](Piece p) { return std::size_t(p + 1) >> 1; };  // kind + 1; 0 = none
        return (k(piece_at(s, 0)) * 12 + k(piece_at(s, 1))) * 12 + k(piece_at(s, 2));
    }
    void build(Piece p);
    void build_square(PieceTables& t, Piece p, Square s) const;
    bool step_allowed(const KindFacts& f, Square from, Square to) const;

    Set stand_[KINDS];
    std::array<bool, 12 * 12 * 12> valid_{};
    u16 partners_[KINDS]{};
    std::unique_ptr<std::array<PieceTables, PIECES>> tables_;
    std::array<Set, Frame::size> zone_{};
    Look attack_look_ = Look::NOTHING;
    std::vector<Piece> defenders_, ships_;
};

}  // namespace cotulenh::ctl
