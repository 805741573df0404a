// FEN (11): text -> set-up -> validated position, and back.
#pragma once

#include <string>
#include <string_view>

#include "games/ctl/position.hpp"
#include "games/text.hpp"

namespace cotulenh::ctl {

// What can be wrong with a position, as a set of flags. Those from MISSING_COMMANDER on are only
// remarked upon (11.3), the others refused.
enum Problem : u32 {
    INVALID_STACK = 1,
    CANNOT_STAND = 2,
    TOO_MANY_COMMANDERS = 4,
    BAD_DEPLOYMENT = 8,
    MISSING_COMMANDER = 16,
    TOO_MANY_PIECES = 32,
    OPPONENT_IN_CHECK = 64,
};
inline constexpr std::string_view PROBLEM_NAMES[] = {
    "invalid_stack",     "cannot_stand",    "too_many_commanders", "bad_deployment",
    "missing_commander", "too_many_pieces", "opponent_in_check"};

struct FenResult {
    std::optional<Position> position;  // empty if refused
    TextError error;
    u32 problems = 0;  // set if the text is well-formed but the position impossible
};

FenResult read_fen(const Rules& rules, std::string_view text);
std::string write_fen(const Position& position);
u32 remarks(const Position& position);  // problems of a position that was accepted

// Text of single things, shared with the moves' notation.
void append_square(std::string& out, Square s);
void append_group(std::string& out, u16 group);                 // N, +T, (N+FF); upper case
bool read_square(Cursor& in, const Rules& rules, Square& out);  // either case

}  // namespace cotulenh::ctl
