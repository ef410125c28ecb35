/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/graph_build.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/graph/graph_tasks.h"

static void unknown(struct graph *g, int node, const char *why)
{
    g->why[node] = why;
}

/* Somebody could release it, and nobody records who: of an ordered region a member of the team, of all else
   any thread. */
static void unrecorded_clause(struct graph *g, int node, const struct mdl_thread *t)
{
    const int region = graph_region(g, t->runtime, t->region);

    g->unrecorded[node] = true;
    graph_need(g, node,
               t->wait.kind == MDL_WAIT_ORDERED && region >= 0 ? g->first_team + region : g->any_thread);
}

static void mutex_clause(struct graph *g, int node, const struct mdl_thread *t)
{
    switch (t->wait.owner) {
    case MDL_OWNER_NONE:
        break;
    case MDL_OWNER_ENDED:
        g->never[node] = true;
        break;
    case MDL_OWNER_SOMEBODY:
        if (g->probable && mdl_probable_owner(t)) {
            graph_need_thread(g, node, mdl_probable_owner(t), "who probably holds it is not listed");
            break;
        }
        unrecorded_clause(g, node, t);
        break;
    case MDL_OWNER_THREAD:
        /* The moment after it got the lock looks like this too; who sleeps for it has not got it, nor who had
           it when it began to wait. */
        if (t->wait.owner_lwp == t->lwp && t->asleep == 0 && !t->wait.for_itself)
            break;
        graph_need_thread(g, node, t->wait.owner_lwp, "the owner of what a thread waits for is not listed");
        break;
    default:
        if (g->probable && mdl_probable_owner(t))
            graph_need_thread(g, node, mdl_probable_owner(t), "who probably holds it is not listed");
        else if (t->wait.lasts)
            unrecorded_clause(g, node, t);
        else
            unknown(g, node, "the owner of what a thread waits for is not known");
    }
}

/* Does M stand at a barrier of the region that T waits for too, and wait there? */
static bool waits_there(const struct mdl_thread *m, const struct mdl_thread *t)
{
    return m && !m->released && m->wait.barrier && m->wait.lasts && m->runtime == t->runtime &&
           mdl_barrier_region(m) == mdl_barrier_region(t);
}

static const char perhaps_left[] = "whether a thread has left its barrier already is not known";

/*
 * Members come and go, so it is not known who has arrived. But T's barrier is not complete, and who is not
 * seen waiting at it will have arrived when it goes on.
 */
static void motion_clause(struct graph *g, int node, const struct mdl_thread *t, int region)
{
    static const char unlisted[] = "a member of a team is not listed";
    const struct mdl_region *r = region >= 0 ? &g->snap->regions[region] : NULL;

    if (!t->wait.lasts || !r || !r->member_count) {
        unknown(g, node, "which threads have arrived at a barrier is not known");
        return;
    }
    for (int m = 0; m < r->member_count; m++) {
        const struct mdl_thread *member = mdl_thread_by_lwp(g->snap, r->members[m].lwp);

        if (!waits_there(member, t))
            graph_need_member(g, node, region, m, r->members[m].lwp, unlisted);
        else if (mdl_ends_region(member) != mdl_ends_region(t))
            g->why[node] = perhaps_left;
    }
    graph_need(g, node, g->first_drain + region);
}

static void barrier_clause(struct graph *g, int node, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    const struct mdl_split *split = mdl_split_of(g->snap, t);
    int region = graph_region(g, t->runtime, mdl_barrier_region(t));

    if (!w->arrivals_known) {
        motion_clause(g, node, t, region);
        return;
    }
    if (graph_left_out_barrier(t)) {
        const struct mdl_region *r = region >= 0 ? &g->snap->regions[region] : NULL;

        if (!r || !r->member_count)
            unknown(g, node, "the members of a team are not known");
        else if (t->thread_num == 0)
            g->never[node] = true;
        else
            graph_need_thread(g, node, r->members[0].lwp, "a member of a team is not listed");
        return;
    }
    /* A waiter that does not count as arrived has been released already and is about to leave. */
    if (mdl_misses_itself(t)) {
        if (mdl_ends_region(t) && t->asleep < 0 && !w->lasts)
            unknown(g, node, perhaps_left);
        return;
    }
    /* Who was let go and has not run yet looks as if it had left out the barrier that the others are at. */
    if (split && (!g->snap->threads[split->end].wait.lasts || !g->snap->threads[split->other].wait.lasts)) {
        unknown(g, node, perhaps_left);
        return;
    }
    if (split)
        graph_need(g, node, mdl_ends_region(t) ? split->other : split->end);
    for (int m = 0; m < w->missing_count; m++)
        graph_need_member(g, node, region, w->missing[m], w->missing_lwp[m],
                          "a member of a team is not listed");
    if (region >= 0)
        graph_need(g, node, g->first_drain + region);
    else
        unknown(g, node, "whether a barrier waits for tasks is not known");
}

