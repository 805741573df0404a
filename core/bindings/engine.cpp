// The engine towards Python: searches that run in threads of their own and are asked for thoughts.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <deque>

#include "bindings/errors.hpp"
#include "engine/game_chess.hpp"
#include "engine/game_ctl.hpp"
#include "engine/player.hpp"
#include "games/chess/notation.hpp"
#include "games/ctl/fen.hpp"

#if defined(__unix__)
#include <unistd.h>
#endif

namespace cotulenh::bindings {
namespace {

using namespace engine;
using namespace nanobind::literals;
using RulesPtr = std::shared_ptr<const ctl::Rules>;
using MaybeRules = std::optional<RulesPtr>;

// A game as Python tells it: the first position and the moves since, checked once more.
struct ChessStory {
    chess::Position position;
    std::vector<u64> keys;

    ChessStory(const std::string& fen, bool chess960, const std::vector<u32>& moves) {
        if (const auto error = chess::read_fen(fen, chess960, position); error)
            throw nb::value_error(error.reason.c_str());
        keys.push_back(position.key());
        for (const u32 bits : moves) {
            const chess::Move m = chess::Move::from_bits(bits);
            if (!position.is_legal(m)) throw nb::value_error("the game holds an illegal move");
            chess::Position::Undo undo;
            position.make(m, undo);
            keys.push_back(position.key());
        }
    }
};

struct CtlStory {
    ctl::Position position;
    std::vector<u64> keys;

    CtlStory(const ctl::Rules& rules, const std::string& fen, const std::vector<u32>& moves)
        : position(read(rules, fen)) {
        note();
        for (const u32 bits : moves) {
            const ctl::Move m = ctl::Move::from_bits(bits);
            if (!position.is_legal(m)) throw nb::value_error("the game holds an illegal move");
            ctl::Undo undo;
            position.make(m, undo);
            note();
        }
    }

  private:
    static ctl::Position read(const ctl::Rules& rules, const std::string& fen) {
        ctl::FenResult result = ctl::read_fen(rules, fen);
        if (!result.position) throw nb::value_error(result.error.reason.c_str());
        return *result.position;
    }
    void note() {
        if (!position.deploying()) keys.push_back(position.key());
    }
};

// The legal moves of the root, or those of them that were asked for.
template <class P>
std::vector<typename P::Move> root_moves(P& p, const std::optional<std::vector<u32>>& only) {
    using Move = typename P::Move;
    MoveList<Move> legal;
    p.legal_moves(legal);
    if (legal.empty()) throw nb::value_error("the position has no legal moves");
    if (!only) return {legal.begin(), legal.end()};
    std::vector<Move> out;
    for (const Move m : legal)
        if (std::find(only->begin(), only->end(), u32(m.bits())) != only->end()) out.push_back(m);
    if (out.empty()) throw nb::value_error("none of the given root moves is legal");
    return out;
}

std::size_t memory_mb() {
#if defined(__unix__)
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0) return std::size_t(pages) / 1024 * std::size_t(size) / 1024;
#endif
    return 1 << 20;
}

// Owns the hash table, the workers and the thread of the search under way. A ticket names a search,
// so that whoever holds an old one is told that it is over.
class Mind {
  public:
    Mind(int threads, int hash_mb) : threads_(threads), hash_mb_(std::size_t(hash_mb)) {
        if (hash_mb_ > memory_mb()) {
            const std::string text = "hash_mb is more than this machine's memory (" +
                                     std::to_string(memory_mb()) +
                                     " MB): " + std::to_string(hash_mb);
            throw nb::value_error(text.c_str());
        }
    }
    ~Mind() {
        const nb::gil_scoped_release free;
        end();
    }

    template <class P>
    void start(const Question<P>& q, RulesPtr rules, const typename Game<P>::Weights& weights) {
        if (is_thinking()) throw nb::value_error("the engine is thinking already: stop it first");
        const nb::gil_scoped_release free;
        join();
        Player<P>& player = player_for<P>(std::move(rules));
        player.prepare(q, *table_, features_, weights, [this](const Thought& t) { hear(t); });
        const std::lock_guard lock(mutex_);
        thoughts_.clear();
        finished_ = false;
        ++ticket_;
        thread_ = std::thread([this, &player] {
            player.run();
            const std::lock_guard lock(mutex_);
            finished_ = true;
            changed_.notify_all();
        });
    }

