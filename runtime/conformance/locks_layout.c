/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A lock routine touches no byte outside of the lock, for the sizes of all headers: gcc 4 and 16, gfortran
 * 4 and 8, clang 8 and 8, ours 8 and 16 (bytes of a simple and of a nestable lock). With the header's own
 * sizes the specification demands it; the others are for objects compiled with another header.
 */
#include "check.h"

#ifndef SIMPLE_BYTES
#define SIMPLE_BYTES sizeof(omp_lock_t)
#define NEST_BYTES   sizeof(omp_nest_lock_t)
#endif

#define CANARY 64
static _Alignas(64) unsigned char field[3][CANARY + 64 + CANARY];

static void *place(int which)
{
    memset(field[which], 0xa5, sizeof field[which]);
    return field[which] + CANARY;
}

static int intact(int which, size_t size)
{
    for (size_t i = 0; i < sizeof field[which]; i++)
        if ((i < CANARY || i >= CANARY + size) && field[which][i] != 0xa5)
            return 0;
    return 1;
}

CASE("simple: init, set, test, unset, destroy")
{
    omp_lock_t *lock = (omp_lock_t *)place(0);
    omp_init_lock(lock);
    CHECK(intact(0, SIMPLE_BYTES));
    omp_set_lock(lock);
    CHECK(intact(0, SIMPLE_BYTES));
    CHECK(omp_test_lock(lock) == 0);
    omp_unset_lock(lock);
    CHECK(omp_test_lock(lock) != 0);
    omp_unset_lock(lock);
    CHECK(intact(0, SIMPLE_BYTES));
    omp_destroy_lock(lock);
    CHECK(intact(0, SIMPLE_BYTES));
}

CASE("simple: with contention")
{
    omp_lock_t *lock = (omp_lock_t *)place(0);
    int count = 0;
    omp_init_lock(lock);
#pragma omp parallel num_threads(4) shared(count)
    for (int i = 0; i < 200; i++) {
        omp_set_lock(lock);
        count++;
        check_disturb(i);
        omp_unset_lock(lock);
    }
    CHECK(count == 800 && intact(0, SIMPLE_BYTES));
    omp_destroy_lock(lock);
    CHECK(intact(0, SIMPLE_BYTES));
}

CASE("nestable: init, set, test, unset, destroy")
{
    omp_nest_lock_t *lock = (omp_nest_lock_t *)place(1);
    omp_init_nest_lock(lock);
    CHECK(intact(1, NEST_BYTES));
    omp_set_nest_lock(lock);
    omp_set_nest_lock(lock);
    CHECK(omp_test_nest_lock(lock) == 3);
    CHECK(intact(1, NEST_BYTES));
    for (int i = 0; i < 3; i++)
        omp_unset_nest_lock(lock);
    omp_destroy_nest_lock(lock);
    CHECK(intact(1, NEST_BYTES));
}

CASE("nestable: with contention")
{
    omp_nest_lock_t *lock = (omp_nest_lock_t *)place(1);
    int count = 0;
    omp_init_nest_lock(lock);
#pragma omp parallel num_threads(4) shared(count)
    for (int i = 0; i < 200; i++) {
        omp_set_nest_lock(lock);
        omp_set_nest_lock(lock);
        count++;
        check_disturb(i);
        omp_unset_nest_lock(lock);
        omp_unset_nest_lock(lock);
    }
    CHECK(count == 800 && intact(1, NEST_BYTES));
    omp_destroy_nest_lock(lock);
    CHECK(intact(1, NEST_BYTES));
}

CASE("neighbours in an array")
{
    enum { N = 8 };
    static _Alignas(16) unsigned char simple[N * 16], nest[N * 16];
    int count[N] = {0};
    for (int i = 0; i < N; i++) {
        omp_init_lock((omp_lock_t *)(simple + i * SIMPLE_BYTES));
        omp_init_nest_lock((omp_nest_lock_t *)(nest + i * NEST_BYTES));
    }
#pragma omp parallel num_threads(4) shared(count)
    for (int i = 0; i < 40 * N; i++) {
        omp_lock_t *lock = (omp_lock_t *)(simple + i % N * SIMPLE_BYTES);
        omp_nest_lock_t *other = (omp_nest_lock_t *)(nest + i % N * NEST_BYTES);
        omp_set_lock(lock);
        omp_set_nest_lock(other);
        count[i % N]++;
        omp_unset_nest_lock(other);
        omp_unset_lock(lock);
    }
    for (int i = 0; i < N; i++) {
        CHECK(count[i] == 160);
        omp_destroy_lock((omp_lock_t *)(simple + i * SIMPLE_BYTES));
        omp_destroy_nest_lock((omp_nest_lock_t *)(nest + i * NEST_BYTES));
    }
}
