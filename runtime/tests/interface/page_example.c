/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Runs the worked example of libomp's interface page, with both kinds of reduction and teams of several
 * sizes. What is declared before it is what the page takes for granted. Its main ends with __kmpc_end,
 * where its result is still there.
 */
#include <stdio.h>

#include "interface.h"
#include <omp.h>

static ident_t loc0 = {0, 2, 0, 0, ";page;main;1;1;;"}, loc3 = {0, 2, 0, 0, ";page;main;3;1;;"},
               loc7 = {0, 2, 0, 0, ";page;main;7;1;;"};
struct main_10_reduction_t_5;
void main_7_parallel_3(int *gtid, int *btid, float *r_7_shp);
void main_10_reduce_5(struct main_10_reduction_t_5 *reduce_lhs, struct main_10_reduction_t_5 *reduce_rhs);
int page_main();

static int calls;
static float result;

float foo(void)
{
    return (float)__atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
}

#define main page_main
#define __kmpc_fork_call(loc, count, code, argument) \
    __kmpc_fork_call(loc, count, (kmpc_micro *)(code), argument)
#define __kmpc_reduce_nowait(loc, gtid, count, size, data, combine, name) \
    __kmpc_reduce_nowait(loc, gtid, count, size, data, (void (*)(void *, void *))(combine), name)
#define __kmpc_end(loc) (result = r, __kmpc_end(loc))
#include "page_example.h"
#undef main

int main(void)
{
    for (int threads = 1; threads <= 16; threads *= 2)
        for (int atomic = 0; atomic < 2; atomic++) {
            omp_set_num_threads(threads);
            loc10.flags = atomic ? KMP_IDENT_ATOMIC_REDUCE : 0;
            calls = 0;
            int status = page_main();
            if (status != 0 || calls != 10 || result != 55) {
                printf("%d threads, %s: %d calls, %g\n", threads, atomic ? "atomic" : "locked", calls,
                       (double)result);
                return 1;
            }
        }
    puts("ok");
    return 0;
}
