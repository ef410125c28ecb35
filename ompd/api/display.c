/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Display of control variables. OpenMP 6.0 section 41.10.
 *
 * The runtime keeps no copy of the environment, so the list is made from the ICVs that the variables set:
 * those of the process, and those of the initial task, which has them from the environment unless the program
 * changed them. The specification's variables are all there, set or not; other runtimes' that Companion obeys
 * when they are set.
 */
#include <string.h>

#include "api/icv_text.h"

enum source {
    PROCESS, /**< an ICV of the address space */
    TASK,    /**< an ICV of the initial task */
    SETTING, /**< an enum rtm_setting; left out when unset */
    NESTED,  /**< what max-active-levels-var amounts to */
    FIXED    /**< nothing reads it: the value that its absence means */
};

struct variable {
    const char *name;
    enum source source;
    int which; /**< enum rtm_icv or rtm_setting */
    ompd_word_t since, until;
};

#define ALWAYS  OMPD_VERSION_50, OMPD_VERSION_60
#define FROM_51 OMPD_VERSION_51, OMPD_VERSION_60
#define FROM_60 OMPD_VERSION_60, OMPD_VERSION_60

static const struct variable variables[] = {
    {"OMP_AFFINITY_FORMAT", PROCESS, RTM_ICV_AFFINITY_FORMAT, ALWAYS},
    {"OMP_ALLOCATOR", TASK, RTM_ICV_DEF_ALLOCATOR, ALWAYS},
    {"OMP_AVAILABLE_DEVICES", PROCESS, RTM_ICV_AVAILABLE_DEVICES, FROM_60},
    {"OMP_CANCELLATION", PROCESS, RTM_ICV_CANCEL, ALWAYS},
    {"OMP_DEBUG", PROCESS, RTM_ICV_DEBUG, ALWAYS},
    {"OMP_DEFAULT_DEVICE", TASK, RTM_ICV_DEFAULT_DEVICE, ALWAYS},
    {"OMP_DISPLAY_AFFINITY", PROCESS, RTM_ICV_DISPLAY_AFFINITY, ALWAYS},
    {"OMP_DISPLAY_ENV", SETTING, RTM_SETTING_DISPLAY_ENV, ALWAYS},
    {"OMP_DYNAMIC", TASK, RTM_ICV_DYN, ALWAYS},
    {"OMP_MAX_ACTIVE_LEVELS", TASK, RTM_ICV_MAX_ACTIVE_LEVELS, ALWAYS},
    {"OMP_MAX_TASK_PRIORITY", PROCESS, RTM_ICV_MAX_TASK_PRIORITY, ALWAYS},
    {"OMP_NESTED", NESTED, RTM_ICV_MAX_ACTIVE_LEVELS, OMPD_VERSION_50, OMPD_VERSION_52},
    {"OMP_NUM_TEAMS", PROCESS, RTM_ICV_NTEAMS, FROM_51},
    {"OMP_NUM_THREADS", TASK, RTM_ICV_NTHREADS, ALWAYS},
    {"OMP_PLACES", TASK, RTM_ICV_PLACE_PARTITION, ALWAYS},
    {"OMP_PROC_BIND", TASK, RTM_ICV_BIND, ALWAYS},
    {"OMP_SCHEDULE", TASK, RTM_ICV_RUN_SCHED, ALWAYS},
    {"OMP_STACKSIZE", PROCESS, RTM_ICV_STACKSIZE, ALWAYS},
    {"OMP_TARGET_OFFLOAD", PROCESS, RTM_ICV_TARGET_OFFLOAD, ALWAYS},
    {"OMP_TEAMS_THREAD_LIMIT", PROCESS, RTM_ICV_TEAMS_THREAD_LIMIT, FROM_51},
    {"OMP_THREADS_RESERVE", FIXED, 0, FROM_60},
    {"OMP_THREAD_LIMIT", TASK, RTM_ICV_THREAD_LIMIT, ALWAYS},
    {"OMP_TOOL", PROCESS, RTM_ICV_TOOL, ALWAYS},
    {"OMP_TOOL_LIBRARIES", PROCESS, RTM_ICV_TOOL_LIBRARIES, ALWAYS},
    {"OMP_TOOL_VERBOSE_INIT", PROCESS, RTM_ICV_TOOL_VERBOSE_INIT, FROM_51},
    {"OMP_WAIT_POLICY", PROCESS, RTM_ICV_WAIT_POLICY, ALWAYS},
    {"GOMP_CPU_AFFINITY", SETTING, RTM_SETTING_GOMP_CPU_AFFINITY, ALWAYS},
    {"KMP_AFFINITY", SETTING, RTM_SETTING_KMP_AFFINITY, ALWAYS},
    {"KMP_BLOCKTIME", SETTING, RTM_SETTING_KMP_BLOCKTIME, ALWAYS},
    {"KMP_HW_SUBSET", SETTING, RTM_SETTING_KMP_HW_SUBSET, ALWAYS},
};
#define VARIABLES (sizeof variables / sizeof variables[0])

