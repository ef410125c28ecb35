/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libgomp publishes nothing, but its functions that programs call read the records: an accessor loads a
 * member or two, the start of a longer function goes from the thread's record to its team, task and
 * taskgroup. They show some members of each structure; the others lie between these (imply.h).
 */
#include "corefiles/layout/decode.h"

#include <string.h>

#include "corefiles/layout/imply.h"
#include "corefiles/layout/walk.h"
#include "ompd/providers/behind.h"

enum {
    HELPER_MAX = 8, /* from the dock's address to where the pool is forgotten */
    ICV_BYTES = 40, /* struct gomp_task_icv in all versions: what follows it in a task is compared */
    OP_COMPARE = 0x39,
    OP_IMMEDIATE_BYTE = 0x83,
    COMPARE = 7,
    KIND_TIED_WAITING = 2, /* of enum gomp_task_kind: it has not begun */
};

struct decoding {
    const struct ly_image *image;
    const struct ly_code *code;
    struct ly_fact *facts;
    size_t count;
};

static void add(struct decoding *d, const char *name, int64_t offset, uint64_t size)
{
    if (offset >= 0 && offset <= UINT16_MAX && d->count < LY_FACTS_MAX)
        d->facts[d->count++] = (struct ly_fact){.name = name, .offset = (uint64_t)offset, .size = size};
}

static bool get(const struct decoding *d, const char *name, uint64_t *ret)
{
    const struct ly_fact *fact = ly_fact(d->facts, d->count, name);

    if (fact)
        *ret = fact->offset;
    return fact != NULL;
}

static struct ly_walk walk(const struct decoding *d, const char *name)
{
    struct ly_roots roots = {LY_WALK_UNKNOWN, LY_WALK_UNKNOWN, LY_WALK_UNKNOWN};

    (void)get(d, "gomp_thread.ts.team", &roots.team);
    (void)get(d, "gomp_thread.task", &roots.task);
    return ly_walk(d->code, ly_function(d->image, name), &roots);
}

/* ---- the thread's record ------------------------------------------------------------------------------- */

/* What an accessor does first: it loads a word of the thread's record, %fs:OFFSET(register). */
static void decode_accessor(struct decoding *d, const char *name, const char *member)
{
    const struct ly_function *function = ly_function(d->image, name);

    for (size_t at = function ? ly_at(d->code, function->start) : d->code->count;
         at < d->code->count && d->code->list[at].pc < function->end; at++) {
        const struct x86_instruction *x86 = &d->code->list[at].x86;
        if (!ly_is_record(x86))
            continue;
        add(d, member, x86->memory.displacement, x86->size);
        return;
    }
}

static void decode_thread(struct decoding *d)
{
    decode_accessor(d, "omp_get_num_threads", "gomp_thread.ts.team");
    decode_accessor(d, "omp_get_thread_num", "gomp_thread.ts.team_id");
    decode_accessor(d, "omp_get_level", "gomp_thread.ts.level");
    decode_accessor(d, "omp_get_max_threads", "gomp_thread.task");
    decode_accessor(d, "omp_get_active_level", "gomp_thread.ts.active_level");
    decode_accessor(d, "omp_get_num_teams", "gomp_thread.num_teams");
    decode_accessor(d, "omp_get_team_num", "gomp_thread.team_num");
}

/*
 * omp_get_ancestor_thread_num goes from the record's copy of a team state to those that the teams keep of
 * their creators: two additions, and the thread number of the last one.
 */
static bool find_states(const struct decoding *d, int64_t sums[2], int64_t *number)
{
    const struct ly_function *function = ly_function(d->image, "omp_get_ancestor_thread_num");
    unsigned count = 0;
    int64_t sum;

    for (size_t at = function ? ly_at(d->code, function->start) : d->code->count;
         at < d->code->count && d->code->list[at].pc < function->end; at++) {
        const struct x86_instruction *x86 = &d->code->list[at].x86;
        if (ly_is_sum(x86, &sum)) {
            if (count == 2)
                return false;
            sums[count++] = sum;
        } else if (count == 2 && x86->kind == X86_LOAD && x86->size == 4 && !x86->memory.segment) {
            *number = x86->memory.displacement;
            return true;
        }
    }
    return false;
}

/* The same members again in the copy that a team keeps. */
static void decode_creator(struct decoding *d)
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
    int64_t sums[2], number;
    uint64_t team_id;

    if (!find_states(d, sums, &number) || !get(d, "gomp_thread.ts.team_id", &team_id) ||
        (int64_t)team_id != sums[0] + number)
        return;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const struct ly_fact *own = ly_fact(d->facts, d->count, members[i].own);
        if (own)
            add(d, members[i].kept, (int64_t)own->offset - sums[0] + sums[1], own->size);
    }
}

