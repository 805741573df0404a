// A position of Cờ Tư Lệnh: as small as a FEN. Undo records live outside it, history in Board.
#pragma once

#include "games/ctl/move.hpp"
#include "games/ctl/rules.hpp"

namespace cotulenh::ctl {

// One square before a move touched it.
struct Change {
    Square square;
    Stack before;
};

// What unmake needs: the squares that changed, and the scalars that cannot be recomputed.
struct Undo {
    // A move changes two points, those of new heroes (on the eight lines of a Commander, at most
    // 44 points) and of two last guards.
    static constexpr int MOST = 48;
    u64 key, pieces_key[2];
    u32 halfmove, fullmove;
    Side turn;
    Square origin;
    Group remaining, original;
    u16 taken;  // points taken by this move (10.4)
    u8 changes;
    bool attack;  // may the other Commander be attacked now? His attackers were looked for (9.1)
    Change change[MOST];
};

// What can be wrong with a position, as a set of flags. Those from MISSING_COMMANDER on are only
// remarked upon (11.3), the others refused.
enum Problem : u32 {
    INVALID_STACK = 1 << 0,
    CANNOT_STAND = 1 << 1,
    TOO_MANY_COMMANDERS = 1 << 2,
    BAD_DEPLOYMENT = 1 << 3,
    MISSING_COMMANDER = 1 << 4,
    TOO_MANY_PIECES = 1 << 5,
    OPPONENT_IN_CHECK = 1 << 6,
};

enum class Reason : u8 {
    COMMANDER_TAKEN,
    CHECKMATE,
    OBJECTIVE,
    STALEMATE,
    REPETITION,
    CLOCK,
};

// Set-up data: what a FEN says, before anybody asked whether it is possible.
struct Setup {
    Stack board[Frame::size]{};
    Side turn = FIRST;
    u32 halfmove = 0, fullmove = 1;
    Square origin = NO_SQUARE;
    Group remaining{};
};

// Which moves to generate.
enum class Wanted : u8 { ALL, TAKES, QUIETS };

class Position {
  public:
    using Move = ctl::Move;
    using Undo = ctl::Undo;
    using Kind = ctl::Kind;
    using Rules = ctl::Rules;
    using Reason = ctl::Reason;

    static constexpr std::array<std::string_view, 7> PROBLEM_NAMES = {
        "invalid_stack",     "cannot_stand",    "too_many_commanders", "bad_deployment",
        "missing_commander", "too_many_pieces", "opponent_in_check"};

    // The setup must have been validated (fen.hpp); nothing else builds positions.
    Position(const Rules& rules, const Setup& setup);

    const Rules& rules() const { return *rules_; }
    Side turn() const { return turn_; }
    u64 key() const { return key_; }
    u32 halfmove() const { return halfmove_; }
    u32 fullmove() const { return fullmove_; }
    Stack at(Square s) const { return board_[s]; }
    const Stack* board() const { return board_; }  // Frame::size points
    const Set& occupied() const { return occupied_.set; }
    const Padded& padded() const { return occupied_; }  // the same, to look at lines
    const Set& occupied(Side side) const { return side_[side].set; }
    const Set& pieces(Side side, Piece p) const { return by_[side][p]; }
    Set pieces(Side side, Kind k) const {
        return by_[side][piece_of(k, false)] | by_[side][piece_of(k, true)];
    }
    Square commander(Side side) const { return commander_[side]; }
    bool is_commander(Piece p) const { return kind_of(p) == rules_->commander(); }
    int count(Side side) const { return count_[side]; }
    bool deploying() const { return origin_ != NO_SQUARE; }
    bool mid_turn() const { return deploying(); }
    Square origin() const { return origin_; }
    Group remaining() const { return remaining_; }
    Group original() const { return original_; }
    u64 key_from_scratch() const;
    u64 pieces_key(Side side) const { return pieces_key_[side]; }  // where a side's pieces stand

