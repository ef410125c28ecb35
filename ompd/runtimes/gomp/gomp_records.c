/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_records.h"

#include <stddef.h>
#include <string.h>

#include "providers/spin_rule.h"
#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_tls.h"
#include "runtimes/base/stock.h"

/** A process with more pools is damaged. */
#define POOLS_MAX 4096u
/** Of a barrier's generation: what each use adds, and the bit that says "the region is cancelled". */
#define BARRIER_STEP      8u
#define BARRIER_CANCELLED 4u
/** Of a semaphore: how often it was posted. The bit above says that somebody sleeps. */
#define SEMAPHORE_COUNT 0x7fffffffu
/** Teams around one another that are looked at to find a thread's. */
#define LEVELS_MAX 64u
/** Of Linux on x86-64: the number of the futex call, and the bits of its operation that say "wait". */
#define CALL_FUTEX   202u
#define FUTEX_OP     0x7fu
#define FUTEX_WAIT   0u
#define SYSCALL_SIZE 2u

/* ---- where a thread is --------------------------------------------------------------------------------- */

/** Is the thread in a futex call that waits, also when the kernel has moved it back to restart that? */
static bool in_futex(const struct stock_thread *thread)
{
    const uint64_t *reg = thread->regs.reg;
    const bool restarts = (int64_t)reg[ompdx_reg_orig_rax] == -1 && reg[ompdx_reg_rax] == CALL_FUTEX;
    return (reg[ompdx_reg_orig_rax] == CALL_FUTEX || restarts) &&
           (reg[ompdx_reg_rsi] & FUTEX_OP) == FUTEX_WAIT;
}

/**
 * The futex call that waits and that the thread is in: rip is behind the instruction, or at it when the
 * kernel has moved the thread back to restart it.
 */
static const ompdx_layout_entry_t *sleeping_site(const struct stock *stock, const struct stock_thread *thread)
{
    const uint64_t *reg = thread->regs.reg;
    const ompdx_layout_entry_t *site = NULL;
    if (reg[ompdx_reg_orig_rax] == CALL_FUTEX)
        site = stock_site(stock, reg[ompdx_reg_rip]);
    else if ((int64_t)reg[ompdx_reg_orig_rax] == -1 && reg[ompdx_reg_rax] == CALL_FUTEX)
        site = stock_site(stock, reg[ompdx_reg_rip] + SYSCALL_SIZE);
    return site != NULL && in_futex(thread) ? site : NULL;
}

/**
 * Is the thread in such a call at no site? One that is only about to make the call may have its number in a
 * register: the kernel moves threads back to the instruction.
 */
static bool is_strange(struct gomp *gomp, const struct stock_thread *thread)
{
    static const uint8_t instruction[SYSCALL_SIZE] = {0x0f, 0x05};
    uint8_t code[SYSCALL_SIZE];
    if (!stock_knows(thread, ompdx_reg_orig_rax) || !in_futex(thread))
        return false;
    return thread->regs.reg[ompdx_reg_orig_rax] == CALL_FUTEX ||
           pages_read(gomp->aspace, &gomp->world->pages, thread->regs.reg[ompdx_reg_rip], sizeof code,
                      code) != ompd_rc_ok ||
           memcmp(code, instruction, sizeof code) == 0;
}

/** What the word is compared with that the loop SPIN looks at. */
static void find_end_of_spin(struct gomp_native *native, const ompdx_layout_entry_t *spin)
{
    struct spin_rule rule;
    if (!spin_rule_parse(spin->name, &rule) ||
        (rule.reg < ompdx_registers && !stock_knows(native->stock, rule.reg)))
        return;
    native->until = rule.greater ? GOMP_UNTIL_GREATER : GOMP_UNTIL_CHANGES;
    native->expects = rule.reg < ompdx_registers ? native->stock->regs.reg[rule.reg] : rule.number;
}

