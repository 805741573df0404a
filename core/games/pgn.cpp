#include "games/pgn.hpp"

#include <algorithm>
#include <array>

namespace cotulenh::pgn {
namespace {

constexpr std::string_view BYTE_ORDER_MARK = "\xEF\xBB\xBF", NARROW_SPACES = "\xE2\x80",
                           NO_BREAK_SPACE = "\xC2\xA0", ELLIPSIS = "\xE2\x80\xA6";
constexpr char END_OF_FILE = '\x1A';

// What a byte is, looked up at once: the inner loops ask for every byte of a file.
enum Class : u8 { BLANK = 1, STOP = 2, DIGIT = 4, LETTER = 8 };
constexpr std::array<u8, 256> CLASSES = [] {
    std::array<u8, 256> of{};
    for (int c = 0; c <= ' '; ++c) of[c] = STOP;
    for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', END_OF_FILE}) of[u8(c)] |= BLANK;
    for (const char c : {'{', '}', '(', ')', ';', '$', '!', '?', '*', '[', ']', '.'})
        of[u8(c)] |= STOP;
    for (int c = '0'; c <= '9'; ++c) of[c] |= DIGIT;
    for (int c = 'a'; c <= 'z'; ++c) of[c] |= LETTER, of[c - 32] |= LETTER;
    return of;
}();
bool is(char c, int classes) { return CLASSES[u8(c)] & classes; }
bool is_digit(char c) { return is(c, DIGIT); }

bool starts(std::string_view text, std::size_t at, std::string_view with) {
    return text.substr(std::min(at, text.size()), with.size()) == with;
}

// Byte order marks and the spaces of typesetters, wherever they stray: their length, or 0.
std::size_t odd_blank(std::string_view text, std::size_t at) {
    if (u8(text[at]) < 0x80) return 0;
    if (starts(text, at, BYTE_ORDER_MARK)) return 3;
    if (starts(text, at, NO_BREAK_SPACE)) return 2;
    if (u8(text[at]) == 0xA0) return 1;  // the same in Windows-1252
    const u8 third = at + 2 < text.size() ? u8(text[at + 2]) : 0;
    return starts(text, at, NARROW_SPACES) && third >= 0x80 && third <= 0x8F ? 3 : 0;
}

// How many bytes of UTF-8 a first byte announces; 1 for what is none.
std::size_t sequence_length(char first) {
    const u8 c = u8(first);
    return c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
}

// Whether only blanks stand between the start of a line and a place. Each blank is looked at for
// one place only: the one behind it.
bool begins_line(std::string_view text, std::size_t at) {
    while (at > 0) {
        const char c = text[at - 1];
        if (c == '\n') return true;
        if (at >= 3 && starts(text, at - 3, BYTE_ORDER_MARK))
            at -= 3;
        else if (is(c, BLANK))
            --at;
        else
            return false;
    }
    return true;
}

// One past the end of a line; the text's end if it is the last.
std::size_t line_end(std::string_view text, std::size_t at) {
    const std::size_t end = text.find('\n', at);
    return end == text.npos ? text.size() : end + 1;
}

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is(s.front(), BLANK)) s.remove_prefix(1);
    while (!s.empty() && is(s.back(), BLANK)) s.remove_suffix(1);
    return s;
}

bool is_name(char c) { return is(c, DIGIT | LETTER) || c == '_'; }

// Skips blanks and says whether lines ended among them.
struct Blanks {
    bool new_line = false, empty_line = false;
    std::size_t skip(std::string_view text, std::size_t at) {
        while (at < text.size()) {
            const char c = text[at];
            if (c == '\n') {
                empty_line |= new_line;
                new_line = true;
            } else if (!is(c, BLANK)) {
                const std::size_t odd = odd_blank(text, at);
                if (!odd) break;
                at += odd - 1;
            }
            ++at;
        }
        return at;
    }
};

// Whether a bracket opens a tag: at the start of a line almost anything may be meant as one,
// elsewhere only [Name "
bool opens_tag(std::string_view text, std::size_t at) {
    std::size_t i = at + 1;
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    const char c = i < text.size() ? text[i] : '\0';
    if (begins_line(text, at)) return is_name(c) || c == '"' || c == ']' || c == '\n' || c == '\r';
    const std::size_t name = i;
    while (i < text.size() && is_name(text[i])) ++i;
    if (i == name) return false;
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    return i < text.size() && text[i] == '"';
}

