// The root of the search: deeper and deeper, line by line, with a narrow window. Part of
// search.hpp.
#pragma once

#include "engine/search.hpp"

namespace cotulenh::engine {

template <Playable P>
Score Worker<P>::search_root(Score alpha, Score beta, int depth, int line) {
    Frame& here = frame(0);
    here.in_check = !G::mid_turn(*position_) && position_->in_check();
    here.line.size = 0;
    here.eval = here.in_check ? NO_SCORE : evaluate();
    count_node();
    Score best = -INFINITE;
    for (std::size_t i = std::size_t(line); i < root_moves_.size(); ++i) {
        RootMove& root = root_moves_[i];
        const bool first = i == std::size_t(line);
        Score score = -INFINITE;
        seldepth_ = 0;
        {
            const bool take = G::is_take(*position_, root.move);
            here.quiet = !take && !G::is_commit(root.move);
            const Made made(*this, root.move, 0);
            const int next = depth - !G::is_commit(root.move);
            bool full = first;
            if (!first) {
                int r = 0;
                if (on(REDUCTIONS) && depth >= 3 && !take && i > std::size_t(line) + 2)
                    r = std::clamp(reduction(depth, int(i)) - 1, 0, next - 1);
                score = below(made, alpha, alpha + 1, next - r, 0, 0, true);
                if (r && score > alpha) score = below(made, alpha, alpha + 1, next, 0, 0, true);
                full = score > alpha;
            }
            if (full && !stopped()) score = below(made, alpha, beta, next, 0, 0, false);
        }
        if (stopped()) return best;
        if (first || score > alpha) {
            root.score = score;
            root.seldepth = seldepth_;
            root.pv.assign(1, root.move.bits());
            const Line& rest = frame(1).line;
            for (int k = 0; k < rest.size; ++k) root.pv.push_back(rest.moves[k].bits());
        } else {
            root.score = -INFINITE;  // known to be no better, and nothing more
        }
        if (score > best) best = score;
        if (score > alpha) alpha = score;
        if (alpha >= beta) break;
    }
    return best;
}

// A window around the last score; wider on the side where the truth turned out to lie.
template <Playable P>
Score Worker<P>::aspire(int depth, int line) {
    const Score guess = root_moves_[std::size_t(line)].before;
    Score alpha = -INFINITE, beta = INFINITE, delta = 12;
    int surprises = 0;  // a score far above the window is confirmed less deeply
    if (on(ASPIRATION) && depth >= 4 && guess > -SURE && guess < SURE)
        alpha = guess - delta, beta = guess + delta;
    const auto better = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    while (true) {
        const Score score = search_root(alpha, beta, std::max(depth - surprises, 1), line);
        std::stable_sort(root_moves_.begin() + line, root_moves_.end(), better);
        if (stopped()) return score;
        if (score <= alpha && alpha > -INFINITE) {
            if (number_ == 0 && shared_->elapsed() > 1) tell(depth, line, UPPER);
            beta = (alpha + beta) / 2;
            alpha = std::max(score - delta, -INFINITE);
            surprises = 0;
        } else if (score >= beta && beta < INFINITE) {
            if (number_ == 0 && shared_->elapsed() > 1) tell(depth, line, LOWER);
            beta = std::min(score + delta, INFINITE);
            surprises += on(REDUCTIONS);
        } else {
            return score;
        }
        delta += delta;
        if (delta > 600) alpha = -INFINITE, beta = INFINITE;
    }
}

template <Playable P>
void Worker<P>::tell(int depth, int line, Bound bound) const {
    if (!shared_->report) return;
    const RootMove& root = root_moves_[std::size_t(line)];
    Thought t;
    t.depth = depth;
    t.seldepth = std::max(root.seldepth, depth);
    t.multipv = line + 1;
    t.score = root.score == -INFINITE ? root.before : root.score;
    t.bound = bound;
    t.nodes = shared_->total_nodes();
    t.time = shared_->elapsed();
    t.hashfull = shared_->table->fullness();
    t.pv = root.pv;
    shared_->report(t);
}

// After an iteration: is there anything left to think about?
template <Playable P>
bool Worker<P>::enough(int depth) {
    const Limits& limits = shared_->limits;
    const Score score = root_moves_[0].score;
    if (limits.mate && score >= SURE && mate_turns(score) <= limits.mate) return true;
    if (limits.infinite || shared_->pondering) return false;
    const bool timed = limits.clocks || limits.time >= 0;
    if (!timed) return false;
    if (limits.clocks && root_moves_.size() == 1 && depth >= 2) return true;
    // A mate that nothing can shorten any more.
    if (is_mate(score) && depth > 3 * std::abs(mate_turns(score)) + 6) return true;
    if (!limits.clocks) return shared_->elapsed() > shared_->budget.soft;
    // A choice that keeps standing needs less time, one that has just changed more.
    const double patience = stable_ == 0 ? 1.5 : stable_ < 3 ? 1.1 : stable_ < 6 ? 0.85 : 0.65;
    return shared_->elapsed() > std::min(shared_->budget.soft * patience, shared_->budget.hard);
}

template <Playable P>
void Worker<P>::think() {
    const int lines = std::min<int>(shared_->multipv, int(root_moves_.size()));
    const int deepest =
        shared_->limits.depth ? std::min(shared_->limits.depth, MOST_PLIES - 28) : MOST_PLIES - 28;
    for (int i = 0; i < MOST_PLIES + 8; ++i) {
        frames_[i].place = -1, frames_[i].eval = NO_SCORE;
        frames_[i].killers[0] = frames_[i].killers[1] = frames_[i].excluded = Move{};
    }
    stable_ = 0;
    for (int depth = 1; depth <= deepest && !stopped(); ++depth) {
        // Helpers skip some depths, so that threads do not all do the same work.
        if (number_ > 0 && depth > 2 && (depth + number_) % 3 == 0 && depth < deepest) continue;
        root_depth_ = depth;
        const u32 best = root_moves_[0].move.bits();
        for (RootMove& root : root_moves_) root.before = root.score, root.score = -INFINITE;
        for (int line = 0; line < lines && !stopped(); ++line) {
            aspire(depth, line);
            if (stopped()) break;
        }
        const bool broken = stopped();
        if (!broken || root_moves_[0].score > -INFINITE) {
            completed_ = broken ? completed_ : depth;
            const auto better = [](const RootMove& a, const RootMove& b) {
                return a.score != b.score ? a.score > b.score : a.before > b.before;
            };
            std::stable_sort(root_moves_.begin(), root_moves_.begin() + lines, better);
        }
        for (RootMove& root : root_moves_)
            if (root.score == -INFINITE) root.score = root.before;
        if (broken) break;
        stable_ = root_moves_[0].move.bits() == best ? stable_ + 1 : 0;
        if (number_ == 0) {
            for (int line = 0; line < lines; ++line) tell(depth, line, EXACT);
            if (enough(depth)) break;
        }
    }
}

}  // namespace cotulenh::engine
