/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for teams (docs/abi/gomp.md section 9). The teams of a league run one after the other on
 * the encountering thread, each as an initial region of its own.
 */

#include "../core/attach.h"
#include "../core/region.h"
#include "gomp.h"

static void team_begin(struct rt_thread *th, gomp_fn *fn, int teams, int number, int thread_limit,
                       struct rt_caller caller)
{
    struct rt_initial_region region = {.kind = RT_TEAM_TEAMS,
                                       .fn = (void *)fn,
                                       .num_teams = teams,
                                       .team_num = number,
                                       .thread_limit = thread_limit};
    rt_initial_region_begin(th, &region, caller);
}

/** thread_limit clause, else teams-thread-limit-var; 0 leaves it as it is. */
static int limit_of(unsigned thread_limit)
{
    return thread_limit != 0 ? gomp_int(thread_limit) : rt_root.teams_thread_limit;
}

RT_EXPORT void GOMP_teams_reg(gomp_fn *fn, void *data, unsigned num_teams, unsigned thread_limit,
                              unsigned flags)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    (void)flags;
    int teams = num_teams != 0 ? gomp_int(num_teams) : rt_root.nteams > 0 ? rt_root.nteams : 1;
    for (int number = 0; number < teams; number++) {
        team_begin(th, fn, teams, number, limit_of(thread_limit), caller);
        struct rt_task *implicit = th->implicit;
        gomp_invoke(fn, data, &implicit->exit_frame);
        RT_TRACK(rt_store(implicit->exit_frame, 0));
        rt_initial_region_end(th);
    }
}

/**
 * Inside a target region: called in front of each team's part, which the caller's code runs itself, until
 * false.
 */
RT_EXPORT bool GOMP_teams4(unsigned lower, unsigned upper, unsigned thread_limit, bool first)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    int number = 0, teams = lower != 0 ? gomp_int(lower) : 1;
    (void)upper; /* any number from lower to upper will do */
    if (!first) {
        const struct rt_team *before = th->implicit->team;
        number = before->team_num + 1;
        teams = before->num_teams;
        rt_initial_region_end(th);
        if (number >= teams)
            return false;
    }
    team_begin(th, NULL, teams, number, limit_of(thread_limit), caller);
    return true;
}

/** gcc before 12: the one team is the target region itself, and the body follows once. */
RT_EXPORT void GOMP_teams(unsigned num_teams, unsigned thread_limit)
{
    struct rt_task *implicit = rt_me()->implicit;
    (void)num_teams;
    if (thread_limit == 0)
        return;
    rt_icvs_change(implicit)->thread_limit = gomp_int(thread_limit);
    if (implicit->team->group == &implicit->team->own_group)
        implicit->team->own_group.limit = gomp_int(thread_limit);
}

RT_ALSO_VERSION(GOMP_teams_reg);
RT_ALSO_VERSION(GOMP_teams);
