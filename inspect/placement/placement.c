/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/placement/placement.h"

#include <stdlib.h>

#include "inspect/model/words.h"
#include "inspect/names/names.h"
#include "inspect/placement/processors.h"
#include "inspect/target/hostcall.h"

/* ---- what each thread holds ---------------------------------------------------------------- */

/* The object that a thread waits for is held by its owner; each is told once. */
static void add_hold(insp_snapshot *snap, int64_t owner, bool perhaps, const struct mdl_wait *wait,
                     const struct mdl_activity *activity)
{
    struct mdl_thread *t = mdl_thread_by_lwp(snap, owner);
    struct mdl_hold *rows;

    for (int i = 0; t && i < t->hold_count; i++) {
        struct mdl_hold *h = &t->holds[i];
        const bool same_wait = wait && h->wait && h->wait->kind == wait->kind && h->wait->id == wait->id;

        if (same_wait || (activity && h->activity && h->activity->object == activity->object)) {
            h->waiters++;
            return;
        }
    }
    rows = t ? arena_grow(&snap->arena, t->holds, (size_t)t->hold_count, sizeof(*rows)) : NULL;
    if (!rows)
        return;
    t->holds = rows;
    rows[t->hold_count++] =
        (struct mdl_hold){.wait = wait, .activity = activity, .waiters = 1, .perhaps = perhaps};
}

/* What T has according to the runtime, and nobody waits for. */
static void add_recorded(insp_snapshot *snap, struct mdl_thread *t)
{
    for (int i = 0; i < t->held_count; i++) {
        bool told = false;
        struct mdl_hold *rows;

        for (int k = 0; k < t->hold_count && !told; k++)
            told = t->holds[k].wait && t->holds[k].wait->id == t->held[i].id;
        rows = told ? NULL : arena_grow(&snap->arena, t->holds, (size_t)t->hold_count, sizeof(*rows));
        if (!rows)
            continue;
        t->holds = rows;
        rows[t->hold_count++] = (struct mdl_hold){.wait = &t->held[i], .perhaps = t->held[i].owner_doubt};
    }
}

/* The names of what nobody waits for; the others have theirs. */
static void name_held(insp_snapshot *snap, struct places *places)
{
    for (int i = 0; i < snap->thread_count; i++) {
        struct mdl_thread *t = &snap->threads[i];
        const struct insp_viewer viewer = {t->lwp, 0};

        for (int k = 0; k < t->held_count; k++) {
            struct mdl_wait *w = &t->held[k];

            if (w->id && w->kind != MDL_WAIT_ORDERED)
                w->name = names_object(places, mdl_word(&mdl_wait_words, (int)w->kind), w->id, &viewer, 1);
        }
    }
}

static void find_holds(insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        const struct mdl_activity *a = &t->activity;

        if (t->wait.kind && t->wait.owner == MDL_OWNER_THREAD && t->wait.owner_lwp)
            add_hold(snap, t->wait.owner_lwp, t->wait.owner_doubt, &t->wait, NULL);
        else if (t->wait.kind && mdl_probable_owner(t))
            add_hold(snap, mdl_probable_owner(t), true, &t->wait, NULL);
        else if ((a->kind == MDL_ACTIVITY_MUTEX || a->kind == MDL_ACTIVITY_RWLOCK ||
                  a->kind == MDL_ACTIVITY_LOADER) &&
                 a->owner == MDL_OWNER_THREAD && a->owner_lwp)
            add_hold(snap, a->owner_lwp, a->owner_doubt, NULL, a);
    }
    for (int i = 0; i < snap->thread_count; i++)
        add_recorded(snap, &snap->threads[i]);
}

/* ---- where threads run ---------------------------------------------------------------- */

static void find_processors(insp_session *s, insp_snapshot *snap)
{
    for (int i = 0; i < snap->thread_count; i++) {
        struct mdl_thread *t = &snap->threads[i];
        struct insp_kernel kernel;
        const char *allowed;

        t->processor = host_kernel(s, t->lwp, &kernel) ? -1 : kernel.processor;
        if (!host_allowed(s, t->lwp, &allowed))
            t->allowed = arena_str(&snap->arena, allowed);
    }
}

/* Does the thread want to run? One that waits in OpenMP may sleep, or look at a word all the time. */
static bool wants_to_run(insp_session *s, const struct mdl_thread *t)
{
    struct insp_system_call call;

    if (t->activity.kind == MDL_ACTIVITY_COMPUTES)
        return !t->activity.asleep;
    return t->activity.kind == MDL_ACTIVITY_OPENMP && host_system_call(s, t->lwp, &call) == 1;
}

