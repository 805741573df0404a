// Who attacks a square, and which moves give or leave check.
#include "games/chess/position.hpp"

namespace cotulenh::chess {

Bits Position::attackers(Side side, Square s, Bits occupied) const {
    const Bits straight = kinds_[ROOK] | kinds_[QUEEN], slanted = kinds_[BISHOP] | kinds_[QUEEN];
    const Bits seen = (rook_attacks(s, occupied) & straight) |
                      (bishop_attacks(s, occupied) & slanted) |
                      (TABLES.knight[s] & kinds_[KNIGHT]) | (TABLES.king[s] & kinds_[KING]) |
                      (TABLES.pawn[side ^ 1][s] & kinds_[PAWN]);
    return seen & sides_[side];
}

Bits Position::attacked_by(Side side) const {
    const Bits own = sides_[side], all = occupied(), pawns = own & kinds_[PAWN];
    const Bits ahead = side == WHITE ? pawns << 8 : pawns >> 8;
    Bits out = (ahead & ~FILE_A) >> 1 | (ahead & ~FILE_H) << 1 | TABLES.king[king(side)];
    for (Bits rest = own & kinds_[KNIGHT]; rest;) out |= TABLES.knight[pop(rest)];
    for (Bits rest = own & (kinds_[BISHOP] | kinds_[QUEEN]); rest;)
        out |= bishop_attacks(pop(rest), all);
    for (Bits rest = own & (kinds_[ROOK] | kinds_[QUEEN]); rest;)
        out |= rook_attacks(pop(rest), all);
    return out;
}

bool Position::gives_check(Move m) const {
    const Square k = king(Side(turn_ ^ 1));
    if (m.kind() == CASTLING) {
        const Square rook = castling_rook(m), to = rook_target(m.to());
        const Bits after = ((occupied() ^ bit(m.from())) & ~bit(rook)) | bit(m.to()) | bit(to);
        return rook_attacks(to, after) & bit(k);
    }
    const Kind moved = m.kind() == PROMOTION ? m.promotion() : kind_of(board_[m.from()]);
    Bits after = (occupied() ^ bit(m.from())) | bit(m.to());
    if (m.kind() == EN_PASSANT) after ^= bit(m.to() ^ 8);
    const Bits straight = (kinds_[ROOK] | kinds_[QUEEN]) & sides_[turn_] & ~bit(m.from());
    const Bits slanted = (kinds_[BISHOP] | kinds_[QUEEN]) & sides_[turn_] & ~bit(m.from());
    const Bits rook_view = rook_attacks(k, after), bishop_view = bishop_attacks(k, after);
    if (rook_view & straight || bishop_view & slanted) return true;
    switch (moved) {
        case PAWN:
            return TABLES.pawn[turn_][m.to()] & bit(k);
        case KNIGHT:
            return TABLES.knight[k] & bit(m.to());
        case BISHOP:
            return bishop_view & bit(m.to());
        case ROOK:
            return rook_view & bit(m.to());
        case QUEEN:
            return (rook_view | bishop_view) & bit(m.to());
        default:
            return false;
    }
}

bool Position::en_passant_legal(Side us, Square from, Square square) const {
    const Square victim = square ^ 8;
    const Bits after = (occupied() ^ bit(from) ^ bit(victim)) | bit(square);
    return !(attackers(Side(us ^ 1), king(us), after) & ~bit(victim));
}

}  // namespace cotulenh::chess
