/* SPDX-License-Identifier: Apache-2.0 */
/* Of what keeps threads from ever going on. sentence_open.c has the others. */
#include <inttypes.h>

#include "inspect/frames/activity_words.h"
#include "inspect/graph/sentence.h"
#include "inspect/graph/speech.h"
#include "inspect/model/phrases.h"

/* ", taken at solve.c:17", where that is known. */
static void say_taken(struct speech *s, const struct mdl_wait *w)
{
    if (!mdl_place_known(&w->taken_at))
        return;
    sbuf_add(&s->text, ", taken");
    speech_place(s, &w->taken_at);
}

/* A thread of T's team that waits at another barrier than that at the end of the region, where T is: T has
 * skipped that one. NULL: there is none. */
static const struct mdl_thread *at_skipped(const insp_snapshot *s, const struct mdl_thread *t)
{
    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *other = &s->threads[i];

        if (other->runtime == t->runtime && other->wait.kind == MDL_WAIT_BARRIER && !mdl_ends_region(other) &&
            mdl_barrier_region(other) == mdl_barrier_region(t) && !mdl_misses_itself(other))
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
        speech_barrier_place(s, other);
    sbuf_add(&s->text, " and is at the end of its region");
    speech_barrier_place(s, t);
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
    speech_barrier_place(s, t);
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
            mdl_barrier_region(t) != mdl_barrier_region(end))
            continue;
        at_end += mdl_ends_region(t);
        at_other += !mdl_ends_region(t) && mdl_same(t->wait.at.file, other->wait.at.file) &&
                    t->wait.at.line == other->wait.at.line;
    }
    if (at_end + at_other < 3)
        return; /* both are named */
    sbuf_printf(&s->text, " Of the team of %d, %d %s at the barrier", end->team_size, at_other,
                at_other == 1 ? "is" : "are");
    speech_barrier_place(s, other);
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
        speech_thread(s, home);
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

/* Held by no thread of this process, where it was forked, or may have been. */
static void say_left_behind(struct speech *s, const struct mdl_activity *a)
{
    const struct mdl_process *p = &s->snap->process;
    const char *perhaps = a->owner_doubt ? "perhaps " : "";

    if (a->owner == MDL_OWNER_FORK && a->owner_pid > 0) {
        sbuf_printf(&s->text,
                    ", which a thread of process %" PRId64 " has held since before it forked this one",
                    a->owner_pid);
        return;
    }
    sbuf_printf(&s->text, ", and the thread that holds it is %snot in this process: it ", perhaps);
    if (p->forked > 0 && p->forked_from)
        sbuf_printf(&s->text, "was one of PID %" PRId64 ", which forked this one, or it has ended",
                    p->forked_from);
    else
        sbuf_printf(&s->text, "has ended, or stayed behind when this process was forked");
}

/* Waits for a lock of pthreads, or for the end of a thread. */
static void say_activity(struct speech *s, int thread, int to, bool owner_named)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    const struct mdl_activity *a = &t->activity;

    if (a->kind == MDL_ACTIVITY_JOIN) {
        sbuf_printf(&s->text, "waits in %s", a->call ? a->call : "pthread_join");
        speech_place(s, &t->activity.at);
        sbuf_add(&s->text, a->owner_lwp == t->lwp ? " for its own end" : " for the end of ");
        if (a->owner_lwp != t->lwp && to >= 0)
            speech_thread(s, to);
        return;
    }
    sbuf_printf(&s->text, "waits for %s", speech_lock(s, t));
    speech_place(s, &t->activity.at);
    if (a->kind == MDL_ACTIVITY_ONCE) {
        if (!owner_named && to >= 0 && to != thread) {
            sbuf_add(&s->text, ", which ");
            speech_thread(s, to);
            sbuf_add(&s->text, " runs");
        }
        return;
    }
    if (a->owner == MDL_OWNER_ENDED) {
        sbuf_printf(&s->text, ", and the thread that holds it has %sended", a->owner_doubt ? "perhaps " : "");
    } else if (a->owner == MDL_OWNER_FORK || a->owner == MDL_OWNER_GONE) {
        say_left_behind(s, a);
    } else if (to == thread) {
        sbuf_add(&s->text, a->owner_doubt ? ", which it perhaps already holds" : ", which it already holds");
    } else if (!owner_named && to >= 0) {
        sbuf_add(&s->text, a->owner_doubt ? ", perhaps held by " : ", held by ");
        speech_thread(s, to);
    }
}

