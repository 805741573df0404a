// The laws on the core alone, over positions of random games under every rule set of both games.
//   laws POSITIONS [SEED]                  a set-up, 40 moves, the next
//   laws perft GAME FILE.perft [NODES]     the kept numbers of a game, those that are not greater
#include "laws.hpp"

#include <chrono>
#include <fstream>

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

// Lines of "epd FEN" and "perft DEPTH NODES", as tests/support/suites.py reads them.
template <class G>
int count(int way, const char* path, u64 most) {
    std::ifstream file(path);
    std::string word, fen, line;
    int counted = 0;
    while (file >> word) {
        if (word == "epd" || word == "fen") {
            std::getline(file >> std::ws, fen);
            if (std::count(fen.begin(), fen.end(), ' ') == 3) fen += " 0 1";
        } else if (word == "perft") {
            int depth = 0;
            u64 nodes = 0;
            file >> depth >> nodes;
            if (nodes > most) continue;
            auto read = read_fen(G::rules(way), fen);
            if (!read) read = read_fen(G::rules(way + 1), fen);  // Chess960 among chess
            LAW(bool(read), fen);
            LAW(perft(*read, depth) == nodes, fen + " " + std::to_string(depth));
            ++counted;
        } else {
            std::getline(file, line);
        }
    }
    std::printf("%d numbers of %s hold\n", counted, path);
    return counted ? 0 : 1;
}

int count_suite(int words, char** word) {
    if (words < 4) return 2;
    const std::string_view game = word[2];
    const u64 most = words > 4 ? std::strtoull(word[4], nullptr, 10) : ~u64(0);
    if (game == "chess") return count<Chess>(0, word[3], most);
    return count<Ctl>(game == "online" ? 1 : game == "blueprint" ? 2 : 0, word[3], most);
}

}  // namespace

int main(int count, char** words) {
    if (count > 1 && std::string_view(words[1]) == "perft") return count_suite(count, words);
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
