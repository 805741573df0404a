#include "games/chess/fen.hpp"

#include <algorithm>

namespace cotulenh::chess {
namespace {

class FenReader {
  public:
    FenReader(const Rules& rules, std::string_view text) : in_(text), rules_(rules) {}

    Result<Position> read() {
        placement() && gap("whose turn it is") && turn() && gap("castling rights") && castling() &&
            gap("an en passant square") && en_passant() && counters();
        Position made;
        if (!error_) check(made);
        if (error_) return std::move(error_);
        return made;
    }

  private:
    bool fail(std::size_t offset, std::string reason) {
        error_ = {offset, std::move(reason)};
        return false;
    }
    bool fail(std::string reason) { return fail(in_.offset(), std::move(reason)); }

    bool gap(const char* next) {
        return in_.accept(' ') || fail(std::string("expected one space, then ") + next);
    }

    bool placement() {
        for (int r = 7; r >= 0; --r)
            if (!rank_row(r) || (r > 0 && !in_.accept('/') && !fail("expected '/'"))) return false;
        return true;
    }

    bool rank_row(int r) {
        bool digit = false;
        for (int file = 0; file < 8;) {
            const char c = in_.peek();
            const Kind kind = kind_of_letter(upper(c));
            if (kind != NO_KIND) {
                setup_.board[8 * r + file++] = piece_of(is_lower(c) ? BLACK : WHITE, kind);
                digit = false;
            } else if (is_rank(c)) {
                if (digit) return fail("two digits in a row");
                if (file + (c - '0') > 8) return fail("more than eight files");
                for (int n = c - '0'; n > 0; --n) setup_.board[8 * r + file++] = EMPTY;
                digit = true;
            } else {
                return fail("expected a piece or a digit");
            }
            in_.skip(1);
        }
        return true;
    }

    bool turn() {
        turn_at_ = in_.offset();
        if (in_.accept('w')) return true;
        setup_.turn = BLACK;
        return in_.accept('b') || fail("expected 'w' or 'b'");
    }

    bool castling() {
        castling_at_ = in_.offset();
        if (in_.accept('-')) return true;
        do {
            const char c = in_.peek();
            const Side side = is_lower(c) ? BLACK : WHITE;
            const int home = side == WHITE ? 0 : 56;
            Bits rook;
            if (upper(c) == 'K' || upper(c) == 'Q')
                rook = outermost_rook(side, upper(c) == 'K');
            else if (upper(c) >= 'A' && upper(c) <= 'H')
                rook = bit(home + upper(c) - 'A');
            else
                return fail("expected castling rights (KQkq, files or '-')");
            if (setup_.castling_rooks & rook) return fail("a castling right stated twice");
            setup_.castling_rooks |= rook;
            in_.skip(1);
        } while (!in_.done() && in_.peek() != ' ');
        return true;
    }

    // X-FEN: K and Q mean the rook farthest out on that side of the king. Without such a rook the
    // corner is taken, where the check of the position will miss it.
    Bits outermost_rook(Side side, bool king_side) const {
        const int home = side == WHITE ? 0 : 56, step = king_side ? -1 : 1;
        const int corner = home + (king_side ? 7 : 0);
        int rook = -1;
        for (int i = 0, s = corner; i < 8; ++i, s += step) {
            if (setup_.board[s] == piece_of(side, KING)) return bit(rook < 0 ? corner : rook);
            if (setup_.board[s] == piece_of(side, ROOK) && rook < 0) rook = s;
        }
        return bit(corner);
    }

    bool en_passant() {
        en_passant_at_ = in_.offset();
        if (in_.accept('-')) return true;
        const char file = in_.take(), r = in_.take();
        if (!is_file(file) || !is_rank(r))
            return fail(en_passant_at_, "expected an en passant square or '-'");
        setup_.en_passant = ChessGrid::at(file - 'a', r - '1');
        return true;
    }

    bool counters() {
        if (in_.done()) return true;
        if (!gap("the halfmove clock")) return false;
        if (!in_.number(setup_.halfmove, 9999)) return fail("expected the halfmove clock (0-9999)");
        if (!gap("the move number")) return false;
        const std::size_t at = in_.offset();
        if (!in_.number(setup_.fullmove, 99999) || setup_.fullmove == 0)
            return fail(at, "expected the move number (1-99999)");
        return in_.done() || fail("unexpected text after the FEN");
    }

