/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For clang -fopenmp -fnoopenmp-use-tls: threadprivate variables by __kmpc_threadprivate_cached. A worker is
 * the first to touch one; copyin takes the value from the variable itself, which must be the primary thread's
 * copy. Exits with the number of wrong values.
 */
#include <omp.h>

static int counter = 7;
#pragma omp threadprivate(counter)

__attribute__((noinline)) static void put(int n)
{
    counter = n;
}

__attribute__((noinline)) static int get(void)
{
    return counter;
}

int main(void)
{
    int bad = 0;
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 2)
        put(100);
    bad += get() != 7;
    put(5);
#pragma omp parallel num_threads(4) copyin(counter) reduction(+ : bad)
    bad += get() != 5;
    put(6);
#pragma omp parallel num_threads(4) reduction(+ : bad)
    bad += get() != (omp_get_thread_num() == 0 ? 6 : 5);
    return bad;
}
