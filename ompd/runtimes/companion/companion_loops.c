/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: the loop that a task is in, and which of its iterations the task has.
 */
#include "runtimes/companion/companion.h"

#include <stddef.h>

static const char unreadable[] = "the record of the loop cannot be read";
static const char not_recorded[] = "Companion does not record it";
static const char compilers_own[] = "the compiler's own code divides the loop";

/** Of an implicit task. */
struct loop {
    uint64_t kind, trip, chunk, lb, st, mine, ordered, stealing, doacross, sink;
    const struct co_task *task;
    struct co_team team;
    uint64_t next, turn, ranges, tag, sequence; /**< what the team shares */
    bool shared;                                /**< these are known */
};

#define WANTED(field, member, is_signed)                           \
    {                                                              \
        LAY_F_rt_##field, offsetof(struct loop, member), is_signed \
    }
static const struct lay_wanted own_fields[] = {
    WANTED(task_loop_kind, kind, false),       WANTED(task_loop_trip, trip, false),
    WANTED(task_loop_chunk, chunk, false),     WANTED(task_loop_lb, lb, false),
    WANTED(task_loop_st, st, false),           WANTED(task_loop_static, mine, false),
    WANTED(task_loop_ordered, ordered, false), WANTED(task_loop_stealing, stealing, false),
    WANTED(task_doacross, doacross, false),    WANTED(task_doacross_sink, sink, false),
};
static const struct lay_wanted shared_fields[] = {
    WANTED(workshare_next, next, false),     WANTED(workshare_ordered_next, turn, false),
    WANTED(workshare_ranges, ranges, false), WANTED(workshare_tag, tag, false),
    WANTED(workshare_seq, sequence, false),
};
#undef WANTED
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const uint16_t constants[] = {
    LAY_S_rt_range,        LAY_C_RT_RANGE_BITS,    LAY_C_RT_SCHED_STATIC_CHUNKED,
    LAY_C_RT_SCHED_STATIC, LAY_C_RT_SCHED_DYNAMIC, LAY_C_RT_SCHED_GUIDED,
    LAY_S_rt_kmp_task,     LAY_C_RT_CALLED_GOMP,   0};

/** Does the runtime tell of loops (layout 1.5)? Codes: ok, unsupported, incompatible. */
static ompd_rc_t need_loops(const aspace_t *aspace)
{
    static const uint16_t numbers[] = {LAY_F_rt_range_word, LAY_F_rt_kmp_task_shareds, LAY_F_rt_task_call};
    TRY(co_need(aspace, constants));
    for (size_t i = 0; i < COUNT(own_fields); i++)
        TRY(co_need(aspace, (const uint16_t[]){own_fields[i].id, 0}));
    for (size_t i = 0; i < COUNT(shared_fields); i++)
        TRY(co_need(aspace, (const uint16_t[]){shared_fields[i].id, 0}));
    for (size_t i = 0; i < COUNT(numbers); i++)
        TRY(co_need(aspace, (const uint16_t[]){numbers[i], 0}));
    for (size_t i = 0; i < COUNT(own_fields); i++)
        TRY(lay_require_number(&aspace->lay, own_fields[i].id));
    for (size_t i = 0; i < COUNT(shared_fields); i++)
        TRY(lay_require_number(&aspace->lay, shared_fields[i].id));
    for (size_t i = 0; i < COUNT(numbers); i++)
        TRY(lay_require_number(&aspace->lay, numbers[i]));
    return ompd_rc_ok;
}

