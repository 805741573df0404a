// What a chess position is worth: terms and their weights.
#pragma once

#include "law/chess/position.hpp"
#include "mind/weights.hpp"

namespace cotulenh::mind::chess_eval {

// Places of the weights. Runs are indexed by kind, rank (seen from the owner) or a count.
enum Term : int {
    MATERIAL = 0,                          // by kind, king excepted
    PLACE = MATERIAL + 5,                  // by kind, rank and file folded at the middle
    MOBILITY = PLACE + 6 * 32,             // knight, bishop, rook, queen: by reachable squares
    PASSED = MOBILITY + 9 + 14 + 15 + 28,  // by rank
    PASSED_FREE = PASSED + 8,              // the square before it is empty, by rank
    PASSED_OWN_KING = PASSED_FREE + 8,  // king's distance to the square before it, far ranks only
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
    KING_ATTACKERS,  // pieces that look at the king's surroundings: 0..7
    KING_ATTACKS = KING_ATTACKERS +
        8,                           // how many of its squares they hit, by pieces' weight: 0..19
    SAFE_CHECK = KING_ATTACKS + 20,  // knight, bishop, rook, queen
    THREAT_PAWN = SAFE_CHECK + 4,    // a pawn attacks: knight, bishop, rook, queen
    THREAT_MINOR = THREAT_PAWN + 4,  // a minor piece attacks: by kind
    THREAT_ROOK = THREAT_MINOR + 5,  // a rook attacks: by kind
    HANGING = THREAT_ROOK + 5,       // attacked and not defended
    PUSH_THREAT,                     // a pawn could safely go where it attacks a piece
    TEMPO,
    TERMS
};

using Weights = mind::Weights<TERMS>;
extern const Weights DEFAULT;
extern const std::vector<TermGroup> GROUPS;

Score evaluate(const chess::Position& p, const Weights& weights);  // for the side to move
// The worth of each group for both sides, and the counts for the tuner.
struct Explained {
    Score score;
    std::vector<std::array<int, 2>> groups;
};
Explained explain(const chess::Position& p, const Weights& weights);
Trace trace(const chess::Position& p);

}  // namespace cotulenh::mind::chess_eval
