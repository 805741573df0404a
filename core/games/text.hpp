// Reading text: a cursor that remembers where it is, and errors that say where and why.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "board/grid.hpp"

namespace cotulenh {

// Text that is no such thing, that means an impossible position, a move that is not legal, or more
// than one move.
enum class Fault : u8 { UNREADABLE, IMPOSSIBLE, ILLEGAL, AMBIGUOUS };

// Why a text was refused: the place in it (in bytes from the start) and the reason. An impossible
// position also says which of its game's Problems it has and, if one is to blame, on which square.
struct TextError {
    std::size_t offset = 0;
    std::string reason;
    Fault fault = Fault::UNREADABLE;
    u32 problems = 0;
    Square square = NO_SQUARE;
    std::string detail{};  // what stands against a move, for who asks about this one alone
    explicit operator bool() const { return !reason.empty(); }
};

// What every reader answers instead of throwing: a value, or why there is none.
template <class T>
class Result {
  public:
    Result(T value) : value_(std::move(value)) {}
    Result(TextError error) : error_(std::move(error)) {}

    explicit operator bool() const { return value_.has_value(); }
    T& operator*() { return *value_; }
    const T& operator*() const { return *value_; }
    T* operator->() { return &*value_; }
    const TextError& error() const { return error_; }
    // The same trouble, seen from a text of which this was a part.
    TextError error_at(std::size_t offset) const {
        TextError moved = error_;
        moved.offset += offset;
        return moved;
    }

  private:
    std::optional<T> value_;
    TextError error_;
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