// The line a comment must not swallow: tags of a new game after an empty line. So a comment that
// was never closed costs one game only, and a file can be cut at such lines without being read.
constexpr std::string_view EVENT = "[Event \"";

bool after_empty_line(std::string_view text, std::size_t at) {
    if (at == 0 || text[at - 1] != '\n') return false;
    std::size_t back = at - 1;
    while (back > 0 && text[back - 1] == '\r') --back;
    return back > 0 && text[back - 1] == '\n';
}

// The first such line in a part of the text.
std::size_t new_game(std::string_view text, std::size_t from, std::size_t end) {
    // Not a byte beyond: each is looked at once, however many comments there are.
    const std::string_view inside = text.substr(0, end);
    for (std::size_t i = inside.find(EVENT, from); i != inside.npos; i = inside.find(EVENT, i + 1))
        if (after_empty_line(text, i)) return i;
    return text.npos;
}

// Where a brace comment ends: at its brace, at a new game's tags, or with the text.
struct CommentEnd {
    std::size_t inside, after;
    bool closed;
};
CommentEnd comment_end(std::string_view text, std::size_t at) {
    const auto* close =
        static_cast<const char*>(std::memchr(text.data() + at, '}', text.size() - at));
    const std::size_t end = close ? std::size_t(close - text.data()) : text.size();
    if (const std::size_t next = new_game(text, at, end); next != text.npos)
        return {next, next, false};
    return {end, close ? end + 1 : end, close != nullptr};
}

// Tags ------------------------------------------------------------------------------------------

class HeaderReader {
  public:
    HeaderReader(std::string_view text, std::size_t at, bool final, Header& out)
        : text_(text), at_(at), final_(final), out_(out) {}

    void read() {
        at_ = Blanks().skip(text_, at_);
        out_.start = out_.end = at_;
        while (!out_.cut && step()) {
        }
        if (!final_ && at_ >= text_.size()) out_.cut = true;
    }

  private:
    static constexpr std::size_t MOST_TAGS = 10'000;

    // One thing that may stand among tags; false when the moves begin.
    bool step() {
        Blanks blanks;
        at_ = blanks.skip(text_, at_);
        if (at_ >= text_.size()) return false;
        const char c = text_[at_];
        if (c == '%' && begins_line(text_, at_)) return skip(line_end(text_, at_), true);
        if (c == '{') return comment();
        if (c == ';') return line_comment();
        if (c != '[' || !opens_tag(text_, at_)) return false;
        const bool event = starts(text_, at_, EVENT.substr(0, EVENT.size() - 1));
        if (event && count_ && blanks.empty_line) {
            out_.alone = true;
            return false;
        }
        tag();
        return true;
    }

    bool skip(std::size_t to, bool needs_line_end) {
        if (needs_line_end && !final_ && (to == text_.size() && text_[to - 1] != '\n'))
            out_.cut = true;
        at_ = to;
        return true;
    }

    bool comment() {
        const CommentEnd end = comment_end(text_, at_);
        if (!end.closed) {  // the reader of the moves has more to say about it
            if (!final_ && end.after == text_.size()) out_.cut = true;
            return false;
        }
        said_.push_back(text_.substr(at_ + 1, end.inside - at_ - 1));
        return skip(end.after, false);
    }

    bool line_comment() {
        const std::size_t end = line_end(text_, at_);
        said_.push_back(trimmed(text_.substr(at_ + 1, end - at_ - 1)));
        return skip(end, true);
    }

    void tag() {
        // What was said before this tag stands among the tags; what follows the last does not.
        out_.comments.insert(out_.comments.end(), said_.begin(), said_.end());
        said_.clear();
        if (line_ < at_) line_ = text_.find('\n', at_);  // many tags may stand on one line
        if (!final_ && line_ == text_.npos) {
            out_.cut = true;
            return;
        }
        if (!strict()) lenient();
        out_.end = at_;
        ++count_;
    }

    void keep(const Tag& tag, std::size_t at) {
        if (count_ < MOST_TAGS) return out_.tags.push_back(tag);
        if (count_ == MOST_TAGS) out_.notes.add(at, "more than 10000 tags: the rest is left out");
    }

    std::size_t spaces(std::size_t i) const {
        while (i < text_.size() && is(text_[i], BLANK)) ++i;
        return i;
    }

