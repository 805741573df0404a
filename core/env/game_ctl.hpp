// Cờ Tư Lệnh as a learner sees it: moves as numbers, positions as planes. All that this room knows
// of the game's own types stands here and in game_ctl.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "env/ending.hpp"
#include "env/lines.hpp"
#include "games/ctl/fen.hpp"

namespace cotulenh::env {

// Actions (docs/environment.md has the table): a pair of squares on one line of the 12 x 12 frame,
// seen from the side to move, times which pieces of the stack go. What the move does there (goes,
// takes, boards) follows from the position, but for the choice to take by staying, and for a
// Commander who may breach or take.
class CtlGame {
  public:
    using Position = ctl::Position;
    using Move = ctl::Move;

    static constexpr int SIZE = 12;  // of the frame, whatever the board
    static constexpr Lines<SIZE> LINES{};
    enum Variant { WHOLE, WHOLE_STAYS, PART };  // the six parts follow PART
    static constexpr int PARTS = 6, VARIANTS = PART + PARTS;
    static constexpr int BREACH = VARIANTS * LINES.PAIRS;  // by the Commander: whole, six parts
    static constexpr int COMMIT = BREACH + 1 + PARTS;
    static constexpr int ACTIONS = COMMIT + 1;

    // Planes of the pieces of one side, in this order; all come first, own before enemy.
    static constexpr int STANDING = 0, STANDING_HEROIC = ctl::KINDS, CARRIED = STANDING_HEROIC + 1,
                         CARRIED_HEROIC = CARRIED + ctl::KINDS,
                         SIDE_PLANES = CARRIED_HEROIC + ctl::KINDS;
    static constexpr int PIECE_PLANES = 2 * SIDE_PLANES;
    enum Plane {
        OWN_RING = PIECE_PLANES,
        ENEMY_RING,
        WATER,
        MIXED,
        LAND,
        BRIDGE,
        ORIGIN,
        REMAINING,
        REMAINING_HEROIC = REMAINING + ctl::KINDS,
        CLOCK,
        REPETITION,
        FIRST_PLAYER,
        PLANES
    };

    explicit CtlGame(std::shared_ptr<const ctl::Rules> rules);

    int files() const { return rules_->spec.files; }
    int ranks() const { return rules_->spec.ranks; }
    std::optional<Position> read(const std::string& fen, std::string& problem) const;
    static std::string fen(const Position& p) { return ctl::write_fen(p); }
    static bool mid_turn(const Position& p) { return p.deploying(); }
    // Whether no position before this one can come back.
    static bool irreversible(const Position& p) { return p.halfmove() == 0; }

    // The numbers of legal moves, in their order.
    void number(const Position& p, const Move* moves, int n, std::int32_t* out) const;
    // How the game stands, told how often this position was met.
    Ending ending(Position& p, int seen) const;
    // What a move wins at once, in points (10.4).
    int gain(const Position& p, Move m) const;

    // Points as they stand, for the history.
    using Snapshot = std::array<ctl::Stack, ctl::Frame::size>;
    static void keep(const Position& p, Snapshot& out);
    template <class T>
    void write_past(const Snapshot& past, Side viewer, T* out) const;
    template <class T>
    void write(const Position& p, Side viewer, int seen, T* out) const;

  private:
    template <class T>
    void write_stack(ctl::Stack stack, int at, Side viewer, T* out) const;
    template <class T>
    void write_deployment(const Position& p, Side viewer, T* out) const;
    template <class T>
    void write_set(const ctl::Set& set, Side viewer, T* plane) const;

    std::shared_ptr<const ctl::Rules> rules_;
    int area_;
    u8 cell_[2][ctl::Frame::size];  // where a point lies in a plane, for each viewer
    std::vector<u8> terrain_[2];    // four planes, for each viewer
};

}  // namespace cotulenh::env
