// The laws of tests/support/laws.py once more, in C++: the cheap ones after every step, the dear
// ones now and then. Nothing here changes the position for good.
#pragma once

#include <algorithm>
#include <set>

#include "games.hpp"

namespace fuzz {

template <class P>
std::vector<u32> sorted_bits(const MoveList<typename P::Move>& moves) {
    std::vector<u32> out;
    for (const auto m : moves) out.push_back(m.bits());
    std::sort(out.begin(), out.end());
    return out;
}

// Constant in the number of moves, but for counting them.
template <class G>
void cheap_laws(typename G::Position& p, const MoveList<typename G::Position::Move>& moves) {
    LAW(p.key() == p.key_from_scratch(), write_fen(p));
    LAW(p.has_legal_move() == !moves.empty(), write_fen(p));
    LAW(p.count_legal() == moves.size(), write_fen(p));
}

// In chess: what a side attacks is what its pieces attack, one by one.
template <class G>
void law_a_side_attacks_what_its_pieces_do(const typename G::Position& p) {
    if constexpr (requires { p.attacked_by(FIRST); })
        for (const Side side : {FIRST, SECOND}) {
            chess::Bits one_by_one = 0;
            for (chess::Bits rest = p.occupied(side); rest; rest &= rest - 1)
                one_by_one |= p.attacks(chess::first(rest));
            LAW(p.attacked_by(side) == one_by_one, write_fen(p));
        }
}

template <class G>
void law_lists_agree(typename G::Position& p, const MoveList<typename G::Position::Move>& moves) {
    using P = typename G::Position;
    const std::vector<u32> all = sorted_bits<P>(moves);
    LAW(std::adjacent_find(all.begin(), all.end()) == all.end(), write_fen(p));
    MoveList<typename P::Move> takes, pseudo;
    p.legal_takes(takes);
    const std::vector<u32> part = sorted_bits<P>(takes);
    LAW(std::adjacent_find(part.begin(), part.end()) == part.end(), write_fen(p));
    LAW(std::includes(all.begin(), all.end(), part.begin(), part.end()), write_fen(p));
    if constexpr (requires { p.legal_quiets(takes); }) {
        p.legal_quiets(takes);
        LAW(sorted_bits<P>(takes) == all, write_fen(p));  // sharp and quiet ones: each once
    }
    p.pseudo_legal_moves(pseudo);
    const std::vector<u32> wide = sorted_bits<P>(pseudo);
    LAW(std::includes(wide.begin(), wide.end(), all.begin(), all.end()), write_fen(p));
}

template <class G>
void law_undo_is_the_inverse(typename G::Position& p,
                             const MoveList<typename G::Position::Move>& moves) {
    typename G::Position::Undo undo;
    const u64 before = G::digest(p);
    for (const auto m : moves) {
        LAW(p.is_legal(m), write_fen(p) + write_lan(p, m));
        p.make(m, undo);
        LAW(p.key() == p.key_from_scratch(), write_fen(p));
        if constexpr (requires { p.in_check_after(undo); })
            LAW(p.mid_turn() || p.in_check_after(undo) == p.in_check(), write_fen(p));
        p.unmake(m, undo);
        LAW(G::digest(p) == before, write_fen(p) + write_lan(p, m));
    }
}

template <class G>
void law_a_fen_round_trips(typename G::Position& p,
                           const MoveList<typename G::Position::Move>& moves) {
    using P = typename G::Position;
    const std::string fen = write_fen(p);
    auto again = read_fen(p.rules(), fen);
    LAW(bool(again), fen);
    LAW(write_fen(*again) == fen && again->key() == p.key(), fen + "\n" + write_fen(*again));
    MoveList<typename P::Move> theirs;
    again->legal_moves(theirs);
    LAW(sorted_bits<P>(theirs) == sorted_bits<P>(moves), fen);
}

template <class G>
void law_texts_round_trip(typename G::Position& p, typename G::Position::Move m) {
    const std::string lan = write_lan(p, m), san = write_san(p, m);
    const auto by_lan = read_lan(p, lan);
    LAW(by_lan && *by_lan == m, write_fen(p) + "\n" + lan);
    const auto by_san = read_san(p, san);
    LAW(by_san && *by_san == m, write_fen(p) + "\n" + san);
    auto turn = read_turn(p, san);
    LAW(turn && turn->size() == 1 && turn->front() == m, write_fen(p) + "\n" + san);
}

// Of any bits: legal is what is listed, and what is not legal has a reason.
template <class G>
void law_legal_means_listed(typename G::Position& p, u32 bits,
                            const MoveList<typename G::Position::Move>& moves) {
    using Move = typename G::Position::Move;
    const Move m = Move::from_bits(bits);
    const u64 before = G::digest(p);
    const bool listed = std::find(moves.begin(), moves.end(), m) != moves.end();
    LAW(p.is_legal(m) == listed, write_fen(p) + "\n" + std::to_string(bits));
    if (!listed) {
        const std::string why = why_illegal(p, m);
        LAW(!why.empty() && why.size() < 200, write_fen(p) + "\n" + std::to_string(bits));
    }
    LAW(G::digest(p) == before, write_fen(p));
}

template <class G>
void law_counting_agrees(typename G::Position& p,
                         const MoveList<typename G::Position::Move>& moves) {
    typename G::Position::Undo undo;
    u64 two = 0;
    for (const auto m : moves) {
        p.make(m, undo);
        two += u64(p.count_legal());
        p.unmake(m, undo);
    }
    LAW(perft(p, 2) == two, write_fen(p));
}

// The names of squares seen from the other side; only in texts without other letters and digits.
inline std::string mirrored_square(std::string_view text, int ranks) {
    if (text.size() < 2 || text[0] < 'a' || text[0] > 'l') return std::string(text);
    std::size_t end = 1;
    int rank = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
        rank = rank * 10 + (text[end++] - '0');
    return text[0] + std::to_string(ranks + 1 - rank) + std::string(text.substr(end));
}

inline char swapped(char c) {
    if (c >= 'a' && c <= 'z') return char(c - 32);
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
}

// The FEN of the same position with the sides exchanged and the board turned upside down.
inline std::string mirrored_fen(const std::string& fen, int ranks) {
    std::vector<std::string> fields(1), rows(1);
    for (const char c : fen)
        if (c == ' ')
            fields.emplace_back();
        else
            fields.back() += c;
    for (const char c : fields[0])
        if (c == '/')
            rows.emplace_back();
        else
            rows.back() += swapped(c);
    std::string out;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) out += *row + "/";
    out.back() = ' ';
    const bool chess = ranks == 8;
    const char first = chess ? 'w' : 'r';
    out += fields[1][0] == first ? 'b' : first;
    for (std::size_t i = 2; i < fields.size(); ++i) {
        out += ' ';
        if (i == 2 && chess)
            for (const char c : fields[i]) out += swapped(c);
        else
            out += mirrored_square(fields[i], ranks);
    }
    return out;
}

