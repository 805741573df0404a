// Legal generation: pseudo-legal targets pass through a filter that tests only what could matter.
#include "games/ctl/movegen.hpp"

namespace cotulenh::ctl {

static_assert(GamePosition<Position>);

namespace {

// What could expose the side's own Commander, from one look around him. Conservative: a move that
// touches none of this is legal without being made; every other one is made and tested.
struct Danger {
    bool every = false;  // he is attacked now, or any turn may bring forth an enemy hero
    bool takes = false;  // a take may leave the enemy a last guard (9.2)
    Set touchy;          // points whose emptying or changing could expose him
    // Where a move must go to save him if he is attacked now: to the attacker's point or in its
    // way. Or to him, who may be sheltered then, or to the other Commander, whose loss ends it all.
    Set saving = Rules::everything();

    explicit Danger(const Position& p) {
        const Rules& rules = p.rules();
        const Side us = p.turn(), them = Side(us ^ 1);
        const Square c = p.commander(us);
        if (c == NO_SQUARE) return;
        touchy.add(c);
        look_at_lines(p, rules, us, c);
        if (rules.sw.last_guard) look_at_guards(p, them);
        saving.add(c);
        if (p.commander(them) != NO_SQUARE) saving.add(p.commander(them));
    }

    bool guards() const { return guards_; }

  private:
    void look_at_lines(const Position& p, const Rules& rules, Side us, Square c) {
        const Side them = Side(us ^ 1);
        bool aircraft = false;
        const Padded occupied(p.occupied());
        const Set near = p.occupied(them) & rules.zone(c);
        if (near.any()) {
            Target target(p, them, c, occupied);
            near.each([&](Square s) {
                each_piece(p.at(s), [&](Piece piece) {
                    if (!target.in_reach(piece, s)) {
                        return;
                    } else if (rules.tables(piece).aircraft) {
                        aircraft = true;
                        every |= target.attacked_by(piece, s);
                    } else if (target.blockable(piece)) {
                        line(p, rules.rays.between(c, s), s);
                    } else {
                        attacked(Set::of(s));
                    }
                });
            });
        }
        if (aircraft) look_at_rings(p, rules, us, c);
        const Square other = p.commander(them);
        if (rules.facing() && other != NO_SQUARE) {
            const int d = Rays<Frame>::direction(c, other);
            if (d >= 0 && !is_diagonal(d)) line(p, rules.rays.between(c, other), other);
        }
    }

    // 5: a ring that leaves may let aircraft through; so may one that grows, by a new hero (9),
    // until it covers the Commander too: what was shot down on the way may then be an exchange.
    void look_at_rings(const Position& p, const Rules& rules, Side us, Square c) {
        for (const Piece d : rules.defenders()) {
            touchy |= p.pieces(us, d);
            p.pieces(us, d).each([&](Square s) {
                every |= !rules.tables(d).disc[s].has(c) && rules.tables(heroic(d)).disc[s].has(c);
            });
        }
    }

    // One move empties at most two points of a line (an exchange).
    void line(const Position& p, const Set& between, Square end) {
        const Set blockers = between & p.occupied();
        const int n = blockers.count();
        if (n == 0) attacked(between | Set::of(end));
        if (n <= 2) touchy |= blockers;
    }

    void attacked(const Set& answers) {
        every = true;
        saving &= answers;
    }

    void look_at_guards(const Position& p, Side them) {
        const int n = p.count(them);
        if (n == 2)  // and what a new hero still attacks is not known here
            every = guards_ = true, saving = Rules::everything();
        else if (n <= 2 + MOST_IN_STACK)
            takes = true;
    }

    bool guards_ = false;
};

// Sinks for legal moves: what to do with a batch that is known to be legal, and with one move.
struct Lister {
    Moves& out;
    bool done() const { return false; }
    void batch(Square from, Group g, MoveKind kind, bool deploy, const Set& targets) {
        out.ensure(targets.count());
        const Move any = Move::of(from, 0, kind, deploy, g);
        targets.each([&](Square to) { out.add(any.with_to(to)); });
    }
    void one(Move m) {
        out.ensure(1);
        out.add(m);
    }
};

struct Counter {
    int n = 0;
    bool done() const { return false; }
    void batch(Square, Group, MoveKind, bool, const Set& targets) { n += targets.count(); }
    void one(Move) { ++n; }
};

struct Finder {
    bool found = false;
    bool done() const { return found; }
    void batch(Square, Group, MoveKind, bool, const Set&) { found = true; }
    void one(Move) { found = true; }
};

}  // namespace

template <class Out>
class LegalSink {
  public:
    LegalSink(Position& p, Out& out, Set* doubtful = nullptr)
        : p_(p), rules_(p.rules()), danger_(p), out_(out), doubtful_(doubtful) {}

    void operator()(Square from, Group g, MoveKind kind, bool deploy, const Set& targets) {
        if (out_.done()) return;
        const bool goes_on = deploy && !(p_.deploying() && p_.remaining() == g);
        if (danger_.every && !may_save_anywhere(from, kind, goes_on)) {
            const Set saving = targets & danger_.saving;
            if (saving.any()) test(from, g, kind, deploy, saving);
            return;
        }
        if (doubtful_ && !danger_.every && !deploy && danger_.touchy.has(from)) {
            doubtful_->add(from);
            out_.batch(from, g, kind, deploy, targets);
            return;
        }
        if (danger_.every || danger_.touchy.has(from) ||
            (danger_.takes && kind != NORMAL && kind != COMBINE) ||
            (deploy && !rest_may_stay(from, g, kind))) {
            test(from, g, kind, deploy, targets);
            return;
        }
        // Points that are moved to without taking or joining were empty: nothing touchy there.
        if (kind == NORMAL || !targets.meets(danger_.touchy)) {
            out_.batch(from, g, kind, deploy, targets);
            return;
        }
        test(from, g, kind, deploy, targets & danger_.touchy);
        const Set rest = targets - danger_.touchy;
        if (rest.any()) out_.batch(from, g, kind, deploy, rest);
    }

