#include "games/chess/pgn.hpp"

namespace cotulenh::chess {
namespace {

using pgn::WordReading;

constexpr std::string_view FIGURINES = "KQRBNP";

bool starts(std::string_view text, std::size_t at, std::string_view with) {
    return text.substr(at, with.size()) == with;
}

// The word in the letters of SAN: figurines, long dashes and the signs of captures replaced.
std::string plain(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const u8 c = u8(text[i]), third = i + 2 < text.size() ? u8(text[i + 2]) : 0;
        if (starts(text, i, "\xE2\x99") && third >= 0x94 && third <= 0x9F) {
            out += FIGURINES[(third - 0x94) % 6];
            i += 2;
        } else if ((starts(text, i, "\xE2\x80") && third >= 0x90 && third <= 0x95) ||
                   starts(text, i, "\xE2\x88\x92")) {
            out += '-';
            i += 2;
        } else if (starts(text, i, "\xC3\x97")) {
            out += 'x';
            ++i;
        } else if (starts(text, i, "\xE2\x80\xA0") || starts(text, i, "\xE2\x80\xA1") ||
                   starts(text, i, "\xEF\xB8\x8E") || starts(text, i, "\xEF\xB8\x8F")) {
            i += 2;  // daggers are checks; a sign may be told to be a letter or a picture
        } else {
            out += c == ':' || c == 'X' ? 'x' : char(c);
        }
    }
    return out;
}

// o-o, 00, OOO: castling in whatever letters.
std::string castling(std::string_view text) {
    int circles = 0;
    for (const char c : text) {
        if (c == 'o' || c == 'O' || c == '0')
            ++circles;
        else if (c != '-' && c != '+' && c != '#')
            return {};
    }
    return circles == 2 ? "O-O" : circles == 3 ? "O-O-O" : "";
}

void drop(std::string& text, std::string_view end) {
    if (text.size() > end.size() && text.ends_with(end)) text.resize(text.size() - end.size());
}

// What people add to a move: commas, signs and words for check and mate, the sign of en passant.
std::string bare(std::string text) {
    while (!text.empty() && std::string_view("+#,;x-").find(text.back()) != std::string_view::npos)
        text.pop_back();
    for (const std::string_view end : {"mate", "ch", "dis", "dbl", "e.p", "ep"}) drop(text, end);
    if (text.size() > 2 && text[0] == 'P') text.erase(0, 1);
    const std::size_t n = text.size();
    if (n > 3 && text[n - 1] == ')' && text[n - 3] == '(')
        text = text.substr(0, n - 3 - (text[n - 4] == '=')) + '=' + text[n - 2];
    else if (n > 2 && text[n - 2] == '/')
        text[n - 2] = '=';
    else if (n > 2 && (text[n - 2] == '1' || text[n - 2] == '8') &&
             std::string_view("qrbn").find(text[n - 1]) != std::string_view::npos)
        text = text.substr(0, n - 1) + '=' + char(text[n - 1] - 32);
    return text;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }

bool has_square(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] >= 'a' && text[i] <= 'z' && text[i + 1] >= '0' && text[i + 1] <= '9')
            return true;
    // E4 and NF3 are meant as moves; B12 is an opening's number.
    const std::size_t n = text.size();
    return n >= 2 && n <= 4 && text[n - 2] >= 'A' && text[n - 2] <= 'H' && text[n - 1] >= '1' &&
           text[n - 1] <= '8';
}

bool found(const Position& p, std::string_view text, Move& out) {
    const Result<Move> read = read_san(p, text);
    if (read) out = *read;
    return bool(read);
}

// The move in the letters of German (KDTLS), French (RDTFC) and their neighbours, or none. Their R
// is a king, so it is only read once the game has shown such letters.
Move in_other_letters(const Position& p, std::string word, bool& foreign) {
    constexpr std::string_view THEIRS = "DTLFASCR", OURS = "QRBBBNNK";
    const auto translate = [&](char& c) {
        const std::size_t which = THEIRS.find(c);
        if (which == THEIRS.npos || (c == 'R' && !foreign)) return false;
        c = OURS[which];
        return true;
    };
    Move m{};
    const bool promotes = word.size() > 2 && translate(word.back());
    if (!(translate(word.front()) || promotes) || !found(p, word, m)) return {};
    foreign = true;
    return m;
}

