/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: the loop that an implicit task is in. Each member of a team has records of its loops (kmp_disp,
 * dispatch_private_info); what they share is in dispatch_shared_info. A loop that the compiler's own code
 * divides is in none of them.
 *
 * Iterations are counted from 0 here: number = lb + iteration * st.
 */
#include "runtimes/kmp/kmp_loops.h"

#include "runtimes/kmp/kmp_loop_records.h"

static const char no_chunks[] = "libomp does not record which chunk a member has";
static const char no_shares[] = "members have no shares of this loop";
static const char own_parts[] = "each member has its own part of a static loop";
static const char other_schedule[] =
    "of this schedule libomp counts chunks of different sizes, not iterations";
static const char stolen[] = "whether the member has begun, or others have taken its share, cannot be told";
static const char no_stealing[] = "this version's shares of such a loop are not read";
static const char not_recorded[] = "libomp does not record it";
static const char damaged[] = "the record contradicts itself";
static const char compilers_own[] = "the compiler's own code divides the loop";
static const char no_sink[] = "libomp does not record which iteration a thread waits for";

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static int64_t number(const struct kmp_loop *loop, uint64_t iteration)
{
    return (int64_t)((uint64_t)loop->lb + iteration * (uint64_t)loop->st);
}

/** Iterations FIRST to LAST. */
static void set_hand(const struct kmp_loop *loop, uint64_t first, uint64_t last, ompdx_loop_info_t *info)
{
    if (first > last || first >= loop->trip)
        return;
    last = smaller(last, loop->trip - 1);
    info->hand_count = last - first + 1;
    info->hand_first = number(loop, first);
    info->hand_last = number(loop, last);
}

static void unknown_progress(ompdx_loop_info_t *info, const char *why)
{
    info->unknown[ompdx_loop_fact_left] = info->unknown[ompdx_loop_fact_hand] =
        info->unknown[ompdx_loop_fact_share] = why;
}

/* ---- static -------------------------------------------------------------------------------------------- */

/** One part a member: the record has that member's bounds instead of the loop's. */
static void fill_balanced(struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    const uint64_t small = loop->trip / loop->nproc, extras = loop->trip % loop->nproc;
    const uint64_t begin = loop->tid * small + smaller(loop->tid, extras);
    const uint64_t length = small + (loop->tid < extras ? 1 : 0);
    const bool begun = loop->count != 0;
    info->chunk = 0;
    if (length == 0) {
        info->first = loop->lb; /* this member has nothing to do, so its bounds are left as they were */
        return;
    }
    const int64_t mine = loop->lb;
    loop->lb = (int64_t)((uint64_t)mine - begin * (uint64_t)loop->st);
    info->first = loop->lb;
    if (loop->ub != number(loop, begin + length - 1)) {
        unknown_progress(info, damaged);
        info->unknown[ompdx_loop_fact_iterations] = damaged;
        return;
    }
    if (begun)
        set_hand(loop, begin, begin + length - 1, info);
    else
        info->share = length;
}

/** Chunks to the members in turn. `count` is that of all members' chunks before the member's next round. */
static void fill_chunked(const struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    const uint64_t chunks = loop->trip / loop->chunk + (loop->trip % loop->chunk != 0 ? 1 : 0);
    const uint64_t next = loop->count + loop->tid;
    if (loop->count % loop->nproc != 0 || loop->count > chunks + loop->nproc) {
        unknown_progress(info, damaged);
        return;
    }
    if (loop->count >= loop->nproc && next - loop->nproc < chunks) {
        const uint64_t begin = (next - loop->nproc) * loop->chunk;
        set_hand(loop, begin, begin + loop->chunk - 1, info);
    }
    if (next >= chunks)
        return;
    const uint64_t whole = (chunks - 1 - next) / loop->nproc; /* before the member's last one */
    const uint64_t begin = (next + whole * loop->nproc) * loop->chunk;
    info->share = whole * loop->chunk + smaller(loop->chunk, loop->trip - begin);
}

static void fill_static(struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    info->schedule = ompdx_schedule_static;
    info->unknown[ompdx_loop_fact_left] = own_parts;
    if (loop->schedule == KMP_SCHED_STATIC_BALANCED) {
        fill_balanced(loop, info);
        return;
    }
    if (loop->schedule == KMP_SCHED_STATIC_CHUNKED)
        info->flags |= ompdx_loop_chunked;
    else
        info->chunk = 0;
    fill_chunked(loop, info);
}

/* ---- dynamic ------------------------------------------------------------------------------------------- */

/** One counter for all, of chunks or of iterations. */
static void fill_counter(const struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    uint64_t next = loop->iteration;
    info->unknown[ompdx_loop_fact_share] = no_shares;
    if (loop->schedule == KMP_SCHED_DYNAMIC)
        next = next > loop->trip / loop->chunk ? loop->trip : next * loop->chunk;
    next = smaller(next, loop->trip);
    info->left = loop->trip - next;
    info->next = number(loop, next);
    if (loop->ordered == 0)
        info->unknown[ompdx_loop_fact_hand] = no_chunks;
}

