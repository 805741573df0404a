#include "games/ctl/tables.hpp"

#include <algorithm>

namespace cotulenh::ctl {
namespace {

// 2.4 and 2.5: heavy pieces cross the river only on bridges, ships do not cut land corners.
bool step_allowed(const RuleSpec& spec, const KindFacts& f, Square from, Square to) {
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

// Builds the tables of one piece, square by square.
struct Builder {
    PieceTables& t;
    const RuleSpec& spec;
    const Rays<Frame>& rays;
    const Row& row;
    const KindFacts& f;
    const Set stand;
    const bool path_matters = spec.switches.terrain_every_point && !f.aircraft;

    void square(Square s) {
        Set sailable;
        for (int d = 0; d < DIRECTIONS; ++d) ray(s, d, sailable);
        if (spec.switches.boarding_last_point_for_mover && !f.aircraft) t.board[s] &= stand;
        const bool broken_paths_stay = f.ship && spec.switches.ship_stays_on_broken_path;
        t.replace[s] = broken_paths_stay ? sailable : stand;
        if (row.ring) t.disc[s] = rays.disc(s, row.ring);
    }

    void ray(Square s, int d, Set& sailable) {
        const bool diagonal = is_diagonal(d);
        t.take[s] |= rays.ranged(d, s, diagonal ? row.take_d : row.take_o);
        t.ships[s] |= rays.ranged(d, s, diagonal ? row.ships_d : row.ships_o);
        const Set quiet = rays.ranged(d, s, diagonal ? row.move_d : row.move_o);
        t.lines[s] |= t.take[s] | t.ships[s] | quiet;
        bool open = true;  // every step so far was allowed, every point so far can be stood on
        Square from = s;
        for (Square to = rays.step(d, s); to != NO_SQUARE; to = rays.step(d, to)) {
            open &= !path_matters || step_allowed(spec, f, from, to);
            if (open && quiet.has(to)) t.board[s].add(to);
            open &= !path_matters || stand.has(to);
            if (open && stand.has(to)) {
                sailable.add(to);
                if (quiet.has(to)) t.walk[s].add(to);
            }
            from = to;
        }
    }
};

}  // namespace

Look look_for(int orthogonal, int diagonal) {
    const int far = std::max(orthogonal, diagonal);
    if (far <= 1) return Look::NOTHING;  // nothing stands in between
    if (far <= FARTHEST_WINDOW) return Look(far);
    return diagonal == 0 ? Look::ORTHOGONAL : Look::FAR;
}

Set standing(const RuleSpec& spec, const Rays<Frame>& rays, Kind kind) {
    switch (spec.kinds[kind].stands) {
        case Stands::ANY:
            return rays.board();
        case Stands::SEA:
            return spec.water | spec.mixed;
        default:
            return spec.land | spec.mixed;
    }
}

void build_tables(PieceTables& t, const RuleSpec& spec, const Rays<Frame>& rays, Piece p) {
    const Row& row = spec.rows[p];
    const KindFacts& f = spec.kinds[kind_of(p)];
    if (f.move_blocked != Blocking::NONE) t.move_look = look_for(row.move_o, row.move_d);
    if (f.take_blocked != Blocking::NONE)
        t.take_look =
            look_for(std::max(row.take_o, row.ships_o), std::max(row.take_d, row.ships_d));
    t.aircraft = f.aircraft && !row.ignores_rings;
    t.idle = !(row.move_o || row.move_d || row.take_o || row.take_d || row.ships_o || row.ships_d);
    Builder builder{t, spec, rays, row, f, standing(spec, rays, kind_of(p))};
    rays.board().each([&](Square s) { builder.square(s); });
}

Set ferry(const RuleSpec& spec, const Rays<Frame>& rays, Piece p, Square from) {
    const Row& row = spec.rows[p];
    const KindFacts& f = spec.kinds[kind_of(p)];
    const Set stand = standing(spec, rays, kind_of(p));
    Set out;
    for (int d = 0; d < DIRECTIONS; ++d) {
        const Set quiet = rays.ranged(d, from, is_diagonal(d) ? row.move_d : row.move_o);
        Square before = from;
        for (Square to = rays.step(d, from); to != NO_SQUARE; to = rays.step(d, to)) {
            if (!step_allowed(spec, f, before, to)) break;
            if (quiet.has(to)) out.add(to);
            if (!(stand | spec.water).has(to)) break;
            before = to;
        }
    }
    return spec.switches.boarding_last_point_for_mover ? out & stand : out;
}

}  // namespace cotulenh::ctl
