/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libgomp publishes nothing, but its functions that programs call read and write the records: by which
 * pointers, at which offsets and how, tells some members of each structure, whatever compiler and options
 * made the code; the others lie between these (imply.h).
 */
#include "corefiles/layout/decode.h"

#include <string.h>

#include "corefiles/layout/decoding.h"
#include "corefiles/layout/imply.h"
#include "ompd/providers/behind.h"

enum { ICV_BYTES = 40 /* struct gomp_task_icv in all versions: what follows it in a task is compared */ };

/* The pointer that lies in the thread's record at MEMBER. */
static uint16_t in_record(const struct ly_decoding *d, const struct ly_trace *t, const char *member)
{
    int32_t offset;

    return ly_get(d, member, &offset) ? ly_find_loaded(&t->pointers, LY_RECORD, offset) : LY_UNKNOWN;
}

static uint16_t team_of(const struct ly_decoding *d, const struct ly_trace *t)
{
    return in_record(d, t, "gomp_thread.ts.team");
}

static uint16_t task_of(const struct ly_decoding *d, const struct ly_trace *t)
{
    return in_record(d, t, "gomp_thread.task");
}

/* ---- the thread's record ------------------------------------------------------------------------------- */

/* Accessors load a member of the thread's record first. */
static void decode_thread(struct ly_decoding *d)
{
    static const struct {
        const char *function, *member;
        unsigned size;
    } accessors[] = {
        {"omp_get_num_threads", "gomp_thread.ts.team", 8},
        {"omp_get_thread_num", "gomp_thread.ts.team_id", 4},
        {"omp_get_level", "gomp_thread.ts.level", 4},
        {"omp_get_max_threads", "gomp_thread.task", 8},
        {"omp_get_active_level", "gomp_thread.ts.active_level", 4},
        {"omp_get_num_teams", "gomp_thread.num_teams", 4},
        {"omp_get_team_num", "gomp_thread.team_num", 4},
    };
    struct ly_trace t;

    for (size_t i = 0; i < sizeof accessors / sizeof accessors[0]; i++)
        if (ly_follow(d, accessors[i].function, 0, &t)) {
            ly_add_first(d, &t, LY_RECORD, accessors[i].size, LY_READS, accessors[i].member);
            ly_trace_free(&t);
        }
}

/*
 * A team keeps its creator's state as the creator's record had it. omp_get_ancestor_thread_num goes from team
 * to team, and what it reads of one is the number in that copy.
 */
static void decode_creator(struct ly_decoding *d)
{
    static const struct {
        const char *own, *kept;
    } members[] = {
        {"gomp_thread.ts.team", "gomp_team.prev_ts.team"},
        {"gomp_thread.ts.work_share", "gomp_team.prev_ts.work_share"},
        {"gomp_thread.ts.last_work_share", "gomp_team.prev_ts.last_work_share"},
        {"gomp_thread.ts.team_id", "gomp_team.prev_ts.team_id"},
        {"gomp_thread.ts.level", "gomp_team.prev_ts.level"},
        {"gomp_thread.ts.active_level", "gomp_team.prev_ts.active_level"},
        {"gomp_thread.ts.single_count", "gomp_team.prev_ts.single_count"},
        {"gomp_thread.ts.static_trip", "gomp_team.prev_ts.static_trip"},
    };
    struct ly_trace t;
    int32_t team_id;

    if (!ly_get(d, "gomp_thread.ts.team_id", &team_id) || !ly_follow(d, "omp_get_ancestor_thread_num", 0, &t))
        return;
    const struct ly_access *number = ly_first(&t, team_of(d, &t), 4, LY_READS);
    for (size_t i = 0; number && i < sizeof members / sizeof members[0]; i++) {
        const struct ly_fact *own = ly_fact(d->facts, d->count, members[i].own);
        if (own)
            ly_add(d, members[i].kept, (int64_t)own->offset - team_id + number->offset, own->size);
    }
    ly_trace_free(&t);
}

/* ---- team, task, taskgroup ----------------------------------------------------------------------------- */

/* omp_get_num_threads; GOMP_barrier looks at the generation, and counts itself. */
static void decode_team(struct ly_decoding *d)
{
    struct ly_trace t;

    if (ly_follow(d, "omp_get_num_threads", 0, &t)) {
        ly_add_first(d, &t, team_of(d, &t), 4, LY_READS, "gomp_team.nthreads");
        ly_trace_free(&t);
    }
    if (ly_follow(d, "GOMP_barrier", 0, &t)) {
        ly_add_first(d, &t, team_of(d, &t), 4, LY_READS, "gomp_team.barrier.generation");
        ly_add_first(d, &t, team_of(d, &t), 4, LY_ATOMIC, "gomp_team.barrier.awaited");
        ly_trace_free(&t);
    }
}

