/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict. Proved is what follows from one stopped moment alone, see graph.h; everything that could make
 * it untrue is a `doubt`, which turns it into a suspicion.
 */
#include "inspect/graph/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/base/printable.h"
#include "inspect/graph/abandoned.h"
#include "inspect/graph/edges.h"
#include "inspect/graph/graph_build.h"
#include "inspect/graph/not_taken.h"
#include "inspect/graph/sentence.h"
#include "inspect/model/phrases.h"

/* With less, the answer could be another one than that of a view which reads more. */
enum { FACTS = INSP_THREADS | INSP_REGIONS | INSP_TASKS };

/* The runtimes that have untied tasks which are suspended and on no stack. */
static struct hash untied_set_aside(insp_snapshot *snap, const struct graph *g)
{
    struct hash runtimes = {0};

    for (int i = 0; i < snap->task_count; i++) {
        const struct mdl_task *t = &snap->tasks[i];

        if (t->flags & MDL_TASK_UNTIED && t->state == MDL_TASK_SUSPENDED && g->home[i] < 0 &&
            !hash_add(&runtimes, (uint64_t)t->runtime, NULL))
            snap->arena.oom = true;
    }
    return runtimes;
}

/* Is it sure that no thread may have gone to the end of its region because that was cancelled? */
static bool was_not_cancelled(const insp_snapshot *snap, int runtime, const struct mdl_split *split)
{
    if (snap->threads[split->end].wait.uncancelled || snap->threads[split->other].wait.uncancelled)
        return true;
    for (int i = 0; i < snap->runtime_count; i++)
        if (snap->runtimes[i].id == runtime)
            return snap->runtimes[i].cancellation == 0;
    return false;
}

static const char *doubt(insp_snapshot *snap, const struct graph *g, const struct hash *untied,
                         const struct finding *s)
{
    int runtime = 0;

    if (snap->moving)
        return "the process kept running while it was read";
    if (g->closed)
        return "a thread that is not an OpenMP thread may start a region";
    for (int i = 0; i < s->count; i++) {
        const struct mdl_thread *t = graph_is_thread(g, s->node[i]) ? &snap->threads[s->node[i]] : NULL;
        bool openmp = t && t->wait.kind, mutex = openmp && mdl_is_mutex(t->wait.kind);
        /* What a pthread lock's owner and a joined thread are is in the process' memory, see graph_way. */
        bool owned = (mutex && !g->unrecorded[s->node[i]]) || (t && !openmp && graph_blocked(t));

        if (g->handed[s->node[i]])
            return sentence_giver(snap, g);
        /* A circle of mutexes needs no more than its own threads; a lock that one thread alone has to do
         * with, or that anybody may hold, all. */
        if ((!owned || graph_holds_itself(t) || graph_left_behind(t)) && !snap->complete)
            return "not everything could be read";
        if (t && graph_doubt(g, s->node[i]))
            return graph_doubt(g, s->node[i]);
        if (!openmp)
            continue;
        if (runtime && t->runtime != runtime)
            return "two OpenMP runtimes are involved";
        runtime = t->runtime;
        if (mutex && t->wait.owner_lwp == t->lwp && t->asleep < 0 && !t->wait.for_itself)
            return "the thread may have acquired it just now";
        if (mdl_split_of(snap, t) && !was_not_cancelled(snap, runtime, mdl_split_of(snap, t)))
            return "the region may have been cancelled";
        if (mutex && hash_find(untied, (uint64_t)runtime, NULL))
            return "a suspended untied task may hold it";
    }
    return NULL;
}

/* Follows what blocks each node from START. MARK: node -> number of the walk that saw it. True: a new
 * finding. */
static bool walk(const struct graph *g, int start, int number, int *mark, struct finding *ret)
{
    int at = start, before = -1, count = 0;

    while (at >= 0 && !mark[at]) {
        mark[at] = number;
        ret->node[count++] = at;
        before = at;
        at = graph_blocker(g, at);
    }
    if (at >= 0 && mark[at] != number)
        return false;
    /* A thread that joins itself waits for no other. */
    ret->circle = at >= 0 && !(at == before && g->never[at]);
    if (ret->circle) {
        int first = 0;

        while (ret->node[first] != at)
            first++;
        count -= first;
        memmove(ret->node, ret->node + first, (size_t)count * sizeof(*ret->node));
    } else if (count > 1) { /* the last waiter, and the end */
        bool alone = graph_is_thread(g, before) && g->never[before] &&
                     g->snap->threads[before].activity.kind != MDL_ACTIVITY_ZOMBIE;
        int keep = alone || g->unrecorded[before] ? 1 : 2;

        memmove(ret->node, ret->node + count - keep, (size_t)keep * sizeof(*ret->node));
        count = keep;
    }
    ret->count = count;
    return count > 0;
}

