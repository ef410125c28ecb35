/* SPDX-License-Identifier: Apache-2.0 */
/*
 * omp.h: the routines of OpenMP 6.0 on the host, and those of 5.0 to 5.2 that 6.0 dropped. C11 and C++17.
 *
 * Sizes follow the compiler, so that objects built with the compiler's own omp.h and with this one link
 * and run together: only the depend and interop types differ between gcc and clang. Locks are as large
 * here as the larger of the two; the runtime touches no more of a lock than the smaller one has.
 *
 * Section numbers: 5.2 / 6.0. "Outside" means outside every parallel region. A wrong argument changes
 * nothing unless a comment says what happens. The version macro _OPENMP comes from the compiler, not from
 * here.
 */
#ifndef OMP_H
#define OMP_H

#include <stddef.h>
#include <stdint.h>

/* No routine throws. Some enumerations need values that ISO C11 does not admit (above INT_MAX). */
#if defined(__cplusplus)
#define OMP_H_NOTHROW noexcept
#define OMP_H_WIDE_ENUM
#define OMP_H_BASE : omp_uintptr_t
#define OMP_H_OR(value) = value
#elif defined(__GNUC__)
#define OMP_H_NOTHROW   __attribute__((__nothrow__))
#define OMP_H_WIDE_ENUM __extension__
#define OMP_H_BASE
#define OMP_H_OR(value)
#else
#define OMP_H_NOTHROW
#define OMP_H_WIDE_ENUM
#define OMP_H_BASE
#define OMP_H_OR(value)
#endif

/*
 * In a runtime that clang's programs load, the plain names of the four affinity-format routines take
 * Fortran's arguments (lengths at the end); the C routine has the prefix ompc_. gcc's programs find the C
 * routine under the plain name. The label binds the call to the right one without changing what the
 * source sees.
 */
#if !defined(__clang__)
#define OMP_H_C_ROUTINE(name) OMP_H_NOTHROW
#elif defined(__cplusplus)
#define OMP_H_C_ROUTINE(name) OMP_H_NOTHROW __asm__(name)
#else
#define OMP_H_C_ROUTINE(name) __asm__(name) OMP_H_NOTHROW
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * Types and constants. 18 / chapter 20.
 * ------------------------------------------------------------------------------------------------------ */

/* Integers as wide as a pointer. */
typedef intptr_t omp_intptr_t;
typedef uintptr_t omp_uintptr_t;

/*
 * Numbers that stand for no ordinary device or thread. The invalid device is the compiler's own number; the
 * runtime takes every number below -1 for invalid. 18 / 20.1.
 */
enum {
    omp_initial_device = -1,
#ifdef __clang__
    omp_invalid_device = -2,
#else
    omp_invalid_device = -4,
#endif
    omp_unassigned_thread = -2 /* 6.0: thread number of a free-agent thread */
};

/* Kinds of loop schedules; monotonic is a bit on top of one of the others. 18.2 / chapter 20. */
OMP_H_WIDE_ENUM typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = 0x80000000u
} omp_sched_t;

/* Policies for placing threads. 18.3 / chapter 20. */
typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = omp_proc_bind_primary, /* its name before 5.1 */
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

/* What a program expects of a lock; bits. A hint never changes what the lock does. 18.9 / chapter 20. */
typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0x0,
    omp_sync_hint_uncontended = 0x1,
    omp_sync_hint_contended = 0x2,
    omp_sync_hint_nonspeculative = 0x4,
    omp_sync_hint_speculative = 0x8,
    omp_lock_hint_none = omp_sync_hint_none, /* the names of 4.5 */
    omp_lock_hint_uncontended = omp_sync_hint_uncontended,
    omp_lock_hint_contended = omp_sync_hint_contended,
    omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative,
    omp_lock_hint_speculative = omp_sync_hint_speculative,
    kmp_lock_hint_hle = 0x10000, /* clang's own */
    kmp_lock_hint_rtm = 0x20000,
    kmp_lock_hint_adaptive = 0x40000
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

/*
 * Locks: 8 and 16 bytes, aligned to 8. The runtime keeps everything in the first 4 and 8 of them and
 * allocates nothing. Only the lock routines may look inside. 18.9 / chapter 20.
 */
typedef struct omp_lock_t {
    uint64_t omp_private;
} omp_lock_t;
typedef struct omp_nest_lock_t {
    uint64_t omp_private[2];
} omp_nest_lock_t;

/*
 * A dependence made by depobj: 16 bytes with gcc, which fills it itself, a pointer with clang. - /
 * chapter 20.
 */
#ifdef __clang__
typedef void *omp_depend_t;
#else
typedef struct omp_depend_t {
    uint64_t omp_private[2];
} omp_depend_t;
#endif

