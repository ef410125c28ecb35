/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp.h"

#include "runtimes/gomp_icvs.h"
#include "runtimes/gomp_places.h"
#include "runtimes/gomp_loops.h"
#include "runtimes/gomp_new.h"
#include "runtimes/gomp_records.h"
#include "runtimes/gomp_stacks.h"
#include "runtimes/gomp_targets.h"
#include "runtimes/gomp_tasks.h"
#include "runtimes/gomp_teams.h"
#include "runtimes/gomp_waits.h"
#include "runtimes/world_ops.h"

/** Without these there is no thread to list. */
static const uint16_t needed[] = {LAY_S_gomp_thread,
                                  LAY_F_gomp_thread_team,
                                  LAY_F_gomp_thread_team_id,
                                  LAY_F_gomp_thread_level,
                                  LAY_F_gomp_thread_active_level,
                                  LAY_F_gomp_thread_task,
                                  LAY_F_gomp_thread_release,
                                  LAY_F_gomp_thread_thread_pool,
                                  LAY_F_gomp_thread_work_share,
                                  LAY_S_gomp_team,
                                  LAY_F_gomp_team_nthreads,
                                  LAY_F_gomp_team_prev_team,
                                  LAY_F_gomp_team_prev_team_id,
                                  LAY_F_gomp_team_prev_level,
                                  LAY_F_gomp_team_prev_active_level,
                                  LAY_F_gomp_team_master_release,
                                  LAY_F_gomp_team_ordered_release,
                                  LAY_F_gomp_team_barrier_total,
                                  LAY_F_gomp_team_barrier_generation,
                                  LAY_F_gomp_team_barrier_awaited,
                                  LAY_F_gomp_team_barrier_awaited_final,
                                  LAY_F_gomp_team_task_queue_root,
                                  LAY_F_gomp_team_task_queue_tasks,
                                  LAY_F_gomp_team_task_count,
                                  LAY_S_gomp_task,
                                  LAY_F_gomp_task_parent,
                                  LAY_F_gomp_task_children_root,
                                  LAY_F_gomp_task_children_tasks,
                                  LAY_F_gomp_task_taskgroup,
                                  LAY_F_gomp_task_dependers,
                                  LAY_F_gomp_task_taskwait,
                                  LAY_F_gomp_task_node_team,
                                  LAY_F_gomp_task_node_children,
                                  LAY_F_gomp_task_node_taskgroup,
                                  LAY_F_gomp_task_fn,
                                  LAY_F_gomp_task_kind,
                                  LAY_F_gomp_task_final_task,
                                  LAY_F_gomp_task_icv,
                                  LAY_S_gomp_taskgroup,
                                  LAY_F_gomp_taskgroup_prev,
                                  LAY_F_gomp_taskgroup_queue_root,
                                  LAY_F_gomp_taskgroup_queue_tasks,
                                  LAY_V_gomp_tls_data,
                                  0};

static ompd_rc_t check(aspace_t *aspace)
{
    struct lay *lay = &aspace->lay;
    const char **lacks = aspace->stock->lacks;
    if (lacks[ompdx_ability_owners] == NULL)
        lacks[ompdx_ability_owners] = "libgomp records who holds a nest lock, and of no other mutex";
    TRY(lay_require(lay, needed));
    lay_default(lay, LAY_F_gomp_thread_num_teams, 0); /* before version 12 no thread has them */
    lay_default(lay, LAY_F_gomp_thread_team_num, 0);
    lay_default(lay, LAY_F_gomp_task_depend_count, 0); /* a layout read from code alone lacks these */
    lay_default(lay, LAY_F_gomp_task_num_dependees, 0);
    const uint64_t implicit = lay_offset(lay, LAY_F_gomp_team_implicit_task); /* an array without a size */
    if (aspace->tgt.sizes.sizeof_pointer == 8 && lay_has(lay, LAY_F_gomp_team_implicit_task) &&
        implicit >= 8 && implicit <= lay_size(lay, LAY_S_gomp_team) &&
        lay_size(lay, LAY_S_gomp_thread) <= BRK_SLOT_BYTES_MAX &&
        lay_size(lay, LAY_S_gomp_task) <= BRK_SLOT_BYTES_MAX &&
        lay_size(lay, LAY_S_gomp_team) <= BRK_SLOT_BYTES_MAX)
        return ompd_rc_ok;
    tgt_say("libompd: the layout of libgomp has structures of a size that none of its versions has.\n");
    return ompd_rc_incompatible;
}

/**
 * Where several threads have records and not one of them agrees with its team, what was read is something
 * else. Codes: ok; error, after a sentence.
 */
static ompd_rc_t believe(const struct gomp *gomp)
{
    size_t records = 0;
    for (size_t i = 0; i < gomp->native_count; i++) {
        if (gomp->natives[i].thread == WORLD_NONE || gomp->natives[i].lone != GOMP_LONE_NO)
            continue;
        if (gomp->natives[i].refused == NULL)
            return ompd_rc_ok;
        records++;
    }
    if (records < 2)
        return ompd_rc_ok;
    tgt_say("libompd: no thread's record agrees with that of its team; the layout is not that of this "
            "libgomp, or its memory is damaged.\n");
    return ompd_rc_error;
}

static ompd_rc_t build(aspace_t *aspace, struct world *world)
{
    struct gomp gomp = {.aspace = aspace, .world = world};
    TRY(gomp_read_records(&gomp));
    TRY(gomp_find_creators(&gomp));
    gomp_find_idle(&gomp);
    TRY(gomp_find_teams(&gomp));
    TRY(gomp_find_targets(&gomp));
    TRY(gomp_enter_members(&gomp));
    TRY(gomp_find_new(&gomp));
    TRY(gomp_enter_threads(&gomp));
    TRY(believe(&gomp));
    TRY(gomp_find_tasks(&gomp));
    TRY(gomp_relate_tasks(&gomp));
    return gomp_find_waits(&gomp);
}

static ompd_rc_t openmp_version(aspace_t *aspace, ompd_word_t *ret)
{
    if (!lay_has(&aspace->lay, LAY_C_gomp_openmp_version))
        return ompd_rc_unavailable;
    *ret = (ompd_word_t)lay_constant(&aspace->lay, LAY_C_gomp_openmp_version);
    return ompd_rc_ok;
}

static ompd_rc_t version_string(aspace_t *aspace, const char **ret)
{
    const struct stock *stock = aspace->stock;
    return tgt_strdup(stock->row != NULL ? stock->row->name : "libgomp", ret);
}

static const struct world_family family = {
    .build = build,
    .loop = gomp_loop,
    .icv = gomp_icv,
    .place = gomp_place,
    .openmp_version = openmp_version,
    .version_string = version_string,
};

const struct rtm_ops rtm_gomp = {.kind = "libgomp", .family = &family, .check = check, WORLD_OPS};
