// The laboratory towards Python: self-play and the positions of its games.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/errors.hpp"
#include "engine/game_chess.hpp"
#include "engine/game_ctl.hpp"
#include "engine/selfplay.hpp"
#include "games/chess/notation.hpp"
#include "games/ctl/fen.hpp"

namespace cotulenh::bindings {
namespace {

using namespace engine;
using namespace nanobind::literals;
using MaybeRules = std::optional<std::shared_ptr<const ctl::Rules>>;
using Pairs = std::vector<std::pair<int, int>>;

template <class P>
P start_of(const typename P::Rules& rules, const std::string& fen) {
    const auto read = read_fen(rules, fen);
    if (!read) throw nb::value_error(read.error().reason.c_str());
    return *read;
}

// Calls visit(position) with the start position of either game.
template <class Visit>
auto with_start(const MaybeRules& rules, const std::string& fen, Visit&& visit) {
    return rules ? visit(start_of<ctl::Position>(**rules, fen))
                 : visit(start_of<chess::Position>({}, fen));
}

template <class P>
typename Game<P>::Weights weights_of(const std::optional<Pairs>& pairs) {
    typename Game<P>::Weights w = Game<P>::weights();
    if (pairs && pairs->size() != w.of.size())
        throw nb::value_error(("expected " + std::to_string(w.of.size()) + " weights, got " +
                               std::to_string(pairs->size()))
                                  .c_str());
    for (std::size_t i = 0; pairs && i < w.of.size(); ++i)
        w.of[i] = pair((*pairs)[i].first, (*pairs)[i].second);
    return w;
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& v) {
    return nb::bytes(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
}

using TwoBytes = std::pair<nb::bytes, nb::bytes>;

TwoBytes selfplay_games(MaybeRules rules, const std::string& fen, int games, u64 nodes, u64 seed,
                        int random_moves, const std::optional<Pairs>& pairs) {
    SelfPlayOptions options;
    options.games = games, options.nodes = nodes, options.seed = seed;
    options.random_moves = random_moves;
    return with_start(rules, fen, [&]<class P>(const P& start) -> TwoBytes {
        const auto weights = weights_of<P>(pairs);
        bool interrupted = false;
        Games played;
        {
            const nb::gil_scoped_release free;
            SelfPlay<P> play(start, options, weights);
            played = play.run([&] {
                const nb::gil_scoped_acquire held;
                return !(interrupted = PyErr_CheckSignals() != 0);
            });
        }
        if (interrupted) throw nb::python_error();
        return {bytes_of(played.games), bytes_of(played.plies)};
    });
}

// The records of one kind in raw bytes; they need not be aligned.
template <class Record>
std::vector<Record> records(nb::bytes raw, const char* what) {
    if (raw.size() % sizeof(Record) != 0)
        throw nb::value_error((std::string(what) + ": not a whole number of records").c_str());
    std::vector<Record> out(raw.size() / sizeof(Record));
    if (!out.empty()) std::memcpy(out.data(), raw.data(), raw.size());
    return out;
}

// Plays games again, calling visit(position, ply, number, game) before each move.
template <class P, class Visit>
void replay(const P& start, const std::vector<GameRecord>& games,
            const std::vector<PlyRecord>& plies, Visit&& visit) {
    for (const GameRecord& game : games) {
        if (game.first > plies.size() || game.count > plies.size() - game.first)
            throw nb::value_error("the game's moves lie outside the data");
        P p = start;
        for (u32 i = 0; i < game.count; ++i) {
            const PlyRecord& ply = plies[game.first + i];
            const auto m = P::Move::from_bits(ply.move);
            visit(p, ply, i, game);
            if (!p.is_legal(m))
                throw nb::value_error(
                    ("move " + std::to_string(i + 1) + " of a game is not legal").c_str());
            typename P::Undo undo;
            p.make(m, undo);
        }
    }
}

std::string text_of(const ctl::Position& p) { return ctl::write_fen(p); }
std::string text_of(const chess::Position& p) { return chess::write_fen(p); }

nb::list quiet_positions(MaybeRules rules, const std::string& fen, nb::bytes games,
                         nb::bytes plies) {
    const auto game_records = records<GameRecord>(games, "games");
    const auto ply_records = records<PlyRecord>(plies, "plies");
    nb::list out;
    with_start(rules, fen, [&]<class P>(const P& start) {
        const Filter filter;
        replay(start, game_records, ply_records,
               [&](const P& p, const PlyRecord& ply, u32 number, const GameRecord& game) {
                   if (!filter.keeps(ply, number)) return;
                   const int score = p.turn() == FIRST ? ply.score : -ply.score;
                   out.append(nb::make_tuple(text_of(p), score, int(game.result)));
               });
    });
    return out;
}

}  // namespace

void bind_lab(nb::module_& m) {
    m.def("selfplay_games", &selfplay_games, "rules"_a.none(), "fen"_a, "games"_a, "nodes"_a,
          "seed"_a, "random_moves"_a, "weights"_a.none(),
          nb::sig("def selfplay_games(rules: Rules | None, fen: str, games: int, nodes: int, seed: "
                  "int, random_moves: int, weights: Sequence[tuple[int, int]] | None) -> "
                  "tuple[bytes, bytes]"),
          "Plays against itself: the records of games and of their plies (docs/networks.md).");
    m.def("quiet_positions", &quiet_positions, "rules"_a.none(), "fen"_a, "games"_a, "plies"_a,
          nb::sig("def quiet_positions(rules: Rules | None, fen: str, games: bytes, plies: bytes) "
                  "-> list[tuple[str, int, int]]"),
          "The quiet positions of games: FEN, what the search said, how the game ended (0, 1, 2), "
          "both for the first side.");
}

}  // namespace cotulenh::bindings
