/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The one spelling of functions: from the linker's name of one to the name that its user has written.
 *
 *     _ZN4Grid5relaxEid, _ZN4Grid5relaxEid._omp_fn.0      Grid::relax
 *     _Z4workIiEvT_                                       work<int>
 *     __work_mod_MOD_smooth, _QMwork_modPsmooth           work_mod::smooth
 *     main.omp_outlined, main._omp_fn.0, main.cold        main
 *     clock_nanosleep@GLIBC_2.2.5                         clock_nanosleep
 *     __cxa_throw, __sin_fma                              as they are: only so can they be looked up
 *
 * clang up to 17 calls the body of each construct ".omp_outlined.", ".omp_task_entry." and a number: only the
 * construct says whose it is.
 */
#ifndef INSPECT_FUNCTION_H
#define INSPECT_FUNCTION_H

#include <stdbool.h>

#include "inspect/base/mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A longer symbol, or one of a longer name, is left as the linker has it: a few bytes of a hostile symbol
 * demangle to gigabytes. */
enum { FUNCTION_SYMBOL_MAX = 4096, FUNCTION_NAME_MAX = 65536 };

/**
 * The user's function, malloc'ed. SYMBOL may also be what a debugger has made of it: "main._omp_fn.0(void)".
 * NULL: out of memory, or the body of a construct that does not say whose it is (function_is_nameless).
 */
char *function_spelled(const char *symbol);
/** The same in A, FILE being the source of its line or NULL: gfortran's smooth_ of a Fortran file is
 * smooth. NULL also for NULL and "". */
const char *function_name(struct arena *a, const char *symbol, const char *file);
/** A variable's name from the linker's, malloc'ed: C++ and Fortran for people, all else as it is. */
char *function_demangled(const char *symbol);
/** The same in A. */
char *function_variable(struct arena *a, const char *symbol);

/** A type's name from that in its std::type_info, malloc'ed: "St13runtime_error" is std::runtime_error. */
char *function_type(const char *mangled);

/** Is it a function of the C++ library, by the namespaces that are its own? */
bool function_is_std(const char *symbol);
/** Does the compiler's name of a construct's body not tell whose it is? */
bool function_is_nameless(const char *symbol);
/** Is it a function that a compiler has made of a construct's body? */
bool function_is_outlined(const char *symbol);
/** The same, and the beginning of it, not its cold part. */
bool function_is_body(const char *symbol);
/**
 * Are INNER and OUTER, which calls it, one body? clang makes up to three functions of one: that of a task
 * calls the body, and with -g the body calls another one, ..._debug__.
 */
bool function_same_body(const char *inner, const char *outer);

#ifdef __cplusplus
}
#endif
#endif
