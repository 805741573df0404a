#include "engine/stands_ctl.hpp"

namespace cotulenh::engine::ctl_eval {
namespace {

using namespace ctl;

// The board's material tells how far the game has gone: weights of kinds, N F T E H C I M A G S.
constexpr int PHASE_OF[KINDS] = {18, 10, 5, 2, 1, 0, 2, 2, 7, 3, 6};

// A Commander's own point and the eight around it.
Set around(const Rules& rules, Square s) {
    const int file = Frame::file_of(s), rank = Frame::rank_of(s);
    const u64 row = (u64(7) << file) >> 1;
    Set out;
    for (int r = std::max(rank - 1, 0); r <= std::min(rank + 1, Frame::ranks - 1); ++r)
        out.w[r / 4] |= row << r % 4 * 16;
    return out & rules.rays.board();
}

Set south_half(const Rules& rules) {
    return rules.rays.board() & Set::rectangle(Frame::files, rules.spec.ranks / 2);
}

int own_rank(const Rules& rules, Side side, Square s) {
    const int r = Frame::rank_of(s);
    return side == FIRST ? r : rules.spec.ranks - 1 - r;
}

}  // namespace

// A set of stacks, each of which counts for a term by the kind of its carrier: few come and go.
COTULENH_INLINE void Stands::follow(Set& kept, const Set& now, int term, Pair& worth) const {
    const Set changed = kept ^ now;
    if (changed.none()) return;
    Pair more = 0;
    changed.each([&](Square s) {
        const Pair weight = (*weights_)[term + int(at_[s].kind)];
        more += now.has(s) ? weight : -weight;
    });
    worth += more;
    kept = now;
}

template <class Visit>
void Stands::each_own_term(Square s, Visit&& visit) const {
    const Stack stack = board_[s];
    const int rank = own_rank(*rules_, side_of(stack), s), file = Frame::file_of(s);
    bool carried = false;
    each_piece(stack, [&](Piece p) {
        const int kind = kind_of(p);
        visit(MATERIAL + p - 1, 1);
        visit(RANK + kind * 12 + rank, 1);
        visit(FILE + kind * 12 + file, 1);
        if (rules_->facts(p).heavy && rules_->spec.bridges.has(s)) visit(int(BRIDGE_HEAVY), 1);
        if (std::exchange(carried, true)) visit(CARRIED + kind, 1);
    });
}

template <class Visit>
void Stands::each_sky_term(Side side, Visit&& visit) const {
    const Set& cover = sides_[side].cover;
    const int all = cover.count(), south = (cover & south_).count();
    const int home = side == FIRST ? south : all - south;
    visit(int(SKY_HOME), home);
    visit(int(SKY), all - home);
}

template <class Visit>
void Stands::each_joint_term(Side side, Visit&& visit) const {
    const Army& own = sides_[side];
    const Set& fire = sides_[side ^ 1].cover;
    const auto flight = [&](const Stand& stand) {
        return stand.flies ? stand.walks - fire : stand.walks;
    };
    own.aloft.each([&](Square s) {
        const Stand& stand = at_[s];
        if (stand.flies) visit(MOBILITY + int(stand.kind), flight(stand).count());
        if (!fire.has(s)) visit(int(AIR_FREE), int(stand.aircraft));
    });
    Set sea;
    own.ships.each([&](Square s) { sea |= flight(at_[s]); });
    visit(int(SEA), (sea & rules_->spec.water).count());
}

void Stands::each_term(Side side, const std::function<void(int, int)>& visit) const {
    before_.each([&](Square s) {
        if (side_of(board_[s]) != side) return;
        each_own_term(s, visit);
        visit(MOBILITY + int(at_[s].kind), at_[s].mobility);
    });
    each_sky_term(side, visit);
    each_joint_term(side, visit);
    each_kind_term(sides_[side].held, HELD, visit);
    each_kind_term(sides_[side ^ 1].pressed, PRESSURE, visit);
    each_kind_term(sides_[side ^ 1].loose, LOOSE, visit);
}

void Stands::clear() {
    const Journal<Position> kept = journal;
    *this = Stands();
    journal = kept;
    journal.lose();
}

void Stands::begin(const Position& p, const Weights& weights) {
    if (p.rules().serial() != serial_ || &weights != weights_) {
        clear();
        rules_ = &p.rules();
        south_ = south_half(*rules_);
        for (Piece piece = 1; piece < PIECES; ++piece) note_traits(piece);
    }
    serial_ = p.rules().serial(), rules_ = &p.rules(), weights_ = &weights;
}

void Stands::note_traits(Piece p) {
    const KindFacts& f = rules_->facts(p);
    const Row& row = rules_->spec.rows[p];
    Traits& t = traits_[p];
    t.kind = kind_of(p);
    t.phase = u8(PHASE_OF[t.kind]);
    t.aircraft = f.aircraft;
    t.ship = f.ship;
    t.defends = row.ring > 0;
    t.flies = rules_->tables(p).aircraft;
    t.is_calm = t.kind == COMMANDER;
    t.far =
        std::max({row.move_o, row.move_d, row.take_o, row.take_d, row.ships_o, row.ships_d}) > 2;
}

void Stands::update(const Position& p, const Weights& weights) {
    begin(p, weights);
    for (const Side side : {FIRST, SECOND})
        if (p.commander(side) != sides_[side].commander) note_commander(p, side);
    const Set changed = before_ ^ p.occupied();
    before_ = p.occupied();
    Set replaced;
    journal.each_difference<Frame::size>(board_, p.board(), [&](Square s) {
        replace(p, s);
        replaced.add(s);
    });
    // Others see something else only if one of the points in their sight is emptied or filled.
    Set near, wide;
    changed.each([&](Square s) { near |= rules_->near_sight(s), wide |= rules_->sight(s); });
    (((near | (wide & far_)) & before_) - replaced).each([&](Square s) {
        if (changed.meets(at_[s].watched)) look(p, s);
    });
    sum_up(p);
}

void Stands::note_commander(const Position& p, Side side) {
    const Square c = p.commander(side);
    sides_[side].commander = c;
    sides_[side].around = c == NO_SQUARE ? Set{} : around(*rules_, c);
    sides_[side ^ 1].enemy_moved = true;
}

void Stands::replace(const Position& p, Square s) {
    if (board_[s]) leave(s);
    board_[s] = p.at(s);
    if (!board_[s]) return;
    meet(s);
    look(p, s);
}

void Stands::leave(Square s) {
    const Stand& stand = at_[s];
    Army &own = army_of(s), &enemy = sides_[side_of(board_[s]) ^ 1];
    const auto kind = [&](int term) { return (*weights_)[term + int(stand.kind)]; };
    own.worth -= stand.worth, phase_ -= stand.phase;
    if (own.held.has(s)) own.worth -= kind(HELD);
    if (own.pressed.has(s)) enemy.worth -= kind(PRESSURE);
    if (own.loose.has(s)) enemy.worth -= kind(LOOSE);
    own.held.remove(s), own.pressed.remove(s), own.loose.remove(s);
    own.counts.remove(stand.takes);
    own.near.remove(s), own.aims.remove(s);
    own.rings_changed |= stand.defends, own.joint_changed |= stand.is_joint();
    own.rings.remove(s), own.ships.remove(s), own.aloft.remove(s), far_.remove(s);
}

// What holds for a stack whatever stands around it.
void Stands::meet(Square s) {
    Stand& stand = at_[s];
    Army& own = army_of(s);
    static_cast<Traits&>(stand) = traits_[carrier_of(board_[s])];
    for (u16 rest = group_of(board_[s]).bits() >> 5; rest; rest >>= 5) {  // what it carries
        stand.phase = u8(stand.phase + traits_[rest & 31].phase);
        stand.aircraft = u8(stand.aircraft + traits_[rest & 31].aircraft);
    }
    stand.worth = 0, stand.mobility = 0, stand.takes = {};
    each_own_term(s, [&](int term, int) { stand.worth += (*weights_)[term]; });
    own.worth += stand.worth, phase_ += stand.phase;
    own.rings_changed |= stand.defends;
    if (stand.defends) own.rings.add(s);
    if (stand.ship) own.ships.add(s);
    if (stand.is_aloft()) own.aloft.add(s);
    if (stand.far) far_.add(s);
    if (aims(s)) own.aims.add(s);
}

// What the carrier attacks and where it could go: one look serves both for most kinds.
COTULENH_FLATTEN void Stands::look(const Position& p, Square s) {
    Stand& stand = at_[s];
    Army& own = army_of(s);
    const PieceTables& t = rules_->tables(carrier_of(board_[s]));
    const Set seen = Rules::seen(std::max(t.move_look, t.take_look), p.padded(), s);
    stand.watched = t.lines[s] & seen;
    stand.walks = (t.walk[s] & seen) - before_;
    const Set takes = t.take_look == Look::NOTHING ? t.take[s] : t.take[s] & seen;
    own.counts.remove(stand.takes - takes);
    own.counts.add(takes - stand.takes);
    stand.takes = takes;
    own.near.remove(s);
    if (is_near(s)) own.near.add(s);
    own.joint_changed |= stand.is_joint();
    if (stand.flies) return;
    const int mobility = stand.walks.count();
    const Pair more = (*weights_)[MOBILITY + int(stand.kind)] * (mobility - stand.mobility);
    stand.worth += more, own.worth += more;
    stand.mobility = mobility;
}

bool Stands::is_near(Square s) const {
    return !at_[s].is_calm && at_[s].takes.meets(enemy_of(s).around);
}

bool Stands::aims(Square s) const {
    const Square target = enemy_of(s).commander;
    const Piece p = carrier_of(board_[s]);
    return target != NO_SQUARE && !is_heroic(p) && rules_->tables(p).take[s].has(target);
}

// What follows from all stacks, where something in it has changed.
void Stands::sum_up(const Position& p) {
    for (const Side side : {FIRST, SECOND}) {
        Army& army = sides_[side];
        army.twice = army.counts.twice();
        army.attacks = army.counts.once();
        if (std::exchange(army.rings_changed, false)) sum_up_rings(side);
        if (!std::exchange(army.enemy_moved, false)) continue;
        army.near = army.aims = {};
        p.occupied(side).each([&](Square s) {
            if (is_near(s)) army.near.add(s);
            if (aims(s)) army.aims.add(s);
        });
    }
    for (const Side side : {FIRST, SECOND}) {
        if (std::exchange(sides_[side].joint_changed, false)) sum_up_joint(side);
        sum_up_threats(p, side);
    }
}

void Stands::sum_up_rings(Side side) {
    Army& army = sides_[side];
    army.cover = {};
    army.rings.each([&](Square s) { army.cover |= rules_->tables(carrier_of(board_[s])).disc[s]; });
    sides_[side ^ 1].joint_changed = true;  // its aircraft
    army.worth -= army.sky, army.sky = 0;
    each_sky_term(side, [&](int term, int n) { army.sky += (*weights_)[term] * n; });
    army.worth += army.sky;
}

void Stands::sum_up_joint(Side side) {
    Army& army = sides_[side];
    army.worth -= army.joint, army.joint = 0;
    each_joint_term(side, [&](int term, int n) { army.joint += (*weights_)[term] * n; });
    army.worth += army.joint;
}

void Stands::sum_up_threats(const Position& p, Side side) {
    Army &own = sides_[side], &enemy = sides_[side ^ 1];
    const Set held = p.occupied(side) & own.attacks, pressed = p.occupied(side) & enemy.attacks;
    follow(own.held, held, HELD, own.worth);
    follow(own.pressed, pressed, PRESSURE, enemy.worth);
    follow(own.loose, pressed - held, LOOSE, enemy.worth);
}

}  // namespace cotulenh::engine::ctl_eval
