/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The copyin clause (OpenMP 5.2, 5.7.1).
 */
#include "check.h"

static int number = 1;
static double vector[30];
static struct pair {
    int a;
    long b;
} pair;
static const char *text;
#pragma omp threadprivate(number, vector, pair, text)

CASE("all threads start with the primary thread's value")
{
    for (int round = 0; round < 20; round++) {
        number = 1000 + round;
#pragma omp parallel copyin(number)
        {
            CHECK(number == 1000 + round);
            number = -omp_get_thread_num();
        }
        CHECK(number == 0);
    }
}

CASE("arrays, structures and pointers")
{
    for (int i = 0; i < 30; i++)
        vector[i] = i * 1.5;
    pair = (struct pair){3, 1L << 40};
    text = "copied";
#pragma omp parallel copyin(vector, pair, text)
    {
        for (int i = 0; i < 30; i++)
            CHECK(vector[i] == i * 1.5);
        CHECK(pair.a == 3 && pair.b == 1L << 40);
        CHECK(strcmp(text, "copied") == 0);
        vector[0] = -1;
        pair.a = omp_get_thread_num();
    }
    CHECK(pair.a == 0);
}

CASE("a thread that changes its copy at once does not spoil the others'")
{
    for (int round = 0; round < 50; round++) {
        number = round;
#pragma omp parallel copyin(number)
        {
            CHECK(number == round);
            number = 9999;
        }
    }
}

#if !defined __clang__ || CLANG_AT_LEAST(16) /* 14 copies nothing on parallel for and parallel sections */
CASE("on combined constructs")
{
    number = 4;
    int sum = 0;
#pragma omp parallel for copyin(number) reduction(+ : sum)
    for (int i = 0; i < 50; i++)
        sum += number;
    CHECK(sum == 200);
    sum = 0;
#pragma omp parallel sections copyin(number) reduction(+ : sum)
    {
#pragma omp section
        sum += number;
#pragma omp section
        sum += number;
    }
    CHECK(sum == 8);
}
#endif

CASE("teams of other sizes")
{
    for (int n = 1; n <= 8; n++) {
        number = n * n;
        int count = 0;
#pragma omp parallel num_threads(n) copyin(number)
        ADD(count, number == n * n);
        CHECK(count == n);
    }
}

CASE("nested teams copy from the inner primary thread")
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        number = 50 + me;
#pragma omp parallel num_threads(2) copyin(number)
        CHECK(number == 50 + me);
    }
    omp_set_max_active_levels(1);
}