/** Fills place, waits_on and what ends the wait. *RET: where the return address is, 0 not known. */
static void find_place(struct gomp *gomp, struct gomp_native *native, uint64_t *ret)
{
    const struct stock *stock = gomp->aspace->stock;
    const struct stock_thread *thread = native->stock;
    *ret = 0;
    if (!stock_knows(thread, ompdx_reg_rip) || !stock_inside(stock, thread->regs.reg[ompdx_reg_rip]))
        return;
    native->place = GOMP_INSIDE;
    const ompdx_layout_entry_t *site =
        stock_knows(thread, ompdx_reg_orig_rax) ? sleeping_site(stock, thread) : NULL;
    if (site != NULL && stock_knows(thread, (ompdx_register_t)site->c)) {
        native->place = GOMP_SLEEPING;
        native->waits_on = thread->regs.reg[site->c];
        native->until = stock_knows(thread, ompdx_reg_rdx) ? GOMP_UNTIL_CHANGES : GOMP_UNTIL_UNKNOWN;
        native->expects = thread->regs.reg[ompdx_reg_rdx]; /* the call's third argument */
        if (stock_knows(thread, ompdx_reg_rsp) && site->b >= 8)
            *ret = thread->regs.reg[ompdx_reg_rsp] + site->b - 8;
        return;
    }
    const ompdx_layout_entry_t *spin = stock_spin(stock, thread->regs.reg[ompdx_reg_rip]);
    native->strange = spin == NULL && site == NULL && is_strange(gomp, thread);
    if (spin == NULL || spin->c >= ompdx_registers || !stock_knows(thread, (ompdx_register_t)spin->c))
        return;
    native->place = GOMP_SPINNING;
    native->waits_on = thread->regs.reg[spin->c];
    find_end_of_spin(native, spin);
}

uint64_t gomp_wait_flags(struct gomp *gomp, const struct gomp_native *native, uint64_t address)
{
    const bool wide = native->until == GOMP_UNTIL_GREATER;
    uint64_t word;
    if (native->until == GOMP_UNTIL_UNKNOWN ||
        pages_number(gomp->aspace, &gomp->world->pages, address, wide ? 8 : 4, &word) != ompd_rc_ok)
        return 0;
    if (wide)
        return word > native->expects ? OMPDX_WAIT_OVER : OMPDX_WAIT_LASTS;
    return (uint32_t)word == (uint32_t)native->expects ? OMPDX_WAIT_LASTS : OMPDX_WAIT_OVER;
}

uint64_t gomp_semaphore_flags(struct gomp *gomp, const struct gomp_native *native)
{
    uint64_t word;
    if (pages_number(gomp->aspace, &gomp->world->pages, native->waits_on, 4, &word) != ompd_rc_ok)
        return 0;
    return (word & SEMAPHORE_COUNT) != 0 ? OMPDX_WAIT_OVER : OMPDX_WAIT_LASTS;
}

static uint64_t generation_flags(struct gomp *gomp, const struct gomp_native *native, uint64_t address,
                                 enum gomp_cancels cancels)
{
    uint64_t word;
    if (native->until != GOMP_UNTIL_CHANGES ||
        pages_number(gomp->aspace, &gomp->world->pages, address, 4, &word) != ompd_rc_ok)
        return 0;
    if ((uint32_t)word / BARRIER_STEP != (uint32_t)native->expects / BARRIER_STEP)
        return OMPDX_WAIT_OVER;
    if ((word & BARRIER_CANCELLED) == 0 || cancels == GOMP_CANCELS_NO)
        return OMPDX_WAIT_LASTS;
    return cancels == GOMP_CANCELS_YES ? OMPDX_WAIT_OVER : 0;
}

/* ---- records ------------------------------------------------------------------------------------------- */

static ompd_rc_t decode_record(struct gomp *gomp, const uint8_t *bytes, struct gomp_record *ret)
{
#define FIELD(name, member)                                                   \
    {                                                                         \
        LAY_F_gomp_thread_##name, offsetof(struct gomp_record, member), false \
    }
    static const struct lay_wanted fields[] = {
        FIELD(team, team),        FIELD(work_share, work_share),     FIELD(team_id, team_id),
        FIELD(level, level),      FIELD(active_level, active_level), FIELD(task, task),
        FIELD(thread_pool, pool), FIELD(num_teams, num_teams),       FIELD(team_num, team_num),
    };
#undef FIELD
    return lay_decode(&gomp->aspace->tgt, gomp_lay(gomp), bytes, fields, sizeof fields / sizeof fields[0],
                      ret);
}

