#include "games/ctl/notation.hpp"

#include <algorithm>

#include "games/ctl/movegen.hpp"

namespace cotulenh::ctl {

static_assert(WrittenGame<Position>);

namespace {

constexpr int LARGEST = 12;  // files and ranks of any board
constexpr char MARKS[MOVE_KINDS] = {0, 'x', '_', '@', '&', '_', '<'};

char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; }

void append_mark(std::string& out, Move m) {
    if (m.deploy()) out += '>';
    if (MARKS[m.kind()]) out += MARKS[m.kind()];
}

// What a text says about a move; what it leaves out is -1.
struct Pattern {
    Group group{};  // as written, heroic marks included; none for a commit
    bool marked = false;
    int from_file = -1, from_rank = -1;
    bool deploy = false, commit = false;
    char mark = 0;
    Square to = NO_SQUARE;

    // Of moves with the pattern's group, mark and target; the origin may be said or not.
    bool fits(Move m) const {
        if (from_file >= 0 && Frame::file_of(m.from()) != from_file) return false;
        return from_rank < 0 || Frame::rank_of(m.from()) == from_rank;
    }
    // Heroic marks may be left out.
    static Group plain(Group g) {
        const auto low = [](Piece p) { return p ? piece_of(kind_of(p), false) : p; };
        return Group::of(low(g[0]), low(g[1]), low(g[2]));
    }
};

// Grammar: commit = [square] "<"; otherwise pieces [file][rank] [">"] [mark] square.
class PatternReader {
  public:
    PatternReader(int files, int ranks, std::string_view text)
        : files_(files), ranks_(ranks), text_(text) {
        std::size_t end = text.size();
        while (end > 0 && (text[end - 1] == '^' || text[end - 1] == '#')) --end;
        text_ = text.substr(0, end);
    }

    TextError read(Pattern& out) {
        if (text_.empty()) return {0, "no move"};
        if (text_.size() > LONGEST) return {LONGEST, "too long for a move"};
        if (text_.back() == '<') return commit(out);
        Cursor in(text_);
        if (!pieces(in, out)) return error_;
        const std::size_t tail = to_square(out);
        if (tail == std::string_view::npos || tail < in.offset())
            return {text_.size(), "a move ends with the point it goes to"};
        return middle(in, tail, out);
    }

  private:
    static constexpr std::size_t LONGEST = 32;

    TextError commit(Pattern& out) {
        out.commit = true;
        Cursor in(text_.substr(0, text_.size() - 1));
        Square s;
        if (in.done()) return {};
        if (!read_square(in, files_, ranks_, s) || !in.done())
            return {0, "a commit is written like c3<"};
        out.from_file = Frame::file_of(s);
        out.from_rank = Frame::rank_of(s);
        return {};
    }

    bool pieces(Cursor& in, Pattern& out) {
        Piece found[MOST_IN_STACK]{};
        int n = 0;
        const bool stack = in.accept('(');
        do {
            const std::size_t at = in.offset();
            if (stack && n > 0 && in.accept(')')) break;
            const bool hero = in.accept('+');
            const auto kind = in.done() ? LETTERS.npos : LETTERS.find(upper(in.peek()));
            if (kind == LETTERS.npos)
                return fail(at, "a move begins with the letters of its pieces");
            if (n == MOST_IN_STACK) return fail(at, "more than three pieces");
            in.take();
            out.marked |= hero;
            found[n++] = piece_of(Kind(kind), hero);
        } while (stack);
        out.group = Group::of(found[0], found[1], found[2]);
        return true;
    }

    // Reads the target from the end; returns where it begins.
    std::size_t to_square(Pattern& out) {
        std::size_t at = text_.size();
        while (at > 0 && text_[at - 1] >= '0' && text_[at - 1] <= '9') --at;
        if (at == 0 || at == text_.size()) return std::string_view::npos;
        Cursor in(text_.substr(--at));
        if (!read_square(in, files_, ranks_, out.to)) return std::string_view::npos;
        return at;
    }

