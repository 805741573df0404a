// Why a move is not legal, in words that name the article standing against it.
#include "games/ctl/attacks.hpp"
#include "games/ctl/notation.hpp"

namespace cotulenh::ctl {
namespace {

std::string name(Square s) {
    std::string out;
    append_square(out, s);
    return out;
}

std::string letters(Group g) {
    std::string out;
    append_group(out, g);
    return out;
}

// Something is wrong with who moves: an empty reason if nothing is.
std::string wrong_group(const Position& p, Move m) {
    const std::string from = name(m.from());
    const Group g = m.group();
    const Stack here = p.at(m.from());
    if (!here) return "nothing stands on " + from;
    if (side_of(here) != p.turn()) return from + " belongs to the other side";
    if (p.deploying()) {
        if (m.from() == p.origin() && m.deploy() && includes(p.remaining(), g)) return "";
        return "in this deployment only " + letters(p.remaining()) + " of " + name(p.origin()) +
               " may step (8.3)";
    }
    if (!includes(here, g)) return from + " holds " + letters(here);
    if (!m.deploy() && g != group_of(here))
        return from + " holds " + letters(here) + ", which moves whole or deploys (8.1)";
    if (m.deploy() && g == group_of(here))
        return "a deployment begins with a part of the stack (8.1)";
    return "";
}

// Something is wrong with the target.
std::string wrong_target(const Position& p, Move m) {
    const std::string to = name(m.to());
    const Stack there = p.at(m.to());
    const bool enemy = there && side_of(there) != p.turn();
    if (m.takes() && !enemy) return "there is nothing to take on " + to;
    if (m.kind() == COMBINE && (!there || enemy)) return "there is nobody to join on " + to;
    if (m.kind() == NORMAL && there) return to + " is not empty";
    if (m.kind() != COMBINE) return "";
    const Group both = merged(there, m.group());
    if (!both || !p.rules().valid(both))
        return letters(m.group()) + " and " + letters(there) + " form no stack (7.2)";
    return p.rules().can_stand(both, m.to()) ? ""
                                             : letters(both) + " cannot stand on " + to + " (7.1)";
}

bool in_range(const Position& p, Move m) {
    const Row& row = p.rules().spec.rows[carrier_of(m.group())];
    const int d = Rays<Frame>::direction(m.from(), m.to());
    if (d < 0) return false;
    const bool ship = m.takes() && p.rules().facts(carrier_of(p.at(m.to()))).ship;
    const int o = !m.takes() ? row.move_o : ship ? row.ships_o : row.take_o;
    const int diagonal = !m.takes() ? row.move_d : ship ? row.ships_d : row.take_d;
    return Rays<Frame>::distance(m.from(), m.to()) <= (is_diagonal(d) ? diagonal : o);
}

// Something is wrong with the way there.
std::string wrong_way(const Position& p, Move m) {
    const Rules& rules = p.rules();
    const Piece carrier = carrier_of(m.group());
    const KindFacts& f = rules.facts(carrier);
    const PieceTables& t = rules.tables(carrier);
    const std::string who = letters(m.group()), to = name(m.to());
    if (!in_range(p, m)) return who + " does not reach " + to + " (3)";
    if (m.kind() == NORMAL && !rules.can_stand(m.group(), m.to()))
        return who + " cannot stand on " + to + " (2.2)";
    if (!m.takes() && !(m.kind() == NORMAL ? t.walk : t.board)[m.from()].has(m.to()))
        return f.heavy  ? "heavy pieces cross the river on bridges only (2.4)"
               : f.ship ? "a ship needs sea all the way (2.5)"
                        : "the way to " + to + " leads over water (2.6)";
    const Set between = rules.rays.between(m.from(), m.to());
    const bool over = (m.takes() ? f.take_blocked : f.move_blocked) == Blocking::NONE;
    if (!over && between.meets(p.occupied())) return "a piece stands in the way (3)";
    if (t.aircraft && (between | Set::of(m.to())).meets(p.cover(Side(p.turn() ^ 1))))
        return "air defence covers the way (5.2)";
    if (p.is_commander(carrier)) return "the Commander would face the other on the way (6.2)";
    return who + " has no such move (3, 4)";
}

std::string attacker(const Position::Objection& o) {
    return (is_heroic(o.piece) ? "+" : "") + std::string(1, LETTERS[kind_of(o.piece)]) + " " +
           name(o.square);
}

}  // namespace

std::string why_illegal(Position& p, Move m) {
    const Set& board = p.rules().rays.board();
    // Bits may name no piece, and points that this board does not have.
    if (!m || !m.well_formed() || !board.has(m.from()) || !board.has(m.to()) ||
        (m.kind() != COMMIT && !m.group()))
        return "it is no move of this game";
    if (p.commander_lost()) return "the game is over (10.1)";
    if (m.kind() == COMMIT && !p.deploying()) return "no deployment is under way (8.2)";
    if (m.kind() == COMMIT && m.from() != p.origin())
        return "the deployment began on " + name(p.origin()) + " (8.2)";
    if (m.kind() == COMMIT && m != Move::commit(p.origin())) return "it is no move of this game";
    if (!p.is_pseudo_legal(m)) {
        std::string reason = wrong_group(p, m);
        if (reason.empty()) reason = wrong_target(p, m);
        return reason.empty() ? wrong_way(p, m) : reason;
    }
    const Position::Objection o = p.objection(m);
    switch (o.article) {
        case Position::Objection::ATTACKED:
            return "the Commander would be attacked by " + attacker(o) + " (6.5)";
        case Position::Objection::FACING:
            return "the Commanders would face each other (6.1)";
        case Position::Objection::REST:
            return "what is left on " + name(m.from()) + " could not stay there (8.2)";
        default:
            return "the deployment could not be finished (8.4)";
    }
}

}  // namespace cotulenh::ctl
