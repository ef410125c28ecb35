/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_waits.h"

#include <string.h>

#include "runtimes/gomp/gomp_call.h"
#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_mutex.h"
#include "runtimes/gomp/gomp_records.h"
#include "runtimes/gomp/gomp_teams.h"

static const char no_registers[] = "the debugger does not give the thread's registers";
static const char which_iteration[] =
    "libgomp does not record which thread executes an iteration of a doacross loop";
static const char no_turn[] = "no thread has the turn now; whose is next is not recorded";
static const char turn_unread[] = "the record of the loop cannot be read";
static const char task_unread[] = "the record of the thread's task cannot be read";

static const char strange_sleep[] =
    "it is in a futex call of libgomp where, as the layout has it, no thread waits";

/* ---- barriers ------------------------------------------------------------------------------------------ */

/**
 * Which barrier it is. gcc calls GOMP_barrier for the construct and for the end of some others. A worker
 * comes to the barrier at a region's end from code of the library's own; the counts tell that from the start
 * of a nested region, where all wait for each other too.
 */
static int32_t barrier_state(const struct gomp_call *call, const struct gomp_team *team)
{
    const bool ending = team->awaited_final < team->total;
    const bool waiting = team->awaited < team->total;
    if (call->how == GOMP_CALL_NAMED) {
        if (gomp_begins(call->name, "GOMP_parallel"))
            return ending || !waiting ? ompt_state_wait_barrier_implicit_parallel : ompt_state_overhead;
        if (gomp_begins(call->name, "GOMP_loop") || gomp_begins(call->name, "GOMP_sections") ||
            gomp_begins(call->name, "GOMP_single") || gomp_begins(call->name, "GOMP_workshare"))
            return ompt_state_wait_barrier_implicit_workshare;
        return ompt_state_wait_barrier;
    }
    if (call->how == GOMP_CALL_INNER)
        return ending || !waiting ? ompt_state_wait_barrier_implicit_parallel : ompt_state_overhead;
    /* A function of the program has jumped to a barrier; or it is not known who came from where. */
    return call->how == GOMP_CALL_UNKNOWN && ending && !waiting ? ompt_state_wait_barrier_implicit_parallel
                                                                : ompt_state_wait_barrier;
}

/** At the end of the region before: its record has the next team already. All have reached that barrier. */
static bool at_last_barrier(const struct gomp *gomp, const struct gomp_native *native)
{
    const struct gomp_pool *pool = gomp_pool_at(gomp, native->record.pool);
    return pool != NULL && gomp_at_barrier_of(gomp, native, pool->last_team);
}

/** Only some constructs' barriers are ended by cancellation, and not the one at a region's end. */
static enum gomp_cancels cancels(const struct gomp_call *call)
{
    if (call->how == GOMP_CALL_NAMED)
        return strstr(call->name, "_cancel") != NULL ? GOMP_CANCELS_YES : GOMP_CANCELS_NO;
    return call->how == GOMP_CALL_INNER ? GOMP_CANCELS_NO : GOMP_CANCELS_UNKNOWN;
}

/**
 * A thread that starts a region, or is new in an inner one, waits for the others that begin it: they are in
 * libgomp's own code, on their way. After a fork they are not there.
 */
static ompd_rc_t starts_region(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    const struct world_team *team = &gomp->world->teams[thread->team];
    bool all = true;
    for (int32_t i = 0; i < team->size; i++)
        all = all && team->members[i] != WORLD_NONE;
    thread->state = ompt_state_overhead;
    if (thread->wait_flags == OMPDX_WAIT_LASTS)
        thread->wait_flags = all ? OMPDX_WAIT_OVER : 0;
    return ompd_rc_ok;
}

/**
 * The creator of an inner region has left the team and waits for the others to do so too, at the team's
 * barrier: all have come to the region's end. Of a barrier that is over the generation alone tells that it is
 * one, as the team may be known by no record any more.
 */
static bool ends_region(struct gomp *gomp, const struct gomp_native *native)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_record *record = &gomp->natives[i].record;
        uint64_t parent, number;
        if (gomp->natives[i].ends && gomp_at_barrier_of(gomp, native, record->team) &&
            gomp_enclosing(gomp, record->team, &parent, &number) && parent == native->record.team &&
            number == native->record.team_id)
            return true;
    }
    return gomp_next_generation(gomp, native);
}

