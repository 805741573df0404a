// What both games have in common: the concept of a position, outcomes, limits, perft.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "board/grid.hpp"
#include "games/text.hpp"

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

// How a game ended. Reason is the game's own enum.
inline constexpr Side NOBODY = 2;
template <class Reason>
struct Outcome {
    Side winner = NOBODY;  // nobody: a draw
    Reason reason{};
    bool operator==(const Outcome&) const = default;
};

// Bounds that every face of the core keeps to: sequences of moves to count, threads, megabytes.
inline constexpr int MAX_PERFT_DEPTH = 99, MAX_THREADS = 256, MAX_HASH_MB = 65536;

// A move as an integer that says all. Move{} is no move; any bits may be asked for is_legal.
template <class M>
concept GameMove = std::equality_comparable<M> && requires(const M m, u32 bits) {
    { M::from_bits(bits) } -> std::same_as<M>;
    { m.bits() } -> std::convertible_to<u32>;
    { m.from() } -> std::same_as<Square>;
    { m.to() } -> std::same_as<Square>;
    { m.kind() };
    { m.well_formed() } -> std::same_as<bool>;
    { bool(m) };
};

// The vocabulary of both games. A turn may last several moves: `turn()` need not change after
// `make`, and mid_turn() is true in between. Undo records live outside; history in Board<P>.
template <class P>
concept GamePosition =
    std::copyable<P> && GameMove<typename P::Move> &&
    requires(P p, const P c, typename P::Move m, typename P::Undo u, typename P::Kind kind,
             MoveList<typename P::Move> list, Side side, Square square) {
        { c.rules() } -> std::convertible_to<const typename P::Rules&>;
        { c.turn() } -> std::same_as<Side>;
        { c.mid_turn() } -> std::same_as<bool>;
        { c.key() } -> std::same_as<u64>;
        { c.key_from_scratch() } -> std::same_as<u64>;
        { c.halfmove() } -> std::same_as<u32>;
        { c.fullmove() } -> std::same_as<u32>;
        { c.at(square) };
        { c.occupied() };
        { c.occupied(side) };
        { c.pieces(side, kind) };
        { c.in_check() } -> std::same_as<bool>;
        // Legality. All that take a list append; non-const where it means to make and unmake.
        { p.legal_moves(list) };
        { p.legal_takes(list) };  // what a quiescence search looks at
        { c.pseudo_legal_moves(list) };
        { p.count_legal() } -> std::same_as<int>;
        { p.has_legal_move() } -> std::same_as<bool>;
        { p.is_legal(m) } -> std::same_as<bool>;
        { p.make(m, u) };  // m must be legal
        { p.unmake(m, u) };
        { p.make_null(u) };  // passes; not in check, not in mid-turn
        { p.unmake_null(u) };
        { u.key } -> std::convertible_to<u64>;  // of the position before the move
        // How the game has ended, if it has; told how often this position has stood.
        { p.outcome(int()) } -> std::same_as<std::optional<Outcome<typename P::Reason>>>;
        { P::PROBLEM_NAMES[0] } -> std::convertible_to<std::string_view>;
    };

// The vocabulary of text, found in fen.hpp and notation.hpp of each game.
//
// LAN is unique in a position (in chess the UCI text), SAN is short. A reader never throws: it
// answers with a value, or with offset, reason and problems. A turn is one move or several.
template <class P>
concept WrittenGame =
    GamePosition<P> &&
    requires(P p, const P c, const typename P::Rules& rules, typename P::Move m,
             std::vector<typename P::Move> turn, std::string_view text, bool san) {
        { read_fen(rules, text) } -> std::same_as<Result<P>>;
        { write_fen(c) } -> std::same_as<std::string>;
        { read_san(p, text) } -> std::same_as<Result<typename P::Move>>;
        { read_lan(p, text) } -> std::same_as<Result<typename P::Move>>;
        { read_turn(c, text) } -> std::same_as<Result<std::vector<typename P::Move>>>;
        { write_san(p, m) } -> std::same_as<std::string>;    // m must be legal
        { why_illegal(p, m) } -> std::same_as<std::string>;  // m must not be legal
        { write_lan(c, m) } -> std::same_as<std::string>;
        { write_turn(c, turn, san) } -> std::same_as<std::string>;
    };

// Sequences of `depth` moves. The last ply is counted, not made.
template <GamePosition P>
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
template <GamePosition P>
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
