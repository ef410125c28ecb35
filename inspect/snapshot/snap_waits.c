/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_waits.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/model/words.h"
#include "inspect/snapshot/snap_index.h"
#include "inspect/snapshot/snap_threads.h"

/* A region at whose barrier a thread waits, and which threads have arrived there. */
struct barrier {
    uint64_t region;
    const char *why; /* the reason when nothing is known */
    const int *arrived, *missing;
    const int64_t *missing_lwp;
    int arrived_count, missing_count;
};

/* The handle of the region that thread I waits in, to be released. */
static ompd_parallel_handle_t *region_handle(struct snap_run *run, int i, uint64_t region)
{
    ompd_parallel_handle_t *handle = NULL, *outer;

    if (run->lib->ompd_get_curr_parallel_handle(run->threads[i], &handle) != ompd_rc_ok)
        return NULL;
    /* As a rule the first is it. */
    for (int depth = 0; depth < 1000; depth++) {
        ompdx_parallel_info_t info = {.size = sizeof(info)};
        ompd_rc_t rc = run->lib->ompdx_get_parallel_info ? run->lib->ompdx_get_parallel_info(handle, &info)
                                                         : ompd_rc_unsupported;

        if (rc == ompd_rc_ok && info.id == region)
            return handle;
        rc = rc == ompd_rc_ok ? run->lib->ompd_get_enclosing_parallel_handle(handle, &outer) : rc;
        run->lib->ompd_rel_parallel_handle(handle);
        if (rc != ompd_rc_ok)
            return NULL;
        handle = outer;
    }
    run->lib->ompd_rel_parallel_handle(handle);
    return NULL;
}

static int64_t member_lwp(struct snap_run *run, ompd_parallel_handle_t *handle, uint64_t region, int num)
{
    const struct snap_key *k = snap_key_first(&run->members, region, (uint64_t)num);
    ompd_thread_handle_t *thread = NULL;

    if (k && k->minor == (uint64_t)num)
        return run->snap->threads[k->row].lwp;
    if (run->lib->ompd_get_thread_in_parallel(handle, num, &thread) != ompd_rc_ok)
        return 0;
    return snap_handle_lwp(run, thread);
}

static int by_number(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;

    return left < right ? -1 : left > right;
}

/* Why the library does not tell who has arrived. */
static const char *no_arrivals(const struct snap_run *run, ompd_parallel_handle_t *handle, ompd_rc_t rc)
{
    ompdx_parallel_info_t info = {.size = sizeof(info)};

    if (rc == ompd_rc_unsupported && run->lib->ompdx_get_parallel_info &&
        run->lib->ompdx_get_parallel_info(handle, &info) == ompd_rc_ok &&
        info.unknown[ompdx_parallel_fact_arrivals])
        return arena_str(&run->snap->arena, info.unknown[ompdx_parallel_fact_arrivals]);
    return ompdlib_rc(rc);
}

