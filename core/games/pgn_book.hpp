// From games to a book: the moves of their main lines, how they ended, and what was thought of
// them.
#pragma once

#include <cmath>
#include <cstdlib>

#include "games/book.hpp"
#include "games/pgn_scan.hpp"

namespace cotulenh::pgn {

// The value of [%eval …] in a comment, in centipawns for the first side; mates count as 100 pawns.
inline std::optional<int> eval_in(std::string_view comment) {
    constexpr std::string_view SIGN = "[%eval ";
    const std::size_t found = comment.find(SIGN);
    if (found == comment.npos) return std::nullopt;
    char digits[16]{};
    std::string_view rest = comment.substr(found + SIGN.size());
    const bool mate = !rest.empty() && rest.front() == '#';
    if (mate) rest.remove_prefix(1);
    std::memcpy(digits, rest.data(), std::min(rest.size(), sizeof digits - 1));
    char* end = nullptr;
    const double value = std::strtod(digits, &end);
    if (end == digits || !std::isfinite(value)) return std::nullopt;
    constexpr double MOST = 10'000;
    if (mate) return int(std::signbit(value) ? -MOST : MOST);
    return int(std::clamp(std::round(100 * value), -MOST, MOST));
}

// What the first `turns` turns of a game add to a book.
template <class View>
class BookCollector {
  public:
    BookCollector(std::string variant, u32 turns) : variant_(std::move(variant)), turns_(turns) {}

    std::vector<book::Played> played;
    u64 games = 0;

    void add(const View& view) {
        if (!view.playable || view.empty() || view.variant->name != variant_) return;
        if (view.reading.notes.fatal() && view.reading.turns == 0) return;
        ++games;
        if (view.chess)
            collect(*view.chess, view);
        else
            collect(*view.ctl, view);
    }

  private:
    template <class Game>
    void collect(const Game& start, const View& view) {
        Game game = start;
        u32 ended = 0;
        const auto& tape = view.reading.tape;
        each_main_move(game, tape, [&](Game& at, auto move, std::size_t i) {
            if (i == tape.size() || Game::bits(move) == NULL_BITS || ended >= turns_) return false;
            const bool second = at.position.turn() != FIRST;
            played.push_back({at.position.key(), Game::bits(move), score(view, i, second),
                              outcome(view.result(), second)});
            ended += bool(tape[i] & ENDS_TURN);
            return true;
        });
    }

    static book::Outcome outcome(int result, bool second) {
        if (result == 2) return book::Outcome::DRAW;
        if (result == 3) return book::Outcome::OPEN;
        return (result == 1) == second ? book::Outcome::WIN : book::Outcome::LOSS;
    }

    // What is said right behind the move.
    static std::int16_t score(const View& view, std::size_t i, bool second) {
        const auto& tape = view.reading.tape;
        for (++i; i < tape.size() && (op_of(tape[i]) == COMMENT || op_of(tape[i]) == NAG); ++i) {
            if (op_of(tape[i]) != COMMENT) continue;
            constexpr Word MASK = (Word(1) << LENGTH) - 1;
            const std::string_view said =
                view.text.substr(tape[i] >> LENGTH & MASK, tape[i] & MASK);
            if (const auto found = eval_in(said)) return std::int16_t(second ? -*found : *found);
        }
        return book::Played::NO_SCORE;
    }

    const std::string variant_;
    const u32 turns_;
};

}  // namespace cotulenh::pgn
