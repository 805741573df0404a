// Search: arbitrary legal positions, a few moves on, with tiny budgets. The best move is legal, the
// lines can be played, and the position is left as it was.
#include "engine/engine.hpp"
#include "laws.hpp"

using namespace fuzz;

namespace {

using engine::Report;

template <class P>
void line_is_playable(P p, const std::vector<u32>& pv) {
    typename P::Undo undo;
    for (const u32 bits : pv) {
        const auto m = P::Move::from_bits(bits);
        LAW(p.is_legal(m), write_fen(p) + "\n" + std::to_string(bits));
        p.make(m, undo);
    }
}

template <class G>
void search(Bytes& in) {
    using P = typename G::Position;
    static engine::ThreadPool<P> pool(1);
    static engine::TranspositionTable table(1);
    const int way = in.byte();
    Board<P> board(position<G>(way, in.byte()));
    for (int n = in.below(12); n > 0; --n) {
        MoveList<typename P::Move> moves;
        board.position().legal_moves(moves);
        if (moves.empty() || board.outcome()) break;
        board.push(moves[in.below(moves.size())]);
    }
    P& p = board.position();
    MoveList<typename P::Move> moves;
    p.legal_moves(moves);
    if (moves.empty()) return;
    engine::Limit limit;
    limit.nodes = 1 + in.two() % 600;
    limit.depth = in.below(8);
    limit.mate = in.byte() < 32 ? 1 + in.below(4) : 0;
    engine::Settings<P> settings;
    const u8 features = in.byte();
    settings.features = features & 1 ? u32(engine::EVERYTHING) : in.four() & engine::EVERYTHING;
    if (features & 2) table.clear(), pool.clear();
    const int lines = 1 + in.below(3);
    const u64 before = G::digest(p);
    const engine::Root<P> root(board);
    pool.prepare({p, root.keys, {moves.begin(), moves.end()}, limit, lines, false}, table, settings,
                 [&](const Report& report) {
                     LAW(std::abs(report.score) <= engine::INFINITE, write_fen(p));
                     line_is_playable<P>(p, {report.pv.begin(), report.pv.end()});
                 });
    pool.run();
    LAW(G::digest(p) == before, write_fen(p));
    LAW(p.is_legal(P::Move::from_bits(pool.best())), write_fen(p));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    Bytes in(data, size);
    if (in.byte() & 1)
        search<Ctl>(in);
    else
        search<Chess>(in);
    return 0;
}
