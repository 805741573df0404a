// Every margin of the search, by name: the defaults, and the table that lets a tuner vary them.
//
// Margins are in centipawns, depths in plies, reductions in hundredths of a ply.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "board/grid.hpp"

namespace cotulenh::engine {

struct Parameters {
    // Aspiration window: half its width, and from where on it is given up.
    int aspiration_depth = 4, aspiration_window = 12, aspiration_limit = 600;
    // Hindsight: what the opponent's move changed teaches its history, and adds or takes a ply.
    int hindsight_history = 8, hindsight_history_max = 1000;
    int hindsight_reduction = 3, hindsight_extend = 3, hindsight_reduce = 90;
    // Reverse futility pruning, and which part of what lies above beta is cut off.
    int reverse_futility_depth = 8, reverse_futility_margin = 70, reverse_futility_part = 3;
    int razoring_depth = 3, razoring_margin = 260;
    // Null-move pruning.
    int null_depth = 3, null_eval_slack = 17, null_base = 365, null_per_depth = 27;
    int null_eval_unit = 180, null_eval_max = 4;
    int internal_reduction_depth = 4;
    // Late move pruning: after so many moves plus the depth squared.
    int late_move_depth = 8, late_move_base = 4;
    // Futility pruning, by the depth that reductions leave.
    int futility_depth = 9, futility_base = 80, futility_margin = 65;
    int history_pruning_depth = 3, history_pruning_base = 2000, history_pruning_margin = 4000;
    // Pruning by static exchange evaluation: quiet moves, those that may give check, takes.
    int see_quiet_depth = 6, see_quiet_base = 10, see_quiet_margin = 30, see_check_margin = 60;
    int see_take_depth = 6, see_take_margin = 86;
    // Singular extension: the margin in tenths of a centipawn for each ply.
    int singular_depth = 5, singular_table_depth = 3, singular_margin = 24, singular_double = 26;
    // Late move reductions (LMR).
    int lmr_base = 60, lmr_factor = 44, lmr_cut_node = 170, lmr_pv = 200, lmr_was_pv = 100;
    int lmr_not_improving = 105, lmr_step = 100, lmr_check = 120, lmr_table_take = 70;
    int lmr_history_unit = 100, lmr_history_max = 200, lmr_cutoffs = 3, lmr_many_cutoffs = 50;
    int lmr_root_moves = 2, lmr_root_less = 1;
    // The search after a reduced one failed high: less deep or deeper, by how high.
    int research_shallower = 8, research_deeper = 45, research_deeper_per_ply = 2;
    // Once a move raised alpha the others are searched less deeply, between these depths.
    int alpha_raised_from = 2, alpha_raised_to = 12;
    // History bonus of a move that failed high.
    int history_bonus = 230, history_bonus_max = 1600;
    int quiescence_futility = 245;
    // Correction history: the most that one entry adds, and how fast it learns.
    int correction_max = 80, correction_slowness = 8;
};

struct ParameterRange {
    std::string_view name;
    int Parameters::* value;
    int low, high;
};

inline constexpr ParameterRange PARAMETERS[] = {
    {"aspiration_depth", &Parameters::aspiration_depth, 1, 20},
    {"aspiration_window", &Parameters::aspiration_window, 1, 500},
    {"aspiration_limit", &Parameters::aspiration_limit, 1, 5000},
    {"hindsight_history", &Parameters::hindsight_history, 0, 100},
    {"hindsight_history_max", &Parameters::hindsight_history_max, 0, 8000},
    {"hindsight_reduction", &Parameters::hindsight_reduction, 1, 20},
    {"hindsight_extend", &Parameters::hindsight_extend, -500, 500},
    {"hindsight_reduce", &Parameters::hindsight_reduce, -500, 2000},
    {"reverse_futility_depth", &Parameters::reverse_futility_depth, 0, 30},
    {"reverse_futility_margin", &Parameters::reverse_futility_margin, 1, 500},
    {"reverse_futility_part", &Parameters::reverse_futility_part, 1, 100},
    {"razoring_depth", &Parameters::razoring_depth, 0, 30},
    {"razoring_margin", &Parameters::razoring_margin, 1, 2000},
    {"null_depth", &Parameters::null_depth, 1, 30},
    {"null_eval_slack", &Parameters::null_eval_slack, -200, 200},
    {"null_base", &Parameters::null_base, 100, 1000},
    {"null_per_depth", &Parameters::null_per_depth, 0, 100},
    {"null_eval_unit", &Parameters::null_eval_unit, 1, 2000},
    {"null_eval_max", &Parameters::null_eval_max, 0, 20},
    {"internal_reduction_depth", &Parameters::internal_reduction_depth, 1, 30},
    {"late_move_depth", &Parameters::late_move_depth, 0, 30},
    {"late_move_base", &Parameters::late_move_base, 0, 100},
    {"futility_depth", &Parameters::futility_depth, 0, 30},
    {"futility_base", &Parameters::futility_base, 0, 2000},
    {"futility_margin", &Parameters::futility_margin, 0, 2000},
    {"history_pruning_depth", &Parameters::history_pruning_depth, 0, 30},
    {"history_pruning_base", &Parameters::history_pruning_base, 0, 32000},
    {"history_pruning_margin", &Parameters::history_pruning_margin, 0, 32000},
    {"see_quiet_depth", &Parameters::see_quiet_depth, 0, 30},
    {"see_quiet_base", &Parameters::see_quiet_base, 0, 2000},
    {"see_quiet_margin", &Parameters::see_quiet_margin, 0, 2000},
    {"see_check_margin", &Parameters::see_check_margin, 0, 2000},
    {"see_take_depth", &Parameters::see_take_depth, 0, 30},
    {"see_take_margin", &Parameters::see_take_margin, 0, 2000},
    {"singular_depth", &Parameters::singular_depth, 2, 30},
    {"singular_table_depth", &Parameters::singular_table_depth, 0, 20},
    {"singular_margin", &Parameters::singular_margin, 0, 500},
    {"singular_double", &Parameters::singular_double, 0, 2000},
    {"lmr_base", &Parameters::lmr_base, 0, 500},
    {"lmr_factor", &Parameters::lmr_factor, 0, 200},
    {"lmr_cut_node", &Parameters::lmr_cut_node, -500, 500},
    {"lmr_pv", &Parameters::lmr_pv, -500, 500},
    {"lmr_was_pv", &Parameters::lmr_was_pv, -500, 500},
    {"lmr_not_improving", &Parameters::lmr_not_improving, -500, 500},
    {"lmr_step", &Parameters::lmr_step, -500, 500},
    {"lmr_check", &Parameters::lmr_check, -500, 500},
    {"lmr_table_take", &Parameters::lmr_table_take, -500, 500},
    {"lmr_history_unit", &Parameters::lmr_history_unit, 1, 2000},
    {"lmr_history_max", &Parameters::lmr_history_max, 0, 1000},
    {"lmr_cutoffs", &Parameters::lmr_cutoffs, 0, 100},
    {"lmr_many_cutoffs", &Parameters::lmr_many_cutoffs, -500, 500},
    {"lmr_root_moves", &Parameters::lmr_root_moves, 0, 100},
    {"lmr_root_less", &Parameters::lmr_root_less, 0, 10},
    {"research_shallower", &Parameters::research_shallower, 0, 500},
    {"research_deeper", &Parameters::research_deeper, 0, 2000},
    {"research_deeper_per_ply", &Parameters::research_deeper_per_ply, 0, 100},
    {"alpha_raised_from", &Parameters::alpha_raised_from, 0, 100},
    {"alpha_raised_to", &Parameters::alpha_raised_to, 0, 100},
    {"history_bonus", &Parameters::history_bonus, 0, 2000},
    {"history_bonus_max", &Parameters::history_bonus_max, 0, 8000},
    {"quiescence_futility", &Parameters::quiescence_futility, 0, 5000},
    {"correction_max", &Parameters::correction_max, 0, 1000},
    {"correction_slowness", &Parameters::correction_slowness, 1, 100},
};
// A parameter that the table forgets could not be tuned.
static_assert(sizeof(Parameters) == std::size(PARAMETERS) * sizeof(int));

// The plies that late moves lose, by depth and number of the move.
class Reductions {
  public:
    explicit Reductions(const Parameters& parameters = {}) {
        for (int d = 1; d < SIZE; ++d)
            for (int n = 1; n < SIZE; ++n)
                table_[std::size_t(d)][std::size_t(n)] =
                    short(parameters.lmr_base + parameters.lmr_factor * std::log(d) * std::log(n));
    }
    // `more` in hundredths of a ply.
    int operator()(int depth, int n, int more = 0) const {
        return (table_[std::size_t(std::min(depth, SIZE - 1))][std::size_t(std::min(n, SIZE - 1))] +
                more) /
               100;
    }

  private:
    static constexpr int SIZE = 64;
    std::array<std::array<short, SIZE>, SIZE> table_{};
};

}  // namespace cotulenh::engine