/* omp_get_max_threads: the first of the control variables in the task; omp_in_final: one byte of it;
 * GOMP_taskwait: are there child tasks? Then it takes the lock of the team's tasks. */
static void decode_task(struct ly_decoding *d)
{
    struct ly_trace t;

    if (ly_follow(d, "omp_get_max_threads", 0, &t)) {
        const struct ly_access *first = ly_first(&t, task_of(d, &t), 0, LY_READS);
        if (first)
            ly_add(d, "gomp_task.icv", first->offset, ICV_BYTES);
        ly_trace_free(&t);
    }
    if (ly_follow(d, "omp_in_final", 0, &t)) {
        ly_add_first(d, &t, task_of(d, &t), 1, LY_READS, "gomp_task.final_task");
        ly_trace_free(&t);
    }
    if (ly_follow(d, "GOMP_taskwait", 0, &t)) {
        ly_add_first(d, &t, task_of(d, &t), 8, LY_READS, "gomp_task.children_queue.t.root");
        ly_add_first(d, &t, team_of(d, &t), 4, LY_ATOMIC, "gomp_team.task_lock");
        ly_trace_free(&t);
    }
}

/* The one byte of GROUP that becomes 1: a thread waits. */
static void decode_group_wait(struct ly_decoding *d, const struct ly_trace *t, uint16_t group)
{
    for (size_t i = 0; group && i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        if (access->pointer == group && access->how == LY_STORES && access->size == 1 &&
            access->stored.pointer == LY_NUMBER && access->stored.offset == 1) {
            ly_add(d, "gomp_taskgroup.in_taskgroup_wait", access->offset, 1);
            return;
        }
    }
}

/* GOMP_taskgroup_end: the task's group, how many tasks are in it, and the semaphore at which it waits. */
static void decode_taskgroup(struct ly_decoding *d)
{
    struct ly_trace t;
    int32_t offset;
    uint16_t group = LY_UNKNOWN;

    if (!ly_follow(d, "GOMP_taskgroup_end", 0, &t))
        return;
    ly_add_first(d, &t, task_of(d, &t), 8, LY_READS, "gomp_task.taskgroup");
    if (ly_get(d, "gomp_task.taskgroup", &offset))
        group = ly_find_loaded(&t.pointers, task_of(d, &t), offset);
    ly_add_first(d, &t, group, 8, LY_READS, "gomp_taskgroup.num_children");
    ly_add_first(d, &t, group, 4, LY_ATOMIC, "gomp_taskgroup.taskgroup_sem");
    decode_group_wait(d, &t, group);
    ly_trace_free(&t);
}

/* ---- the pool ------------------------------------------------------------------------------------------ */

/* Is the pointer one that lies in the thread's record? */
static bool is_in_record(const struct ly_trace *t, uint16_t pointer)
{
    return t->pointers.list[pointer].parent == LY_RECORD;
}

/* At a region's end the pool, which lies in the thread's record, keeps the team. */
static void decode_last_team(struct ly_decoding *d)
{
    struct ly_trace t;

    if (!ly_follow(d, "GOMP_parallel_end", 0, &t))
        return;
    const uint16_t team = team_of(d, &t);
    for (size_t i = 0; team && i < t.count; i++) {
        const struct ly_access *access = &t.list[i];
        if (access->how == LY_STORES && access->stored.pointer == team && !access->stored.offset &&
            is_in_record(&t, access->pointer)) {
            ly_add(d, "gomp_thread.thread_pool", t.pointers.list[access->pointer].offset, 8);
            ly_add(d, "gomp_thread_pool.last_team", access->offset, 8);
            break;
        }
    }
    ly_trace_free(&t);
}

/* The thread that starts a region counts itself at the pool's dock, and takes the team's first task. */
static void decode_start(struct ly_decoding *d)
{
    int32_t team, task;
    struct ly_trace t;

    if (!ly_get(d, "gomp_thread.ts.team", &team) || !ly_get(d, "gomp_thread.task", &task) ||
        !ly_follow(d, "GOMP_parallel", 0, &t))
        return;
    ly_add_first(d, &t, in_record(d, &t, "gomp_thread.thread_pool"), 4, LY_ATOMIC,
                 "gomp_thread_pool.threads_dock.bar.awaited");
    for (size_t i = 0; i < t.count; i++)
        for (size_t k = 0; k < t.count; k++) {
            const struct ly_access *one = &t.list[i], *other = &t.list[k];
            if (one->pointer == LY_RECORD && other->pointer == LY_RECORD && one->how == LY_STORES &&
                other->how == LY_STORES && one->offset == team && other->offset == task &&
                one->stored.pointer >= LY_ROOTS && !one->stored.offset && other->stored.offset &&
                other->stored.pointer == one->stored.pointer)
                ly_add_array(d, "gomp_team.implicit_task", other->stored.offset);
        }
    ly_trace_free(&t);
}