/** Is ADDRESS on a stack that ends at the thread's record? The first thread's lies elsewhere. */
static bool is_near(const struct gomp_native *native, uint64_t address)
{
    return address < native->address && native->address - address < GOMP_TLS_BYTES_MAX;
}

uint64_t gomp_stack_bytes(const struct gomp_native *native)
{
    const uint64_t *reg = native->stock->regs.reg;
    if (!stock_knows(native->stock, ompdx_reg_rsp) || !stock_knows(native->stock, ompdx_reg_fs_base) ||
        reg[ompdx_reg_rsp] % 8 != 0 || reg[ompdx_reg_rsp] >= reg[ompdx_reg_fs_base] ||
        reg[ompdx_reg_fs_base] - reg[ompdx_reg_rsp] > GOMP_STACK_BYTES_MAX)
        return 0;
    return reg[ompdx_reg_fs_base] - reg[ompdx_reg_rsp];
}

ompd_rc_t gomp_read_stack(const struct gomp *gomp, const struct gomp_native *native, void *ret)
{
    const aspace_t *aspace = gomp->aspace;
    const uint64_t sp = native->stock->regs.reg[ompdx_reg_rsp], bytes = gomp_stack_bytes(native);
    if (bytes > BRK_SLOT_BYTES_MAX)
        return tgt_read(&aspace->tgt, sp, bytes, ret);
    return brk_spot(&aspace->tgt, &aspace->brk, GOMP_SPOTS_RECORDS, sp, (uint32_t)bytes, ret);
}

static void say_unread(struct gomp *gomp, const struct gomp_native *native)
{
    gomp->world->incomplete = true;
    gomp->world->native[native - gomp->natives].unread = true;
}

