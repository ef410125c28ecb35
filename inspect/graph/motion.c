/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/motion.h"

#include <string.h>

#include "inspect/base/hash.h"

/** Two snapshots of one process. */
struct both {
    const insp_snapshot *before, *after;
};

/* A region or task whose number is made for each snapshot has another one that does not change. */
static bool same_region(const struct both *both, const struct mdl_thread *a, const struct mdl_thread *b)
{
    const struct mdl_region *x = mdl_region_by_id(both->before, a->runtime, a->region);
    const struct mdl_region *y = mdl_region_by_id(both->after, b->runtime, b->region);

    return x && y && (x->serial || y->serial) ? x->serial == y->serial : a->region == b->region;
}

static bool same_task(const struct both *both, const struct mdl_thread *a, const struct mdl_thread *b)
{
    const struct mdl_task *x = mdl_task_by_id(both->before, a->runtime, a->task);
    const struct mdl_task *y = mdl_task_by_id(both->after, b->runtime, b->task);

    return x && y && (x->serial || y->serial) ? x->serial == y->serial : a->task == b->task;
}

static bool numbers_change(const insp_snapshot *s, int runtime)
{
    return runtime > 0 && runtime <= s->runtime_count && s->runtimes[runtime - 1].ids_of_stop;
}

/* Of a runtime without numbers of its own, `id` says what is waited for. */
static bool same_wait(const struct both *both, const struct mdl_thread *t, const struct mdl_wait *a,
                      const struct mdl_wait *b)
{
    return a->kind == b->kind && a->id == b->id &&
           (a->object == b->object || numbers_change(both->after, t->runtime)) && a->at.line == b->at.line &&
           mdl_same(a->at.file, b->at.file) && mdl_same(a->at.function, b->at.function) &&
           a->caller.line == b->caller.line && mdl_same(a->caller.file, b->caller.file);
}

/* The first frame that is no runtime's and no libc's. */
static int own_code(const struct mdl_thread *t)
{
    int at = 0;

    while (at < t->frame_count &&
           (t->frames[at].code == INSP_CODE_OPENMP || t->frames[at].code == INSP_CODE_LIBC))
        at++;
    return at;
}

enum place { SAME_PLACE, SAME_FUNCTION, ELSEWHERE };

/* From the program's own code out. */
static enum place compare_places(const struct mdl_thread *a, const struct mdl_thread *b)
{
    const int x = own_code(a), y = own_code(b), n = a->frame_count - x;
    enum place place = SAME_PLACE;

    if (n != b->frame_count - y)
        return ELSEWHERE;
    for (int i = 0; i < n; i++) {
        const struct mdl_frame *f = &a->frames[x + i], *g = &b->frames[y + i];

        if (f->pc == g->pc)
            continue;
        if (i > 0 || !mdl_same(f->symbol, g->symbol) || !mdl_same(f->place.function, g->place.function))
            return ELSEWHERE;
        place = SAME_FUNCTION;
    }
    return place;
}

/* It gives its slices away: that is what loops do that wait. */
static bool yields(const struct mdl_activity *a)
{
    return a->asleep && a->call && !strcmp(a->call, "sched_yield");
}

static bool same_activity(const struct mdl_activity *a, const struct mdl_activity *b)
{
    if (yields(a) || yields(b))
        return (yields(a) || !a->asleep) && (yields(b) || !b->asleep);
    return a->kind == b->kind && mdl_same(a->call, b->call) && a->object == b->object &&
           a->owner_tid == b->owner_tid && a->descriptor == b->descriptor && a->child == b->child &&
           a->at.line == b->at.line && mdl_same(a->at.file, b->at.file) &&
           mdl_same(a->at.function, b->at.function);
}

/* A loop is in one place all the time. The kernel counts in ticks of up to 10 ms, so that one of them may be
   what the stop itself took. Nor are the registers of one that slept what they were: the kernel has begun its
   call anew after the first stop. */
static bool has_run(const struct mdl_thread *a, const struct mdl_thread *b)
{
    enum { RAN_NS = 15 * 1000 * 1000 };

    return (a->cpu_ns && b->cpu_ns > a->cpu_ns && b->cpu_ns - a->cpu_ns >= RAN_NS) ||
           (a->registers && b->registers && a->registers != b->registers &&
            !(a->activity.asleep && b->activity.asleep));
}

/* Waits outside of OpenMP, for more than time. */
static bool waits(const struct mdl_activity *a)
{
    return a->kind >= MDL_ACTIVITY_MUTEX && a->kind <= MDL_ACTIVITY_MPI && a->kind != MDL_ACTIVITY_SLEEP;
}

/* In the same place, in a loop of the runtime's or in one of the program's that changes nothing. */
static bool only_waits(const struct mdl_thread *a, const struct mdl_thread *b)
{
    const bool runtime = a->frame_count && b->frame_count && a->frames[0].code == INSP_CODE_OPENMP &&
                         b->frames[0].code == INSP_CODE_OPENMP;

    return runtime || yields(&a->activity) || yields(&b->activity) || (a->values && a->values == b->values);
}

