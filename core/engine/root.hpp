// The root of the search: iterative deepening, line by line, each with an aspiration window.
#pragma once

#include "engine/worker.hpp"

namespace cotulenh::engine {

// The score of one root move: a null window first, unless it is the first of its line.
template <Playable P>
Score Worker<P>::search_root_move(std::size_t i, Score alpha, Score beta, int depth, int line) {
    const Move m = root_moves_[i].move;
    const std::size_t first = std::size_t(line);
    const bool take = G::is_take(*position_, m);
    at(0).quiet = !take && !G::is_commit(m);
    const ScopedMove made(*this, m, 0);
    const int next = depth - !G::is_commit(m);
    Score score = -INFINITE;
    bool full_window = i == first;
    if (i != first) {
        int r = 0;
        if (on(LMR) && depth >= 3 && !take && i > first + std::size_t(par().lmr_root_moves))
            r = std::clamp(shared_->reductions(depth, int(i)) - par().lmr_root_less, 0, next - 1);
        score = search_child(made, alpha, alpha + 1, next - r, 0, 0, true);
        if (r && score > alpha) score = search_child(made, alpha, alpha + 1, next, 0, 0, true);
        full_window = score > alpha;
    }
    if (full_window && !stopped()) score = search_child(made, alpha, beta, next, 0, 0, false);
    return score;
}

template <Playable P>
Score Worker<P>::quiet_score() {
    at(0).in_check = !G::mid_turn(*position_) && position_->in_check();
    return quiescence(-INFINITE, INFINITE, 0, 0);
}

template <Playable P>
Score Worker<P>::search_root(Score alpha, Score beta, int depth, int line) {
    PlyState& here = at(0);
    here.in_check = !G::mid_turn(*position_) && position_->in_check();
    here.pv.size = 0;
    here.static_eval = here.in_check ? NO_SCORE : corrected(evaluate(), 0);
    here.side = position_->turn();
    here.threats = threats();
    here.mid_turn = G::mid_turn(*position_);
    here.cut_node = false;
    here.pv_node = true;
    count_node();
    Score best = -INFINITE;
    Steps steps;
    here.steps = &steps;
    for (std::size_t i = std::size_t(line); i < root_moves_.size(); ++i) {
        if (ends_listed_turn(root_moves_[i].move)) continue;
        seldepth_ = 0;
        const Score score = search_root_move(i, alpha, beta, depth, line);
        if (stopped()) return best;
        if (G::is_step(root_moves_[i].move) && !at(1).left_out)
            steps.add(root_moves_[i].move, score);
        RootMove& root = root_moves_[i];
        if (i == std::size_t(line) || score > alpha) {
            root.score = score;
            root.seldepth = seldepth_;
            root.pv.assign(1, root.move.bits());
            const PvLine& rest = at(1).pv;
            for (int k = 0; k < rest.size; ++k) root.pv.push_back(rest.moves[k].bits());
        } else {
            root.score = -INFINITE;  // known to be no better, and nothing more
        }
        best = std::max(best, score);
        alpha = std::max(alpha, score);
        if (alpha >= beta) break;
    }
    return best;
}

// A window around the last score; wider on the side where the truth turned out to lie.
template <Playable P>
Score Worker<P>::aspiration_search(int depth, int line) {
    const Score guess = root_moves_[std::size_t(line)].previous_score;
    Score alpha = -INFINITE, beta = INFINITE, delta = par().aspiration_window;
    int fail_highs = 0;  // a score far above the window is confirmed less deeply
    if (on(ASPIRATION) && depth >= par().aspiration_depth && !is_mate(guess))
        alpha = guess - delta, beta = guess + delta;
    const auto better = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    while (true) {
        const Score score = search_root(alpha, beta, std::max(depth - fail_highs, 1), line);
        std::stable_sort(root_moves_.begin() + line, root_moves_.end(), better);
        if (stopped()) return score;
        if (score <= alpha && alpha > -INFINITE) {
            if (number_ == 0 && shared_->elapsed() > 1) report(depth, line, UPPER);
            beta = (alpha + beta) / 2;
            alpha = std::max(score - delta, -INFINITE);
            fail_highs = 0;
        } else if (score >= beta && beta < INFINITE) {
            if (number_ == 0 && shared_->elapsed() > 1) report(depth, line, LOWER);
            beta = std::min(score + delta, INFINITE);
            fail_highs += on(LMR);
        } else {
            return score;
        }
        count(Count::ASPIRATION_FAILURES);
        delta += delta;
        if (delta > par().aspiration_limit) alpha = -INFINITE, beta = INFINITE;
    }
}

template <Playable P>
void Worker<P>::report(int depth, int line, Bound bound) const {
    if (!shared_->report) return;
    const RootMove& root = root_moves_[std::size_t(line)];
    Report r;
    r.depth = depth;
    r.seldepth = std::max(root.seldepth, depth);
    r.multipv = line + 1;
    r.score = root.score == -INFINITE ? root.previous_score : root.score;
    r.bound = bound;
    r.nodes = shared_->total_nodes();
    r.time = shared_->elapsed();
    r.hashfull = shared_->table->fullness();
    r.pv = root.pv;
    shared_->report(r);
}

// After an iteration: is there anything left to search for?
template <Playable P>
bool Worker<P>::time_is_up(int depth) {
    const Limit& limit = shared_->limit;
    const Score score = root_moves_[0].score;
    if (limit.mate && score >= MATE_IN_MAX_PLY && mate_turns(score) <= limit.mate) return true;
    if (limit.infinite || shared_->pondering) return false;
    const bool clocks = limit.times.has_value();
    if (!clocks && limit.time < 0) return false;
    if (clocks && root_moves_.size() == 1 && depth >= 2) return true;
    // A mate that nothing can shorten any more.
    if (is_mate(score) && depth > 3 * std::abs(mate_turns(score)) + 6) return true;
    if (!clocks) return shared_->elapsed() > shared_->budget.soft;
    // A choice that keeps standing needs less time, one that has just changed more.
    const int stable = stable_iterations_;
    const double share = stable == 0 ? 1.5 : stable < 3 ? 1.1 : stable < 6 ? 0.85 : 0.65;
    return shared_->elapsed() > std::min(shared_->budget.soft * share, shared_->budget.hard);
}

template <Playable P>
void Worker<P>::clear_plies() {
    for (int i = 0; i < MAX_PLY + 8; ++i) {
        plies_[i].piece_to = -1, plies_[i].static_eval = NO_SCORE;
        plies_[i].unpruned = false;
        plies_[i].killers[0] = plies_[i].killers[1] = plies_[i].excluded = Move{};
    }
}

// Remembers the first turn of a line that was found: the next ones are to make another.
template <Playable P>
void Worker<P>::list_turn(int line) {
    P p = *position_;
    typename P::Undo undo;
    for (const u32 bits : root_moves_[std::size_t(line)].pv) {
        p.make(Move::from_bits(bits), undo);
        if (p.turn() == position_->turn()) continue;
        listed_.push_back(p.key());
        return;
    }
}

// Steps in another order, or pieces that leave together instead of one by one, make no other turn.
template <Playable P>
bool Worker<P>::ends_listed_turn(Move m) {
    if (listed_.empty()) return false;
    P& p = *position_;
    typename P::Undo undo;
    const Side us = p.turn();
    p.make(m, undo);
    const bool found =
        p.turn() != us && std::find(listed_.begin(), listed_.end(), p.key()) != listed_.end();
    p.unmake(m, undo);
    return found;
}

// One iteration: the best lines, and the root moves in their order.
template <Playable P>
void Worker<P>::search_lines(int depth, int lines) {
    for (RootMove& root : root_moves_) root.previous_score = root.score, root.score = -INFINITE;
    listed_.clear();
    for (int line = 0; line < lines && !stopped(); ++line) {
        aspiration_search(depth, line);
        if (!stopped() && root_moves_[std::size_t(line)].score == -INFINITE) {
            listed_.clear();  // no other turn is left: lines as they come
            aspiration_search(depth, line);
        }
        if (line + 1 < lines && !stopped()) list_turn(line);
    }
    listed_.clear();
    if (!stopped() || root_moves_[0].score > -INFINITE) {
        completed_depth_ = stopped() ? completed_depth_ : depth;
        const auto better = [](const RootMove& a, const RootMove& b) {
            return a.score != b.score ? a.score > b.score : a.previous_score > b.previous_score;
        };
        std::stable_sort(root_moves_.begin(), root_moves_.begin() + lines, better);
    }
    for (RootMove& root : root_moves_)
        if (root.score == -INFINITE) root.score = root.previous_score;
}

template <Playable P>
void Worker<P>::iterative_deepening() {
    const int lines = std::min<int>(shared_->multipv, int(root_moves_.size()));
    const int asked = shared_->limit.depth;
    const int deepest = asked ? std::min(asked, MAX_PLY - 28) : MAX_PLY - 28;
    clear_plies();
    stable_iterations_ = 0;
    for (int depth = 1; depth <= deepest && !stopped(); ++depth) {
        // Helpers skip some depths, so that threads do not all do the same work.
        if (number_ > 0 && depth > 2 && (depth + number_) % 3 == 0 && depth < deepest) continue;
        root_depth_ = depth;
        count(Count::ITERATIONS);
        const u32 best = root_moves_[0].move.bits();
        search_lines(depth, lines);
        if (stopped()) break;
        stable_iterations_ = root_moves_[0].move.bits() == best ? stable_iterations_ + 1 : 0;
        if (number_ != 0) continue;
        for (int line = 0; line < lines; ++line) report(depth, line, EXACT);
        if (time_is_up(depth)) break;
    }
}

}  // namespace cotulenh::engine
