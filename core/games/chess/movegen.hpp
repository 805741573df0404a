// One generator of moves, three uses: listing, counting, pseudo-legal listing.
//
// It is told where moves may begin and end (a filter) and whom to tell of them (a sink). Both are
// types, so that the compiler makes a separate, straight piece of code for each use and side.
#pragma once

#include "games/chess/position.hpp"

namespace cotulenh::chess {

// Filters: sets of squares. Pawns and castling kings have targets of their own, because promotions
// go with captures, and because Chess960 kings may castle to a square that is not empty.
struct Everything {
    static constexpr Bits from = ~Bits(0), to = from, pawn_to = from, castle_to = from;
};
struct Only {
    Bits from, to, pawn_to, castle_to;
};

// Sinks. `pawns` gets the targets of pawns that all moved by the same step.
class Counter {
  public:
    int count = 0;
    void piece(Square, Bits targets) { count += std::popcount(targets); }
    void pawns(Bits targets, int) { count += std::popcount(targets); }
    void promotions(Bits targets, int) { count += 4 * std::popcount(targets); }
    void special(Square, Square, MoveKind) { ++count; }
};

class Lister {
  public:
    explicit Lister(Move* out) : out_(out) {}
    Move* end() const { return out_; }
    void piece(Square from, Bits targets) {
        while (targets) *out_++ = Move::of(from, pop(targets));
    }
    void pawns(Bits targets, int step) {
        while (targets) {
            const Square to = pop(targets);
            *out_++ = Move::of(to - step, to);
        }
    }
    void promotions(Bits targets, int step) {
        while (targets) {
            const Square to = pop(targets);
            for (const Kind k : {QUEEN, ROOK, BISHOP, KNIGHT})
                *out_++ = Move::of(to - step, to, PROMOTION, k);
        }
    }
    void special(Square from, Square to, MoveKind type) { *out_++ = Move::of(from, to, type); }

  private:
    Move* out_;
};

// With Legal false the king's safety is nobody's concern: nothing is pinned, no check is answered.
template <Side Us, bool Legal, class Filter, class Sink>
class Generator {
  public:
    Generator(const Position& p, const Filter& filter, Sink& sink)
        : p_(p), filter_(filter), sink_(sink), occupied_(p.occupied()), king_(p.king(Us)) {}

    void run() {
        if constexpr (Legal) look_at_king();
        king();
        if (several(checkers_)) return;  // only the king can answer two checks
        if (checkers_) allowed_ = TABLES.between[king_][first(checkers_)] | checkers_;
        pawns();
        if (passed() != NO_SQUARE) en_passant();
        pieces();
        if (!checkers_) castling();
    }

  private:
    static constexpr Side Them = Us ^ 1;
    static constexpr int UP = Us == WHITE ? 8 : -8;
    static constexpr Bits LAST = rank(Us == WHITE ? 7 : 0), THIRD = rank(Us == WHITE ? 2 : 5);

    static constexpr Bits forward(Bits set) { return Us == WHITE ? set << 8 : set >> 8; }
    Bits mine(Kind kind) const { return p_.pieces(Us, kind); }
    Bits theirs(Kind kind) const { return p_.pieces(Them, kind); }

    // Checkers, and own pieces that alone stand between a slider and the king, in one walk over the
    // sliders that would see the king on an empty board; mostly there is none or one.
    void look_at_king() {
        const Bits queens = theirs(QUEEN);
        Bits snipers = (TABLES.rook_lines[king_] & (theirs(ROOK) | queens)) |
                       (TABLES.bishop_lines[king_] & (theirs(BISHOP) | queens));
        checkers_ =
            (TABLES.knight[king_] & theirs(KNIGHT)) | (TABLES.pawn[Us][king_] & theirs(PAWN));
        while (snipers) {
            const Square s = pop(snipers);
            const Bits screen = TABLES.between[king_][s] & occupied_;
            if (!screen) checkers_ |= bit(s);
            if (!several(screen)) pinned_ |= screen;
        }
        pinned_ &= p_.occupied(Us);
    }

    void king() {
        Bits targets = TABLES.king[king_] & ~p_.occupied(Us) & filter_.to;
        if (!targets || !(filter_.from & bit(king_))) return;
        if constexpr (Legal) targets &= ~threats(targets);
        sink_.piece(king_, targets);
    }

    // Which of the king's targets are attacked once the king has left its square. One by one is
    // cheaper than the map of all attacks while there are few.
    Bits threats(Bits targets) const {
        const Bits without = occupied_ ^ bit(king_);
        Bits bad = 0;
        while (targets) {
            const Square s = pop(targets);
            if (p_.attacked(Them, s, without)) bad |= bit(s);
        }
        return bad;
    }

