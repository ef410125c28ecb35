/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: the locks that lie in its own memory, of three sorts by KMP_LOCK_KIND, and the table of those that
 * an omp_lock_t names by number. A lock's content has to say of which sort it is: a queuing and a drdpa lock
 * begin with their own address, a ticket lock has it behind a 1.
 */
#include "runtimes/kmp/kmp.h"

/** Locks in a row of the table, tables that are linked, lines of polls. */
#define ROW_LOCKS  1024u
#define TABLES_MAX 24
#define POLLS_MAX  (1u << 20)

/** The members that a sort of lock has, by id of the layout; 0: it has none. */
struct sort_ids {
    enum kmp_lock_sort sort;
    uint16_t self, tail, head, owner, depth, flags;
};

static const struct sort_ids sorts[] = {
    {KMP_LOCK_DRDPA, LAY_F_kmp_drdpa_lock_initialized, 0, 0, LAY_F_kmp_drdpa_lock_owner_id,
     LAY_F_kmp_drdpa_lock_depth_locked, LAY_F_kmp_drdpa_lock_flags},
    {KMP_LOCK_QUEUING, LAY_F_kmp_queuing_lock_initialized, LAY_F_kmp_queuing_lock_tail_id,
     LAY_F_kmp_queuing_lock_head_id, LAY_F_kmp_queuing_lock_owner_id, LAY_F_kmp_queuing_lock_depth_locked,
     LAY_F_kmp_queuing_lock_flags},
    {KMP_LOCK_TICKET, LAY_F_kmp_ticket_lock_self, LAY_F_kmp_ticket_lock_next_ticket,
     LAY_F_kmp_ticket_lock_now_serving, LAY_F_kmp_ticket_lock_owner_id, LAY_F_kmp_ticket_lock_depth_locked,
     LAY_F_kmp_ticket_lock_flags},
};

/** Is there an array for polling, as a drdpa lock has? A queuing lock has numbers of threads in that place.
 */
static ompd_rc_t has_polls(struct kmp *kmp, uint64_t address, bool *ret)
{
    uint64_t polls, mask, count;
    *ret = false;
    TRY(kmp_field(kmp, address, LAY_F_kmp_drdpa_lock_polls, &polls));
    TRY(kmp_field(kmp, address, LAY_F_kmp_drdpa_lock_mask, &mask));
    TRY(kmp_field(kmp, address, LAY_F_kmp_drdpa_lock_num_polls, &count));
    *ret = polls != 0 && polls % 8 == 0 && count != 0 && count <= POLLS_MAX && (count & (count - 1)) == 0 &&
           mask == count - 1;
    return ompd_rc_ok;
}

static ompd_rc_t is_sort(struct kmp *kmp, const struct sort_ids *ids, uint64_t address, bool *ret)
{
    uint64_t self, begun;
    *ret = false;
    TRY(kmp_field(kmp, address, ids->self, &self));
    if (self != address)
        return ompd_rc_ok;
    if (ids->sort == KMP_LOCK_DRDPA)
        return has_polls(kmp, address, ret);
    *ret = true;
    if (ids->sort == KMP_LOCK_TICKET) {
        TRY(kmp_field(kmp, address, LAY_F_kmp_ticket_lock_initialized, &begun));
        *ret = begun == 1;
    }
    return ompd_rc_ok;
}

static ompd_rc_t read_sort(struct kmp *kmp, const struct sort_ids *ids, uint64_t address,
                           struct kmp_lock *ret)
{
    struct kmp_lock lock = {.sort = ids->sort, .address = address};
    uint64_t depth;
    if (ids->tail != 0)
        TRY(kmp_field(kmp, address, ids->tail, &lock.tail));
    if (ids->head != 0)
        TRY(kmp_field(kmp, address, ids->head, &lock.head));
    TRY(kmp_field(kmp, address, ids->owner, &lock.owner));
    TRY(kmp_field(kmp, address, ids->depth, &depth));
    TRY(kmp_field(kmp, address, ids->flags, &lock.flags));
    lock.depth = (int32_t)depth;
    *ret = lock;
    return ompd_rc_ok;
}

uint32_t kmp_lock_bytes(const struct kmp *kmp, const struct kmp_lock *lock)
{
    static const uint16_t ids[] = {[KMP_LOCK_QUEUING] = LAY_S_kmp_queuing_lock,
                                   [KMP_LOCK_TICKET] = LAY_S_kmp_ticket_lock,
                                   [KMP_LOCK_DRDPA] = LAY_S_kmp_drdpa_lock};
    return lay_size(&kmp->aspace->lay, ids[lock->sort]);
}

ompd_rc_t kmp_read_lock(struct kmp *kmp, uint64_t address, struct kmp_lock *ret)
{
    ompd_rc_t seen = ompd_rc_unavailable;
    if (address == 0 || address % 8 != 0)
        return ompd_rc_unavailable;
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        bool is;
        ompd_rc_t rc = is_sort(kmp, &sorts[i], address, &is);
        if (rc == ompd_rc_ok && is)
            return read_sort(kmp, &sorts[i], address, ret);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok && rc != ompd_rc_unsupported)
            seen = rc;
    }
    return seen;
}

bool kmp_has_lock_table(const struct lay *lay)
{
    return lay_has(lay, LAY_V_kmp_i_lock_table) && lay_has(lay, LAY_F_kmp_indirect_lock_table_table) &&
           lay_has(lay, LAY_F_kmp_indirect_lock_table_next) && lay_has(lay, LAY_S_kmp_indirect_lock) &&
           lay_has(lay, LAY_F_kmp_indirect_lock_lock);
}

/** The lock NUMBER of the table at ADDRESS, which has it. */
static ompd_rc_t in_table(struct kmp *kmp, uint64_t address, uint64_t number, uint64_t *ret)
{
    const struct lay *lay = &kmp->aspace->lay;
    uint64_t rows, row;
    TRY(kmp_field(kmp, address, LAY_F_kmp_indirect_lock_table_table, &rows));
    if (rows == 0 || rows % 8 != 0)
        return ompd_rc_unavailable;
    TRY(pages_number(kmp->aspace, &kmp->world->pages, rows + number / ROW_LOCKS * 8, 8, &row));
    if (row == 0 || row % 8 != 0)
        return ompd_rc_unavailable;
    return kmp_field(kmp, row + number % ROW_LOCKS * lay_size(lay, LAY_S_kmp_indirect_lock),
                     LAY_F_kmp_indirect_lock_lock, ret);
}

ompd_rc_t kmp_numbered_lock(struct kmp *kmp, uint64_t number, uint64_t *ret)
{
    const struct lay *lay = &kmp->aspace->lay;
    uint64_t table = lay_variable(lay, LAY_V_kmp_i_lock_table);
    for (int steps = 0; table != 0 && steps < TABLES_MAX; steps++) {
        uint64_t count, rows;
        TRY(kmp_field(kmp, table, LAY_F_kmp_indirect_lock_table_next, &count));
        if (number < count)
            return in_table(kmp, table, number, ret);
        if (!lay_has(lay, LAY_F_kmp_indirect_lock_table_next_table))
            return ompd_rc_unavailable;
        TRY(kmp_field(kmp, table, LAY_F_kmp_indirect_lock_table_nrow_ptrs, &rows));
        if (number < rows * ROW_LOCKS)
            return ompd_rc_unavailable;
        number -= rows * ROW_LOCKS;
        TRY(kmp_field(kmp, table, LAY_F_kmp_indirect_lock_table_next_table, &table));
    }
    return ompd_rc_unavailable;
}
