#include "games/ctl/fen.hpp"

#include <algorithm>

namespace cotulenh::ctl {
namespace {

constexpr u32 MOST_TURNS = 999'999;

char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_piece(std::string& out, Piece p, bool lower) {
    if (is_heroic(p)) out += '+';
    const char c = LETTERS[kind_of(p)];
    out += lower ? char(c + 32) : c;
}

void append_stack(std::string& out, Group stack, bool lower) {
    if (!is_single(stack)) out += '(';
    each_piece(stack, [&](Piece p) { append_piece(out, p, lower); });
    if (!is_single(stack)) out += ')';
}

// Reads field by field; the first trouble is kept and ends the reading.
class Reader {
  public:
    Reader(const Rules& rules, std::string_view text) : rules_(rules), in_(text) {}

    Result<Position> read() {
        if (!setup_is_read()) return std::move(error_);
        if (!possible()) return std::move(error_);
        return Position(rules_, setup_);
    }

    Result<SetUp> read_set_up() {
        if (!setup_is_read()) return std::move(error_);
        possible();
        return SetUp{Position(rules_, setup_), error_.problems};
    }

  private:
    bool setup_is_read() {
        return placement() && space() && side() && space() && dash() && space() && dash() &&
               space() && counter(setup_.halfmove, 0, "halfmove") && space() &&
               counter(setup_.fullmove, 1, "fullmove") && deployment() && end();
    }
    bool fail(std::size_t offset, std::string reason) {
        error_ = {offset, std::move(reason)};
        return false;
    }
    bool refuse(Problem problem, std::size_t offset, std::string reason, Square s = NO_SQUARE) {
        fail(offset, std::move(reason));
        error_.fault = Fault::IMPOSSIBLE;
        error_.problems |= problem;
        error_.square = s;
        return false;
    }

    bool space() {
        // Every field ends at a blank or with the text.
        if (!in_.accept(' '))
            return fail(in_.offset(), "expected six fields, the text ends too early");
        in_.spaces();
        return true;
    }

    bool placement() {
        for (int rank = rules_.spec.ranks - 1; rank >= 0; --rank) {
            if (!one_rank(rank)) return false;
            if (rank > 0 && !in_.accept('/')) return fail(in_.offset(), too_few_ranks(rank));
        }
        if (in_.peek() == '/')
            return fail(in_.offset(),
                        "expected " + std::to_string(rules_.spec.ranks) + " ranks, got more");
        return true;
    }

    std::string too_few_ranks(int rank) const {
        const int ranks = rules_.spec.ranks;
        return "expected " + std::to_string(ranks) + " ranks, got " + std::to_string(ranks - rank);
    }

    bool one_rank(int rank) {
        const int files = rules_.spec.files;
        int file = 0;
        while (!in_.done() && in_.peek() != '/' && in_.peek() != ' ') {
            const std::size_t at = in_.offset();
            if (is_digit(in_.peek())) {
                u32 run = 0;
                const bool zero = in_.peek() == '0';
                if (!in_.number(run, u32(files)) || zero)
                    return fail(
                        at, "expected a run of 1 to " + std::to_string(files) + " empty points");
                file += int(run);
                if (file > files) return fail(at, rank_length(rank, file));
                continue;
            }
            if (file >= files) return fail(at, rank_length(rank, file + 1));
            places_[Frame::at(file, rank)] = u32(at);
            if (!point(Frame::at(file, rank))) return false;
            ++file;
        }
        if (file < files) return fail(in_.offset(), rank_length(rank, file));
        return true;
    }

    std::string rank_length(int rank, int points) const {
        const int files = rules_.spec.files;
        return "rank " + std::to_string(rank + 1) + " has too " +
               (points < files ? "few" : "many") + " points: expected " + std::to_string(files) +
               ", got " + (points < files ? "" : "at least ") + std::to_string(points);
    }
    static std::string name(Square s) {
        std::string out;
        append_square(out, s);
        return out;
    }

