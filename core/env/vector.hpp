// Many games stepped at once: the vector environment, writing into arrays that its owner lends it.
#pragma once

#include <cstring>

#include "env/episode.hpp"
#include "env/opponent.hpp"
#include "env/pool.hpp"

namespace cotulenh::env {

// When an episode that ended begins anew: at the next step, in the same one, or when it is told to.
enum class Autoreset : u8 { NEXT_STEP, SAME_STEP, DISABLED };
enum class Agent : u8 { FIRST, SECOND, DRAWN };  // which side the caller plays

struct Options {
    int envs = 1, threads = 1;
    Autoreset autoreset = Autoreset::NEXT_STEP;
    Agent agent = Agent::DRAWN;  // only with an opponent
    OpponentSpec opponent;
    bool illegal_loses = false;  // otherwise such an action is refused
    bool floats = false;         // planes of float instead of bytes
};

// Where results go, one row for each environment. Null where nobody wants them; those marked with
// an asterisk are always given.
struct Buffers {
    void* planes = nullptr;
    std::int8_t* mask = nullptr;
    float* rewards = nullptr;          // * of the side that acted, or of the caller's
    float* rewards_of_both = nullptr;  // *
    bool *terminated = nullptr, *truncated = nullptr;  // *
    std::int8_t* player = nullptr;                     // * the side to move
    void* final_planes = nullptr;                      // of episodes that began anew in this step
    std::int8_t* final_mask = nullptr;
};

// What the bindings see of either game.
class AnyVector {
  public:
    virtual ~AnyVector() = default;
    virtual int actions() const = 0;
    virtual int planes() const = 0;
    virtual int ranks() const = 0;
    virtual int files() const = 0;
    virtual int envs() const = 0;

    Buffers buffers;

    // A clear text if something is wrong with the actions; empty if not.
    virtual std::string check(const std::int64_t* actions) = 0;
    virtual void start_step() = 0;   // the actions that were checked
    virtual bool finish_step() = 0;  // false: its threads are in the process this one came from
    virtual void step() = 0;         // both, in this thread if there is but one
    // Environments of a mask (null: all) begin anew; seeds may be null.
    virtual void reset(const u64* seeds, const bool* mask) = 0;
    virtual void sample(std::int64_t* out) = 0;
    virtual void write(int env, Side viewer, void* out) const = 0;
    virtual void clear_masks() = 0;  // after a buffer was lent, whose contents are unknown
    virtual void write_all() = 0;    // planes, masks and players as they stand
    // Legal actions of all environments, one after another, and where each begins.
    virtual std::size_t count_legal() const = 0;
    virtual void legal(std::int32_t* actions, std::int64_t* offsets) const = 0;
};

template <class G>
class Vector final : public AnyVector {
  public:
    Vector(std::shared_ptr<const Setting<G>> setting, const Options& options)
        : shared_(std::move(setting)),
          options_(options),
          chosen_(std::size_t(options.envs)),
          episodes_(std::size_t(options.envs), Episode<G>(setting_)),
          masked_(std::size_t(options.envs)) {
        for (int i = 0; i < options.threads; ++i) opponents_.emplace_back(options.opponent);
    }
    ~Vector() override { drop_lost_pool(); }

    int actions() const override { return G::ACTIONS; }
    int planes() const override { return G::PLANES + setting_.history * G::PIECE_PLANES; }
    int ranks() const override { return setting_.game.ranks(); }
    int files() const override { return setting_.game.files(); }
    int envs() const override { return options_.envs; }
    const std::shared_ptr<const Setting<G>>& setting() const { return shared_; }
    const Options& options() const { return options_; }
    const Episode<G>& episode(int i) const { return episodes_[std::size_t(i)]; }
    void set_episode(int i, const Episode<G>& e) { episodes_[std::size_t(i)] = e; }

    std::string check(const std::int64_t* actions) override {
        for (int i = 0; i < options_.envs; ++i) {
            const Episode<G>& e = episode(i);
            int& place = chosen_[std::size_t(i)];
            place = NOT_LEGAL;
            if (e.over() && options_.autoreset == Autoreset::DISABLED)
                return "environment " + std::to_string(i) + ": its episode is over, reset it first";
            if (e.over()) continue;  // begins anew, whatever the action
            place = e.find(actions[i]);
            if (place == NOT_LEGAL && !options_.illegal_loses) return refusal(i, actions[i]);
        }
        return "";
    }

    void start_step() override {
        pool().start(options_.envs, [this](int i, int worker) { step(i, worker); });
    }
    bool finish_step() override {
        if (pool_->left_behind()) return false;
        pool_->wait();
        return true;
    }
    void step() override {
        each([this](int i, int worker) { step(i, worker); });
    }

    void reset(const u64* seeds, const bool* mask) override {
        each([&](int i, int worker) {
            if (mask && !mask[i]) return;
            if (seeds) episodes_[std::size_t(i)].seed(seeds[i]);
            begin(i, worker);
            clear_results(i);
            write(i);
        });
    }

    void sample(std::int64_t* out) override {
        for (int i = 0; i < options_.envs; ++i) {
            Episode<G>& e = episodes_[std::size_t(i)];
            const int n = int(e.actions().size());
            out[i] = n ? e.actions()[std::size_t(draw(e.action_dice(), n))] : 0;
        }
    }

    void write(int env, Side viewer, void* out) const override {
        if (options_.floats)
            episode(env).write(setting_, viewer, static_cast<float*>(out));
        else
            episode(env).write(setting_, viewer, static_cast<u8*>(out));
    }
    void clear_masks() override {
        for (auto& ones : masked_) ones.clear();
        if (buffers.mask) std::memset(buffers.mask, 0, mask_row(options_.envs));
    }
    void write_all() override {
        each([this](int i, int) { write(i); });
    }

