/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names of C++ that the demangler does not take, without their template arguments.
 */
#ifndef INSPECT_CUT_NAME_H
#define INSPECT_CUT_NAME_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * "at::internal::invoke_parallel<...>" of a mangled function (Itanium C++ ABI, section 5.1) whose name is
 * nested in namespaces and classes, or of a lambda in a function, malloc'ed. NULL: it is of another kind (a
 * conversion, a special name), has more than 4,095 bytes, or out of memory.
 */
char *cut_name(const char *symbol);

#ifdef __cplusplus
}
#endif
#endif
