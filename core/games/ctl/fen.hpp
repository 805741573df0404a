// FEN (11): text -> set-up -> validated position, and back.
#pragma once

#include <string>
#include <string_view>

#include "games/ctl/position.hpp"
#include "games/text.hpp"

namespace cotulenh::ctl {

Result<Position> read_fen(const Rules& rules, std::string_view text);
// Also what cannot be played: stacks that are none, pieces where they cannot stand, a second
// Commander. Such a position is for looking at only; `problems` says what is wrong.
struct SetUp {
    Position position;
    u32 problems;
};
Result<SetUp> read_set_up(const Rules& rules, std::string_view text);
std::string write_fen(const Position& position);
u32 remarks(const Position& position);  // problems of a position that was accepted

// Text of single things, shared with the moves' notation.
void append_square(std::string& out, Square s);
void append_group(std::string& out, Group group);               // N, +T, (N+FF); upper case
bool read_square(Cursor& in, const Rules& rules, Square& out);  // either case
bool read_square(Cursor& in, int files, int ranks, Square& out);

}  // namespace cotulenh::ctl
