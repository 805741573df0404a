// Pseudo-legal generation: every article that says where a group may go, none that asks whether
// its own Commander is safe. Answers come as sets of targets, so that counting needs no list.
#pragma once

#include "games/ctl/attacks.hpp"

namespace cotulenh::ctl {

class Generator {
  public:
    explicit Generator(const Position& position, Wanted wanted = Wanted::ALL)
        : p_(position),
          rules_(position.rules()),
          us_(position.turn_),
          them_(Side(us_ ^ 1)),
          wanted_(wanted),
          own_(position.side_[us_].set),
          enemy_(position.side_[them_].set) {
        for (const Piece p : rules_.ships()) enemy_ships_ |= position.pieces(them_, p);
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
            group_moves(sink, s, group_of(stack), false);
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
            if (may_act(g)) group_moves(sink, from, g, true);
        });
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
        return ((b.t.take[b.from] - enemy_ships_) | (b.t.ships[b.from] & enemy_ships_)) & enemy_;
    }

    // 7.1: friends this group may join, of those it can reach.
    Set joinable(const Body& b, const Set& friends) const {
        Set out;
        const u32 partners = rules_.partners(kind_of(b.p));
        friends.each([&](Square s) {
            const Stack other = p_.board_[s];
            if (!(partners >> kind_of(carrier_of(other)) & 1)) return;  // most fail here
            const Group whole = merged(other, b.group);
            if (whole && rules_.valid(whole) && rules_.can_stand(whole, s)) out.add(s);
        });
        return out;
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
        (rules_.ferry(b.p, b.from) & own_).each([&](Square s) {
            if (rules_.facts(carrier_of(p_.board_[s])).ship) out.add(s);
        });
        return out;
    }

    template <class Sink>
    void quiet(Sink& sink, const Body& b, const Set& seen) {
        quiet(sink, b, seen, b.t.board[b.from]);
    }
    template <class Sink>
    void quiet(Sink& sink, const Body& b, const Set& seen, const Set& board) {
        if (wanted_ == Wanted::TAKES) return;
        send(sink, b, NORMAL, (b.t.walk[b.from] & seen) - p_.occupied_.set);
        send(sink, b, COMBINE, joinable(b, board & seen & own_));
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
        const Set reach = wanted_ == Wanted::QUIETS ? Set{} : targets(b);
        if (wanted_ == Wanted::TAKES && reach.none()) return;  // most pieces
        const bool same = b.f.move_blocked == Blocking::ALL && b.t.take_look == b.t.move_look;
        const Set moving = wanted_ == Wanted::TAKES && !same ? Set{} : seen_moving(b);
        quiet(sink, b, moving);
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
        Set wanted = targets(b);
        if (wanted_ == Wanted::TAKES && wanted.none()) return;
        const AirDefence& air = defence();
        const Set reach = b.t.board[b.from] | b.t.take[b.from] | b.t.ships[b.from];
        Set open = visible_far(Padded(air.covered()), b.from) & reach;
        open -= air.covered();
        const bool moves_blocked = b.t.move_look != Look::NOTHING;
        quiet(sink, b, moves_blocked ? open & seen_moving(b) : open);
        if (wanted_ == Wanted::QUIETS) return;
        if (b.t.take_look != Look::NOTHING) wanted &= seen_taking(b);
        takes(sink, b, wanted & open);
        if (contains(b.group, rules_.commander())) return;  // 5.3
        Set exchanged;
        (wanted - open).each([&](Square s) {
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
        if (wanted_ != Wanted::TAKES)
            quiet(sink, b, Rules::seen(b.t.move_look, walls, b.from) - facing,
                  b.t.board[b.from] | ferries(b));
        if (wanted_ == Wanted::QUIETS) return;
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
    const Wanted wanted_;
    const Set &own_, &enemy_;
    Set enemy_ships_;
    Square shelter_ = NO_SQUARE;
    std::optional<AirDefence> defence_;
};

}  // namespace cotulenh::ctl
