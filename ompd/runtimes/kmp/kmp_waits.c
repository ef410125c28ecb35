/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: what each thread does, by its stack and by the counters of its barriers.
 */
#include "runtimes/kmp/kmp.h"

#include <string.h>

#define IDENT_BARRIER_EXPLICIT 0x20u
#define IDENT_BARRIER_IMPLICIT 0x40u
/** What t_cancel_request is then. */
#define CANCEL_PARALLEL 1u

static const char no_stack[] = "its call stack could not be followed to the user's code";
static const char tail_call[] = "the user's function ends with the call, so it is not on the stack any more";
static const char cancel[] = "_cancel";
static const char no_begin[] = "libomp does not record whether the thread has begun the region";

static void unknown_state(struct world_thread *row, const char *why)
{
    static const ompdx_thread_fact_t facts[] = {ompdx_fact_state,        ompdx_fact_wait_kind,
                                                ompdx_fact_wait_id,      ompdx_fact_wait_object,
                                                ompdx_fact_wait_codeptr, ompdx_fact_owner};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        row->unknown[facts[i]] = why;
    row->state = ompt_state_undefined;
    row->wait_kind = ompdx_wait_none;
}

/** The bar of an address in the target: a number for the wait. */
static uint64_t barrier_id(const struct kmp *kmp, const struct kmp_team *team, unsigned bar)
{
    const struct lay *lay = &kmp->aspace->lay;
    if (!lay_has(lay, LAY_F_kmp_team_bar) || !lay_has(lay, LAY_S_kmp_balign_team))
        return team->address;
    return team->address + lay_offset(lay, LAY_F_kmp_team_bar) +
           (uint64_t)bar * lay_size(lay, LAY_S_kmp_balign_team);
}

static void wait_barrier(const struct kmp *kmp, const struct kmp_team *team, unsigned bar, int32_t state,
                         struct world_thread *row)
{
    row->state = state;
    row->wait_kind = ompdx_wait_barrier;
    row->wait_team = row->team;
    row->wait_id = barrier_id(kmp, team, bar);
}

/** Nobody else has to do anything for it: it has been released, or has not come so far. */
static void goes_on(struct world_thread *row)
{
    row->state = ompt_state_overhead;
    row->wait_flags = OMPDX_WAIT_OVER;
}

/** A thread in the runtime for the barrier BAR, as it stands there. */
static void stand_at(const struct kmp *kmp, const struct kmp_team *team, unsigned bar, enum kmp_stand stand,
                     int32_t state, struct world_thread *row)
{
    if (stand == KMP_STAND_GOES_ON) {
        goes_on(row);
        return;
    }
    wait_barrier(kmp, team, bar, state, row);
    if (stand == KMP_STAND_WAITS)
        row->wait_flags = OMPDX_WAIT_LASTS;
}

/** clang tells the runtime which sort of barrier it is. */
static ompd_rc_t sort_of_barrier(struct kmp *kmp, const struct kmp_thread *thread,
                                 const struct kmp_team *team, int32_t *ret)
{
    uint64_t flags;
    *ret = ompt_state_wait_barrier;
    if (thread->ident == 0 || team->cancelled != 0) /* threads leave a cancelled region through any barrier */
        return ompd_rc_ok;
    ompd_rc_t rc = kmp_field(kmp, thread->ident, LAY_F_ident_flags, &flags);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc == ompd_rc_ok && (flags & IDENT_BARRIER_IMPLICIT) != 0)
        *ret = ompt_state_wait_barrier_implicit_workshare;
    else if (rc == ompd_rc_ok && (flags & IDENT_BARRIER_EXPLICIT) != 0)
        *ret = ompt_state_wait_barrier_explicit;
    return ompd_rc_ok;
}

/** A reduction under a lock. */
static void in_reduction(struct world_thread *row)
{
    row->state = ompt_state_wait_mutex;
    row->wait_kind = ompdx_wait_reduction;
    row->unknown[ompdx_fact_wait_id] = "libomp does not record which lock guards a reduction";
    row->unknown[ompdx_fact_owner] = "libomp does not record who combines a reduction";
    row->owner_kind = ompdx_owner_unknown;
}

