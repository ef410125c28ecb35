/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where libomp's functions that programs call read the records: a thread's is an element of the list
 * __kmp_threads, its team and its task are pointers in it, and what is read of these is what the function
 * returns.
 */
#include "corefiles/layout/decode_kmp_parts.h"
#include "ompd/providers/behind.h"

enum { LINE = 64 };

static uint16_t loaded_from(const struct ly_decoding *d, const struct ly_trace *t, uint16_t pointer,
                            const char *member)
{
    int32_t offset;

    return ly_get(d, member, &offset) ? ly_find_loaded(&t->pointers, pointer, offset) : LY_UNKNOWN;
}

static uint16_t team_of(const struct ly_decoding *d, const struct ly_trace *t)
{
    return loaded_from(d, t, ly_first_element(t), "kmp_info.th.th_team");
}

uint16_t ly_kmp_task(const struct ly_decoding *d, const struct ly_trace *t)
{
    return loaded_from(d, t, ly_first_element(t), "kmp_info.th.th_current_task");
}

/* The pointer in the thread's record through which something is read first. The function that finds the
 * record may search it for more than pointers. */
static void add_pointer(struct ly_decoding *d, const struct ly_trace *t, const char *member)
{
    const uint16_t thread = ly_first_element(t);
    const struct ly_access *first = NULL;

    for (size_t i = 0; thread && i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        const struct ly_pointer *pointer = &t->pointers.list[access->pointer];
        if (access->pointer >= LY_ROOTS && pointer->parent == thread && !pointer->stride &&
            access->size <= 4 && access->how == LY_READS && (!first || access->steps < first->steps))
            first = access;
    }
    if (first)
        ly_add(d, member, t->pointers.list[first->pointer].offset, 8);
}

static void decode_thread(struct ly_decoding *d)
{
    struct ly_trace t;

    if (ly_follow(d, "omp_get_thread_num", 0, &t)) {
        ly_add_first(d, &t, ly_first_element(&t), 4, LY_READS, "kmp_info.th.th_info.ds.ds_tid");
        ly_trace_free(&t);
    }
    if (ly_follow(d, "omp_in_final", 0, &t)) {
        add_pointer(d, &t, "kmp_info.th.th_current_task");
        const struct ly_access *flags = ly_first(&t, ly_kmp_task(d, &t), 0, LY_READS);
        if (flags && (flags->size == 1 || flags->size == 4)) /* the flag is one of the first byte's */
            ly_add(d, "kmp_taskdata.td_flags", flags->offset, 4);
        ly_trace_free(&t);
    }
}

/* Of what omp_get_ancestor_thread_num reads of a team, its creator's number lies before its parent. */
static void decode_creator(struct ly_decoding *d, const struct ly_trace *t)
{
    const uint16_t team = team_of(d, t);
    int32_t parent;

    for (size_t i = 0; ly_get(d, "kmp_team.t.t_parent", &parent) && team && i < t->count; i++)
        if (t->list[i].pointer == team && t->list[i].size == 4 && t->list[i].how == LY_READS &&
            t->list[i].offset < parent)
            ly_claim(d, "kmp_team.t.t_master_tid", t->list[i].offset, 4);
}

static void decode_team(struct ly_decoding *d)
{
    static const struct {
        const char *function, *member;
        unsigned size;
    } members[] = {
        {"omp_get_level", "kmp_team.t.t_level", 4},
        {"omp_get_active_level", "kmp_team.t.t_active_level", 4},
        {"__kmpc_bound_num_threads", "kmp_team.t.t_nproc", 4},
        {"omp_get_ancestor_thread_num", "kmp_team.t.t_parent", 8},
    };
    struct ly_trace t;

    if (ly_follow(d, "omp_get_level", 0, &t)) {
        add_pointer(d, &t, "kmp_info.th.th_team");
        ly_trace_free(&t);
    }
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (ly_follow(d, members[i].function, 0, &t)) {
            ly_add_first(d, &t, team_of(d, &t), members[i].size, LY_READS, members[i].member);
            decode_creator(d, &t);
            ly_trace_free(&t);
        }
}

