/* SPDX-License-Identifier: Apache-2.0 */
/* The sentences when no thread is stuck, as far as is known. */
#include <ctype.h>
#include <inttypes.h>

#include "inspect/frames/stacks.h"
#include "inspect/graph/sentence.h"
#include "inspect/graph/speech.h"
#include "inspect/model/phrases.h"

/* ---- what is not known, and what comes from outside ---------------------------------------------------- */

const char *sentence_event(insp_snapshot *snap, const struct graph *g, int node)
{
    struct speech s = speech_begin(snap, g);
    const struct mdl_thread *t = graph_is_thread(g, node) ? &snap->threads[node] : NULL;
    const struct mdl_task *task =
        t ? mdl_task_by_id(snap, t->runtime, t->wait.object) : &snap->tasks[node - g->first_task];

    if (!s.named)
        return speech_end(&s);
    if (t) {
        speech_thread(&s, node);
        sbuf_add(&s.text, " waits");
        speech_wait_place(&s, &t->wait);
        sbuf_add(&s.text, task ? " for omp_fulfill_event of " : " for omp_fulfill_event");
    }
    if (task) {
        sbuf_printf(&s.text, "task %" PRIu64, task->id);
        if (task->place.file && task->place.line > 0)
            sbuf_printf(&s.text, " (%s:%d)", mdl_base_name(task->place.file), task->place.line);
    }
    if (t)
        sbuf_add(&s.text, ", which any code may call");
    else if (task && task->kind == MDL_TASK_TARGET) /* its code has ended, and nobody can fulfil it */
        sbuf_add(&s.text, " waits for its device");
    else
        sbuf_add(&s.text, " waits for omp_fulfill_event, which any code may call");
    return speech_end(&s);
}

const char *sentence_unknown(insp_snapshot *snap, int thread)
{
    const struct mdl_thread *t = &snap->threads[thread];
    const char *name = mdl_thread_name(&snap->arena, snap, t->lwp);

    if (t->activity.kind == MDL_ACTIVITY_UNKNOWN && t->activity.why)
        return arena_printf(&snap->arena, "what %s does is not known (%s)", name, t->activity.why);
    /* Whoever took the snapshot did not want it. */
    return arena_printf(&snap->arena, "what %s does was not read", name);
}

const char *sentence_unrecorded(insp_snapshot *snap, const struct graph *g, int thread)
{
    const struct mdl_thread *t = &snap->threads[thread];
    const struct mdl_thread *probable = mdl_thread_by_lwp(snap, mdl_probable_owner(t));
    struct speech s = speech_begin(snap, g);

    if (!s.named)
        return speech_end(&s);
    if (t->wait.kind == MDL_WAIT_ORDERED)
        sbuf_add(&s.text, "who runs the iteration for which ");
    else
        sbuf_printf(&s.text, "who holds %s, for which ", speech_wait(&s, &t->wait));
    speech_thread(&s, thread);
    sbuf_add(&s.text, " waits, is not recorded");
    if (probable == t) {
        sbuf_add(&s.text, "; probably it does so itself");
    } else if (probable) {
        sbuf_add(&s.text, "; probably ");
        speech_thread(&s, (int)(probable - snap->threads));
        sbuf_add(&s.text, " does, which ");
        if (probable->wait.kind) {
            sbuf_printf(&s.text, "waits for %s", speech_wait(&s, &probable->wait));
            speech_wait_place(&s, &probable->wait);
        } else {
            sbuf_add(&s.text, stack_did(&snap->arena, snap, probable));
        }
    }
    return speech_end(&s);
}

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

/* A worker of a library's pool that has nothing to do. */
static bool idles(const struct mdl_thread *t)
{
    return t->activity.pool && graph_way(t) == GRAPH_OUTSIDE;
}

