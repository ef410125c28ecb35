/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A thread waits for a lock in allocated memory, to whose name only the holder's variables lead.
 */
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

struct box {
    int number;
    omp_lock_t lock;
};

/* Where the debugger stops, until the other thread waits. */
__attribute__((noinline)) void held(struct box *box)
{
    usleep(1000);
    box->number++;
    box->number++;
}

int main(void)
{
    struct box *box = calloc(1, sizeof(*box));

    if (!box)
        return 1;
    omp_init_lock(&box->lock);
    omp_set_lock(&box->lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num())
            omp_set_lock(&box->lock);
        else
            for (;;)
                held(box);
    }
}
