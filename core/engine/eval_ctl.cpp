#include "engine/eval_ctl.hpp"

#include <memory>

#include "games/ctl/attacks.hpp"

namespace cotulenh::engine::ctl_eval {
namespace {

using namespace ctl;

constexpr int COMMANDER_WORTH = 3000;  // in exchanges only: never risked for anything

// The board's material tells how far the game has gone: weights of kinds, N F T E H C I M A G S.
constexpr int PHASE_OF[KINDS] = {18, 10, 5, 2, 1, 0, 2, 2, 7, 3, 6};

struct Sight {
    Set attacks[2], twice[2], ships[2];  // points attacked; those ships reach
    Set around[2];                       // the Commanders and the points beside them
    Set cover[2];                        // inside the rings
};

// A Commander's own point and the eight around it.
Set around(const Rules& rules, Square s) {
    const int file = Frame::file_of(s), rank = Frame::rank_of(s);
    const u64 row = (u64(7) << file) >> 1;
    Set out;
    for (int r = std::max(rank - 1, 0); r <= std::min(rank + 1, Frame::ranks - 1); ++r)
        out.w[r / 4] |= row << r % 4 * 16;
    return out & rules.rays.board();
}

int own_rank(const Rules& rules, Side side, Square s) {
    const int r = Frame::rank_of(s);
    return side == FIRST ? r : rules.spec.ranks - 1 - r;
}

// The terms that a stack earns by its pieces and its point alone.
template <class Visit>
void each_own_term(const Rules& rules, Stack stack, Square s, Visit&& visit) {
    const int rank = own_rank(rules, side_of(stack), s), file = Frame::file_of(s);
    bool carried = false;
    each_piece(stack, [&](Piece p) {
        const int kind = kind_of(p);
        visit(MATERIAL + p - 1);
        visit(RANK + kind * 12 + rank);
        visit(FILE + kind * 12 + file);
        if (rules.facts(p).heavy && rules.spec.bridges.has(s)) visit(int(BRIDGE_HEAVY));
        if (std::exchange(carried, true)) visit(CARRIED + kind);
    });
}

template <bool Traced>
class Counter {
  public:
    Counter(const Position& p, Side us, Tally<TERMS, Traced>& tally, Sight& sight, Stands& stands)
        : p_(p),
          rules_(p.rules()),
          us_(us),
          them_(Side(us ^ 1)),
          tally_(tally),
          sight_(sight),
          stands_(stands) {}

    void count() {
        Set attacks, twice;
        p_.occupied(us_).each([&](Square s) {
            const Stand& stand = stands_.update(p_, s);
            twice |= attacks & stand.takes;
            attacks |= stand.takes;
            attackers_ += !stand.is_calm && stand.takes.meets(sight_.around[them_]);
            if (stand.special) special(s, stand);
            if constexpr (Traced) trace(s, stand);
        });
        sight_.attacks[us_] = attacks, sight_.twice[us_] = twice;
    }

    // Once both sides are counted: only then is every stand up to date.
    void compare() {
        if constexpr (!Traced) tally_.add_sum(stands_.worth(us_));
        fly();
        sky();
        bridges();
        threats();
        commander();
        arms();
    }

  private:
    // The terms that are in a stand's worth already.
    void trace(Square s, const Stand& stand) {
        each_own_term(rules_, stand.stack, s, [&](int term) { tally_.add(term); });
        if (!stand.special)
            tally_.add(MOBILITY + int(kind_of(carrier_of(stand.stack))), stand.mobility);
    }

    void special(Square s, const Stand& stand) {
        if (stand.defends) sight_.cover[us_] |= rules_.tables(carrier_of(stand.stack)).disc[s];
        if (stand.aircraft | stand.flies)
            aloft_.add(s);
        else
            moves(stand, stand.walks, stand.mobility);
    }

    void moves(const Stand& stand, const Set& walks, int count) {
        tally_.add(MOBILITY + int(kind_of(carrier_of(stand.stack))), count);
        if (stand.ship) sight_.ships[us_] |= walks;
    }

    // Aircraft: only now are all rings known.
    void fly() {
        const Set& cover = sight_.cover[them_];
        aloft_.each([&](Square s) {
            const Stand& stand = stands_.at(s);
            const Set walks = stand.flies ? stand.walks - cover : stand.walks;
            moves(stand, walks, walks.count());
            if (!cover.has(s)) tally_.add(AIR_FREE, stand.aircraft);
        });
    }

    void sky() {
        const Set& cover = sight_.cover[us_];
        const int all = cover.count(), south = (cover & south_half()).count();
        const int own = us_ == FIRST ? south : all - south;
        tally_.add(SKY_HOME, own);
        tally_.add(SKY, all - own);
        tally_.add(SEA, (sight_.ships[us_] & rules_.spec.water).count());
    }

