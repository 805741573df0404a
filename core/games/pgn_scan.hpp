// Whole files of games: which game each is, what they add up to, where each lies. Templates over
// the two games' PgnGame, which do not know each other.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "games/hash.hpp"
#include "games/pgn_read.hpp"

namespace cotulenh::pgn {

inline u64 hash_of(std::string_view text, u64 seed = 0) {
    u64 hash = mix(seed, text.size());
    for (; text.size() >= 8; text.remove_prefix(8)) {
        u64 piece;
        std::memcpy(&piece, text.data(), 8);
        hash = mix(hash, piece);
    }
    u64 last = 0;
    std::memcpy(&last, text.data(), text.size());
    return mix(mix(hash, last), 0);
}

// What the tags say a game is. Rules are those of Cờ Tư Lệnh.
template <class Rules>
struct Variant {
    enum Kind : u8 { UNKNOWN, CHESS, CHESS960, CTL };
    Kind kind = UNKNOWN;
    std::shared_ptr<const Rules> rules{};
    std::string name{};
};

template <class Rules>
class Variants {
  public:
    using Choice = Variant<Rules>;

    void add(std::string tag, Choice choice) { by_tag_[std::move(tag)] = std::move(choice); }
    // What it is whatever the tags say, but for chess, which may still be Chess960.
    void fix(Choice choice) { fixed_ = std::move(choice); }

    const Choice& of(const Header& header) const {
        if (fixed_ && fixed_->kind == Choice::CTL) return *fixed_;
        const Choice& tagged = find(lower(header.get("Variant")));
        if (tagged.kind == Choice::CHESS960) return tagged;
        if (fixed_) return *fixed_;
        const bool silent = tagged.kind == Choice::CHESS;
        return silent && colours(header) ? find("cotulenh") : tagged;
    }

  private:
    // Cờ Tư Lệnh shows itself by the names of its sides and the height of its board.
    static bool colours(const Header& header) {
        const std::string_view fen = header.get("FEN");
        return header.has("Red") || header.has("Blue") ||
               std::count(fen.begin(), fen.end(), '/') == 11;
    }
    static std::string lower(std::string_view text) {
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
        std::string out(text);
        for (char& c : out) c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
        return out;
    }
    const Choice& find(const std::string& tag) const {
        static const Choice nothing;
        const auto found = by_tag_.find(tag);
        return found == by_tag_.end() ? nothing : found->second;
    }

    std::unordered_map<std::string, Choice> by_tag_;
    std::optional<Choice> fixed_;
};

inline constexpr const char* RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};
inline constexpr int UNKNOWN_RESULT = 3;

// The place in RESULTS of a result, however it is written.
inline int result_of(std::string_view said) {
    if (said.empty() || said == "*") return UNKNOWN_RESULT;
    if (said[0] == '\xC2' || said.starts_with("1/2") || said.starts_with("0.5")) return 2;
    if (said.size() < 3 || said.size() > 5) return UNKNOWN_RESULT;
    if (said[0] == '1' && said.back() == '0') return 0;
    return said[0] == '0' && said.back() == '1' ? 1 : UNKNOWN_RESULT;
}

// One game as it was read, with the position it started from.
template <class Chess, class Ctl>
struct GameView {
    std::string_view text;
    std::size_t end = 0;
    Header header;
    Reading reading;
    const Variant<typename Ctl::Rules>* variant = nullptr;
    std::optional<Chess> chess{};  // the start, of the one that it is
    std::optional<Ctl> ctl{};
    bool chess960 = false, playable = false;
    std::string mended{};  // the FEN that was meant, if it was mended

    bool empty() const {
        return header.tags.empty() && reading.turns == 0 && reading.result.empty();
    }
    // A result's place in RESULTS; the tag speaks if the moves do not.
    int result() const {
        const int said = result_of(reading.result);
        return said == UNKNOWN_RESULT ? result_of(header.get("Result")) : said;
    }
};

template <class Chess, class Ctl>
class GameReader {
  public:
    using View = GameView<Chess, Ctl>;
    using Rules = typename Ctl::Rules;

    explicit GameReader(const Variants<Rules>& variants) : variants_(variants) {}

