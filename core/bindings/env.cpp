// The vector environment towards Python: arrays are lent to it, the GIL is free while it works.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/errors.hpp"
#include "env/game_chess.hpp"
#include "env/game_ctl.hpp"
#include "env/state.hpp"
#include "env/vector.hpp"

namespace cotulenh::bindings {
namespace {

using namespace env;
using namespace nanobind::literals;
using RulesPtr = std::shared_ptr<const ctl::Rules>;
using MaybeRules = std::optional<RulesPtr>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Array = nb::ndarray<nb::c_contig, nb::device::cpu>;

[[noreturn]] void refuse(const std::string& text) { throw nb::value_error(text.c_str()); }

Array writable(const nb::object& given, const std::string& label) {
    Array array;
    if (!nb::try_cast(given, array, false))  // a copy would be no use
        refuse(label + "expected a writable, C-contiguous array in main memory");
    return array;
}

// What Python takes for a whole number, booleans apart; beyond 64 bits no action is legal.
std::int64_t whole(nb::handle given) {
    const nb::object number =
        PyBool_Check(given.ptr()) ? nb::object() : nb::steal(PyNumber_Index(given.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();
        const std::string kind = nb::cast<std::string>(nb::type_name(given.type()));
        throw nb::type_error(("expected a whole number as action, got " + kind).c_str());
    }
    int beyond = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &beyond);
    return beyond ? -1 : value;
}

template <class G>
using SettingPtr = std::shared_ptr<const Setting<G>>;

template <class G>
SettingPtr<G> setting_of(G game, const std::string& id, const std::vector<std::string>& fens,
                         int most_moves, int history) {
    Setting<G> s{id, std::move(game), {}, most_moves, history};
    for (const std::string& fen : fens) {
        std::string problem;
        auto position = s.game.read(fen, problem);
        if (!position) refuse("start position " + fen + ": " + problem);
        s.starts.push_back(*position);
        Episode<G> e(s);
        e.begin(s, int(s.starts.size()) - 1);
        if (e.ending().over) refuse("start position " + fen + ": the game is over");
    }
    if (s.starts.empty()) refuse("expected at least one start position");
    return std::make_shared<const Setting<G>>(std::move(s));
}

// States --------------------------------------------------------------------------------------

// A game as a value. It never changes: a move makes another one.
class State {
  public:
    virtual ~State() = default;
    virtual std::shared_ptr<State> after(std::int64_t action) const = 0;
    virtual std::vector<std::int32_t> actions() const = 0;
    virtual std::vector<u32> played() const = 0;
    virtual std::string fen() const = 0;
    virtual std::string start_fen() const = 0;
    virtual std::string dump() const = 0;
    virtual const std::string& id() const = 0;
    virtual int player() const = 0;
    virtual int agent() const = 0;
    virtual bool terminated() const = 0;
    virtual bool truncated() const = 0;
    virtual std::pair<float, float> returns() const = 0;
    virtual void write(int viewer, nb::object out) const = 0;

    bool operator==(const State& other) const {
        return id() == other.id() && dump() == other.dump();
    }
};

template <class G>
class StateOf final : public State {
  public:
    StateOf(SettingPtr<G> setting, Episode<G> episode)
        : setting_(std::move(setting)), episode_(std::move(episode)) {}

    std::shared_ptr<State> after(std::int64_t action) const override {
        const int place = episode_.find(action);
        if (place < 0) refuse("action " + std::to_string(action) + " is not legal in " + fen());
        Episode<G> next = episode_;
        next.play(*setting_, place);
        return std::make_shared<StateOf>(setting_, std::move(next));
    }
    std::vector<std::int32_t> actions() const override { return episode_.actions(); }
    std::vector<u32> played() const override { return episode_.played(); }
    std::string fen() const override { return G::fen(episode_.position()); }
    std::string start_fen() const override {
        return G::fen(setting_->starts[std::size_t(episode_.start())]);
    }
    std::string dump() const override { return env::dump(episode_); }
    const std::string& id() const override { return setting_->id; }
    int player() const override { return episode_.turn(); }
    int agent() const override { return episode_.agent; }
    bool terminated() const override { return episode_.ending().over; }
    bool truncated() const override { return episode_.truncated(); }
    std::pair<float, float> returns() const override {
        return {episode_.ending().value(FIRST), episode_.ending().value(SECOND)};
    }
    void write(int viewer, nb::object given) const override {
        const std::size_t planes = std::size_t(G::PLANES + setting_->history * G::PIECE_PLANES),
                          ranks = std::size_t(setting_->game.ranks()),
                          files = std::size_t(setting_->game.files());
        const Array out = writable(given, "");
        const bool flat = out.ndim() == 1 && out.shape(0) == planes * ranks * files;
        const bool deep = out.ndim() == 3 && out.shape(0) == planes && out.shape(1) == ranks &&
                          out.shape(2) == files;
        if (!flat && !deep)
            refuse("expected the shape (" + std::to_string(planes) + ", " + std::to_string(ranks) +
                   ", " + std::to_string(files) + ") or as many numbers in a row");
        if (viewer != 0 && viewer != 1) refuse("expected the viewer 0 or 1");
        if (out.dtype() == nb::dtype<float>())
            episode_.write(*setting_, Side(viewer), static_cast<float*>(out.data()));
        else if (out.dtype() == nb::dtype<u8>())
            episode_.write(*setting_, Side(viewer), static_cast<u8*>(out.data()));
        else
            refuse("expected an array of uint8 or float32");
    }

