// Moves as text: "FEN\ntext", read as READER says (read_san, read_lan or read_turn). What is taken
// is legal and written back to the same move; what is refused has a place and a reason.
#include "laws.hpp"

using namespace fuzz;

namespace {

template <class G>
void taken(typename G::Position& p, const typename G::Position::Move& m) {
    LAW(p.is_legal(m), write_fen(p));
    law_texts_round_trip<G>(p, m);
}

// A turn: each of its moves is legal where it stands, and its text reads as the same turn.
template <class G>
void taken(typename G::Position& p, const std::vector<typename G::Position::Move>& turn) {
    typename G::Position probe = p;
    typename G::Position::Undo undo;
    LAW(!turn.empty(), write_fen(p));
    for (const auto m : turn) {
        LAW(probe.is_legal(m), write_fen(probe) + "\n" + write_lan(probe, m));
        probe.make(m, undo);
    }
    for (const bool san : {false, true}) {
        const std::string text = write_turn(p, turn, san);
        const auto again = read_turn(p, text);
        LAW(again && *again == turn, write_fen(p) + "\n" + text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    const int way = size ? data[size - 1] : 0;
    GAME::Position p = position_before<GAME>(way, text);
    const u64 before = GAME::digest(p);
    const auto read = READER(p, text);
    LAW(GAME::digest(p) == before, write_fen(p));
    if (read)
        taken<GAME>(p, *read);
    else
        refusal_is_sound(read.error(), text);
    LAW(GAME::digest(p) == before, write_fen(p));
    return 0;
}