// The mirror changes nothing but the names: as many moves, the same check, the same end.
template <class G>
void law_the_mirror_changes_nothing(typename G::Position& p,
                                    const MoveList<typename G::Position::Move>& moves, int ranks) {
    const std::string fen = write_fen(p), other = mirrored_fen(fen, ranks);
    auto mirror = read_fen(p.rules(), other);
    LAW(bool(mirror), fen + "\n" + other);
    LAW(mirror->count_legal() == moves.size(), fen + "\n" + other);
    LAW(mirror->in_check() == p.in_check(), fen + "\n" + other);
    LAW(mirror->outcome(1).has_value() == p.outcome(1).has_value(), fen + "\n" + other);
    LAW(perft(*mirror, 2) == perft(p, 2), fen + "\n" + other);
}

template <class G>
constexpr int ranks_of() {
    return std::is_same_v<G, Chess> ? 8 : 12;
}

template <class G>
void dear_laws(typename G::Position& p, const MoveList<typename G::Position::Move>& moves) {
    law_a_side_attacks_what_its_pieces_do<G>(p);
    law_lists_agree<G>(p, moves);
    law_undo_is_the_inverse<G>(p, moves);
    law_a_fen_round_trips<G>(p, moves);
}

template <class G>
void dearest_laws(typename G::Position& p, const MoveList<typename G::Position::Move>& moves) {
    for (const auto m : moves) law_texts_round_trip<G>(p, m);
    law_counting_agrees<G>(p, moves);
    law_the_mirror_changes_nothing<G>(p, moves, ranks_of<G>());
}

}  // namespace fuzz
