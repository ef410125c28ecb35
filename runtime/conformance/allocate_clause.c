/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The allocate clause (OpenMP 5.2, 6.6).
 */
#include "check.h"

CASE("private, firstprivate and reduction variables on parallel and for")
{
    int x = 1, y = 2, sum = 0;
#pragma omp parallel private(x) firstprivate(y) reduction(+ : sum) allocate(x, y, sum) num_threads(4)
    {
        x = omp_get_thread_num();
        y += x;
        sum += y;
#pragma omp barrier
        CHECK(x == omp_get_thread_num() && y == 2 + x);
    }
    CHECK(x == 1 && y == 2 && sum == 8 + 6);
    int last = -1;
#pragma omp parallel for firstprivate(y) lastprivate(last) allocate(omp_default_mem_alloc : y, last)
    for (int i = 0; i < 100; i++)
        last = i + y;
    CHECK(last == 101);
}

CASE("arrays")
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp parallel firstprivate(a) allocate(a) num_threads(4)
    {
        for (int i = 0; i < 100; i++) {
            CHECK(a[i] == i);
            a[i] = -1;
        }
    }
    CHECK(a[99] == 99);
}

CASE("on tasks, taskgroups and single")
{
    int x = 5, count = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp single firstprivate(x) allocate(x)
        {
            x++;
            CHECK(x == 6);
            for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(x) allocate(x) shared(count)
                ADD(count, x);
            }
        }
    }
    CHECK(count == 120 && x == 5);
}

CASE("an allocator of the program")
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
    int x = 3;
#pragma omp parallel firstprivate(x) allocate(mine : x) num_threads(4)
    {
        CHECK(x == 3);
        CHECK((uintptr_t)&x % 64 == 0);
        x = 0;
    }
    omp_destroy_allocator(mine);
}

CASE("sections")
{
    int x = 1, sum = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp sections firstprivate(x) allocate(x)
        {
#pragma omp section
            ADD(sum, x);
#pragma omp section
            ADD(sum, x);
        }
    }
    CHECK(sum == 2);
}
