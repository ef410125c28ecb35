/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libomp's functions for tasks show: a task's taskgroup, its dependences, and the queues of a team. A
 * task is given to them as what follows its record.
 */
#include "corefiles/layout/decode_kmp_parts.h"
#include "corefiles/layout/imply.h"

/* The first SIZE bytes behind BEHIND of what POINTER points at with which the function deals in the way HOW;
 * NULL: none. */
static const struct ly_access *first_behind(const struct ly_trace *t, uint16_t pointer, int32_t behind,
                                            unsigned size, unsigned how)
{
    const struct ly_access *first = NULL;

    for (size_t i = 0; pointer && i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        if (access->pointer == pointer && access->offset >= behind && access->size == size &&
            (access->how & how) == how && (!first || access->steps < first->steps))
            first = access;
    }
    return first;
}

static void add_behind(struct ly_decoding *d, const char *function, int32_t behind, unsigned size,
                       unsigned how, const char *member)
{
    struct ly_trace t;

    if (!ly_follow(d, function, 0, &t))
        return;
    const struct ly_access *access = first_behind(&t, ly_kmp_task(d, &t), behind, size, how);
    if (access)
        ly_add(d, member, access->offset, size);
    ly_trace_free(&t);
}

/* A taskwait looks how many child tasks have not ended; a taskgroup is put into the task. Both lie behind the
 * task's control variables. */
static void decode_counts(struct ly_decoding *d)
{
    const struct ly_fact *icvs = ly_fact(d->facts, d->count, "kmp_taskdata.td_icvs");
    const int32_t end = icvs ? (int32_t)(icvs->offset + icvs->size) : 0;

    if (!icvs)
        return;
    add_behind(d, "__kmpc_omp_taskwait", end, 4, LY_READS, "kmp_taskdata.td_incomplete_child_tasks");
    add_behind(d, "__kmpc_taskgroup", end, 8, LY_STORES, "kmp_taskdata.td_taskgroup");
}

/* At its end the one around it is put there, which it has kept. */
static void decode_group(struct ly_decoding *d)
{
    struct ly_trace t;
    int32_t place;

    if (!ly_get(d, "kmp_taskdata.td_taskgroup", &place) || !ly_follow(d, "__kmpc_end_taskgroup", 0, &t))
        return;
    const uint16_t task = ly_kmp_task(d, &t), group = ly_find_loaded(&t.pointers, task, place);
    for (size_t i = 0; group && i < t.count; i++) {
        const struct ly_access *access = &t.list[i];
        const struct ly_pointer *kept = &t.pointers.list[access->stored.pointer];
        if (access->pointer == task && access->offset == place && access->how == LY_STORES &&
            kept->parent == group && !kept->stride && !access->stored.offset)
            ly_claim(d, "kmp_taskgroup.parent", kept->offset, 8);
    }
    ly_trace_free(&t);
}

/*
 * A task goes into a queue: an array of pointers, to which an element of the team's array of queues points,
 * one a thread. How long that element is, is seen where it is chosen.
 */
static void decode_queue(struct ly_decoding *d, const char *function, uint16_t task)
{
    struct ly_trace t;
    int32_t bytes;

    if (!ly_get(d, "kmp_taskdata", &bytes) || !ly_follow(d, function, 0, &t))
        return;
    for (size_t i = 0; i < t.count; i++) {
        const struct ly_access *access = &t.list[i];
        const struct ly_pointer *array = &t.pointers.list[access->pointer],
                                *queue = &t.pointers.list[array->parent],
                                *queues = &t.pointers.list[queue->parent];
        if (access->how == LY_STORES && access->stored.pointer == task && access->stored.offset == -bytes &&
            !array->stride && queue->stride && !queues->stride) {
            ly_claim(d, "kmp_thread_data", queue->stride, 0);
            ly_claim(d, "kmp_thread_data.td.td_deque", array->offset, 8);
            ly_claim(d, "kmp_task_team.tt.tt_threads_data", queues->offset, 8);
        }
    }
    ly_trace_free(&t);
}

/* Since libomp 15 tasks with a priority are in a list of queues, each with its priority and the next one
 * behind it. Who looks for a task there goes from one to the next. */
