/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/abandoned.h"

#include "inspect/graph/graph.h"

/* Has the region tasks that are not complete, or may it have some? */
static bool may_have_tasks(const insp_snapshot *s, const struct mdl_region *r)
{
    for (int i = 0; i < s->task_count; i++)
        if (s->tasks[i].runtime == r->runtime && s->tasks[i].region == r->id && graph_counts(&s->tasks[i]))
            return true;
    return !s->tasks_known;
}

static bool waits_at_barrier(const struct mdl_thread *t, const struct mdl_region *r)
{
    return t && t->wait.barrier && t->wait.lasts && !t->released && t->runtime == r->runtime &&
           mdl_barrier_region(t) == r->id;
}

/* Do all members that are here wait at barriers of the region, and will it be nobody's task that ends that?
   Some of those that are gone may have arrived in the parent, before the fork. */
static bool all_wait(const insp_snapshot *s, const struct mdl_region *r)
{
    for (int i = 0; i < r->member_count; i++)
        if (!r->members[i].gone && !waits_at_barrier(mdl_thread_by_lwp(s, r->members[i].lwp), r))
            return false;
    return !may_have_tasks(s, r);
}

/* T waits at a barrier of the region for a member that is gone. */
static bool misses_gone(const insp_snapshot *s, const struct mdl_region *r, const struct mdl_thread *t)
{
    if (t->released || mdl_barrier_region(t) != r->id)
        return false;
    if (!t->wait.arrivals_known)
        return all_wait(s, r);
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
    for (int i = 0; i < s->thread_count; i++) {
        struct mdl_thread *t = &s->threads[i];
        const struct mdl_region *r = t->openmp && !t->moving && !t->running && !s->moving
                                         ? mdl_region_by_id(s, t->runtime, t->region)
                                         : NULL;
        bool gone = false;

        for (int m = 0; r && m < r->member_count; m++)
            gone |= r->members[m].gone;
        t->abandoned = gone && (t->wait.barrier ? misses_gone(s, r, t) : begins(t));
    }
}
