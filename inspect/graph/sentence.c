/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sentences of the verdict. A thread is named in full once ("thread 2 (LWP 4243)"), then by its number.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/frames/activity_words.h"
#include "inspect/frames/stacks.h"
#include "inspect/graph/sentence.h"
#include "inspect/model/phrases.h"

struct speech {
    insp_snapshot *snap;
    const struct graph *g;
    struct sbuf text;
    bool *named; /* by thread */
};

static void say_thread(struct speech *s, int thread)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    bool again = s->named[thread];

    s->named[thread] = true;
    if (again && t->gdb_num > 0)
        sbuf_printf(&s->text, "thread %d", t->gdb_num);
    else
        sbuf_add(&s->text, mdl_thread_name(&s->snap->arena, s->snap, t->lwp));
}

static void say_place(struct speech *s, const struct mdl_place *at)
{
    if (at->file && at->line > 0)
        sbuf_printf(&s->text, " at %s:%d", mdl_base_name(at->file), at->line);
    else if (at->function)
        sbuf_printf(&s->text, " in %s", at->function);
}

/* ", taken at solve.c:17", where that is known. */
static void say_taken(struct speech *s, const struct mdl_wait *w)
{
    if (!mdl_place_known(&w->taken_at))
        return;
    sbuf_add(&s->text, ", taken");
    say_place(s, &w->taken_at);
}

/* The name of what is waited for, "lock a"; an address only where there is no name. */
static const char *what(struct speech *s, const struct mdl_wait *w)
{
    const char *name = mdl_wait_name(&s->snap->arena, w, false), *text = NULL;

    if (w->kind == MDL_WAIT_ORDERED)
        text = arena_printf(&s->snap->arena, "the %s", name);
    return text ? text : name;
}

/* What T waits for, if that is something that one thread at a time holds; else NULL. */
static const char *lock_name(struct speech *s, const struct mdl_thread *t)
{
    if (t->wait.kind)
        return mdl_is_mutex(t->wait.kind) ? what(s, &t->wait) : NULL;
    return graph_wants_lock(t) ? activity_object(&s->snap->arena, &t->activity) : NULL;
}

/* Where the barrier is. The one at the end of a region has no call, so the region's place stands for it. */
static void say_barrier_place(struct speech *s, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    const struct mdl_region *r = mdl_region_by_id(s->snap, t->runtime, w->object ? w->object : t->region);

    if (w->barrier == MDL_BARRIER_REGION_END && r && r->place.file && r->place.line > 0)
        sbuf_printf(&s->text, " (%s:%d)", mdl_base_name(r->place.file), r->place.line);
    else
        say_place(s, &w->at);
}

static uint64_t barrier_region(const struct mdl_thread *t)
{
    return t->wait.object ? t->wait.object : t->region;
}

/* A thread of T's team that waits at another barrier than that at the end of the region, where T is: T has
 * skipped that one. NULL: there is none. */
static const struct mdl_thread *at_skipped(const insp_snapshot *s, const struct mdl_thread *t)
{
    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *other = &s->threads[i];

        if (other->runtime == t->runtime && other->wait.kind == MDL_WAIT_BARRIER && !mdl_ends_region(other) &&
            barrier_region(other) == barrier_region(t) && !mdl_misses_itself(other))
            return other;
    }
    return NULL;
}

/* Stands at the end of its region, and others of the team at another barrier or past one. */
static bool has_skipped(const insp_snapshot *s, const struct mdl_thread *t)
{
    return t->wait.kind == MDL_WAIT_BARRIER && mdl_ends_region(t) &&
           (graph_left_out_barrier(t) || mdl_split_of(s, t));
}

static void say_skipped(struct speech *s, const struct mdl_thread *t)
{
    const struct mdl_thread *other = at_skipped(s->snap, t);

    sbuf_add(&s->text,
             other && mdl_place_known(&other->wait.at) ? "skipped the barrier" : "skipped a barrier");
    if (other)
        say_barrier_place(s, other);
    sbuf_add(&s->text, " and is at the end of its region");
    say_barrier_place(s, t);
    if (graph_left_out_barrier(t) && t->thread_num == 0)
        sbuf_add(&s->text, ", which counted as its arrival where the others wait");
    else
        sbuf_add(&s->text, ", where it waits for ");
}

