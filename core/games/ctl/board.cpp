#include "games/ctl/board.hpp"

namespace cotulenh::ctl {

Board::Board(const Position& start) : position_(start) {
    if (!start.deploying()) keys_.push_back(start.key());
}

void Board::push(Move m) {
    played_.push_back({m, !position_.deploying(), {}});
    position_.make(m, played_.back().undo);
    if (!position_.deploying()) keys_.push_back(position_.key());
}

Move Board::pop() {
    const Move m = played_.back().move;
    if (!position_.deploying()) keys_.pop_back();
    position_.unmake(m, played_.back().undo);
    played_.pop_back();
    return m;
}

void Board::undo() {
    const bool whole = !position_.deploying();
    do pop();
    while (whole && position_.deploying() && !played_.empty());
}

// Only positions since the last take can repeat, but a count over all keys is as right.
int Board::times_seen() const {
    int n = 0;
    for (auto key = keys_.rbegin(); key != keys_.rend(); ++key) n += *key == position_.key();
    return n;
}

std::optional<Outcome> Board::outcome() {
    Position& p = position_;
    const Side us = p.turn(), them = Side(us ^ 1);
    if (p.commander_lost())
        return Outcome{p.commander(us) == NO_SQUARE ? them : us, Reason::COMMANDER_TAKEN};
    const bool stuck = !p.has_legal_move();
    if (stuck && p.in_check()) return Outcome{them, Reason::CHECKMATE};
    // The mover's own loss is looked at last: by his turn he may have taken the other's last arms.
    if (p.objective_lost(us)) return Outcome{them, Reason::OBJECTIVE};
    if (p.objective_lost(them)) return Outcome{us, Reason::OBJECTIVE};
    if (stuck) return Outcome{NOBODY, Reason::STALEMATE};
    if (p.deploying()) return std::nullopt;
    if (times_seen() >= 3) return Outcome{NOBODY, Reason::REPETITION};
    if (p.halfmove() >= DRAWN_AFTER) return Outcome{NOBODY, Reason::CLOCK};
    return std::nullopt;
}

int Board::points(Side side) const {
    int points = 0;
    for (const Played& p : played_)
        if (p.undo.turn == side) points += p.undo.taken;
    return points;
}

std::vector<std::vector<Move>> Board::turns() const {
    std::vector<std::vector<Move>> out;
    for (const Played& p : played_) {
        if (p.begins_turn || out.empty()) out.emplace_back();
        out.back().push_back(p.move);
    }
    if (position_.deploying() && !out.empty()) out.pop_back();
    return out;
}

std::vector<Move> Board::steps() const {
    std::vector<Move> out;
    if (!position_.deploying()) return out;
    for (const Played& p : played_) {
        if (p.begins_turn) out.clear();
        out.push_back(p.move);
    }
    return out;
}

// 12.2: a deployment is one token, rest<step,step; nothing stands before '<' that has left.
std::vector<std::string> Board::history(bool san) const {
    Position p = position_;
    for (auto played = played_.rbegin(); played != played_.rend(); ++played)
        p.unmake(played->move, played->undo);
    std::vector<std::string> out;
    Undo undo;
    for (const auto& turn : turns()) {
        std::string steps, rest;
        const Side mover = p.turn();
        for (const Move m : turn) {
            if (m.kind() != COMMIT) {
                std::string text = san ? write_san(p, m) : write_lan(m);
                while (san && (text.back() == '^' || text.back() == '#')) text.pop_back();
                steps += (steps.empty() ? "" : ",") + text;
            }
            p.make(m, undo);
        }
        const Move first = turn.front();
        const Stack left = p.at(first.from());
        if (first.deploy() && left && side_of(left) == mover) {
            append_group(rest, left);
            rest += '<';
        }
        out.push_back(rest + steps + (san ? suffix(p, mover) : ""));
    }
    return out;
}

}  // namespace cotulenh::ctl
