// The terms of Cờ Tư Lệnh's evaluation and their weights.
#pragma once

#include "engine/weights.hpp"

namespace cotulenh::engine::ctl_eval {

// Indices of the weights. Runs are indexed by piece code less one (heroic and plain), by kind, by
// rank seen from the owner, by file, or by a count.
enum Term : int {
    MATERIAL = 0,               // by piece code
    CARRIED = MATERIAL + 22,    // by kind: what being a passenger adds
    RANK = CARRIED + 11,        // by kind, twelve ranks each
    FILE = RANK + 11 * 12,      // by kind, twelve files each
    MOBILITY = FILE + 11 * 12,  // by carrier's kind: points it could move to
    PRESSURE = MOBILITY + 11,   // by kind of the victim: attacked enemy stacks
    LOOSE = PRESSURE + 11,      // by kind of the victim: attacked and not defended
    HELD = LOOSE + 11,          // by kind: own stacks that are defended
    SEA = HELD + 11,            // points of the sea that ships reach
    SKY = SEA + 1,              // enemy half: points inside own rings
    SKY_HOME,                   // own half: points inside own rings
    AIR_FREE,                   // own aircraft standing outside all enemy rings
    BRIDGE,                     // bridge points attacked
    BRIDGE_HEAVY,               // heavy pieces on a bridge point
    ATTACKERS,                  // pieces that reach the enemy Commander's surroundings: 0..7
    HITS = ATTACKERS + 8,       // points around him attacked and not defended: 0..8
    ESCAPES = HITS + 9,         // points he could walk to in safety: 0..7 and more
    GUARDS = ESCAPES + 8,       // own stacks beside the Commander: 0..7
    HERO_NEXT = GUARDS + 8,     // plain pieces whose range holds the enemy Commander
    SHELTERED,                  // Commander inside his Headquarters
    ABOARD,                     // Commander carried by anything else
    LINE,                       // pieces on the line between the Commanders: 1, 2, 3 or more
    LAST_ARMS = LINE + 3,       // groups of arms (10.2) down to one piece, when that counts
    FEW_ARMS,                   // down to two
    TEMPO,
    TERMS
};

using Weights = engine::Weights<TERMS>;
extern const Weights DEFAULT;
extern const std::vector<TermGroup> GROUPS;

}  // namespace cotulenh::engine::ctl_eval
