/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "words.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char said[1 << 16];
static int used, members, busy;
static volatile unsigned long counted;

void words_around(int pass, int unused, int outer)
{
    used += snprintf(said, sizeof(said), "TRUTH {\"pass\": %d, \"unused\": %d, \"outer\": %d, \"members\": [",
                     pass, unused, outer);
}

static void put_processors(void)
{
    cpu_set_t allowed;
    const char *before = "";

    sched_getaffinity(0, sizeof(allowed), &allowed);
    for (int i = 0; i < CPU_SETSIZE && used < (int)sizeof(said) - 16; i++) {
        if (CPU_ISSET(i, &allowed)) {
            used += snprintf(said + used, sizeof(said) - (size_t)used, "%s%d", before, i);
            before = ", ";
        }
    }
}

void words_of_member(int number, int iteration, int mine, int place)
{
    pthread_mutex_lock(&turn);
    used += snprintf(said + used, sizeof(said) - (size_t)used,
                     "{\"thread_num\": %d, \"lwp\": %d, \"iteration\": %d, \"mine\": %d, \"place\": %d, "
                     "\"processors\": [",
                     number, gettid(), iteration, mine, place);
    put_processors();
    used += snprintf(said + used, sizeof(said) - (size_t)used, "]}%s", members == MEMBERS - 1 ? "]}" : ", ");
    if (members == MEMBERS - 1) {
        puts(said);
        fflush(stdout);
    }
    __atomic_fetch_add(&members, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&turn);
}

void words_await(void)
{
    while (__atomic_load_n(&members, __ATOMIC_SEQ_CST) < MEMBERS || !__atomic_load_n(&busy, __ATOMIC_SEQ_CST))
        usleep(1000);
}

void stay_asleep(void)
{
    for (;;)
        pause(); /* SLEEPS */
}

void stay_busy(void)
{
    __atomic_store_n(&busy, 1, __ATOMIC_SEQ_CST);
    for (;;)
        counted++; /* BUSY */
}
