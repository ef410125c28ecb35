/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_teams.h"

#include "runtimes/gomp/gomp_call.h"
#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_lone.h"
#include "runtimes/gomp/gomp_records.h"
#include "runtimes/gomp/gomp_regions.h"

static const char emptied[] =
    "libgomp has emptied the thread's record, as it does while the thread is in a target region on the host";
static const char unfollowed[] =
    "libgomp has no record of the thread, and its call stack cannot be followed to its start";
static const char contradicts[] = "the records of the thread and of its team contradict each other";

/* ---- threads in teams ---------------------------------------------------------------------------------- */

/** Is the current task, where it is an implicit one, the one of the thread's number? */
static bool has_own_task(const struct gomp *gomp, const struct gomp_native *native,
                         const struct gomp_team *team)
{
    const struct gomp_record *record = &native->record;
    const uint64_t first = gomp_implicit_address(gomp, record->team, 0);
    const uint64_t behind = gomp_implicit_address(gomp, record->team, team->nthreads);
    return record->task < first || record->task >= behind ||
           record->task == gomp_implicit_address(gomp, record->team, record->team_id);
}

/** Are the levels that the thread's record has those of its team? */
static bool has_levels(const struct gomp *gomp, const struct gomp_native *native, int32_t index)
{
    const struct gomp_record *record = &native->record;
    const struct world_team *team = &gomp->world->teams[index];
    return (record->level == (uint64_t)team->level || !gomp_has(gomp, LAY_F_gomp_thread_level)) &&
           (record->active_level == (uint64_t)team->active_level ||
            !gomp_has(gomp, LAY_F_gomp_thread_active_level));
}

/** Does the team list the thread as member NUMBER? What the layout lacks contradicts nothing. */
static bool lists(struct gomp *gomp, const struct gomp_native *native, int32_t index, uint64_t number)
{
    uint64_t release;
    if (!gomp_has(gomp, LAY_F_gomp_team_ordered_release) || !gomp_has(gomp, LAY_F_gomp_thread_release))
        return true;
    return gomp_release_of(gomp, gomp->world->teams[index].address, &gomp->teams[index], number, &release) &&
           release == native->address + gomp_offset(gomp, LAY_F_gomp_thread_release);
}

/** Compares the thread's record with its team's. */
static bool agrees(struct gomp *gomp, const struct gomp_native *native, int32_t index)
{
    const struct gomp_team *team = &gomp->teams[index];
    const struct gomp_record *record = &native->record;
    if (record->team_id >= team->nthreads || !has_levels(gomp, native, index) || record->task == 0 ||
        !has_own_task(gomp, native, team))
        return false;
    return record->team_id == 0 || native->fresh || lists(gomp, native, index, record->team_id);
}

/** How many teams the thread is in, 2 for more; 0 where that cannot be known. */
static unsigned levels_of(struct gomp *gomp, const struct gomp_native *native)
{
    uint64_t outer, number;
    if (gomp_has(gomp, LAY_F_gomp_thread_level))
        return native->record.level < 2 ? (unsigned)native->record.level : 2;
    return !gomp_enclosing(gomp, native->record.team, &outer, &number) ? 0 : outer == 0 ? 1 : 2;
}

/**
 * Has the region ended of which the thread still has the team? The thread that its pool belongs to has
 * created it, and is in another one or in none; each sooner than the pool keeps the team for the next region.
 */
static ompd_rc_t has_ended(struct gomp *gomp, const struct gomp_native *native, bool *ret)
{
    const struct gomp_pool *pool = gomp_pool_at(gomp, native->record.pool);
    const char *why = NULL;
    *ret = false;
    if (native->record.team == 0 || pool == NULL || pool->owner == native || !gomp_tells_regions(pool) ||
        levels_of(gomp, native) != 1)
        return ompd_rc_ok;
    const struct gomp_record *owner = &pool->owner->record;
    if (owner->team == 0) {
        *ret = owner->level == 0 && owner->team_id == 0;
        return ompd_rc_ok;
    }
    TRY(gomp_load_team(gomp, owner->team, &why));
    int32_t index = why == NULL ? world_team_at(gomp->world, owner->team) : WORLD_NONE;
    if (index == WORLD_NONE || !agrees(gomp, pool->owner, index))
        return ompd_rc_ok;
    while (index != WORLD_NONE && gomp->world->teams[index].address != native->record.team)
        index = gomp->world->teams[index].parent;
    *ret = index == WORLD_NONE;
    return ompd_rc_ok;
}