    // The next thought of a search; nothing when it is over. Signals are looked at meanwhile.
    std::optional<Thought> next(u64 ticket) {
        while (true) {
            {
                const nb::gil_scoped_release free;
                std::unique_lock lock(mutex_);
                const auto ready = [&] {
                    return ticket != ticket_ || !thoughts_.empty() || finished_;
                };
                if (changed_.wait_for(lock, std::chrono::milliseconds(50), ready)) {
                    if (ticket != ticket_ || thoughts_.empty()) return std::nullopt;
                    Thought t = std::move(thoughts_.front());
                    thoughts_.pop_front();
                    return t;
                }
            }
            if (PyErr_CheckSignals() != 0) {
                stop(ticket);
                throw nb::python_error();
            }
        }
    }

    std::pair<u32, u32> best(u64 ticket) {
        const std::lock_guard lock(mutex_);
        if (ticket != ticket_ || !finished_) throw nb::value_error("the search is not over");
        return {player_->best(), player_->ponder()};
    }

    void stop(u64 ticket) {
        const std::lock_guard lock(mutex_);
        if ((ticket && ticket != ticket_) || !player_ || finished_) return;
        player_->stop();
    }
    void ponderhit() {
        const std::lock_guard lock(mutex_);
        if (player_ && !finished_) player_->ponderhit();
    }
    void finish(u64 ticket) {
        stop(ticket);
        const nb::gil_scoped_release free;
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return finished_ || (ticket && ticket != ticket_); });
    }
    void new_game() {
        if (is_thinking()) throw nb::value_error("the engine is thinking already: stop it first");
        const nb::gil_scoped_release free;
        if (table_) table_->clear();
        if (player_) player_->forget();
    }

    bool is_thinking() const {
        const std::lock_guard lock(mutex_);
        return !finished_;
    }
    u64 ticket() const {
        const std::lock_guard lock(mutex_);
        return ticket_;
    }
    u32 features_ = EVERYTHING;
    std::optional<chess_eval::Weights> chess_weights_;
    std::optional<ctl_eval::Weights> ctl_weights_;

  private:
    // Another game or rule set starts with an empty table: the same key may mean something else.
    template <class P>
    Player<P>& player_for(RulesPtr rules) {
        if (!table_) table_ = std::make_unique<Table>(hash_mb_);
        auto* player = dynamic_cast<Player<P>*>(player_.get());
        if (player && rules == rules_) return *player;
        const bool changed = player_ != nullptr;
        player_ = std::make_unique<Player<P>>(threads_);
        rules_ = std::move(rules);
        if (changed) table_->clear();
        return static_cast<Player<P>&>(*player_);
    }

    void hear(const Thought& t) {
        const std::lock_guard lock(mutex_);
        thoughts_.push_back(t);
        changed_.notify_all();
    }
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    void end() {
        stop(0);
        join();
    }

    const int threads_;
    const std::size_t hash_mb_;
    std::unique_ptr<Table> table_;
    RulesPtr rules_;
    std::unique_ptr<Thinker> player_;
    std::thread thread_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Thought> thoughts_;
    bool finished_ = true;
    u64 ticket_ = 0;
};

