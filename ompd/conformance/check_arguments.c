/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Wrong arguments: no handle, no output, a handle of another sort, one that was given back, one of a process
 * that is gone. OpenMP 6.0 section 41: the general return codes.
 */
#include <stdlib.h>
#include <string.h>

#include "conf.h"

/*
 * The functions that take one handle first and then outputs, by the handle's sort. F(function, outputs after
 * it).
 */
#define OF_SPACE(F)                                                       \
    F(ompd_get_omp_version, &word)                                        \
    F(ompd_get_omp_version_string, &text)                                 \
    F(ompd_get_display_control_vars, &vars)                               \
    F(ompd_get_device_thread_id_kinds, &kinds, &sizes, &number)           \
    F(ompd_enumerate_states, ompt_state_undefined, &word, &text, &word)   \
    F(ompd_enumerate_icvs, (ompd_icv_id_t)0, &id, &text, &scope, &number) \
    F(ompd_get_thread_handle, OMPD_THREAD_ID_LWP, sizeof tid, &tid, &thread)
#define OF_THREAD(F)                                            \
    F(ompd_get_thread_id, OMPD_THREAD_ID_LWP, sizeof tid, &tid) \
    F(ompd_get_device_from_thread, &space)                      \
    F(ompd_get_curr_parallel_handle, &parallel)                 \
    F(ompd_get_curr_task_handle, &task)                         \
    F(ompd_get_state, &word, &wait)
#define OF_PARALLEL(F)                               \
    F(ompd_get_thread_in_parallel, 0, &thread)       \
    F(ompd_get_enclosing_parallel_handle, &parallel) \
    F(ompd_get_task_in_parallel, 0, &task)
#define OF_TASK(F)                              \
    F(ompd_get_generating_task_handle, &task)   \
    F(ompd_get_scheduling_task_handle, &task)   \
    F(ompd_get_task_parallel_handle, &parallel) \
    F(ompd_get_task_function, &address)         \
    F(ompd_get_task_frame, &frames[0], &frames[1])

/* One of everything; nothing in it may change when a call fails. */
#define OUTPUTS                                \
    ompd_word_t word = 77;                     \
    ompd_wait_id_t wait = 77;                  \
    const char *text = NULL;                   \
    const char *const *vars = NULL;            \
    ompd_thread_id_t *kinds = NULL;            \
    ompd_size_t *sizes = NULL;                 \
    int number = 77;                           \
    ompd_icv_id_t id = 77;                     \
    ompd_scope_t scope = 77;                   \
    int32_t tid = 77;                          \
    ompd_address_space_handle_t *space = NULL; \
    ompd_thread_handle_t *thread = NULL;       \
    ompd_parallel_handle_t *parallel = NULL;   \
    ompd_task_handle_t *task = NULL;           \
    ompd_address_t address = {77, 77};         \
    ompd_frame_info_t frames[2] = {{{77, 77}, 77}, {{77, 77}, 77}}