    // The origin or a part of it, and the marks.
    TextError middle(Cursor& in, std::size_t tail, Pattern& out) {
        const int file = upper(in.peek()) - 'A';
        const bool mark = in.peek() == 'x' || in.peek() == 'X';
        if (in.offset() < tail && !mark && file >= 0 && file < files_) {
            out.from_file = file;
            in.take();
        }
        if (in.offset() < tail && in.peek() >= '1' && in.peek() <= '9') {
            u32 rank = 0;
            const std::size_t at = in.offset();
            if (!in.number(rank, u32(ranks_))) return {at, "expected a rank of the board"};
            out.from_rank = int(rank) - 1;
        }
        out.deploy = in.offset() < tail && in.accept('>');
        if (in.offset() < tail) {
            const char c = in.peek() == 'X' ? 'x' : in.peek();
            if (c == 'x' || c == '_' || c == '@' || c == '&') {
                out.mark = c;
                in.take();
            }
        }
        if (in.offset() != tail)
            return {in.offset(), "unexpected " + quoted(in.rest().substr(0, 1))};
        return {};
    }

    bool fail(std::size_t offset, std::string reason) {
        error_ = {offset, std::move(reason)};
        return false;
    }

    const int files_, ranks_;
    std::string_view text_;
    TextError error_;
};

// Legal moves that fit a pattern. Only the groups it can mean are generated, and only what fits is
// tested: reading a game asks this once a move.
class Finder {
  public:
    Finder(Position& position, const Pattern& pattern, Moves& out)
        : p_(position), pattern_(pattern), wanted_(Pattern::plain(pattern.group)), out_(out) {}

    void run() {
        collect();
        test();
    }

    // The moves that fit, legal or not.
    void collect() {
        if (p_.commander_lost()) return;
        if (p_.deploying()) {
            if (pattern_.deploy) choices(p_.origin(), p_.remaining(), true);
        } else {
            const Kind carrier = kind_of(carrier_of(pattern_.group));
            p_.pieces(p_.turn(), carrier).each([&](Square s) { stack(s, p_.at(s)); });
        }
    }

  private:
    void stack(Square s, Stack stack) {
        if (pattern_.from_file >= 0 && Frame::file_of(s) != pattern_.from_file) return;
        if (pattern_.from_rank >= 0 && Frame::rank_of(s) != pattern_.from_rank) return;
        if (pattern_.deploy)
            choices(s, stack, false);
        else if (Pattern::plain(group_of(stack)) == wanted_)
            group(s, group_of(stack), false);
    }
    void choices(Square s, Group stack, bool whole_too) {
        each_choice(stack, whole_too, [&](Group g) {
            if (Pattern::plain(g) == wanted_ && generator_.may_act(g)) group(s, g, true);
        });
    }
    void group(Square s, Group g, bool deploy) {
        const auto sink = [&](Square from, Group moving, MoveKind kind, bool, const Set& targets) {
            if (MARKS[kind] != pattern_.mark || !targets.has(pattern_.to)) return;
            out_.ensure(1);
            out_.add(Move::of(from, pattern_.to, kind, deploy, moving));
        };
        generator_.group_moves(sink, s, g, deploy);
    }
    // After generating: testing makes moves, and the generator looks at the position as it was.
    void test() {
        int kept = 0;
        for (const Move m : out_)
            if (pattern_.fits(m) && p_.is_legal(m)) out_[kept++] = m;
        out_.shrink(kept);
    }

    Position& p_;
    const Pattern& pattern_;
    const Group wanted_;
    Moves& out_;
    Generator<> generator_{p_};
};

void find(Position& position, const Pattern& pattern, Moves& out) {
    Finder(position, pattern, out).run();
}

TextError illegal(std::string_view text, const std::string& why) {
    return {0, "illegal move: " + quoted(text), Fault::ILLEGAL, 0, NO_SQUARE, why};
}

// A few candidates are named: enough to see what is missing in the text.
TextError ambiguous(std::string_view text, const Moves& found) {
    constexpr int NAMED = 4;
    std::string detail = "it could be ";
    for (int i = 0; i < std::min(found.size(), NAMED); ++i)
        detail += (i ? ", " : "") + write_lan(found[i]);
    detail += found.size() > NAMED ? ", …" : "";
    return {0, "ambiguous move: " + quoted(text), Fault::AMBIGUOUS, 0, NO_SQUARE, detail};
}

// What kind of move a mark stands for; a stay capture and a breach have the same one.
MoveKind kind_of_mark(char mark) {
    for (const MoveKind kind : {CAPTURE, STAY, EXCHANGE, COMBINE})
        if (MARKS[kind] == mark) return kind;
    return NORMAL;
}

// No legal move fits: what stands against the one that was meant, as far as it can be told.
TextError unfit(Position& p, const Pattern& pattern, std::string_view text) {
    if (p.commander_lost()) return illegal(text, "the game is over (10.1)");
    if (p.deploying() && !pattern.deploy)
        return illegal(text, "a deployment is under way: its steps are written with > (8.3, 12.1)");
    Moves pseudo;
    Finder(p, pattern, pseudo).collect();
    for (const Move m : pseudo)
        if (pattern.fits(m)) return illegal(text, why_illegal(p, m));
    Move meant{};
    p.occupied(p.turn()).each([&](Square s) {
        const Group here = p.at(s);
        const bool from = (pattern.from_file < 0 || Frame::file_of(s) == pattern.from_file) &&
                          (pattern.from_rank < 0 || Frame::rank_of(s) == pattern.from_rank);
        each_choice(here, true, [&](Group g) {
            if (from && !meant && Pattern::plain(g) == Pattern::plain(pattern.group))
                meant = Move::of(s, pattern.to, kind_of_mark(pattern.mark), pattern.deploy, g);
        });
    });
    if (meant) return illegal(text, why_illegal(p, meant));
    std::string pieces;
    append_group(pieces, pattern.group);
    return illegal(text, "there is no " + pieces + " to move");
}

Result<Move> read_commit(Position& position, const Pattern& pattern, std::string_view text) {
    const Move m = Move::commit(position.deploying() ? position.origin() : Square(0));
    const bool elsewhere =
        pattern.from_file >= 0 && (Frame::file_of(m.from()) != pattern.from_file ||
                                   Frame::rank_of(m.from()) != pattern.from_rank);
    if (elsewhere && position.deploying())
        return illegal(text, "the deployment began elsewhere (8.2)");
    if (!position.is_legal(m)) return illegal(text, why_illegal(position, m));
    return m;
}

}  // namespace

