/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The state of one process as it is compared with others: without all that differs between two that do the
 * same.
 *
 * It is a JSON object: `program`, `verdict`, `sentence`, `signal`, `complete`, `problems`, `threads` and
 * `tasks`. Rows of `threads` are sorted, and equal ones are one row with a count. docs/json.md has the
 * keys.
 */
#ifndef INSPECT_STATE_H
#define INSPECT_STATE_H

#include <jansson.h>

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The keys by which states are put together, from coarse to exact; 128 bits in hexadecimal. */
enum { STATE_ZOOMS = 3 };
struct state_keys {
    char key[STATE_ZOOMS][33];
};

/** Of SNAPSHOT, which is made stable (insp_stable). NULL out of memory. */
json_t *state_of(insp_snapshot *snapshot);
/** What is good of OBJECT, which somebody has written; NULL: it is no state. */
json_t *state_read(const json_t *object);
void state_make_keys(const json_t *state, struct state_keys *ret);

/** By the words of the verdict. */
bool state_proved(const json_t *state);
bool state_suspected(const json_t *state);
/** The call of MPI in which one of its threads is, NULL. */
const char *state_mpi(const json_t *state);

#ifdef __cplusplus
}
#endif
#endif
