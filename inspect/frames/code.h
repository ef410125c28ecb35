/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Whose code an address is in. Stacks, waits, names and the debuggers' commands all ask here (debuggers by
 * insp_code_at).
 *
 * The evidence, in this order:
 *   1. A file with Companion's note: the range of code that its table publishes is the runtime's.
 *   2. The name of a library, by its file or its DT_SONAME (target/library.c).
 *   3. What a library exports: MPI_Init; or GOMP_parallel or __kmpc_fork_call, if it has the version nodes of
 *      a runtime.
 *   4. Where a library is installed. A system library that needs an OpenMP runtime counts as the user's code:
 *      its threads and regions are what a user of this tool looks for.
 *   5. In a static program: code with lines is the user's, and a function without lines that has a name of
 *      libc's is libc's. Whose the rest is, is not known.
 */
#ifndef INSPECT_CODE_H
#define INSPECT_CODE_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Whose code is at ADDR, by the modules of the last scan. PLACE: what the host knows of ADDR; NULL: it is
 * asked where that counts. For a return address pass the one before it.
 */
enum insp_code code_at(insp_session *s, uint64_t addr, const struct insp_place *place);
/**
 * The same of a FRAME. Code of the program's file is a library's where its function is declared in a header
 * of the system. Where that is not known, the function's name tells or, of what is inlined, the line. The
 * line alone does not: compilers give lines of headers to code of the user's functions.
 */
enum insp_code code_of_frame(insp_session *s, uint64_t addr, const struct insp_frame *frame);

/** Is it a header that is installed with the system or a compiler? */
bool code_is_system_header(const char *file);

/** Path of the file at ADDR, by the modules of the last scan; NULL when there is none, or it has no name.
 *  *base (may be NULL): where its header is. */
const char *code_file(insp_session *s, uint64_t addr, uint64_t *base);

/** True where the user's code is, or may be: what is not known is not hidden. */
bool code_is_users(enum insp_code code);
#ifdef __cplusplus
}
#endif
#endif
