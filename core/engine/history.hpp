// History: which moves proved good or bad while searching. Each thread has its own.
#pragma once

#include <cstring>
#include <memory>

#include "engine/game.hpp"

namespace cotulenh::engine {

// A number that drifts towards +-LIMIT the more often what it stands for proved good or bad.
template <int Limit>
class HistoryEntry {
  public:
    static constexpr int LIMIT = Limit;
    void update(int bonus) {
        value_ = std::int16_t(value_ + bonus - value_ * std::abs(bonus) / LIMIT);
    }
    operator int() const { return value_; }

  private:
    std::int16_t value_ = 0;
};

// Continuation history: a move is judged by what was played so many plies before it.
inline constexpr int CONTINUATIONS[] = {1, 2, 4};

// Moves are told apart by piece and target ("piece-to", Game<P>::piece_to).
template <Playable P>
struct History {
    using Move = typename P::Move;
    static constexpr int PIECE_TO = Game<P>::PIECE_TO;
    using Entry = HistoryEntry<16384>;
    using Row = Entry[PIECE_TO];
    static inline const Row NOTHING{};  // of a move that has not been made

    Row quiet[2][2][Game<P>::THREATS];    // by side, step of a longer turn, threats
    Row capture[2][Game<P>::CAPTURED];    // by side, kind taken
    Move counter_move[2][PIECE_TO];       // what refuted the opponent's last move
    std::unique_ptr<Row[]> continuation;  // by the piece-to of an earlier move

    // Of a move of this side, in view of what the other attacks.
    Entry& quiet_of(Side side, Move m, const typename Game<P>::Threats& threats, int piece_to) {
        return quiet[side][Game<P>::is_step(m)][Game<P>::threat_index(threats, m)][piece_to];
    }

    History() : continuation(new Row[PIECE_TO]) { clear(); }
    void clear() {
        std::memset(static_cast<void*>(quiet), 0, sizeof quiet);
        std::memset(static_cast<void*>(capture), 0, sizeof capture);
        std::memset(static_cast<void*>(counter_move), 0, sizeof counter_move);
        std::memset(static_cast<void*>(continuation.get()), 0, sizeof(Row) * PIECE_TO);
    }
};

}  // namespace cotulenh::engine
