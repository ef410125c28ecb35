/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: which lock or critical region a thread waits for, and who holds it where that is recorded.
 *
 * The user's word is either the lock itself (its low byte is a tag, the rest names the owner) or leads to a
 * lock of libomp's own: an omp_lock_t holds a number in a table, the word of a critical region an address.
 * The row says where a frame keeps the address of the user's word; the lock behind it has to confirm that: it
 * has its own address in it, and a queuing lock the waiting thread in its queue.
 */
#include "runtimes/kmp/kmp.h"

/** Tags of locks that lie in the user's word. */
#define TAG_TAS       3u
#define TAG_FUTEX     5u
#define FLAG_CRITICAL 1u
/** What libomp allocates more than it was asked for. */
#define BLOCK_HEAD_MAX 256u

static const char no_slot[] = "the row of this libomp does not say where its address is";
static const char no_register[] = "its address is in a register that could not be recovered";
static const char not_there[] = "what is at its address is not what the thread waits for";
static const char unconfirmed[] =
    "the word at its address is 0, as any memory may be, and the thread is in no lock's queue";
static const char no_lock_owner[] = "libomp does not record who holds a lock";
static const char no_critical_owner[] = "libomp does not record who is in a critical region";
static const char no_nest_owner[] = "the lock's record of its owner could not be found";
static const char no_such_owner[] = "the lock names an owner that is no thread of libomp's";

/** The address of the user's word. */
static const char *slot_value(struct kmp *kmp, const struct kmp_stack *stack, uint64_t *ret)
{
    const ompdx_layout_entry_t *slot = stack->slot != NULL ? stock_slot(kmp->stock, stack->slot) : NULL;
    const ompdx_frame_t *frame = &stack->frame;
    uint64_t value;
    if (slot == NULL)
        return no_slot;
    if ((frame->known >> slot->a & 1) == 0)
        return no_register;
    switch (slot->a) {
    case ompdx_reg_rsp:
        value = frame->sp;
        break;
    case ompdx_reg_rbx:
        value = frame->rbx;
        break;
    case ompdx_reg_rbp:
        value = frame->rbp;
        break;
    case ompdx_reg_r12:
        value = frame->r12;
        break;
    case ompdx_reg_r13:
        value = frame->r13;
        break;
    case ompdx_reg_r14:
        value = frame->r14;
        break;
    case ompdx_reg_r15:
        value = frame->r15;
        break;
    default:
        return no_slot;
    }
    if (slot->b != 0 &&
        pages_number(kmp->aspace, &kmp->world->pages, value + slot->c, 8, &value) != ompd_rc_ok)
        return no_register;
    *ret = value;
    return value == 0 || value % 4 != 0 ? not_there : NULL;
}

/** Is ADDRESS one of BYTES from START on? */
static bool within(uint64_t address, uint64_t start, uint64_t bytes)
{
    return address >= start && address - start < bytes;
}

