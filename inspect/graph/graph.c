/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/graph.h"

#include <stdlib.h>

void graph_need(struct graph *g, int node, int need)
{
    struct graph_edge *grown = array_grow(g->edges, (size_t)g->edge_count, sizeof(*grown)), *e;

    if (!grown || g->edge_count == INT32_MAX) {
        g->oom = true;
        return;
    }
    g->edges = grown;
    e = &g->edges[g->edge_count];
    *e = (struct graph_edge){node, need, g->needs[node], g->needed_by[need]};
    g->needs[node] = g->needed_by[need] = g->edge_count++;
}

int graph_region(const struct graph *g, int runtime, uint64_t id)
{
    const struct mdl_region *r = mdl_region_by_id(g->snap, runtime, id);

    return r ? (int)(r - g->snap->regions) : -1;
}

int graph_task(const struct graph *g, int runtime, uint64_t id)
{
    const struct mdl_task *t = mdl_task_by_id(g->snap, runtime, id);

    return t ? (int)(t - g->snap->tasks) : -1;
}

bool graph_counts(const struct mdl_task *t)
{
    return t->kind && t->kind != MDL_TASK_IMPLICIT && t->kind != MDL_TASK_INITIAL &&
           t->state != MDL_TASK_COMPLETING;
}

void graph_need_thread(struct graph *g, int node, int64_t lwp, const char *why)
{
    const struct mdl_thread *t = mdl_thread_by_lwp(g->snap, lwp);

    if (t)
        graph_need(g, node, (int)(t - g->snap->threads));
    else
        g->why[node] = why;
}

void graph_need_member(struct graph *g, int node, int region, int num, int64_t lwp, const char *why)
{
    const struct mdl_region *r = region >= 0 ? &g->snap->regions[region] : NULL;

    if (r && num >= 0 && num < r->member_count && r->members[num].lwp == lwp && lwp)
        graph_need(g, node, g->members[region] + num);
    else
        graph_need_thread(g, node, lwp, why);
}

const char *graph_doubt(const struct graph *g, int node)
{
    const struct mdl_thread *t = graph_is_thread(g, node) ? &g->snap->threads[node] : NULL;

    if (!t)
        return NULL;
    if (g->probable && mdl_probable_owner(t)) {
        const char *why = mdl_unknown_reason(t->unknown, t->unknown_count, "wait.owner_lwp");

        return why ? why : "who holds it is not recorded";
    }
    return t->wait.kind ? t->wait.owner_doubt : graph_blocked(t) ? t->activity.owner_doubt : NULL;
}

bool graph_left_out_barrier(const struct mdl_thread *t)
{
    return (t->asleep == 1 || t->wait.lasts) && !t->released && mdl_ends_region(t) && mdl_misses_itself(t);
}

bool graph_holds_itself(const struct mdl_thread *t)
{
    if (!t->wait.kind)
        return graph_wants_lock(t) && graph_way(t) == GRAPH_OWNER && t->activity.owner_lwp == t->lwp;
    return (t->wait.kind == MDL_WAIT_LOCK || t->wait.kind == MDL_WAIT_NEST_LOCK) &&
           t->wait.owner == MDL_OWNER_THREAD && t->wait.owner_lwp == t->lwp &&
           (t->asleep != 0 || t->wait.for_itself);
}

void graph_free(struct graph *g)
{
    free(g->edges);
    free(g->needs);
    free(g->needed_by);
    free(g->why);
    free(g->never);
    free(g->outside);
    free(g->unrecorded);
    free(g->can);
    free(g->known_can);
    free(g->surely_can);
    free(g->handed);
    free(g->home);
    free(g->inherits);
    free(g->members);
    free(g->seen);
    *g = (struct graph){0};
}

/* Facts lead to facts about regions inside; each is looked at once, so damaged rows cannot make this long. */
static bool visit_needs(const struct graph *g, int node, int depth, bool (*visit)(void *arg, int need),
                        void *arg)
{
    int round = g->seen[g->nodes];

    for (int e = g->needs[node]; e >= 0; e = g->edges[e].more) {
        int need = g->edges[e].need;

        if (g->seen[need] == round || need == g->any_thread)
            continue;
        g->seen[need] = round;
        if (need < g->first_team ? !visit(arg, need)
                                 : depth < 2 * GRAPH_MAX_NEST && !visit_needs(g, need, depth + 1, visit, arg))
            return false;
    }
    return true;
}

void graph_needs(const struct graph *g, int node, bool (*visit)(void *arg, int need), void *arg)
{
    g->seen[g->nodes]++;
    if (g->unrecorded[node])
        return;
    visit_needs(g, node, 0, visit, arg);
}

struct choice {
    const struct graph *g;
    int best, rank;
    bool handed;
};

/* A thread that waits for a mutex makes the shortest finding, then a thread, then a task. */
static bool choose(void *arg, int need)
{
    struct choice *c = arg;
    const struct mdl_thread *t = graph_is_thread(c->g, need) ? &c->g->snap->threads[need] : NULL;
    int rank = 2;

    if (t && (mdl_is_mutex(t->wait.kind) || (!t->wait.kind && graph_wants_lock(t))))
        rank = 4;
    else if (t)
        rank = graph_blocked(t) ? 3 : 1;

    /* What no other thread can end is caused by what no other thread can end. */
    rank += c->g->handed[need] == c->handed ? 8 : 0;
    if (!c->g->can[need] && rank > c->rank) {
        c->rank = rank;
        c->best = need;
    }
    return true;
}

int graph_blocker(const struct graph *g, int node)
{
    struct choice c = {g, -1, 0, g->handed[node]};

    /* An idle thread needs any thread; that none continues says nothing about this one. */
    if (graph_is_thread(g, node) && !graph_blocked(&g->snap->threads[node]))
        return -1;
    graph_needs(g, node, choose, &c);
    return c.best;
}