  private:
    // Where the Commander is attacked, most moves can be refused by their target: not those of his
    // own stack, nor steps that others may follow.
    bool may_save_anywhere(Square from, MoveKind kind, bool goes_on) const {
        const bool quiet = kind == NORMAL || kind == COMBINE;
        return goes_on || from == p_.commander(p_.turn()) || (danger_.takes && !quiet);
    }

    // After this step the deployment could be committed at once, as far as 8.2 goes.
    bool rest_may_stay(Square from, Group g, MoveKind kind) const {
        const Stack here = p_.at(from);
        const Group rest = kind == STAY || kind == BREACH ? group_of(here) : without(here, g);
        return !rest || (rules_.valid(rest) && rules_.can_stand(rest, from));
    }

    void test(Square from, Group g, MoveKind kind, bool deploy, const Set& targets) {
        const bool walk =
            kind == NORMAL && !deploy && from == p_.commander(p_.turn()) && is_single(g);
        Padded gone;
        if (walk) {
            gone = Padded(p_.occupied());
            gone.set.remove(from);
        }
        const Move any = Move::of(from, 0, kind, deploy, g);
        targets.each([&](Square to) {
            if (out_.done()) return;
            const Move m = any.with_to(to);
            if ((walk && walks_safely(to, gone)) || p_.move_is_legal(m)) out_.one(m);
        });
    }

    // A Commander's plain walk need not be made: his new point must not be attacked once he has
    // left the old one. (6.2 kept him from facing; what new heroes change is looked at by making.)
    bool walks_safely(Square to, const Padded& gone) {
        if (danger_.guards()) return false;
        const Side them = Side(p_.turn() ^ 1);
        if (!p_.occupied(them).meets(rules_.zone(to))) return true;
        const Set near = p_.occupied(them) & rules_.zone(to);
        Target target(p_, them, to, gone, p_.at(p_.commander(p_.turn())));
        bool safe = true;
        near.each([&](Square s) {
            each_piece(p_.at(s), [&](Piece q) {
                const bool flies = rules_.tables(q).aircraft && target.in_reach(q, s);
                safe = safe && !flies && !target.attacked_by(q, s);
            });
        });
        return safe;
    }

    Position& p_;
    const Rules& rules_;
    const Danger danger_;
    Out& out_;
    Set* const doubtful_;  // what is left untested comes from there; nothing: test all
};

template <Wanted wanted, class Out>
void Position::legal_into(Out& out, Set* doubtful) {
    if (is_over()) return;
    LegalSink<Out> sink(*this, out, doubtful);
    Generator<wanted>(*this).all(sink);
    if (deploying() && wanted != Wanted::TAKES && can_commit()) out.one(Move::commit(origin_));
}

void Position::legal_moves(Moves& out) {
    Lister lister{out};
    legal_into<Wanted::ALL>(lister);
}

void Position::legal_takes(Moves& out) {
    Lister lister{out};
    legal_into<Wanted::TAKES>(lister);
}

void Position::quiets(Moves& out, Set& doubtful) {
    Lister lister{out};
    legal_into<Wanted::QUIETS>(lister, &doubtful);
}

int Position::count_legal() {
    Counter counter;
    legal_into<Wanted::ALL>(counter);
    return counter.n;
}

bool Position::has_legal_move() {
    Finder finder;
    legal_into<Wanted::ALL>(finder);
    return finder.found;
}

bool Position::has_legal_step() {
    if (!remaining_) return false;
    Finder finder;
    LegalSink<Finder> sink(*this, finder);
    Generator(*this).all(sink);
    return finder.found;
}

void Position::pseudo_legal_moves(Moves& out) const {
    if (is_over()) return;
    Lister lister{out};
    const auto sink = [&](Square from, Group g, MoveKind kind, bool deploy, const Set& targets) {
        lister.batch(from, g, kind, deploy, targets);
    };
    Generator(*this).all(sink);
    if (deploying()) lister.one(Move::commit(origin_));
}

bool Position::is_pseudo_legal(Move m) const {
    if (!m.well_formed() || is_over()) return false;
    if (m.kind() == COMMIT) return deploying() && m == Move::commit(origin_);
    const Group g = m.group();
    if (!g || !rules_->rays.board().has(m.from())) return false;
    Generator generator(*this);
    if (deploying()) {
        if (!m.deploy() || m.from() != origin_ || !includes(remaining_, g)) return false;
    } else {
        const Stack stack = board_[m.from()];
        if (!stack || side_of(stack) != turn_) return false;
        if (m.deploy() ? g == group_of(stack) || !includes(stack, g) : g != group_of(stack))
            return false;
    }
    if (m.deploy() && !generator.may_act(g)) return false;
    bool found = false;
    const auto sink = [&](Square, Group, MoveKind kind, bool, const Set& targets) {
        found |= kind == m.kind() && targets.has(m.to());
    };
    generator.group_moves(sink, m.from(), g, m.deploy());
    return found;
}

bool Position::is_legal(Move m) {
    if (!is_pseudo_legal(m)) return false;
    if (m.kind() == COMMIT) return can_commit();
    Finder finder;
    LegalSink<Finder> legal(*this, finder);
    legal(m.from(), m.group(), m.kind(), m.deploy(), Set::of(m.to()));
    return finder.found;
}

}  // namespace cotulenh::ctl