/**
 * Does CALL let the primary thread run code of the user's when all have come, and the others wait until it
 * calls the runtime again? Then their numbers are the same before and behind that.
 */
static bool is_split(const struct kmp_call *call)
{
    return strcmp(call->name, "__kmpc_reduce") == 0 || strcmp(call->name, "__kmpc_barrier_master") == 0;
}

/** Has the barrier of CALL been left by a cancelled region's threads? Those of clang's do not end early. */
static bool is_cancelled(const struct kmp_call *call, const struct kmp_team *team)
{
    const size_t length = strlen(call->name);
    return team->cancelled == CANCEL_PARALLEL && length > sizeof cancel - 1 &&
           strcmp(call->name + length - (sizeof cancel - 1), cancel) == 0;
}

/** At one of the barriers inside of a region: which, the counters tell. */
static ompd_rc_t in_region(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                           int32_t state, struct world_thread *row)
{
    const struct kmp_call *call = thread->stack.call;
    const bool split = is_split(call);
    enum kmp_stand plain, reduction;
    TRY(kmp_stand(kmp, thread, team, KMP_PLAIN, &plain));
    TRY(kmp_stand(kmp, thread, team, KMP_REDUCTION, &reduction));
    if (is_cancelled(call, team))
        goes_on(row);
    else if (reduction == KMP_STAND_WAITS && plain != KMP_STAND_WAITS)
        stand_at(kmp, team, KMP_REDUCTION, reduction, state, row);
    else
        stand_at(kmp, team, KMP_PLAIN, split && plain == KMP_STAND_GOES_ON ? KMP_STAND_UNKNOWN : plain, state,
                 row);
    return ompd_rc_ok;
}

/** A call of the user's in which threads meet. */
static ompd_rc_t in_barrier(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                            struct world_thread *row)
{
    int32_t state = thread->stack.call->state;
    enum kmp_stand stand;
    if (state == ompt_state_wait_barrier_implicit_parallel || state == ompt_state_wait_barrier_teams) {
        if (thread->stack.forking || row->level == 0)
            return ompd_rc_ok; /* it makes a region, or has ended one: overhead */
        TRY(kmp_stand(kmp, thread, team, KMP_FORKJOIN, &stand));
        stand_at(kmp, team, KMP_FORKJOIN, stand, state, row);
        return ompd_rc_ok;
    }
    if (thread->stack.acquiring) {
        in_reduction(row);
        return ompd_rc_ok;
    }
    if (state == ompt_state_wait_barrier)
        TRY(sort_of_barrier(kmp, thread, team, &state));
    return in_region(kmp, thread, team, state, row);
}

static void in_ordered(const struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                       struct world_thread *row)
{
    static const char *const doacross =
        "libomp does not record which thread runs the iteration that is waited for";
    row->wait_id = team->address;
    row->owner_kind = ompdx_owner_unknown;
    row->unknown[ompdx_fact_owner] = doacross;
    (void)kmp;
    (void)thread;
}

static ompd_rc_t in_call(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                         struct world_thread *row)
{
    const struct kmp_call *call = thread->stack.call;
    row->wait_call = call->name;
    if (call->wait == ompdx_wait_barrier)
        return in_barrier(kmp, thread, team, row);
    if (call->wait == ompdx_wait_atomic && !thread->stack.waiting)
        return ompd_rc_ok; /* most of them only compute */
    row->state = call->state;
    row->wait_kind = call->wait;
    switch (call->wait) {
    case ompdx_wait_lock:
    case ompdx_wait_nest_lock:
    case ompdx_wait_critical:
        return kmp_mutex(kmp, thread, row);
    case ompdx_wait_ordered:
        in_ordered(kmp, thread, team, row);
        return ompd_rc_ok;
    case ompdx_wait_atomic:
        row->owner_kind = ompdx_owner_unknown;
        row->unknown[ompdx_fact_wait_id] = "libomp guards this sort of atomic with a lock of its own";
        row->unknown[ompdx_fact_owner] = "libomp does not record who is in an atomic region";
        return ompd_rc_ok;
    default:
        return ompd_rc_ok; /* tasks: kmp_tasks.c knows the objects */
    }
}

