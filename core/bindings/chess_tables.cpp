// The tables of the design notes, as Python reads them: views of the core's own memory.
#include <nanobind/nanobind.h>

#include "bindings/chess.hpp"
#include "games/chess/tables.hpp"

namespace cotulenh::bindings {

namespace nb = nanobind;
using namespace nb::literals;
using chess::TABLES;

namespace {

// A read-only memoryview of words, one or two-dimensional, that copies nothing. The tables live as
// long as the module.
nb::object view(const u64* words, std::size_t rows, std::size_t columns = 0) {
    const std::size_t count = rows * (columns ? columns : 1);
    char* bytes = reinterpret_cast<char*>(const_cast<u64*>(words));
    PyObject* raw = PyMemoryView_FromMemory(bytes, Py_ssize_t(8 * count), PyBUF_READ);
    if (!raw) throw nb::python_error();
    const nb::object flat = nb::steal(raw);
    if (!columns) return flat.attr("cast")("Q");
    return flat.attr("cast")("Q", nb::make_tuple(rows, columns));
}

nb::tuple masks_of(const MagicPart* parts, u64 MagicPart::* field) {
    nb::list out;
    for (int s = 0; s < 64; ++s) out.append(parts[s].*field);
    return nb::tuple(out);
}

Square checked_square(int square) {
    if (square < 0 || square > 63) throw nb::value_error("squares run from 0 to 63");
    return Square(square);
}

}  // namespace

void bind_chess_tables(nb::module_& m) {
    m.def("_tables", [] {
        nb::dict out;
        nb::list shifts, debruijn;
        for (int s = 0; s < 64; ++s) {
            shifts.append(int(TABLES.bishop[s].shift));
            debruijn.append(int(chess::DEBRUIJN_LOOKUP[s]));
        }
        out["RELEVANT_ROOK_BITMASKS"] = masks_of(TABLES.rook, &MagicPart::mask);
        out["ROOK_MAGICS"] = masks_of(TABLES.rook, &MagicPart::magic);
        out["ROOK_BIT_SHIFT"] = chess::ROOK_SHIFT;
        out["RELEVANT_BISHOP_BITMASKS"] = masks_of(TABLES.bishop, &MagicPart::mask);
        out["BISHOP_MAGICS"] = masks_of(TABLES.bishop, &MagicPart::magic);
        out["BISHOP_SHIFTS"] = nb::tuple(shifts);
        out["DEBRUIJN64"] = chess::DEBRUIJN;
        out["DEBRUIJN_LOOKUP_TABLE"] = nb::tuple(debruijn);
        out["ROOK_MOVES_TABLE"] = view(TABLES.rook_moves[0], 64, chess::ROOK_ROW);
        out["BISHOP_MOVES_TABLE"] = view(TABLES.bishop_moves[0], 64, chess::BISHOP_ROW);
        out["KNIGHT_MOVES"] = view(TABLES.knight, 64);
        out["KING_MOVES"] = view(TABLES.king, 64);
        out["PAWN_ATTACKS"] = nb::make_tuple(view(TABLES.pawn[0], 64), view(TABLES.pawn[1], 64));
        return out;
    });
    m.def("_rook_moves", [](int square, u64 occupied) {
        return chess::rook_attacks(checked_square(square), occupied);
    });
    m.def("_bishop_moves", [](int square, u64 occupied) {
        return chess::bishop_attacks(checked_square(square), occupied);
    });
}

}  // namespace cotulenh::bindings
