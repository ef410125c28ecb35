/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Simple and nestable locks (OpenMP 5.2, 18.9).
 */
#include "check.h"

CASE("mutual exclusion")
{
    omp_lock_t lock;
    long count = 0;
    omp_init_lock(&lock);
#pragma omp parallel shared(count)
    for (int i = 0; i < 300; i++) {
        omp_set_lock(&lock);
        long x = count;
        if (i % 30 == 0)
            sched_yield();
        count = x + 1;
        omp_unset_lock(&lock);
    }
    CHECK(count == 300L * omp_get_max_threads());
    omp_destroy_lock(&lock);
}

CASE("test tells whether it took the lock")
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    CHECK(omp_test_lock(&lock) != 0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 0)
            CHECK(omp_test_lock(&lock) == 0);
    }
    omp_unset_lock(&lock);
    CHECK(omp_test_lock(&lock) != 0);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

CASE("test and yield until it is free")
{
    omp_lock_t lock;
    long count = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4) shared(count)
    for (int i = 0; i < 100; i++) {
        while (!omp_test_lock(&lock))
            sched_yield();
        count++;
        omp_unset_lock(&lock);
    }
    CHECK(count == 400);
    omp_destroy_lock(&lock);
}

CASE("two locks are independent")
{
    omp_lock_t a, b;
    int in_a = 0, in_b = 0;
    omp_init_lock(&a);
    omp_init_lock(&b);
#pragma omp parallel num_threads(2) shared(in_a, in_b)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&a);
            STORE(in_a, 1);
            WAIT_FOR(LOAD(in_b));
            omp_unset_lock(&a);
        } else {
            omp_set_lock(&b);
            STORE(in_b, 1);
            WAIT_FOR(LOAD(in_a));
            omp_unset_lock(&b);
        }
    }
    omp_destroy_lock(&a);
    omp_destroy_lock(&b);
}

CASE("many locks in an array")
{
    enum { N = 300 };
    static omp_lock_t locks[N];
    static int count[N];
    memset(count, 0, sizeof count);
    for (int i = 0; i < N; i++)
        omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 3 * N; i++) {
        omp_set_lock(&locks[i % N]);
        count[i % N]++;
        omp_unset_lock(&locks[i % N]);
    }
    for (int i = 0; i < N; i++) {
        CHECK(count[i] == 12);
        omp_destroy_lock(&locks[i]);
    }
}

CASE("a lock set by one task region and unset by it in another construct")
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    int x = 0;
#pragma omp parallel num_threads(2) shared(x)
    {
        if (omp_get_thread_num() == 1)
            STORE(x, omp_test_lock(&lock) ? -1 : 1);
    }
    CHECK(x == 1);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

CASE("destroy and init again")
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    for (int i = 0; i < 500; i++) {
        omp_init_lock(&lock);
        omp_init_nest_lock(&nest);
        omp_set_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_lock(&lock);
        omp_destroy_nest_lock(&nest);
        omp_destroy_lock(&lock);
    }
    CHECK(1);
}

CASE("nestable: the owner sets again, test gives the count")
{
    omp_nest_lock_t nest;
    omp_init_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    CHECK(omp_test_nest_lock(&nest) == 3);
    CHECK(omp_test_nest_lock(&nest) == 4);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            CHECK(omp_test_nest_lock(&nest) == 0);
    }
    for (int i = 0; i < 4; i++)
        omp_unset_nest_lock(&nest);
    int got = -1;
#pragma omp parallel num_threads(2) shared(got)
    {
        if (omp_get_thread_num() == 1) {
            STORE(got, omp_test_nest_lock(&nest));
            omp_unset_nest_lock(&nest);
        }
    }
    CHECK(got == 1);
    omp_destroy_nest_lock(&nest);
}

static omp_nest_lock_t recursive;
static long recursive_count;
static void recurse(int depth)
{
    omp_set_nest_lock(&recursive);
    recursive_count++;
    if (depth > 0)
        recurse(depth - 1);
    omp_unset_nest_lock(&recursive);
}

CASE("nestable: recursion by several threads")
{
    recursive_count = 0;
    omp_init_nest_lock(&recursive);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 50; i++)
        recurse(9);
    CHECK(recursive_count == 2000);
    omp_destroy_nest_lock(&recursive);
}

CASE("nestable: freed only by the last unset")
{
    omp_nest_lock_t nest;
    int inside = 0, wrong = 0;
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4) shared(inside, wrong)
    for (int i = 0; i < 100; i++) {
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        ADD(wrong, ADD(inside, 1) != 1);
        check_disturb(i);
        ADD(inside, -1);
        omp_unset_nest_lock(&nest);
    }
    CHECK(wrong == 0);
    omp_destroy_nest_lock(&nest);
}

CASE("locks in tasks: each task owns what it sets")
{
    omp_lock_t lock;
    int count = 0;
    omp_init_lock(&lock);
#pragma omp parallel shared(count)
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(count)
            {
                omp_set_lock(&lock);
                count++;
                omp_unset_lock(&lock);
            }
        }
    }
    CHECK(count == 100);
    omp_destroy_lock(&lock);
}

CASE("memory passes with the lock")
{
    static int a[64];
    omp_lock_t lock;
    omp_init_lock(&lock);
    memset(a, 0, sizeof a);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
        omp_set_lock(&lock);
        int first = a[0];
        for (int j = 0; j < 64; j++) {
            CHECK(a[j] == first);
            a[j]++;
        }
        omp_unset_lock(&lock);
    }
    CHECK(a[63] == 400);
    omp_destroy_lock(&lock);
}