static void cannot_say(struct world_thread *thread, const char *why)
{
    thread->unknown[ompdx_fact_state] = thread->unknown[ompdx_fact_wait_kind] =
        thread->unknown[ompdx_fact_wait_id] = why;
}

/** Why the counts that tell the end of a region from the start of one are not known, where barrier_state
 *  needs them; NULL: they are. */
static const char *no_counts(const struct gomp *gomp, const struct gomp_call *call)
{
    static const uint16_t ids[] = {LAY_F_gomp_team_barrier_awaited, LAY_F_gomp_team_barrier_awaited_final, 0};
    const bool is_region = call->how == GOMP_CALL_INNER ||
                           (call->how == GOMP_CALL_NAMED && gomp_begins(call->name, "GOMP_parallel"));
    return is_region ? gomp_missing_of(gomp, ids) : NULL;
}

/**
 * Of a thread whose call is not known, while some members have come to the end of the region and others to
 * another barrier: only code of the library's goes to the one at the end.
 */
static ompd_rc_t unknown_side(struct gomp *gomp, struct gomp_native *native)
{
    ompdx_frame_t caller = {.pc = native->returns};
    if (caller.pc == 0) {
        ompd_rc_t rc = stock_frame(gomp->aspace, native->stock, 1, &caller);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    if (!stock_inside(gomp->aspace->stock, caller.pc))
        native->side = GOMP_SIDE_INSIDE;
    return ompd_rc_ok;
}

static ompd_rc_t find_side(struct gomp *gomp, struct gomp_native *native, const struct gomp_call *call,
                           const struct gomp_team *team)
{
    const bool both = team->awaited_final < team->total && team->awaited < team->total;
    if (gomp->world->threads[native->thread].state == ompt_state_wait_barrier_implicit_parallel)
        native->side = GOMP_SIDE_END;
    else if (call->how != GOMP_CALL_UNKNOWN || !both)
        native->side = GOMP_SIDE_INSIDE;
    else
        native->side = GOMP_SIDE_UNKNOWN;
    return native->side == GOMP_SIDE_UNKNOWN ? unknown_side(gomp, native) : ompd_rc_ok;
}

static ompd_rc_t barrier_wait(struct gomp *gomp, struct gomp_native *native, struct gomp_call *call)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    const struct gomp_team *team = &gomp->teams[thread->team];
    /* A worker at a region's end was called by nobody. */
    const bool ends =
        team->awaited_final < team->total && gomp_has(gomp, LAY_F_gomp_team_barrier_awaited_final);
    TRY(gomp_find_call(gomp, native, native->record.team_id == 0 || !ends, call));
    thread->wait_flags = gomp_barrier_flags(gomp, native, cancels(call));
    const char *why = no_counts(gomp, call);
    if (why != NULL) {
        cannot_say(thread, why);
        return ompd_rc_ok;
    }
    thread->state = barrier_state(call, team);
    if (thread->state == ompt_state_overhead)
        return starts_region(gomp, native);
    thread->wait_kind = ompdx_wait_barrier;
    thread->wait_team = thread->team;
    thread->wait_id = native->record.team;
    if ((thread->wait_flags & OMPDX_WAIT_LASTS) != 0 && gomp_is_not_cancelled(gomp, native))
        thread->wait_flags |= OMPDX_WAIT_NOT_CANCELLED;
    return find_side(gomp, native, call, team);
}

/* ---- ordered ------------------------------------------------------------------------------------------- */

static bool at_ordered(const struct gomp *gomp, const struct gomp_native *native)
{
    const struct gomp_record *record = &native->record;
    const bool primary = record->team_id == 0;
    const unsigned id = primary ? LAY_F_gomp_team_master_release : LAY_F_gomp_thread_release;
    if (record->team == 0 || (record->work_share == 0 && gomp_has(gomp, LAY_F_gomp_thread_work_share)))
        return false;
    return gomp_has(gomp, id) &&
           gomp_waits_on(native, (primary ? record->team : native->address) + gomp_offset(gomp, id), 0);
}

/** The member whose turn is next: the library posts it after it has written who that is. */
static uint64_t next_turn(struct gomp *gomp, uint64_t work_share)
{
    struct pages *pages = &gomp->world->pages;
    uint64_t list, at, ret;
    if (gomp_field(gomp, work_share, LAY_F_gomp_work_share_ordered_team_ids, &list) != ompd_rc_ok ||
        gomp_field(gomp, work_share, LAY_F_gomp_work_share_ordered_cur, &at) != ompd_rc_ok ||
        pages_number(gomp->aspace, pages, list + 4 * at, 4, &ret) != ompd_rc_ok)
        return UINT64_MAX;
    return ret;
}

