// Why a move is not legal, in words.
#include "games/chess/notation.hpp"

namespace cotulenh::chess {
namespace {

std::string name(Square s) {
    std::string out;
    append_square(out, s);
    return out;
}

constexpr std::string_view NAMES[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};

bool is_pseudo_legal(const Position& p, Move m) {
    Moves moves;
    p.pseudo_legal_moves(moves);
    return std::find(moves.begin(), moves.end(), m) != moves.end();
}

}  // namespace

std::string why_illegal(const Position& p, Move m) {
    const Piece moving = p.at(m.from());
    if (!m) return "it is no move";
    if (moving == EMPTY) return "nothing stands on " + name(m.from());
    if (side_of(moving) != p.turn()) return name(m.from()) + " belongs to the other side";
    const std::string who(NAMES[kind_of(moving)]);
    if (!is_pseudo_legal(p, m)) {
        const bool last = rank_of(m.to()) == 0 || rank_of(m.to()) == 7;
        if (kind_of(moving) == PAWN && last && m.kind() == NORMAL)
            return "a pawn that reaches the last rank must say what it becomes";
        return "the " + who + " on " + name(m.from()) + " cannot go to " + name(m.to());
    }
    if (m.kind() == CASTLING) return "the king may not castle out of, through or into check";
    Bits occupied = (p.occupied() & ~bit(m.from())) | bit(m.to());
    if (m.kind() == EN_PASSANT) occupied &= ~bit(m.to() ^ 8);
    const Square king = kind_of(moving) == KING ? m.to() : p.king(p.turn());
    const Bits gone = bit(m.to()) | (m.kind() == EN_PASSANT ? bit(m.to() ^ 8) : 0);
    const Bits by = p.attackers(Side(p.turn() ^ 1), king, occupied) & ~gone;
    if (!by) return "it is not legal";
    const Square from = first(by);
    return "the king would be attacked by the " + std::string(NAMES[kind_of(p.at(from))]) + " on " +
           name(from);
}

}  // namespace cotulenh::chess
