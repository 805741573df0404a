// What every target shares: the bytes it is given, the rule sets and set-ups of fuzz/data.py, and
// how a broken law is reported.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "games/board.hpp"
#include "games/chess/notation.hpp"
#include "games/ctl/notation.hpp"

namespace fuzz {

using namespace cotulenh;

[[noreturn]] inline void broken(const char* law, const char* file, int line,
                                const std::string& where) {
    std::fprintf(stderr, "%s:%d: broken: %s\n%s\n", file, line, law, where.c_str());
    std::abort();
}

// A law must hold, whatever the bytes; `where` is only worked out when it does not.
#define LAW(holds, where)                                                \
    do {                                                                 \
        if (!(holds)) fuzz::broken(#holds, __FILE__, __LINE__, (where)); \
    } while (false)

// The bytes of one execution; zeros when they are used up.
class Bytes {
  public:
    Bytes(const u8* data, std::size_t size) : data_(data), size_(size) {}
    bool done() const { return at_ >= size_; }
    u8 byte() { return done() ? u8(0) : data_[at_++]; }
    u16 two() { return u16(byte() | byte() << 8); }
    u32 four() { return two() | u32(two()) << 16; }
    int below(int n) { return (n > 256 ? two() : byte()) % n; }
    std::string_view rest() const {
        return {reinterpret_cast<const char*>(data_) + at_, size_ - at_};
    }

  private:
    const u8* data_;
    std::size_t size_, at_ = 0;
};

namespace data {

using namespace ctl;

inline Set points(u64 a, u64 b, u64 c) {
    Set s;
    s.w[0] = a, s.w[1] = b, s.w[2] = c;
    return s;
}
inline int place(std::string_view word, Words words) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) return int(i);
    std::abort();
}
inline const SwitchRow& switch_named(std::string_view name) {
    for (const SwitchRow& row : SWITCHES)
        if (row.name == name) return row;
    std::abort();
}
inline void flip(Switches& s, std::string_view name, int value) {
    switch_named(name).set(s, value);
}
inline void flip(Switches& s, std::string_view name, const char* word) {
    const SwitchRow& row = switch_named(name);
    row.set(s, place(word, row.words));
}

#include "rule_sets.inc"

}  // namespace data

// A game that can be played in several ways: rule sets, or chess and Chess960.
struct Ctl {
    using Position = ctl::Position;
    static constexpr int WAYS = 3;
    static const ctl::Rules& rules(int way) {
        static const ctl::Rules official(data::official()), online(data::online()),
            blueprint(data::blueprint());
        const ctl::Rules* const all[] = {&official, &online, &blueprint};
        return *all[way % WAYS];
    }
    static std::string_view fen(int way, int n) {
        const auto of = [n](const auto& list) { return list[std::size_t(n) % std::size(list)]; };
        return way % WAYS == 0   ? of(data::OFFICIAL_FENS)
               : way % WAYS == 1 ? of(data::ONLINE_FENS)
                                 : of(data::BLUEPRINT_FENS);
    }
    static bool may_pass(const Position& p) { return !p.deploying() && !p.in_check(); }
    static ctl::Move commit(const Position& p) {
        return ctl::Move::commit(p.deploying() ? p.origin() : Square(0));
    }
    // All that make and unmake could touch, in a number.
    static u64 digest(const Position& p) {
        u64 h = p.key();
        const auto add = [&h](const ctl::Set& s) {
            for (const u64 w : s.w) h = mix(h, w);
        };
        add(p.occupied());
        for (const Side s : {FIRST, SECOND}) {
            add(p.occupied(s));
            for (ctl::Piece q = 1; q < ctl::PIECES; ++q) add(p.pieces(s, q));
            h = mix(mix(h, p.commander(s)), mix(u64(p.count(s)), p.pieces_key(s)));
        }
        for (const auto part :
             {u64(p.turn()), u64(p.halfmove()), u64(p.fullmove()), u64(p.origin()),
              u64(p.remaining().bits()), u64(p.original().bits())})
            h = mix(h, part);
        for (int i = 0; i < ctl::Frame::size; ++i) h = h * 31 + p.at(Square(i)).bits();
        return h;
    }
};

struct Chess {
    using Position = chess::Position;
    static constexpr int WAYS = 2;
    static const chess::Rules& rules(int way) {
        static const chess::Rules all[] = {{false}, {true}};
        return all[way % WAYS];
    }
    static std::string_view fen(int way, int n) {
        const auto of = [n](const auto& list) { return list[std::size_t(n) % std::size(list)]; };
        return way % WAYS ? of(data::CHESS960_FENS) : of(data::CHESS_FENS);
    }
    static bool may_pass(const Position& p) { return !p.in_check(); }
    static chess::Move commit(const Position&) { return chess::Move::from_bits(0); }
    static u64 digest(const Position& p) {
        u64 h = 0;
        for (const char c : p.bytes()) h = h * 0x100000001B3 + u8(c);
        return h;
    }
};

template <class G>
typename G::Position position(int way, int n) {
    auto read = read_fen(G::rules(way), G::fen(way, n));
    LAW(bool(read), std::string(G::fen(way, n)));
    return *read;
}

// The position of a text "FEN\nrest" if its first line is one, else one of the set-ups.
template <class G>
typename G::Position position_before(int way, std::string_view& text) {
    const std::size_t line = text.find('\n');
    if (line == text.npos) return position<G>(way, text.empty() ? 0 : u8(text[0]));
    const auto read = read_fen(G::rules(way), text.substr(0, line));
    const int other = text[0];
    text.remove_prefix(line + 1);
    return read ? *read : position<G>(way, u8(other));
}

// What every refusal of a text owes: a place in the text, and a reason on one line.
inline void refusal_is_sound(const TextError& error, std::string_view text) {
    LAW(error.offset <= text.size(), error.reason + std::to_string(error.offset));
    LAW(!error.reason.empty(), std::string(text));
    for (const char c : error.reason) LAW(u8(c) >= 32, error.reason);
}

}  // namespace fuzz