static void say_barrier(struct speech *s, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;

    if (has_skipped(s->snap, t)) {
        say_skipped(s, t);
        return;
    }
    sbuf_add(&s->text, mdl_ends_region(t) ? "waits at the barrier at the end of its region"
                       : w->barrier == MDL_BARRIER_WORKSHARE
                           ? "waits at the barrier at the end of a worksharing construct"
                           : "waits at the barrier");
    say_barrier_place(s, t);
    sbuf_add(&s->text, " for ");
}

/* Which of the two barriers has how many: who of them is wrong is for a person to see. */
static void say_sides(struct speech *s, const struct finding *finding)
{
    const struct mdl_thread *end = NULL, *other;
    int at_end = 0, at_other = 0;

    for (int i = 0; i < finding->count && !end; i++)
        if (graph_is_thread(s->g, finding->node[i]) &&
            has_skipped(s->snap, &s->snap->threads[finding->node[i]]))
            end = &s->snap->threads[finding->node[i]];
    other = end ? at_skipped(s->snap, end) : NULL;
    if (!other || !mdl_place_known(&other->wait.at))
        return;
    for (int i = 0; i < s->snap->thread_count; i++) {
        const struct mdl_thread *t = &s->snap->threads[i];

        if (t->runtime != end->runtime || t->wait.kind != MDL_WAIT_BARRIER ||
            barrier_region(t) != barrier_region(end))
            continue;
        at_end += mdl_ends_region(t);
        at_other += !mdl_ends_region(t) && mdl_same(t->wait.at.file, other->wait.at.file) &&
                    t->wait.at.line == other->wait.at.line;
    }
    if (at_end + at_other < 3)
        return; /* both are named */
    sbuf_printf(&s->text, " Of the team of %d, %d %s at the barrier", end->team_size, at_other,
                at_other == 1 ? "is" : "are");
    say_barrier_place(s, other);
    sbuf_printf(&s->text, " and %d %s at the end of the region.", at_end, at_end == 1 ? "is" : "are");
}

/* A task and what it waits for, to end a clause such as "waits for"; TO is the next node. */
static void say_task(struct speech *s, int node, int to)
{
    const struct mdl_task *t = &s->snap->tasks[node - s->g->first_task];
    int home = s->g->home[node - s->g->first_task];

    sbuf_printf(&s->text, "task %" PRIu64, t->id);
    if (t->place.file && t->place.line > 0)
        sbuf_printf(&s->text, " (%s:%d)", mdl_base_name(t->place.file), t->place.line);
    if (home >= 0) {
        sbuf_add(&s->text, t->state == MDL_TASK_RUNNING ? ", which runs on " : ", which is suspended on ");
        say_thread(s, home);
        if (graph_is_task(s->g, to))
            sbuf_add(&s->text, ", where a region nested in it waits for ");
    } else if (t->state == MDL_TASK_CREATED) {
        sbuf_add(&s->text, ", which is still being created by ");
    } else if (!graph_is_task(s->g, to)) {
        sbuf_add(&s->text, ", which is ready, but no thread of its team can run it");
    } else {
        sbuf_add(&s->text, ", which depends on ");
    }
}

/* Where its user's code waits for what is no part of OpenMP. */
static const struct mdl_place *activity_place(const struct mdl_thread *t)
{
    return &t->activity.at;
}

/* Waits for a lock of pthreads, or for the end of a thread. */
static void say_activity(struct speech *s, int thread, int to, bool owner_named)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    const struct mdl_activity *a = &t->activity;

    if (a->kind == MDL_ACTIVITY_JOIN) {
        sbuf_printf(&s->text, "waits in %s", a->call ? a->call : "pthread_join");
        say_place(s, activity_place(t));
        sbuf_add(&s->text, a->owner_lwp == t->lwp ? " for its own end" : " for the end of ");
        if (a->owner_lwp != t->lwp && to >= 0)
            say_thread(s, to);
        return;
    }
    sbuf_printf(&s->text, "waits for %s", lock_name(s, t));
    say_place(s, activity_place(t));
    if (a->owner == MDL_OWNER_ENDED) {
        sbuf_printf(&s->text, ", and the thread that holds it has %sended", a->owner_doubt ? "perhaps " : "");
    } else if (to == thread) {
        sbuf_add(&s->text, a->owner_doubt ? ", which it perhaps already holds" : ", which it already holds");
    } else if (!owner_named && to >= 0) {
        sbuf_add(&s->text, a->owner_doubt ? ", perhaps held by " : ", held by ");
        say_thread(s, to);
    }
}

