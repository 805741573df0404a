// What both games have in common: the concept of a position, how games end, perft.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "board/grid.hpp"

namespace cotulenh {

// The side to move first is 0 (Red, White), the other 1 (Blue, Black).
using Side = u8;
inline constexpr Side FIRST = 0, SECOND = 1;

// A list of moves that cannot overflow: room is asked for before a batch, then written unchecked.
template <class Move>
class MoveList {
  public:
    MoveList() = default;
    MoveList(const MoveList&) = delete;
    MoveList& operator=(const MoveList&) = delete;

    // Makes room for n more; writing beyond what was asked for is a programming error.
    void ensure(int n) {
        if (size_ + n > capacity_) grow(n);
    }
    void add(Move m) { data_[size_++] = m; }
    void clear() { size_ = 0; }
    void shrink(int n) { size_ = n; }

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](int i) const { return data_[i]; }
    Move& operator[](int i) { return data_[i]; }
    Move* begin() { return data_; }
    Move* end() { return data_ + size_; }
    const Move* begin() const { return data_; }
    const Move* end() const { return data_ + size_; }

  private:
    void grow(int n) {
        capacity_ = 2 * capacity_ + n;
        auto wider = std::make_unique<Move[]>(capacity_);
        std::copy(data_, data_ + size_, wider.get());
        heap_ = std::move(wider);
        data_ = heap_.get();
    }

    static constexpr int INLINE = 256;
    Move inline_[INLINE];
    std::unique_ptr<Move[]> heap_;
    Move* data_ = inline_;
    int size_ = 0, capacity_ = INLINE;
};

// A turn may last several moves: `turn()` need not change after `make`. Undo records live outside.
template <class P>
concept Position = requires(P p, const P c, typename P::Move m, typename P::Undo u,
                            MoveList<typename P::Move> list) {
    { c.turn() } -> std::convertible_to<Side>;
    { c.key() } -> std::convertible_to<u64>;
    { p.legal_moves(list) };  // appends; non-const because legality may make and unmake
    { p.count_legal() } -> std::convertible_to<int>;
    { p.make(m, u) };
    { p.unmake(m, u) };
    { p.in_check() } -> std::convertible_to<bool>;
};

// Sequences of `depth` moves. The last ply is counted, not made.
template <Position P>
u64 perft(P& position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return u64(position.count_legal());
    MoveList<typename P::Move> moves;
    position.legal_moves(moves);
    u64 nodes = 0;
    typename P::Undo undo;
    for (const auto m : moves) {
        position.make(m, undo);
        nodes += perft(position, depth - 1);
        position.unmake(m, undo);
    }
    return nodes;
}

// The same, move by move of the first ply.
template <Position P>
std::vector<std::pair<typename P::Move, u64>> divide(P& position, int depth) {
    MoveList<typename P::Move> moves;
    position.legal_moves(moves);
    std::vector<std::pair<typename P::Move, u64>> parts;
    typename P::Undo undo;
    for (const auto m : moves) {
        position.make(m, undo);
        parts.emplace_back(m, perft(position, depth - 1));
        position.unmake(m, undo);
    }
    return parts;
}

}  // namespace cotulenh
