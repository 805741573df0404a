#include "games/chess/movegen.hpp"

namespace cotulenh::chess {

static_assert(GamePosition<Position>);

namespace {

// No set of pieces can have more moves than this; set-up positions may hold fifteen queens.
int most_moves(const Position& p) {
    const auto n = [&](Kind kind) { return std::popcount(p.pieces(p.turn(), kind)); };
    return 27 * n(QUEEN) + 14 * n(ROOK) + 13 * n(BISHOP) + 8 * n(KNIGHT) + 12 * n(PAWN) + 10;
}

template <bool Legal, class Filter>
void list_moves(const Position& p, const Filter& filter, Moves& list) {
    list.ensure(most_moves(p));
    Lister lister(list.end());
    generate<Legal>(p, filter, lister);
    list.shrink(int(lister.end() - list.begin()));
}

}  // namespace

void Position::legal_moves(Moves& list) const { list_moves<true>(*this, Everything{}, list); }

void Position::legal_moves(Moves& list, Bits from, Bits to) const {
    list_moves<true>(*this, Only{from, to, to, to}, list);
}

void Position::legal_takes(Moves& list) const {
    const Bits enemies = occupied(Side(turn_ ^ 1));
    const Bits passed = en_passant_ == NO_SQUARE ? 0 : bit(en_passant_);
    const Bits pawn_to = enemies | passed | rank(0) | rank(7);
    list_moves<true>(*this, Only{~Bits(0), enemies, pawn_to, 0}, list);
}

void Position::legal_quiets(Moves& list) const {
    const Bits empty = ~occupied();
    const Bits passed = en_passant_ == NO_SQUARE ? 0 : bit(en_passant_);
    const Bits pawn_to = empty & ~(passed | rank(0) | rank(7));
    list_moves<true>(*this, Only{~Bits(0), empty, pawn_to, ~Bits(0)}, list);
}

void Position::pseudo_legal_moves(Moves& list) const {
    list_moves<false>(*this, Everything{}, list);
}

int Position::count_legal() const {
    Counter counter;
    generate<true>(*this, Everything{}, counter);
    return counter.count;
}

// The filter leaves at most a few moves of one piece; bits that mean nothing match none of them.
bool Position::is_legal(Move m) const {
    Moves list;
    legal_moves(list, bit(m.from()), bit(m.to()));
    return std::find(list.begin(), list.end(), m) != list.end();
}

// Chess960 makes an order needful: a king's step goes before castling to the same square, and the
// rook's own square before the king's target, which may be the same on the other wing.
Move Position::resolve(Move plain) const {
    if (is_legal(plain)) return plain;
    if (plain.kind() != NORMAL) return Move{};
    Moves list;
    legal_moves(list, bit(plain.from()), ~Bits(0));
    Move meant = Move{};
    for (const Move m : list) {
        if (m.kind() == CASTLING && castling_rook(m) == plain.to()) return m;
        if (m.kind() >= EN_PASSANT && m.to() == plain.to()) meant = m;
    }
    return meant;
}

}  // namespace cotulenh::chess