static void say_wait(struct speech *s, int thread, int to, bool owner_named)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    const struct mdl_wait *w = &t->wait;

    if (!w->kind) {
        say_activity(s, thread, to, owner_named);
        return;
    }
    if (mdl_is_mutex(w->kind)) {
        sbuf_printf(&s->text, w->kind == MDL_WAIT_ORDERED ? "waits for its turn in %s" : "waits for %s",
                    what(s, w));
        say_place(s, &w->at);
        if (w->owner == MDL_OWNER_ENDED) {
            sbuf_printf(&s->text, ", and the thread that holds it has %sended",
                        w->owner_doubt ? "perhaps " : "");
        } else if (to == thread) {
            sbuf_add(&s->text, w->kind == MDL_WAIT_ORDERED ? ", and it is its own turn"
                               : w->owner_doubt            ? ", which it perhaps already holds"
                                                           : ", which it already holds");
            say_taken(s, w);
        } else if (!owner_named && to >= 0) {
            sbuf_add(&s->text, w->kind == MDL_WAIT_ORDERED ? ", where it is the turn of "
                               : w->owner_doubt            ? ", perhaps held by "
                                                           : ", held by ");
            say_thread(s, to);
            say_taken(s, w);
        }
        return;
    }
    if (w->kind == MDL_WAIT_BARRIER) {
        say_barrier(s, t);
    } else {
        sbuf_printf(&s->text, "waits %s",
                    w->kind == MDL_WAIT_TASKWAIT    ? "in taskwait"
                    : w->kind == MDL_WAIT_TASKGROUP ? "at the end of a taskgroup"
                                                    : "for its dependences");
        say_place(s, &w->at);
        sbuf_add(&s->text, w->kind == MDL_WAIT_DEPEND ? ": " : " for ");
    }
    if (graph_is_thread(s->g, to))
        say_thread(s, to);
}

static void say_finding(struct speech *s, const struct finding *finding)
{
    for (int i = 0; i < finding->count; i++) {
        int node = finding->node[i], last = finding->count - 1;
        int to = i < last ? finding->node[i + 1] : finding->circle ? finding->node[0] : -1;
        int from = i > 0 ? finding->node[i - 1] : finding->circle ? finding->node[last] : -1;
        const struct mdl_thread *waiter =
            graph_is_thread(s->g, from) && from != node ? &s->snap->threads[from] : NULL;
        const char *held = waiter ? lock_name(s, waiter) : NULL;

        if (graph_is_task(s->g, node)) {
            say_task(s, node, to);
            continue;
        }
        if (i > 0 && !finding->circle && !graph_blocked(&s->snap->threads[node])) {
            sbuf_add(&s->text, graph_way(&s->snap->threads[node]) == GRAPH_NEVER
                                   ? ", which has ended"
                                   : ", which is idle, and no remaining thread can start a region");
            continue;
        }
        sbuf_add(&s->text, i > 0 ? "; " : "");
        say_thread(s, node);
        if (held) {
            sbuf_printf(&s->text, waiter->wait.kind == MDL_WAIT_ORDERED ? " has the turn in %s" : " holds %s",
                        held);
            say_taken(s, &waiter->wait);
            sbuf_add(&s->text, mdl_place_known(&waiter->wait.taken_at) ? ", and" : " and");
        }
        sbuf_add(&s->text, " ");
        say_wait(s, node, to, finding->circle);
        /* A circle that begins with a task has no thread at all: its last task leads to its first. */
    }
    if (finding->circle && graph_is_task(s->g, finding->node[0]))
        sbuf_printf(&s->text, "task %" PRIu64 " again",
                    s->snap->tasks[finding->node[0] - s->g->first_task].id);
}

static void say_others(struct speech *s, const struct finding *finding)
{
    int stuck = 0;

    for (int i = 0; i < s->snap->thread_count; i++)
        stuck += graph_blocked(&s->snap->threads[i]) && !s->g->can[i];
    for (int i = 0; i < finding->count; i++)
        stuck -=
            graph_is_thread(s->g, finding->node[i]) && graph_blocked(&s->snap->threads[finding->node[i]]);
    if (stuck > 0)
        sbuf_printf(&s->text, " %d more %s forever.", stuck,
                    finding->doubt ? (stuck == 1 ? "thread would also wait" : "threads would also wait")
                    : stuck == 1   ? "thread also waits"
                                   : "threads also wait");
}

