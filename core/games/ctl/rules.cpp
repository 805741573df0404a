#include "games/ctl/rules.hpp"

#include <algorithm>
#include <atomic>

namespace cotulenh::ctl {

Rules::Rules(RuleSpec given)
    : spec(std::move(given)),
      rays(spec.files, spec.ranks),
      tables_(std::make_unique<std::array<PieceTables, PIECES>>()) {
    for (int k = 0; k < KINDS; ++k) note_kind(Kind(k));
    for (const auto& stack : spec.cargo) note_cargo(stack);
    note_pairs();
    rays.board().each([&](Square s) {
        for (int d = 0; d < DIRECTIONS; ++d) near_sight_[s] |= rays.ranged(d, s, 2);
    });
    for (Piece p = 1; p < PIECES; ++p)
        if (facts(p).present) build(p);
}

void Rules::note_kind(Kind k) {
    const KindFacts& f = spec.kinds[k];
    stand_[k] = standing(spec, rays, k);
    if (!f.present) return;
    valid_[index(Group::of(piece_of(k, false)))] = true;
    if (f.commander) commander_ = k;
    if (f.ship) ship_kinds_ |= u16(1 << k);
    if (!f.ship && !f.aircraft) land_kinds_ |= u16(1 << k);
}

void Rules::note_cargo(const std::vector<Kind>& stack) {
    Piece p[MOST_IN_STACK]{};
    for (std::size_t i = 0; i < stack.size() && i < MOST_IN_STACK; ++i)
        p[i] = piece_of(stack[i], false);
    valid_[index(Group::of(p[0], p[1], p[2]))] = true;
}

void Rules::note_pairs() {
    for (Piece a = 0; a < PIECES; ++a)
        for (Piece b = 0; b < PIECES; ++b) {
            const Group both = Group::of(a, b);
            pair_carrier_[a][b] = a && b && valid(both) ? kind_of(carrier_of(both)) : KINDS;
        }
}

void Rules::build(Piece p) {
    PieceTables& t = (*tables_)[p];
    build_tables(t, spec, rays, p);
    rays.board().each([&](Square s) {
        zone_[s] |= t.take[s] | t.ships[s];
        sight_[s] |= t.lines[s];  // ranges are symmetric
    });
    if (t.take_look != Look::NOTHING) widen_attack_look(t.take_look);
    if (spec.rows[p].ring) defenders_.push_back(p);
    if (facts(p).ship) ships_.push_back(p);
    if (facts(p).commander && sw.commander_boards_over_water)
        rays.board().each(
            [&](Square s) { ferry_[is_heroic(p)][s] = ctl::ferry(spec, rays, p, s); });
}

// Looks are ordered by what they see; an orthogonal far look must widen beside a near one.
void Rules::widen_attack_look(Look look) {
    const bool mixed = (look == Look::ORTHOGONAL) != (attack_look_ == Look::ORTHOGONAL);
    attack_look_ =
        attack_look_ != Look::NOTHING && mixed ? Look::FAR : std::max(attack_look_, look);
}

u64 Rules::next_serial() {
    static std::atomic<u64> last{0};
    return ++last;
}

std::size_t Rules::bytes() const { return sizeof *tables_ + sizeof *this + WINDOWS.bytes(); }

}  // namespace cotulenh::ctl
