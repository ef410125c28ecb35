/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread takes a ready task when it waits at a barrier, or in an untied task, or in a tied task of which
 * the ready one is a descendant (a task scheduling constraint, OpenMP 5.2 section 12.9). So the members of
 * the task's team say why it is not taken. Priorities decide which task comes first, so they are a reason
 * only where a thread is free; of others it is told how many come before.
 */
#include "inspect/graph/not_taken.h"

#include <stdlib.h>

/** What the threads of a region do, as far as it decides. */
struct team {
    int64_t open;        /* LWP of one that may take any of its tasks, 0 none */
    int64_t waits;       /* of one that may take any untied task */
    int64_t constrained; /* of one that waits in a tied task, which is: */
    uint64_t constrained_by;
    int64_t busy;    /* of one that does something else */
    int64_t blocked; /* of the first one that is in a system call, not for OpenMP */
    int unknown_count, size;
    struct mdl_team_doing doing;
};

/** A ready task, with what tells before which others it comes. */
struct ready {
    int region, task, priority;
    int queue; /* number of its creator in the team; -1: the queue of those with a priority */
};

static bool runs_tasks(enum mdl_wait_kind kind)
{
    return kind == MDL_WAIT_BARRIER || kind == MDL_WAIT_TASKWAIT || kind == MDL_WAIT_TASKGROUP ||
           kind == MDL_WAIT_DEPEND;
}

/* One that is not free for tasks. The one that a signal has ended computes no more: in a handler that raised
   the signal again it may not even have computed before. */
static void look_at_busy(const struct graph *g, const struct mdl_thread *t, struct team *team)
{
    const enum mdl_activity_kind kind = t->activity.kind;
    const bool ended = g->snap->process.signal > 0 && g->snap->process.crashed_lwp == t->lwp;

    team->busy = t->lwp;
    if (t->wait.kind) {
        team->doing.waits++;
    } else if (kind == MDL_ACTIVITY_COMPUTES && !t->activity.asleep && !ended) {
        team->doing.computes++;
    } else if (t->activity.asleep && kind != MDL_ACTIVITY_OPENMP && kind != MDL_ACTIVITY_UNKNOWN) {
        team->doing.system_call++;
        team->blocked = team->blocked ? team->blocked : t->lwp;
    } else {
        team->doing.others++;
    }
}

static void look_at(const struct graph *g, const struct mdl_thread *t, struct team *team)
{
    const int at = graph_task(g, t->runtime, t->task);
    const struct mdl_task *task = at >= 0 ? &g->snap->tasks[at] : NULL;

    if (t->running || t->state == MDL_STATE_UNKNOWN || t->wait.kind == MDL_WAIT_UNKNOWN) {
        team->unknown_count++;
    } else if (!runs_tasks(t->wait.kind)) {
        look_at_busy(g, t, team);
    } else {
        team->waits = t->lwp;
        if (t->wait.kind == MDL_WAIT_BARRIER || !task || task->flags & MDL_TASK_UNTIED) {
            team->open = t->lwp;
        } else {
            team->constrained = t->lwp;
            team->constrained_by = task->id;
        }
    }
}

static void look_at_team(const struct graph *g, const struct mdl_region *region, struct team *team)
{
    for (int i = 0; i < region->member_count; i++) {
        const struct mdl_thread *t = mdl_thread_by_lwp(g->snap, region->members[i].lwp);

        if (!t || !t->region || t->runtime != region->runtime)
            team->unknown_count++;
        else if (t->region == region->id)
            look_at(g, t, team);
        else
            team->doing.inside++;
    }
    if (region->team_size != region->member_count)
        team->unknown_count++;
    team->size = region->team_size;
    if (region->team_size != 1)
        team->busy = 0;
}

/* The thread that waits in an ancestor of TASK, of which graph.c knows that there is one. */
static int64_t waiting_ancestor(const struct graph *g, const struct mdl_task *task)
{
    const insp_snapshot *s = g->snap;

    for (int steps = 0; task && steps < s->task_count; steps++) {
        const int up = graph_task(g, task->runtime, task->generator);
        const struct mdl_thread *t = up >= 0 ? mdl_thread_by_lwp(s, s->tasks[up].lwp) : NULL;

        if (t && t->task == s->tasks[up].id && runs_tasks(t->wait.kind))
            return t->lwp;
        task = up >= 0 ? &s->tasks[up] : NULL;
    }
    return 0;
}

static struct mdl_not_taken judge(const struct graph *g, const struct mdl_task *task, const struct team *team)
{
    const bool inherits = g->inherits[task - g->snap->tasks] == GRAPH_INHERITS;