static void ask_barrier(struct snap_run *run, int i, struct barrier *b)
{
    const struct mdl_thread *t = &run->snap->threads[i];
    struct arena *arena = &run->snap->arena;
    int *nums = NULL, *arrived, *missing, count = 0, at = 0, size = t->team_size;
    int64_t *lwps;
    ompd_parallel_handle_t *handle;
    ompd_rc_t rc;

    b->region = t->wait.object ? t->wait.object : t->region;
    if (!run->lib->ompdx_get_barrier_arrivals || size <= 0 || size > SNAP_MAX_TEAM ||
        b->region != t->region) {
        b->why = run->lib->ompdx_get_barrier_arrivals ? "the region of the barrier is not known"
                                                      : "this OMPD library does not provide it";
        return;
    }
    handle = region_handle(run, i, b->region);
    if (!handle) {
        b->why = "the region of the barrier is not known";
        return;
    }
    rc = run->lib->ompdx_get_barrier_arrivals(handle, &nums, &count);
    /* More arrivals than members would be nonsense, whoever gave it. */
    if (rc == ompd_rc_ok && (count < 0 || count > size)) {
        free(nums);
        rc = ompd_rc_error;
    }
    if (rc != ompd_rc_ok) {
        b->why = no_arrivals(run, handle, rc);
        run->lib->ompd_rel_parallel_handle(handle);
        return;
    }
    arrived = arena_alloc(arena, (size_t)count * sizeof(*arrived) + 1);
    missing = arena_alloc(arena, (size_t)(size - count) * sizeof(*missing) + 1);
    lwps = arena_alloc(arena, (size_t)(size - count) * sizeof(*lwps) + 1);
    if (arrived && missing && lwps) {
        if (count)
            memcpy(arrived, nums, (size_t)count * sizeof(*arrived));
        qsort(arrived, (size_t)count, sizeof(*arrived), by_number);
        b->arrived = arrived;
        b->arrived_count = count;
        for (int num = 0; num < size && b->missing_count < size - count; num++) {
            if (at < count && arrived[at] == num) {
                at++;
                continue;
            }
            missing[b->missing_count] = num;
            lwps[b->missing_count++] = member_lwp(run, handle, b->region, num);
        }
        b->missing = missing;
        b->missing_lwp = lwps;
    }
    free(nums);
    run->lib->ompd_rel_parallel_handle(handle);
}

void snap_barriers(struct snap_run *run)
{
    struct arena *arena = &run->snap->arena;
    struct hash regions = {.arena = arena}; /* region -> struct barrier: 256 threads ask once */

    for (int i = 0; i < run->snap->thread_count; i++) {
        struct mdl_thread *t = &run->snap->threads[i];
        struct barrier *found;
        uint64_t *at;

        if (t->runtime != run->id || !run->threads[i] || !t->wait.barrier)
            continue;
        at = hash_add(&regions, t->wait.object ? t->wait.object : t->region, NULL);
        if (!at)
            return;
        found = (struct barrier *)(uintptr_t)*at;
        if (!found) {
            found = arena_alloc(arena, sizeof(*found));
            if (!found)
                return;
            ask_barrier(run, i, found);
            *at = (uintptr_t)found;
        }
        if (found->why) {
            mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "wait.arrived", found->why);
            mdl_unknown(run->snap, &t->unknown, &t->unknown_count, "wait.missing", found->why);
            continue;
        }
        t->wait.arrivals_known = true;
        t->wait.arrived = found->arrived;
        t->wait.arrived_count = found->arrived_count;
        t->wait.missing = found->missing;
        t->wait.missing_count = found->missing_count;
        t->wait.missing_lwp = found->missing_lwp;
    }
}

/* So many waiters of one lock are asked for a variable that leads to it. */
enum { WAITERS = 4 };

static void add_viewer(struct insp_viewer viewers[], uint32_t *count, int64_t lwp)
{
    for (uint32_t i = 0; i < *count; i++)
        if (viewers[i].lwp == lwp)
            return;
    viewers[(*count)++] = (struct insp_viewer){lwp, 0};
}

/** What naming the objects needs of all threads. */
struct waits {
    struct snap_index index;
    const struct mdl_thread *first; /**< the OpenMP thread with the lowest number */
};

static void look_at_waits(insp_snapshot *snap, struct waits *ret)
{
    *ret = (struct waits){0};
    snap_index_waits(snap, &ret->index);
    for (int i = 0; i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (t->openmp && !t->running && (!ret->first || t->lwp < ret->first->lwp))
            ret->first = t;
    }
}

/*
 * The waiters with the lowest numbers, which are the same whatever host lists them, then who holds it, then
 * the OpenMP thread with the lowest number: mostly the program's first one, on whose stack the functions
 * around all constructs are. Their number.
 */
static uint32_t viewers_of(const insp_snapshot *snap, const struct waits *waits, const struct snap_key *same,
                           struct insp_viewer viewers[])
{
    const struct mdl_wait *wait = &snap->threads[same->row].wait;
    const uint64_t object = same->major, kind = same->minor;
    uint32_t count = 0, at;

