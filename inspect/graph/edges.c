/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/frames/activity_words.h"
#include "inspect/graph/edges.h"
#include "inspect/model/phrases.h"

/* Half of a team of 2,048 waiting for the other half would be a million edges, of which none says anything
 * new; a barrier may wait for a million tasks. */
enum { MAX_EDGES = 1 << 16, TASKS_EACH = 64 };

struct lister {
    insp_snapshot *snap;
    const struct graph *g;
    int from;
    const char *because;
    bool *seen; /* task: an edge leads to it */
    int *queue; /* such tasks, in the order of being found */
    int queued;
    int tasks; /* edges to tasks from `from` */
};

static struct mdl_end end_of(const struct graph *g, int node)
{
    const struct mdl_task *task;

    if (graph_is_thread(g, node))
        return (struct mdl_end){.lwp = g->snap->threads[node].lwp};
    task = &g->snap->tasks[node - g->first_task];
    return (struct mdl_end){.task = task->id, .runtime = task->runtime};
}

/* Does FROM wait for what TO perhaps does not hold? */
static bool is_doubtful(const struct graph *g, int from, int to)
{
    const struct mdl_thread *t = graph_is_thread(g, from) ? &g->snap->threads[from] : NULL;
    int64_t owner = !t ? 0 : t->wait.kind ? t->wait.owner_lwp : t->activity.owner_lwp;

    if (t && mdl_probable_owner(t))
        return true;

    return graph_doubt(g, from) && graph_is_thread(g, to) && g->snap->threads[to].lwp == owner;
}

/* The edge leads to the thread, so its short name will do. */
static const char *joined(insp_snapshot *snap, int64_t lwp)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(snap, lwp);

    if (t && t->gdb_num > 0)
        return arena_printf(&snap->arena, "the end of thread %d", t->gdb_num);
    if (snap->stable)
        return arena_printf(&snap->arena, "the end of %s", mdl_thread_name(&snap->arena, snap, lwp));
    return arena_printf(&snap->arena, "the end of LWP %" PRId64, lwp);
}

/* What a thread waits for; of barriers also the line, for a region may have several of one kind. */
static const char *thread_because(insp_snapshot *snap, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    const char *name, *text = NULL;

    if (!w->kind && t->activity.kind == MDL_ACTIVITY_CHILD)
        text = arena_printf(&snap->arena, "the end of process %" PRId64, t->activity.child);
    else if (!w->kind && t->activity.kind == MDL_ACTIVITY_JOIN)
        text = joined(snap, t->activity.owner_lwp);
    else if (!w->kind)
        text = activity_object(&snap->arena, &t->activity);
    if (!w->kind)
        return text ? text : "?";
    name = mdl_wait_name(&snap->arena, w, true);
    if (w->kind == MDL_WAIT_BARRIER && w->barrier != MDL_BARRIER_REGION_END && w->at.file && w->at.line > 0)
        text = arena_printf(&snap->arena, "%s at %s:%d", name, mdl_base_name(w->at.file), w->at.line);
    return text ? text : name;
}

static int add_row(insp_snapshot *snap, const struct mdl_edge *edge)
{
    struct mdl_edge *rows = arena_grow(&snap->arena, snap->edges, (size_t)snap->edge_count, sizeof(*rows));

    if (!rows)
        return -1;
    snap->edges = rows;
    rows[snap->edge_count] = *edge;
    rows[snap->edge_count].id = snap->edge_count;
    return snap->edge_count++;
}

static int add_edge(insp_snapshot *snap, const struct graph *g, int from, int to, const char *because)
{
    const struct mdl_edge edge = {
        .from = end_of(g, from),
        .to = end_of(g, to),
        .because = because,
        .proved = !snap->moving && !is_doubtful(g, from, to),
    };

    return add_row(snap, &edge);
}

/* Another process: a child that a thread waits for, or who holds a lock that both share. */
static void add_process(insp_snapshot *snap, const struct mdl_thread *t)
{
    const struct mdl_activity *a = &t->activity;
    bool child = a->kind == MDL_ACTIVITY_CHILD;
    int64_t pid = child ? a->child : a->owner == MDL_OWNER_PROCESS ? a->owner_pid : 0;
    struct mdl_edge edge = {.from = {.lwp = t->lwp}, .to = {.pid = pid}, .proved = !snap->moving};

    if (t->wait.kind || t->running || pid <= 0 || graph_blocked(t) || snap->edge_count == MAX_EDGES)
        return;
    if (!child && !activity_object(&snap->arena, a))
        return;
    edge.proved = edge.proved && !a->owner_doubt;
    edge.because = thread_because(snap, t);
    (void)add_row(snap, &edge);
}

/* Who perhaps holds what THREAD waits for. */
static void add_probable(insp_snapshot *snap, const struct graph *g, int thread)
{
    const struct mdl_thread *t = &snap->threads[thread], *to = mdl_thread_by_lwp(snap, mdl_probable_owner(t));
    struct mdl_edge edge = {.from = {.lwp = t->lwp}};

    if (!to || !graph_blocked(t) || snap->edge_count == MAX_EDGES)
        return;
    edge.to = end_of(g, (int)(to - snap->threads));
    edge.because = thread_because(snap, t);
    (void)add_row(snap, &edge);
}