static int rank(const struct finding *s)
{
    return (s->doubt ? 0 : 2) + (s->circle ? 1 : 0);
}

/* Waits for what somebody holds: the node says it all, whatever waits for it. */
static bool is_open(const struct graph *g, const struct finding *s)
{
    return !s->circle && s->count == 1 && g->unrecorded[s->node[0]];
}

/* The best finding: proved before doubtful, a circle before an end, then the one of the first thread. */
static bool find_cause(insp_snapshot *snap, const struct graph *g, struct finding *best)
{
    struct finding now = {.node = calloc((size_t)g->nodes, sizeof(int))};
    int *mark = calloc((size_t)g->nodes, sizeof(int));
    struct hash untied = untied_set_aside(snap, g);
    bool found = false;

    best->node = calloc((size_t)g->nodes, sizeof(int));
    for (int i = 0; mark && now.node && best->node && i < snap->thread_count; i++) {
        /* When all others are stuck, idle threads are too: they are not the cause. */
        if (g->can[i] || !graph_blocked(&snap->threads[i]) || !walk(g, i, i + 1, mark, &now))
            continue;
        now.doubt = doubt(snap, g, &untied, &now);
        if (!found || rank(&now) > rank(best)) {
            struct finding other = *best;

            *best = now;
            now = other;
            found = true;
        }
    }
    hash_free(&untied);
    free(now.node);
    free(mark);
    return found;
}

void verdict_give(insp_snapshot *snap, enum insp_verdict_kind kind, const char *sentence)
{
    snap->verdict.kind = kind;
    snap->verdict.sentence = sentence;
    snap->verdict.printable = printable_str(&snap->arena, sentence);
}

static void reverse(int *list, int count)
{
    for (int i = 0; i < count / 2; i++) {
        int other = list[count - 1 - i];

        list[count - 1 - i] = list[i];
        list[i] = other;
    }
}

/* Turns a circle, so that it begins with the thread that the snapshot lists first. */
static void begin_with_first(struct finding *s)
{
    int lowest = 0;

    for (int i = 1; i < s->count; i++)
        if (s->node[i] < s->node[lowest])
            lowest = i;
    reverse(s->node, lowest);
    reverse(s->node + lowest, s->count - lowest);
    reverse(s->node, s->count);
}

/* A circle of owners needs no more than its own threads to stand still; all else, that all do which are said
   to. */
static bool is_of_owners(const struct graph *g, const struct finding *s)
{
    bool owners = s->circle;

    for (int i = 0; owners && i < s->count; i++) {
        const struct mdl_thread *t = graph_is_thread(g, s->node[i]) ? &g->snap->threads[s->node[i]] : NULL;

        owners = t && (t->wait.kind ? mdl_is_mutex(t->wait.kind) : graph_wants_lock(t)) &&
                 !g->unrecorded[s->node[i]];
    }
    return owners;
}

static void keep_stuck(insp_snapshot *snap, const struct graph *g, const struct finding *s)
{
    size_t room = (size_t)snap->thread_count + 1;
    int64_t *stuck = arena_alloc(&snap->arena, room * sizeof(*stuck));
    bool *of_finding = arena_alloc(&snap->arena, room), owners = is_of_owners(g, s);
    int count = 0;

    for (int i = 0; of_finding && i < snap->thread_count; i++)
        of_finding[i] = !owners && !g->can[i];
    for (int i = 0; of_finding && i < s->count; i++)
        if (graph_is_thread(g, s->node[i]))
            of_finding[s->node[i]] = true;
    for (int i = 0; stuck && of_finding && i < snap->thread_count; i++)
        if (of_finding[i])
            stuck[count++] = snap->threads[i].lwp;
    snap->verdict.stuck = stuck;
    snap->verdict.stuck_count = count;
}

/* Of those that wait for what somebody holds, the one that probably does so itself is the one to speak of. */
static void begin_with_holder(const struct graph *g, struct finding *s)
{
    const struct mdl_thread *waiter = &g->snap->threads[s->node[0]];
    const struct mdl_thread *holder = mdl_thread_by_lwp(g->snap, mdl_probable_owner(waiter));

    if (holder && holder->wait.kind == waiter->wait.kind && holder->wait.id == waiter->wait.id &&
        !g->can[holder - g->snap->threads])
        s->node[0] = (int)(holder - g->snap->threads);
}

