// One game under way: the position, what of its history matters, and its own dice.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "env/ending.hpp"
#include "games/hash.hpp"

namespace cotulenh::env {

// A number below n, each as likely as the other to within 2^-32.
inline int draw(u64& dice, int n) { return int(((next_key(dice) >> 32) * u64(n)) >> 32); }

// What all episodes of an environment share.
template <class G>
struct Setting {
    std::string id;  // states go from one environment to another only if these are equal
    G game;
    std::vector<typename G::Position> starts;  // one is drawn for each episode
    int most_moves = 0;                        // then an episode is cut off; 0: never
    int history = 0;                           // positions before the current one that are shown
};

template <class G>
class Episode {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    explicit Episode(const Setting<G>& setting) : position_(setting.starts[0]) {}

    // Two streams, so that drawing actions changes nothing about the games.
    void seed(u64 seed) {
        u64 state = seed;
        dice_ = next_key(state);
        action_dice_ = next_key(state);
    }

    void set_dice(u64 dice, u64 action_dice) { dice_ = dice, action_dice_ = action_dice; }

    void begin(const Setting<G>& setting) {
        begin(setting, draw(dice_, int(setting.starts.size())));
    }
    void begin(const Setting<G>& setting, int start) {
        start_ = start;
        position_ = setting.starts[std::size_t(start_)];
        played_.clear();
        keys_.clear();
        past_.clear();
        forfeited_ = false;
        if (!G::mid_turn(position_)) keys_.push_back(position_.key());
        look(setting);
    }

    // Plays the i-th legal move.
    void play(const Setting<G>& setting, int i) {
        if (setting.history) remember(setting.history);
        const Move m = moves_[std::size_t(i)];
        typename Position::Undo undo;
        position_.make(m, undo);
        played_.push_back(m.bits());
        if (!G::mid_turn(position_)) {
            if (G::irreversible(position_)) keys_.clear();
            keys_.push_back(position_.key());
        }
        look(setting);
    }

    // The side to move gives the game away (by an action that is not legal).
    void forfeit() {
        forfeited_ = true;
        ending_ = {true, Side(position_.turn() ^ 1)};
        forget_moves();
    }

    const Position& position() const { return position_; }
    const std::vector<u64>& keys() const { return keys_; }
    const std::vector<Move>& moves() const { return moves_; }
    const std::vector<std::int32_t>& actions() const { return actions_; }
    const std::vector<u32>& played() const { return played_; }
    const Ending& ending() const { return ending_; }
    int start() const { return start_; }
    bool truncated() const { return truncated_; }
    bool forfeited() const { return forfeited_; }
    bool over() const { return ending_.over || truncated_; }
    Side turn() const { return position_.turn(); }
    u64& dice() { return dice_; }
    u64 dice() const { return dice_; }
    u64& action_dice() { return action_dice_; }
    u64 action_dice() const { return action_dice_; }

    // Which side the caller plays, where the environment plays the other.
    Side agent = FIRST;

    // The place of an action among the legal ones, -1 if it is not legal.
    int find(std::int64_t action) const {
        const auto at = std::find(actions_.begin(), actions_.end(), action);
        return at == actions_.end() ? -1 : int(at - actions_.begin());
    }

    template <class T>
    void write(const Setting<G>& setting, Side viewer, T* out) const {
        const G& game = setting.game;
        const int area = game.files() * game.ranks();
        game.write(position_, viewer, times_seen(), out);
        out += G::PLANES * area;
        for (int back = 1; back <= setting.history; ++back, out += G::PIECE_PLANES * area) {
            if (back <= int(past_.size()))
                game.write_past(past_[past_.size() - std::size_t(back)], viewer, out);
            else
                std::fill_n(out, G::PIECE_PLANES * area, T(0));
        }
    }

  private:
    int times_seen() const { return int(std::count(keys_.begin(), keys_.end(), position_.key())); }

    void remember(int history) {
        if (int(past_.size()) == history) past_.erase(past_.begin());
        G::keep(position_, past_.emplace_back());
    }

    void forget_moves() {
        moves_.clear();
        actions_.clear();
    }

    void look(const Setting<G>& setting) {
        MoveList<Move> list;
        position_.legal_moves(list);
        moves_.assign(list.begin(), list.end());
        ending_ = setting.game.ending(position_, times_seen());
        truncated_ =
            !ending_.over && setting.most_moves && int(played_.size()) >= setting.most_moves;
        if (over()) {
            forget_moves();
            return;
        }
        actions_.resize(moves_.size());
        setting.game.number(position_, moves_.data(), int(moves_.size()), actions_.data());
    }

    Position position_;
    std::vector<u64> keys_;  // at the start of each turn since the last irreversible one
    std::vector<u32> played_;
    std::vector<Move> moves_;
    std::vector<std::int32_t> actions_;
    std::vector<typename G::Snapshot> past_;  // the newest last
    Ending ending_;
    bool truncated_ = false, forfeited_ = false;
    int start_ = 0;
    u64 dice_ = 0, action_dice_ = 0;
};

}  // namespace cotulenh::env