/* ---- team, task, taskgroup ----------------------------------------------------------------------------- */

static void decode_team(struct decoding *d)
{
    const struct x86_instruction *x86;
    uint8_t holds[X86_RIP];
    struct ly_walk w = walk(d, "omp_get_num_threads");
    int64_t sum;

    while ((x86 = ly_step(&w, holds)))
        if (x86->kind == X86_LOAD && x86->size == 4 && ly_uses(x86, holds, LY_TEAM)) {
            add(d, "gomp_team.nthreads", x86->memory.displacement, 4);
            break;
        }
    w = walk(d, "GOMP_barrier");
    while ((x86 = ly_step(&w, holds)))
        if (ly_adds(x86, holds, LY_TEAM, &sum)) {
            add(d, "gomp_team.barrier.total", sum, 4);
            break;
        }
}

/* omp_get_max_threads: the control variables lie in the task; omp_in_final: one byte of it. */
static void decode_task(struct decoding *d)
{
    const struct x86_instruction *x86;
    uint8_t holds[X86_RIP];
    struct ly_walk w = walk(d, "omp_get_max_threads");
    int64_t sum;

    while ((x86 = ly_step(&w, holds)))
        if (ly_adds(x86, holds, LY_TASK, &sum)) {
            add(d, "gomp_task.icv", sum, ICV_BYTES);
            break;
        }
    w = walk(d, "omp_in_final");
    while ((x86 = ly_step(&w, holds)))
        if (x86->kind == X86_LOAD && x86->size == 1 && ly_uses(x86, holds, LY_TASK)) {
            add(d, "gomp_task.final_task", x86->memory.displacement, 1);
            break;
        }
    w = walk(d, "GOMP_taskwait");
    while ((x86 = ly_step(&w, holds)))
        if (ly_uses(x86, holds, LY_TASK)) { /* are there child tasks? */
            add(d, "gomp_task.children_queue.t.root", x86->memory.displacement, 8);
            break;
        }
}

/* GOMP_taskgroup_end: the task's group, how many tasks are in it, and the lock of the team's tasks. */
static void decode_taskgroup(struct decoding *d)
{
    const struct x86_instruction *x86;
    uint8_t holds[X86_RIP];
    struct ly_walk w = walk(d, "GOMP_taskgroup_end");
    bool group = false, number = false;
    int64_t sum;

    while ((x86 = ly_step(&w, holds))) {
        if (!group && x86->kind == X86_LOAD && x86->size == 8 && ly_uses(x86, holds, LY_TASK)) {
            add(d, "gomp_task.taskgroup", x86->memory.displacement, 8);
            group = true;
            w.holds[x86->to] = LY_GROUP;
        } else if (!number && x86->kind == X86_LOAD && x86->size == 8 && ly_uses(x86, holds, LY_GROUP)) {
            add(d, "gomp_taskgroup.num_children", x86->memory.displacement, 8);
            number = true;
        } else if (ly_adds(x86, holds, LY_TEAM, &sum)) {
            add(d, "gomp_team.task_lock", sum, 4);
            return;
        }
    }
}

/* The same function says in the group that a thread waits: the one byte of it that becomes 1. */
static void decode_group_wait(struct decoding *d)
{
    const struct ly_function *function = ly_function(d->image, "GOMP_taskgroup_end");
    uint64_t behind;
    int64_t found = -1;

    if (!function || !get(d, "gomp_taskgroup.num_children", &behind))
        return;
    for (size_t at = ly_at(d->code, function->start);
         at < d->code->count && d->code->list[at].pc < function->end; at++) {
        const struct x86_instruction *x86 = &d->code->list[at].x86;
        const int64_t offset = x86->memory.displacement;
        if (x86->kind != X86_STORE || x86->from != X86_NONE || x86->size != 1 || x86->immediate != 1 ||
            x86->memory.base >= X86_RIP || x86->memory.base == X86_RSP || offset >= (int64_t)behind)
            continue;
        if (found >= 0 && found != offset)
            return;
        found = offset;
    }
    if (found >= 0)
        add(d, "gomp_taskgroup.in_taskgroup_wait", found, 1);
}

/* ---- the pool ------------------------------------------------------------------------------------------ */

static bool forgets(const struct x86_instruction *x86)
{
    return x86->kind == X86_STORE && x86->from == X86_NONE && x86->size == 8 && !x86->immediate &&
           ly_is_record(x86);
}

/*
 * A thread that leaves the pool comes to the pool's dock, and forgets pool and task: pool + dock is the
 * argument of a call, then two words of its record become 0.
 */