static char *end_speech(struct speech *s)
{
    char *text = s->text.oom ? NULL : arena_str(&s->snap->arena, s->text.text ? s->text.text : "");

    s->snap->arena.oom |= s->text.oom;
    sbuf_free(&s->text);
    free(s->named);
    return text;
}

char *sentence_finding(insp_snapshot *snap, const struct graph *g, const struct finding *finding)
{
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};

    if (!s.named) {
        s.text.oom = true;
        return end_speech(&s);
    }
    sbuf_printf(&s.text, "%s: ",
                finding->doubt    ? "Suspected deadlock"
                : finding->circle ? "Deadlock"
                                  : "Stuck");
    say_finding(&s, finding);
    sbuf_add(&s.text, ".");
    say_others(&s, finding);
    say_sides(&s, finding);
    if (finding->doubt)
        sbuf_printf(&s.text, " This is not proved: %s.", finding->doubt);
    return end_speech(&s);
}

/* ---- a lock that its waiter holds itself --------------------------------------------------------------- */

/* Computes: of no other thread it may be said that it runs. */
static bool still_runs(const struct mdl_thread *t)
{
    return t->running || (graph_way(t) == GRAPH_BY_ITSELF && !t->activity.asleep &&
                          (t->called || t->activity.kind == MDL_ACTIVITY_COMPUTES ||
                           t->activity.kind == MDL_ACTIVITY_OPENMP));
}

/* Does it go on without another thread of this process, as far as is known? */
static bool is_free(const struct mdl_thread *t)
{
    enum graph_way way = graph_way(t);

    return way == GRAPH_BY_ITSELF || way == GRAPH_OUTSIDE || way == GRAPH_NOT_KNOWN;
}

/* How many threads are free or, with BOUND, wait for others and can go on. FIRST: the MOST of them with the
 * lowest LWPs, so that the choice does not depend on the order in which the host lists threads. */
static int find_givers(const insp_snapshot *snap, const struct graph *g, bool bound, int *first, int most)
{
    int count = 0;

    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        int at;

        if (!g->can[i] || is_free(t) == bound)
            continue;
        at = count < most ? count : most;
        for (; at > 0 && t->lwp < snap->threads[first[at - 1]].lwp; at--)
            if (at < most)
                first[at] = first[at - 1];
        if (at < most)
            first[at] = i;
        count++;
    }
    return count;
}

static const char *task_giver(struct speech *s)
{
    for (int i = 0; i < s->snap->task_count; i++)
        if (s->g->can[s->g->first_task + i] && graph_counts(&s->snap->tasks[i])) {
            sbuf_printf(&s->text, "task %" PRIu64, s->snap->tasks[i].id);
            say_place(s, &s->snap->tasks[i].place);
            sbuf_add(&s->text, " can still run and could release it");
            break;
        }
    return end_speech(s);
}

const char *sentence_giver(insp_snapshot *snap, const struct graph *g)
{
    enum { NAMED = 3 };
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};
    int who[NAMED], count = find_givers(snap, g, false, who, NAMED);
    bool runs = count > 0;

    if (!s.named)
        s.text.oom = true;
    else if (!count)
        count = find_givers(snap, g, true, who, NAMED);
    if (!s.named || !count)
        return task_giver(&s);
    for (int i = 0; runs && i < snap->thread_count; i++)
        runs = !g->can[i] || !is_free(&snap->threads[i]) || still_runs(&snap->threads[i]);
    if (count > NAMED)
        sbuf_printf(&s.text, "%d other threads", count);
    else
        sbuf_add(&s.text, "only ");
    for (int i = 0; i < count && count <= NAMED; i++) {
        sbuf_add(&s.text, i == 0 ? "" : i == count - 1 ? " and " : ", ");
        say_thread(&s, who[i]);
    }
    if (count == 1 && !snap->threads[who[0]].openmp && !snap->threads[who[0]].running)
        sbuf_add(&s.text, ", which is not an OpenMP thread,");
    sbuf_add(&s.text, !runs ? " may still go on" : count == 1 ? " still runs" : " still run");
    sbuf_add(&s.text, count > NAMED ? ", and any of them could release it" : " and could release it");
    return end_speech(&s);
}

