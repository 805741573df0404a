// What a position of Cờ Tư Lệnh is worth.
#pragma once

#include "engine/stands_ctl.hpp"

namespace cotulenh::engine::ctl_eval {

// Values of stacks by the weights, for exchanges and ordering.
struct PieceValues {
    std::array<int, ctl::PIECES> of{};
    explicit PieceValues(const Weights& weights);
    int stack(ctl::Group s) const {
        int value = 0;
        ctl::each_piece(s, [&](ctl::Piece p) { value += of[p]; });
        return value;
    }
};

// For the side to move. The stands must be cleared when the numbers of the weights change.
Score evaluate(const ctl::Position& p, const Weights& weights, Stands& stands);
struct Explained {
    Score score;
    std::vector<std::array<int, 2>> groups;
};
Explained explain(const ctl::Position& p, const Weights& weights);
Trace trace(const ctl::Position& p);

}  // namespace cotulenh::engine::ctl_eval
