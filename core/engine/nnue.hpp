// The network of the evaluation (NNUE), one code and one file format for both games.
//
// Each side looks at the board from its own end. Every input it sees (inputs.hpp) adds a row of
// weights to its accumulator; both accumulators, cut off at 0 and ONE and squared, are weighed once
// more, by how many pieces are left. Whole numbers throughout, so that every machine gets the same
// score. docs/networks.md describes the file and how one is made.
#pragma once

#include <memory>
#include <string>

#include "engine/inputs.hpp"
#include "engine/journal.hpp"
#include "engine/score.hpp"
#include "engine/simd.hpp"

namespace cotulenh::engine {

class Network {
  public:
    static constexpr int ONE = 255, UNIT = 64;  // 1.0 in the first layer, and in the last
    static constexpr int CENTIPAWNS = 400;      // that an output of 1.0 stands for
    static constexpr int MOST_SUMS = 256;
    enum Flag : u16 { BESIDE_TERMS = 1 };  // it says what is to be added to the hand-made terms

    // The network of a file's bytes, or nothing and the reason why it cannot be used.
    static std::shared_ptr<const Network> read(std::string_view file, std::string& reason);

    std::string_view game() const { return game_; }
    int hidden() const { return hidden_; }
    int buckets() const { return buckets_; }
    bool beside_terms() const { return flags_ & BESIDE_TERMS; }
    // Where the terms say more than this, a network beside them is silent; 0: never.
    Score decided() const { return decided_; }
    u32 checksum() const { return checksum_; }

    const std::int16_t* rows() const { return numbers_.get(); }
    const std::int16_t* bias() const { return rows() + std::size_t(inputs_) * hidden_; }
    // Of the side to move, then of the other.
    const std::int16_t* last(int bucket) const { return bias() + (1 + 2 * bucket) * hidden_; }
    int offset(int bucket) const { return bias()[(1 + 2 * buckets_) * hidden_ + bucket]; }

  private:
    struct Free {
        void operator()(std::int16_t* p) const { ::operator delete(p, std::align_val_t(64)); }
    };
    std::string problem() const;  // with the numbers themselves

    std::string game_;
    int inputs_ = 0, hidden_ = 0, buckets_ = 0;
    u16 flags_ = 0;
    Score decided_ = 0;
    u32 checksum_ = 0;
    std::size_t count_ = 0;
    std::unique_ptr<std::int16_t[], Free> numbers_;
};

// Tests compare both builds of the loops; nothing else has a reason to ask for the plain one.
void use_plain_loops(bool plain);

namespace nnue {

// Adds and takes away rows of weights; the clamped sums squared, weighed and summed up.
void update(std::int16_t* sums, const std::int16_t* rows, const u16* come, int more,
            const u16* gone, int less, int hidden);
int weigh(const std::int16_t* sums, const std::int16_t* weights, int hidden);

}  // namespace nnue

// What a worker keeps of the network's sums while it searches: those of the position that was
// judged last, and its board. The next one differs by little: only what came and went is added and
// taken away. A board seen another way has other rows, so every way has sums of its own.
template <class P>
class Accumulators {
  public:
    using I = Inputs<P>;

    // Kept alive, so that another one cannot come to lie at its address.
    void use(std::shared_ptr<const Network> network) {
        if (network == network_) return;
        network_ = std::move(network);
        if (!network_) return;
        journal.lose();
        for (Slot& slot : slots_) {
            std::fill_n(slot.board, I::CELLS, I::NOTHING);
            for (auto& sums : slot.sums) std::copy_n(network_->bias(), network_->hidden(), sums);
        }
    }
    const Network* network() const { return network_.get(); }
    Journal<P> journal;  // of the positions that are judged

    // What the network says, for the side to move.
    Score evaluate(const P& p) {
        const Slot& slot = refresh(p);
        const Side us = p.turn(), them = Side(us ^ 1);
        const int hidden = network_->hidden(), bucket = I::bucket(p);
        const std::int16_t* const last = network_->last(bucket);
        const int total = nnue::weigh(slot.sums[us], last, hidden) +
                          nnue::weigh(slot.sums[them], last + hidden, hidden);
        const std::int64_t out = total / Network::ONE + network_->offset(bucket);
        const auto score = Score(out * Network::CENTIPAWNS / (Network::ONE * Network::UNIT));
        return std::clamp(score, -MOST_SAID, MOST_SAID);
    }

  private:
    static constexpr Score MOST_SAID = 20000;  // far from every mate
    using Cell = typename I::Cell;

    struct Slot {
        alignas(64) std::int16_t sums[2][Network::MOST_SUMS];
        alignas(64) Cell board[I::CELLS];
    };
    struct Rows {  // as many for one side as for the other
        int count = 0;
        u16 row[2][I::MOST];
        void operator()(int first, int second) {
            row[FIRST][count] = u16(first), row[SECOND][count] = u16(second);
            ++count;
        }
    };

    // The slot of the ways in which the sides see the board, brought up to date.
    const Slot& refresh(const P& p) {
        const int way[2] = {I::way(p, FIRST), I::way(p, SECOND)};
        const Cell* const now = I::cells(p);
        Slot& slot = slots_[way[FIRST] * I::WAYS + way[SECOND]];
        Rows come, gone;
        journal.template each_difference<I::CELLS>(slot.board, now, [&](Square s) {
            const Places<P> place(p, s, way);
            I::each(slot.board[s], place.of, gone);
            I::each(now[s], place.of, come);
            slot.board[s] = now[s];
        });
        if (come.count + gone.count)
            for (const Side side : {FIRST, SECOND})
                nnue::update(slot.sums[side], network_->rows(), come.row[side], come.count,
                             gone.row[side], gone.count, network_->hidden());
        return slot;
    }

    std::shared_ptr<const Network> network_;
    Slot slots_[I::WAYS * I::WAYS];
};

// What a position is worth by its network, if there is one and it is wanted: alone or beside the
// terms. Of decided positions a network knows little: the games it has learnt from end soon after.
template <class P, class Terms>
Score with_network(const P& p, Accumulators<P>& net, bool wanted, Terms&& terms) {
    const Network* const network = wanted ? net.network() : nullptr;
    if (network && !network->beside_terms()) return net.evaluate(p);
    const Score plain = terms();
    const bool heard = network && (!network->decided() || std::abs(plain) < network->decided());
    return heard ? plain + net.evaluate(p) : plain;
}

}  // namespace cotulenh::engine
