/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/abandoned.h"

#include "inspect/graph/graph.h"

/* What is found once of each region. */
struct team {
    bool gone;      /* it has members that are gone */
    bool has_tasks; /* and tasks that are not complete, or may have some */
    bool all_wait;  /* those of its members that are here all wait at its barriers, and for no task */
};

static bool waits_at_barrier(const struct mdl_thread *t, const struct mdl_region *r)
{
    return t && t->wait.barrier && t->wait.lasts && !t->released && t->runtime == r->runtime &&
           mdl_barrier_region(t) == r->id;
}

/* Some of those that are gone may have arrived in the parent, before the fork. */
static bool all_wait(const insp_snapshot *s, const struct mdl_region *r)
{
    for (int i = 0; i < r->member_count; i++)
        if (!r->members[i].gone && !waits_at_barrier(mdl_thread_by_lwp(s, r->members[i].lwp), r))
            return false;
    return true;
}

/* One for each region, in their order. NULL out of memory. */
static struct team *find_teams(struct insp_snapshot *s)
{
    struct team *teams = arena_alloc(&s->arena, ((size_t)s->region_count + 1) * sizeof(*teams));

    for (int i = 0; teams && i < s->task_count; i++) {
        const struct mdl_task *task = &s->tasks[i];
        const struct mdl_region *r = mdl_region_by_id(s, task->runtime, task->region);

        if (r && graph_counts(task))
            teams[r - s->regions].has_tasks = true;
    }
    for (int i = 0; teams && i < s->region_count; i++) {
        const struct mdl_region *r = &s->regions[i];

        for (int m = 0; m < r->member_count; m++)
            teams[i].gone |= r->members[m].gone;
        teams[i].has_tasks |= !s->tasks_known;
        teams[i].all_wait = teams[i].gone && !teams[i].has_tasks && all_wait(s, r);
    }
    return teams;
}

/* T waits at a barrier of the region for a member that is gone. */
static bool misses_gone(const struct mdl_region *r, const struct team *team, const struct mdl_thread *t)
{
    if (t->released || mdl_barrier_region(t) != r->id)
        return false;
    if (!t->wait.arrivals_known)
        return team->all_wait;
    for (int i = 0; i < t->wait.missing_count && !mdl_misses_itself(t); i++)
        if (mdl_is_gone(r, t->wait.missing[i]))
            return true;
    return false;
}

/* Thread 0 sleeps in the runtime until all members have come to begin the region. */
static bool begins(const struct mdl_thread *t)
{
    const struct mdl_activity *a = &t->activity;

    return t->thread_num == 0 && t->state == MDL_STATE_OVERHEAD && !t->released && !t->wait.kind &&
           a->asleep && (a->kind == MDL_ACTIVITY_OPENMP || a->kind == MDL_ACTIVITY_FUTEX);
}

void abandoned_find(struct insp_snapshot *s)
{
    const struct team *teams = find_teams(s);

    for (int i = 0; i < s->thread_count; i++) {
        struct mdl_thread *t = &s->threads[i];
        const struct mdl_region *r = teams && t->openmp && !t->moving && !t->running && !s->moving
                                         ? mdl_region_by_id(s, t->runtime, t->region)
                                         : NULL;

        t->abandoned = r && teams[r - s->regions].gone &&
                       (t->wait.barrier ? misses_gone(r, &teams[r - s->regions], t) : begins(t));
    }
}