/* 6.0: whether a task's dependences reach into and out of it (transparent clause). - / chapter 20. */
typedef enum omp_impex_t { omp_not_impex = 0, omp_import = 1, omp_export = 2, omp_impex = 3 } omp_impex_t;

/* The event of a detached task; 8 bytes. 18.11 / chapter 20. */
OMP_H_WIDE_ENUM typedef enum omp_event_handle_t OMP_H_BASE {
    omp_event_handle_private_none = 0,
    omp_event_handle_private_max = UINTPTR_MAX
} omp_event_handle_t;

/* How much omp_pause_resource gives back. 18.6 / chapter 20. */
typedef enum omp_pause_resource_t {
    omp_pause_resume = 0,   /* clang's own: nothing */
    omp_pause_soft = 1,     /* threadprivate data of other threads than the initial one may end */
    omp_pause_hard = 2,     /* the same in Companion */
    omp_pause_stop_tool = 3 /* 5.2: as hard, and ends the tool */
} omp_pause_resource_t;

/* What omp_control_tool asks of a tool; numbers from 64 on are the tool's. 18.14 / chapter 20. */
typedef enum omp_control_tool_t {
    omp_control_tool_start = 1,
    omp_control_tool_pause = 2,
    omp_control_tool_flush = 3,
    omp_control_tool_end = 4
} omp_control_tool_t;

/* What it answers; numbers from 64 on are the tool's. 18.14 / chapter 20. */
typedef enum omp_control_tool_result_t {
    omp_control_tool_notool = -2,
    omp_control_tool_nocallback = -1,
    omp_control_tool_success = 0,
    omp_control_tool_ignored = 1
} omp_control_tool_result_t;

/* An object of another runtime: 8 bytes, a number with gcc, a pointer with clang. 18.12 / chapter 20. */
#ifdef __clang__
typedef void *omp_interop_t;
#define omp_interop_none 0
#else
OMP_H_WIDE_ENUM typedef enum omp_interop_t OMP_H_BASE {
    omp_interop_none = 0,
    omp_interop_private_max = UINTPTR_MAX
} omp_interop_t;
#endif

/* Other runtimes. 18.12 / chapter 20. */
typedef enum omp_interop_fr_t {
    omp_ifr_cuda = 1,
    omp_ifr_cuda_driver = 2,
    omp_ifr_opencl = 3,
    omp_ifr_sycl = 4,
    omp_ifr_hip = 5,
    omp_ifr_level_zero = 6,
    omp_ifr_hsa = 7,
    omp_ifr_last = omp_ifr_hsa
} omp_interop_fr_t;

/* Properties of such an object; numbers from 0 on are the implementation's. 18.12 / chapter 20. */
typedef enum omp_interop_property_t {
    omp_ipr_fr_id = -1,
    omp_ipr_fr_name = -2,
    omp_ipr_vendor = -3,
    omp_ipr_vendor_name = -4,
    omp_ipr_device_num = -5,
    omp_ipr_platform = -6,
    omp_ipr_device = -7,
    omp_ipr_device_context = -8,
    omp_ipr_targetsync = -9,
    omp_ipr_first = omp_ipr_targetsync
} omp_interop_property_t;

/* Why there is a value or none. 18.12 / chapter 20. */
typedef enum omp_interop_rc_t {
    omp_irc_no_value = 1,
    omp_irc_success = 0,
    omp_irc_empty = -1,
    omp_irc_out_of_range = -2,
    omp_irc_type_int = -3,
    omp_irc_type_ptr = -4,
    omp_irc_type_str = -5,
    omp_irc_other = -6
} omp_interop_rc_t;

/* Allocators; 8 bytes. Those that omp_init_allocator makes have other numbers. 18.13 / 20.8.1. */
OMP_H_WIDE_ENUM typedef enum omp_allocator_handle_t OMP_H_BASE {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    omp_allocator_handle_private_max = UINTPTR_MAX
} omp_allocator_handle_t;

/* Memory spaces; 8 bytes. The null space of 6.0 stands for the default one. 18.13 / 20.8.11. */
OMP_H_WIDE_ENUM typedef enum omp_memspace_handle_t OMP_H_BASE {
    omp_default_mem_space = 0,
    omp_null_mem_space = 0, /* 6.0 */
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    omp_memspace_handle_private_max = UINTPTR_MAX
} omp_memspace_handle_t;