/* ---- what is not known, and what comes from outside ---------------------------------------------------- */

const char *sentence_event(insp_snapshot *snap, const struct graph *g, int node)
{
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};
    const struct mdl_thread *t = graph_is_thread(g, node) ? &snap->threads[node] : NULL;
    const struct mdl_task *task =
        t ? mdl_task_by_id(snap, t->runtime, t->wait.object) : &snap->tasks[node - g->first_task];

    if (!s.named) {
        s.text.oom = true;
        return end_speech(&s);
    }
    if (t) {
        say_thread(&s, node);
        sbuf_add(&s.text, " waits");
        say_place(&s, &t->wait.at);
        sbuf_add(&s.text, task ? " for omp_fulfill_event of " : " for omp_fulfill_event");
    }
    if (task) {
        sbuf_printf(&s.text, "task %" PRIu64, task->id);
        if (task->place.file && task->place.line > 0)
            sbuf_printf(&s.text, " (%s:%d)", mdl_base_name(task->place.file), task->place.line);
    }
    sbuf_add(&s.text,
             t ? ", which any code may call" : " waits for omp_fulfill_event, which any code may call");
    return end_speech(&s);
}

const char *sentence_unknown(insp_snapshot *snap, int thread)
{
    const struct mdl_thread *t = &snap->threads[thread];
    const char *name = mdl_thread_name(&snap->arena, snap, t->lwp);

    if (t->activity.kind == MDL_ACTIVITY_UNKNOWN && t->activity.why)
        return arena_printf(&snap->arena, "what %s does is not known (%s)", name, t->activity.why);
    return arena_printf(&snap->arena, "what %s does is not known", name);
}

/* What may end a wait that is no part of the graph. */
static const char *ender(const struct mdl_activity *a)
{
    switch (a->kind) {
    case MDL_ACTIVITY_READ:
    case MDL_ACTIVITY_WRITE:
    case MDL_ACTIVITY_POLL:
    case MDL_ACTIVITY_IO_URING:
        return "another process or thread may end that";
    case MDL_ACTIVITY_CHILD:
        return "the child may end that";
    case MDL_ACTIVITY_MPI:
        return "another process may end that";
    case MDL_ACTIVITY_SIGNAL:
    case MDL_ACTIVITY_STOPPED:
        return "a signal may end that";
    case MDL_ACTIVITY_TRACED:
        return "the debugger may end that";
    case MDL_ACTIVITY_KERNEL:
    case MDL_ACTIVITY_SYSTEM_CALL:
        return "the kernel or another process may end that";
    default:
        break;
    }
    if (a->owner == MDL_OWNER_FORK)
        return "a thread of the parent process has held it since before the fork";
    return a->owner == MDL_OWNER_PROCESS ? "another process holds it and may end that"
                                         : "another thread or a signal handler may end that";
}

/* ---- no thread is stuck -------------------------------------------------------------------------------- */

static bool take_first(void *arg, int need)
{
    *(int *)arg = need;
    return false;
}

/* The end of the chain of waits that begins at THREAD, in which no thread is stuck: the first that does not
 * wait for another of this process. */
static int find_root(const struct graph *g, int thread)
{
    const insp_snapshot *s = g->snap;
    int node = thread;

    for (int steps = 0; node >= 0 && steps < g->nodes; steps++) {
        int next = -1;

        if (graph_is_thread(g, node) && !graph_blocked(&s->threads[node]))
            return node;
        graph_needs(g, node, take_first, &next);
        node = next;
    }
    return -1;
}

/* The first of them, when all waiting threads are at one barrier and ROOT is the only one missing there. */
static const struct mdl_thread *one_barrier(const insp_snapshot *s, int64_t root)
{
    const struct mdl_thread *first = NULL;

    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];

        if (!graph_blocked(t))
            continue;
        if (t->wait.kind != MDL_WAIT_BARRIER || t->wait.missing_count != 1 ||
            t->wait.missing_lwp[0] != root ||
            (first && (first->region != t->region || first->runtime != t->runtime)))
            return NULL;
        first = first ? first : t;
    }
    return first;
}

