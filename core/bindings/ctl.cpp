// Moves and boards of Cờ Tư Lệnh for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/boards.hpp"
#include "bindings/errors.hpp"
#include "bindings/perft.hpp"
#include "bindings/wide.hpp"
#include "games/board.hpp"
#include "games/ctl/attacks.hpp"
#include "games/ctl/notation.hpp"

namespace cotulenh::bindings {
namespace {

using namespace ctl;
using RulesPtr = std::shared_ptr<const Rules>;

// Moves are immutable, so the objects may be shared: a direct-mapped cache of those seen lately.
// Threads without a GIL would meet in it, so there every move is made anew.
class MoveCache {
  public:
    static nb::object get(Move m) {
#if defined(NB_FREE_THREADED)
        return nb::cast(m);
#else
        nb::object& slot = slots()[(m.bits() * 0x9E3779B1u) >> (32 - BITS)];
        if (!slot.is_valid() || !(nb::cast<Move&>(slot) == m)) slot = nb::cast(m);
        return slot;
#endif
    }
    static void clear() { slots().assign(SIZE, nb::object()); }

  private:
    static constexpr int BITS = 14;
    static constexpr std::size_t SIZE = std::size_t(1) << BITS;
    static std::vector<nb::object>& slots() {
        static auto* const all = new std::vector<nb::object>(SIZE);
        return *all;
    }
};

nb::list as_list(const std::vector<Move>& moves) {
    nb::list out;
    for (const Move m : moves) out.append(MoveCache::get(m));
    return out;
}

// A snapshot of moves: a sequence that makes its objects when they are asked for.
struct MoveSequence {
    std::vector<Move> moves;