bool motion_is_progress(enum motion motion)
{
    return motion == MOTION_MOVES || motion == MOTION_WORKS || motion == MOTION_NEW || motion == MOTION_ENDED;
}

static enum motion motion(const struct both *both, const struct mdl_thread *a, const struct mdl_thread *b)
{
    const bool idle = b->openmp && b->state == MDL_STATE_IDLE;
    enum place place = SAME_PLACE;

    if (a->openmp != b->openmp || (a->serial && b->serial && a->serial != b->serial) ||
        a->runtime != b->runtime || !same_region(both, a, b) || !same_task(both, a, b) ||
        !mdl_same_state(a, b) || !same_wait(both, b, &a->wait, &b->wait) || a->released != b->released)
        return MOTION_MOVES;
    /* OpenMP and MPI look again and again at what they wait for. */
    if (b->wait.kind)
        return MOTION_WAITS;
    if (idle)
        return MOTION_IDLE;
    if (!same_activity(&a->activity, &b->activity))
        return MOTION_MOVES;
    if (b->activity.kind == MDL_ACTIVITY_MPI)
        return MOTION_WAITS;
    if (a->frame_count && b->frame_count)
        place = compare_places(a, b);
    if (place != ELSEWHERE && only_waits(a, b))
        return place == SAME_FUNCTION || has_run(a, b) ? MOTION_SPINS : MOTION_STANDS;
    if (place != SAME_PLACE)
        return MOTION_MOVES;
    if (has_run(a, b))
        return MOTION_WORKS;
    if (waits(&b->activity))
        return MOTION_WAITS;
    return a->frame_count && b->frame_count ? MOTION_STANDS : MOTION_UNKNOWN;
}

/* How many tasks of the one snapshot are in the other, whatever their numbers. */
static int common_tasks(const struct both *both, struct arena *a)
{
    struct hash serials = {.arena = a};
    int common = 0;

    for (int i = 0; i < both->before->task_count; i++) {
        const struct mdl_task *t = &both->before->tasks[i];
        uint64_t *at = t->serial ? hash_add(&serials, hash_mix(t->serial, (uint64_t)t->runtime), NULL) : NULL;

        if (at)
            *at = 1;
    }
    for (int i = 0; i < both->after->task_count; i++) {
        const struct mdl_task *t = &both->after->tasks[i];

        common += t->serial ? hash_find(&serials, hash_mix(t->serial, (uint64_t)t->runtime), NULL) != NULL
                            : mdl_task_by_id(both->before, t->runtime, t->id) != NULL;
    }
    return common;
}

static int common_regions(const struct both *both, struct arena *a)
{
    struct hash serials = {.arena = a};
    int common = 0;

    for (int i = 0; i < both->before->region_count; i++) {
        const struct mdl_region *r = &both->before->regions[i];
        uint64_t *at = r->serial ? hash_add(&serials, hash_mix(r->serial, (uint64_t)r->runtime), NULL) : NULL;

        if (at)
            *at = 1;
    }
    for (int i = 0; i < both->after->region_count; i++) {
        const struct mdl_region *r = &both->after->regions[i];

        common += r->serial ? hash_find(&serials, hash_mix(r->serial, (uint64_t)r->runtime), NULL) != NULL
                            : mdl_region_by_id(both->before, r->runtime, r->id) != NULL;
    }
    return common;
}

bool motion_compare(const insp_snapshot *before, const insp_snapshot *after, struct arena *a,
                    struct motions *ret)
{
    const struct both both = {before, after};
    struct motions w = {0};

    w.rows =
        arena_alloc(a, ((size_t)before->thread_count + (size_t)after->thread_count + 1) * sizeof(*w.rows));
    if (!w.rows)
        return false;
    for (int i = 0; i < after->thread_count; i++) {
        const struct mdl_thread *t = &after->threads[i], *was = mdl_thread_by_lwp(before, t->lwp);

        w.rows[w.count++] = (struct motion_row){was, t, was ? motion(&both, was, t) : MOTION_NEW};
    }
    for (int i = 0; i < before->thread_count; i++)
        if (!mdl_thread_by_lwp(after, before->threads[i].lwp))
            w.rows[w.count++] = (struct motion_row){&before->threads[i], NULL, MOTION_ENDED};
    w.tasks_same = common_tasks(&both, a);
    w.regions_same = common_regions(&both, a);
    w.tasks_new = after->task_count - w.tasks_same;
    w.tasks_ended = before->task_count - w.tasks_same;
    w.regions_new = after->region_count - w.regions_same;
    w.regions_ended = before->region_count - w.regions_same;
    *ret = w;
    return true;
}
