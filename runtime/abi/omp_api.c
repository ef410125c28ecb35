/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The omp_* routines (OpenMP 5.2 chapter 18) for threads, levels, schedules and time.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <time.h>

#include "../core/attach.h"
#include "../core/execute.h"
#include "../core/offload.h"
#include "versions.h"

static const struct rt_icvs *icvs(void)
{
    return &rt_load(rt_me()->cur_task)->icvs;
}

/** The same, to change one. */
static struct rt_icvs *own_icvs(void)
{
    return rt_icvs_change(rt_load(rt_me()->cur_task));
}

static struct rt_team *team(void)
{
    return rt_me()->implicit->team;
}

RT_EXPORT void omp_set_num_threads(int n)
{
    struct rt_icvs *own = own_icvs();
    own->nthreads = n > 0 ? n : 1;
}

RT_EXPORT int omp_get_num_threads(void)
{
    return team()->nthreads;
}

RT_EXPORT int omp_get_max_threads(void)
{
    return icvs()->nthreads;
}

RT_EXPORT int omp_get_thread_num(void)
{
    return rt_load(rt_me()->implicit->thread_num);
}

RT_EXPORT int omp_get_num_procs(void)
{
    (void)rt_me();
    return (int)rt_root.procs;
}

RT_EXPORT int omp_in_parallel(void)
{
    return team()->active_level > 0;
}

RT_EXPORT void omp_set_dynamic(int on)
{
    own_icvs()->dyn = on != 0;
}

RT_EXPORT int omp_get_dynamic(void)
{
    return icvs()->dyn;
}

RT_EXPORT void omp_set_nested(int on)
{
    struct rt_icvs *own = own_icvs();
    if (on)
        own->max_active_levels = INT_MAX;
    else if (own->max_active_levels > 1)
        own->max_active_levels = 1;
}

RT_EXPORT int omp_get_nested(void)
{
    return icvs()->max_active_levels > 1;
}

RT_EXPORT void omp_set_schedule(uint32_t kind, int chunk)
{
    struct rt_icvs *own = own_icvs();
    uint32_t plain = kind & 0x7fffffff;
    if (plain < 1 || plain > 4)
        return;
    own->sched = kind;
    own->chunk = plain != 4 && chunk > 0 ? chunk : 0;
}

RT_EXPORT void omp_get_schedule(uint32_t *kind, int *chunk)
{
    const struct rt_icvs *own = icvs();
    uint32_t plain = own->sched & 0x7fffffff;
    *kind = own->sched;
    *chunk = own->chunk == 0 && plain != 1 ? 1 : own->chunk; /* as libomp and libgomp, of auto too */
}

RT_EXPORT int omp_get_thread_limit(void)
{
    return icvs()->thread_limit;
}

RT_EXPORT void omp_set_max_active_levels(int levels)
{
    if (levels >= 0)
        own_icvs()->max_active_levels = levels;
}

RT_EXPORT int omp_get_max_active_levels(void)
{
    return icvs()->max_active_levels;
}

RT_EXPORT int omp_get_supported_active_levels(void)
{
    return INT_MAX;
}

RT_EXPORT int omp_get_level(void)
{
    return team()->level;
}

RT_EXPORT int omp_get_active_level(void)
{
    return team()->active_level;
}

/**
 * The implicit or initial task at `level` of the calling thread's nest; NULL for a level that is not there.
 */
static const struct rt_task *ancestor(int level)
{
    const struct rt_task *task = rt_me()->implicit;
    if (level < 0 || level > task->team->level)
        return NULL;
    while (task->team->level > level) {
        /*
         * The encountering task may be explicit; its implicit task is the member of its team that executed
         * it.
         */
        const struct rt_task *outer = task->team->parent_task;
        task =
            outer->flags & RT_TASK_EXPLICIT ? outer->team->members[rt_load(outer->thread_num)].task : outer;
    }
    return task;
}

RT_EXPORT int omp_get_ancestor_thread_num(int level)
{
    const struct rt_task *task = ancestor(level);
    return task == NULL ? -1 : rt_load(task->thread_num);
}

RT_EXPORT int omp_get_team_size(int level)
{
    const struct rt_task *task = ancestor(level);
    return task == NULL ? -1 : task->team->nthreads;
}

RT_EXPORT int omp_in_final(void)
{
    return (rt_load(rt_me()->cur_task)->flags & RT_TASK_FINAL) != 0;
}

RT_EXPORT int omp_in_explicit_task(void)
{
    return (rt_load(rt_me()->cur_task)->flags & RT_TASK_EXPLICIT) != 0;
}

RT_EXPORT int omp_get_cancellation(void)
{
    (void)rt_me();
    return rt_root.cancellation != 0;
}

RT_EXPORT int omp_get_proc_bind(void)
{
    return icvs()->bind;
}

RT_EXPORT int omp_get_num_teams(void)
{
    return team()->num_teams;
}

RT_EXPORT int omp_get_team_num(void)
{
    return team()->team_num;
}

RT_EXPORT void omp_set_num_teams(int n)
{
    (void)rt_me();
    if (n >= 0)
        rt_root.nteams = n;
}

RT_EXPORT int omp_get_max_teams(void)
{
    (void)rt_me();
    return rt_root.nteams;
}