/** Is ADDRESS in a thread's record? O(log n). */
static bool in_record(const struct kmp *kmp, uint64_t address)
{
    const struct index *index = &kmp->by_address;
    size_t low = 0, high = index->count; /* the first that begins behind it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (index->rows[middle].key <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && within(address, index->rows[low - 1].key, lay_size(&kmp->aspace->lay, LAY_S_kmp_info));
}

/**
 * Does a block of libomp's own memory begin at ADDRESS? Before it are where and how large it was allocated
 * and, aligned, is: the address itself, and so much less.
 */
static ompd_rc_t begins_block(struct kmp *kmp, uint64_t address, bool *ret)
{
    uint64_t words[4] = {0};
    *ret = false;
    for (size_t i = 0; i < 4; i++) {
        ompd_rc_t rc = pages_number(kmp->aspace, &kmp->world->pages, address - 32 + 8 * i, 8, &words[i]);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    }
    *ret = words[2] == address && address - words[0] <= words[1] - words[3] && words[1] > words[3] &&
           words[1] - words[3] <= BLOCK_HEAD_MAX;
    return ompd_rc_ok;
}

/** Is a lock at ADDRESS, or (unless that is a critical region's word, which is like that) is one pointed to
 * from there? */
static ompd_rc_t leads_to_lock(struct kmp *kmp, uint64_t address, bool is_critical, bool *ret)
{
    struct kmp_lock lock;
    uint64_t word;
    ompd_rc_t rc = kmp_read_lock(kmp, address, &lock);
    if (rc != ompd_rc_ok && rc != ompd_rc_nomem && !is_critical) {
        rc = pages_number(kmp->aspace, &kmp->world->pages, address, 8, &word);
        if (rc == ompd_rc_ok)
            rc = kmp_read_lock(kmp, word, &lock);
    }
    *ret = rc == ompd_rc_ok;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/**
 * Is there something of libomp's own at ADDRESS: its variables, the stack of its calls, a thread's record,
 * its allocated memory, a lock? The word of a program's lock is elsewhere.
 */
static ompd_rc_t is_own(struct kmp *kmp, const struct kmp_thread *thread, uint64_t address, bool is_critical,
                        bool *ret)
{
    *ret = stock_inside(kmp->stock, address) || in_record(kmp, address) ||
           within(address, thread->stack.low, thread->stack.high - thread->stack.low);
    if (!*ret)
        TRY(begins_block(kmp, address, ret));
    return *ret ? ompd_rc_ok : leads_to_lock(kmp, address, is_critical, ret);
}

static void unknown_mutex(struct world_thread *row, const char *why)
{
    row->unknown[ompdx_fact_wait_id] = why;
    row->unknown[ompdx_fact_owner] = why;
    row->owner_kind = ompdx_owner_unknown;
}

static void unknown_owner(struct world_thread *row, const char *why)
{
    row->owner_kind = ompdx_owner_unknown;
    row->unknown[ompdx_fact_owner] = why;
}

/** NUMBER is gtid + 1, 0 none. */
static void set_owner(const struct kmp *kmp, struct world_thread *row, uint64_t number)
{
    const int32_t at = number != 0 ? kmp_thread_of_gtid(kmp, number - 1) : WORLD_NONE;
    row->owner_kind = ompdx_owner_none;
    if (number == 0)
        return;
    if (at == WORLD_NONE) {
        unknown_owner(row, no_such_owner);
        return;
    }
    row->unknown[ompdx_fact_owner] = NULL;
    row->owner_kind = ompdx_owner_thread;
    row->owner = kmp->threads[at].row;
}

/** A lock that lies in the user's word. Returns false if it is none. */
static bool direct(const struct kmp *kmp, uint32_t word, struct world_thread *row)
{
    const uint32_t tag = word & 0xff;
    if (tag == TAG_TAS)
        set_owner(kmp, row, word >> 8);
    else if (tag == TAG_FUTEX)
        set_owner(kmp, row, word >> 9); /* bit 8: others wait */
    return tag == TAG_TAS || tag == TAG_FUTEX;
}

/**
 * Has THREAD, in a call for LOCK and not in its queue, acquired it? A queuing lock is handed over: from the
 * begin of that call until the thread has the lock, th_spin_here is set, which is what it waits for.
 */
static bool has_acquired(const struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_lock *lock)
{
    return lock->sort == KMP_LOCK_QUEUING && lay_has(&kmp->aspace->lay, LAY_F_kmp_info_spin_here) &&
           thread->spin_here == 0;
}

static void set_acquired(struct kmp *kmp, const struct kmp_thread *thread, struct world_thread *row)
{
    if (thread->stack.polling) /* else it may not have begun to wait */
        kmp->threads[thread - kmp->threads].handed = row->wait_id;
    row->owner_kind = ompdx_owner_none;
    row->unknown[ompdx_fact_owner] = NULL;
}

/**
 * Who holds a lock that libomp has allocated, for which THREAD waits: named in nest locks, and in all if the
 * program runs with KMP_CONSISTENCY_CHECK. The number is written behind the taking: if it is the thread's
 * own, the thread has taken the lock at this moment.
 */
static void set_recorded(const struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_lock *lock,
                         struct world_thread *row)
{
    if (lock->sort == KMP_LOCK_QUEUING && thread->spin_here != 0)
        row->owner_kind = ompdx_owner_somebody;
    if (lock->owner == thread->gtid + 1)
        row->owner_kind = ompdx_owner_none;
    else if (lock->owner != 0 && lock->depth != 0)
        set_owner(kmp, row, lock->owner);
}

/** The word of a critical region leads to a lock: {lock, its sort}. */
static ompd_rc_t in_critical(struct kmp *kmp, const struct kmp_thread *thread, uint64_t word,
                             struct world_thread *row)
{
    struct pages *pages = &kmp->world->pages;
    struct kmp_lock lock = {0};
    uint64_t address;
    uint8_t byte;
    bool waits = false, acquired;
    unknown_owner(row, no_critical_owner);
    ompd_rc_t rc = word % 8 == 0 ? pages_number(kmp->aspace, pages, word, 8, &address) : ompd_rc_error;
    if (rc == ompd_rc_ok)
        rc = kmp_read_lock(kmp, address, &lock);
    if (rc == ompd_rc_ok)
        rc = kmp_waits_for(kmp, thread, &lock, &waits);
    acquired = rc == ompd_rc_ok && !waits && has_acquired(kmp, thread, &lock);
    if (rc == ompd_rc_ok && ((lock.flags & FLAG_CRITICAL) == 0 || (!waits && !acquired)))
        rc = ompd_rc_error;
    else if (acquired)
        set_acquired(kmp, thread, row);
    else if (rc == ompd_rc_ok)
        set_recorded(kmp, thread, &lock, row);
    else if (rc == ompd_rc_unavailable) /* of a sort whose layout is not known: it has to be there at least */
        rc = address % 8 == 0 ? pages_read(kmp->aspace, pages, address, 1, &byte) : ompd_rc_error;
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok)
        unknown_mutex(row, not_there);
    return ompd_rc_ok;
}

/** The table of locks is not known: only a queuing lock can be found. */
static ompd_rc_t in_queue(struct kmp *kmp, const struct kmp_thread *thread, uint64_t word,
                          struct world_thread *row)
{
    struct kmp_lock lock;
    bool found;
    TRY(kmp_find_queuing(kmp, thread, row->wait_id, &lock, &found));
    if ((word & 1) != 0 || ((uint32_t)word == 0 && !found)) { /* 0 is the number of the first lock too */
        unknown_mutex(row, (word & 1) != 0 ? not_there : unconfirmed);
        return ompd_rc_ok;
    }
    if (found)
        set_recorded(kmp, thread, &lock, row);
    return ompd_rc_ok;
}

/** A nest lock of the kinds tas and futex: a user's word of that kind, and how often it is set. */
static ompd_rc_t in_nested_word(struct kmp *kmp, const struct kmp_thread *thread, uint64_t address,
                                struct world_thread *row)
{
    uint64_t poll, depth;
    bool waits;
    TRY(kmp_field(kmp, address, LAY_F_kmp_tas_lock_poll, &poll));
    TRY(kmp_field(kmp, address, LAY_F_kmp_tas_lock_depth_locked, &depth));
    TRY(kmp_points_to(kmp, thread, address, 8, &waits));
    if (!waits || (int32_t)depth < 0 || !direct(kmp, (uint32_t)poll, row))
        return ompd_rc_unavailable;
    if (row->owner_kind == ompdx_owner_thread && row->owner == thread->row) /* taken at this moment */
        row->owner_kind = ompdx_owner_none;
    return ompd_rc_ok;
}

/** The user's word is twice the number of a lock in the table. */
static ompd_rc_t in_table(struct kmp *kmp, const struct kmp_thread *thread, uint64_t word,
                          struct world_thread *row)
{
    const bool nest = row->wait_kind == ompdx_wait_nest_lock;
    struct kmp_lock lock;
    uint64_t address;
    bool waits;
    if ((word & 1) != 0)
        return ompd_rc_unavailable;
    TRY(kmp_numbered_lock(kmp, (uint32_t)word >> 1, &address));
    ompd_rc_t rc = kmp_read_lock(kmp, address, &lock);
    if (rc == ompd_rc_unavailable && nest)
        return in_nested_word(kmp, thread, address, row);
    if (rc != ompd_rc_ok)
        return rc;
    if ((lock.depth != -1) != nest || (lock.flags & FLAG_CRITICAL) != 0)
        return ompd_rc_unavailable;
    TRY(kmp_waits_for(kmp, thread, &lock, &waits));
    if (waits)
        set_recorded(kmp, thread, &lock, row);
    else if (has_acquired(kmp, thread, &lock))
        set_acquired(kmp, thread, row);
    if (!waits && (uint32_t)word == 0) {
        row->wait_flags = row->owner_kind == ompdx_owner_none ? OMPDX_WAIT_OVER : 0;
        unknown_mutex(row, unconfirmed);
    }
    return ompd_rc_ok;
}

/**
 * What the mutex says to its waiter. A word that names the waiter itself was written by it, now or before;
 * but a function of libomp's that has acquired a lock returns without further calls: it sleeps, yields or
 * pauses by them before that.
 */
static void flag_mutex(const struct kmp_thread *thread, struct world_thread *row)
{
    const bool own = row->owner_kind == ompdx_owner_thread && row->owner == thread->row;
    if (row->owner_kind == ompdx_owner_none)
        row->wait_flags = OMPDX_WAIT_OVER;
    else if (own && thread->stack.deep)
        row->wait_flags = OMPDX_WAIT_LASTS | OMPDX_WAIT_FOR_ITSELF;
    else if (!own && row->owner_kind != ompdx_owner_unknown)
        row->wait_flags = OMPDX_WAIT_LASTS;
}

static ompd_rc_t in_lock(struct kmp *kmp, const struct kmp_thread *thread, uint64_t word,
                         struct world_thread *row)
{
    unknown_owner(row, row->wait_kind == ompdx_wait_nest_lock ? no_nest_owner : no_lock_owner);
    if (!kmp_has_lock_table(&kmp->aspace->lay))
        return in_queue(kmp, thread, word, row);
    ompd_rc_t rc = in_table(kmp, thread, word, row);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok)
        unknown_mutex(row, not_there);
    return ompd_rc_ok;
}

