// Moves as text (12): LAN and SAN, both ways.
#pragma once

#include "games/ctl/fen.hpp"

namespace cotulenh::ctl {

enum class Reading : u8 { FINE, UNREADABLE, ILLEGAL, AMBIGUOUS };

struct ReadMove {
    Reading reading = Reading::FINE;
    Move move;
    TextError error;  // of unreadable text
};

std::string write_lan(Move m);
// One move: a plain one, a step or a commit. A turn's end adds ^ or #.
std::string write_san(Position& position, Move m);
std::string suffix(Position& after, Side mover);  // "", "^" or "#" once the mover's turn has ended
// Reads LAN and SAN alike, in either case, with or without heroic marks and suffixes (12.3).
ReadMove read_move(Position& position, std::string_view text);

// A whole turn, "rest<step,step" or one move; plays nothing. `steps` receives its moves in order.
struct ReadTurn {
    ReadMove last;  // the reading, and the offset of the trouble within the whole text
    std::vector<Move> moves;
};
ReadTurn read_turn(const Position& position, std::string_view text);

}  // namespace cotulenh::ctl