static ompd_rc_t add_value(aspace_t *aspace, const struct variable *variable, const struct rtm_ref *task,
                           struct grown *text)
{
    struct rtm_icv_value value;
    switch (variable->source) {
    case PROCESS:
        return icv_text(aspace, (enum rtm_icv)variable->which, NULL, ompd_scope_address_space, text);
    case SETTING:
        return aspace->rt->setting_text(aspace, (enum rtm_setting)variable->which, text);
    case FIXED:
        grown_add(text, "structured(1),free_agent(0)");
        return ompd_rc_ok;
    default:
        break;
    }
    if (task == NULL)
        return ompd_rc_unavailable;
    if (variable->source == TASK)
        return icv_text(aspace, (enum rtm_icv)variable->which, task, ompd_scope_task, text);
    TRY(aspace->rt->icv(aspace, (enum rtm_icv)variable->which, task, ompd_scope_task, &value));
    grown_add(text, value.item[0] > 1 ? "true" : "false");
    return ompd_rc_ok;
}

/** Adds "NAME=VALUE" and its NUL to ALL, and 1 to *COUNT; nothing for one that has no value. */
static ompd_rc_t add_variable(aspace_t *aspace, const struct variable *variable, const struct rtm_ref *task,
                              struct grown *all, size_t *count)
{
    GROWN(value);
    ompd_rc_t rc = add_value(aspace, variable, task, &value);
    if (rc == ompd_rc_unsupported || (rc == ompd_rc_unavailable && variable->source != PROCESS))
        return ompd_rc_ok;
    TRY(rc);
    TRY(value.rc);
    grown_add(all, variable->name);
    grown_add(all, "=");
    if (value.length != 0)
        grown_add_bytes(all, value.bytes, value.length);
    grown_add_bytes(all, "", 1);
    ++*count;
    return all->rc;
}

ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *address_space_handle,
                                        const char *const **control_vars)
{
    TRACED(ompd_get_display_control_vars(address_space_handle, control_vars),
           ARG(POINTER, address_space_handle), ARG(OUT_HEX, control_vars));
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(address_space_handle, &aspace));
    API_TRY(api_output(control_vars));
    GROWN(all);
    size_t count = 0;
    struct rtm_ref task;
    ompd_rc_t rc = aspace->rt->initial_task(aspace, &task);
    const bool has_task = rc == ompd_rc_ok;
    if (rc != ompd_rc_unavailable)
        API_TRY(rc);
    for (size_t i = 0; i < VARIABLES; i++)
        if (variables[i].since <= tgt_lib.version && tgt_lib.version <= variables[i].until)
            API_TRY(add_variable(aspace, &variables[i], has_task ? &task : NULL, &all, &count));
    if (all.cut) /* a vector with a string that lacks its end would be worse than none */
        API_TRY(ompd_rc_error);
    /* One block: the vector, then the strings. */
    const char **vector = NULL;
    const size_t pointers = (count + 1) * sizeof *vector;
    API_TRY(tgt_alloc(pointers + all.length, &vector));
    char *text = (char *)vector + pointers;
    if (all.length != 0)
        memcpy(text, all.bytes, all.length);
    for (size_t i = 0; i < count; i++) {
        vector[i] = text;
        text += strlen(text) + 1;
    }
    vector[count] = NULL;
    *control_vars = vector;
    return ompd_rc_ok;
}

ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars)
{
    TRACED(ompd_rel_display_control_vars(control_vars), ARG(OUT_HEX, control_vars));
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
