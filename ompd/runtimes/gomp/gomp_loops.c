/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_loops.h"

#include <stddef.h>

#include "runtimes/gomp/gomp_constructs.h"

static const char unreadable[] = "the record of the loop cannot be read";
static const char unsound[] = "the record of the loop contradicts itself";
static const char no_beginning[] = "libgomp records only where the rest of such a loop begins";
static const char no_chunks[] = "libgomp does not record which chunk a member has";
static const char no_iteration[] = "libgomp does not record it";
static const char no_shares[] = "members have no shares of this loop";
static const char own_parts[] = "each member has its own part of a static loop";
static const char whose_turn[] = "libgomp records which member has the turn, not with which iteration";
static const char no_sink[] = "libgomp does not record which iteration a thread waits for";
static const char perhaps_single[] =
    "it may as well be another construct: libgomp's record alone does not tell them apart";
static const char perhaps_none[] =
    "it may be no loop: the call that has created the region is not seen on its creator's stack";
static const char compilers_own[] = "the compiler's own code divides the loop";

/** enum gomp_schedule_type; the bit says only what the program has written. */
enum {
    GOMP_STATIC = 1,
    GOMP_DYNAMIC = 2,
    GOMP_GUIDED = 3,
    GOMP_AUTO = 4 /**< as static */
};
#define GOMP_MONOTONIC 0x80000000u

/** struct gomp_work_share, and who looks at it. */
struct share {
    uint64_t sched, chunk, end, incr, next;
    uint64_t members, me;
    int64_t trip;
    bool through; /**< the member waits at the end of the loop */
};

