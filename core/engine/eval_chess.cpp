#include "engine/eval_chess.hpp"

namespace cotulenh::engine::chess_eval {
namespace {

using namespace chess;

constexpr int MOBILITY_FROM[] = {0, 0, 9, 23, 38};  // by kind, within MOBILITY
constexpr int PHASE_OF[] = {0,  10, 10,
                            18, 36, 0};  // 256 with all pieces on the board (and more cut)
// Danger to a king: each piece that looks at the squares around him, each of them that it hits,
// each weak one, each kind that could give check, safely or not, and what is attacked on his wing.
constexpr int DANGER_OF[] = {0, 3, 2, 3, 4, 0}, DANGER_CHECK[] = {0, 6, 4, 8, 7, 0};
constexpr int DANGER_HIT = 1, DANGER_WEAK = 3, DANGER_RISKY_CHECK = 2, MOST_DANGER = 63;

constexpr int fold(int file) { return file < 4 ? file : 7 - file; }
constexpr int own_rank(Side side, int square) {
    return side == WHITE ? rank_of(square) : 7 - rank_of(square);
}

template <Side S>
constexpr Bits up(Bits b) {
    return S == WHITE ? b << 8 : b >> 8;
}
constexpr Bits beside(Bits b) { return ((b & ~FILE_H) << 1) | ((b & ~FILE_A) >> 1); }
template <Side S>
constexpr Bits pawn_attacks(Bits pawns) {
    return beside(up<S>(pawns));
}
// All squares in front of a set, to the edge.
template <Side S>
constexpr Bits ahead(Bits b) {
    if constexpr (S == WHITE) return b <<= 8, b |= b << 8, b |= b << 16, b | b << 32;
    return b >>= 8, b |= b >> 8, b |= b >> 16, b | b >> 32;
}
constexpr int distance(int a, int b) {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

template <Side Us>
constexpr int piece_square(Kind kind, Square s) {
    return PIECE_SQUARE + kind * 32 + own_rank(Us, s) * 4 + fold(file_of(s));
}

// What pawns and kings are worth by themselves.
template <Side Us, bool Traced>
class Structure {
  public:
    Structure(const Position& p, Tally<TERMS, Traced>& tally)
        : p_(p), tally_(tally), king_(p.king(Us)) {}

    // Returns the passed pawns.
    Bits count() {
        pawns();
        king();
        return passed_;
    }

  private:
    static constexpr Side Them = Us ^ 1;
    Bits mine(Kind k) const { return p_.pieces(Us, k); }
    Bits theirs(Kind k) const { return p_.pieces(Them, k); }

    void pawns() {
        const Bits own = mine(PAWN), other = theirs(PAWN);
        for (Bits rest = own; rest;) {
            const Square s = pop(rest);
            const Bits here = bit(s), files = FILE_A << file_of(s), near = beside(files);
            const int r = own_rank(Us, s);
            tally_.add(MATERIAL + int(PAWN));
            tally_.add(piece_square<Us>(PAWN, s));
            const bool supported = pawn_attacks<Us>(own) & here, isolated = !(near & own);
            if (supported) tally_.add(SUPPORTED + r);
            if (beside(here) & own) tally_.add(PHALANX + r);
            if (isolated) tally_.add(ISOLATED);
            if (ahead<Us>(here) & own) tally_.add(DOUBLED);
            const Bits front = ahead<Us>(here);
            const bool behind = !(near & own & ~front & ~beside(front));
            if (!isolated && !supported && behind && pawn_attacks<Them>(other) & up<Us>(here))
                tally_.add(BACKWARD);
            if (!((front | beside(front)) & other) && !(front & own)) passed_ |= here;
        }
    }

    void king() {
        tally_.add(piece_square<Us>(KING, king_));
        const int middle = std::clamp(file_of(king_), 1, 6);
        for (int file = middle - 1; file <= middle + 1; ++file) {
            const Bits column = FILE_A << file;
            const Bits front =
                column & (ahead<Us>(bit(king_)) | ahead<Us>(beside(bit(king_))) |
                          ahead<Us>(beside(beside(bit(king_)))) | rank(rank_of(king_)));
            tally_.add(SHELTER + nearest(front & mine(PAWN)));
            tally_.add(STORM + nearest(front & theirs(PAWN)));
            if (!(column & mine(PAWN))) tally_.add(KING_HALF_OPEN);
        }
    }
    // The rank, seen from us, of the pawn nearest to our back rank; 0 if there is none.
    static int nearest(Bits pawns) {
        if (!pawns) return 0;
        return own_rank(Us, Us == WHITE ? first(pawns) : 63 - std::countl_zero(pawns));
    }

    const Position& p_;
    Tally<TERMS, Traced>& tally_;
    const Square king_;
    Bits passed_ = 0;
};

// What both sides' terms are counted from.
struct Sight {
    Bits by[2][6]{}, all[2]{}, twice[2]{};
    Bits king_zone[2]{};
};

template <Side Us, bool Traced>
class Counter {
  public:
    Counter(const Position& p, Tally<TERMS, Traced>& tally, Sight& sight)
        : p_(p), tally_(tally), sight_(sight), king_(p.king(Us)) {}

    // The maps first, for both sides; the terms that compare them second.
    void look() {
        const Bits pawns = p_.pieces(Us, PAWN);
        see(PAWN, pawn_attacks<Us>(pawns));
        see(KING, TABLES.king[king_]);
        sight_.king_zone[Us] = TABLES.king[king_] | bit(king_) | up<Us>(TABLES.king[king_]);
    }

    void count() {
        pieces();
        tally_.add(CASTLING_RIGHT, std::popcount(p_.castling_rooks() & p_.occupied(Us)));
    }

    void compare(Bits passed_pawns) {
        king_danger();
        threats();
        for (Bits rest = passed_pawns & p_.occupied(Us); rest;) passed(pop(rest));
    }

  private:
    static constexpr Side Them = Us ^ 1;
    Bits mine(Kind k) const { return p_.pieces(Us, k); }
    Bits theirs(Kind k) const { return p_.pieces(Them, k); }

    void see(Kind kind, Bits attacks) {
        sight_.twice[Us] |= sight_.all[Us] & attacks;
        sight_.all[Us] |= attacks;
        sight_.by[Us][kind] |= attacks;
    }

    Bits reach(Kind kind, Square s) const {
        const Bits occupied = p_.occupied();
        switch (kind) {  // sliders see through their own kind's helpers
            case KNIGHT:
                return TABLES.knight[s];
            case BISHOP:
                return bishop_attacks(s, occupied ^ mine(QUEEN));
            case ROOK:
                return rook_attacks(s, occupied ^ mine(QUEEN) ^ mine(ROOK));
            default:
                return queen_attacks(s, occupied);
        }
    }

    void pieces() {
        const Bits safe = ~(p_.occupied(Us) & (mine(PAWN) | mine(KING))) & ~sight_.by[Them][PAWN];
        for (int k = KNIGHT; k <= QUEEN; ++k) {
            const Kind kind = Kind(k);
            for (Bits rest = mine(kind); rest;) {
                const Square s = pop(rest);
                const Bits attacks = reach(kind, s);
                see(kind, attacks);
                tally_.add(MATERIAL + int(kind));
                tally_.add(piece_square<Us>(kind, s));
                tally_.add(MOBILITY + MOBILITY_FROM[kind] + std::popcount(attacks & safe));
                if (const Bits hits = attacks & sight_.king_zone[Them])
                    danger_ += DANGER_OF[kind] + DANGER_HIT * std::popcount(hits);
                if (kind == ROOK) rook(s);
                if (kind <= BISHOP) minor(kind, s);
            }
        }
        if (several(mine(BISHOP))) tally_.add(BISHOP_PAIR);
    }

    void rook(Square s) {
        const Bits file = FILE_A << file_of(s);
        if (file & mine(PAWN)) return;
        tally_.add(file & theirs(PAWN) ? ROOK_HALF_OPEN : ROOK_OPEN);
    }

    void minor(Kind kind, Square s) {
        const bool supported = sight_.by[Us][PAWN] & bit(s);
        const bool chased = beside(ahead<Us>(bit(s))) & theirs(PAWN);
        if (supported && !chased && own_rank(Us, s) >= 3) tally_.add(OUTPOST + int(kind) - KNIGHT);
        if (up<Us>(bit(s)) & p_.pieces(PAWN)) tally_.add(MINOR_BEHIND_PAWN);
        if (kind == BISHOP) {
            const Bits colour = bit(s) & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
            tally_.add(PAWN_ON_BISHOP_COLOUR, std::popcount(mine(PAWN) & colour));
        }
    }

    void passed(Square s) {
        const Square next = Square(s + (Us == WHITE ? 8 : -8));
        const int r = own_rank(Us, s);
        const Bits way = ahead<Us>(bit(s));
        tally_.add(PASSED + r);
        if (!(p_.occupied() & bit(next))) tally_.add(PASSED_FREE + r);
        if (!(way & (sight_.all[Them] | p_.occupied(Them)))) tally_.add(PASSED_SAFE + r);
        if (ahead<Them>(bit(s)) & (FILE_A << file_of(s)) & mine(ROOK))
            tally_.add(ROOK_BEHIND_PASSED);
        tally_.add(PASSED_OWN_KING + r, distance(king_, next));
        tally_.add(PASSED_ENEMY_KING + r, distance(p_.king(Them), next));
    }

    void king_danger() {
        const Square k = p_.king(Them);
        const Bits occupied = p_.occupied() ^ theirs(QUEEN);
        // Squares that only the king or the queen defends, or nobody.
        const Bits weak = ~sight_.twice[Them] &
                          (~sight_.all[Them] | sight_.by[Them][KING] | sight_.by[Them][QUEEN]);
        const Bits safe = ~p_.occupied(Us) & (~sight_.all[Them] | (weak & sight_.twice[Us]));
        const Bits straight = rook_attacks(k, occupied), slanted = bishop_attacks(k, occupied);
        const Bits from[] = {0, TABLES.knight[k], slanted, straight, straight | slanted};
        for (int kind = KNIGHT; kind <= QUEEN; ++kind) {
            const Bits checks = from[kind] & sight_.by[Us][kind] & ~p_.occupied(Us);
            if (!checks) continue;
            tally_.add(SAFE_CHECK + kind - KNIGHT, std::popcount(checks & safe));
            danger_ += checks & safe ? DANGER_CHECK[kind] : DANGER_RISKY_CHECK;
        }
        danger_ += DANGER_WEAK * std::popcount(weak & sight_.all[Us] & sight_.king_zone[Them]);
        const Bits wing = wing_of(file_of(k)) & camp(Them);
        danger_ += std::popcount(wing & sight_.all[Us]) + std::popcount(wing & sight_.twice[Us]) -
                   std::popcount(wing & sight_.all[Them]) / 2;
        if (!mine(QUEEN)) danger_ = danger_ / 2 - 4;
        tally_.add(KING_DANGER + std::clamp(danger_, 0, MOST_DANGER));
    }
    static constexpr Bits wing_of(int file) {
        const int middle = std::clamp(file, 1, 6);
        return FILE_A << (middle - 1) | FILE_A << middle | FILE_A << (middle + 1);
    }
    // A side's first five ranks.
    static constexpr Bits camp(Side side) {
        return side == WHITE ? ~(rank(5) | rank(6) | rank(7)) : ~(rank(0) | rank(1) | rank(2));
    }

    void threats() {
        const auto& by = sight_.by[Us];
        const Bits minors = by[KNIGHT] | by[BISHOP];
        for (int k = PAWN; k <= QUEEN; ++k) {
            const Bits victims = theirs(Kind(k)), loose = victims & ~sight_.by[Them][PAWN];
            if (k > PAWN) tally_.add(THREAT_PAWN + k - 1, std::popcount(victims & by[PAWN]));
            tally_.add(THREAT_MINOR + k, std::popcount((k >= ROOK ? victims : loose) & minors));
            tally_.add(THREAT_ROOK + k, std::popcount((k == QUEEN ? victims : loose) & by[ROOK]));
        }
        const Bits undefended = p_.occupied(Them) & ~sight_.all[Them];
        for (int k = PAWN; k <= ROOK; ++k)
            tally_.add(THREAT_QUEEN + k, std::popcount(theirs(Kind(k)) & undefended & by[QUEEN]));
        tally_.add(THREAT_KING, std::popcount(undefended & by[KING]));
        const Bits firm = sight_.by[Them][PAWN] | (sight_.twice[Them] & ~sight_.twice[Us]);
        tally_.add(RESTRICTED, std::popcount(sight_.all[Them] & ~firm & sight_.all[Us]));
        tally_.add(HANGING, std::popcount(p_.occupied(Them) & sight_.all[Us] & ~sight_.all[Them]));
        Bits push = up<Us>(mine(PAWN)) & ~p_.occupied();
        push |= up<Us>(push & rank(Us == WHITE ? 2 : 5)) & ~p_.occupied();
        push &= ~sight_.by[Them][PAWN] & (sight_.all[Us] | ~sight_.all[Them]);
        const Bits victims = p_.occupied(Them) & ~theirs(PAWN) & ~by[PAWN];
        tally_.add(PUSH_THREAT, std::popcount(pawn_attacks<Us>(push) & victims));
        space();
        pins();
    }

    void space() {
        constexpr Bits CENTRE = FILE_A << 2 | FILE_A << 3 | FILE_A << 4 | FILE_A << 5;
        constexpr Bits OWN =
            Us == WHITE ? rank(1) | rank(2) | rank(3) : rank(4) | rank(5) | rank(6);
        Bits behind = down(mine(PAWN));
        behind |= down(behind) | down(down(behind));
        const Bits safe = CENTRE & OWN & ~mine(PAWN) & ~sight_.by[Them][PAWN];
        tally_.add(SPACE, std::popcount(safe) + std::popcount(safe & behind & ~sight_.all[Them]));
    }
    static Bits down(Bits b) { return up<Them>(b); }

    // One piece alone between the king and a slider that would attack him.
    void pins() {
        const Bits straight = theirs(ROOK) | theirs(QUEEN),
                   slanted = theirs(BISHOP) | theirs(QUEEN);
        Bits snipers = (rook_attacks(king_, p_.occupied(Them)) & straight) |
                       (bishop_attacks(king_, p_.occupied(Them)) & slanted);
        while (snipers) {
            const Bits between = TABLES.between[king_][pop(snipers)] & p_.occupied(Us);
            if (!between || several(between)) continue;
            const Kind kind = kind_of(p_.at(first(between)));
            if (kind != PAWN) tally_.add(PINNED + int(kind) - KNIGHT);
        }
    }

    const Position& p_;
    Tally<TERMS, Traced>& tally_;
    Sight& sight_;
    const Square king_;
    int danger_ = 0;  // to the enemy king
};

int phase_of(const Position& p) {
    int phase = 0;
    for (int k = KNIGHT; k <= QUEEN; ++k) phase += PHASE_OF[k] * std::popcount(p.pieces(Kind(k)));
    return std::min(phase, FULL_PHASE);
}

// Both sides' pawns and kings, counted now or before.
const PawnTable::Entry& structure_of(const Position& p, const Weights& weights, PawnTable& memory) {
    PawnTable::Entry& kept = memory.slot(p);
    if (kept.pawns[WHITE] != p.pieces(WHITE, PAWN) || kept.pawns[BLACK] != p.pieces(BLACK, PAWN) ||
        kept.kings[WHITE] != p.king(WHITE) || kept.kings[BLACK] != p.king(BLACK)) {
        Tally<TERMS, false> white(weights), black(weights);
        kept = {
            {p.pieces(WHITE, PAWN), p.pieces(BLACK, PAWN)}, {p.king(WHITE), p.king(BLACK)}, 0, 0};
        kept.passed =
            Structure<WHITE, false>(p, white).count() | Structure<BLACK, false>(p, black).count();
        kept.worth = white.sum() - black.sum();
    }
    return kept;
}

// All the rest.
template <bool Traced>
void count_pieces(const Position& p, Tally<TERMS, Traced>& white, Tally<TERMS, Traced>& black,
                  Bits passed) {
    Sight sight;
    Counter<WHITE, Traced> w(p, white, sight);
    Counter<BLACK, Traced> b(p, black, sight);
    w.look(), b.look();
    w.count(), b.count();
    w.compare(passed), b.compare(passed);
    (p.turn() == WHITE ? white : black).add(TEMPO);
}

void count_traced(const Position& p, Tally<TERMS, true>& white, Tally<TERMS, true>& black) {
    const Bits passed =
        Structure<WHITE, true>(p, white).count() | Structure<BLACK, true>(p, black).count();
    count_pieces(p, white, black, passed);
}

// Fewer pawns, more draws: the stronger side's advantage shrinks when it cannot promote.
Score scaled(const Position& p, Score score) {
    const Side strong = score > 0 ? WHITE : BLACK;
    if (p.pieces(strong, PAWN)) {
        const Bits bishops = p.pieces(BISHOP);
        const bool opposite = std::popcount(bishops) == 2 && !several(p.pieces(strong, BISHOP)) &&
                              p.pieces(strong, BISHOP) &&
                              std::popcount(bishops & DARK_SQUARES) == 1;
        const bool bare = !(p.pieces(KNIGHT) | p.pieces(ROOK) | p.pieces(QUEEN));
        return opposite && bare ? score / 2 : score;
    }
    const auto worth = [&](Side s) {
        return 3 * std::popcount(p.pieces(s, KNIGHT) | p.pieces(s, BISHOP)) +
               5 * std::popcount(p.pieces(s, ROOK)) + 9 * std::popcount(p.pieces(s, QUEEN));
    };
    return worth(strong) - worth(Side(strong ^ 1)) <= 3 ? score / 8 : score;
}

}  // namespace

Score evaluate(const Position& p, const Weights& weights, PawnTable& memory) {
    Tally<TERMS, false> white(weights), black(weights);
    const PawnTable::Entry& structure = structure_of(p, weights, memory);
    count_pieces(p, white, black, structure.passed);
    const Pair sum = white.sum() - black.sum() + structure.worth;
    const Score score = scaled(p, blend(sum, phase_of(p)));
    return p.turn() == WHITE ? score : -score;
}

Explained explain(const Position& p, const Weights& weights) {
    Tally<TERMS, true> white(weights), black(weights);
    count_traced(p, white, black);
    PawnTable memory;
    Explained out{evaluate(p, weights, memory), {}};
    for (const TermGroup& g : GROUPS) {
        Pair sums[2] = {0, 0};
        for (int i = g.first; i < g.first + g.count; ++i) {
            sums[0] += weights[i] * white.counts()[std::size_t(i)];
            sums[1] += weights[i] * black.counts()[std::size_t(i)];
        }
        out.groups.push_back({blend(sums[0], phase_of(p)), blend(sums[1], phase_of(p))});
    }
    return out;
}

Trace trace(const Position& p) {
    Tally<TERMS, true> white(DEFAULT), black(DEFAULT);
    count_traced(p, white, black);
    Trace out;
    out.phase = phase_of(p);
    for (int i = 0; i < TERMS; ++i)
        out.counts.push_back(
            std::int16_t(white.counts()[std::size_t(i)] - black.counts()[std::size_t(i)]));
    return out;
}

const std::vector<TermGroup> GROUPS = {
    {"material", MATERIAL, PIECE_SQUARE - MATERIAL},
    {"piece-square", PIECE_SQUARE, MOBILITY - PIECE_SQUARE},
    {"mobility", MOBILITY, PASSED - MOBILITY},
    {"passed", PASSED, PASSED_FREE - PASSED},
    {"passed free", PASSED_FREE, PASSED_SAFE - PASSED_FREE},
    {"passed safe", PASSED_SAFE, PASSED_OWN_KING - PASSED_SAFE},
    {"passed own king", PASSED_OWN_KING, PASSED_ENEMY_KING - PASSED_OWN_KING},
    {"passed enemy king", PASSED_ENEMY_KING, SUPPORTED - PASSED_ENEMY_KING},
    {"supported", SUPPORTED, PHALANX - SUPPORTED},
    {"phalanx", PHALANX, ISOLATED - PHALANX},
    {"isolated", ISOLATED, DOUBLED - ISOLATED},
    {"doubled", DOUBLED, BACKWARD - DOUBLED},
    {"backward", BACKWARD, BISHOP_PAIR - BACKWARD},
    {"bishop pair", BISHOP_PAIR, ROOK_OPEN - BISHOP_PAIR},
    {"rook open", ROOK_OPEN, ROOK_HALF_OPEN - ROOK_OPEN},
    {"rook half open", ROOK_HALF_OPEN, OUTPOST - ROOK_HALF_OPEN},
    {"outpost", OUTPOST, PAWN_ON_BISHOP_COLOUR - OUTPOST},
    {"pawn on bishop colour", PAWN_ON_BISHOP_COLOUR, SHELTER - PAWN_ON_BISHOP_COLOUR},
    {"shelter", SHELTER, STORM - SHELTER},
    {"storm", STORM, KING_HALF_OPEN - STORM},
    {"king half open", KING_HALF_OPEN, CASTLING_RIGHT - KING_HALF_OPEN},
    {"castling right", CASTLING_RIGHT, KING_DANGER - CASTLING_RIGHT},
    {"king danger", KING_DANGER, SAFE_CHECK - KING_DANGER},
    {"safe check", SAFE_CHECK, PINNED - SAFE_CHECK},
    {"pinned", PINNED, THREAT_PAWN - PINNED},
    {"threat pawn", THREAT_PAWN, THREAT_MINOR - THREAT_PAWN},
    {"threat minor", THREAT_MINOR, THREAT_ROOK - THREAT_MINOR},
    {"threat rook", THREAT_ROOK, THREAT_QUEEN - THREAT_ROOK},
    {"threat queen", THREAT_QUEEN, THREAT_KING - THREAT_QUEEN},
    {"threat king", THREAT_KING, HANGING - THREAT_KING},
    {"hanging", HANGING, RESTRICTED - HANGING},
    {"restricted", RESTRICTED, PUSH_THREAT - RESTRICTED},
    {"push threat", PUSH_THREAT, MINOR_BEHIND_PAWN - PUSH_THREAT},
    {"minor behind pawn", MINOR_BEHIND_PAWN, ROOK_BEHIND_PASSED - MINOR_BEHIND_PAWN},
    {"rook behind passed", ROOK_BEHIND_PASSED, SPACE - ROOK_BEHIND_PASSED},
    {"space", SPACE, TEMPO - SPACE},
    {"tempo", TEMPO, TERMS - TEMPO},
};

}  // namespace cotulenh::engine::chess_eval
