// What a network sees of a position: numbered inputs, from either side's end of the board.
//
// Both games give their mailbox as an array of cells. A side's inputs are those of all cells, so
// that two positions differ only by the inputs of the cells in which they differ: that is all the
// accumulator needs to know of a move, be it a stack's, a deployment's or one that makes heroes.
#pragma once

#include "games/chess/position.hpp"
#include "games/ctl/position.hpp"

namespace cotulenh::engine {

template <class P>
struct Inputs;

// Own or enemy, standing (a carrier or alone) or carried, kind and heroic mark, point. The sea lies
// in the west for both, so ranks alone are flipped for the second side.
template <>
struct Inputs<ctl::Position> {
    using P = ctl::Position;
    using Cell = ctl::Stack;
    static constexpr const char* GAME = "cotulenh";
    static constexpr int POINTS = 12 * 12, CODES = ctl::PIECES - 1;
    static constexpr int COUNT = 2 * 2 * CODES * POINTS;
    static constexpr int CELLS = ctl::Frame::size, WAYS = 1, BUCKETS = 8;
    static constexpr int MOST = CELLS * ctl::MOST_IN_STACK;  // inputs a position can have
    static constexpr Cell NOTHING{};

    static const Cell* cells(const P& p) { return p.board(); }
    static int way(const P&, Side) { return 0; }
    static int bucket(const P& p) {
        return std::clamp((p.count(FIRST) + p.count(SECOND) - 1) / 5, 0, BUCKETS - 1);
    }
    // Where a point lies as a side sees it, and what follows for everything in its cell.
    static int place(const P& p, Square s, Side side, int) {
        const int rank = ctl::Frame::rank_of(s);
        return (side == FIRST ? rank : p.rules().spec.ranks - 1 - rank) * 12 +
               ctl::Frame::file_of(s);
    }
    // Calls visit(input of the first side, input of the second) for everything in a cell.
    template <class Visit>
    static void each(Cell cell, const int (&place)[2], Visit&& visit) {
        if (cell == NOTHING) return;
        const Side own = ctl::side_of(cell);
        int row[2] = {place[FIRST] - POINTS, place[SECOND] - POINTS};
        row[own ^ 1] += 2 * CODES * POINTS;
        int carried = CODES * POINTS;
        ctl::each_piece(cell, [&](ctl::Piece piece) {
            visit(row[FIRST] + piece * POINTS, row[SECOND] + piece * POINTS);
            row[FIRST] += carried, row[SECOND] += carried;  // all but the first
            carried = 0;
        });
    }
};

// Own or enemy, kind, square; turned so that the own king stands on the left half.
template <>
struct Inputs<chess::Position> {
    using P = chess::Position;
    using Cell = chess::Piece;
    static constexpr const char* GAME = "chess";
    static constexpr int COUNT = 2 * 6 * 64, CELLS = 64, WAYS = 2, BUCKETS = 8, MOST = 64;
    static constexpr Cell NOTHING = chess::EMPTY;

    static const Cell* cells(const P& p) { return p.board(); }
    static int way(const P& p, Side side) { return chess::file_of(p.king(side)) > 3; }
    static int bucket(const P& p) { return std::min((std::popcount(p.occupied()) - 1) / 4, 7); }
    static int place(const P&, Square s, Side side, int turned) {
        return s ^ (side == SECOND ? 56 : 0) ^ (turned ? 7 : 0);
    }
    template <class Visit>
    static void each(Cell cell, const int (&place)[2], Visit&& visit) {
        if (cell == chess::EMPTY) return;
        const int row = chess::kind_of(cell) * 64, enemy = chess::side_of(cell) == FIRST ? 0 : 384;
        visit(row + enemy + place[FIRST], row + 384 - enemy + place[SECOND]);
    }
};

// Where a square lies as either side sees it.
template <class P>
struct Places {
    int of[2];
    Places(const P& p, Square s, const int (&way)[2])
        : of{Inputs<P>::place(p, s, FIRST, way[FIRST]),
             Inputs<P>::place(p, s, SECOND, way[SECOND])} {}
};

// All inputs of a position, as a side sees it.
template <class P, class Visit>
void each_input(const P& p, Side side, Visit&& visit) {
    using I = Inputs<P>;
    const int way[2] = {I::way(p, FIRST), I::way(p, SECOND)};
    for (int s = 0; s < I::CELLS; ++s)
        I::each(I::cells(p)[s], Places<P>(p, Square(s), way).of,
                [&](int first, int second) { visit(side == FIRST ? first : second); });
}

}  // namespace cotulenh::engine
