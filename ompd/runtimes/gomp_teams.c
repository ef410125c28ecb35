/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp_teams.h"

#include <stddef.h>
#include <string.h>

#include "runtimes/gomp_lone.h"

/** Regions inside one another; a target that has more is damaged. */
#define LEVELS_MAX 65536u

static const char unreadable[] = "the record of its team cannot be read";
static const char unsound[] = "the record of its team contradicts itself";
static const char too_many[] =
    "its team has more members than the process has threads; a fork in a region leaves that to the child";
static const char foreign_parent[] =
    "the records of its team and of the enclosing team contradict each other";
static const char emptied[] =
    "libgomp has emptied the thread's record, as it does while the thread is in a target region on the host";
static const char unfollowed[] =
    "libgomp has no record of the thread, and its call stack cannot be followed to its start";
static const char contradicts[] = "the records of the thread and of its team contradict each other";

/* ---- one team's record --------------------------------------------------------------------------------- */

uint64_t gomp_implicit_address(const struct gomp *gomp, uint64_t team, uint64_t number)
{
    return team + gomp_offset(gomp, LAY_F_gomp_team_implicit_task) +
           number * lay_size(gomp_lay(gomp), LAY_S_gomp_task);
}

const uint8_t *gomp_implicit_bytes(const struct gomp *gomp, const struct gomp_team *team, uint64_t number)
{
    return team->bytes + gomp_implicit_address(gomp, 0, number);
}

/** Of a record for COUNT members: with the implicit tasks and the array ordered_release behind them. */
static uint64_t team_bytes(const struct gomp *gomp, uint64_t count)
{
    return gomp_implicit_address(gomp, 0, count) + 8 * count;
}

static ompd_rc_t decode_team(struct gomp *gomp, struct gomp_team *ret)
{
#define FIELD(name, member)                                               \
    {                                                                     \
        LAY_F_gomp_team_##name, offsetof(struct gomp_team, member), false \
    }
    static const struct lay_wanted fields[] = {
        FIELD(nthreads, nthreads),
        FIELD(prev_team, prev_team),
        FIELD(prev_team_id, prev_team_id),
        FIELD(prev_level, prev_level),
        FIELD(prev_active_level, prev_active_level),
        FIELD(ordered_release, ordered_release),
        FIELD(barrier_total, total),
        FIELD(barrier_awaited, awaited),
        FIELD(barrier_awaited_final, awaited_final),
        FIELD(task_queue_root, queue_root),
        FIELD(task_queue_tasks, queue_tasks),
        FIELD(task_count, task_count),
    };
#undef FIELD
    return lay_decode(&gomp->aspace->tgt, gomp_lay(gomp), ret->bytes, fields,
                      sizeof fields / sizeof fields[0], ret);
}

/** The record read for COUNT members. Codes: ok; nomem; other codes: it cannot be read. */
static ompd_rc_t read_block(struct gomp *gomp, uint64_t address, uint64_t count, struct gomp_team *ret)
{
    uint8_t *bytes = NULL;
    TRY(brk_alloc(&gomp->aspace->brk, team_bytes(gomp, count), &bytes));
    TRY(tgt_read(&gomp->aspace->tgt, address, team_bytes(gomp, count), bytes));
    ret->bytes = bytes;
    return decode_team(gomp, ret);
}

/** Entry NUMBER of ordered_release: libgomp has it behind the implicit tasks. false: it cannot be read. */
static bool release_of(struct gomp *gomp, uint64_t address, const struct gomp_team *team, uint64_t number,
                       uint64_t *ret)
{
    if (team->ordered_release == gomp_implicit_address(gomp, address, team->nthreads))
        return tgt_number(&gomp->aspace->tgt, gomp_implicit_bytes(gomp, team, team->nthreads) + 8 * number, 8,
                          ret) == ompd_rc_ok;
    return pages_number(gomp->aspace, &gomp->world->pages, team->ordered_release + 8 * number, 8, ret) ==
           ompd_rc_ok;
}

/** Does the record agree with itself? */
static bool is_sound(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    uint64_t release;
    if (team->total != team->nthreads || team->awaited > team->total || team->awaited_final > team->total ||
        team->prev_level >= LEVELS_MAX || team->prev_active_level > team->prev_level)
        return false;
    if (team->prev_team == 0 && (team->prev_level != 0 || team->prev_team_id != 0))
        return false;
    return release_of(gomp, address, team, 0, &release) &&
           release == address + gomp_offset(gomp, LAY_F_gomp_team_master_release);
}

/** Members that threads say to be in the team: the first guess at its size. */
static uint64_t count_members(const struct gomp *gomp, uint64_t address)
{
    uint64_t count = 0;
    for (size_t i = 0; i < gomp->native_count; i++)
        count += gomp->natives[i].readable && gomp->natives[i].record.team == address;
    return count != 0 ? count : 1;
}