static void read_priorities(struct ly_decoding *d, const struct ly_trace *t, int32_t bytes, int32_t deque,
                            int32_t ntasks)
{
    enum { LINE = 64 };
    const int32_t next = bytes + 8;

    for (size_t i = 0; i < t->count; i++) {
        const uint16_t queue = t->list[i].pointer;
        const struct ly_pointer *list = &t->pointers.list[queue];
        if (queue < LY_ROOTS || list->stride || !list->parent || list->offset <= 0 || list->offset % LINE ||
            t->list[i].offset != next || !ly_reads(t, queue, next, 8) || !ly_reads(t, queue, deque, 8) ||
            !ly_reads(t, queue, ntasks, 4))
            continue;
        ly_claim(d, "kmp_task_team.tt.tt_task_pri_list", list->offset, 8);
        ly_add(d, "kmp_task_pri.td", 0, (uint64_t)bytes);
        ly_add(d, "kmp_task_pri.priority", bytes, 4);
        ly_add(d, "kmp_task_pri.next", next, 8);
    }
}

static void decode_priorities(struct ly_decoding *d)
{
    struct ly_trace t;
    int32_t bytes, deque, ntasks;

    if (!ly_get(d, "kmp_thread_data", &bytes) || !ly_get(d, "kmp_thread_data.td.td_deque", &deque) ||
        !ly_get(d, "kmp_thread_data.td.td_deque_ntasks", &ntasks))
        return;
    if (ly_follow(d, "__kmpc_omp_taskwait", 0, &t)) {
        read_priorities(d, &t, bytes, deque, ntasks);
        ly_trace_free(&t);
    }
    for (size_t at = 0; ly_follow_next(d, bytes + 8, &at, &t);) {
        read_priorities(d, &t, bytes, deque, ntasks);
        ly_trace_free(&t);
    }
}

/* A task that has ended is taken out of its node; each node in the list behind that waits for one less. */
static void read_node(struct ly_decoding *d, const struct ly_trace *t, uint16_t node)
{
    const struct ly_access *zero = NULL;
    bool several = false;
    int32_t task;

    for (size_t i = 0; node && i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        if (access->pointer != node || access->how != LY_STORES || access->size != 8 ||
            access->stored.pointer != LY_NUMBER || access->stored.offset)
            continue;
        several = several || (zero && zero->offset != access->offset);
        zero = access;
    }
    if (zero && !several)
        ly_claim(d, "kmp_depnode.dn.task", zero->offset, 8);
    if (!node || !ly_get(d, "kmp_depnode.dn.task", &task))
        return;
    const uint16_t list = ly_find_loaded(&t->pointers, node, task - 8),
                   successor = ly_find_loaded(&t->pointers, list, 0);
    const struct ly_access *next = first_behind(t, list, 1, 8, LY_READS),
                           *fewer = ly_first(t, successor, 4, LY_ATOMIC);
    if (fewer)
        ly_claim(d, "kmp_depnode.dn.npredecessors", fewer->offset, 4);
    if (next)
        ly_claim(d, "kmp_depnode_list.next", next->offset, 8);
}

static void decode_dependences(struct ly_decoding *d)
{
    static const struct {
        const char *function;
        uint16_t task;
    } ends[] = {{"__kmpc_omp_task_complete_if0", LY_THIRD_ARGUMENT},
                {"__kmpc_proxy_task_completed", LY_SECOND_ARGUMENT}};
    struct ly_trace t;
    int32_t bytes, place;

    if (!ly_get(d, "kmp_taskdata", &bytes) || !ly_get(d, "kmp_taskdata.td_depnode", &place))
        return;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ly_follow(d, ends[i].function, 0, &t)) {
            read_node(d, &t, ly_find_loaded(&t.pointers, ends[i].task, place - bytes));
            ly_trace_free(&t);
        }
    /* Or what these call, which is given the task's record as its second argument. */
    for (size_t at = 0; ly_follow_next(d, place, &at, &t);) {
        read_node(d, &t, ly_find_loaded(&t.pointers, LY_SECOND_ARGUMENT, place));
        ly_trace_free(&t);
    }
}

/* Which function shows it depends on what the compiler has put into which. */
bool ly_decode_kmp_tasks(struct ly_decoding *d)
{
    decode_counts(d);
    decode_group(d);
    decode_queue(d, "__kmpc_omp_task", LY_THIRD_ARGUMENT);
    decode_queue(d, "__kmpc_proxy_task_completed_ooo", LY_ARGUMENT);
    if (!ly_imply(true, d->facts, &d->count))
        return false;
    decode_dependences(d);
    decode_priorities(d);
    return true;
}