static ompd_rc_t find_mutex(struct kmp *kmp, const struct kmp_thread *thread, struct world_thread *row)
{
    uint64_t word = 0;
    bool own = false;
    const char *why = slot_value(kmp, &thread->stack, &row->wait_id);
    const bool is_critical = row->wait_kind == ompdx_wait_critical;
    if (why == NULL)
        TRY(is_own(kmp, thread, row->wait_id, is_critical, &own));
    if (own)
        why = not_there;
    if (why == NULL) {
        /* An omp_lock_t of clang's has eight bytes, gcc's and gfortran's four. */
        ompd_rc_t rc =
            pages_number(kmp->aspace, &kmp->world->pages, row->wait_id, is_critical ? 8 : 4, &word);
        if (rc == ompd_rc_nomem)
            return rc;
        why = rc != ompd_rc_ok ? not_there : NULL;
    }
    if (why != NULL) {
        row->wait_id = 0;
        unknown_mutex(row, why);
        return ompd_rc_ok;
    }
    if (direct(kmp, (uint32_t)word, row))
        return ompd_rc_ok;
    if (is_critical)
        TRY(in_critical(kmp, thread, word, row));
    else
        TRY(in_lock(kmp, thread, word, row));
    if (row->unknown[ompdx_fact_wait_id] != NULL)
        row->wait_id = 0;
    return ompd_rc_ok;
}