/* Traits of an allocator. 18.13 / 20.8.3. */
typedef enum omp_alloctrait_key_t {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2, /* bytes */
    omp_atk_access = 3,
    omp_atk_pool_size = 4, /* bytes */
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6, /* an allocator */
    omp_atk_pinned = 7,
    omp_atk_partition = 8,
    omp_atk_pin_device = 9, /* 6.0, and the rest */
    omp_atk_preferred_device = 10,
    omp_atk_device_access = 11,
    omp_atk_target_access = 12,
    omp_atk_atomic_scope = 13,
    omp_atk_part_size = 14,
    omp_atk_partitioner = 15,
    omp_atk_partitioner_arg = 16
} omp_alloctrait_key_t;

/*
 * Values of traits. "all" keeps its number of 5.0, which every runtime knows; 6.0 gives 7 to "device" and
 * 19 to "all", and on the host the two are one. 18.13 / 20.8.4.
 */
OMP_H_WIDE_ENUM typedef enum omp_alloctrait_value_t OMP_H_BASE {
    omp_atv_default = UINTPTR_MAX, /* -1 */
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_uncontended = 4,
    omp_atv_serialized = 5,
    omp_atv_sequential = omp_atv_serialized, /* its name in 5.0 */
    omp_atv_private = 6,
    omp_atv_all = 7,
    omp_atv_device = 7, /* 6.0 */
    omp_atv_thread = 8,
    omp_atv_pteam = 9,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_null_fb = 12,
    omp_atv_abort_fb = 13,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_nearest = 16,
    omp_atv_blocked = 17,
    omp_atv_interleaved = 18,
    omp_atv_single = 20, /* 6.0, and the rest */
    omp_atv_multiple = 21,
    omp_atv_memspace = 22,
    omp_atv_partitioner = 23
} omp_alloctrait_value_t;

/* 6.0: any value of a trait, also a number or a handle. - / 20.8.5. */
typedef omp_intptr_t omp_alloctrait_val_t;

/* A trait with its value; 16 bytes. 18.13 / 20.8. */
typedef struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    omp_uintptr_t value;
} omp_alloctrait_t;

/* 6.0: how memory is cut into parts, and who does it. - / 20.8.6 to 20.8.10. */
typedef struct omp_mempartition_t {
    void *omp_private;
} omp_mempartition_t;
typedef struct omp_mempartitioner_t {
    void *omp_private;
} omp_mempartitioner_t;
typedef enum omp_mempartitioner_lifetime_t {
    omp_static_mempartition = 1,    /* one partition for all allocations of a size in a space */
    omp_allocator_mempartition = 2, /* one for all of a size of an allocator */
    omp_dynamic_mempartition = 3    /* one for each */
} omp_mempartitioner_lifetime_t;
typedef void (*omp_mempartitioner_compute_proc_t)(omp_memspace_handle_t memspace, size_t allocation_size,
                                                  omp_alloctrait_val_t partitioner_arg,
                                                  omp_mempartition_t *partition);
typedef void (*omp_mempartitioner_release_proc_t)(omp_mempartition_t *partition);

/* ---------------------------------------------------------------------------------------------------------
 * Threads and teams. 18.2 / chapter 21.
 * ------------------------------------------------------------------------------------------------------ */

/*
 * Numbers of threads. set: how many the next region of the current task gets, its nthreads-var; below 1
 * counts as 1. num: in the current team, outside 1. max: upper bound for the next region. limit: of the
 * whole contention group, INT_MAX for none. thread_num: from 0 in the current team, outside 0.
 */
void omp_set_num_threads(int num_threads) OMP_H_NOTHROW;
int omp_get_num_threads(void) OMP_H_NOTHROW;
int omp_get_max_threads(void) OMP_H_NOTHROW;
int omp_get_thread_limit(void) OMP_H_NOTHROW;
int omp_get_thread_num(void) OMP_H_NOTHROW;

/* 1: inside a region with more than one thread, however far out; else 0. */
int omp_in_parallel(void) OMP_H_NOTHROW;

/* Whether the runtime may give a region fewer threads than asked: dyn-var of the current task, 0 or 1. */
void omp_set_dynamic(int dynamic_threads) OMP_H_NOTHROW;
int omp_get_dynamic(void) OMP_H_NOTHROW;

/* Deprecated in 5.0, dropped in 6.0. set: 0 means one active level, else as many as can be. */
void omp_set_nested(int nested) OMP_H_NOTHROW;
int omp_get_nested(void) OMP_H_NOTHROW;

/*
 * What schedule(runtime) does: run-sched-var of the current task. A chunk size below 1, in iterations, stands
 * for the kind's own. An unknown kind is ignored.
 */
void omp_set_schedule(omp_sched_t kind, int chunk_size) OMP_H_NOTHROW;
void omp_get_schedule(omp_sched_t *kind, int *chunk_size) OMP_H_NOTHROW;

