// Statistics of a search: what its nodes were, and how often its guesses are wrong.
#pragma once

#include "engine/worker.hpp"

namespace cotulenh::engine {

template <Playable P>
void Worker<P>::count_node_of(bool mid_turn, const TableHit& hit, bool cut) {
    count(mid_turn ? Count::MID_TURN_NODES : Count::MAIN_NODES);
    if (hit.hit) count(mid_turn ? Count::MID_TURN_HITS : Count::MAIN_HITS);
    if (cut) count(mid_turn ? Count::MID_TURN_TABLE_CUTS : Count::MAIN_TABLE_CUTS);
}

// Which kind of move made a node fail high, by what the move picker thought of it.
template <Playable P>
void Worker<P>::count_cut(int score, int index, bool take, bool step) {
    using Picker = MovePicker<P>;
    if (!statistics_) return;
    count(Count::CUTS);
    count(Count::CUT_INDEX, u64(index));
    if (index == 1) count(Count::FIRST_CUTS);
    if (step) count(Count::STEP_CUTS);
    if (score == Picker::HASH_MOVE)
        count(Count::HASH_CUTS);
    else if (take)
        count(score < 0 ? Count::BAD_TAKE_CUTS : Count::GOOD_TAKE_CUTS);
    else
        count(score >= Picker::KILLER ? Count::KILLER_CUTS : Count::QUIET_CUTS);
}

// A step does not swap the roles: what was expected to fail high still is.
template <Playable P>
void Worker<P>::count_role(int ply, bool pv) {
    if (!statistics_ || ply < 2 || pv) return;
    const PlyState &here = at(ply), &parent = at(ply - 1);
    if (parent.side != here.side || parent.lmr || parent.pv_node) return;
    count(Count::SAME_SIDE_CHILDREN);
    if (here.cut_node != parent.cut_node) count(Count::SAME_SIDE_OTHER_ROLE);
}

// Is this guess one of those to be checked? Not within a check, whose tree is not the search's.
template <Playable P>
bool Worker<P>::sampled() {
    if (!statistics_ || !statistics_->sample_every || statistics_->checking) return false;
    return ++statistics_->next_sample % statistics_->sample_every == 0;
}

template <Playable P>
void Worker<P>::record(Guess guess, bool wrong) {
    if (stopped()) return;
    auto& sample = statistics_->samples[std::size_t(guess)];
    ++sample.checked;
    sample.wrong += wrong;
}

// The node was to be cut off as one that fails high, or low. Does it?
template <Playable P>
void Worker<P>::check_node(Guess guess, bool fails_high, Score alpha, Score beta, int depth,
                           int ply, int turns, bool cut_node) {
    statistics_->checking = at(ply).unpruned = true;
    const Score score = search(alpha, beta, depth, ply, turns, cut_node);
    statistics_->checking = at(ply).unpruned = false;
    record(guess, fails_high ? score < beta : score > alpha);
}

// The move was to be left out as one that does not raise alpha. Would it?
template <Playable P>
void Worker<P>::check_move(Guess guess, Move m, Score alpha, int depth, int ply, int turns) {
    statistics_->checking = true;
    Score score;
    {
        const ScopedMove made(*this, m, ply);
        score = search_child(made, alpha, alpha + 1, depth - 1, ply, turns, true);
    }
    statistics_->checking = false;
    record(guess, score > alpha);
}

}  // namespace cotulenh::engine
