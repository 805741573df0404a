// What the files of the chess door know of each other.
#pragma once

#include <nanobind/nanobind.h>

namespace cotulenh::bindings {

void bind_chess(nanobind::module_& m);
void bind_chess_tables(nanobind::module_& m);

}  // namespace cotulenh::bindings
