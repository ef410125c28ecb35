/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The list of control variables by version: OpenMP 5.0 section 2.5 and 5.5.9, 5.1 and 5.2 chapter 2, 6.0
 * chapter 3. tools/ompd_conformance.py reads the rows below: one a line or two, nothing computed.
 *
 * Names with the prefix ompd- are 5.0's and 5.1's for what later versions made ordinary ICVs; 5.1 wants both
 * names. Besides the specification's lists a caller of 5.0 gets two rows (team-size-var, implicit-task-var)
 * and levels of a region, which LLVM's GDB plugin asks for.
 */
#include "api/icv_table.h"

#define ALWAYS  OMPD_VERSION_50, OMPD_VERSION_60
#define ONLY_50 OMPD_VERSION_50, OMPD_VERSION_50
#define ONLY_51 OMPD_VERSION_51, OMPD_VERSION_51
#define ONLY_60 OMPD_VERSION_60, OMPD_VERSION_60
#define FROM_51 OMPD_VERSION_51, OMPD_VERSION_60
#define FROM_52 OMPD_VERSION_52, OMPD_VERSION_60
#define TO_51   OMPD_VERSION_50, OMPD_VERSION_51

/* clang-format off */
static const struct icv icvs[] = {
    {"active-levels-var", RTM_ICV_REGION_ACTIVE_LEVELS, ompd_scope_parallel, ONLY_50},
    {"active-levels-var", RTM_ICV_ACTIVE_LEVELS, ompd_scope_task, FROM_51},
    {"affinity-format-var", RTM_ICV_AFFINITY_FORMAT, ompd_scope_address_space, ALWAYS},
    {"available-devices-var", RTM_ICV_AVAILABLE_DEVICES, ompd_scope_global, ONLY_60},
    {"bind-var", RTM_ICV_BIND, ompd_scope_task, ALWAYS},
    {"cancel-var", RTM_ICV_CANCEL, ompd_scope_global, ALWAYS},
    {"debug-var", RTM_ICV_DEBUG, ompd_scope_global, ALWAYS},
    {"def-allocator-var", RTM_ICV_DEF_ALLOCATOR, ompd_scope_implicit_task, ALWAYS},
    {"def-sched-var", RTM_ICV_DEF_SCHED, ompd_scope_address_space, TO_51},
    {"default-device-var", RTM_ICV_DEFAULT_DEVICE, ompd_scope_task, ALWAYS},
    {"device-num-var", RTM_ICV_DEVICE_NUM, ompd_scope_address_space, ONLY_60},
    {"display-affinity-var", RTM_ICV_DISPLAY_AFFINITY, ompd_scope_global, ALWAYS},
    {"dyn-var", RTM_ICV_DYN, ompd_scope_task, ALWAYS},
    {"explicit-task-var", RTM_ICV_EXPLICIT_TASK, ompd_scope_task, FROM_52},
    {"final-task-var", RTM_ICV_FINAL_TASK, ompd_scope_task, FROM_51},
    {"free-agent-thread-limit-var", RTM_ICV_FREE_AGENT_THREAD_LIMIT, ompd_scope_task, ONLY_60},
    {"free-agent-var", RTM_ICV_FREE_AGENT, ompd_scope_task, ONLY_60},
    {"implicit-task-var", RTM_ICV_IMPLICIT_TASK, ompd_scope_task, TO_51},
    {"league-size-var", RTM_ICV_LEAGUE_SIZE, ompd_scope_task, ONLY_60},
    {"levels-var", RTM_ICV_REGION_LEVELS, ompd_scope_parallel, ONLY_50},
    {"levels-var", RTM_ICV_LEVELS, ompd_scope_task, FROM_51},
    {"max-active-levels-var", RTM_ICV_MAX_ACTIVE_LEVELS, ompd_scope_task, ALWAYS},
    {"max-task-priority-var", RTM_ICV_MAX_TASK_PRIORITY, ompd_scope_global, ALWAYS},
    {"nteams-var", RTM_ICV_NTEAMS, ompd_scope_address_space, FROM_51},
    {"nthreads-var", RTM_ICV_NTHREADS, ompd_scope_task, ALWAYS},
    {"num-devices-var", RTM_ICV_NUM_DEVICES, ompd_scope_global, ONLY_60},
    {"num-procs-var", RTM_ICV_NUM_PROCS, ompd_scope_address_space, FROM_51},
    {"place-assignment-var", RTM_ICV_PLACE_ASSIGNMENT, ompd_scope_implicit_task, ONLY_60},
    {"place-partition-var", RTM_ICV_PLACE_PARTITION, ompd_scope_implicit_task, ALWAYS},
    {"run-sched-var", RTM_ICV_RUN_SCHED, ompd_scope_task, ALWAYS},
    {"stacksize-var", RTM_ICV_STACKSIZE, ompd_scope_address_space, ALWAYS},
    {"structured-thread-limit-var", RTM_ICV_STRUCTURED_THREAD_LIMIT, ompd_scope_task, ONLY_60},
    {"target-offload-var", RTM_ICV_TARGET_OFFLOAD, ompd_scope_global, ALWAYS},
    {"team-generator-var", RTM_ICV_TEAM_GENERATOR, ompd_scope_task, ONLY_60},
    {"team-num-var", RTM_ICV_TEAM_NUM, ompd_scope_task, ONLY_60},
    {"team-size-var", RTM_ICV_TEAM_SIZE, ompd_scope_parallel, TO_51},
    {"team-size-var", RTM_ICV_TASK_TEAM_SIZE, ompd_scope_task, FROM_52},
    {"teams-thread-limit-var", RTM_ICV_TEAMS_THREAD_LIMIT, ompd_scope_address_space, FROM_51},
    {"thread-limit-var", RTM_ICV_THREAD_LIMIT, ompd_scope_task, ALWAYS},
    {"thread-num-var", RTM_ICV_THREAD_NUM, ompd_scope_implicit_task, ONLY_51},
    {"thread-num-var", RTM_ICV_THREAD_NUM, ompd_scope_task, FROM_52},
    {"tool-libraries-var", RTM_ICV_TOOL_LIBRARIES, ompd_scope_global, ALWAYS},
    {"tool-var", RTM_ICV_TOOL, ompd_scope_global, ALWAYS},
    {"tool-verbose-init-var", RTM_ICV_TOOL_VERBOSE_INIT, ompd_scope_global, FROM_51},
    {"wait-policy-var", RTM_ICV_WAIT_POLICY, ompd_scope_address_space, ALWAYS},
    {"ompd-num-procs-var", RTM_ICV_NUM_PROCS, ompd_scope_address_space, TO_51},
    {"ompd-thread-num-var", RTM_ICV_THREAD_NUM, ompd_scope_task, ONLY_50},
    {"ompd-thread-num-var", RTM_ICV_THREAD_NUM, ompd_scope_implicit_task, ONLY_51},
    {"ompd-final-var", RTM_ICV_FINAL_TASK, ompd_scope_task, ONLY_50},
    {"ompd-final-task-var", RTM_ICV_FINAL_TASK, ompd_scope_task, ONLY_51},
    {"ompd-implicit-var", RTM_ICV_IMPLICIT_TASK, ompd_scope_task, ONLY_50},
    {"ompd-implicit-task-var", RTM_ICV_IMPLICIT_TASK, ompd_scope_task, ONLY_51},
    {"ompd-team-size-var", RTM_ICV_TEAM_SIZE, ompd_scope_parallel, TO_51},
};

