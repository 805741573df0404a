#include "env/game_ctl.hpp"

#include <algorithm>
#include <bit>

namespace cotulenh::env {

using namespace ctl;
using ctl::Position;  // not the concept of the same name

CtlGame::CtlGame(std::shared_ptr<const Rules> rules)
    : rules_(std::move(rules)), area_(files() * ranks()) {
    for (const Side viewer : {FIRST, SECOND}) {
        for (int s = 0; s < Frame::size; ++s) {
            const int rank = Frame::rank_of(s), file = Frame::file_of(s);
            const bool outside = rank >= ranks() || file >= files();
            cell_[viewer][s] =
                outside ? 0 : u8((viewer == FIRST ? rank : ranks() - 1 - rank) * files() + file);
        }
        const RuleSpec& spec = rules_->spec;
        terrain_[viewer].resize(std::size_t(4 * area_));
        u8* plane = terrain_[viewer].data();
        for (const Set* set : {&spec.water, &spec.mixed, &spec.land, &spec.bridges})
            write_set(*set, viewer, plane), plane += area_;
    }
}

std::optional<Position> CtlGame::read(const std::string& fen, std::string& problem) const {
    const auto found = read_fen(*rules_, fen);
    if (found) return *found;
    problem = found.error().reason;
    return std::nullopt;
}

namespace {

// Which of the pieces of `whole` a part is, as bits by their order; of equal pieces the first.
int bits_of_part(Group whole, Group part) {
    int bits = 0;
    each_piece(part, [&](Piece p) {
        for (int i = 0; i < MOST_IN_STACK; ++i)
            if (whole[i] == p && !(bits >> i & 1)) {
                bits |= 1 << i;
                return;
            }
    });
    return bits;
}

// 0 the whole, then the first, second, third piece, first and second, first and third, second and
// third.
int number_of_part(Group whole, Group part) {
    constexpr int NUMBER[8] = {0, 1, 2, 4, 3, 5, 6, 0};
    return whole == part ? 0 : NUMBER[bits_of_part(whole, part)];
}

// What all targets of a moving group have in common.
struct Mover {
    const Position& p;
    const int ranks;
    int from_square = 0, from = 0, base = 0;

    Mover(const Position& position, int board_ranks) : p(position), ranks(board_ranks) {}

    void set(Move m) {
        from_square = m.from();
        const int rank = Frame::rank_of(from_square), file = Frame::file_of(from_square);
        from = (p.turn() == FIRST ? rank : ranks - 1 - rank) * CtlGame::SIZE + file;
        const Group group = m.group();
        const Group whole = p.deploying() ? p.remaining() : group_of(p.at(m.from()));
        const int part = number_of_part(whole, group);
        if (m.kind() == ctl::BREACH && p.is_commander(carrier_of(group))) {
            base = -1 - part;
            return;
        }
        const bool stays = m.kind() == STAY || m.kind() == ctl::BREACH;
        const int variant = part    ? CtlGame::PART + part - 1
                            : stays ? CtlGame::WHOLE_STAYS
                                    : CtlGame::WHOLE;
        base = variant * CtlGame::LINES.PAIRS;
    }

