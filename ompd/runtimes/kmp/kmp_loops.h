/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: what the records of loops (kmp_loop_records.h) mean.
 */
#ifndef OMPD_KMP_LOOPS_H
#define OMPD_KMP_LOOPS_H

#include "runtimes/kmp/kmp.h"

/** world_family.loop */
WARN_UNUSED ompd_rc_t kmp_loop(aspace_t *aspace, struct world *world, int32_t index, ompdx_loop_info_t *ret);

#endif