/* How many levels of regions may be active. set: negative is ignored, too many is cut to what can be. */
void omp_set_max_active_levels(int max_levels) OMP_H_NOTHROW;
int omp_get_max_active_levels(void) OMP_H_NOTHROW;
int omp_get_supported_active_levels(void) OMP_H_NOTHROW;

/* Regions around here: all, and those with more than one thread. Outside 0. */
int omp_get_level(void) OMP_H_NOTHROW;
int omp_get_active_level(void) OMP_H_NOTHROW;

/*
 * At a level from 0 (outside) to omp_get_level(): the number of this thread or its ancestor, and the size
 * of the team. Another level: -1.
 */
int omp_get_ancestor_thread_num(int level) OMP_H_NOTHROW;
int omp_get_team_size(int level) OMP_H_NOTHROW;

/* Whether cancellation is on: cancel-var. 18.2 / chapter 30. */
int omp_get_cancellation(void) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Places. 18.3 / chapter 29.
 * ------------------------------------------------------------------------------------------------------ */

/* The policy that the next region uses. */
omp_proc_bind_t omp_get_proc_bind(void) OMP_H_NOTHROW;

/*
 * The list of places: how many; how many processors one has (0: no such place); their numbers as the system
 * gives them, rising, into an array that is large enough.
 */
int omp_get_num_places(void) OMP_H_NOTHROW;
int omp_get_place_num_procs(int place_num) OMP_H_NOTHROW;
void omp_get_place_proc_ids(int place_num, int *ids) OMP_H_NOTHROW;

/* The place of this thread (-1: not bound), and the places of the current task: how many, which. */
int omp_get_place_num(void) OMP_H_NOTHROW;
int omp_get_partition_num_places(void) OMP_H_NOTHROW;
void omp_get_partition_place_nums(int *place_nums) OMP_H_NOTHROW;

/*
 * 5.0: a line of text on where the calling thread runs. format: NULL or empty means affinity-format-var.
 * get and capture give the length that the whole text has, in bytes without the NUL; a buffer of size
 * bytes gets as much of it as fits, with a NUL; size 0: nothing is written.
 */
void omp_set_affinity_format(const char *format) OMP_H_C_ROUTINE("ompc_set_affinity_format");
size_t omp_get_affinity_format(char *buffer, size_t size) OMP_H_C_ROUTINE("ompc_get_affinity_format");
void omp_display_affinity(const char *format) OMP_H_C_ROUTINE("ompc_display_affinity");
size_t omp_capture_affinity(char *buffer, size_t size, const char *format)
    OMP_H_C_ROUTINE("ompc_capture_affinity");

/* ---------------------------------------------------------------------------------------------------------
 * Teams regions. 18.4 / chapter 22.
 * ------------------------------------------------------------------------------------------------------ */

/* How many teams there are, and which one this is. Outside a teams region 1 and 0. */
int omp_get_num_teams(void) OMP_H_NOTHROW;
int omp_get_team_num(void) OMP_H_NOTHROW;

/* 5.1: upper bounds for the next teams region and for the threads of each team; 0: none was set. */
void omp_set_num_teams(int num_teams) OMP_H_NOTHROW;
int omp_get_max_teams(void) OMP_H_NOTHROW;
void omp_set_teams_thread_limit(int thread_limit) OMP_H_NOTHROW;
int omp_get_teams_thread_limit(void) OMP_H_NOTHROW;

/* 6.0: the same for a device. - / chapter 24 (24.13). */
int omp_get_device_num_teams(int device_num) OMP_H_NOTHROW;
void omp_set_device_num_teams(int num_teams, int device_num) OMP_H_NOTHROW;
int omp_get_device_teams_thread_limit(int device_num) OMP_H_NOTHROW;
void omp_set_device_teams_thread_limit(int thread_limit, int device_num) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Tasks. 18.5 and 18.11 / chapter 23.
 * ------------------------------------------------------------------------------------------------------ */

/* The highest priority that counts; whether the current task is final, and (5.2) explicit: 0 or 1. */
int omp_get_max_task_priority(void) OMP_H_NOTHROW;
int omp_in_final(void) OMP_H_NOTHROW;
int omp_in_explicit_task(void) OMP_H_NOTHROW;

/*
 * 6.0: whether a free-agent thread runs the current task, or an ancestor at a level. Wrong level: 0. - /
 * 23.1.
 */
int omp_is_free_agent(void) OMP_H_NOTHROW;
int omp_ancestor_is_free_agent(int level) OMP_H_NOTHROW;

/* 5.0: the event of a detached task has happened. To be called once for an event. */
void omp_fulfill_event(omp_event_handle_t event) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Devices. 18.7 / chapter 24. Numbers: 0 to num_devices - 1, the host as initial_device gives it or -1.
 * ------------------------------------------------------------------------------------------------------ */

