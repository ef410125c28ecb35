/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: internal control variables. Each task has its own copy of those that are inherited.
 */
#ifndef OMPD_GOMP_ICVS_H
#define OMPD_GOMP_ICVS_H

#include "runtimes/world/world.h"

/** struct world_family's `icv`. */
ompd_rc_t gomp_icv(aspace_t *aspace, const struct world *world, enum rtm_icv icv, int32_t task,
                   ompd_scope_t scope, struct rtm_icv_value *ret);

#endif