static struct mdl_finding *add_finding(insp_snapshot *snap, enum mdl_finding_kind kind, int threads,
                                       int processors, const int64_t *lwps)
{
    struct mdl_finding *rows =
        arena_grow(&snap->arena, snap->findings, (size_t)snap->finding_count, sizeof(*rows));
    int64_t *list = lwps ? arena_alloc(&snap->arena, ((size_t)threads + 1) * sizeof(*list)) : NULL;

    if (!rows || (lwps && !list))
        return NULL;
    for (int i = 0; list && i < threads; i++)
        list[i] = lwps[i];
    snap->findings = rows;
    rows[snap->finding_count] = (struct mdl_finding){
        .kind = kind, .threads = threads, .processors = processors, .processor = -1, .lwps = list};
    return &rows[snap->finding_count++];
}

/* More OpenMP threads want to run now than there are processors for all of them together. LWPS has room. */
static void find_crowd(insp_session *s, insp_snapshot *snap, int64_t *lwps)
{
    struct processors all = {{0}};
    int count = 0, processors;

    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (!t->openmp || !wants_to_run(s, t))
            continue;
        if (!t->allowed || !processors_add(&all, t->allowed))
            return;
        lwps[count++] = t->lwp;
    }
    processors = processors_count(&all);
    if (count > processors)
        add_finding(snap, MDL_FINDING_CROWDED, count, processors, lwps);
}

/* A member of a team that is bound to one processor. */
struct bound {
    int runtime, processor;
    uint64_t region;
    int64_t lwp;
};

static int by_processor(const void *a, const void *b)
{
    const struct bound *x = a, *y = b;

    if (x->runtime != y->runtime)
        return x->runtime < y->runtime ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->processor != y->processor)
        return x->processor < y->processor ? -1 : 1;
    return x->lwp < y->lwp ? -1 : x->lwp > y->lwp;
}

static bool same_place(const struct bound *a, const struct bound *b)
{
    return a->runtime == b->runtime && a->region == b->region && a->processor == b->processor;
}

/* Members of one region that may run on one and the same processor only. */
static void find_together(insp_snapshot *snap, int64_t *lwps)
{
    struct bound *list = arena_alloc(&snap->arena, ((size_t)snap->thread_count + 1) * sizeof(*list));
    int count = 0, next;

    for (int i = 0; list && i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];
        struct processors set = {{0}};
        int single = t->openmp && t->region && t->allowed && processors_add(&set, t->allowed)
                         ? processors_single(&set)
                         : -1;

        if (single >= 0)
            list[count++] = (struct bound){t->runtime, single, t->region, t->lwp};
    }
    if (count)
        qsort(list, (size_t)count, sizeof(*list), by_processor);
    for (int i = 0; i < count; i = next) {
        struct mdl_finding *finding;
        int n = 0;

        for (next = i; next < count && same_place(&list[i], &list[next]); next++)
            lwps[n++] = list[next].lwp;
        finding = n > 1 ? add_finding(snap, MDL_FINDING_TOGETHER, n, 1, lwps) : NULL;
        if (finding) {
            finding->processor = list[i].processor;
            finding->runtime = list[i].runtime;
            finding->region = list[i].region;
        }
    }
}

/* Two runtimes, each with a pool of its own: only where both are at work, or there are more threads than
   processors. */
static void find_runtimes(insp_snapshot *snap)
{
    struct processors all = {{0}};
    int first = 0, threads = 0;
    bool both = false, known = true;

    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (!t->openmp)
            continue;
        threads++;
        known &= t->allowed && processors_add(&all, t->allowed);
        if (t->level > 0 && t->team_size > 1 && t->state != MDL_STATE_IDLE) {
            both |= first && first != t->runtime;
            first = first ? first : t->runtime;
        }
    }
    if (snap->runtime_count > 1 && (both || (known && threads > processors_count(&all))))
        add_finding(snap, MDL_FINDING_RUNTIMES, threads, known ? processors_count(&all) : 0, NULL);
}

void placement_find(insp_session *s, insp_snapshot *snap, struct places *places)
{
    int64_t *lwps = arena_alloc(&snap->arena, ((size_t)snap->thread_count + 1) * sizeof(*lwps));

    if (places && !(snap->want & INSP_UNNAMED))
        name_held(snap, places);
    find_holds(snap);
    find_processors(s, snap);
    /* Of a process that runs on, the rows are of different moments. */
    if (!lwps || snap->moving)
        return;
    find_crowd(s, snap, lwps);
    find_together(snap, lwps);
    find_runtimes(snap);
}
