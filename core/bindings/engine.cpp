// The engine towards Python: values and exceptions converted, nothing else.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/boards.hpp"
#include "bindings/errors.hpp"
#include "engine/engine.hpp"

namespace cotulenh::bindings {
namespace {

using namespace engine;
using namespace nanobind::literals;
using RulesPtr = std::shared_ptr<const ctl::Rules>;
using MaybeRules = std::optional<RulesPtr>;

template <class P>
P position_of(const typename P::Rules& rules, const std::string& fen) {
    const auto read = read_fen(rules, fen);
    if (!read) throw nb::value_error(read.error().reason.c_str());
    return *read;
}

constexpr char BUSY[] = "the engine is thinking already: stop it first";

// The engine with what only Python asks for: signals looked at while waiting, its lock set free.
class PyEngine {
  public:
    PyEngine(int threads, int hash_mb) : engine_(threads, std::size_t(hash_mb)) {
        const std::size_t most = physical_memory_mb();
        if (std::size_t(hash_mb) <= most) return;
        const std::string text = "hash_mb is more than this machine's memory (" +
                                 std::to_string(most) + " MB): " + std::to_string(hash_mb);
        throw nb::value_error(text.c_str());
    }
    ~PyEngine() {
        const nb::gil_scoped_release free;
        engine_.finish(0);
    }
    Engine& operator*() { return engine_; }
    Engine* operator->() { return &engine_; }

    // The next report of a search; nothing when it is over.
    std::optional<Report> next(Engine::Ticket ticket) {
        constexpr std::chrono::milliseconds PATIENCE(50);
        while (true) {
            Report report;
            Waited waited;
            {
                const nb::gil_scoped_release free;
                waited = engine_.next(ticket, PATIENCE, report);
            }
            if (waited == Waited::OVER) return std::nullopt;
            if (waited == Waited::REPORT) return report;
            if (PyErr_CheckSignals() == 0) continue;
            engine_.stop(ticket);
            throw nb::python_error();
        }
    }
    std::pair<u32, u32> best(Engine::Ticket ticket) {
        if (const auto found = engine_.best(ticket)) return *found;
        throw nb::value_error("the search is not over");
    }
    void finish(Engine::Ticket ticket) {
        const nb::gil_scoped_release free;
        engine_.finish(ticket);
    }
    void new_game() {
        const nb::gil_scoped_release free;
        if (engine_.new_game()) return;
        const nb::gil_scoped_acquire held;
        throw nb::value_error(BUSY);
    }
    // Nobody starts a search meanwhile.
    template <class Change>
    void change(Change&& change) {
        if (!engine_.change(change)) throw nb::value_error(BUSY);
    }

