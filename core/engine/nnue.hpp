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

// What a worker keeps of the network's sums while it searches: for each of the last plies a board
// and the sums of both sides that belong to it. A position that is to be judged differs little from
// the last one judged at its ply (a sibling) or from the one before it (its parent): of the nearer
// one only what came and went is added and taken away.
template <class P>
class Accumulators {
  public:
    using I = Inputs<P>;

    // Kept alive, so that another one cannot come to lie at its address.
    void use(std::shared_ptr<const Network> network) {
        if (network == network_) return;
        network_ = std::move(network);
        if (!network_) return;
        for (Slot& slot : slots_) {
            std::fill_n(slot.board, I::CELLS, I::NOTHING);
            for (const Side side : {FIRST, SECOND}) start(slot, side, 0);
        }
    }
    const Network* network() const { return network_.get(); }

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
    static constexpr u32 SLOTS = 16;           // a power of two
    using Cell = typename I::Cell;

    struct Slot {
        alignas(64) std::int16_t sums[2][Network::MOST_SUMS];
        alignas(64) Cell board[I::CELLS];
        int way[2];  // in which each side's sums see the board
    };
    struct Changes {
        int count = 0;
        u8 cell[I::CELLS];
    };

    void start(Slot& slot, Side side, int way) const {
        std::copy_n(network_->bias(), network_->hidden(), slot.sums[side]);
        slot.way[side] = way;
    }

    // The cells in which a slot's board differs.
    static void compare(const Slot& slot, const Cell* now, Changes& out) {
        constexpr int BLOCK = int(64 / sizeof(Cell));
        static_assert(I::CELLS % BLOCK == 0 && sizeof(Cell) <= 2);
        for (int s = 0; s < I::CELLS; s += BLOCK) {
            u64 differ = differing_bytes(slot.board + s, now + s);
            if (sizeof(Cell) == 2) differ = (differ | differ >> 1) & 0x5555555555555555;
            for (; differ; differ &= differ - 1)
                out.cell[out.count++] = u8(s + std::countr_zero(differ) / int(sizeof(Cell)));
        }
    }

    void copy(const Slot& from, Slot& to) const {
        for (const Side side : {FIRST, SECOND}) {
            std::copy_n(from.sums[side], network_->hidden(), to.sums[side]);
            to.way[side] = from.way[side];
        }
        std::copy_n(from.board, I::CELLS, to.board);
    }

    // The slot of the position's ply, brought up to date.
    const Slot& refresh(const P& p) {
        const Cell* const now = I::cells(p);
        const u32 ply = 2 * p.fullmove() + p.turn();
        Slot& slot = slots_[ply % SLOTS];
        const Slot& before = slots_[(ply - 1) % SLOTS];
        Changes sibling, parent;
        compare(slot, now, sibling);
        if (sibling.count > 1) compare(before, now, parent);
        const bool nearer = sibling.count > 1 && parent.count < sibling.count;
        if (nearer) copy(before, slot);
        const Changes& changes = nearer ? parent : sibling;
        for (const Side side : {FIRST, SECOND}) update(slot, p, side, changes);
        for (int i = 0; i < changes.count; ++i) slot.board[changes.cell[i]] = now[changes.cell[i]];
        return slot;
    }

    void update(Slot& slot, const P& p, Side side, const Changes& changes) const {
        u16 come[I::MOST], gone[I::MOST];
        int more = 0, less = 0;
        const auto add = [&](int i) { come[more++] = u16(i); };
        const auto take = [&](int i) { gone[less++] = u16(i); };
        const int way = I::way(p, side);
        const Cell* const now = I::cells(p);
        if (way != slot.way[side]) {  // seen another way, every row is another one
            start(slot, side, way);
            each_input(p, side, add);
        } else {
            for (int i = 0; i < changes.count; ++i) {
                const Square s = changes.cell[i];
                I::each(p, slot.board[s], s, side, way, take);
                I::each(p, now[s], s, side, way, add);
            }
        }
        if (more + less)
            nnue::update(slot.sums[side], network_->rows(), come, more, gone, less,
                         network_->hidden());
    }

    std::shared_ptr<const Network> network_;
    Slot slots_[SLOTS];
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