    // Pawns move as sets. A pinned one keeps to its line: the king's file for pushes, the diagonal
    // it captures along for captures.
    void pawns() {
        const Bits all = mine(PAWN) & filter_.from, to = allowed_ & filter_.pawn_to;
        const Bits free = all & ~pinned_, held = all & pinned_;
        const Bits empty = ~occupied_, enemies = p_.occupied(Them) & to;

        const Bits pushers = free | (held & (FILE_A << file_of(king_)));
        const Bits once = forward(pushers) & empty;
        pawn_moves(once & to, UP);
        sink_.pawns(forward(once & THIRD) & empty & to, 2 * UP);

        constexpr bool white = Us == WHITE;  // for Black, up and east is along the antidiagonal
        const Bits rising = white ? TABLES.diagonal[king_] : TABLES.antidiagonal[king_];
        const Bits falling = white ? TABLES.antidiagonal[king_] : TABLES.diagonal[king_];
        const Bits east = forward((free | (held & rising)) & ~FILE_H) << 1;
        const Bits west = forward((free | (held & falling)) & ~FILE_A) >> 1;
        pawn_moves(east & enemies, UP + 1);
        pawn_moves(west & enemies, UP - 1);
    }

    void pawn_moves(Bits targets, int step) {
        sink_.pawns(targets & ~LAST, step);
        if (targets & LAST) sink_.promotions(targets & LAST, step);
    }

    // Without regard for the king, a pawn that went two squares may be taken by a pinned one too.
    Square passed() const { return Legal ? p_.en_passant() : p_.passed_over(); }

    // By hand: two pawns leave one rank at once, which no mask foresees.
    void en_passant() {
        const Square to = passed();
        if (!(filter_.pawn_to & bit(to))) return;
        for (Bits from = TABLES.pawn[Them][to] & mine(PAWN) & filter_.from; from;) {
            const Square s = pop(from);
            if (!Legal || p_.en_passant_legal(Us, s, to)) sink_.special(s, to, EN_PASSANT);
        }
    }

    void pieces() {
        const Bits to = allowed_ & ~p_.occupied(Us) & filter_.to, free = filter_.from & ~pinned_;
        for (Bits from = mine(KNIGHT) & free; from;) {  // a pinned knight never moves
            const Square s = pop(from);
            sink_.piece(s, TABLES.knight[s] & to);
        }
        for (Bits from = (mine(BISHOP) | mine(QUEEN)) & free; from;) {
            const Square s = pop(from);
            sink_.piece(s, bishop_attacks(s, occupied_) & to);
        }
        for (Bits from = (mine(ROOK) | mine(QUEEN)) & free; from;) {
            const Square s = pop(from);
            sink_.piece(s, rook_attacks(s, occupied_) & to);
        }
        if (pinned_) pinned_sliders(to);
    }

    void pinned_sliders(Bits to) {
        const Bits held = pinned_ & filter_.from;
        for (Bits from = (mine(BISHOP) | mine(QUEEN)) & held; from;) {
            const Square s = pop(from);
            sink_.piece(s, bishop_attacks(s, occupied_) & to & TABLES.line[king_][s]);
        }
        for (Bits from = (mine(ROOK) | mine(QUEEN)) & held; from;) {
            const Square s = pop(from);
            sink_.piece(s, rook_attacks(s, occupied_) & to & TABLES.line[king_][s]);
        }
    }

    void castling() {
        constexpr Bits home = rank(Us == WHITE ? 0 : 7);
        Bits rooks = p_.castling_rooks() & home;
        if (!(filter_.from & bit(king_))) return;
        while (rooks) {
            const Square rook = pop(rooks);
            const Square to = Square((Us == WHITE ? 0 : 56) + (rook > king_ ? 6 : 2));
            if (filter_.castle_to & bit(to) && may_castle(rook, to))
                sink_.special(king_, to, CASTLING);
        }
    }

    // Squares that king and rook cross or land on are empty but for these two. None the king
    // touches is attacked; and, Chess960 again, its rook's leaving must not uncover an attack.
    bool may_castle(Square rook, Square to) const {
        const Square rook_to = Square(to + (rook > king_ ? -1 : 1));
        const Bits way = TABLES.between[king_][to] | bit(to);
        const Bits both = bit(king_) | bit(rook), cleared = occupied_ & ~both;
        if ((way | TABLES.between[rook][rook_to] | bit(rook_to)) & cleared) return false;
        if constexpr (!Legal) return true;
        return !threats(way) && !p_.attacked(Them, to, cleared | bit(rook_to));
    }

    const Position& p_;
    const Filter& filter_;
    Sink& sink_;
    const Bits occupied_;
    const Square king_;
    Bits checkers_ = 0, pinned_ = 0, allowed_ = ~Bits(0);
};

template <bool Legal, class Filter, class Sink>
void generate(const Position& p, const Filter& filter, Sink& sink) {
    if (p.turn() == WHITE)
        Generator<WHITE, Legal, Filter, Sink>(p, filter, sink).run();
    else
        Generator<BLACK, Legal, Filter, Sink>(p, filter, sink).run();
}

}  // namespace cotulenh::chess
