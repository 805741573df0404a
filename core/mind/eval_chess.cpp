#include "mind/eval_chess.hpp"

namespace cotulenh::mind::chess_eval {
namespace {

using namespace chess;
using chess::Position;  // not the concept of the same name

constexpr int MOBILITY_FROM[] = {0, 0, 9, 23, 38};  // by kind, within MOBILITY
constexpr int PHASE_OF[] = {0,  10, 10,
                            18, 36, 0};  // 256 with all pieces on the board (and more cut)
constexpr int KING_WEIGHT[] = {0, 2, 2,
                               3, 4, 0};  // how much an attacker of the king's squares counts

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
        const Bits pawns = p_.of(Us, PAWN);
        see(PAWN, pawn_attacks<Us>(pawns));
        see(KING, TABLES.king[king_]);
        sight_.king_zone[Us] = TABLES.king[king_] | bit(king_) | up<Us>(TABLES.king[king_]);
    }

    void count() {
        pieces();
        pawns();
        king();
    }

    void compare() {
        king_danger();
        threats();
    }

  private:
    static constexpr Side Them = Us ^ 1;
    Bits mine(Kind k) const { return p_.of(Us, k); }
    Bits theirs(Kind k) const { return p_.of(Them, k); }

    void see(Kind kind, Bits attacks) {
        sight_.twice[Us] |= sight_.all[Us] & attacks;
        sight_.all[Us] |= attacks;
        sight_.by[Us][kind] |= attacks;
    }

