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
    return {meant_as_move(text) ? WordReading::BAD : WordReading::NOISE, -1,
            std::min(error.offset, text.size()), error.reason};
}

}  // namespace

WordReading PgnGame::read(std::string_view text, std::vector<Move>& out) {
    // A text that must fail is not played step by step for ever.
    constexpr std::size_t LONGEST = 128;
    if (text.size() > LONGEST) return {WordReading::NOISE, -1, 0, "too long for a turn"};
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

// Blanks around and between the fields, and counters that are missing or 0, are mended.
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
