// What a position of Cờ Tư Lệnh is worth: terms and their weights.
#pragma once

#include "engine/weights.hpp"
#include "games/ctl/position.hpp"

namespace cotulenh::engine::ctl_eval {

// Indices of the weights. Runs are indexed by piece code less one (heroic and plain), by kind, by
// rank seen from the owner, by file, or by a count.
enum Term : int {
    MATERIAL = 0,               // by piece code
    CARRIED = MATERIAL + 22,    // by kind: what being a passenger adds
    RANK = CARRIED + 11,        // by kind, twelve ranks each
    FILE = RANK + 11 * 12,      // by kind, twelve files each
    MOBILITY = FILE + 11 * 12,  // by carrier's kind: points it could move to
    PRESSURE = MOBILITY + 11,   // by kind of the victim: attacked enemy stacks
    LOOSE = PRESSURE + 11,      // by kind of the victim: attacked and not defended
    HELD = LOOSE + 11,          // by kind: own stacks that are defended
    SEA = HELD + 11,            // points of the sea that ships reach
    SKY = SEA + 1,              // enemy half: points inside own rings
    SKY_HOME,                   // own half: points inside own rings
    AIR_FREE,                   // own aircraft standing outside all enemy rings
    BRIDGE,                     // bridge points attacked
    BRIDGE_HEAVY,               // heavy pieces on a bridge point
    ATTACKERS,                  // pieces that reach the enemy Commander's surroundings: 0..7
    HITS = ATTACKERS + 8,       // points around him attacked and not defended: 0..8
    ESCAPES = HITS + 9,         // points he could walk to in safety: 0..7 and more
    GUARDS = ESCAPES + 8,       // own stacks beside the Commander: 0..7
    HERO_NEXT = GUARDS + 8,     // plain pieces whose range holds the enemy Commander
    SHELTERED,                  // Commander inside his Headquarters
    ABOARD,                     // Commander carried by anything else
    LINE,                       // pieces on the line between the Commanders: 1, 2, 3 or more
    LAST_ARMS = LINE + 3,       // groups of arms (10.2) down to one piece, when that counts
    FEW_ARMS,                   // down to two
    TEMPO,
    TERMS
};

using Weights = engine::Weights<TERMS>;
extern const Weights DEFAULT;
extern const std::vector<TermGroup> GROUPS;

// Values of stacks by the weights, for exchanges and ordering.
struct PieceValues {
    std::array<int, ctl::PIECES> of{};
    explicit PieceValues(const Weights& weights);
    int stack(ctl::Group s) const {
        int value = 0;
        ctl::each_piece(s, [&](ctl::Piece p) { value += of[p]; });
        return value;
    }
};

// What a stack is worth by itself, and what it sees: the same as long as neither it nor anything on
// its lines changes.
struct Stand {
    ctl::Stack stack{};
    u8 phase = 0, aircraft = 0;           // of all its pieces
    bool ship = false, defends = false;   // its carrier: that has a ring,
    bool flies = false, is_calm = false;  // that may be shot down, that frightens no Commander
    bool special = false;                 // a ship, with a ring or with aircraft
    Pair worth = 0;                       // by pieces, point and mobility, unless that is special
    int mobility = 0;
    ctl::Set lines;  // where a change of the board matters
    ctl::Set walks, takes;
};

// The stands of the last position that was evaluated: most are those of the next one too.
class Stands {
  public:
    void clear() { *this = Stands(); }
    // Goes over to another position. What is kept holds for one rule set and one set of weights.
    void enter(const ctl::Position& p, const Weights& weights) {
        if (p.rules().serial() != rules_ || &weights != weights_) clear();
        rules_ = p.rules().serial(), weights_ = &weights;
        changed_ = before_ ^ p.occupied();
        (before_ - p.occupied()).each([&](Square s) { remove(at_[s]), at_[s] = {}; });
        before_ = p.occupied();
    }
    // Brought up to date; every stack of a position that was entered must be asked for.
    const Stand& update(const ctl::Position& p, Square s) {
        Stand& stand = at_[s];
        if (!(stand.stack == p.at(s)) || changed_.meets(stand.lines)) [[unlikely]]
            look(p, s, stand);
        return stand;
    }
    const Stand& at(Square s) const { return at_[s]; }
    // Of all stacks, once they are up to date.
    Pair worth(Side side) const { return worth_[side]; }
    int phase() const { return phase_; }

  private:
    void look(const ctl::Position& p, Square s, Stand& out);
    void meet(const ctl::Position& p, Square s, Stand& out) const;
    void add(const Stand& stand) {
        worth_[side_of(stand.stack)] += stand.worth, phase_ += stand.phase;
    }
    void remove(const Stand& stand) {
        worth_[side_of(stand.stack)] -= stand.worth, phase_ -= stand.phase;
    }

    u64 rules_ = 0;
    const Weights* weights_ = nullptr;
    ctl::Set before_, changed_;  // where something stood, and where that is no longer true
    Pair worth_[2]{};
    int phase_ = 0;
    Stand at_[ctl::Frame::size];
};

// For the side to move. The stands must be cleared when the numbers of the weights change.
Score evaluate(const ctl::Position& p, const Weights& weights, Stands& stands);
struct Explained {
    Score score;
    std::vector<std::array<int, 2>> groups;
};
Explained explain(const ctl::Position& p, const Weights& weights);
Trace trace(const ctl::Position& p);

}  // namespace cotulenh::engine::ctl_eval