/* Is there a thread that has something to do and does not wait for thread WHO? */
static bool is_another(const struct graph *g, int who)
{
    for (int i = 0; i < g->snap->thread_count; i++) {
        const struct mdl_thread *t = &g->snap->threads[i];
        const enum graph_way way = graph_way(t);

        if (i == who || way == GRAPH_NEVER || (way == GRAPH_OPENMP && !t->wait.kind) || idles(t))
            continue;
        if (!graph_blocked(t) || find_root(g, i) != who)
            return true;
    }
    return false;
}

/* May it lie in memory that processes share? */
static bool is_shareable(enum mdl_activity_kind kind)
{
    return kind == MDL_ACTIVITY_CONDITION || kind == MDL_ACTIVITY_SEMAPHORE || kind == MDL_ACTIVITY_BARRIER ||
           kind == MDL_ACTIVITY_FUTEX || kind == MDL_ACTIVITY_ATOMIC;
}

/* What may end the wait of thread WHO, which is no part of the graph. */
static const char *ender(const struct graph *g, int who)
{
    const struct mdl_activity *a = &g->snap->threads[who].activity;
    const bool another = is_another(g, who);

    switch (a->kind) {
    case MDL_ACTIVITY_READ:
    case MDL_ACTIVITY_WRITE:
    case MDL_ACTIVITY_POLL:
    case MDL_ACTIVITY_IO_URING:
        return another ? "another process or thread may end that" : "another process may end that";
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
    if (a->owner == MDL_OWNER_PROCESS)
        return "another process holds it and may end that";
    if (another)
        return "another thread or a signal handler may end that";
    if (is_shareable(a->kind))
        return g->snap->thread_count == 1
                   ? "it is the only thread; a signal handler, or a process that shares it, may end that"
                   : "no other thread goes on before it does; a signal handler, or a process that shares it, "
                     "may end that";
    return g->snap->thread_count == 1
               ? "it is the only thread; a signal handler may end that"
               : "no other thread goes on before it does; a signal handler may end that";
}

/* ---- no thread is stuck -------------------------------------------------------------------------------- */

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
        speech_barrier_place(s, at);
        sbuf_add(&s->text, " for ");
    } else if (mutex) {
        say_untaken(s);
        sbuf_printf(&s->text, waiting == 1 ? "%d thread waits for %s" : "%d threads wait for %s", waiting,
                    speech_lock(s, mutex));
        if (mutex->wait.kind)
            speech_wait_place(s, &mutex->wait);
        else
            speech_place(s, &mutex->activity.at);
        sbuf_add(&s->text, mutex->wait.kind == MDL_WAIT_ORDERED ? ", where it is the turn of "
                           : !mutex->wait.kind && mutex->activity.kind == MDL_ACTIVITY_ONCE ? ", run by "
                                                                                            : ", held by ");
    } else {
        sbuf_printf(&s->text,
                    waiting == 1 ? "%d thread waits for " : "%d threads wait, directly or indirectly, for ",
                    waiting);
    }
    speech_thread(s, root);
    sbuf_add(&s->text, ", which ");
    if (mutex && !at && mdl_place_known(&mutex->wait.taken_at)) {
        sbuf_add(&s->text, "took it");
        speech_place(s, &mutex->wait.taken_at);
        sbuf_add(&s->text, " and ");
    }
    sbuf_add(&s->text, stack_did(&s->snap->arena, s->snap, b));
}

/* What the threads do that are not idle. */
struct counts {
    int computing, waiting, going, sleeping, unknown, ended; /* going: of those that wait, who can go on */
    int released;
    int idle, openmp;
    int root, blocked, rooted; /* blocked: wait for others; rooted: in the end for the thread `root` */
};