/* taskwait, taskgroup and dependences are left to graph_tasks: they need to know the tasks. */
static void openmp_clause(struct graph *g, int node, const struct mdl_thread *t)
{
    enum mdl_wait_kind kind = t->wait.kind;

    if (!kind && t->called)
        graph_need_thread(g, node, t->called_by, "who starts a region is not listed");
    else if (!kind)
        graph_need(g, node, g->anybody); /* is idle */
    else if (mdl_is_mutex(kind))
        mutex_clause(g, node, t);
    else if (kind == MDL_WAIT_BARRIER)
        barrier_clause(g, node, t);
    else if (kind == MDL_WAIT_EVENT)
        unknown(g, node, GRAPH_WHY_EVENT);
    else if (kind == MDL_WAIT_TARGET)
        unknown(g, node, "what a device does is not known");
    else if (kind == MDL_WAIT_UNKNOWN)
        unknown(g, node, "what a thread waits for is not known");
    else if (!g->snap->tasks_known)
        unknown(g, node, "not all tasks are known");
}

static void thread_clause(struct graph *g, int node)
{
    const struct mdl_thread *t = &g->snap->threads[node];

    switch (graph_way(t)) {
    case GRAPH_BY_ITSELF:
        break;
    case GRAPH_OPENMP:
        openmp_clause(g, node, t);
        break;
    case GRAPH_OWNER:
        graph_need_thread(g, node, t->activity.owner_lwp,
                          "the owner of what a thread waits for is not listed");
        g->never[node] = t->activity.kind == MDL_ACTIVITY_JOIN && t->activity.owner_lwp == t->lwp;
        break;
    case GRAPH_NEVER:
        g->never[node] = true;
        break;
    case GRAPH_OUTSIDE:
        g->outside[node] = true;
        break;
    case GRAPH_NOT_KNOWN:
        unknown(g, node,
                t->running || (t->openmp && !t->state) ? "not all threads could be read"
                                                       : GRAPH_WHY_ACTIVITY);
    }
}

/*
 * What member M of region R needs to come back there: that the region directly inside R, in which or in whose
 * insides it is, ends. Being a member of that one too, it then has come back from further inside.
 */
static void member_clause(struct graph *g, int r, int m)
{
    const struct mdl_region *region = &g->snap->regions[r];
    const struct mdl_thread *t = mdl_thread_by_lwp(g->snap, region->members[m].lwp);
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): set for each region before. */
    int node = g->members[r] + m, at, inside = -1;

    graph_need_thread(g, node, region->members[m].lwp, "a member of a team is not listed");
    if (!t || t->runtime != region->runtime)
        return;
    at = graph_region(g, t->runtime, t->region);
    for (int depth = 0; at >= 0 && at != r && depth < GRAPH_MAX_NEST; depth++) {
        inside = at;
        at = graph_region(g, t->runtime, g->snap->regions[at].parent);
    }
    if (at == r && inside >= 0)
        graph_need(g, node, g->first_end + inside);
}