static void decode_pool(struct decoding *d)
{
    uint64_t task, pool = 0;
    int64_t dock = -1, sum;

    if (!get(d, "gomp_thread.task", &task))
        return;
    for (size_t i = HELPER_MAX; i + 1 < d->code->count; i++) {
        const struct x86_instruction *x86 = &d->code->list[i].x86, *next = &d->code->list[i + 1].x86;
        if (!forgets(x86) || !forgets(next) || (uint64_t)(int64_t)next->memory.displacement != task)
            continue;
        for (size_t k = i - HELPER_MAX; k < i; k++) {
            const struct x86_instruction *before = &d->code->list[k].x86;
            if (!ly_is_sum(before, &sum) || before->rm != X86_RDI)
                continue;
            if (dock >= 0 && (dock != sum || pool != (uint64_t)x86->memory.displacement))
                return; /* two that do not agree */
            dock = sum;
            pool = (uint64_t)x86->memory.displacement;
        }
    }
    if (dock < 0)
        return;
    add(d, "gomp_thread.thread_pool", (int64_t)pool, 8);
    add(d, "gomp_thread_pool.threads_dock.bar", dock, 0);
}

/* ---- control variables, locks -------------------------------------------------------------------------- */

/* The N-th load of an accessor that is not relative to its own code or the thread. */
static void decode_icv(struct decoding *d, const char *name, unsigned n, unsigned size, const char *member)
{
    const struct ly_function *function = ly_function(d->image, name);

    for (size_t at = function ? ly_at(d->code, function->start) : d->code->count;
         at < d->code->count && d->code->list[at].pc < function->end; at++) {
        const struct x86_instruction *x86 = &d->code->list[at].x86;
        if (x86->kind != X86_LOAD || x86->memory.segment || x86->memory.base >= X86_RIP ||
            x86->memory.base == X86_RSP || n-- > 0)
            continue;
        /* The first one is a long, of which an int is returned. */
        if (x86->size == size || (size == 8 && x86->size == 4))
            add(d, member, x86->memory.displacement, size);
        return;
    }
}

static void decode_icvs(struct decoding *d)
{
    decode_icv(d, "omp_get_max_threads", 0, 8, "gomp_task_icv.nthreads_var");
    decode_icv(d, "omp_get_schedule", 0, 4, "gomp_task_icv.run_sched_var");
    decode_icv(d, "omp_get_schedule", 1, 4, "gomp_task_icv.run_sched_chunk_size");
    decode_icv(d, "omp_get_default_device", 0, 4, "gomp_task_icv.default_device_var");
    decode_icv(d, "omp_get_thread_limit", 0, 4, "gomp_task_icv.thread_limit_var");
    decode_icv(d, "omp_get_dynamic", 0, 1, "gomp_task_icv.dyn_var");
    decode_icv(d, "omp_get_max_active_levels", 0, 1, "gomp_task_icv.max_active_levels_var");
    decode_icv(d, "omp_get_proc_bind", 0, 1, "gomp_task_icv.bind_var");
}