    // The game at `at` of a text that holds it whole; false if there is none.
    bool read(std::string_view text, std::size_t at, View& out) {
        out.text = text;
        read_header(text, at, true, out.header);
        if (out.header.start >= text.size()) return false;
        out.reading.clear();
        out.mended.clear();
        out.chess.reset();
        out.ctl.reset();
        out.variant = &variants_.of(out.header);
        out.chess960 = false;
        out.playable = begin(out);
        if (!out.playable)
            pass_over(out);
        else if (out.chess)
            play(*out.chess, out);
        else
            play(*out.ctl, out);
        out.end = std::max(out.reading.end, out.header.end);
        compare_results(out);
        judge(out);
        return true;
    }

  private:
    using Choice = Variant<Rules>;

    static std::size_t offset_of(std::string_view text, std::string_view part) {
        return part.data() ? std::size_t(part.data() - text.data()) : 0;
    }

    // The start position; false if nothing can be played.
    bool begin(View& out) {
        Header& header = out.header;
        const std::string_view written = fen_of(header);
        const std::size_t tag =
            written.data() ? out.text.rfind('[', offset_of(out.text, written)) : out.text.npos;
        const std::size_t offset = tag == out.text.npos ? header.start : tag;
        if (out.variant->kind == Choice::UNKNOWN) {
            header.notes.add(header.start, "no such variant here: " + quoted(header.get("Variant")),
                             true);
            return false;
        }
        if (written.data() && !header.has("FEN")) out.mended = written;  // under another name
        if (out.variant->kind == Choice::CTL) {
            out.ctl = Ctl::start(*out.variant->rules, written, offset, header.notes, out.mended);
            return out.ctl.has_value();
        }
        out.chess960 = out.variant->kind == Choice::CHESS960;
        out.chess = Chess::start(written, out.chess960, offset, header.notes, out.mended);
        return !header.notes.fatal();
    }

    // [SetUp "0"] says that the FEN does not count.
    static std::string_view fen_of(const Header& header) {
        if (header.get("SetUp") == "0") return {};
        for (const std::string_view name : {"FEN", "Fen", "fen"})
            if (header.has(name)) {
                const std::string_view fen = header.get(name);
                return fen.data() ? fen : std::string_view("");
            }
        return {};
    }

    template <class Game>
    void play(const Game& start, View& out) {
        Game game = start;
        MovesReader<Game> reader(game, out.text, out.reading);
        for (const std::string_view said : out.header.comments) reader.say(said);
        if (out.header.alone)
            out.reading.end = out.header.end;
        else
            reader.read(out.header.end);
    }

    // Only the end and the result of the game are looked for.
    static void pass_over(View& out) {
        out.reading.end = out.header.end;
        if (out.header.alone) return;
        Tokens tokens(out.text, out.header.end, true);
        for (Token token = tokens.next(); token.kind != Token::END; token = tokens.next())
            if (token.kind == Token::RESULT && token.number && out.reading.result.empty())
                out.reading.result = token.text;
        out.reading.end = std::max(tokens.at(), out.header.end);
    }

    // The moves have the last word, unless they leave it open.
    static void compare_results(View& out) {
        const std::string_view said = out.reading.result, tag = out.header.get("Result");
        if (said.empty() || tag == said || (tag != "*" && result_of(tag) == UNKNOWN_RESULT)) return;
        if (result_of(tag) != result_of(said))
            out.reading.notes.add(offset_of(out.text, said),
                                  std::string("the tag Result says ") + RESULTS[result_of(tag)]);
    }

    static void judge(View& out) {
        if (!out.empty()) return;
        const auto& tape = out.reading.tape;
        const bool only_comments = out.reading.notes.empty() && !tape.empty();
        if (!only_comments && !out.reading.notes.fatal())
            out.reading.notes.add(out.header.start, "no tags, moves or result: not a game");
    }

    const Variants<Rules>& variants_;
};

// Calls visit(view, number) for each game of a text of whole games, numbered from 0.
template <class Chess, class Ctl, class Visit>
void each_game(const Variants<typename Ctl::Rules>& variants, std::string_view text,
               Visit&& visit) {
    GameReader<Chess, Ctl> reader(variants);
    GameView<Chess, Ctl> view;
    std::size_t at = 0;
    for (u32 number = 0; reader.read(text, at, view); ++number) {
        visit(view, number);
        if (view.end <= at) break;
        at = view.end;
    }
}

