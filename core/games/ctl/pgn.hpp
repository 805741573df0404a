// Games of Cờ Tư Lệnh in PGN (12.4): a turn is one word.
#pragma once

#include "games/ctl/notation.hpp"
#include "games/pgn_read.hpp"

namespace cotulenh::ctl {

// A position for pgn::MovesReader and pgn::MovesWriter.
struct PgnGame {
    using Move = ctl::Move;
    using Undo = ctl::Undo;
    using Rules = ctl::Rules;
    Position position;

    static constexpr std::size_t LONGEST = 128;  // of a word that may be a turn
    // A deployment may have blanks around its signs.
    static bool joins(std::string_view word, std::string_view next) {
        constexpr std::string_view SIGNS = "<>,";
        return SIGNS.find(word.back()) != SIGNS.npos || SIGNS.find(next.front()) != SIGNS.npos;
    }
    static Move move(u32 bits) { return Move::from_bits(bits); }
    static u32 bits(Move m) { return m.bits(); }
    bool deploying() const { return position.deploying(); }
    bool may_pass() const { return !position.deploying() && !position.in_check(); }
    bool legal(Move m) { return m.well_formed() && position.is_legal(m); }
    void make(Move m, Undo& undo) { m ? position.make(m, undo) : position.make_null(undo); }
    void unmake(Move m, const Undo& undo) {
        m ? position.unmake(m, undo) : position.unmake_null(undo);
    }
    // No FEN (no data, not an empty one) is the usual start; nothing if it cannot be read.
    static std::optional<PgnGame> start(const Rules& rules, std::string_view fen,
                                        std::size_t offset, pgn::Notes& notes, std::string& mended);
    pgn::WordReading read(std::string_view text, std::vector<Move>& out);
    pgn::WordReading read_exactly(std::string_view text, std::vector<Move>& out);
    std::string text(const std::vector<Move>& turn) const {
        return write_turn(position, turn, true);
    }
};

}  // namespace cotulenh::ctl
