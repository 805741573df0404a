// The state of a chess game, as small as a FEN, and how moves change it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "games/chess/move.hpp"
#include "games/hash.hpp"

namespace cotulenh::chess {

// What can be wrong with a position that was set up; a set of flags, named in the same order.
enum Problem : u32 {
    NO_WHITE_KING = 1 << 0,
    NO_BLACK_KING = 1 << 1,
    TOO_MANY_KINGS = 1 << 2,
    TOO_MANY_WHITE_PAWNS = 1 << 3,
    TOO_MANY_BLACK_PAWNS = 1 << 4,
    TOO_MANY_WHITE_PIECES = 1 << 5,
    TOO_MANY_BLACK_PIECES = 1 << 6,
    PAWNS_ON_BACK_RANK = 1 << 7,
    BAD_CASTLING_RIGHTS = 1 << 8,
    BAD_EN_PASSANT = 1 << 9,
    OPPOSITE_CHECK = 1 << 10,  // the side that is not to move stands in check
    TOO_MANY_CHECKERS = 1 << 11,
    IMPOSSIBLE_CHECK = 1 << 12,  // no last move can have given these checks
};

enum class Reason : u8 {
    CHECKMATE,
    STALEMATE,
    INSUFFICIENT_MATERIAL,
    SEVENTYFIVE_MOVES,
    FIVEFOLD_REPETITION,
    FIFTY_MOVES,
    THREEFOLD_REPETITION,
};

// What may differ from game to game: in Chess960 kings and rooks start anywhere.
struct Rules {
    bool chess960 = false;
    bool operator==(const Rules&) const = default;
};

// Zobrist keys, fixed for all time by the seed.
struct Keys {
    u64 piece[16][64]{}, castling[64]{}, en_passant[8]{}, turn = 0;
    constexpr Keys() {
        u64 state = 0x43484553;  // "CHES"
        for (int side = 0; side < 2; ++side)
            for (int kind = PAWN; kind <= KING; ++kind)
                for (u64& key : piece[side << 3 | kind]) key = next_key(state);
        for (u64& key : castling) key = next_key(state);
        for (u64& key : en_passant) key = next_key(state);
        turn = next_key(state);
    }
};
inline constexpr Keys KEYS;

// Written down before it is checked: what a FEN says.
struct Setup {
    Piece board[64];
    Bits castling_rooks = 0;
    Square en_passant = NO_SQUARE;
    Side turn = WHITE;
    u32 halfmove = 0, fullmove = 1;
};

// Where king and rook land, whatever they started from.
constexpr Square rook_target(Square king_target) {
    return Square(king_target + (file_of(king_target) == 6 ? -1 : 1));
}

class Position {
  public:
    using Move = chess::Move;
    using Kind = chess::Kind;
    using Rules = chess::Rules;
    using Reason = chess::Reason;

    static constexpr std::array<std::string_view, 13> PROBLEM_NAMES = {
        "no_white_king",         "no_black_king",        "too_many_kings",
        "too_many_white_pawns",  "too_many_black_pawns", "too_many_white_pieces",
        "too_many_black_pieces", "pawns_on_back_rank",   "bad_castling_rights",
        "bad_en_passant",        "opposite_check",       "too_many_checkers",
        "impossible_check"};

    // What `make` forgets and `unmake` needs.
    struct Undo {
        u64 key, pieces_key[2];
        Bits castling;
        u32 halfmove;
        Square en_passant, passed_over;
        Kind captured;
    };

    // The usual start. Every Position that exists is one that could be played.
    Position();
    // Sets up what was written; returns problems and leaves this as it was if there are any.
    u32 set(const Setup& setup, Rules rules);
    Setup setup() const;
    // What was written, whether or not it can be played: for looking at only. Rights that cannot
    // be are left out.
    static Position unfinished(const Setup& setup, Rules rules);

    const Rules& rules() const { return rules_; }
    Side turn() const { return turn_; }
    static constexpr bool mid_turn() { return false; }  // a turn is one move here
    u64 key() const { return key_; }
    u64 key_from_scratch() const;
    // Where a side's pieces stand, pawns aside.
    u64 pieces_key(Side side) const { return pieces_key_[side]; }
    Bits occupied() const { return sides_[0] | sides_[1]; }
    Bits occupied(Side side) const { return sides_[side]; }
    Bits pieces(Kind kind) const { return kinds_[kind]; }
    Bits pieces(Side side, Kind kind) const { return sides_[side] & kinds_[kind]; }
    Piece at(Square s) const { return board_[s]; }
    const Piece* board() const { return board_; }  // 64 squares
    Square king(Side side) const { return first(pieces(side, KING)); }
    Bits attacks(Square s) const;  // of what stands there, its own side's pieces included
    Bits attacked_by(Side side) const;
    // Set only if some en passant capture is legal, so that equal positions have equal keys.
    Square en_passant() const { return en_passant_; }
    // The square a pawn has just passed over, whether or not it may be captured there.
    Square passed_over() const { return passed_over_; }
    Bits castling_rooks() const { return castling_ & kinds_[ROOK]; }
    u32 halfmove() const { return halfmove_; }
    u32 fullmove() const { return fullmove_; }
    bool operator==(const Position& o) const;
    // All of the state, byte for byte: what tests compare.
    std::string_view bytes() const {
        return {reinterpret_cast<const char*>(this), offsetof(Position, board_) + sizeof board_};
    }

