// Board<P>: a position with its history, for both games. What needs a game's past gets the Board.
//
//   Board<P> b(position);           // the first position; nothing is remembered before it
//   b.position()                    // the position now
//   b.push(m); b.push_null();       // m must be legal; one single move: a step and a commit count
//   b.pop(); b.undo();              // the last single move; the last step or else the whole turn
//   b.ply(); b.move(i); b.last();   // the single moves so far, a null move as Move{}
//   b.keys(n)                       // the last n Zobrist keys of positions at the start of a turn,
//                                   // in their order; the present one last, unless in mid-turn
//   b.repetitions()                 // how often the position stood at the start of a turn
//   b.outcome()                     // Outcome<P::Reason>, or nothing while the game goes on
//   b.root(); b.turns(); b.steps(); // first position; finished turns; moves of the open turn
//   b.history(san)                  // text of the finished turns
//
// It knows no Python, no threads and no text but that of its game, and copies as a value.
#pragma once

#include <string>
#include <vector>

#include "games/game.hpp"

namespace cotulenh {

template <WrittenGame P>
class Board {
  public:
    using Position = P;
    using Move = typename P::Move;
    using Undo = typename P::Undo;

    // A single move and how to take it back.
    struct Played {
        Move move;
        bool begins_turn;
        Undo undo;
        Played(Move m, bool begins) : move(m), begins_turn(begins) {}
    };

    // With problems (P::PROBLEM_NAMES) the position is unfinished: it may be looked at and changed,
    // and nothing that moves may be asked of it.
    explicit Board(const P& start, u32 problems = 0) : position_(start), problems_(problems) {}
    u32 problems() const { return problems_; }

    P& position() { return position_; }
    const P& position() const { return position_; }

    int ply() const { return int(played_.size()); }
    const Played& played(int i) const { return played_[std::size_t(i)]; }
    Move move(int i) const { return played(i).move; }
    Move last() const { return played_.empty() ? Move{} : played_.back().move; }
    std::vector<u64> keys(std::size_t most) const {
        const bool now = !position_.mid_turn();
        const std::size_t past = std::min(most - now, keys_.size());
        std::vector<u64> out;
        out.reserve(past + now);
        out.assign(keys_.end() - std::ptrdiff_t(past), keys_.end());
        if (now) out.push_back(position_.key());
        return out;
    }

    void push(Move m) { position_.make(m, remember(m)); }
    // Passes the turn: the side to move must not be in check nor in mid-turn.
    void push_null() { position_.make_null(remember(Move{})); }
    // There must be a move to take back.
    Move pop() {
        const Move m = played_.back().move;
        const Undo& undo = played_.back().undo;
        m ? position_.unmake(m, undo) : position_.unmake_null(undo);
        played_.pop_back();
        if (!position_.mid_turn()) keys_.pop_back();
        return m;
    }
    void undo() {
        const bool whole = !position_.mid_turn();
        do pop();
        while (whole && position_.mid_turn() && !played_.empty());
    }

    // The clock says how far back a repetition can lie; every second turn has the same side.
    int repetitions() const {
        if (position_.mid_turn()) return 0;
        const std::size_t reach = std::min<std::size_t>(position_.halfmove(), keys_.size());
        int n = 1;
        for (std::size_t back = 2; back <= reach; back += 2)
            n += keys_[keys_.size() - back] == position_.key();
        return n;
    }
    template <class... Options>
    auto outcome(Options... options) {
        return position_.outcome(repetitions(), options...);
    }

    // Goes back to the first position; nothing is remembered.
    void rewind() { *this = Board(root(), problems_); }
    P root() const {
        P p = position_;
        for (auto played = played_.rbegin(); played != played_.rend(); ++played)
            played->move ? p.unmake(played->move, played->undo) : p.unmake_null(played->undo);
        return p;
    }
    std::vector<Move> moves() const { return moves_from(0); }
    // The moves of the turn under way, as far as they are known.
    std::vector<Move> steps() const { return moves_from(open_turn()); }
    // Finished turns, each the moves it consisted of.
    std::vector<std::vector<Move>> turns() const {
        std::vector<std::vector<Move>> out;
        for (std::size_t i = 0, end = open_turn(); i < end; ++i) {
            if (played_[i].begins_turn || out.empty()) out.emplace_back();
            out.back().push_back(played_[i].move);
        }
        return out;
    }
    std::vector<std::string> history(bool san) const {
        P p = root();
        Undo undo;
        std::vector<std::string> out;
        for (const auto& turn : turns()) {
            out.push_back(write_turn(p, turn, san));
            for (const Move m : turn) m ? p.make(m, undo) : p.make_null(undo);
        }
        return out;
    }

  private:
    Undo& remember(Move m) {
        const bool begins_turn = !position_.mid_turn();
        if (begins_turn) keys_.push_back(position_.key());
        return played_.emplace_back(m, begins_turn).undo;
    }
    // Where the moves of the turn under way begin; the end if none is.
    std::size_t open_turn() const {
        std::size_t i = played_.size();
        if (!position_.mid_turn()) return i;
        while (i > 0 && !played_[i - 1].begins_turn) --i;
        return i > 0 ? i - 1 : 0;
    }
    std::vector<Move> moves_from(std::size_t i) const {
        std::vector<Move> out;
        for (; i < played_.size(); ++i) out.push_back(played_[i].move);
        return out;
    }

    P position_;
    u32 problems_;
    std::vector<Played> played_;
    std::vector<u64> keys_;  // at the start of each turn that was begun
};

}  // namespace cotulenh