static void count_thread(const struct graph *g, int i, struct counts *c)
{
    const struct mdl_thread *t = &g->snap->threads[i];
    enum graph_way way = graph_way(t);
    int to;

    if (idles(t))
        return;
    c->openmp += t->openmp;
    if (way == GRAPH_NOT_KNOWN)
        c->unknown++;
    else if (way == GRAPH_OPENMP && !t->wait.kind)
        c->idle++;
    else if (graph_released(t))
        c->released++;
    else if (graph_runs(t))
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
    const int signal = s->snap->process.signal;
    const bool over = signal > 0, moves = c->computing + c->released > 0;
    const char *wait = over ? "waited" : "wait", *waits = over ? "waited" : "waits";
    bool first = true;

    if (over)
        sbuf_printf(&s->text,
                    "No deadlock when %s ended the process: ", mdl_signal_name(&s->snap->arena, signal));
    else
        sbuf_add(&s->text, "No deadlock: ");
    say_count(s, &first, c->computing, over ? "computed" : "computes", over ? "computed" : "compute");
    say_count(s, &first, c->released, "was released and has not run yet",
              "were released and have not run yet");
    if (moves)
        say_count(s, &first, c->waiting + c->going, waits, wait);
    else
        say_count(s, &first, c->going, over ? "waited and could go on" : "waits and can go on",
                  over ? "waited and could go on" : "wait and can go on");
    if (!moves)
        say_count(s, &first, c->waiting, c->going ? arena_printf(&s->snap->arena, "more %s", waits) : waits,
                  c->going ? arena_printf(&s->snap->arena, "more %s", wait) : wait);
    say_count(s, &first, c->sleeping, over ? "slept" : "sleeps", over ? "slept" : "sleep");
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
    struct speech s = speech_begin(snap, g);
    struct counts c = count_all(g);
    size_t begin;

    if (snap->moving)
        sbuf_add(&s.text, "Not certain, because the process kept running while it was read: ");
    else if (!snap->complete)
        sbuf_add(&s.text, "As far as could be read: ");
    begin = s.text.len;
    if (!s.named)
        return speech_end(&s);
    if (c.rooted && c.rooted == c.blocked && snap->threads[c.root].state != MDL_STATE_IDLE)
        say_root(&s, c.root, c.blocked);
    else
        say_counts(&s, &c);
    capital(&s, begin);
    sbuf_add(&s.text, ".");
    return speech_end(&s);
}

/* Which one to name first: an OpenMP thread, then another, last who waits for work alone. */
static int rank(const struct mdl_thread *t)
{
    return idles(t) ? 0 : t->openmp ? 2 : 1;
}

/* The first of the highest rank. */
static int choose_outside(const struct graph *g, int *ret_count)
{
    int best = -1;

    *ret_count = 0;
    for (int i = 0; i < g->snap->thread_count; i++) {
        const struct mdl_thread *t = &g->snap->threads[i];

        *ret_count += !idles(t) && (graph_blocked(t) || g->outside[i]);
        if (g->outside[i] && (best < 0 || rank(t) > rank(&g->snap->threads[best])))
            best = i;
    }
    return best;
}

char *sentence_outside(insp_snapshot *snap, const struct graph *g)
{
    struct speech s = speech_begin(snap, g);
    struct counts c = count_all(g);
    int count, who = choose_outside(g, &count);

    if (!s.named || who < 0)
        return speech_end(&s);
    sbuf_add(&s.text, "Nothing is proved: ");
    if (c.rooted && c.rooted == c.blocked && g->outside[c.root]) {
        size_t begin = s.text.len;

        say_root(&s, c.root, c.blocked);
        capital(&s, begin);
        who = c.root;
        count -= c.blocked;
    } else {
        speech_thread(&s, who);
        sbuf_printf(&s.text, " %s", stack_did(&snap->arena, snap, &snap->threads[who]));
    }
    if (count > 1)
        sbuf_printf(&s.text, ", and %d more %s", count - 1, count == 2 ? "thread waits" : "threads wait");
    sbuf_printf(&s.text, "; %s.", ender(g, who));
    if (c.unknown)
        sbuf_printf(&s.text, " What %d other %s not known.", c.unknown,
                    c.unknown == 1 ? "thread does is" : "threads do is");
    if (snap->moving)
        sbuf_add(&s.text, " The process kept running while it was read.");
    else if (!snap->complete)
        sbuf_add(&s.text, " Not everything could be read.");
    return speech_end(&s);
}
