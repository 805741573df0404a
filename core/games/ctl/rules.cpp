#include "games/ctl/rules.hpp"

#include <algorithm>

namespace cotulenh::ctl {

Look Rules::look_for(int o, int d) {
    const int far = std::max(o, d);
    if (far <= 1) return Look::NOTHING;  // nothing stands in between
    if (far <= FARTHEST_WINDOW) return Look(far);
    return d == 0 ? Look::ORTHOGONAL : Look::FAR;
}

Rules::Rules(RuleSpec given)
    : spec(std::move(given)),
      rays(spec.files, spec.ranks),
      tables_(std::make_unique<std::array<PieceTables, PIECES>>()) {
    for (int k = 0; k < KINDS; ++k) {
        const Stands where = spec.kinds[k].stands;
        stand_[k] = where == Stands::ANY   ? rays.board()
                    : where == Stands::SEA ? spec.water | spec.mixed
                                           : spec.land | spec.mixed;
        if (spec.kinds[k].present) valid_[index(piece_of(Kind(k), false))] = true;
    }
    for (const auto& stack : spec.cargo) {
        Piece p[MOST_IN_STACK]{};
        for (std::size_t i = 0; i < stack.size() && i < MOST_IN_STACK; ++i)
            p[i] = piece_of(stack[i], false);
        valid_[index(sorted(p[0], p[1], p[2]))] = true;
        for (std::size_t i = 0; i < stack.size(); ++i)
            for (std::size_t j = 0; j < stack.size(); ++j)
                if (i != j) partners_[stack[i]] |= u16(1 << stack[j]);
    }
    for (Piece p = 1; p < PIECES; ++p)
        if (facts(p).present) build(p);
}

// 2.4 and 2.5: heavy pieces cross the river only on bridges, ships do not cut land corners.
bool Rules::step_allowed(const KindFacts& f, Square from, Square to) const {
    if (f.heavy && spec.river) {
        const int a = Frame::rank_of(from), b = Frame::rank_of(to), low = spec.river - 1;
        const bool crosses = std::min(a, b) == low && std::max(a, b) == low + 1;
        const int file = Frame::file_of(from);
        if (crosses && (file != Frame::file_of(to) || !(spec.bridge_files >> file & 1)))
            return false;
    }
    if (f.ship)
        for (const auto& [a, b] : spec.corners)
            if ((a == from && b == to) || (a == to && b == from)) return false;
    return true;
}

void Rules::build_square(PieceTables& t, Piece p, Square s) const {
    const Row& row = spec.rows[p];
    const KindFacts& f = facts(p);
    const Set& standing = stand_[kind_of(p)];
    const bool path_matters = sw.terrain_every_point && !f.aircraft;
    Set sailable;
    for (int d = 0; d < DIRECTIONS; ++d) {
        const bool diagonal = is_diagonal(d);
        t.take[s] |= rays.ranged(d, s, diagonal ? row.take_d : row.take_o);
        t.ships[s] |= rays.ranged(d, s, diagonal ? row.ships_d : row.ships_o);
        const Set quiet = rays.ranged(d, s, diagonal ? row.move_d : row.move_o);
        bool open = true;  // every step so far was allowed, every point so far can be stood on
        Square from = s;
        for (Square to = rays.step(d, s); to != NO_SQUARE; to = rays.step(d, to)) {
            open &= !path_matters || step_allowed(f, from, to);
            if (open && quiet.has(to)) t.board[s].add(to);
            open &= !path_matters || standing.has(to);
            if (open && standing.has(to)) {
                sailable.add(to);
                if (quiet.has(to)) t.walk[s].add(to);
            }
            from = to;
        }
    }
    if (sw.boarding_last_point_for_mover && !f.aircraft) t.board[s] &= standing;
    const bool broken_paths_stay = f.ship && sw.ship_stays_on_broken_path;
    t.replace[s] = broken_paths_stay ? sailable : standing;
    if (row.ring) t.disc[s] = rays.disc(s, row.ring);
}

void Rules::build(Piece p) {
    PieceTables& t = (*tables_)[p];
    const Row& row = spec.rows[p];
    const KindFacts& f = facts(p);
    if (f.move_blocked != Blocking::NONE) t.move_look = look_for(row.move_o, row.move_d);
    if (f.take_blocked != Blocking::NONE)
        t.take_look =
            look_for(std::max(row.take_o, row.ships_o), std::max(row.take_d, row.ships_d));
    t.aircraft = f.aircraft && !row.ignores_rings;
    t.idle = !(row.move_o || row.move_d || row.take_o || row.take_d || row.ships_o || row.ships_d);
    rays.board().each([&](Square s) {
        build_square(t, p, s);
        zone_[s] |= t.take[s] | t.ships[s];
    });
    // Looks are ordered by what they see; an orthogonal far look must widen beside a near one.
    if (t.take_look != Look::NOTHING) {
        const bool mixed = (t.take_look == Look::ORTHOGONAL) != (attack_look_ == Look::ORTHOGONAL);
        attack_look_ = attack_look_ != Look::NOTHING && mixed ? Look::FAR
                                                              : std::max(attack_look_, t.take_look);
    }
    if (row.ring) defenders_.push_back(p);
    if (f.ship) ships_.push_back(p);
}

std::size_t Rules::bytes() const { return sizeof *tables_ + sizeof *this + WINDOWS.bytes(); }

}  // namespace cotulenh::ctl
