// The search: one template for both games. `search` reads from step 1 to step 17; `quiescence`
// shares its opening steps and their numbers.
//
// A turn may last several moves of one side, so a child's score is negated only if the side to move
// has changed. Depth counts single moves; mates count turns.
#pragma once

#include "engine/worker.hpp"

namespace cotulenh::engine {

template <Playable P>
void Worker<P>::count_node() {
    const u64 n = nodes() + 1;
    nodes_.store(n, std::memory_order_relaxed);
    if (number_ != 0) return;
    const Limit& limit = shared_->limit;
    const bool all = (n & 1023) == 0;
    // The first iteration may take more, for without it no move has a score; but where everything
    // hangs, its exchanges never end.
    constexpr u64 FIRST_ITERATION = 10'000;
    const u64 most = completed_depth_ > 0 ? limit.nodes : std::max(limit.nodes, FIRST_ITERATION);
    if (limit.nodes && !shared_->pondering &&
        (n >= most || (all && shared_->total_nodes() >= most)))
        shared_->stop = true;
    if (all && !shared_->pondering && !limit.infinite && shared_->elapsed() > shared_->budget.hard)
        shared_->stop = true;
}

// Within the search one repetition is enough; of earlier positions it takes three in all.
template <Playable P>
bool Worker<P>::is_repetition() const {
    const std::size_t last = keys_.size() - 1;
    const std::size_t reach = std::min<std::size_t>(G::clock(*position_), last);
    int times = 1;
    for (std::size_t back = 4; back <= reach; back += 2) {  // the same side moves every other turn
        if (keys_[last - back] != keys_[last]) continue;
        if (last - back >= root_key_ || ++times == 3) return true;
    }
    return false;
}

template <Playable P>
bool Worker<P>::is_draw() const {
    return is_repetition() || G::clock(*position_) >= G::DRAWN_AFTER;
}

// Steps 1 to 3 of `search` and `quiescence`: the score of a node that needs no search.
template <Playable P>
std::optional<Score> Worker<P>::enter_node(int ply, int turns) {
    P& p = *position_;
    PlyState& here = at(ply);

    // 1. One more node; has the time run out?
    here.pv.size = 0;
    count_node();
    if (stopped()) return 0;
    seldepth_ = std::max(seldepth_, ply);

    // 2. The game is over: Commander taken, objective lost, drawn by material.
    switch (G::ending(p)) {
        case Ending::LOST:
            return mated_in(turns);
        case Ending::WON:
            return mate_in(turns);
        case Ending::DRAWN:
            return 0;
        default:
            break;
    }

    // 3. Draws by repetition and clock; a mate on the board goes before them.
    if (!G::mid_turn(p) && is_draw() && (!here.in_check || p.count_legal() > 0)) return 0;
    if (ply >= MAX_PLY - 2) return evaluate();
    return std::nullopt;
}

template <Playable P>
TableHit Worker<P>::probe() const {
    return on(TRANSPOSITION_TABLE) ? shared_->table->probe(position_->key()) : TableHit{};
}

// Does the bound of an entry say on which side of the limit the score lies?
template <Playable P>
bool Worker<P>::bound_fits(const TableHit& hit, Score score, Score limit) {
    return hit.bound == EXACT || hit.bound == (score >= limit ? LOWER : UPPER);
}

template <Playable P>
void Worker<P>::store(const TableHit& hit, Move best, Score score, int turns, Score raw, int depth,
                      Bound bound, bool pv) {
    if (on(TRANSPOSITION_TABLE))
        shared_->table->store(position_->key(), best.bits(), to_table(score, turns), raw, depth,
                              bound, pv || hit.was_pv);
}

// The static evaluation, or what the transposition table remembers of it.
template <Playable P>
Score Worker<P>::raw_eval(const TableHit& hit) {
    return hit.hit && hit.eval != NO_SCORE ? hit.eval : evaluate();
}

// The evaluation as the correction history would have it.
template <Playable P>
Score Worker<P>::corrected(Score raw, int ply) {
    if (!on(CORRECTION_HISTORY)) return raw;
    return raw + correction_.of(*position_, last_moves(ply), par());
}

template <Playable P>
typename MovePicker<P>::Hints Worker<P>::hints(int ply, u32 hash_move) {
    typename MovePicker<P>::Hints h;
    h.hash_move = hash_move;
    h.threats = at(ply).threats;
    if (on(KILLERS)) {
        const PlyState& here = at(ply);
        h.killers[0] = here.killers[0], h.killers[1] = here.killers[1];
        if (const int before = at(ply - 1).piece_to; before >= 0)
            h.counter_move = history_.counter_move[position_->turn()][before];
    }
    if (on(CONTINUATION_HISTORY))
        for (std::size_t i = 0; i < std::size(CONTINUATIONS); ++i)
            if (const int before = at(ply - CONTINUATIONS[i]).piece_to; before >= 0)
                h.continuation[i] = &history_.continuation[std::size_t(before)];
    return h;
}

// How good a quiet move made at this ply turned out to be.
template <Playable P>
void Worker<P>::update_quiet_history(Side side, Move m, int piece_to, int ply, int bonus) {
    if (on(HISTORY)) history_.quiet_of(side, m, at(ply).threats, piece_to).update(bonus);
    if (!on(CONTINUATION_HISTORY)) return;
    for (const int back : CONTINUATIONS)
        if (const int before = at(ply - back).piece_to; before >= 0)
            history_.continuation[std::size_t(before)][piece_to].update(bonus);
}

// The best move gains, those tried in vain lose.
template <Playable P>
void Worker<P>::update_history(Move best, int depth, int ply, const Tried& tried) {
    const P& p = *position_;
    const Side us = p.turn();
    const int bonus = history_bonus(depth), malus = bonus * 5 / 6;
    const auto quiet = [&](Move m, int amount) {
        update_quiet_history(us, m, G::piece_to(p, m), ply, amount);
    };
    const auto capture = [&](Move m, int amount) {
        history_.capture[us][G::captured(p, m)][G::piece_to(p, m)].update(amount);
    };
    if (G::is_take(p, best)) {
        capture(best, bonus);
    } else {
        PlyState& here = at(ply);
        if (!(here.killers[0] == best)) here.killers[1] = here.killers[0], here.killers[0] = best;
        if (const int before = at(ply - 1).piece_to; before >= 0)
            history_.counter_move[us][before] = best;
        quiet(best, bonus);
        for (int i = 0; i < tried.quiet_count; ++i) quiet(tried.quiets[i], -malus);
    }
    for (int i = 0; i < tried.take_count; ++i) capture(tried.takes[i], -bonus);
}

// The static evaluation at the start of the same side's turn before this one, if there was one:
// a turn may have lasted several plies.
template <Playable P>
Score Worker<P>::previous_turn_eval(int ply) {
    const Side us = at(ply).side;
    int i = ply - 1;
    while (i >= 0 && at(i).side == us) --i;
    while (i >= 0 && at(i).side != us) --i;
    while (i > 0 && at(i).mid_turn) --i;
    if (i < 0) return NO_SCORE;
    count(Count::IMPROVING_COMPARED);
    if (at(i).side != us || (i > 0 && (at(i).mid_turn || at(i - 1).side == us)))
        count(Count::IMPROVING_OTHER_SIDE);
    return at(i).static_eval;
}

// In mid-turn: the score of the turns that make the step before and this one, in the other order,
// if the node before has searched them already; or NO_SCORE.
template <Playable P>
Score Worker<P>::repeated_step(Move m, int ply) {
    const PlyState& parent = at(ply - 1);
    if (!on(STEP_ORDER) || G::is_commit(m)) return NO_SCORE;
    const Steps& before = *parent.steps;
    const Move* end = before.moves + before.count;
    const Move* found = std::find(before.moves, end, m);
    if (found == end || !G::commute(*position_, parent.move, m)) return NO_SCORE;
    return before.scores[found - before.moves];
}

// The score after passing, or less than beta if that proves nothing.
template <Playable P>
Score Worker<P>::null_move_search(Score beta, int depth, int ply, int turns, bool cut_node) {
    P& p = *position_;
    typename P::Undo undo;
    at(ply).move = Move{}, at(ply).piece_to = -1;
    p.make_null(undo);
    keys_.push_back(p.key());
    at(ply + 1).in_check = false;
    const Score score = -search(-beta, -beta + 1, depth, ply + 1, turns + 1, cut_node);
    keys_.pop_back();
    p.unmake_null(undo);
    return score;
}

template <Playable P>
Score Worker<P>::search(Score alpha, Score beta, int depth, int ply, int turns, bool cut_node) {
    P& p = *position_;
    const Parameters& margin = par();
    PlyState& here = at(ply);
    const PlyState& parent = at(ply - 1);
    const bool pv = beta - alpha > 1;
    const bool mid_turn = G::mid_turn(p), in_check = here.in_check;
    const Score first_alpha = alpha;
    here.side = p.turn(), here.mid_turn = mid_turn, here.cut_node = cut_node, here.pv_node = pv;
    here.left_out = false;

    // Check extension: on the principal variation an answer to check costs no depth. At the
    // horizon quiescence takes over.
    if (in_check && pv && on(CHECK_EXTENSION) && ply < 2 * root_depth_) ++depth;
    if (depth <= 0) return quiescence(alpha, beta, ply, turns);

    // 1. to 3. The node counts; end of the game; draws.
    if (const auto score = enter_node(ply, turns)) return *score;
    count_role(ply, pv);

    // 4. Mate distance pruning: a shorter mate is known already.
    alpha = std::max(alpha, mated_in(turns));
    beta = std::min(beta, mate_in(turns));
    if (alpha >= beta) return alpha;

    // 5. Transposition table: has the position been searched before, deeply enough? Without
    // reductions only the very same depth will do, so that the answer is that of minimax.
    const Move excluded = here.excluded;
    const bool singular_test = excluded.bits() != 0;
    const TableHit hit = singular_test ? TableHit{} : probe();
    const Score table_score = hit.hit ? from_table(hit.score, turns) : NO_SCORE;
    const bool deep_enough = on(LMR) ? hit.depth >= depth : hit.depth == depth;
    const bool table_cut = hit.hit && !pv && deep_enough && !here.unpruned &&
                           G::clock(p) < G::DRAWN_AFTER - 10 && bound_fits(hit, table_score, beta);
    count_node_of(mid_turn, hit, table_cut);
    if (table_cut) return table_score;
    const bool was_pv = pv || hit.was_pv;  // worth more care

    // 6. Static evaluation; the transposition table may know better.
    Score raw = NO_SCORE, eval = NO_SCORE;
    here.static_eval = NO_SCORE;
    if (!in_check) {
        raw = raw_eval(hit);
        here.static_eval = eval = corrected(raw, ply);
        if (hit.hit && !is_mate(table_score) && bound_fits(hit, table_score, eval + 1))
            eval = table_score;
    }
    const Score earlier = in_check ? NO_SCORE : previous_turn_eval(ply);
    const bool improving = earlier != NO_SCORE && here.static_eval > earlier;
    const bool may_prune = !pv && !in_check && !mid_turn && !singular_test && !here.unpruned;
    at(ply + 1).killers[0] = at(ply + 1).killers[1] = Move{};
    at(ply + 2).cutoffs = 0;
    here.reduction = 0, here.lmr = false;

    // 7. Hindsight: what did the opponent's move change? Its history learns from it, and if it was
    // reduced it gets a ply back if it did no harm, and loses another if it did much.
    if (!in_check && !mid_turn && !singular_test && parent.piece_to >= 0 &&
        parent.static_eval != NO_SCORE) {
        const Score gain = here.static_eval + parent.static_eval;  // ours
        const int most = margin.hindsight_history_max;
        if (parent.quiet && on(HISTORY))
            history_.quiet_of(Side(p.turn() ^ 1), parent.move, parent.threats, parent.piece_to)
                .update(std::clamp(-margin.hindsight_history * gain, -most, most));
        if (parent.reduction >= margin.hindsight_reduction && gain < margin.hindsight_extend)
            ++depth;
        else if (parent.reduction && depth >= 2 && gain > margin.hindsight_reduce)
            --depth;
    }

    // 8. Reverse futility pruning: so far above beta that a quiet turn will not lose it all.
    if (may_prune && on(REVERSE_FUTILITY) && depth <= margin.reverse_futility_depth && !was_pv &&
        !is_mate(beta) && !is_mate(eval) &&
        eval - margin.reverse_futility_margin * (depth - improving) >= beta) {
        count(Count::REVERSE_FUTILITY_CUTS);
        if (sampled())
            check_node(Guess::REVERSE_FUTILITY, true, alpha, beta, depth, ply, turns, cut_node);
        return eval - (eval - beta) / margin.reverse_futility_part;
    }

    // 9. Razoring: so far below alpha that only takes could help.
    if (may_prune && on(RAZORING) && depth <= margin.razoring_depth &&
        eval + margin.razoring_margin * depth < alpha) {
        const Score score = quiescence(alpha, alpha + 1, ply, turns);
        count(Count::RAZORING_TRIES);
        if (score <= alpha || stopped()) {
            count(Count::RAZORING_CUTS);
            if (sampled())
                check_node(Guess::RAZORING, false, alpha, beta, depth, ply, turns, cut_node);
            return score;
        }
    }

    // 10. Null-move pruning: if even passing keeps us above beta, a real move will. Not in
    // mid-turn, where the same side moves on, nor where the right to pass would be worth something.
    if (may_prune && on(NULL_MOVE) && depth >= margin.null_depth && eval >= beta &&
        here.static_eval >= beta - margin.null_eval_slack * depth && !is_mate(beta) &&
        parent.piece_to >= 0 && G::allows_null_move(p)) {
        const int r = (margin.null_base + margin.null_per_depth * depth) / 100 +
                      std::min((eval - beta) / margin.null_eval_unit, margin.null_eval_max);
        const Score score = null_move_search(beta, depth - r, ply, turns, !cut_node);
        if (stopped()) return 0;
        count(Count::NULL_TRIES);
        if (score >= beta) {
            count(Count::NULL_CUTS);
            if (sampled())
                check_node(Guess::NULL_MOVE, true, alpha, beta, depth, ply, turns, cut_node);
            return is_mate(score) ? beta : score;
        }
    }

    // 11. Internal iterative reduction: nobody knows a good move here; look less deeply, find one.
    if (on(INTERNAL_REDUCTION) && depth >= margin.internal_reduction_depth && !hit.move &&
        !singular_test && (pv || cut_node))
        --depth;

    // 12. All legal moves, best first; in stages, unless there are few or they are hard to find.
    using Mode = typename MovePicker<P>::Mode;
    here.threats = threats();
    MovePicker<P> picker(p, history_, hints(ply, hit.move),
                         in_check || mid_turn || !G::STAGED ? Mode::ALL : Mode::STAGED);

    const int full_depth = depth;
    const bool table_takes = hit.move && G::is_take(p, Move::from_bits(hit.move));
    Score best = -INFINITE;
    Move best_move{};
    Tried tried;
    Steps steps;
    here.steps = &steps;
    Score repeated = -INFINITE;
    int number = 0;
    const bool listed = turns == 0 && mid_turn && !listed_.empty();
    for (Move m; picker.next(m);) {
        if (m == excluded || (listed && ends_listed_turn(m))) continue;
        ++number;
        const bool take = G::is_take(p, m), step = G::is_step(m), commit = G::is_commit(m);
        const int order = picker.last_score();
        const bool quiet = !take && !commit;

        // 13. Late move pruning, futility pruning, history pruning, SEE pruning: moves that hardly
        // matter at this depth are left out, once one is known not to lose. In mid-turn only late
        // ones: what a half-made turn is worth says little.
        if (!pv && best > -MATE_IN_MAX_PLY && !in_check) {
            const int left = std::max(depth - shared_->reductions(depth, number), 0);
            std::optional<Guess> hopeless;
            if (quiet) {
                const int enough = (margin.late_move_base + depth * depth) / (improving ? 1 : 2);
                if (on(LATE_MOVE_PRUNING) && depth <= margin.late_move_depth && number > enough + 1)
                    hopeless = Guess::LATE_MOVE, picker.skip_sorting();
                else if (mid_turn)
                    ;
                else if (on(FUTILITY) && left <= margin.futility_depth &&
                         eval + margin.futility_base + margin.futility_margin * left <= alpha)
                    hopeless = Guess::FUTILITY;
                else if (on(HISTORY) && on(LATE_MOVE_PRUNING) &&
                         left <= margin.history_pruning_depth &&
                         order <
                             -margin.history_pruning_margin * left - margin.history_pruning_base)
                    hopeless = Guess::HISTORY;
                else if (on(SEE_PRUNING) && left <= margin.see_quiet_depth &&
                         G::see(p, m) <
                             -margin.see_quiet_margin * left * left - margin.see_quiet_base)
                    hopeless = Guess::SEE_QUIET;
                // Mates are often quiet moves: what may give check is looked at, if it is no gift.
                if (hopeless && G::may_check(p, m) &&
                    G::see(p, m) >= -margin.see_check_margin * depth)
                    hopeless.reset();
            } else if (take && !mid_turn && on(SEE_PRUNING) && depth <= margin.see_take_depth &&
                       picker.last_was_bad_take() &&
                       G::see(p, m) < -margin.see_take_margin * depth) {
                hopeless = Guess::SEE_TAKE;
            }
            here.left_out |= hopeless.has_value();
            if (hopeless == Guess::LATE_MOVE && !statistics_) {
                // So are all that follow.
                number += picker.pass_over_quiets(excluded);
                continue;
            }
            if (hopeless) {
                count(mid_turn ? Count::MID_TURN_PRUNED : Count::LATE_MOVES_PRUNED);
                if (sampled()) check_move(*hopeless, m, alpha, depth, ply, turns);
                continue;
            }
        }

        // Few moves come this far: only now is it asked of those whose legality is in doubt.
        if (picker.is_doubtful(m) && !G::is_safe(p, m)) {
            --number;
            continue;
        }

        // A turn is searched in one order of its steps: the other has failed to raise alpha.
        if (const Score known = mid_turn ? repeated_step(m, ply) : NO_SCORE; known != NO_SCORE) {
            count(Count::STEPS_REPEATED);
            repeated = std::max(repeated, known);
            continue;
        }

        // 14. Singular extension: the only move that holds, by a search that leaves it out.
        int extension = 0;
        if (on(SINGULAR) && depth >= margin.singular_depth && m.bits() == hit.move &&
            !singular_test && !mid_turn && hit.depth >= depth - margin.singular_table_depth &&
            (hit.bound & LOWER) && !is_mate(table_score) && ply < 2 * root_depth_) {
            const Score bar = table_score - margin.singular_margin * depth / 10;
            here.excluded = m;
            const Score without = search(bar - 1, bar, (depth - 1) / 2, ply, turns, cut_node);
            here.excluded = Move{}, here.pv_node = pv, here.steps = &steps;
            if (stopped()) return 0;
            count(Count::SINGULAR_TESTS);
            // Far below: two plies more. And if others hold as well, the move is nothing special:
            // multi-cut, or a negative extension.
            if (without < bar)
                extension =
                    1 + (!pv && without < bar - margin.singular_double && ply < root_depth_ + 6);
            else if (bar >= beta)
                return count(Count::MULTI_CUTS), bar;
            else if (table_score >= beta)
                extension = -1;
            if (extension > 0) count(Count::SINGULAR_EXTENSIONS);
            if (extension > 1) count(Count::DOUBLE_EXTENSIONS);
        }

        Score score;
        count(mid_turn ? Count::MID_TURN_SEARCHED : Count::SEARCHED);
        {
            here.quiet = quiet;
            const ScopedMove made(*this, m, ply);
            // A commit only ends the turn: it costs no depth.
            const int next = depth - !commit + extension;

            // 15. Late move reductions: late moves get a shallow look first, a full one only if
            // they surprise. Less shallow on the principal variation, of now or of before, and for
            // what paid elsewhere.
            bool full_window = number == 1;
            if (!full_window && on(LMR) && depth >= 2 && number > 1 + pv &&
                (quiet || picker.last_was_bad_take())) {
                int more = margin.lmr_cut_node * cut_node - margin.lmr_pv * pv -
                           margin.lmr_was_pv * was_pv + margin.lmr_not_improving * !improving;
                if (step && on(STEP_REDUCTION)) more += margin.lmr_step;
                if (at(ply + 1).in_check) more -= margin.lmr_check;
                if (quiet)
                    more -= std::clamp(order / margin.lmr_history_unit, -margin.lmr_history_max,
                                       margin.lmr_history_max);
                if (table_takes) more += margin.lmr_table_take;
                if (at(ply + 1).cutoffs > margin.lmr_cutoffs) more += margin.lmr_many_cutoffs;
                const int r = shared_->reductions(depth, number, more);
                const int shallow = std::clamp(next - r, std::min(1, next), next);
                here.reduction = next - shallow, here.lmr = true;
                score = search_child(made, alpha, alpha + 1, shallow, ply, turns, true);
                here.reduction = 0, here.lmr = false;
                count(Count::LMR_TRIES);
                if (score > alpha && shallow < next) {
                    count(Count::LMR_FAIL_HIGHS);
                    // Deeper than planned after a great surprise, less deep after a small one.
                    const int great =
                        margin.research_deeper + margin.research_deeper_per_ply * next;
                    const int again = next - (score < best + margin.research_shallower) +
                                      (score > best + great && ply < 2 * root_depth_);
                    if (again > shallow)
                        score = search_child(made, alpha, alpha + 1, again, ply, turns, !cut_node);
                    if (score > alpha) count(Count::LMR_CONFIRMED);
                }
                full_window = score > alpha && pv;
            } else if (!full_window) {
                score = search_child(made, alpha, alpha + 1, next, ply, turns, !cut_node);
                full_window = score > alpha && pv;
            }
            if (full_window)
                score = search_child(made, alpha, beta, next, ply, turns, !pv && !cut_node);
        }
        if (stopped()) return 0;
        if (step && !at(ply + 1).left_out) steps.add(m, score);

        // 16. Better than what was known?
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = m;
                here.pv.set(m, at(ply + 1).pv);
                alpha = score;
                if (alpha >= beta) {
                    ++here.cutoffs;
                    count_cut(order, number, take, step);
                    break;
                }
                // One good move is known: the others have to beat it at less depth.
                if (on(LMR) && depth > margin.alpha_raised_from && depth < margin.alpha_raised_to &&
                    !is_mate(score))
                    --depth;
            }
        }
        if (!(m == best_move)) tried.add(m, take, quiet);
    }
    count(mid_turn ? Count::MID_TURN_EXPANDED : Count::EXPANDED);
    count(mid_turn ? Count::MID_TURN_GENERATED : Count::GENERATED, u64(picker.generated().size()));
    // No legal move, or none but the excluded ones.
    if (number == 0 && listed) return -INFINITE;
    if (number == 0) return singular_test ? alpha : in_check ? mated_in(turns) : 0;

    best = std::max(best, repeated);

    // 17. History, correction history, transposition table: remember what was found.
    // If no move was good enough, the one before, which allowed none, was a good one.
    if (best_move.bits())
        update_history(best_move, full_depth, ply, tried);
    else if (parent.quiet && parent.piece_to >= 0 && !mid_turn && !singular_test)
        update_quiet_history(Side(p.turn() ^ 1), parent.move, parent.piece_to, ply - 1,
                             history_bonus(depth) * 6 / 5);
    if (singular_test || listed) return best;
    const Bound bound = best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER;
    // A bound says something of the evaluation only if that lies beyond it.
    if (on(CORRECTION_HISTORY) && !in_check && !mid_turn && !is_mate(best) &&
        !(best_move.bits() && G::is_take(p, best_move)) &&
        (bound & (best > here.static_eval ? LOWER : UPPER)))
        correction_.update(p, last_moves(ply), best - here.static_eval, full_depth, margin);
    store(hit, best_move, best, turns, raw, full_depth, bound, was_pv);
    return best;
}