    void check(Position& out) {
        const u32 problems = out.set(setup_, rules_);
        if (!problems) return;
        error_.fault = Fault::IMPOSSIBLE;
        error_.problems = problems;
        error_.reason = "impossible position:";
        for (std::size_t i = 0; i < Position::PROBLEM_NAMES.size(); ++i) {
            if (!(problems >> i & 1)) continue;
            std::string name(Position::PROBLEM_NAMES[i]);
            std::replace(name.begin(), name.end(), '_', ' ');
            error_.reason += (error_.reason.back() == ':' ? " " : ", ") + name;
        }
        const u32 of_pieces = BAD_CASTLING_RIGHTS - 1;
        error_.offset = problems & of_pieces             ? 0
                        : problems & BAD_CASTLING_RIGHTS ? castling_at_
                        : problems & BAD_EN_PASSANT      ? en_passant_at_
                                                         : turn_at_;
        error_.square = square_to_blame(problems);
    }

    // The first square that shows the problem; none if what is wrong is that something is missing.
    Square square_to_blame(u32 problems) const {
        const auto find = [&](Piece piece, Bits where, int nth) {
            for (Square s = 0; s < 64; ++s)
                if (setup_.board[s] == piece && where & bit(s) && --nth == 0) return s;
            return NO_SQUARE;
        };
        const Side us = setup_.turn, them = Side(us ^ 1);
        if (problems & (NO_WHITE_KING | NO_BLACK_KING)) return NO_SQUARE;
        for (const Side side : {WHITE, BLACK}) {
            const Square second = find(piece_of(side, KING), ~Bits(0), 2);
            if (problems & TOO_MANY_KINGS && second != NO_SQUARE) return second;
            const Square pawn = find(piece_of(side, PAWN), rank(0) | rank(7), 1);
            if (problems & PAWNS_ON_BACK_RANK && pawn != NO_SQUARE) return pawn;
        }
        if (problems & BAD_EN_PASSANT) return setup_.en_passant;
        if (problems & OPPOSITE_CHECK) return find(piece_of(them, KING), ~Bits(0), 1);
        if (problems & (TOO_MANY_CHECKERS | IMPOSSIBLE_CHECK))
            return find(piece_of(us, KING), ~Bits(0), 1);
        return NO_SQUARE;
    }

    Cursor in_;
    const Rules rules_;
    Setup setup_;
    TextError error_;
    std::size_t turn_at_ = 0, castling_at_ = 0, en_passant_at_ = 0;
};

void append_placement(std::string& out, const Position& p) {
    for (int r = 7; r >= 0; --r) {
        int gap = 0;
        for (int file = 0; file < 8; ++file) {
            const Piece piece = p.at(ChessGrid::at(file, r));
            if (piece == EMPTY) {
                ++gap;
                continue;
            }
            if (gap) out += char('0' + gap);
            gap = 0;
            out += letter_of(piece);
        }
        if (gap) out += char('0' + gap);
        if (r) out += '/';
    }
}

// K or Q where it names the rook, the file's letter where another rook stands farther out.
void append_castling(std::string& out, const Position& p) {
    const std::size_t before = out.size();
    for (const Side side : {WHITE, BLACK}) {
        const Bits home = rank(side == WHITE ? 0 : 7), west = p.pieces(side, KING) - 1;
        for (const bool king_side : {true, false}) {
            const Bits wing = home & (king_side ? ~west : west);
            const Bits rook = p.castling_rooks() & wing;
            if (!rook) continue;
            const Bits farther = king_side ? ~(rook | (rook - 1)) : rook - 1;
            const bool outermost = !(p.pieces(side, ROOK) & wing & farther);
            char c = outermost ? (king_side ? 'K' : 'Q') : char('A' + file_of(first(rook)));
            out += side == WHITE ? c : char(c - 'A' + 'a');
        }
    }
    if (out.size() == before) out += '-';
}

}  // namespace

Result<Position> read_fen(const Rules& rules, std::string_view text) {
    return FenReader(rules, text).read();
}

std::string write_fen(const Position& p) {
    std::string out;
    out.reserve(96);
    append_placement(out, p);
    out += p.turn() == WHITE ? " w " : " b ";
    append_castling(out, p);
    out += ' ';
    if (p.en_passant() == NO_SQUARE)
        out += '-';
    else
        append_square(out, p.en_passant());
    out += ' ';
    append_number(out, p.halfmove());
    out += ' ';
    append_number(out, p.fullmove());
    return out;
}

}  // namespace cotulenh::chess