/* Processors that the program may use. */
int omp_get_num_procs(void) OMP_H_NOTHROW;

/* 6.0: how many threads of a device are sure to make progress on their own. - / 24.6. */
int omp_get_max_progress_width(int device_num) OMP_H_NOTHROW;

/* The device of target constructs that name none: default-device-var of the current task. */
void omp_set_default_device(int device_num) OMP_H_NOTHROW;
int omp_get_default_device(void) OMP_H_NOTHROW;

/* How many devices besides the host; this one's number; the host's; whether this is the host: 0 or 1. */
int omp_get_num_devices(void) OMP_H_NOTHROW;
int omp_get_device_num(void) OMP_H_NOTHROW;
int omp_get_initial_device(void) OMP_H_NOTHROW;
int omp_is_initial_device(void) OMP_H_NOTHROW;

/* 6.0: a device's name and back. Unknown: omp_invalid_device, NULL. The text stays. */
int omp_get_device_from_uid(const char *uid) OMP_H_NOTHROW;
const char *omp_get_uid_from_device(int device_num) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Memory of devices. 18.8 / chapter 25. Sizes and offsets in bytes unless said otherwise. int results: 0
 * done, else an error number (EINVAL for a wrong device). The _async forms wait for depobj_count
 * dependences.
 * ------------------------------------------------------------------------------------------------------ */

/* Memory on a device. NULL: none, or no such device. */
void *omp_target_alloc(size_t size, int device_num) OMP_H_NOTHROW;
void omp_target_free(void *device_ptr, int device_num) OMP_H_NOTHROW;

/* Whether a device has a copy of the host's memory, or (5.1) reaches it itself: 0 or 1. */
int omp_target_is_present(const void *ptr, int device_num) OMP_H_NOTHROW;
int omp_target_is_accessible(const void *ptr, size_t size, int device_num) OMP_H_NOTHROW;

/* 5.1: where the copy is; NULL: nowhere. */
void *omp_get_mapped_ptr(const void *ptr, int device_num) OMP_H_NOTHROW;

/* Copies bytes between two devices. */
int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset,
                      int dst_device_num, int src_device_num) OMP_H_NOTHROW;
int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset,
                            int dst_device_num, int src_device_num, int depobj_count,
                            omp_depend_t *depobj_list) OMP_H_NOTHROW;

/*
 * Copies a box of volume[] elements from one array to another, of num_dims dimensions; offsets and
 * dimensions in elements. dst and src NULL: gives the number of dimensions that can be.
 */
int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
                           const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets,
                           const size_t *dst_dimensions, const size_t *src_dimensions, int dst_device_num,
                           int src_device_num) OMP_H_NOTHROW;
int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element_size, int num_dims,
                                 const size_t *volume, const size_t *dst_offsets, const size_t *src_offsets,
                                 const size_t *dst_dimensions, const size_t *src_dimensions,
                                 int dst_device_num, int src_device_num, int depobj_count,
                                 omp_depend_t *depobj_list) OMP_H_NOTHROW;

/* 6.0: sets count bytes to the low byte of value; gives ptr. - / chapter 25. */
void *omp_target_memset(void *ptr, int value, size_t count, int device_num) OMP_H_NOTHROW;
void *omp_target_memset_async(void *ptr, int value, size_t count, int device_num, int depobj_count,
                              omp_depend_t *depobj_list) OMP_H_NOTHROW;

/* Makes device memory the copy of host memory, or ends that. On the host itself: EINVAL. */
int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size, size_t device_offset,
                             int device_num) OMP_H_NOTHROW;
int omp_target_disassociate_ptr(const void *ptr, int device_num) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Locks. 18.9 / chapter 28. The task that sets a lock owns it, and only it may unset it.
 * ------------------------------------------------------------------------------------------------------ */

/* Makes a lock, free, and ends its use. The hint is only advice. */
void omp_init_lock(omp_lock_t *lock) OMP_H_NOTHROW;
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) OMP_H_NOTHROW;
void omp_destroy_lock(omp_lock_t *lock) OMP_H_NOTHROW;
void omp_init_nest_lock(omp_nest_lock_t *lock) OMP_H_NOTHROW;
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) OMP_H_NOTHROW;
void omp_destroy_nest_lock(omp_nest_lock_t *lock) OMP_H_NOTHROW;

/*
 * Takes a lock, waiting as long as another task has it; lets it go; takes it only if it is free (1; else
 * 0).
 */
void omp_set_lock(omp_lock_t *lock) OMP_H_NOTHROW;
void omp_unset_lock(omp_lock_t *lock) OMP_H_NOTHROW;
int omp_test_lock(omp_lock_t *lock) OMP_H_NOTHROW;

