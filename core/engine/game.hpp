// What the search must know about a game beyond its law: which moves are sharp, what an exchange is
// worth, what a position is worth. `Game<P>` is specialised for each game.
#pragma once

#include "engine/weights.hpp"
#include "games/game.hpp"
#include "games/hash.hpp"

namespace cotulenh::engine {

// How a position ends the game by itself, for the side to move.
enum class Ending : u8 { NONE, LOST, WON, DRAWN };

template <class P>
struct Game;

template <class P>
concept Playable =
    GamePosition<P> && requires(P p, const P c, typename P::Move m, typename P::Undo u,
                                MoveList<typename P::Move> list, const typename Game<P>::Weights& w,
                                typename Game<P>::Memory memory, typename Game<P>::Doubts doubts) {
        { m.bits() } -> std::convertible_to<u32>;
        { p.make_null(u) };
        { p.unmake_null(u) };
        { p.is_legal(m) } -> std::convertible_to<bool>;
        { Game<P>::takes(p, list) };  // appends the sharp moves
        // And all others; of the doubtful ones it is not known yet whether they are legal.
        { Game<P>::quiets(p, list, doubts) };
        { Game<P>::is_doubtful(m, doubts) } -> std::convertible_to<bool>;
        { Game<P>::is_safe(p, m) } -> std::convertible_to<bool>;
        { Game<P>::is_take(c, m) } -> std::convertible_to<bool>;  // is this one of them?
        // For the order of takes: most valuable victim, least valuable attacker.
        { Game<P>::victim_value(c, m) } -> std::convertible_to<int>;
        { Game<P>::attacker_value(c, m) } -> std::convertible_to<int>;
        { Game<P>::captured(c, m) } -> std::convertible_to<int>;   // the kind taken, < CAPTURED
        { Game<P>::may_lose(c, m) } -> std::convertible_to<bool>;  // could an exchange be bad?
        { Game<P>::see(c, m) } -> std::convertible_to<int>;        // static exchange evaluation
        { Game<P>::may_check(c, m) } -> std::convertible_to<bool>;
        { Game<P>::piece_to(c, m) } -> std::convertible_to<int>;  // piece and target, < PIECE_TO
        // What the opponent attacks, and how that concerns a move, < THREATS: does it leave such a
        // point, does it go to one?
        { Game<P>::threats(c) } -> std::same_as<typename Game<P>::Threats>;
        { Game<P>::threat_index(typename Game<P>::Threats{}, m) } -> std::convertible_to<int>;
        { Game<P>::is_step(m) } -> std::convertible_to<bool>;    // part of a longer turn
        { Game<P>::is_commit(m) } -> std::convertible_to<bool>;  // ends one, moving nothing
        // After the first of two steps: may a turn make them in the other order, to the same end?
        { Game<P>::commute(c, m, m) } -> std::convertible_to<bool>;
        { Game<P>::mid_turn(c) } -> std::convertible_to<bool>;
        { Game<P>::in_check_after(c, u) } -> std::convertible_to<bool>;  // `u`: the last move's
        { Game<P>::allows_null_move(c) } -> std::convertible_to<bool>;
        { Game<P>::clock(c) } -> std::convertible_to<u32>;        // turns without progress
        { Game<P>::ending(p) } -> std::same_as<Ending>;           // clock and repetition aside
        { Game<P>::pieces_key(c, Side()) } -> std::same_as<u64>;  // how a side's pieces stand
        // The memory keeps what is cheaper to update than to compute anew: the accumulator of the
        // network, the pawn table. With the network or without, if there is one. After `begin`
        // every change of the position is noted.
        { memory.begin() };
        { memory.note(u) };
        { Game<P>::evaluate(c, w, memory, true) } -> std::convertible_to<Score>;
    };

// The end of an exchange: gain[i] is what the i-th take wins at once. Either side may stop.
inline int resolve_exchange(int* gain, int n) {
    int value = 0;
    for (int i = n - 1; i > 0; --i) value = std::max(0, gain[i] - value);
    return gain[0] - value;
}

}  // namespace cotulenh::engine
