/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: what tasks are to each other and to threads: who executes them or has them on its stack, in which
 * state they are, what they wait for.
 */
#ifndef OMPD_GOMP_STACKS_H
#define OMPD_GOMP_STACKS_H

#include "runtimes/gomp/gomp.h"

/** Fills these members of the world's tasks, after gomp_find_tasks. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_relate_tasks(struct gomp *gomp);

#endif
