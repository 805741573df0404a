// A position with its history: what Python's Board holds.
#pragma once

#include "games/ctl/notation.hpp"

namespace cotulenh::ctl {

enum class Reason : u8 {
    COMMANDER_TAKEN,
    CHECKMATE,
    OBJECTIVE,
    STALEMATE,
    REPETITION,
    CLOCK,
};

inline constexpr Side NOBODY = 2;
struct Outcome {
    Side winner = NOBODY;  // nobody: a draw
    Reason reason = Reason::CLOCK;
};

class Board {
  public:
    explicit Board(const Position& start);

    Position& position() { return position_; }
    const Position& position() const { return position_; }
    int moves() const { return int(played_.size()); }
    Move move(int i) const { return played_[std::size_t(i)].move; }

    void push(Move m);  // must be legal
    Move pop();         // the last single move; there must be one
    void undo();        // 8.5: the last step of an open deployment, otherwise the last whole turn

    int times_seen() const;  // how often the position stood at the start of a turn, now included
    std::optional<Outcome> outcome();
    int points(Side side) const;  // taken by this side (10.4)
    // Finished turns, each the moves it consisted of.
    std::vector<std::vector<Move>> turns() const;
    std::vector<std::string> history(bool san) const;
    std::vector<Move> steps() const;  // of the open deployment, as far as they are known

  private:
    struct Played {
        Move move;
        bool begins_turn;
        Undo undo;
    };
    static constexpr u32 DRAWN_AFTER = 100;  // 10.3

    Position position_;
    std::vector<Played> played_;
    std::vector<u64> keys_;  // of the positions at the start of each turn
};

}  // namespace cotulenh::ctl