// Calls visit(game, move, ends_turn) before each move of the main line of a tape; false ends it.
template <class Game, class Visit>
void each_main_move(Game& game, const std::vector<Word>& tape, Visit&& visit) {
    typename Game::Undo undo;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < tape.size(); ++i) {
        const Op op = op_of(tape[i]);
        depth += (op == OPEN) - (op == CLOSE);
        if (op != MOVE || depth) continue;
        const auto m = Game::move(move_of(tape[i]));
        if (!visit(game, m, i)) return;
        game.make(m, undo);
    }
    visit(game, Game::move(NULL_BITS), tape.size());
}

// What games add up to. Names of players are kept as hashes: their number is what is asked for.
struct Totals {
    u64 games = 0, good = 0, problems = 0, lost = 0, turns = 0, shortest = ~u64(0), longest = 0;
    u64 results[4]{};
    std::map<std::string, u64> variants;
    std::map<std::string, std::array<u64, 4>> openings;  // the first turns, and how games ended
    std::unordered_set<u64> players;

    void merge(const Totals& o) {
        games += o.games, good += o.good, problems += o.problems, lost += o.lost, turns += o.turns;
        shortest = std::min(shortest, o.shortest);
        longest = std::max(longest, o.longest);
        for (int i = 0; i < 4; ++i) results[i] += o.results[i];
        for (const auto& [name, n] : o.variants) variants[name] += n;
        for (const auto& [name, n] : o.openings)
            for (int i = 0; i < 4; ++i) openings[name][i] += n[i];
        players.insert(o.players.begin(), o.players.end());
    }
};

template <class View>
class Counter {
  public:
    Totals totals;

    // An opening is the first so many turns.
    explicit Counter(u32 turns) : opening_(turns) {}

    void add(const View& view) {
        const std::size_t notes =
            view.header.notes.list().size() + view.reading.notes.list().size();
        totals.problems += notes;
        if (view.empty()) return;
        const bool lost = view.header.notes.fatal() || view.reading.notes.fatal();
        totals.lost += lost;
        if (lost) return;
        ++totals.games;
        totals.good += notes == 0;
        const u64 turns = view.reading.turns;
        totals.turns += turns;
        totals.shortest = std::min(totals.shortest, turns);
        totals.longest = std::max(totals.longest, turns);
        ++totals.results[view.result()];
        ++totals.variants[view.variant->name];
        names(view);
        if (turns && !view.header.has("FEN")) opening(view);
    }

  private:
    void names(const View& view) {
        const bool ctl = view.ctl.has_value();
        for (const std::string_view tag : {ctl ? "Red" : "White", ctl ? "Blue" : "Black"}) {
            const std::string_view name = view.header.get(tag);
            if (!name.empty() && name != "?") totals.players.insert(hash_of(name));
        }
    }

    // The text of an opening is made once for each variant.
    void opening(const View& view) {
        first_turns(view.reading.tape);
        u64 hash = u64(reinterpret_cast<std::uintptr_t>(view.variant));
        for (const Word w : turns_) hash = mix(hash, w);
        auto*& counts = known_[hash];
        if (!counts) counts = &totals.openings[view.chess ? text(*view.chess) : text(*view.ctl)];
        ++(*counts)[std::size_t(view.result())];
    }

    void first_turns(const std::vector<Word>& tape) {
        turns_.clear();
        u32 ended = 0;
        std::size_t depth = 0;
        for (const Word w : tape) {
            depth += (op_of(w) == OPEN) - (op_of(w) == CLOSE);
            if (op_of(w) != MOVE || depth) continue;
            turns_.push_back(w);
            ended += bool(w & ENDS_TURN);
            if (ended == opening_) break;
        }
    }

    template <class Game>
    std::string text(const Game& start) const {
        Game game = start;
        std::vector<std::string> words;
        MovesWriter<Game>(game, turns_).write(words);
        std::string out;
        for (const std::string& word : words) {
            if (!out.empty()) out += ' ';
            out += word;
        }
        return out;
    }

    const u32 opening_;
    std::vector<Word> turns_;
    std::unordered_map<u64, std::array<u64, 4>*> known_;
};

}  // namespace cotulenh::pgn
