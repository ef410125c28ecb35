/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: what a process handle remembers from call to call, outside brackets.
 *
 * Nothing here is believed without a look at the target. That a thread is in a slot, the slot itself says at
 * each call: its serial and its number of the system's. That no thread has some number is known as long as
 * rt_root.generation is the same, for that changes whenever a thread begins. Of an implicit task that its
 * thread has not begun the region says all, so what is remembered is only where to ask. Where a region's
 * team is never changes, and its serial is never used again: the slot says whether it is still that region.
 */
#include <stddef.h>
#include <string.h>

#include "runtimes/companion/companion.h"

/** Unbegun tasks whose region is remembered: one for each remainder of the slot's address in lines. */
#define TASKS 4096u
#define LINE  64u
/** Regions whose team is remembered: one for each remainder of their serials. */
#define REGIONS 256u
/** The generation grows by two for each thread. What is further away is another process behind the handle. */
#define GENERATIONS_MAX (1u << 20)
/** Slots that cannot be read, after which the rest is given up. */
#define FAILURES_MAX 4096u

struct known_thread {
    uint64_t address, serial; /**< serial 0: no thread was there */
    uint64_t native;
};

/** How far a slab has been looked at. */
struct seen_slab {
    uint64_t base;
    uint32_t slots;
};

/** Threads by one of their two numbers. */
struct threads {
    struct known_thread *list; /**< in the order in which their slots were found */
    size_t count, room;
    uint32_t *table; /**< hash of the number -> place in the list + 1; may have rows that are out of date */
    size_t buckets, filled;
    struct seen_slab *seen;
    size_t seen_count, seen_room;
    bool complete; /**< as of `generation` these are all */
    uint64_t generation;
    bool has_holes;
    uint32_t failures; /**< slots that could not be read, in this call */
};

struct known_task {
    uint64_t address, serial, team;
};

struct known_region {
    uint64_t serial, team;
};

struct known {
    uint64_t generation;  /**< when threads were last asked for, 0 not yet */
    struct threads by[2]; /**< by pthread, by tid */
    struct known_task tasks[TASKS];
    struct known_region regions[REGIONS];
};

static ompd_rc_t get_known(aspace_t *aspace, struct known **ret)
{
    struct brk *brk = &aspace->kept->known;
    if (brk->world == NULL) {
        struct known *known = NULL;
        TRY(brk_alloc(brk, sizeof *known, &known));
        memset(known, 0, sizeof *known);
        brk->world = known;
    }
    *ret = brk->world;
    return ompd_rc_ok;
}

/* ---- regions and tasks -------------------------------------------------------------------------------- */

void co_know_region(aspace_t *aspace, const struct co_team *team)
{
    struct known *known;
    if (!aspace->brk.open && get_known(aspace, &known) == ompd_rc_ok)
        known->regions[team->serial % REGIONS] = (struct known_region){team->serial, team->address};
}

uint64_t co_known_region(const aspace_t *aspace, uint64_t serial)
{
    const struct known *known = aspace->kept->known.world;
    if (aspace->brk.open || known == NULL)
        return 0;
    const struct known_region *region = &known->regions[serial % REGIONS];
    return region->serial == serial ? region->team : 0;
}

void co_know_unbegun(aspace_t *aspace, const struct co_task *task)
{
    struct known *known;
    if (!aspace->brk.open && get_known(aspace, &known) == ompd_rc_ok)
        known->tasks[task->address / LINE % TASKS] =
            (struct known_task){task->address, task->serial, task->team};
}

uint64_t co_known_unbegun(const aspace_t *aspace, const struct rtm_ref *ref)
{
    const struct known *known = aspace->kept->known.world;
    if (aspace->brk.open || known == NULL)
        return 0;
    const struct known_task *task = &known->tasks[ref->address / LINE % TASKS];
    return task->address == ref->address && task->serial == ref->serial ? task->team : 0;
}

/* ---- the table of threads ------------------------------------------------------------------------------ */

static size_t bucket_of(const struct threads *threads, uint64_t native)
{
    return (size_t)((native * 0x9e3779b97f4a7c15u) >> 32) & (threads->buckets - 1);
}

static void enter(struct threads *threads, size_t at)
{
    size_t bucket = bucket_of(threads, threads->list[at].native);
    while (threads->table[bucket] != 0)
        bucket = (bucket + 1) & (threads->buckets - 1);
    threads->table[bucket] = (uint32_t)at + 1;
    threads->filled++;
}

