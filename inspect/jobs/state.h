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
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of a process is compared: deeper stacks and longer lists are cut, so that no state is endless. */
enum { STATE_FRAMES_MAX = 64, STATE_ROWS_MAX = 1000, STATE_PROBLEMS_MAX = 8 };

/** What is good of OBJECT, which somebody has written; NULL: it is no state. */
json_t *state_read(const json_t *object);
/** VALUE in the one way in which equal ones are written alike; malloc'ed. */
char *state_canonical(const json_t *value);

/** By the words of the verdict. */
bool state_proved(const json_t *state);
bool state_suspected(const json_t *state);
/** The call of MPI in which one of its threads is, NULL. */
const char *state_mpi(const json_t *state);

#ifdef __cplusplus
}
#endif
#endif
