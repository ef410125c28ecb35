/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From handles to rows of a `struct world` and back.
 */
#ifndef OMPD_WORLD_REF_H
#define OMPD_WORLD_REF_H

#include "runtimes/world/world.h"

/** The row that REF names. Codes: ok; stale_handle: it has none any more; those of world_get. */
WARN_UNUSED ompd_rc_t world_live_thread(aspace_t *aspace, const struct rtm_ref *ref, struct world **world,
                                        const struct world_thread **ret);
WARN_UNUSED ompd_rc_t world_live_team(aspace_t *aspace, const struct rtm_ref *ref, struct world **world,
                                      struct world_team **ret);
WARN_UNUSED ompd_rc_t world_live_task(aspace_t *aspace, const struct rtm_ref *ref, struct world **world,
                                      const struct world_task **ret);

/** What names the row INDEX. unavailable: it is WORLD_NONE. */
WARN_UNUSED ompd_rc_t world_give_thread(const struct world *world, int32_t index, struct rtm_ref *ret);
WARN_UNUSED ompd_rc_t world_give_team(const struct world *world, int32_t index, struct rtm_ref *ret);
WARN_UNUSED ompd_rc_t world_give_task(const struct world *world, int32_t index, struct rtm_ref *ret);

/** Id of the row INDEX, 0 for WORLD_NONE. */
uint64_t world_team_id(const struct world *world, int32_t index);
uint64_t world_task_id(const struct world *world, int32_t index);

#endif