static void set_finding(insp_snapshot *snap, const struct graph *g, struct finding *s)
{
    int *edges = arena_alloc(&snap->arena, (size_t)s->count * sizeof(*edges)), count;

    if (s->circle)
        begin_with_first(s);
    else if (is_open(g, s))
        begin_with_holder(g, s);
    count = edges ? edges_along(snap, g, s->node, s->count, s->circle, edges) : 0;
    for (int i = 0; i < count; i++)
        snap->edges[edges[i]].in_verdict = true;
    verdict_give(snap,
                 s->doubt                     ? INSP_SUSPECTED
                 : s->circle || is_open(g, s) ? INSP_DEADLOCK
                                              : INSP_STUCK,
                 sentence_finding(snap, g, s));
    snap->verdict.edges = edges;
    snap->verdict.edge_count = count;
    keep_stuck(snap, g, s);
}

struct search {
    const struct graph *g;
    int next;
};

static bool not_known(void *arg, int need)
{
    struct search *s = arg;

    if (!s->g->known_can[need])
        s->next = need;
    return s->g->known_can[need];
}

/* Where the chain of waits from NODE ends in something that is not known; -1: at no thread or task. */
static int find_unknown(const struct graph *g, int node)
{
    for (int steps = 0; node >= 0 && steps < g->nodes; steps++) {
        struct search s = {g, -1};

        if (g->why[node] || g->unrecorded[node] || graph_doubt(g, node))
            return node;
        graph_needs(g, node, not_known, &s);
        node = s.next;
    }
    for (int n = 0; n < g->nodes; n++)
        if (g->why[n] || g->unrecorded[n])
            return n;
    return -1;
}

/* BLIND waits for something of which nothing is known. */
static void give_blind(insp_snapshot *snap, const struct graph *g, int blind, bool goes_on)
{
    int end = find_unknown(g, blind);
    const char *why = end < 0              ? "not everything is known"
                      : g->unrecorded[end] ? sentence_unrecorded(snap, g, end)
                      : g->why[end]        ? g->why[end]
                                           : graph_doubt(g, end);
    bool event = why && !strcmp(why, GRAPH_WHY_EVENT);

    if (event)
        why = sentence_event(snap, g, end);
    else if (why && graph_is_thread(g, end) && !strcmp(why, GRAPH_WHY_ACTIVITY))
        why = sentence_unknown(snap, end);
    else if (why && graph_is_thread(g, end) && mdl_probable_owner(&snap->threads[end]))
        why = sentence_unrecorded(snap, g, end);
    verdict_give(snap, INSP_UNKNOWN,
                 arena_printf(&snap->arena,
                              event && !goes_on ? "Nothing is proved: %s."
                                                : "It cannot be said whether this is a deadlock: %s.",
                              why ? why : "not everything is known"));
}

/* Looks in another graph of the same process, which BUILD makes. What is found there is in *g afterwards. */
static bool find_in(insp_snapshot *snap, struct graph *g, struct finding *finding,
                    bool (*build)(struct graph *g, const insp_snapshot *snap))
{
    struct graph other;
    bool found = false;

    free(finding->node);
    finding->node = NULL;
    if (!build(&other, snap)) {
        snap->arena.oom = true;
    } else if (find_cause(snap, &other, finding)) {
        struct graph first = *g;

        *g = other;
        other = first;
        found = true;
    }
    graph_free(&other);
    return found;
}

/* Where all wait, and any other thread of the process could start a region: as a rule it never will. */
static bool find_closed(insp_snapshot *snap, struct graph *g, struct finding *finding)
{
    for (int i = 0; i < snap->thread_count; i++)
        if (!snap->threads[i].openmp)
            return find_in(snap, g, finding, graph_build_closed);
    return false;
}

/* Where it is not recorded who holds a lock, but it is probable. */
static bool find_probable(insp_snapshot *snap, struct graph *g, struct finding *finding)
{
    for (int i = 0; i < snap->thread_count; i++)
        if (mdl_probable_owner(&snap->threads[i]))
            return find_in(snap, g, finding, graph_build_probable);
    return false;
}

/* Threads that run and of which so nothing is known. */
static int count_running(const insp_snapshot *snap)
{
    int running = 0;

    for (int i = 0; i < snap->thread_count; i++)
        running += snap->threads[i].running;
    return running;
}