// In check or in mid-turn, where quiescence looks at every move: one that need not be tried once
// another is known not to lose. Unless everything else loses the Commander: a step may yet save
// him.
template <Playable P>
bool Worker<P>::is_idle_reply(Move m, bool can_commit, const MovePicker<P>& picker) const {
    const bool take = G::is_take(*position_, m);
    if (can_commit) return !take && !G::is_commit(m);
    return !G::mid_turn(*position_) && (!take || picker.last_was_bad_take());
}

// Quiescence search: takes only, until the position is quiet; in check every answer. In mid-turn
// the side cannot stop where it likes: it must commit, or go on if it may not.
template <Playable P>
Score Worker<P>::quiescence(Score alpha, Score beta, int ply, int turns) {
    P& p = *position_;
    const bool pv = beta - alpha > 1, mid_turn = G::mid_turn(p), in_check = at(ply).in_check;

    // 1. to 3. as in `search`. (4. Takes are few and mates rare: no mate distance pruning.)
    if (const auto score = enter_node(ply, turns)) return *score;
    count(Count::QUIESCENCE_NODES);
    if (!on(QUIESCENCE)) return p.count_legal() ? evaluate() : in_check ? mated_in(turns) : 0;

    // 5. Transposition table: every entry is deep enough.
    const TableHit hit = probe();
    const Score table_score = hit.hit ? from_table(hit.score, turns) : NO_SCORE;
    if (hit.hit) count(Count::QUIESCENCE_HITS);
    if (hit.hit && !pv && bound_fits(hit, table_score, beta))
        return count(Count::QUIESCENCE_TABLE_CUTS), table_score;

    // 6. Static evaluation: stand pat.
    const bool may_stop = !in_check && !mid_turn;
    Score best = -INFINITE, raw = NO_SCORE, eval = NO_SCORE;
    if (may_stop) {
        raw = raw_eval(hit);
        eval = best = corrected(raw, ply);
        if (!is_mate(table_score) && hit.bound == (table_score > best ? LOWER : UPPER))
            best = table_score;
        if (best >= beta) return count(Count::STAND_PAT_CUTS), best;
        alpha = std::max(alpha, best);
    }

    // 7. to 11. need depth.
    const StandPat stand{raw, eval, best, may_stop, pv};
    return quiescence_moves(alpha, beta, ply, turns, hit, stand);
}

