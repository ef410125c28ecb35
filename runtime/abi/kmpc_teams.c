/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for teams on the host (docs/abi/kmpc.md section 10). The teams of a league run one
 * after the other on the encountering thread: no synchronisation between teams exists (OpenMP 5.2 section
 * 10.2), and each has all processors for its parallel regions.
 */
#include <stdarg.h>

#include "../core/arch.h"
#include "../core/attach.h"
#include "../core/region.h"
#include "kmpc.h"

RT_EXPORT void __kmpc_push_num_teams(struct rt_loc *loc, int32_t gtid, int32_t num_teams,
                                     int32_t thread_limit)
{
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid;
    th->push_num_teams = num_teams;
    th->push_thread_limit = thread_limit;
}

RT_EXPORT void __kmpc_push_num_teams_51(struct rt_loc *loc, int32_t gtid, int32_t lower, int32_t upper,
                                        int32_t thread_limit)
{
    __kmpc_push_num_teams(loc, gtid, upper > 0 ? upper : lower, thread_limit);
}

RT_EXPORT void __kmpc_set_thread_limit(struct rt_loc *loc, int32_t gtid, int32_t limit)
{
    (void)loc, (void)gtid;
    if (limit > 0)
        rt_icvs_change(rt_load(rt_me()->cur_task))->thread_limit = limit;
}

RT_EXPORT void __kmpc_fork_teams(struct rt_loc *loc, int32_t nargs, void *fn, ...)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    void *argv[nargs > 0 ? nargs : 1];
    va_list args;
    va_start(args, fn);
    for (int32_t i = 0; i < nargs; i++)
        argv[i] = va_arg(args, void *);
    va_end(args);
    struct rt_initial_region region = {
        .kind = RT_TEAM_TEAMS,
        .loc = loc,
        .fn = fn,
        .num_teams = th->push_num_teams > 0 ? th->push_num_teams
                     : rt_root.nteams > 0   ? rt_root.nteams
                                            : 1,
        .thread_limit = th->push_thread_limit > 0 ? th->push_thread_limit : rt_root.teams_thread_limit,
    };
    th->push_num_teams = 0;
    th->push_thread_limit = 0;
    for (; region.team_num < region.num_teams; region.team_num++) {
        rt_initial_region_begin(th, &region, caller);
        int32_t gtid = th->gtid, btid = 0;
        struct rt_task *initial = th->implicit;
        rt_invoke(fn, &gtid, &btid, nargs, argv, &initial->exit_frame);
        RT_TRACK(rt_store(initial->exit_frame, 0));
        rt_initial_region_end(th);
    }
}
