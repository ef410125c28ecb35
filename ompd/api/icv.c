/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal control variables. OpenMP 6.0 section 41.11.
 *
 * An ICV's scope is the one that is listed here, which may differ from the specification's: what it calls
 * global or device is reported for the address space and what it calls data environment or implicit task for
 * tasks, since the GDB plugin of LLVM knows no other scopes.
 */
#include "api/icv.h"

struct icv {
    const char *name;
    ompd_scope_t scope;
    enum rtm_icv icv;
    ompd_word_t since, until; /**< API versions that list it under this name */
};

#define ALWAYS OMPD_VERSION_50, OMPD_VERSION_60
/* An ICV's id is its place here plus 1: append only. */
static const struct icv icvs[] = {
    {"nthreads-var", ompd_scope_task, RTM_ICV_NTHREADS, ALWAYS},
    {"thread-limit-var", ompd_scope_task, RTM_ICV_THREAD_LIMIT, ALWAYS},
    {"max-active-levels-var", ompd_scope_task, RTM_ICV_MAX_ACTIVE_LEVELS, ALWAYS},
    {"run-sched-var", ompd_scope_task, RTM_ICV_RUN_SCHED, ALWAYS},
    {"dyn-var", ompd_scope_task, RTM_ICV_DYN, ALWAYS},
    {"bind-var", ompd_scope_task, RTM_ICV_BIND, ALWAYS},
    {"default-device-var", ompd_scope_task, RTM_ICV_DEFAULT_DEVICE, ALWAYS},
    {"levels-var", ompd_scope_task, RTM_ICV_LEVELS, OMPD_VERSION_51, OMPD_VERSION_60},
    {"active-levels-var", ompd_scope_task, RTM_ICV_ACTIVE_LEVELS, OMPD_VERSION_51, OMPD_VERSION_60},
    {"stacksize-var", ompd_scope_address_space, RTM_ICV_STACKSIZE, ALWAYS},
    {"wait-policy-var", ompd_scope_address_space, RTM_ICV_WAIT_POLICY, ALWAYS},
    {"debug-var", ompd_scope_address_space, RTM_ICV_DEBUG, ALWAYS},
    /* In 5.0 these five were OMPD's alone and had a prefix. LLVM's GDB plugin, a caller of 5.0, asks for two of them
     * without it. */
    {"ompd-team-size-var", ompd_scope_parallel, RTM_ICV_TEAM_SIZE, OMPD_VERSION_50, OMPD_VERSION_50},
    {"ompd-thread-num-var", ompd_scope_task, RTM_ICV_THREAD_NUM, OMPD_VERSION_50, OMPD_VERSION_50},
    {"ompd-num-procs-var", ompd_scope_address_space, RTM_ICV_NUM_PROCS, OMPD_VERSION_50, OMPD_VERSION_50},
    {"ompd-final-var", ompd_scope_task, RTM_ICV_FINAL_TASK, OMPD_VERSION_50, OMPD_VERSION_50},
    {"ompd-implicit-var", ompd_scope_task, RTM_ICV_IMPLICIT_TASK, OMPD_VERSION_50, OMPD_VERSION_50},
    {"team-size-var", ompd_scope_parallel, RTM_ICV_TEAM_SIZE, ALWAYS},
    {"thread-num-var", ompd_scope_task, RTM_ICV_THREAD_NUM, OMPD_VERSION_51, OMPD_VERSION_60},
    {"num-procs-var", ompd_scope_address_space, RTM_ICV_NUM_PROCS, OMPD_VERSION_51, OMPD_VERSION_60},
    {"final-task-var", ompd_scope_task, RTM_ICV_FINAL_TASK, OMPD_VERSION_51, OMPD_VERSION_60},
    {"implicit-task-var", ompd_scope_task, RTM_ICV_IMPLICIT_TASK, OMPD_VERSION_50, OMPD_VERSION_51},
    {"explicit-task-var", ompd_scope_task, RTM_ICV_EXPLICIT_TASK, OMPD_VERSION_52, OMPD_VERSION_60},
    {"team-generator-var", ompd_scope_task, RTM_ICV_TEAM_GENERATOR, OMPD_VERSION_60, OMPD_VERSION_60},
    /* Callers of 5.0 get the region's own: LLVM's GDB plugin asks a parallel handle, whatever is listed. */
    {"levels-var", ompd_scope_parallel, RTM_ICV_REGION_LEVELS, OMPD_VERSION_50, OMPD_VERSION_50},
    {"active-levels-var", ompd_scope_parallel, RTM_ICV_REGION_ACTIVE_LEVELS, OMPD_VERSION_50,
     OMPD_VERSION_50},
};
#define ICVS (sizeof icvs / sizeof icvs[0])

static bool is_listed(size_t at)
{
    return icvs[at].since <= tgt_lib.version && tgt_lib.version <= icvs[at].until;
}