Result<Move> read_plain_lan(std::string_view text) {
    if (text == "0000") return Move{};
    Pattern p;
    if (TextError error = PatternReader(LARGEST, LARGEST, text).read(p)) return error;
    if (p.from_file < 0 || p.from_rank < 0)
        return TextError{0, "expected a move with the point it comes from, got " + quoted(text)};
    const Square from = Frame::at(p.from_file, p.from_rank);
    if (p.commit) return Move::commit(from);
    // A breach is written like a stay capture; what it is only a board can tell.
    const auto kind = std::find(std::begin(MARKS), std::end(MARKS), p.mark) - std::begin(MARKS);
    return Move::of(from, p.to, MoveKind(kind), p.deploy, p.group);
}

std::string write_lan(Move m) {
    if (!m) return "0000";
    std::string out;
    if (m.kind() == COMMIT) {
        append_square(out, m.from());
        return out + '<';
    }
    append_group(out, m.group());
    append_square(out, m.from());
    append_mark(out, m);
    append_square(out, m.to());
    return out;
}

std::string write_lan(const Position&, Move m) { return write_lan(m); }

namespace {

// "", "^" or "#" once the mover's turn has ended.
std::string suffix(Position& after, Side mover) {
    if (after.turn() == mover) return "";  // in mid-deployment nothing is announced
    if (after.commander_lost()) return "#";
    if (!after.in_check()) return "";
    return after.has_legal_move() ? "^" : "#";
}

}  // namespace

std::string write_san(Position& position, Move m) {
    std::string out;
    if (m.kind() == COMMIT) {
        out = "<";
    } else {
        append_group(out, m.group());
        // 12.2: of the origin as little as tells it from the others that would read alike.
        Pattern alike{
            .group = m.group(), .deploy = m.deploy(), .mark = MARKS[m.kind()], .to = m.to()};
        Moves rivals;
        find(position, alike, rivals);
        bool other = false, same_file = false, same_rank = false;
        for (const Move r : rivals)
            if (r.from() != m.from() && r.group() == m.group()) {
                other = true;
                same_file |= Frame::file_of(r.from()) == Frame::file_of(m.from());
                same_rank |= Frame::rank_of(r.from()) == Frame::rank_of(m.from());
            }
        if (other && (!same_file || same_rank)) out += char('a' + Frame::file_of(m.from()));
        if (other && same_file) append_number(out, u32(Frame::rank_of(m.from()) + 1));
        append_mark(out, m);
        append_square(out, m.to());
    }
    const Side mover = position.turn();
    Undo undo;
    position.make(m, undo);
    out += suffix(position, mover);
    position.unmake(m, undo);
    return out;
}

