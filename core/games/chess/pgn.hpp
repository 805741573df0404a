// Games of chess as other programs write them: what a word of a game means, and how a game starts.
#pragma once

#include "games/chess/notation.hpp"
#include "games/pgn_read.hpp"

namespace cotulenh::chess {

// A position for pgn::MovesReader and pgn::MovesWriter.
struct PgnGame {
    using Move = chess::Move;
    using Undo = Position::Undo;
    Position position;
    bool foreign = false;  // the pieces have letters of another language

    static constexpr std::size_t LONGEST = 24;  // of a word that may be a move
    // e8 =Q
    static bool joins(std::string_view, std::string_view next) {
        return next.size() > 1 && next.front() == '=';
    }
    static Move move(u32 bits) { return Move::from_bits(bits); }
    static u32 bits(Move m) { return m.bits(); }
    bool deploying() const { return false; }
    bool may_pass() const { return !position.in_check(); }
    bool legal(Move m) const { return position.is_legal(m); }
    void make(Move m, Undo& undo) { m ? position.make(m, undo) : position.make_null(undo); }
    void unmake(Move m, const Undo& undo) {
        m ? position.unmake(m, undo) : position.unmake_null(undo);
    }
    // No FEN (no data, not an empty one) is the usual start.
    static PgnGame start(std::string_view fen, bool& chess960, std::size_t offset,
                         pgn::Notes& notes, std::string& mended);
    pgn::WordReading read(std::string_view text, std::vector<Move>& out);
    std::string text(const std::vector<Move>& turn) const {
        return write_turn(position, turn, true);
    }
};

}  // namespace cotulenh::chess
