// A small network beside the terms of chess: it has learnt from self-play what their sum misses.
//
// Each side looks at the board from its own end, turned so that its king stands on the left half.
// Every piece it sees (own or not, kind, square) adds a row of weights to a layer of sums; both
// layers, cut off at 0 and ONE and squared, are weighed once more, by how many pieces are left.
// Whole numbers throughout, so that every machine gets the same score.
#pragma once

#include "engine/score.hpp"
#include "games/chess/position.hpp"

namespace cotulenh::engine::chess_net {

inline constexpr int INPUTS = 2 * 6 * 64, HIDDEN = 64, BUCKETS = 8;
inline constexpr int ONE = 255, UNIT = 64;  // 1.0 in the first layer, and in the last
inline constexpr int CENTIPAWNS = 400;      // that an output of 1.0 stands for

struct Net {
    std::int16_t first[INPUTS][HIDDEN], bias[HIDDEN];
    std::int16_t last[BUCKETS][2][HIDDEN], offset[BUCKETS];  // of the side to move, of the other
};
extern const Net& NET;

// Which row a piece adds to the view of a side.
constexpr int input(Side side, bool turned, Side owner, chess::Kind kind, Square s) {
    return (owner != side) * 384 + kind * 64 +
           (s ^ (side == chess::BLACK ? 56 : 0) ^ (turned ? 7 : 0));
}
inline bool turned(const chess::Position& p, Side side) { return chess::file_of(p.king(side)) > 3; }
inline int bucket(const chess::Position& p) { return (std::popcount(p.occupied()) - 1) / 4; }

// One side's sums. Positions that are evaluated one after the other differ by a few pieces: only
// those are added and taken away.
class View {
  public:
    View();
    const std::int16_t* see(const chess::Position& p, Side side, bool turned);

  private:
    chess::Bits seen_[2][6]{};
    alignas(64) std::int16_t sums_[HIDDEN];
};

class Memory {
  public:
    // What to add to the sum of the terms, for the side to move.
    Score evaluate(const chess::Position& p);

  private:
    View views_[2][2];  // by side, and which way it is turned
};

}  // namespace cotulenh::engine::chess_net
