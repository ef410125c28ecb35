/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: the loop that an implicit task is in, as far as libgomp records it: how it is divided, what is
 * left, and of a loop with schedule(static) which iterations each member has.
 */
#ifndef OMPD_GOMP_LOOPS_H
#define OMPD_GOMP_LOOPS_H

#include "runtimes/world/world.h"

/** struct world_family's `loop`. */
ompd_rc_t gomp_loop(aspace_t *aspace, struct world *world, int32_t task, ompdx_loop_info_t *ret);

#endif
