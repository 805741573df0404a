// Sets of the wide board as Python ints, bit int(square). The stable ABI of 3.12 reads and writes
// ints of one word only.
#pragma once

#include <nanobind/nanobind.h>

#include "board/window.hpp"

namespace cotulenh::bindings {

namespace nb = nanobind;

inline nb::int_ to_int(const WideSet& set) {
#if defined(Py_LIMITED_API)
    nb::int_ number(set.w[2]);
    for (const u64 word : {set.w[1], set.w[0]})
        number = nb::int_((number << nb::int_(64)) | nb::int_(word));
    return number;
#elif PY_VERSION_HEX >= 0x030D0000
    return nb::steal<nb::int_>(
        PyLong_FromUnsignedNativeBytes(set.w, sizeof set.w, Py_ASNATIVEBYTES_LITTLE_ENDIAN));
#else
    return nb::steal<nb::int_>(
        _PyLong_FromByteArray(reinterpret_cast<const unsigned char*>(set.w), sizeof set.w, 1, 0));
#endif
}

// ValueError if the number is negative or has bits beyond the three words.
inline WideSet from_int(nb::handle number) {
    WideSet set;
    if (!PyLong_Check(number.ptr())) throw nb::type_error("a set of squares is an int here");
#if defined(Py_LIMITED_API)
    nb::object rest = nb::borrow(number);
    for (u64& word : set.w) {
        word = PyLong_AsUnsignedLongLongMask(rest.ptr());
        rest = rest >> nb::int_(64);
    }
    if (!PyObject_IsTrue(rest.ptr())) return set;
#elif PY_VERSION_HEX >= 0x030D0000
    const Py_ssize_t size =
        PyLong_AsNativeBytes(number.ptr(), set.w, sizeof set.w,
                             Py_ASNATIVEBYTES_LITTLE_ENDIAN | Py_ASNATIVEBYTES_UNSIGNED_BUFFER |
                                 Py_ASNATIVEBYTES_REJECT_NEGATIVE);
    if (size >= 0 && size <= Py_ssize_t(sizeof set.w)) return set;
#else
    auto* const digits = reinterpret_cast<PyLongObject*>(number.ptr());
    if (_PyLong_AsByteArray(digits, reinterpret_cast<unsigned char*>(set.w), sizeof set.w, 1, 0) ==
        0)
        return set;
#endif
    PyErr_Clear();
    throw nb::value_error(
        "expected a set of squares, got a negative number or bits outside the board");
}

}  // namespace cotulenh::bindings
