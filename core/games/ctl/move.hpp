// A move is one packed integer: from 8, to 8, kind 3, deploy 1, the moving group 12 bits.
#pragma once

#include "games/ctl/stack.hpp"

namespace cotulenh::ctl {

enum MoveKind : u8 { NORMAL, CAPTURE, STAY, EXCHANGE, COMBINE, BREACH, COMMIT, MOVE_KINDS };

// Move{} is no move. A plain `Move m;` is left unset, so that lists of moves cost nothing to make.
class Move {
  public:
    Move() = default;
    static constexpr Move of(Square from, Square to, MoveKind kind, bool deploy, Group group) {
        return Move(u32(from) | u32(to) << TO | u32(kind) << KIND | u32(deploy) << DEPLOY |
                    u32(group_number(group)) << GROUP);
    }
    static constexpr Move commit(Square origin) { return of(origin, origin, COMMIT, true, {}); }
    // Any bits, from a hash table or a user; see well_formed.
    static constexpr Move from_bits(u32 bits) { return Move(bits); }

    constexpr u32 bits() const { return bits_; }
    constexpr Square from() const { return Square(bits_); }
    constexpr Square to() const { return Square(bits_ >> TO); }
    constexpr MoveKind kind() const { return MoveKind(bits_ >> KIND & 7); }
    constexpr bool deploy() const { return bits_ >> DEPLOY & 1; }
    constexpr Group group() const { return GROUP_TABLE.of[group_code()]; }
    constexpr u32 group_code() const { return bits_ >> GROUP; }  // its group_number
    // The same move to another target: a generator numbers its group only once.
    constexpr Move with_to(Square to) const {
        return Move((bits_ & ~(u32(0xFF) << TO)) | u32(to) << TO);
    }
    // Arbitrary bits may name no group and no kind; nothing else may be asked of such a move.
    constexpr bool well_formed() const {
        return (bits_ >> GROUP) < GROUPS && kind() < MOVE_KINDS && from() < Frame::size &&
               to() < Frame::size;
    }
    constexpr bool takes() const {
        constexpr u32 takes = 1 << CAPTURE | 1 << STAY | 1 << EXCHANGE | 1 << BREACH;
        return takes >> kind() & 1;
    }
    // Stay captures, breaches and commits leave the group where it is.
    constexpr bool departs() const {
        return kind() != STAY && kind() != BREACH && kind() != COMMIT;
    }
    constexpr explicit operator bool() const { return bits_ != 0; }
    friend constexpr bool operator==(Move, Move) = default;

  private:
    static constexpr u32 TO = 8, KIND = 16, DEPLOY = 19, GROUP = 20;
    constexpr explicit Move(u32 bits) : bits_(bits) {}
    u32 bits_;
};

using Moves = MoveList<Move>;

}  // namespace cotulenh::ctl
