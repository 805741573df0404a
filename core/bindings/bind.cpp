// The core's face towards Python. Only this folder includes nanobind.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace cotulenh::bindings {
void bind_rules(nb::module_& m);
void bind_ctl(nb::module_& m);
void bind_chess(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_lab(nb::module_& m);
void bind_pgn(nb::module_& m);
void bind_book(nb::module_& m);
void bind_env(nb::module_& m);
}  // namespace cotulenh::bindings

NB_MODULE(_core, m) {
    // Boards and rules that a program keeps to its end are no leak: nothing to tell its user.
    nb::set_leak_warnings(false);
    m.doc() = "The C++ core of cotulenh.";
    cotulenh::bindings::bind_rules(m);
    cotulenh::bindings::bind_ctl(m);
    cotulenh::bindings::bind_chess(m);
    cotulenh::bindings::bind_engine(m);
    cotulenh::bindings::bind_lab(m);
    cotulenh::bindings::bind_pgn(m);
    cotulenh::bindings::bind_book(m);
    cotulenh::bindings::bind_env(m);
}