    int action(Move m) const {
        if (base < 0) return CtlGame::BREACH - 1 - base;
        const int to = m.to();
        const int ranks_up = Frame::rank_of(to) - Frame::rank_of(from_square);
        return base + CtlGame::LINES.number(from, Frame::file_of(to) - Frame::file_of(from_square),
                                            p.turn() == FIRST ? ranks_up : -ranks_up);
    }
};

}  // namespace

void CtlGame::number(const Position& p, const Move* moves, int n, std::int32_t* out) const {
    Mover mover(p, ranks());
    Move last{};
    for (int i = 0; i < n; ++i) {
        const Move m = moves[i];
        if (m.kind() == ctl::COMMIT) {
            out[i] = COMMIT;
            continue;
        }
        // The generator lists the targets of a group one after another.
        if (i == 0 || m.with_to(0) != last) mover.set(m), last = m.with_to(0);
        out[i] = mover.action(m);
    }
}

Ending CtlGame::ending(Position& p, int seen) const {
    const auto outcome = p.outcome(seen);
    return outcome ? Ending{true, outcome->winner} : Ending{};
}

int CtlGame::gain(const Position& p, Move m) const {
    if (!m.takes()) return 0;
    int kept = m.kind() == EXCHANGE ? points_of(*rules_, m.group()) : 0;
    if (m.kind() == ctl::BREACH) kept = rules_->spec.kinds[rules_->commander()].points;
    return points_of(*rules_, p.at(m.to())) - kept;
}

void CtlGame::keep(const Position& p, Snapshot& out) {
    out.fill(Stack{});
    p.occupied().each([&](Square s) { out[s] = p.at(s); });
}

template <class T>
void CtlGame::write_stack(Stack stack, int at, Side viewer, T* out) const {
    out += (side_of(stack) == viewer ? 0 : SIDE_PLANES) * area_ + at;
    const Piece carrier = carrier_of(stack);
    out[(STANDING + kind_of(carrier)) * area_] = 1;
    if (is_heroic(carrier)) out[STANDING_HEROIC * area_] = 1;
    if (is_single(stack)) return;
    each_piece(without(stack, Group::of(carrier)), [&](Piece p) {
        out[(CARRIED + kind_of(p)) * area_] += 1;
        if (is_heroic(p)) out[(CARRIED_HEROIC + kind_of(p)) * area_] += 1;
    });
}

template <class T>
void CtlGame::write_set(const Set& set, Side viewer, T* plane) const {
    set.each([&](Square s) { plane[cell_[viewer][s]] = 1; });
}

template <class T>
void CtlGame::write_deployment(const Position& p, Side viewer, T* out) const {
    T* const at = out + cell_[viewer][p.origin()];
    at[ORIGIN * area_] = 1;
    each_piece(p.remaining(), [&](Piece piece) {
        at[(int(REMAINING) + kind_of(piece)) * area_] += 1;
        if (is_heroic(piece)) at[REMAINING_HEROIC * area_] += 1;
    });
}

template <class T>
void CtlGame::write_past(const Snapshot& past, Side viewer, T* out) const {
    std::fill_n(out, PIECE_PLANES * area_, T(0));
    rules_->rays.board().each([&](Square s) {
        if (past[s]) write_stack(past[s], cell_[viewer][s], viewer, out);
    });
}

template <class T>
void CtlGame::write(const Position& p, Side viewer, int seen, T* out) const {
    std::fill_n(out, PLANES * area_, T(0));
    p.occupied().each([&](Square s) { write_stack(p.at(s), cell_[viewer][s], viewer, out); });
    write_set(p.cover(viewer), viewer, out + OWN_RING * area_);
    write_set(p.cover(Side(viewer ^ 1)), viewer, out + ENEMY_RING * area_);
    std::copy(terrain_[viewer].begin(), terrain_[viewer].end(), out + WATER * area_);
    if (p.deploying()) write_deployment(p, viewer, out);
    std::fill_n(out + CLOCK * area_, area_, T(std::min<u32>(p.halfmove(), DRAWN_AFTER)));
    const int before = std::clamp(seen - 1, 0, DRAWN_BY_REPETITION - 1);
    if (before) std::fill_n(out + REPETITION * area_, area_, T(before));
    if (viewer == FIRST) std::fill_n(out + FIRST_PLAYER * area_, area_, T(1));
}

template void CtlGame::write(const Position&, Side, int, u8*) const;
template void CtlGame::write(const Position&, Side, int, float*) const;
template void CtlGame::write_past(const Snapshot&, Side, u8*) const;
template void CtlGame::write_past(const Snapshot&, Side, float*) const;

}  // namespace cotulenh::env