RT_EXPORT void omp_set_teams_thread_limit(int n)
{
    (void)rt_me();
    if (n >= 0)
        rt_root.teams_thread_limit = n;
}

RT_EXPORT int omp_get_teams_thread_limit(void)
{
    (void)rt_me();
    return rt_root.teams_thread_limit;
}

RT_EXPORT int omp_get_max_task_priority(void)
{
    (void)rt_me();
    return rt_root.max_task_priority;
}

RT_EXPORT void omp_fulfill_event(uintptr_t event)
{
    rt_detach_fulfil(rt_me(), event);
}

RT_EXPORT int omp_is_initial_device(void)
{
    return 1;
}

RT_EXPORT int omp_get_num_devices(void)
{
    return rt_offload_devices();
}

RT_EXPORT int omp_get_initial_device(void)
{
    RT_FORWARD(omp_get_initial_device);
    return 0;
}

RT_EXPORT int omp_get_device_num(void)
{
    RT_FORWARD(omp_get_device_num);
    return RT_DEVICE_NUM;
}

RT_EXPORT void omp_set_default_device(int device)
{
    own_icvs()->default_device = device;
}

RT_EXPORT int omp_get_default_device(void)
{
    return icvs()->default_device;
}

RT_EXPORT double omp_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

RT_EXPORT double omp_get_wtick(void)
{
    struct timespec tick;
    clock_getres(CLOCK_MONOTONIC, &tick);
    return (double)tick.tv_sec + (double)tick.tv_nsec * 1e-9;
}

/* ---- LLVM's names for C (docs/abi/kmpc.md section 15) -------------------------------------------------- */

RT_EXPORT void ompc_set_num_threads(int n)
{
    omp_set_num_threads(n);
}

RT_EXPORT void ompc_set_dynamic(int on)
{
    omp_set_dynamic(on);
}

RT_EXPORT void ompc_set_nested(int on)
{
    omp_set_nested(on);
}

RT_EXPORT void ompc_set_max_active_levels(int levels)
{
    omp_set_max_active_levels(levels);
}

RT_EXPORT void ompc_set_schedule(uint32_t kind, int chunk)
{
    omp_set_schedule(kind, chunk);
}

RT_EXPORT int ompc_get_ancestor_thread_num(int level)
{
    return omp_get_ancestor_thread_num(level);
}

RT_EXPORT int ompc_get_team_size(int level)
{
    return omp_get_team_size(level);
}

/* libgomp's nodes of these. */
RT_NODE(omp_set_num_threads, "OMP_1.0");
RT_NODE(omp_get_num_threads, "OMP_1.0");
RT_NODE(omp_get_max_threads, "OMP_1.0");
RT_NODE(omp_get_thread_num, "OMP_1.0");
RT_NODE(omp_get_num_procs, "OMP_1.0");
RT_NODE(omp_in_parallel, "OMP_1.0");
RT_NODE(omp_set_dynamic, "OMP_1.0");
RT_NODE(omp_get_dynamic, "OMP_1.0");
RT_NODE(omp_set_nested, "OMP_1.0");
RT_NODE(omp_get_nested, "OMP_1.0");
RT_NODE(omp_set_schedule, "OMP_3.0");
RT_NODE(omp_get_schedule, "OMP_3.0");
RT_NODE(omp_get_thread_limit, "OMP_3.0");
RT_NODE(omp_set_max_active_levels, "OMP_3.0");
RT_NODE(omp_get_max_active_levels, "OMP_3.0");
RT_NODE(omp_get_supported_active_levels, "OMP_5.0.1");
RT_NODE(omp_get_level, "OMP_3.0");
RT_NODE(omp_get_active_level, "OMP_3.0");
RT_NODE(omp_get_ancestor_thread_num, "OMP_3.0");
RT_NODE(omp_get_team_size, "OMP_3.0");
RT_NODE(omp_in_final, "OMP_3.1");
RT_NODE(omp_in_explicit_task, "OMP_5.2");
RT_NODE(omp_get_cancellation, "OMP_4.0");
RT_NODE(omp_get_proc_bind, "OMP_4.0");
RT_NODE(omp_get_num_teams, "OMP_4.0");
RT_NODE(omp_get_team_num, "OMP_4.0");
RT_NODE(omp_get_max_task_priority, "OMP_4.5");
RT_NODE(omp_is_initial_device, "OMP_4.0");
RT_NODE(omp_get_num_devices, "OMP_4.0");
RT_NODE(omp_get_initial_device, "OMP_4.5");
RT_NODE(omp_get_device_num, "OMP_5.0.2");
RT_NODE(omp_set_default_device, "OMP_4.0");
RT_NODE(omp_get_default_device, "OMP_4.0");
RT_NODE(omp_get_wtime, "OMP_2.0");
RT_NODE(omp_get_wtick, "OMP_2.0");
RT_NODE(omp_fulfill_event, "OMP_5.0.1");
RT_NODE(omp_get_max_teams, "OMP_5.1");
RT_NODE(omp_get_teams_thread_limit, "OMP_5.1");
RT_NODE(omp_set_num_teams, "OMP_5.1");
RT_NODE(omp_set_teams_thread_limit, "OMP_5.1");