/**
 * Is this a place where threads wait for the next region? Those that have arrived at the end of theirs do so,
 * and idle ones; a thread that still gathers the arrivals of others is in another call of the same loop.
 */
static bool is_dock(const struct kmp *kmp, uint64_t pc)
{
    for (int32_t i = 0; i < kmp->thread_count; i++) {
        const struct kmp_thread *other = &kmp->threads[i];
        const bool docked = kmp->world->threads[other->row].idle ||
                            (other->team_at != WORLD_NONE &&
                             kmp_has_counted(other, &kmp->teams[other->team_at], KMP_FORKJOIN));
        if (docked && other->stack.looked && other->stack.top == KMP_TOP_WORKER && other->stack.launch == pc)
            return true;
    }
    return false;
}

/**
 * Has TEAM's primary thread, which makes its region, called none of the members so far? It may still make
 * threads. In a region that has begun it may make one inside.
 */
static bool is_being_made(const struct kmp *kmp, const struct kmp_team *team)
{
    if (team->primary == WORLD_NONE || kmp->threads[team->primary].team != team->address ||
        !kmp->threads[team->primary].stack.forking)
        return false;
    for (uint64_t i = 1; i < team->nproc; i++) {
        const int32_t at = kmp_thread_at(kmp, team->member[i]);
        if (at == WORLD_NONE || kmp->threads[at].team != team->address)
            continue;
        if (kmp_is_called(&kmp->threads[at], KMP_FORKJOIN) || kmp->threads[at].stack.top != KMP_TOP_WORKER)
            return false;
    }
    return true;
}

/** In the loop of a worker while its team's region is open: before its part, or behind it. */
static ompd_rc_t in_loop(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                         struct world_thread *row)
{
    enum kmp_stand stand;
    if (!kmp_has_counters(&kmp->aspace->lay)) {
        unknown_state(row, no_begin);
        return ompd_rc_ok;
    }
    TRY(kmp_stand(kmp, thread, team, KMP_FORKJOIN, &stand));
    if (stand == KMP_STAND_UNKNOWN && is_dock(kmp, thread->stack.launch)) {
        row->state = ompt_state_overhead; /* the region has not reached it yet */
        return ompd_rc_ok;
    }
    if (stand == KMP_STAND_GOES_ON && is_being_made(kmp, team)) {
        row->state = ompt_state_idle;
        row->idle = true;
        row->team = WORLD_NONE;
        row->thread_num = row->team_size = row->level = row->active_level = -1;
        return ompd_rc_ok;
    }
    stand_at(kmp, team, KMP_FORKJOIN, stand, ompt_state_wait_barrier_implicit_parallel, row);
    return ompd_rc_ok;
}

static ompd_rc_t judge(struct kmp *kmp, const struct kmp_thread *thread)
{
    struct world_thread *row = &kmp->world->threads[thread->row];
    const struct kmp_team *team = &kmp->teams[thread->team_at];
    row->wait_codeptr = 0;
    switch (thread->stack.top) {
    case KMP_TOP_USER:
        row->state = row->level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
        return ompd_rc_ok;
    case KMP_TOP_WORKER:
        return in_loop(kmp, thread, team, row);
    case KMP_TOP_RUNTIME:
        row->state = ompt_state_overhead;
        row->wait_codeptr = thread->stack.codeptr;
        if (row->wait_codeptr == 0)
            row->unknown[ompdx_fact_wait_codeptr] = tail_call;
        if (thread->stack.call != NULL)
            return in_call(kmp, thread, team, row);
        return ompd_rc_ok;
    default:
        unknown_state(row, no_stack);
        return ompd_rc_ok;
    }
}

/** Regions from the one that THREAD is in out to TEAM; WORLD_NONE: its stack does not tell, or it is
 * elsewhere. */