    // One piece, or a stack in parentheses.
    bool point(Square s) {
        Piece pieces[MOST_IN_STACK]{};
        Side side = FIRST;
        int n = 0;
        const std::size_t at = in_.offset();
        const bool stack = in_.accept('(');
        do {
            Piece p;
            Side owner;
            if (in_.peek() == '(') return fail(in_.offset(), "a stack inside a stack");
            if (in_.done()) return fail(in_.offset(), "the stack is not closed");
            if (stack && in_.peek() == ')') break;
            if (!piece(p, owner)) return false;
            if (n > 0 && owner != side) return fail(at, "a stack of two colours");
            if (n == MOST_IN_STACK)
                return refuse(INVALID_STACK, at, name(s) + ": a stack of more than three pieces",
                              s);
            side = owner;
            pieces[n++] = p;
        } while (stack);
        if (stack && n == 0) return fail(at, "an empty stack");
        if (stack && n == 1) return fail(at, "a stack of one piece");
        if (stack) in_.take();
        setup_.board[s] = Stack(Group::of(pieces[0], pieces[1], pieces[2]), side);
        return true;
    }

    bool piece(Piece& p, Side& owner) {
        const std::size_t at = in_.offset();
        const bool hero = in_.accept('+');
        const char c = in_.peek();
        const auto kind = LETTERS.find(upper(c));
        if (kind == LETTERS.npos) {  // nor is the end of the text a letter
            if (hero) return fail(at, "'+' without a piece");
            return fail(at, "unknown piece " + quoted(in_.rest().substr(0, 1)));
        }
        if (!rules_.spec.kinds[kind].present)
            return fail(at, "this rule set has no piece " + quoted(in_.rest().substr(0, 1)));
        in_.take();
        p = piece_of(Kind(kind), hero);
        owner = is_lower(c) ? SECOND : FIRST;
        return true;
    }

    bool side() {
        const std::size_t at = in_.offset();
        const std::string_view word = in_.word();
        if (word != "r" && word != "b")
            return fail(at, "expected the side to move, r or b, got " + quoted(word));
        setup_.turn = word == "r" ? FIRST : SECOND;
        return true;
    }

    bool dash() {
        const std::size_t at = in_.offset();
        const std::string_view word = in_.word();
        return word == "-" || fail(at, "expected '-', got " + quoted(word));
    }

    bool counter(u32& out, u32 least, const char* what) {
        const std::size_t at = in_.offset();
        const bool fine = in_.number(out, MOST_TURNS) && out >= least;
        if (fine && (in_.done() || in_.peek() == ' ')) return true;
        return fail(at, std::string("expected the ") + what + " counter, " + std::to_string(least) +
                            " to " + std::to_string(MOST_TURNS));
    }

    // 11.2: c3:N+F, what may still move from where.
    bool deployment() {
        in_.spaces();
        if (in_.done()) return true;
        const std::size_t field = in_.offset();
        Square origin;
        if (!read_square(in_, rules_, origin))
            return refuse(BAD_DEPLOYMENT, field,
                          "expected the origin of a deployment, such as c3:NF");
        if (!in_.accept(':')) return refuse(BAD_DEPLOYMENT, in_.offset(), "expected ':'");
        Piece pieces[MOST_IN_STACK]{};
        int n = 0;
        while (!in_.done() && in_.peek() != ' ') {
            const std::size_t at = in_.offset();
            Side owner;
            Piece p;
            if (n == MOST_IN_STACK) return refuse(BAD_DEPLOYMENT, at, "more than three pieces");
            if (!piece(p, owner)) return refuse(BAD_DEPLOYMENT, at, std::move(error_.reason));
            if (owner != FIRST) return refuse(BAD_DEPLOYMENT, at, "expected upper case");
            pieces[n++] = p;
        }
        setup_.origin = origin;
        setup_.remaining = Group::of(pieces[0], pieces[1], pieces[2]);
        const Stack here = setup_.board[origin];
        if (n == 0) return refuse(BAD_DEPLOYMENT, field, "no piece left to deploy", origin);
        if (!here || side_of(here) != setup_.turn || !includes(here, setup_.remaining))
            return refuse(BAD_DEPLOYMENT, field, "these pieces do not stand on the origin", origin);
        return true;
    }

    bool end() {
        in_.spaces();
        return in_.done() || fail(in_.offset(), "text after the last field");
    }

