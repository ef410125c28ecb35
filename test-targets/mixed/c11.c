/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of C11, and a team. */
#include <omp.h>
#include <threads.h>

#include "say.h"

static mtx_t table;
static int held, tid;

static int keeper(void *arg)
{
    const struct timespec nap = {SAY_LONG, 0};

    mtx_lock(&table);
    tid = say_tid();
    say_set(&held, 1);
    SAY_SLEEP();
    thrd_sleep(&nap, NULL);
    mtx_unlock(&table);
    return arg != NULL;
}

int main(void)
{
    thrd_t thread;

    say_verdict(3, "none");
    mtx_init(&table, mtx_plain);
    thrd_create(&thread, keeper, NULL);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            say_await(&held, 1);
            SAY("mutex", "futex", "'name':'table','object':'%p','owner':%d", (void *)&table, tid);
            mtx_lock(&table);
            mtx_unlock(&table);
        } else {
            SAY_BARRIER();
        }
    }
}