/** Which loop a wait in an ordered region is for. */
static void name_loop(const struct gomp *gomp, const struct gomp_native *native, struct world_thread *thread)
{
    thread->wait_id = native->record.work_share;
    thread->unknown[ompdx_fact_wait_id] = gomp_missing(gomp, LAY_F_gomp_thread_work_share);
}

static void ordered_wait(struct gomp *gomp, const struct gomp_native *native)
{
    struct world *world = gomp->world;
    static const uint16_t turn_ids[] = {LAY_F_gomp_thread_work_share, LAY_F_gomp_work_share_ordered_owner, 0};
    struct world_thread *thread = &world->threads[native->thread];
    uint64_t turn;
    thread->wait_flags = gomp_semaphore_flags(gomp, native);
    thread->state = ompt_state_wait_ordered;
    thread->wait_kind = ompdx_wait_ordered;
    name_loop(gomp, native, thread);
    thread->owner_kind = ompdx_owner_unknown;
    thread->unknown[ompdx_fact_owner] = gomp_missing_of(gomp, turn_ids);
    if (thread->unknown[ompdx_fact_owner] == NULL)
        thread->unknown[ompdx_fact_owner] = turn_unread;
    if (thread->wait_id == 0 ||
        gomp_field(gomp, native->record.work_share, LAY_F_gomp_work_share_ordered_owner, &turn) != ompd_rc_ok)
        return;
    const struct world_team *team = &world->teams[thread->team];
    thread->unknown[ompdx_fact_owner] = no_turn;
    if ((uint32_t)turn == UINT32_MAX) /* it has been posted, and has not taken it yet */
        turn = next_turn(gomp, native->record.work_share);
    if (turn >= (uint64_t)team->size || team->members[turn] == WORLD_NONE)
        return;
    thread->unknown[ompdx_fact_owner] = NULL;
    thread->owner_kind = ompdx_owner_thread;
    thread->owner = team->members[turn];
}