    // Pieces of a side that attack a square; sliders see through what `occupied` leaves out.
    Bits attackers(Side side, Square s, Bits occupied) const;
    bool attacked(Side by, Square s, Bits occupied) const {
        return attackers(by, s, occupied) != 0;
    }
    Bits checkers() const { return attackers(Side(turn_ ^ 1), king(turn_), occupied()); }
    bool in_check() const { return checkers() != 0; }
    bool gives_check(Move m) const;  // m must be legal
    // The rook of a castling move: the only one with rights on the wing the king goes to.
    Square castling_rook(Move m) const;
    // Dead by material: no sequence of moves ends in mate.
    bool insufficient_material() const;
    // How the game has ended, told how often this position has stood. Draws that a player has to
    // claim count only if somebody does.
    std::optional<Outcome<Reason>> outcome(int repetitions, bool claim_draw = false) const;

    void make(Move m, Undo& undo) {
        turn_ == WHITE ? make_as<WHITE>(m, undo) : make_as<BLACK>(m, undo);
    }
    void unmake(Move m, const Undo& undo) {
        turn_ == WHITE ? unmake_as<BLACK>(m, undo) : unmake_as<WHITE>(m, undo);
    }
    void make_null(Undo& undo);  // passes; not in check
    void unmake_null(const Undo& undo);

    // All append. Written in movegen.cpp; legal moves come out directly, none is tried and undone.
    void legal_moves(Moves& out) const;
    void legal_moves(Moves& out, Bits from, Bits to) const;
    void legal_takes(Moves& out) const;   // and promotions: what a quiescence search looks at
    void legal_quiets(Moves& out) const;  // all the others
    void pseudo_legal_moves(Moves& out) const;
    int count_legal() const;
    bool has_legal_move() const { return count_legal() != 0; }
    bool is_legal(Move m) const;  // of any 16 bits
    // The legal move that a plain one means: e1g1 or e1h1 may be castling, e5d6 en passant. No
    // move if there is none.
    Move resolve(Move plain) const;

    // Whether the pawn on `from` may capture en passant now, or could if `square` were the target.
    bool en_passant_legal(Side us, Square from, Square square) const;

  private:
    struct Blank {};
    explicit Position(Blank) {}
    static const Position& usual();

    template <Side Us>
    void make_as(Move m, Undo& undo);
    template <Side Us>
    void unmake_as(Move m, const Undo& undo);
    template <Side Us>
    void castle(Square king_from, Square king_to, Square rook_from, Square rook_to);
    template <Side Us>
    void offer_en_passant(Square square);
    void drop_castling(Bits touched);
    void save(Undo& undo) const {
        undo = {key_,        {pieces_key_[0], pieces_key_[1]},
                castling_,   halfmove_,
                en_passant_, passed_over_,
                NO_KIND};
    }
    static Position placed(const Setup& setup, Rules rules);
    u32 piece_problems() const;
    u32 castling_problems(Bits rooks);
    u32 check_problems(Square pushed_over) const;

    // The one primitive of change: sets, board and keys together. Keys can be left out where they
    // are put back as a whole.
    template <bool keys>
    void toggle(Piece p, Square s) {
        kinds_[kind_of(p)] ^= bit(s);
        sides_[side_of(p)] ^= bit(s);
        if constexpr (!keys) return;
        const u64 key = KEYS.piece[p][s];
        key_ ^= key;
        pieces_key_[side_of(p)] ^= kind_of(p) != PAWN ? key : 0;
    }
    template <bool keys = true>
    void put(Piece p, Square s) {
        toggle<keys>(p, s), board_[s] = p;
    }
    template <bool keys = true>
    void lift(Piece p, Square s) {
        toggle<keys>(p, s), board_[s] = EMPTY;
    }
    // Both at once, of the same piece.
    template <Side Us, bool keys = true>
    void shift(Piece p, Square from, Square to) {
        const Bits both = bit(from) | bit(to);
        kinds_[kind_of(p)] ^= both;
        sides_[Us] ^= both;
        board_[from] = EMPTY;
        board_[to] = p;
        if constexpr (!keys) return;
        const u64 key = KEYS.piece[p][from] ^ KEYS.piece[p][to];
        key_ ^= key;
        pieces_key_[Us] ^= kind_of(p) != PAWN ? key : 0;
    }

    Bits kinds_[6]{}, sides_[2]{};
    Bits castling_ = 0;  // rooks that may castle and their kings: one test per move
    u64 key_ = 0, pieces_key_[2]{};
    u32 halfmove_ = 0, fullmove_ = 1;
    Square en_passant_ = NO_SQUARE, passed_over_ = NO_SQUARE;
    Side turn_ = WHITE;
    Rules rules_;
    Piece board_[64];
};

}  // namespace cotulenh::chess