static size_t next_listed(size_t from)
{
    while (from < ICVS && !is_listed(from))
        from++;
    return from;
}

ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
                              ompd_icv_id_t *next_id, const char **next_icv_name, ompd_scope_t *next_scope,
                              int *more)
{
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(handle, &aspace));
    API_TRY(api_output(next_id));
    API_TRY(api_output(next_icv_name));
    API_TRY(api_output(next_scope));
    API_TRY(api_output(more));
    if (current > ICVS || (current != ompd_icv_undefined && !is_listed(current - 1)))
        return ompd_rc_bad_input;
    const size_t next = next_listed(current);
    if (next == ICVS)
        return ompd_rc_bad_input; /* the last one was answered with *more 0 */
    API_TRY(tgt_strdup(icvs[next].name, next_icv_name));
    *next_id = next + 1;
    *next_scope = icvs[next].scope;
    *more = next_listed(next + 1) != ICVS;
    return ompd_rc_ok;
}

/** The handle that a scope asks for. */
static enum handle_tag tag_of(ompd_scope_t scope)
{
    switch (scope) {
    case ompd_scope_parallel:
        return HANDLE_PARALLEL;
    case ompd_scope_task:
        return HANDLE_TASK;
    default:
        return HANDLE_ASPACE;
    }
}

/** Checks what the two routines below have in common and takes the value. */
static ompd_rc_t get_value(const void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id, const void *output,
                           aspace_t **aspace, struct rtm_icv_value *ret)
{
    enum handle_tag tag;
    const struct rtm_ref *ref;
    TRY(api_enter_any(handle, &tag, &ref, aspace));
    TRY(api_output(output));
    if (icv_id == ompd_icv_undefined || icv_id > ICVS || !is_listed(icv_id - 1))
        return ompd_rc_bad_input;
    const struct icv *icv = &icvs[icv_id - 1];
    if (scope != icv->scope || tag != tag_of(scope))
        return ompd_rc_incompatible;
    return (*aspace)->rt->icv(*aspace, icv->icv, ref, ret);
}

ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                  ompd_word_t *icv_value)
{
    API_ASPACE(aspace);
    struct rtm_icv_value value;
    API_TRY(get_value(handle, scope, icv_id, icv_value, &aspace, &value));
    *icv_value = value.item[0];
    /* run-sched-var: without a chunk the kind is all there is. */
    const bool whole = icvs[icv_id - 1].icv == RTM_ICV_RUN_SCHED ? value.item[1] == 0 : value.count == 1;
    return api_code(whole ? ompd_rc_ok : ompd_rc_incomplete);
}

static void add_bool(struct text *text, int64_t item)
{
    text_add(text, item != 0 ? "true" : "false");
}

static void add_named(struct text *text, int64_t item, const char *const *names, int64_t count)
{
    if (names != NULL && item >= 0 && item < count)
        text_add(text, names[item]);
    else
        text_add_int(text, item);
}

static void add_schedule(struct text *text, int64_t kind, int64_t chunk)
{
    static const char *const names[] = {"0", "static", "dynamic", "guided", "auto"}; /* omp_sched_t */
    const int64_t monotonic = 0x80000000;
    if ((kind & monotonic) != 0)
        text_add(text, "monotonic:");
    add_named(text, kind & ~monotonic, names, 5);
    if (chunk != 0) {
        text_add(text, ",");
        text_add_int(text, chunk);
    }
}

static void add_list(struct text *text, const struct rtm_icv_value *value, const char *const *names,
                     int64_t count)
{
    for (uint32_t i = 0; i < value->count; i++) {
        if (i != 0)
            text_add(text, ",");
        add_named(text, value->item[i], names, count);
    }
}

void icv_text(enum rtm_icv icv, const struct rtm_icv_value *value, struct text *text)
{
    static const char *const binds[] = {"false", "true", "primary", "close", "spread"}; /* omp_proc_bind_t */
    static const char *const binds_50[] = {"false", "true", "master", "close", "spread"};
    static const char *const policies[] = {"", "active", "passive"};
    static const char *const generators[] = {"program", "parallel", "teams", "target"};
    switch (icv) {
    case RTM_ICV_RUN_SCHED:
        add_schedule(text, value->item[0], value->item[1]);
        break;
    case RTM_ICV_DYN:
    case RTM_ICV_FINAL_TASK:
    case RTM_ICV_EXPLICIT_TASK:
    case RTM_ICV_IMPLICIT_TASK:
        add_bool(text, value->item[0]);
        break;
    case RTM_ICV_BIND:
        add_list(text, value, tgt_lib.version < OMPD_VERSION_51 ? binds_50 : binds, 5);
        break;
    case RTM_ICV_WAIT_POLICY:
        add_named(text, value->item[0], policies, 3);
        break;
    case RTM_ICV_TEAM_GENERATOR:
        add_named(text, value->item[0], generators, 4);
        break;
    case RTM_ICV_DEBUG:
        text_add(text, value->item[0] != 0 ? "enabled" : "disabled");
        break;
    case RTM_ICV_STACKSIZE:
        text_add_int(text, value->item[0]);
        text_add(text, "B");
        break;
    default:
        add_list(text, value, NULL, 0);
        break;
    }
}

ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                         const char **icv_string)
{
    API_ASPACE(aspace);
    struct rtm_icv_value value;
    struct text text = {0};
    API_TRY(get_value(handle, scope, icv_id, icv_string, &aspace, &value));
    icv_text(icvs[icv_id - 1].icv, &value, &text);
    return api_code(tgt_strdup(text.buffer, icv_string));
}