#define CHECK_OUTPUTS(fn)                                                                               \
    check(word == 77 && wait == 77 && !text && !vars && !kinds && !sizes && number == 77 && id == 77 && \
              scope == 77 && tid == 77 && !space && !thread && !parallel && !task &&                    \
              address.segment == 77 && address.address == 77 && frames[0].frame_flag == 77 &&           \
              frames[1].frame_address.address == 77,                                                    \
          "%s failed and changed an output", #fn)

/* The handle is passed as what the function wants, whatever it is. */
#define REFUSED(fn, ...)                                              \
    if (HAS(fn)) {                                                    \
        OUTPUTS;                                                      \
        check_rc(CALL(fn, (void *)handle, __VA_ARGS__), wanted, #fn); \
        CHECK_OUTPUTS(fn);                                            \
    }

static void refuse_space(const void *handle, ompd_rc_t wanted)
{
    OF_SPACE(REFUSED)
}
static void refuse_thread(const void *handle, ompd_rc_t wanted)
{
    OF_THREAD(REFUSED)
}
static void refuse_parallel(const void *handle, ompd_rc_t wanted)
{
    OF_PARALLEL(REFUSED)
}
static void refuse_task(const void *handle, ompd_rc_t wanted)
{
    OF_TASK(REFUSED)
}

/** A handle, its sort, and the functions that want it. */
struct sort {
    void *handle;
    void (*refuse)(const void *handle, ompd_rc_t wanted);
};

/** The comparisons and releases, which take no further output or none. */
static void refuse_others(const struct scene *scene, const struct sort *sorts, void *handle, ompd_rc_t wanted)
{
    int order = 77;
    check_rc(CALL(ompd_thread_handle_compare, handle, sorts[1].handle, &order), wanted, "thread compare");
    check_rc(CALL(ompd_thread_handle_compare, sorts[1].handle, handle, &order), wanted, "thread compare");
    check_rc(CALL(ompd_parallel_handle_compare, handle, sorts[2].handle, &order), wanted, "parallel compare");
    check_rc(CALL(ompd_parallel_handle_compare, sorts[2].handle, handle, &order), wanted, "parallel compare");
    check_rc(CALL(ompd_task_handle_compare, handle, sorts[3].handle, &order), wanted, "task compare");
    check_rc(CALL(ompd_task_handle_compare, sorts[3].handle, handle, &order), wanted, "task compare");
    check_rc(CALL(ompd_rel_thread_handle, handle), wanted, "ompd_rel_thread_handle");
    check_rc(CALL(ompd_rel_parallel_handle, handle), wanted, "ompd_rel_parallel_handle");
    check_rc(CALL(ompd_rel_task_handle, handle), wanted, "ompd_rel_task_handle");
    check_rc(CALL(ompd_rel_address_space_handle, handle), wanted, "ompd_rel_address_space_handle");
    check(order == 77, "a comparison failed and changed its output");
    if (HAS(ompd_device_initialize)) {
        ompd_address_space_handle_t *device = NULL;
        uint64_t id = 0;
        check_rc(CALL(ompd_device_initialize, handle, (ompd_address_space_context_t *)&scene->context,
                      OMPD_DEVICE_KIND_HOST, sizeof id, &id, &device),
                 wanted, "ompd_device_initialize");
        check(!device, "ompd_device_initialize failed and changed its output");
    }
}

static void refuse_untyped(void *handle, ompd_rc_t wanted)
{
    ompd_word_t value = 77;
    ompd_address_t address = {77, 77};
    const char *text = NULL;
    if (HAS(ompd_get_icv_from_scope))
        check_rc(CALL(ompd_get_icv_from_scope, handle, ompd_scope_task, (ompd_icv_id_t)1, &value), wanted,
                 "ompd_get_icv_from_scope");
    if (HAS(ompd_get_icv_string_from_scope))
        check_rc(CALL(ompd_get_icv_string_from_scope, handle, ompd_scope_task, (ompd_icv_id_t)1, &text),
                 wanted, "ompd_get_icv_string_from_scope");
    if (HAS(ompd_get_tool_data))
        check_rc(CALL(ompd_get_tool_data, handle, ompd_scope_task, &value, &address), wanted,
                 "ompd_get_tool_data");
    check(value == 77 && address.address == 77 && !text, "a refused question changed its output");
}

static void missing_outputs(const struct scene *scene, const struct sort *sorts)
{
    const ompd_rc_t bad = ompd_rc_bad_input;
    const int32_t tid = 1;
    check_rc(CALL(ompd_get_curr_parallel_handle, sorts[1].handle, NULL), bad, "curr_parallel");
    check_rc(CALL(ompd_get_curr_task_handle, sorts[1].handle, NULL), bad, "curr_task");
    check_rc(CALL(ompd_get_state, sorts[1].handle, NULL, NULL), bad, "state");
    check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_LWP, sizeof tid, &tid, NULL), bad,
             "thread");
    check_rc(CALL(ompd_get_enclosing_parallel_handle, sorts[2].handle, NULL), bad, "enclosing");
    check_rc(CALL(ompd_get_thread_in_parallel, sorts[2].handle, 0, NULL), bad, "thread_in_parallel");
    check_rc(CALL(ompd_get_task_parallel_handle, sorts[3].handle, NULL), bad, "task_parallel");
    check_rc(CALL(ompd_get_generating_task_handle, sorts[3].handle, NULL), bad, "generating");
    check_rc(CALL(ompd_thread_handle_compare, sorts[1].handle, sorts[1].handle, NULL), bad, "thread compare");
    check_rc(CALL(ompd_parallel_handle_compare, sorts[2].handle, sorts[2].handle, NULL), bad,
             "parallel compare");
    check_rc(CALL(ompd_task_handle_compare, sorts[3].handle, sorts[3].handle, NULL), bad, "task compare");
#define NO_OUTPUT(fn, ...) \
    if (HAS(fn))           \
        check_rc(CALL(fn, __VA_ARGS__), bad, #fn " without an output");
    NO_OUTPUT(ompd_get_omp_version, scene->space, NULL)
    NO_OUTPUT(ompd_get_omp_version_string, scene->space, NULL)
    NO_OUTPUT(ompd_get_display_control_vars, scene->space, NULL)
    NO_OUTPUT(ompd_get_device_thread_id_kinds, scene->space, NULL, NULL, NULL)
    NO_OUTPUT(ompd_get_thread_id, sorts[1].handle, OMPD_THREAD_ID_LWP, sizeof tid, NULL)
    NO_OUTPUT(ompd_get_device_from_thread, sorts[1].handle, NULL)
    NO_OUTPUT(ompd_get_task_in_parallel, sorts[2].handle, 0, NULL)
    NO_OUTPUT(ompd_get_scheduling_task_handle, sorts[3].handle, NULL)
    NO_OUTPUT(ompd_get_task_function, sorts[3].handle, NULL)
    NO_OUTPUT(ompd_get_task_frame, sorts[3].handle, NULL, NULL)
    NO_OUTPUT(ompd_enumerate_states, scene->space, ompt_state_undefined, NULL, NULL, NULL)
    NO_OUTPUT(ompd_enumerate_icvs, scene->space, (ompd_icv_id_t)0, NULL, NULL, NULL, NULL)
    NO_OUTPUT(ompd_get_tool_data, scene->space, ompd_scope_address_space, NULL, NULL)
    NO_OUTPUT(ompd_device_initialize, scene->space, NULL, OMPD_DEVICE_KIND_HOST, 0, NULL, NULL)
    NO_OUTPUT(ompd_rel_display_control_vars, NULL)
}

/** Which thread the handles are of: the first that is in a region. */
static bool take(const struct scene *scene, struct sort *sorts)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_parallel_handle_t *parallel = NULL;
    ompd_task_handle_t *task = NULL;
    const struct truth_thread *truth = NULL;
    for (int i = 0; i < scene->truth->thread_count && !truth; i++)
        if (!scene->truth->threads[i].idle)
            truth = &scene->truth->threads[i];
    if (!truth || !(thread = thread_of(scene, truth)) ||
        !check_rc(CALL(ompd_get_curr_parallel_handle, thread, &parallel), ompd_rc_ok, "curr_parallel") ||
        !check_rc(CALL(ompd_get_curr_task_handle, thread, &task), ompd_rc_ok, "curr_task"))
        return false;
    sorts[0] = (struct sort){scene->space, refuse_space};
    sorts[1] = (struct sort){thread, refuse_thread};
    sorts[2] = (struct sort){parallel, refuse_parallel};
    sorts[3] = (struct sort){task, refuse_task};
    return true;
}

