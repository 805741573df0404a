// Perft of either game for Python: bounds checked, the interpreter's lock given up, Ctrl-C heard.
#pragma once

#include <memory>
#include <string>

#include "bindings/errors.hpp"
#include "engine/perft.hpp"

namespace cotulenh::bindings {

inline int within(int value, int least, int most, const char* name) {
    if (value >= least && value <= most) return value;
    throw nb::value_error((std::string(name) + " must be " + std::to_string(least) + " to " +
                           std::to_string(most) + ", got " + std::to_string(value))
                              .c_str());
}

template <class P>
u64 count_nodes(const P& position, int depth, int threads, int hash_mb, u64 hash_seed = 0) {
    within(depth, 0, MAX_PERFT_DEPTH, "depth");
    within(threads, 1, MAX_THREADS, "threads");
    within(hash_mb, 0, MAX_HASH_MB, "hash_mb");
    bool interrupted = false;
    u64 nodes = 0;
    try {
        const nb::gil_scoped_release free;
        std::unique_ptr<PerftTable> table;
        if (hash_mb) table = std::make_unique<PerftTable>(std::size_t(hash_mb));
        nodes = PerftRun<P>(position, depth, table.get(), hash_seed).count(threads, [&] {
            const nb::gil_scoped_acquire held;
            interrupted = interrupted || PyErr_CheckSignals() != 0;
            return !interrupted;
        });
    } catch (const std::bad_alloc&) {
        throw nb::value_error("there is not enough memory for a hash table of this size");
    }
    if (interrupted) throw nb::python_error();
    return nodes;
}

// The same, for each first move; `give` makes a move's object.
template <class P, class Give>
nb::dict divide_nodes(const P& position, int depth, Give&& give) {
    within(depth, 1, MAX_PERFT_DEPTH, "depth");
    nb::dict out;
    P p = position;
    MoveList<typename P::Move> moves;
    p.legal_moves(moves);
    typename P::Undo undo;
    for (const auto m : moves) {
        p.make(m, undo);
        out[give(m)] = count_nodes(p, depth - 1, 1, 0);
        p.unmake(m, undo);
    }
    return out;
}

}  // namespace cotulenh::bindings
