// How a game stands, the same for both games.
#pragma once

#include "games/game.hpp"

namespace cotulenh::env {

struct Ending {
    bool over = false;
    Side winner = NOBODY;

    // What the end is worth to a side.
    float value(Side side) const {
        return !over || winner == NOBODY ? 0.f : winner == side ? 1.f : -1.f;
    }
};

// Both games are drawn by the third occurrence and after a hundred half-turns without progress.
inline constexpr int DRAWN_BY_REPETITION = 3;
inline constexpr u32 DRAWN_AFTER = 100;

}  // namespace cotulenh::env