/* Why FIELD of a thread is not known; NULL: it is. */
static const char *reason(const struct mdl_thread *t, const char *field)
{
    for (int i = 0; i < t->unknown_count; i++)
        if (!strcmp(t->unknown[i].field, field))
            return t->unknown[i].reason;
    return NULL;
}

/* What the thread does in OpenMP was refused or could not be read: why. It may wait for any other and hold
   what any other waits for, so a deadlock may be there although some thread computes: "no deadlock" would be
   a claim about what was not read. A thread that waits for something unknown is treated alike: give_blind. */
static const char *unread(const struct mdl_thread *t)
{
    return t->openmp ? t->state ? NULL : reason(t, "state") : reason(t, "openmp");
}

/* -1: there is none. */
static int find_unread(const insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++)
        if (unread(&snap->threads[i]))
            return i;
    return -1;
}

static void give_unread(insp_snapshot *snap, int thread)
{
    const struct mdl_thread *t = &snap->threads[thread];

    verdict_give(
        snap, INSP_UNKNOWN,
        arena_printf(
            &snap->arena,
            "It cannot be said whether this is a deadlock: what %s does in OpenMP is not known (%s).",
            mdl_thread_name(&snap->arena, snap, t->lwp), unread(t)));
}

/* No thread is stuck, as far as is known. */
static void give_moving(insp_snapshot *snap, const struct graph *g)
{
    int blind = -1, unknown = -1, outside = -1, running = count_running(snap);
    const int refused = find_unread(snap);
    bool goes_on = false;

    for (int i = snap->thread_count - 1; i >= 0; i--) {
        const struct mdl_thread *t = &snap->threads[i];

        goes_on |= g->surely_can[i];
        if (graph_blocked(t) && !g->known_can[i])
            blind = i;
        if (graph_way(t) == GRAPH_NOT_KNOWN)
            unknown = i;
        if (g->outside[i])
            outside = i;
    }
    if (blind >= 0)
        give_blind(snap, g, blind, goes_on);
    else if (running)
        verdict_give(snap, INSP_UNKNOWN,
                     arena_printf(&snap->arena, "Nothing can be said about deadlocks: %d thread%s running.",
                                  running, running == 1 ? " is" : "s are"));
    else if (refused >= 0)
        give_unread(snap, refused);
    else if (goes_on || (unknown < 0 && outside < 0))
        verdict_give(snap, INSP_NONE, sentence_none(snap, g));
    else if (outside >= 0)
        verdict_give(snap, INSP_UNKNOWN, sentence_outside(snap, g));
    else
        give_blind(snap, g, unknown, false);
}

/* A process of which no OpenMP runtime could be read may still have a deadlock of its pthreads. */
static void without_runtime(insp_snapshot *snap, const struct graph *g, struct finding *finding)
{
    if (find_cause(snap, g, finding))
        set_finding(snap, g, finding);
    else /* "No deadlock" would be a claim about what was not read. */
        verdict_give(snap, INSP_UNKNOWN, "Nothing can be said about deadlocks.");
}

void verdict_make(insp_snapshot *snap)
{
    struct graph g;
    struct finding finding = {0};

    snap->edges = NULL;
    snap->edge_count = 0;
    snap->verdict = (struct mdl_verdict){0};
    mdl_find_called(snap);
    abandoned_find(snap);
    mdl_index_barriers(snap);
    if (!graph_build(&g, snap)) {
        snap->arena.oom = true;
        graph_free(&g);
        return;
    }
    edges_list(snap, &g);
    if ((snap->want & FACTS) == FACTS)
        not_taken_find(snap, &g);
    if (!snap->runtime_count)
        without_runtime(snap, &g, &finding);
    else if ((snap->want & FACTS) != FACTS)
        verdict_give(snap, INSP_UNKNOWN,
                     "Nothing can be said about deadlocks: regions and tasks were not read.");
    else if (find_cause(snap, &g, &finding) || find_probable(snap, &g, &finding) ||
             find_closed(snap, &g, &finding))
        set_finding(snap, &g, &finding);
    else
        give_moving(snap, &g);
    free(finding.node);
    graph_free(&g);
}

enum insp_verdict_kind insp_verdict(const insp_snapshot *snap, const char **sentence)
{
    if (sentence)
        *sentence = snap ? snap->verdict.printable : NULL;
    return snap ? snap->verdict.kind : INSP_UNKNOWN;
}
