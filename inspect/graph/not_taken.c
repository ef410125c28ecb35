/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread takes a ready task when it waits at a barrier, or in an untied task, or in a tied task of which
 * the ready one is a descendant (a task scheduling constraint, OpenMP 5.2 section 12.9). So the members of
 * the task's team say why it is not taken. Priorities and the length of queues decide which task comes
 * first, never that none is taken while a thread is free.
 */
#include "inspect/graph/not_taken.h"

#include <stdlib.h>

/** What the threads of a region do, as far as it decides. */
struct team {
    int64_t open;        /* LWP of one that may take any of its tasks, 0 none */
    int64_t waits;       /* of one that may take any untied task */
    int64_t constrained; /* of one that waits in a tied task, which is: */
    uint64_t constrained_by;
    int64_t busy; /* the team's only thread, if that does something else */
    int unknown_count;
};

static bool runs_tasks(enum mdl_wait_kind kind)
{
    return kind == MDL_WAIT_BARRIER || kind == MDL_WAIT_TASKWAIT || kind == MDL_WAIT_TASKGROUP ||
           kind == MDL_WAIT_DEPEND;
}

static void look_at(const struct graph *g, const struct mdl_thread *t, struct team *team)
{
    const int at = graph_task(g, t->runtime, t->task);
    const struct mdl_task *task = at >= 0 ? &g->snap->tasks[at] : NULL;

    if (t->running || t->state == MDL_STATE_UNKNOWN || t->wait.kind == MDL_WAIT_UNKNOWN) {
        team->unknown_count++;
    } else if (!runs_tasks(t->wait.kind)) {
        team->busy = t->lwp;
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
            team->busy = t->lwp; /* in a region inside of this one */
    }
    if (region->team_size != region->member_count)
        team->unknown_count++;
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
        return (struct mdl_not_taken){MDL_NOT_TAKEN_FREE, team->open, 0};
    if (team->waits && task->flags & MDL_TASK_UNTIED)
        return (struct mdl_not_taken){MDL_NOT_TAKEN_FREE, team->waits, 0};
    if (inherits)
        return (struct mdl_not_taken){MDL_NOT_TAKEN_FREE, waiting_ancestor(g, task), 0};
    if (team->unknown_count)
        return (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_UNKNOWN};
    if (team->constrained)
        return (struct mdl_not_taken){MDL_NOT_TAKEN_CONSTRAINT, team->constrained, team->constrained_by};
    return (struct mdl_not_taken){MDL_NOT_TAKEN_BUSY, team->busy, 0};
}

void not_taken_find(struct insp_snapshot *snap, const struct graph *g)
{
    struct team *teams = calloc((size_t)snap->region_count + 1, sizeof(*teams));

    if (!teams) {
        snap->arena.oom = true;
        return;
    }
    for (int i = 0; i < snap->region_count; i++)
        look_at_team(g, &snap->regions[i], &teams[i]);
    for (int i = 0; i < snap->task_count; i++) {
        struct mdl_task *task = &snap->tasks[i];
        const int region = graph_region(g, task->runtime, task->region);

        if (task->state != MDL_TASK_READY)
            continue;
        task->not_taken = snap->tasks_known && region >= 0 && !snap->moving
                              ? judge(g, task, &teams[region])
                              : (struct mdl_not_taken){.reason = MDL_NOT_TAKEN_UNKNOWN};
    }
    free(teams);
}
