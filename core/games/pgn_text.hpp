// What the bytes of a PGN text are: blanks, lines, comments, brackets. For the readers of tags and
// of moves only.
#pragma once

#include <algorithm>
#include <array>

#include "games/pgn.hpp"

namespace cotulenh::pgn {

inline constexpr std::string_view BYTE_ORDER_MARK = "\xEF\xBB\xBF", NARROW_SPACES = "\xE2\x80",
                                  NO_BREAK_SPACE = "\xC2\xA0", SOFT_HYPHEN = "\xC2\xAD",
                                  ELLIPSIS = "\xE2\x80\xA6";
inline constexpr char END_OF_FILE = '\x1A';

// What a byte is, looked up at once: the inner loops ask for every byte of a file.
enum Class : u8 { BLANK = 1, STOP = 2, DIGIT = 4, LETTER = 8 };
inline constexpr std::array<u8, 256> CLASSES = [] {
    std::array<u8, 256> of{};
    for (int c = 0; c <= ' '; ++c) of[c] = STOP;
    for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', END_OF_FILE}) of[u8(c)] |= BLANK;
    for (const char c : {'{', '}', '(', ')', ';', '$', '!', '?', '*', '[', ']', '.'})
        of[u8(c)] |= STOP;
    for (int c = '0'; c <= '9'; ++c) of[c] |= DIGIT;
    for (int c = 'a'; c <= 'z'; ++c) of[c] |= LETTER, of[c - 32] |= LETTER;
    return of;
}();
inline bool is(char c, int classes) { return CLASSES[u8(c)] & classes; }
inline bool is_digit(char c) { return is(c, DIGIT); }

inline bool starts(std::string_view text, std::size_t at, std::string_view with) {
    return text.substr(std::min(at, text.size()), with.size()) == with;
}

// Byte order marks and the spaces of typesetters, wherever they stray: their length, or 0.
inline std::size_t odd_blank(std::string_view text, std::size_t at) {
    if (u8(text[at]) < 0x80) return 0;
    if (starts(text, at, BYTE_ORDER_MARK)) return 3;
    if (starts(text, at, NO_BREAK_SPACE) || starts(text, at, SOFT_HYPHEN)) return 2;
    if (u8(text[at]) == 0xA0) return 1;  // the same in Windows-1252
    const u8 third = at + 2 < text.size() ? u8(text[at + 2]) : 0;
    return starts(text, at, NARROW_SPACES) && third >= 0x80 && third <= 0x8F ? 3 : 0;
}

// How many bytes of UTF-8 a first byte announces; 1 for what is none.
inline std::size_t sequence_length(char first) {
    const u8 c = u8(first);
    return c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
}

// The length of the blank that ends before a place, or 0.
inline std::size_t blank_before(std::string_view text, std::size_t at) {
    if (is(text[at - 1], BLANK)) return 1;
    for (std::size_t n = std::min<std::size_t>(at, 3); n > 0; --n)
        if (odd_blank(text, at - n) == n) return n;
    return 0;
}

// Whether only blanks stand between the start of a line and a place. Each blank is looked at for
// one place only: the one behind it.
inline bool begins_line(std::string_view text, std::size_t at) {
    while (at > 0 && text[at - 1] != '\n') {
        const std::size_t blank = blank_before(text, at);
        if (!blank) return false;
        at -= blank;
    }
    return true;
}

// One past the end of a line; the text's end if it is the last.
inline std::size_t line_end(std::string_view text, std::size_t at) {
    const std::size_t end = text.find('\n', at);
    return end == text.npos ? text.size() : end + 1;
}

inline std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is(s.front(), BLANK)) s.remove_prefix(1);
    while (!s.empty() && is(s.back(), BLANK)) s.remove_suffix(1);
    return s;
}

inline bool is_name(char c) { return is(c, DIGIT | LETTER) || c == '_'; }

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
inline bool opens_tag(std::string_view text, std::size_t at) {
    std::size_t i = at + 1;
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    const char c = i < text.size() ? text[i] : '\0';
    if (begins_line(text, at))
        return is_name(c) || u8(c) >= 0x80 || c == '"' || c == ']' || c == '\n' || c == '\r';
    const std::size_t name = i;
    while (i < text.size() && is_name(text[i])) ++i;
    if (i == name) return false;
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    return i < text.size() && text[i] == '"';
}

// The line a comment must not swallow: tags of a new game after an empty line. So a comment that
// was never closed costs one game only, and a file can be cut at such lines without being read.
inline constexpr std::string_view EVENT = "[Event \"";

inline bool after_empty_line(std::string_view text, std::size_t at) {
    if (at == 0 || text[at - 1] != '\n') return false;
    std::size_t back = at - 1;
    while (back > 0 && text[back - 1] == '\r') --back;
    return back > 0 && text[back - 1] == '\n';
}

// The first such line in a part of the text.
inline std::size_t new_game(std::string_view text, std::size_t from, std::size_t end) {
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
inline CommentEnd comment_end(std::string_view text, std::size_t at) {
    const auto* close =
        static_cast<const char*>(std::memchr(text.data() + at, '}', text.size() - at));
    const std::size_t end = close ? std::size_t(close - text.data()) : text.size();
    if (const std::size_t next = new_game(text, at, end); next != text.npos)
        return {next, next, false};
    return {end, close ? end + 1 : end, close != nullptr};
}

}  // namespace cotulenh::pgn
