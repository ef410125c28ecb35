/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/judge.h"
#include "ompd/fuzz/session.h"

/* ---- registers ----------------------------------------------------------------------------------------- */

static bool is_wrong(const uint8_t *a)
{
    return (a[0] & 0x60) != 0;
}

/** The handle to pass: the proper one, NULL, or one of another sort. */
static void *given(const uint8_t *a, void *proper, void *other)
{
    return (a[0] & 0x20) != 0 ? NULL : (a[0] & 0x40) != 0 ? other : proper;
}

static ompd_address_space_handle_t *aspace_of(struct calls *c, const uint8_t *a)
{
    ompd_address_space_handle_t *aspace = c->aspace[a[0] >> 4 & 1];
    return given(a, aspace != NULL ? aspace : c->aspace[0], c->thread[0]);
}
static ompd_thread_handle_t *thread_of(struct calls *c, const uint8_t *a)
{
    return given(a, c->thread[a[0] & 3], c->task[0]);
}
static ompd_parallel_handle_t *parallel_of(struct calls *c, const uint8_t *a)
{
    return given(a, c->parallel[a[0] & 3], c->thread[0]);
}
static ompd_task_handle_t *task_of(struct calls *c, const uint8_t *a)
{
    return given(a, c->task[a[0] & 3], c->aspace[0]);
}

static void *output(const uint8_t *a, void *out)
{
    return (a[0] & 0x80) != 0 ? NULL : out;
}

static void must(ompd_rc_t rc, unsigned function)
{
    if (rc != ompd_rc_ok)
        call_violation(function, "a handle of the library's own cannot be released");
}

static void put_thread(struct calls *c, unsigned i, ompd_thread_handle_t *handle)
{
    if (c->thread[i] != session_of(c->mem)->thread[i] && c->thread[i] != NULL)
        must(ompd_rel_thread_handle(c->thread[i]), CALL_ompd_rel_thread_handle);
    c->thread[i] = handle;
}
static void put_parallel(struct calls *c, unsigned i, ompd_parallel_handle_t *handle)
{
    if (c->parallel[i] != session_of(c->mem)->parallel[i] && c->parallel[i] != NULL)
        must(ompd_rel_parallel_handle(c->parallel[i]), CALL_ompd_rel_parallel_handle);
    c->parallel[i] = handle;
}
static void put_task(struct calls *c, unsigned i, ompd_task_handle_t *handle)
{
    if (c->task[i] != session_of(c->mem)->task[i] && c->task[i] != NULL)
        must(ompd_rel_task_handle(c->task[i]), CALL_ompd_rel_task_handle);
    c->task[i] = handle;
}

void calls_clear(struct calls *c)
{
    must(ompdx_trace(0), CALL_ompdx_trace);
    for (unsigned i = 0; i < REGISTERS; i++) {
        put_thread(c, i, session_of(c->mem)->thread[i]);
        put_parallel(c, i, session_of(c->mem)->parallel[i]);
        put_task(c, i, session_of(c->mem)->task[i]);
    }
    if (c->bracket[0])
        must(ompdx_stop_end(c->aspace[0]), CALL_ompdx_stop_end);
    if (c->aspace[1] != NULL)
        must(ompd_rel_address_space_handle(c->aspace[1]), CALL_ompd_rel_address_space_handle);
    c->aspace[1] = NULL;
    c->bracket[0] = c->bracket[1] = false;
}

#define TO(a) ((unsigned)(a)[0] >> 2 & 3)

static bool is_given(ompd_rc_t rc)
{
    return rc == ompd_rc_ok || rc == ompd_rc_incomplete;
}

/* ---- the library and address spaces -------------------------------------------------------------------- */