    // [Name "value"], quotes and backslashes escaped.
    bool strict() {
        std::size_t i = spaces(at_ + 1);
        const std::size_t name = i;
        while (i < text_.size() && is_name(text_[i])) ++i;
        if (i == name) return false;
        Tag tag{text_.substr(name, i - name), {}};
        i = spaces(i);
        if (i >= text_.size() || text_[i] != '"') return false;
        const std::size_t value = ++i;
        for (; i < text_.size() && text_[i] != '"'; ++i) {
            if (text_[i] == '\n' || text_[i] == '\r') return false;
            if (text_[i] != '\\') continue;
            tag.escaped = true;
            if (i + 1 < text_.size() && (text_[i + 1] == '"' || text_[i + 1] == '\\')) ++i;
        }
        if (i >= text_.size()) return false;
        tag.value = text_.substr(value, i - value);
        i = spaces(i + 1);
        if (i >= text_.size() || text_[i] != ']') return false;
        keep(tag, at_);
        at_ = i + 1;
        return true;
    }

    // A line that is meant as a tag. Its end may stand on the next line.
    void lenient() {
        out_.notes.add(at_, "expected a tag: [Name \"value\"]");
        const std::size_t line = line_end(text_, at_);
        std::size_t end = text_.substr(at_, line - at_).rfind(']');
        if (end != text_.npos) end += at_;
        std::size_t after = end + 1;
        if (end == text_.npos) {
            end = after = closed_below(line);
            if (after != line) ++after;
        }
        std::string_view inside = trimmed(text_.substr(at_ + 1, end - at_ - 1));
        std::size_t n = 0;
        while (n < inside.size() && in_odd_name(inside[n])) ++n;
        Tag tag{inside.substr(0, n), unquoted(trimmed(inside.substr(n)))};
        tag.escaped = tag.value.find('\\') != tag.value.npos;
        if (!tag.name.empty()) keep(tag, at_);
        at_ = after;
    }

    // Others' names hold more than letters, digits and underscores.
    static bool in_odd_name(char c) {
        return u8(c) > ' ' && c != 127 && c != '"' && c != '[' && c != ']';
    }

    // The bracket at the end of the line at `next`, if that line goes on with a value; else `next`.
    std::size_t closed_below(std::size_t next) const {
        if (next >= text_.size() || text_[next] == '[') return next;
        const std::size_t end = line_end(text_, next);
        const std::string_view line = trimmed(text_.substr(next, end - next));
        if (line.size() < 2 || line.substr(line.size() - 2) != "\"]") return next;
        return std::size_t(line.data() - text_.data()) + line.size() - 1;
    }

    static std::string_view unquoted(std::string_view s) {
        for (const std::string_view quote : {"\"", "\xE2\x80\x9C", "\xE2\x80\x9D", "'"}) {
            if (s.size() >= quote.size() && s.substr(0, quote.size()) == quote)
                s.remove_prefix(quote.size());
            if (s.size() >= quote.size() && s.substr(s.size() - quote.size()) == quote)
                s.remove_suffix(quote.size());
        }
        return s;
    }

    std::string_view text_;
    std::size_t at_;
    bool final_;
    Header& out_;
    std::vector<std::string_view> said_;
    std::size_t count_ = 0, line_ = 0;
};

}  // namespace

void Notes::add(std::size_t offset, std::string reason, bool fatal) {
    fatal_ |= fatal;
    // Losing the game is always told.
    if (list_.size() < MOST || (fatal && list_.size() == MOST))
        list_.push_back({offset, std::move(reason), fatal});
}

std::string Tag::text() const {
    std::string out;
    out.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char next = i + 1 < value.size() ? value[i + 1] : '\0';
        if (value[i] == '\\' && (next == '"' || next == '\\')) ++i;
        if (value[i] == '\r' && next == '\n') continue;  // the end of a line is one space
        out += value[i] == '\n' || value[i] == '\r' ? ' ' : value[i];
    }
    return out;
}

std::string_view Header::get(std::string_view name) const {
    for (auto tag = tags.rbegin(); tag != tags.rend(); ++tag)
        if (tag->name == name) return tag->value;
    return {};
}

bool Header::has(std::string_view name) const {
    return std::any_of(tags.begin(), tags.end(), [&](const Tag& tag) { return tag.name == name; });
}

