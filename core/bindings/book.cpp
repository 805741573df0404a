// Opening books for Python: collecting, building and reading them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bindings/errors.hpp"
#include "games/chess/pgn.hpp"
#include "games/ctl/pgn.hpp"
#include "games/pgn_book.hpp"

namespace cotulenh::bindings {
namespace {

using namespace nanobind::literals;

using Variants = pgn::Variants<ctl::Rules>;
using View = pgn::GameView<chess::PgnGame, ctl::PgnGame>;
using BookPtr = std::shared_ptr<const book::Book>;

struct Batch {
    std::vector<book::Played> played;
    u64 games;
};

Batch collect(const Variants& variants, nb::bytes block, std::string variant, u32 turns) {
    const std::string_view text(PyBytes_AsString(block.ptr()),
                                std::size_t(PyBytes_Size(block.ptr())));
    const nb::gil_scoped_release release;
    pgn::BookCollector<View> collector(std::move(variant), turns);
    pgn::each_game<chess::PgnGame, ctl::PgnGame>(
        variants, text, [&](const View& game, u32) { collector.add(game); });
    return {std::move(collector.played), collector.games};
}

// The core's reasons are about files and their contents: ValueError.
void raise_if(const TextError& error) {
    if (error) throw nb::value_error(error.reason.c_str());
}

nb::list listed(std::span<const book::Entry> entries) {
    nb::list out;
    for (const book::Entry& e : entries)
        out.append(nb::make_tuple(e.move, e.count, e.wins, e.draws, e.losses,
                                  e.scored ? nb::object(nb::float_(double(e.score))) : nb::none()));
    return out;
}

constexpr const char* ROWS = "list[tuple[int, int, int, int, int, float | None]]";

void bind_builder(nb::module_& m) {
    using book::Builder;
    nb::class_<Batch>(m, "Batch", "What some games add to a book.")
        .def_ro("games", &Batch::games, "How many games they are.")
        .def("__len__", [](const Batch& b) { return b.played.size(); });
    m.def("collect", collect, "variants"_a, "block"_a, "variant"_a, "turns"_a,
          nb::sig("def collect(variants: cotulenh._core.pgn.Variants, block: bytes, variant: str, "
                  "turns: int) -> Batch"),
          "The first turns of the games of a block that are of one variant.");
    nb::class_<Builder>(m, "Builder", "Collects games and writes a book.")
        .def(
            "__init__",
            [](Builder* self, std::string path, std::string variant, std::size_t memory_mb) {
                new (self) Builder(std::move(path), std::move(variant), memory_mb << 20);
            },
            "path"_a, "variant"_a, "memory_mb"_a)
        .def(
            "add",
            [](Builder& b, const Batch& batch) {
                TextError error;
                {
                    const nb::gil_scoped_release release;
                    error = b.add(batch.played, batch.games);
                }
                raise_if(error);
            },
            "batch"_a, "Adds games.")
        .def(
            "add_book",
            [](Builder& b, const BookPtr& book) {
                TextError error;
                {
                    const nb::gil_scoped_release release;
                    error = b.add(*book);
                }
                raise_if(error);
            },
            "book"_a, "Adds all that a book has.")
        .def(
            "finish",
            [](Builder& b, u32 least) {
                TextError error;
                {
                    const nb::gil_scoped_release release;
                    error = b.finish(least);
                }
                raise_if(error);
            },
            "least"_a, "Writes the book, without positions that fewer games reached.");
}

void bind_reader(nb::module_& m) {
    using book::Book;
    static const std::string find_sig = std::string("def find(self, key: int) -> ") + ROWS;
    static const std::string entries_sig =
        std::string("def entries(self, position: int) -> tuple[int, ") + ROWS + "]";
    nb::class_<Book>(m, "Book", "A book that is open for reading.")
        .def_static(
            "open",
            [](const std::string& path) {
                TextError error;
                BookPtr book = Book::open(path, error);
                raise_if(error);
                return std::const_pointer_cast<Book>(book);
            },
            "path"_a, "Opens and checks a file; ValueError says what is wrong with it.")
        .def_prop_ro("variant", [](const Book& b) { return b.about().variant; })
        .def_prop_ro("games", [](const Book& b) { return b.about().games; })
        .def_prop_ro("positions", [](const Book& b) { return b.about().positions; })
        .def_prop_ro("moves", [](const Book& b) { return b.about().entries; })
        .def(
            "find", [](const Book& b, u64 key) { return listed(b.find(key)); }, "key"_a,
            nb::sig(find_sig.c_str()),
            "The moves of a position: bits, games, wins, draws and losses of the side that moves, "
            "mean evaluation in centipawns.")
        .def(
            "entries",
            [](const Book& b, u64 position) {
                if (position >= b.about().positions) throw nb::index_error("no such position");
                return nb::make_tuple(b.key(position), listed(b.entries(position)));
            },
            "position"_a, nb::sig(entries_sig.c_str()), "The key and the moves of a position.");
}

}  // namespace

void bind_book(nb::module_& m) {
    nb::module_ book = m.def_submodule("book", "Opening books of both games.");
    bind_builder(book);
    bind_reader(book);
}

}  // namespace cotulenh::bindings
