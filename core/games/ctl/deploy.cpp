// Ends of turns: safety (6), staying and finishing a deployment (8).
#include "games/ctl/attacks.hpp"

namespace cotulenh::ctl {

bool Position::safe(Side side) const {
    const Square c = commander_[side];
    if (c == NO_SQUARE) return true;  // a study (10.1)
    return !facing_commanders() && !attacked(Side(side ^ 1), c);
}

bool Position::safe_after_turn() {
    if (rules_->sw.heroes_each_step) return safe(turn_);
    Undo undo;
    save(undo);
    make_heroes(undo);
    const bool ok = safe(turn_);
    restore(undo);
    return ok;
}

bool Position::safe_after(Move m) {
    Undo undo;
    apply(m, undo);
    const bool ok = is_over() || safe_after_turn();  // 4.5
    restore(undo);
    return ok;
}

bool Position::rest_can_stay() const {
    const Stack rest = board_[origin_];
    return !rest || (rules_->valid(rest) && rules_->can_stand(rest, origin_));
}

bool Position::can_commit() { return rest_can_stay() && safe_after_turn(); }

bool Position::finishable() { return can_commit() || has_legal_step(); }

bool Position::step_is_legal(Move m) {
    Undo undo;
    apply(m, undo);
    const bool ok = is_over() || ((!rules_->sw.deploy_steps_safe || safe(turn_)) && finishable());
    restore(undo);
    return ok;
}

Position::Objection Position::objection(Move m) {
    Objection found;
    Undo undo, heroes;
    apply(m, undo);
    if (deploying() && !rest_can_stay()) found.article = Objection::REST;
    save(heroes);
    if (!rules_->sw.heroes_each_step) make_heroes(heroes);
    const Square c = commander_[turn_];
    if (facing_commanders()) found.article = Objection::FACING;
    if (c != NO_SQUARE)
        each_attacker(Side(turn_ ^ 1), c,
                      [&](Square s, Piece p) { found = {Objection::ATTACKED, s, p}; });
    restore(heroes);
    restore(undo);
    return found;
}

}  // namespace cotulenh::ctl