/** *WHY is NULL when the record is sound. Codes: ok, nomem. */
static ompd_rc_t read_team(struct gomp *gomp, uint64_t address, struct gomp_team *ret, const char **why)
{
    uint64_t guess = count_members(gomp, address);
    *why = unsound;
    if (address % 8 != 0)
        return ompd_rc_ok;
    ompd_rc_t rc = read_block(gomp, address, guess, ret);
    if (rc != ompd_rc_ok && rc != ompd_rc_nomem && guess != 1)
        rc = read_block(gomp, address, guess = 1, ret);
    /* Each member is a thread of the process. */
    if (rc == ompd_rc_ok && (ret->nthreads == 0 || ret->nthreads > gomp->native_count)) {
        *why = ret->nthreads == ret->total && ret->nthreads != 0 ? too_many : unsound;
        return ompd_rc_ok;
    }
    if (rc == ompd_rc_ok && ret->nthreads > guess)
        rc = read_block(gomp, address, ret->nthreads, ret);
    if (rc != ompd_rc_ok) {
        gomp->world->incomplete = true;
        *why = unreadable;
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    if (ret->nthreads <= gomp->native_count && is_sound(gomp, address, ret))
        *why = NULL;
    return ompd_rc_ok;
}

/* ---- a team and those around it ------------------------------------------------------------------------ */

static bool fits_parent(const struct gomp_team *team, const struct gomp_team *parent)
{
    return team->prev_level == parent->prev_level + 1 && team->prev_team_id < parent->nthreads &&
           team->prev_active_level == parent->prev_active_level + (parent->nthreads > 1 ? 1 : 0);
}

static ompd_rc_t more_room(struct gomp *gomp)
{
    struct gomp_team *teams = NULL;
    if (gomp->world->team_count < gomp->team_room)
        return ompd_rc_ok;
    const int32_t room = 2 * gomp->team_room + 64;
    TRY(brk_alloc(&gomp->aspace->brk, (uint64_t)room * sizeof *teams, &teams));
    if (gomp->team_room != 0)
        memcpy(teams, gomp->teams, (size_t)gomp->team_room * sizeof *teams);
    gomp->teams = teams;
    gomp->team_room = room;
    return ompd_rc_ok;
}

/** A row for a region, with room for its members. */
static ompd_rc_t add_region(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    TRY(more_room(gomp));
    struct world_team *row = world_add_team(gomp->aspace, gomp->world, address);
    if (row == NULL)
        return ompd_rc_nomem;
    gomp->teams[gomp->world->team_count - 1] = *team;
    row->size = (int32_t)team->nthreads;
    TRY(world_alloc_indices(gomp->aspace, row->size, &row->members));
    return world_alloc_indices(gomp->aspace, row->size, &row->tasks);
}

static ompd_rc_t add_team(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    struct world *world = gomp->world;
    TRY(add_region(gomp, address, team));
    const int32_t index = world->team_count - 1;
    struct world_team *row = &world->teams[index];
    row->level = (int32_t)team->prev_level + 1;
    row->active_level = (int32_t)team->prev_active_level + (team->nthreads > 1 ? 1 : 0);
    row->parent = team->prev_team != 0 ? world_team_at(world, team->prev_team) : WORLD_NONE;
    for (int32_t i = 0; i < row->size; i++) {
        struct world_task *task =
            world_add_task(gomp->aspace, world, gomp_implicit_address(gomp, address, (uint64_t)i));
        if (task == NULL)
            return ompd_rc_nomem;
        task->flags = ompt_task_implicit;
        task->state = ompdx_task_created;
        task->team = index;
        task->thread_num = i;
        row->tasks[i] = world->task_count - 1;
    }
    return ompd_rc_ok;
}

static const char *refusal(const struct gomp *gomp, uint64_t address)
{
    for (uint32_t i = 0; i < gomp->refused_count; i++)
        if (gomp->refused[i].address == address)
            return gomp->refused[i].why;
    return NULL;
}

static void refuse(struct gomp *gomp, uint64_t address, const char *why)
{
    if (gomp->refused_count < GOMP_REFUSALS)
        gomp->refused[gomp->refused_count++] = (struct gomp_refusal){address, why};
}

/** One team of a chain that is read from the inside out and entered from the outside in. */
struct link {
    struct link *inner;
    uint64_t address;
    struct gomp_team team;
};

/** Reads the team and those around it that the world does not have yet. *why: what is wrong with one. */
static ompd_rc_t read_chain(struct gomp *gomp, uint64_t address, struct link **outermost, const char **why)
{
    struct link *link = NULL;
    *outermost = NULL;
    *why = NULL;
    for (uint32_t level = 0; address != 0 && world_team_at(gomp->world, address) == WORLD_NONE; level++) {
        if ((*why = refusal(gomp, address)) != NULL)
            return ompd_rc_ok;
        TRY(brk_alloc(&gomp->aspace->brk, sizeof *link, &link));
        *link = (struct link){.inner = *outermost, .address = address};
        TRY(read_team(gomp, address, &link->team, why));
        if (*why == NULL &&
            (level >= LEVELS_MAX || (link->inner != NULL && !fits_parent(&link->inner->team, &link->team))))
            *why = foreign_parent; /* levels fall from link to link, so a chain is no ring */
        if (*why != NULL) {
            refuse(gomp, address, *why);
            return ompd_rc_ok;
        }
        *outermost = link;
        address = link->team.prev_team;
    }
    if (link != NULL && address != 0 &&
        !fits_parent(&link->team, &gomp->teams[world_team_at(gomp->world, address)]))
        *why = foreign_parent;
    return ompd_rc_ok;
}

/** Enters the team and those around it. *why: it was refused. Codes: ok, nomem. */
static ompd_rc_t load_team(struct gomp *gomp, uint64_t address, const char **why)
{
    struct link *link;
    TRY(read_chain(gomp, address, &link, why));
    if (*why != NULL) {
        if (refusal(gomp, address) == NULL)
            refuse(gomp, address, *why);
        return ompd_rc_ok;
    }
    for (; link != NULL; link = link->inner)
        TRY(add_team(gomp, link->address, &link->team));
    return ompd_rc_ok;
}

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

/** Compares the thread's record with its team's. */
static bool agrees(struct gomp *gomp, const struct gomp_native *native, int32_t index)
{
    const struct gomp_team *team = &gomp->teams[index];
    const struct gomp_record *record = &native->record;
    uint64_t release;
    if (record->team_id >= team->nthreads || record->level != team->prev_level + 1 ||
        record->active_level != team->prev_active_level + (team->nthreads > 1 ? 1 : 0) || record->task == 0 ||
        !has_own_task(gomp, native, team))
        return false;
    if (record->team_id == 0)
        return true;
    return release_of(gomp, record->team, team, record->team_id, &release) &&
           release == native->address + gomp_offset(gomp, LAY_F_gomp_thread_release);
}

/** The number under which the team lists the thread, 0: it does not. Its creator is not in the list. */
static uint64_t listed_as(struct gomp *gomp, int32_t index, const struct gomp_native *native)
{
    const struct gomp_team *team = &gomp->teams[index];
    uint64_t release;
    for (uint64_t number = 1; number < team->nthreads; number++)
        if (release_of(gomp, gomp->world->teams[index].address, team, number, &release) &&
            release == native->address + gomp_offset(gomp, LAY_F_gomp_thread_release))
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
    if (team % 8 != 0 ||
        pages_number(gomp->aspace, pages, team + gomp_offset(gomp, LAY_F_gomp_team_ordered_release), 8,
                     &list) != ompd_rc_ok ||
        pages_number(gomp->aspace, pages, list, 8, &first) != ompd_rc_ok ||
        first != team + gomp_offset(gomp, LAY_F_gomp_team_master_release))
        return ompd_rc_ok;
    for (size_t i = 0; i < gomp->pool_count; i++)
        if (gomp->pools[i].last_team == team) /* that region has ended */
            return ompd_rc_ok;
    TRY(load_team(gomp, team, &why));
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
    TRY(add_region(gomp, id, &alone));
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
    if (native->idle)
        return ompd_rc_ok;
    if (native->record.team == 0) {
        if (native->record.level != 0 || native->record.active_level != 0 || native->record.team_id != 0)
            native->refused = contradicts;
        return ompd_rc_ok;
    }
    TRY(load_team(gomp, native->record.team, &native->refused));
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

/** Is this an empty record, as threads have that never met OpenMP? */
static bool is_empty(const struct gomp_native *native)
{
    return native->readable && native->record.pool == 0 && native->record.task == 0;
}

ompd_rc_t gomp_find_teams(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (!native->readable || world_thread_at(gomp->world, native->address) != WORLD_NONE)
            continue;
        /* A worker that ends keeps its team's address, but neither its pool nor its task. */
        if (is_empty(native))
            TRY(gomp_find_lone(gomp, native));
        if (!is_empty(native) || native->lone == GOMP_LONE_YES)
            TRY(gomp_add_thread(gomp, native));
    }
    return ompd_rc_ok;
}

/** Threads that a team lists and whose record is empty: of all that they do nothing else is known. */
static ompd_rc_t find_lost(struct gomp *gomp, int32_t index)
{
    for (int32_t number = 1; number < gomp->world->teams[index].size; number++) {
        uint64_t release;
        if (gomp->world->teams[index].members[number] != WORLD_NONE ||
            !release_of(gomp, gomp->world->teams[index].address, &gomp->teams[index], (uint64_t)number,
                        &release))
            continue;
        for (size_t i = 0; i < gomp->native_count; i++) {
            struct gomp_native *native = &gomp->natives[i];
            if (native->thread != WORLD_NONE || !is_empty(native) ||
                release != native->address + gomp_offset(gomp, LAY_F_gomp_thread_release))
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
    TRY(add_region(gomp, gomp->world->teams[index].address + 1, &alone));
    const int32_t initial = gomp->world->team_count - 1;
    gomp->world->teams[initial].kind = ompd_generator_program;
    gomp->world->teams[index].parent = initial;
    return ompd_rc_ok;
}

ompd_rc_t gomp_enter_threads(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (native->thread != WORLD_NONE && native->refused == NULL && !native->idle)
            TRY(enter_member(gomp, native));
    }
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
