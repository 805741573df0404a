#include "games/chess/position.hpp"

namespace cotulenh::chess {

namespace {

constexpr Kind BACK_RANK[8] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};

Setup start() {
    Setup setup;
    std::fill(setup.board, setup.board + 64, EMPTY);
    for (int file = 0; file < 8; ++file) {
        setup.board[file] = piece_of(WHITE, BACK_RANK[file]);
        setup.board[8 + file] = piece_of(WHITE, PAWN);
        setup.board[48 + file] = piece_of(BLACK, PAWN);
        setup.board[56 + file] = piece_of(BLACK, BACK_RANK[file]);
    }
    setup.castling_rooks = bit(0) | bit(7) | bit(56) | bit(63);
    return setup;
}

}  // namespace

// Setting up and checking -----------------------------------------------------------------------

Position::Position() : Position(usual()) {}

const Position& Position::usual() {
    static const Position made = [] {
        Position p{Blank{}};
        p.set(start(), {});
        return p;
    }();
    return made;
}

Position Position::placed(const Setup& setup, Rules rules) {
    Position p{Blank{}};
    p.rules_ = rules;
    for (Square s = 0; s < 64; ++s) {
        p.board_[s] = setup.board[s];
        if (setup.board[s] != EMPTY) p.toggle<true>(setup.board[s], s);
    }
    p.turn_ = setup.turn;
    p.halfmove_ = setup.halfmove;
    p.fullmove_ = setup.fullmove;
    return p;
}

Position Position::unfinished(const Setup& setup, Rules rules) {
    Position p = placed(setup, rules);
    if (p.castling_problems(setup.castling_rooks)) p.castling_ = 0;
    p.key_ = p.key_from_scratch();
    return p;
}

u32 Position::set(const Setup& setup, Rules rules) {
    Position p = placed(setup, rules);
    u32 problems = p.piece_problems();
    if (problems & (NO_WHITE_KING | NO_BLACK_KING | TOO_MANY_KINGS)) return problems;
    problems |= p.castling_problems(setup.castling_rooks);
    problems |= p.check_problems(setup.en_passant);
    if (problems) return problems;

    if (setup.en_passant != NO_SQUARE)
        setup.turn == WHITE ? p.offer_en_passant<BLACK>(setup.en_passant)
                            : p.offer_en_passant<WHITE>(setup.en_passant);
    p.key_ = p.key_from_scratch();
    *this = p;
    return 0;
}

Setup Position::setup() const {
    Setup setup;
    std::copy(board_, board_ + 64, setup.board);
    setup.castling_rooks = castling_rooks();
    setup.en_passant = en_passant_;
    setup.turn = turn_;
    setup.halfmove = halfmove_;
    setup.fullmove = fullmove_;
    return setup;
}

u32 Position::piece_problems() const {
    const auto more = [&](Bits set, int most) { return std::popcount(set) > most; };
    u32 problems = 0;
    if (!pieces(WHITE, KING)) problems |= NO_WHITE_KING;
    if (!pieces(BLACK, KING)) problems |= NO_BLACK_KING;
    if (more(pieces(WHITE, KING), 1) || more(pieces(BLACK, KING), 1)) problems |= TOO_MANY_KINGS;
    if (more(pieces(WHITE, PAWN), 8)) problems |= TOO_MANY_WHITE_PAWNS;
    if (more(pieces(BLACK, PAWN), 8)) problems |= TOO_MANY_BLACK_PAWNS;
    if (more(occupied(WHITE), 16)) problems |= TOO_MANY_WHITE_PIECES;
    if (more(occupied(BLACK), 16)) problems |= TOO_MANY_BLACK_PIECES;
    if (pieces(PAWN) & (rank(0) | rank(7))) problems |= PAWNS_ON_BACK_RANK;
    return problems;
}

// Rights need a king on its back rank and a rook on the named square, at most one on each wing;
// outside Chess960 they must stand where they always start.
u32 Position::castling_problems(Bits rooks) {
    castling_ = rooks;
    for (const Side side : {WHITE, BLACK}) {
        const Bits home = rank(side == WHITE ? 0 : 7), mine = rooks & home;
        if (!mine) continue;
        const Bits k = pieces(side, KING);
        const bool usual = k & home & (FILE_A << 4) && !(mine & ~(FILE_A | FILE_H));
        const bool one_a_wing = !several(mine & (k - 1)) && !several(mine & ~(k - 1));
        if (!(k & home) || mine & ~pieces(side, ROOK) || !one_a_wing ||
            (!rules_.chess960 && !usual))
            return BAD_CASTLING_RIGHTS;
        castling_ |= k;
    }
    return rooks & ~(rank(0) | rank(7)) ? u32(BAD_CASTLING_RIGHTS) : 0;
}

