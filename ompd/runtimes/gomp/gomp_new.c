/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who makes a thread gives it what becomes its record: a structure on the creator's stack, which begins as
 * struct gomp_thread does. glibc keeps what pthread_create was called with in the thread's descriptor: the
 * start routine, here one of libgomp's own, and behind it the argument, the address of that structure.
 */
#include "runtimes/gomp/gomp_new.h"

#include "runtimes/gomp/gomp_call.h"
#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_records.h"
#include "runtimes/gomp/gomp_regions.h"
#include "runtimes/gomp/gomp_teams.h"

/** Where glibc's releases have the two words in the descriptor lies between these. */
#define DESCRIPTOR_START 0x200u
#define DESCRIPTOR_END   0xa00u
/** Frames of the system's code and of libgomp's of a thread that has just begun. */
#define FRAMES_MAX 16u

/** Teams that are larger are left as they are. */
#define MEMBERS_MAX 4096u

/* ---- teams that are not complete ----------------------------------------------------------------------- */

/** Is there a thread that is this member of the team, itself or in an inner region? */
static bool has_worker(struct gomp *gomp, uint64_t team, uint64_t number, uint64_t release)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_native *native = &gomp->natives[i];
        if (native->readable && native->record.pool != 0 &&
            native->address + gomp_offset(gomp, LAY_F_gomp_thread_release) == release)
            return native->record.team == team ? native->record.team_id == number
                                               : gomp_is_around(gomp, &native->record, team);
    }
    return false;
}

/** How many members the team has: its record and that of its barrier say so, as far as the layout has
 *  them. */
static bool read_size(struct gomp *gomp, uint64_t team, uint64_t *ret)
{
    uint64_t total;
    ompd_rc_t rc = gomp_field(gomp, team, LAY_F_gomp_team_nthreads, ret);
    if (rc == ompd_rc_unsupported)
        return gomp_field(gomp, team, LAY_F_gomp_team_barrier_total, ret) == ompd_rc_ok;
    if (rc != ompd_rc_ok)
        return false;
    rc = gomp_field(gomp, team, LAY_F_gomp_team_barrier_total, &total);
    return rc == ompd_rc_unsupported || (rc == ompd_rc_ok && total == *ret);
}

/** Has the team a member that has not come yet, or has ended? No of what cannot be read or is no team. */
static bool is_incomplete(struct gomp *gomp, uint64_t team)
{
    static const uint16_t needed[] = {LAY_F_gomp_thread_release, LAY_F_gomp_thread_thread_pool,
                                      LAY_F_gomp_team_ordered_release, LAY_F_gomp_team_master_release, 0};
    struct pages *pages = &gomp->world->pages;
    uint64_t count, list, release;
    if (gomp_missing_of(gomp, needed) != NULL || team % 8 != 0 || !read_size(gomp, team, &count) ||
        count > MEMBERS_MAX || gomp_field(gomp, team, LAY_F_gomp_team_ordered_release, &list) != ompd_rc_ok ||
        pages_number(gomp->aspace, pages, list, 8, &release) != ompd_rc_ok ||
        release != team + gomp_offset(gomp, LAY_F_gomp_team_master_release))
        return false;
    for (uint64_t number = 1; number < count; number++) {
        if (pages_number(gomp->aspace, pages, list + 8 * number, 8, &release) != ompd_rc_ok)
            return false;
        if (!has_worker(gomp, team, number, release))
            return true;
    }
    return false;
}

/** The creator's record before it has created TEAM. */
static bool read_before(struct gomp *gomp, uint64_t team, struct gomp_record *ret)
{
    return gomp_enclosing(gomp, team, &ret->team, &ret->team_id) &&
           gomp_field(gomp, team, LAY_F_gomp_team_prev_level, &ret->level) == ompd_rc_ok &&
           gomp_field(gomp, team, LAY_F_gomp_team_prev_active_level, &ret->active_level) == ompd_rc_ok &&
           gomp_field(gomp, gomp_implicit_address(gomp, team, 0), LAY_F_gomp_task_parent, &ret->task) ==
               ompd_rc_ok;
}

ompd_rc_t gomp_find_creators(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        struct gomp_record before = native->record;
        bool passing;
        if (!native->readable || before.team == 0 || before.team_id != 0)
            continue;
        TRY(gomp_is_on_the_way(gomp, native, &passing));
        passing = passing || (gomp_at_barrier(gomp, native) &&
                              gomp_barrier_flags(gomp, native, GOMP_CANCELS_NO) == OMPDX_WAIT_OVER);
        if (!passing || !is_incomplete(gomp, before.team) || !read_before(gomp, before.team, &before))
            continue;
        before.work_share = 0;
        native->record = before;
    }
    return ompd_rc_ok;
}

