/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks that need what their creator does next: a word that it stores, or a lock that it holds. There is a
 * thread for each of them, or they wait for each other in a few chains. So such a program ends, unless the
 * creator runs one of them itself. libgomp 12, libomp 14 and libomp 19 run it.
 */
#include <omp.h>

#include "robust.h"

enum { MANY = 5000, CHAINS = 8, SHORT = 100 };

static int ran;
static char word[CHAINS];
static omp_lock_t lock;

static void work_a_little(void)
{
    for (volatile int k = 0; k < 2000; k++)
        ;
}

static void until_told(const int *told)
{
    while (!__atomic_load_n(told, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
    }
    __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
}

static void in_lock(void)
{
    omp_set_lock(&lock);
    ran++;
    omp_unset_lock(&lock);
}

/** A chain that the creator is far ahead of; tasks that it has to tell something; one more of the chain. */
static void told_after_a_chain(int waiting)
{
    int told = 0;
    for (int i = 0; i <= MANY; i++) {
        for (int k = 0; i == MANY && k < waiting; k++) {
#pragma omp task shared(told)
            until_told(&told);
        }
#pragma omp task depend(inout : word[0])
        work_a_little();
    }
    __atomic_store_n(&told, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
}

/** The first of each chain is what the others wait for. */
static void told_at_the_head(int waiting)
{
    int told = 0;
    for (int i = 0; i < MANY; i++) {
#pragma omp task depend(inout : word[i % waiting]) shared(told) firstprivate(i)
        if (i < waiting)
            until_told(&told);
    }
    __atomic_store_n(&told, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
}

/** Other threads have learned that it does not pay to take such short ones. */
static void told_after_short_ones(int waiting)
{
    int told = 0;
    for (int turn = 0; turn < 30; turn++) {
        for (int i = 0; i < MANY; i++) {
#pragma omp task
            __asm__ volatile("");
        }
#pragma omp taskwait
    }
    for (int i = 0; i < SHORT; i++) {
#pragma omp task
        __asm__ volatile("");
    }
    for (int k = 0; k < waiting; k++) {
#pragma omp task shared(told)
        until_told(&told);
    }
    __atomic_store_n(&told, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
}

static void lock_for_each(int waiting)
{
    (void)waiting;
    for (int i = 0; i < MANY; i++) {
        omp_set_lock(&lock);
#pragma omp task depend(inout : word[i % CHAINS])
        in_lock();
        omp_unset_lock(&lock);
    }
#pragma omp taskwait
}

static void lock_for_all(int waiting)
{
    (void)waiting;
    omp_set_lock(&lock);
    for (int i = 0; i < MANY; i++) {
#pragma omp task depend(inout : word[i % CHAINS])
        in_lock();
    }
    omp_unset_lock(&lock);
#pragma omp taskwait
}

/** Each in a process of its own, which may hang. */
static const struct {
    const char *name;
    void (*create)(int waiting);
    int each; /**< so many run, or as many as wait if 0 */
} cases[] = {
    {"told after a chain", told_after_a_chain, 0},
    {"told at the head", told_at_the_head, 0},
    {"told after short ones", told_after_short_ones, 0},
    {"lock for each", lock_for_each, MANY},
    {"lock for all", lock_for_all, MANY},
};
enum { CASES = sizeof cases / sizeof *cases };

static int in_child(const char *name)
{
    int which = 0;
    while (strcmp(cases[which].name, name) != 0)
        which++;
    omp_init_lock(&lock);
    for (int threads = 2; threads <= 8; threads *= 2) {
        int waiting = threads - 1;
        ran = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
        cases[which].create(waiting);
        if (ran != (cases[which].each != 0 ? cases[which].each : waiting)) {
            printf("%s, %d threads: %d\n", name, threads, ran);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return in_child(argv[1]);
    for (int i = 0; i < CASES; i++) {
        struct outcome outcome = robust_again(cases[i].name, 60, NULL);
        EXPECT(outcome.exited == 0);
        if (outcome.exited != 0)
            printf("%s: %d, signal %d\n%s", cases[i].name, outcome.exited, outcome.signal, outcome.words);
    }
    return robust_end();
}