/** The loop's own number of a logical iteration. Sections have none of their own. */
static int64_t number(const struct loop *loop, uint64_t iteration)
{
    return (int64_t)(loop->st == 0 ? iteration : loop->lb + iteration * loop->st);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void set_hand(const struct loop *loop, uint64_t first, uint64_t last, ompdx_loop_info_t *info)
{
    if (first > last || last >= loop->trip)
        return;
    info->hand_count = last - first + 1;
    info->hand_first = number(loop, first);
    info->hand_last = number(loop, last);
}

/* ---- static -------------------------------------------------------------------------------------------- */

/** Iterations of chunks that begin at FIRST and each STRIDE later. */
static uint64_t iterations_from(const struct loop *loop, uint64_t first, uint64_t stride)
{
    if (first >= loop->trip || stride == 0)
        return 0;
    const uint64_t before = (loop->trip - 1 - first) / stride; /* of whole chunks, and the last one */
    const uint64_t last = first + before * stride;
    return before * loop->chunk + smaller(loop->chunk, loop->trip - last);
}

static void fill_static(const aspace_t *aspace, const struct loop *loop, ompdx_loop_info_t *info)
{
    const uint64_t n = (uint64_t)loop->team.nthreads;
    info->schedule = ompdx_schedule_static;
    info->unknown[ompdx_loop_fact_left] = "each member has its own part of a static loop";
    set_hand(loop, loop->task->loop_first, loop->task->loop_last, info);
    if (loop->kind == co_constant(aspace, LAY_C_RT_SCHED_STATIC)) {
        info->chunk = 0;
        info->share = loop->mine < loop->trip ? smaller(loop->chunk, loop->trip - loop->mine) : 0;
        return;
    }
    info->flags |= ompdx_loop_chunked;
    if (loop->chunk <= UINT64_MAX / n)
        info->share = iterations_from(loop, loop->mine, loop->chunk * n);
    else
        info->share = loop->mine < loop->trip ? loop->trip - loop->mine : 0;
}

/* ---- shares -------------------------------------------------------------------------------------------- */

/** What a member has left, in chunks; *taken: the owner has taken one, as far as the word says. */
struct share {
    uint64_t next, end;
    bool tagged;
};

static ompd_rc_t read_share(aspace_t *aspace, const struct loop *loop, uint64_t member, struct share *ret)
{
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    const uint32_t row = lay_size(&aspace->lay, LAY_S_rt_range);
    const uint64_t n = (uint64_t)loop->team.nthreads, bits = co_constant(aspace, LAY_C_RT_RANGE_BITS);
    uint64_t word;
    if (row > sizeof bytes || bits == 0 || bits > 31)
        return ompd_rc_error;
    TRY(brk_array(&aspace->tgt, &aspace->brk, loop->ranges, n * row, member * row, row, bytes));
    TRY(lay_get(&aspace->tgt, &aspace->lay, bytes, LAY_F_rt_range_word, &word));
    ret->tagged = word >> 2 * bits == loop->tag;
    if (ret->tagged) {
        ret->next = word >> bits & ((UINT64_C(1) << bits) - 1);
        ret->end = word & ((UINT64_C(1) << bits) - 1);
    } else {
        if (loop->mine > UINT32_MAX) /* the runtime has no shares of so many */
            return ompd_rc_error;
        ret->next = loop->mine * member / n;
        ret->end = loop->mine * (member + 1) / n;
    }
    return ret->end <= loop->mine ? ompd_rc_ok : ompd_rc_error;
}

/** Iterations of the chunks [next, end): the last one of the loop may be shorter. */
static uint64_t share_iterations(const struct loop *loop, const struct share *share)
{
    if (share->next >= share->end)
        return 0;
    const uint64_t first = share->next * loop->chunk;
    return first >= loop->trip ? 0 : smaller((share->end - share->next) * loop->chunk, loop->trip - first);
}

static ompd_rc_t fill_shares(aspace_t *aspace, const struct loop *loop, ompdx_loop_info_t *info)
{
    const uint64_t me = (uint64_t)loop->task->thread_num, n = (uint64_t)loop->team.nthreads;
    struct share share;
    info->flags |= ompdx_loop_shares;
    if (me >= n || loop->chunk == 0 || loop->mine == UINT64_MAX ||
        loop->chunk > UINT64_MAX / (loop->mine + 1))
        return ompd_rc_error;
    TRY(read_share(aspace, loop, me, &share));
    info->share = share_iterations(loop, &share);
    /* An untouched share begins where it was dealt. What it is now, thieves have changed at its end only. */
    const bool taken = loop->stealing == 2 || (share.tagged && share.next != loop->mine * me / n);
    if (taken && share.tagged && share.next > 0 && share.next <= share.end)
        set_hand(loop, (share.next - 1) * loop->chunk, smaller(share.next * loop->chunk, loop->trip) - 1,
                 info);
    for (uint64_t i = 0; i < n; i++) {
        TRY(read_share(aspace, loop, i, &share));
        info->left += share_iterations(loop, &share);
    }
    return ompd_rc_ok;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void forget_progress(ompdx_loop_info_t *info, const char *why)
{
    info->left = info->share = info->hand_count = 0;
    info->next = info->hand_first = info->hand_last = 0;
    info->unknown[ompdx_loop_fact_left] = info->unknown[ompdx_loop_fact_hand] =
        info->unknown[ompdx_loop_fact_share] = why;
}

/** Dynamic and guided: one counter for all. */
static void fill_counter(const struct loop *loop, ompdx_loop_info_t *info)
{
    info->unknown[ompdx_loop_fact_share] = "members have no shares of this loop";
    if (!loop->shared) {
        info->unknown[ompdx_loop_fact_left] = unreadable;
    } else {
        const uint64_t next = smaller(loop->next, loop->trip);
        info->left = loop->trip - next;
        info->next = number(loop, next);
    }
    set_hand(loop, loop->task->loop_first, loop->task->loop_last, info);
}

static ompd_rc_t fill_loop(aspace_t *aspace, const struct loop *loop, ompdx_loop_info_t *info)
{
    info->iterations = loop->trip;
    info->first = number(loop, 0);
    info->step = loop->st == 0 ? 1 : (int64_t)loop->st;
    info->chunk = loop->chunk;
    if (loop->kind == co_constant(aspace, LAY_C_RT_SCHED_STATIC) ||
        loop->kind == co_constant(aspace, LAY_C_RT_SCHED_STATIC_CHUNKED)) {
        fill_static(aspace, loop, info);
        return ompd_rc_ok;
    }
    info->schedule = loop->st == 0                                               ? ompdx_schedule_sections
                     : loop->kind == co_constant(aspace, LAY_C_RT_SCHED_DYNAMIC) ? ompdx_schedule_dynamic
                     : loop->kind == co_constant(aspace, LAY_C_RT_SCHED_GUIDED)  ? ompdx_schedule_guided
                                                                                 : ompdx_schedule_unknown;
    if (info->schedule == ompdx_schedule_unknown)
        info->unknown[ompdx_loop_fact_schedule] = "Companion has no such schedule; memory is damaged";
    if (loop->stealing == 0) {
        fill_counter(loop, info);
        return ompd_rc_ok;
    }
    ompd_rc_t rc = loop->shared ? fill_shares(aspace, loop, info) : ompd_rc_error;
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok)
        forget_progress(info, unreadable);
    return ompd_rc_ok;
}

/** A doacross nest whose loop the compiler divides itself: only what is waited for is known. */
static void fill_nest_alone(ompdx_loop_info_t *info)
{
    static const ompdx_loop_fact_t facts[] = {ompdx_loop_fact_schedule, ompdx_loop_fact_iterations,
                                              ompdx_loop_fact_step, ompdx_loop_fact_chunk};
    forget_progress(info, compilers_own);
    for (size_t i = 0; i < COUNT(facts); i++)
        info->unknown[facts[i]] = compilers_own;
}

static void fill_doacross(aspace_t *aspace, const struct loop *loop, ompdx_loop_info_t *info)
{
    struct co_thread thread;
    if (loop->doacross == 0)
        return;
    info->flags |= ompdx_loop_doacross;
    info->sink = (int64_t)loop->sink;
    info->waits = loop->task->thread != 0 &&
                  co_get_thread(aspace, loop->task->thread, CO_ALL, &thread) == ompd_rc_ok &&
                  thread.serial != 0 && rtm_is_wait(thread.state) && thread.cur_task == loop->task->address &&
                  thread.wait_kind == co_constant(aspace, LAY_C_RT_WAIT_DOACROSS);
}

/** *KNOWS_AT: info->at is known. */
static ompd_rc_t implicit_loop(aspace_t *aspace, const struct co_task *task, ompdx_loop_info_t *info,
                               bool *knows_at)
{
    struct loop loop = {.task = task};
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    bool alive;
    TRY(co_get_slot(aspace, CO_TASK, task->address, own_fields, COUNT(own_fields), &loop));
    if (task->unbegun || (task->loop == 0 && loop.doacross == 0))
        return ompd_rc_unavailable;
    TRY(co_team_of_task(aspace, task, CO_ALL, &loop.team, &alive));
    if (!alive)
        return ompd_rc_unavailable;
    if (task->loop != 0) {
        ompd_rc_t rc = tgt_read(&aspace->tgt, task->loop, lay_size(&aspace->lay, LAY_S_rt_workshare), bytes);
        if (rc == ompd_rc_ok)
            rc = lay_decode(&aspace->tgt, &aspace->lay, bytes, shared_fields, COUNT(shared_fields), &loop);
        if (rc == ompd_rc_nomem)
            return rc;
        loop.shared = rc == ompd_rc_ok;
        TRY(fill_loop(aspace, &loop, info));
    } else {
        fill_nest_alone(info);
    }
    info->id = task->loop != 0 ? task->loop : loop.doacross;
    info->sequence = loop.shared ? loop.sequence + 1 : 0;
    if (task->loop != 0 && loop.ordered != 0) {
        info->flags |= ompdx_loop_ordered;
        /* Where the turn passes by iterations, what is in hand begins with the one that is executed. */
        *knows_at = loop.ordered == 1;
        info->at = info->hand_first;
        info->turn = number(&loop, loop.turn);
        if (!loop.shared)
            info->unknown[ompdx_loop_fact_turn] = unreadable;
    }
    fill_doacross(aspace, &loop, info);
    return ompd_rc_ok;
}

/* ---- taskloop ------------------------------------------------------------------------------------------ */

static ompd_rc_t numbers_at(aspace_t *aspace, uint64_t address, size_t count, uint64_t *ret)
{
    uint8_t bytes[3 * 8];
    TRY(tgt_read(&aspace->tgt, address, count * 8, bytes));
    for (size_t i = 0; i < count; i++)
        TRY(tgt_number(&aspace->tgt, bytes + 8 * i, 8, &ret[i]));
    return ompd_rc_ok;
}

/** clang: first and last number, step. */
static void clang_part(const uint64_t bounds[3], ompdx_loop_info_t *info)
{
    const int64_t first = (int64_t)bounds[0], last = (int64_t)bounds[1], step = (int64_t)bounds[2];
    if (step == 0 || (step > 0 ? first > last : first < last)) {
        info->unknown[ompdx_loop_fact_hand] = "the task's bounds are none of a loop; memory is damaged";
        return;
    }
    info->step = step;
    info->hand_first = first;
    info->hand_last = last;
    info->hand_count =
        (step > 0 ? bounds[1] - bounds[0] : bounds[0] - bounds[1]) / (step > 0 ? bounds[2] : -bounds[2]) + 1;
}

/** gcc: first number, and that behind the last; by which step is in the task's code. */
static void gcc_part(const uint64_t bounds[2], ompdx_loop_info_t *info)
{
    const bool up = (int64_t)bounds[0] < (int64_t)bounds[1];
    info->unknown[ompdx_loop_fact_step] = "gcc has the step of a taskloop in the task's code alone";
    info->hand_first = (int64_t)bounds[0];
    info->hand_last = (int64_t)(up ? bounds[1] - 1 : bounds[1] + 1);
    info->hand_count = up ? bounds[1] - bounds[0] : bounds[0] - bounds[1];
}

static ompd_rc_t taskloop_part(aspace_t *aspace, const struct co_task *task, ompdx_loop_info_t *info)
{
    const struct lay_wanted wanted = {LAY_F_rt_task_call, 0, false};
    const uint64_t payload = task->address + lay_offset(&aspace->lay, LAY_F_rt_task_loop);
    uint64_t call, shareds, bounds[3] = {0};
    TRY(co_get_slot(aspace, CO_TASK, task->address, &wanted, 1, &call));
    const bool gcc = call == co_constant(aspace, LAY_C_RT_CALLED_GOMP);
    ompd_rc_t rc =
        gcc ? numbers_at(aspace, payload + lay_offset(&aspace->lay, LAY_F_rt_kmp_task_shareds), 1, &shareds)
            : numbers_at(aspace, payload + lay_size(&aspace->lay, LAY_S_rt_kmp_task), 3, bounds);
    if (gcc && rc == ompd_rc_ok)
        rc = numbers_at(aspace, shareds, 2, bounds);
    if (rc == ompd_rc_nomem)
        return rc;
    info->id = task->serial;
    info->schedule = ompdx_schedule_taskloop;
    info->unknown[ompdx_loop_fact_iterations] = info->unknown[ompdx_loop_fact_chunk] =
        info->unknown[ompdx_loop_fact_left] = info->unknown[ompdx_loop_fact_share] = not_recorded;
    if (rc != ompd_rc_ok)
        info->unknown[ompdx_loop_fact_hand] = info->unknown[ompdx_loop_fact_step] =
            "the record of the task cannot be read";
    else if (gcc)
        gcc_part(bounds, info);
    else
        clang_part(bounds, info);
    return ompd_rc_ok;
}

ompd_rc_t co_op_loop_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_loop_info_t *ret)
{
    struct co_task task;
    ompdx_loop_info_t info = {0};
    bool knows_at = false;
    TRY(co_live_task(aspace, ref, CO_ALL, &task));
    TRY(need_loops(aspace));
    if (co_is_implicit(aspace, task.flags))
        TRY(implicit_loop(aspace, &task, &info, &knows_at));
    else if (task.flags & co_constant(aspace, LAY_C_RT_TASK_TASKLOOP))
        TRY(taskloop_part(aspace, &task, &info));
    else
        return ompd_rc_unavailable;
    if (info.hand_count == 1)
        info.at = info.hand_first;
    else if (info.hand_count != 0 && !knows_at)
        info.unknown[ompdx_loop_fact_at] = not_recorded;
    *ret = info;
    return ompd_rc_ok;
}