/* omp_test_nest_lock compares the lock's owner with the address of the task's control variables. */
static void decode_nest_lock(struct decoding *d)
{
    const struct ly_function *function = ly_function(d->image, "omp_test_nest_lock");

    for (size_t at = function ? ly_at(d->code, function->start) : d->code->count;
         at < d->code->count && d->code->list[at].pc < function->end; at++) {
        const struct x86_instruction *x86 = &d->code->list[at].x86;
        if (x86->map == 0 && x86->opcode == OP_COMPARE && ly_is_memory(x86) && x86->prefixes & X86_WIDE &&
            !x86->memory.segment && x86->memory.base < X86_RIP && x86->memory.base != X86_RSP) {
            add(d, LY_NEST_LOCK_OWNER, x86->memory.displacement, 8);
            return;
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Is there an instruction in the functions of tasks that compares a task's kind, an int at OFFSET? */
static bool compares_kind(const struct decoding *d, uint64_t offset)
{
    static const char *const names[] = {"GOMP_taskwait", "GOMP_taskgroup_end", "GOMP_task"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct ly_function *function = ly_function(d->image, names[i]);
        for (size_t at = function ? ly_at(d->code, function->start) : d->code->count;
             at < d->code->count && d->code->list[at].pc < function->end; at++) {
            const struct x86_instruction *x86 = &d->code->list[at].x86;
            if (ly_is_memory(x86) && x86->map == 0 && x86->opcode == OP_IMMEDIATE_BYTE &&
                (x86->reg & 7) == COMPARE && x86->size == 4 && x86->immediate == KIND_TIED_WAITING &&
                (uint64_t)(int64_t)x86->memory.displacement == offset)
                return true;
        }
    }
    return false;
}

/* Does the code take the address OFFSET of something, relative to a register? */
static bool takes_address(const struct ly_code *code, uint64_t offset)
{
    for (size_t i = 0; i < code->count; i++)
        if (code->list[i].x86.kind == X86_LEA && code->list[i].x86.memory.base < X86_RIP &&
            (uint64_t)(int64_t)code->list[i].x86.memory.displacement == offset)
            return true;
    return false;
}

/* Some structures end with their last member, LAST. */
static void add_size(struct decoding *d, const char *name, const char *last)
{
    const struct ly_fact *fact = ly_fact(d->facts, d->count, last);

    if (fact)
        add(d, name, (int64_t)behind_multiple((uint32_t)(fact->offset + fact->size), 8), 0);
}

/* What follows from all; false if it contradicts itself. */
static bool conclude(struct decoding *d)
{
    uint64_t icv, fn, kind, last, total, generation, dock;

    if (!ly_imply(d->facts, &d->count))
        return false;
    decode_creator(d);
    if (!ly_imply(d->facts, &d->count))
        return false;
    if (get(d, "gomp_task.icv", &icv) && get(d, "gomp_task.fn", &fn))
        add(d, "gomp_task_icv", (int64_t)(fn - icv), 0);
    if (get(d, "gomp_task.kind", &kind) && !compares_kind(d, kind))
        return false;
    if (get(d, "gomp_thread_pool.threads_dock.bar", &dock) && get(d, "gomp_team.barrier.total", &total) &&
        get(d, "gomp_team.barrier.generation", &generation))
        add(d, "gomp_thread_pool.threads_dock.bar.generation", (int64_t)(dock + generation - total), 4);
    add_size(d, "gomp_task", "gomp_task.parent_depends_on");
    add_size(d, "gomp_team", "gomp_team.implicit_task");
    return !get(d, "gomp_team", &last) || takes_address(d->code, last);
}

size_t ly_decode_gomp(const struct ly_image *image, const struct ly_code *code,
                      struct ly_fact facts[LY_FACTS_MAX])
{
    struct decoding d = {image, code, facts, 0};

    decode_thread(&d);
    decode_team(&d);
    decode_task(&d);
    decode_taskgroup(&d);
    decode_group_wait(&d);
    decode_pool(&d);
    decode_icvs(&d);
    decode_nest_lock(&d);
    const size_t shown = d.count;
    return conclude(&d) ? d.count : shown;
}

/* What a thread, its team, its state and its task are told from. */
bool ly_gomp_suffices(const struct ly_fact *facts, size_t count)
{
    static const char *const names[] = {"gomp_thread.ts.team",
                                        "gomp_thread.ts.work_share",
                                        "gomp_thread.ts.team_id",
                                        "gomp_thread.ts.level",
                                        "gomp_thread.ts.active_level",
                                        "gomp_thread.task",
                                        "gomp_thread.release",
                                        "gomp_thread.thread_pool",
                                        "gomp_team",
                                        "gomp_team.nthreads",
                                        "gomp_team.prev_ts.team",
                                        "gomp_team.prev_ts.team_id",
                                        "gomp_team.prev_ts.level",
                                        "gomp_team.prev_ts.active_level",
                                        "gomp_team.master_release",
                                        "gomp_team.ordered_release",
                                        "gomp_team.barrier.total",
                                        "gomp_team.barrier.generation",
                                        "gomp_team.barrier.awaited",
                                        "gomp_team.barrier.awaited_final",
                                        "gomp_team.task_queue.t.root",
                                        "gomp_team.task_queue.l.tasks",
                                        "gomp_team.task_count",
                                        "gomp_team.implicit_task",
                                        "gomp_task",
                                        "gomp_task.parent",
                                        "gomp_task.children_queue.t.root",
                                        "gomp_task.children_queue.l.tasks",
                                        "gomp_task.taskgroup",
                                        "gomp_task.dependers",
                                        "gomp_task.taskwait",
                                        "gomp_task.pnode[0]",
                                        "gomp_task.pnode[1]",
                                        "gomp_task.pnode[2]",
                                        "gomp_task.fn",
                                        "gomp_task.kind",
                                        "gomp_task.final_task",
                                        "gomp_task.icv",
                                        "gomp_taskgroup.prev",
                                        "gomp_taskgroup.taskgroup_queue.t.root",
                                        "gomp_taskgroup.taskgroup_queue.l.tasks",
                                        "gomp_taskgroup.taskgroup_sem",
                                        "gomp_taskwait.taskwait_sem",
                                        "gomp_thread_pool.threads",
                                        "gomp_thread_pool.last_team",
                                        "gomp_thread_pool.threads_dock.bar.generation"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!ly_fact(facts, count, names[i]))
            return false;
    return true;
}
