/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The calls of calls.h: the library, address spaces and control variables.
 */
#include <string.h>

#include "ompd/fuzz/runners.h"

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

/** Layouts that are kept at a time. */
enum { KEPT_MAX = 64 };

/** A layout of two entries that are good, and perhaps of one that is any. */
RUN(ompdx_layout_add)
{
    static const char *const names[] = {
        "gomp_team", "gomp_team.nthreads", "3856f0954e1931eebc020ca4a4e6bef4", "", "x.", NULL};
    static const uint64_t numbers[] = {0,         1, 8, 64, 1344, 4096, UINT64_C(1) << 20, UINT64_C(1) << 31,
                                       UINT64_MAX};
    const size_t count = sizeof numbers / sizeof numbers[0];
    ompdx_layout_entry_t entries[] = {{ompdx_layout_size, "gomp_team", 1344, 0, 0},
                                      {ompdx_layout_function, "GOMP_barrier", 4096, 4160, 0},
                                      {a[1] % 13, names[a[2] % 6], numbers[a[1] / 13 % count],
                                       numbers[a[2] / 6 % count], numbers[a[0] % count]}};
    const ompdx_layout_t layout = {.size = a[0] & 64 ? (uint64_t)a[2] : sizeof layout,
                                   .family = a[0] & 1 ? "gomp" : "kmp",
                                   .name = "any",
                                   .source = "the fuzzer",
                                   .count = 2 + (a[1] & 1),
                                   .entries = entries};
    (void)c;
    JUDGED(ompdx_layout_add, ompdx_layout_add(a[0] & 128 || call_kept >= KEPT_MAX ? NULL : &layout),
           OUT_NONE);
    call_kept += rc == ompd_rc_ok;
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
        call_must(ompd_rel_address_space_handle(c->aspace[1]), CALL_ompd_rel_address_space_handle);
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
    call_must(released, CALL_ompd_rel_display_control_vars);
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

RUN(ompdx_get_frame_rules)
{
    ompdx_frame_rule_t *rules;
    int count;
    JUDGED(ompdx_get_frame_rules, ompdx_get_frame_rules(aspace_of(c, a), &rules, output(a, &count)),
           OUT(rules), OUT(count));
    if (is_given(rc))
        host_free(rules);
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