void start(Mind& mind, MaybeRules rules, const std::string& fen, bool chess960,
           const std::vector<u32>& moves, double time, int depth, u64 nodes, int mate,
           bool infinite, std::optional<std::pair<double, double>> times,
           std::pair<double, double> increments, int moves_to_go, int multipv,
           const std::optional<std::vector<u32>>& only, bool ponder) {
    Limits limits;
    limits.time = time, limits.depth = depth, limits.nodes = nodes, limits.mate = mate;
    limits.infinite = infinite, limits.moves_to_go = moves_to_go, limits.clocks = times.has_value();
    if (times) limits.times[0] = times->first, limits.times[1] = times->second;
    limits.increments[0] = increments.first, limits.increments[1] = increments.second;
    try {
        if (rules) {
            CtlStory story(**rules, fen, moves);
            auto roots = root_moves(story.position, only);
            mind.start<ctl::Position>({story.position, story.keys, roots, limits, multipv, ponder},
                                      *rules,
                                      mind.ctl_weights_ ? *mind.ctl_weights_ : ctl_eval::DEFAULT);
        } else {
            ChessStory story(fen, chess960, moves);
            auto roots = root_moves(story.position, only);
            mind.start<chess::Position>(
                {story.position, story.keys, roots, limits, multipv, ponder}, nullptr,
                mind.chess_weights_ ? *mind.chess_weights_ : chess_eval::DEFAULT);
        }
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

std::pair<int, Terms> evaluate(Mind& mind, MaybeRules rules, const std::string& fen,
                               bool chess960) {
    if (rules) {
        const CtlStory story(**rules, fen, {});
        const auto& w = mind.ctl_weights_ ? *mind.ctl_weights_ : ctl_eval::DEFAULT;
        return named(ctl_eval::explain(story.position, w), ctl_eval::GROUPS);
    }
    const ChessStory story(fen, chess960, {});
    const auto& w = mind.chess_weights_ ? *mind.chess_weights_ : chess_eval::DEFAULT;
    auto [plain, terms] = named(chess_eval::explain(story.position, w), chess_eval::GROUPS);
    using G = Game<chess::Position>;
    G::Memory memory;
    const bool network = mind.features_ & NETWORK;
    const Score score = G::evaluate(story.position, w, memory, network);
    const Score learnt = story.position.turn() == chess::WHITE ? score - plain : plain - score;
    if (network) terms.emplace_back("network", std::max(learnt, 0), std::max(-learnt, 0));
    return {score, terms};
}

int exchange_value(MaybeRules rules, const std::string& fen, bool chess960, u32 bits) {
    if (rules) {
        CtlStory story(**rules, fen, {});
        const ctl::Move m = ctl::Move::from_bits(bits);
        if (!story.position.is_legal(m)) throw nb::value_error("the move is not legal");
        return Game<ctl::Position>::exchange_value(story.position, m);
    }
    const ChessStory story(fen, chess960, {});
    const chess::Move m = chess::Move::from_bits(bits);
    if (!story.position.is_legal(m)) throw nb::value_error("the move is not legal");
    return Game<chess::Position>::exchange_value(story.position, m);
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
void set_pairs(std::optional<W>& weights, const Pairs& pairs) {
    W made;
    if (pairs.size() != made.of.size())
        throw nb::value_error(
            ("this game has " + std::to_string(made.of.size()) + " weights").c_str());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        made.of[i] = pair(pairs[i].first, pairs[i].second);
    weights = made;
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
        const Trace t = rules ? ctl_eval::trace(CtlStory(**rules, fen, {}).position)
                              : chess_eval::trace(ChessStory(fen, false, {}).position);
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

// What the network sees and says: rows of inputs as raw numbers. The positions are evaluated one
// after the other by one memory, as a search does.
nb::dict net_rows(const std::vector<std::string>& fens) {
    std::vector<u32> start{0};
    std::vector<u16> mine, theirs;
    std::vector<u8> bucket;
    std::vector<std::int16_t> terms, learnt;
    Game<chess::Position>::Memory memory;
    for (const std::string& fen : fens) {
        const chess::Position p = ChessStory(fen, false, {}).position;
        const Side us = p.turn(), them = Side(us ^ 1);
        for (chess::Bits rest = p.occupied(); rest;) {
            const Square s = chess::pop(rest);
            const chess::Piece piece = p.at(s);
            const auto input = [&](Side side) {
                return u16(chess_net::input(side, chess_net::turned(p, side), chess::side_of(piece),
                                            chess::kind_of(piece), s));
            };
            mine.push_back(input(us)), theirs.push_back(input(them));
        }
        start.push_back(u32(mine.size()));
        bucket.push_back(u8(chess_net::bucket(p)));
        terms.push_back(std::int16_t(chess_eval::evaluate(p, chess_eval::DEFAULT, memory.pawns)));
        learnt.push_back(std::int16_t(memory.net.evaluate(p)));
    }
    nb::dict out;
    out["start"] = bytes_of(start), out["bucket"] = bytes_of(bucket);
    out["mine"] = bytes_of(mine), out["theirs"] = bytes_of(theirs);
    out["terms"] = bytes_of(terms), out["learnt"] = bytes_of(learnt);
    return out;
}

void bind_thought(nb::module_& m) {
    nb::class_<Thought>(m, "Thought", "What a search has found at one moment, in plain numbers.")
        .def_ro("depth", &Thought::depth)
        .def_ro("seldepth", &Thought::seldepth)
        .def_ro("multipv", &Thought::multipv)
        .def_prop_ro("is_mate", [](const Thought& t) { return is_mate(t.score); })
        .def_prop_ro(
            "value",
            [](const Thought& t) { return is_mate(t.score) ? mate_turns(t.score) : t.score; },
            "Centipawns, or turns to mate.")
        .def_prop_ro(
            "bound",
            [](const Thought& t) { return t.bound == LOWER   ? 1
                                          : t.bound == UPPER ? -1
                                                             : 0; },
            "1: at least this, -1: at most this, 0: exactly.")
        .def_ro("nodes", &Thought::nodes)
        .def_ro("time", &Thought::time)
        .def_ro("hashfull", &Thought::hashfull)
        .def_ro("pv", &Thought::pv);
}

}  // namespace

void bind_engine(nb::module_& m) {
    bind_thought(m);
    nb::class_<Mind>(m, "Mind", "The search of both games; cotulenh.engine.Engine is its face.")
        .def(nb::init<int, int>(), "threads"_a, "hash_mb"_a)
        .def("start", &start, "rules"_a.none(), "fen"_a, "chess960"_a, "moves"_a, nb::kw_only(),
             "time"_a, "depth"_a, "nodes"_a, "mate"_a, "infinite"_a, "times"_a.none(),
             "increments"_a, "moves_to_go"_a, "multipv"_a, "root_moves"_a.none(), "ponder"_a)
        .def("next", &Mind::next, "ticket"_a, "Waits for the next thought; None when it is over.")
        .def("best", &Mind::best, "ticket"_a, "The move to play and the expected answer, or 0.")
        .def("stop", &Mind::stop, "ticket"_a, "Ends a search soon; 0: whichever is under way.")
        .def("finish", &Mind::finish, "ticket"_a, "The same, and waits for the end.")
        .def("ponderhit", &Mind::ponderhit)
        .def("new_game", &Mind::new_game)
        .def_prop_ro("is_thinking", &Mind::is_thinking)
        .def_prop_ro("ticket", &Mind::ticket)
        .def("evaluate", &evaluate, "rules"_a.none(), "fen"_a, "chess960"_a)
        .def_rw("features", &Mind::features_, "Parts of the search that are switched on, as bits.")
        .def(
            "set_weights",
            [](Mind& mind, bool chess, const Pairs& pairs) {
                if (mind.is_thinking())
                    throw nb::value_error("the engine is thinking already: stop it first");
                chess ? set_pairs(mind.chess_weights_, pairs) : set_pairs(mind.ctl_weights_, pairs);
            },
            "chess"_a, "pairs"_a);
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
        "weights",
        [](bool chess) {
            return chess ? pairs_of(chess_eval::DEFAULT) : pairs_of(ctl_eval::DEFAULT);
        },
        "chess"_a, "The weights the evaluation was built with: (full board, bare board).");
    m.def("term_groups", &term_groups, "chess"_a, "Runs of weights: (name, first, count).");
    m.def("trace", &trace, "rules"_a.none(), "fens"_a,
          nb::sig("def trace(rules: Rules | None, fens: Sequence[str]) -> dict[str, bytes]"),
          "What the evaluation counts in positions, first side minus second, as sparse rows.");
    m.def(
        "net_rows", &net_rows, "fens"_a,
        nb::sig("def net_rows(fens: Sequence[str]) -> dict[str, bytes]"),
        "What the network of chess sees in positions, as sparse rows for the side to move and for "
        "the other; what the terms and the network say, for the side to move.");
    m.def(
        "net_numbers",
        [] {
            return nb::bytes(reinterpret_cast<const char*>(&chess_net::NET),
                             sizeof(chess_net::Net));
        },
        nb::sig("def net_numbers() -> bytes"),
        "The numbers of the network as 16-bit integers: first layer, its bias, last layer, "
        "offsets.");
    m.def("exchange_value", &exchange_value, "rules"_a.none(), "fen"_a, "chess960"_a, "move"_a,
          "What a legal move wins if both sides go on taking on its target as long as it pays.");
}

}  // namespace cotulenh::bindings
