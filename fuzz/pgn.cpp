// PGN: any text is read to its end. Games are found where they are read, what was read can be
// played and written, and what is written reads as the same game.
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "games.hpp"
#include "games/chess/pgn.hpp"
#include "games/ctl/pgn.hpp"
#include "games/pgn_scan.hpp"

using namespace fuzz;

namespace {

using View = pgn::GameView<chess::PgnGame, ctl::PgnGame>;
using Variants = pgn::Variants<ctl::Rules>;
using Choice = Variants::Choice;

std::shared_ptr<const ctl::Rules> shared(int way) {
    return {std::shared_ptr<void>(), &Ctl::rules(way)};
}

const Variants& variants() {
    static const Variants all = [] {
        Variants v;
        const Choice chess{Choice::CHESS, nullptr, "chess"};
        for (const char* tag : {"", "chess", "standard"}) v.add(tag, chess);
        v.add("chess960", {Choice::CHESS960, nullptr, "chess960"});
        v.add("cotulenh", {Choice::CTL, shared(0), "official"});
        v.add("online", {Choice::CTL, shared(1), "online"});
        return v;
    }();
    return all;
}

void notes_are_sound(const pgn::Notes& notes, std::string_view text) {
    LAW(notes.list().size() <= pgn::Notes::MOST + 1, std::string(text));
    for (const pgn::Note& note : notes.list()) {
        LAW(note.offset <= text.size(), note.reason);
        LAW(!note.reason.empty(), std::string(text));
    }
}

// The moves of a tape as text; comments say nothing but that they are there.
std::string text_of(const std::vector<pgn::Word>& tape, const std::vector<std::string>& words) {
    std::string out;
    std::size_t at = 0;
    bool open = false;  // a turn of several moves, which is one word
    for (const pgn::Word w : tape) {
        const pgn::Op op = pgn::op_of(w);
        if (op == pgn::OPEN) out += "( ";
        if (op == pgn::CLOSE) out += ") ";
        if (op == pgn::COMMENT) out += "{c} ";
        if (op == pgn::NAG) out += "$" + std::to_string(pgn::move_of(w)) + " ";
        if (op == pgn::MOVE && !open) out += words[at++] + " ";
        if (op == pgn::MOVE) open = !(w & pgn::ENDS_TURN);
    }
    return out + "*";
}

std::vector<pgn::Word> without_places(std::vector<pgn::Word> tape) {
    for (pgn::Word& w : tape)
        if (pgn::op_of(w) == pgn::COMMENT) w = pgn::word(pgn::COMMENT);
    return tape;
}

// What was read can be written, and reads as the same game.
template <class Game>
void replay(const Game& start, const pgn::Reading& reading, std::string_view text) {
    Game game = start;
    std::vector<std::string> words;
    const TextError error = pgn::MovesWriter<Game>(game, reading.tape).write(words);
    LAW(!error, error.reason + "\n" + std::string(text));
    const std::string moves = text_of(reading.tape, words);
    game = start;
    pgn::Reading again;
    pgn::MovesReader<Game>(game, moves, again).read(0);
    LAW(without_places(again.tape) == without_places(reading.tape),
        moves + "\n" + std::string(text));
}

std::size_t count_games(std::string_view text) {
    std::size_t n = 0, at = 0;
    for (pgn::Span span = pgn::find_game(text, 0, true); span.status == pgn::Span::FOUND;
         span = pgn::find_game(text, at, true)) {
        LAW(span.start <= span.moves && span.moves <= span.end && span.end <= text.size(),
            std::string(text));
        ++n;
        if (span.end <= at) break;
        at = span.end;
    }
    return n;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::size_t games = 0;
    pgn::each_game<chess::PgnGame, ctl::PgnGame>(variants(), text, [&](const View& view, u32) {
        ++games;
        LAW(view.end <= text.size(), std::string(text));
        notes_are_sound(view.header.notes, text);
        notes_are_sound(view.reading.notes, text);
        if (view.chess) replay(*view.chess, view.reading, text);
        if (view.ctl) replay(*view.ctl, view.reading, text);
    });
    LAW(count_games(text) == games, std::string(text));
    LAW(pgn::whole_games(text) <= size, std::string(text));
    pgn::find_game(text, 0, false);
    return 0;
}