#define RUN(name) static ompd_rc_t run_##name(struct calls *c, const uint8_t *a)
#define JUDGED(name, call, ...)                                                                    \
    JUDGE_BEGIN(__VA_ARGS__);                                                                      \
    const ompd_rc_t rc = judge(CALL_##name, call, outs, sizeof outs / sizeof outs[0], is_open(c)); \
    (void)a

static bool is_open(const struct calls *c)
{
    return c->bracket[0] || c->bracket[1];
}

RUN(ompd_initialize)
{
    static const ompd_word_t versions[] = {201811, 202011, 202111, 202411, 0, 202412, -1, 201900};
    JUDGED(ompd_initialize, ompd_initialize(versions[a[1] % 8], (a[0] & 0x80) != 0 ? NULL : &host_callbacks),
           OUT_NONE);
    if (rc == ompd_rc_ok)
        call_violation(CALL_ompd_initialize, "initialised twice");
    return rc;
}

RUN(ompd_finalize)
{
    (void)a;
    return session_restart(c);
}

RUN(ompdx_trace)
{
    (void)c;
    JUDGED(ompdx_trace, ompdx_trace(a[1] % 3), OUT_NONE);
    return rc;
}

RUN(ompd_get_api_version)
{
    ompd_word_t version;
    JUDGED(ompd_get_api_version, ompd_get_api_version(output(a, &version)), OUT(version));
    return rc;
}

RUN(ompd_get_version_string)
{
    const char *text;
    JUDGED(ompd_get_version_string, ompd_get_version_string(output(a, &text)), OUT(text));
    if (rc == ompd_rc_ok)
        judge_text(CALL_ompd_get_version_string, text);
    return rc;
}

RUN(ompd_process_initialize)
{
    ompd_address_space_handle_t *handle;
    void *context = (a[0] & 0x20) != 0 ? NULL : (void *)c->mem;
    JUDGED(ompd_process_initialize, ompd_process_initialize(context, output(a, &handle)), OUT(handle));
    if (rc != ompd_rc_ok)
        return rc;
    if (c->aspace[1] != NULL)
        must(ompd_rel_address_space_handle(c->aspace[1]), CALL_ompd_rel_address_space_handle);
    c->aspace[1] = handle;
    c->bracket[1] = false;
    return rc;
}

RUN(ompd_device_initialize)
{
    ompd_address_space_handle_t *handle;
    uint64_t id = 1;
    JUDGED(ompd_device_initialize,
           ompd_device_initialize(aspace_of(c, a), (void *)c->mem, (ompd_device_t)(a[1] & 3), a[2], &id,
                                  output(a, &handle)),
           OUT(handle));
    if (rc == ompd_rc_ok)
        call_violation(CALL_ompd_device_initialize, "there is no device");
    return rc;
}

RUN(ompd_rel_address_space_handle)
{
    if (c->aspace[1] == NULL || is_wrong(a)) {
        JUDGED(ompd_rel_address_space_handle,
               ompd_rel_address_space_handle((a[0] & 0x40) != 0 ? (void *)c->thread[0] : NULL), OUT_NONE);
        return rc;
    }
    JUDGED(ompd_rel_address_space_handle, ompd_rel_address_space_handle(c->aspace[1]), OUT_NONE);
    c->aspace[1] = NULL;
    c->bracket[1] = false;
    return rc;
}

RUN(ompd_get_omp_version)
{
    ompd_word_t version;
    JUDGED(ompd_get_omp_version, ompd_get_omp_version(aspace_of(c, a), output(a, &version)), OUT(version));
    return rc;
}

RUN(ompd_get_omp_version_string)
{
    const char *text;
    JUDGED(ompd_get_omp_version_string, ompd_get_omp_version_string(aspace_of(c, a), output(a, &text)),
           OUT(text));
    if (rc == ompd_rc_ok)
        judge_owned_text(CALL_ompd_get_omp_version_string, text);
    return rc;
}

RUN(ompd_get_device_thread_id_kinds)
{
    ompd_thread_id_t *kinds;
    ompd_size_t *sizes;
    int count;
    JUDGED(ompd_get_device_thread_id_kinds,
           ompd_get_device_thread_id_kinds(aspace_of(c, a), &kinds, &sizes, output(a, &count)), OUT(kinds),
           OUT(sizes), OUT(count));
    if (rc == ompd_rc_ok) {
        judge_initialised(kinds, (size_t)count * sizeof *kinds);
        judge_initialised(sizes, (size_t)count * sizeof *sizes);
        host_free(kinds);
        host_free(sizes);
    }
    return rc;
}

RUN(ompd_get_display_control_vars)
{
    const char *const *vars;
    JUDGED(ompd_get_display_control_vars, ompd_get_display_control_vars(aspace_of(c, a), output(a, &vars)),
           OUT(vars));
    if (!is_given(rc))
        return rc;
    for (const char *const *var = vars; *var != NULL; var++)
        judge_text(CALL_ompd_get_display_control_vars, *var);
    const ompd_rc_t released = ompd_rel_display_control_vars(&vars);
    call_codes[CALL_ompd_rel_display_control_vars][released]++;
    call_damaged[CALL_ompd_rel_display_control_vars][released] |= mem_is_damaged(c->mem);
    must(released, CALL_ompd_rel_display_control_vars);
    return rc;
}

RUN(ompd_rel_display_control_vars)
{
    const char *const *vars = NULL;
    JUDGED(ompd_rel_display_control_vars, ompd_rel_display_control_vars(output(a, &vars)), OUT_NONE);
    (void)c;
    return rc;
}

RUN(ompd_enumerate_states)
{
    ompd_word_t next, more;
    const char *name;
    const ompd_word_t current =
        (a[2] & 1) != 0 ? ompt_state_undefined : (ompd_word_t)(a[1] | (a[2] & 6) << 7);
    JUDGED(ompd_enumerate_states,
           ompd_enumerate_states(aspace_of(c, a), current, &next, &name, output(a, &more)), OUT(next),
           OUT(name), OUT(more));
    if (rc == ompd_rc_ok)
        judge_owned_text(CALL_ompd_enumerate_states, name);
    return rc;
}

RUN(ompd_enumerate_icvs)
{
    ompd_icv_id_t next;
    const char *name;
    ompd_scope_t scope;
    int more;
    JUDGED(ompd_enumerate_icvs,
           ompd_enumerate_icvs(aspace_of(c, a), a[1], &next, &name, &scope, output(a, &more)), OUT(next),
           OUT(name), OUT(scope), OUT(more));
    if (rc == ompd_rc_ok)
        judge_owned_text(CALL_ompd_enumerate_icvs, name);
    return rc;
}

/** The handle and scope for control variable number A[1]; another scope when A[2] says so. */
static void *of_scope(struct calls *c, const uint8_t *a, ompd_scope_t *scope)
{
    *scope = (a[2] & 0x80) != 0 ? (ompd_scope_t)(a[2] % 10) : session_scope(a[1]);
    if (is_wrong(a))
        return given(a, NULL, c->thread[a[0] & 3]);
    switch (*scope) {
    case ompd_scope_thread:
        return c->thread[a[0] & 3];
    case ompd_scope_parallel:
        return c->parallel[a[0] & 3];
    case ompd_scope_task:
    case ompd_scope_implicit_task:
        return c->task[a[0] & 3];
    default:
        return aspace_of(c, a);
    }
}

RUN(ompd_get_icv_from_scope)
{
    ompd_word_t value;
    ompd_scope_t scope;
    void *handle = of_scope(c, a, &scope);
    JUDGED(ompd_get_icv_from_scope, ompd_get_icv_from_scope(handle, scope, a[1], output(a, &value)),
           OUT(value));
    return rc;
}

RUN(ompd_get_icv_string_from_scope)
{
    const char *text;
    ompd_scope_t scope;
    void *handle = of_scope(c, a, &scope);
    JUDGED(ompd_get_icv_string_from_scope,
           ompd_get_icv_string_from_scope(handle, scope, a[1], output(a, &text)), OUT(text));
    if (is_given(rc)) /* incomplete: a text that was too long */
        judge_owned_text(CALL_ompd_get_icv_string_from_scope, text);
    return rc;
}

RUN(ompd_get_tool_data)
{
    ompd_word_t value;
    ompd_address_t pointer;
    ompd_scope_t scope;
    void *handle = of_scope(c, a, &scope);
    JUDGED(ompd_get_tool_data, ompd_get_tool_data(handle, scope, &value, output(a, &pointer)), OUT(value),
           OUT(pointer));
    return rc;
}

RUN(ompdx_get_runtime_info)
{
    ompdx_runtime_info_t info;
    JUDGED_INFO(ompdx_get_runtime_info, aspace_of(c, a));
    return rc;
}

RUN(ompdx_stop_begin)
{
    JUDGED(ompdx_stop_begin, ompdx_stop_begin(aspace_of(c, a)), OUT_NONE);
    if (rc == ompd_rc_ok)
        c->bracket[c->aspace[1] != NULL ? a[0] >> 4 & 1 : 0] = true;
    return rc;
}

RUN(ompdx_stop_end)
{
    JUDGED(ompdx_stop_end, ompdx_stop_end(aspace_of(c, a)), OUT_NONE);
    if (rc == ompd_rc_ok)
        c->bracket[c->aspace[1] != NULL ? a[0] >> 4 & 1 : 0] = false;
    return rc;
}

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
        put_thread(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_thread_in_parallel)
{
    ompd_thread_handle_t *handle;
    JUDGED(ompd_get_thread_in_parallel,
           ompd_get_thread_in_parallel(parallel_of(c, a), (int8_t)a[1], output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        put_thread(c, TO(a), handle);
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
    uint8_t *native = malloc(size); /* for AddressSanitizer: not a byte more */
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
        put_parallel(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_curr_task_handle)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_curr_task_handle, ompd_get_curr_task_handle(thread_of(c, a), output(a, &handle)),
           OUT(handle));
    if (rc == ompd_rc_ok)
        put_task(c, TO(a), handle);
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
        put_parallel(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_task_parallel_handle)
{
    ompd_parallel_handle_t *handle;
    JUDGED(ompd_get_task_parallel_handle, ompd_get_task_parallel_handle(task_of(c, a), output(a, &handle)),
           OUT(handle));
    if (rc == ompd_rc_ok)
        put_parallel(c, TO(a), handle);
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
        put_task(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_scheduling_task_handle)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_scheduling_task_handle,
           ompd_get_scheduling_task_handle(task_of(c, a), output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        put_task(c, TO(a), handle);
    return rc;
}

RUN(ompd_get_task_in_parallel)
{
    ompd_task_handle_t *handle;
    JUDGED(ompd_get_task_in_parallel,
           ompd_get_task_in_parallel(parallel_of(c, a), (int8_t)a[1], output(a, &handle)), OUT(handle));
    if (rc == ompd_rc_ok)
        put_task(c, TO(a), handle);
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

/* ---- lists --------------------------------------------------------------------------------------------- */

/** Of a list, one goes into the register: the A[1]-th. */
RUN(ompdx_get_all_threads)
{
    ompd_thread_handle_t **all;
    int count;
    JUDGED(ompdx_get_all_threads, ompdx_get_all_threads(aspace_of(c, a), &all, output(a, &count)), OUT(all),
           OUT(count));
    if (is_given(rc)) {
        for (int i = 0; i < count; i++)
            if (i == a[1] % count)
                put_thread(c, TO(a), all[i]);
            else
                must(ompd_rel_thread_handle(all[i]), CALL_ompd_rel_thread_handle);
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
                put_parallel(c, TO(a), all[i]);
            else
                must(ompd_rel_parallel_handle(all[i]), CALL_ompd_rel_parallel_handle);
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
                put_task(c, TO(a), all[i]);
            else
                must(ompd_rel_task_handle(all[i]), CALL_ompd_rel_task_handle);
        host_free(all);
    }
    return rc;
}

static ompd_rc_t (*const runners[CALL_COUNT])(struct calls *, const uint8_t *) = {
#define X(name) run_##name,
#include "ompd/tests/api_list.def"
#undef X
};

ompd_rc_t call_run(struct calls *c, unsigned function, const uint8_t argument[3])
{
    const ompd_rc_t rc = runners[function](c, argument);
    call_codes[function][rc]++;
    if (mem_is_damaged(c->mem) && call_damaged[function][rc] < UINT8_MAX)
        call_damaged[function][rc]++;
    return rc;
}

bool call_can_succeed(unsigned function)
{
    return function != CALL_ompd_device_initialize && function != CALL_ompd_get_tool_data;
}
