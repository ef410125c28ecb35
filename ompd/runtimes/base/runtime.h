/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The adapter: what one runtime family answers. api/ checks arguments and makes handles, an adapter knows
 * structures.
 *
 * An entity is a `struct rtm_ref`. Every function that takes one first makes sure that it still lives
 * (stale_handle). Outputs are touched on ok alone, unless a comment says otherwise. Codes besides: error (the
 * target's memory is inconsistent), device_read_error and other codes of the callbacks, nomem.
 */
#ifndef OMPD_RUNTIME_H
#define OMPD_RUNTIME_H

#include "grown.h"
#include "handles.h"

enum rtm_entity { RTM_THREAD, RTM_REGION, RTM_TASK };

/**
 * Control variables that an adapter knows. "text": the adapter spells it (icv_text), for it is text in the
 * target or needs more of it than numbers; of all others api/icv_text.c makes the text.
 */
enum rtm_icv {
    /* Of a task's data environment. */
    RTM_ICV_NTHREADS, /**< list */
    RTM_ICV_THREAD_LIMIT,
    RTM_ICV_STRUCTURED_THREAD_LIMIT,
    RTM_ICV_FREE_AGENT_THREAD_LIMIT,
    RTM_ICV_MAX_ACTIVE_LEVELS,
    RTM_ICV_RUN_SCHED, /**< kind (omp_sched_t), chunk */
    RTM_ICV_DYN,
    RTM_ICV_BIND, /**< list of omp_proc_bind_t */
    RTM_ICV_DEFAULT_DEVICE,
    RTM_ICV_LEVELS,
    RTM_ICV_ACTIVE_LEVELS,
    RTM_ICV_THREAD_NUM, /**< unavailable before the task starts */
    RTM_ICV_TASK_TEAM_SIZE,
    RTM_ICV_LEAGUE_SIZE,
    RTM_ICV_TEAM_NUM,
    RTM_ICV_FINAL_TASK,
    RTM_ICV_EXPLICIT_TASK,
    RTM_ICV_IMPLICIT_TASK,
    RTM_ICV_FREE_AGENT,
    RTM_ICV_TEAM_GENERATOR, /**< ompd_team_generator_t */
    /* Of an implicit task; for a handle of task scope, of the implicit task around it. */
    RTM_ICV_DEF_ALLOCATOR,    /**< omp_allocator_handle_t */
    RTM_ICV_PLACE_PARTITION,  /**< list of place numbers; text */
    RTM_ICV_PLACE_ASSIGNMENT, /**< list */
    /* Of a region. */
    RTM_ICV_TEAM_SIZE,
    RTM_ICV_REGION_LEVELS,
    RTM_ICV_REGION_ACTIVE_LEVELS,
    /* Of the process: the specification's device and global scopes. */
    RTM_ICV_NUM_PROCS,
    RTM_ICV_STACKSIZE,   /**< bytes */
    RTM_ICV_WAIT_POLICY, /**< 0 unset, 1 active, 2 passive */
    RTM_ICV_NTEAMS,
    RTM_ICV_TEAMS_THREAD_LIMIT,
    RTM_ICV_DEVICE_NUM,
    RTM_ICV_DEF_SCHED,       /**< omp_sched_t */
    RTM_ICV_AFFINITY_FORMAT, /**< text */
    RTM_ICV_DEBUG,
    RTM_ICV_CANCEL,
    RTM_ICV_DISPLAY_AFFINITY,
    RTM_ICV_MAX_TASK_PRIORITY,
    RTM_ICV_NUM_DEVICES,
    RTM_ICV_AVAILABLE_DEVICES, /**< list of device numbers */
    RTM_ICV_TARGET_OFFLOAD,    /**< 0 default, 1 mandatory, 2 disabled */
    RTM_ICV_TOOL,
    RTM_ICV_TOOL_LIBRARIES,    /**< text */
    RTM_ICV_TOOL_VERBOSE_INIT, /**< text, empty: disabled */
    RTM_ICVS
};

#define RTM_ICV_ITEMS_MAX 256
/** A list may be empty, and longer than what fits here. */
struct rtm_icv_value {
    int64_t item[RTM_ICV_ITEMS_MAX];
    uint32_t count; /**< items that are here */
    bool cut;       /**< there are more */
};

/** Settings that no ICV holds. */
enum rtm_setting {
    RTM_SETTING_DISPLAY_ENV,
    RTM_SETTING_OMP_ALLOCATOR, /**< the variable's own text */
    RTM_SETTING_GOMP_CPU_AFFINITY,
    RTM_SETTING_KMP_AFFINITY,
    RTM_SETTING_KMP_HW_SUBSET,
    RTM_SETTING_KMP_BLOCKTIME
};

struct world_family;

struct rtm_ops {
    const char *kind; /**< "companion" and so on: ompdx_runtime_info_t.kind */
    /** Of an adapter that answers from a `struct world` (world_ops.h), else NULL. */
    const struct world_family *family;

    /** Does the layout have what this adapter uses? Codes: ok, incompatible after a sentence. */
    ompd_rc_t (*check)(aspace_t *aspace);

    /* Address space. unavailable: the runtime has not started. */
    ompd_rc_t (*omp_version)(aspace_t *aspace, ompd_word_t *ret);
    ompd_rc_t (*version_string)(aspace_t *aspace, const char **ret); /**< tgt_alloc memory */
    ompd_rc_t (*runtime_info)(aspace_t *aspace, ompdx_runtime_info_t *ret);

    /* Threads. KIND is OMPD_THREAD_ID_PTHREAD or _LWP. */
    ompd_rc_t (*find_thread)(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret);
    ompd_rc_t (*thread_native)(aspace_t *aspace, const struct rtm_ref *thread, ompd_thread_id_t kind,
                               uint64_t *ret);
    ompd_rc_t (*thread_state)(aspace_t *aspace, const struct rtm_ref *thread, ompd_word_t *state,
                              uint64_t *wait_id);
    ompd_rc_t (*thread_region)(aspace_t *aspace, const struct rtm_ref *thread,
                               struct rtm_ref *ret); /**< unavailable */
    ompd_rc_t (*thread_task)(aspace_t *aspace, const struct rtm_ref *thread,
                             struct rtm_ref *ret); /**< unavailable */
    ompd_rc_t (*thread_info)(aspace_t *aspace, const struct rtm_ref *thread, ompdx_thread_info_t *ret);

    /** *ret is tgt_alloc memory, NULL when *count is 0. unsupported, incomplete: as ompdx_get_held. */
    ompd_rc_t (*thread_held)(aspace_t *aspace, const struct rtm_ref *thread, ompdx_held_t **ret, int *count);
    /** unsupported, unavailable: as ompdx_get_place. */
    ompd_rc_t (*thread_place)(aspace_t *aspace, const struct rtm_ref *thread, int *place,
                              struct grown *processors);

    /* Regions. bad_input: no such thread number. unavailable: there is none, or it has not begun. */
    ompd_rc_t (*region_enclosing)(aspace_t *aspace, const struct rtm_ref *region, struct rtm_ref *ret);
    ompd_rc_t (*region_thread)(aspace_t *aspace, const struct rtm_ref *region, int number,
                               struct rtm_ref *ret);
    ompd_rc_t (*region_task)(aspace_t *aspace, const struct rtm_ref *region, int number, struct rtm_ref *ret);
    ompd_rc_t (*region_info)(aspace_t *aspace, const struct rtm_ref *region, ompdx_parallel_info_t *ret);
    /** *ret is tgt_alloc memory, NULL when *count is 0. */
    ompd_rc_t (*region_arrivals)(aspace_t *aspace, const struct rtm_ref *region, int **ret, int *count);

    /* Tasks. unavailable: there is none. */
    ompd_rc_t (*task_generator)(aspace_t *aspace, const struct rtm_ref *task, struct rtm_ref *ret);
    ompd_rc_t (*task_scheduler)(aspace_t *aspace, const struct rtm_ref *task, struct rtm_ref *ret);
    ompd_rc_t (*task_region)(aspace_t *aspace, const struct rtm_ref *task, struct rtm_ref *ret);
    ompd_rc_t (*task_function)(aspace_t *aspace, const struct rtm_ref *task, uint64_t *ret);
    ompd_rc_t (*task_frame)(aspace_t *aspace, const struct rtm_ref *task, ompd_frame_info_t *exit_frame,
                            ompd_frame_info_t *enter_frame);
    ompd_rc_t (*task_info)(aspace_t *aspace, const struct rtm_ref *task, ompdx_task_info_t *ret);
    ompd_rc_t (*task_predecessors)(aspace_t *aspace, const struct rtm_ref *task, uint64_t **ret, int *count);
    /** unsupported: this version of the runtime does not tell. */
    ompd_rc_t (*loop_info)(aspace_t *aspace, const struct rtm_ref *task, ompdx_loop_info_t *ret);

    /**
     * The ompt_data_t of a thread, region or task, as a number and as a pointer of the target. stale_handle;
     * unsupported: this version of the runtime does not tell.
     */
    ompd_rc_t (*tool_data)(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref, uint64_t *value,
                           uint64_t *pointer);

    /** Is the entity alive? */
    ompd_rc_t (*alive)(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref);

    /**
     * All live entities, (serial, address) by serial; rows belong to the aspace's cache. incomplete: *ret
     * holds those that could be read.
     */
    ompd_rc_t (*list)(aspace_t *aspace, enum rtm_entity what, struct index *ret);

    /**
     * REF is the task or region, NULL for an ICV of the address space. unavailable: not started, or the task
     * has no such value yet; incompatible: SCOPE asks for an implicit task and REF is none; unsupported: this
     * version of the runtime does not tell.
     */
    ompd_rc_t (*icv)(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                     struct rtm_icv_value *ret);
    /** Those that are text; codes as above. */
    ompd_rc_t (*icv_text)(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                          struct grown *ret);
    /** unavailable: not set; unsupported as above. */
    ompd_rc_t (*setting_text)(aspace_t *aspace, enum rtm_setting setting, struct grown *ret);
    /**
     * The initial task of the process, for ICVs as the environment set them. unavailable: not there yet, or
     * ended.
     */
    ompd_rc_t (*initial_task)(aspace_t *aspace, struct rtm_ref *ret);
};

extern const struct rtm_ops rtm_companion;

/**
 * Finds the runtime of the process: detect, lay out, adapt. Fills aspace->lay and ->rt.
 * Codes: ok; incompatible (after a sentence); unavailable (not started; after a sentence); callback codes;
 * nomem.
 */
WARN_UNUSED ompd_rc_t rtm_detect(aspace_t *aspace);

/** Is this a wait state of OMPT (its wait id means something)? */
static inline bool rtm_is_wait(uint64_t state)
{
    return state >= ompt_state_wait_barrier && state < ompt_state_idle;
}
/** A state's number as the OMPT table knows it, undefined otherwise (api/state.c). */
uint64_t rtm_known_state(uint64_t state);

#endif
