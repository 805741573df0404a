// Moves of chess as text: SAN, LAN (the UCI text) and movetext, both ways.
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

std::string write_san(const Position& p, Move m);  // m must be legal
std::string write_lan(Move m);
std::string write_lan(const Position& p, Move m);  // in Chess960 castling as king takes rook
std::string write_turn(const Position& p, const std::vector<Move>& turn, bool san);

// The moves among the numbers, comments, variations and marks of a game's text.
class Movetext {
  public:
    explicit Movetext(std::string_view text) : text_(text) {}

    // The next move's text; empty at the end of the game or at trouble.
    std::string_view next();
    std::size_t offset() const { return start_; }  // of the last move's text
    const TextError& error() const { return error_; }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool skip_aside();
    bool skip_until(std::string_view closing, const char* what);
    bool skip_variation();
    bool skip_number();
    std::string_view word();

    std::string_view text_;
    std::size_t at_ = 0, start_ = 0;
    TextError error_;
};

}  // namespace cotulenh::chess