static const struct mdl_thread *one_mutex(const insp_snapshot *s)
{
    const struct mdl_thread *first = NULL;

    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];

        if (!graph_blocked(t))
            continue;
        if (!(t->wait.kind ? mdl_is_mutex(t->wait.kind) : graph_wants_lock(t)) ||
            (first && (!first->wait.kind != !t->wait.kind || first->wait.id != t->wait.id ||
                       (!t->wait.kind && first->activity.object != t->activity.object))))
            return NULL;
        first = first ? first : t;
    }
    return first;
}

static void say_untaken(struct speech *s)
{
    int ready = 0;

    for (int i = 0; i < s->snap->task_count; i++)
        ready += s->snap->tasks[i].state == MDL_TASK_READY;
    if (ready)
        sbuf_printf(&s->text, "%d %s ready and no thread runs %s: ", ready,
                    ready == 1 ? "task is" : "tasks are", ready == 1 ? "it" : "them");
}

/* All WAITING threads wait in the end for one that does not wait for any of them. */
static void say_root(struct speech *s, int root, int waiting)
{
    const struct mdl_thread *b = &s->snap->threads[root];
    const struct mdl_thread *at = one_barrier(s->snap, b->lwp), *mutex = one_mutex(s->snap);

    if (at) {
        sbuf_printf(&s->text, "the team of %d waits at the barrier%s", at->team_size,
                    at->wait.barrier == MDL_BARRIER_REGION_END ? " at the end of its region" : "");
        say_barrier_place(s, at);
        sbuf_add(&s->text, " for ");
    } else if (mutex) {
        say_untaken(s);
        sbuf_printf(&s->text, waiting == 1 ? "%d thread waits for %s" : "%d threads wait for %s", waiting,
                    lock_name(s, mutex));
        say_place(s, mutex->wait.kind ? &mutex->wait.at : &mutex->activity.at);
        sbuf_add(&s->text,
                 mutex->wait.kind == MDL_WAIT_ORDERED ? ", where it is the turn of " : ", held by ");
    } else {
        sbuf_printf(&s->text,
                    waiting == 1 ? "%d thread waits for " : "%d threads wait, directly or indirectly, for ",
                    waiting);
    }
    say_thread(s, root);
    sbuf_add(&s->text, ", which ");
    if (mutex && !at && mdl_place_known(&mutex->wait.taken_at)) {
        sbuf_add(&s->text, "took it");
        say_place(s, &mutex->wait.taken_at);
        sbuf_add(&s->text, " and ");
    }
    sbuf_add(&s->text, stack_doing(&s->snap->arena, b));
}

/* What the threads do that are not idle. */
struct counts {
    int computing, waiting, going, sleeping, unknown, ended; /* going: of those that wait, who can go on */
    int idle, openmp;
    int root, blocked, rooted; /* blocked: wait for others; rooted: in the end for the thread `root` */
};

static void count_thread(const struct graph *g, int i, struct counts *c)
{
    const struct mdl_thread *t = &g->snap->threads[i];
    enum graph_way way = graph_way(t);
    int to;

    c->openmp += t->openmp;
    if (way == GRAPH_NOT_KNOWN)
        c->unknown++;
    else if (way == GRAPH_OPENMP && !t->wait.kind)
        c->idle++;
    else if (still_runs(t))
        c->computing++;
    else if (way == GRAPH_NEVER && !graph_blocked(t))
        c->ended++;
    else if (way == GRAPH_BY_ITSELF && t->activity.kind == MDL_ACTIVITY_SLEEP)
        c->sleeping++;
    else if (g->surely_can[i])
        c->going++;
    else
        c->waiting++;
    if (!graph_blocked(t))
        return;
    c->blocked++;
    to = find_root(g, i);
    if (to >= 0 && (c->root < 0 || c->root == to)) {
        c->root = to;
        c->rooted++;
    }
}

static struct counts count_all(const struct graph *g)
{
    struct counts c = {.root = -1};

    for (int i = 0; i < g->snap->thread_count; i++)
        count_thread(g, i, &c);
    return c;
}

