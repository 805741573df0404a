// The laws on the core alone, over positions of random games under every rule set of both games.
//   laws POSITIONS [SEED]     a set-up, 40 moves of either side, the next; deployments preferred
#include "laws.hpp"

#include <chrono>

using namespace fuzz;

namespace {

constexpr int LENGTH = 40, DEAR = 16, DEAREST = 256;  // every so many positions

template <class G>
u64 game(int way, u64& seed, u64 number) {
    using P = typename G::Position;
    const auto random = [&](int n) { return int(next_key(seed) % u64(n)); };
    P p = position<G>(way, random(1 << 20));
    u64 seen = 0;
    for (int i = 0; i < LENGTH; ++i, ++seen) {
        MoveList<typename P::Move> moves;
        p.legal_moves(moves);
        cheap_laws<G>(p, moves);
        if ((number + seen) % DEAR == 0) dear_laws<G>(p, moves);
        if ((number + seen) % DEAREST == 0) dearest_laws<G>(p, moves);
        if (moves.empty() || p.outcome(1)) return seen + 1;
        law_legal_means_listed<G>(p, u32(next_key(seed)), moves);
        const auto m = moves[random(moves.size())];
        const u64 before = G::digest(p);
        typename P::Undo undo;
        p.make(m, undo);
        p.unmake(m, undo);
        LAW(G::digest(p) == before, write_fen(p));
        p.make(m, undo);
    }
    return seen;
}

}  // namespace

int main(int count, char** words) {
    const u64 wanted = count > 1 ? std::strtoull(words[1], nullptr, 10) : 100'000;
    u64 seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1;
    const auto began = std::chrono::steady_clock::now();
    u64 by[Ctl::WAYS + Chess::WAYS]{}, all = 0;
    for (int way = 0; all < wanted; way = (way + 1) % int(std::size(by))) {
        const u64 seen =
            way < Ctl::WAYS ? game<Ctl>(way, seed, all) : game<Chess>(way - Ctl::WAYS, seed, all);
        by[way] += seen, all += seen;
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    std::printf(
        "laws held on %llu positions in %.0f s (official %llu, online %llu, blueprint "
        "%llu, chess %llu, Chess960 %llu)\n",
        static_cast<unsigned long long>(all), seconds, static_cast<unsigned long long>(by[0]),
        static_cast<unsigned long long>(by[1]), static_cast<unsigned long long>(by[2]),
        static_cast<unsigned long long>(by[3]), static_cast<unsigned long long>(by[4]));
}