/* The same for a lock that its owner may take several times; test gives how often it is taken now, or 0. */
void omp_set_nest_lock(omp_nest_lock_t *lock) OMP_H_NOTHROW;
void omp_unset_nest_lock(omp_nest_lock_t *lock) OMP_H_NOTHROW;
int omp_test_nest_lock(omp_nest_lock_t *lock) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Time, resources, environment, tools. 18.6, 18.10, 18.14, 18.15 / chapters 30 and 31.
 * ------------------------------------------------------------------------------------------------------ */

/* Seconds since some moment that stays the same for a run, and the clock's step in seconds. */
double omp_get_wtime(void) OMP_H_NOTHROW;
double omp_get_wtick(void) OMP_H_NOTHROW;

/*
 * 5.0: gives back what the runtime holds on a device, or on all. 0: done; else not, as in a parallel
 * region.
 */
int omp_pause_resource(omp_pause_resource_t kind, int device_num) OMP_H_NOTHROW;
int omp_pause_resource_all(omp_pause_resource_t kind) OMP_H_NOTHROW;

/* 5.1: prints the settings to stderr; verbose 1: the runtime's own ones as well. */
void omp_display_env(int verbose) OMP_H_NOTHROW;

/* 5.0: hands a command to the tool in the process. The answer: omp_control_tool_result_t, or the tool's. */
int omp_control_tool(int command, int modifier, void *arg) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Objects of other runtimes. 5.1: 18.12 / chapter 26. The texts stay. ret_code may be NULL; when there is no
 * value, it says why, and the result is 0 or NULL.
 * ------------------------------------------------------------------------------------------------------ */

/* The number of the return code: int in 5.1, the enumeration in 6.0; what the compiler's own header has. */
#ifdef __clang__
typedef int omp_interop_private_rc_t;
#else
typedef omp_interop_rc_t omp_interop_private_rc_t;
#endif

/* How many properties there are besides the standard's. */
int omp_get_num_interop_properties(const omp_interop_t interop) OMP_H_NOTHROW;

/* The value of a property, by its type. */
omp_intptr_t omp_get_interop_int(const omp_interop_t interop, omp_interop_property_t property_id,
                                 omp_interop_private_rc_t *ret_code) OMP_H_NOTHROW;
void *omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property_id,
                          omp_interop_private_rc_t *ret_code) OMP_H_NOTHROW;
const char *omp_get_interop_str(const omp_interop_t interop, omp_interop_property_t property_id,
                                omp_interop_private_rc_t *ret_code) OMP_H_NOTHROW;

/* A property's name and type, and what a return code means. */
const char *omp_get_interop_name(const omp_interop_t interop,
                                 omp_interop_property_t property_id) OMP_H_NOTHROW;
const char *omp_get_interop_type_desc(const omp_interop_t interop,
                                      omp_interop_property_t property_id) OMP_H_NOTHROW;
const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t ret_code) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Memory. 18.13 / chapter 27. Sizes and alignments in bytes.
 * ------------------------------------------------------------------------------------------------------ */

/* An allocator with ntraits traits. omp_null_allocator: these traits cannot be had. 18.13 / 27.6. */
omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t memspace, int ntraits,
                                          const omp_alloctrait_t traits[]) OMP_H_NOTHROW;
void omp_destroy_allocator(omp_allocator_handle_t allocator) OMP_H_NOTHROW;

/* The allocator for calls that name none: def-allocator-var of the current implicit task. */
void omp_set_default_allocator(omp_allocator_handle_t allocator) OMP_H_NOTHROW;
omp_allocator_handle_t omp_get_default_allocator(void) OMP_H_NOTHROW;

/*
 * Memory from an allocator; omp_null_allocator: the default one. NULL: size is 0, or there is none and the
 * allocator's fallback says so. An alignment is a power of two. calloc gives zeroes. realloc moves memory to
 * another allocator: NULL as ptr allocates, size 0 frees.
 */
void *omp_alloc(size_t size, omp_allocator_handle_t allocator OMP_H_OR(omp_null_allocator)) OMP_H_NOTHROW;
void *omp_aligned_alloc(size_t alignment, size_t size,
                        omp_allocator_handle_t allocator OMP_H_OR(omp_null_allocator)) OMP_H_NOTHROW;
void *omp_calloc(size_t nmemb, size_t size,
                 omp_allocator_handle_t allocator OMP_H_OR(omp_null_allocator)) OMP_H_NOTHROW;
void *omp_aligned_calloc(size_t alignment, size_t nmemb, size_t size,
                         omp_allocator_handle_t allocator OMP_H_OR(omp_null_allocator)) OMP_H_NOTHROW;
