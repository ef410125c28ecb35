/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libomp's locks of the usual kind: queuing locks, which it keeps in a table. Other kinds are not looked for.
 */
#include "corefiles/layout/decode_kmp_parts.h"
#include "corefiles/layout/variables.h"

enum { LINE = 64 };

/* Who comes to a queuing lock looks at the queue's head, and changes both ends of the queue in one step. */
static void decode_queue(struct ly_decoding *d, const struct ly_trace *t)
{
    const struct ly_access *head = ly_first(t, LY_ARGUMENT, 4, LY_READS);
    int32_t tail = INT32_MAX;

    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].pointer == LY_ARGUMENT && t->list[i].how & LY_ATOMIC && t->list[i].offset < tail)
            tail = t->list[i].offset;
    if (head && head->offset == tail + 4) {
        ly_add(d, "kmp_queuing_lock.lk.tail_id", tail, 4);
        ly_add(d, "kmp_queuing_lock.lk.head_id", head->offset, 4);
    }
}

/* It says in its record that it spins, and in that of who came before it that it is the next: that member has
   a line of its own. */
static void decode_waiting(struct ly_decoding *d, const struct ly_trace *t)
{
    const uint16_t thread = ly_first_element(t), threads = t->pointers.list[thread].parent;
    int32_t spins;

    for (size_t i = 0; thread && i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        if (access->pointer == thread && access->how == LY_STORES && access->size == 4 &&
            access->stored.pointer == LY_NUMBER && access->stored.offset == 1)
            ly_claim(d, "kmp_info.th.th_spin_here", access->offset, 4);
    }
    if (!ly_get(d, "kmp_info.th.th_spin_here", &spins))
        return;
    for (size_t i = 0; i < t->count; i++) {
        const struct ly_access *access = &t->list[i];
        const struct ly_pointer *pointer = &t->pointers.list[access->pointer];
        if (access->pointer >= LY_ROOTS && pointer->parent == threads && !pointer->stride &&
            access->how == LY_STORES && access->size == 4 && access->stored.pointer == LY_UNKNOWN &&
            access->offset > spins && access->offset % LINE == 0)
            ly_claim(d, "kmp_info.th.th_next_waiting", access->offset, 4);
    }
}

/* A number chooses a lock of the table: an element of an array. Since libomp 14 tables are linked. */
static void decode_table(struct ly_decoding *d)
{
    const struct ly_function *function = ly_function(d->image, "__kmpc_destroy_lock");
    struct ly_trace t;
    bool is_linked;

    if (!function || ly_trace(d->image, d->code, function, &t))
        return;
    if (ly_lock_table(&t, &is_linked)) {
        ly_add(d, "kmp_indirect_lock.lock", 0, 8);
        ly_add(d, "kmp_indirect_lock.type", 8, 4);
        ly_add(d, "kmp_indirect_lock_table.table", 0, 8);
        ly_add(d, "kmp_indirect_lock_table.next", 12, 4);
        if (is_linked) {
            ly_add(d, "kmp_indirect_lock_table.nrow_ptrs", 8, 4);
            ly_add(d, "kmp_indirect_lock_table.next_table", 16, 8);
        }
    }
    ly_trace_free(&t);
}

void ly_decode_kmp_locks(struct ly_decoding *d)
{
    struct ly_trace t;

    if (ly_follow(d, "__kmp_acquire_queuing_lock", 0, &t)) {
        decode_queue(d, &t);
        decode_waiting(d, &t);
        ly_trace_free(&t);
    }
    decode_table(d);
}