// The last move gave these checks, or no move did. A pawn that just went two squares explains
// itself and what it uncovered; otherwise two checkers cannot stand on one line with the king.
u32 Position::check_problems(Square pushed_over) const {
    const Side them = Side(turn_ ^ 1);
    if (attacked(turn_, king(them), occupied())) return OPPOSITE_CHECK;
    const Bits checks = checkers();
    u32 problems = std::popcount(checks) > 2 ? u32(TOO_MANY_CHECKERS) : 0;
    if (pushed_over != NO_SQUARE) {
        const Square to = pushed_over ^ 8, from = pushed_over ^ 24;
        const bool right_rank = rank_of(pushed_over) == (turn_ == WHITE ? 5 : 2);
        if (!right_rank || board_[to] != piece_of(them, PAWN) || board_[pushed_over] != EMPTY ||
            board_[from] != EMPTY)
            return problems | BAD_EN_PASSANT;
        const Bits before = (occupied() ^ bit(to)) | bit(from);
        const bool uncovered =
            checks && !(checks & bit(to)) && attackers(them, king(turn_), before) & ~bit(to);
        if (several(checks) || uncovered) problems |= IMPOSSIBLE_CHECK;
    } else if (several(checks)) {
        const Bits one = checks & -checks, other = checks ^ one;
        if (std::popcount(checks) > 2 ||
            TABLES.line[first(one)][first(other)] & pieces(turn_, KING))
            problems |= IMPOSSIBLE_CHECK;
    }
    return problems;
}

u64 Position::key_from_scratch() const {
    u64 key = turn_ == BLACK ? KEYS.turn : 0;
    for (Square s = 0; s < 64; ++s)
        if (board_[s] != EMPTY) key ^= KEYS.piece[board_[s]][s];
    for (Bits rest = castling_; rest;) key ^= KEYS.castling[pop(rest)];
    if (en_passant_ != NO_SQUARE) key ^= KEYS.en_passant[file_of(en_passant_)];
    return key;
}

bool Position::operator==(const Position& o) const {
    return std::equal(board_, board_ + 64, o.board_) && castling_ == o.castling_ &&
           turn_ == o.turn_ && en_passant_ == o.en_passant_ && halfmove_ == o.halfmove_ &&
           fullmove_ == o.fullmove_ && rules_ == o.rules_;
}

// Questions -------------------------------------------------------------------------------------

Bits Position::attacks(Square s) const {
    switch (const Side side = side_of(board_[s]); kind_of(board_[s])) {
        case PAWN:
            return TABLES.pawn[side][s];
        case KNIGHT:
            return TABLES.knight[s];
        case KING:
            return TABLES.king[s];
        case BISHOP:
            return bishop_attacks(s, occupied());
        case ROOK:
            return rook_attacks(s, occupied());
        case QUEEN:
            return queen_attacks(s, occupied());
        default:
            return 0;
    }
}

Square Position::castling_rook(Move m) const {
    const Bits west = bit(m.from()) - 1, east = ~west ^ bit(m.from());
    return first(castling_ & rank(rank_of(m.from())) & (file_of(m.to()) == 6 ? east : west));
}

bool Position::insufficient_material() const {
    if (kinds_[PAWN] | kinds_[ROOK] | kinds_[QUEEN]) return false;
    if (kinds_[KNIGHT]) return !several(kinds_[KNIGHT] | kinds_[BISHOP]);
    return !(kinds_[BISHOP] & DARK_SQUARES) || !(kinds_[BISHOP] & ~DARK_SQUARES);
}

std::optional<Outcome<Reason>> Position::outcome(int repetitions, bool claim_draw) const {
    using Found = Outcome<Reason>;
    if (!has_legal_move()) {
        if (in_check()) return Found{Side(turn_ ^ 1), Reason::CHECKMATE};
        return Found{NOBODY, Reason::STALEMATE};
    }
    if (insufficient_material()) return Found{NOBODY, Reason::INSUFFICIENT_MATERIAL};
    if (halfmove_ >= 150) return Found{NOBODY, Reason::SEVENTYFIVE_MOVES};
    if (repetitions >= 5) return Found{NOBODY, Reason::FIVEFOLD_REPETITION};
    if (claim_draw && halfmove_ >= 100) return Found{NOBODY, Reason::FIFTY_MOVES};
    if (claim_draw && repetitions >= 3) return Found{NOBODY, Reason::THREEFOLD_REPETITION};
    return std::nullopt;
}

// Changes ---------------------------------------------------------------------------------------

// `touched` are squares that moves began or ended on, and the whole rank of a king that moved. What
// is left of a rank must be a king and a rook, or nothing.
void Position::drop_castling(Bits touched) {
    Bits left = castling_ & ~touched;
    for (const Bits home : {rank(0), rank(7)})
        if (!several(left & home)) left &= ~home;
    for (Bits lost = castling_ ^ left; lost;) key_ ^= KEYS.castling[pop(lost)];
    castling_ = left;
}

