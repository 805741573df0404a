#include "games/ctl/pgn.hpp"

#include <algorithm>

namespace cotulenh::ctl {
namespace {

using pgn::WordReading;

bool meant_as_move(std::string_view text) {
    if (text.find_first_of("<>") != text.npos) return true;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        const char letter = char(text[i] | 32), digit = text[i + 1];
        if (letter >= 'a' && letter <= 'z' && digit >= '0' && digit <= '9') return true;
    }
    return false;
}

WordReading refusal(const TextError& error, std::string_view text) {
    if (text.ends_with(','))
        return {WordReading::BAD, -1, 0, "a deployment that breaks off: " + pgn::shown(text)};
    return {meant_as_move(text) ? WordReading::BAD : WordReading::NOISE, -1,
            std::min(error.offset, text.size()), error.reason};
}

}  // namespace

WordReading PgnGame::read_exactly(std::string_view text, std::vector<Move>& out) {
    if (text.find_first_of("<,") == text.npos) {  // most turns are one move: no copy is needed
        const Result<Move> one = read_san(position, text);
        if (!one) return refusal(one.error(), text);
        out.push_back(*one);
        return {};
    }
    Result<std::vector<Move>> turn = read_turn(position, text);
    if (!turn) return refusal(turn.error(), text);
    out = std::move(*turn);
    return {};
}

namespace {

// The word in the signs of SAN: no dashes, captures as x, nothing behind that is no part of it.
std::string plain(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view sign = text.substr(i, 3);
        if (sign == "\xE2\x80\x93" || sign == "\xE2\x88\x92")
            i += 2;
        else if (sign.starts_with("\xC3\x97"))
            out += 'x', ++i;
        else if (text[i] == ':')
            out += 'x';
        else if (text[i] != '-')
            out += text[i];
    }
    while (!out.empty() && std::string_view(",;+").find(out.back()) != std::string_view::npos)
        out.pop_back();
    return out;
}

bool fine(PgnGame& game, std::string_view text, std::vector<Move>& out) {
    out.clear();
    return game.read_exactly(text, out).status == WordReading::FINE;
}

// The mark before the point left out, or another one: what it means if only one can be played.
bool with_other_mark(PgnGame& game, std::string_view text, std::vector<Move>& out) {
    std::size_t point = text.find_last_not_of("0123456789^#");
    if (point == text.npos || point == 0 || text.find_first_of("<,") != text.npos) return false;
    const std::string_view behind = text.substr(point);
    while (point > 0 && std::string_view("x_@&").find(text[point - 1]) != std::string_view::npos)
        --point;
    std::vector<Move> moves, found;
    for (const std::string_view mark : {"", "x", "_", "@", "&"}) {
        std::string tried(text.substr(0, point));
        (tried += mark) += behind;
        if (!fine(game, tried, moves)) continue;
        if (!found.empty()) return false;
        found = moves;
    }
    out = found;
    return !out.empty();
}

// Fc3>c6,Tc3>d3,c3<: steps one by one, and their end.
bool as_steps(const PgnGame& game, std::string_view text, std::vector<Move>& out) {
    const std::size_t comma = text.rfind(',');
    if (comma == text.npos || text.back() != '<') return false;
    PgnGame after = game;
    std::vector<Move> last;
    if (!fine(after, text.substr(0, comma), out)) return false;
    Undo undo;
    for (const Move m : out) after.make(m, undo);
    if (!fine(after, text.substr(comma + 1), last)) return false;
    out.insert(out.end(), last.begin(), last.end());
    return true;
}

// The other side's move while a deployment is under way: it was meant to be over.
bool after_commit(const PgnGame& game, std::string_view text, std::vector<Move>& out) {
    if (!game.deploying()) return false;
    PgnGame after = game;
    const Move commit = Move::commit(after.position.origin());
    if (!after.legal(commit)) return false;
    Undo undo;
    after.make(commit, undo);
    if (!fine(after, text, out)) return false;
    out.insert(out.begin(), commit);
    return true;
}

// The turn that an odd spelling means. A sign that clings to it goes to `nag`.
bool loose(PgnGame& game, std::string_view text, std::vector<Move>& out, int& nag) {
    for (std::size_t n = std::min(pgn::LONGEST_SIGN, text.size() - 1); n > 0; --n) {
        nag = pgn::nag_of_sign(text.substr(text.size() - n));
        if (nag >= 0 && fine(game, plain(text.substr(0, text.size() - n)), out)) return true;
    }
    nag = -1;
    if (fine(game, plain(text), out)) return true;
    return as_steps(game, text, out) || with_other_mark(game, plain(text), out);
}

}  // namespace

WordReading PgnGame::read(std::string_view text, std::vector<Move>& out) {
    // A text that must fail is not played step by step for ever.
    if (text.size() > LONGEST) return {WordReading::NOISE, -1, 0, "too long for a turn"};
    const WordReading exact = read_exactly(text, out);
    if (exact.status != WordReading::BAD) return exact;
    WordReading reading{WordReading::LOOSE};
    if (after_commit(*this, text, out)) {
        reading.reason = "expected the end of the deployment, <, before " + pgn::shown(text);
        return reading;
    }
    if (!loose(*this, text, out, reading.nag)) return exact;
    reading.reason = "expected " + write_turn(position, out, true) + ", got " + pgn::shown(text);
    return reading;
}

// Blanks around and between the fields, the side in other letters, and counters that are missing or
// 0, are mended.
std::optional<PgnGame> PgnGame::start(const Rules& rules, std::string_view fen, std::size_t offset,
                                      pgn::Notes& notes, std::string& mended) {
    const std::string& usual = rules.spec.start;
    const Result<Position> written = read_fen(rules, fen.data() ? fen : std::string_view(usual));
    if (written) return PgnGame{*written};
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < fen.size() && fields.size() < 8;) {
        const std::size_t end = std::min(fen.find_first_of(" \t", i), fen.size());
        if (end > i) fields.emplace_back(fen.substr(i, end - i));
        i = end + 1;
    }
    static const std::string USUAL[] = {"", "r", "-", "-", "0", "1"};
    for (std::size_t i = fields.size(); i < 6 && !fields.empty(); ++i) fields.push_back(USUAL[i]);
    if (fields.size() > 1 && (fields[1] == "w" || fields[1] == "W" || fields[1] == "R"))
        fields[1] = "r";
    if (fields.size() > 1 && fields[1] == "B") fields[1] = "b";
    if (fields.size() > 5 && fields[5].find_first_not_of('0') == std::string::npos) fields[5] = "1";
    std::string text;
    for (const std::string& field : fields) {
        if (!text.empty()) text += ' ';
        text += field;
    }
    const Result<Position> again = read_fen(rules, text);
    notes.add(offset, "the FEN: " + written.error().reason, !again);
    if (!again) return std::nullopt;
    mended = write_fen(*again);
    return PgnGame{*again};
}

}  // namespace cotulenh::ctl