    const SettingPtr<G>& setting() const { return setting_; }
    const Episode<G>& episode() const { return episode_; }

  private:
    SettingPtr<G> setting_;
    Episode<G> episode_;
};

using StatePtr = std::shared_ptr<State>;

// The environment -----------------------------------------------------------------------------

// What differs between the games, for the one class that Python sees.
struct Access {
    virtual ~Access() = default;
    virtual StatePtr state(int env) const = 0;
    virtual void restore(int env, const State& state) = 0;
    virtual StatePtr load(std::string_view bytes) const = 0;
    virtual StatePtr initial() const = 0;
};

template <class G>
struct AccessTo final : Access {
    Vector<G>& vector;
    explicit AccessTo(Vector<G>& v) : vector(v) {}

    StatePtr state(int i) const override {
        return std::make_shared<StateOf<G>>(vector.setting(), vector.episode(i));
    }
    void restore(int i, const State& state) override {
        const auto* given = dynamic_cast<const StateOf<G>*>(&state);
        if (!given || given->setting()->id != vector.setting()->id)
            refuse("the state is of an environment with other settings");
        vector.set_episode(i, given->episode());
    }
    StatePtr load(std::string_view bytes) const override {
        auto episode = Loader<G>(*vector.setting(), bytes).load();
        if (!episode) refuse("these bytes are no state of this environment");
        return std::make_shared<StateOf<G>>(vector.setting(), std::move(*episode));
    }
    StatePtr initial() const override {
        Episode<G> e(*vector.setting());
        e.begin(*vector.setting(), 0);
        return std::make_shared<StateOf<G>>(vector.setting(), std::move(e));
    }
};

class PyVector {
  public:
    template <class G>
    PyVector(SettingPtr<G> setting, const Options& options) {
        auto made = std::make_unique<Vector<G>>(std::move(setting), options);
        access_ = std::make_unique<AccessTo<G>>(*made);
        vector_ = std::move(made);
        floats_ = options.floats;
    }
    ~PyVector() {
        const nb::gil_scoped_release free;
        vector_.reset();
    }

    const AnyVector& vector() const { return *vector_; }
    Access& access() { return *access_; }

    void attach(const nb::dict& arrays) {
        const Turn turn(*this);
        kept_ = nb::list();
        Buffers& b = vector_->buffers;
        const int n = vector_->envs();
        const std::vector<int> one{n}, two{n, 2}, mask{n, vector_->actions()},
            planes{n, vector_->planes(), vector_->ranks(), vector_->files()};
        const nb::dlpack::dtype numbers = floats_ ? nb::dtype<float>() : nb::dtype<u8>();
        b.planes = pointer(arrays, "observation", numbers, planes);
        b.mask = typed<std::int8_t>(arrays, "action_mask", mask);
        b.rewards = typed<float>(arrays, "rewards", one);
        b.rewards_of_both = typed<float>(arrays, "rewards_of_both", two);
        b.terminated = typed<bool>(arrays, "terminated", one);
        b.truncated = typed<bool>(arrays, "truncated", one);
        b.player = typed<std::int8_t>(arrays, "current_player", one);
        b.final_planes = pointer(arrays, "final_observation", numbers, planes);
        b.final_mask = typed<std::int8_t>(arrays, "final_action_mask", mask);
        attached_ = b.rewards && b.rewards_of_both && b.terminated && b.truncated && b.player;
        vector_->clear_masks();
    }