/** Iterations of the chunks from BEGIN up to END: the loop's last one may be shorter. */
static uint64_t in_chunks(const struct kmp_loop *loop, uint64_t begin, uint64_t end)
{
    if (begin >= end || begin * loop->chunk >= loop->trip)
        return 0;
    return smaller(end * loop->chunk, loop->trip) - begin * loop->chunk;
}

/** Each member has a share of the chunks, and takes from others' when it is through. */
static void fill_shares(const struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    const struct kmp_share *mine = &loop->shares[loop->tid];
    info->flags |= ompdx_loop_shares;
    info->share = in_chunks(loop, mine->next, mine->end);
    for (uint64_t i = 0; i < loop->nproc; i++)
        info->left += in_chunks(loop, loop->shares[i].next, loop->shares[i].end);
    /* The record has the next chunk: of the share as it was dealt, or of what was taken from another. */
    if (loop->count == mine->dealt && loop->count >= (uint64_t)loop->ub)
        info->unknown[ompdx_loop_fact_hand] = stolen;
    else if (loop->count != mine->dealt && loop->count != 0)
        set_hand(loop, (loop->count - 1) * loop->chunk, loop->count * loop->chunk - 1, info);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void fill_schedule(struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    switch (loop->schedule) {
    case KMP_SCHED_STATIC_CHUNKED:
    case KMP_SCHED_STATIC_GREEDY:
    case KMP_SCHED_STATIC_BALANCED:
        fill_static(loop, info);
        return;
    case KMP_SCHED_DYNAMIC:
        info->schedule = ompdx_schedule_dynamic;
        fill_counter(loop, info);
        return;
    case KMP_SCHED_STEAL:
        info->schedule = ompdx_schedule_dynamic;
        if (loop->shares != NULL)
            fill_shares(loop, info);
        else
            unknown_progress(info, no_stealing);
        return;
    case KMP_SCHED_GUIDED_ITERATIVE:
    case KMP_SCHED_GUIDED_SIMD:
        info->schedule = ompdx_schedule_guided;
        fill_counter(loop, info);
        return;
    case KMP_SCHED_GUIDED_ANALYTICAL:
        info->schedule = ompdx_schedule_guided;
        unknown_progress(info, other_schedule);
        return;
    default:
        info->unknown[ompdx_loop_fact_schedule] = "it is a schedule of libomp's own";
        unknown_progress(info, other_schedule);
        return;
    }
}

static void fill_ordered(const struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    if (loop->ordered == 0)
        return;
    info->flags |= ompdx_loop_ordered;
    info->turn = number(loop, loop->turn);
    if (loop->turn > loop->trip)
        info->unknown[ompdx_loop_fact_turn] = damaged;
    if (info->hand_count == 0 && loop->lower <= loop->upper && loop->upper < loop->trip &&
        loop->schedule != KMP_SCHED_STATIC_BALANCED) {
        info->unknown[ompdx_loop_fact_hand] = NULL;
        set_hand(loop, loop->lower, loop->upper, info);
    }
}

static void fill_doacross(const struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    if (loop->doacross == 0)
        return;
    info->flags |= ompdx_loop_doacross;
    if (loop->waits)
        info->unknown[ompdx_loop_fact_sink] = no_sink;
}

/** A doacross nest whose loop the compiler divides itself. */
static void fill_nest_alone(ompdx_loop_info_t *info)
{
    static const ompdx_loop_fact_t facts[] = {ompdx_loop_fact_schedule, ompdx_loop_fact_iterations,
                                              ompdx_loop_fact_step, ompdx_loop_fact_chunk};
    unknown_progress(info, compilers_own);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        info->unknown[facts[i]] = compilers_own;
}

static void fill(struct kmp_loop *loop, ompdx_loop_info_t *info)
{
    info->id = loop->shared;
    info->sequence = loop->sequence;
    info->iterations = loop->trip;
    info->first = number(loop, 0);
    info->step = loop->st;
    info->chunk = loop->chunk;
    fill_schedule(loop, info);
    fill_ordered(loop, info);
    if (loop->sections == 0)
        return;
    info->schedule = ompdx_schedule_sections; /* gcc counts them from 1 */
    info->first--;
    info->next--;
}

ompd_rc_t kmp_loop(aspace_t *aspace, struct world *world, int32_t index, ompdx_loop_info_t *ret)
{
    struct kmp kmp = {.aspace = aspace, .world = world, .stock = aspace->stock};
    struct kmp_loop loop = {0};
    ompdx_loop_info_t info = {0};
    if ((world->tasks[index].flags & ompt_task_explicit) != 0)
        return ompd_rc_unavailable; /* that a task is one of a taskloop is not recorded */
    TRY(kmp_read_loop(&kmp, &world->tasks[index], &loop));
    if (loop.record != 0)
        fill(&loop, &info);
    else
        fill_nest_alone(&info);
    if (loop.record == 0)
        info.id = loop.doacross;
    fill_doacross(&loop, &info);
    if (info.hand_count == 1)
        info.at = info.hand_first;
    else if (info.hand_count != 0 || info.unknown[ompdx_loop_fact_hand] != NULL)
        info.unknown[ompdx_loop_fact_at] = not_recorded;
    *ret = info;
    return ompd_rc_ok;
}
