#include "env/game_chess.hpp"

#include <algorithm>

namespace cotulenh::env {

using namespace chess;
using chess::Position;  // not the concept of the same name

namespace {

constexpr int AREA = 64;
constexpr int VALUE[] = {1, 3, 3, 5, 9, 0, 0};

// Every pair of squares that a move of a queen or knight joins, and those of promotions.
struct Pairs {
    u16 plain[64][64]{}, promotion[8][8]{};  // promotions: from a file to a file
    constexpr Pairs() {
        int knight = ChessGame::KNIGHTS, promoted = 0;
        for (int from = 0; from < 64; ++from)
            for (int to = 0; to < 64; ++to) {
                const int files = to % 8 - from % 8, ranks = to / 8 - from / 8;
                if (files * files + ranks * ranks == 5)
                    plain[from][to] = u16(knight++);
                else if (from != to && ChessGame::LINES.number(from, files, ranks) >= 0)
                    plain[from][to] = u16(ChessGame::LINES.number(from, files, ranks));
            }
        for (int from = 0; from < 8; ++from)
            for (int to = std::max(0, from - 1); to <= std::min(7, from + 1); ++to)
                promotion[from][to] = u16(promoted++);
    }
};
constexpr Pairs PAIRS;

int flip(Side viewer) { return viewer == WHITE ? 0 : 56; }

}  // namespace

std::optional<Position> ChessGame::read(const std::string& fen, std::string& problem) const {
    const auto found = read_fen({chess960_}, fen);
    if (found) return *found;
    problem = found.error().reason;
    return std::nullopt;
}

void ChessGame::number(const Position& p, const Move* moves, int n, std::int32_t* out) const {
    const int turned = flip(p.turn());
    for (int i = 0; i < n; ++i) {
        const Move m = moves[i];
        if (m.kind() == chess::CASTLING)
            out[i] = CASTLING + (m.to() % 8 == 6);
        else if (m.kind() == PROMOTION && m.promotion() != QUEEN)
            out[i] = PROMOTIONS + (m.promotion() - KNIGHT) * PROMOTION_PAIRS +
                     PAIRS.promotion[m.from() % 8][m.to() % 8];
        else
            out[i] = PAIRS.plain[m.from() ^ turned][m.to() ^ turned];
    }
}

// The draws that a player would have to claim count as claimed.
Ending ChessGame::ending(Position& p, int seen) const {
    const auto outcome = p.outcome(seen, true);
    return outcome ? Ending{true, outcome->winner} : Ending{};
}

int ChessGame::gain(const Position& p, Move m) const {
    if (m.kind() == chess::CASTLING) return 0;
    if (m.kind() == chess::EN_PASSANT) return VALUE[PAWN];
    const int promoted = m.kind() == PROMOTION ? VALUE[m.promotion()] - VALUE[PAWN] : 0;
    return VALUE[kind_of(p.at(m.to()))] + promoted;
}

void ChessGame::keep(const Position& p, Snapshot& out) {
    for (int s = 0; s < 64; ++s) out[std::size_t(s)] = p.at(Square(s));
}

template <class T>
void ChessGame::write_past(const Snapshot& past, Side viewer, T* out) const {
    std::fill_n(out, PIECE_PLANES * AREA, T(0));
    for (int s = 0; s < 64; ++s) {
        const Piece piece = past[std::size_t(s)];
        if (piece == EMPTY) continue;
        const int plane = (side_of(piece) == viewer ? 0 : 6) + kind_of(piece);
        out[plane * AREA + (s ^ flip(viewer))] = 1;
    }
}

template <class T>
void ChessGame::write(const Position& p, Side viewer, int seen, T* out) const {
    const Side other = Side(viewer ^ 1);
    const int turned = flip(viewer);
    std::fill_n(out, PLANES * AREA, T(0));
    const auto mark = [&](Bits set, int plane) {
        while (set) out[plane * AREA + (pop(set) ^ turned)] = 1;
    };
    for (int k = PAWN; k <= KING; ++k) {
        mark(p.pieces(viewer, chess::Kind(k)), k);
        mark(p.pieces(other, chess::Kind(k)), 6 + k);
    }
    mark(p.castling_rooks() & p.occupied(viewer), OWN_CASTLING);
    mark(p.castling_rooks() & p.occupied(other), ENEMY_CASTLING);
    if (p.en_passant() != NO_SQUARE) out[EN_PASSANT * AREA + (p.en_passant() ^ turned)] = 1;
    std::fill_n(out + CLOCK * AREA, AREA, T(std::min<u32>(p.halfmove(), DRAWN_AFTER)));
    const int before = std::clamp(seen - 1, 0, DRAWN_BY_REPETITION - 1);
    if (before) std::fill_n(out + REPETITION * AREA, AREA, T(before));
    if (viewer == FIRST) std::fill_n(out + FIRST_PLAYER * AREA, AREA, T(1));
}

template void ChessGame::write(const Position&, Side, int, u8*) const;
template void ChessGame::write(const Position&, Side, int, float*) const;
template void ChessGame::write_past(const Snapshot&, Side, u8*) const;
template void ChessGame::write_past(const Snapshot&, Side, float*) const;

}  // namespace cotulenh::env
