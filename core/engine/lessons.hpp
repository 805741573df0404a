// Positions of games as a network sees them, ready to learn from.
#pragma once

#include "engine/dataset.hpp"
#include "engine/game.hpp"
#include "engine/inputs.hpp"

namespace cotulenh::engine {

inline constexpr u8 NO_RESULT = 3;  // of a position that no game was played from

// One array for each thing known of a position; all seen from the side to move.
struct Lessons {
    std::vector<u16> inputs;    // of the side to move, then of the other, position by position
    std::vector<u64> start{0};  // where each position's inputs begin; one more at the end
    std::vector<std::int16_t> score, terms;  // what the search and the hand-made terms say
    std::vector<u8> result;                  // 0 lost, 1 drawn, 2 won, or NO_RESULT
    std::vector<u8> bucket;

    std::size_t size() const { return score.size(); }

    template <class P>
    void add(const P& p, Score said, Score by_terms, int ended) {
        for (const Side side : {p.turn(), Side(p.turn() ^ 1)})
            each_input(p, side, [&](int input) { inputs.push_back(u16(input)); });
        start.push_back(inputs.size());
        score.push_back(std::int16_t(said));
        terms.push_back(std::int16_t(by_terms));
        result.push_back(u8(p.turn() == FIRST || ended == NO_RESULT ? ended : 2 - ended));
        bucket.push_back(u8(Inputs<P>::bucket(p)));
    }
};

// Plays games again, calling visit(position, ply, its number, game) before each move. Returns what
// is wrong with the games, or nothing.
template <class P, class Visit>
std::string replay(const P& start, const std::vector<GameRecord>& games,
                   const std::vector<PlyRecord>& plies, Visit&& visit) {
    for (const GameRecord& game : games) {
        if (game.first > plies.size() || game.count > plies.size() - game.first)
            return "the game's moves lie outside the data";
        P p = start;
        for (u32 i = 0; i < game.count; ++i) {
            const PlyRecord& ply = plies[game.first + i];
            const auto m = P::Move::from_bits(ply.move);
            visit(p, ply, i, game);
            if (!p.is_legal(m)) return "move " + std::to_string(i + 1) + " of a game is not legal";
            typename P::Undo undo;
            p.make(m, undo);
        }
    }
    return {};
}

}  // namespace cotulenh::engine
