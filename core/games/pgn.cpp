#include "games/pgn.hpp"

namespace cotulenh::pgn {
namespace {

constexpr std::string_view RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
// What ends a word: the signs of the format, spaces and control characters.
bool ends_word(char c) {
    return c <= ' ' ? c >= 0 : c == '{' || c == '}' || c == '(' || c == ')' || c == ';' || c == '$';
}

// Looks for the end of a game, byte by byte outside of comments.
class Finder {
  public:
    Finder(std::string_view text, std::size_t at, bool final)
        : text_(text), at_(at), final_(final) {}

    Span find() {
        const bool whole = skip_between();
        Span span;
        span.start = at_;
        if (!whole) return more(span);
        if (at_ >= text_.size()) return span;
        while (at_ < text_.size() && text_[at_] == '[') {
            const std::size_t end = line_end(at_);
            if (end == text_.npos) {
                if (!final_) return more(span);
                at_ = text_.size();
                break;
            }
            at_ = end;
            if (!skip_blank_line()) continue;
            // Tags may be spaced out, but an Event after an empty line begins another game: one
            // without moves came before.
            constexpr std::string_view EVENT = "[Event ";
            const std::string_view next = text_.substr(at_, EVENT.size());
            if (next.size() < EVENT.size() && !final_) return more(span);
            if (next == EVENT) return found(span, at_);
        }
        span.moves = at_;
        if (!moves()) return more(span);
        return found(span, span.moves);
    }

  private:
    Span more(Span span) const {
        span.status = Span::NEEDS_MORE;
        return span;
    }
    Span found(Span span, std::size_t moves) const { return {Span::FOUND, span.start, moves, at_}; }
    // Skips spaces; true if an empty line was among them.
    bool skip_blank_line() {
        const std::size_t start = at_;
        skip_blank();
        return text_.substr(start, at_ - start).find('\n') != text_.npos;
    }
    bool line_start(std::size_t i) const { return i == 0 || text_[i - 1] == '\n'; }
    // One past the end of a line; npos if it is not there yet.
    std::size_t line_end(std::size_t i) const {
        const std::size_t end = text_.find('\n', i);
        return end == text_.npos ? end : end + 1;
    }
    void skip_blank() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }
    // Between games: spaces and escaped lines. False if such a line is not whole yet.
    bool skip_between() {
        for (;;) {
            skip_blank();
            if (at_ >= text_.size() || text_[at_] != '%' || !line_start(at_)) return true;
            const std::size_t end = line_end(at_);
            if (end == text_.npos && !final_) return false;
            at_ = end == text_.npos ? text_.size() : end;
        }
    }

    // To the end of the moves; false if it is not in the text yet.
    bool moves() {
        std::size_t depth = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            switch (c) {
                case '{':
                    if (!comment()) return final_;
                    continue;
                case ';':
                    if (!skip_line()) return final_;
                    continue;
                case '%':
                    if (!line_start(at_)) break;
                    if (!skip_line()) return final_;
                    continue;
                case '[':
                    if (line_start(at_)) return true;  // the tags of the next game
                    break;
                case '(':
                    ++depth;
                    break;
                case ')':
                    depth -= depth > 0;
                    break;
                case '*':
                case '0':
                case '1':
                    if (depth == 0 && word_start() && result()) return true;
                    break;
                default:
                    break;
            }
            ++at_;
        }
        return final_;
    }

    bool word_start() const {
        return at_ == 0 || is_space(text_[at_ - 1]) || text_[at_ - 1] == '}' ||
               text_[at_ - 1] == ')';
    }
    // Steps over a result. One that the end of the text may have cut needs a look at more.
    bool result() {
        for (const std::string_view r : RESULTS)
            if (text_.substr(at_, r.size()) == r) {
                const std::size_t end = at_ + r.size();
                if (end == text_.size() ? !final_ : !ends_word(text_[end])) return false;
                at_ = end;
                return true;
            }
        return false;
    }
    bool skip_line() {
        const std::size_t end = line_end(at_);
        at_ = end == text_.npos ? text_.size() : end;
        return end != text_.npos;
    }
    // To the end of a comment. If a tag section of a new game comes first, after an empty line,
    // the comment was never closed and the next game is not lost with it.
    bool comment() {
        const char* const all = text_.data();
        const auto* close =
            static_cast<const char*>(std::memchr(all + at_, '}', text_.size() - at_));
        const std::size_t end = close ? std::size_t(close - all) : text_.size();
        const std::size_t next = new_game(at_, end);
        if (next != text_.npos) {
            at_ = next;
            return true;
        }
        at_ = close ? end + 1 : text_.size();
        return close != nullptr;
    }
    std::size_t new_game(std::size_t from, std::size_t end) const {
        constexpr std::string_view TAG = "\n[Event \"";
        // Not a byte beyond the comment: each is looked at once, however many comments there are.
        const std::string_view inside = text_.substr(0, end);
        for (std::size_t i = inside.find(TAG, from); i != inside.npos;
             i = inside.find(TAG, i + 1)) {
            std::size_t back = i;
            while (back > from && text_[back - 1] == '\r') --back;
            if (back > from && text_[back - 1] == '\n') return i + 1;
        }
        return text_.npos;
    }