static int32_t levels_to(const struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team)
{
    int32_t at = thread->team_at;
    for (int32_t level = 0; at != WORLD_NONE && level < KMP_DEPTH_MAX; level++) {
        if (&kmp->teams[at] == team)
            return level;
        if (kmp->teams[at].serialized != 0 || kmp->teams[at].league) /* not each of these has a frame */
            return WORLD_NONE;
        at = kmp->teams[at].parent_at;
    }
    return WORLD_NONE;
}

/**
 * Is the member inside of regions that its implicit task of ROW has met itself, with no explicit task
 * between? At a barrier a thread runs explicit tasks only, so it has not come to one of ROW.
 */
static bool is_further_in(const struct kmp *kmp, const struct world_team *row, int32_t number)
{
    const struct world *world = kmp->world;
    int32_t task = world->threads[row->members[number]].task;
    for (int32_t level = 0; task != WORLD_NONE && level < KMP_DEPTH_MAX; level++) {
        if ((world->tasks[task].flags & ompt_task_explicit) != 0)
            return false;
        if (row->tasks[number] == task)
            return level > 0;
        task = world->tasks[task].generator;
    }
    return false;
}

/** Has the member NUMBER come to a barrier of TEAM? Codes as kmp_meets. */
static ompd_rc_t has_come(struct kmp *kmp, const struct kmp_team *team, int32_t number, bool *ret)
{
    const int32_t member = kmp->world->teams[team->row].members[number];
    const struct world_thread *row = &kmp->world->threads[member];
    const int32_t at = kmp_thread_at(kmp, row->address);
    *ret = row->wait_kind == ompdx_wait_barrier && row->wait_team == team->row;
    if (*ret || row->idle)
        return ompd_rc_ok;
    if (row->unknown[ompdx_fact_state] != NULL || at == WORLD_NONE)
        return ompd_rc_unavailable;
    if (row->task == WORLD_NONE && row->unknown[ompdx_fact_task] != NULL)
        return ompd_rc_unavailable;
    if (row->team == team->row &&
        (row->task == WORLD_NONE || (kmp->world->tasks[row->task].flags & ompt_task_explicit) == 0))
        return ompd_rc_ok;
    if (is_further_in(kmp, &kmp->world->teams[team->row], number))
        return ompd_rc_ok;
    const int32_t level = levels_to(kmp, &kmp->threads[at], team);
    return level != WORLD_NONE ? kmp_meets(kmp, &kmp->threads[at], level, ret) : ompd_rc_unavailable;
}

/** Who has arrived where the others wait. */
static ompd_rc_t set_arrived(struct kmp *kmp, const struct kmp_team *team)
{
    struct world_team *row = &kmp->world->teams[team->row];
    bool *arrived = NULL;
    TRY(brk_alloc(&kmp->aspace->brk, ((size_t)row->size + 1) * sizeof *arrived, &arrived));
    row->arrived_why = "what one of its members does is not known";
    for (int32_t i = 0; i < row->size; i++) {
        if (row->members[i] == WORLD_NONE)
            return ompd_rc_ok;
        ompd_rc_t rc = has_come(kmp, team, i, &arrived[i]);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    row->arrived = arrived;
    row->arrived_why = NULL;
    return ompd_rc_ok;
}

ompd_rc_t kmp_set_arrivals(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->team_count; i++)
        if (kmp->teams[i].row != WORLD_NONE)
            TRY(set_arrived(kmp, &kmp->teams[i]));
    return ompd_rc_ok;
}

ompd_rc_t kmp_judge(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->thread_count; i++)
        if (kmp->threads[i].contradiction == NULL)
            TRY(kmp_look(kmp, &kmp->threads[i]));
    for (int32_t i = 0; i < kmp->thread_count; i++)
        if (!kmp->world->threads[kmp->threads[i].row].idle && kmp->threads[i].contradiction == NULL)
            TRY(judge(kmp, &kmp->threads[i]));
    return kmp_name_holders(kmp);
}