    // --- legality (movegen.cpp, deploy.cpp) ---
    void legal_moves(Moves& out);
    void legal_takes(Moves& out);  // for a quiescence search; a commit does not count
    // All others, the commit last. Moves of whole stacks from `doubtful` points are not tested:
    // whoever makes one asks `is_safe` first.
    void quiets(Moves& out, Set& doubtful);
    static bool is_doubtful(Move m, const Set& doubtful) {
        return doubtful.has(m.from()) && !m.takes() && !m.deploy() && m.kind() != COMMIT;
    }
    bool is_safe(Move m) { return safe_after(m); }
    void pseudo_legal_moves(Moves& out) const;
    int count_legal();
    bool has_legal_move();
    bool is_legal(Move m);
    bool is_pseudo_legal(Move m) const;  // of any well-formed bits
    // What stands against a pseudo-legal move that is not legal, and which piece attacks (6.5).
    struct Objection {
        enum Article : u8 { UNFINISHABLE, ATTACKED, FACING, REST } article = UNFINISHABLE;
        Square square = NO_SQUARE;
        Piece piece = 0;
    };
    Objection objection(Move m);
    void make(Move m, Undo& undo);  // m must be legal
    void unmake(Move m, const Undo& undo);
    void make_null(Undo& undo);  // passes the turn; not while deploying
    void unmake_null(const Undo& undo);

    // --- attacks (attacks.cpp) ---
    bool in_check() const { return in_check(turn_); }
    bool in_check(Side side) const;
    bool in_check_after(const Undo& made) const;  // the same, told how the last move was made
    bool attacked(Side by, Square target) const;  // does `by` attack the stack (or point) there
    bool facing_commanders() const;
    // Calls visit(square, piece) for every piece of `by` that attacks the stack on `target`.
    template <class Visit>
    void each_attacker(Side by, Square target, Visit&& visit) const;
    Set cover(Side side) const;  // 5.1: points inside that side's rings

    // --- end ---
    bool commander_lost() const {  // exactly one side has a Commander
        return (commander_[0] == NO_SQUARE) != (commander_[1] == NO_SQUARE);
    }
    bool objective_lost(Side side) const;
    // 10.2: who has won by an objective, or NOBODY. If one step lost both, the side that made it.
    Side objective_winner() const;
    // How the game has ended (10), told how often this position has stood at the start of a turn.
    std::optional<Outcome<Reason>> outcome(int repetitions);
    // Remembers which groups of arms this position has, as the game's first (10.2).
    void begin_game();
    u8 arms_at_start() const { return had_; }

  private:
    static constexpr u32 DRAWN_AFTER = 100;  // 10.3

    template <Wanted>
    friend class Generator;
    template <class Out>
    friend class LegalSink;

    // The one mutation primitive. Keys can be left out where they are put back as a whole.
    template <bool keys = true>
    void put(Square s, Stack stack);
    void change(Square s, Stack stack, Undo& undo);  // put, and remember
    void save(Undo& undo) const;
    void restore(const Undo& undo);
    u64 deployment_key() const;
    void set_deployment(Square origin, Group remaining);

    // make, in parts: the deployment tests need them apart (deploy.cpp).
    void apply(Move m, Undo& undo);
    void apply_take(Move m, Undo& undo);
    void apply_deployment(Move m);
    void end_turn(Undo& undo);
    void make_heroes(Undo& undo);
    void make_last_guard(Side side, Undo& undo);
    void heroify(Square s, u32 pieces, Undo& undo);

    bool safe(Side side) const;  // 6.1 and 6.5 for a side whose turn ended
    bool safe_after_turn();      // the same, after the heroes a turn's end would make
    bool safe_after(Move m);     // make and test: the slow twin of the danger masks
    bool move_is_legal(Move m) { return m.deploy() ? step_is_legal(m) : safe_after(m); }
    template <Wanted wanted, class Out>
    void legal_into(Out& out, Set* doubtful = nullptr);
    bool rest_can_stay() const;  // 8.2
    bool can_commit();           // 8.2 and 8.4
    bool finishable();           // 8.4
    bool step_is_legal(Move m);  // 8.4
    bool has_legal_step();
    bool is_over() const { return commander_lost(); }

    u64 key_ = 0, pieces_key_[2]{};
    const Rules* rules_;
    u32 halfmove_ = 0, fullmove_ = 1;
    Padded occupied_, side_[2];
    Set by_[2][PIECES]{};  // carried pieces included
    Stack board_[Frame::size]{};
    u16 count_[2]{};
    Square commander_[2]{NO_SQUARE, NO_SQUARE};
    Side turn_ = FIRST;
    Square origin_ = NO_SQUARE;
    Group remaining_{}, original_{};
    u8 had_ = 0;
};

// The values of a stack's pieces (10.4).
int points_of(const Rules& rules, Group stack);

}  // namespace cotulenh::ctl
