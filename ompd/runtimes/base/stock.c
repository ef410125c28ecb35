/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/base/stock.h"

#include <string.h>

/** Entries that one read asks for, and how many a process may have: pid_max of Linux. */
#define THREADS_AT_ONCE 64u
#define THREADS_MAX     (1u << 22)

struct natives {
    ompdx_native_thread_t *rows;
    size_t count, room;
};

static ompd_rc_t more_room(aspace_t *aspace, struct natives *list)
{
    ompdx_native_thread_t *rows = NULL;
    if (list->room - list->count >= THREADS_AT_ONCE)
        return ompd_rc_ok;
    const size_t room = 2 * list->room + THREADS_AT_ONCE;
    TRY(brk_alloc(&aspace->brk, room * sizeof *rows, &rows));
    if (list->count != 0)
        memcpy(rows, list->rows, list->count * sizeof *rows);
    list->rows = rows;
    list->room = room;
    return ompd_rc_ok;
}

/** The end is an error of the read: so many at once, then half as many, down to one. */
static ompd_rc_t read_list(aspace_t *aspace, struct natives *list)
{
    size_t step = THREADS_AT_ONCE;
    while (step != 0 && list->count < THREADS_MAX) {
        TRY(more_room(aspace, list));
        ompd_rc_t rc = tgt_read_segment(&aspace->tgt, NULL, OMPDX_SEGMENT_THREADS,
                                        OMPDX_SEGMENT_BASE + list->count * sizeof *list->rows,
                                        step * sizeof *list->rows, list->rows + list->count);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc == ompd_rc_ok)
            list->count += step;
        else
            step /= 2;
    }
    return ompd_rc_ok;
}

static void take_registers(aspace_t *aspace, struct stock_thread *thread)
{
    ompd_thread_context_t *context = NULL;
    if (tgt_lib.cb.get_thread_context_for_thread_id == NULL ||
        tgt_lib.cb.get_thread_context_for_thread_id(aspace->tgt.context, OMPD_THREAD_ID_LWP,
                                                    sizeof thread->lwp, &thread->lwp,
                                                    &context) != ompd_rc_ok ||
        context == NULL)
        return;
    thread->context = context;
    if (tgt_read_segment(&aspace->tgt, context, OMPDX_SEGMENT_REGISTERS, OMPDX_SEGMENT_BASE,
                         sizeof thread->regs, &thread->regs) != ompd_rc_ok)
        thread->regs = (ompdx_registers_t){0};
}

ompd_rc_t stock_threads(aspace_t *aspace, struct stock_thread **ret, size_t *count)
{
    struct natives list = {0};
    struct stock_thread *threads = NULL;
    TRY(read_list(aspace, &list));
    if (list.count == 0)
        return ompd_rc_unavailable; /* a process has one at least */
    TRY(brk_alloc(&aspace->brk, list.count * sizeof *threads, &threads));
    for (size_t i = 0; i < list.count; i++) {
        threads[i] = (struct stock_thread){.pthread = list.rows[i].pthread, .lwp = list.rows[i].lwp};
        take_registers(aspace, &threads[i]);
    }
    *ret = threads;
    *count = list.count;
    return ompd_rc_ok;
}

ompd_rc_t stock_frame(aspace_t *aspace, const struct stock_thread *thread, uint32_t index, ompdx_frame_t *ret)
{
    ompdx_frame_t frame;
    if (thread->context == NULL)
        return ompd_rc_unavailable;
    ompd_rc_t rc =
        tgt_read_segment(&aspace->tgt, thread->context, OMPDX_SEGMENT_FRAMES,
                         OMPDX_SEGMENT_BASE + (uint64_t)index * sizeof frame, sizeof frame, &frame);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_nomem ? rc : ompd_rc_unavailable;
    *ret = frame;
    return ompd_rc_ok;
}
