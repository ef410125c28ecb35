/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: the place that a thread is bound to.
 */
#ifndef OMPD_GOMP_PLACES_H
#define OMPD_GOMP_PLACES_H

#include "runtimes/world/world.h"

/** As `place` of struct world_family. */
ompd_rc_t gomp_place(aspace_t *aspace, const struct world *world, int32_t index, int *ret,
                     struct grown *processors);

#endif