    bool possible() {
        int commanders[2]{};
        bool fine = true;
        each_stack([&](Square s, Stack stack) {
            if (contains(stack, rules_.commander()) && ++commanders[side_of(stack)] > 1)
                fine = blame(TOO_MANY_COMMANDERS, s, "a second Commander of one side");
        });
        // 4.5: the step that took the Commander was not asked what it left on its origin.
        bool stranded = !commanders[setup_.turn] && commanders[setup_.turn ^ 1];
        each_stack([&](Square s, Stack stack) {
            const bool valid = rules_.valid(stack);
            if (s == setup_.origin || (valid && rules_.can_stand(stack, s))) return;
            if (stranded && commanders[side_of(stack)]) {
                stranded = false;
                return;
            }
            std::string pieces;
            append_stack(pieces, stack, side_of(stack) == SECOND);
            fine = valid ? blame(CANNOT_STAND, s, pieces + " cannot stand there")
                         : blame(INVALID_STACK, s, pieces + " is not a stack of this rule set");
        });
        return fine;
    }

    template <class Visit>
    void each_stack(Visit&& visit) const {
        rules_.rays.board().each([&](Square s) {
            if (setup_.board[s]) visit(s, setup_.board[s]);
        });
    }

    // Several points may be wrong: all problems are named, the first in the text is described.
    bool blame(Problem problem, Square s, const std::string& what) {
        const u32 problems = error_.problems | problem;
        if (!error_ || places_[s] < error_.offset) {
            error_ = {places_[s], name(s) + ": " + what, Fault::IMPOSSIBLE, 0, s};
        }
        error_.problems = problems;
        return false;
    }

    const Rules& rules_;
    Cursor in_;
    Setup setup_;
    TextError error_;
    u32 places_[Frame::size]{};
};

}  // namespace

void append_square(std::string& out, Square s) {
    out += char('a' + Frame::file_of(s));
    append_number(out, u32(Frame::rank_of(s) + 1));
}

void append_group(std::string& out, Group group) { append_stack(out, group, false); }

bool read_square(Cursor& in, const Rules& rules, Square& out) {
    return read_square(in, rules.spec.files, rules.spec.ranks, out);
}

bool read_square(Cursor& in, int files, int ranks, Square& out) {
    const int file = upper(in.peek()) - 'A';
    if (file < 0 || file >= files) return false;
    in.take();
    u32 rank = 0;
    if (in.peek() == '0' || !in.number(rank, u32(ranks))) return false;
    out = Frame::at(file, int(rank) - 1);
    return true;
}

Result<Position> read_fen(const Rules& rules, std::string_view text) {
    return Reader(rules, text).read();
}

Result<SetUp> read_set_up(const Rules& rules, std::string_view text) {
    return Reader(rules, text).read_set_up();
}

std::string write_fen(const Position& p) {
    std::string out;
    out.reserve(112);
    const RuleSpec& spec = p.rules().spec;
    for (int rank = spec.ranks - 1; rank >= 0; --rank) {
        u32 empty = 0;
        for (int file = 0; file < spec.files; ++file) {
            const Stack stack = p.at(Frame::at(file, rank));
            if (!stack) {
                ++empty;
                continue;
            }
            if (empty) append_number(out, std::exchange(empty, 0));
            append_stack(out, group_of(stack), side_of(stack) == SECOND);
        }
        if (empty) append_number(out, empty);
        if (rank) out += '/';
    }
    out += p.turn() == FIRST ? " r - - " : " b - - ";
    append_number(out, p.halfmove());
    out += ' ';
    append_number(out, p.fullmove());
    if (p.deploying()) {
        out += ' ';
        append_square(out, p.origin());
        out += ':';
        each_piece(p.remaining(), [&](Piece piece) { append_piece(out, piece, false); });
    }
    return out;
}

u32 remarks(const Position& p) {
    u32 found = 0;
    const std::string& start = p.rules().spec.start;
    const std::string_view army = std::string_view(start).substr(0, start.find(' '));
    for (const Side side : {FIRST, SECOND}) {
        if (p.commander(side) == NO_SQUARE) found |= MISSING_COMMANDER;
        int have[KINDS]{};
        p.occupied(side).each(
            [&](Square s) { each_piece(p.at(s), [&](Piece q) { ++have[kind_of(q)]; }); });
        for (int k = 0; k < KINDS; ++k) {
            const char letter = side == FIRST ? LETTERS[k] : char(LETTERS[k] + 32);
            if (have[k] > std::count(army.begin(), army.end(), letter)) found |= TOO_MANY_PIECES;
        }
    }
    if (p.in_check(Side(p.turn() ^ 1))) found |= OPPONENT_IN_CHECK;
    return found;
}

}  // namespace cotulenh::ctl
