#include "games/chess/notation.hpp"

namespace cotulenh::chess {

namespace {

constexpr std::string_view LETTERS = "PNBRQK";

bool is_file(char c) { return c >= 'a' && c <= 'h'; }
bool is_rank(char c) { return c >= '1' && c <= '8'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char upper(char c) { return is_lower(c) ? char(c - 'a' + 'A') : c; }

Kind kind_of_letter(char c) {
    const std::size_t i = LETTERS.find(c);
    return c == '\0' || i == LETTERS.npos ? NO_KIND : Kind(i);
}

char letter_of(Piece p) {
    const char c = LETTERS[kind_of(p)];
    return side_of(p) == WHITE ? c : char(c - 'A' + 'a');
}

void append_square(std::string& out, Square s) {
    out += char('a' + file_of(s));
    out += char('1' + rank_of(s));
}

// FEN -------------------------------------------------------------------------------------------

class FenReader {
  public:
    FenReader(std::string_view text, bool chess960) : in_(text), chess960_(chess960) {}

    FenError read(Position& out) {
        placement() && gap("whose turn it is") && turn() && gap("castling rights") && castling() &&
            gap("an en passant square") && en_passant() && counters();
        if (!error_) check(out);
        return error_;
    }

  private:
    bool fail(std::size_t offset, std::string reason) {
        error_ = {0, offset, std::move(reason)};
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
        const u32 problems = out.set(setup_, chess960_);
        if (!problems) return;
        error_.problems = problems;
        error_.reason = "impossible position:";
        for (int i = 0; i < PROBLEMS; ++i) {
            if (!(problems >> i & 1)) continue;
            std::string name(problem_name(i));
            std::replace(name.begin(), name.end(), '_', ' ');
            error_.reason += (error_.reason.back() == ':' ? " " : ", ") + name;
        }
        const u32 of_pieces = BAD_CASTLING_RIGHTS - 1;
        error_.offset = problems & of_pieces             ? 0
                        : problems & BAD_CASTLING_RIGHTS ? castling_at_
                        : problems & BAD_EN_PASSANT      ? en_passant_at_
                                                         : turn_at_;
    }

    Cursor in_;
    const bool chess960_;
    Setup setup_;
    FenError error_;
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

// Moves -----------------------------------------------------------------------------------------

MoveText malformed(std::size_t offset, std::string reason) {
    return {MoveText::MALFORMED, Move{}, offset, std::move(reason)};
}

MoveText not_one(int found, std::string_view text) {
    if (found == 0) return {MoveText::ILLEGAL, Move{}, 0, "illegal move: " + quoted(text)};
    return {MoveText::AMBIGUOUS, Move{}, 0, "ambiguous move: " + quoted(text)};
}

// What a SAN says before the board is asked.
struct San {
    Kind kind = PAWN, promotion = NO_KIND;
    int file = -1, rank = -1;  // of the square it comes from, if said
    Square to = NO_SQUARE;
};

// The end says most: suffixes, promotion, target; what is left before them tells where from.
std::optional<std::size_t> parse_san(std::string_view text, San& san) {
    std::size_t end = text.size(), at = 0;
    while (end > 0 && std::string_view("+#!?").find(text[end - 1]) != std::string_view::npos) --end;
    if (end > 0 && text[0] != 'P' && kind_of_letter(text[0]) != NO_KIND)
        san.kind = kind_of_letter(text[at++]);
    if (end >= 2 && san.kind == PAWN && !is_rank(text[end - 1])) {
        const bool equals = text[end - 2] == '=';
        san.promotion = kind_of_letter(equals ? upper(text[end - 1]) : text[end - 1]);
        if (san.promotion == PAWN || san.promotion >= KING) return end - 1;
        end -= equals ? 2 : 1;
    }
    if (end < at + 2) return end;
    if (!is_file(text[end - 2])) return end - 2;
    if (!is_rank(text[end - 1])) return end - 1;
    san.to = ChessGrid::at(text[end - 2] - 'a', text[end - 1] - '1');
    end -= 2;
    if (at < end && is_file(text[at])) san.file = text[at++] - 'a';
    if (at < end && is_rank(text[at])) san.rank = text[at++] - '1';
    if (at < end && (text[at] == 'x' || text[at] == '-')) ++at;
    if (at < end) return at;
    return std::nullopt;
}

// "O-O" or "O-O-O", also with zeros: the file the king goes to, or -1.
int castling_file(std::string_view text) {
    const std::size_t end = text.find_last_not_of("+#!?");
    text = text.substr(0, end == text.npos ? 0 : end + 1);
    if (text == "O-O" || text == "0-0") return 6;
    if (text == "O-O-O" || text == "0-0-0") return 2;
    return -1;
}

MoveText read_castling(const Position& p, std::string_view text, int file) {
    MoveList<Move> moves;
    p.legal_moves(moves, p.pieces(p.turn(), KING), FILE_A << file);
    for (const Move m : moves)
        if (m.kind() == CASTLING) return {MoveText::FOUND, m};
    return not_one(0, text);
}

// Just enough of the origin to tell the move from others of its kind to the same square.
void append_origin(std::string& out, const Position& p, Move m, Kind kind) {
    MoveList<Move> moves;
    const Bits rivals = p.pieces(p.turn(), kind) & ~bit(m.from());
    if (!rivals) return;
    p.legal_moves(moves, rivals, bit(m.to()));
    bool any = false, same_file = false, same_rank = false;
    for (const Move other : moves) {
        any = true;
        same_file |= file_of(other.from()) == file_of(m.from());
        same_rank |= rank_of(other.from()) == rank_of(m.from());
    }
    if (any && (!same_file || same_rank)) out += char('a' + file_of(m.from()));
    if (same_file) out += char('1' + rank_of(m.from()));
}

void append_check(std::string& out, const Position& p, Move m) {
    if (!p.gives_check(m)) return;
    Position after = p;
    Position::Undo undo;
    after.make(m, undo);
    out += after.has_legal_move() ? '+' : '#';
}

}  // namespace

FenError read_fen(std::string_view text, bool chess960, Position& out) {
    return FenReader(text, chess960).read(out);
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

MoveText read_san(const Position& p, std::string_view text) {
    if (const int file = castling_file(text); file >= 0) return read_castling(p, text, file);
    San san;
    if (const auto trouble = parse_san(text, san))
        return malformed(*trouble, "not a move: " + quoted(text));
    Bits from = p.pieces(p.turn(), san.kind);
    // A pawn that does not say its file does not capture.
    if (san.kind == PAWN && san.file < 0) san.file = file_of(san.to);
    if (san.file >= 0) from &= FILE_A << san.file;
    if (san.rank >= 0) from &= rank(san.rank);
    MoveList<Move> moves;
    p.legal_moves(moves, from, bit(san.to));
    MoveText answer;
    int found = 0;
    for (const Move m : moves) {
        const Kind promotion = m.kind() == PROMOTION ? m.promotion() : NO_KIND;
        if (promotion != san.promotion || m.kind() == CASTLING) continue;
        answer.move = m;
        ++found;
    }
    return found == 1 ? answer : not_one(found, text);
}

MoveText read_plain_lan(std::string_view text) {
    for (std::size_t i = 0; i < 4; ++i)
        if (i >= text.size() || !(i % 2 ? is_rank(text[i]) : is_file(text[i])))
            return malformed(i, "not a move: " + quoted(text));
    const Square from = ChessGrid::at(text[0] - 'a', text[1] - '1');
    const Square to = ChessGrid::at(text[2] - 'a', text[3] - '1');
    if (text.size() == 4) return {MoveText::FOUND, Move::of(from, to)};
    const Kind kind = is_lower(text[4]) ? kind_of_letter(upper(text[4])) : NO_KIND;
    if (kind == PAWN || kind >= KING || text.size() > 5)
        return malformed(kind == PAWN || kind >= KING ? 4 : 5, "not a move: " + quoted(text));
    return {MoveText::FOUND, Move::of(from, to, PROMOTION, kind)};
}

MoveText read_lan(const Position& p, std::string_view text) {
    MoveText answer = read_plain_lan(text);
    if (answer.status != MoveText::FOUND) return answer;
    const Move plain = answer.move;
    answer.move = p.resolve(plain);
    return answer.move == Move{} ? not_one(0, text) : answer;
}

std::string write_san(const Position& p, Move m) {
    std::string out;
    const Kind kind = kind_of(p.at(m.from()));
    if (m.kind() == CASTLING) {
        out = file_of(m.to()) == 6 ? "O-O" : "O-O-O";
    } else {
        const bool capture = p.at(m.to()) != EMPTY || m.kind() == EN_PASSANT;
        if (kind != PAWN) {
            out += LETTERS[kind];
            append_origin(out, p, m, kind);
        } else if (capture) {
            out += char('a' + file_of(m.from()));
        }
        if (capture) out += 'x';
        append_square(out, m.to());
        if (m.kind() == PROMOTION) (out += '=') += LETTERS[m.promotion()];
    }
    append_check(out, p, m);
    return out;
}

std::string write_lan(Move m) {
    std::string out;
    append_square(out, m.from());
    append_square(out, m.to());
    if (m.kind() == PROMOTION) out += letter_of(piece_of(BLACK, m.promotion()));
    return out;
}

std::string write_lan(const Position& p, Move m, bool chess960) {
    if (m.kind() != CASTLING || !chess960) return write_lan(m);
    return write_lan(Move::of(m.from(), p.castling_rook(m)));
}

// Movetext --------------------------------------------------------------------------------------

std::string_view Movetext::next() {
    for (;;) {
        if (skip_aside()) continue;
        if (error_ || at_ >= text_.size()) return {};
        start_ = at_;
        if (skip_number()) continue;
        const std::string_view token = word();
        if (token.empty()) {
            error_ = {at_, "unexpected character in the moves"};
            return {};
        }
        if (token == "1-0" || token == "0-1" || token == "1/2-1/2" || token == "*") {
            at_ = text_.size();
            return {};
        }
        if (token != "e.p." && token.find_first_not_of("!?") != token.npos) return token;
    }
}

// Spaces, comments, marks and variations; false when a word or the end comes, or at trouble.
bool Movetext::skip_aside() {
    switch (peek()) {
        case ' ':
        case '\n':
        case '\r':
        case '\t':
            ++at_;
            return true;
        case '{':
            return skip_until("}", "comment");
        case ';':
            return skip_until("\n", nullptr);
        case '(':
            return skip_variation();
        case '$':
            do ++at_;
            while (peek() >= '0' && peek() <= '9');
            return true;
        default:
            return false;
    }
}

// Up to and with the closing sign; text that ends first is trouble if it has a name.
bool Movetext::skip_until(std::string_view closing, const char* what) {
    const std::size_t end = text_.find(closing, at_);
    if (end == text_.npos && what) {
        error_ = {at_, std::string("a ") + what + " that does not end"};
        return false;
    }
    at_ = end == text_.npos ? text_.size() : end + closing.size();
    return true;
}

bool Movetext::skip_variation() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
        const char c = peek();
        if (at_ >= text_.size()) {
            error_ = {begin, "a variation that does not end"};
            return false;
        }
        if (c == '{' || c == ';') {
            if (!skip_aside()) return false;
            continue;
        }
        depth += (c == '(') - (c == ')');
        ++at_;
    } while (depth > 0);
    return true;
}

// "12.", "12..." and "12"; but "0-0" is a move and "1-0" or "1/2-1/2" a result.
bool Movetext::skip_number() {
    std::size_t n = 0;
    while (peek(n) >= '0' && peek(n) <= '9') ++n;
    if (peek(n) != '.' && (n == 0 || peek(n) == '-' || peek(n) == '/')) return false;
    while (peek(n) == '.') ++n;
    at_ += n;
    return true;
}

std::string_view Movetext::word() {
    const std::size_t end = std::min(text_.find_first_of(" \n\r\t{}();$", at_), text_.size());
    const std::string_view token = text_.substr(at_, end - at_);
    at_ = end;
    return token;
}

}  // namespace cotulenh::chess
