#include "engine/net_chess.hpp"

#include <algorithm>

namespace cotulenh::engine::chess_net {
namespace {

using namespace chess;

// The clamped sums squared, weighed and summed up.
int weigh(const std::int16_t* sums, const std::int16_t* weights) {
    int total = 0;
    for (int i = 0; i < HIDDEN; ++i) {
        const std::int16_t v = std::clamp<std::int16_t>(sums[i], 0, ONE);
        total += int(std::int16_t(v * weights[i])) * v;
    }
    return total;
}

}  // namespace

View::View() { std::copy_n(NET.bias, HIDDEN, sums_); }

const std::int16_t* View::see(const chess::Position& p, Side side, bool turned) {
    int come[32], gone[32], more = 0, less = 0;
    for (int owner = WHITE; owner <= BLACK; ++owner)
        for (int k = PAWN; k <= KING; ++k) {
            const Bits before = seen_[owner][k], now = p.pieces(Side(owner), Kind(k));
            if (before == now) continue;
            const auto row = [&](Square s) { return input(side, turned, Side(owner), Kind(k), s); };
            for (Bits rest = now & ~before; rest;) come[more++] = row(pop(rest));
            for (Bits rest = before & ~now; rest;) gone[less++] = row(pop(rest));
            seen_[owner][k] = now;
        }
    // Mostly a piece goes from one square to another: both at once.
    while (more && less) {
        const auto &plus = NET.first[come[--more]], &minus = NET.first[gone[--less]];
        for (int i = 0; i < HIDDEN; ++i) sums_[i] = std::int16_t(sums_[i] + plus[i] - minus[i]);
    }
    while (more) {
        const auto& plus = NET.first[come[--more]];
        for (int i = 0; i < HIDDEN; ++i) sums_[i] = std::int16_t(sums_[i] + plus[i]);
    }
    while (less) {
        const auto& minus = NET.first[gone[--less]];
        for (int i = 0; i < HIDDEN; ++i) sums_[i] = std::int16_t(sums_[i] - minus[i]);
    }
    return sums_;
}

Score Memory::evaluate(const chess::Position& p) {
    const Side us = p.turn();
    const int b = bucket(p);
    int total = 0;
    for (const Side side : {us, Side(us ^ 1)}) {
        const bool way = turned(p, side);
        total += weigh(views_[side][way].see(p, side, way), NET.last[b][side != us]);
    }
    return (total / ONE + NET.offset[b]) * CENTIPAWNS / (ONE * UNIT);
}

}  // namespace cotulenh::engine::chess_net