    Set south_half() const {
        const int points = rules_.spec.ranks / 2 * Frame::stride;
        Set out;
        for (int i = 0; i < Set::words; ++i) {
            const int n = std::clamp(points - 64 * i, 0, 64);
            out.w[i] = n == 64 ? ~u64(0) : (u64(1) << n) - 1;
        }
        return out;
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
    Stands& stands_;
    Set aloft_;  // stacks with aircraft
    int attackers_ = 0;
};

// Both sides' counts, and the phase.
template <bool Traced>
int count_all(const Position& p, const Weights& weights, Stands& stands, Tally<TERMS, Traced>& red,
              Tally<TERMS, Traced>& blue) {
    stands.enter(p, weights);
    Sight sight;
    for (const Side side : {FIRST, SECOND}) {
        const Square c = p.commander(side);
        if (c != NO_SQUARE) sight.around[side] = around(p.rules(), c);
    }
    Counter<Traced> a(p, FIRST, red, sight, stands), b(p, SECOND, blue, sight, stands);
    a.count(), b.count();
    a.compare(), b.compare();
    (p.turn() == FIRST ? red : blue).add(TEMPO);
    return std::min(stands.phase(), FULL_PHASE);
}

}  // namespace

PieceValues::PieceValues(const Weights& weights) {
    for (Piece p = 1; p < PIECES; ++p) {
        const Pair w = weights[MATERIAL + p - 1];
        of[p] = kind_of(p) == COMMANDER ? COMMANDER_WORTH : (full_of(w) + bare_of(w)) / 2;
    }
}

// What holds for a stack whatever stands around it.
void Stands::meet(const Position& p, Square s, Stand& out) const {
    const Rules& rules = p.rules();
    out = {};
    out.stack = p.at(s);
    each_piece(out.stack, [&](Piece piece) {
        out.phase = u8(out.phase + PHASE_OF[kind_of(piece)]);
        out.aircraft = u8(out.aircraft + rules.facts(piece).aircraft);
    });
    const Piece carrier = carrier_of(out.stack);
    const PieceTables& t = rules.tables(carrier);
    out.ship = rules.facts(carrier).ship;
    out.defends = t.disc[s].any();
    out.flies = t.aircraft;
    out.is_calm = kind_of(carrier) == COMMANDER;
    out.special = out.ship || out.defends || out.flies || out.aircraft;
    out.lines = t.lines[s];
    each_own_term(rules, out.stack, s, [&](int term) { out.worth += (*weights_)[term]; });
}

// What the carrier attacks and where it could go: one look serves both for most kinds.
void Stands::look(const Position& p, Square s, Stand& out) {
    const Rules& rules = p.rules();
    remove(out);
    if (!(out.stack == p.at(s))) meet(p, s, out);
    const Piece carrier = carrier_of(out.stack);
    const PieceTables& t = rules.tables(carrier);
    const Set seen = Rules::seen(std::max(t.move_look, t.take_look), Padded(p.occupied()), s);
    out.walks = (t.walk[s] & seen) - p.occupied();
    out.takes = t.take_look == Look::NOTHING ? t.take[s] : t.take[s] & seen;
    const int mobility = out.walks.count();
    const Pair each = (*weights_)[MOBILITY + int(kind_of(carrier))];
    if (!out.special) out.worth += each * (mobility - out.mobility);
    out.mobility = mobility;
    add(out);
}

Score evaluate(const Position& p, const Weights& weights, Stands& stands) {
    Tally<TERMS, false> red(weights), blue(weights);
    const int phase = count_all(p, weights, stands, red, blue);
    const Score score = blend(red.sum() - blue.sum(), phase);
    return p.turn() == FIRST ? score : -score;
}

Explained explain(const Position& p, const Weights& weights) {
    Tally<TERMS, true> red(weights), blue(weights);
    const auto stands = std::make_unique<Stands>();
    const int phase = count_all(p, weights, *stands, red, blue);
    Explained out{evaluate(p, weights, *stands), {}};
    for (const TermGroup& g : GROUPS) {
        Pair sums[2] = {0, 0};
        for (int i = g.first; i < g.first + g.count; ++i) {
            sums[0] += weights[i] * red.counts()[std::size_t(i)];
            sums[1] += weights[i] * blue.counts()[std::size_t(i)];
        }
        out.groups.push_back({blend(sums[0], phase), blend(sums[1], phase)});
    }
    return out;
}

Trace trace(const Position& p) {
    Tally<TERMS, true> red(DEFAULT), blue(DEFAULT);
    const auto stands = std::make_unique<Stands>();
    Trace out;
    out.phase = count_all(p, DEFAULT, *stands, red, blue);
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
