/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_targets.h"

#include <string.h>

#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_records.h"
#include "runtimes/gomp/gomp_teams.h"

/** Frames of one stack that are looked at, and parts of it that are libgomp's. */
#define FRAMES_MAX 64u
#define PARTS_MAX  32u
/** libgomp's part of the stack between two of the program's functions, as far as it is searched. */
#define PART_BYTES_MAX 1024u
/** A word that points so near its own place points into the stack. */
#define NEAR_BYTES 65536u
#define PAGE       4096u

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

/* ---- can there be a target region? --------------------------------------------------------------------- */

/*
 * To unwind a stack takes a read for each table of each file on it, and nearly always there is nothing to be
 * found. A frame's return address is a word of the stack, so a stack without such a word has no such frame.
 */

static bool is_target_code(const struct gomp *gomp, uint64_t pc)
{
    const ompdx_layout_entry_t *function = stock_function(gomp->aspace->stock, pc);
    return function != NULL && strncmp(function->name, "GOMP_target", 11) == 0;
}

/** Is one of the words a return address that matters? Of a thread that is not known any of libgomp's. */
static bool has_return(const struct gomp *gomp, const struct gomp_native *native, const uint8_t *bytes,
                       uint64_t size)
{
    for (uint64_t at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        if (tgt_number(&gomp->aspace->tgt, bytes + at, 8, &word) != ompd_rc_ok)
            return true;
        if (stock_inside(gomp->aspace->stock, word) &&
            (native->thread == WORLD_NONE || is_target_code(gomp, word) || is_target_code(gomp, word - 1)))
            return true;
    }
    return false;
}

/**
 * Is this the last page of the first thread's stack, where the kernel has put the environment? Strings as far
 * as the file's name, one behind the other, then 8 bytes of zeros. Addresses among other words have two zeros
 * in a row.
 */
static bool is_last_page(const uint8_t *page)
{
    enum { STRINGS = 256, END = 8 };
    static const uint8_t zeros[END];
    const uint8_t *end = page + PAGE - END;
    if (memcmp(end, zeros, END) != 0 || end[-1] != 0 || end[-2] == 0)
        return false;
    for (const uint8_t *c = end - STRINGS; c < end; c++)
        if (*c != 0 ? *c < ' ' && *c != '\t' && *c != '\n' : c[-1] == 0)
            return false;
    return true;
}

/** The first thread's stack, page by page. False: it has no such word. */
static bool may_return_first(struct gomp *gomp, const struct gomp_native *native, uint64_t sp)
{
    for (uint64_t at = sp; at - sp < GOMP_STACK_BYTES_MAX; at += PAGE - at % PAGE) {
        uint8_t page[PAGE];
        if (pages_read(gomp->aspace, &gomp->world->pages, at - at % PAGE, PAGE, page) != ompd_rc_ok ||
            has_return(gomp, native, page + at % PAGE, PAGE - at % PAGE))
            return true;
        if (is_last_page(page))
            return false;
    }
    return true;
}

/**
 * The SIZE bytes of another thread's stack. False: it has no such word. In a signal handler whose stack is a
 * thread-local variable the stack that was interrupted lies below SP, and the kernel has noted where.
 */
static bool may_return(struct gomp *gomp, const struct gomp_native *native, uint64_t sp, uint64_t size)
{
    const uint64_t stack_most = UINT64_C(8) << 20;
    uint8_t *bytes = NULL;
    if (brk_alloc(&gomp->aspace->brk, size, &bytes) != ompd_rc_ok ||
        gomp_read_stack(gomp, native, bytes) != ompd_rc_ok)
        return true;
    for (uint64_t at = 0; at + 8 <= size; at += 8) {
        uint64_t word;
        /* Where the stack's mapping starts is noted, too. */
        if (tgt_number(&gomp->aspace->tgt, bytes + at, 8, &word) != ompd_rc_ok ||
            (word < sp && sp - word < stack_most && word % PAGE != 0))
            return true;
    }
    return has_return(gomp, native, bytes, size);
}

/** False: no frame of its stack is one of a target region, or can be libgomp's if it is not known. */
static bool may_have_frames(struct gomp *gomp, const struct gomp_native *native)
{
    const struct stock_thread *thread = native->stock;
    const uint64_t rip = thread->regs.reg[ompdx_reg_rip], sp = thread->regs.reg[ompdx_reg_rsp];
    const uint64_t bytes = gomp_stack_bytes(native);
    if (!stock_knows(thread, ompdx_reg_rip) || !stock_knows(thread, ompdx_reg_rsp) || sp % 8 != 0 ||
        (native->thread == WORLD_NONE && stock_inside(gomp->aspace->stock, rip)) || is_target_code(gomp, rip))
        return true;
    return bytes != 0 ? may_return(gomp, native, sp, bytes) : may_return_first(gomp, native, sp);
}

/* ---- what there is ------------------------------------------------------------------------------------- */

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
            low = inside ? low : frame.sp;
            inside = true;
            ret->target |= is_target_code(gomp, frame.exact ? frame.pc : frame.pc - 1);
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

/** A thread on whose stack PARTS are, of which it cannot be found out, for WHY, what it was in before. */
static ompd_rc_t give_up(struct gomp *gomp, struct gomp_native *native, const struct parts *parts,
                         const char *why)
{
    if (native->thread != WORLD_NONE || world_thread_at(gomp->world, native->address) != WORLD_NONE)
        return ompd_rc_ok;
    gomp->world->native[native - gomp->natives].undecided |= parts->count != 0;
    if (!parts->target)
        return ompd_rc_ok;
    TRY(gomp_add_thread(gomp, native));
    native->refused = why;
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_targets(struct gomp *gomp)
{
    const char *why = gomp_no_target(gomp);
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        struct parts parts;
        if (!may_be_inside(gomp, native) || !may_have_frames(gomp, native))
            continue;
        TRY(find_parts(gomp, native, &parts));
        if (why != NULL) {
            TRY(give_up(gomp, native, &parts, why));
            continue;
        }
        const bool unknown = native->thread == WORLD_NONE;
        if (parts.target || (unknown && parts.count != 0))
            TRY(find_before(gomp, native, &parts));
        if (unknown && (parts.target || native->before_count != 0) &&
            world_thread_at(gomp->world, native->address) == WORLD_NONE)
            TRY(gomp_add_thread(gomp, native));
    }
    return ompd_rc_ok;
}