static void team_clauses(struct graph *g)
{
    for (int r = 0; r < g->snap->region_count; r++) {
        const struct mdl_region *region = &g->snap->regions[r];

        for (int m = 0; m < region->member_count; m++) {
            member_clause(g, r, m);
            graph_need(g, g->first_team + r, g->members[r] + m);
            graph_need(g, g->first_end + r, g->members[r] + m);
        }
        if (!region->member_count)
            g->why[g->first_team + r] = g->why[g->first_end + r] = "the members of a team are not known";
        graph_need(g, g->first_end + r, g->first_drain + r);
        if (!g->snap->tasks_known)
            unknown(g, g->first_drain + r, "not all tasks are known");
    }
    for (int i = 0; i < g->snap->thread_count; i++) {
        if (g->snap->threads[i].openmp || !g->closed)
            graph_need(g, g->anybody, i);
        graph_need(g, g->any_thread, i);
    }
}

/* Do all members wait at one barrier of the region, and is nobody missing there? */
static bool all_at_barrier(const struct graph *g, const struct mdl_region *r)
{
    const struct mdl_thread *first = r->member_count ? mdl_thread_by_lwp(g->snap, r->members[0].lwp) : NULL;

    if (!waits_there(first, first) || first->runtime != r->runtime || mdl_barrier_region(first) != r->id ||
        mdl_split_of(g->snap, first))
        return false;
    for (int m = 0; m < r->member_count; m++) {
        const struct mdl_thread *t = mdl_thread_by_lwp(g->snap, r->members[m].lwp);

        if (!waits_there(t, first) || t->wait.missing_count)
            return false;
    }
    return true;
}

/* A barrier at which all members wait is kept closed by tasks; that nothing does contradicts itself. */
static void closed_barriers(struct graph *g)
{
    for (int r = 0; r < g->snap->region_count; r++)
        if (!g->why[g->first_drain + r] && g->needs[g->first_drain + r] < 0 &&
            all_at_barrier(g, &g->snap->regions[r]))
            unknown(g, g->first_drain + r,
                    "all members of a team wait at a barrier, and no task keeps it closed");
}

/* Makes node true, and what follows: a stack of nodes whose dependents are still to be visited. */
static void settle(const struct graph *g, bool *can, int *left, int *stack, int node)
{
    int depth = 0;

    can[node] = true;
    stack[depth++] = node;
    while (depth) {
        for (int e = g->needed_by[stack[--depth]]; e >= 0; e = g->edges[e].more_needed) {
            int up = g->edges[e].node;

            if (can[up] || --left[up] > 0 || g->never[up])
                continue;
            can[up] = true;
            stack[depth++] = up;
        }
    }
}

/* Is there a thread or a task whose code will still run? */
static bool anything_runs(const struct graph *g, const bool *can)
{
    for (int i = 0; i < g->snap->thread_count; i++)
        if (can[i])
            return true;
    for (int i = 0; i < g->snap->task_count; i++)
        if (can[g->first_task + i] && graph_counts(&g->snap->tasks[i]))
            return true;
    return false;
}

/* A lock of which it is not recorded who holds it. */
static bool may_hold_itself(const struct graph *g, int thread)
{
    enum mdl_wait_kind kind = g->snap->threads[thread].wait.kind;

    return g->unrecorded[thread] && (kind == MDL_WAIT_LOCK || kind == MDL_WAIT_NEST_LOCK);
}

enum trust { EVERYTHING, WHAT_IS_KNOWN, ITSELF };

/* TRUST: of what sort of thing nodes may become true. HANDED: see graph.handed. */
static bool solve(struct graph *g, bool *can, enum trust trust, bool handed)
{
    int *left = calloc((size_t)g->nodes, sizeof(*left)), *stack = calloc((size_t)g->nodes, sizeof(*stack));
    bool ok = left && stack;

    for (int e = 0; ok && e < g->edge_count; e++)
        left[g->edges[e].node]++;
    for (int n = 0; ok && n < g->nodes; n++) {
        bool any = n == g->anybody || n == g->any_thread || (n >= g->first_team && n < g->first_drain);

        if (any && left[n])
            left[n] = 1;
        else if (any)
            left[n] = INT32_MAX; /* any of none */
        if (g->why[n])
            left[n] = trust == EVERYTHING ? 0 : INT32_MAX;
        else if (trust != EVERYTHING && (g->unrecorded[n] || graph_doubt(g, n)))
            left[n] = INT32_MAX;
        else if (trust == ITSELF && g->outside[n])
            left[n] = INT32_MAX;
    }
    for (int n = 0; ok && n < g->nodes; n++)
        if (!can[n] && left[n] == 0 && !g->never[n])
            settle(g, can, left, stack, n);
    handed = handed && ok && anything_runs(g, can);
    for (int i = 0; handed && i < g->snap->thread_count; i++)
        if (!can[i] && (graph_holds_itself(&g->snap->threads[i]) || may_hold_itself(g, i) ||
                        graph_left_behind(&g->snap->threads[i])))
            settle(g, can, left, stack, i);
    free(left);
    free(stack);
    return ok;
}