/* Waits for what no thread can give back any more. */
static void say_unrecorded(struct speech *s, const struct mdl_thread *t)
{
    const struct mdl_thread *probable = mdl_thread_by_lwp(s->snap, mdl_probable_owner(t));

    if (t->wait.kind == MDL_WAIT_ORDERED) {
        sbuf_add(&s->text, ", and no thread that could run the iteration before it can go on");
        return;
    }
    if (probable == t) {
        sbuf_add(&s->text, ", which it probably already holds");
    } else if (probable) {
        sbuf_add(&s->text, ", probably held by ");
        speech_thread(s, (int)(probable - s->snap->threads));
    }
    sbuf_add(&s->text, ", and no thread that could release it can go on");
    if (!probable)
        sbuf_add(&s->text, " (who holds it is not recorded)");
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
                    speech_wait(s, w));
        speech_wait_place(s, w);
        if (w->owner == MDL_OWNER_ENDED) {
            sbuf_printf(&s->text, ", and the thread that holds it has %sended",
                        w->owner_doubt ? "perhaps " : "");
        } else if (to == thread) {
            sbuf_add(&s->text, w->kind == MDL_WAIT_ORDERED ? ", and it is its own turn"
                               : mdl_probable_owner(t)     ? ", which it probably already holds"
                               : w->owner_doubt            ? ", which it perhaps already holds"
                                                           : ", which it already holds");
            say_taken(s, w);
        } else if (!owner_named && to >= 0) {
            sbuf_add(&s->text, w->kind == MDL_WAIT_ORDERED ? ", where it is the turn of "
                               : mdl_probable_owner(t)     ? ", probably held by "
                               : w->owner_doubt            ? ", perhaps held by "
                                                           : ", held by ");
            speech_thread(s, to);
            say_taken(s, w);
        } else if (s->g->unrecorded[thread]) {
            say_unrecorded(s, t);
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
        speech_wait_place(s, w);
        sbuf_add(&s->text, w->kind == MDL_WAIT_DEPEND ? ": " : " for ");
    }
    if (graph_is_thread(s->g, to))
        speech_thread(s, to);
}

static bool is_initialiser(const struct mdl_thread *waiter)
{
    return !waiter->wait.kind && waiter->activity.kind == MDL_ACTIVITY_ONCE;
}