// Us has just moved a pawn across `square`: it counts only if it can be used.
template <Side Us>
void Position::offer_en_passant(Square square) {
    passed_over_ = square;
    constexpr Side Them = Us ^ 1;
    for (Bits from = TABLES.pawn[Us][square] & pieces(Them, PAWN); from;) {
        if (!en_passant_legal(Them, pop(from), square)) continue;
        en_passant_ = square;
        key_ ^= KEYS.en_passant[file_of(square)];
        return;
    }
}

// Both pieces leave before either lands: in Chess960 they may swap squares or stay.
template <Side Us>
void Position::castle(Square king_from, Square king_to, Square rook_from, Square rook_to) {
    lift(piece_of(Us, KING), king_from);
    lift(piece_of(Us, ROOK), rook_from);
    put(piece_of(Us, KING), king_to);
    put(piece_of(Us, ROOK), rook_to);
}

template <Side Us>
void Position::make_as(Move m, Undo& undo) {
    constexpr Side Them = Us ^ 1;
    constexpr Bits home = rank(Us == WHITE ? 0 : 7);
    const Square from = m.from(), to = m.to();
    save(undo);
    passed_over_ = NO_SQUARE;
    key_ ^= KEYS.turn;
    if (en_passant_ != NO_SQUARE) {
        key_ ^= KEYS.en_passant[file_of(en_passant_)];
        en_passant_ = NO_SQUARE;
    }
    turn_ = Them;
    fullmove_ += Us;
    ++halfmove_;
    if (m.kind() == CASTLING) {
        castle<Us>(from, to, castling_rook(m), rook_target(to));
        return drop_castling(home);
    }

    const Piece moving = board_[from], taken = board_[to];
    if (taken != EMPTY) {
        undo.captured = kind_of(taken);
        halfmove_ = 0;
        lift(taken, to);
    }
    if (m.kind() == PROMOTION) {
        lift(moving, from);
        put(piece_of(Us, m.promotion()), to);
    } else {
        shift<Us>(moving, from, to);
    }
    if (moving == piece_of(Us, PAWN)) {
        halfmove_ = 0;
        if ((from ^ to) == 16) offer_en_passant<Us>(to ^ 8);
        if (m.kind() == EN_PASSANT) {
            undo.captured = PAWN;
            lift(piece_of(Them, PAWN), to ^ 8);
        }
    }
    const Bits touched = bit(from) | bit(to);
    if (castling_ & touched) drop_castling(moving == piece_of(Us, KING) ? touched | home : touched);
}

template <Side Us>
void Position::unmake_as(Move m, const Undo& undo) {
    constexpr Side Them = Us ^ 1;
    const Square from = m.from(), to = m.to();
    castling_ = undo.castling;
    halfmove_ = undo.halfmove;
    en_passant_ = undo.en_passant;
    passed_over_ = undo.passed_over;
    turn_ = Us;
    fullmove_ -= Us;
    if (m.kind() == CASTLING) {
        castle<Us>(to, from, rook_target(to), castling_rook(m));  // the rights are back already
    } else {
        const Piece moved = board_[to];
        if (m.kind() == PROMOTION) {
            lift<false>(moved, to);
            put<false>(piece_of(Us, PAWN), from);
        } else {
            shift<Us, false>(moved, to, from);
        }
        if (undo.captured != NO_KIND)
            put<false>(piece_of(Them, undo.captured), m.kind() == EN_PASSANT ? to ^ 8 : to);
    }
    key_ = undo.key;
    for (const Side side : {WHITE, BLACK}) pieces_key_[side] = undo.pieces_key[side];
}

template void Position::make_as<WHITE>(Move, Undo&);
template void Position::make_as<BLACK>(Move, Undo&);
template void Position::unmake_as<WHITE>(Move, const Undo&);
template void Position::unmake_as<BLACK>(Move, const Undo&);

void Position::make_null(Undo& undo) {
    save(undo);
    passed_over_ = NO_SQUARE;
    key_ ^= KEYS.turn;
    if (en_passant_ != NO_SQUARE) key_ ^= KEYS.en_passant[file_of(en_passant_)];
    en_passant_ = NO_SQUARE;
    fullmove_ += turn_;
    ++halfmove_;
    turn_ ^= 1;
}

void Position::unmake_null(const Undo& undo) {
    turn_ ^= 1;
    fullmove_ -= turn_;
    halfmove_ = undo.halfmove;
    en_passant_ = undo.en_passant;
    passed_over_ = undo.passed_over;
    key_ = undo.key;
}

}  // namespace cotulenh::chess
