/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Of libomptarget what a target task needs whose device has not finished. It is built as libomptarget.so.99.
 */
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "standin.h"

int32_t __kmpc_global_thread_num(void *loc);
bool __kmpc_omp_has_task_team(int32_t gtid);
void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid);

void standin_start(struct work *work)
{
    int32_t gtid = __kmpc_global_thread_num(NULL);
    void **handle = __kmpc_omp_has_task_team(gtid) ? __kmpc_omp_get_target_async_handle_ptr(gtid) : NULL;
    if (handle != NULL) {
        *handle = work;
        return;
    }
    __atomic_store_n(&work->waited, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&work->finished, __ATOMIC_SEQ_CST))
        sched_yield();
}

void __tgt_target_nowait_query(void **handle)
{
    struct work *work = *handle;
    __atomic_add_fetch(&work->asked, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&work->finished, __ATOMIC_SEQ_CST))
        *handle = NULL;
}