static ompd_rc_t take_record(struct gomp *gomp, struct gomp_native *native, uint64_t returns_at)
{
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    const uint32_t size = lay_size(gomp_lay(gomp), LAY_S_gomp_thread);
    aspace_t *aspace = gomp->aspace;
    if (native->address == 0)
        return ompd_rc_ok;
    ompd_rc_t rc = brk_spot(&aspace->tgt, &aspace->brk, GOMP_SPOTS_RECORDS, native->address, size, bytes);
    if (rc != ompd_rc_ok) {
        say_unread(gomp, native);
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    TRY(decode_record(gomp, bytes, &native->record));
    native->readable = true;
    if (returns_at == 0)
        return ompd_rc_ok;
    if (!is_near(native, returns_at)) {
        rc = pages_number(aspace, &gomp->world->pages, returns_at, 8, &native->returns);
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    if (brk_spot(&aspace->tgt, &aspace->brk, GOMP_SPOTS_RECORDS, returns_at, 8, bytes) != ompd_rc_ok)
        return ompd_rc_ok;
    return tgt_number(&aspace->tgt, bytes, 8, &native->returns);
}

/**
 * All records, and with each the word of the stack that the thread returns to, or of a thread outside of
 * libgomp its short stack: both are at the top of a thread's mapping, so one read has them.
 */
static ompd_rc_t read_all(struct gomp *gomp, const struct gomp_tls *tls)
{
    aspace_t *aspace = gomp->aspace;
    const uint32_t size = lay_size(gomp_lay(gomp), LAY_S_gomp_thread);
    struct brk_spot *list = NULL;
    uint64_t *returns = NULL;
    size_t count = 0;
    TRY(brk_alloc(&aspace->brk, (2 * gomp->native_count + 1) * sizeof *list, &list));
    TRY(brk_alloc(&aspace->brk, (gomp->native_count + 1) * sizeof *returns, &returns));
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        find_place(gomp, native, &returns[i]);
        if (!stock_knows(native->stock, ompdx_reg_fs_base)) {
            say_unread(gomp, native);
            continue;
        }
        const uint64_t base = native->stock->regs.reg[ompdx_reg_fs_base];
        if (base <= GOMP_TLS_BYTES_MAX)
            continue; /* a thread that has no thread-local storage yet */
        TRY(gomp_record_at(gomp, tls, base, &native->address));
        if (native->address == 0)
            continue; /* it has not been in libgomp */
        list[count++] = (struct brk_spot){.address = native->address, .bytes = size};
        if (returns[i] != 0 && is_near(native, returns[i]))
            list[count++] = (struct brk_spot){.address = returns[i], .bytes = 8};
        const uint64_t stack = native->place == GOMP_OUTSIDE ? gomp_stack_bytes(native) : 0;
        if (stack != 0 && stack <= BRK_SLOT_BYTES_MAX)
            list[count++] = (struct brk_spot){.address = base - stack, .bytes = (uint32_t)stack};
    }
    TRY(brk_fill_spots(&aspace->tgt, &aspace->brk, GOMP_SPOTS_RECORDS, list, count));
    for (size_t i = 0; i < gomp->native_count; i++)
        TRY(take_record(gomp, &gomp->natives[i], returns[i]));
    return ompd_rc_ok;
}

/* ---- pools --------------------------------------------------------------------------------------------- */

const struct gomp_pool *gomp_pool_at(const struct gomp *gomp, uint64_t address)
{
    for (size_t i = 0; i < gomp->pool_count; i++)
        if (gomp->pools[i].address == address)
            return &gomp->pools[i];
    return NULL;
}

bool gomp_next_generation(struct gomp *gomp, const struct gomp_native *native)
{
    const uint32_t expects = (uint32_t)native->expects;
    uint64_t word;
    return native->until == GOMP_UNTIL_CHANGES && expects >= BARRIER_STEP && expects <= INT32_MAX &&
           (expects % BARRIER_STEP & ~BARRIER_CANCELLED) == 0 &&
           pages_number(gomp->aspace, &gomp->world->pages, native->waits_on, 4, &word) == ompd_rc_ok &&
           word / BARRIER_STEP == expects / BARRIER_STEP + 1;
}

bool gomp_enclosing(struct gomp *gomp, uint64_t team, uint64_t *outer, uint64_t *number)
{
    return gomp_field(gomp, team, LAY_F_gomp_team_prev_team, outer) == ompd_rc_ok &&
           gomp_field(gomp, team, LAY_F_gomp_team_prev_team_id, number) == ompd_rc_ok;
}

/** Has the thread itself created all teams that it is in, as only the one that a pool belongs to has? */
static bool is_at_root(struct gomp *gomp, const struct gomp_native *native)
{
    uint64_t team = native->record.team, number = native->record.team_id;
    for (unsigned level = 0; team != 0; level++)
        if (number != 0 || level == LEVELS_MAX || !gomp_enclosing(gomp, team, &team, &number))
            return false;
    return number == 0;
}

/** The one that is FIRST in the pool's list. Before gcc 9 its place there was not written to. */
static const struct gomp_native *find_owner(struct gomp *gomp, uint64_t pool, uint64_t first)
{
    const struct gomp_native *found = NULL;
    for (size_t i = 0; i < gomp->native_count; i++)
        if (gomp->natives[i].address == first && first != 0)
            return &gomp->natives[i];
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_native *native = &gomp->natives[i];
        if (!native->readable || native->record.pool != pool || !is_at_root(gomp, native))
            continue;
        if (found != NULL)
            return NULL;
        found = native;
    }
    return found;
}

/** What cannot be read stays 0. */
static void read_pool(struct gomp *gomp, struct gomp_pool *pool)
{
    struct pages *pages = &gomp->world->pages;
    uint64_t threads = 0, first = 0;
    ompd_rc_t rc = gomp_field(gomp, pool->address, LAY_F_gomp_thread_pool_last_team, &pool->last_team);
    if (rc == ompd_rc_ok || rc == ompd_rc_unsupported)
        rc = gomp_field(gomp, pool->address, LAY_F_gomp_thread_pool_threads, &threads);
    if (rc == ompd_rc_ok && threads != 0)
        rc = pages_number(gomp->aspace, pages, threads, 8, &first);
    gomp->world->incomplete |= threads != 0 && rc != ompd_rc_ok;
    pool->used = threads != 0 || rc == ompd_rc_unsupported;
    pool->owner = find_owner(gomp, pool->address, first);
}

