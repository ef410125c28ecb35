/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The variables by which MPI, its launchers and batch systems tell a process which one it is.
 */
#ifndef INSPECT_LAUNCHER_H
#define INSPECT_LAUNCHER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAUNCHER_VALUE = 64, LAUNCHER_VARIABLES = 24 };

/** The values of one environment; zeroed at first. */
struct launcher {
    char value[LAUNCHER_VARIABLES][LAUNCHER_VALUE]; /**< "" none */
};

/** What they say. NULL, and -1 of a number: unknown. */
struct launcher_told {
    int64_t rank, size;
    const char *job, *step, *name_space; /**< of struct launcher */
};

/** The name of variable INDEX, from 0; NULL after the last. */
const char *launcher_name(int index);
/** Takes "NAME=VALUE" if it is one of them. A value that is too long stays unknown. */
void launcher_take(struct launcher *l, const char *text);
void launcher_tell(const struct launcher *l, struct launcher_told *ret);

#ifdef __cplusplus
}
#endif
#endif
