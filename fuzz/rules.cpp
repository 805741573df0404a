// Rule specifications: any numbers that the bindings let through build a rule set whose tables and
// moves keep the laws. Starts from a shipped rule set and turns what the bytes say.
#include "laws.hpp"

using namespace fuzz;

namespace {

using namespace ctl;

Set any_set(Bytes& in) {
    return data::points(u64(in.four()) << 32 | in.four(), u64(in.four()) << 32 | in.four(),
                        u64(in.four()) << 32 | in.four());
}

void change_row(Row& row, Bytes& in) {
    u8* const ranges[] = {&row.move_o,  &row.move_d,  &row.take_o, &row.take_d,
                          &row.ships_o, &row.ships_d, &row.ring};
    const int which = in.below(8);
    if (which == 7)
        row.ignores_rings = in.byte() & 1;
    else
        *ranges[which] = u8(in.below(13));
}

void change_kind(KindFacts& k, Bytes& in) {
    switch (in.below(6)) {
        case 0:
            k.present = in.byte() & 1;
            break;
        case 1:
            k.move_blocked = Blocking(in.below(4));
            break;
        case 2:
            k.take_blocked = Blocking(in.below(2));
            break;
        case 3:
            k.stands = Stands(in.below(3));
            break;
        case 4:
            k.*FLAGS[in.below(int(std::size(FLAGS)))].flag = in.byte() & 1;
            break;
        default:
            k.stay = u16(in.two() & ((1 << KINDS) - 1));
    }
}

void change(RuleSpec& s, Bytes& in) {
    switch (in.below(12)) {
        case 0:
            s.files = 1 + in.below(Frame::files);
            break;
        case 1:
            s.ranks = 1 + in.below(Frame::ranks);
            break;
        case 2:
            s.water = any_set(in);
            break;
        case 3:
            s.land = any_set(in);
            break;
        case 4:
            s.mixed = any_set(in);
            break;
        case 5:
            s.river = in.below(13), s.bridge_files = in.two();
            break;
        case 6:
            s.corners.emplace_back(Square(in.byte()), Square(in.byte()));
            break;
        case 7:
            change_row(s.rows[1 + in.below(PIECES - 1)], in);
            break;
        case 8:
            change_kind(s.kinds[in.below(KINDS)], in);
            break;
        case 9:
            s.cargo.push_back({Kind(in.below(KINDS)), Kind(in.below(KINDS))});
            if (in.byte() & 1) s.cargo.back().push_back(Kind(in.below(KINDS)));
            break;
        case 10: {
            const SwitchRow& row = SWITCHES[in.below(int(std::size(SWITCHES)))];
            row.set(s.switches, in.below(row.words.empty() ? 2 : int(row.words.size())));
            break;
        }
        default:
            s.objective = Objective(in.below(5));
            s.arms[in.below(GROUPS_OF_ARMS)] = u16(in.two() & ((1 << KINDS) - 1));
    }
}

// A position of any board: pieces as the bytes say, wherever they may stand.
std::string any_fen(const Rules& rules, Bytes& in) {
    std::string fen;
    for (int rank = rules.spec.ranks - 1; rank >= 0; --rank) {
        for (int file = 0; file < rules.spec.files; ++file) {
            const u8 b = in.byte();
            const auto kind = Kind(b % KINDS);
            const bool here = (b & 0x80) && rules.facts(piece_of(kind, false)).present &&
                              rules.stand(kind).has(Frame::at(file, rank));
            const char letter = LETTERS[kind];
            fen += here ? (b & 0x40 ? letter : char(letter + 32)) : '1';
        }
        fen += rank ? '/' : ' ';
    }
    return fen + (in.byte() & 1 ? "r" : "b") + " - - 0 1";
}

// The reader takes runs of empty points only in one number.
std::string with_runs(const std::string& fen) {
    std::string out;
    int run = 0;
    for (std::size_t i = 0; i < fen.size(); ++i) {
        const bool placement = i < fen.find(' ');
        if (placement && fen[i] == '1' && ++run) continue;
        if (run) out += std::to_string(run);
        run = 0;
        out += fen[i];
    }
    return out + (run ? std::to_string(run) : "");
}

void play(Position p, Bytes& in) {
    Undo undo;
    for (int i = 0; i < 6; ++i) {
        Moves moves;
        p.legal_moves(moves);
        cheap_laws<Ctl>(p, moves);
        law_lists_agree<Ctl>(p, moves);
        law_undo_is_the_inverse<Ctl>(p, moves);
        law_a_fen_round_trips<Ctl>(p, moves);
        p.outcome(1);
        if (moves.empty()) return;
        law_texts_round_trip<Ctl>(p, moves[0]);
        p.make(moves[in.below(moves.size())], undo);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    Bytes in(data, size);
    RuleSpec spec = Ctl::rules(in.byte()).spec;
    for (int n = in.below(12); n > 0; --n) change(spec, in);
    const Rules rules(spec);
    const auto own = read_fen(rules, spec.start);
    if (own) play(*own, in);
    const auto other = read_fen(rules, with_runs(any_fen(rules, in)));
    if (other) play(*other, in);
    return 0;
}
