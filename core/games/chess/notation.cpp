#include "games/chess/notation.hpp"

namespace cotulenh::chess {

static_assert(WrittenGame<Position>);

namespace {

TextError not_a_move(std::size_t offset, std::string_view text) {
    return {offset, "not a move: " + quoted(text)};
}

TextError illegal(std::string_view text, const std::string& why) {
    return {0, "illegal move: " + quoted(text), Fault::ILLEGAL, 0, NO_SQUARE, why};
}

TextError ambiguous(std::string_view text, const Moves& found) {
    std::string detail = "it could be ";
    for (int i = 0; i < found.size(); ++i) detail += (i ? ", " : "") + write_lan(found[i]);
    return {0, "ambiguous move: " + quoted(text), Fault::AMBIGUOUS, 0, NO_SQUARE, detail};
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

// The pieces that could come to the target, but for their king's safety. Looking back from the
// target finds one or two where a generator would list the moves of all.
Bits origins(const Position& p, const San& san) {
    const Bits mine = p.pieces(p.turn(), san.kind);
    if (p.occupied(p.turn()) & bit(san.to)) return 0;
    switch (san.kind) {
        case KNIGHT:
            return mine & TABLES.knight[san.to];
        case BISHOP:
            return mine & bishop_attacks(san.to, p.occupied());
        case ROOK:
            return mine & rook_attacks(san.to, p.occupied());
        case QUEEN:
            return mine &
                   (bishop_attacks(san.to, p.occupied()) | rook_attacks(san.to, p.occupied()));
        default:
            return mine & TABLES.king[san.to];
    }
}

Bits pawn_origins(const Position& p, const San& san) {
    const Side us = p.turn(), them = Side(us ^ 1);
    const Bits mine = p.pieces(us, PAWN), to = bit(san.to);
    if (san.file != file_of(san.to)) {
        const bool takes = p.occupied(them) & to || san.to == p.en_passant();
        return takes ? mine & TABLES.pawn[them][san.to] : 0;
    }
    if (p.occupied() & to) return 0;
    const Bits one = us == WHITE ? to >> 8 : to << 8, two = us == WHITE ? to >> 16 : to << 16;
    if (mine & one || p.occupied() & one) return mine & one;
    return to & rank(us == WHITE ? 3 : 4) ? mine & two : 0;
}

bool is_en_passant(const Position& p, const San& san, Square from) {
    return san.kind == PAWN && san.to == p.en_passant() && file_of(from) != file_of(san.to);
}

bool king_stays_safe(const Position& p, const San& san, Square from) {
    const Side us = p.turn(), them = Side(us ^ 1);
    if (is_en_passant(p, san, from)) return p.en_passant_legal(us, from, san.to);
    const Square king = san.kind == KING ? san.to : p.king(us);
    const Bits after = (p.occupied() ^ bit(from)) | bit(san.to);
    return !(p.attackers(them, king, after) & ~bit(san.to));
}

Move move_of(const Position& p, const San& san, Square from) {
    if (san.promotion != NO_KIND) return Move::of(from, san.to, PROMOTION, san.promotion);
    return Move::of(from, san.to, is_en_passant(p, san, from) ? EN_PASSANT : NORMAL);
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
    const Square king = p.king(p.turn());
    return illegal(text, why_illegal(p, Move::of(king, king - file_of(king) + file, CASTLING)));
}

bool fits(const San& san, Move m) {
    const Kind promotion = m.kind() == PROMOTION ? m.promotion() : NO_KIND;
    return m.to() == san.to && promotion == san.promotion && m.kind() != CASTLING &&
           (san.file < 0 || file_of(m.from()) == san.file) &&
           (san.rank < 0 || rank_of(m.from()) == san.rank);
}

// None or several legal moves fit: which could be meant, or what stands against the one that is.
TextError not_one(const Position& p, const San& san, std::string_view text, int found) {
    const Bits pieces = p.pieces(p.turn(), san.kind);
    Moves moves, fitting;
    p.pseudo_legal_moves(moves);
    for (const Move m : moves)
        if (pieces & bit(m.from()) && fits(san, m) && (found == 0 || p.is_legal(m))) {
            fitting.ensure(1);
            fitting.add(m);
        }
    if (found > 1) return ambiguous(text, fitting);
    if (!fitting.empty()) return illegal(text, why_illegal(p, fitting[0]));
    for (Bits rest = pieces; rest;) {
        const Square s = pop(rest);
        if ((san.file < 0 || file_of(s) == san.file) && (san.rank < 0 || rank_of(s) == san.rank))
            return illegal(text, why_illegal(p, Move::of(s, san.to)));
    }
    return illegal(text, "there is no such piece to move");
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
    // A pawn that does not say its file does not capture.
    if (san.kind == PAWN && san.file < 0) san.file = file_of(san.to);
    Bits from = san.kind == PAWN ? pawn_origins(p, san) : origins(p, san);
    if (san.file >= 0) from &= FILE_A << san.file;
    if (san.rank >= 0) from &= rank(san.rank);
    const bool last_rank = san.kind == PAWN && bit(san.to) & (rank(0) | rank(7));
    if (last_rank != (san.promotion != NO_KIND)) from = 0;
    Move meant{};
    int found = 0;
    while (from) {
        const Square s = pop(from);
        if (!king_stays_safe(p, san, s)) continue;
        meant = move_of(p, san, s);
        ++found;
    }
    if (found != 1) return not_one(p, san, text, found);
    return meant;
}

Result<Move> read_plain_lan(std::string_view text) {
    if (text == "0000") return Move{};
    for (std::size_t i = 0; i < 4; ++i)
        if (i >= text.size() || !(i % 2 ? is_rank(text[i]) : is_file(text[i])))
            return not_a_move(i, text);
    const Square from = ChessGrid::at(text[0] - 'a', text[1] - '1');
    const Square to = ChessGrid::at(text[2] - 'a', text[3] - '1');
    // A king that castles in Chess960 may stand on its target already; no other move stays put.
    const bool castles = (file_of(to) == 2 || file_of(to) == 6) && (rank_of(to) % 7 == 0);
    if (from == to && (!castles || text.size() > 4)) return not_a_move(2, text);
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
    return illegal(text, why_illegal(p, *plain));
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
    if (!m) return "0000";
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

}  // namespace cotulenh::chess