static ompd_rc_t read_share(aspace_t *aspace, struct world *world, uint64_t address, struct share *ret)
{
#define FIELD(name, member)                                                 \
    {                                                                       \
        LAY_F_gomp_work_share_##name, offsetof(struct share, member), false \
    }
    static const struct lay_wanted fields[] = {
        FIELD(sched, sched), FIELD(chunk_size, chunk), FIELD(end, end), FIELD(incr, incr), FIELD(next, next),
    };
#undef FIELD
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    if (address % 8 != 0)
        return ompd_rc_error;
    TRY(pages_read(aspace, &world->pages, address, lay_size(&aspace->lay, LAY_S_gomp_work_share), bytes));
    return lay_decode(&aspace->tgt, &aspace->lay, bytes, fields, sizeof fields / sizeof fields[0], ret);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static bool is_up(const struct share *s)
{
    return (int64_t)s->incr > 0;
}

/** How far it is from NUMBER to the loop's end, in the loop's direction: also of numbers without a sign. */
static uint64_t distance(const struct share *s, uint64_t number)
{
    return is_up(s) ? s->end - number : number - s->end;
}

static uint64_t stride(const struct share *s)
{
    return is_up(s) ? s->incr : -s->incr;
}

static uint64_t iterations_in(const struct share *s, uint64_t span)
{
    return span / stride(s) + (span % stride(s) != 0 ? 1 : 0);
}

static void set_hand(const struct share *s, uint64_t first, uint64_t last, ompdx_loop_info_t *info)
{
    info->hand_count = last - first + 1;
    info->hand_first = (int64_t)(s->next + first * s->incr);
    info->hand_last = (int64_t)(s->next + last * s->incr);
}

static void forget(ompdx_loop_info_t *info, const char *why)
{
    static const ompdx_loop_fact_t facts[] = {ompdx_loop_fact_iterations, ompdx_loop_fact_step,
                                              ompdx_loop_fact_chunk,      ompdx_loop_fact_left,
                                              ompdx_loop_fact_hand,       ompdx_loop_fact_share};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        info->unknown[facts[i]] = why;
}

static void forget_all(ompdx_loop_info_t *info, const char *why)
{
    info->schedule = ompdx_schedule_unknown;
    info->unknown[ompdx_loop_fact_schedule] = why;
    forget(info, why);
}

/* ---- static -------------------------------------------------------------------------------------------- */

/** One part for each member: the first ones get one iteration more where they do not come out even. */
static void one_part(const struct share *s, uint64_t count, ompdx_loop_info_t *info)
{
    const uint64_t rest = count % s->members, each = count / s->members;
    const uint64_t mine = each + (s->me < rest ? 1 : 0);
    const uint64_t first = each * s->me + (s->me < rest ? s->me : rest);
    if (s->trip == 0)
        info->share = mine;
    else if (mine != 0 && !s->through)
        set_hand(s, first, first + mine - 1, info);
}

/** Chunks in turn. */
static void chunks(const struct share *s, uint64_t count, ompdx_loop_info_t *info)
{
    const uint64_t all = count / s->chunk + (count % s->chunk != 0 ? 1 : 0);
    const uint64_t mine = s->me < all ? (all - 1 - s->me) / s->members + 1 : 0;
    const uint64_t taken = s->trip < 0 ? mine : (uint64_t)s->trip;
    const bool has_last = mine != 0 && (all - 1) % s->members == s->me;
    uint64_t left = mine - taken;
    info->flags |= ompdx_loop_chunked;
    info->share = left * s->chunk;
    if (has_last && left != 0)
        info->share -= all * s->chunk - count;
    if (taken == 0 || s->through)
        return;
    const uint64_t first = ((taken - 1) * s->members + s->me) * s->chunk;
    set_hand(s, first, first + s->chunk - 1 < count ? first + s->chunk - 1 : count - 1, info);
}

/** A trip count that no loop of so many iterations leads to. */
static bool is_strange_trip(const struct share *s, uint64_t count)
{
    if (s->trip < 0)
        return s->trip != -1;
    if (s->chunk == 0)
        return s->trip > 1;
    const uint64_t all = count / s->chunk + (count % s->chunk != 0 ? 1 : 0);
    return (uint64_t)s->trip > (s->me < all ? (all - 1 - s->me) / s->members + 1 : 0);
}

static void fill_static(const struct share *s, ompdx_loop_info_t *info)
{
    const uint64_t count = iterations_in(s, distance(s, s->next));
    info->schedule = ompdx_schedule_static;
    info->unknown[ompdx_loop_fact_left] = own_parts;
    info->iterations = count;
    info->first = (int64_t)s->next;
    info->step = (int64_t)s->incr;
    info->chunk = s->chunk;
    if (s->me >= s->members || count > INT64_MAX || s->chunk > INT64_MAX / s->members ||
        is_strange_trip(s, count)) {
        forget(info, unsound);
        return;
    }
    if (s->members == 1) {
        if (s->trip == 0)
            info->share = count;
        else if (count != 0 && !s->through)
            set_hand(s, 0, count - 1, info);
    } else if (s->chunk == 0) {
        one_part(s, count, info);
    } else {
        chunks(s, count, info);
    }
    if (info->hand_count == 1)
        info->at = info->hand_first;
    else if (info->hand_count != 0)
        info->unknown[ompdx_loop_fact_at] = no_iteration;
}

/* ---- dynamic and guided -------------------------------------------------------------------------------- */

/** One counter for all, that may have run past the end: each member may have asked once too often. */
static void fill_counter(const struct share *s, const struct gomp_found *found, ompdx_loop_info_t *info)
{
    const bool dynamic = (s->sched & ~GOMP_MONOTONIC) == GOMP_DYNAMIC;
    const uint64_t chunk = dynamic ? (is_up(s) ? s->chunk : -s->chunk) : s->chunk * stride(s);
    const uint64_t span = distance(s, s->next);
    const bool past = dynamic && -span <= (s->members + 1) * chunk;
    info->schedule = dynamic ? ompdx_schedule_dynamic : ompdx_schedule_guided;
    info->step = (int64_t)s->incr;
    info->chunk = chunk / stride(s);
    info->unknown[ompdx_loop_fact_share] = no_shares;
    if (!s->through)
        info->unknown[ompdx_loop_fact_hand] = no_chunks;
    if (chunk == 0 || chunk % stride(s) != 0 || chunk > INT64_MAX / (s->members + 1) ||
        (!past && span > INT64_MAX)) {
        forget(info, unsound);
        return;
    }
    info->left = past ? 0 : iterations_in(s, span);
    info->next = (int64_t)(past ? s->end : s->next);
    info->unknown[ompdx_loop_fact_iterations] = no_beginning;
    const bool like_sections = dynamic && s->incr == 1 && chunk == 1 && (int64_t)s->next > 0;
    if (like_sections && found->what == GOMP_CONSTRUCT_SECTIONS) { /* libgomp counts them from 1 */
        info->schedule = ompdx_schedule_sections;
        info->unknown[ompdx_loop_fact_iterations] = NULL;
        info->iterations = s->end - 1;
        info->next--;
    } else if (found->what == GOMP_CONSTRUCT_SECTIONS) {
        forget_all(info, unsound);
    } else if (like_sections && !found->combined && !found->ordered && !found->doacross) {
        info->flags |= ompdx_loop_or_sections;
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/** Does the member wait where a loop ends? Then it has nothing of it in hand. */
static bool is_through(const struct world *world, const struct world_task *task,
                       const struct gomp_found *found)
{
    const struct world_thread *thread = &world->threads[task->thread];
    return thread->wait_kind == ompdx_wait_barrier && thread->wait_team == task->team &&
           (thread->state == ompt_state_wait_barrier_implicit_workshare ||
            (found->combined && thread->state == ompt_state_wait_barrier_implicit_parallel));
}

static ompd_rc_t fill(aspace_t *aspace, struct world *world, const struct world_task *task,
                      const struct gomp_where *place, const struct gomp_found *found, ompdx_loop_info_t *info)
{
    struct share share = {0};
    ompd_rc_t rc = read_share(aspace, world, place->work_share, &share);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) {
        forget_all(info, unreadable);
        return ompd_rc_ok;
    }
    share.members = (uint64_t)world->teams[task->team].size;
    share.me = (uint64_t)task->thread_num;
    share.trip = place->trip;
    share.through = is_through(world, task, found);
    if (share.incr == 0) {
        forget_all(info, share.next == share.end ? compilers_own : unsound);
        return ompd_rc_ok;
    }
    switch (share.sched & ~(uint64_t)GOMP_MONOTONIC) {
    case GOMP_STATIC:
    case GOMP_AUTO:
        fill_static(&share, info);
        break;
    case GOMP_DYNAMIC:
    case GOMP_GUIDED:
        fill_counter(&share, found, info);
        break;
    default:
        forget_all(info, unsound);
    }
    return ompd_rc_ok;
}

ompd_rc_t gomp_loop(aspace_t *aspace, struct world *world, int32_t index, ompdx_loop_info_t *ret)
{
    const struct world_task *task = &world->tasks[index];
    ompdx_loop_info_t info = {0};
    struct gomp_where place;
    struct gomp_found found;
    if (!gomp_has_constructs(aspace))
        return ompd_rc_unsupported;
    TRY(gomp_place_of(aspace, world, task, &place));
    TRY(gomp_construct_of(aspace, world, task, &place, &found));
    if (found.what == GOMP_CONSTRUCT_NONE)
        return ompd_rc_unavailable;
    info.id = place.work_share;
    if (found.what == GOMP_CONSTRUCT_UNKNOWN)
        forget_all(&info, found.combined ? perhaps_none : perhaps_single);
    else
        TRY(fill(aspace, world, task, &place, &found, &info));
    if (found.ordered) {
        info.flags |= ompdx_loop_ordered;
        info.unknown[ompdx_loop_fact_turn] = whose_turn;
    }
    if (found.doacross) {
        info.flags |= ompdx_loop_doacross;
        info.unknown[ompdx_loop_fact_sink] = no_sink;
        info.waits = world->threads[task->thread].wait_kind == ompdx_wait_ordered;
    }
    *ret = info;
    return ompd_rc_ok;
}