    void place(Kind kind, Square s) {
        tally_.add(PLACE + kind * 32 + own_rank(Us, s) * 4 + fold(file_of(s)));
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
        const Bits safe = ~(p_.of(Us) & (mine(PAWN) | mine(KING))) & ~sight_.by[Them][PAWN];
        for (int k = KNIGHT; k <= QUEEN; ++k) {
            const Kind kind = Kind(k);
            for (Bits rest = mine(kind); rest;) {
                const Square s = pop(rest);
                const Bits attacks = reach(kind, s);
                see(kind, attacks);
                tally_.add(MATERIAL + int(kind));
                place(kind, s);
                tally_.add(MOBILITY + MOBILITY_FROM[kind] + std::popcount(attacks & safe));
                if (const Bits hits = attacks & sight_.king_zone[Them]) {
                    ++attackers_;
                    weight_ += KING_WEIGHT[kind] * std::popcount(hits);
                }
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
        if (kind == BISHOP) {
            const Bits colour = bit(s) & DARK_SQUARES ? DARK_SQUARES : ~DARK_SQUARES;
            tally_.add(PAWN_ON_BISHOP_COLOUR, std::popcount(mine(PAWN) & colour));
        }
    }

    void pawns() {
        const Bits own = mine(PAWN), other = theirs(PAWN);
        for (Bits rest = own; rest;) {
            const Square s = pop(rest);
            const Bits here = bit(s), files = FILE_A << file_of(s), near = beside(files);
            const int r = own_rank(Us, s);
            tally_.add(MATERIAL + int(PAWN));
            place(PAWN, s);
            const bool supported = sight_.by[Us][PAWN] & here, isolated = !(near & own);
            if (supported) tally_.add(SUPPORTED + r);
            if (beside(here) & own) tally_.add(PHALANX + r);
            if (isolated) tally_.add(ISOLATED);
            if (ahead<Us>(here) & own) tally_.add(DOUBLED);
            const Bits front = ahead<Us>(here);
            const bool behind = !(near & own & ~front & ~beside(front));
            if (!isolated && !supported && behind && sight_.by[Them][PAWN] & up<Us>(here))
                tally_.add(BACKWARD);
            if (!((front | beside(front)) & other) && !(front & own)) passed(s, r);
        }
    }

    void passed(Square s, int r) {
        const Square next = Square(s + (Us == WHITE ? 8 : -8));
        tally_.add(PASSED + r);
        if (!(p_.occupied() & bit(next))) tally_.add(PASSED_FREE + r);
        tally_.add(PASSED_OWN_KING + r, distance(king_, next));
        tally_.add(PASSED_ENEMY_KING + r, distance(p_.king(Them), next));
    }

    void king() {
        place(KING, king_);
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

    void king_danger() {
        tally_.add(KING_ATTACKERS + std::min(attackers_, 7));
        tally_.add(KING_ATTACKS + std::min(weight_, 19));
        const Square k = p_.king(Them);
        const Bits occupied = p_.occupied() ^ theirs(QUEEN);
        const Bits weak = sight_.by[Them][KING] & ~sight_.twice[Them];
        const Bits safe = ~p_.of(Us) & (~sight_.all[Them] | (weak & sight_.twice[Us]));
        const Bits straight = rook_attacks(k, occupied), slanted = bishop_attacks(k, occupied);
        const Bits from[] = {0, TABLES.knight[k], slanted, straight, straight | slanted};
        for (int kind = KNIGHT; kind <= QUEEN; ++kind)
            tally_.add(SAFE_CHECK + kind - KNIGHT,
                       std::popcount(from[kind] & sight_.by[Us][kind] & safe));
    }

    void threats() {
        const auto& by = sight_.by[Us];
        const Bits minors = by[KNIGHT] | by[BISHOP];
        for (int k = PAWN; k <= QUEEN; ++k) {
            const Bits prey = theirs(Kind(k)), loose = prey & ~sight_.by[Them][PAWN];
            if (k > PAWN) tally_.add(THREAT_PAWN + k - 1, std::popcount(prey & by[PAWN]));
            tally_.add(THREAT_MINOR + k, std::popcount((k >= ROOK ? prey : loose) & minors));
            tally_.add(THREAT_ROOK + k, std::popcount((k == QUEEN ? prey : loose) & by[ROOK]));
        }
        tally_.add(HANGING, std::popcount(p_.of(Them) & sight_.all[Us] & ~sight_.all[Them]));
        Bits push = up<Us>(mine(PAWN)) & ~p_.occupied();
        push |= up<Us>(push & rank(Us == WHITE ? 2 : 5)) & ~p_.occupied();
        push &= ~sight_.by[Them][PAWN] & (sight_.all[Us] | ~sight_.all[Them]);
        const Bits prey = p_.of(Them) & ~theirs(PAWN) & ~by[PAWN];
        tally_.add(PUSH_THREAT, std::popcount(pawn_attacks<Us>(push) & prey));
    }

    const Position& p_;
    Tally<TERMS, Traced>& tally_;
    Sight& sight_;
    const Square king_;
    int attackers_ = 0, weight_ = 0;
};

int phase_of(const Position& p) {
    int phase = 0;
    for (int k = KNIGHT; k <= QUEEN; ++k) phase += PHASE_OF[k] * std::popcount(p.of(Kind(k)));
    return std::min(phase, FULL_PHASE);
}

template <bool Traced>
void count_all(const Position& p, Tally<TERMS, Traced>& white, Tally<TERMS, Traced>& black) {
    Sight sight;
    Counter<WHITE, Traced> w(p, white, sight);
    Counter<BLACK, Traced> b(p, black, sight);
    w.look(), b.look();
    w.count(), b.count();
    w.compare(), b.compare();
    (p.turn() == WHITE ? white : black).add(TEMPO);
}

// Fewer pawns, more draws: the stronger side's advantage shrinks when it cannot promote.
Score scaled(const Position& p, Score score) {
    const Side strong = score > 0 ? WHITE : BLACK;
    if (p.of(strong, PAWN)) {
        const Bits bishops = p.of(BISHOP);
        const bool opposite = std::popcount(bishops) == 2 && !several(p.of(strong, BISHOP)) &&
                              p.of(strong, BISHOP) && std::popcount(bishops & DARK_SQUARES) == 1;
        const bool bare = !(p.of(KNIGHT) | p.of(ROOK) | p.of(QUEEN));
        return opposite && bare ? score / 2 : score;
    }
    const auto worth = [&](Side s) {
        return 3 * std::popcount(p.of(s, KNIGHT) | p.of(s, BISHOP)) +
               5 * std::popcount(p.of(s, ROOK)) + 9 * std::popcount(p.of(s, QUEEN));
    };
    return worth(strong) - worth(Side(strong ^ 1)) <= 3 ? score / 8 : score;
}

}  // namespace

Score evaluate(const Position& p, const Weights& weights) {
    Tally<TERMS, false> white(weights), black(weights);
    count_all(p, white, black);
    const Score score = scaled(p, blend(white.sum() - black.sum(), phase_of(p)));
    return p.turn() == WHITE ? score : -score;
}

Explained explain(const Position& p, const Weights& weights) {
    Tally<TERMS, true> white(weights), black(weights);
    count_all(p, white, black);
    Explained out{evaluate(p, weights), {}};
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
    count_all(p, white, black);
    Trace out;
    out.phase = phase_of(p);
    for (int i = 0; i < TERMS; ++i)
        out.counts.push_back(
            std::int16_t(white.counts()[std::size_t(i)] - black.counts()[std::size_t(i)]));
    return out;
}

const std::vector<TermGroup> GROUPS = {
    {"material", MATERIAL, PLACE - MATERIAL},
    {"place", PLACE, MOBILITY - PLACE},
    {"mobility", MOBILITY, PASSED - MOBILITY},
    {"passed", PASSED, PASSED_FREE - PASSED},
    {"passed free", PASSED_FREE, PASSED_OWN_KING - PASSED_FREE},
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
    {"king half open", KING_HALF_OPEN, KING_ATTACKERS - KING_HALF_OPEN},
    {"king attackers", KING_ATTACKERS, KING_ATTACKS - KING_ATTACKERS},
    {"king attacks", KING_ATTACKS, SAFE_CHECK - KING_ATTACKS},
    {"safe check", SAFE_CHECK, THREAT_PAWN - SAFE_CHECK},
    {"threat pawn", THREAT_PAWN, THREAT_MINOR - THREAT_PAWN},
    {"threat minor", THREAT_MINOR, THREAT_ROOK - THREAT_MINOR},
    {"threat rook", THREAT_ROOK, HANGING - THREAT_ROOK},
    {"hanging", HANGING, PUSH_THREAT - HANGING},
    {"push threat", PUSH_THREAT, TEMPO - PUSH_THREAT},
    {"tempo", TEMPO, TERMS - TEMPO},
};

}  // namespace cotulenh::mind::chess_eval