// exd, ed: a pawn's capture that names files alone, if there is only one.
Move by_files(const Position& p, std::string_view word) {
    if (word.size() < 2 || word.size() > 3 || (word.size() == 3 && word[1] != 'x')) return {};
    Move m{}, only{};
    for (char rank = '2'; rank <= '7'; ++rank) {
        if (!found(p, std::string{word.front(), 'x', word.back(), rank}, m)) continue;
        if (only) return {};
        only = m;
    }
    return only;
}

// E4, NF3, nf3: letters of the other size.
Move in_other_case(const Position& p, std::string word) {
    Move m{};
    for (std::size_t i = 1; i < word.size(); ++i)
        if (word[i - 1] != '=') word[i] = lower(word[i]);
    const char first = word[0];
    for (const char letter : {lower(first), char(lower(first) - 32)}) {
        word[0] = letter;
        if (letter >= 'A' && found(p, word, m)) return m;
    }
    return {};
}

// Ke1-g1: castling as the king's move.
Move king_castles(const Position& p, std::string word) {
    if (word.size() < 5 || word[0] != 'K') return {};
    word.erase(0, 1);
    std::erase(word, '-');
    const Result<Move> read = read_lan(p, word);
    return read && (*read).kind() == CASTLING ? *read : Move{};
}

// The move that an odd spelling means, or none. A sign that clings to it goes to `nag`.
Move loose(const Position& p, std::string_view text, int& nag, bool& foreign) {
    Move m{};
    std::string word = plain(text);
    if (const std::string castled = castling(word); !castled.empty())
        return found(p, castled, m) ? m : Move{};
    for (std::size_t n = std::min(pgn::LONGEST_SIGN, text.size() - 1); n > 0; --n) {
        const int sign = pgn::nag_of_sign(text.substr(text.size() - n));
        if (sign < 0 || !found(p, bare(plain(text.substr(0, text.size() - n))), m)) continue;
        nag = sign;
        return m;
    }
    word = bare(word);
    if (word.size() < 2) return {};
    if (found(p, word, m)) return m;
    if (found(p, word + "=Q", m)) return m;
    if ((m = in_other_letters(p, word, foreign))) return m;
    if ((m = by_files(p, word))) return m;
    if ((m = king_castles(p, word))) return m;
    return in_other_case(p, word);
}

}  // namespace

WordReading PgnGame::read(std::string_view text, std::vector<Move>& out) {
    Result<Move> answer = foreign && text[0] == 'R' ? Result<Move>(TextError{0, "not a move"})
                                                    : read_san(position, text);
    // Some write the moves of their games as e2e4.
    if (!answer && text.size() <= 5)
        if (const Result<Move> lan = read_lan(position, text)) answer = lan;
    if (answer) {
        out.push_back(*answer);
        return {};
    }
    const bool may_be = text.size() <= LONGEST;
    WordReading reading{WordReading::LOOSE};
    if (may_be)
        if (const Move m = loose(position, text, reading.nag, foreign)) {
            out.push_back(m);
            reading.reason = "expected " + write_san(position, m) + ", got " + pgn::shown(text);
            return reading;
        }
    const bool meant = may_be && (has_square(text) || !castling(text).empty());
    const bool spelled = answer.error().reason.starts_with("not a move");
    return {meant ? WordReading::BAD : WordReading::NOISE, -1, 0,
            spelled ? "not a move: " + pgn::shown(text) : answer.error().reason};
}

// Starts ----------------------------------------------------------------------------------------

namespace {

struct Fields {
    std::vector<std::string> list;