void read_header(std::string_view text, std::size_t at, bool final, Header& out) {
    out.tags.clear();
    out.comments.clear();
    out.notes.clear();
    out.cut = out.alone = false;
    HeaderReader(text, at, final, out).read();
}

// Tokens ----------------------------------------------------------------------------------------

Token Tokens::end_of_text() const { return {final_ ? Token::END : Token::MORE, at_}; }

Token Tokens::noise(std::size_t start, std::size_t length, const char* reason) {
    at_ = start + length;
    return {Token::NOISE, start, text_.substr(start, length), 0, reason};
}

// Blanks and escaped lines; false if such a line may go on.
bool Tokens::blank() {
    Blanks blanks;
    for (;;) {
        at_ = blanks.skip(text_, at_);
        if (at_ >= text_.size() || text_[at_] != '%' || !begins_line(text_, at_)) break;
        blanks.new_line = true;
        if (!skip_line()) return false;
    }
    new_line_ = blanks.new_line;
    empty_ = blanks.empty_line;
    return true;
}

bool Tokens::skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == text_.npos ? text_.size() : end;
    return end != text_.npos || final_;
}

bool Tokens::skip_periods() {
    const std::size_t start = at_;
    for (;;) {
        if (peek(at_) == '.')
            ++at_;
        else if (starts(text_, at_, ELLIPSIS))
            at_ += ELLIPSIS.size();
        else
            return at_ != start;
    }
}

Token Tokens::next() {
    Token out;
    for (;;) {
        if (!blank()) return end_of_text();
        if (at_ >= text_.size()) return end_of_text();
        // What follows decides what this is: signs may be cut in the middle, a result be half of
        // one.
        constexpr std::size_t LOOK = 64;
        if (!final_ && text_.size() - at_ < LOOK) return {Token::MORE, at_};
        if (text_[at_] == '[') return bracket();
        if (over_ && depth_ == 0 && ends_before()) return {Token::END, at_};
        if (is_digit(text_[at_])) {
            if (!number(out)) continue;
            return out;
        }
        if (skip_periods()) continue;
        break;
    }
    const char* reason = "";
    switch (text_[at_]) {
        case '{':
            return comment();
        case ';':
            return rest_of_line();
        case '$':
            return nag();
        case '!':
        case '?':
            return marks();
        case '}':
            return noise(at_, 1, "a } has no place here: it closes nothing");
        case ']':
            return noise(at_, 1, "a ] that closes nothing");
        case ')':
            if (depth_ == 0) return noise(at_, 1, "a ) that closes nothing");
            --depth_;
            return {Token::CLOSING, at_++};
        case '(':
            if (stack_length(at_)) return word();
            ++depth_;
            return {Token::OPENING, at_++};
        default:
            if (const std::size_t n = result_length(reason)) return result(n, reason);
            return word();
    }
}

// Behind the result: what is said on its line or in comments still belongs to the game.
bool Tokens::ends_before() const {
    const char c = text_[at_];
    if (c == '{' || c == ';' || c == '}' || c == ')' || c == ']') return false;
    const char* reason;
    if (result_length(reason)) return empty_;
    return new_line_ || is_digit(c);
}

// A bracket begins the next game's tags, or has no place here.
Token Tokens::bracket() {
    constexpr std::size_t LOOK = 256;  // no farther, or a row of brackets would take for ever
    if (text_.size() - at_ < LOOK && !final_) return {Token::MORE, at_};
    if (opens_tag(text_, at_)) return {Token::END, at_};
    if (peek(at_ + 1) == '%')
        if (const std::size_t close = text_.substr(at_, LOOK).find(']'); close != text_.npos)
            return noise(at_, close + 1, "a command outside of a comment");
    return noise(at_, 1, "a [ that opens no tag");
}

// "12.", "12..." and "12" are passed over; "0-0" is a move, "0000" one that passes, "1-0" a result.
bool Tokens::number(Token& out) {
    const char* reason = "";
    if (const std::size_t n = result_length(reason)) {
        out = result(n, reason);
        return true;
    }
    std::size_t end = at_;
    u32 value = 0;
    for (; is_digit(peek(end)); ++end)
        if (value < 1'000'000) value = 10 * value + u32(text_[end] - '0');
    if (end == text_.size() && !final_) {
        out = {Token::MORE, at_};
        return true;
    }
    if (peek(end) == '-' || starts(text_, end, "\xE2\x80\x93") ||
        text_.substr(at_, end - at_) == "0000") {
        out = word();
        return true;
    }
    if (!final_ && Blanks().skip(text_, end) == text_.size()) {
        out = {Token::MORE, at_};
        return true;
    }
    if (depth_ == 0 && begins_again(value, end)) {
        out = {Token::END, at_};
        return true;
    }
    if (depth_ == 0) number_ = std::max(number_, value);
    at_ = end;
    return false;
}

