/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four members of a region, each in an iteration of its loop: 0 holds a lock, has created tasks that nobody
 * takes, and sleeps; 1 waits for that lock; 2 computes; 3 sleeps, or with "crash" uses a null pointer.
 */
#include <omp.h>
#include <string.h>
#include <unistd.h>

#include "words.h"

static omp_lock_t gate;
static int holds, crashes, shade = 1;
static int *volatile none;

static void hold_and_create(void)
{
    omp_set_lock(&gate); /* TAKEN */
    __atomic_store_n(&holds, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
        stay_asleep();
    }
}

static void member(int i, int mine)
{
    const int number = omp_get_thread_num();

    if (number == 0)
        hold_and_create();
    while (!__atomic_load_n(&holds, __ATOMIC_SEQ_CST))
        usleep(1000);
    words_of_member(number, i, mine, omp_get_place_num());
    if (number == 1)
        omp_set_lock(&gate); /* WAITS */
    if (number == 2)
        stay_busy();
    words_await();
    if (number == 3 && crashes)
        *none = i; /* CRASHES */
    stay_asleep();
}

static void work(int pass)
{
    int unused = 70 + pass, shade = 40 + pass;

    words_around(pass, unused, shade);
#pragma omp parallel num_threads(MEMBERS)
    {
        int mine = 100 * omp_get_thread_num();
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 100; i++)
            member(i, mine);
    }
}

int main(int argc, char **argv)
{
    crashes = argc > 1 && !strcmp(argv[1], "crash");
    omp_init_lock(&gate);
    work(3);
    return shade;
}