    void send(const Numbers& actions) {
        const Turn turn(*this);
        begin(actions);
        sent_ = true;
        const nb::gil_scoped_release free;
        vector_->start_step();
    }
    void recv() {
        const Turn turn(*this, true);
        bool done = false;
        {
            const nb::gil_scoped_release free;
            done = vector_->finish_step();
        }
        sent_ = false;
        if (done) return;
        ready_ = false;  // some games have moved and others have not
        refuse("the process was forked after send: reset the environment first");
    }
    void step(const Numbers& actions) {
        const Turn turn(*this);
        begin(actions);
        const nb::gil_scoped_release free;
        vector_->step();
    }
    void reset(const std::optional<std::vector<u64>>& seeds,
               const std::optional<std::vector<bool>>& mask) {
        const Turn turn(*this);
        const std::size_t n = std::size_t(vector_->envs());
        if ((seeds && seeds->size() != n) || (mask && mask->size() != n))
            refuse("expected one seed and one mark for each environment");
        need_arrays();
        std::vector<u8> marks;
        if (mask) marks.assign(mask->begin(), mask->end());
        const nb::gil_scoped_release free;
        vector_->reset(seeds ? seeds->data() : nullptr,
                       mask ? reinterpret_cast<const bool*>(marks.data()) : nullptr);
        ready_ = true;
    }
    void sample(nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
        const Turn turn(*this);
        need_reset();
        if (out.size() != std::size_t(vector_->envs()))
            refuse("expected one place for each action");
        vector_->sample(out.data());
    }
    std::size_t count_legal() {
        const Turn turn(*this);
        need_reset();
        return vector_->count_legal();
    }
    void legal(nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> actions,
               nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> offsets) {
        const Turn turn(*this);
        need_reset();
        if (actions.size() < vector_->count_legal() ||
            offsets.size() != std::size_t(vector_->envs()) + 1)
            refuse("expected room for every legal action and one offset more than environments");
        vector_->legal(actions.data(), offsets.data());
    }
    StatePtr state(int i) {
        const Turn turn(*this);
        need_reset();
        return access_->state(on(i));
    }
    void restore(const std::vector<int>& envs, const std::vector<StatePtr>& states) {
        const Turn turn(*this);
        need_arrays();
        if (envs.size() != states.size()) refuse("expected one state for each environment");
        for (std::size_t i = 0; i < envs.size(); ++i) access_->restore(on(envs[i]), *states[i]);
        if (envs.size() == std::size_t(vector_->envs())) ready_ = true;
        need_reset();
        const nb::gil_scoped_release free;
        vector_->write_all();
    }
    void close() {
        const Turn turn(*this, sent_);
        if (sent_) {
            const nb::gil_scoped_release free;
            vector_->finish_step();
        }
        sent_ = false;
        closed_ = true;
        kept_ = nb::list();
        vector_->buffers = {};
    }

  private:
    // One caller at a time, and between send and recv none but the one who receives.
    class Turn {
      public:
        explicit Turn(PyVector& v, bool receives = false) : v_(v) {
            if (v.closed_) refuse("the environment is closed");
            if (v.sent_ && !receives) refuse("a step is under way: recv it first");
            if (!v.sent_ && receives) refuse("nothing was sent: recv follows send");
            if (v.busy_.exchange(true)) refuse("another thread is using the environment");
        }
        ~Turn() { v_.busy_ = false; }
        Turn(const Turn&) = delete;

      private:
        PyVector& v_;
    };

    void begin(const Numbers& actions) {
        need_reset();
        if (actions.size() != std::size_t(vector_->envs()))
            refuse("expected " + std::to_string(vector_->envs()) + " actions, got " +
                   std::to_string(actions.size()));
        const std::string problem = vector_->check(actions.data());
        if (!problem.empty()) refuse(problem);
    }
    void need_arrays() const {
        if (!attached_) refuse("no arrays were lent to write into");
    }
    void need_reset() const {
        if (!ready_) refuse("reset the environment first");
    }
    int on(int i) const {
        if (i < 0 || i >= vector_->envs()) refuse("no such environment: " + std::to_string(i));
        return i;
    }

    template <class T>
    T* typed(const nb::dict& arrays, const char* name, const std::vector<int>& shape) {
        return static_cast<T*>(pointer(arrays, name, nb::dtype<T>(), shape));
    }
    void* pointer(const nb::dict& arrays, const char* name, nb::dlpack::dtype dtype,
                  const std::vector<int>& shape) {
        if (!arrays.contains(name)) return nullptr;
        const std::string label = std::string("array ") + name + ": ";
        const Array array = writable(nb::object(arrays[name]), label);
        if (array.dtype() != dtype) refuse(label + "wrong type of numbers");
        bool fits = array.ndim() == shape.size();
        for (std::size_t i = 0; fits && i < shape.size(); ++i)
            fits = array.shape(i) == std::size_t(shape[i]);
        std::string wanted;
        for (const int n : shape) wanted += (wanted.empty() ? "" : ", ") + std::to_string(n);
        if (!fits) refuse(label + "expected the shape (" + wanted + ")");
        kept_.append(nb::cast(array));
        return array.data();
    }