// Games without tags and results: the numbers begin again at 1. (not at 1...).
bool Tokens::begins_again(u32 value, std::size_t after) const {
    if (value != 1 || words_ == 0 || !(number_ > 1 || words_ > 1 || empty_)) return false;
    int periods = 0;
    for (std::size_t i = after; i < text_.size() && periods < 2; ++i) {
        if (text_[i] == '.')
            ++periods;
        else if (starts(text_, i, ELLIPSIS))
            periods = 2;
        else if (!is(text_[i], BLANK))
            break;
    }
    return periods == 1;
}

// A result at this place, however it is written: its length, and what is wrong with it.
std::size_t Tokens::result_length(const char*& reason) const {
    static constexpr std::string_view GOOD[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static constexpr std::string_view ODD[] = {
        "1\xE2\x80\x93"
        "0",
        "0\xE2\x80\x93"
        "1",
        "1/2\xE2\x80\x93"
        "1/2",
        "\xC2\xBD-\xC2\xBD",
        "\xC2\xBD\xE2\x80\x93\xC2\xBD",
        "\xC2\xBD",
        "1:0",
        "0:1",
        "1/2:1/2",
        "1/2",
        "0.5-0.5"};
    const char c = text_[at_];
    if (c != '0' && c != '1' && c != '*' && c != '\xC2') return 0;
    const auto fits = [&](std::string_view r) {
        if (text_.compare(at_, r.size(), r) != 0) return false;
        const std::size_t end = at_ + r.size();
        return end == text_.size() || is(text_[end], STOP) || text_[end] == ',' || r == "*";
    };
    reason = "";
    for (const std::string_view r : GOOD)
        if (fits(r)) return r.size();
    reason = "expected a result such as 1-0 or 1/2-1/2";
    for (const std::string_view r : ODD)
        if (fits(r)) return r.size();
    return 0;
}

// In a variation a result says nothing of the game, unless the text of the game ends there.
Token Tokens::result(std::size_t length, const char* reason) {
    const std::size_t start = at_;
    if (start + length == text_.size() && !final_) return {Token::MORE, start};
    at_ += length;
    Token out{Token::RESULT, start, text_.substr(start, length), depth_ == 0, reason};
    if (depth_) {
        Blanks blanks;
        const std::size_t next = blanks.skip(text_, at_);
        if (next == text_.size() && !final_) return {Token::MORE, at_ = start};
        out.number = blanks.empty_line || next == text_.size();
        if (out.number) depth_ = 0;
    }
    over_ |= out.number;
    return out;
}

// Two or three letters in parentheses, heroic marks allowed, with something behind: a stack.
std::size_t Tokens::stack_length(std::size_t at) const {
    std::size_t i = at + 1;
    int letters = 0;
    while (letters < 4) {
        if (peek(i) == '+') ++i;
        if (!is(peek(i), LETTER)) break;
        ++i;
        ++letters;
    }
    if (letters < 2 || letters > 3 || peek(i) != ')') return 0;
    return i + 1 < text_.size() && !is(text_[i + 1], STOP) ? i + 1 - at : 0;
}

// e8(Q): a piece in parentheses behind the last rank.
bool Tokens::promotes() const {
    const char rank = text_[at_ - 1], piece = char(peek(at_ + 1) | 32);
    return (rank == '1' || rank == '8') && peek(at_ + 2) == ')' &&
           (piece == 'q' || piece == 'r' || piece == 'b' || piece == 'n');
}

Token Tokens::comment() {
    const std::size_t start = at_;
    const CommentEnd end = comment_end(text_, at_);
    if (!end.closed && end.after == text_.size() && !final_) return {Token::MORE, start};
    at_ = end.after;
    return {Token::COMMENT, start, text_.substr(start + 1, end.inside - start - 1), 0,
            end.closed ? "" : "a comment that does not end"};
}

Token Tokens::rest_of_line() {
    const std::size_t start = at_;
    if (!skip_line()) return {Token::MORE, at_ = start};
    std::string_view inside = text_.substr(start + 1, at_ - start - 1);
    while (!inside.empty() && inside.back() == '\r') inside.remove_suffix(1);
    return {Token::COMMENT, start, inside};
}

Token Tokens::nag() {
    constexpr u32 MOST = 255;
    const std::size_t start = at_;
    std::size_t end = start + 1;
    u32 number = 0;
    for (; is_digit(peek(end)); ++end)
        if (number <= MOST) number = 10 * number + u32(text_[end] - '0');
    if (end == start + 1 || number > MOST)
        return noise(start, end - start, "expected a number up to 255 after $");
    at_ = end;
    return {Token::NAG, start, text_.substr(start, end - start), number};
}

// ! ? !! ?? !? ?! are the NAGs 1 to 6; of a longer row the first two count.
Token Tokens::marks() {
    static constexpr std::string_view MARKS[] = {"!", "?", "!!", "??", "!?", "?!"};
    static constexpr const char* BAD_MARK = "expected a mark: ! ? !! ?? !? or ?!";
    const std::size_t start = at_;
    while (peek(at_) == '!' || peek(at_) == '?') ++at_;
    const std::string_view text = text_.substr(start, at_ - start);
    const bool odd = text.size() > 2;
    for (u32 i = 0; i < std::size(MARKS); ++i)
        if (text.substr(0, 2) == MARKS[i])
            return {Token::NAG, start, text, i + 1, odd ? BAD_MARK : ""};
    return noise(start, text.size(), BAD_MARK);
}

Token Tokens::word() {
    const std::size_t start = at_;
    if (starts(text_, start, "e.p."))
        return noise(start, 4, "expected a move; en passant needs no sign");
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (u8(c) >= 0x80) {
            if (odd_blank(text_, at_)) break;
            at_ = std::min(at_ + sequence_length(c), text_.size());
        } else if (!is(c, STOP)) {
            ++at_;
        } else if (c == '(') {
            const std::size_t n = at_ > start && promotes() ? 3 : stack_length(at_);
            if (!n) break;
            at_ += n;
        } else if (c == '.' && at_ > start && starts(text_, at_ - 1, "e.p.")) {
            --at_;  // exd6e.p.: the sign is a word of its own
            break;
        } else {
            break;
        }
    }
    if (at_ == start) return noise(start, 1, "a character that has no place in a game");
    if (at_ == text_.size() && !final_) return {Token::MORE, at_ = start};
    words_ += depth_ == 0;
    return {Token::WORD, start, text_.substr(start, at_ - start)};
}

