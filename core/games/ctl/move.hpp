// A move is one packed integer: from 8, to 8, kind 3, deploy 1, the moving group 12 bits.
#pragma once

#include "games/ctl/stack.hpp"

namespace cotulenh::ctl {

enum MoveKind : u8 { NORMAL, CAPTURE, STAY, EXCHANGE, COMBINE, BREACH, COMMIT, MOVE_KINDS };

struct Move {
    u32 bits = 0;

    static constexpr u32 KIND = 16, DEPLOY = 19, GROUP = 20;

    static constexpr Move of(Square from, Square to, MoveKind kind, bool deploy, Group group) {
        return {u32(from) | u32(to) << 8 | u32(kind) << KIND | u32(deploy) << DEPLOY |
                u32(group_number(group)) << GROUP};
    }
    static constexpr Move commit(Square origin) { return of(origin, origin, COMMIT, true, 0); }

    constexpr Square from() const { return Square(bits); }
    constexpr Square to() const { return Square(bits >> 8); }
    constexpr MoveKind kind() const { return MoveKind(bits >> KIND & 7); }
    constexpr bool deploy() const { return bits >> DEPLOY & 1; }
    constexpr Group group() const { return GROUP_TABLE.of[bits >> GROUP]; }
    // Arbitrary bits may name no group and no kind; nothing else may be asked of such a move.
    constexpr bool well_formed() const {
        return (bits >> GROUP) < GROUPS && kind() < MOVE_KINDS && from() < Frame::size &&
               to() < Frame::size;
    }
    constexpr bool takes() const {
        return kind() == CAPTURE || kind() == STAY || kind() == EXCHANGE || kind() == BREACH;
    }
    // Stay captures, breaches and commits leave the group where it is.
    constexpr bool departs() const {
        return kind() != STAY && kind() != BREACH && kind() != COMMIT;
    }
    constexpr explicit operator bool() const { return bits != 0; }
    friend constexpr bool operator==(Move, Move) = default;
};

using Moves = MoveList<Move>;

}  // namespace cotulenh::ctl
