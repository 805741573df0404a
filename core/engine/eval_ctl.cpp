#include "engine/eval_ctl.hpp"

#include <memory>

namespace cotulenh::engine::ctl_eval {
namespace {

using namespace ctl;

constexpr int COMMANDER_WORTH = 3000;  // in exchanges only: never risked for anything

// What one side has, term by term; the stands know much of it already.
template <bool Traced>
class Counter {
  public:
    Counter(const Position& p, Side us, Tally<TERMS, Traced>& tally, const Stands& stands)
        : p_(p), rules_(p.rules()), us_(us), them_(Side(us ^ 1)), tally_(tally), stands_(stands) {}

    void count() {
        if constexpr (Traced)
            stands_.each_term(us_, [&](int term, int n) { tally_.add(term, n); });
        else
            tally_.add_sum(stands_.worth(us_));
        bridges();
        commander();
        arms();
    }

  private:
    void bridges() {
        const Set& bridges = rules_.spec.bridges;
        if (bridges.none()) return;
        tally_.add(BRIDGE, (bridges & stands_.attacks(us_)).count());
    }

    void commander() {
        const Square own = p_.commander(us_), other = p_.commander(them_);
        if (other != NO_SQUARE) {
            tally_.add(ATTACKERS + std::min(stands_.attackers(us_), 7));
            const Set hits = stands_.around_commander(them_) & stands_.attacks(us_);
            tally_.add(HITS + std::min((hits - stands_.attacked_twice(them_)).count(), 8));
            tally_.add(HERO_NEXT, stands_.hero_candidates(us_));
        }
        if (own == NO_SQUARE) return;
        const Set& around = stands_.around_commander(us_);
        const Set free = around - p_.occupied() - stands_.attacks(them_);
        tally_.add(ESCAPES + std::min((free & rules_.stand(COMMANDER)).count(), 7));
        tally_.add(GUARDS + std::min((around & p_.occupied(us_)).count() - 1, 7));
        const Kind host = kind_of(carrier_of(p_.at(own)));
        if (host == HEADQUARTERS)
            tally_.add(SHELTERED);
        else if (host != COMMANDER)
            tally_.add(ABOARD);
        if (us_ == p_.turn() && other != NO_SQUARE) line(own, other);
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
    const Stands& stands_;
};

// Both sides' counts, and the phase.
template <bool Traced>
int count_all(const Position& p, const Weights& weights, Stands& stands, Tally<TERMS, Traced>& red,
              Tally<TERMS, Traced>& blue) {
    stands.update(p, weights);
    Counter<Traced>(p, FIRST, red, stands).count();
    Counter<Traced>(p, SECOND, blue, stands).count();
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
