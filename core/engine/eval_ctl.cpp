#include "engine/eval_ctl.hpp"

#include "games/ctl/attacks.hpp"

namespace cotulenh::engine::ctl_eval {
namespace {

using namespace ctl;

constexpr int COMMANDER_WORTH = 3000;  // in exchanges only: never risked for anything

// The board's material tells how far the game has gone: weights of kinds, N F T E H C I M A G S.
constexpr int PHASE_OF[KINDS] = {18, 10, 5, 2, 1, 0, 2, 2, 7, 3, 6};

struct Sight {
    Padded occupied;
    Set attacks[2], twice[2], ships[2];  // points attacked; those ships reach
    Set around[2];                       // the Commanders and the points beside them
    Set cover[2];
};

// A Commander's own point and the eight around it.
Set around(const Rules& rules, Square s) {
    Set out = Set::of(s);
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Square next = rules.rays.step(d, s);
        if (next != NO_SQUARE) out.add(next);
    }
    return out;
}

template <bool Traced>
class Counter {
  public:
    Counter(const Position& p, Side us, Tally<TERMS, Traced>& tally, Sight& sight)
        : p_(p), rules_(p.rules()), us_(us), them_(Side(us ^ 1)), tally_(tally), sight_(sight) {}

    void count() {
        p_.occupied(us_).each([&](Square s) { stack(s, p_.at(s)); });
    }

    void compare() {
        sky();
        bridges();
        threats();
        commander();
        arms();
    }

  private:
    int own_rank(Square s) const {
        const int r = Frame::rank_of(s);
        return us_ == FIRST ? r : rules_.spec.ranks - 1 - r;
    }

    void piece(Piece p, Square s) {
        const int kind = kind_of(p);
        const KindFacts& f = rules_.facts(p);
        tally_.add(MATERIAL + p - 1);
        tally_.add(RANK + kind * 12 + own_rank(s));
        tally_.add(FILE + kind * 12 + Frame::file_of(s));
        if (f.aircraft && !sight_.cover[them_].has(s)) tally_.add(AIR_FREE);
        if (f.heavy && rules_.spec.bridges.has(s)) tally_.add(BRIDGE_HEAVY);
    }

    void stack(Square s, Stack stack) {
        const Piece carrier = carrier_of(stack);
        piece(carrier, s);
        reach(carrier, s);
        for (int i = 1; i < size_of(stack); ++i) {
            const Piece passenger = group_of(stack)[i];
            piece(passenger, s);
            tally_.add(CARRIED + int(kind_of(passenger)));
        }
    }

    // What the carrier attacks and where it could go: one look serves both for most kinds.
    void reach(Piece p, Square s) {
        const PieceTables& t = rules_.tables(p);
        const KindFacts& f = rules_.facts(p);
        const Set seen = Rules::seen(std::max(t.move_look, t.take_look), sight_.occupied, s);
        Set walks = (t.walk[s] & seen) - p_.occupied();
        Set takes = t.take_look == Look::NOTHING ? t.take[s] : t.take[s] & seen;
        if (t.aircraft) walks -= sight_.cover[them_];
        tally_.add(MOBILITY + int(kind_of(p)), walks.count());
        sight_.twice[us_] |= sight_.attacks[us_] & takes;
        sight_.attacks[us_] |= takes;
        if (f.ship) sight_.ships[us_] |= walks;
        if (kind_of(p) != COMMANDER && takes.meets(sight_.around[them_])) ++attackers_;
    }

    void sky() {
        const int half = rules_.spec.ranks / 2;
        Set south = Set::rectangle(Frame::files, half);
        const Set home = us_ == FIRST ? south : rules_.rays.board() - south;
        const Set& cover = sight_.cover[us_];
        const int own = (cover & home).count();
        tally_.add(SKY_HOME, own);
        tally_.add(SKY, cover.count() - own);
        tally_.add(SEA, (sight_.ships[us_] & rules_.spec.water).count());
    }

    void bridges() {
        const Set& bridges = rules_.spec.bridges;
        if (bridges.none()) return;
        tally_.add(BRIDGE, (bridges & sight_.attacks[us_]).count());
    }

    void threats() {
        const Set hit = p_.occupied(them_) & sight_.attacks[us_];
        hit.each([&](Square s) {
            const int kind = kind_of(carrier_of(p_.at(s)));
            tally_.add(PRESSURE + kind);
            if (!sight_.attacks[them_].has(s)) tally_.add(LOOSE + kind);
        });
        (p_.occupied(us_) & sight_.attacks[us_]).each([&](Square s) {
            tally_.add(HELD + int(kind_of(carrier_of(p_.at(s)))));
        });
    }

    void commander() {
        const Square own = p_.commander(us_), other = p_.commander(them_);
        if (other != NO_SQUARE) {
            tally_.add(ATTACKERS + std::min(attackers_, 7));
            const Set hits = sight_.around[them_] & sight_.attacks[us_];
            tally_.add(HITS + std::min((hits - sight_.twice[them_]).count(), 8));
            heroes(other);
        }
        if (own == NO_SQUARE) return;
        const Set free = sight_.around[us_] - p_.occupied() - sight_.attacks[them_];
        tally_.add(ESCAPES + std::min((free & rules_.stand(COMMANDER)).count(), 7));
        tally_.add(GUARDS + std::min((sight_.around[us_] & p_.occupied(us_)).count() - 1, 7));
        const Kind host = kind_of(carrier_of(p_.at(own)));
        if (host == HEADQUARTERS)
            tally_.add(SHELTERED);
        else if (host != COMMANDER)
            tally_.add(ABOARD);
        if (us_ == p_.turn() && other != NO_SQUARE) line(own, other);
    }

