/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clauses of tasks, and of the threads that wait for tasks.
 *
 * Who may run a ready task now: a thread that waits at a barrier, or whose waiting task is untied, takes any
 * task of its region: then the region is `open`. One that waits elsewhere takes descendants of its task: that
 * task is a `taker`. graph.inherits says for each task whether a taker of the same region is among its
 * ancestors.
 */
#include <stdlib.h>
#include <string.h>

#include "inspect/graph/graph_tasks.h"

enum { NOT_ASKED, ASKING, NO, YES = GRAPH_INHERITS };

/* A task in a taskgroup, sorted so that a group's tasks are neighbours. */
struct grouped {
    uint64_t group;
    int runtime, task;
};

struct takers {
    bool *open, *waits; /* by region: all tasks; untied tasks */
    bool *taker;        /* by task */
    bool *on_stack;     /* by task: it is some thread's current task or below that */
};

static bool runs_tasks(enum mdl_wait_kind kind)
{
    return kind == MDL_WAIT_BARRIER || kind == MDL_WAIT_TASKWAIT || kind == MDL_WAIT_TASKGROUP ||
           kind == MDL_WAIT_DEPEND;
}

static void find_stacks(const struct graph *g, struct takers *t)
{
    for (int i = 0; i < g->snap->thread_count; i++) {
        const struct mdl_thread *th = &g->snap->threads[i];
        int task = graph_task(g, th->runtime, th->task);

        while (task >= 0 && !t->on_stack[task]) {
            t->on_stack[task] = true;
            task = graph_task(g, th->runtime, g->snap->tasks[task].scheduled_over);
        }
    }
}

static void find_takers(const struct graph *g, struct takers *t)
{
    for (int i = 0; i < g->snap->thread_count; i++) {
        const struct mdl_thread *th = &g->snap->threads[i];
        int region = graph_region(g, th->runtime, th->region), task = graph_task(g, th->runtime, th->task);

        if (!runs_tasks(th->wait.kind) || region < 0)
            continue;
        t->waits[region] = true;
        if (th->wait.kind == MDL_WAIT_BARRIER || task < 0 || g->snap->tasks[task].flags & MDL_TASK_UNTIED)
            t->open[region] = true;
        else
            t->taker[task] = true;
    }
}

/* Walks up to the first ancestor of which it is known, then down again. */
static bool has_taker(struct graph *g, const struct takers *t, int task)
{
    const struct mdl_task *tasks = g->snap->tasks;
    int at = task, answer = NO, depth = 0;

    while (g->inherits[at] == NOT_ASKED) {
        int up = graph_task(g, tasks[at].runtime, tasks[at].generator);

        g->inherits[at] = ASKING;
        depth++;
        if (up < 0 || tasks[up].region != tasks[at].region)
            break;
        if (t->taker[up]) {
            answer = YES;
            break;
        }
        at = up;
        if (g->inherits[at] == YES)
            answer = YES;
    }
    for (at = task; depth > 0; depth--) {
        g->inherits[at] = answer;
        at = graph_task(g, tasks[at].runtime, tasks[at].generator);
    }
    return g->inherits[task] == YES;
}

/* What a task needs to be started once it is ready. */
static void start_clause(struct graph *g, const struct takers *t, int i)
{
    const struct mdl_task *task = &g->snap->tasks[i];
    int region = graph_region(g, task->runtime, task->region), node = g->first_task + i;

    if (region < 0)
        g->why[node] = "the region of a task is not known";
    else if (!t->open[region] && !(t->waits[region] && task->flags & MDL_TASK_UNTIED) && !has_taker(g, t, i))
        graph_need(g, node, g->first_team + region);
}

/* An implicit task that has not begun: its thread begins it. */
static void member_clause(struct graph *g, int i)
{
    const struct mdl_task *task = &g->snap->tasks[i];
    const int region = graph_region(g, task->runtime, task->region), num = task->thread_num;
    const struct mdl_region *r = region >= 0 ? &g->snap->regions[region] : NULL;

    if (r && num >= 0 && num < r->member_count && r->members[num].lwp)
        graph_need_thread(g, g->first_task + i, r->members[num].lwp, "a member of a team is not listed");
    else
        g->why[g->first_task + i] = "a member of a team is not listed";
}