    static MoveSequence of(const Moves& list) { return {{list.begin(), list.end()}}; }
    nb::object at(Py_ssize_t i) const {
        const Py_ssize_t n = Py_ssize_t(moves.size());
        if (i < 0) i += n;
        if (i < 0 || i >= n) throw nb::index_error("no such move");
        return MoveCache::get(moves[std::size_t(i)]);
    }
    bool contains(nb::handle object) const {
        Move m;
        if (!nb::try_cast(object, m)) return false;
        return std::find(moves.begin(), moves.end(), m) != moves.end();
    }
};

// Squares, sides and kinds are checked in Python; once more here, so that nothing can crash.
Square on(const PyBoard& b, int square) {
    if (square < 0 || square >= Frame::size || !b.rules->rays.board().has(square))
        throw nb::value_error(("expected a square, got " + std::to_string(square)).c_str());
    return Square(square);
}
Side side(int s) {
    if (s != 0 && s != 1)
        throw nb::value_error(("expected a side, got " + std::to_string(s)).c_str());
    return Side(s);
}
Kind kind(int k) {
    if (k < 0 || k >= KINDS)
        throw nb::value_error(("expected a kind, got " + std::to_string(k)).c_str());
    return Kind(k);
}

[[noreturn]] void refuse_move(PyBoard& b, Move m) {
    const std::string text = m.well_formed() ? write_lan(m) : std::to_string(m.bits());
    throw_illegal("illegal move: " + text + ", " + why_illegal(b.position(), m));
}

void push(PyBoard& b, nb::handle given) {
    const Move m = move_given<Move>(given);
    if (!playable(b.board).is_legal(m)) refuse_move(b, m);
    b.board.push(m);
}

nb::object parse(PyBoard& b, nb::str given) {
    const std::string_view text = utf8(given);
    return MoveCache::get(checked<Position>(read_san(playable(b.board), text), text));
}

// One move, or the steps of a whole turn; the board stays as it was if any of it is refused.
nb::object push_text(PyBoard& b, nb::str given) {
    const std::string_view text = utf8(given);
    const auto moves = checked<Position>(read_turn(playable(b.board), text), text);
    for (const Move m : moves) b.board.push(m);
    if (moves.size() == 1) return MoveCache::get(moves[0]);
    return as_list(moves);
}

Move checked_pop(PyBoard& b) {
    if (b.board.ply() == 0) throw nb::index_error("there is no move to take back");
    return b.board.pop();
}

void undo(PyBoard& b) {
    if (b.board.ply() == 0) throw nb::index_error("there is no move to take back");
    b.board.undo();
}

void commit(PyBoard& b) {
    playable(b.board);
    const Move m = Move::commit(b.position().deploying() ? b.position().origin() : Square(0));
    if (!b.position().is_legal(m)) throw_illegal(why_illegal(b.position(), m));
    b.board.push(m);
}

void push_null(PyBoard& b) {
    const Position& p = playable(b.board);
    if (p.deploying()) throw_illegal("a side that is deploying cannot pass");
    if (p.in_check()) throw_illegal("a side in check cannot pass");
    b.board.push_null();
}

std::string text_of(PyBoard& b, nb::handle given, bool san) {
    const Move m = move_given<Move>(given);
    if (!playable(b.board).is_legal(m)) refuse_move(b, m);
    return san ? write_san(b.position(), m) : write_lan(m);
}

// What this side has taken (10.4).
int points(const Board<Position>& board, Side side) {
    int points = 0;
    for (int i = 0; i < board.ply(); ++i)
        if (board.played(i).undo.turn == side) points += board.played(i).undo.taken;
    return points;
}

nb::list attackers(PyBoard& b, int by, int square) {
    nb::list out;
    const auto add = [&](Square from, Kind kind) {
        const nb::object pair = nb::make_tuple(int(from), int(kind));
        if (!nb::cast<bool>(out.attr("__contains__")(pair))) out.append(pair);
    };
    const Position& p = b.position();
    const Square s = on(b, square);
    p.each_attacker(side(by), s, [&](Square from, Piece piece) { add(from, kind_of(piece)); });
    // 6.4: a Commander attacks the one he faces, at any distance.
    const bool faces = s == p.commander(Side(by ^ 1)) && p.facing_commanders() &&
                       p.rules().sw.facing == Facing::CHECK;
    if (faces) add(p.commander(side(by)), p.rules().commander());
    return out;
}

// Every bit that make and unmake could touch, for the tests of 'undo is the inverse of make'.
nb::bytes state(PyBoard& b) {
    const Position& p = b.position();
    std::string out = write_fen(p);
    const auto add = [&](const auto& value) {
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    add(p.key());
    add(p.occupied());
    for (const Side s : {FIRST, SECOND}) {
        add(p.occupied(s));
        add(p.commander(s));
        for (Piece q = 1; q < PIECES; ++q) add(p.pieces(s, q));
        const int n = p.count(s);
        add(n);
    }
    const u16 g[2] = {p.remaining().bits(), p.original().bits()};
    add(g);
    return nb::bytes(out.data(), out.size());
}

std::vector<std::string_view> problems(PyBoard& b) {
    return problem_names<Position>(b.board.problems() | remarks(b.position()));
}

nb::object outcome(PyBoard& b) {
    playable(b.board);
    const auto o = b.board.outcome();
    if (!o) return nb::none();
    const nb::object winner =
        o->winner == NOBODY ? nb::object(nb::none()) : nb::object(nb::int_(o->winner));
    return nb::make_tuple(winner, nb::cast(o->reason));
}

nb::object square_object(Square s) {
    return nb::module_::import_("cotulenh.squares").attr("Square")(int(s));
}

// The pieces of a group as (kind, heroic) pairs, carrier first.
nb::list pieces_of(Group group) {
    nb::list out;
    each_piece(group, [&](Piece p) { out.append(nb::make_tuple(int(kind_of(p)), is_heroic(p))); });
    return out;
}

MoveSequence legal(PyBoard& b) {
    Moves moves;
    playable(b.board).legal_moves(moves);
    return MoveSequence::of(moves);
}

// The legal moves in two parts, as a search asks for them.
std::pair<MoveSequence, MoveSequence> takes_and_quiets(PyBoard& b) {
    Moves takes, quiets;
    b.position().legal_takes(takes);
    Position p = b.position();
    Moves all;
    Set doubtful;
    p.quiets(all, doubtful);
    quiets.ensure(all.size());
    for (const Move m : all)
        if (!Position::is_doubtful(m, doubtful) || p.is_safe(m)) quiets.add(m);
    return {MoveSequence::of(takes), MoveSequence::of(quiets)};
}

MoveSequence pseudo_legal(PyBoard& b) {
    Moves moves;
    playable(b.board).pseudo_legal_moves(moves);
    return MoveSequence::of(moves);
}

bool same(PyBoard& a, PyBoard& b) {
    return a.rules == b.rules && a.position().key() == b.position().key() &&
           write_fen(a.position()) == write_fen(b.position());
}

void bind_move_kind(nb::module_& m) {
    nb::enum_<MoveKind>(m, "MoveKind", "What a move does (4, 5, 7, 8).")
        .value("NORMAL", NORMAL)
        .value("CAPTURE", CAPTURE)
        .value("STAY", STAY)
        .value("EXCHANGE", EXCHANGE)
        .value("COMBINE", COMBINE)
        .value("BREACH", BREACH)
        .value("COMMIT", COMMIT);
}

void bind_made_moves(nb::class_<Move>& c) {
    c.def_static(
         "from_int",
         [](u32 bits) {
             const Move v = Move::from_bits(bits);
             if (!v.well_formed())
                 throw nb::value_error(("no move has these bits: " + std::to_string(bits)).c_str());
             return MoveCache::get(v);
         },
         nb::arg("bits"), nb::sig("def from_int(bits: int) -> Move"),
         "The move of a packed integer; ValueError if none has these bits.")
        .def_static(
            "from_lan",
            [](nb::str text) {
                const std::string_view view = utf8(text);
                return MoveCache::get(checked<Position>(read_plain_lan(view), view));
            },
            nb::arg("text"), nb::sig("def from_lan(text: str) -> Move"),
            "Takes a text such as Mg5g6 or Tc3>xe3 at its word (12.1); no board is asked.")
        .def_static(
            "null", [] { return MoveCache::get(Move{}); }, nb::sig("def null() -> Move"),
            "The null move, which passes the turn (Board.push_null plays it): false, 0000 as text, "
            "-- in PGN.");
}

void bind_move(nb::module_& m) {
    nb::class_<Move> c(m, "Move", nb::is_final());
    bind_made_moves(c);
    c.def_prop_ro(
         "from_square", [](Move v) { return square_object(v.from()); },
         nb::sig("def from_square(self) -> cotulenh.squares.Square"), "Where the pieces come from.")
        .def_prop_ro(
            "to_square", [](Move v) { return square_object(v.to()); },
            nb::sig("def to_square(self) -> cotulenh.squares.Square"),
            "Where they go, or what they take; the origin again for a commit.")
        .def_prop_ro(
            "pieces",
            [](Move v) {
                return nb::module_::import_("cotulenh.pieces")
                    .attr("pieces_of")(pieces_of(v.group()));
            },
            nb::sig("def pieces(self) -> tuple[cotulenh.pieces.Piece, ...]"),
            "What moves, carrier first; the pieces have no colour here.")
        .def_prop_ro("kind", &Move::kind, "What the move does.")
        .def_prop_ro("is_deploy", &Move::deploy, "Whether it is a step or the end of a deployment.")
        .def_prop_ro("is_take", &Move::takes, "Whether it takes something.")
        .def("__bool__", [](Move v) { return bool(v); })
        .def("__int__", [](Move v) { return v.bits(); })
        .def("__index__", [](Move v) { return v.bits(); })
        .def("__hash__", [](Move v) { return v.bits(); })
        .def(
            "__eq__",
            [](Move v, nb::handle other) {
                Move o;
                return nb::try_cast(other, o) && o == v;
            },
            nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "lan", [](Move v) { return write_lan(v); },
            "The move's text (12.1), unique in a position.")
        .def("__str__", [](Move v) { return write_lan(v); })
        .def("__repr__", [](Move v) {
            // What a text cannot say without a board (a breach) is said in bits.
            const auto plain = read_plain_lan(write_lan(v));
            if (plain && *plain == v) return "Move.from_lan('" + write_lan(v) + "')";
            return "Move.from_int(" + std::to_string(v.bits()) + ")";
        });
}

void bind_move_sequence(nb::module_& m) {
    nb::class_<MoveSequence>(m, "MoveSequence", "A snapshot of moves, in generation order.")
        .def("__len__", [](const MoveSequence& s) { return s.moves.size(); })
        .def("__getitem__", &MoveSequence::at,
             nb::sig("def __getitem__(self, index: int, /) -> Move"))
        .def("__contains__", &MoveSequence::contains, nb::arg("move").none(),
             nb::sig("def __contains__(self, move: object, /) -> bool"))
        .def(
            "__iter__", [](const MoveSequence& s) { return nb::iter(as_list(s.moves)); },
            nb::sig("def __iter__(self) -> typing.Iterator[Move]"))
        .def("__bool__", [](const MoveSequence& s) { return !s.moves.empty(); })
        .def("__repr__", [](const MoveSequence& s) {
            std::string out = "<" + std::to_string(s.moves.size()) + " moves";
            for (std::size_t i = 0; i < s.moves.size() && i < 8; ++i)
                out += (i ? ", " : ": ") + write_lan(s.moves[i]);
            return out + (s.moves.size() > 8 ? ", …>" : ">");
        });
}

void bind_reason(nb::module_& m) {
    nb::enum_<Reason>(m, "Reason", "Why a game is over (10).")
        .value("COMMANDER_TAKEN", Reason::COMMANDER_TAKEN)
        .value("CHECKMATE", Reason::CHECKMATE)
        .value("OBJECTIVE", Reason::OBJECTIVE)
        .value("STALEMATE", Reason::STALEMATE)
        .value("REPETITION", Reason::REPETITION)
        .value("CLOCK", Reason::CLOCK);
}

using BoardClass = nb::class_<PyBoard>;

void bind_set_up(BoardClass& c) {
    c.def(
         "__init__",
         [](PyBoard* self, RulesPtr rules, nb::str fen) {
             const Position p = read_trimmed<Position>(
                 utf8(fen), [&](std::string_view text) { return read_fen(*rules, text); });
             new (self) PyBoard{std::move(rules), Board<Position>(p)};
         },
         nb::arg("rules"), nb::arg("fen"),
         nb::sig("def __init__(self, rules: Rules, fen: str) -> None"))
        .def(
            "_set_up",
            [](PyBoard& b, nb::str fen) {
                const std::string_view text = utf8(fen);
                const SetUp made = checked<Position>(read_set_up(*b.rules, text), text);
                b.board = Board<Position>(made.position, made.problems);
            },
            nb::arg("fen"))
        .def("_rewind", [](PyBoard& b) { b.board.rewind(); })
        .def_prop_ro("_unfinished", [](PyBoard& b) { return b.board.problems() != 0; })
        .def("push_null", &push_null,
             "Passes the turn; IllegalMoveError in check and during a deployment.")
        .def(
            "__init__", [](PyBoard* self, const PyBoard& other) { new (self) PyBoard(other); },
            nb::arg("other"));
}

void bind_position(BoardClass& c) {
    c.def(
         "fen", [](PyBoard& b) { return write_fen(b.position()); }, "The position as FEN (11).")
        .def_prop_ro("_turn", [](PyBoard& b) { return int(b.position().turn()); })
        .def_prop_ro(
            "halfmove_clock", [](PyBoard& b) { return b.position().halfmove(); },
            "Half-turns since the last take (10.3).")
        .def_prop_ro(
            "fullmove_number", [](PyBoard& b) { return b.position().fullmove(); },
            "Grows after Blue's turn.")
        .def_prop_ro(
            "key", [](PyBoard& b) { return b.position().key(); },
            "64-bit Zobrist key of placement, heroes, side and deployment state.")
        .def("_key_from_scratch", [](PyBoard& b) { return b.position().key_from_scratch(); })
        .def("_state", &state)
        .def(
            "_at", [](PyBoard& b, int s) { return pieces_of(b.position().at(on(b, s))); },
            nb::sig("def _at(self, square: int) -> list[tuple[int, bool]]"))
        .def("_side_at",
             [](PyBoard& b, int s) {
                 const Stack stack = b.position().at(on(b, s));
                 return stack ? int(side_of(stack)) : -1;
             })
        .def("_pieces",
             [](PyBoard& b, int k, int s) { return to_int(b.position().pieces(side(s), kind(k))); })
        .def("_occupied",
             [](PyBoard& b, int s) {
                 return to_int(s < 0 ? b.position().occupied() : b.position().occupied(side(s)));
             })
        .def("_commander", [](PyBoard& b, int s) { return int(b.position().commander(side(s))); })
        .def("_takes_and_quiets", &takes_and_quiets)
        .def("_cover", [](PyBoard& b, int s) { return to_int(b.position().cover(side(s))); })
        .def("_attackers", &attackers,
             nb::sig("def _attackers(self, by: int, square: int)"
                     " -> list[tuple[int, int]]"))
        .def("_points", [](PyBoard& b, int s) { return points(b.board, side(s)); })
        .def_prop_ro(
            "_origin",
            [](PyBoard& b) { return b.position().deploying() ? int(b.position().origin()) : -1; })
        .def_prop_ro(
            "_remaining", [](PyBoard& b) { return pieces_of(b.position().remaining()); },
            nb::sig("def _remaining(self) -> list[tuple[int, bool]]"))
        .def_prop_ro(
            "_original", [](PyBoard& b) { return pieces_of(b.position().original()); },
            nb::sig("def _original(self) -> list[tuple[int, bool]]"))
        .def_prop_ro(
            "_steps", [](PyBoard& b) { return as_list(b.board.steps()); },
            nb::sig("def _steps(self) -> list[Move]"))
        .def_prop_ro("_problems", &problems);
}

void bind_playing(BoardClass& c) {
    c.def_prop_ro("legal_moves", &legal, "A snapshot of the legal moves.")
        .def_prop_ro("pseudo_legal_moves", &pseudo_legal,
                     "Moves by the pieces' own rules; the Commander's safety is not asked.")
        .def(
            "is_legal",
            [](PyBoard& b, nb::handle given) {
                return playable(b.board).is_legal(move_given<Move>(given));
            },
            nb::arg("move").none(), nb::sig("def is_legal(self, move: Move) -> bool"),
            "Whether a move is legal now.")
        .def("push", &push, nb::arg("move").none(), nb::sig("def push(self, move: Move) -> None"),
             "Plays a move; IllegalMoveError if it is not legal.")
        .def(
            "push_unchecked",
            [](PyBoard& b, nb::handle given) {
                const Move m = move_given<Move>(given);
                if (!playable(b.board).is_pseudo_legal(m)) refuse_move(b, m);
                b.board.push(m);
            },
            nb::arg("move").none(), nb::sig("def push_unchecked(self, move: Move) -> None"),
            "Plays a move that is known to be legal. One that would break the board is refused "
            "all the same (IllegalMoveError); nothing else is asked.")
        .def("push_lan", &push_text, nb::arg("text"),
             nb::sig("def push_lan(self, text: str) -> Move | list[Move]"),
             "Plays the text of one move, or of a whole deployment turn.")
        .def("push_san", &push_text, nb::arg("text"),
             nb::sig("def push_san(self, text: str) -> Move | list[Move]"),
             "Plays the text of one move, or of a whole deployment turn.")
        .def(
            "pop", [](PyBoard& b) { return MoveCache::get(checked_pop(b)); },
            nb::sig("def pop(self) -> Move"), "Takes back the last single move and returns it.")
        .def("undo", &undo,
             "Takes back the last step of an open deployment, or the last whole turn.")
        .def("commit", &commit, "Ends a deployment: the rest stays (8.2).");
}

void bind_text(BoardClass& c) {
    c.def(
         "lan", [](PyBoard& b, nb::handle move) { return text_of(b, move, false); },
         nb::arg("move").none(), nb::sig("def lan(self, move: Move) -> str"),
         "The text of a legal move, unique in the position (12.1).")
        .def(
            "san", [](PyBoard& b, nb::handle move) { return text_of(b, move, true); },
            nb::arg("move").none(), nb::sig("def san(self, move: Move) -> str"),
            "The short text of a legal move (12.2).")
        .def("parse_lan", &parse, nb::arg("text"),
             nb::sig("def parse_lan(self, text: str) -> Move"), "The legal move of a text.")
        .def("parse_san", &parse, nb::arg("text"),
             nb::sig("def parse_san(self, text: str) -> Move"), "The legal move of a text.")
        .def("_history", [](PyBoard& b, bool san) { return b.board.history(san); })
        .def_prop_ro(
            "ply", [](PyBoard& b) { return b.board.ply(); },
            "Single moves played since the first position.")
        .def_prop_ro(
            "move_stack", [](PyBoard& b) { return as_list(b.board.moves()); },
            nb::sig("def move_stack(self) -> list[Move]"), "The single moves played so far.");
}

void bind_end(BoardClass& c) {
    c.def(
         "is_check", [](PyBoard& b) { return b.position().in_check(); },
         "Whether the side to move is in check (6.4).")
        .def(
            "is_checkmate",
            [](PyBoard& b) {
                Position& p = playable(b.board);
                return !p.commander_lost() && p.in_check() && !p.has_legal_move();
            },
            "In check and without a legal move (10.1).")
        .def(
            "is_stalemate",
            [](PyBoard& b) {
                Position& p = playable(b.board);
                return !p.commander_lost() && !p.in_check() && !p.has_legal_move();
            },
            "Not in check and without a legal move (10.3).")
        .def(
            "is_game_over",
            [](PyBoard& b) { return playable(b.board), b.board.outcome().has_value(); },
            "Whether the game has ended (10).")
        .def(
            "is_repetition",
            [](PyBoard& b, int n) {
                return !b.position().deploying() && b.board.repetitions() >= n;
            },
            nb::arg("n") = 3, "Whether the position stood n times at the start of a turn (10.3).")
        .def("_outcome", &outcome,
             nb::sig("def _outcome(self) -> tuple[int | None, Reason] | None"));
}

void bind_perft(BoardClass& c) {
    c.def(
         "perft",
         [](PyBoard& b, int depth, int threads, int hash_mb, u64 hash_seed) {
             return count_nodes(playable(b.board), depth, threads, hash_mb, hash_seed);
         },
         nb::arg("depth"), nb::arg("threads") = 1, nb::arg("hash_mb") = 0, nb::arg("hash_seed") = 0,
         "Counts the sequences of `depth` moves; steps and commits count as moves.")
        .def(
            "divide",
            [](PyBoard& b, int depth) {
                return divide_nodes(playable(b.board), depth, &MoveCache::get);
            },
            nb::arg("depth"), nb::sig("def divide(self, depth: int) -> dict[Move, int]"),
            "Perft, move by move of the first ply.")
        .def("_same", &same);
}

}  // namespace

void bind_ctl(nb::module_& m) {
    bind_move_kind(m);
    bind_move(m);
    bind_move_sequence(m);
    bind_reason(m);
    BoardClass c(m, "Board", "A position with its history, in plain numbers.");
    bind_set_up(c);
    bind_position(c);
    bind_playing(c);
    bind_text(c);
    bind_end(c);
    bind_perft(c);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&MoveCache::clear));
}

}  // namespace cotulenh::bindings
