/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Display of control variables. OpenMP 6.0 section 41.10.
 *
 * The runtime keeps no copy of the environment, so the list is made from the ICVs that the variables set:
 * those of the process, and those of the initial task, which has them from the environment unless the program
 * changed them.
 */
#include <string.h>

#include "api/icv.h"

struct variable {
    const char *name;
    enum rtm_icv icv;
    bool of_task;
};

static const struct variable variables[] = {
    {"OMP_DEBUG", RTM_ICV_DEBUG, false},
    {"OMP_DEFAULT_DEVICE", RTM_ICV_DEFAULT_DEVICE, true},
    {"OMP_DYNAMIC", RTM_ICV_DYN, true},
    {"OMP_MAX_ACTIVE_LEVELS", RTM_ICV_MAX_ACTIVE_LEVELS, true},
    {"OMP_NUM_THREADS", RTM_ICV_NTHREADS, true},
    {"OMP_PROC_BIND", RTM_ICV_BIND, true},
    {"OMP_SCHEDULE", RTM_ICV_RUN_SCHED, true},
    {"OMP_STACKSIZE", RTM_ICV_STACKSIZE, false},
    {"OMP_THREAD_LIMIT", RTM_ICV_THREAD_LIMIT, true},
    {"OMP_WAIT_POLICY", RTM_ICV_WAIT_POLICY, false},
};
#define VARIABLES (sizeof variables / sizeof variables[0])

/** All strings one after the other, each with its NUL. */
struct strings {
    size_t length, count;
    char bytes[4096];
};

static void add_string(struct strings *strings, const struct text *text)
{
    const size_t bytes = text->length + 1;
    if (bytes > sizeof strings->bytes - strings->length)
        return;
    memcpy(strings->bytes + strings->length, text->buffer, bytes);
    strings->length += bytes;
    strings->count++;
}

static ompd_rc_t add_variable(aspace_t *aspace, const struct variable *variable, const struct rtm_ref *task,
                              struct strings *strings)
{
    struct rtm_icv_value value;
    struct text text = {0};
    TRY(aspace->rt->icv(aspace, variable->icv, variable->of_task ? task : NULL, &value));
    if ((variable->icv == RTM_ICV_WAIT_POLICY || variable->icv == RTM_ICV_STACKSIZE) && value.item[0] == 0)
        return ompd_rc_ok; /* not set */
    text_add(&text, variable->name);
    text_add(&text, "=");
    icv_text(variable->icv, &value, &text);
    add_string(strings, &text);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *address_space_handle,
                                        const char *const **control_vars)
{
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(address_space_handle, &aspace));
    API_TRY(api_output(control_vars));
    struct strings strings = {0};
    struct rtm_ref task;
    ompd_rc_t rc = aspace->rt->initial_task(aspace, &task);
    const bool has_task = rc == ompd_rc_ok;
    if (rc != ompd_rc_unavailable)
        API_TRY(rc);
    for (size_t i = 0; i < VARIABLES; i++)
        if (has_task || !variables[i].of_task)
            API_TRY(add_variable(aspace, &variables[i], &task, &strings));
    /* One block: the vector, then the strings. */
    const char **vector = NULL;
    const size_t pointers = (strings.count + 1) * sizeof *vector;
    API_TRY(tgt_alloc(pointers + strings.length, &vector));
    char *text = (char *)vector + pointers;
    memcpy(text, strings.bytes, strings.length);
    for (size_t i = 0; i < strings.count; i++) {
        vector[i] = text;
        text += strlen(text) + 1;
    }
    vector[strings.count] = NULL;
    *control_vars = vector;
    return ompd_rc_ok;
}

ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars)
{
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    API_TRY(api_output(control_vars));
    API_TRY(api_output(*control_vars));
    void *block;
    memcpy(&block, control_vars, sizeof block);
    tgt_free(block);
    *control_vars = NULL;
    return ompd_rc_ok;
}
