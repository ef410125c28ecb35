/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Operations of world_ops.h: control variables, and what no such runtime keeps for tools.
 */
#include "runtimes/world/world_ops.h"
#include "runtimes/world/world_ref.h"

ompd_rc_t world_op_tool_data(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref,
                             uint64_t *value, uint64_t *pointer)
{
    (void)value;
    (void)pointer;
    TRY(world_op_alive(aspace, what, ref));
    return ompd_rc_unsupported;
}

static bool is_of_region(enum rtm_icv icv)
{
    return icv == RTM_ICV_TEAM_SIZE || icv == RTM_ICV_REGION_LEVELS || icv == RTM_ICV_REGION_ACTIVE_LEVELS;
}

ompd_rc_t world_op_icv(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                       struct rtm_icv_value *ret)
{
    struct world *world;
    struct world_team *team;
    const struct world_task *task;
    if (ref == NULL) {
        TRY(world_get(aspace, &world));
        return aspace->rt->family->icv(aspace, world, icv, WORLD_NONE, scope, ret);
    }
    if (!is_of_region(icv)) {
        TRY(world_live_task(aspace, ref, &world, &task));
        return aspace->rt->family->icv(aspace, world, icv, (int32_t)(task - world->tasks), scope, ret);
    }
    TRY(world_live_team(aspace, ref, &world, &team));
    ret->item[0] = icv == RTM_ICV_TEAM_SIZE       ? team->size
                   : icv == RTM_ICV_REGION_LEVELS ? team->level
                                                  : team->active_level;
    ret->count = 1;
    ret->cut = false;
    return ompd_rc_ok;
}

ompd_rc_t world_op_icv_text(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                            struct grown *ret)
{
    (void)aspace;
    (void)icv;
    (void)ref;
    (void)scope;
    (void)ret;
    return ompd_rc_unsupported;
}

ompd_rc_t world_op_setting_text(aspace_t *aspace, enum rtm_setting setting, struct grown *ret)
{
    (void)aspace;
    (void)setting;
    (void)ret;
    return ompd_rc_unsupported;
}
