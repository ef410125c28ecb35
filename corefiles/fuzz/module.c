/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program of the fuzzer's cores: variables with types, a stack of calls, and what glibc publishes for
 * libthread_db. It never runs. seeds.py fills in what the dynamic linker and libc would have written.
 */
#include <stdint.h>

struct cell {
    int value;
    union {
        long number;
        struct cell *next;
    } u[3];
};

struct cell grid[4][2];
_Thread_local struct cell own[2];

/* {size in bits, number of elements, offset}: of the arrays below. */
const uint32_t _thread_db_sizeof_pthread = 256;
const uint32_t _thread_db_pthread_tid[3] = {32, 1, 16};
const uint32_t _thread_db_pthread_list[3] = {128, 1, 32};
const uint32_t _thread_db_pthread_dtvp[3] = {64, 1, 8};
const uint32_t _thread_db_dtv_dtv[3] = {128, 1, 0};
const uint32_t _thread_db_dtv_t_pointer_val[3] = {64, 1, 0};
const uint32_t _thread_db_link_map_l_tls_modid[3] = {64, 1, 40};
const uint32_t _thread_db_list_t_next[3] = {64, 1, 0};
const uint32_t _thread_db_rtld_global__dl_stack_used[3] = {128, 1, 0};
const uint32_t _thread_db_rtld_global__dl_stack_user[3] = {128, 1, 16};
uint64_t _rtld_global[4];
uint64_t pthreads[2][32], dtv[8], map[8], debug[4];

long spin(struct cell *cell, long depth)
{
    struct cell local[2] = {*cell, *cell};

    return depth ? spin(&local[1], depth - 1) + local[0].value : cell->value;
}