/* ---- threads without a record -------------------------------------------------------------------------- */

/**
 * Has nothing but libgomp's first function been called in the thread, if that? What glibc's clone3 begins
 * with has no rule for its caller, so what comes next then is no code.
 */
static ompd_rc_t is_beginning(struct gomp *gomp, const struct gomp_native *native, bool *ret)
{
    bool system = false;
    *ret = false;
    for (uint32_t i = 0; i < FRAMES_MAX; i++) {
        ompdx_frame_t frame;
        ompd_rc_t rc = stock_frame(gomp->aspace, native->stock, i, &frame);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok) {
            *ret = i != 0 && system;
            return ompd_rc_ok;
        }
        if (!stock_inside(gomp->aspace->stock, frame.pc) && frame.code != ompdx_code_system) {
            *ret = i == 1 && system && frame.code == ompdx_code_unknown;
            return ompd_rc_ok;
        }
        system = frame.code == ompdx_code_system;
    }
    return ompd_rc_ok;
}

/** The record that the structure at ADDRESS becomes, if a team that is known lacks just that member. */
static bool will_be(struct gomp *gomp, uint64_t address, struct gomp_record *ret)
{
    static const uint16_t fields[] = {LAY_F_gomp_thread_team,         LAY_F_gomp_thread_work_share,
                                      LAY_F_gomp_thread_team_id,      LAY_F_gomp_thread_level,
                                      LAY_F_gomp_thread_active_level, LAY_F_gomp_thread_task};
    struct gomp_record record = {0};
    uint64_t *const members[] = {&record.team,  &record.work_share,   &record.team_id,
                                 &record.level, &record.active_level, &record.task};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        ompd_rc_t rc = address % 8 != 0 ? ompd_rc_error : gomp_field(gomp, address, fields[i], members[i]);
        if (rc != ompd_rc_ok && rc != ompd_rc_unsupported)
            return false;
    }
    const int32_t team = record.team != 0 ? world_team_at(gomp->world, record.team) : WORLD_NONE;
    if (team == WORLD_NONE || record.team_id == 0 || record.team_id >= gomp->teams[team].nthreads ||
        gomp->world->teams[team].members[record.team_id] != WORLD_NONE ||
        record.task != gomp_implicit_address(gomp, record.team, record.team_id) ||
        (record.level != (uint64_t)gomp->world->teams[team].level && gomp_has(gomp, LAY_F_gomp_thread_level)))
        return false;
    *ret = record;
    return true;
}

/** Looks for the start routine and its argument. The descriptor may be the last thing that can be read. */
static bool find_start(struct gomp *gomp, const struct gomp_native *native, struct gomp_record *ret)
{
    struct pages *pages = &gomp->world->pages;
    const uint64_t base = native->stock->regs.reg[ompdx_reg_fs_base];
    uint64_t routine, argument;
    for (uint32_t at = DESCRIPTOR_START; at < DESCRIPTOR_END; at += 8)
        if (pages_number(gomp->aspace, pages, base + at, 8, &routine) != ompd_rc_ok)
            return false;
        else if (stock_inside(gomp->aspace->stock, routine) &&
                 pages_number(gomp->aspace, pages, base + at + 8, 8, &argument) == ompd_rc_ok &&
                 will_be(gomp, argument, ret))
            return true;
    return false;
}

static bool lacks_members(const struct gomp *gomp)
{
    for (int32_t i = 0; i < gomp->world->team_count; i++) {
        const struct world_team *team = &gomp->world->teams[i];
        for (int32_t number = 1; number < team->size; number++)
            if (team->members[number] == WORLD_NONE)
                return true;
    }
    return false;
}

ompd_rc_t gomp_find_new(struct gomp *gomp)
{
    if (!lacks_members(gomp))
        return ompd_rc_ok;
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        struct gomp_record record;
        bool beginning;
        if (native->thread != WORLD_NONE || native->address == 0 || !gomp_never_used(native) ||
            !find_start(gomp, native, &record))
            continue;
        TRY(is_beginning(gomp, native, &beginning));
        if (!beginning || world_thread_at(gomp->world, native->address) != WORLD_NONE)
            continue;
        native->record = record;
        native->fresh = true;
        TRY(gomp_add_thread(gomp, native));
        if (native->refused == NULL)
            gomp->world->teams[world_team_at(gomp->world, record.team)].members[record.team_id] =
                native->thread;
    }
    return ompd_rc_ok;
}
