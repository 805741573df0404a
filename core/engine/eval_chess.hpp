// What a chess position is worth: terms and their weights.
#pragma once

#include <algorithm>
#include <memory>

#include "engine/weights.hpp"
#include "games/chess/position.hpp"

namespace cotulenh::engine::chess_eval {

// Indices of the weights. Runs are indexed by kind, rank (seen from the owner) or a count.
enum Term : int {
    MATERIAL = 0,                          // by kind, king excepted
    PIECE_SQUARE = MATERIAL + 5,           // by kind, rank and file folded at the middle
    MOBILITY = PIECE_SQUARE + 6 * 32,      // knight, bishop, rook, queen: by reachable squares
    PASSED = MOBILITY + 9 + 14 + 15 + 28,  // by rank
    PASSED_FREE = PASSED + 8,              // the square before it is empty, by rank
    PASSED_SAFE = PASSED_FREE + 8,         // nothing attacks its way to the last rank, by rank
    PASSED_OWN_KING = PASSED_SAFE + 8,     // king's distance to the square before it, by rank
    PASSED_ENEMY_KING = PASSED_OWN_KING + 8,
    SUPPORTED = PASSED_ENEMY_KING + 8,  // pawn defended by a pawn, by rank
    PHALANX = SUPPORTED + 8,            // pawns side by side, by rank
    ISOLATED = PHALANX + 8,
    DOUBLED,
    BACKWARD,
    BISHOP_PAIR,
    ROOK_OPEN,
    ROOK_HALF_OPEN,
    OUTPOST,  // knight, bishop: supported and safe from pawns
    PAWN_ON_BISHOP_COLOUR = OUTPOST + 2,
    SHELTER,              // own pawn before the king, by rank (0 = none), three files
    STORM = SHELTER + 8,  // enemy pawn before the king, by rank
    KING_HALF_OPEN = STORM + 8,
    CASTLING_RIGHT,
    KING_DANGER,                     // to the enemy king, in units of eval_chess.cpp: 0..63
    SAFE_CHECK = KING_DANGER + 64,   // knight, bishop, rook, queen
    PINNED = SAFE_CHECK + 4,         // to the own king: knight, bishop, rook, queen
    THREAT_PAWN = PINNED + 4,        // a pawn attacks: knight, bishop, rook, queen
    THREAT_MINOR = THREAT_PAWN + 4,  // a minor piece attacks: by kind
    THREAT_ROOK = THREAT_MINOR + 5,  // a rook attacks: by kind
    THREAT_QUEEN = THREAT_ROOK + 5,  // a queen attacks what is not defended: by kind
    THREAT_KING = THREAT_QUEEN + 5,  // a king attacks what is not defended
    HANGING,                         // attacked and not defended
    RESTRICTED,                      // squares they attack and do not hold firmly, attacked by us
    PUSH_THREAT,                     // a pawn could safely go where it attacks a piece
    MINOR_BEHIND_PAWN,
    ROOK_BEHIND_PASSED,
    SPACE,  // squares behind own centre pawns, safe from pawns
    TEMPO,
    TERMS
};

using Weights = engine::Weights<TERMS>;
extern const Weights DEFAULT;
extern const std::vector<TermGroup> GROUPS;

// Pawns and kings change rarely: what they are worth is kept from one evaluation to the next.
class PawnTable {
  public:
    struct Entry {
        chess::Bits pawns[2]{};
        Square kings[2]{NO_SQUARE, NO_SQUARE};  // at first like no position's
        Pair worth = 0;                         // the first side's minus the second's
        chess::Bits passed = 0;
    };
    // Where such pawns and kings are kept, be they there or not.
    Entry& slot(const chess::Position& p) {
        using namespace chess;
        const u64 mixed = (p.pieces(WHITE, PAWN) * 0x9E3779B97F4A7C15u) ^
                          (p.pieces(BLACK, PAWN) * 0xC2B2AE3D27D4EB4Fu) ^
                          (p.pieces(KING) * 0xD6E8FEB86659FD93u);
        return entries_[(mixed ^ mixed >> 29) >> 16 & (SIZE - 1)];
    }
    void clear() { std::fill_n(entries_.get(), SIZE, Entry{}); }

  private:
    static constexpr std::size_t SIZE = 2048;
    std::unique_ptr<Entry[]> entries_ = std::make_unique<Entry[]>(SIZE);
};

// For the side to move. The memory must have seen no other weights.
Score evaluate(const chess::Position& p, const Weights& weights, PawnTable& memory);
// The worth of each group for both sides, and the counts for the tuner.
struct Explained {
    Score score;
    std::vector<std::array<int, 2>> groups;
};
Explained explain(const chess::Position& p, const Weights& weights);
Trace trace(const chess::Position& p);

}  // namespace cotulenh::engine::chess_eval
