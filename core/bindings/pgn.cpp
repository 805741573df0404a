// Whole games for Python: text to a tape of words, and a tape to the texts of its turns.
#include "games/pgn.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/errors.hpp"
#include "games/chess/notation.hpp"
#include "games/ctl/notation.hpp"

namespace cotulenh::bindings {
namespace {

using namespace nanobind::literals;

struct ChessGame {
    using Move = chess::Move;
    using Undo = chess::Position::Undo;
    static constexpr bool STACKS = false;
    chess::Position position;

    static Move move(u32 bits) { return Move::from_bits(bits); }
    static u32 bits(Move m) { return m.bits(); }
    bool deploying() const { return false; }
    bool legal(Move m) const { return position.is_legal(m); }
    void make(Move m, Undo& undo) { position.make(m, undo); }
    void unmake(Move m, const Undo& undo) { position.unmake(m, undo); }
    TextError read(std::string_view text, std::vector<Move>& out) const {
        auto read = chess::read_san(position, text);
        if (!read) {
            // Some write the moves of their games as e2e4.
            const auto plain = chess::read_lan(position, text);
            if (!plain) return read.error();
            read = plain;
        }
        out.push_back(*read);
        return {};
    }
    std::string text(const std::vector<Move>& turn) const {
        return chess::write_san(position, turn.front());
    }
};

struct CtlGame {
    using Move = ctl::Move;
    using Undo = ctl::Undo;
    static constexpr bool STACKS = true;
    ctl::Position position;

    static Move move(u32 bits) { return Move::from_bits(bits); }
    static u32 bits(Move m) { return m.bits(); }
    bool deploying() const { return position.deploying(); }
    bool legal(Move m) { return m.well_formed() && position.is_legal(m); }
    void make(Move m, Undo& undo) { position.make(m, undo); }
    void unmake(Move m, const Undo& undo) { position.unmake(m, undo); }
    TextError read(std::string_view text, std::vector<Move>& out) const {
        // A text that must fail is not played step by step for ever.
        constexpr std::size_t LONGEST = 128;
        if (text.size() > LONGEST) return {LONGEST, "too long for a turn"};
        auto turn = ctl::read_turn(position, text);
        if (!turn) return turn.error();
        out = std::move(*turn);
        return {};
    }
    std::string text(const std::vector<Move>& turn) const {
        return ctl::write_turn(position, turn, true);
    }
};

std::string_view view(nb::handle object) {
    return {PyBytes_AS_STRING(object.ptr()), std::size_t(PyBytes_GET_SIZE(object.ptr()))};
}

nb::object str_or_none(std::string_view text) {
    return text.empty() ? nb::none() : nb::object(nb::str(text.data(), text.size()));
}

// (tape, turns, result or None, None or (offset, reason)); offsets count from the text's start.
template <class Game>
nb::tuple read(Game& game, nb::bytes text, std::size_t start, std::size_t end) {
    const std::string_view all = view(text);
    if (start > end || end > all.size()) throw nb::index_error("no such part of the text");
    const pgn::Reading reading = pgn::read_moves(game, all.substr(start, end - start));
    nb::object error = nb::none();
    if (reading.error) {
        const std::string& reason = reading.error.reason;
        PyObject* decoded =
            PyUnicode_DecodeUTF8(reason.data(), Py_ssize_t(reason.size()), "replace");
        if (!decoded) throw nb::python_error();
        error = nb::make_tuple(start + reading.error.offset, nb::steal(decoded));
    }
    const nb::bytes tape(reinterpret_cast<const char*>(reading.tape.data()),
                         reading.tape.size() * sizeof(pgn::Word));
    return nb::make_tuple(tape, reading.turns, str_or_none(reading.result), error);
}

template <class Game>
nb::list write(Game& game, nb::bytes tape) {
    const std::string_view bytes = view(tape);
    std::vector<pgn::Word> words(bytes.size() / sizeof(pgn::Word));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(pgn::Word));
    std::vector<std::string> texts;
    if (const TextError error = pgn::write_moves(game, words, texts))
        throw_illegal(error.reason + " in the game (at " + std::to_string(error.offset) + ")");
    nb::list out;
    for (const std::string& text : texts) out.append(nb::str(text.data(), text.size()));
    return out;
}

ChessGame chess_game(nb::handle fen, bool chess960) {
    ChessGame game;
    if (fen.is_none()) return game;
    const std::string_view text = utf8(fen);
    const auto read = chess::read_fen({chess960}, text);
    if (!read) throw_parse(characters(text, read.error().offset), read.error().reason);
    return {*read};
}

CtlGame ctl_game(const ctl::Rules& rules, nb::str fen) {
    const std::string_view text = utf8(fen);
    const auto read = ctl::read_fen(rules, text);
    if (!read) throw_parse(characters(text, read.error().offset), read.error().reason);
    return {*read};
}

}  // namespace

void bind_pgn(nb::module_& m) {
    using RulesPtr = std::shared_ptr<const ctl::Rules>;
    nb::module_ pgn = m.def_submodule("pgn", "Whole games: text to tape and back.");
    pgn.def(
        "find",
        [](nb::bytes text, std::size_t at, bool final) {
            const pgn::Span span = pgn::find_game(view(text), at, final);
            return nb::make_tuple(int(span.status), span.start, span.moves, span.end);
        },
        "text"_a, "at"_a, "final"_a,
        nb::sig("def find(text: bytes, at: int, final: bool) -> tuple[int, int, int, int]"),
        "The next game: status (0 found, 1 needs more text, 2 nothing), start, moves, end.");
    pgn.def(
        "read_chess",
        [](nb::handle fen, bool chess960, nb::bytes text, std::size_t start, std::size_t end) {
            ChessGame game = chess_game(fen, chess960);
            return read(game, text, start, end);
        },
        "fen"_a.none(), "chess960"_a, "text"_a, "start"_a, "end"_a,
        nb::sig("def read_chess(fen: str | None, chess960: bool, text: bytes, start: int, end: int)"
                " -> tuple[bytes, int, str | None, tuple[int, str] | None]"),
        "Plays the moves of a text: the tape, turns, result, and where and why it stopped.");
    pgn.def(
        "read_ctl",
        [](const RulesPtr& rules, nb::str fen, nb::bytes text, std::size_t start, std::size_t end) {
            CtlGame game = ctl_game(*rules, fen);
            return read(game, text, start, end);
        },
        "rules"_a, "fen"_a, "text"_a, "start"_a, "end"_a,
        nb::sig("def read_ctl(rules: cotulenh._core.Rules, fen: str, text: bytes, start: int,"
                " end: int) -> tuple[bytes, int, str | None, tuple[int, str] | None]"),
        "The same for Cờ Tư Lệnh.");
    pgn.def(
        "write_chess",
        [](nb::handle fen, bool chess960, nb::bytes tape) {
            ChessGame game = chess_game(fen, chess960);
            return write(game, tape);
        },
        "fen"_a.none(), "chess960"_a, "tape"_a,
        nb::sig("def write_chess(fen: str | None, chess960: bool, tape: bytes) -> list[str]"),
        "The SAN of each turn of a tape.");
    pgn.def(
        "write_ctl",
        [](const RulesPtr& rules, nb::str fen, nb::bytes tape) {
            CtlGame game = ctl_game(*rules, fen);
            return write(game, tape);
        },
        "rules"_a, "fen"_a, "tape"_a,
        nb::sig("def write_ctl(rules: cotulenh._core.Rules, fen: str, tape: bytes) -> list[str]"),
        "The same for Cờ Tư Lệnh.");
}

}  // namespace cotulenh::bindings
