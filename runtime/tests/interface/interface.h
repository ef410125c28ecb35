/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The entry points of libomp's interface page that the tests here call by hand, as a compiler does: the
 * basic types and the functions of each group.
 */
#ifndef INTERFACE_H
#define INTERFACE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ident {
    int32_t reserved_1, flags, reserved_2, reserved_3;
    const char *psource;
} ident_t;
typedef int32_t kmp_critical_name[8];
typedef struct kmp_task {
    void *shareds;
    int32_t (*routine)(int32_t, struct kmp_task *);
    int32_t part_id;
    void *data1, *data2;
} kmp_task_t;
typedef void kmpc_micro(int32_t *gtid, int32_t *btid, ...);

enum { KMP_IDENT_ATOMIC_REDUCE = 0x10, STATIC = 34, DYNAMIC_CHUNKED = 35, ORDERED_DYNAMIC = 67, TIED = 1 };

/* startup and shutdown, deprecated */
void __kmpc_begin(ident_t *loc, int32_t flags);
void __kmpc_end(ident_t *loc);
int32_t __kmpc_ok_to_fork(ident_t *loc);
/* parallel */
void __kmpc_fork_call(ident_t *loc, int32_t argc, kmpc_micro *code, ...);
void __kmpc_push_num_threads(ident_t *loc, int32_t gtid, int32_t n);
void __kmpc_serialized_parallel(ident_t *loc, int32_t gtid);
void __kmpc_end_serialized_parallel(ident_t *loc, int32_t gtid);
/* thread states */
int32_t __kmpc_global_thread_num(ident_t *loc);
int32_t __kmpc_global_num_threads(ident_t *loc);
int32_t __kmpc_bound_thread_num(ident_t *loc);
int32_t __kmpc_bound_num_threads(ident_t *loc);
int32_t __kmpc_in_parallel(ident_t *loc);
/* worksharing */
void __kmpc_for_static_init_4(ident_t *loc, int32_t gtid, int32_t kind, int32_t *last, int32_t *lower,
                              int32_t *upper, int32_t *stride, int32_t increment, int32_t chunk);
void __kmpc_for_static_fini(ident_t *loc, int32_t gtid);
void __kmpc_dispatch_init_4(ident_t *loc, int32_t gtid, int32_t kind, int32_t lower, int32_t upper,
                            int32_t increment, int32_t chunk);
int32_t __kmpc_dispatch_next_4(ident_t *loc, int32_t gtid, int32_t *last, int32_t *lower, int32_t *upper,
                               int32_t *stride);
void __kmpc_dispatch_fini_4(ident_t *loc, int32_t gtid);
void __kmpc_ordered(ident_t *loc, int32_t gtid);
void __kmpc_end_ordered(ident_t *loc, int32_t gtid);
int32_t __kmpc_single(ident_t *loc, int32_t gtid);
void __kmpc_end_single(ident_t *loc, int32_t gtid);
int32_t __kmpc_master(ident_t *loc, int32_t gtid);
void __kmpc_end_master(ident_t *loc, int32_t gtid);
/* synchronisation */
void __kmpc_barrier(ident_t *loc, int32_t gtid);
int32_t __kmpc_barrier_master(ident_t *loc, int32_t gtid);
void __kmpc_end_barrier_master(ident_t *loc, int32_t gtid);
int32_t __kmpc_barrier_master_nowait(ident_t *loc, int32_t gtid);
void __kmpc_flush(ident_t *loc);
void __kmpc_critical(ident_t *loc, int32_t gtid, kmp_critical_name *name);
void __kmpc_end_critical(ident_t *loc, int32_t gtid, kmp_critical_name *name);
int32_t __kmpc_reduce_nowait(ident_t *loc, int32_t gtid, int32_t count, size_t size, void *data,
                             void (*combine)(void *, void *), kmp_critical_name *name);
void __kmpc_end_reduce_nowait(ident_t *loc, int32_t gtid, kmp_critical_name *name);
int32_t __kmpc_reduce(ident_t *loc, int32_t gtid, int32_t count, size_t size, void *data,
                      void (*combine)(void *, void *), kmp_critical_name *name);
void __kmpc_end_reduce(ident_t *loc, int32_t gtid, kmp_critical_name *name);
/* threadprivate */
void __kmpc_threadprivate_register(ident_t *loc, void *data, void *(*make)(void *),
                                   void *(*copy)(void *, void *), void (*destroy)(void *));
void *__kmpc_threadprivate(ident_t *loc, int32_t gtid, void *data, size_t size);
void *__kmpc_threadprivate_cached(ident_t *loc, int32_t gtid, void *data, size_t size, void ***cache);
void __kmpc_copyprivate(ident_t *loc, int32_t gtid, size_t size, void *data, void (*copy)(void *, void *),
                        int32_t mine);
/* atomics: some of the 340; atomic_test.cc has each one */
void __kmpc_atomic_float4_add(ident_t *loc, int32_t gtid, float *variable, float by);
void __kmpc_atomic_fixed4_add(ident_t *loc, int32_t gtid, int32_t *variable, int32_t by);
void __kmpc_atomic_fixed8_mul(ident_t *loc, int32_t gtid, int64_t *variable, int64_t by);
void __kmpc_atomic_float8_sub_rev(ident_t *loc, int32_t gtid, double *variable, double by);
int32_t __kmpc_atomic_fixed4_add_cpt(ident_t *loc, int32_t gtid, int32_t *variable, int32_t by, int flag);
void __kmpc_atomic_float10_add(ident_t *loc, int32_t gtid, long double *variable, long double by);
void __kmpc_atomic_fixed1_max(ident_t *loc, int32_t gtid, char *variable, char by);
int16_t __kmpc_atomic_fixed2_swp(ident_t *loc, int32_t gtid, int16_t *variable, int16_t by);
int64_t __kmpc_atomic_fixed8_rd(ident_t *loc, int32_t gtid, int64_t *variable);
void __kmpc_atomic_fixed8_wr(ident_t *loc, int32_t gtid, int64_t *variable, int64_t to);
void __kmpc_atomic_start(void);
void __kmpc_atomic_end(void);
/* tasking */
kmp_task_t *__kmpc_omp_task_alloc(ident_t *loc, int32_t gtid, int32_t flags, size_t size, size_t shareds,
                                  int32_t (*routine)(int32_t, kmp_task_t *));
int32_t __kmpc_omp_task(ident_t *loc, int32_t gtid, kmp_task_t *task);
void __kmpc_omp_task_begin_if0(ident_t *loc, int32_t gtid, kmp_task_t *task);
void __kmpc_omp_task_complete_if0(ident_t *loc, int32_t gtid, kmp_task_t *task);
int32_t __kmpc_omp_taskwait(ident_t *loc, int32_t gtid);
int32_t __kmpc_omp_taskyield(ident_t *loc, int32_t gtid, int end_part);
void __kmpc_taskgroup(ident_t *loc, int32_t gtid);
void __kmpc_end_taskgroup(ident_t *loc, int32_t gtid);

#endif