/** Enters the thread at place AT; makes a larger table, without what is out of date, when it is half full. */
static ompd_rc_t remember(aspace_t *aspace, struct threads *threads, size_t at)
{
    if (2 * (threads->filled + 1) <= threads->buckets) {
        enter(threads, at);
        return ompd_rc_ok;
    }
    uint32_t *table = threads->table;
    size_t buckets = threads->buckets;
    while (buckets < 4 * threads->count + 64)
        buckets = buckets != 0 ? buckets * 2 : 64;
    if (buckets != threads->buckets)
        TRY(brk_alloc(&aspace->kept->known, buckets * sizeof *table, &table));
    memset(table, 0, buckets * sizeof *table);
    threads->table = table;
    threads->buckets = buckets;
    threads->filled = 0;
    for (size_t i = 0; i < threads->count; i++)
        if (threads->list[i].serial != 0)
            enter(threads, i);
    return ompd_rc_ok;
}

static struct known_thread *look_up(const struct threads *threads, uint64_t native)
{
    if (threads->buckets == 0)
        return NULL;
    for (size_t bucket = bucket_of(threads, native); threads->table[bucket] != 0;
         bucket = (bucket + 1) & (threads->buckets - 1)) {
        struct known_thread *thread = &threads->list[threads->table[bucket] - 1];
        if (thread->serial != 0 && thread->native == native)
            return thread;
    }
    return NULL;
}

/* ---- looking at slots ---------------------------------------------------------------------------------- */

static struct threads *threads_by(struct known *known, ompd_thread_id_t kind)
{
    return &known->by[kind == OMPD_THREAD_ID_LWP];
}

/** Reads the slot of the thread at place AT of the list. */
static ompd_rc_t look(aspace_t *aspace, ompd_thread_id_t kind, struct threads *threads, size_t at)
{
    const bool tid = kind == OMPD_THREAD_ID_LWP;
    struct known_thread *known = &threads->list[at];
    const struct known_thread before = *known;
    struct co_thread thread = {0};
    ompd_rc_t rc = ompd_rc_device_read_error;
    if (threads->failures < FAILURES_MAX)
        rc = co_get_thread(aspace, known->address, tid ? CO_THREAD_TID : CO_THREAD_PTHREAD, &thread);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) { /* this thread is lost, not the others */
        threads->failures++;
        threads->has_holes = true;
        thread.serial = 0;
    }
    known->serial = thread.serial;
    known->native = tid ? (uint64_t)thread.tid : thread.pthread;
    if (known->serial != 0 && (before.serial == 0 || before.native != known->native))
        return remember(aspace, threads, at);
    return ompd_rc_ok;
}

/** Adds the slot at ADDRESS to the list. */
static ompd_rc_t add_thread(aspace_t *aspace, struct threads *threads, uint64_t address)
{
    if (threads->count == threads->room) {
        const size_t room = threads->room != 0 ? 2 * threads->room : 64;
        struct known_thread *wider = NULL;
        if (room > UINT32_MAX / 2)
            return ompd_rc_error;
        TRY(brk_alloc(&aspace->kept->known, room * sizeof *wider, &wider));
        if (threads->count != 0)
            memcpy(wider, threads->list, threads->count * sizeof *wider);
        threads->list = wider;
        threads->room = room;
    }
    threads->list[threads->count++] = (struct known_thread){.address = address};
    return ompd_rc_ok;
}

static ompd_rc_t seen_of(aspace_t *aspace, struct threads *threads, uint64_t base, struct seen_slab **ret)
{
    for (size_t i = 0; i < threads->seen_count; i++)
        if (threads->seen[i].base == base) {
            *ret = &threads->seen[i];
            return ompd_rc_ok;
        }
    if (threads->seen_count == threads->seen_room) {
        const size_t room = threads->seen_room != 0 ? 2 * threads->seen_room : 16;
        struct seen_slab *wider = NULL;
        TRY(brk_alloc(&aspace->kept->known, room * sizeof *wider, &wider));
        if (threads->seen_count != 0)
            memcpy(wider, threads->seen, threads->seen_count * sizeof *wider);
        threads->seen = wider;
        threads->seen_room = room;
    }
    *ret = &threads->seen[threads->seen_count++];
    **ret = (struct seen_slab){base, 0};
    return ompd_rc_ok;
}

