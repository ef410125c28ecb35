/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp_targets.h"

#include <string.h>

#include "runtimes/gomp_teams.h"

/** Frames of one stack that are looked at, and parts of it that are libgomp's. */
#define FRAMES_MAX 64u
#define PARTS_MAX  32u
/** libgomp's part of the stack between two of the program's functions, as far as it is searched. */
#define PART_BYTES_MAX 1024u
/** A word that points so near its own place points into the stack. */
#define NEAR_BYTES 65536u

/** Frames of libgomp, one behind the other. */
struct part {
    uint64_t low, high; /**< stack pointers of the first of them, and of the one that called the last */
};

struct parts {
    struct part list[PARTS_MAX]; /**< innermost first */
    uint32_t count;
    bool target; /**< a frame is of a function that executes target regions */
};

/** Did the thread create all regions that RECORD is in? */
static bool is_root(const struct gomp *gomp, const struct gomp_record *record)
{
    uint64_t number = record->team_id;
    int32_t index = record->team != 0 ? world_team_at(gomp->world, record->team) : WORLD_NONE;
    while (index != WORLD_NONE && number == 0) {
        number = gomp->teams[index].prev_team_id;
        index = gomp->world->teams[index].parent;
    }
    return number == 0;
}

static bool is_around(const struct gomp *gomp, const struct gomp_record *record, uint64_t team)
{
    int32_t index = record->team != 0 ? world_team_at(gomp->world, record->team) : WORLD_NONE;
    for (; index != WORLD_NONE; index = gomp->world->teams[index].parent)
        if (gomp->world->teams[index].address == team)
            return true;
    return false;
}

/** Is TEAM one of those that the thread is known to be in? */
static bool is_known(const struct gomp *gomp, const struct gomp_native *native, uint64_t team)
{
    for (uint32_t i = 0; i < native->before_count; i++)
        if (is_around(gomp, &native->before[i], team))
            return true;
    return is_around(gomp, &native->record, team);
}

/** The team in PART that the thread works in; of several the innermost. RET->team is 0: there is none. */
static ompd_rc_t find_team(struct gomp *gomp, const struct gomp_native *native, const struct part *part,
                           struct gomp_record *ret)
{
    uint8_t bytes[PART_BYTES_MAX];
    *ret = (struct gomp_record){0};
    if (part->low % 8 != 0 || part->high <= part->low || part->high - part->low > sizeof bytes ||
        pages_read(gomp->aspace, &gomp->world->pages, part->low, (uint32_t)(part->high - part->low), bytes) !=
            ompd_rc_ok)
        return ompd_rc_ok;
    for (uint64_t at = 0; at + 8 <= part->high - part->low; at += 8) {
        struct gomp_record record;
        uint64_t word;
        TRY(tgt_number(&gomp->aspace->tgt, bytes + at, 8, &word));
        if (word <= NEAR_BYTES || word % 8 != 0 || stock_inside(gomp->aspace->stock, word) ||
            (word > part->low - NEAR_BYTES && word < part->high + NEAR_BYTES) || is_known(gomp, native, word))
            continue;
        TRY(gomp_was_member(gomp, native, word, &record));
        if (record.team != 0 && (ret->team == 0 || is_around(gomp, &record, ret->team)))
            *ret = record;
    }
    return ompd_rc_ok;
}

/** libgomp's parts of the thread's stack, as far as it can be followed. Codes: ok, nomem. */
static ompd_rc_t find_parts(struct gomp *gomp, const struct gomp_native *native, struct parts *ret)
{
    uint64_t low = 0;
    bool inside = false;
    *ret = (struct parts){0};
    for (uint32_t i = 0; i < FRAMES_MAX && ret->count < PARTS_MAX; i++) {
        ompdx_frame_t frame;
        ompd_rc_t rc = stock_frame(gomp->aspace, native->stock, i, &frame);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
        if (stock_inside(gomp->aspace->stock, frame.pc)) {
            const ompdx_layout_entry_t *function =
                stock_function(gomp->aspace->stock, frame.exact ? frame.pc : frame.pc - 1);
            low = inside ? low : frame.sp;
            inside = true;
            ret->target |= function != NULL && strncmp(function->name, "GOMP_target", 11) == 0;
        } else if (inside) {
            inside = false;
            ret->list[ret->count++] = (struct part){low, frame.sp};
        }
    }
    return ompd_rc_ok;
}

/** Fills `before`. */
static ompd_rc_t find_before(struct gomp *gomp, struct gomp_native *native, const struct parts *parts)
{
    TRY(brk_alloc(&gomp->aspace->brk, GOMP_TARGETS_MAX * sizeof *native->before, &native->before));
    for (uint32_t i = 0; i < parts->count && native->before_count < GOMP_TARGETS_MAX; i++) {
        struct gomp_record record;
        TRY(find_team(gomp, native, &parts->list[i], &record));
        if (record.team == 0)
            continue;
        native->before[native->before_count++] = record;
        if (!is_root(gomp, &record))
            return ompd_rc_ok;
    }
    return ompd_rc_ok;
}

/** A thread in no region, or in none that another thread has created: so it is in a target region, too. */
static bool may_be_inside(const struct gomp *gomp, const struct gomp_native *native)
{
    return native->readable && native->address != 0 && !native->idle && native->refused == NULL &&
           is_root(gomp, &native->record);
}

ompd_rc_t gomp_find_targets(struct gomp *gomp)
{
    if (!gomp_has(gomp, LAY_F_gomp_thread_pool_last_team))
        return ompd_rc_ok;
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        struct parts parts;
        if (!may_be_inside(gomp, native))
            continue;
        TRY(find_parts(gomp, native, &parts));
        const bool unknown = native->thread == WORLD_NONE;
        if (parts.target || (unknown && parts.count != 0))
            TRY(find_before(gomp, native, &parts));
        if (unknown && (parts.target || native->before_count != 0) &&
            world_thread_at(gomp->world, native->address) == WORLD_NONE)
            TRY(gomp_add_thread(gomp, native));
    }
    return ompd_rc_ok;
}