    std::unique_ptr<AnyVector> vector_;
    std::unique_ptr<Access> access_;
    nb::list kept_;  // the arrays that were lent
    std::atomic<bool> busy_{false}, sent_{false}, closed_{false};
    bool floats_ = false, attached_ = false, ready_ = false;
};

OpponentSpec opponent_of(const std::string& kind, int level) {
    OpponentSpec spec;
    if (kind == "random") spec.kind = OpponentSpec::RANDOM;
    if (kind == "greedy") spec.kind = OpponentSpec::GREEDY;
    if (kind == "engine") spec.kind = OpponentSpec::ENGINE;
    if (spec.kind == OpponentSpec::NOBODY && !kind.empty()) refuse("no such opponent: " + kind);
    spec.level = level;
    if (spec.kind == OpponentSpec::ENGINE && (level < 1 || level > OpponentSpec::LEVELS))
        refuse("expected a level of the engine from 1 to 10, got " + std::to_string(level));
    return spec;
}

int within(const char* name, int value, int low, int high) {
    if (value < low || value > high)
        refuse(std::string(name) + " must be " + std::to_string(low) + " to " +
               std::to_string(high) + ", got " + std::to_string(value));
    return value;
}

void construct(PyVector* self, const MaybeRules& rules, bool chess960, const std::string& id,
               const std::vector<std::string>& fens, int envs, int threads, int autoreset,
               const std::string& opponent, int level, int side, int most_moves, int history,
               bool illegal_loses, bool floats) {
    Options o;
    o.envs = within("num_envs", envs, 1, 1 << 20);
    o.threads = within("threads", threads, 1, 256);
    o.autoreset = Autoreset(within("autoreset_mode", autoreset, 0, 2));
    o.agent = Agent(within("side", side, 0, 2));
    o.opponent = opponent_of(opponent, level);
    o.illegal_loses = illegal_loses;
    o.floats = floats;
    within("max_moves", most_moves, 0, 1 << 30);
    within("history", history, 0, 64);
    if (rules)
        new (self) PyVector(setting_of(CtlGame(*rules), id, fens, most_moves, history), o);
    else
        new (self) PyVector(setting_of(ChessGame(chess960), id, fens, most_moves, history), o);
}

// Codes without an environment ------------------------------------------------------------------

template <class G>
std::vector<std::pair<int, u32>> legal_of(const G& game, const std::string& fen) {
    std::string problem;
    auto position = game.read(fen, problem);
    if (!position) refuse(problem);
    MoveList<typename G::Move> moves;
    position->legal_moves(moves);
    std::vector<std::int32_t> actions(std::size_t(moves.size()));
    game.number(*position, moves.begin(), moves.size(), actions.data());
    std::vector<std::pair<int, u32>> out;
    for (int i = 0; i < moves.size(); ++i)
        out.emplace_back(actions[std::size_t(i)], u32(moves[i].bits()));
    return out;
}

std::vector<std::pair<int, u32>> legal_actions(const MaybeRules& rules, const std::string& fen,
                                               bool chess960) {
    return rules ? legal_of(CtlGame(*rules), fen) : legal_of(ChessGame(chess960), fen);
}

void bind_actions(nb::module_& m) {
    m.attr("CTL_ACTIONS") = int(CtlGame::ACTIONS);
    m.attr("CTL_PAIRS") = int(CtlGame::LINES.PAIRS);
    m.attr("CTL_PLANES") = int(CtlGame::PLANES);
    m.attr("CHESS_ACTIONS") = int(ChessGame::ACTIONS);
    m.attr("CHESS_PLANES") = int(ChessGame::PLANES);
    m.def("legal_actions", &legal_actions, "rules"_a.none(), "fen"_a, "chess960"_a,
          nb::sig("def legal_actions(rules: cotulenh._core.Rules | None, fen: str, "
                  "chess960: bool) -> list[tuple[int, int]]"),
          "The legal moves of a position: their actions and bits, in the order of legal_moves.");
    m.def(
        "pairs",
        [](bool chess) {
            std::vector<std::pair<int, int>> out;
            const auto add = [&](const auto& lines) {
                for (int i = 0; i < lines.PAIRS; ++i)
                    out.emplace_back(lines.pair(i).from, lines.pair(i).to);
            };
            chess ? add(ChessGame::LINES) : add(CtlGame::LINES);
            return out;
        },
        "chess"_a, "Pairs of squares on one line in their order, as rank * width + file.");
}

void bind_state(nb::module_& m) {
    nb::class_<State>(m, "State", "A game under way as a value.")
        .def(
            "after", [](const State& s, nb::handle action) { return s.after(whole(action)); },
            "action"_a.none(), nb::sig("def after(self, action: typing.SupportsIndex) -> State"),
            "The state after one more move.")
        .def(
            "__eq__",
            [](const State& s, nb::handle other) {
                return nb::isinstance<State>(other) && s == nb::cast<const State&>(other);
            },
            "other"_a.none(), nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__hash__", [](const State& s) { return std::hash<std::string>()(s.dump()); })
        .def("__repr__",
             [](const State& s) {
                 return "<State after " + std::to_string(s.played().size()) + " moves: " + s.fen() +
                        ">";
             })
        .def(
            "__copy__", [](nb::object s) { return s; }, nb::sig("def __copy__(self) -> State"))
        .def(
            "__deepcopy__", [](nb::object s, nb::handle) { return s; }, "memo"_a,
            nb::sig("def __deepcopy__(self, memo: object) -> State"))
        .def(
            "__reduce__",
            [](const State&) -> nb::object {
                throw nb::type_error(
                    "a state is pickled as bytes(state); load_state of an equal "
                    "environment reads them");
            },
            nb::sig("def __reduce__(self) -> str"))
        .def_prop_ro("legal_actions", &State::actions)
        .def_prop_ro("moves", &State::played, "The moves played, as bits.")
        .def_prop_ro("fen", &State::fen)
        .def_prop_ro("start_fen", &State::start_fen)
        .def("__bytes__",
             [](const State& s) {
                 const std::string text = s.dump();
                 return nb::bytes(text.data(), text.size());
             })
        .def_prop_ro("player", &State::player, "The side to move.")
        .def_prop_ro("agent", &State::agent, "The caller's side, where there is an opponent.")
        .def_prop_ro("terminated", &State::terminated)
        .def_prop_ro("truncated", &State::truncated)
        .def_prop_ro("returns", &State::returns, "What the end is worth to both sides.")
        .def("write", &State::write, "viewer"_a, "out"_a.none(),
             "Writes the planes into an array.");
}

void bind_vector(nb::module_& m) {
    nb::class_<PyVector>(m, "VectorEnv", "Many games; cotulenh.env.VectorEnv is its face.")
        .def("__init__", &construct, "rules"_a.none(), nb::kw_only(), "chess960"_a, "id"_a,
             "fens"_a, "num_envs"_a, "threads"_a, "autoreset"_a, "opponent"_a, "level"_a, "side"_a,
             "max_moves"_a, "history"_a, "illegal_loses"_a, "floats"_a,
             nb::sig("def __init__(self, rules: cotulenh._core.Rules | None, *, chess960: bool, "
                     "id: str, fens: Sequence[str], num_envs: int, threads: int, autoreset: int, "
                     "opponent: str, level: int, side: int, max_moves: int, history: int, "
                     "illegal_loses: bool, floats: bool) -> None"))
        .def_prop_ro("actions", [](const PyVector& v) { return v.vector().actions(); })
        .def_prop_ro("shape",
                     [](const PyVector& v) {
                         return nb::make_tuple(v.vector().planes(), v.vector().ranks(),
                                               v.vector().files());
                     })
        .def("attach", &PyVector::attach, "arrays"_a)
        .def("reset", &PyVector::reset, "seeds"_a.none(), "mask"_a.none())
        .def("step", &PyVector::step, "actions"_a)
        .def("send", &PyVector::send, "actions"_a)
        .def("recv", &PyVector::recv)
        .def("sample", &PyVector::sample, "out"_a)
        .def("count_legal", &PyVector::count_legal)
        .def("legal", &PyVector::legal, "actions"_a, "offsets"_a)
        .def("state", &PyVector::state, "env"_a)
        .def("restore", &PyVector::restore, "envs"_a, "states"_a)
        .def("load",
             [](PyVector& v, nb::bytes b) { return v.access().load({b.c_str(), b.size()}); })
        .def("initial", [](PyVector& v) { return v.access().initial(); })
        .def("close", &PyVector::close);
}

}  // namespace

void bind_env(nb::module_& parent) {
    nb::module_ m = parent.def_submodule("env", "The core of the learning environments.");
    bind_actions(m);
    bind_state(m);
    bind_vector(m);
}

}  // namespace cotulenh::bindings
