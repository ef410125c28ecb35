/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names of objects in memory: of the program's variables and their parts, on stacks, and of what pointers
 * lead to. What is asked of the host for that is remembered for one stop of the process.
 */
#ifndef INSPECT_NAMES_OBJECT_H
#define INSPECT_NAMES_OBJECT_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct objects;

/** The session's, made if need be; NULL out of memory. */
struct objects *objects_of(insp_session *session);
/** As insp_name. */
int objects_name(struct objects *objects, uint64_t addr, const struct insp_viewer *viewers, uint32_t count,
                 struct insp_object *ret) INSP_WARN_UNUSED;
/** NULL is allowed. */
void objects_free(struct objects *objects);

#ifdef __cplusplus
}
#endif
#endif
