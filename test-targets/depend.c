/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks blocked on a dependence: first runs, left and right wait for it, last waits for those two. */
#include "truth.h"

static int begun, cell;

int main(void)
{
    truth_start("depend", 4, 0, 1);
    truth_tasks(4, 1, 0, 3, 0, 0);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            const int first = __LINE__ + 1;
#pragma omp task depend(out : cell)
            {
                truth_set(&begun, 1);
                truth_task_works();
                busy_here();
            }
            truth_await(&begun, 1);
            const int left = __LINE__ + 1;
#pragma omp task depend(in : cell)
            truth_set(&begun, 2);
            const int right = __LINE__ + 1;
#pragma omp task depend(in : cell)
            truth_set(&begun, 3);
            const int last = __LINE__ + 1;
#pragma omp task depend(inout : cell)
            truth_set(&begun, 4);
            truth_task_edge(left, first);
            truth_task_edge(right, first);
            truth_task_edge(last, left);
            truth_task_edge(last, right);
            truth_works();
            busy_here();
        }
        truth_barrier(TRUTH_EXPLICIT_BARRIER, __LINE__ + 1);
#pragma omp barrier
    }
}
