// Games of the engine against itself and their quiet positions: the data from which tools/tune.py
// fits the weights.
#pragma once

#include "engine/player.hpp"
#include "games/hash.hpp"

namespace cotulenh::engine {

// A quiet position of a game, what the search said of it, and how the game ended for the first side
// (0, 1, 2).
struct Sample {
    std::string fen;
    Score score;
    int result;
};

struct SelfPlayOptions {
    int games = 1;
    u64 nodes = 400, seed = 1;
    int random_moves = 8;  // at the start of each game
    int most_moves = 240;  // longer games are drawn
    Score resign = 1500;   // so far ahead for a while: won
};

template <Playable P>
class SelfPlay {
  public:
    using Move = typename P::Move;
    using G = Game<P>;

    SelfPlay(const P& start, const SelfPlayOptions& options, const typename G::Weights& weights,
             std::string (*write)(const P&))
        : start_(start), options_(options), weights_(weights), write_(write), seed_(options.seed) {}

    // Calls keep_going after each game; false ends it early.
    template <class KeepGoing>
    std::vector<Sample> run(KeepGoing&& keep_going) {
        for (int i = 0; i < options_.games && keep_going(); ++i) play();
        return std::move(out_);
    }

  private:
    bool opening(P& p, std::vector<u64>& keys) {
        for (int i = 0; i < options_.random_moves || G::mid_turn(p); ++i) {
            MoveList<Move> moves;
            p.legal_moves(moves);
            if (moves.empty()) return false;
            make(p, moves[int(next_key(seed_) % u64(moves.size()))], keys);
        }
        return true;
    }

    static void make(P& p, Move m, std::vector<u64>& keys) {
        typename P::Undo undo;
        p.make(m, undo);
        if (!G::mid_turn(p)) keys.push_back(p.key());
    }

    // 0, 1, 2 for the first side, -1 while the game goes on.
    static int over(P& p, const std::vector<u64>& keys) {
        const int lost = p.turn() == FIRST ? 0 : 2;
        switch (G::ending(p)) {
            case Ending::LOST:
                return lost;
            case Ending::WON:
                return 2 - lost;
            case Ending::DRAWN:
                return 1;
            default:
                break;
        }
        if (p.count_legal() == 0) return p.in_check() ? lost : 1;
        if (G::mid_turn(p)) return -1;
        const bool repeated = std::count(keys.begin(), keys.end(), p.key()) >= 3;
        return repeated || G::clock(p) >= G::DRAWN_AFTER ? 1 : -1;
    }

    void play() {
        P p = start_;
        std::vector<u64> keys{p.key()};
        if (!opening(p, keys)) return;
        table_.clear();
        player_.forget();
        const std::size_t first = out_.size();
        int result = -1, sure = 0;
        for (int n = 0; (result = over(p, keys)) < 0 && n < options_.most_moves; ++n) {
            MoveList<Move> legal;
            p.legal_moves(legal);
            const auto [best, said] = choose(p, keys, {legal.begin(), legal.end()});
            const Score score = p.turn() == FIRST ? said : -said;
            if (n == 0 && std::abs(score) > 400) return;  // not a game worth playing
            note(p, best, score);
            sure = std::abs(score) >= options_.resign ? sure + 1 : 0;
            if (sure >= 6) {
                result = score > 0 ? 2 : 0;
                break;
            }
            make(p, best, keys);
        }
        if (result < 0) result = 1;
        for (std::size_t i = first; i < out_.size(); ++i) out_[i].result = result;
    }

    // Thinks on until an iteration ends: what one that was broken off says of the position is worth
    // less than what the one before it said.
    std::pair<Move, Score> choose(const P& p, const std::vector<u64>& keys,
                                  std::vector<Move> moves) {
        Limits limits;
        limits.nodes = 10 * options_.nodes;  // some iterations would never end
        std::optional<std::pair<Move, Score>> whole;
        player_.prepare({p, keys, std::move(moves), limits, 1, false}, table_, EVERYTHING, weights_,
                        [&](const Thought& t) {
                            if (t.bound != EXACT) return;
                            whole = {Move::from_bits(t.pv[0]), t.score};
                            if (t.nodes >= options_.nodes) player_.stop();
                        });
        player_.run();
        return whole.value_or(std::pair{Move::from_bits(player_.best()), player_.score()});
    }

    // Only positions where nothing is about to be taken: their worth is what the counts say.
    void note(P& p, Move best, Score score) {
        if (G::mid_turn(p) || p.in_check() || G::is_take(p, best) || is_mate(score)) return;
        if (next_key(seed_) % 3 != 0) return;  // neighbours say much the same
        out_.push_back({write_(p), score, 1});
    }

    const P start_;
    const SelfPlayOptions options_;
    const typename G::Weights& weights_;
    std::string (*const write_)(const P&);
    u64 seed_;
    Table table_{4};
    Player<P> player_{1};
    std::vector<Sample> out_;
};

}  // namespace cotulenh::engine
