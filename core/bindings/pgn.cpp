// Whole games for Python: text to a tape of words, a tape to the texts of its turns, and files of
// games in blocks, without the interpreter's lock.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/errors.hpp"
#include "games/chess/pgn.hpp"
#include "games/ctl/pgn.hpp"
#include "games/pgn_scan.hpp"

namespace cotulenh::bindings {
namespace {

using namespace nanobind::literals;

using RulesPtr = std::shared_ptr<const ctl::Rules>;
using Variants = pgn::Variants<ctl::Rules>;
using Choice = pgn::Variant<ctl::Rules>;
using View = pgn::GameView<chess::PgnGame, ctl::PgnGame>;
using Reader = pgn::GameReader<chess::PgnGame, ctl::PgnGame>;

std::string_view view(nb::handle object) {
    return {PyBytes_AsString(object.ptr()), std::size_t(PyBytes_Size(object.ptr()))};
}

std::string_view part(nb::bytes text, std::size_t start, std::size_t end) {
    const std::string_view all = view(text);
    if (start > end || end > all.size()) throw nb::index_error("no such part of the text");
    return all.substr(start, end - start);
}

// Text as it was meant: UTF-8, else Windows-1252, as most old files have it, else Latin-1.
nb::object decoded(std::string_view text) {
    const auto size = Py_ssize_t(text.size());
    PyObject* out = PyUnicode_DecodeUTF8(text.data(), size, nullptr);
    if (!out) {
        PyErr_Clear();
        out = PyUnicode_Decode(text.data(), size, "cp1252", nullptr);
    }
    if (!out) {
        PyErr_Clear();
        out = PyUnicode_DecodeLatin1(text.data(), size, nullptr);
    }
    if (!out) throw nb::python_error();
    return nb::steal(out);
}

nb::dict tags_of(const pgn::Header& header) {
    nb::dict tags;
    for (const pgn::Tag& tag : header.tags) {
        const bool plain = !tag.escaped && tag.value.find_first_of("\r\n") == tag.value.npos;
        const bool one_word = tag.name.find(' ') == tag.name.npos;
        tags[one_word ? decoded(tag.name) : decoded(tag.key())] =
            plain ? decoded(tag.value) : decoded(tag.text());
    }
    return tags;
}

void append_notes(nb::list& out, const pgn::Notes& notes) {
    for (const pgn::Note& note : notes.list())
        out.append(nb::make_tuple(note.offset, decoded(note.reason), note.fatal));
}

// See its signature below.
nb::tuple read_game(const Variants& variants, nb::bytes text, std::size_t start, std::size_t end) {
    View game;
    if (!Reader(variants).read(part(text, start, end), 0, game))
        throw nb::value_error("there is no game in the text");
    nb::list notes;
    append_notes(notes, game.header.notes);
    append_notes(notes, game.reading.notes);
    const nb::bytes tape(reinterpret_cast<const char*>(game.reading.tape.data()),
                         game.reading.tape.size() * sizeof(pgn::Word));
    nb::object mended = game.mended.empty() ? nb::none() : decoded(game.mended);
    nb::object result =
        game.reading.result.empty() ? nb::none() : nb::object(nb::str(pgn::RESULTS[game.result()]));
    return nb::make_tuple(tags_of(game.header), int(game.variant->kind),
                          decoded(game.variant->name), game.chess960, mended, tape,
                          game.reading.turns, result, notes, !game.empty(), game.playable);
}

nb::tuple read_header(nb::bytes text, std::size_t start, std::size_t end) {
    pgn::Header header;
    pgn::read_header(part(text, start, end), 0, true, header);
    nb::list notes;
    append_notes(notes, header.notes);
    return nb::make_tuple(tags_of(header), notes);
}

// Totals of a block and its notes: (number of the game, offset, reason, fatal).
struct Scanned {
    pgn::Totals totals;
    std::vector<std::pair<u32, pgn::Note>> notes;
    u32 games = 0;  // bad ones and noise included
};

nb::tuple scan(const Variants& variants, nb::bytes block, u32 turns) {
    const std::string_view text = view(block);
    Scanned out;
    {
        const nb::gil_scoped_release release;
        pgn::Counter<View> counter(turns);
        pgn::each_game<chess::PgnGame, ctl::PgnGame>(
            variants, text, [&](const View& game, u32 number) {
                counter.add(game);
                out.games = number + 1;
                for (const auto* notes : {&game.header.notes, &game.reading.notes})
                    for (const pgn::Note& note : notes->list())
                        out.notes.emplace_back(number, note);
            });
        out.totals = std::move(counter.totals);
    }
    nb::list notes;
    for (const auto& [number, note] : out.notes)
        notes.append(nb::make_tuple(number, note.offset, decoded(note.reason), note.fatal));
    return nb::make_tuple(std::move(out.totals), out.games, notes);
}

// One game of a block: where it is, what it is, and what tells it from others.
struct Record {
    u64 start, moves, end, moves_hash, last_key;
    u32 turns;
    int hit;  // the ply at which a wanted position stood, or -1
    u8 kind, result;
    bool lost;
};

// The main line: a hash of its moves, the last position's key, and the first ply that is wanted.
template <class Game>
void follow(const Game& start, const std::vector<pgn::Word>& tape,
            const std::unordered_set<u64>& wanted, Record& out) {
    Game game = start;
    int ply = 0;
    out.moves_hash = start.position.key();
    pgn::each_main_move(game, tape, [&](Game& at, auto move, std::size_t) {
        out.last_key = at.position.key();
        if (out.hit < 0 && wanted.count(out.last_key)) out.hit = ply;
        out.moves_hash = mix(out.moves_hash, Game::bits(move) + 1);
        ++ply;
        return true;
    });
}

Record record_of(const View& game, const std::unordered_set<u64>& wanted) {
    Record out{game.header.start,
               game.header.end,
               game.end,
               0,
               0,
               game.reading.turns,
               -1,
               u8(game.variant->kind),
               u8(game.result()),
               game.header.notes.fatal() || game.reading.notes.fatal()};
    if (game.playable && game.chess) follow(*game.chess, game.reading.tape, wanted, out);
    if (game.playable && game.ctl) follow(*game.ctl, game.reading.tape, wanted, out);
    return out;
}

nb::list records(const Variants& variants, nb::bytes block, const std::vector<u64>& keys) {
    const std::string_view text = view(block);
    const std::unordered_set<u64> wanted(keys.begin(), keys.end());
    std::vector<Record> found;
    {
        const nb::gil_scoped_release release;
        pgn::each_game<chess::PgnGame, ctl::PgnGame>(variants, text, [&](const View& game, u32) {
            if (!game.empty()) found.push_back(record_of(game, wanted));
        });
    }
    nb::list out;
    for (const Record& r : found)
        out.append(nb::make_tuple(r.start, r.moves, r.end, r.moves_hash, r.last_key, r.turns, r.hit,
                                  r.kind, pgn::RESULTS[r.result], r.lost));
    return out;
}

template <class Game>
nb::list write(Game& game, nb::bytes tape) {
    const std::string_view bytes = view(tape);
    std::vector<pgn::Word> words(bytes.size() / sizeof(pgn::Word));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(pgn::Word));
    std::vector<std::string> texts;
    if (const TextError error = pgn::MovesWriter<Game>(game, words).write(texts))
        throw_illegal(error.reason + " in the game (at " + std::to_string(error.offset) + ")");
    nb::list out;
    for (const std::string& text : texts) out.append(nb::str(text.data(), text.size()));
    return out;
}

chess::PgnGame chess_game(nb::handle fen, bool chess960) {
    if (fen.is_none()) return {};
    const std::string_view text = utf8(fen);
    const auto read = chess::read_fen({chess960}, text);
    if (!read) throw_parse(characters(text, read.error().offset), read.error().reason);
    return {*read};
}

ctl::PgnGame ctl_game(const ctl::Rules& rules, nb::str fen) {
    const std::string_view text = utf8(fen);
    const auto read = ctl::read_fen(rules, text);
    if (!read) throw_parse(characters(text, read.error().offset), read.error().reason);
    return {*read};
}

nb::dict counts(const std::map<std::string, u64>& from) {
    nb::dict out;
    for (const auto& [name, n] : from) out[decoded(name)] = n;
    return out;
}

void bind_totals(nb::module_& m) {
    using pgn::Totals;
    nb::class_<Totals>(m, "Totals", "What the games of a file add up to.")
        .def(nb::init<>())
        .def("merge", &Totals::merge, "other"_a, "Adds what other games add up to.")
        .def_ro("games", &Totals::games, "Games that were read.")
        .def_ro("good", &Totals::good, "Those of them that nothing was wrong with.")
        .def_ro("lost", &Totals::lost, "Games that could not be read to their end.")
        .def_ro("problems", &Totals::problems, "Problems in all games.")
        .def_ro("turns", &Totals::turns, "Turns of all main lines.")
        .def_prop_ro(
            "shortest", [](const Totals& t) { return t.games ? t.shortest : 0; },
            "The fewest turns of a game.")
        .def_ro("longest", &Totals::longest, "The most turns of a game.")
        .def_prop_ro(
            "players", [](const Totals& t) { return t.players.size(); },
            "How many different players there are.")
        .def_prop_ro(
            "results",
            [](const Totals& t) {
                nb::dict out;
                for (int i = 0; i < 4; ++i)
                    if (t.results[i]) out[pgn::RESULTS[i]] = t.results[i];
                return out;
            },
            nb::sig("def results(self) -> dict[str, int]"), "How many games ended how.")
        .def_prop_ro(
            "variants", [](const Totals& t) { return counts(t.variants); },
            nb::sig("def variants(self) -> dict[str, int]"), "How many games of which variant.")
        .def_prop_ro(
            "openings",
            [](const Totals& t) {
                nb::dict out;
                for (const auto& [name, n] : t.openings)
                    out[decoded(name)] = nb::make_tuple(n[0], n[1], n[2], n[3]);
                return out;
            },
            nb::sig("def openings(self) -> dict[str, tuple[int, int, int, int]]"),
            "The first turns of games from the start position, and how often they ended 1-0, 0-1, "
            "1/2-1/2 and *.");
}

Choice choice(int kind, nb::handle rules, const std::string& name) {
    Choice out{Choice::Kind(kind & 3), nullptr, name};
    if (!rules.is_none()) out.rules = nb::cast<RulesPtr>(rules);
    if (out.kind == Choice::CTL && !out.rules) throw nb::value_error("rules are needed");
    return out;
}

void bind_variants(nb::module_& m) {
    nb::class_<Variants>(m, "Variants", "Which game the tags of a game mean.")
        .def(nb::init<>())
        .def(
            "add",
            [](Variants& v, std::string tag, int kind, nb::handle rules, std::string name) {
                v.add(std::move(tag), choice(kind, rules, name));
            },
            "tag"_a, "kind"_a, "rules"_a.none(), "name"_a,
            nb::sig("def add(self, tag: str, kind: int, rules: cotulenh._core.Rules | None, "
                    "name: str) -> None"),
            "A value of the tag Variant, in lower case: 1 chess, 2 Chess960, 3 Cờ Tư Lệnh.")
        .def(
            "fix",
            [](Variants& v, int kind, nb::handle rules, std::string name) {
                v.fix(choice(kind, rules, name));
            },
            "kind"_a, "rules"_a.none(), "name"_a,
            nb::sig("def fix(self, kind: int, rules: cotulenh._core.Rules | None, name: str) "
                    "-> None"),
            "What every game is, whatever its tags say.");
}

void bind_reading(nb::module_& m) {
    m.def(
         "find",
         [](nb::bytes text, std::size_t at, bool final) {
             const pgn::Span span = pgn::find_game(view(text), at, final);
             return nb::make_tuple(int(span.status), span.start, span.moves, span.end);
         },
         "text"_a, "at"_a, "final"_a,
         nb::sig("def find(text: bytes, at: int, final: bool) -> tuple[int, int, int, int]"),
         "The next game: status (0 found, 1 needs more text, 2 nothing), start, moves, end.")
        .def(
            "whole_games", [](nb::bytes text) { return pgn::whole_games(view(text)); }, "text"_a,
            "How much of a text that goes on is whole games.")
        .def("read_game", read_game, "variants"_a, "text"_a, "start"_a, "end"_a,
             nb::sig("def read_game(variants: Variants, text: bytes, start: int, end: int) -> "
                     "tuple[dict[str, str], int, str, bool, str | None, bytes, int, str | None, "
                     "list[tuple[int, str, bool]], bool, bool]"),
             "One game: tags, kind, variant, whether Chess960, the FEN if it was mended, tape, "
             "turns, result, notes, whether it is a game at all, whether its start is known.")
        .def("read_header", read_header, "text"_a, "start"_a, "end"_a,
             nb::sig("def read_header(text: bytes, start: int, end: int) -> "
                     "tuple[dict[str, str], list[tuple[int, str, bool]]]"),
             "The tags of a game, and what is wrong with them.")
        .def("scan", scan, "variants"_a, "block"_a, "turns"_a = 1,
             nb::sig("def scan(variants: Variants, block: bytes, turns: int = 1) -> "
                     "tuple[Totals, int, list[tuple[int, int, str, bool]]]"),
             "A block of whole games: what they add up to, how many there are, and their notes "
             "(game, offset, reason, fatal). Openings are the first so many turns.")
        .def("records", records, "variants"_a, "block"_a, "keys"_a,
             nb::sig("def records(variants: Variants, block: bytes, keys: list[int]) -> "
                     "list[tuple[int, int, int, int, int, int, int, int, str, bool]]"),
             "A block's games: start, moves, end, hash of the moves, key of the last position, "
             "turns, the ply of the first position whose key is wanted or -1, kind, result, "
             "whether it is lost.");
}

void bind_writing(nb::module_& m) {
    m.def(
         "write_chess",
         [](nb::handle fen, bool chess960, nb::bytes tape) {
             chess::PgnGame game = chess_game(fen, chess960);
             return write(game, tape);
         },
         "fen"_a.none(), "chess960"_a, "tape"_a,
         nb::sig("def write_chess(fen: str | None, chess960: bool, tape: bytes) -> list[str]"),
         "The SAN of each turn of a tape.")
        .def(
            "write_ctl",
            [](const RulesPtr& rules, nb::str fen, nb::bytes tape) {
                ctl::PgnGame game = ctl_game(*rules, fen);
                return write(game, tape);
            },
            "rules"_a, "fen"_a, "tape"_a,
            nb::sig("def write_ctl(rules: cotulenh._core.Rules, fen: str, tape: bytes) "
                    "-> list[str]"),
            "The same for Cờ Tư Lệnh.");
}

}  // namespace

void bind_pgn(nb::module_& m) {
    nb::module_ pgn = m.def_submodule("pgn", "Whole games: text to tape and back.");
    bind_variants(pgn);
    bind_totals(pgn);
    bind_reading(pgn);
    bind_writing(pgn);
}

}  // namespace cotulenh::bindings
