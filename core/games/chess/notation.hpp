// Moves of chess as text: SAN and LAN (the UCI text), both ways.
#pragma once

#include <vector>

#include "games/chess/fen.hpp"

namespace cotulenh::chess {

Result<Move> read_san(const Position& p, std::string_view text);
Result<Move> read_lan(const Position& p, std::string_view text);
// A turn is one move here.
Result<std::vector<Move>> read_turn(const Position& p, std::string_view text);
// Four or five characters taken at their word, without a board: never en passant or castling.
Result<Move> read_plain_lan(std::string_view text);

// Why a move is not legal, in words.
std::string why_illegal(const Position& p, Move m);

std::string write_san(const Position& p, Move m);  // m must be legal
std::string write_lan(Move m);
std::string write_lan(const Position& p, Move m);  // in Chess960 castling as king takes rook
std::string write_turn(const Position& p, const std::vector<Move>& turn, bool san);

}  // namespace cotulenh::chess
