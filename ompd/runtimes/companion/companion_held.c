/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: the mutexes that a thread holds, and the place that it is bound to.
 */
#include "runtimes/companion/companion.h"

/** Bytes of struct rt_held that are taken at most. */
#define HELD_BYTES_MAX 65536u

ompd_rc_t co_read_held(aspace_t *aspace, const struct co_thread *thread, struct co_held **ret,
                       uint32_t *count)
{
    const struct lay *lay = &aspace->lay;
    const struct lay_entry *places = lay_at(lay, LAY_F_rt_held_places);
    const uint32_t row = lay_size(lay, LAY_S_rt_held_place), bytes = lay_size(lay, LAY_S_rt_held);
    const bool kinds = lay_at(lay, LAY_F_rt_held_place_kind)->kind == LAY_FIELD;
    uint64_t used, kind;
    __attribute__((cleanup(tgt_free_guard))) uint8_t *held = NULL;
    __attribute__((cleanup(tgt_free_guard))) struct co_held *rows = NULL;
    if (thread->held == 0)
        return ompd_rc_unsupported;
    if (bytes > HELD_BYTES_MAX || places->size != row)
        return ompd_rc_error;
    TRY(tgt_alloc(bytes, &held));
    TRY(tgt_read(&aspace->tgt, thread->held, bytes, held));
    TRY(lay_get(&aspace->tgt, lay, held, LAY_F_rt_held_count, &used));
    if (used > places->count)
        return ompd_rc_error;
    TRY(tgt_alloc((used + 1) * sizeof *rows, &rows));
    for (uint64_t i = 0; i < used; i++) {
        const uint8_t *place = held + places->offset + i * row;
        rows[i].kind = ompdx_wait_unknown;
        TRY(lay_get(&aspace->tgt, lay, place, LAY_F_rt_held_place_object, &rows[i].object));
        TRY(lay_get(&aspace->tgt, lay, place, LAY_F_rt_held_place_codeptr, &rows[i].codeptr));
        if (kinds) {
            TRY(lay_get(&aspace->tgt, lay, place, LAY_F_rt_held_place_kind, &kind));
            rows[i].kind = co_wait_kind(aspace, kind);
        }
    }
    *count = (uint32_t)used;
    *ret = rows;
    rows = NULL;
    return used == places->count ? ompd_rc_incomplete : ompd_rc_ok;
}

/** Whether the object's word has another thread's number: another thread has released it. */
static ompd_rc_t is_stale(aspace_t *aspace, const struct co_thread *thread, const struct co_held *held,
                          bool *ret)
{
    uint8_t bytes[CO_MUTEX_BYTES];
    uint64_t word;
    *ret = false;
    if (held->kind == ompdx_wait_ordered) /* its word is no mutex; only its thread passes the turn on */
        return ompd_rc_ok;
    TRY(tgt_read(&aspace->tgt, held->object, CO_MUTEX_BYTES, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, CO_MUTEX_BYTES, &word));
    word >>= co_constant(aspace, LAY_C_RT_MUTEX_SHIFT);
    *ret = word != thread->lock_number;
    if ((word & co_constant(aspace, LAY_C_RT_MUTEX_TASK)) != 0) {
        struct co_thread owner;
        const char *why;
        TRY(co_task_owner(aspace, word, &owner, &why));
        *ret = owner.serial != thread->serial;
    }
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_held(aspace_t *aspace, const struct rtm_ref *ref, ompdx_held_t **ret, int *count)
{
    struct co_thread thread;
    uint64_t debug;
    __attribute__((cleanup(tgt_free_guard))) struct co_held *held = NULL;
    __attribute__((cleanup(tgt_free_guard))) ompdx_held_t *rows = NULL;
    uint32_t used = 0;
    int kept = 0;
    uint64_t reused;
    ompd_rc_t rc;
    TRY(co_live_thread(aspace, ref, CO_ALL, &thread));
    TRY(co_root_number(aspace, LAY_F_rt_root_debug, &debug));
    if (debug == 0 || lay_at(&aspace->lay, LAY_F_rt_thread_held)->kind != LAY_FIELD ||
        lay_at(&aspace->lay, LAY_F_rt_thread_lock_number)->kind != LAY_FIELD)
        return ompd_rc_unsupported;
    TRY(co_numbers_reused(aspace, &reused));
    rc = co_read_held(aspace, &thread, &held, &used);
    if (rc == ompd_rc_unsupported) { /* it has not taken one yet */
        *ret = NULL;
        *count = 0;
        return ompd_rc_ok;
    }
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    TRY(tgt_alloc(((uint64_t)used + 1) * sizeof *rows, &rows));
    for (uint32_t i = 0; i < used; i++) {
        bool stale, twice = false;
        for (int k = 0; k < kept; k++)
            twice |= rows[k].object == held[i].object;
        ompd_rc_t read = is_stale(aspace, &thread, &held[i], &stale);
        if (read == ompd_rc_nomem)
            return read;
        if (read != ompd_rc_ok)
            rc = ompd_rc_incomplete; /* who holds it cannot be read */
        else if (!stale && !twice)
            rows[kept++] = (ompdx_held_t){held[i].object, held[i].codeptr, held[i].kind, (int32_t)reused};
    }
    *count = kept;
    *ret = NULL;
    if (kept != 0) {
        *ret = rows;
        rows = NULL;
    }
    return rc;
}

ompd_rc_t co_op_thread_place(aspace_t *aspace, const struct rtm_ref *ref, int *place,
                             struct grown *processors)
{
    struct co_thread thread;
    TRY(co_live_thread(aspace, ref, CO_ALL, &thread));
    if (lay_at(&aspace->lay, LAY_F_rt_thread_place)->kind != LAY_FIELD)
        return ompd_rc_unsupported;
    if (thread.place < 0)
        return ompd_rc_unavailable;
    TRY(co_place_text(aspace, thread.place, processors));
    *place = (int)thread.place;
    return ompd_rc_ok;
}
