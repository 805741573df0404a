// Whole games as fixed records: what self-play writes and training reads.
//
// The records are those of the file format of docs/networks.md, little-endian, so that NumPy maps a
// file without copying. Games are kept whole: what is left out of a lesson is decided when it is
// read, not when it is written.
#pragma once

#include <bit>
#include <vector>

#include "engine/score.hpp"

namespace cotulenh::engine {

static_assert(std::endian::native == std::endian::little, "records are written as they stand");

inline constexpr std::int16_t NOT_SEARCHED = 32001;  // the score of a random move

// One move of a game and what the search said before it was made.
struct PlyRecord {
    enum Flag : u16 { RANDOM = 1, CHECK = 2, TAKE = 4, MID_TURN = 8 };
    u32 move;
    std::int16_t score;  // for the side to move
    u16 flags;
};
static_assert(sizeof(PlyRecord) == 8);

enum class Reason : u8 { LAW, RESIGNED, TOO_LONG };

// One game: its plies are `count` records from number `first` on.
struct GameRecord {
    u64 first;
    u32 count;
    u8 result;  // for the side that moves first in the game: 0 lost, 1 drawn, 2 won
    Reason reason;
    u16 random;  // moves of the opening that nobody chose
    u64 seed;
    u64 last_key;  // of the position where it ended: equal games are found by it
};
static_assert(sizeof(GameRecord) == 32);

struct Games {
    std::vector<GameRecord> games;
    std::vector<PlyRecord> plies;
};

// What a lesson leaves out: noisy positions and those that say little of the evaluation.
struct Filter {
    int first_ply = 8;     // openings repeat themselves
    Score largest = 2000;  // beyond that the game is decided
    u16 unwanted = PlyRecord::RANDOM | PlyRecord::CHECK | PlyRecord::TAKE | PlyRecord::MID_TURN;

    bool keeps(const PlyRecord& ply, u32 number) const {
        return int(number) >= first_ply && !(ply.flags & unwanted) &&
               std::abs(ply.score) <= largest;
    }
};

}  // namespace cotulenh::engine