static const enum icv_integer integers[RTM_ICVS] = {
    [RTM_ICV_NTHREADS] = ICV_FIRST,
    [RTM_ICV_BIND] = ICV_FIRST,
    [RTM_ICV_RUN_SCHED] = ICV_FIRST, /* kind; the chunk is the other item */
    [RTM_ICV_PLACE_PARTITION] = ICV_FIRST, /* the numbers of omp_get_partition_place_nums */
    [RTM_ICV_PLACE_ASSIGNMENT] = ICV_NO_INTEGER, /* an empty list has no first item */
    [RTM_ICV_AVAILABLE_DEVICES] = ICV_NO_INTEGER,
    [RTM_ICV_AFFINITY_FORMAT] = ICV_NO_INTEGER,
    [RTM_ICV_TOOL_LIBRARIES] = ICV_NO_INTEGER,
    [RTM_ICV_TOOL_VERBOSE_INIT] = ICV_NO_INTEGER,
};
/* clang-format on */

#define ICVS (sizeof icvs / sizeof icvs[0])

const struct icv *icv_find(ompd_icv_id_t id)
{
    if (id == ompd_icv_undefined || id > ICVS)
        return NULL;
    const struct icv *icv = &icvs[id - 1];
    return icv->since <= tgt_lib.version && tgt_lib.version <= icv->until ? icv : NULL;
}

ompd_icv_id_t icv_next(ompd_icv_id_t id)
{
    for (ompd_icv_id_t next = id + 1; next <= ICVS; next++)
        if (icv_find(next) != NULL)
            return next;
    return ompd_icv_undefined;
}

/**
 * The one debugger that speaks 5.0, LLVM's GDB plugin, ends its listing with an error at global and
 * implicit-task scope; an implementation may keep an ICV in another scope (5.0 section 5.5.9.1), so it is
 * told wider or narrower ones that it knows.
 */
ompd_scope_t icv_scope(const struct icv *icv)
{
    if (tgt_lib.version > OMPD_VERSION_50)
        return icv->scope;
    switch (icv->scope) {
    case ompd_scope_global:
        return ompd_scope_address_space;
    case ompd_scope_implicit_task:
        return ompd_scope_task;
    default:
        return icv->scope;
    }
}

enum icv_integer icv_integer(enum rtm_icv icv)
{
    return integers[icv];
}
