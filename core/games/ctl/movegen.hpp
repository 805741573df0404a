// Pseudo-legal generation: every article that says where a group may go, none that asks whether
// its own Commander is safe. Answers come as sets of targets, so that counting needs no list.
#pragma once

#include "games/ctl/attacks.hpp"

namespace cotulenh::ctl {

// What is wanted is known when this is compiled: perft and lists of all moves pay nothing for it.
template <Wanted wanted = Wanted::ALL>
class Generator {
  public:
    explicit Generator(const Position& position)
        : p_(position),
          rules_(position.rules()),
          us_(position.turn_),
          them_(Side(us_ ^ 1)),
          own_(position.side_[us_].set) {
        for (const Piece p : rules_.ships()) enemy_ships_ |= position.pieces(them_, p);
        enemy_others_ = position.side_[them_].set - enemy_ships_;
        const Square c = position.commander_[them_];
        if (rules_.sw.shelter && c != NO_SQUARE &&
            rules_.facts(carrier_of(position.board_[c])).headquarters)
            shelter_ = c;
    }

    // Calls sink(from, group, kind, deploy, targets) for everything the side to move may try.
    template <class Sink>
    void all(Sink& sink) {
        if (p_.deploying()) {
            choices(sink, p_.origin_, p_.remaining_, true);
            return;
        }
        own_.each([&](Square s) {
            const Stack stack = p_.board_[s];
            if (may_matter(stack, s)) group_moves(sink, s, group_of(stack), false);
            if (!is_single(stack)) choices(sink, s, stack, false);
        });
    }

    // The moves of one group as one body (8.1: by the rules of its carrier).
    template <class Sink>
    void group_moves(Sink& sink, Square from, Group group, bool deploy) {
        const Piece p = carrier_of(group);
        if (rules_.tables(p).idle) return;
        const Body body{from, group, deploy, p, rules_.facts(p), rules_.tables(p)};
        if (p_.is_commander(p))
            commander(sink, body);
        else if (body.t.aircraft &&
                 (body.t.board[from] | body.t.ships[from]).meets(defence().covered()))
            aircraft_under_fire(sink, body);
        else
            plain(sink, body);
    }

    // 8.1: may this choice of pieces act as one?
    bool may_act(Group group) const {
        return is_single(group) || (rules_.sw.deploy_substacks && rules_.valid(group));
    }

  private:
    // A group about to move, with the facts and tables of its carrier.
    struct Body {
        Square from;
        Group group;
        bool deploy;
        Piece p;
        const KindFacts& f;
        const PieceTables& t;
    };

    template <class Sink>
    void choices(Sink& sink, Square from, Group pieces, bool whole_too) {
        each_choice(pieces, whole_too, [&](Group g) {
            if (may_act(g) && may_matter(g, from)) group_moves(sink, from, g, true);
        });
    }

    // Where takes alone are wanted, most groups have nothing in reach. Commanders may face (6.3).
    bool may_matter(Group group, Square from) const {
        if (wanted != Wanted::TAKES) return true;
        const Piece p = carrier_of(group);
        const PieceTables& t = rules_.tables(p);
        return t.take[from].meets(enemy_others_) || t.ships[from].meets(enemy_ships_) ||
               p_.is_commander(p);
    }

    template <class Sink>
    static void send(Sink& sink, const Body& b, MoveKind kind, const Set& targets) {
        if (targets.any()) sink(b.from, b.group, kind, b.deploy, targets);
    }

    const AirDefence& defence() {
        if (!defence_) defence_.emplace(p_, them_);
        return *defence_;
    }

    // 3: what stands in this group's way when it moves.
    Set seen_moving(const Body& b) const {
        if (b.t.move_look == Look::NOTHING) return Rules::everything();
        if (b.f.move_blocked == Blocking::ALL)
            return Rules::seen(b.t.move_look, p_.occupied_, b.from);
        if (b.f.move_blocked == Blocking::ENEMIES)
            return Rules::seen(b.t.move_look, p_.side_[them_], b.from);
        Set ships = enemy_ships_;
        for (const Piece p : rules_.ships()) ships |= p_.pieces(us_, p);
        return Rules::seen(b.t.move_look, Padded(ships), b.from);
    }

    Set seen_taking(const Body& b) const {
        return Rules::seen(b.t.take_look, p_.occupied_, b.from);
    }

    Set targets(const Body& b) const {
        return (b.t.take[b.from] & enemy_others_) | (b.t.ships[b.from] & enemy_ships_);
    }

    bool may_join(Group group, Group other, Square s) const {
        const Group whole = merged(other, group);
        return whole && rules_.valid(whole) && rules_.can_stand(whole, s);
    }

    // 7.1: joins friends it can reach. Most pairs are single pieces, which a table knows.
    template <class Sink>
    void join(Sink& sink, const Body& b, Set friends) {
        if (friends.none()) return;
        const bool single = is_single(b.group);
        Set joined;
        friends.each([&](Square s) {
            const Stack other = p_.board_[s];
            if (single && is_single(other) ? rules_.pair_stands(b.p, carrier_of(other)).has(s)
                                           : may_join(b.group, other, s))
                joined.add(s);
        });
        send(sink, b, COMBINE, joined);
    }

    // Of targets that cannot be replaced, those that may be taken by staying (4.1, 14.3).
    Set takeable_staying(const Body& b, const Set& targets) const {
        if (b.f.stay == (1 << KINDS) - 1) return targets;
        Set out;
        targets.each([&](Square s) {
            if (b.f.stay >> kind_of(carrier_of(p_.board_[s])) & 1) out.add(s);
        });
        return out;
    }