/** The number under which the team lists the thread, 0: it does not. Its creator is not in the list. */
static uint64_t listed_as(struct gomp *gomp, int32_t index, const struct gomp_native *native)
{
    for (uint64_t number = 1; number < gomp->teams[index].nthreads; number++)
        if (lists(gomp, native, index, number))
            return number;
    return 0;
}

/** Does another thread than the creator work in the team? A team that has ended may still look sound. */
static bool is_alive(struct gomp *gomp, int32_t index)
{
    for (size_t i = 0; i < gomp->native_count; i++)
        if (gomp->natives[i].readable && !gomp->natives[i].idle &&
            listed_as(gomp, index, &gomp->natives[i]) != 0)
            return true;
    return false;
}

/** Does a team that the thread may have created lie in a team that has the thread at that place? */
static bool fits_around(struct gomp *gomp, int32_t index, const struct gomp_native *native)
{
    const struct gomp_team *team = &gomp->teams[index];
    const int32_t parent = gomp->world->teams[index].parent;
    return parent == WORLD_NONE || gomp->world->teams[parent].kind == ompd_generator_program ||
           team->prev_team_id == 0 || listed_as(gomp, parent, native) == team->prev_team_id;
}

ompd_rc_t gomp_was_member(struct gomp *gomp, const struct gomp_native *native, uint64_t team,
                          struct gomp_record *ret)
{
    struct pages *pages = &gomp->world->pages;
    const char *why = NULL;
    uint64_t list, first;
    *ret = (struct gomp_record){0};
    if (team % 8 != 0 || gomp_field(gomp, team, LAY_F_gomp_team_ordered_release, &list) != ompd_rc_ok ||
        pages_number(gomp->aspace, pages, list, 8, &first) != ompd_rc_ok ||
        first != team + gomp_offset(gomp, LAY_F_gomp_team_master_release))
        return ompd_rc_ok;
    for (size_t i = 0; i < gomp->pool_count; i++)
        if (gomp->pools[i].last_team == team) /* that region has ended */
            return ompd_rc_ok;
    TRY(gomp_load_team(gomp, team, &why));
    if (why != NULL)
        return ompd_rc_ok;
    const int32_t index = world_team_at(gomp->world, team);
    const uint64_t number = listed_as(gomp, index, native);
    if (number == 0 && (!is_alive(gomp, index) || !fits_around(gomp, index, native)))
        return ompd_rc_ok;
    ret->team = team;
    ret->team_id = number;
    return ompd_rc_ok;
}

static ompd_rc_t add_initial(struct gomp *gomp, const struct gomp_native *native,
                             const struct gomp_record *record, uint64_t id, int32_t *ret)
{
    struct world *world = gomp->world;
    static const struct gomp_team alone = {.nthreads = 1, .total = 1};
    TRY(gomp_add_region(gomp, id, &alone));
    struct world_team *row = &world->teams[world->team_count - 1];
    row->kind = ompd_generator_program;
    row->members[0] = native->thread;
    if (record->num_teams != 0 && record->num_teams < INT32_MAX) {
        row->league_size = (int32_t)record->num_teams + 1; /* libgomp counts from 0 */
        row->team_num = record->team_num < INT32_MAX ? (int32_t)record->team_num : WORLD_NONE;
    }
    *ret = world->team_count - 1;
    return ompd_rc_ok;
}

/**
 * Enters the thread as a member of the team of RECORD and, as long as it is the one that created a team, of
 * those around it; the outermost gets the initial region ID as its parent.
 */
static ompd_rc_t enter_record(struct gomp *gomp, struct gomp_native *native, const struct gomp_record *record,
                              uint64_t id)
{
    struct world *world = gomp->world;
    struct world_thread *thread = &world->threads[native->thread];
    int32_t index = record->team != 0 ? world_team_at(world, record->team) : WORLD_NONE;
    int32_t outermost = WORLD_NONE, initial;
    uint64_t number = record->team_id;
    thread->kind = ompt_thread_worker;
    while (index != WORLD_NONE) {
        struct world_team *row = &world->teams[index];
        if (row->members[number] != WORLD_NONE) { /* another thread says the same of itself */
            native->refused = contradicts;
            return ompd_rc_ok;
        }
        row->members[number] = native->thread;
        if (number != 0)
            return ompd_rc_ok;
        outermost = index;
        number = gomp->teams[index].prev_team_id;
        index = row->parent;
    }
    TRY(add_initial(gomp, native, record, id, &initial));
    thread->kind = ompt_thread_initial;
    if (outermost != WORLD_NONE)
        world->teams[outermost].parent = initial;
    return ompd_rc_ok;
}

