// Where a position differs from the one that was evaluated before it. A search knows which points
// its moves have touched: only these are looked at.
#pragma once

#include "engine/simd.hpp"
#include "games/ctl/position.hpp"

namespace cotulenh::engine {

// A small board is compared as a whole, faster than any book could be kept.
template <class P>
class Journal {
  public:
    void begin() {}
    void lose() {}
    template <int CELLS, class Cell, class Visit>
    void each_difference(const Cell* before, const Cell* now, Visit&& visit) {
        engine::each_difference<CELLS>(before, now, visit);
    }
};

template <>
class Journal<ctl::Position> {
  public:
    // From here on whoever changes the position notes it. Without that, any position may come next.
    void begin() { kept_ = lost_ = true; }
    void lose() { lost_ = true; }
    void note(const ctl::Set& touched) { touched_ |= touched; }
    // Calls visit(square) for every difference; the next question is about what comes after.
    template <int CELLS, class Cell, class Visit>
    void each_difference(const Cell* before, const Cell* now, Visit&& visit) {
        if (lost_)
            engine::each_difference<CELLS>(before, now, visit);
        else
            touched_.each([&](Square s) {
                if (!(before[s] == now[s])) visit(s);
            });
        touched_ = {};
        lost_ = !kept_;
    }

  private:
    ctl::Set touched_;
    bool kept_ = false, lost_ = true;
};

}  // namespace cotulenh::engine
