// Chess towards Python: Move (interned), Board (position and history), and the tables.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include "bindings/chess.hpp"
#include "bindings/errors.hpp"
#include "bindings/perft.hpp"
#include "games/board.hpp"
#include "games/chess/notation.hpp"
#include "games/pgn.hpp"

namespace cotulenh::bindings {

using namespace nanobind::literals;
using chess::Bits;
using chess::Move;
using chess::Position;

namespace {

constexpr char STARTING[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// Objects of Python that the bindings hand out: adopted from the package when it loads, dropped
// when the interpreter ends. A move is one object for ever, so that equality is identity and a list
// of moves is a copy of pointers.
struct Borrowed {
    std::atomic<PyObject*> moves[1 << 16] = {};  // threads without a GIL may meet here
    nb::object squares, colors, kinds, move_kinds, moves_type, moves_type_960;
} borrowed;

nb::handle move_object(Move m) {
    std::atomic<PyObject*>& slot = borrowed.moves[m.bits()];
    PyObject* known = slot.load(std::memory_order_acquire);
    if (known) return known;
    nb::object made = nb::cast(m, nb::rv_policy::copy);
    if (!slot.compare_exchange_strong(known, made.ptr())) return known;
    return made.release();
}
nb::object give(Move m) { return nb::borrow(move_object(m)); }

nb::object item(const nb::object& tuple, std::size_t i) { return tuple[i]; }
nb::object square_or_none(Square s) {
    return s == NO_SQUARE ? nb::none() : item(borrowed.squares, s);
}

void drop_borrowed() {
    for (std::atomic<PyObject*>& slot : borrowed.moves) Py_XDECREF(slot.exchange(nullptr));
    borrowed.squares = borrowed.colors = borrowed.kinds = borrowed.move_kinds =
        borrowed.moves_type = borrowed.moves_type_960 = nb::object();
}

// The type of lists of moves that the package adopted: a tuple that understands plain moves too.
PyTypeObject* moves_type(bool chess960 = false) {
    const nb::object& type = chess960 ? borrowed.moves_type_960 : borrowed.moves_type;
    return reinterpret_cast<PyTypeObject*>(type.ptr());
}

// The stable ABI has no look inside of types and tuples; what it has instead is a little slower.
#if defined(Py_LIMITED_API)
PyObject* new_tuple(PyTypeObject* type, Py_ssize_t n) {
    return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, n);
}
void put(PyObject* tuple, Py_ssize_t i, PyObject* owned) { PyTuple_SetItem(tuple, i, owned); }
#else
PyObject* new_tuple(PyTypeObject* type, Py_ssize_t n) { return type->tp_alloc(type, n); }
void put(PyObject* tuple, Py_ssize_t i, PyObject* owned) { PyTuple_SET_ITEM(tuple, i, owned); }
#endif

template <class List>
nb::object tuple_of(const List& moves, std::size_t begin = 0, PyTypeObject* type = nullptr) {
    const Py_ssize_t n = Py_ssize_t(std::size_t(moves.size()) - begin);
    PyObject* tuple = type ? new_tuple(type, n) : PyTuple_New(n);
    if (!tuple) throw nb::python_error();
    for (Py_ssize_t i = 0; i < n; ++i)
        put(tuple, i, move_object(*(moves.begin() + begin + i)).inc_ref().ptr());
    return nb::steal(tuple);
}

using Board = cotulenh::Board<Position>;

Board board_of(nb::handle fen, bool chess960) {
    if (!PyUnicode_Check(fen.ptr()))
        throw nb::type_error(("expected a FEN, got " + std::string(nb::repr(fen).c_str())).c_str());
    return Board(read_trimmed<Position>(
        utf8(fen), [&](std::string_view text) { return chess::read_fen({chess960}, text); }));
}

[[noreturn]] void refuse_move(const Board& b, Move m) {
    throw_illegal("illegal move: " + chess::write_lan(m) + ", " +
                  chess::why_illegal(b.position(), m));
}

Move require_legal(const Board& b, Move m) {
    const Move meant = playable(b).resolve(m);
    if (!meant) refuse_move(b, m);
    return meant;
}

Move checked_pop(Board& b) {
    if (b.ply() == 0) throw nb::index_error("there is no move to take back");
    return b.pop();
}

// Moves -----------------------------------------------------------------------------------------

Py_hash_t hash_move(PyObject* self) { return nb::inst_ptr<Move>(self)->bits(); }
PyObject* int_of_move(PyObject* self) { return PyLong_FromLong(nb::inst_ptr<Move>(self)->bits()); }
PyType_Slot move_slots[] = {{Py_tp_hash, (void*)hash_move},
                            {Py_nb_int, (void*)int_of_move},
                            {Py_nb_index, (void*)int_of_move},
                            {0, nullptr}};

Move move_from_int(std::int64_t bits) {
    if (bits < 0 || bits > 0xFFFF) throw nb::value_error("a move has 16 bits");
    return Move::from_bits(u32(bits));
}

// A move as its parts say, which a board takes for castling or en passant where it means that.
Move plain_move(const nb::object& from, const nb::object& to, const nb::object& promotion) {
    const nb::object square = nb::module_::import_("cotulenh.chess.squares").attr("Square");
    const int start = nb::cast<int>(nb::int_(square(from)));
    const int goal = nb::cast<int>(nb::int_(square(to)));
    if (promotion.is_none()) return Move::of(start, goal);
    const nb::object kind = nb::module_::import_("cotulenh.chess.squares").attr("Kind")(promotion);
    const int number = nb::cast<int>(kind.attr("index"));
    if (number < chess::KNIGHT || number > chess::QUEEN)
        throw nb::value_error("expected a promotion to knight, bishop, rook or queen");
    return Move::of(start, goal, chess::PROMOTION, chess::Kind(number));
}

void bind_move(nb::module_& m) {
    nb::class_<Move>(m, "Move", nb::is_final(), nb::type_slots(move_slots),
                     "A move in 16 bits: from 6, to 6, promotion 2, kind 2. Equal moves are one "
                     "object.")
        .def(nb::new_([](nb::object from, nb::object to, nb::object promotion) {
                 return give(plain_move(from, to, promotion));
             }),
             "from_square"_a, "to_square"_a, "promotion"_a = nb::none())
        .def_static(
            "null", [] { return give(Move{}); }, nb::sig("def null() -> Move"),
            "The null move, which passes the turn (Board.push_null plays it): false, 0000 as text, "
            "-- in PGN.")
        .def("__bool__", [](Move self) { return bool(self); })
        .def_static(
            "from_int", [](std::int64_t bits) { return give(move_from_int(bits)); }, "bits"_a,
            nb::sig("def from_int(bits: int) -> Move"), "The move of a packed 16-bit form.")
        .def_static(
            "from_uci",
            [](nb::str text) {
                const std::string_view view = utf8(text);
                return give(checked<Position>(chess::read_plain_lan(view), view));
            },
            "text"_a, nb::sig("def from_uci(text: str) -> Move"),
            "Takes e2e4 or e7e8q at its word. Without a board it is never castling or en passant; "
            "Board.push understands it all the same.")
        .def(
            "uci", [](Move self) { return chess::write_lan(self); },
            "The move as e2e4, e7e8q; castling as the king moves, e1g1.")
        .def_prop_ro(
            "from_square", [](Move self) { return item(borrowed.squares, self.from()); },
            nb::sig("def from_square(self) -> cotulenh.chess.squares.Square"),
            "Where the piece comes from.")
        .def_prop_ro(
            "to_square", [](Move self) { return item(borrowed.squares, self.to()); },
            nb::sig("def to_square(self) -> cotulenh.chess.squares.Square"),
            "Where it goes; in castling, where the king goes.")
        .def_prop_ro(
            "promotion",
            [](Move self) {
                const bool promotes = self.kind() == chess::PROMOTION;
                return promotes ? item(borrowed.kinds, self.promotion()) : nb::none();
            },
            nb::sig("def promotion(self) -> cotulenh.chess.squares.Kind | None"),
            "What a pawn becomes.")
        .def_prop_ro(
            "kind", [](Move self) { return item(borrowed.move_kinds, self.kind()); },
            nb::sig("def kind(self) -> cotulenh.chess.squares.MoveKind"),
            "NORMAL, PROMOTION, EN_PASSANT or CASTLING.")
        .def("__str__", [](Move self) { return chess::write_lan(self); })
        .def("__repr__", [](Move self) {
            // What a UCI text cannot say is said in bits.
            const auto plain = chess::read_plain_lan(chess::write_lan(self));
            if (plain && *plain == self) return "Move.from_uci('" + chess::write_lan(self) + "')";
            return "Move.from_int(" + std::to_string(self.bits()) + ")";
        });
}

// Board -----------------------------------------------------------------------------------------

using BoardClass = nb::class_<Board>;

using Reader = Result<Move> (*)(const Position&, std::string_view);

nb::object push_text(Board& b, nb::str text, Reader read) {
    const std::string_view view = utf8(text);
    const Move m = checked<Position>(read(playable(b), view), view);
    b.push(m);
    return give(m);
}

nb::object parse_text(Board& b, nb::str text, Reader read) {
    const std::string_view view = utf8(text);
    return give(checked<Position>(read(playable(b), view), view));
}

// A whole game's moves. All or nothing: at the first trouble the board is as it was.
nb::object push_sans(Board& b, nb::str text) {
    const std::string_view view = utf8(text);
    pgn::Tokens tokens(view, 0, true);
    const int before = b.ply();
    const auto restore = [&] {
        while (b.ply() > before) b.pop();
    };
    std::size_t depth = 0, opened = 0;
    for (pgn::Token token = tokens.next(); token.kind != pgn::Token::END; token = tokens.next()) {
        if (*token.reason && token.text != "e.p.") {
            restore();
            throw_parse(characters(view, token.offset), token.reason);
        }
        if (token.kind == pgn::Token::OPENING && depth++ == 0) opened = token.offset;
        depth -= token.kind == pgn::Token::CLOSING;
        if (token.kind == pgn::Token::RESULT && depth == 0) break;
        if (token.kind != pgn::Token::WORD || depth) continue;
        const Result<Move> read = chess::read_san(playable(b), token.text);
        if (read) {
            b.push(*read);
            continue;
        }
        restore();
        TextError error = read.error();
        const std::size_t at = characters(view, token.offset);
        if (error.fault != Fault::UNREADABLE) error.reason += " (at " + std::to_string(at) + ")";
        refuse<Position>(error, token.text, at);
    }
    if (depth) {
        restore();
        throw_parse(characters(view, opened), "a variation that does not end");
    }
    return tuple_of(b.moves(), std::size_t(before));
}

void bind_pushing(BoardClass& c) {
    c.def(
         "push",
         [](Board& b, nb::handle given) { b.push(require_legal(b, move_given<Move>(given))); },
         "move"_a.none(), nb::sig("def push(self, move: Move) -> None"),
         "Plays a legal move; IllegalMoveError otherwise. A plain move that can only mean castling "
         "or en passant (as from_uci gives) is understood.")
        .def(
            "push_unchecked",
            [](Board& b, nb::handle given) {
                const Move m = move_given<Move>(given);
                if (!playable(b).is_legal(m)) refuse_move(b, m);
                b.push(m);
            },
            "move"_a.none(), nb::sig("def push_unchecked(self, move: Move) -> None"),
            "Plays a move that is known to be legal, exactly these bits. One that would break the "
            "board is refused all the same (IllegalMoveError); nothing else is asked.")
        .def(
            "pop", [](Board& b) { return give(checked_pop(b)); }, nb::sig("def pop(self) -> Move"),
            "Takes back the last move and returns it; IndexError if there is none.")
        .def(
            "push_null",
            [](Board& b) {
                if (playable(b).in_check()) throw_illegal("a side in check cannot pass");
                b.push_null();
            },
            "Passes the turn; IllegalMoveError in check.")
        .def(
            "undo", [](Board& b) { checked_pop(b); }, "Takes back the last move.")
        .def(
            "push_san", [](Board& b, nb::str t) { return push_text(b, t, chess::read_san); },
            "text"_a, nb::sig("def push_san(self, text: str) -> Move"),
            "Plays a move given as SAN.")
        .def(
            "push_uci", [](Board& b, nb::str t) { return push_text(b, t, chess::read_lan); },
            "text"_a, nb::sig("def push_uci(self, text: str) -> Move"),
            "Plays a move given as UCI.")
        .def("push_sans", push_sans, "text"_a,
             nb::sig("def push_sans(self, text: str) -> tuple[Move, ...]"),
             "Plays the moves of a game's text, skipping numbers, comments, variations and marks, "
             "up to the result or the end. At the first trouble the board is as it was.");
}

void bind_text(BoardClass& c) {
    c.def(
         "fen", [](const Board& b) { return chess::write_fen(b.position()); },
         "The position as FEN; the en passant square only if such a capture is legal.")
        .def(
            "san",
            [](const Board& b, nb::handle given) {
                return chess::write_san(b.position(), require_legal(b, move_given<Move>(given)));
            },
            "move"_a.none(), nb::sig("def san(self, move: Move) -> str"),
            "A legal move in standard algebraic notation.")
        .def(
            "uci",
            [](const Board& b, nb::handle given) {
                return chess::write_lan(b.position(), require_legal(b, move_given<Move>(given)));
            },
            "move"_a.none(), nb::sig("def uci(self, move: Move) -> str"),
            "A legal move as UCI; in Chess960 castling is the king taking its rook.")
        .def(
            "parse_san", [](Board& b, nb::str t) { return parse_text(b, t, chess::read_san); },
            "text"_a, nb::sig("def parse_san(self, text: str) -> Move"),
            "The legal move that a SAN means.")
        .def(
            "parse_uci", [](Board& b, nb::str t) { return parse_text(b, t, chess::read_lan); },
            "text"_a, nb::sig("def parse_uci(self, text: str) -> Move"),
            "The legal move that a UCI text means; castling as e1g1 or e1h1.")
        .def("_history", &Board::history, "san"_a)
        .def(
            "_moves", [](const Board& b) { return tuple_of(b.moves()); },
            nb::sig("def _moves(self) -> tuple[Move, ...]"));
}

template <class Generate>
nb::object listed(const Board& b, Generate&& generate) {
    MoveList<Move> moves;
    generate(playable(b), moves);
    return tuple_of(moves, 0, moves_type());
}

// In Chess960 castling is also known as the king taking its rook, which only a board can tell.
nb::object legal_moves(const Board& b) {
    MoveList<Move> moves;
    const Position& p = playable(b);
    p.legal_moves(moves);
    nb::object out = tuple_of(moves, 0, moves_type(p.rules().chess960));
    if (!p.rules().chess960) return out;
    nb::list names;
    for (const Move m : moves)
        if (m.kind() == chess::CASTLING) names.append(give(Move::of(m.from(), p.castling_rook(m))));
    out.attr("castling") = names;
    return out;
}

void bind_moves(BoardClass& c) {
    const auto list = nb::sig("def legal_moves(self) -> cotulenh.chess.squares.Moves[Move]");
    c.def_prop_ro(
         "legal_moves", [](const Board& b) { return legal_moves(b); }, list,
         "The legal moves now: a tuple that later moves on the board do not change. Plain moves "
         "that "
         "mean castling or en passant are in it.")
        .def_prop_ro(
            "pseudo_legal_moves",
            [](const Board& b) {
                return listed(b, [](const Position& p, auto& out) { p.pseudo_legal_moves(out); });
            },
            nb::sig("def pseudo_legal_moves(self) -> cotulenh.chess.squares.Moves[Move]"),
            "Moves that would be legal if kings could be left or moved into check.")
        .def_prop_ro(
            "captures",
            [](const Board& b) {
                return listed(b, [](const Position& p, auto& out) { p.legal_takes(out); });
            },
            nb::sig("def captures(self) -> cotulenh.chess.squares.Moves[Move]"),
            "Legal captures and promotions.")
        .def_prop_ro(
            "quiets",
            [](const Board& b) {
                return listed(b, [](const Position& p, auto& out) { p.legal_quiets(out); });
            },
            nb::sig("def quiets(self) -> cotulenh.chess.squares.Moves[Move]"),
            "All other legal moves.")
        .def(
            "is_legal",
            [](const Board& b, nb::handle given) {
                return bool(playable(b).resolve(move_given<Move>(given)));
            },
            "move"_a.none(), nb::sig("def is_legal(self, move: Move) -> bool"),
            "Whether a move is legal. A plain one that means castling or en passant is that move.")
        .def(
            "_resolve",
            [](const Board& b, Move m) {
                const Move meant = playable(b).resolve(m);
                return meant ? give(meant) : nb::none();
            },
            nb::sig("def _resolve(self, move: Move) -> Move | None"))
        .def(
            "gives_check",
            [](const Board& b, nb::handle given) {
                return b.position().gives_check(require_legal(b, move_given<Move>(given)));
            },
            "move"_a.none(), nb::sig("def gives_check(self, move: Move) -> bool"),
            "Whether a legal move puts the other king in check.");
}

// Puts pieces up, one byte a square. What cannot be played is kept as unfinished.
void set_up(Board& b, nb::bytes pieces, int turn, u64 castling, int en_passant, u32 halfmove,
            u32 fullmove) {
    if (pieces.size() != 64) throw nb::value_error("expected 64 pieces");
    chess::Setup setup;
    std::copy(pieces.c_str(), pieces.c_str() + 64, setup.board);
    setup.turn = Side(turn & 1);
    setup.castling_rooks = castling;
    setup.en_passant = en_passant < 64 ? Square(en_passant) : NO_SQUARE;
    setup.halfmove = halfmove;
    setup.fullmove = fullmove;
    const auto rules = b.position().rules();
    Position made;
    const u32 problems = made.set(setup, rules);
    b = problems ? Board(Position::unfinished(setup, rules), problems) : Board(made);
}

void bind_state(BoardClass& c) {
    c.def_prop_ro(
         "turn", [](const Board& b) { return item(borrowed.colors, b.position().turn()); },
         nb::sig("def turn(self) -> cotulenh.chess.squares.Color"), "The side to move.")
        .def_prop_ro(
            "key", [](const Board& b) { return b.position().key(); },
            "The 64-bit Zobrist key: placement, turn, castling rights, usable en passant.")
        .def_prop_ro(
            "halfmove_clock", [](const Board& b) { return b.position().halfmove(); },
            "Plies since the last capture or pawn move.")
        .def_prop_ro(
            "fullmove_number", [](const Board& b) { return b.position().fullmove(); },
            "The move number, one more after each move of Black.")
        .def_prop_ro(
            "ep_square", [](const Board& b) { return square_or_none(b.position().en_passant()); },
            nb::sig("def ep_square(self) -> cotulenh.chess.squares.Square | None"),
            "Where a pawn may be captured en passant now, if it legally may.")
        .def_prop_ro(
            "chess960", [](const Board& b) { return b.position().rules().chess960; },
            "Whether castling follows the rules of Chess960.")
        .def_prop_ro("ply", &Board::ply, "How many moves the board remembers.")
        .def(
            "is_check",
            [](const Board& b) {
                const Position& p = b.position();
                return p.pieces(p.turn(), chess::KING) && p.in_check();
            },
            "Whether the side to move is in check.")
        .def(
            "is_checkmate",
            [](const Board& b) { return b.position().in_check() && !playable(b).has_legal_move(); },
            "Whether the side to move is mated.")
        .def(
            "is_stalemate",
            [](const Board& b) {
                return !playable(b).has_legal_move() && !b.position().in_check();
            },
            "Whether the side to move has no move and is not in check.")
        .def(
            "is_insufficient_material",
            [](const Board& b) { return b.position().insufficient_material(); },
            "Whether neither side has the material for any mate.")
        .def(
            "is_repetition", [](const Board& b, int n) { return b.repetitions() >= n; }, "n"_a = 3,
            "Whether the position stands on the board for at least the n-th time.");
}

// What the class in Python is made of.
void bind_parts(BoardClass& c) {
    c.def("_has_legal_move", [](const Board& b) { return playable(b).has_legal_move(); })
        .def("_piece", [](const Board& b, int s) { return b.position().at(Square(s & 63)); })
        .def("_kind", [](const Board& b, int k) { return b.position().pieces(chess::Kind(k % 6)); })
        .def("_side", [](const Board& b, int s) { return b.position().occupied(Side(s & 1)); })
        .def("_castling", [](const Board& b) { return b.position().castling_rooks(); })
        .def("_attacks", [](const Board& b, int s) { return b.position().attacks(Square(s & 63)); })
        .def("_board",
             [](const Board& b) {
                 const chess::Setup setup = b.position().setup();
                 return nb::bytes(reinterpret_cast<const char*>(setup.board), 64);
             })
        .def(
            "_status", [](const Board& b) { return problem_names<Position>(b.problems()); },
            nb::sig("def _status(self) -> list[str]"))
        .def("_set_up", set_up, "pieces"_a, "turn"_a, "castling"_a, "en_passant"_a, "halfmove"_a,
             "fullmove"_a)
        .def("_become", [](Board& b, const Board& other) { b = other; })
        .def("_rewind", &Board::rewind)
        .def("_attackers",
             [](const Board& b, int side, int square) {
                 return b.position().attackers(Side(side & 1), Square(square & 63),
                                               b.position().occupied());
             })
        .def("_state",
             [](const Board& b) {
                 const std::string_view bytes = b.position().bytes();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("_key_from_scratch", [](const Board& b) { return b.position().key_from_scratch(); })
        .def(
            "__eq__", [](const Board& a, const Board& b) { return a.position() == b.position(); },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Board& b) { return Py_hash_t(b.position().key() >> 1); });
}

void bind_board(nb::module_& m) {
    BoardClass c(m, "Board", "Position and history; cotulenh.chess.Board is its public face.");
    // Without arguments no text is read: a new game is worth a way of its own.
    c.def("__init__", [](Board* self) { new (self) Board(Position()); })
        .def(
            "__init__",
            [](Board* self, const Board& other, bool history) {
                history ? new (self) Board(other) : new (self) Board(other.position());
            },
            "other"_a, "history"_a)
        .def(
            "__init__",
            [](Board* self, nb::handle fen, bool chess960) {
                new (self) Board(board_of(fen, chess960));
            },
            "fen"_a.none() = STARTING, "chess960"_a = false,
            nb::sig("def __init__(self, fen: str = ..., chess960: bool = False) -> None"))
        .def(
            "perft",
            [](const Board& b, int depth, int threads, int hash_mb, u64 hash_seed) {
                return count_nodes(playable(b), depth, threads, hash_mb, hash_seed);
            },
            "depth"_a, "threads"_a = 1, "hash_mb"_a = 0, "hash_seed"_a = 0,
            "How many sequences of `depth` legal moves there are.")
        .def(
            "divide",
            [](const Board& b, int depth) { return divide_nodes(playable(b), depth, give); },
            "depth"_a, nb::sig("def divide(self, depth: int) -> dict[Move, int]"),
            "The same, for each first move.");
    bind_pushing(c);
    bind_text(c);
    bind_moves(c);
    bind_state(c);
    bind_parts(c);
}

}  // namespace

void bind_chess(nb::module_& m) {
    nb::module_ chess = m.def_submodule("chess", "Chess: moves, boards, tables.");
    bind_move(chess);
    bind_board(chess);
    bind_chess_tables(chess);
    chess.def(
        "_adopt",
        [](nb::tuple squares, nb::tuple colors, nb::tuple kinds, nb::tuple move_kinds,
           nb::object moves_type, nb::object moves_type_960) {
            borrowed.squares = squares;
            borrowed.colors = colors;
            borrowed.kinds = kinds;
            borrowed.move_kinds = move_kinds;
            borrowed.moves_type = moves_type;
            borrowed.moves_type_960 = moves_type_960;
        },
        "squares"_a, "colors"_a, "kinds"_a, "move_kinds"_a, "moves_type"_a, "moves_type_960"_a,
        "Tells the bindings which objects of Python to hand out.");
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(drop_borrowed));
}

}  // namespace cotulenh::bindings
