// FEN: any text is a position or refused with place and reason; a position is written and read
// again as itself. The text is tried under every rule set.
#include "laws.hpp"

#include "games/ctl/fen.hpp"

using namespace fuzz;

namespace {

// What cannot be played may still be looked at, and says what is wrong with it.
void set_up(const ctl::Rules& rules, std::string_view text, bool playable) {
    auto read = ctl::read_set_up(rules, text);
    if (!read) return refusal_is_sound(read.error(), text);
    LAW((read->problems == 0) == playable, std::string(text));
    write_fen(read->position);
}
void set_up(const chess::Rules&, std::string_view, bool) {}

template <class G>
void try_text(int way, std::string_view text) {
    auto read = read_fen(G::rules(way), text);
    set_up(G::rules(way), text, bool(read));
    if (!read) return refusal_is_sound(read.error(), text);
    MoveList<typename G::Position::Move> moves;
    read->legal_moves(moves);
    cheap_laws<G>(*read, moves);
    law_lists_agree<G>(*read, moves);
    law_a_fen_round_trips<G>(*read, moves);
    read->outcome(1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (int way = 0; way < GAME::WAYS; ++way) try_text<GAME>(way, text);
    return 0;
}
