/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/world/world_ref.h"

ompd_rc_t world_live_thread(aspace_t *aspace, const struct rtm_ref *ref, struct world **world,
                            const struct world_thread **ret)
{
    TRY(world_get(aspace, world));
    const int32_t at = world_thread_at(*world, ref->address);
    if (at == WORLD_NONE || (*world)->threads[at].serial != ref->serial)
        return ompd_rc_stale_handle;
    *ret = &(*world)->threads[at];
    return ompd_rc_ok;
}

ompd_rc_t world_live_team(aspace_t *aspace, const struct rtm_ref *ref, struct world **world,
                          struct world_team **ret)
{
    TRY(world_get(aspace, world));
    const int32_t at = world_team_at(*world, ref->address);
    if (at == WORLD_NONE || (*world)->teams[at].serial != ref->serial)
        return ompd_rc_stale_handle;
    *ret = &(*world)->teams[at];
    return ompd_rc_ok;
}

ompd_rc_t world_live_task(aspace_t *aspace, const struct rtm_ref *ref, struct world **world,
                          const struct world_task **ret)
{
    TRY(world_get(aspace, world));
    const int32_t at = world_task_at(*world, ref->address);
    if (at == WORLD_NONE || (*world)->tasks[at].serial != ref->serial)
        return ompd_rc_stale_handle;
    *ret = &(*world)->tasks[at];
    return ompd_rc_ok;
}

ompd_rc_t world_give_thread(const struct world *world, int32_t index, struct rtm_ref *ret)
{
    if (index == WORLD_NONE)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){world->threads[index].address, world->threads[index].serial};
    return ompd_rc_ok;
}

ompd_rc_t world_give_team(const struct world *world, int32_t index, struct rtm_ref *ret)
{
    if (index == WORLD_NONE)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){world->teams[index].address, world->teams[index].serial};
    return ompd_rc_ok;
}

ompd_rc_t world_give_task(const struct world *world, int32_t index, struct rtm_ref *ret)
{
    if (index == WORLD_NONE)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){world->tasks[index].address, world->tasks[index].serial};
    return ompd_rc_ok;
}

uint64_t world_team_id(const struct world *world, int32_t index)
{
    return index == WORLD_NONE ? 0 : world->teams[index].address;
}

uint64_t world_task_id(const struct world *world, int32_t index)
{
    return index == WORLD_NONE ? 0 : world->tasks[index].address;
}
