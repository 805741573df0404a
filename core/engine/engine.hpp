// class Engine: owns transposition table, threads and the queue of reports; searches one position
// at a time, of either game. It has no text and no globals: protocols, Python and the web are equal
// users of it.
#pragma once

#include <deque>

#include "engine/game_chess.hpp"
#include "engine/game_ctl.hpp"
#include "engine/thread_pool.hpp"
#include "games/board.hpp"
#include "games/chess/notation.hpp"
#include "games/ctl/notation.hpp"

namespace cotulenh::engine {

// Compiled once, with the engine (engine.cpp).
extern template class ThreadPool<ctl::Position>;
extern template class ThreadPool<chess::Position>;
extern template class Worker<ctl::Position>;
extern template class Worker<chess::Position>;

enum class Started : u8 { OK, BUSY, NO_LEGAL_MOVES, NO_ROOT_MOVES };

// Whether a report came, the time to wait for one was over, or the search was.
enum class Waited : u8 { REPORT, NOTHING, OVER };

// What a search needs of a board: the position, and the keys of the game as far back as the clock
// lets a position come again. After thousands of moves it is as small as after none.
template <Playable P>
struct Root {
    P position;
    std::vector<u64> keys;

    explicit Root(const Board<P>& board)
        : position(board.position()), keys(board.keys(Game<P>::clock(position) + 2)) {}
};

// A search is named by a ticket, so that whoever holds an old one learns that it is over. Any
// thread may call anything at any time; who comes while another one sets up is told that it is
// busy.
class Engine {
  public:
    using Ticket = u64;

    // What is asked beside the limit. `root_moves` restricts the choice, by their bits.
    struct Options {
        int multipv = 1;
        bool ponder = false;
        std::optional<std::vector<u32>> root_moves;
    };

    Engine(int threads, std::size_t hash_mb) : threads_(threads), hash_mb_(hash_mb) {}
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Begins a search of the board's position in a thread of its own; the board may change
    // meanwhile. `owner` is kept as long as the position may be looked at: its rules. Throws
    // std::bad_alloc if there is no memory for the transposition table.
    template <Playable P>
    Started start(const Board<P>& board, const Limit& limit, const Options& options,
                  std::shared_ptr<const void> owner = nullptr) {
        return start(Root<P>(board), limit, options, std::move(owner));
    }
    template <Playable P>
    Started start(const Root<P>& root, const Limit& limit, const Options& options,
                  std::shared_ptr<const void> owner);

    // The next report of a search; waits for it no longer than this.
    Waited next(Ticket ticket, std::chrono::milliseconds patience, Report& out);
    // The move to play and the answer expected, or 0; nothing while the search goes on.
    std::optional<std::pair<u32, u32>> best(Ticket ticket) const;

    void stop(Ticket ticket);    // soon; 0: whichever is under way
    void finish(Ticket ticket);  // the same, and waits for the end
    void ponderhit();            // from now on the limit counts
    bool new_game();             // clears table and histories; false while searching

    // Calls `change` while nobody searches or sets a search up; false if somebody does.
    template <class Change>
    bool change(Change&& change) {
        const std::unique_lock alone(setting_up_, std::try_to_lock);
        if (!alone || is_searching()) return false;
        change();
        return true;
    }

    // Counters of the searches since; one guess of so many is checked, a negative number ends it.
    // Not while searching, and a change of games begins anew.
    void collect_statistics(int sample_every);
    Statistics statistics() const;

    bool is_searching() const;
    Ticket ticket() const;

    // How searches are done; to be changed within `change` only.
    template <Playable P>
    Settings<P>& settings() {
        return std::get<Settings<P>>(settings_);
    }
    u32 features() const { return std::get<0>(settings_).features; }
    void set_features(u32 features);
    void set_parameters(const Parameters& parameters);

  private:
    template <Playable P>
    ThreadPool<P>& pool_for(std::shared_ptr<const void> owner);
    void run(std::function<void()> search);
    void push(const Report& report);
    void join();

    const int threads_;
    const std::size_t hash_mb_;
    std::tuple<Settings<ctl::Position>, Settings<chess::Position>> settings_;
    std::unique_ptr<TranspositionTable> table_;
    std::shared_ptr<const void> owner_;
    std::unique_ptr<AnyThreadPool> pool_;
    std::thread thread_;
    std::mutex setting_up_;     // held by who starts a search, changes or closes the engine
    mutable std::mutex mutex_;  // of all that follows
    std::condition_variable changed_;
    std::deque<Report> reports_;
    std::pair<u32, u32> best_{};
    int sample_every_ = -1;
    bool finished_ = true;
    Ticket ticket_ = 0;
};

// The memory of this machine in megabytes; a great number where nobody can tell.
std::size_t physical_memory_mb();

}  // namespace cotulenh::engine