    std::size_t count_legal() const override {
        std::size_t n = 0;
        for (const auto& e : episodes_) n += e.actions().size();
        return n;
    }
    void legal(std::int32_t* actions, std::int64_t* offsets) const override {
        *offsets = 0;
        for (const auto& e : episodes_) {
            actions = std::copy(e.actions().begin(), e.actions().end(), actions);
            offsets[1] = offsets[0] + std::int64_t(e.actions().size());
            ++offsets;
        }
    }

  private:
    static constexpr int NOT_LEGAL = -1;

    // With one thread nobody need be woken up.
    template <class Work>
    void each(Work&& work) {
        if (options_.threads > 1) {
            pool().start(options_.envs, work);
            pool().wait();
        } else {
            for (int i = 0; i < options_.envs; ++i) work(i, 0);
        }
    }
    // To end it would mean to wait for threads that are not there.
    void drop_lost_pool() {
        if (pool_ && pool_->left_behind()) (void)pool_.release();
    }
    Pool& pool() {
        drop_lost_pool();
        if (!pool_) pool_ = std::make_unique<Pool>(options_.threads);
        return *pool_;
    }

    bool has_opponent() const { return options_.opponent.kind != OpponentSpec::NOBODY; }

    std::string refusal(int i, std::int64_t action) const {
        const std::string text =
            "environment " + std::to_string(i) + ": action " + std::to_string(action);
        if (action < 0 || action >= G::ACTIONS)
            return text + " is outside 0.." + std::to_string(G::ACTIONS - 1);
        return text + " is not legal in " + G::fen(episode(i).position());
    }

    void begin(int i, int worker) {
        Episode<G>& e = episodes_[std::size_t(i)];
        e.begin(setting_);
        if (!has_opponent()) return;
        e.agent = options_.agent == Agent::DRAWN ? Side(draw(e.dice(), 2)) : Side(options_.agent);
        answer(e, worker);
        if (!e.over()) return;
        // The opponent ended the game before the caller could move: the caller begins instead.
        e.begin(setting_);
        e.agent = e.turn();
    }

    // The opponent plays until it is the caller's turn.
    void answer(Episode<G>& e, int worker) {
        Opponent<G>& opponent = opponents_[std::size_t(worker)];
        while (!e.over() && e.turn() != e.agent)
            e.play(setting_, opponent.choose(setting_.game, e));
    }

    void step(int i, int worker) {
        Episode<G>& e = episodes_[std::size_t(i)];
        clear_results(i);
        if (e.over()) {
            begin(i, worker);
        } else {
            const Side acted = has_opponent() ? e.agent : e.turn();
            act(e, chosen_[std::size_t(i)], worker);
            write_results(i, acted);
            if (e.over() && options_.autoreset == Autoreset::SAME_STEP) {
                write_final(i);
                begin(i, worker);
            }
        }
        write(i);
    }

    void act(Episode<G>& e, int place, int worker) {
        if (place == NOT_LEGAL) {
            e.forfeit();
            return;
        }
        e.play(setting_, place);
        if (has_opponent()) answer(e, worker);
    }

    void clear_results(int i) {
        buffers.rewards[i] = buffers.rewards_of_both[2 * i] = buffers.rewards_of_both[2 * i + 1] =
            0;
        buffers.terminated[i] = buffers.truncated[i] = false;
    }

    void write_results(int i, Side acted) {
        const Episode<G>& e = episode(i);
        buffers.rewards[i] = e.ending().value(acted);
        for (const Side side : {FIRST, SECOND})
            buffers.rewards_of_both[2 * i + side] = e.ending().value(side);
        buffers.terminated[i] = e.ending().over;
        buffers.truncated[i] = e.truncated();
    }

    std::size_t planes_bytes() const {
        return std::size_t(planes() * ranks() * files()) * (options_.floats ? sizeof(float) : 1);
    }
    void* row(void* planes, int i) const {
        return static_cast<char*>(planes) + std::size_t(i) * planes_bytes();
    }
    // Whose eyes it is seen through: the caller's, or the side to move.
    Side viewer(const Episode<G>& e) const { return has_opponent() ? e.agent : e.turn(); }

    void write_final(int i) {
        if (buffers.final_planes) write(i, viewer(episode(i)), row(buffers.final_planes, i));
        if (buffers.final_mask) std::memset(buffers.final_mask + mask_row(i), 0, G::ACTIONS);
    }

    void write(int i) {
        const Episode<G>& e = episode(i);
        buffers.player[i] = std::int8_t(e.turn());
        if (buffers.planes) write(i, viewer(e), row(buffers.planes, i));
        if (buffers.mask) write_mask(i);
    }

    // Only what changed: the mask is long and has few ones.
    void write_mask(int i) {
        std::int8_t* const mask = buffers.mask + mask_row(i);
        auto& ones = masked_[std::size_t(i)];
        for (const std::int32_t a : ones) mask[a] = 0;
        ones = episode(i).actions();
        for (const std::int32_t a : ones) mask[a] = 1;
    }
    static std::size_t mask_row(int i) { return std::size_t(i) * G::ACTIONS; }

    const std::shared_ptr<const Setting<G>> shared_;
    const Setting<G>& setting_ = *shared_;
    Options options_;
    std::vector<int> chosen_;  // places of the actions under way
    std::vector<Episode<G>> episodes_;
    std::vector<std::vector<std::int32_t>> masked_;  // the ones in the mask buffer
    std::vector<Opponent<G>> opponents_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace cotulenh::env