static ompd_rc_t read_pools(struct gomp *gomp)
{
    const size_t room = gomp->native_count < POOLS_MAX ? gomp->native_count : POOLS_MAX;
    TRY(brk_alloc(&gomp->aspace->brk, (room + 1) * sizeof *gomp->pools, &gomp->pools));
    for (size_t i = 0; i < gomp->native_count && gomp->pool_count < room; i++) {
        const uint64_t address = gomp->natives[i].record.pool;
        if (address == 0 || gomp_pool_at(gomp, address) != NULL)
            continue;
        struct gomp_pool *pool = &gomp->pools[gomp->pool_count++];
        *pool = (struct gomp_pool){.address = address};
        read_pool(gomp, pool);
    }
    return ompd_rc_ok;
}

/* ---- idle ---------------------------------------------------------------------------------------------- */

bool gomp_waits_on(const struct gomp_native *native, uint64_t address, uint64_t behind)
{
    if (native->place == GOMP_SLEEPING)
        return native->waits_on == address;
    return native->place == GOMP_SPINNING &&
           (native->waits_on == address || (behind != 0 && native->waits_on + behind == address));
}

bool gomp_at_dock(const struct gomp *gomp, const struct gomp_native *native)
{
    const uint64_t generation = gomp_offset(gomp, LAY_F_gomp_thread_pool_dock_generation);
    return gomp_has(gomp, LAY_F_gomp_thread_pool_dock_generation) && native->record.pool != 0 &&
           gomp_waits_on(native, native->record.pool + generation,
                         gomp_generation_behind(gomp, LAY_F_gomp_thread_pool_dock_generation));
}

/** The word that waiters at the barrier of a team wait on. */
static uint64_t generation_of(const struct gomp *gomp, uint64_t team)
{
    return team + gomp_offset(gomp, LAY_F_gomp_team_barrier_generation);
}

bool gomp_at_barrier_of(const struct gomp *gomp, const struct gomp_native *native, uint64_t team)
{
    return team != 0 && gomp_has(gomp, LAY_F_gomp_team_barrier_generation) &&
           gomp_waits_on(native, generation_of(gomp, team),
                         gomp_generation_behind(gomp, LAY_F_gomp_team_barrier_generation));
}

bool gomp_at_barrier(const struct gomp *gomp, const struct gomp_native *native)
{
    return gomp_at_barrier_of(gomp, native, native->record.team);
}

uint64_t gomp_barrier_flags(struct gomp *gomp, const struct gomp_native *native, enum gomp_cancels cancels)
{
    return generation_flags(gomp, native, generation_of(gomp, native->record.team), cancels);
}

bool gomp_is_not_cancelled(struct gomp *gomp, const struct gomp_native *native)
{
    uint64_t word;
    return pages_number(gomp->aspace, &gomp->world->pages, generation_of(gomp, native->record.team), 4,
                        &word) == ompd_rc_ok &&
           (word & BARRIER_CANCELLED) == 0;
}

uint64_t gomp_dock_flags(struct gomp *gomp, const struct gomp_native *native)
{
    const uint64_t generation = gomp_offset(gomp, LAY_F_gomp_thread_pool_dock_generation);
    return generation_flags(gomp, native, native->record.pool + generation, GOMP_CANCELS_NO);
}

bool gomp_tells_regions(const struct gomp_pool *pool)
{
    return pool->owner != NULL && pool->owner->readable && pool->owner->record.pool == pool->address;
}

bool gomp_is_around(struct gomp *gomp, const struct gomp_record *record, uint64_t team)
{
    uint64_t at = record->team, number;
    for (unsigned level = 0; at != 0 && level < LEVELS_MAX; level++)
        if (at == team || !gomp_enclosing(gomp, at, &at, &number))
            return true;
    return false;
}