Result<Move> read_san(Position& position, std::string_view text) {
    Pattern pattern;
    if (TextError error =
            PatternReader(position.rules().spec.files, position.rules().spec.ranks, text)
                .read(pattern)) {
        error.reason = quoted(text) + ": " + error.reason;
        return error;
    }
    if (pattern.commit) return read_commit(position, pattern, text);
    Moves found;
    find(position, pattern, found);
    if (found.empty()) return unfit(position, pattern, text);
    if (found.size() == 1) return found[0];
    // Several fit: the one written with exactly these heroic marks is meant.
    Move exact{};
    int n = 0;
    for (const Move m : found)
        if (m.group() == pattern.group) {
            exact = m;
            ++n;
        }
    if (n == 1) return exact;
    return ambiguous(text, found);
}

Result<Move> read_lan(Position& position, std::string_view text) {
    return read_san(position, text);
}

namespace {

// Two groups of pieces as text, heroic marks and case left aside.
bool same_letters(std::string_view a, std::string_view b) {
    const auto bare = [](std::string_view s) {
        std::string letters;
        for (const char c : s)
            if (c != '+') letters += upper(c);
        return letters;
    };
    return bare(a) == bare(b);
}

}  // namespace

namespace {

// Plays a turn's text on a position of its own, step by step.
class TurnReader {
  public:
    TurnReader(const Position& start, std::string_view text) : p_(start), text_(text) {}

    Result<std::vector<Move>> read() {
        std::size_t end = text_.size();
        while (end > 0 && (text_[end - 1] == '^' || text_[end - 1] == '#')) --end;
        const std::string_view body = text_.substr(0, end);
        const std::size_t stays = body.find('<');
        if (stays == body.npos)
            steps(body, 0);
        else if (stays + 1 < body.size())
            steps(body, stays + 1) && rest_stays(body.substr(0, stays), stays);
        else
            commit(body, stays);
        if (error_) return std::move(error_);
        return std::move(moves_);
    }

  private:
    bool fail(TextError error) {
        error_ = std::move(error);
        return false;
    }

    bool play(std::string_view word, std::size_t offset) {
        // A turn is over when its mover's is: what follows would be the other side's move.
        if (!moves_.empty() && !p_.deploying())
            return fail(illegal(text_, "the turn is over before its last step"));
        const Result<Move> read = read_san(p_, word);
        if (!read) return fail(read.error_at(offset));
        moves_.push_back(*read);
        Undo undo;
        p_.make(*read, undo);
        return true;
    }

    bool steps(std::string_view body, std::size_t at) {
        while (at <= body.size()) {
            const std::size_t comma = std::min(body.find(',', at), body.size());
            if (!play(body.substr(at, comma - at), at)) return false;
            at = comma + 1;
        }
        return true;
    }

    // What stands before '<' must be what is left on the origin; it is committed if need be.
    bool rest_stays(std::string_view rest, std::size_t at) {
        if (!moves_.front().deploy() || !is_here(moves_.front().from(), rest))
            return fail(illegal(text_, "what stands before < is not what stays (12.2)"));
        return !p_.deploying() || play("<", at);
    }

    // The end of a deployment by itself: <, c3< or what stays, N<.
    bool commit(std::string_view body, std::size_t at) {
        const bool named = at > 0 && p_.deploying() && is_here(p_.origin(), body.substr(0, at));
        return named ? play("<", at) : play(body, 0);
    }

    bool is_here(Square s, std::string_view letters) const {
        std::string here;
        if (const Stack left = p_.at(s)) append_group(here, left);
        return same_letters(here, letters);
    }

    Position p_;
    const std::string_view text_;
    std::vector<Move> moves_;
    TextError error_;
};

}  // namespace

Result<std::vector<Move>> read_turn(const Position& position, std::string_view text) {
    return TurnReader(position, text).read();
}

std::string write_turn(const Position& position, const std::vector<Move>& turn, bool san) {
    Position p = position;
    const Side mover = p.turn();
    Undo undo;
    std::string steps, rest;
    for (const Move m : turn) {
        if (!m) return san ? "--" : "0000";
        if (m.kind() != COMMIT) {
            std::string text = san ? write_san(p, m) : write_lan(m);
            while (san && (text.back() == '^' || text.back() == '#')) text.pop_back();
            steps += (steps.empty() ? "" : ",") + text;
        }
        p.make(m, undo);
    }
    const Move first = turn.front();
    const Stack left = p.at(first.from());
    const bool deployed = first.deploy() && !p.deploying();
    if (steps.empty()) {  // a commit that a FEN left to be played
        rest = "<";
    } else if (deployed && left) {
        append_group(rest, left);
        rest += '<';
    }
    return rest + steps + (san ? suffix(p, mover) : "");
}

}  // namespace cotulenh::ctl
