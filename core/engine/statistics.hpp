// Counters of a search, for those who measure it (tools/search_report.py): which parts work how
// often, and how often what they guess is wrong. Kept only when asked for.
#pragma once

#include <array>
#include <string_view>

#include "board/grid.hpp"

namespace cotulenh::engine {

enum class Count : u8 {
    MAIN_NODES,
    MAIN_HITS,
    MAIN_TABLE_CUTS,
    MID_TURN_NODES,
    MID_TURN_HITS,
    MID_TURN_TABLE_CUTS,
    QUIESCENCE_NODES,
    QUIESCENCE_HITS,
    QUIESCENCE_TABLE_CUTS,
    STAND_PAT_CUTS,
    EVALUATIONS,
    EXPANDED,   // nodes whose moves were generated,
    GENERATED,  // how many those were,
    SEARCHED,   // and how many were searched
    MID_TURN_EXPANDED,
    MID_TURN_GENERATED,
    MID_TURN_SEARCHED,
    CUTS,        // nodes that failed high,
    FIRST_CUTS,  // with their first move
    CUT_INDEX,   // sum of the numbers of the moves that cut
    HASH_CUTS,   // by the hash move,
    GOOD_TAKE_CUTS,
    BAD_TAKE_CUTS,
    KILLER_CUTS,  // and counter-moves
    QUIET_CUTS,
    STEP_CUTS,  // by a step of a deployment, of all of the above
    REVERSE_FUTILITY_CUTS,
    RAZORING_TRIES,
    RAZORING_CUTS,
    NULL_TRIES,
    NULL_CUTS,
    LMR_TRIES,
    LMR_FAIL_HIGHS,
    LMR_CONFIRMED,
    LATE_MOVES_PRUNED,
    MID_TURN_PRUNED,
    SINGULAR_TESTS,
    SINGULAR_EXTENSIONS,
    DOUBLE_EXTENSIONS,
    MULTI_CUTS,
    ITERATIONS,
    ASPIRATION_FAILURES,
    // A child of the same side, searched with a null window and unreduced, has its parent's role.
    SAME_SIDE_CHILDREN,
    SAME_SIDE_OTHER_ROLE,
    // `improving` compares the starts of two turns of one side.
    IMPROVING_COMPARED,
    IMPROVING_OTHER_SIDE,
    // In quiescence the commit goes before quiet steps.
    COMMITS_POSSIBLE,
    STEPS_BEFORE_COMMIT,
    STEPS_REPEATED,  // left out, for their turn was searched in another order
    COUNTS
};

// In the order above.
inline constexpr std::string_view COUNT_NAMES[] = {
    "main_nodes",
    "main_hits",
    "main_table_cuts",
    "mid_turn_nodes",
    "mid_turn_hits",
    "mid_turn_table_cuts",
    "quiescence_nodes",
    "quiescence_hits",
    "quiescence_table_cuts",
    "stand_pat_cuts",
    "evaluations",
    "expanded",
    "generated",
    "searched",
    "mid_turn_expanded",
    "mid_turn_generated",
    "mid_turn_searched",
    "cuts",
    "first_cuts",
    "cut_index",
    "hash_cuts",
    "good_take_cuts",
    "bad_take_cuts",
    "killer_cuts",
    "quiet_cuts",
    "step_cuts",
    "reverse_futility_cuts",
    "razoring_tries",
    "razoring_cuts",
    "null_tries",
    "null_cuts",
    "lmr_tries",
    "lmr_fail_highs",
    "lmr_confirmed",
    "late_moves_pruned",
    "mid_turn_pruned",
    "singular_tests",
    "singular_extensions",
    "double_extensions",
    "multi_cuts",
    "iterations",
    "aspiration_failures",
    "same_side_children",
    "same_side_other_role",
    "improving_compared",
    "improving_other_side",
    "commits_possible",
    "steps_before_commit",
    "steps_repeated",
};
static_assert(std::size(COUNT_NAMES) == std::size_t(Count::COUNTS));

// What the search takes for granted without looking; a sample of each is looked at after all.
enum class Guess : u8 {
    REVERSE_FUTILITY,
    RAZORING,
    NULL_MOVE,
    LATE_MOVE,
    FUTILITY,
    HISTORY,
    SEE_QUIET,
    SEE_TAKE,
    GUESSES
};
inline constexpr std::string_view GUESS_NAMES[] = {
    "reverse_futility", "razoring",        "null_move", "late_move_pruning",
    "futility",         "history_pruning", "see_quiet", "see_take",
};
static_assert(std::size(GUESS_NAMES) == std::size_t(Guess::GUESSES));

struct Statistics {
    struct Sample {
        u64 checked = 0, wrong = 0;
    };
    std::array<u64, std::size_t(Count::COUNTS)> counts{};
    std::array<Sample, std::size_t(Guess::GUESSES)> samples{};
    int sample_every = 0;  // one guess of so many is checked; 0: none
    int next_sample = 0;
    bool checking = false;  // not within a check

    void add(const Statistics& other) {
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i].checked += other.samples[i].checked,
                samples[i].wrong += other.samples[i].wrong;
    }
};

}  // namespace cotulenh::engine
