// Parts of the search that can be switched off: tests compare what is left with plain minimax, and
// measurements the search with and without one of them (docs/strength.md has the figures).
#pragma once

#include <string_view>

#include "board/grid.hpp"

namespace cotulenh::engine {

enum Feature : u32 {
    TRANSPOSITION_TABLE = 1 << 0,
    QUIESCENCE = 1 << 1,
    NULL_MOVE = 1 << 2,
    LMR = 1 << 3,  // late move reductions
    REVERSE_FUTILITY = 1 << 4,
    FUTILITY = 1 << 5,
    LATE_MOVE_PRUNING = 1 << 6,
    SEE_PRUNING = 1 << 7,  // by static exchange evaluation
    CHECK_EXTENSION = 1 << 8,
    SINGULAR = 1 << 9,
    ASPIRATION = 1 << 10,
    INTERNAL_REDUCTION = 1 << 11,  // internal iterative reduction
    KILLERS = 1 << 12,             // and counter-moves
    HISTORY = 1 << 13,
    CONTINUATION_HISTORY = 1 << 14,
    STEP_REDUCTION = 1 << 15,  // steps of a deployment are reduced more
    RAZORING = 1 << 16,
    NETWORK = 1 << 17,             // NNUE, a part of the evaluation
    CORRECTION_HISTORY = 1 << 18,  // the evaluation corrected by what searches found
    STEP_ORDER = 1 << 19,          // a turn is searched in one order of its steps
    THREAT_HISTORY = 1 << 20,      // history by what the opponent attacks
    EVERYTHING = (1 << 21) - 1,
    // What may overlook something: forward pruning.
    PRUNING = NULL_MOVE | REVERSE_FUTILITY | FUTILITY | LATE_MOVE_PRUNING | SEE_PRUNING | RAZORING,
};
// In the order of their bits; users know them by these.
inline constexpr std::string_view FEATURE_NAMES[] = {
    "hash",       "quiescence",         "null_move", "reductions",      "reverse_futility",
    "futility",   "late_moves",         "exchanges", "check_extension", "singular",
    "aspiration", "internal_reduction", "killers",   "history",         "follow_ups",
    "steps_late", "razoring",           "network",   "correction",      "step_order",
    "threats"};
static_assert((1 << std::size(FEATURE_NAMES)) - 1 == EVERYTHING);

}  // namespace cotulenh::engine
