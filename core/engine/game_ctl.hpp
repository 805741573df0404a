// Cờ Tư Lệnh as the search sees it.
#pragma once

#include "engine/eval_ctl.hpp"
#include "engine/game.hpp"
#include "engine/nnue.hpp"

namespace cotulenh::engine {

// Kind and target of a move, numbered together: asked of every move that is generated.
struct CtlPlaces {
    static constexpr int POINTS = 12 * 12;
    std::array<u16, ctl::GROUPS> kind{};
    std::array<u8, ctl::Frame::size> point{};
    constexpr CtlPlaces() {
        for (std::size_t g = 1; g < kind.size(); ++g)
            kind[g] = u16(ctl::kind_of(ctl::carrier_of(ctl::GROUP_TABLE.of[g])) * POINTS);
        for (std::size_t s = 0; s < point.size(); ++s)
            point[s] = u8(ctl::Frame::rank_of(int(s)) * 12 + ctl::Frame::file_of(int(s)));
    }
};
inline constexpr CtlPlaces CTL_PLACES;

template <>
struct Game<ctl::Position> {
    using P = ctl::Position;
    using Move = ctl::Move;
    using Weights = ctl_eval::Weights;
    struct Memory {
        Accumulators<P> net;
        ctl_eval::Stands stands;
        void clear() { stands.clear(); }
        // From here on every move that is made or taken back is noted (see Journal).
        void begin() { net.journal.begin(), stands.journal.begin(); }
        void note(const ctl::Undo& undo) {
            for (int i = 0; i < undo.changes; ++i) touched.add(undo.change[i].square);
        }
        void pass_on() {
            net.journal.note(touched), stands.journal.note(touched);
            touched = {};
        }
        ctl::Set touched;  // since the last evaluation
    };

    static constexpr int PIECE_TO =
        ctl::KINDS * CtlPlaces::POINTS + 1;  // the last one is the commit
    static constexpr int CAPTURED = ctl::KINDS;
    static constexpr u32 DRAWN_AFTER = 100;
    static constexpr bool STAGED = true;  // generating moves is dear: takes first, then the others
    static const Weights& weights() { return ctl_eval::DEFAULT; }

    static void takes(P& p, MoveList<Move>& out) { p.legal_takes(out); }
    // Of the Commander's walks and of pinned pieces few are ever tried: they are tested then.
    using Doubts = ctl::Set;
    static void quiets(P& p, MoveList<Move>& out, Doubts& doubts) { p.quiets(out, doubts); }
    static bool is_doubtful(Move m, const Doubts& doubts) { return P::is_doubtful(m, doubts); }
    static bool is_safe(P& p, Move m) { return p.is_safe(m); }
    static bool is_take(const P&, Move m) { return m.takes(); }
    static int victim_value(const P& p, Move m);
    static int captured(const P& p, Move m) { return ctl::kind_of(ctl::carrier_of(p.at(m.to()))); }
    // Taking something at least as dear never loses, whatever comes back.
    static bool may_lose(const P& p, Move m) {
        return values().stack(m.group()) > victim_value(p, m);
    }
    static int attacker_value(const P&, Move m) { return values().stack(m.group()) / 64; }
    // From where it goes the enemy Commander lies in range, were nothing in between.
    static bool may_check(const P& p, Move m) {
        const Square c = p.commander(Side(p.turn() ^ 1));
        return c != NO_SQUARE && !is_commit(m) &&
               p.rules().tables(ctl::carrier_of(m.group())).take[m.to()].has(c);
    }
    static int piece_to(const P&, Move m) {
        if (is_commit(m)) return PIECE_TO - 1;
        return CTL_PLACES.kind[m.group_code()] + CTL_PLACES.point[m.to()];
    }
    // What the opponent attacks is dear to know here, and order gains nothing by it.
    struct Threats {};
    static constexpr int THREATS = 1;
    static constexpr Threats threats(const P&) { return {}; }
    static constexpr int threat_index(Threats, Move) { return 0; }
    static bool is_step(Move m) { return m.deploy(); }
    static bool is_commit(Move m) { return m.kind() == ctl::COMMIT; }
    static bool commute(const P& p, Move first, Move second);
    static bool mid_turn(const P& p) { return p.deploying(); }
    static bool in_check_after(const P& p, const ctl::Undo& made) { return p.in_check_after(made); }
    // With few pieces left each of them may be tied to its point: passing would hide it.
    static bool allows_null_move(const P& p) { return !p.deploying() && p.count(p.turn()) > 4; }
    static u32 clock(const P& p) { return p.halfmove(); }
    static Ending ending(P& p);
    static u64 pieces_key(const P& p, Side side) { return p.pieces_key(side); }
    static Score evaluate(const P& p, const Weights& w, Memory& memory, bool network) {
        memory.pass_on();
        return with_network(p, memory.net, network,
                            [&] { return ctl_eval::evaluate(p, w, memory.stands); });
    }

    // What a take wins if both sides go on taking on the target's point as long as it pays. Stay
    // captures end it, for nothing then stands there; exchanges cost the aircraft at once.
    static int see(const P& p, Move m);

    static const ctl_eval::PieceValues& values() {
        static const ctl_eval::PieceValues made(ctl_eval::DEFAULT);
        return made;
    }
};

}  // namespace cotulenh::engine
