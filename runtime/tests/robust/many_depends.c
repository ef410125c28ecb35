/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Dependences by the hundred thousand, as an iterator makes them: on the stack of the first thread, and on
 * those of threads that have a small one. What the compiler itself puts on the stack (8 bytes for each by
 * gcc, 24 by clang) has to fit, the runtime needs no more.
 */
#include <omp.h>

#include "robust.h"

#ifdef __clang__
#define EACH 24
#else
#define EACH 8
#endif
#define MANY  (4200000 / EACH) /* of the first thread's 8 MB */
#define SOME  (120000 / EACH)  /* of 256 KB */
#define SMALL "OMP_STACKSIZE=256K"

static char items[MANY];

/*
 * All that takes a list of dependences. A function each: what the compiler has put on the stack stays there
 * to its end.
 */

static __attribute__((noinline)) void write_first(int n, int *x)
{
#pragma omp task depend(iterator(i = 0 : n), out : items[i])
    *x = 1;
}

static __attribute__((noinline)) void read_then(int n, int *x)
{
#pragma omp task depend(iterator(i = 0 : n), in : items[i])
    *x = *x == 1 ? 2 : 0;
}

static __attribute__((noinline)) void wait_for_them(int n)
{
#pragma omp taskwait depend(iterator(i = 0 : n), inout : items[i])
}

static __attribute__((noinline)) void at_once(int n, int *x)
{
#pragma omp task depend(iterator(i = 0 : n), inout : items[i]) if (0)
    *x = *x == 2 ? 3 : 0;
}

static int in_order(int n)
{
    int x = 0;
    write_first(n, &x);
    read_then(n, &x);
    wait_for_them(n);
    int seen = x;
    at_once(n, &x);
    return seen == 2 && x == 3;
}

static int on_small_stacks(void)
{
    int good = 0;
#pragma omp parallel num_threads(3) reduction(+ : good)
    for (int turn = 0; turn < 3; turn++) {
#pragma omp barrier
        if (turn == omp_get_thread_num())
            good += in_order(SOME);
    }
    EXPECT(good == 3);
    return robust_end();
}

int main(int argc, char **argv)
{
    static const char *const small[] = {SMALL, NULL};
    (void)argv;
    if (argc > 1)
        return on_small_stacks();
    int good = 0;
#pragma omp parallel num_threads(2) reduction(+ : good)
    if (omp_get_thread_num() == 0)
        good = in_order(MANY);
    EXPECT(good == 1);
    struct outcome outcome = robust_again("small", 120, small);
    EXPECT(outcome.exited == 0);
    if (outcome.exited != 0)
        printf("%d, signal %d\n%s", outcome.exited, outcome.signal, outcome.words);
    return robust_end();
}
