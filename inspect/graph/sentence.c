/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sentences of the verdict. A thread is named in full once ("thread 2 (LWP 4243)"), then by its number.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void say_barrier(struct speech *s, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    bool end = w->barrier == MDL_BARRIER_REGION_END, left_out = graph_left_out_barrier(t);

    sbuf_add(&s->text, left_out ? "skipped a barrier and reached the end of its region"
                       : end    ? "waits at the barrier at the end of its region"
                       : w->barrier == MDL_BARRIER_WORKSHARE
                           ? "waits at the barrier at the end of a worksharing construct"
                           : "waits at the barrier");
    say_barrier_place(s, t);
    if (left_out && t->thread_num == 0)
        sbuf_add(&s->text, ", which counted as its arrival where the others wait");
    else
        sbuf_add(&s->text, left_out ? ", where it waits for " : " for ");
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

static void say_wait(struct speech *s, int thread, int to, bool owner_named)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    const struct mdl_wait *w = &t->wait;

    if (mdl_is_mutex(w->kind)) {
        sbuf_printf(&s->text, w->kind == MDL_WAIT_ORDERED ? "waits for its turn in %s" : "waits for %s",
                    what(s, w));
        say_place(s, &w->at);
        if (w->owner == MDL_OWNER_ENDED) {
            sbuf_add(&s->text, ", and the thread that holds it has ended");
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
                                                    : "for dependences");
        say_place(s, &w->at);
        sbuf_add(&s->text, w->kind == MDL_WAIT_DEPEND ? " on " : " for ");
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
        const struct mdl_wait *held =
            graph_is_thread(s->g, from) && from != node ? &s->snap->threads[from].wait : NULL;

        if (graph_is_task(s->g, node)) {
            say_task(s, node, to);
            continue;
        }
        if (i > 0 && !finding->circle && !s->snap->threads[node].wait.kind) {
            sbuf_add(&s->text, ", which is idle, and no thread is left that could start a region");
            continue;
        }
        sbuf_add(&s->text, i > 0 ? "; " : "");
        say_thread(s, node);
        if (held && mdl_is_mutex(held->kind)) {
            sbuf_printf(&s->text, held->kind == MDL_WAIT_ORDERED ? " has the turn in %s" : " holds %s",
                        what(s, held));
            say_taken(s, held);
            sbuf_add(&s->text, mdl_place_known(&held->taken_at) ? ", and" : " and");
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
        stuck += s->snap->threads[i].wait.kind && !s->g->can[i];
    for (int i = 0; i < finding->count; i++)
        stuck -= graph_is_thread(s->g, finding->node[i]) && s->snap->threads[finding->node[i]].wait.kind;
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
    if (finding->doubt)
        sbuf_printf(&s.text, " This is not proved: %s.", finding->doubt);
    return end_speech(&s);
}

/* ---- a lock that its waiter holds itself --------------------------------------------------------------- */

/* How many threads still run or, with WAITING, wait and can go on. FIRST: the MOST of them with the lowest
 * LWPs, so that the choice does not depend on the order in which the host lists threads. */
static int find_runners(const insp_snapshot *snap, const struct graph *g, bool waiting, int *first, int most)
{
    int count = 0;

    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        bool rests = t->wait.kind || t->state == MDL_STATE_IDLE;
        int at;

        if (!g->can[i] || rests != waiting)
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
    int who[NAMED], count = find_runners(snap, g, false, who, NAMED);
    bool runs = count > 0;

    if (!s.named)
        s.text.oom = true;
    else if (!runs)
        count = find_runners(snap, g, true, who, NAMED);
    if (!s.named || !count)
        return task_giver(&s);
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
    sbuf_add(&s.text, !runs ? " can still go on" : count == 1 ? " still runs" : " still run");
    sbuf_add(&s.text, count > NAMED ? ", and any of them could release it" : " and could release it");
    return end_speech(&s);
}

/* ---- no thread is stuck -------------------------------------------------------------------------------- */

static bool take_first(void *arg, int need)
{
    *(int *)arg = need;
    return false;
}

/* The end of the chain of waits that begins at THREAD, in which no thread is stuck: the first that does not
 * wait. */
static int find_root(const struct graph *g, int thread)
{
    const insp_snapshot *s = g->snap;
    int node = thread;

    for (int steps = 0; node >= 0 && steps < g->nodes; steps++) {
        int next = -1;

        if (graph_is_thread(g, node) && !s->threads[node].wait.kind)
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

        if (!t->wait.kind)
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

        if (!t->wait.kind)
            continue;
        if (!mdl_is_mutex(t->wait.kind) || (first && first->wait.id != t->wait.id))
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

/* All WAITING threads wait in the end for one that works. */
static void say_root(struct speech *s, int root, int waiting)
{
    const struct mdl_thread *b = &s->snap->threads[root];
    const struct mdl_thread *at = one_barrier(s->snap, b->lwp), *mutex = one_mutex(s->snap);

    if (at) {
        sbuf_printf(&s->text, "%she team of %d waits at the barrier%s", s->text.len ? "t" : "T",
                    at->team_size,
                    at->wait.barrier == MDL_BARRIER_REGION_END ? " at the end of its region" : "");
        say_barrier_place(s, at);
        sbuf_add(&s->text, " for ");
    } else if (mutex) {
        say_untaken(s);
        sbuf_printf(&s->text, waiting == 1 ? "%d thread waits for %s" : "%d threads wait for %s", waiting,
                    what(s, &mutex->wait));
        say_place(s, &mutex->wait.at);
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
    sbuf_add(&s->text, ".");
    if (s->text.text && s->text.len)
        s->text.text[0] = (char)toupper((unsigned char)s->text.text[0]);
}

static void say_counts(struct speech *s, int working, int waiting, int idle)
{
    sbuf_add(&s->text, s->text.len ? "no deadlock was found: " : "No deadlock: ");
    if (!working && !waiting) {
        if (idle)
            sbuf_printf(&s->text, "%d OpenMP %s idle.", idle, idle == 1 ? "thread is" : "threads are");
        else
            sbuf_add(&s->text, "there are no OpenMP threads.");
        return;
    }
    if (working)
        sbuf_printf(&s->text, "%d %s", working, working == 1 ? "thread computes" : "threads compute");
    if (waiting)
        sbuf_printf(&s->text, "%s%d %s", working ? ", " : "", waiting,
                    !working ? (waiting == 1 ? "thread waits and can go on" : "threads wait and can go on")
                    : waiting == 1 ? "waits"
                                   : "wait");
    sbuf_add(&s->text, ".");
}

char *sentence_none(insp_snapshot *snap, const struct graph *g)
{
    struct speech s = {.snap = snap, .g = g, .named = calloc((size_t)snap->thread_count + 1, 1)};
    int working = 0, waiting = 0, idle = 0, root = -1, rooted = 0;

    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        int to;

        if (!t->openmp)
            continue;
        working += !t->wait.kind && t->state != MDL_STATE_IDLE;
        idle += t->state == MDL_STATE_IDLE;
        if (!t->wait.kind)
            continue;
        waiting++;
        to = find_root(g, i);
        if (to >= 0 && (root < 0 || root == to)) {
            root = to;
            rooted++;
        }
    }
    if (snap->moving)
        sbuf_add(&s.text, "Not certain, because the process kept running while it was read: ");
    else if (!snap->complete)
        sbuf_add(&s.text, "As far as could be read: ");
    if (!s.named)
        s.text.oom = true;
    else if (rooted && rooted == waiting && snap->threads[root].state != MDL_STATE_IDLE)
        say_root(&s, root, waiting);
    else
        say_counts(&s, working, waiting, idle);
    return end_speech(&s);
}
