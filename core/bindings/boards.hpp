// The boards that Python holds, for bindings that are given one of either game.
#pragma once

#include <nanobind/nanobind.h>

#include "bindings/errors.hpp"
#include "games/board.hpp"
#include "games/chess/notation.hpp"
#include "games/ctl/notation.hpp"

namespace cotulenh::bindings {

// A board of Cờ Tư Lệnh keeps its rule set alive.
struct PyBoard {
    std::shared_ptr<const ctl::Rules> rules;
    Board<ctl::Position> board;

    ctl::Position& position() { return board.position(); }
};

// Calls visit(board, rules) with what Python gave as a board; of chess there are no rules. An
// unfinished position is refused.
template <class Visit>
auto with_board(nanobind::handle given, Visit&& visit) {
    namespace nb = nanobind;
    const std::shared_ptr<const ctl::Rules> none;
    if (nb::isinstance<PyBoard>(given)) {
        PyBoard& b = nb::cast<PyBoard&>(given);
        playable(b.board);
        return visit(b.board, b.rules);
    }
    if (!nb::isinstance<Board<chess::Position>>(given)) {
        const std::string text = "expected a board, got " + std::string(nb::repr(given).c_str());
        throw nb::value_error(text.c_str());
    }
    auto& board = nb::cast<Board<chess::Position>&>(given);
    playable(board);
    return visit(board, none);
}

}  // namespace cotulenh::bindings