    explicit Fields(std::string_view fen) {
        for (std::size_t i = 0; i < fen.size() && list.size() < 8;) {
            const bool gap = fen[i] == ' ' || fen[i] == '\t' || fen[i] == '_';
            const std::size_t end = std::min(fen.find_first_of(" \t_", i), fen.size());
            if (!gap) list.emplace_back(fen.substr(i, end - i));
            i = std::max(end, i + 1);
        }
    }
    std::string text() const {
        std::string out;
        for (const std::string& field : list) {
            if (!out.empty()) out += ' ';
            out += field;
        }
        return out;
    }
};

bool is_number(const std::string& text) {
    return !text.empty() && text.size() < 6 &&
           text.find_first_not_of("0123456789") == std::string::npos;
}

// All six fields, each as it could be meant.
void complete(Fields& fields) {
    static const std::string USUAL[] = {"", "w", "-", "-", "0", "1"};
    for (std::size_t i = fields.list.size(); i < 6; ++i) fields.list.push_back(USUAL[i]);
    fields.list.resize(6);
    auto& f = fields.list;
    if (f[1] == "W" || f[1] == "B") f[1][0] = char(f[1][0] + 32);
    if (!is_number(f[4])) f[4] = "0";
    if (!is_number(f[5]) || f[5].find_first_not_of('0') == std::string::npos) f[5] = "1";
}

// Castling rights one by one: those that cannot be are left out.
std::string possible_rights(const Fields& fields, bool chess960) {
    std::string kept;
    for (const char right : fields.list[2]) {
        Fields alone = fields;
        alone.list[2] = kept + right;
        alone.list[3] = "-";
        if (read_fen({chess960}, alone.text())) kept += right;
    }
    return kept.empty() ? "-" : kept;
}

// Rights of Chess960 say where both sides began: kings and rooks of both on the same files. A king
// on its usual square with a rook that is not is rather a right that was lost.
bool looks_like_chess960(const Position& p) {
    Bits files[2]{};
    for (const Side side : {WHITE, BLACK}) {
        const Bits rooks = p.castling_rooks() & rank(side == WHITE ? 0 : 7);
        if (!rooks) continue;
        const Bits both = rooks | p.pieces(side, KING);
        files[side] = side == WHITE ? both : both >> 56;
    }
    if (files[0] && files[1] && files[0] != files[1]) return false;
    const Bits one = files[0] | files[1];
    return file_of(p.king(files[0] ? WHITE : BLACK)) != 4 || std::popcount(one) == 3;
}

// Field by field: what cannot be meant is replaced by what could.
template <class Take>
void mend(std::string_view fen, bool chess960, const Take& take, const std::string& reason,
          std::size_t offset, pgn::Notes& notes) {
    Fields fields(fen);
    if (fields.list.empty() || fields.list[0] == "?" || fields.list[0] == "startpos")
        return notes.add(offset, "the FEN: expected a position, got " + quoted(fen));
    complete(fields);
    bool fine = take(read_fen({chess960}, fields.text()));
    if (!fine) {
        fields.list[2] = possible_rights(fields, chess960);
        fine = take(read_fen({chess960}, fields.text()));
    }
    if (!fine) {
        fields.list[3] = "-";
        fine = take(read_fen({chess960}, fields.text()));
    }
    notes.add(offset, "the FEN: " + reason, !fine);
}

}  // namespace

PgnGame PgnGame::start(std::string_view fen, bool& chess960, std::size_t offset, pgn::Notes& notes,
                       std::string& mended) {
    PgnGame game;
    if (!fen.data()) return game;
    const auto take = [&](const Result<Position>& read) {
        if (read) game.position = *read;
        return bool(read);
    };
    const Result<Position> written = read_fen({chess960}, fen);
    if (take(written)) return game;
    if (!chess960 && written.error().problems == BAD_CASTLING_RIGHTS) {
        const Result<Position> other = read_fen({true}, fen);
        if (other && looks_like_chess960(*other)) {
            chess960 = take(other);
            return game;
        }
    }
    mend(fen, chess960, take, written.error().reason, offset, notes);
    if (!notes.fatal()) mended = write_fen(game.position);
    return game;
}

}  // namespace cotulenh::chess
