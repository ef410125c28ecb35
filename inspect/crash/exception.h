/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The C++ exception that a thread handles, as the C++ runtimes of gcc (libstdc++) and clang (libc++abi) keep
 * it (Itanium C++ ABI, "Exception Handling"). Memory is read, and nothing is executed.
 */
#ifndef INSPECT_EXCEPTION_H
#define INSPECT_EXCEPTION_H

#include "inspect/model/crash.h"
#include "inspect/model/model.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills type, what and what_why: what T has caught last, and not left yet. Leaves type NULL where there is
 *  none, or where that cannot be known: *why says why then. */
void exception_find(insp_session *s, insp_snapshot *snap, const struct mdl_thread *t, struct mdl_crash *ret,
                    const char **why);

#ifdef __cplusplus
}
#endif
#endif
