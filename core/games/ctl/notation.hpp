// Moves as text (12): LAN and SAN, both ways.
#pragma once

#include "games/ctl/fen.hpp"

namespace cotulenh::ctl {

// One move: a plain one, a step or a commit. Readers take LAN and SAN alike, in either case, with
// or without heroic marks and suffixes (12.3).
Result<Move> read_san(Position& position, std::string_view text);
Result<Move> read_lan(Position& position, std::string_view text);
// A whole turn, "rest<step,step", or one move; plays nothing.
Result<std::vector<Move>> read_turn(const Position& position, std::string_view text);

// Why a move is not legal, naming the article that stands against it.
std::string why_illegal(Position& position, Move m);

// LAN at its word, without a board: a breach reads as a stay capture.
Result<Move> read_plain_lan(std::string_view text);
std::string write_lan(Move m);
std::string write_lan(const Position& position, Move m);
std::string write_san(Position& position, Move m);  // a turn's end adds ^ or #
// The moves of a turn as one token (12.2); of one still open, the steps so far.
std::string write_turn(const Position& position, const std::vector<Move>& turn, bool san);

}  // namespace cotulenh::ctl