static bool owns_what_it_waits_for(const insp_snapshot *snap, const struct graph *g, int node)
{
    const struct mdl_thread *t = graph_is_thread(g, node) ? &snap->threads[node] : NULL;

    if (t && !t->wait.kind)
        return graph_way(t) == GRAPH_OWNER && t->activity.owner_lwp == t->lwp;
    return t && mdl_is_mutex(t->wait.kind) && t->wait.owner_lwp == t->lwp;
}

static bool visit(void *arg, int need)
{
    struct lister *l = arg;

    /* That a member waits for its own team says nothing; that it waits for a lock of its own does. */
    if (need == l->from && !owns_what_it_waits_for(l->snap, l->g, need))
        return true;
    if (graph_is_task(l->g, need)) {
        int task = need - l->g->first_task;

        if (l->tasks == TASKS_EACH)
            return true;
        l->tasks++;
        if (!l->seen[task]) {
            l->seen[task] = true;
            l->queue[l->queued++] = task;
        }
    }
    if (l->snap->edge_count == MAX_EDGES) {
        mdl_problem(l->snap, "not all waits are listed as edges", "there are more than 65536", "");
        return false;
    }
    return add_edge(l->snap, l->g, l->from, need, l->because) >= 0;
}

static const char *task_because(const insp_snapshot *snap, const struct graph *g, int task)
{
    const struct mdl_task *t = &snap->tasks[task];

    if (g->home[task] >= 0)
        return t->state == MDL_TASK_RUNNING ? "its thread to finish it" : "its thread to resume it";
    if (t->state == MDL_TASK_BLOCKED)
        return "a dependence";
    return t->state == MDL_TASK_CREATED ? "the end of its creation" : "a thread to run it";
}

void edges_list(insp_snapshot *snap, const struct graph *g)
{
    struct lister l = {.snap = snap, .g = g};

    l.seen = calloc((size_t)snap->task_count + 1, sizeof(*l.seen));
    l.queue = calloc((size_t)snap->task_count + 1, sizeof(*l.queue));
    for (int i = 0; l.seen && l.queue && i < snap->thread_count; i++) {
        add_probable(snap, g, i);
        add_process(snap, &snap->threads[i]);
        if (!graph_blocked(&snap->threads[i]))
            continue;
        l.from = i;
        l.tasks = 0;
        l.because = thread_because(snap, &snap->threads[i]);
        graph_needs(g, i, visit, &l);
    }
    for (int q = 0; l.seen && l.queue && q < l.queued; q++) {
        int task = l.queue[q];

        /* A ready task needs any thread of its team: no edge leads to one of them. */
        if (g->home[task] < 0 && snap->tasks[task].state != MDL_TASK_BLOCKED)
            continue;
        l.from = g->first_task + task;
        l.tasks = 0;
        l.because = task_because(snap, g, task);
        graph_needs(g, l.from, visit, &l);
    }
    free(l.seen);
    free(l.queue);
}

static bool is_between(const struct mdl_edge *e, const struct mdl_end *a, const struct mdl_end *b)
{
    return e->from.lwp == a->lwp && e->from.task == a->task && e->from.runtime == a->runtime &&
           e->to.lwp == b->lwp && e->to.task == b->task && e->to.runtime == b->runtime && !e->to.pid;
}

/* Where MAP has the edge from A to B: its index + 1, 0 when it is new. NULL out of memory. */
static uint64_t *edge_in(struct hash *map, const insp_snapshot *snap, const struct mdl_end *a,
                         const struct mdl_end *b)
{
    uint64_t key = 0, *at;
    const struct mdl_end *ends[] = {a, b};

    for (int i = 0; i < 2; i++) {
        key = hash_mix(key, (uint64_t)ends[i]->lwp);
        key = hash_mix(key, ends[i]->task);
        key = hash_mix(key, (uint64_t)ends[i]->runtime);
    }
    do
        at = hash_add(map, key++, NULL);
    while (at && *at && !is_between(&snap->edges[*at - 1], a, b));
    return at;
}

/* The first of several between the same ends. */
static struct hash by_ends(const insp_snapshot *snap)
{
    struct hash map = {0};

    for (int i = 0; i < snap->edge_count; i++) {
        const struct mdl_edge *e = &snap->edges[i];
        uint64_t *at = e->to.pid ? NULL : edge_in(&map, snap, &e->from, &e->to);

        if (at && !*at)
            *at = (uint64_t)i + 1;
    }
    return map;
}

int edges_along(insp_snapshot *snap, const struct graph *g, const int *node, int count, bool circle, int *ret)
{
    struct hash map = by_ends(snap);
    int found = 0;

    for (int i = 0; i + !circle < count; i++) {
        const int from = node[i], to = node[(i + 1) % count];
        const struct mdl_end a = end_of(g, from), b = end_of(g, to);
        uint64_t *at = edge_in(&map, snap, &a, &b);
        int edge = at ? (int)*at - 1 : -1;

        if (at && edge < 0) {
            edge = add_edge(snap, g, from, to,
                            graph_is_thread(g, from) ? thread_because(snap, &snap->threads[from])
                                                     : task_because(snap, g, from - g->first_task));
            *at = (uint64_t)edge + 1; /* 0 when there is none */
        }
        if (edge >= 0)
            ret[found++] = edge;
        else
            snap->arena.oom = true;
    }
    hash_free(&map);
    return found;
}
