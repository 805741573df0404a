// Rule sets and their tables for Python. The dictionaries come checked from cotulenh.rules.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/wide.hpp"
#include "games/ctl/rules.hpp"

namespace cotulenh::bindings {
namespace {

using namespace ctl;
using RulesPtr = std::shared_ptr<const Rules>;

template <class T>
T get(const nb::dict& d, const char* key) {
    if (!d.contains(key)) throw nb::value_error((std::string("missing: ") + key).c_str());
    return nb::cast<T>(d[key]);
}

// Numbers from a dictionary that index tables: refused outside their range.
int number(const nb::dict& d, const char* key, int most) {
    const int n = get<int>(d, key);
    if (n < 0 || n > most) throw nb::value_error((std::string("out of range: ") + key).c_str());
    return n;
}

constexpr int LONGEST = 12;  // no board is longer

Row row(const nb::dict& d) {
    const auto range = [&](const char* key) { return u8(number(d, key, LONGEST)); };
    return {range("move_o"),  range("move_d"),  range("take_o"), range("take_d"),
            range("ships_o"), range("ships_d"), range("ring"),   get<bool>(d, "ignores_rings")};
}

// The number of a word in its field's list.
int word(const nb::dict& d, std::string_view field, Words words) {
    const std::string given = get<std::string>(d, std::string(field).c_str());
    const auto found = std::find(words.begin(), words.end(), given);
    if (found != words.end()) return int(found - words.begin());
    throw nb::value_error(
        (std::string(field) + ": expected one of its words, got " + given).c_str());
}

constexpr Words TAKE_BLOCKING = Words(BLOCKING).first(2);

KindFacts kind(const nb::dict& d) {
    KindFacts f;
    f.present = get<bool>(d, "present");
    if (!f.present) return f;
    f.move_blocked = Blocking(word(d, "move_blocked", BLOCKING));
    f.take_blocked = Blocking(word(d, "take_blocked", TAKE_BLOCKING));
    f.stands = Stands(word(d, "stands", STANDS));
    for (const FlagRow& row : FLAGS) f.*row.flag = get<bool>(d, std::string(row.name).c_str());
    f.points = u16(number(d, "points", 10'000));
    f.stay = u16(number(d, "stay", (1 << KINDS) - 1));
    return f;
}

Switches switches(const nb::dict& d) {
    Switches s;
    for (const SwitchRow& row : SWITCHES)
        row.set(s, row.words.empty() ? int(get<bool>(d, std::string(row.name).c_str()))
                                     : word(d, row.name, row.words));
    return s;
}

nb::tuple tuple_of(Words words) {
    nb::list out;
    for (const std::string_view w : words) out.append(nb::str(w.data(), w.size()));
    return nb::tuple(out);
}

// What a rule file may say: the fields that hold a word with their words, the names of the others.
nb::dict vocabulary() {
    nb::dict words;
    const auto add = [&](std::string_view field, Words list) {
        words[nb::str(field.data(), field.size())] = tuple_of(list);
    };
    add("move_blocked", BLOCKING);
    add("take_blocked", TAKE_BLOCKING);
    add("stands", STANDS);
    add("objective", OBJECTIVES);
    add("objectives", ARMS);
    std::vector<std::string_view> flags, names;
    for (const FlagRow& row : FLAGS) flags.push_back(row.name);
    for (const SwitchRow& row : SWITCHES) {
        names.push_back(row.name);
        if (!row.words.empty()) add(row.name, row.words);
    }
    add("flags", flags);
    add("switches", names);
    return words;
}

RuleSpec spec(const nb::dict& d) {
    RuleSpec out;
    out.name = get<std::string>(d, "name");
    out.start = get<std::string>(d, "start");
    out.files = number(d, "files", Frame::files);
    out.ranks = number(d, "ranks", Frame::ranks);
    out.water = from_int(d["water"]);
    out.land = from_int(d["land"]);
    out.mixed = from_int(d["mixed"]);
    out.bridges = from_int(d["bridges"]);
    out.river = number(d, "river", LONGEST);
    out.bridge_files = u16(number(d, "bridge_files", 0xFFFF));
    for (const auto& [a, b] : get<std::vector<std::pair<int, int>>>(d, "corners"))
        out.corners.emplace_back(Square(a), Square(b));
    const nb::list rows = get<nb::list>(d, "rows"), kinds = get<nb::list>(d, "kinds");
    if (rows.size() != 2 * KINDS || kinds.size() != KINDS) throw nb::value_error("eleven kinds");
    for (int k = 0; k < KINDS; ++k) {
        out.kinds[k] = kind(nb::cast<nb::dict>(kinds[k]));
        for (const bool heroic : {false, true})
            out.rows[piece_of(Kind(k), heroic)] = row(nb::cast<nb::dict>(rows[2 * k + heroic]));
    }
    for (const auto& stack : get<std::vector<std::vector<int>>>(d, "cargo")) {
        out.cargo.emplace_back();
        for (const int k : stack) out.cargo.back().push_back(Kind(k % KINDS));
    }
    out.switches = switches(get<nb::dict>(d, "switches"));
    out.objective = Objective(word(d, "objective", OBJECTIVES));
    const nb::dict groups = get<nb::dict>(d, "groups");
    int i = 0;
    for (const std::string_view name : ARMS)
        out.arms[i++] = u16(number(groups, std::string(name).c_str(), (1 << KINDS) - 1));
    return out;
}

// Squares and directions are checked in Python, and here once more: nothing may crash.
Square on(const Rules& rules, int square) {
    if (square < 0 || square >= Frame::size || !rules.rays.board().has(square))
        throw nb::value_error(("expected a square, got " + std::to_string(square)).c_str());
    return Square(square);
}
int way(int direction) {
    if (direction < 0 || direction >= DIRECTIONS)
        throw nb::value_error(("expected a direction, got " + std::to_string(direction)).c_str());
    return direction;
}
Piece code(int kind, bool heroic) {
    if (kind < 0 || kind >= KINDS)
        throw nb::value_error(("expected a kind, got " + std::to_string(kind)).c_str());
    return piece_of(Kind(kind), heroic);
}

struct Tables {
    RulesPtr rules;

    nb::int_ ray(int d, int s) const { return to_int(rules->rays.ray(way(d), on(*rules, s))); }
    nb::int_ ranged_ray(int d, int s, int n) const {
        return to_int(rules->rays.ranged(way(d), on(*rules, s), n));
    }
    nb::int_ blocked_ray(int d, int s, int n, nb::handle occupied) const {
        return to_int(rules->rays.blocked(way(d), on(*rules, s), n, from_int(occupied)));
    }
    nb::int_ between(int a, int b) const {
        return to_int(rules->rays.between(on(*rules, a), on(*rules, b)));
    }
    nb::int_ disc(int s, int r) const { return to_int(rules->rays.disc(on(*rules, s), r)); }

    // The blocked set of a piece's moving ranges, by its magic tables.
    Set seen(Piece p, Square s, const Set& occupied) const {
        const Row& row = rules->spec.rows[p];
        Set reach;
        for (int d = 0; d < DIRECTIONS; ++d)
            reach |= rules->rays.ranged(d, s, is_diagonal(d) ? row.move_d : row.move_o);
        return reach & Rules::seen(look_for(row.move_o, row.move_d), Padded(occupied), s);
    }
    nb::int_ lookup(int kind, bool heroic, int s, nb::handle occupied) const {
        return to_int(seen(code(kind, heroic), on(*rules, s), from_int(occupied)));
    }

    // (mask, magic, shift) of every part of a lookup; masks as sets of the board.
    nb::list magic(int kind, bool heroic, int square) const {
        const Square s = on(*rules, square);
        const Row& row = rules->spec.rows[code(kind, heroic)];
        const Look look = look_for(row.move_o, row.move_d);
        nb::list parts;
        if (look == Look::NOTHING) return parts;
        add_row(parts, s);
        if (look == Look::ORTHOGONAL || look == Look::FAR) {
            add_line(parts, s, COLUMN);
            if (look == Look::FAR) add_line(parts, s, RISING);
            if (look == Look::FAR) add_line(parts, s, FALLING);
        } else {
            add_window(parts, s, UP, int(look));
            add_window(parts, s, DOWN, int(look));
        }
        return parts;
    }

  private:
    void add(nb::list& parts, const Set& mask, u64 magic, u32 shift) const {
        parts.append(nb::make_tuple(to_int(mask & rules->rays.board()), magic, shift));
    }
    void add_row(nb::list& parts, Square s) const {
        Set mask;
        for (int f = 1; f < LINE_POINTS - 1; ++f) mask.add(Frame::at(f, Frame::rank_of(s)));
        add(parts, mask, u64(1) << 53, 54);
    }
    void add_line(nb::list& parts, Square s, Line line) const {
        for (int i = 0; i < Set::words; ++i) {
            Set mask;
            mask.w[i] = WINDOWS.line_mask[line][s][i];
            if (mask.any()) add(parts, mask, WINDOWS.line_magic[line][s][i], 60);
        }
    }
    void add_window(nb::list& parts, Square s, WindowSide side, int range) const {
        const MagicPart& part = WINDOWS.part[side][range][Frame::file_of(s)];
        u64 words[5]{};
        place(words, Frame::rank_of(s) + (side == UP ? 1 : -WINDOW_RANKS), part.mask);
        Set mask;
        for (int i = 0; i < Set::words; ++i) mask.w[i] = words[i + 1];
        add(parts, mask, part.magic, part.shift);
    }
};

}  // namespace

void bind_rules(nb::module_& m) {
    nb::class_<Rules>(m, "Rules", "A rule set with its derived tables.")
        .def(
            "__init__", [](Rules* self, const nb::dict& d) { new (self) Rules(spec(d)); },
            nb::arg("spec"), nb::sig("def __init__(self, spec: dict[str, object]) -> None"))
        .def_prop_ro("table_bytes", &Rules::bytes,
                     "Bytes of all tables, the shared magics included.");
    m.def("rule_vocabulary", &vocabulary,
          nb::sig("def rule_vocabulary() -> dict[str, tuple[str, ...]]"),
          "The words of rule files as the core spells them: of each field that holds one, of the "
          "yes/no columns (flags), of the switches, of the groups of arms (objectives).");
    nb::class_<Tables>(m, "Tables", "Rays and magics of a rule set's board, as plain ints.")
        .def(
            "__init__", [](Tables* self, RulesPtr rules) { new (self) Tables{std::move(rules)}; },
            nb::arg("rules"), nb::sig("def __init__(self, rules: Rules) -> None"))
        .def("ray", &Tables::ray, nb::arg("direction"), nb::arg("square"))
        .def("ranged_ray", &Tables::ranged_ray, nb::arg("direction"), nb::arg("square"),
             nb::arg("n"))
        .def(
            "blocked_ray", &Tables::blocked_ray, nb::arg("direction"), nb::arg("square"),
            nb::arg("n"), nb::arg("occupied"),
            nb::sig(
                "def blocked_ray(self, direction: int, square: int, n: int, occupied: int) -> int"))
        .def("between", &Tables::between, nb::arg("one"), nb::arg("other"))
        .def("disc", &Tables::disc, nb::arg("centre"), nb::arg("radius"))
        .def(
            "lookup", &Tables::lookup, nb::arg("kind"), nb::arg("heroic"), nb::arg("square"),
            nb::arg("occupied"),
            nb::sig("def lookup(self, kind: int, heroic: bool, square: int, occupied: int) -> int"),
            "Points seen from a square within the piece's moving range, first blockers included.")
        .def("magic", &Tables::magic, nb::arg("kind"), nb::arg("heroic"), nb::arg("square"),
             nb::sig("def magic(self, kind: int, heroic: bool, square: int)"
                     " -> list[tuple[int, int, int]]"),
             "The parts of a lookup: (mask, magic, shift) each.")
        .def_prop_ro_static(
            "magics_exact", [](nb::handle) { return WINDOWS.exact; },
            "Whether every stored magic is free of collisions.");
}

}  // namespace cotulenh::bindings