/* Lists grow at the front; rebuilt from the last edge on, they have the order of the snapshot. */
static void order(struct graph *g)
{
    memset(g->needs, -1, (size_t)g->nodes * sizeof(int));
    memset(g->needed_by, -1, (size_t)g->nodes * sizeof(int));
    for (int e = g->edge_count - 1; e >= 0; e--) {
        g->edges[e].more = g->needs[g->edges[e].node];
        g->edges[e].more_needed = g->needed_by[g->edges[e].need];
        g->needs[g->edges[e].node] = g->needed_by[g->edges[e].need] = e;
    }
}

static bool build(struct graph *g, const insp_snapshot *s, bool closed, bool probable)
{
    uint64_t members = 0;
    size_t n;

    *g = (struct graph){.snap = s, .closed = closed, .probable = probable};
    for (int r = 0; r < s->region_count; r++)
        members += (uint64_t)s->regions[r].member_count;
    if ((uint64_t)s->thread_count + (uint64_t)s->task_count + 3 * (uint64_t)s->region_count + members >
        INT32_MAX / 4)
        return false;
    g->first_task = s->thread_count;
    g->first_team = g->first_task + s->task_count;
    g->first_drain = g->first_team + s->region_count;
    g->first_end = g->first_drain + s->region_count;
    g->first_member = g->first_end + s->region_count;
    g->anybody = g->first_member + (int)members;
    g->any_thread = g->anybody + 1;
    g->nodes = g->any_thread + 1;
    n = (size_t)g->nodes;
    g->needs = malloc(n * sizeof(int));
    g->needed_by = malloc(n * sizeof(int));
    g->why = calloc(n, sizeof(*g->why));
    g->never = calloc(n, sizeof(bool));
    g->outside = calloc(n, sizeof(bool));
    g->unrecorded = calloc(n, sizeof(bool));
    g->can = calloc(n, sizeof(bool));
    g->known_can = calloc(n, sizeof(bool));
    g->surely_can = calloc(n, sizeof(bool));
    g->handed = calloc(n, sizeof(bool));
    g->home = malloc(n * sizeof(int));
    g->inherits = calloc(n, sizeof(int));
    g->members = malloc(n * sizeof(int));
    g->seen = calloc(n + 1, sizeof(int));
    if (!g->needs || !g->needed_by || !g->why || !g->never || !g->outside || !g->can || !g->known_can ||
        !g->surely_can || !g->handed || !g->home || !g->inherits || !g->members || !g->seen || !g->unrecorded)
        return false;
    for (int r = 0, at = g->first_member; r < s->region_count; r++) {
        g->members[r] = at;
        at += s->regions[r].member_count;
    }
    memset(g->needs, -1, n * sizeof(int));
    memset(g->needed_by, -1, n * sizeof(int));
    memset(g->home, -1, n * sizeof(int));
    for (int i = 0; i < s->thread_count; i++)
        thread_clause(g, i);
    team_clauses(g);
    graph_tasks(g);
    closed_barriers(g);
    order(g);
    return !g->oom && solve(g, g->can, EVERYTHING, false) && solve(g, g->known_can, WHAT_IS_KNOWN, false) &&
           solve(g, g->surely_can, ITSELF, false) && solve(g, g->handed, EVERYTHING, true);
}

bool graph_build(struct graph *g, const insp_snapshot *s)
{
    return build(g, s, false, false);
}

bool graph_build_closed(struct graph *g, const insp_snapshot *s)
{
    return build(g, s, true, false);
}

bool graph_build_probable(struct graph *g, const insp_snapshot *s)
{
    return build(g, s, false, true);
}