/** Does it wait at its team's barrier, and others are still to come? Then it is in its team's region. */
static bool stays(struct gomp *gomp, const struct gomp_native *native)
{
    return gomp_at_barrier(gomp, native) &&
           gomp_barrier_flags(gomp, native, GOMP_CANCELS_NO) == OMPDX_WAIT_LASTS;
}

/**
 * A worker between two regions sleeps at the dock of its pool, or is on its way there. Its record still has
 * the team of the region that has ended, which the pool keeps for the next one. The thread that the pool
 * belongs to passes the dock too, when it starts a region: before, it has written the new team into the
 * workers' records.
 */
static void find_idle(struct gomp *gomp, struct gomp_native *native)
{
    const struct gomp_pool *pool = gomp_pool_at(gomp, native->record.pool);
    const uint64_t team = native->record.team;
    if (pool == NULL || pool->owner == NULL || pool->owner == native)
        return;
    native->idle = team != 0 && team == pool->last_team;
    if (!gomp_at_dock(gomp, native))
        return;
    const bool ended = team == 0 || native->idle ||
                       (gomp_tells_regions(pool) && !gomp_is_around(gomp, &pool->owner->record, team));
    native->called = !ended && gomp_dock_flags(gomp, native) == OMPDX_WAIT_OVER;
    native->listed = !ended && !native->called && gomp_tells_regions(pool);
    native->idle = !native->called;
}

/** Is it at the dock, or on its way there, as far as its place tells? */
static bool may_be_at_dock(struct gomp *gomp, const struct gomp_native *native)
{
    if (native->place == GOMP_INSIDE || gomp_at_dock(gomp, native))
        return true;
    return native->place != GOMP_OUTSIDE && !gomp_has(gomp, LAY_F_gomp_thread_pool_dock_generation) &&
           !stays(gomp, native);
}

/**
 * Where the pool does not say whose it is, or which region has ended, a thread at the dock, or on its way,
 * may be idle or start a region. A thread elsewhere is in its region. Without pools that can be any worker
 * that does not wait at its team's barrier.
 */
static const char *doubt_of(struct gomp *gomp, const struct gomp_native *native)
{
    static const char unsound[] = "the record of the threads' pool, which tells whether the thread is idle, "
                                  "is damaged";
    const struct gomp_pool *pool = gomp_pool_at(gomp, native->record.pool);
    const char *no_pool = gomp_missing(gomp, LAY_F_gomp_thread_thread_pool);
    const char *no_list = gomp_missing(gomp, LAY_F_gomp_thread_pool_threads);
    if (no_pool != NULL)
        return native->record.team != 0 && native->record.team_id != 0 && !stays(gomp, native) ? no_pool
                                                                                               : NULL;
    if (pool == NULL || !pool->used || native->idle || !may_be_at_dock(gomp, native))
        return NULL;
    if (pool->owner == NULL)
        return no_list != NULL ? no_list : unsound;
    return native->record.team_id != 0 && !gomp_tells_regions(pool)
               ? gomp_missing(gomp, LAY_F_gomp_thread_pool_last_team)
               : NULL;
}

ompd_rc_t gomp_read_records(struct gomp *gomp)
{
    struct world *world = gomp->world;
    struct gomp_tls tls;
    TRY(stock_threads(gomp->aspace, &world->native, &world->native_count));
    TRY(gomp_find_tls(gomp, &tls));
    gomp->native_count = world->native_count;
    world->natives_tell = true;
    TRY(brk_alloc(&gomp->aspace->brk, gomp->native_count * sizeof *gomp->natives, &gomp->natives));
    for (size_t i = 0; i < gomp->native_count; i++)
        gomp->natives[i] = (struct gomp_native){.stock = &world->native[i], .thread = WORLD_NONE};
    TRY(read_all(gomp, &tls));
    return read_pools(gomp);
}

void gomp_find_idle(struct gomp *gomp)
{
    for (size_t i = 0; i < gomp->native_count; i++) {
        find_idle(gomp, &gomp->natives[i]);
        gomp->natives[i].refused = doubt_of(gomp, &gomp->natives[i]);
    }
}