    for (; same < waits->index.key + waits->index.count && same->major == object && same->minor == kind;
         same++) {
        const struct mdl_thread *t = &snap->threads[same->row];

        if (t->running || (count == WAITERS && t->lwp > viewers[WAITERS - 1].lwp))
            continue;
        count += count < WAITERS;
        for (at = count - 1; at && viewers[at - 1].lwp > t->lwp; at--)
            viewers[at] = viewers[at - 1];
        viewers[at] = (struct insp_viewer){t->lwp, t->wait.codeptr};
    }
    if (wait->owner == MDL_OWNER_THREAD && wait->owner_lwp)
        add_viewer(viewers, &count, wait->owner_lwp);
    if (waits->first)
        add_viewer(viewers, &count, waits->first->lwp);
    return count;
}

/* The same object has one name, whoever waits for it. */
static const char *object_name(const insp_snapshot *snap, int i, const struct waits *waits,
                               struct places *places)
{
    const struct mdl_wait *w = &snap->threads[i].wait;
    struct insp_viewer viewers[WAITERS + 2];
    const struct snap_key *same;

    if (w->kind == MDL_WAIT_ORDERED)
        return NULL;
    same = snap_key_first(&waits->index, w->id, w->kind);
    if (!same)
        return NULL;
    if (same->row < i)
        return snap->threads[same->row].wait.name;
    return names_object(places, mdl_word(&mdl_wait_words, (int)w->kind), w->id, viewers,
                        viewers_of(snap, waits, same, viewers));
}

/* Where a call waits that was a jump, and so returns to the runtime, or that is in a body without a name: in
   the code of the thread's task. */
static void name_task(insp_snapshot *snap, struct mdl_thread *t)
{
    const struct mdl_task *task = mdl_task_by_id(snap, t->runtime, t->task);

    if (task)
        t->wait.at.function = task->place.function;
}

void snap_finish_waits(insp_snapshot *snap, struct places *places)
{
    struct waits waits;

    look_at_waits(snap, &waits);
    for (int i = 0; i < snap->thread_count; i++) {
        struct mdl_thread *t = &snap->threads[i];
        struct mdl_wait *w = &t->wait;

        if (!w->kind)
            continue;
        if (construct_is_jump(places, w->codeptr) || construct_is_nameless(places, w->codeptr - 1))
            name_task(snap, t);
        if (!mdl_is_mutex(w->kind)) {
            if (w->kind != MDL_WAIT_UNKNOWN)
                w->owner = MDL_OWNER_NONE;
            else
                mdl_unknown(snap, &t->unknown, &t->unknown_count, "wait.owner_lwp",
                            "what it waits for is not known");
            continue;
        }
        if (w->owner == MDL_OWNER_UNKNOWN || w->owner == MDL_OWNER_SOMEBODY) {
            mdl_unknown(snap, &t->unknown, &t->unknown_count, "wait.owner_lwp",
                        w->id ? "neither the runtime nor its OMPD library says which thread holds it"
                              : "it is not known which one it waits for");
        } else if (w->owner == MDL_OWNER_THREAD) {
            w->owner_lwp = snap_lwp(snap, w->owner_pthread, w->owner_tid);
            if (!w->owner_lwp)
                mdl_unknown(snap, &t->unknown, &t->unknown_count, "wait.owner_lwp",
                            "the thread that holds it is not listed");
            if (w->owner_doubt)
                mdl_unknown(snap, &t->unknown, &t->unknown_count, "wait.owner", w->owner_doubt);
            mdl_unknown(snap, &t->unknown, &t->unknown_count, "wait.owner_task",
                        "the runtime records the thread that holds it, not the task");
            if (!mdl_place_known(&w->taken_at))
                mdl_unknown(
                    snap, &t->unknown, &t->unknown_count, "wait.taken_at",
                    "it is recorded only with OMP_DEBUG=enabled, and its line comes from debug information");
        }
        if (w->id && !(snap->want & INSP_UNNAMED))
            w->name = object_name(snap, i, &waits, places);
    }
}