template <Playable P>
Score Worker<P>::quiescence_moves(Score alpha, Score beta, int ply, int turns, const TableHit& hit,
                                  const StandPat& stand) {
    P& p = *position_;
    const bool mid_turn = G::mid_turn(p);

    // 12. The moves, best first; a commit, which the generator makes last, before quiet steps.
    using Mode = typename MovePicker<P>::Mode;
    if (!stand.allowed) at(ply).threats = threats();
    auto order = hints(ply, hit.move);
    order.commit_first = true;
    MovePicker<P> picker(p, history_, order, stand.allowed ? Mode::TAKES : Mode::ALL);
    const MoveList<Move>& moves = picker.generated();
    if (moves.empty() && !stand.allowed) return mated_in(turns);
    const bool can_commit = mid_turn && G::is_commit(moves[moves.size() - 1]);
    if (can_commit) count(Count::COMMITS_POSSIBLE);
    Score best = stand.best;
    Move best_move{};
    bool committed = false;
    const Score first_alpha = alpha;
    const bool listed = turns == 0 && mid_turn && !listed_.empty();
    for (Move m; picker.next(m);) {
        if (listed && ends_listed_turn(m)) continue;
        // 13. Pruning.
        if (stand.allowed) {
            if (picker.last_was_bad_take()) break;
            const Score most = stand.eval + G::victim_value(p, m) + par().quiescence_futility;
            if (most <= alpha) best = std::max(best, most);
            if (most <= alpha) continue;
        } else if (best > -MATE_IN_MAX_PLY && is_idle_reply(m, can_commit, picker)) {
            continue;
        }
        committed |= G::is_commit(m);
        if (can_commit && !committed && !G::is_take(p, m) && m.bits() != hit.move)
            count(Count::STEPS_BEFORE_COMMIT);
        const Score score = quiescence_child(m, alpha, beta, ply, turns);
        if (stopped()) return 0;

        // 16. Better than what was known?
        best = std::max(best, score);
        if (score <= alpha) continue;
        best_move = m;
        at(ply).pv.set(m, at(ply + 1).pv);
        alpha = score;
        if (alpha >= beta) break;
    }

    // 17. Remember what was found.
    if (listed) return best;
    const Bound bound = best >= beta ? LOWER : best > first_alpha ? EXACT : UPPER;
    store(hit, best_move, best, turns, stand.raw, 0, bound, stand.pv);
    return best;
}

}  // namespace cotulenh::engine
