#include "games/pgn_text.hpp"

namespace cotulenh::pgn {

void Notes::add(std::size_t offset, std::string reason, bool fatal) {
    fatal_ |= fatal;
    // Losing the game is always told.
    if (list_.size() < MOST || (fatal && list_.size() == MOST))
        list_.push_back({offset, std::move(reason), fatal});
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
    if (result_length(reason)) return false;  // however far below, it is no game by itself
    return new_line_ || is_digit(c);
}

// A bracket begins the next game's tags, or has no place here.
Token Tokens::bracket() {
    constexpr std::size_t LOOK = 256;  // no farther, or a row of brackets would take for ever
    if (text_.size() - at_ < LOOK && !final_) return {Token::MORE, at_};
    if (const std::size_t n = tag_among_moves(LOOK))
        return noise(at_, n, "a tag among the moves: left out");
    if (opens_tag(text_, at_)) return {Token::END, at_};
    if (peek(at_ + 1) == '%')
        if (const std::size_t close = text_.substr(at_, LOOK).find(']'); close != text_.npos)
            return noise(at_, close + 1, "a command outside of a comment");
    return noise(at_, 1, "a [ that opens no tag");
}

// The length of a tag behind which the game goes on with its next number, or 0.
std::size_t Tokens::tag_among_moves(std::size_t look) const {
    if (over_ || depth_ || empty_ || words_ == 0 || starts(text_, at_, EVENT)) return 0;
    const std::string_view text = text_.substr(0, std::min(text_.size(), at_ + look));
    std::size_t at = at_, first = 0;
    Blanks blanks;
    while (at < text.size() && text[at] == '[' && opens_tag(text, at)) {
        const std::size_t end = text.find("\"]", at);
        if (end == text.npos) return 0;
        if (!first) first = end + 2 - at_;
        at = blanks.skip(text, end + 2);
    }
    u32 value = 0;
    for (; at < text.size() && is_digit(text[at]) && value < 100'000; ++at)
        value = 10 * value + u32(text[at] - '0');
    return !blanks.empty_line && value > 1 && value - number_ <= 1 ? first : 0;
}

// "12.", "12..." and "12" are passed over; "0-0" and "00" are moves, "0000" one that passes, "1-0"
// is a result.
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
    if (peek(end) == '-' || starts(text_, end, "\xE2\x80\x93") || (value == 0 && end - at_ > 1)) {
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
        "1 - 0",
        "0 - 1",
        "1/2 - 1/2",
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

// e8(Q), e8=(Q): a piece in parentheses behind the last rank.
bool Tokens::promotes() const {
    const bool equals = at_ > 1 && text_[at_ - 1] == '=';
    const char rank = text_[at_ - 1 - equals], piece = char(peek(at_ + 1) | 32);
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

// Qg7#1-0: the length of a result at the end of a move.
std::size_t Tokens::clinging_result(std::string_view word) {
    if (word.size() < 5 || !is(word[0], LETTER) || (word.back() > '2' || word.back() < '0'))
        return 0;
    for (const std::string_view result : {"1/2-1/2", "1-0", "0-1"})
        if (word.ends_with(result) && word.size() > result.size() + 1) return result.size();
    return 0;
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
    at_ -= clinging_result(text_.substr(start, at_ - start));
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
