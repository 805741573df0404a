// The only file that includes nanobind: the core's face towards Python.
#include <nanobind/nanobind.h>

NB_MODULE(_core, m) { m.doc() = "The C++ core of cotulenh."; }
