// SPDX-License-Identifier: Apache-2.0
// The API as a table, so that one test body runs against linked code or against a loaded libompd.so; and a
// mark that tells whether control is in the library (not in one of the tool's callbacks).
#ifndef OMPD_TESTS_API_H
#define OMPD_TESTS_API_H

#include "omp-tools.h"
#include "ompdx.h"

struct Api {
#define X(name) decltype(&::name) name;
#include "ompd/tests/api_list.def"
#undef X
};

/** Of the code that this test was linked with; only where //ompd:core is. */
Api LinkedApi();

// Volatile: to a compiler malloc reads no variables of ours.
extern thread_local volatile int in_library;

struct Inside {
    Inside() { in_library = in_library + 1; }
    ~Inside() { in_library = in_library - 1; }
};
struct Outside { // in a callback
    int saved = in_library;
    Outside() { in_library = 0; }
    ~Outside() { in_library = saved; }
};

template <typename... P, typename... A> ompd_rc_t Call(ompd_rc_t (*function)(P...), A... arguments)
{
    Inside inside;
    return function(arguments...);
}

#endif
