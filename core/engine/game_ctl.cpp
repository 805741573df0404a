#include "engine/game_ctl.hpp"

#include "games/ctl/attacks.hpp"

namespace cotulenh::engine {
namespace {

using namespace ctl;
using Here = Game<Position>;

// One way to take on a point: what it puts at risk there. Nothing if the taker stays away.
struct Taker {
    int risk;
    Square from;
    bool stays;
};

// Everything that could take on one point, cheapest first when asked for. A side is looked at when
// its turn to take has come: most exchanges are over before they begin.
class Contest {
  public:
    Contest(const Position& p, Square to, Square gone)
        : p_(p), rules_(p.rules()), to_(to), occupied_(p.occupied()) {
        occupied_.set.remove(gone);
        near_ = occupied_.set & rules_.zone(to);
        near_.remove(to);
    }

    // The cheapest taker of a side against a stack of a kind, taken off the list.
    bool next(Side side, bool ship, Taker& out) {
        List& list = lists_[side];
        if (!std::exchange(list.made, true))
            (near_ & p_.occupied(side)).each([&](Square s) { consider(s, list); });
        Entry* best = nullptr;
        for (Entry* e = list.entries; e < list.entries + list.count; ++e)
            if ((ship ? e->ships : e->others) && (!best || e->taker.risk < best->taker.risk))
                best = e;
        if (!best) return false;
        out = best->taker;
        best->ships = best->others = false;
        return true;
    }

  private:
    struct Entry {
        Taker taker;
        bool ships, others;
    };
    static constexpr int MOST = 32;
    struct List {
        bool made = false;
        int count = 0;
        Entry entries[MOST];
    };

    // A carrier brings its whole stack; a passenger would come alone. The cheaper one counts, once
    // for each stack: more would be rare and slow.
    void consider(Square s, List& list) {
        const Stack stack = p_.at(s);
        Entry found{{1 << 20, s, false}, false, false};
        bool first = true;
        each_piece(stack, [&](Piece p) {
            const PieceTables& t = rules_.tables(p);
            const bool others = t.take[s].has(to_), ships = t.ships[s].has(to_);
            const bool whole = std::exchange(first, false);
            if (!(others || ships)) return;
            if (t.take_look != Look::NOTHING && !sees(s)) return;
            const bool stays = !t.replace[s].has(to_);
            if (stays && !rules_.facts(p).stay) return;
            if (t.aircraft && !flies(s)) return;
            const int risk = stays ? 0 : whole ? Here::values().stack(stack) : Here::values().of[p];
            if (risk >= found.taker.risk) return;
            found.taker = {risk, s, stays};
            found.others = others, found.ships = ships;
        });
        if ((found.ships || found.others) && list.count < MOST) list.entries[list.count++] = found;
    }

    bool sees(Square s) {
        if (!std::exchange(looked_, true))
            seen_ = Rules::seen(rules_.attack_look(), occupied_, to_);
        return seen_.has(s);
    }

    // Aircraft that rings would shoot down do not count: they could only exchange themselves.
    bool flies(Square s) const {
        const Side them = Side(side_of(p_.at(s)) ^ 1);
        const Set path = rules_.rays.between(s, to_) | Set::of(to_);
        for (const Piece d : rules_.defenders()) {
            bool hit = false;
            p_.pieces(them, d).each([&](Square at) {
                hit |= at != to_ && carrier_of(p_.at(at)) == d &&
                       rules_.tables(d).disc[at].meets(path);
            });
            if (hit) return false;
        }
        return true;
    }

    const Position& p_;
    const Rules& rules_;
    const Square to_;
    Padded occupied_;
    Set near_, seen_;
    bool looked_ = false;
    List lists_[2];
};

}  // namespace

int Here::victim_value(const Position& p, Move m) {
    if (!m.takes()) return 0;
    const Stack stack = p.at(m.to());
    // 4.4: a breach takes the Headquarters alone.
    if (m.kind() == BREACH) return values().of[carrier_of(stack)];
    return values().stack(stack);
}

Ending Here::ending(Position& p) {
    const Side us = p.turn();
    if (p.commander_lost()) return p.commander(us) == NO_SQUARE ? Ending::LOST : Ending::WON;
    if (p.rules().spec.objective == Objective::COMMANDER) return Ending::NONE;
    const Side winner = p.objective_winner();
    if (winner == NOBODY) return Ending::NONE;
    // Mate goes before objectives (10.3).
    return winner != us || (p.in_check() && !p.has_legal_move()) ? Ending::LOST : Ending::WON;
}

int Here::see(const Position& p, Move m) {
    const int taken = victim_value(p, m);
    if (m.kind() == COMMIT || m.kind() == STAY || m.kind() == BREACH) return taken;
    const int mover = values().stack(m.group());
    if (m.kind() == EXCHANGE) return taken - mover;
    int gain[32];
    gain[0] = taken;
    const Stack source = p.at(m.from());
    Contest contest(p, m.to(), group_of(source) == m.group() ? m.from() : m.to());
    // A piece that boards a friend brings the friend into the exchange.
    int risked = mover + (m.kind() == COMBINE ? values().stack(p.at(m.to())) : 0);
    bool ship = p.rules().facts(carrier_of(m.group())).ship;
    Side side = Side(p.turn() ^ 1);
    int n = 1;
    for (Taker t; n < 32 && contest.next(side, ship, t); ++n, side ^= 1) {
        gain[n] = risked;
        risked = t.risk;
        ship = p.rules().facts(carrier_of(p.at(t.from))).ship;
        if (t.stays) {
            ++n;
            break;
        }
    }
    return resolve_exchange(gain, n);
}

// A step is legal if what it leads to can be finished (8.4), and both orders lead to the same: so
// only the ways of the two matter. Neither may stand in the other's way, nor have opened it by what
// it takes. Where steps make heroes or must be safe by themselves the order may tell, as it may
// where a Commander steps (6.2) or is taken (4.5).
bool Game<ctl::Position>::commute(const P& p, Move first, Move second) {
    constexpr u32 PLAIN = 1 << ctl::NORMAL | 1 << ctl::CAPTURE | 1 << ctl::STAY | 1 << ctl::COMBINE;
    const ctl::Rules& rules = p.rules();
    if (rules.sw.heroes_each_step || rules.sw.deploy_steps_safe) return false;
    if (!(PLAIN >> first.kind() & PLAIN >> second.kind() & 1)) return false;
    const Square from = first.from(), one = first.to(), other = second.to();
    if (one == other || other == p.commander(Side(p.turn() ^ 1))) return false;
    if (rules.rays.between(from, one).has(other) || rules.rays.between(from, other).has(one))
        return false;
    if (first.takes() && rules.facts(ctl::carrier_of(second.group())).aircraft) return false;
    return !ctl::contains(first.group(), rules.commander()) &&
           !ctl::contains(second.group(), rules.commander());
}

}  // namespace cotulenh::engine
