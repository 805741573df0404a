// Games of the engine against itself: the data from which weights and networks are fitted.
#pragma once

#include "engine/dataset.hpp"
#include "engine/engine.hpp"
#include "games/hash.hpp"

namespace cotulenh::engine {

struct SelfPlayOptions {
    int games = 1;
    u64 nodes = 400, seed = 1;
    int random_moves = 8;  // at the start of each game, and up to `spread` more
    int spread = 4;
    int most_moves = 300;  // longer games are drawn
    Score resign = 1500;   // so far ahead for six moves: won
    Score unfair = 400;    // openings that favour a side by more are not played on
};

template <Playable P>
class SelfPlay {
  public:
    using Move = typename P::Move;
    using G = Game<P>;

    SelfPlay(const P& start, const SelfPlayOptions& options, const typename G::Weights& weights,
             std::shared_ptr<const Network> network = nullptr)
        : start_(start), options_(options), seeds_(options.seed) {
        settings_.weights = weights;
        settings_.network = std::move(network);
    }

    // Calls keep_going before each game; false ends it early.
    template <class KeepGoing>
    Games run(KeepGoing&& keep_going) {
        while (int(out_.games.size()) < options_.games && keep_going()) play();
        return std::move(out_);
    }

  private:
    void make(Move m) {
        typename P::Undo undo;
        p_.make(m, undo);
        if (!G::mid_turn(p_)) keys_.push_back(p_.key());
    }

    void note(Move m, Score score, u16 flags) {
        using F = PlyRecord;
        if (!G::mid_turn(p_) && p_.in_check()) flags |= F::CHECK;
        if (G::is_take(p_, m)) flags |= F::TAKE;
        if (G::mid_turn(p_)) flags |= F::MID_TURN;
        out_.plies.push_back({u32(m.bits()), std::int16_t(score), flags});
    }

    // Random moves; false if the game ended among them.
    bool opening() {
        const int n = options_.random_moves + int(next_key(seed_) % u64(options_.spread + 1));
        for (int i = 0; i < n || G::mid_turn(p_); ++i) {
            MoveList<Move> moves;
            p_.legal_moves(moves);
            if (moves.empty() || G::ending(p_) != Ending::NONE) return false;
            const Move m = moves[int(next_key(seed_) % u64(moves.size()))];
            note(m, NOT_SEARCHED, PlyRecord::RANDOM);
            make(m);
        }
        return true;
    }

    // 0, 1, 2 for the first side, -1 while the game goes on.
    int over() {
        const int lost = p_.turn() == FIRST ? 0 : 2;
        switch (G::ending(p_)) {
            case Ending::LOST:
                return lost;
            case Ending::WON:
                return 2 - lost;
            case Ending::DRAWN:
                return 1;
            default:
                break;
        }
        if (p_.count_legal() == 0) return p_.in_check() ? lost : 1;
        if (G::mid_turn(p_)) return -1;
        const bool repeated = std::count(keys_.begin(), keys_.end(), p_.key()) >= 3;
        return repeated || G::clock(p_) >= G::DRAWN_AFTER ? 1 : -1;
    }

    void play() {
        const std::size_t first = out_.plies.size();
        const u64 name = seed_ = next_key(seeds_);
        p_ = start_;
        keys_.assign(1, p_.key());
        table_.clear();
        pool_.clear();
        Reason reason = Reason::LAW;
        int result = -1;
        if (opening()) {
            const auto random = u16(out_.plies.size() - first);
            result = play_on(reason);
            if (result >= 0)
                out_.games.push_back({first, u32(out_.plies.size() - first), u8(result), reason,
                                      random, name, p_.key()});
        }
        if (result < 0) out_.plies.resize(first);
    }

    // From the opening to the end: the result, or -1 if the game is not worth playing.
    int play_on(Reason& reason) {
        int result = -1, sure = 0;
        for (int n = 0; (result = over()) < 0; ++n) {
            if (n >= options_.most_moves) return reason = Reason::TOO_LONG, 1;
            MoveList<Move> legal;
            p_.legal_moves(legal);
            const auto [best, score] = choose({legal.begin(), legal.end()});
            if (n == 0 && std::abs(score) > options_.unfair) return -1;
            sure = std::abs(score) >= options_.resign ? sure + 1 : 0;
            if (sure >= 6) {
                reason = Reason::RESIGNED;
                return (score > 0) == (p_.turn() == FIRST) ? 2 : 0;
            }
            note(best, score, 0);
            make(best);
        }
        return result;
    }

    // Thinks on until an iteration ends: what one that was broken off says of the position is worth
    // less than what the one before it said.
    std::pair<Move, Score> choose(std::vector<Move> moves) {
        Limit limit;
        limit.nodes = 10 * options_.nodes;  // some iterations would never end
        std::optional<std::pair<Move, Score>> whole;
        pool_.prepare({p_, keys_, std::move(moves), limit, 1, false}, table_, settings_,
                      [&](const Report& t) {
                          if (t.bound != EXACT) return;
                          whole = {Move::from_bits(t.pv[0]), t.score};
                          if (t.nodes >= options_.nodes) pool_.stop();
                      });
        pool_.run();
        return whole.value_or(std::pair{Move::from_bits(pool_.best()), pool_.score()});
    }

    const P start_;
    const SelfPlayOptions options_;
    Settings<P> settings_;
    u64 seeds_, seed_ = 0;
    P p_ = start_;
    std::vector<u64> keys_;
    TranspositionTable table_{2};
    ThreadPool<P> pool_{1};
    Games out_;
};

}  // namespace cotulenh::engine
