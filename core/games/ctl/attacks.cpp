#include "games/ctl/attacks.hpp"

namespace cotulenh::ctl {

template <class Visit>
void AirDefence::each_disc(Visit&& visit) const {
    const Rules& rules = position_.rules();
    for (const Piece p : rules.defenders())
        position_.pieces(side_, p).each([&](Square s) {
            if (carrier_of(position_.at(s)) == p) visit(rules.tables(p).disc[s]);
        });
}

AirDefence::AirDefence(const Position& position, Side side) : position_(position), side_(side) {
    each_disc([&](const Set& disc) { covered_ |= disc; });
}

AirDefence::Flight AirDefence::flight(const Set& path, Square target, Exchange rule) const {
    if (!path.meets(covered_)) return FREE;
    if (rule == Exchange::NONE || !covered_.has(target)) return IMPOSSIBLE;
    int hits = 0;
    bool hit_before = false;  // by a ring that does not reach the target
    each_disc([&](const Set& disc) {
        if (!disc.meets(path)) return;
        ++hits;
        hit_before |= !disc.has(target);
    });
    return hit_before || (rule == Exchange::SINGLE && hits > 1) ? IMPOSSIBLE : EXCHANGED;
}

Target::Target(const Position& position, Side by, Square target, const Padded& occupied,
               Stack stack)
    : position_(position), rules_(position.rules()), occupied_(occupied), by_(by), target_(target) {
    if (!stack) {  // an empty point at sea is judged as a ship's, any other as a land piece's
        ship_ = rules_.spec.water.has(target);
        kinds_ = ship_ ? rules_.ship_kinds() : rules_.land_kinds();
        return;
    }
    const KindFacts& f = rules_.facts(carrier_of(stack));
    ship_ = f.ship;
    kinds_ = u16(1 << kind_of(carrier_of(stack)));
    sheltered_ = rules_.sw.shelter && f.headquarters && contains(stack, rules_.commander());
}

bool Target::in_reach(Piece p, Square s) const {
    const PieceTables& t = rules_.tables(p);
    if (!(ship_ ? t.ships : t.take)[target_].has(s)) return false;  // ranges are symmetric
    const KindFacts& f = rules_.facts(p);
    if (sheltered_ && !f.indirect) return false;  // 4.4
    return (f.stay & kinds_) || t.replace[s].has(target_);
}

bool Target::may_fly(Square s) {
    if (!defence_) defence_.emplace(position_, Side(by_ ^ 1));
    const Set path = rules_.rays.between(s, target_) | Set::of(target_);
    return defence_->flight(path, target_, rules_.sw.exchange) != AirDefence::IMPOSSIBLE;
}

bool Target::attacked_by(Piece p, Square s) {
    if (!in_reach(p, s)) return false;
    if (blockable(p)) {
        if (!looked_) seen_ = Rules::seen(rules_.attack_look(), occupied_, target_);
        looked_ = true;
        if (!seen_.has(s)) return false;
    }
    return !rules_.tables(p).aircraft || may_fly(s);
}

bool Position::attacked(Side by, Square target) const {
    const Set near = side_[by].set & rules_->zone(target);
    if (near.none()) return false;
    Target t(*this, by, target, occupied_);
    bool found = false;
    for (int i = 0; i < Set::words && !found; ++i)
        for (u64 rest = near.w[i]; rest && !found; rest &= rest - 1) {
            const Square s = Square(i * 64 + std::countr_zero(rest));
            each_piece(board_[s], [&](Piece p) { found = found || t.attacked_by(p, s); });
        }
    return found;
}

// 6.1: on one rank or file with no piece between, carried or not.
bool Position::facing_commanders() const {
    const Square a = commander_[0], b = commander_[1];
    if (!rules_->facing() || a == NO_SQUARE || b == NO_SQUARE) return false;
    const bool line =
        Frame::file_of(a) == Frame::file_of(b) || Frame::rank_of(a) == Frame::rank_of(b);
    return line && !rules_->rays.between(a, b).meets(occupied_.set);
}

bool Position::in_check(Side side) const {
    if (commander_[side] == NO_SQUARE) return false;
    if (rules_->sw.facing == Facing::CHECK && facing_commanders()) return true;  // 6.4
    return attacked(Side(side ^ 1), commander_[side]);
}

bool Position::in_check_after(const Undo& made) const {
    if (made.attack) return in_check();
    return rules_->sw.facing == Facing::CHECK && facing_commanders();
}

Set Position::cover(Side side) const { return AirDefence(*this, side).covered(); }

}  // namespace cotulenh::ctl
