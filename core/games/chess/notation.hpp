// Chess as text: FEN, UCI, SAN and movetext. Readers answer with values and never throw.
#pragma once

#include <optional>

#include "games/chess/position.hpp"
#include "games/text.hpp"

namespace cotulenh::chess {

// Why a FEN was refused: not a FEN (no problems), or a FEN of an impossible position.
struct FenError {
    u32 problems = 0;
    std::size_t offset = 0;
    std::string reason;
    explicit operator bool() const { return !reason.empty(); }
};

// Six fields, or the four of an EPD. Castling rights as KQkq or by files (X-FEN, Shredder-FEN).
// `out` is written only if all is well.
FenError read_fen(std::string_view text, bool chess960, Position& out);
std::string write_fen(const Position& p);

// A move that was read, or why there is none.
struct MoveText {
    enum Status : u8 { FOUND, MALFORMED, ILLEGAL, AMBIGUOUS };
    Status status = FOUND;
    Move move{};
    std::size_t offset = 0;
    std::string reason{};
};

MoveText read_san(const Position& p, std::string_view text);
MoveText read_lan(const Position& p, std::string_view text);
// Four or five characters taken at their word, without a board: never en passant or castling.
MoveText read_plain_lan(std::string_view text);

std::string write_san(const Position& p, Move m);  // m must be legal
std::string write_lan(Move m);
std::string write_lan(const Position& p, Move m, bool chess960);  // castling as king takes rook

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