  private:
    Engine engine_;
};

// The limit as cotulenh.engine.Limit has it: what is not given is None.
Limit limit_of(nb::handle h) {
    Limit limit;
    const auto given = [&](const char* name, auto& value) {
        const nb::object found = h.attr(name);
        if (!found.is_none()) value = nb::cast<std::decay_t<decltype(value)>>(found);
    };
    given("time", limit.time), given("depth", limit.depth), given("nodes", limit.nodes);
    given("mate", limit.mate), given("infinite", limit.infinite);
    given("moves_to_go", limit.moves_to_go), given("increments", limit.increments);
    given("times", limit.times);
    return limit;
}

[[noreturn]] void refuse(Started started) {
    if (started == Started::BUSY) throw nb::value_error(BUSY);
    throw nb::value_error(started == Started::NO_LEGAL_MOVES
                              ? "the position has no legal moves"
                              : "none of the given root moves is legal");
}

void start(PyEngine& engine, nb::handle board, nb::handle limit, int multipv,
           std::optional<std::vector<u32>> only, bool ponder) {
    const Engine::Options options{multipv, ponder, std::move(only)};
    const Limit asked = limit_of(limit);
    try {
        const auto begin = [&]<class P>(const Board<P>& b, const RulesPtr& rules) {
            const Root<P> root(b);  // other threads of Python may go on with the board
            const nb::gil_scoped_release free;
            return engine->start(root, asked, options, rules);
        };
        const Started started = with_board(board, begin);
        if (started != Started::OK) refuse(started);
    } catch (const std::bad_alloc&) {
        throw nb::value_error("there is not enough memory for a hash table of this size");
    }
}

using Terms = std::vector<std::tuple<std::string, int, int>>;

template <class Explained>
std::pair<int, Terms> named(const Explained& e, const std::vector<TermGroup>& groups) {
    Terms out;
    for (std::size_t i = 0; i < groups.size(); ++i)
        out.emplace_back(std::string(groups[i].name), e.groups[i][0], e.groups[i][1]);
    return {e.score, out};
}

// The terms by name, and what the network makes of them.
template <class P>
std::pair<int, Terms> evaluate_with(PyEngine& engine, const P& p, std::pair<int, Terms> plain) {
    const Settings<P>& settings = engine->settings<P>();
    auto memory = std::make_unique<typename Game<P>::Memory>();
    memory->net.use(settings.network);
    const bool wanted = settings.network && engine->features() & NETWORK;
    const Score score = Game<P>::evaluate(p, settings.weights, *memory, wanted);
    const Score learnt = p.turn() == FIRST ? score - plain.first : plain.first - score;
    if (wanted) plain.second.emplace_back("network", std::max(learnt, 0), std::max(-learnt, 0));
    return {score, plain.second};
}

std::pair<int, Terms> evaluate_position(PyEngine& engine, const ctl::Position& p) {
    const auto& w = engine->settings<ctl::Position>().weights;
    return evaluate_with(engine, p, named(ctl_eval::explain(p, w), ctl_eval::GROUPS));
}

std::pair<int, Terms> evaluate_position(PyEngine& engine, const chess::Position& p) {
    const auto& w = engine->settings<chess::Position>().weights;
    return evaluate_with(engine, p, named(chess_eval::explain(p, w), chess_eval::GROUPS));
}

std::pair<int, Terms> evaluate(PyEngine& engine, nb::handle board) {
    return with_board(board, [&]<class P>(const Board<P>& b, const RulesPtr&) {
        return evaluate_position(engine, b.position());
    });
}

int see(nb::handle board, u32 bits) {
    return with_board(board, [&]<class P>(Board<P>& b, const RulesPtr&) {
        const auto m = P::Move::from_bits(bits);
        if (!b.position().is_legal(m)) throw nb::value_error("the move is not legal");
        return Game<P>::see(b.position(), m);
    });
}

bool commute(nb::handle board, u32 first, u32 second) {
    return with_board(board, [&]<class P>(const Board<P>& b, const RulesPtr&) {
        return Game<P>::commute(b.position(), P::Move::from_bits(first),
                                P::Move::from_bits(second));
    });
}

// Weights as pairs (full board, bare board), in the order of the terms.
using Pairs = std::vector<std::pair<int, int>>;

template <class W>
Pairs pairs_of(const W& weights) {
    Pairs out;
    for (const Pair p : weights.of) out.emplace_back(full_of(p), bare_of(p));
    return out;
}

template <class W>
W weights_of(const Pairs& pairs) {
    W made;
    if (pairs.size() != made.of.size())
        throw nb::value_error(
            ("this game has " + std::to_string(made.of.size()) + " weights").c_str());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        made.of[i] = pair(pairs[i].first, pairs[i].second);
    return made;
}

void set_weights(PyEngine& engine, bool chess, const Pairs& pairs) {
    engine.change([&] {
        if (chess)
            engine->settings<chess::Position>().weights = weights_of<chess_eval::Weights>(pairs);
        else
            engine->settings<ctl::Position>().weights = weights_of<ctl_eval::Weights>(pairs);
    });
}

void set_network(PyEngine& engine, std::shared_ptr<Network> network) {
    engine.change([&] {
        if (network->game() == "chess")
            engine->settings<chess::Position>().network = std::move(network);
        else
            engine->settings<ctl::Position>().network = std::move(network);
    });
}

void set_parameters(PyEngine& engine, const nb::dict& values) {
    Parameters made;
    for (const auto& [key, value] : values) {
        const std::string name = nb::cast<std::string>(key);
        const auto* found = std::find_if(std::begin(PARAMETERS), std::end(PARAMETERS),
                                         [&](const ParameterRange& p) { return p.name == name; });
        if (found == std::end(PARAMETERS))
            throw nb::value_error(("no such parameter of the search: " + name).c_str());
        const int number = nb::cast<int>(value);
        if (number < found->low || number > found->high) {
            const std::string text = name + " must be " + std::to_string(found->low) + " to " +
                                     std::to_string(found->high) + ": " + std::to_string(number);
            throw nb::value_error(text.c_str());
        }
        made.*found->value = number;
    }
    engine.change([&] { engine->set_parameters(made); });
}

Terms term_groups(bool chess) {
    Terms out;
    for (const TermGroup& g : chess ? chess_eval::GROUPS : ctl_eval::GROUPS)
        out.emplace_back(std::string(g.name), g.first, g.count);
    return out;
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& v) {
    return nb::bytes(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
}

// What the evaluation counts in positions: sparse rows as raw numbers; numpy.frombuffer reads them.
nb::dict trace(MaybeRules rules, const std::vector<std::string>& fens) {
    std::vector<u32> start{0};
    std::vector<u16> term, phase;
    std::vector<std::int16_t> count;
    for (const std::string& fen : fens) {
        const Trace t = rules ? ctl_eval::trace(position_of<ctl::Position>(**rules, fen))
                              : chess_eval::trace(position_of<chess::Position>({}, fen));
        for (std::size_t i = 0; i < t.counts.size(); ++i)
            if (t.counts[i]) term.push_back(u16(i)), count.push_back(t.counts[i]);
        start.push_back(u32(term.size()));
        phase.push_back(u16(t.phase));
    }
    nb::dict out;
    out["start"] = bytes_of(start), out["term"] = bytes_of(term);
    out["count"] = bytes_of(count), out["phase"] = bytes_of(phase);
    return out;
}

void bind_report(nb::module_& m) {
    nb::class_<Report>(m, "Report", "What a search has found at one moment, in plain numbers.")
        .def_ro("depth", &Report::depth)
        .def_ro("seldepth", &Report::seldepth)
        .def_ro("multipv", &Report::multipv)
        .def_prop_ro("is_mate", [](const Report& t) { return is_mate(t.score); })
        .def_prop_ro(
            "value",
            [](const Report& t) { return is_mate(t.score) ? mate_turns(t.score) : t.score; },
            "Centipawns, or turns to mate.")
        .def_prop_ro(
            "bound",
            [](const Report& t) { return t.bound == LOWER   ? 1
                                         : t.bound == UPPER ? -1
                                                            : 0; },
            "1: at least this, -1: at most this, 0: exactly.")
        .def_ro("nodes", &Report::nodes)
        .def_ro("time", &Report::time)
        .def_ro("hashfull", &Report::hashfull)
        .def_ro("pv", &Report::pv);
}

// Counters by name; samples as (checked, wrong).
nb::dict statistics(PyEngine& engine) {
    Statistics found;
    engine.change([&] { found = engine->statistics(); });
    nb::dict counts, samples, out;
    for (std::size_t i = 0; i < found.counts.size(); ++i)
        counts[nb::str(COUNT_NAMES[i].data(), COUNT_NAMES[i].size())] = found.counts[i];
    for (std::size_t i = 0; i < found.samples.size(); ++i)
        samples[nb::str(GUESS_NAMES[i].data(), GUESS_NAMES[i].size())] =
            nb::make_tuple(found.samples[i].checked, found.samples[i].wrong);
    out["counts"] = counts;
    out["samples"] = samples;
    return out;
}

void bind_class(nb::module_& m) {
    nb::class_<PyEngine>(m, "Engine", "The search of both games, behind cotulenh.engine.Engine.")
        .def(nb::init<int, int>(), "threads"_a, "hash_mb"_a)
        .def("start", &start, "board"_a, "limit"_a, nb::kw_only(), "multipv"_a,
             "root_moves"_a.none(), "ponder"_a)
        .def("next", &PyEngine::next, "ticket"_a, "Waits for the next report; None: it is over.")
        .def("best", &PyEngine::best, "ticket"_a, "The move to play and the expected answer, or 0.")
        .def(
            "stop", [](PyEngine& engine, u64 ticket) { engine->stop(ticket); }, "ticket"_a,
            "Ends a search soon; 0: whichever is under way.")
        .def("finish", &PyEngine::finish, "ticket"_a, "The same, and waits for the end.")
        .def("ponderhit", [](PyEngine& engine) { engine->ponderhit(); })
        .def("new_game", &PyEngine::new_game)
        .def_prop_ro("is_thinking", [](PyEngine& engine) { return engine->is_searching(); })
        .def_prop_ro("ticket", [](PyEngine& engine) { return engine->ticket(); })
        .def("evaluate", &evaluate, "board"_a)
        .def_prop_rw(
            "features", [](PyEngine& engine) { return engine->features(); },
            [](PyEngine& engine, u32 bits) { engine.change([&] { engine->set_features(bits); }); },
            "Parts of the search that are switched on, as bits.")
        .def(
            "collect_statistics",
            [](PyEngine& engine, int sample_every) {
                engine.change([&] { engine->collect_statistics(sample_every); });
            },
            "sample_every"_a, "Counts from now on; checks one guess of so many, 0: none.")
        .def("statistics", &statistics,
             nb::sig("def statistics(self) -> dict[str, dict[str, object]]"),
             "Counters of the searches since, and of the guesses checked: (checked, wrong).")
        .def("set_weights", &set_weights, "chess"_a, "pairs"_a)
        .def("set_network", &set_network, "network"_a, "The network of its game from now on.")
        .def("set_parameters", &set_parameters, "values"_a,
             nb::sig("def set_parameters(self, values: dict[str, int]) -> None"),
             "Margins of the search by name; the others get their defaults.");
}

}  // namespace

void bind_engine(nb::module_& m) {
    bind_report(m);
    bind_class(m);
    m.def(
        "features",
        [] {
            nb::dict out;
            u32 bit = 1;
            for (const std::string_view name : FEATURE_NAMES)
                out[nb::str(name.data(), name.size())] = bit, bit <<= 1;
            return out;
        },
        nb::sig("def features() -> dict[str, int]"), "The parts of the search and their bits.");
    m.def(
        "parameters",
        [] {
            nb::dict out;
            const Parameters defaults;
            for (const ParameterRange& p : PARAMETERS)
                out[nb::str(p.name.data(), p.name.size())] =
                    nb::make_tuple(defaults.*p.value, p.low, p.high);
            return out;
        },
        nb::sig("def parameters() -> dict[str, tuple[int, int, int]]"),
        "The margins of the search: default, least, greatest.");
    m.def(
        "weights",
        [](bool chess) {
            return chess ? pairs_of(chess_eval::DEFAULT) : pairs_of(ctl_eval::DEFAULT);
        },
        "chess"_a, "The weights the evaluation was built with: (full board, bare board).");
    m.def("term_groups", &term_groups, "chess"_a, "Runs of weights: (name, first, count).");
    m.def("trace", &trace, "rules"_a.none(), "fens"_a,
          nb::sig("def trace(rules: Rules | None, fens: Sequence[str]) -> dict[str, bytes]"),
          "What the evaluation counts in positions, first side minus second, as sparse rows.");
    m.def("see", &see, "board"_a, "move"_a,
          "Static exchange evaluation: what a legal move wins if both sides go on taking on its "
          "target as long as it pays.");
    m.def(
        "commute", &commute, "board"_a, "first"_a, "second"_a,
        "Two steps of a deployment, the first of them made: may it make them in the other order?");
}

}  // namespace cotulenh::bindings
