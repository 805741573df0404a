#include "games/ctl/position.hpp"

#include "games/ctl/attacks.hpp"
#include "games/hash.hpp"

namespace cotulenh::ctl {
namespace {

struct Keys {
    u64 piece[Frame::size][2][PIECES];
    u64 second;  // Blue to move
    Keys() {
        u64 state = 0x43F7A1B2C3D4E5F6;
        for (auto& square : piece)
            for (auto& side : square)
                for (u64& key : side) key = next_key(state);
        second = next_key(state);
    }
};
const Keys KEYS;

// Passengers turn the same words by a fixed amount: equal passengers do not cancel out.
u64 stack_key(Square s, Stack stack) {
    u64 key = 0;
    int turned = 0;
    each_piece(stack, [&](Piece p) {
        key ^= std::rotl(KEYS.piece[s][side_of(stack)][p], turned);
        turned += 17;
    });
    return key;
}

}  // namespace

int points_of(const Rules& rules, Group stack) {
    int points = 0;
    each_piece(stack, [&](Piece p) { points += rules.facts(p).points; });
    return points;
}

Position::Position(const Rules& rules, const Setup& setup)
    : rules_(&rules), halfmove_(setup.halfmove), fullmove_(setup.fullmove) {
    rules.rays.board().each([&](Square s) {
        if (setup.board[s]) put(s, setup.board[s]);
    });
    turn_ = setup.turn;
    if (turn_ == SECOND) key_ ^= KEYS.second;
    if (setup.origin != NO_SQUARE) original_ = group_of(board_[setup.origin]);
    set_deployment(setup.origin, setup.remaining);
    begin_game();
}

u64 Position::key_from_scratch() const {
    u64 key = turn_ == SECOND ? KEYS.second : 0;
    occupied_.set.each([&](Square s) { key ^= stack_key(s, board_[s]); });
    return key ^ deployment_key();
}

// Sets, mailbox, counts, Commander and keys change here and nowhere else.
template <bool keys>
void Position::put(Square s, Stack stack) {
    const auto note = [&](Side side, Stack changed) {
        if constexpr (!keys) return;
        const u64 key = stack_key(s, changed);
        key_ ^= key, pieces_key_[side] ^= key;
    };
    const Stack old = board_[s];
    if (old) {
        const Side side = side_of(old);
        each_piece(old, [&](Piece p) { by_[side][p].remove(s); });
        side_[side].set.remove(s);
        count_[side] -= u16(size_of(old));
        if (commander_[side] == s) commander_[side] = NO_SQUARE;
        note(side, old);
    }
    board_[s] = stack;
    if (!stack) {
        occupied_.set.remove(s);
        return;
    }
    const Side side = side_of(stack);
    each_piece(stack, [&](Piece p) {
        by_[side][p].add(s);
        if (is_commander(p)) commander_[side] = s;
    });
    side_[side].set.add(s);
    occupied_.set.add(s);
    count_[side] += u16(size_of(stack));
    note(side, stack);
}

void Position::change(Square s, Stack stack, Undo& undo) {
    undo.change[undo.changes++] = {s, board_[s]};
    put(s, stack);
}

u64 Position::deployment_key() const {
    if (!deploying()) return 0;
    u64 state = u64(origin_) << 16 | remaining_.bits();
    return next_key(state);
}

void Position::set_deployment(Square origin, Group remaining) {
    key_ ^= deployment_key();
    origin_ = origin;
    remaining_ = remaining;
    key_ ^= deployment_key();
}

void Position::save(Undo& undo) const {
    undo.key = key_;
    for (const Side side : {FIRST, SECOND}) undo.pieces_key[side] = pieces_key_[side];
    undo.halfmove = halfmove_;
    undo.fullmove = fullmove_;
    undo.turn = turn_;
    undo.origin = origin_;
    undo.remaining = remaining_;
    undo.original = original_;
    undo.taken = 0;
    undo.changes = 0;
    undo.attack = true;
}

void Position::restore(const Undo& undo) {
    for (int i = undo.changes - 1; i >= 0; --i)
        put<false>(undo.change[i].square, undo.change[i].before);
    halfmove_ = undo.halfmove;
    fullmove_ = undo.fullmove;
    turn_ = undo.turn;
    origin_ = undo.origin;
    remaining_ = undo.remaining;
    original_ = undo.original;
    key_ = undo.key;
    for (const Side side : {FIRST, SECOND}) pieces_key_[side] = undo.pieces_key[side];
}

void Position::apply_take(Move m, Undo& undo) {
    const Stack victim = board_[m.to()];
    // 4.4: a breach removes the Headquarters alone.
    Group left{};
    if (m.kind() == BREACH)
        each_piece(victim, [&](Piece p) { left = is_commander(p) ? Group::of(p) : left; });
    undo.taken = u16(points_of(*rules_, victim) - points_of(*rules_, left));
    change(m.to(), Stack(left, side_of(victim)), undo);
    halfmove_ = 0;
}

void Position::apply_deployment(Move m) {
    if (!deploying()) {
        original_ = group_of(board_[m.from()]);
        set_deployment(m.from(), without(original_, m.group()));
    } else {
        set_deployment(origin_, without(remaining_, m.group()));
    }
}

// The move itself, without what the end of a turn does.
void Position::apply(Move m, Undo& undo) {
    save(undo);
    if (m.kind() == COMMIT) return;
    if (!deploying()) ++halfmove_;
    const Group group = m.group();
    if (m.deploy()) apply_deployment(m);
    if (m.takes()) apply_take(m, undo);
    if (m.departs()) {
        const Stack source = board_[m.from()];
        change(m.from(), Stack(without(source, group), turn_), undo);
        if (m.kind() == COMBINE)
            change(m.to(), Stack(merged(board_[m.to()], group), turn_), undo);
        else if (m.kind() != EXCHANGE)
            change(m.to(), Stack(group, turn_), undo);
    }
    if (rules_->sw.heroes_each_step) make_heroes(undo);  // S11
}

// The pieces on a point that are in the mask (by code) become heroic, also where they still wait
// to be deployed.
void Position::heroify(Square s, u32 pieces, Undo& undo) {
    const auto raised = [&](Group g) {
        const auto up = [&](Piece p) { return p && pieces >> p & 1 ? heroic(p) : p; };
        return Group::of(up(g[0]), up(g[1]), up(g[2]));
    };
    const Stack stack = board_[s];
    change(s, Stack(raised(stack), side_of(stack)), undo);
    if (s == origin_) set_deployment(origin_, raised(remaining_));
}

void Position::make_heroes(Undo& undo) {
    const Square enemy = commander_[turn_ ^ 1];
    if (enemy != NO_SQUARE) {  // 9.1; all are found before any is made
        struct {
            Square square;
            u32 pieces;  // by code
        } found[Undo::MOST];
        int n = 0;
        undo.attack = false;
        each_attacker(turn_, enemy, [&](Square s, Piece p) {
            undo.attack = true;
            if (is_heroic(p) || is_commander(p)) return;
            if (n == 0 || found[n - 1].square != s) found[n++] = {s, 0};
            found[n - 1].pieces |= u32(1) << p;
        });
        for (int i = 0; i < n; ++i) heroify(found[i].square, found[i].pieces, undo);
    }
    if (rules_->sw.last_guard)
        for (const Side side : {FIRST, SECOND}) make_last_guard(side, undo);
}

// 9.2: the Commander and exactly one other piece.
void Position::make_last_guard(Side side, Undo& undo) {
    const Square c = commander_[side];
    if (count_[side] != 2 || c == NO_SQUARE) return;
    const Set others = side_[side].set - Set::of(c);
    const Square s = others.any() ? others.first() : c;
    u32 pieces = 0;
    each_piece(board_[s], [&](Piece p) {
        if (!is_commander(p) && !is_heroic(p)) pieces |= 1u << p;
    });
    if (!pieces) return;
    heroify(s, pieces, undo);
    undo.attack = true;  // it may reach farther than before
}

void Position::end_turn(Undo& undo) {
    if (!rules_->sw.heroes_each_step) make_heroes(undo);
    set_deployment(NO_SQUARE, {});
    original_ = {};
    if (turn_ == SECOND) ++fullmove_;
    turn_ ^= 1;
    key_ ^= KEYS.second;
}

void Position::make(Move m, Undo& undo) {
    apply(m, undo);
    const bool goes_on = deploying() && m.kind() != COMMIT && remaining_ && !is_over() &&
                         has_legal_step();  // 8.2, 4.5
    if (!goes_on) end_turn(undo);
}

void Position::unmake(Move, const Undo& undo) { restore(undo); }

void Position::make_null(Undo& undo) {
    save(undo);
    ++halfmove_;
    fullmove_ += turn_;
    turn_ ^= 1;
    key_ ^= KEYS.second;
}

void Position::unmake_null(const Undo& undo) { restore(undo); }

// 10.2: groups of arms this side had when the game began and has no more.
bool Position::objective_lost(Side side) const {
    const Objective wanted = rules_->spec.objective;
    if (wanted == Objective::COMMANDER) return false;
    for (int g = 0; g < GROUPS_OF_ARMS; ++g) {
        const bool asked =
            wanted == Objective::TACTICAL || g == int(wanted) - int(Objective::MARINE);
        if (!asked || !(had_ >> (side * GROUPS_OF_ARMS + g) & 1)) continue;
        Set alive;
        for (int k = 0; k < KINDS; ++k)
            if (rules_->spec.arms[g] >> k & 1) alive |= pieces(side, Kind(k));
        if (alive.none()) return true;
    }
    return false;
}

Side Position::objective_winner() const {
    const Side mover = deploying() ? turn_ : Side(turn_ ^ 1), other = Side(mover ^ 1);
    return objective_lost(other) ? mover : objective_lost(mover) ? other : NOBODY;
}

std::optional<Outcome<Reason>> Position::outcome(int repetitions) {
    using Found = Outcome<Reason>;
    const Side us = turn_, them = Side(us ^ 1);
    if (commander_lost())
        return Found{commander_[us] == NO_SQUARE ? them : us, Reason::COMMANDER_TAKEN};
    const bool stuck = !has_legal_move();
    if (stuck && in_check()) return Found{them, Reason::CHECKMATE};
    if (const Side winner = objective_winner(); winner != NOBODY)
        return Found{winner, Reason::OBJECTIVE};
    if (stuck) return Found{NOBODY, Reason::STALEMATE};
    if (deploying()) return std::nullopt;
    if (repetitions >= 3) return Found{NOBODY, Reason::REPETITION};
    if (halfmove_ >= DRAWN_AFTER) return Found{NOBODY, Reason::CLOCK};
    return std::nullopt;
}

void Position::begin_game() {
    had_ = 0;
    for (const Side side : {FIRST, SECOND})
        for (int g = 0; g < GROUPS_OF_ARMS; ++g)
            for (int k = 0; k < KINDS; ++k)
                if ((rules_->spec.arms[g] >> k & 1) && pieces(side, Kind(k)).any())
                    had_ |= u8(1 << (side * GROUPS_OF_ARMS + g));
}

}  // namespace cotulenh::ctl