    // Plain pieces that need only an open line, or one step less cover, to become heroic.
    void heroes(Square target) {
        int n = 0;
        (p_.occupied(us_) & rules_.zone(target)).each([&](Square s) {
            const Piece p = carrier_of(p_.at(s));
            n += !is_heroic(p) && rules_.tables(p).take[s].has(target);
        });
        tally_.add(HERO_NEXT, n);
    }

    // With one piece between the Commanders it is pinned to the line; the side to move may use it.
    void line(Square own, Square other) {
        const int d = Rays<Frame>::direction(own, other);
        if (!rules_.facing() || d < 0 || is_diagonal(d)) return;
        const int n = (rules_.rays.between(own, other) & p_.occupied()).count();
        if (n > 0) tally_.add(LINE + std::min(n, 3) - 1);
    }

    void arms() {
        const Objective wanted = rules_.spec.objective;
        if (wanted == Objective::COMMANDER) return;
        for (int g = 0; g < GROUPS_OF_ARMS; ++g) {
            const bool asked =
                wanted == Objective::TACTICAL || g == int(wanted) - int(Objective::MARINE);
            if (!asked || !(p_.arms_at_start() >> (us_ * GROUPS_OF_ARMS + g) & 1)) continue;
            int alive = 0;
            for (int k = 0; k < KINDS; ++k)
                if (rules_.spec.arms[g] >> k & 1) alive += p_.pieces(us_, Kind(k)).count();
            if (alive == 1) tally_.add(LAST_ARMS);
            if (alive == 2) tally_.add(FEW_ARMS);
        }
    }

    const Position& p_;
    const Rules& rules_;
    const Side us_, them_;
    Tally<TERMS, Traced>& tally_;
    Sight& sight_;
    int attackers_ = 0;
};

int phase_of(const Position& p) {
    int phase = 0;
    for (const Side side : {FIRST, SECOND})
        for (int k = 0; k < KINDS; ++k) phase += PHASE_OF[k] * p.pieces(side, Kind(k)).count();
    return std::min(phase, FULL_PHASE);
}

template <bool Traced>
void count_all(const Position& p, Tally<TERMS, Traced>& red, Tally<TERMS, Traced>& blue) {
    Sight sight;
    sight.occupied = Padded(p.occupied());
    for (const Side side : {FIRST, SECOND}) {
        const Square c = p.commander(side);
        if (c != NO_SQUARE) sight.around[side] = around(p.rules(), c);
        sight.cover[side] = p.cover(side);
    }
    Counter<Traced> a(p, FIRST, red, sight), b(p, SECOND, blue, sight);
    a.count(), b.count();
    a.compare(), b.compare();
    (p.turn() == FIRST ? red : blue).add(TEMPO);
}

}  // namespace

PieceValues::PieceValues(const Weights& weights) {
    for (Piece p = 1; p < PIECES; ++p) {
        const Pair w = weights[MATERIAL + p - 1];
        of[p] = kind_of(p) == COMMANDER ? COMMANDER_WORTH : (full_of(w) + bare_of(w)) / 2;
    }
}

Score evaluate(const Position& p, const Weights& weights) {
    Tally<TERMS, false> red(weights), blue(weights);
    count_all(p, red, blue);
    const Score score = blend(red.sum() - blue.sum(), phase_of(p));
    return p.turn() == FIRST ? score : -score;
}

Explained explain(const Position& p, const Weights& weights) {
    Tally<TERMS, true> red(weights), blue(weights);
    count_all(p, red, blue);
    Explained out{evaluate(p, weights), {}};
    for (const TermGroup& g : GROUPS) {
        Pair sums[2] = {0, 0};
        for (int i = g.first; i < g.first + g.count; ++i) {
            sums[0] += weights[i] * red.counts()[std::size_t(i)];
            sums[1] += weights[i] * blue.counts()[std::size_t(i)];
        }
        out.groups.push_back({blend(sums[0], phase_of(p)), blend(sums[1], phase_of(p))});
    }
    return out;
}

Trace trace(const Position& p) {
    Tally<TERMS, true> red(DEFAULT), blue(DEFAULT);
    count_all(p, red, blue);
    Trace out;
    out.phase = phase_of(p);
    for (int i = 0; i < TERMS; ++i)
        out.counts.push_back(
            std::int16_t(red.counts()[std::size_t(i)] - blue.counts()[std::size_t(i)]));
    return out;
}

const std::vector<TermGroup> GROUPS = {
    {"material", MATERIAL, CARRIED - MATERIAL},
    {"carried", CARRIED, RANK - CARRIED},
    {"rank", RANK, FILE - RANK},
    {"file", FILE, MOBILITY - FILE},
    {"mobility", MOBILITY, PRESSURE - MOBILITY},
    {"pressure", PRESSURE, LOOSE - PRESSURE},
    {"loose", LOOSE, HELD - LOOSE},
    {"held", HELD, SEA - HELD},
    {"sea", SEA, 1},
    {"sky", SKY, 1},
    {"sky home", SKY_HOME, 1},
    {"air free", AIR_FREE, 1},
    {"bridge", BRIDGE, 1},
    {"bridge heavy", BRIDGE_HEAVY, 1},
    {"attackers", ATTACKERS, HITS - ATTACKERS},
    {"hits", HITS, ESCAPES - HITS},
    {"escapes", ESCAPES, GUARDS - ESCAPES},
    {"guards", GUARDS, HERO_NEXT - GUARDS},
    {"hero next", HERO_NEXT, 1},
    {"sheltered", SHELTERED, 1},
    {"aboard", ABOARD, 1},
    {"line", LINE, LAST_ARMS - LINE},
    {"last arms", LAST_ARMS, 1},
    {"few arms", FEW_ARMS, 1},
    {"tempo", TEMPO, 1},
};

}  // namespace cotulenh::engine::ctl_eval