/** Looks at the slots that came into use since. */
static ompd_rc_t look_at_new(aspace_t *aspace, ompd_thread_id_t kind, struct threads *threads)
{
    TRY(co_update_directory(aspace));
    for (size_t i = 0; i < aspace->kept->directory.slab_count; i++) {
        struct brk_slab *slab = &aspace->kept->directory.slabs[i];
        struct seen_slab *seen;
        if (slab->kind != CO_THREAD)
            continue;
        if (slab->used < slab->capacity)
            TRY(co_update_used(aspace, slab));
        TRY(seen_of(aspace, threads, slab->base, &seen));
        for (; seen->slots < slab->used && threads->failures < FAILURES_MAX; seen->slots++) {
            TRY(add_thread(aspace, threads, slab->base + (uint64_t)seen->slots * slab->slot_size));
            TRY(look(aspace, kind, threads, threads->count - 1));
        }
    }
    return ompd_rc_ok;
}

/** Looks at the slots in which no thread was, until there is one with the number. */
static ompd_rc_t look_at_free(aspace_t *aspace, ompd_thread_id_t kind, struct threads *threads,
                              uint64_t native, size_t end)
{
    for (size_t i = 0; i < end; i++) {
        if (threads->list[i].serial != 0)
            continue;
        TRY(look(aspace, kind, threads, i));
        if (threads->list[i].serial != 0 && threads->list[i].native == native)
            break;
    }
    return ompd_rc_ok;
}

static ompd_rc_t look_at_all(aspace_t *aspace, ompd_thread_id_t kind, struct threads *threads)
{
    threads->has_holes = false;
    for (size_t i = 0; i < threads->count; i++)
        TRY(look(aspace, kind, threads, i));
    return ompd_rc_ok;
}

/* ---- finding one --------------------------------------------------------------------------------------- */

/** What is remembered of this process: of another one behind the same handle nothing. */
static ompd_rc_t known_of(aspace_t *aspace, ompd_thread_id_t kind, uint64_t generation, struct threads **ret)
{
    struct known *known;
    TRY(get_known(aspace, &known));
    if (known->generation != 0 && generation - known->generation > GENERATIONS_MAX) {
        co_forget(aspace);
        TRY(get_known(aspace, &known));
    }
    known->generation = generation & ~1ull;
    *ret = threads_by(known, kind);
    (*ret)->failures = 0;
    return ompd_rc_ok;
}

static ompd_rc_t take(const struct known_thread *thread, struct rtm_ref *ret)
{
    *ret = (struct rtm_ref){thread->address, thread->serial};
    return ompd_rc_ok;
}

/** Looks for a thread that is not in the table, or is not where the table says. */
static ompd_rc_t search(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native, struct threads *threads)
{
    const size_t before = threads->count;
    TRY(look_at_new(aspace, kind, threads));
    if (look_up(threads, native) == NULL)
        TRY(look_at_free(aspace, kind, threads, native, before));
    return ompd_rc_ok;
}

ompd_rc_t co_find_native(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret)
{
    uint64_t generation;
    struct threads *threads;
    if (lay_at(&aspace->lay, LAY_F_rt_root_generation)->kind != LAY_FIELD)
        return ompd_rc_unsupported;
    TRY(co_root_number(aspace, LAY_F_rt_root_generation, &generation));
    TRY(known_of(aspace, kind, generation, &threads));
    struct known_thread *found = look_up(threads, native);
    if (found != NULL) { /* is it still there? */
        TRY(look(aspace, kind, threads, (size_t)(found - threads->list)));
        if (found->serial != 0 && found->native == native)
            return take(found, ret);
    }
    if (!threads->complete || threads->generation != generation) {
        const bool first = threads->count == 0;
        TRY(search(aspace, kind, native, threads));
        found = look_up(threads, native);
        if (found == NULL && !first) {
            TRY(look_at_all(aspace, kind, threads));
            found = look_up(threads, native);
        }
        /* While a thread begins it may be anywhere on its way, so who is missing now is looked for again. */
        threads->complete = (first || found == NULL) && generation % 2 == 0 && !threads->has_holes;
        threads->generation = generation;
        if (found != NULL)
            return take(found, ret);
    }
    /* Where threads could not be read, "not one of OpenMP" would be a guess. */
    return threads->has_holes ? ompd_rc_device_read_error : ompd_rc_unavailable;
}
