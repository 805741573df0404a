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
#include "engine/lesson_maker.hpp"
#include "engine/nnue.hpp"
#include "engine/selfplay.hpp"
#include "engine/trainer.hpp"
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

void require_game(const Network* network, bool rules) {
    if (network && network->game() != (rules ? "cotulenh" : "chess"))
        throw nb::value_error("the network is for another game");
}

using TwoBytes = std::pair<nb::bytes, nb::bytes>;

TwoBytes selfplay_games(MaybeRules rules, const std::string& fen, int games, u64 nodes, u64 seed,
                        int random_moves, const std::optional<Pairs>& pairs,
                        std::shared_ptr<Network> network) {
    require_game(network.get(), rules.has_value());
    SelfPlayOptions options;
    options.games = games, options.nodes = nodes, options.seed = seed;
    options.random_moves = random_moves;
    return with_start(rules, fen, [&]<class P>(const P& start) -> TwoBytes {
        const auto weights = weights_of<P>(pairs);
        bool interrupted = false;
        Games played;
        {
            const nb::gil_scoped_release free;
            SelfPlay<P> play(start, options, weights, network);
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

void throw_if(const std::string& problem) {
    if (!problem.empty()) throw nb::value_error(problem.c_str());
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
        throw_if(replay(start, game_records, ply_records,
                        [&](const P& p, const PlyRecord& ply, u32 number, const GameRecord& game) {
                            if (!filter.keeps(ply, number)) return;
                            const int score = p.turn() == FIRST ? ply.score : -ply.score;
                            out.append(nb::make_tuple(text_of(p), score, int(game.result)));
                        }));
    });
    return out;
}

// Adds the quiet positions of games; of one game in `share` alone, or of all the others.
std::size_t add_lessons(Lessons& lessons, MaybeRules rules, const std::string& fen, nb::bytes games,
                        nb::bytes plies, int share, bool held_out, int first_ply, int largest,
                        int siblings, std::shared_ptr<Network> judge) {
    require_game(judge.get(), rules.has_value());
    auto game_records = records<GameRecord>(games, "games");
    const auto ply_records = records<PlyRecord>(plies, "plies");
    LessonOptions options{share, held_out, {}, siblings, std::move(judge)};
    options.filter.first_ply = first_ply, options.filter.largest = largest;
    with_start(rules, fen, [&]<class P>(const P& start) {
        std::string problem;
        {
            const nb::gil_scoped_release free;
            const auto maker = std::make_unique<LessonMaker<P>>(lessons, options);
            problem = maker->add(start, std::move(game_records), ply_records);
        }
        throw_if(problem);
    });
    return lessons.size();
}

nb::dict lessons_arrays(const Lessons& lessons) {
    nb::dict out;
    out["inputs"] = bytes_of(lessons.inputs), out["start"] = bytes_of(lessons.start);
    out["score"] = bytes_of(lessons.score), out["terms"] = bytes_of(lessons.terms);
    out["result"] = bytes_of(lessons.result), out["bucket"] = bytes_of(lessons.bucket);
    return out;
}

TrainerShape shape_of(int inputs, int hidden, int buckets, const std::vector<nb::bytes>& groups) {
    if (inputs < 1 || inputs > 65536) throw nb::value_error("expected 1 to 65536 inputs");
    if (hidden < 16 || hidden > 1024 || hidden % 16 != 0)
        throw nb::value_error("expected 16 to 1024 sums, a multiple of 16");
    if (buckets < 1 || buckets > 64) throw nb::value_error("expected 1 to 64 buckets");
    TrainerShape shape{inputs, hidden, buckets, {}};
    for (const nb::bytes& group : groups) {
        shape.groups.push_back(records<u32>(group, "groups"));
        const auto& rows = shape.groups.back();
        const bool fits = rows.size() == std::size_t(inputs) &&
                          *std::max_element(rows.begin(), rows.end()) < u32(inputs);
        if (!fits) throw nb::value_error("a group names a shared row for each input");
    }
    return shape;
}

// Bad numbers of inputs or buckets would reach beyond the arrays.
void check_fit(const Trainer& trainer, const Lessons& lessons, const TrainingOptions& o) {
    const TrainerShape& s = trainer.shape();
    if (lessons.size() == 0) throw nb::value_error("no positions to learn from");
    const auto most = [](const auto& v) { return int(*std::max_element(v.begin(), v.end())); };
    if (most(lessons.inputs) >= s.inputs || most(lessons.bucket) >= s.buckets)
        throw nb::value_error("the lessons are of another game than the network");
    if (o.threads < 1 || o.threads > 256) throw nb::value_error("expected 1 to 256 threads");
    if (o.batch < 1 || o.batches < 1) throw nb::value_error("expected at least one batch");
}

nb::dict trainer_weights(const Trainer& trainer) {
    nb::dict out;
    out["first"] = bytes_of(trainer.first()), out["bias"] = bytes_of(trainer.bias());
    out["last"] = bytes_of(trainer.last()), out["offset"] = bytes_of(trainer.offset());
    return out;
}

void trainer_start_from(Trainer& trainer, nb::bytes first, nb::bytes bias, nb::bytes last,
                        nb::bytes offset) {
    const bool fits =
        trainer.start_from(records<float>(first, "first"), records<float>(bias, "bias"),
                           records<float>(last, "last"), records<float>(offset, "offset"));
    if (!fits) throw nb::value_error("the layers have another shape than this network's");
}

void bind_training(nb::module_& m) {
    nb::class_<Lessons>(m, "Lessons", "Positions of games as a network sees them.")
        .def(nb::init<>())
        .def("__len__", &Lessons::size)
        .def("add", &add_lessons, "rules"_a.none(), "fen"_a, "games"_a, "plies"_a, nb::kw_only(),
             "share"_a = 0, "held_out"_a = false, "first_ply"_a = 8, "largest"_a = 2000,
             "siblings"_a = 0, "judge"_a.none() = nb::none(),
             "Adds the quiet positions of games: of one game in `share`, or of all the others.")
        .def("arrays", &lessons_arrays, nb::sig("def arrays(self) -> dict[str, bytes]"));
    nb::class_<TrainingOptions>(m, "TrainingOptions", "How a network learns.")
        .def(nb::init<>())
        .def_rw("batches", &TrainingOptions::batches)
        .def_rw("batch", &TrainingOptions::batch)
        .def_rw("first_rate", &TrainingOptions::first_rate)
        .def_rw("last_rate", &TrainingOptions::last_rate)
        .def_rw("trust", &TrainingOptions::trust)
        .def_rw("scale", &TrainingOptions::scale)
        .def_rw("decay", &TrainingOptions::decay)
        .def_rw("beside_terms", &TrainingOptions::beside_terms)
        .def_rw("threads", &TrainingOptions::threads);
    nb::class_<Trainer>(m, "Trainer", "A network that learns.")
        .def(
            "__init__",
            [](Trainer* self, int inputs, int hidden, int buckets,
               const std::vector<nb::bytes>& groups,
               u64 seed) { new (self) Trainer(shape_of(inputs, hidden, buckets, groups), seed); },
            "inputs"_a, "hidden"_a, "buckets"_a, "groups"_a, "seed"_a)
        .def(
            "train",
            [](Trainer& t, const Lessons& lessons, const TrainingOptions& o) {
                check_fit(t, lessons, o);
                const nb::gil_scoped_release free;
                return t.train(lessons, o);
            },
            "lessons"_a, "options"_a, "Learns from some batches; the mean loss.")
        .def(
            "loss",
            [](const Trainer& t, const Lessons& lessons, const TrainingOptions& o) {
                check_fit(t, lessons, o);
                const nb::gil_scoped_release free;
                return t.loss(lessons, o);
            },
            "lessons"_a, "options"_a, "The mean loss over all lessons.")
        .def("start_from", &trainer_start_from, "first"_a, "bias"_a, "last"_a, "offset"_a,
             "Goes on from the layers of a network, as 32-bit numbers.")
        .def("weights", &trainer_weights, nb::sig("def weights(self) -> dict[str, bytes]"),
             "The layers as 32-bit numbers: first, bias, last, offset.");
}

void bind_network(nb::module_& m) {
    nb::class_<Network>(m, "Network", "The numbers of an evaluation; see cotulenh.engine.network.")
        .def(nb::new_([](nb::bytes file) {
                 std::string reason;
                 auto made = Network::read({file.c_str(), file.size()}, reason);
                 throw_if(reason);
                 return std::const_pointer_cast<Network>(made);
             }),
             "file"_a)
        .def_prop_ro("game", &Network::game)
        .def_prop_ro("hidden", &Network::hidden)
        .def_prop_ro("buckets", &Network::buckets)
        .def_prop_ro("beside_terms", &Network::beside_terms)
        .def_prop_ro("decided", &Network::decided)
        .def_prop_ro("checksum", &Network::checksum);
    m.def(
        "network_says",
        [](std::shared_ptr<Network> network, MaybeRules rules,
           const std::vector<std::string>& fens) {
            std::vector<int> out;
            require_game(network.get(), rules.has_value());
            // One set of accumulators for all, as a search has.
            auto ctl = std::make_unique<Accumulators<ctl::Position>>();
            auto chess = std::make_unique<Accumulators<chess::Position>>();
            ctl->use(rules ? network : nullptr), chess->use(rules ? nullptr : network);
            for (const std::string& fen : fens)
                out.push_back(rules ? ctl->evaluate(start_of<ctl::Position>(**rules, fen))
                                    : chess->evaluate(start_of<chess::Position>({}, fen)));
            return out;
        },
        "network"_a, "rules"_a.none(), "fens"_a,
        "What a network says of positions one after the other, for the side to move.");
    m.def("use_plain_loops", &use_plain_loops, "plain"_a,
          "Leaves out what only newer processors can; for tests.");
}

}  // namespace

void bind_lab(nb::module_& m) {
    bind_training(m);
    bind_network(m);
    m.def("selfplay_games", &selfplay_games, "rules"_a.none(), "fen"_a, "games"_a, "nodes"_a,
          "seed"_a, "random_moves"_a, "weights"_a.none(), "network"_a.none() = nb::none(),
          nb::sig("def selfplay_games(rules: Rules | None, fen: str, games: int, nodes: int, seed: "
                  "int, random_moves: int, weights: Sequence[tuple[int, int]] | None, network: "
                  "Network | None = None) -> tuple[bytes, bytes]"),
          "Plays against itself: the records of games and of their plies (docs/networks.md).");
    m.def("quiet_positions", &quiet_positions, "rules"_a.none(), "fen"_a, "games"_a, "plies"_a,
          nb::sig("def quiet_positions(rules: Rules | None, fen: str, games: bytes, plies: bytes) "
                  "-> list[tuple[str, int, int]]"),
          "The quiet positions of games: FEN, what the search said, how the game ended (0, 1, 2), "
          "both for the first side.");
}

}  // namespace cotulenh::bindings