/* The control variables lie at the start of a line in the task. The last of them is a pointer that follows
 * the default device. */
static void decode_icvs(struct ly_decoding *d)
{
    static const struct ly_icv icvs[] = {
        {"omp_get_max_threads", "kmp_internal_control.nproc", 4, false},
        {"omp_get_dynamic", "kmp_internal_control.dynamic", 1, false},
        {"omp_get_max_active_levels", "kmp_internal_control.max_active_levels", 4, false},
        {"omp_get_proc_bind", "kmp_internal_control.proc_bind", 4, false},
        {"omp_get_default_device", "kmp_internal_control.default_device", 4, false},
    };
    struct ly_trace t;
    int32_t last, bytes;

    if (!ly_follow(d, "omp_get_max_threads", 0, &t))
        return;
    const struct ly_access *first = ly_first(&t, ly_kmp_task(d, &t), 4, LY_READS);
    const int32_t start = first ? first->offset / LINE * LINE : 0;
    ly_trace_free(&t);
    if (!start)
        return;
    ly_add_icvs(d, icvs, sizeof icvs / sizeof icvs[0], ly_kmp_task, start);
    if (ly_get(d, "kmp_internal_control.default_device", &last))
        ly_add(d, "kmp_internal_control", (int64_t)behind_multiple((uint32_t)last + 4, 8) + 8, 0);
    if (ly_get(d, "kmp_internal_control", &bytes))
        ly_add(d, "kmp_taskdata.td_icvs", start, (uint64_t)bytes);
}

/* A task is given to the runtime as what follows its record; when it is run, the record becomes the thread's
 * current task. */
static void decode_task_size(struct ly_decoding *d)
{
    int32_t current;
    struct ly_trace t;

    if (!ly_get(d, "kmp_info.th.th_current_task", &current) || !ly_follow(d, "__kmpc_omp_task", 0, &t))
        return;
    const uint16_t thread = ly_first_element(&t);
    for (size_t i = 0; thread && i < t.count; i++) {
        const struct ly_access *access = &t.list[i];
        if (access->pointer == thread && access->offset == current && access->how == LY_STORES &&
            access->stored.pointer == LY_THIRD_ARGUMENT)
            ly_claim(d, "kmp_taskdata", -(int64_t)access->stored.offset, 0);
    }
    ly_trace_free(&t);
}

void ly_decode_kmp_code(struct ly_decoding *d)
{
    decode_thread(d);
    decode_team(d);
    decode_icvs(d);
    decode_task_size(d);
}

/* Is the function's argument stored there as it is? */
static bool keeps(const struct ly_access *access, uint16_t argument)
{
    return access->how == LY_STORES && access->size == 8 && access->stored.pointer == argument &&
           !access->stored.offset;
}

static void claim_function(struct ly_decoding *d, const struct ly_trace *t, int32_t size, int32_t threads)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct ly_access *one = &t->list[i];
        if (!keeps(one, LY_FIFTH_ARGUMENT) || one->offset < size + 4 || one->offset + 16 > threads)
            continue;
        for (size_t k = 0; k < t->count; k++)
            if (keeps(&t->list[k], LY_SIXTH_ARGUMENT) && t->list[k].pointer == one->pointer &&
                t->list[k].offset == one->offset + 8)
                ly_claim(d, "kmp_team.t.t_pkfn", one->offset, 8);
    }
}

/* Who begins a region is given its function and one that calls it, and puts both into the team, between its
 * size and its list of members. The one that does has no name: all are looked at that deal with that list. */
void ly_decode_kmp_function(struct ly_decoding *d)
{
    struct ly_trace t;
    int32_t size, threads, known;

    if (!ly_get(d, "kmp_team.t.t_nproc", &size) || !ly_get(d, "kmp_team.t.t_threads", &threads) ||
        ly_get(d, "kmp_team.t.t_pkfn", &known))
        return;
    for (size_t at = 0; ly_follow_next(d, threads, &at, &t);) {
        claim_function(d, &t, size, threads);
        ly_trace_free(&t);
    }
}
