// The facts of a rule set, as given: rows, columns and switches, and the words that name them in
// rule files. A fact is spelled here once; the linter reads the words from this table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/ctl/stack.hpp"

namespace cotulenh::ctl {

using Words = std::span<const std::string_view>;

// Each enum with the words of its values, in their order.
enum class Blocking : u8 { ALL, NONE, ENEMIES, SHIPS };
inline constexpr std::string_view BLOCKING[] = {"all", "none", "enemies", "ships"};
enum class Stands : u8 { LAND, SEA, ANY };
inline constexpr std::string_view STANDS[] = {"land", "sea", "any"};
enum class Exchange : u8 { SUBSET, SINGLE, NONE };
inline constexpr std::string_view EXCHANGES[] = {"subset", "single", "none"};
enum class Facing : u8 { CHECK, FORBIDDEN, NONE };
inline constexpr std::string_view FACINGS[] = {"check", "forbidden", "none"};
enum class Objective : u8 { COMMANDER, MARINE, AIR, LAND, TACTICAL };
inline constexpr std::string_view OBJECTIVES[] = {"commander", "marine", "air", "land", "tactical"};
inline constexpr std::string_view TERRAIN_PATHS[] = {"every", "last"};
// The groups of arms (10.2), in the order of RuleSpec::arms.
inline constexpr std::string_view ARMS[] = {"marine", "air", "land"};
inline constexpr int GROUPS_OF_ARMS = int(std::size(ARMS));

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
    bool ship = false;          // 2.5, 3.1
    bool aircraft = false;      // 2.6, 4.3, 5.2
    bool heavy = false;         // 2.4
    bool indirect = false;      // 4.4
    bool commander = false;     // 6; one kind of a rule set
    bool headquarters = false;  // 4.4
    u16 points = 0;
    u16 stay = 0;  // target kinds it may take without moving
};

// The yes/no columns of a kind by name.
struct FlagRow {
    std::string_view name;
    bool KindFacts::* flag;
};
inline constexpr FlagRow FLAGS[] = {
    {"ship", &KindFacts::ship},           {"aircraft", &KindFacts::aircraft},
    {"heavy", &KindFacts::heavy},         {"indirect", &KindFacts::indirect},
    {"commander", &KindFacts::commander}, {"headquarters", &KindFacts::headquarters},
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
    bool commander_boards_over_water = true;     // S13, 2.6
    bool last_guard = true;                      // 9.2
    bool terrain_every_point = true;             // 14.3
    bool deploy_steps_safe = false;              // 14.3
};

// The switches by name: words to choose from, or none for yes and no. `set` takes the number of the
// word, or 0 and 1.
struct SwitchRow {
    std::string_view name;
    Words words;
    void (*set)(Switches&, int);
};
inline constexpr SwitchRow SWITCHES[] = {
    {"boarding_last_point_for_mover",
     {},
     [](Switches& s, int v) { s.boarding_last_point_for_mover = v; }},
    {"ship_stays_on_broken_path", {}, [](Switches& s, int v) { s.ship_stays_on_broken_path = v; }},
    {"return_against_aircraft", {}, [](Switches& s, int v) { s.return_against_aircraft = v; }},
    {"aircraft_return", {}, [](Switches& s, int v) { s.aircraft_return = v; }},
    {"exchange", EXCHANGES, [](Switches& s, int v) { s.exchange = Exchange(v); }},
    {"shelter", {}, [](Switches& s, int v) { s.shelter = v; }},
    {"deploy_substacks", {}, [](Switches& s, int v) { s.deploy_substacks = v; }},
    {"heroes_each_step", {}, [](Switches& s, int v) { s.heroes_each_step = v; }},
    {"facing", FACINGS, [](Switches& s, int v) { s.facing = Facing(v); }},
    {"commander_boards_over_water",
     {},
     [](Switches& s, int v) { s.commander_boards_over_water = v; }},
    {"last_guard", {}, [](Switches& s, int v) { s.last_guard = v; }},
    {"terrain_path", TERRAIN_PATHS, [](Switches& s, int v) { s.terrain_every_point = v == 0; }},
    {"deploy_steps_safe", {}, [](Switches& s, int v) { s.deploy_steps_safe = v; }},
};

struct RuleSpec {
    std::string name, start;
    int files = 11, ranks = 12;
    Set water, land, mixed, bridges;
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

}  // namespace cotulenh::ctl
