/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Types of C++ as std::type_info describes them in memory, and what std::exception::what() of an object would
 * return (Itanium C++ ABI, "Run-Time Type Information").
 */
#ifndef INSPECT_TYPE_INFO_H
#define INSPECT_TYPE_INFO_H

#include <stdbool.h>

#include "inspect/base/mem.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The name in the std::type_info at INFO, mangled, in A; NULL: it is none. */
const char *type_info_name(insp_session *s, struct arena *a, uint64_t info);

/** Is it std::string's, whose whole name nobody writes? */
bool type_info_is_string(const char *mangled);

/** The text of the thrown OBJECT of type INFO, in A: what() of a std::exception, or the string itself. NULL
 *  with *why: it is not known; NULL and *why NULL: the object has no text. */
const char *type_info_what(insp_session *s, struct arena *a, uint64_t info, uint64_t object,
                           const char **why);

#ifdef __cplusplus
}
#endif
#endif
