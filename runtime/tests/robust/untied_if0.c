/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Untied tasks with if(0) in a recursion, mixed with tied and deferred ones, waits and yields: libomp 14 and
 * 19 end with a failed assertion here. And one of a million parts, for clang makes a part of what stands
 * between two scheduling points: the stack is that of one.
 */
#include <omp.h>

#include "robust.h"
#include "work.h"

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task untied if (0) shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task untied if (n % 2) shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static int mixed(int n)
{
    int a = 0, b = 0, c = 0;
    if (n < 2)
        return 1;
#pragma omp task untied if (0) shared(a) firstprivate(n)
    {
#pragma omp taskyield
        a = mixed(n - 1);
#pragma omp taskwait
    }
#pragma omp task shared(b) firstprivate(n)
    {
        b = mixed(n - 2);
#pragma omp taskyield
    }
#pragma omp task if (0) shared(c) firstprivate(n)
    c = mixed(n - 2);
#pragma omp taskwait
    return a + b + c + 1;
}

static int mixed_serial(int n)
{
    return n < 2 ? 1 : mixed_serial(n - 1) + 2 * mixed_serial(n - 2) + 1;
}

enum { PARTS = 1000000 };

/** Returns how many parts have begun when the task is over; its locals are kept from part to part. */
static int parts(int n)
{
    int begun = 0;
#pragma omp task untied if (0) shared(begun) firstprivate(n)
    {
        for (int i = 0; i < n; i++) {
            begun++;
#pragma omp taskyield
        }
#pragma omp task shared(begun)
        begun++;
#pragma omp taskwait
        begun++;
    }
    return begun;
}

/** Its event is fulfilled by its last part. */
static int parts_detachable(int n)
{
    int begun = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task untied if (0) shared(begun) firstprivate(n) detach(event)
    {
        for (int i = 0; i < n; i++) {
            begun++;
#pragma omp taskyield
        }
        omp_fulfill_event(event);
    }
#pragma omp taskwait
    return begun;
}

/** By each thread in turn, those on small stacks among them. */
static int on_small_stacks(void)
{
    int good = 0;
#pragma omp parallel num_threads(3) reduction(+ : good)
    {
        good += parts(PARTS) == PARTS + 2;
        good += parts_detachable(PARTS / 10) == PARTS / 10;
    }
    EXPECT(good == 6);
    return robust_end();
}

int main(int argc, char **argv)
{
    static const char *const small[] = {"OMP_STACKSIZE=64K", NULL};
    static const int sizes[] = {1, 2, 4, 16};
    (void)argv;
    if (argc > 1)
        return on_small_stacks();
    for (int i = 0; i < 4; i++) {
        int f = 0, m = 0, g = 0;
#pragma omp parallel num_threads(sizes[i])
#pragma omp single
        {
            f = fib(14);
            m = mixed(9);
#pragma omp taskgroup
            {
#pragma omp task untied if (0) shared(g)
                {
#pragma omp task untied shared(g)
                    g = fib(6);
                }
            }
        }
        EXPECT(f == 377);
        EXPECT(m == mixed_serial(9));
        EXPECT(g == 8);
    }
    EXPECT(fib(10) == 55); /* outside of any region */
    EXPECT(work(3) == 0);
    EXPECT(parts(PARTS) == PARTS + 2);
    struct outcome outcome = robust_again("small", 100, small);
    EXPECT(outcome.exited == 0);
    if (outcome.exited != 0)
        printf("%d, signal %d\n%s", outcome.exited, outcome.signal, outcome.words);
    return robust_end();
}