void *omp_realloc(void *ptr, size_t size, omp_allocator_handle_t allocator OMP_H_OR(omp_null_allocator),
                  omp_allocator_handle_t free_allocator OMP_H_OR(omp_null_allocator)) OMP_H_NOTHROW;

/* Frees it. The allocator need not be named; NULL as ptr does nothing. */
void omp_free(void *ptr, omp_allocator_handle_t allocator OMP_H_OR(omp_null_allocator)) OMP_H_NOTHROW;

/* 6.0: memory spaces and allocators for some devices, the host with them, or all. Null when there is none. */
omp_memspace_handle_t omp_get_devices_memspace(int ndevs, const int *devs,
                                               omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_memspace_handle_t omp_get_device_memspace(int dev, omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_memspace_handle_t omp_get_devices_and_host_memspace(int ndevs, const int *devs,
                                                        omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_memspace_handle_t omp_get_device_and_host_memspace(int dev, omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_memspace_handle_t omp_get_devices_all_memspace(omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_allocator_handle_t omp_get_devices_allocator(int ndevs, const int *devs,
                                                 omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_allocator_handle_t omp_get_device_allocator(int dev, omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_allocator_handle_t omp_get_devices_and_host_allocator(int ndevs, const int *devs,
                                                          omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_allocator_handle_t omp_get_device_and_host_allocator(int dev,
                                                         omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_allocator_handle_t omp_get_devices_all_allocator(omp_memspace_handle_t memspace) OMP_H_NOTHROW;

/* 6.0: the resources of a space: how many, the size of a page in bytes, a space of some of them. */
int omp_get_memspace_num_resources(omp_memspace_handle_t memspace) OMP_H_NOTHROW;
size_t omp_get_memspace_pagesize(omp_memspace_handle_t memspace) OMP_H_NOTHROW;
omp_memspace_handle_t omp_get_submemspace(omp_memspace_handle_t memspace, int num_resources,
                                          const int *resources) OMP_H_NOTHROW;

/*
 * 6.0: cutting an allocation into parts. A partitioner's compute_proc makes a partition of nparts parts
 * and sets each: which resource, how many bytes. set_part: 0 done, -1 that size cannot be had there. - /
 * 27.5.
 */
void omp_init_mempartitioner(omp_mempartitioner_t *partitioner, omp_mempartitioner_lifetime_t lifetime,
                             omp_mempartitioner_compute_proc_t compute_proc,
                             omp_mempartitioner_release_proc_t release_proc) OMP_H_NOTHROW;
void omp_destroy_mempartitioner(const omp_mempartitioner_t *partitioner) OMP_H_NOTHROW;
void omp_init_mempartition(omp_mempartition_t *partition, size_t nparts, const void *user_data) OMP_H_NOTHROW;
void omp_destroy_mempartition(const omp_mempartition_t *partition) OMP_H_NOTHROW;
int omp_mempartition_set_part(omp_mempartition_t *partition, size_t part, int resource,
                              size_t size) OMP_H_NOTHROW;
void *omp_mempartition_get_user_data(const omp_mempartition_t *partition) OMP_H_NOTHROW;

/* ---------------------------------------------------------------------------------------------------------
 * Not of the standard: routines that clang's runtime has, for programs that call them.
 * ------------------------------------------------------------------------------------------------------ */

/* Milliseconds that a thread spins before it sleeps. */
int kmp_get_blocktime(void) OMP_H_NOTHROW;
void kmp_set_blocktime(int milliseconds) OMP_H_NOTHROW;

/* Stack of new threads, in bytes. */
int kmp_get_stacksize(void) OMP_H_NOTHROW;
void kmp_set_stacksize(int size) OMP_H_NOTHROW;
size_t kmp_get_stacksize_s(void) OMP_H_NOTHROW;
void kmp_set_stacksize_s(size_t size) OMP_H_NOTHROW;

/* How threads wait: 1 serial, 2 turnaround, 3 throughput. */
int kmp_get_library(void) OMP_H_NOTHROW;
void kmp_set_library(int mode) OMP_H_NOTHROW;
void kmp_set_library_serial(void) OMP_H_NOTHROW;
void kmp_set_library_turnaround(void) OMP_H_NOTHROW;
void kmp_set_library_throughput(void) OMP_H_NOTHROW;

/* Settings as environment variables, NAME=VALUE with | between; loops in flight at once; warnings. */
void kmp_set_defaults(const char *settings) OMP_H_NOTHROW;
void kmp_set_disp_num_buffers(int number) OMP_H_NOTHROW;
void kmp_set_warnings_on(void) OMP_H_NOTHROW;
void kmp_set_warnings_off(void) OMP_H_NOTHROW;

/* Sets of processors, and the set of the calling thread. 0: done. */
typedef void *kmp_affinity_mask_t;
int kmp_set_affinity(kmp_affinity_mask_t *mask) OMP_H_NOTHROW;
int kmp_get_affinity(kmp_affinity_mask_t *mask) OMP_H_NOTHROW;
int kmp_get_affinity_max_proc(void) OMP_H_NOTHROW;
void kmp_create_affinity_mask(kmp_affinity_mask_t *mask) OMP_H_NOTHROW;
void kmp_destroy_affinity_mask(kmp_affinity_mask_t *mask) OMP_H_NOTHROW;
int kmp_set_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask) OMP_H_NOTHROW;
int kmp_unset_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask) OMP_H_NOTHROW;
int kmp_get_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask) OMP_H_NOTHROW;

/* Memory of the calling thread's own pool; any thread may free it. */
void *kmp_malloc(size_t size) OMP_H_NOTHROW;
void *kmp_aligned_malloc(size_t size, size_t alignment) OMP_H_NOTHROW;
void *kmp_calloc(size_t nmemb, size_t size) OMP_H_NOTHROW;
void *kmp_realloc(void *ptr, size_t size) OMP_H_NOTHROW;
void kmp_free(void *ptr) OMP_H_NOTHROW;

/* Threads that the runtime knows; whether a cancellation of a kind (1 parallel, 2 loop, ...) is pending. */
int kmp_get_num_known_threads(void) OMP_H_NOTHROW;
int kmp_get_cancellation_status(int kind) OMP_H_NOTHROW;

#ifdef __cplusplus
}

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>

/*
 * Allocators for C++ containers, one for each predefined allocator; std::bad_alloc when there is no memory.
 * 18.13 / 20.8.
 */
namespace omp
{
namespace allocator
{

/* There is no memory: std::bad_alloc, or the end of a program that is compiled without exceptions. */
[[noreturn]] inline void omp_private_no_memory()
{
#if defined(__cpp_exceptions)
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

/* What they have in common: memory from Handle, for objects of type T. */
template <typename T, omp_allocator_handle_t Handle> struct omp_private_allocator {
    using value_type = T;

    T *allocate(std::size_t n)
    {
        void *memory = nullptr;
        if (n <= std::numeric_limits<std::size_t>::max() / sizeof(T))
            memory = omp_aligned_alloc(alignof(T), n * sizeof(T), Handle);
        if (memory == nullptr && n != 0)
            omp_private_no_memory();
        return static_cast<T *>(memory);
    }

    void deallocate(T *ptr, std::size_t) noexcept { omp_free(ptr, Handle); }
};

#define OMP_H_ALLOCATOR(name, handle)                                                            \
    template <typename T> struct name : omp_private_allocator<T, handle> {                       \
        using value_type = T;                                                                    \
        using is_always_equal = std::true_type;                                                  \
        name() noexcept = default;                                                               \
        template <typename U> name(const name<U> &) noexcept {}                                  \
        template <typename U> struct rebind {                                                    \
            using other = name<U>;                                                               \
        };                                                                                       \
    };                                                                                           \
    template <typename T, typename U> bool operator==(const name<T> &, const name<U> &) noexcept \
    {                                                                                            \
        return true;                                                                             \
    }                                                                                            \
    template <typename T, typename U> bool operator!=(const name<T> &, const name<U> &) noexcept \
    {                                                                                            \
        return false;                                                                            \
    }

OMP_H_ALLOCATOR(null_allocator, omp_null_allocator)
OMP_H_ALLOCATOR(default_mem, omp_default_mem_alloc)
OMP_H_ALLOCATOR(large_cap_mem, omp_large_cap_mem_alloc)
OMP_H_ALLOCATOR(const_mem, omp_const_mem_alloc)
OMP_H_ALLOCATOR(high_bw_mem, omp_high_bw_mem_alloc)
OMP_H_ALLOCATOR(low_lat_mem, omp_low_lat_mem_alloc)
OMP_H_ALLOCATOR(cgroup_mem, omp_cgroup_mem_alloc)
OMP_H_ALLOCATOR(pteam_mem, omp_pteam_mem_alloc)
OMP_H_ALLOCATOR(thread_mem, omp_thread_mem_alloc)

#undef OMP_H_ALLOCATOR

} // namespace allocator
} // namespace omp
#endif

#undef OMP_H_NOTHROW
#undef OMP_H_WIDE_ENUM
#undef OMP_H_BASE
#undef OMP_H_OR
#undef OMP_H_C_ROUTINE

#endif /* OMP_H */