static void doacross_wait(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    thread->state = ompt_state_wait_ordered;
    thread->wait_kind = ompdx_wait_ordered;
    name_loop(gomp, native, thread);
    thread->owner_kind = ompdx_owner_unknown;
    thread->unknown[ompdx_fact_owner] = which_iteration;
    if (native->place == GOMP_SPINNING && native->until == GOMP_UNTIL_GREATER)
        thread->wait_flags = gomp_wait_flags(gomp, native, native->waits_on);
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

/** Does the thread wait for child tasks, or for those that a task depends on? */
static bool at_taskwait(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    const struct gomp_task *task = &gomp->tasks[thread->task];
    uint64_t depends = 0;
    if (task->taskwait == 0 || !gomp_has(gomp, LAY_F_gomp_taskwait_sem) ||
        !gomp_waits_on(native, task->taskwait + gomp_offset(gomp, LAY_F_gomp_taskwait_sem), 0))
        return false;
    thread->state = ompt_state_wait_taskwait;
    thread->wait_kind = ompdx_wait_taskwait;
    thread->wait_task = thread->task;
    thread->wait_flags = gomp_semaphore_flags(gomp, native);
    thread->wait_id = gomp->world->tasks[thread->task].address;
    if (gomp_field(gomp, task->taskwait, LAY_F_gomp_taskwait_in_depend_wait, &depends) != ompd_rc_ok)
        thread->unknown[ompdx_fact_wait_kind] = task_unread;
    else if (depends != 0)
        thread->wait_kind = ompdx_wait_depend;
    return true;
}

static bool at_taskgroup(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    const struct gomp_task *task = &gomp->tasks[thread->task];
    if (task->taskgroup == 0 || !gomp_has(gomp, LAY_F_gomp_taskgroup_sem) ||
        !gomp_waits_on(native, task->taskgroup + gomp_offset(gomp, LAY_F_gomp_taskgroup_sem), 0))
        return false;
    thread->state = ompt_state_wait_taskgroup;
    thread->wait_kind = ompdx_wait_taskgroup;
    thread->wait_group = task->taskgroup;
    thread->wait_id = task->taskgroup;
    thread->wait_flags = gomp_semaphore_flags(gomp, native);
    return true;
}

/* ---- a thread ------------------------------------------------------------------------------------------ */

static int32_t work_state(const struct world_thread *thread)
{
    return thread->level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
}

/** A thread that sleeps or spins in the library. */
static ompd_rc_t find_wait(struct gomp *gomp, struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    struct gomp_call call;
    if (gomp_at_dock(gomp, native)) {
        thread->wait_flags = gomp_dock_flags(gomp, native);
        return starts_region(gomp, native);
    }
    if (!gomp_at_barrier(gomp, native) && (at_last_barrier(gomp, native) || ends_region(gomp, native))) {
        thread->state = ompt_state_overhead;
        thread->wait_flags = OMPDX_WAIT_OVER;
        return ompd_rc_ok;
    }
    if (gomp_at_barrier(gomp, native)) {
        TRY(barrier_wait(gomp, native, &call));
    } else {
        TRY(gomp_find_call(gomp, native, true, &call));
        if (at_ordered(gomp, native))
            ordered_wait(gomp, native);
        else if (call.how == GOMP_CALL_NAMED && gomp_begins(call.name, "GOMP_doacross"))
            doacross_wait(gomp, native);
        else if (thread->task == WORLD_NONE || (!at_taskwait(gomp, native) && !at_taskgroup(gomp, native)))
            TRY(gomp_mutex_wait(gomp, native, &call));
    }
    thread->wait_codeptr = call.codeptr;
    thread->wait_call = call.how == GOMP_CALL_NAMED ? call.name : NULL;
    return ompd_rc_ok;
}

/** A thread in the library's code at no place that is known to wait. */
static ompd_rc_t find_inside(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    const char *name = gomp_function(gomp, native->stock->regs.reg[ompdx_reg_rip]);
    thread->state = ompt_state_overhead;
    if (!gomp_begins(name, "GOMP_doacross_wait") && !gomp_begins(name, "GOMP_doacross_ull_wait"))
        return ompd_rc_ok;
    doacross_wait(gomp, native);
    thread->wait_call = name;
    return ompd_rc_ok;
}

/** An idle thread; one that is called into a region and has not begun it; one that ends. */
static ompd_rc_t leaves_dock(struct gomp *gomp, const struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    if (native->fresh || native->ends)
        thread->wait_flags = OMPDX_WAIT_OVER;
    else if (gomp_at_dock(gomp, native))
        thread->wait_flags = gomp_dock_flags(gomp, native);
    thread->state = thread->wait_flags == OMPDX_WAIT_OVER ? ompt_state_overhead : ompt_state_idle;
    return ompd_rc_ok;
}

static ompd_rc_t find_state(struct gomp *gomp, struct gomp_native *native)
{
    struct world_thread *thread = &gomp->world->threads[native->thread];
    if (native->refused != NULL)
        return ompd_rc_ok;
    if (native->idle || native->called || native->fresh)
        return leaves_dock(gomp, native);
    const char *lacks = gomp_lacks(gomp, ompdx_ability_states);
    if (!stock_knows(native->stock, ompdx_reg_rip)) {
        cannot_say(thread, no_registers);
        return ompd_rc_ok;
    }
    switch (native->place) {
    case GOMP_OUTSIDE:
        thread->state = work_state(thread);
        return ompd_rc_ok;
    case GOMP_INSIDE:
        if (lacks == NULL && native->strange)
            lacks = strange_sleep;
        if (lacks == NULL)
            return find_inside(gomp, native);
        cannot_say(thread, lacks);
        return ompd_rc_ok;
    default:
        return find_wait(gomp, native);
    }
}

/* ---- arrivals ------------------------------------------------------------------------------------------ */

static const char in_motion[] = "members of the team are on their way to or from the barrier";
static const char which_side[] =
    "members of the team wait at two barriers, and which of them is at which is not known";

/** How many members wait at each of the team's two barriers, as far as their calls tell. */
static void count_sides(const struct gomp *gomp, int32_t index, uint64_t count[GOMP_SIDE_UNKNOWN + 1])
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_native *native = &gomp->natives[i];
        if (native->side != GOMP_SIDE_NONE && gomp->world->threads[native->thread].team == index &&
            gomp->world->threads[native->thread].wait_flags != OMPDX_WAIT_OVER)
            count[native->side]++;
    }
}