    std::string_view text_;
    std::size_t at_;
    bool final_;
};

}  // namespace

Span find_game(std::string_view text, std::size_t at, bool final) {
    return Finder(text, at, final).find();
}

Token Tokens::next() {
    for (;;) {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
        if (at_ >= text_.size()) return {Token::END, at_, {}, 0, ""};
        const char c = text_[at_];
        if (c == '%' && (at_ == 0 || text_[at_ - 1] == '\n')) {
            skip_line();
            continue;
        }
        if (c == '{') return comment();
        if (c == ';') return rest_of_line();
        if (c == '$') return nag();
        if (c == '!' || c == '?') return marks();
        if (c == ')') return {Token::CLOSING, at_++, {}, 0, ""};
        if (c == '(' && !(stacks_ && stack_length(at_))) return {Token::OPENING, at_++, {}, 0, ""};
        if (const std::size_t n = result_length()) {
            const std::size_t start = at_;
            at_ += n;
            return {Token::RESULT, start, text_.substr(start, n), 0, ""};
        }
        if (is_digit(c) && skip_number()) continue;
        if (text_.substr(at_, 4) == "e.p.") {
            at_ += 4;
            continue;
        }
        return move();
    }
}

void Tokens::skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == text_.npos ? text_.size() : end + 1;
}

// "12." and "12..."; but "0-0" is a move.
bool Tokens::skip_number() {
    std::size_t n = at_;
    while (is_digit(peek(n))) ++n;
    if (peek(n) == '-') return false;
    while (peek(n) == '.') ++n;
    at_ = n;
    return true;
}

std::size_t Tokens::result_length() const {
    for (const std::string_view r : RESULTS)
        if (text_.substr(at_, r.size()) == r) {
            const std::size_t end = at_ + r.size();
            if (end == text_.size() || ends_word(text_[end])) return r.size();
        }
    return 0;
}

// Two or three letters in parentheses, heroic marks allowed, with something behind: a stack.
std::size_t Tokens::stack_length(std::size_t at) const {
    std::size_t i = at + 1;
    int letters = 0;
    while (letters < 4) {
        if (peek(i) == '+') ++i;
        if (!is_letter(peek(i))) break;
        ++i;
        ++letters;
    }
    if (letters < 2 || letters > 3 || peek(i) != ')') return 0;
    return i + 1 < text_.size() && !ends_word(text_[i + 1]) ? i + 1 - at : 0;
}

Token Tokens::comment() {
    const std::size_t start = at_, end = text_.find('}', at_);
    if (end == text_.npos) return trouble(start, "a comment that does not end");
    at_ = end + 1;
    return {Token::COMMENT_TEXT, start, text_.substr(start + 1, end - start - 1), 0, ""};
}

Token Tokens::rest_of_line() {
    const std::size_t start = at_;
    skip_line();
    std::string_view inside = text_.substr(start + 1, at_ - start - 1);
    while (!inside.empty() && (inside.back() == '\n' || inside.back() == '\r'))
        inside.remove_suffix(1);
    return {Token::COMMENT_TEXT, start, inside, 0, ""};
}

Token Tokens::nag() {
    constexpr u32 MOST = 255;
    const std::size_t start = at_++;
    u32 number = 0;
    std::size_t digits = 0;
    for (; is_digit(peek(at_)); ++at_, ++digits)
        if (number <= MOST) number = 10 * number + u32(text_[at_] - '0');
    if (digits == 0 || number > MOST) return trouble(start, "$ is followed by a number up to 255");
    return {Token::NAG_NUMBER, start, text_.substr(start, at_ - start), number, ""};
}

// ! ? !! ?? !? ?! are the NAGs 1 to 6.
Token Tokens::marks() {
    constexpr std::string_view MARKS[] = {"!", "?", "!!", "??", "!?", "?!"};
    const std::size_t start = at_;
    while (peek(at_) == '!' || peek(at_) == '?') ++at_;
    const std::string_view text = text_.substr(start, at_ - start);
    for (u32 i = 0; i < std::size(MARKS); ++i)
        if (text == MARKS[i]) return {Token::NAG_NUMBER, start, text, i + 1, ""};
    return trouble(start, "no such mark: one of ! ? !! ?? !? ?! is wanted");
}

Token Tokens::move() {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '!' || c == '?') break;
        if (c == '(' && stacks_) {
            const std::size_t n = stack_length(at_);
            if (!n) break;
            at_ += n;
        } else if (ends_word(c)) {
            break;
        } else {
            ++at_;
        }
    }
    if (at_ == start) return trouble(start, "a character that has no place in a game");
    return {Token::MOVE_TEXT, start, text_.substr(start, at_ - start), 0, ""};
}

}  // namespace cotulenh::pgn
