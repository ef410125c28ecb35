/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The types, codes and callbacks of the early OMPD draft, for ompd-draft.h, which includes this. Not for use
 * alone.
 *
 * "The draft" is the OMPD technical report of 2016: its appendix of type definitions, and the table of
 * callbacks of its section on the debugger callback interface. Numbers and layouts are the draft's own where
 * they differ from today's; what has the same name and meaning today (ompd_address_t, ompd_wait_id_t,
 * ompd_size_t, the handles and contexts) is omp-tools.h's. docs/ompd-draft.md lists all differences.
 */
#ifndef OMPD_DRAFT_TYPES_H
#define OMPD_DRAFT_TYPES_H

#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ompd_addr_t ompd_taddr_t;
typedef ompd_word_t ompd_tword_t;

#define OMPD_SEGMENT_TEXT ((ompd_taddr_t)1)
#define OMPD_SEGMENT_DATA ((ompd_taddr_t)2)

/* The structures behind handles and contexts had other tags; a debugger defines its contexts by them. */
#define _ompd_address_space_handle_s  _ompd_aspace_handle
#define _ompd_thread_handle_s         _ompd_thread_handle
#define _ompd_parallel_handle_s       _ompd_parallel_handle
#define _ompd_task_handle_s           _ompd_task_handle
#define _ompd_address_space_context_s _ompd_aspace_cont
#define _ompd_thread_context_s        _ompd_thread_cont

/* Today an integer of 64 bits. */
typedef enum { ompd_osthread_pthread, ompd_osthread_lwp, ompd_osthread_winthread } ompd_osthread_kind_t;

/* The draft's codes have the numbers of today's; two have other names. The draft ends with 10. */
#define ompd_rc_target_read_error  ompd_rc_device_read_error
#define ompd_rc_target_write_error ompd_rc_device_write_error

typedef enum {
    ompd_sched_static = 1,
    ompd_sched_dynamic = 2,
    ompd_sched_guided = 3,
    ompd_sched_auto = 4,
    ompd_sched_vendor_lo = 5,
    ompd_sched_vendor_hi = 0x7fffffff
} ompd_sched_t;

typedef enum {
    ompd_proc_bind_false = 0,
    ompd_proc_bind_true = 1,
    ompd_proc_bind_master = 2,
    ompd_proc_bind_close = 3,
    ompd_proc_bind_spread = 4
} ompd_proc_bind_t;

/* Today's ompd_device_type_sizes_t has the same members, of one byte each. */
typedef struct {
    int sizeof_char;
    int sizeof_short;
    int sizeof_int;
    int sizeof_long;
    int sizeof_long_long;
    int sizeof_pointer;
} ompd_target_type_sizes_t;

typedef enum {
    ompd_type_char = 0,
    ompd_type_short = 1,
    ompd_type_int = 2,
    ompd_type_long = 3,
    ompd_type_long_long = 4,
    ompd_type_pointer = 5
} ompd_target_prim_types_t;

/* Not the numbers of ompt_state_t: 0x10, 0x20 and 0x40 to 0x42 mean something else there. */
typedef enum {
    ompd_state_work_serial = 0x00,
    ompd_state_work_parallel = 0x01,
    ompd_state_work_reduction = 0x02,
    ompd_state_idle = 0x10,
    ompd_state_overhead = 0x20,
    ompd_state_wait_barrier = 0x40,
    ompd_state_wait_barrier_implicit = 0x41,
    ompd_state_wait_barrier_explicit = 0x42,
    ompd_state_wait_taskwait = 0x50,
    ompd_state_wait_taskgroup = 0x51,
    ompd_state_wait_mutex = 0x60,
    ompd_state_wait_lock = 0x61,
    ompd_state_wait_critical = 0x62,
    ompd_state_wait_atomic = 0x63,
    ompd_state_wait_ordered = 0x64,
    ompd_state_undefined = 0x70,
    ompd_state_first = 0x71
} ompd_state_t;

/* The callbacks, as a debugger of that time wrote them. */
typedef ompd_rc_t (*ompd_dmemory_alloc_fn_t)(ompd_size_t bytes, void **ptr);
typedef ompd_rc_t (*ompd_dmemory_free_fn_t)(void *ptr);
typedef ompd_rc_t (*ompd_get_thread_context_for_osthread_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_osthread_kind_t kind,
    ompd_size_t sizeof_osthread, const void *osthread, ompd_thread_context_t **thread_context);
typedef ompd_rc_t (*ompd_get_address_space_context_for_thread_fn_t)(
    ompd_thread_context_t *thread_context, ompd_address_space_context_t **address_space_context);
typedef ompd_rc_t (*ompd_tsizeof_prim_fn_t)(ompd_address_space_context_t *context,
                                            ompd_target_type_sizes_t *sizes);
typedef ompd_rc_t (*ompd_tsymbol_addr_fn_t)(ompd_address_space_context_t *address_space_context,
                                            ompd_thread_context_t *thread_context, const char *symbol_name,
                                            ompd_address_t *symbol_addr);
typedef ompd_rc_t (*ompd_tmemory_read_fn_t)(ompd_address_space_context_t *address_space_context,
                                            ompd_thread_context_t *thread_context, const ompd_address_t *addr,
                                            ompd_tword_t nbytes, void *buffer);
typedef ompd_rc_t (*ompd_tmemory_write_fn_t)(ompd_address_space_context_t *address_space_context,
                                             ompd_thread_context_t *thread_context,
                                             const ompd_address_t *addr, ompd_tword_t nbytes,
                                             const void *buffer);
typedef ompd_rc_t (*ompd_target_host_fn_t)(ompd_address_space_context_t *address_space_context,
                                           const void *input, int unit_size, int count, void *output);
typedef ompd_rc_t (*ompd_print_string_fn_t)(const char *string);

/* The draft's ompd_callbacks_t: as large as today's, but in another order. */
typedef struct {
    ompd_dmemory_alloc_fn_t d_alloc_memory;
    ompd_dmemory_free_fn_t d_free_memory;
    ompd_print_string_fn_t print_string;
    ompd_tsizeof_prim_fn_t t_sizeof_prim_type;
    ompd_tsymbol_addr_fn_t t_symbol_addr_lookup;
    ompd_tmemory_read_fn_t t_read_memory;
    ompd_tmemory_write_fn_t t_write_memory;
    ompd_target_host_fn_t target_to_host;
    ompd_target_host_fn_t host_to_target;
    ompd_get_thread_context_for_osthread_fn_t get_thread_context_for_osthread;
    ompd_get_address_space_context_for_thread_fn_t get_address_space_context_for_thread; /* nobody calls it */
} ompd_draft_callbacks_t;

#ifdef __cplusplus
}
#endif

#endif /* OMPD_DRAFT_TYPES_H */
