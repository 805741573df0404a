// What a piece could do from a square on an empty board: one table for each piece, built once from
// the facts of a rule set.
#pragma once

#include "board/window.hpp"
#include "games/ctl/facts.hpp"

namespace cotulenh::ctl {

// How far blockers must be looked for, so the cheapest table is asked.
enum class Look : u8 { NOTHING, NEAR2 = 2, NEAR3, NEAR4, ORTHOGONAL, FAR };

// Everything that depends on a piece and its square alone, on an empty board.
struct PieceTables {
    Look move_look = Look::NOTHING, take_look = Look::NOTHING;
    bool aircraft = false;                      // and not one that ignores rings
    bool idle = true;                           // neither moves nor takes: a plain Headquarters
    Set walk[Frame::size];                      // quiet destinations
    Set board[Frame::size];                     // boarding destinations
    Set take[Frame::size], ships[Frame::size];  // takes, against others and against ships
    Set replace[Frame::size];                   // where a take is by replacing
    Set disc[Frame::size];                      // the ring around it (5.1); empty without one
    Set lines[Frame::size];                     // all points that it could move to, take or pass
};

// Where a kind stands (2.2).
Set standing(const RuleSpec& spec, const Rays<Frame>& rays, Kind kind);
void build_tables(PieceTables& out, const RuleSpec& spec, const Rays<Frame>& rays, Piece p);
// Points at which a piece may board a ship when water does not stop it on the way (2.6, S13).
Set ferry(const RuleSpec& spec, const Rays<Frame>& rays, Piece p, Square from);

Look look_for(int orthogonal, int diagonal);

}  // namespace cotulenh::ctl