void check_arguments(const struct scene *scene)
{
    struct sort sorts[4];
    if (!take(scene, sorts))
        return;
    for (int i = 0; i < 4; i++) /* none at all */
        sorts[i].refuse(NULL, ompd_rc_stale_handle);
    refuse_others(scene, sorts, NULL, ompd_rc_stale_handle);
    refuse_untyped(NULL, ompd_rc_stale_handle);
    missing_outputs(scene, sorts);
    for (int i = 0; i < 4; i++) /* of another sort */
        for (int j = 0; j < 4; j++)
            if (i != j)
                sorts[i].refuse(sorts[j].handle, in_version(ompd_rc_incompatible_handle));
    /* Given back: callbacks.c keeps the memory. */
    check_rc(CALL(ompd_rel_task_handle, sorts[3].handle), ompd_rc_ok, "ompd_rel_task_handle");
    check_rc(CALL(ompd_rel_parallel_handle, sorts[2].handle), ompd_rc_ok, "ompd_rel_parallel_handle");
    check_rc(CALL(ompd_rel_thread_handle, sorts[1].handle), ompd_rc_ok, "ompd_rel_thread_handle");
    struct sort fresh[4];
    if (!take(scene, fresh))
        return;
    for (int i = 1; i < 4; i++) {
        sorts[i].refuse(sorts[i].handle, ompd_rc_stale_handle);
        refuse_others(scene, fresh, sorts[i].handle, ompd_rc_stale_handle);
        refuse_untyped(sorts[i].handle, ompd_rc_stale_handle);
    }
    check_rc(CALL(ompd_rel_task_handle, fresh[3].handle), ompd_rc_ok, "ompd_rel_task_handle");
    check_rc(CALL(ompd_rel_parallel_handle, fresh[2].handle), ompd_rc_ok, "ompd_rel_parallel_handle");
    check_rc(CALL(ompd_rel_thread_handle, fresh[1].handle), ompd_rc_ok, "ompd_rel_thread_handle");
}

void check_ended(struct scene *scene)
{
    struct sort sorts[4];
    if (!take(scene, sorts))
        return;
    child_end(scene->child);
    /* What needs the process' memory cannot be said any more; the rest of the list needs none. */
    const void *handle = sorts[0].handle;
    const ompd_rc_t wanted = ompd_rc_stale_handle;
    REFUSED(ompd_get_omp_version, &word)
    REFUSED(ompd_get_omp_version_string, &text)
    REFUSED(ompd_get_display_control_vars, &vars)
    REFUSED(ompd_get_thread_handle, OMPD_THREAD_ID_LWP, sizeof tid, &tid, &thread)
    for (int i = 1; i < 4; i++)
        sorts[i].refuse(sorts[i].handle, ompd_rc_stale_handle);
    /* Handles can still be given back, in an order that nobody prescribes. */
    check_rc(CALL(ompd_rel_address_space_handle, scene->space), ompd_rc_ok, "ompd_rel_address_space_handle");
    for (int i = 1; i < 4; i++)
        sorts[i].refuse(sorts[i].handle, ompd_rc_stale_handle);
    check_rc(CALL(ompd_rel_thread_handle, sorts[1].handle), ompd_rc_ok, "ompd_rel_thread_handle");
    check_rc(CALL(ompd_rel_parallel_handle, sorts[2].handle), ompd_rc_ok, "ompd_rel_parallel_handle");
    check_rc(CALL(ompd_rel_task_handle, sorts[3].handle), ompd_rc_ok, "ompd_rel_task_handle");
    sorts[0].refuse(sorts[0].handle, ompd_rc_stale_handle);
}
