// Makes lessons of games: their quiet positions, and neighbours of those.
#pragma once

#include "engine/check.hpp"
#include "engine/lessons.hpp"
#include "engine/search.hpp"
#include "games/hash.hpp"

namespace cotulenh::engine {

// What quiescence says of a position: a judgement of microseconds, without memory of earlier ones.
template <Playable P>
class QuickJudge {
  public:
    explicit QuickJudge(std::shared_ptr<const Network> network) {
        shared_.table = &table_;
        shared_.network = std::move(network);
        shared_.features = EVERYTHING & ~(TRANSPOSITION_TABLE | CORRECTION_HISTORY);
        shared_.limit.infinite = true;
    }
    Score score(const P& p) {
        worker_->set_up(p, {p.key()}, {}, shared_, 0);
        return worker_->quiet_score();
    }

  private:
    TranspositionTable table_{1};  // is asked for its address only
    Shared<P> shared_;
    std::unique_ptr<Worker<P>> worker_ = std::make_unique<Worker<P>>();
};

struct LessonOptions {
    int share = 0;          // of one game in so many alone,
    bool held_out = false;  // or of all the others
    Filter filter;
    int siblings = 0;                      // neighbours of each position
    std::shared_ptr<const Network> judge;  // that judges them with the terms; without it they alone
};

template <Playable P>
class LessonMaker {
  public:
    using G = Game<P>;

    LessonMaker(Lessons& out, const LessonOptions& options)
        : out_(out), options_(options), judge_(options.judge) {}

    // Adds the positions of games; says what is wrong with them, or nothing.
    std::string add(const P& start, std::vector<GameRecord> games,
                    const std::vector<PlyRecord>& plies) {
        const auto share = u64(options_.share);
        if (share)
            std::erase_if(games, [&](const GameRecord& g) {
                return (g.seed % share == 0) != options_.held_out;
            });
        return replay(start, games, plies,
                      [&](const P& p, const PlyRecord& ply, u32 number, const GameRecord& game) {
                          if (!options_.filter.keeps(ply, number)) return;
                          out_.add(p, ply.score, terms(p), game.result);
                          u64 seed = p.key();
                          for (int i = 0; i < options_.siblings; ++i) add_sibling(p, seed);
                      });
    }

  private:
    Score terms(const P& p) { return G::evaluate(p, G::weights(), memory_, false); }

    // A random move away from a position of a game: seldom played, often met in a search.
    void add_sibling(P p, u64& seed) {
        MoveList<typename P::Move> moves;
        p.legal_moves(moves);
        if (moves.empty()) return;
        typename P::Undo undo;
        p.make(moves[int(next_key(seed) % u64(moves.size()))], undo);
        if (G::mid_turn(p) || p.in_check() || G::ending(p) != Ending::NONE) return;
        const Score by_terms = terms(p);
        const Score said = options_.judge ? judge_.score(p) : by_terms;
        if (std::abs(said) <= options_.filter.largest) out_.add(p, said, by_terms, NO_RESULT);
    }

    Lessons& out_;
    const LessonOptions options_;
    typename G::Memory memory_;
    QuickJudge<P> judge_;
};

}  // namespace cotulenh::engine