/** The regions that the thread is in, and those that it was in before a target region. */
static ompd_rc_t enter_member(struct gomp *gomp, struct gomp_native *native)
{
    TRY(enter_record(gomp, native, &native->record, gomp_initial_id(native)));
    for (uint32_t i = 0; i < native->before_count && native->refused == NULL; i++)
        TRY(enter_record(gomp, native, &native->before[i], gomp_initial_id(native) - 1 - i));
    return ompd_rc_ok;
}

/** Has the creator of the inner team, which the thread's record has, left it for the region around? */
static ompd_rc_t creator_has_left(struct gomp *gomp, const struct gomp_native *native, bool *ret)
{
    const struct gomp_native *creator = NULL;
    uint64_t parent, number;
    const char *why;
    *ret = false;
    if (!gomp_enclosing(gomp, native->record.team, &parent, &number) || parent == 0)
        return ompd_rc_ok;
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_native *other = &gomp->natives[i];
        if (!other->readable || other->record.pool != native->record.pool)
            continue;
        if (other->record.team_id == 0 && gomp_is_around(gomp, &other->record, native->record.team))
            return ompd_rc_ok;
        if (other->record.team == parent && other->record.team_id == number)
            creator = other;
    }
    if (creator == NULL)
        return ompd_rc_ok;
    TRY(gomp_load_team(gomp, parent, &why));
    *ret = why == NULL && agrees(gomp, creator, world_team_at(gomp->world, parent));
    return ompd_rc_ok;
}

/**
 * Is it a worker of an inner region, which ends with it? Its creator has left the team; or the team is not
 * there any more, or another one in its place, while the worker is in libgomp's own code.
 */
static ompd_rc_t find_end(struct gomp *gomp, struct gomp_native *native)
{
    const char *why = NULL;
    if (native->record.team == 0 || native->record.team_id == 0 || levels_of(gomp, native) < 2)
        return ompd_rc_ok;
    TRY(creator_has_left(gomp, native, &native->ends));
    if (!native->ends) {
        TRY(gomp_load_team(gomp, native->record.team, &why));
        const int32_t index = why == NULL ? world_team_at(gomp->world, native->record.team) : WORLD_NONE;
        if (index == WORLD_NONE || !agrees(gomp, native, index))
            TRY(gomp_is_on_the_way(gomp, native, &native->ends));
    }
    native->idle = native->ends;
    return ompd_rc_ok;
}

/** Does the team that is being started list the idle thread? */
static ompd_rc_t check_listed(struct gomp *gomp, struct gomp_native *native)
{
    const char *why = NULL;
    TRY(gomp_load_team(gomp, native->record.team, &why));
    native->listed = why == NULL && agrees(gomp, native, world_team_at(gomp->world, native->record.team));
    return ompd_rc_ok;
}

ompd_rc_t gomp_add_thread(struct gomp *gomp, struct gomp_native *native)
{
    struct world_thread *thread = world_add_thread(gomp->aspace, gomp->world, native->address);
    if (thread == NULL)
        return ompd_rc_nomem;
    native->thread = gomp->world->thread_count - 1;
    thread->serial = native->stock->pthread != 0 ? native->stock->pthread : 1;
    thread->pthread = native->stock->pthread;
    thread->lwp = native->stock->lwp;
    thread->kind = ompt_thread_worker;
    thread->idle = native->idle;
    if (native->listed)
        return check_listed(gomp, native);
    if (native->idle || native->refused != NULL)
        return ompd_rc_ok;
    if (native->record.team == 0) {
        if (native->record.level != 0 || native->record.active_level != 0 || native->record.team_id != 0)
            native->refused = contradicts;
        return ompd_rc_ok;
    }
    TRY(gomp_load_team(gomp, native->record.team, &native->refused));
    if (native->refused == NULL && !agrees(gomp, native, world_team_at(gomp->world, native->record.team)))
        native->refused = contradicts;
    return ompd_rc_ok;
}

/** What the thread's row says of its place. */
static void fill_thread(struct gomp *gomp, const struct gomp_native *native)
{
    struct world *world = gomp->world;
    struct world_thread *thread = &world->threads[native->thread];
    if (native->refused != NULL) {
        world->incomplete = true; /* its regions and tasks are missing */
        for (int fact = ompdx_fact_thread_num; fact <= ompdx_fact_owner; fact++)
            thread->unknown[fact] = native->refused;
        return;
    }
    if (native->idle)
        return;
    thread->team =
        world_team_at(world, native->record.team != 0 ? native->record.team : gomp_initial_id(native));
    thread->thread_num = (int32_t)native->record.team_id;
    thread->team_size = world->teams[thread->team].size;
    thread->level = world->teams[thread->team].level;
    thread->active_level = world->teams[thread->team].active_level;
}

