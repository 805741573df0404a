// Players that an environment brings along, so that it serves a single learner too.
#pragma once

#include "engine/engine.hpp"
#include "env/episode.hpp"

namespace cotulenh::env {

struct OpponentSpec {
    enum Kind : u8 { NOBODY, RANDOM, GREEDY, ENGINE };
    static constexpr int LEVELS = 10;
    Kind kind = NOBODY;
    int level = 0;  // of the engine, 1 to LEVELS

    // Each level searches twice as much as the one below it.
    u64 nodes() const { return u64(50) << (level - 1); }
    // How many of 1024 moves are drawn by chance: half of them at level 1, then half as many each.
    int chance() const { return 1024 >> level; }
};

// One for each thread. What it plays depends on the episode alone, never on what it played before,
// so that threads share the work in any way without changing a game.
template <class G>
class Opponent {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    explicit Opponent(const OpponentSpec& spec) : spec_(spec) {
        if (spec.kind == OpponentSpec::ENGINE) search_ = std::make_unique<Search>();
    }

    // The number of the legal move to play; there is one.
    int choose(const G& game, Episode<G>& e) {
        const int n = int(e.moves().size());
        switch (spec_.kind) {
            case OpponentSpec::GREEDY:
                return greedy(game, e);
            case OpponentSpec::ENGINE:
                return draw(e.dice(), 1024) < spec_.chance() ? draw(e.dice(), n) : search(e);
            default:
                return draw(e.dice(), n);
        }
    }

  private:
    // The dearest take; chance decides between equals.
    static int greedy(const G& game, Episode<G>& e) {
        int best = 0, worth = 0, equals = 0;
        for (int i = 0; i < int(e.moves().size()); ++i) {
            const int gain = game.gain(e.position(), e.moves()[std::size_t(i)]);
            if (i == 0 || gain > worth) best = i, worth = gain, equals = 0;
            if (gain == worth && draw(e.dice(), ++equals) == 0) best = i;
        }
        return best;
    }

    int search(const Episode<G>& e) {
        Search& s = *search_;
        s.table.clear();
        s.pool.clear();
        engine::Limit limit;
        limit.nodes = spec_.nodes();
        s.pool.prepare({e.position(), e.keys(), e.moves(), limit, 1, false}, s.table, s.settings,
                       [](const engine::Report&) {});
        s.pool.run();
        const auto& moves = e.moves();
        const auto at = std::find(moves.begin(), moves.end(), Move::from_bits(s.pool.best()));
        return at == moves.end() ? 0 : int(at - moves.begin());
    }

    struct Search {
        engine::TranspositionTable table{1};
        engine::Settings<Position> settings;
        engine::ThreadPool<Position> pool{1};
    };
    OpponentSpec spec_;
    std::unique_ptr<Search> search_;
};

}  // namespace cotulenh::env