/**
 * Each of the two barriers counts its own arrivals. Where some have come to each, one of the counts may be
 * filled by those whose calls are known: the others are at the other barrier. *WHY: NULL, or why nothing can
 * be said of who has arrived.
 */
static void tell_sides(struct gomp *gomp, int32_t index, const char **why)
{
    const struct gomp_team *team = &gomp->teams[index];
    const uint64_t inside = team->total - team->awaited, end = team->total - team->awaited_final;
    uint64_t count[GOMP_SIDE_UNKNOWN + 1] = {0};
    if (inside == 0 || end == 0)
        return;
    count_sides(gomp, index, count);
    const bool filled = count[GOMP_SIDE_INSIDE] == inside || count[GOMP_SIDE_END] == end;
    if (count[GOMP_SIDE_INSIDE] > inside || count[GOMP_SIDE_END] > end ||
        count[GOMP_SIDE_INSIDE] + count[GOMP_SIDE_END] + count[GOMP_SIDE_UNKNOWN] != inside + end)
        *why = in_motion;
    else if (count[GOMP_SIDE_UNKNOWN] != 0 && !filled)
        *why = which_side;
    if (*why != NULL || count[GOMP_SIDE_INSIDE] != inside)
        return;
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (native->side != GOMP_SIDE_UNKNOWN || gomp->world->threads[native->thread].team != index)
            continue;
        native->side = GOMP_SIDE_END;
        gomp->world->threads[native->thread].state = ompt_state_wait_barrier_implicit_parallel;
    }
}

/** Does the member execute a task that it may have begun at the barrier? */
static bool may_help(const struct gomp *gomp, const struct world_thread *thread, int32_t team)
{
    return thread->team == team && thread->task != WORLD_NONE &&
           gomp->tasks[thread->task].kind == GOMP_KIND_TIED;
}

/**
 * Who has arrived at the barrier: the members that wait there and have not been released, and those that
 * execute tasks there, if together they are as many as the barrier has counted. It starts anew when the last
 * one comes; those that still wait then do so for tasks.
 */
static ompd_rc_t find_arrivals(struct gomp *gomp, int32_t index)
{
    static const uint16_t counts[] = {LAY_F_gomp_team_barrier_generation, LAY_F_gomp_team_barrier_awaited,
                                      LAY_F_gomp_team_barrier_awaited_final, 0};
    struct world *world = gomp->world;
    struct world_team *row = &world->teams[index];
    const struct gomp_team *team = &gomp->teams[index];
    const uint64_t counted = (team->total - team->awaited) + (team->total - team->awaited_final);
    uint64_t waiting = 0, helping = 0;
    bool *arrived = NULL;
    row->arrived_why = gomp_missing_of(gomp, counts);
    if (row->arrived_why != NULL)
        return ompd_rc_ok;
    row->arrived_why = in_motion;
    TRY(brk_alloc(&gomp->aspace->brk, (uint64_t)row->size * sizeof *arrived, &arrived));
    for (int32_t i = 0; i < row->size; i++) {
        const struct world_thread *thread =
            row->members[i] != WORLD_NONE ? &world->threads[row->members[i]] : NULL;
        arrived[i] = thread != NULL && thread->wait_kind == ompdx_wait_barrier &&
                     thread->wait_team == index && thread->wait_flags != OMPDX_WAIT_OVER;
        waiting += arrived[i] ? 1 : 0;
        helping += thread != NULL && may_help(gomp, thread, index) ? 1 : 0;
    }
    const bool all = waiting != 0 && counted == 0;
    if (!all && counted != waiting && counted != waiting + helping)
        return ompd_rc_ok;
    const char *why = NULL;
    if (counted == waiting)
        tell_sides(gomp, index, &why);
    if (why != NULL) {
        row->arrived_why = why;
        return ompd_rc_ok;
    }
    for (int32_t i = 0; i < row->size; i++)
        if (all || (counted != waiting && row->members[i] != WORLD_NONE &&
                    may_help(gomp, &world->threads[row->members[i]], index)))
            arrived[i] = true;
    row->arrived = arrived;
    row->arrived_why = NULL;
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_waits(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++)
        if (gomp->natives[i].thread != WORLD_NONE)
            TRY(find_state(gomp, &gomp->natives[i]));
    for (int32_t i = 0; i < gomp->world->team_count; i++)
        if (gomp->world->teams[i].kind != ompd_generator_program)
            TRY(find_arrivals(gomp, i));
    return ompd_rc_ok;
}
