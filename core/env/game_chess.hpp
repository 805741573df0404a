// Chess as a learner sees it: moves as numbers, positions as planes. All that this room knows of
// the game's own types stands here and in game_chess.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "env/ending.hpp"
#include "env/lines.hpp"
#include "games/chess/fen.hpp"

namespace cotulenh::env {

// Actions: pairs of squares on a line, then knights' pairs, then promotions to a knight, bishop and
// rook (a plain pair promotes to a queen), then castling towards the a- and the h-file. All seen
// from the side to move.
class ChessGame {
  public:
    using Position = chess::Position;
    using Move = chess::Move;

    static constexpr int SIZE = 8;
    static constexpr Lines<SIZE> LINES{};
    static constexpr int KNIGHTS = LINES.PAIRS, KNIGHT_PAIRS = 336;
    static constexpr int PROMOTIONS = KNIGHTS + KNIGHT_PAIRS, PROMOTION_PAIRS = 22;
    static constexpr int CASTLING = PROMOTIONS + 3 * PROMOTION_PAIRS;
    static constexpr int ACTIONS = CASTLING + 2;

    static constexpr int PIECE_PLANES = 12;
    enum Plane {
        OWN_CASTLING = PIECE_PLANES,
        ENEMY_CASTLING,
        EN_PASSANT,
        CLOCK,
        REPETITION,
        FIRST_PLAYER,
        PLANES
    };

    explicit ChessGame(bool chess960) : chess960_(chess960) {}

    static constexpr int files() { return SIZE; }
    static constexpr int ranks() { return SIZE; }
    std::optional<Position> read(const std::string& fen, std::string& problem) const;
    static std::string fen(const Position& p) { return chess::write_fen(p); }
    static bool mid_turn(const Position&) { return false; }
    static bool irreversible(const Position& p) { return p.halfmove() == 0; }

    void number(const Position& p, const Move* moves, int n, std::int32_t* out) const;
    Ending ending(Position& p, int seen) const;
    int gain(const Position& p, Move m) const;

    using Snapshot = std::array<chess::Piece, SIZE * SIZE>;
    static void keep(const Position& p, Snapshot& out);
    template <class T>
    void write_past(const Snapshot& past, Side viewer, T* out) const;
    template <class T>
    void write(const Position& p, Side viewer, int seen, T* out) const;

  private:
    bool chess960_;
};

}  // namespace cotulenh::env
