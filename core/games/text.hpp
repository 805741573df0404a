// Reading text: a cursor that remembers where it is, and errors that say where and why.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "board/grid.hpp"

namespace cotulenh {

// What a parser answers instead of throwing: the place (in bytes from the start) and the reason.
struct TextError {
    std::size_t offset = 0;
    std::string reason;
    explicit operator bool() const { return !reason.empty(); }
};

class Cursor {
  public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool done() const { return at_ >= text_.size(); }
    std::size_t offset() const { return at_; }
    char peek() const { return done() ? '\0' : text_[at_]; }
    char take() { return done() ? '\0' : text_[at_++]; }
    bool accept(char c) {
        if (done() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void skip(std::size_t n) { at_ += n; }
    std::string_view rest() const { return done() ? std::string_view{} : text_.substr(at_); }

    // The next run of characters that are not spaces.
    std::string_view word() {
        const std::size_t start = at_;
        while (!done() && text_[at_] != ' ') ++at_;
        return text_.substr(start, at_ - start);
    }
    void spaces() {
        while (accept(' ')) {
        }
    }
    // A decimal number of digits only; false if there is none or it exceeds `most`.
    bool number(u32& out, u32 most) {
        const char* first = text_.data() + at_;
        const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), out);
        if (error != std::errc{} || end == first || out > most) return false;
        at_ += std::size_t(end - first);
        return true;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

// Text from a user, fit to be quoted in a message: short, printable ASCII.
inline std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, 24)) out += c >= ' ' && c < 127 ? c : '?';
    return out + (text.size() > 24 ? "…'" : "'");
}

inline void append_number(std::string& out, u32 n) {
    char digits[10];
    const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
    out.append(digits, end);
}

}  // namespace cotulenh