/* ---- control variables, locks -------------------------------------------------------------------------- */

static void decode_icvs(struct ly_decoding *d)
{
    static const struct ly_icv icvs[] = {
        {"omp_get_max_threads", "gomp_task_icv.nthreads_var", 8, false},
        {"omp_get_schedule", "gomp_task_icv.run_sched_var", 4, false},
        {"omp_get_schedule", "gomp_task_icv.run_sched_chunk_size", 4, true},
        {"omp_get_default_device", "gomp_task_icv.default_device_var", 4, false},
        {"omp_get_thread_limit", "gomp_task_icv.thread_limit_var", 4, false},
        {"omp_get_dynamic", "gomp_task_icv.dyn_var", 1, false},
        {"omp_get_max_active_levels", "gomp_task_icv.max_active_levels_var", 1, false},
        {"omp_get_proc_bind", "gomp_task_icv.bind_var", 1, false},
    };
    int32_t icv;

    if (ly_get(d, "gomp_task.icv", &icv))
        ly_add_icvs(d, icvs, sizeof icvs / sizeof icvs[0], task_of, icv);
}

/* omp_test_nest_lock compares the lock's owner, a pointer; the oldest version of it has none. */
static void decode_nest_lock(struct ly_decoding *d)
{
    struct ly_trace t;

    for (unsigned i = 0; ly_follow(d, "omp_test_nest_lock", i, &t); i++) {
        ly_add_first(d, &t, LY_ARGUMENT, 8, LY_READS, LY_NEST_LOCK_OWNER);
        ly_trace_free(&t);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* GOMP_taskwait looks at the kind of child tasks: from a task, or from its node in the list of children. */
static bool reads_kind(const struct ly_decoding *d)
{
    int32_t kind, node;
    struct ly_trace t;
    bool found = false;

    if (!ly_get(d, "gomp_task.kind", &kind) || !ly_get(d, "gomp_task.pnode[1]", &node) ||
        !ly_follow(d, "GOMP_taskwait", 0, &t))
        return true; /* nothing is said of it */
    for (size_t i = 0; i < t.count; i++) {
        const struct ly_access *access = &t.list[i];
        found |= access->pointer >= LY_ROOTS && access->size == 4 && access->how & LY_READS &&
                 (access->offset == kind || access->offset == kind - node);
    }
    ly_trace_free(&t);
    return found;
}

/* Some structures end with their last member, LAST. */
static void add_size(struct ly_decoding *d, const char *name, const char *last)
{
    const struct ly_fact *fact = ly_fact(d->facts, d->count, last);

    if (fact)
        ly_add(d, name, (int64_t)behind_multiple((uint32_t)(fact->offset + fact->size), 8), 0);
}

/* What follows from all; false if it contradicts itself. */
static bool conclude(struct ly_decoding *d)
{
    int32_t icv, fn, awaited, generation, dock;

    if (!ly_imply(false, d->facts, &d->count))
        return false;
    decode_creator(d);
    if (!ly_imply(false, d->facts, &d->count))
        return false;
    if (ly_get(d, "gomp_task.icv", &icv) && ly_get(d, "gomp_task.fn", &fn))
        ly_add(d, "gomp_task_icv", fn - icv, 0);
    if (ly_get(d, "gomp_thread_pool.threads_dock.bar.awaited", &dock) &&
        ly_get(d, "gomp_team.barrier.awaited", &awaited) &&
        ly_get(d, "gomp_team.barrier.generation", &generation))
        ly_add(d, "gomp_thread_pool.threads_dock.bar.generation", dock + generation - awaited, 4);
    add_size(d, "gomp_task", "gomp_task.parent_depends_on");
    add_size(d, "gomp_team", "gomp_team.implicit_task");
    return reads_kind(d);
}

size_t ly_decode_gomp(const struct ly_image *image, const struct ly_code *code,
                      struct ly_fact facts[LY_FACTS_MAX], bool *agrees)
{
    struct ly_decoding d = {image, code, facts, 0};

    decode_thread(&d);
    decode_team(&d);
    decode_task(&d);
    decode_taskgroup(&d);
    decode_last_team(&d);
    decode_start(&d);
    decode_icvs(&d);
    decode_nest_lock(&d);
    const size_t shown = d.count;
    *agrees = conclude(&d);
    return *agrees ? d.count : shown;
}
