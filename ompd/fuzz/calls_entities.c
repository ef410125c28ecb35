/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The calls of calls.h: threads, regions, tasks, and lists of them.
 */
#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/runners.h"

/* ---- threads ------------------------------------------------------------------------------------------- */

RUN(ompd_get_thread_handle)
{
    ompd_thread_handle_t *handle;
    static const uint8_t sizes[] = {8, 4, 8, 16, 0, 2, 1, 12};
    uint8_t native[16] = {0};
    const uint64_t id = (a[1] & 0x80) != 0 ? a[1] : session_native(c->mem, a[1] & 7, (a[2] & 8) != 0);
    memcpy(native, &id, sizeof id);
    const ompd_thread_id_t kind = (a[2] & 0x80) != 0 ? (ompd_thread_id_t)(a[2] & 7)
                                  : (a[2] & 8) != 0  ? OMPD_THREAD_ID_LWP
                                                     : OMPD_THREAD_ID_PTHREAD;
    const ompd_size_t size = (a[2] & 7) != 0              ? sizes[a[2] & 7]
                             : kind == OMPD_THREAD_ID_LWP ? 4
                                                          : c->mem->pointer;
    JUDGED(ompd_get_thread_handle,
           ompd_get_thread_handle(aspace_of(c, a), kind, size, native, output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_thread(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_thread_in_parallel)
{
    ompd_thread_handle_t *handle;
    JUDGED(ompd_get_thread_in_parallel,
           ompd_get_thread_in_parallel(parallel_of(c, a), (int8_t)a[1], output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_thread(c, TO(a), handle);
    return rc;
}

RUN(ompd_rel_thread_handle)
{
    const unsigned i = a[0] & 3;
    const bool ours = c->thread[i] != session_of(c->mem)->thread[i] && !is_wrong(a);
    JUDGED(ompd_rel_thread_handle,
           ompd_rel_thread_handle(ours                 ? c->thread[i]
                                  : (a[0] & 0x40) != 0 ? (void *)c->task[i]
                                                       : NULL),
           OUT_NONE);
    if (ours)
        c->thread[i] = session_of(c->mem)->thread[i];
    return rc;
}

RUN(ompd_thread_handle_compare)
{
    int order;
    JUDGED(ompd_thread_handle_compare,
           ompd_thread_handle_compare(thread_of(c, a), c->thread[TO(a)], output(a, &order)), OUT(order));
    return rc;
}

RUN(ompd_get_thread_id)
{
    const ompd_thread_id_t kind =
        (a[2] & 0x80) != 0 ? (ompd_thread_id_t)(a[2] & 7) : (ompd_thread_id_t)(a[1] & 1);
    const ompd_size_t size = (a[2] & 0x40) != 0           ? (a[2] & 15)
                             : kind == OMPD_THREAD_ID_LWP ? 4
                                                          : c->mem->pointer;
    uint8_t *native = malloc(size); /* no longer than SIZE, so that AddressSanitizer notices a byte more */
    struct judge_out outs[] = {{size != 0 ? native : NULL, size}};
    judge_begin(outs, 1);
    ompd_rc_t rc = ompd_get_thread_id(thread_of(c, a), kind, size, output(a, native));
    rc = judge(CALL_ompd_get_thread_id, rc, outs, 1, is_open(c));
    free(native);
    return rc;
}

RUN(ompd_get_device_from_thread)
{
    ompd_address_space_handle_t *device;
    JUDGED(ompd_get_device_from_thread, ompd_get_device_from_thread(thread_of(c, a), output(a, &device)),
           OUT(device));
    return rc;
}

RUN(ompd_get_state)
{
    ompd_word_t state;
    ompd_wait_id_t wait;
    JUDGED(ompd_get_state, ompd_get_state(thread_of(c, a), output(a, &state), &wait), OUT(state), OUT(wait));
    return rc;
}

RUN(ompd_get_curr_parallel_handle)
{
    ompd_parallel_handle_t *handle;
    JUDGED(ompd_get_curr_parallel_handle, ompd_get_curr_parallel_handle(thread_of(c, a), output(a, &handle)),
           OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_parallel(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_curr_task_handle)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_curr_task_handle, ompd_get_curr_task_handle(thread_of(c, a), output(a, &handle)),
           OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_task(c, TO(a), handle);
    return rc;
}

RUN(ompdx_get_thread_info)
{
    ompdx_thread_info_t info;
    JUDGED_INFO(ompdx_get_thread_info, thread_of(c, a));
    return rc;
}

/* ---- regions ------------------------------------------------------------------------------------------- */

RUN(ompd_get_enclosing_parallel_handle)
{
    ompd_parallel_handle_t *handle;
    JUDGED(ompd_get_enclosing_parallel_handle,
           ompd_get_enclosing_parallel_handle(parallel_of(c, a), output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_parallel(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_task_parallel_handle)
{
    ompd_parallel_handle_t *handle;
    JUDGED(ompd_get_task_parallel_handle, ompd_get_task_parallel_handle(task_of(c, a), output(a, &handle)),
           OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_parallel(c, TO(a), handle);
    return rc;
}

RUN(ompd_rel_parallel_handle)
{
    const unsigned i = a[0] & 3;
    const bool ours = c->parallel[i] != session_of(c->mem)->parallel[i] && !is_wrong(a);
    JUDGED(ompd_rel_parallel_handle,
           ompd_rel_parallel_handle(ours                 ? c->parallel[i]
                                    : (a[0] & 0x40) != 0 ? (void *)c->task[i]
                                                         : NULL),
           OUT_NONE);
    if (ours)
        c->parallel[i] = session_of(c->mem)->parallel[i];
    return rc;
}

RUN(ompd_parallel_handle_compare)
{
    int order;
    JUDGED(ompd_parallel_handle_compare,
           ompd_parallel_handle_compare(parallel_of(c, a), c->parallel[TO(a)], output(a, &order)),
           OUT(order));
    return rc;
}

RUN(ompdx_get_parallel_info)
{
    ompdx_parallel_info_t info;
    JUDGED_INFO(ompdx_get_parallel_info, parallel_of(c, a));
    return rc;
}

RUN(ompdx_get_barrier_arrivals)
{
    int *numbers, count;
    JUDGED(ompdx_get_barrier_arrivals,
           ompdx_get_barrier_arrivals(parallel_of(c, a), &numbers, output(a, &count)), OUT(numbers),
           OUT(count));
    if (rc == ompd_rc_ok) {
        judge_initialised(numbers, (size_t)count * sizeof *numbers);
        for (int i = 1; i < count; i++)
            if (numbers[i - 1] > numbers[i])
                call_violation(CALL_ompdx_get_barrier_arrivals, "the numbers do not ascend");
        host_free(numbers);
    }
    return rc;
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

RUN(ompd_get_generating_task_handle)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_generating_task_handle,
           ompd_get_generating_task_handle(task_of(c, a), output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_task(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_scheduling_task_handle)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_scheduling_task_handle,
           ompd_get_scheduling_task_handle(task_of(c, a), output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_task(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_task_in_parallel)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_task_in_parallel,
           ompd_get_task_in_parallel(parallel_of(c, a), (int8_t)a[1], output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        call_put_task(c, TO(a), handle);
    return rc;
}

RUN(ompd_rel_task_handle)
{
    const unsigned i = a[0] & 3;
    const bool ours = c->task[i] != session_of(c->mem)->task[i] && !is_wrong(a);
    JUDGED(ompd_rel_task_handle,
           ompd_rel_task_handle(ours                 ? c->task[i]
                                : (a[0] & 0x40) != 0 ? (void *)c->thread[i]
                                                     : NULL),
           OUT_NONE);
    if (ours)
        c->task[i] = session_of(c->mem)->task[i];
    return rc;
}

RUN(ompd_task_handle_compare)
{
    int order;
    JUDGED(ompd_task_handle_compare,
           ompd_task_handle_compare(task_of(c, a), c->task[TO(a)], output(a, &order)), OUT(order));
    return rc;
}

RUN(ompd_get_task_function)
{
    ompd_address_t entry;
    JUDGED(ompd_get_task_function, ompd_get_task_function(task_of(c, a), output(a, &entry)), OUT(entry));
    return rc;
}

RUN(ompd_get_task_frame)
{
    ompd_frame_info_t leave, enter;
    JUDGED(ompd_get_task_frame, ompd_get_task_frame(task_of(c, a), &leave, output(a, &enter)), OUT(leave),
           OUT(enter));
    return rc;
}

RUN(ompdx_get_task_info)
{
    ompdx_task_info_t info;
    JUDGED_INFO(ompdx_get_task_info, task_of(c, a));
    return rc;
}

RUN(ompdx_get_task_predecessors)
{
    uint64_t *ids;
    int count;
    JUDGED(ompdx_get_task_predecessors, ompdx_get_task_predecessors(task_of(c, a), &ids, output(a, &count)),
           OUT(ids), OUT(count));
    if (rc == ompd_rc_ok) {
        judge_initialised(ids, (size_t)count * sizeof *ids);
        host_free(ids);
    }
    return rc;
}

RUN(ompdx_get_held)
{
    ompdx_held_t *held;
    int count;
    JUDGED(ompdx_get_held, ompdx_get_held(thread_of(c, a), &held, output(a, &count)), OUT(held), OUT(count));
    if (is_given(rc)) {
        judge_initialised(held, (size_t)count * sizeof *held);
        host_free(held);
    }
    return rc;
}

RUN(ompdx_get_place)
{
    const char *processors;
    int place;
    JUDGED(ompdx_get_place, ompdx_get_place(thread_of(c, a), &place, output(a, &processors)), OUT(place),
           OUT(processors));
    if (is_given(rc))
        host_free((void *)processors);
    return rc;
}

RUN(ompdx_get_loop_info)
{
    ompdx_loop_info_t info;
    JUDGED_INFO(ompdx_get_loop_info, task_of(c, a));
    return rc;
}

/* ---- lists --------------------------------------------------------------------------------------------- */

/** One handle of a list, the A[1]-th, goes into the register; the others are released. */
RUN(ompdx_get_all_threads)
{
    ompd_thread_handle_t **all;
    int count;
    JUDGED(ompdx_get_all_threads, ompdx_get_all_threads(aspace_of(c, a), &all, output(a, &count)), OUT(all),
           OUT(count));
    if (is_given(rc)) {
        for (int i = 0; i < count; i++)
            if (i == a[1] % count)
                call_put_thread(c, TO(a), all[i]);
            else
                call_must(ompd_rel_thread_handle(all[i]), CALL_ompd_rel_thread_handle);
        host_free(all);
    }
    return rc;
}

RUN(ompdx_get_all_parallels)
{
    ompd_parallel_handle_t **all;
    int count;
    JUDGED(ompdx_get_all_parallels, ompdx_get_all_parallels(aspace_of(c, a), &all, output(a, &count)),
           OUT(all), OUT(count));
    if (is_given(rc)) {
        for (int i = 0; i < count; i++)
            if (i == a[1] % count)
                call_put_parallel(c, TO(a), all[i]);
            else
                call_must(ompd_rel_parallel_handle(all[i]), CALL_ompd_rel_parallel_handle);
        host_free(all);
    }
    return rc;
}

RUN(ompdx_get_all_tasks)
{
    ompd_task_handle_t **all;
    int count;
    JUDGED(ompdx_get_all_tasks, ompdx_get_all_tasks(aspace_of(c, a), &all, output(a, &count)), OUT(all),
           OUT(count));
    if (is_given(rc)) {
        for (int i = 0; i < count; i++)
            if (i == a[1] % count)
                call_put_task(c, TO(a), all[i]);
            else
                call_must(ompd_rel_task_handle(all[i]), CALL_ompd_rel_task_handle);
        host_free(all);
    }
    return rc;
}
