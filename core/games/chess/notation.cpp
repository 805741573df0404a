#include "games/chess/notation.hpp"

namespace cotulenh::chess {

static_assert(WrittenGame<Position>);

namespace {

TextError not_a_move(std::size_t offset, std::string_view text) {
    return {offset, "not a move: " + quoted(text)};
}

TextError not_one(int found, std::string_view text) {
    if (found == 0) return {0, "illegal move: " + quoted(text), Fault::ILLEGAL};
    return {0, "ambiguous move: " + quoted(text), Fault::AMBIGUOUS};
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

Result<Move> read_castling(const Position& p, std::string_view text, int file) {
    MoveList<Move> moves;
    p.legal_moves(moves, p.pieces(p.turn(), KING), FILE_A << file);
    for (const Move m : moves)
        if (m.kind() == CASTLING) return m;
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

Result<Move> read_san(const Position& p, std::string_view text) {
    if (const int file = castling_file(text); file >= 0) return read_castling(p, text, file);
    San san;
    if (const auto trouble = parse_san(text, san)) return not_a_move(*trouble, text);
    Bits from = p.pieces(p.turn(), san.kind);
    // A pawn that does not say its file does not capture.
    if (san.kind == PAWN && san.file < 0) san.file = file_of(san.to);
    if (san.file >= 0) from &= FILE_A << san.file;
    if (san.rank >= 0) from &= rank(san.rank);
    MoveList<Move> moves;
    p.legal_moves(moves, from, bit(san.to));
    Move meant{};
    int found = 0;
    for (const Move m : moves) {
        const Kind promotion = m.kind() == PROMOTION ? m.promotion() : NO_KIND;
        if (promotion != san.promotion || m.kind() == CASTLING) continue;
        meant = m;
        ++found;
    }
    if (found != 1) return not_one(found, text);
    return meant;
}

Result<Move> read_plain_lan(std::string_view text) {
    for (std::size_t i = 0; i < 4; ++i)
        if (i >= text.size() || !(i % 2 ? is_rank(text[i]) : is_file(text[i])))
            return not_a_move(i, text);
    const Square from = ChessGrid::at(text[0] - 'a', text[1] - '1');
    const Square to = ChessGrid::at(text[2] - 'a', text[3] - '1');
    if (text.size() == 4) return Move::of(from, to);
    const Kind kind = is_lower(text[4]) ? kind_of_letter(upper(text[4])) : NO_KIND;
    if (kind == PAWN || kind >= KING || text.size() > 5)
        return not_a_move(kind == PAWN || kind >= KING ? 4 : 5, text);
    return Move::of(from, to, PROMOTION, kind);
}

Result<Move> read_lan(const Position& p, std::string_view text) {
    const Result<Move> plain = read_plain_lan(text);
    if (!plain) return plain;
    if (const Move meant = p.resolve(*plain)) return meant;
    return not_one(0, text);
}

Result<std::vector<Move>> read_turn(const Position& p, std::string_view text) {
    const Result<Move> read = read_san(p, text);
    if (!read) return read.error();
    return std::vector<Move>{*read};
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

std::string write_lan(const Position& p, Move m) {
    if (m.kind() != CASTLING || !p.rules().chess960) return write_lan(m);
    return write_lan(Move::of(m.from(), p.castling_rook(m)));
}

std::string write_turn(const Position& p, const std::vector<Move>& turn, bool san) {
    if (!turn.front()) return san ? "--" : "0000";
    return san ? write_san(p, turn.front()) : write_lan(p, turn.front());
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