// Games -----------------------------------------------------------------------------------------

Span find_game(std::string_view text, std::size_t at, bool final) {
    Header header;
    read_header(text, at, final, header);
    Span span{Span::NEEDS_MORE, header.start, header.end, header.end};
    if (header.cut) return span;
    if (header.start >= text.size()) return {Span::NOTHING, header.start, header.end, header.end};
    span.status = Span::FOUND;
    if (header.alone) return span;
    Tokens tokens(text, header.end, final);
    for (;;) {
        const Token token = tokens.next();
        if (token.kind == Token::MORE) span.status = Span::NEEDS_MORE;
        if (token.kind == Token::MORE || token.kind == Token::END) break;
    }
    span.end = std::max(tokens.at(), span.moves);
    return span;
}

std::size_t whole_games(std::string_view text) {
    for (std::size_t i = text.rfind(EVENT); i != text.npos && i > 0; i = text.rfind(EVENT, i - 1))
        if (after_empty_line(text, i)) return i;
    std::size_t at = 0;
    for (;;) {
        const Span span = find_game(text, at, false);
        if (span.status != Span::FOUND || span.end <= at) return at;
        at = span.end;
    }
}

std::string shown(std::string_view word) {
    constexpr std::size_t MOST = 24;
    std::string out = "'";
    std::size_t i = 0;
    while (i < word.size() && i < MOST) {
        const std::size_t n = std::min(sequence_length(word[i]), word.size() - i);
        if (n == 1 && (word[i] < ' ' || word[i] == 127) && u8(word[i]) < 0x80)
            out += '?';
        else
            out += word.substr(i, n);
        i += n;
    }
    return out + (i < word.size() ? "\xE2\x80\xA6'" : "'");
}

}  // namespace cotulenh::pgn
