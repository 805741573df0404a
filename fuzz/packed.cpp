// Packed moves: any bits, on a position of either game. Legal is what is listed; everything else
// has a reason, and nothing touches the position.
#include "laws.hpp"

using namespace fuzz;

namespace {

void plain_text(ctl::Move m) {
    if (!m.well_formed() || !m) return;
    const std::string text = ctl::write_lan(m);
    const auto again = ctl::read_plain_lan(text);
    if (again) LAW(ctl::write_lan(*again) == text, text);
}
void plain_text(chess::Move m) {
    const std::string text = chess::write_lan(m);
    const auto again = chess::read_plain_lan(text);
    if (again) LAW(chess::write_lan(*again) == text, text);
}

template <class G>
void try_bits(Bytes& in) {
    const int way = in.byte();
    typename G::Position p = position<G>(way, in.byte());
    MoveList<typename G::Position::Move> moves;
    p.legal_moves(moves);
    while (!in.done()) {
        const bool near = in.byte() & 1;  // a legal move with some bits turned
        const u32 bits = in.four();
        const u32 base = near && !moves.empty() ? moves[int(bits % u32(moves.size()))].bits() : 0;
        const u32 tried = near ? base ^ 1u << (bits >> 24 & 31) : bits;
        law_legal_means_listed<G>(p, tried, moves);
        plain_text(G::Position::Move::from_bits(tried));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    Bytes in(data, size);
    if (in.byte() & 1)
        try_bits<Ctl>(in);
    else
        try_bits<Chess>(in);
    return 0;
}
