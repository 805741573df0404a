// FEN (11): text -> set-up -> validated position, and back.
#pragma once

#include <string>
#include <string_view>

#include "games/ctl/position.hpp"
#include "games/text.hpp"

namespace cotulenh::ctl {

Result<Position> read_fen(const Rules& rules, std::string_view text);
std::string write_fen(const Position& position);
u32 remarks(const Position& position);  // problems of a position that was accepted

// Text of single things, shared with the moves' notation.
void append_square(std::string& out, Square s);
void append_group(std::string& out, Group group);               // N, +T, (N+FF); upper case
bool read_square(Cursor& in, const Rules& rules, Square& out);  // either case

}  // namespace cotulenh::ctl