/** A thread that is in no region, and has no pool: libgomp may know it nevertheless. */
static ompd_rc_t find_empty(struct gomp *gomp, struct gomp_native *native)
{
    TRY(gomp_find_lone(gomp, native));
    gomp->world->native[native - gomp->natives].undecided =
        native->lone == GOMP_LONE_NO && !gomp_has(gomp, LAY_F_gomp_thread_thread_pool);
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_teams(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (!native->readable || world_thread_at(gomp->world, native->address) != WORLD_NONE)
            continue;
        if (gomp_is_empty(native))
            TRY(find_empty(gomp, native));
        else if (!native->idle)
            TRY(has_ended(gomp, native, &native->idle));
        if (!gomp_is_empty(native) && !native->idle && native->refused == NULL)
            TRY(find_end(gomp, native));
        if (!gomp_is_empty(native) || native->lone == GOMP_LONE_YES)
            TRY(gomp_add_thread(gomp, native));
    }
    return ompd_rc_ok;
}

/** Threads that a team lists and whose record is empty: of all that they do nothing else is known. */
static ompd_rc_t find_lost(struct gomp *gomp, int32_t index)
{
    static const uint16_t ids[] = {LAY_F_gomp_thread_release, LAY_F_gomp_team_ordered_release, 0};
    if (gomp_missing_of(gomp, ids) != NULL)
        return ompd_rc_ok;
    for (int32_t number = 1; number < gomp->world->teams[index].size; number++) {
        if (gomp->world->teams[index].members[number] != WORLD_NONE)
            continue;
        for (size_t i = 0; i < gomp->native_count; i++) {
            struct gomp_native *native = &gomp->natives[i];
            if (native->thread != WORLD_NONE || !gomp_never_used(native) ||
                !lists(gomp, native, index, (uint64_t)number))
                continue;
            TRY(gomp_add_thread(gomp, native));
            native->refused = emptied;
            gomp->world->teams[index].members[number] = native->thread;
        }
    }
    return ompd_rc_ok;
}

/** The initial region around a team whose creator is not known. */
static ompd_rc_t add_lost_initial(struct gomp *gomp, int32_t index)
{
    static const struct gomp_team alone = {.nthreads = 1, .total = 1};
    TRY(gomp_add_region(gomp, gomp->world->teams[index].address + 1, &alone));
    const int32_t initial = gomp->world->team_count - 1;
    gomp->world->teams[initial].kind = ompd_generator_program;
    gomp->world->teams[index].parent = initial;
    return ompd_rc_ok;
}

/**
 * Threads that are in no region yet, or no more, and that are the only ones who have a place in a team: those
 * of a region that is being started, and a new one that has not put itself into the team's list so far, which
 * looks as one that ends.
 */
static void enter_listed(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_native *native = &gomp->natives[i];
        const int32_t index = native->thread != WORLD_NONE && (native->listed || native->ends)
                                  ? world_team_at(gomp->world, native->record.team)
                                  : WORLD_NONE;
        struct world_team *team = index != WORLD_NONE ? &gomp->world->teams[index] : NULL;
        if (team != NULL && native->record.team_id < (uint64_t)team->size &&
            team->members[native->record.team_id] == WORLD_NONE)
            team->members[native->record.team_id] = native->thread;
    }
}

ompd_rc_t gomp_enter_members(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (native->thread != WORLD_NONE && native->refused == NULL && !native->idle)
            TRY(enter_member(gomp, native));
    }
    return ompd_rc_ok;
}

ompd_rc_t gomp_enter_threads(struct gomp *gomp)
{
    enter_listed(gomp);
    const int32_t teams = gomp->world->team_count;
    for (int32_t i = 0; i < teams; i++) {
        if (gomp->world->teams[i].kind == ompd_generator_program)
            continue;
        TRY(find_lost(gomp, i));
        if (gomp->world->teams[i].parent == WORLD_NONE)
            TRY(add_lost_initial(gomp, i));
    }
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (native->thread == WORLD_NONE && native->lone == GOMP_LONE_PERHAPS) {
            TRY(gomp_add_thread(gomp, native));
            native->refused = unfollowed;
        }
        if (native->thread != WORLD_NONE)
            fill_thread(gomp, native);
    }
    return ompd_rc_ok;
}
