/* SPDX-License-Identifier: Apache-2.0 */
/* What a region's body does not use is only in the frame of the function around it: print_test.py. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int shade = 1;
static int arrived;

__attribute__((noinline)) void all_here(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void hold(int mine)
{
    __atomic_fetch_add(&arrived, mine > 0, __ATOMIC_SEQ_CST);
    while (omp_get_thread_num() > 0)
        pause();
    while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < omp_get_num_threads())
        usleep(1000);
    all_here();
}

static void work(int pass)
{
    int shade = 40 + pass, unused = 70;
    static int kept = 90;

    printf("TRUTH {\"pass\": %d, \"shade\": %d, \"unused\": %d, \"kept\": %d}\n", pass, shade, unused, kept);
    fflush(stdout);
#pragma omp parallel num_threads(4)
    {
        int mine = omp_get_thread_num() == 2 ? 5 : 7;
        hold(mine);
    }
}

int main(void)
{
    work(3);
    return shade;
}
