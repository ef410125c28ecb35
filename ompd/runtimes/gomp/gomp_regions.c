/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_regions.h"

#include <stddef.h>
#include <string.h>

#include "runtimes/gomp/gomp_fields.h"

/** Regions inside one another, and members of one that the process has no threads for: a target that has more
 *  is damaged. */
#define LEVELS_MAX  65536u
#define MEMBERS_MAX 65536u
/** The same where records do not have their level: teams may form a ring. */
#define UNCOUNTED_LEVELS_MAX 64u

static const char unreadable[] = "the record of its team cannot be read";
static const char unsound[] = "the record of its team contradicts itself";
static const char foreign_parent[] =
    "the records of its team and of the enclosing team contradict each other";

/* ---- one team's record --------------------------------------------------------------------------------- */

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
    TRY(lay_decode(&gomp->aspace->tgt, gomp_lay(gomp), ret->bytes, fields, sizeof fields / sizeof fields[0],
                   ret));
    if (!gomp_has(gomp, LAY_F_gomp_team_nthreads))
        ret->nthreads = ret->total;
    if (!gomp_has(gomp, LAY_F_gomp_team_barrier_total))
        ret->total = ret->nthreads;
    return ompd_rc_ok;
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

bool gomp_release_of(struct gomp *gomp, uint64_t address, const struct gomp_team *team, uint64_t number,
                     uint64_t *ret)
{
    if (team->ordered_release == gomp_implicit_address(gomp, address, team->nthreads))
        return tgt_number(&gomp->aspace->tgt, gomp_implicit_bytes(gomp, team, team->nthreads) + 8 * number, 8,
                          ret) == ompd_rc_ok;
    return pages_number(gomp->aspace, &gomp->world->pages, team->ordered_release + 8 * number, 8, ret) ==
           ompd_rc_ok;
}

/** Does the first entry of the list of semaphores point to the team's own? */
static bool has_own_semaphore(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    uint64_t release;
    if (!gomp_has(gomp, LAY_F_gomp_team_ordered_release) || !gomp_has(gomp, LAY_F_gomp_team_master_release))
        return true;
    return gomp_release_of(gomp, address, team, 0, &release) &&
           release == address + gomp_offset(gomp, LAY_F_gomp_team_master_release);
}

/** Does the record agree with itself? What the layout lacks is 0. */
static bool is_sound(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    if (team->total != team->nthreads || team->awaited > team->total || team->awaited_final > team->total ||
        team->prev_level >= LEVELS_MAX ||
        (team->prev_active_level > team->prev_level && gomp_has(gomp, LAY_F_gomp_team_prev_level)))
        return false;
    if (team->prev_team == 0 && gomp_has(gomp, LAY_F_gomp_team_prev_team) &&
        (team->prev_level != 0 || team->prev_team_id != 0))
        return false;
    return has_own_semaphore(gomp, address, team);
}

/** Why it is not known which team is around a sound one, and as which member of it the thread is that
 *  has created this one; NULL: that is known, or there is none around. */
static const char *no_parent(const struct gomp *gomp, const struct gomp_team *team)
{
    static const uint16_t ids[] = {LAY_F_gomp_team_prev_team, LAY_F_gomp_team_prev_team_id, 0};
    const bool is_outermost = gomp_has(gomp, LAY_F_gomp_team_prev_team)    ? team->prev_team == 0
                              : gomp_has(gomp, LAY_F_gomp_team_prev_level) ? team->prev_level == 0
                                                                           : false;
    return is_outermost ? NULL : gomp_missing_of(gomp, ids);
}

/** Members that threads say to be in the team: the first guess at its size. */
static uint64_t count_members(const struct gomp *gomp, uint64_t address)
{
    uint64_t count = 0;
    for (size_t i = 0; i < gomp->native_count; i++)
        count += gomp->natives[i].readable && gomp->natives[i].record.team == address;
    return count != 0 ? count : 1;
}

/**
 * Each member is a thread of the process, but of a team that fork() has left to the child, or that the child
 * makes of threads which stayed in its parent: a word that tells a record from other bytes has to agree
 * before so much is read.
 */
static bool is_possible(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    uint64_t first;
    if (team->nthreads <= gomp->native_count)
        return team->nthreads != 0;
    return team->nthreads <= MEMBERS_MAX && team->total == team->nthreads &&
           pages_number(gomp->aspace, &gomp->world->pages, team->ordered_release, 8, &first) == ompd_rc_ok &&
           first == address + gomp_offset(gomp, LAY_F_gomp_team_master_release);
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
    if (rc == ompd_rc_ok && !is_possible(gomp, address, ret))
        return ompd_rc_ok;
    if (rc == ompd_rc_ok && ret->nthreads > guess)
        rc = read_block(gomp, address, ret->nthreads, ret);
    if (rc != ompd_rc_ok) {
        gomp->world->incomplete = true;
        *why = unreadable;
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    if (is_sound(gomp, address, ret))
        *why = no_parent(gomp, ret);
    return ompd_rc_ok;
}

/* ---- a team and those around it ------------------------------------------------------------------------ */

static bool fits_parent(const struct gomp *gomp, const struct gomp_team *team, const struct gomp_team *parent)
{
    return (team->prev_level == parent->prev_level + 1 || !gomp_has(gomp, LAY_F_gomp_team_prev_level)) &&
           team->prev_team_id < parent->nthreads &&
           (team->prev_active_level == parent->prev_active_level + (parent->nthreads > 1 ? 1 : 0) ||
            !gomp_has(gomp, LAY_F_gomp_team_prev_active_level));
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

ompd_rc_t gomp_add_region(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
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

/** Those of a team whose record does not have them follow from the one around it. */
static void set_levels(const struct gomp *gomp, const struct gomp_team *team, struct world_team *row)
{
    const struct world_team *parent = row->parent != WORLD_NONE ? &gomp->world->teams[row->parent] : NULL;
    const int32_t around = parent != NULL ? parent->level : 0,
                  active = parent != NULL ? parent->active_level : 0;
    row->level = gomp_has(gomp, LAY_F_gomp_team_prev_level) ? (int32_t)team->prev_level + 1 : around + 1;
    row->active_level =
        (gomp_has(gomp, LAY_F_gomp_team_prev_active_level) ? (int32_t)team->prev_active_level : active) +
        (team->nthreads > 1 ? 1 : 0);
}

static ompd_rc_t add_team(struct gomp *gomp, uint64_t address, const struct gomp_team *team)
{
    struct world *world = gomp->world;
    TRY(gomp_add_region(gomp, address, team));
    const int32_t index = world->team_count - 1;
    struct world_team *row = &world->teams[index];
    row->parent = team->prev_team != 0 ? world_team_at(world, team->prev_team) : WORLD_NONE;
    set_levels(gomp, team, row);
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
    const uint32_t most = gomp_has(gomp, LAY_F_gomp_team_prev_level) ? LEVELS_MAX : UNCOUNTED_LEVELS_MAX;
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
            (level >= most || (link->inner != NULL && !fits_parent(gomp, &link->inner->team, &link->team))))
            *why = foreign_parent; /* levels fall from link to link, so a chain is no ring */
        if (*why != NULL) {
            refuse(gomp, address, *why);
            return ompd_rc_ok;
        }
        *outermost = link;
        address = link->team.prev_team;
    }
    if (link != NULL && address != 0 &&
        !fits_parent(gomp, &link->team, &gomp->teams[world_team_at(gomp->world, address)]))
        *why = foreign_parent;
    return ompd_rc_ok;
}

ompd_rc_t gomp_load_team(struct gomp *gomp, uint64_t address, const char **why)
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