static void task_clause(struct graph *g, const struct takers *t, int i)
{
    const struct mdl_task *task = &g->snap->tasks[i];
    int node = g->first_task + i, generator;
    const struct mdl_thread *home = mdl_thread_by_lwp(g->snap, task->lwp);

    if (!task->state) {
        g->why[node] = "not all tasks could be read";
    } else if (task->state == MDL_TASK_RUNNING || task->state == MDL_TASK_SUSPENDED) {
        if (task->flags & MDL_TASK_UNTIED && !t->on_stack[i]) {
            start_clause(g, t, i); /* set aside between two parts: the next is like a ready task */
        } else if (home) {
            g->home[i] = (int)(home - g->snap->threads);
            graph_need_member(g, node, graph_region(g, task->runtime, task->region), task->thread_num,
                              task->lwp, "the thread of a task is not listed");
        } else {
            g->why[node] = "the thread of a task is not listed";
        }
    } else if (task->state == MDL_TASK_READY || task->state == MDL_TASK_CANCELLED) {
        start_clause(g, t, i);
    } else if (task->state == MDL_TASK_BLOCKED &&
               mdl_unknown_reason(task->unknown, task->unknown_count, "depends_on")) {
        g->why[node] = "what a task depends on is not known";
    } else if (task->state == MDL_TASK_BLOCKED) {
        for (int d = 0; d < task->depends_count; d++) {
            int before = graph_task(g, task->runtime, task->depends_on[d]);

            if (before >= 0 && graph_counts(&g->snap->tasks[before]))
                graph_need(g, node, g->first_task + before);
        }
        start_clause(g, t, i);
    } else if (task->state == MDL_TASK_CREATED && task->kind == MDL_TASK_IMPLICIT) {
        member_clause(g, i);
    } else if (task->state == MDL_TASK_CREATED) {
        generator = graph_task(g, task->runtime, task->generator);
        if (generator >= 0)
            graph_need(g, node, g->first_task + generator);
    } else if (task->state == MDL_TASK_DETACHED) {
        g->why[node] = GRAPH_WHY_EVENT;
    }
}

static int by_group(const void *a, const void *b)
{
    const struct grouped *x = a, *y = b;

    if (x->runtime != y->runtime)
        return x->runtime < y->runtime ? -1 : 1;
    return x->group != y->group ? (x->group < y->group ? -1 : 1) : x->task - y->task;
}

/* Fills what a thread waits for with the tasks of the wanted generator or group. */
static void need_sorted(struct graph *g, int node, const struct grouped *list, int count, int runtime,
                        uint64_t group)
{
    int low = 0, high = count;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (list[mid].runtime < runtime || (list[mid].runtime == runtime && list[mid].group < group))
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < count && list[low].runtime == runtime && list[low].group == group; low++)
        graph_need(g, node, g->first_task + list[low].task);
}

static void waiting_threads(struct graph *g, const struct grouped *children, int child_count,
                            const struct grouped *groups, int group_count)
{
    for (int i = 0; i < g->snap->thread_count; i++) {
        const struct mdl_thread *t = &g->snap->threads[i];
        const struct mdl_task *task;

        if (!t->wait.kind || g->why[i] || graph_way(t) != GRAPH_OPENMP)
            continue;
        if (t->wait.kind == MDL_WAIT_TASKWAIT) {
            need_sorted(g, i, children, child_count, t->runtime, t->wait.object ? t->wait.object : t->task);
        } else if (t->wait.kind == MDL_WAIT_TASKGROUP) {
            if (t->wait.object)
                need_sorted(g, i, groups, group_count, t->runtime, t->wait.object);
            else
                g->why[i] = "which tasks a taskgroup has is not known";
        } else if (t->wait.kind == MDL_WAIT_DEPEND) {
            task = mdl_task_by_id(g->snap, t->runtime, t->wait.object ? t->wait.object : t->task);
            if (!task || !task->depends_count)
                g->why[i] = "what a task depends on is not known";
            for (int d = 0; task && d < task->depends_count; d++) {
                int before = graph_task(g, task->runtime, task->depends_on[d]);

                if (before >= 0 && graph_counts(&g->snap->tasks[before]))
                    graph_need(g, i, g->first_task + before);
            }
        }
    }
}

void graph_tasks(struct graph *g)
{
    const insp_snapshot *s = g->snap;
    size_t n = (size_t)s->task_count + 1;
    struct grouped *children = calloc(n, sizeof(*children)), *groups = calloc(n, sizeof(*groups));
    struct takers t = {calloc((size_t)s->region_count + 1, 1), calloc((size_t)s->region_count + 1, 1),
                       calloc(n, 1), calloc(n, 1)};
    int child_count = 0, group_count = 0;

    if (!children || !groups || !t.open || !t.waits || !t.taker || !t.on_stack) {
        g->oom = true;
    } else if (s->tasks_known) {
        find_stacks(g, &t);
        find_takers(g, &t);
        for (int i = 0; i < s->task_count; i++) {
            const struct mdl_task *task = &s->tasks[i];
            int region = graph_region(g, task->runtime, task->region);

            task_clause(g, &t, i);
            if (!graph_counts(task))
                continue;
            children[child_count++] = (struct grouped){task->generator, task->runtime, i};
            if (task->taskgroup)
                groups[group_count++] = (struct grouped){task->taskgroup, task->runtime, i};
            if (region >= 0)
                graph_need(g, g->first_drain + region, g->first_task + i);
        }
        qsort(children, (size_t)child_count, sizeof(*children), by_group);
        qsort(groups, (size_t)group_count, sizeof(*groups), by_group);
        waiting_threads(g, children, child_count, groups, group_count);
    }
    free(children);
    free(groups);
    free(t.open);
    free(t.waits);
    free(t.taker);
    free(t.on_stack);
}