ompd_rc_t kmp_mutex(struct kmp *kmp, const struct kmp_thread *thread, struct world_thread *row)
{
    TRY(find_mutex(kmp, thread, row));
    flag_mutex(thread, row);
    return ompd_rc_ok;
}

ompd_rc_t kmp_name_holders(struct kmp *kmp)
{
    struct index holders = {0};
    TRY(brk_alloc(&kmp->aspace->brk, ((size_t)kmp->thread_count + 1) * sizeof *holders.rows, &holders.rows));
    for (int32_t i = 0; i < kmp->thread_count; i++)
        if (kmp->threads[i].handed != 0)
            holders.rows[holders.count++] = (struct index_row){kmp->threads[i].handed, (uint64_t)i};
    index_sort(&holders);
    for (int32_t i = 0; i < kmp->thread_count && holders.count != 0; i++) {
        struct world_thread *row = &kmp->world->threads[kmp->threads[i].row];
        uint64_t at;
        if (row->owner_kind != ompdx_owner_somebody || !index_get(&holders, row->wait_id, &at))
            continue;
        row->owner_kind = ompdx_owner_thread;
        row->owner = kmp->threads[at].row;
        row->unknown[ompdx_fact_owner] = NULL;
        struct world_thread *holder = &kmp->world->threads[row->owner];
        holder->wait_id = row->wait_id; /* it is a lock's: this one is in its queue */
        holder->unknown[ompdx_fact_wait_id] = holder->unknown[ompdx_fact_owner] = NULL;
        holder->owner_kind = ompdx_owner_none;
    }
    return ompd_rc_ok;
}
