// Scores: centipawns around zero, mates near the ends, counted in turns from the root.
#pragma once

#include <cstdlib>

#include "games/game.hpp"

namespace cotulenh::engine {

using Score = int;

inline constexpr int MAX_PLY = 128;  // single moves; a turn of Cờ Tư Lệnh may take several
inline constexpr Score INFINITE = 32000, MATE = 31000, NO_SCORE = 32001;
inline constexpr Score MATE_IN_MAX_PLY = MATE - 2 * MAX_PLY;  // from here on it is a proven mate

constexpr bool is_mate(Score s) { return s >= MATE_IN_MAX_PLY || s <= -MATE_IN_MAX_PLY; }
// The side to move has lost, or won, after `turns` turns of either side.
constexpr Score mated_in(int turns) { return turns - MATE; }
constexpr Score mate_in(int turns) { return MATE - turns; }
// Mates as UCI counts them: turns of the winning side; negative if the side to move is mated.
constexpr int mate_turns(Score s) { return s > 0 ? (MATE - s + 1) / 2 : -((MATE + s + 1) / 2); }

// In the transposition table mates are counted from the stored position, not from the root.
constexpr Score to_table(Score s, int turns) {
    return s >= MATE_IN_MAX_PLY ? s + turns : s <= -MATE_IN_MAX_PLY ? s - turns : s;
}
constexpr Score from_table(Score s, int turns) {
    return s >= MATE_IN_MAX_PLY ? s - turns : s <= -MATE_IN_MAX_PLY ? s + turns : s;
}

}  // namespace cotulenh::engine
