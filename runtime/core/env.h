/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the environment variables have set beyond rt_root: written once at start, and by the routines of
 * abi/kmp_settings.c and abi/omp_affinity.c.
 */
#ifndef RT_ENV_H
#define RT_ENV_H

#include <stdio.h>

#include "lock.h"
#include "place_list.h"
#include "root.h"

/** target-offload-var. */
enum rt_target_offload { RT_OFFLOAD_DEFAULT, RT_OFFLOAD_MANDATORY, RT_OFFLOAD_DISABLED };

/** KMP_LIBRARY; the numbers of kmp_set_library. */
enum rt_library { RT_LIBRARY_UNSET, RT_LIBRARY_SERIAL, RT_LIBRARY_TURNAROUND, RT_LIBRARY_THROUGHPUT };

#define RT_BLOCKTIME_INFINITE INT32_MAX

struct rt_env {
    /* Display. */
    uint8_t warnings; /**< 0: KMP_WARNINGS=0 or kmp_set_warnings_off */
    uint8_t display;  /**< OMP_DISPLAY_ENV: 0 no, 1 yes, 2 verbose */
    uint8_t kmp_settings, kmp_version;
    uint8_t stats, stats_threads; /**< one of KMP_STATS_FILE, KMP_STATS_THREADS is set; by thread too */
    const char *stats_file;       /**< NULL: stderr */
    rt_lock_t format_lock;        /**< guards the next two */
    const char *affinity_format;  /**< affinity-format-var */
    char *format_memory; /**< what to free when it changes, NULL for the default and the environment's */

    /* Places (places.c). */
    struct rt_machine machine;
    struct rt_cpus initial; /**< affinity of the process when it started */
    /** place-partition-var of initial tasks; empty when nobody asked for places */
    struct rt_place_list list;
    const struct rt_cpus *place_table; /**< of the list, or one place of all processors when nobody asked */
    uint32_t place_total;
    uint8_t bind_count; /**< items of bind-var, 0: OMP_PROC_BIND is not set */
    uint8_t bind[RT_NEST_LIST];
    uint8_t true_means; /**< policy when bind-var is true, enum rt_bind */
    const char *places, *gomp_affinity, *kmp_affinity, *kmp_hw_subset; /**< variables' text, NULL unset */

    /* Waiting. */
    uint8_t has_spincount, has_blocktime, library;
    uint64_t spincount; /**< GOMP_SPINCOUNT; UINT64_MAX: infinite */
    int32_t blocktime;  /**< KMP_BLOCKTIME, ms */
    int32_t blocktime_us;
    uint32_t spin_default;   /**< rt_root.spin when no variable says anything */
    int32_t barrier_cluster; /**< OMPC_BARRIER_CLUSTER: 0 one counter; -1 unset */
    uint64_t kmp_stacksize;  /**< KMP_STACKSIZE, which wins over OMP_STACKSIZE; 0 unset */

    /* Others. */
    uint8_t target_offload;
    uint8_t tool;                  /**< tool-var */
    const char *tool_illegal;      /**< a value of OMP_TOOL that is none, NULL none (tools/draft_start.c) */
    const char *tool_libraries;    /**< tool-libraries-var, NULL none */
    const char *tool_verbose_init; /**< tool-verbose-init-var, NULL disabled */
    const char *allocator;         /**< OMP_ALLOCATOR's text, NULL unset */
    uint64_t allocator_made;       /**< the handle that it stands for */
    uint8_t has_num_threads, has_active_levels, has_nested, has_default_device;
    uint8_t lists; /**< a list of several items was given */
    uint8_t nested;
};
extern struct rt_env rt_env;

int rt_env_target_offload(void);
/** A warning about a setting, unless the user wants none. */
void rt_env_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/**
 * Whether the program has rights that its caller does not have: set-user-ID, set-group-ID, file capabilities
 * (AT_SECURE, getauxval(3)). Then no variable has a say in which files are loaded, opened or named.
 */
int rt_env_secure(void);

#endif