/* "3 threads compute", then "2 wait": the first of a list has the noun. */
static void say_count(struct speech *s, bool *first, int count, const char *one, const char *many)
{
    if (!count)
        return;
    sbuf_printf(&s->text, "%s%d %s%s", *first ? "" : ", ", count,
                !*first      ? ""
                : count == 1 ? "thread "
                             : "threads ",
                count == 1 ? one : many);
    *first = false;
}

static void say_counts(struct speech *s, const struct counts *c)
{
    bool first = true, moves = c->computing > 0;

    sbuf_add(&s->text, "No deadlock: ");
    say_count(s, &first, c->computing, "computes", "compute");
    if (moves)
        say_count(s, &first, c->waiting + c->going, "waits", "wait");
    else
        say_count(s, &first, c->going, "waits and can go on", "wait and can go on");
    if (!moves)
        say_count(s, &first, c->waiting, c->going ? "more waits" : "waits", c->going ? "more wait" : "wait");
    say_count(s, &first, c->sleeping, "sleeps", "sleep");
    say_count(s, &first, c->ended, "has ended", "have ended");
    if (c->unknown && !first)
        sbuf_printf(&s->text, "; what %d other%s not known", c->unknown,
                    c->unknown == 1 ? " thread does is" : " threads do is");
    else if (first && c->idle)
        sbuf_printf(&s->text, "%d OpenMP %s idle", c->idle, c->idle == 1 ? "thread is" : "threads are");
    else if (first)
        sbuf_add(&s->text, "there are no OpenMP threads");
}

/* Sentences begin with a capital; what follows a colon does not. */
static void capital(struct speech *s, size_t at)
{
    bool begins = at == 0;

    if (s->text.text && s->text.len > at)
        s->text.text[at] = (char)(begins ? toupper((unsigned char)s->text.text[at])
                                         : tolower((unsigned char)s->text.text[at]));
}

char *sentence_none(insp_snapshot *snap, const struct graph *g)
{
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};
    struct counts c = count_all(g);
    size_t begin;

    if (snap->moving)
        sbuf_add(&s.text, "Not certain, because the process kept running while it was read: ");
    else if (!snap->complete)
        sbuf_add(&s.text, "As far as could be read: ");
    begin = s.text.len;
    if (!s.named) {
        s.text.oom = true;
        return end_speech(&s);
    }
    if (c.rooted && c.rooted == c.blocked && snap->threads[c.root].state != MDL_STATE_IDLE)
        say_root(&s, c.root, c.blocked);
    else
        say_counts(&s, &c);
    capital(&s, begin);
    sbuf_add(&s.text, ".");
    return end_speech(&s);
}

/* The thread to name: an OpenMP thread before another, then the first. */
static int choose_outside(const struct graph *g, int *ret_count)
{
    int best = -1;

    *ret_count = 0;
    for (int i = 0; i < g->snap->thread_count; i++) {
        const struct mdl_thread *t = &g->snap->threads[i];

        *ret_count += graph_blocked(t) || g->outside[i];
        if (g->outside[i] && (best < 0 || (t->openmp && !g->snap->threads[best].openmp)))
            best = i;
    }
    return best;
}

char *sentence_outside(insp_snapshot *snap, const struct graph *g)
{
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};
    struct counts c = count_all(g);
    int count, who = choose_outside(g, &count);

    if (!s.named || who < 0) {
        s.text.oom = true;
        return end_speech(&s);
    }
    sbuf_add(&s.text, "Nothing is proved: ");
    if (c.rooted && c.rooted == c.blocked && g->outside[c.root]) {
        size_t begin = s.text.len;

        say_root(&s, c.root, c.blocked);
        capital(&s, begin);
        who = c.root;
    } else {
        say_thread(&s, who);
        sbuf_printf(&s.text, " %s", stack_doing(&snap->arena, &snap->threads[who]));
        if (count > 1)
            sbuf_printf(&s.text, ", and %d more %s", count - 1, count == 2 ? "thread waits" : "threads wait");
    }
    sbuf_printf(&s.text, "; %s.", ender(&snap->threads[who].activity));
    if (c.unknown)
        sbuf_printf(&s.text, " What %d other %s not known.", c.unknown,
                    c.unknown == 1 ? "thread does is" : "threads do is");
    if (snap->moving)
        sbuf_add(&s.text, " The process kept running while it was read.");
    else if (!snap->complete)
        sbuf_add(&s.text, " Not everything could be read.");
    return end_speech(&s);
}
