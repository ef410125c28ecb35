/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The C routines that the Fortran entry points call, as the ABI has them: enumerations are int, handles are
 * words, locks are addresses. Not omp.h, whose types follow the compiler of the program that includes it.
 */
#ifndef RT_ABI_OMP_C_H
#define RT_ABI_OMP_C_H

#include <stddef.h>
#include <stdint.h>

/* Threads, teams, tasks: OpenMP 5.2 sections 18.2, 18.4, 18.5, 18.11. */
void omp_set_num_threads(int n);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int on);
int omp_get_dynamic(void);
void omp_set_nested(int on);
int omp_get_nested(void);
void omp_set_schedule(uint32_t kind, int chunk);
void omp_get_schedule(uint32_t *kind, int *chunk);
int omp_get_thread_limit(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
int omp_get_supported_active_levels(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_in_final(void);
int omp_in_explicit_task(void);
int omp_get_cancellation(void);
int omp_get_num_teams(void);
int omp_get_team_num(void);
void omp_set_num_teams(int n);
int omp_get_max_teams(void);
void omp_set_teams_thread_limit(int n);
int omp_get_teams_thread_limit(void);
int omp_get_max_task_priority(void);
void omp_fulfill_event(uintptr_t event);
double omp_get_wtime(void);
double omp_get_wtick(void);

/* Places and affinity: section 18.3. The ompc_ names have C's arguments in every node. */
int omp_get_proc_bind(void);
int omp_get_num_places(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);
int omp_get_place_num(void);
int omp_get_partition_num_places(void);
void omp_get_partition_place_nums(int *places);
void ompc_set_affinity_format(const char *format);
size_t ompc_get_affinity_format(char *buffer, size_t size);
void ompc_display_affinity(const char *format);
size_t ompc_capture_affinity(char *buffer, size_t size, const char *format);
void omp_display_env(int verbose);

/* Devices, resources, tools: sections 18.6, 18.7, 18.14. */
void omp_set_default_device(int device);
int omp_get_default_device(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
int omp_get_device_from_uid(const char *uid);
const char *omp_get_uid_from_device(int device);
int omp_pause_resource(int kind, int device);
int omp_pause_resource_all(int kind);
int omp_control_tool(int command, int modifier, void *argument);

/* Interoperability: section 18.12. */
int omp_get_num_interop_properties(const void *interop);
intptr_t omp_get_interop_int(const void *interop, int property, int *rc);
void *omp_get_interop_ptr(const void *interop, int property, int *rc);
const char *omp_get_interop_str(const void *interop, int property, int *rc);
const char *omp_get_interop_name(const void *interop, int property);
const char *omp_get_interop_type_desc(const void *interop, int property);
const char *omp_get_interop_rc_desc(const void *interop, int rc);

/* Allocators: section 18.13. */
uintptr_t omp_init_allocator(uintptr_t memspace, int ntraits, const void *traits);
void omp_destroy_allocator(uintptr_t allocator);
void omp_set_default_allocator(uintptr_t allocator);
uintptr_t omp_get_default_allocator(void);

/* Locks: section 18.9. */
void omp_init_lock(void *lock);
void omp_init_lock_with_hint(void *lock, int hint);
void omp_destroy_lock(void *lock);
void omp_set_lock(void *lock);
void omp_unset_lock(void *lock);
int omp_test_lock(void *lock);
void omp_init_nest_lock(void *lock);
void omp_init_nest_lock_with_hint(void *lock, int hint);
void omp_destroy_nest_lock(void *lock);
void omp_set_nest_lock(void *lock);
void omp_unset_nest_lock(void *lock);
int omp_test_nest_lock(void *lock);

/* New in OpenMP 6.0: chapters 23, 24 and 27. */
int omp_is_free_agent(void);
int omp_ancestor_is_free_agent(int level);
int omp_get_device_num_teams(int device);
void omp_set_device_num_teams(int n, int device);
int omp_get_device_teams_thread_limit(int device);
void omp_set_device_teams_thread_limit(int n, int device);
int omp_get_max_progress_width(int device);
uintptr_t omp_get_devices_memspace(int n, const int *devices, uintptr_t memspace);
uintptr_t omp_get_device_memspace(int device, uintptr_t memspace);
uintptr_t omp_get_devices_and_host_memspace(int n, const int *devices, uintptr_t memspace);
uintptr_t omp_get_device_and_host_memspace(int device, uintptr_t memspace);
uintptr_t omp_get_devices_all_memspace(uintptr_t memspace);
uintptr_t omp_get_devices_allocator(int n, const int *devices, uintptr_t memspace);
uintptr_t omp_get_device_allocator(int device, uintptr_t memspace);
uintptr_t omp_get_devices_and_host_allocator(int n, const int *devices, uintptr_t memspace);
uintptr_t omp_get_device_and_host_allocator(int device, uintptr_t memspace);
uintptr_t omp_get_devices_all_allocator(uintptr_t memspace);
int omp_get_memspace_num_resources(uintptr_t memspace);
size_t omp_get_memspace_pagesize(uintptr_t memspace);
uintptr_t omp_get_submemspace(uintptr_t memspace, int n, const int *resources);

/* clang's own (docs/abi/omp-api.md 2.9). */
void kmp_set_blocktime(int milliseconds);
int kmp_get_blocktime(void);
void kmp_set_stacksize(int size);
int kmp_get_stacksize(void);
void kmp_set_stacksize_s(size_t size);
size_t kmp_get_stacksize_s(void);
void kmp_set_library(int mode);
int kmp_get_library(void);
void kmp_set_library_serial(void);
void kmp_set_library_turnaround(void);
void kmp_set_library_throughput(void);
void kmp_set_defaults(const char *settings);
void kmp_set_disp_num_buffers(int number);
void kmp_set_warnings_on(void);
void kmp_set_warnings_off(void);
void kmp_create_affinity_mask(void **mask);
void kmp_destroy_affinity_mask(void **mask);
int kmp_set_affinity(void **mask);
int kmp_get_affinity(void **mask);
int kmp_get_affinity_max_proc(void);
int kmp_set_affinity_mask_proc(int proc, void **mask);
int kmp_unset_affinity_mask_proc(int proc, void **mask);
int kmp_get_affinity_mask_proc(int proc, void **mask);
int kmp_get_cancellation_status(int kind);
int kmp_get_num_known_threads(void);

#endif
