// Chess as the search sees it.
#pragma once

#include "engine/eval_chess.hpp"
#include "engine/game.hpp"
#include "engine/nnue.hpp"

namespace cotulenh::engine {

template <>
struct Game<chess::Position> {
    using P = chess::Position;
    using Move = chess::Move;
    using Weights = chess_eval::Weights;
    struct Memory {
        chess_eval::PawnTable pawns;
        Accumulators<P> net;
        void clear() { pawns.clear(); }
        void begin() {}
        void note(const P::Undo&) {}
    };

    static constexpr int PIECE_TO = 6 * 64, CAPTURED = 7;  // nothing on the target: the last one
    static constexpr u32 DRAWN_AFTER = 100;
    static constexpr bool STAGED = false;  // generating moves twice costs more than it saves
    static constexpr int VALUE[] = {100, 320, 330, 500, 950, 3000, 0};
    static const Weights& weights() { return chess_eval::DEFAULT; }

    static void takes(P& p, MoveList<Move>& out) { p.legal_takes(out); }
    struct Doubts {};
    static void quiets(P& p, MoveList<Move>& out, Doubts&) { p.legal_quiets(out); }
    static constexpr bool is_doubtful(Move, const Doubts&) { return false; }
    static constexpr bool is_safe(P&, Move) { return true; }
    static bool is_take(const P& p, Move m) {
        return p.at(m.to()) != chess::EMPTY
                   ? m.kind() != chess::CASTLING
                   : m.kind() == chess::PROMOTION || m.kind() == chess::EN_PASSANT;
    }
    static int victim_value(const P& p, Move m) {
        const int taken = m.kind() == chess::EN_PASSANT ? VALUE[0] : VALUE[kind(p, m.to())];
        return taken + (m.kind() == chess::PROMOTION ? VALUE[m.promotion()] - VALUE[0] : 0);
    }
    static int captured(const P& p, Move m) { return kind(p, m.to()); }
    // Taking something at least as dear never loses, whatever comes back.
    static bool may_lose(const P& p, Move m) {
        return VALUE[kind(p, m.from())] > victim_value(p, m);
    }
    // Cheap pieces take first.
    static int attacker_value(const P& p, Move m) { return kind(p, m.from()); }
    static bool may_check(const P& p, Move m) { return p.gives_check(m); }
    static int piece_to(const P& p, Move m) { return kind(p, m.from()) * 64 + m.to(); }
    using Threats = chess::Bits;
    static constexpr int THREATS = 4;
    static Threats threats(const P& p) { return p.attacked_by(Side(p.turn() ^ 1)); }
    static int threat_index(Threats t, Move m) {
        return int(t >> m.from() & 1) * 2 + int(t >> m.to() & 1);
    }
    static constexpr bool is_step(Move) { return false; }
    static constexpr bool is_commit(Move) { return false; }
    static constexpr bool commute(const P&, Move, Move) { return false; }
    static constexpr bool mid_turn(const P&) { return false; }
    static bool in_check_after(const P& p, const P::Undo&) { return p.in_check(); }
    // Passing proves nothing where every move harms: with pawns alone.
    static bool allows_null_move(const P& p) {
        return p.occupied(p.turn()) & ~p.pieces(chess::PAWN) & ~p.pieces(chess::KING);
    }
    static u32 clock(const P& p) { return p.halfmove(); }
    static Ending ending(P& p) { return p.insufficient_material() ? Ending::DRAWN : Ending::NONE; }
    // Pawns aside, which move rarely and say little.
    static u64 pieces_key(const P& p, Side side) { return p.pieces_key(side); }
    static Score evaluate(const P& p, const Weights& w, Memory& memory, bool network) {
        return with_network(p, memory.net, network,
                            [&] { return chess_eval::evaluate(p, w, memory.pawns); });
    }

    // What taking on the target square wins if both sides go on taking there as long as it pays.
    static int see(const P& p, Move m) {
        using namespace chess;
        if (m.kind() == chess::CASTLING) return 0;
        int gain[32];
        gain[0] = victim_value(p, m);
        const Square to = m.to();
        Bits occupied = p.occupied() & ~bit(m.from());
        if (m.kind() == chess::EN_PASSANT) occupied ^= bit(to ^ 8);
        int risked = VALUE[m.kind() == chess::PROMOTION ? m.promotion() : kind(p, m.from())];
        Side side = Side(p.turn() ^ 1);
        int n = 1;
        for (; n < 32; ++n, side ^= 1) {
            Bits from = p.attackers(side, to, occupied) & occupied;
            if (!from) break;
            int k = PAWN;
            while (!(from & p.pieces(chess::Kind(k)))) ++k;
            // A king takes only what nobody defends any more.
            if (k == KING && p.attackers(Side(side ^ 1), to, occupied) & occupied) break;
            from &= p.pieces(chess::Kind(k));
            occupied &= ~(from & -from);
            gain[n] = risked;
            risked = VALUE[k];
        }
        return resolve_exchange(gain, n);
    }

  private:
    static chess::Kind kind(const P& p, Square s) { return chess::kind_of(p.at(s)); }
};

}  // namespace cotulenh::engine
