// How the bindings say no: raises the classes of cotulenh.errors. The core itself never throws.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/chess/position.hpp"
#include "games/text.hpp"

namespace cotulenh::bindings {

namespace nb = nanobind;

// Looked up at the moment of need: errors are rare, and nothing has to be kept alive or released.
[[noreturn]] inline void raise(const char* name, nb::tuple arguments) {
    const nb::object type = nb::module_::import_("cotulenh.errors").attr(name);
    const nb::object error = type(*arguments);
    PyErr_SetObject(type.ptr(), error.ptr());
    throw nb::python_error();
}

// The core counts bytes of UTF-8, Python counts characters: bytes that continue one don't count,
// and a place inside a character is that character's.
inline std::size_t characters(std::string_view text, std::size_t bytes) {
    const auto continues = [](char c) { return (c & 0xC0) == 0x80; };
    std::size_t n = 0;
    for (const char c : text.substr(0, bytes)) n += !continues(c);
    return n - (bytes < text.size() && continues(text[bytes]));
}

[[noreturn]] inline void throw_parse(std::size_t offset, std::string_view reason) {
    raise("ParseError", nb::make_tuple(nb::str(reason.data(), reason.size()), offset));
}

// `problems` are names such as "no_white_king"; the square is one of the class of `squares`.
[[noreturn]] inline void throw_position(const std::vector<std::string_view>& problems,
                                        std::optional<std::size_t> offset, std::string_view reason,
                                        Square s, const char* squares) {
    nb::list names;
    for (const auto p : problems) names.append(nb::str(p.data(), p.size()));
    nb::object square = nb::none();
    if (s != NO_SQUARE) square = nb::module_::import_(squares).attr("Square")(int(s));
    const nb::str text(reason.data(), reason.size());
    const nb::object at = offset ? nb::object(nb::int_(*offset)) : nb::object(nb::none());
    raise("PositionError", nb::make_tuple(text, names, at, square));
}

// The module of Python with the squares of a game.
template <class P>
inline constexpr const char* SQUARES = "cotulenh.squares";
template <>
inline constexpr const char* SQUARES<chess::Position> = "cotulenh.chess.squares";

// The names of a set of problems.
template <class P>
std::vector<std::string_view> problem_names(u32 problems) {
    std::vector<std::string_view> found;
    for (std::size_t i = 0; i < P::PROBLEM_NAMES.size(); ++i)
        if (problems >> i & 1) found.push_back(P::PROBLEM_NAMES[i]);
    return found;
}

[[noreturn]] inline void throw_illegal(std::string_view text) {
    raise("IllegalMoveError", nb::make_tuple(nb::str(text.data(), text.size())));
}

[[noreturn]] inline void throw_ambiguous(std::string_view text) {
    raise("AmbiguousMoveError", nb::make_tuple(nb::str(text.data(), text.size())));
}

// Raises what a reader of the core said about a text. `base` is where that text begins in what the
// user gave.
template <class P>
[[noreturn]] void refuse(const TextError& error, std::string_view text, std::size_t base = 0) {
    const std::size_t at = base + characters(text, error.offset);
    const std::string whole =
        error.detail.empty() ? error.reason : error.reason + ", " + error.detail;
    switch (error.fault) {
        case Fault::UNREADABLE:
            throw_parse(at, error.reason);
        case Fault::ILLEGAL:
            throw_illegal(whole);
        case Fault::AMBIGUOUS:
            throw_ambiguous(whole);
        case Fault::IMPOSSIBLE:
            break;
    }
    throw_position(problem_names<P>(error.problems), at, error.reason, error.square, SQUARES<P>);
}

// The position of a board that can be played; an unfinished one is refused with all that is wrong.
template <class B>
decltype(auto) playable(B& board) {
    using P = typename B::Position;
    if (board.problems()) {
        const auto names = problem_names<P>(board.problems());
        std::string reason = "the position is unfinished:";
        for (const auto name : names) (reason += ' ') += name;
        throw_position(names, std::nullopt, reason, NO_SQUARE, SQUARES<P>);
    }
    return board.position();
}

// The value a reader found, or what it said as an exception.
template <class P, class T>
T checked(Result<T> read, std::string_view text, std::size_t base = 0) {
    if (!read) refuse<P>(read.error(), text, base);
    return std::move(*read);
}

// The move that Python gave, or a TypeError that says what was expected.
template <class Move>
Move move_given(nb::handle given) {
    static const nb::handle type = nb::type<Move>();  // a final class, looked up once
    if (given.type().is(type)) return *nb::inst_ptr<Move>(given);
    std::string text = "expected a Move, got " + std::string(nb::repr(given).c_str());
    if (PyUnicode_Check(given.ptr())) text += " (text is read by push_san)";
    throw nb::type_error(text.c_str());
}

// A FEN from a user: blanks around it do not matter. Reads it by `read(text)`.
template <class P, class Read>
auto read_trimmed(std::string_view given, Read&& read) {
    constexpr std::string_view BLANKS = " \t\r\n\v\f";
    const std::size_t first = std::min(given.find_first_not_of(BLANKS), given.size());
    const std::size_t last = given.find_last_not_of(BLANKS);
    const auto text = given.substr(first, last == std::string_view::npos ? 0 : last + 1 - first);
    return checked<P>(read(text), text, first);
}

// A str as UTF-8, without copying. A lone surrogate has no UTF-8: that is the user's bad input too.
inline std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data) return {data, std::size_t(size)};
    PyErr_Clear();
    throw_parse(0, "the text is not valid Unicode");
}

}  // namespace cotulenh::bindings
