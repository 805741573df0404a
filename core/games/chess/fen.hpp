// FEN of chess: text -> set-up -> validated position, and back.
#pragma once

#include "games/chess/position.hpp"

namespace cotulenh::chess {

// Six fields, or the four of an EPD. Castling rights as KQkq or by files (X-FEN, Shredder-FEN).
Result<Position> read_fen(const Rules& rules, std::string_view text);
std::string write_fen(const Position& p);

// Text of single things, shared with the moves' notation.
inline constexpr std::string_view LETTERS = "PNBRQK";

inline bool is_file(char c) { return c >= 'a' && c <= 'h'; }
inline bool is_rank(char c) { return c >= '1' && c <= '8'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline char upper(char c) { return is_lower(c) ? char(c - 'a' + 'A') : c; }

inline Kind kind_of_letter(char c) {
    const std::size_t i = LETTERS.find(c);
    return c == '\0' || i == LETTERS.npos ? NO_KIND : Kind(i);
}

inline char letter_of(Piece p) {
    const char c = LETTERS[kind_of(p)];
    return side_of(p) == WHITE ? c : char(c - 'A' + 'a');
}

inline void append_square(std::string& out, Square s) {
    out += char('a' + file_of(s));
    out += char('1' + rank_of(s));
}

}  // namespace cotulenh::chess