    if (team->open)
        return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_FREE, .lwp = team->open};
    if (team->waits && task->flags & MDL_TASK_UNTIED)
        return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_FREE, .lwp = team->waits};
    if (inherits)
        return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_FREE, .lwp = waiting_ancestor(g, task)};
    if (team->unknown_count)
        return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_UNKNOWN};
    if (team->constrained)
        return (struct mdl_not_taken){
            .reason = MDL_NOT_TAKEN_CONSTRAINT, .lwp = team->constrained, .task = team->constrained_by};
    if (team->doing.system_call && team->doing.system_call == team->size)
        return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_SYSTEM_CALL, .lwp = team->blocked};
    return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_BUSY, .lwp = team->busy};
}

/* ---- what comes first ------------------------------------------------------------------------ */

static int by_priority(const void *a, const void *b)
{
    const struct ready *x = a, *y = b;

    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

static int by_queue(const void *a, const void *b)
{
    const struct ready *x = a, *y = b;

    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->queue != y->queue)
        return x->queue < y->queue ? -1 : 1;
    return x->task < y->task ? -1 : x->task > y->task;
}

/*
 * LIST is sorted by priority, those that are not known last: among them may be the highest. A free thread
 * that may take all tasks of its team takes the first one.
 */
static void find_before(insp_snapshot *snap, const struct ready *list, int count, const struct team *teams)
{
    for (int first = 0, next; first < count; first = next) {
        for (next = first; next < count && list[next].region == list[first].region;)
            next++;
        for (int i = first, same = first; i < next && list[next - 1].priority >= 0; i++) {
            struct mdl_not_taken *n = &snap->tasks[list[i].task].not_taken;

            if (list[i].priority != list[same].priority)
                same = i;
            n->before = same - first;
            if (n->reason == MDL_NOT_TAKEN_FREE && n->before > 0 && teams[list[i].region].open) {
                n->reason = MDL_NOT_TAKEN_PRIORITY;
                n->task = snap->tasks[list[first].task].id;
            }
        }
    }
}

/* LIST is sorted by queue. */
static void find_full(insp_snapshot *snap, const struct ready *list, int count)
{
    for (int i = 0, next; i < count; i = next) {
        const struct mdl_task *task = &snap->tasks[list[i].task];

        for (next = i;
             next < count && list[next].region == list[i].region && list[next].queue == list[i].queue;)
            next++;
        for (int k = i; k < next; k++) {
            struct mdl_not_taken *n = &snap->tasks[list[k].task].not_taken;

            n->queued = next - i;
            for (int r = 0; r < snap->runtime_count; r++)
                if (snap->runtimes[r].id == task->runtime && snap->runtimes[r].queue_limit < UINT32_MAX)
                    n->queue_full = snap->runtimes[r].queue_limit;
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Fills LIST with the ready tasks, which get their reasons; returns their number. */
static int find_reasons(insp_snapshot *snap, const struct graph *g, const struct team *teams,
                        struct ready *list)
{
    int count = 0;

    for (int i = 0; i < snap->task_count; i++) {
        struct mdl_task *task = &snap->tasks[i];
        const int region = graph_region(g, task->runtime, task->region);

        if (task->state != MDL_TASK_READY)
            continue;
        task->not_taken = (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_UNKNOWN, .before = -1};
        if (!snap->tasks_known || region < 0 || snap->moving)
            continue;
        task->not_taken = judge(g, task, &teams[region]);
        task->not_taken.team = teams[region].doing;
        task->not_taken.before = -1;
        list[count++] =
            (struct ready){region, i, task->priority, task->priority > 0 ? -1 : task->creator_thread_num};
    }
    return count;
}

void not_taken_find(struct insp_snapshot *snap, const struct graph *g)
{
    struct team *teams = calloc((size_t)snap->region_count + 1, sizeof(*teams));
    struct ready *list = calloc((size_t)snap->task_count + 1, sizeof(*list));

    if (teams && list) {
        for (int i = 0; i < snap->region_count; i++)
            look_at_team(g, &snap->regions[i], &teams[i]);
        const int count = find_reasons(snap, g, teams, list);

        qsort(list, (size_t)count, sizeof(*list), by_priority);
        find_before(snap, list, count, teams);
        qsort(list, (size_t)count, sizeof(*list), by_queue);
        find_full(snap, list, count);
    } else {
        snap->arena.oom = true;
    }
    free(teams);
    free(list);
}