static void say_finding(struct speech *s, const struct finding *finding)
{
    for (int i = 0; i < finding->count; i++) {
        int node = finding->node[i], last = finding->count - 1;
        int to = i < last ? finding->node[i + 1] : finding->circle ? finding->node[0] : -1;
        int from = i > 0 ? finding->node[i - 1] : finding->circle ? finding->node[last] : -1;
        const struct mdl_thread *waiter =
            graph_is_thread(s->g, from) && from != node ? &s->snap->threads[from] : NULL;
        const char *held = waiter ? speech_lock(s, waiter) : NULL;

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
        speech_thread(s, node);
        if (held) {
            sbuf_printf(&s->text,
                        waiter->wait.kind == MDL_WAIT_ORDERED ? " has the turn in %s"
                        : is_initialiser(waiter)              ? " runs %s"
                        : mdl_probable_owner(waiter)          ? " probably holds %s"
                                                              : " holds %s",
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

/* "this process was forked by PID 4711 after that had used OpenMP; of the team of 4 at load.c:12 only LWP
   4718 is here, which waits at load.c:15 for threads that stayed in the parent" */
static void say_abandoned(struct speech *s, int thread)
{
    const struct mdl_thread *t = &s->snap->threads[thread];
    const struct mdl_process *p = &s->snap->process;
    const struct mdl_region *r = mdl_region_by_id(s->snap, t->runtime, t->region);
    int here = 0;

    for (int i = 0; i < r->member_count; i++)
        here += !r->members[i].gone;
    if (p->forked > 0 && p->forked_from)
        sbuf_printf(&s->text, "this process was forked by PID %" PRId64 " after that had used OpenMP; ",
                    p->forked_from);
    else if (p->forked > 0)
        sbuf_add(&s->text, "this process was forked by one that had used OpenMP; ");
    sbuf_printf(&s->text, "of the team of %d", r->member_count);
    speech_place(s, &r->place);
    sbuf_add(&s->text, " only ");
    if (here == 1)
        speech_thread(s, thread);
    else
        sbuf_printf(&s->text, "%d threads", here);
    sbuf_add(&s->text, here == 1 ? " is here, which waits" : " are here, and ");
    if (here != 1) {
        speech_thread(s, thread);
        sbuf_add(&s->text, " waits");
    }
    if (t->wait.kind)
        speech_wait_place(s, &t->wait);
    else
        speech_place(s, &t->activity.at);
    sbuf_add(&s->text, p->forked > 0 ? " for threads that stayed in the parent"
                                     : " for threads that do not exist in this process");
}

/* What helps against that: what any OpenMP program may do, and the runtime that makes a team of its own. */
static void say_remedy(struct speech *s, const struct mdl_thread *t)
{
    const char *kind = NULL;

    for (int i = 0; i < s->snap->runtime_count; i++)
        if (s->snap->runtimes[i].id == t->runtime)
            kind = s->snap->runtimes[i].kind;
    sbuf_printf(&s->text,
                " Fork before the first region, or start such processes anew (posix_spawn, exec; in "
                "Python the start method \"spawn\")%s.",
                t->thread_num == 0 && mdl_same(kind, "libgomp")
                    ? "; on Companion and libomp a child has a team of its own"
                    : "");
}

char *sentence_finding(insp_snapshot *snap, const struct graph *g, const struct finding *finding)
{
    struct speech s = speech_begin(snap, g);
    const bool abandoned = finding->count == 1 && graph_is_thread(g, finding->node[0]) &&
                           snap->threads[finding->node[0]].abandoned;

    if (!s.named)
        return speech_end(&s);
    sbuf_printf(&s.text, "%s: ",
                finding->doubt                                         ? "Suspected deadlock"
                : finding->circle || s.g->unrecorded[finding->node[0]] ? "Deadlock"
                                                                       : "Stuck");
    if (abandoned)
        say_abandoned(&s, finding->node[0]);
    else
        say_finding(&s, finding);
    sbuf_add(&s.text, ".");
    say_others(&s, finding);
    if (abandoned)
        say_remedy(&s, &snap->threads[finding->node[0]]);
    say_sides(&s, finding);
    if (finding->doubt)
        sbuf_printf(&s.text, " This is not proved: %s.", finding->doubt);
    return speech_end(&s);
}

/* ---- a lock that its waiter holds itself --------------------------------------------------------------- */

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
            speech_place(s, &s->snap->tasks[i].place);
            sbuf_add(&s->text, " can still run and could release it");
            break;
        }
    return speech_end(s);
}

const char *sentence_giver(insp_snapshot *snap, const struct graph *g)
{
    enum { NAMED = 3 };
    struct speech s = speech_begin(snap, g);
    int who[NAMED], count = find_givers(snap, g, false, who, NAMED);
    bool runs = count > 0;

    if (!count && s.named)
        count = find_givers(snap, g, true, who, NAMED);
    if (!s.named || !count)
        return task_giver(&s);
    for (int i = 0; runs && i < snap->thread_count; i++)
        runs = !g->can[i] || !is_free(&snap->threads[i]) || graph_runs(&snap->threads[i]);
    if (count > NAMED)
        sbuf_printf(&s.text, "%d other threads", count);
    else
        sbuf_add(&s.text, "only ");
    for (int i = 0; i < count && count <= NAMED; i++) {
        sbuf_add(&s.text, i == 0 ? "" : i == count - 1 ? " and " : ", ");
        speech_thread(&s, who[i]);
    }
    if (count == 1 && !snap->threads[who[0]].openmp && !snap->threads[who[0]].running)
        sbuf_add(&s.text, ", which is not an OpenMP thread,");
    sbuf_add(&s.text, !runs ? " may still go on" : count == 1 ? " still runs" : " still run");
    sbuf_add(&s.text, count > NAMED ? ", and any of them could release it" : " and could release it");
    return speech_end(&s);
}