    // 4.3: aircraft-led targets are replaced, not bombed.
    Set led_by_aircraft(const Set& targets) const {
        Set out;
        targets.each([&](Square s) {
            if (rules_.facts(carrier_of(p_.board_[s])).aircraft) out.add(s);
        });
        return out;
    }

    // 2.6, S13: own ships that a Commander reaches over water.
    Set ferries(const Body& b) const {
        Set out;
        const Set near = rules_.ferry(b.p, b.from) & own_;
        if (near.none()) return out;
        near.each([&](Square s) {
            if (rules_.facts(carrier_of(p_.board_[s])).ship) out.add(s);
        });
        return out;
    }

    template <class Sink>
    void walk(Sink& sink, const Body& b, const Set& seen) {
        send(sink, b, NORMAL, (b.t.walk[b.from] & seen) - p_.occupied_.set);
    }
    template <class Sink>
    void quiet(Sink& sink, const Body& b, const Set& seen) {
        if (wanted == Wanted::TAKES) return;
        walk(sink, b, seen);
        join(sink, b, b.t.board[b.from] & seen & own_);
    }

    // Takes of reachable targets: breach, replace, stay, and the aircraft's choice.
    template <class Sink>
    void takes(Sink& sink, const Body& b, Set targets) {
        if (targets.none()) return;
        if (shelter_ != NO_SQUARE && !b.f.indirect && targets.has(shelter_)) {  // 4.4
            send(sink, b, BREACH, Set::of(shelter_));
            targets.remove(shelter_);
        }
        const Set replaced = targets & b.t.replace[b.from];
        Set stayed = targets - replaced;
        if (stayed.any()) stayed = takeable_staying(b, stayed);
        if (b.f.aircraft && rules_.sw.aircraft_return && !b.deploy)  // 4.3
            stayed |=
                rules_.sw.return_against_aircraft ? replaced : replaced - led_by_aircraft(replaced);
        send(sink, b, CAPTURE, replaced);
        send(sink, b, STAY, stayed);
    }

    template <class Sink>
    void plain(Sink& sink, const Body& b) {
        const bool same = b.f.move_blocked == Blocking::ALL && b.t.take_look == b.t.move_look;
        const Set moving = wanted == Wanted::TAKES && !same ? Set{} : seen_moving(b);
        quiet(sink, b, moving);
        if (wanted == Wanted::QUIETS) return;
        const Set reach = targets(b);
        if (reach.none()) return;
        takes(sink, b,
              b.t.take_look == Look::NOTHING ? reach
              : same                         ? reach & moving
                                             : reach & seen_taking(b));
    }

    // 5.2: some ring lies within reach. Quiet flights end before the first covered point: the
    // cover blocks like pieces do, so the same tables answer.
    template <class Sink>
    void aircraft_under_fire(Sink& sink, const Body& b) {
        Set aims = targets(b);
        const AirDefence& air = defence();
        const Set reach = b.t.board[b.from] | b.t.take[b.from] | b.t.ships[b.from];
        Set open = visible_far(Padded(air.covered()), b.from) & reach;
        open -= air.covered();
        const bool moves_blocked = b.t.move_look != Look::NOTHING;
        quiet(sink, b, moves_blocked ? open & seen_moving(b) : open);
        if (wanted == Wanted::QUIETS) return;
        if (b.t.take_look != Look::NOTHING) aims &= seen_taking(b);
        takes(sink, b, aims & open);
        if (contains(b.group, rules_.commander())) return;  // 5.3
        Set exchanged;
        (aims - open).each([&](Square s) {
            const Set path = rules_.rays.between(b.from, s) | Set::of(s);
            if (air.flight(path, s, rules_.sw.exchange) == AirDefence::EXCHANGED) exchanged.add(s);
        });
        send(sink, b, EXCHANGE, exchanged);
    }

    // 6.2: a Commander by himself neither enters nor passes a point from which he would face the
    // other; 6.3: facing him, he takes him at any distance.
    template <class Sink>
    void commander(Sink& sink, const Body& b) {
        const Square other = p_.commander_[them_];
        const bool minds = rules_.facing() && other != NO_SQUARE;
        Set facing;
        if (minds) {
            Padded gone = p_.occupied_;
            if (is_single(p_.board_[b.from])) gone.set.remove(b.from);
            facing = visible_orthogonal(gone, other);
        }
        const Padded walls(p_.occupied_.set | facing);
        if (wanted != Wanted::TAKES) {
            const Set seen = Rules::seen(b.t.move_look, walls, b.from) - facing;
            walk(sink, b, seen);
            join(sink, b, (b.t.board[b.from] | ferries(b)) & seen & own_);
        }
        if (wanted == Wanted::QUIETS) return;
        Set reach = targets(b) & seen_taking(b);
        const bool faces = minds && p_.facing_commanders();
        if (other != NO_SQUARE && reach.has(other)) {
            // Taking the Commander is exempt from 6.2; if they face, 6.3 already says how.
            if (shelter_ == other || !faces) takes(sink, b, Set::of(other));
            reach.remove(other);
        }
        if (faces) {
            const bool lands = b.t.replace[b.from].has(other);
            send(sink, b, lands ? CAPTURE : STAY, Set::of(other));
        }
        if (reach.none()) return;
        const Set free = Rules::seen(b.t.take_look, walls, b.from) - facing;
        takes(sink, b, reach - (b.t.replace[b.from] - free));
    }

    const Position& p_;
    const Rules& rules_;
    const Side us_, them_;
    const Set& own_;
    Set enemy_ships_, enemy_others_;
    Square shelter_ = NO_SQUARE;
    std::optional<AirDefence> defence_;
};

}  // namespace cotulenh::ctl
