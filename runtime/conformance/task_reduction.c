/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * task_reduction on taskgroup with in_reduction on task (OpenMP 5.2, 5.5.9 and 5.5.10).
 */
#include "check.h"

CASE("a sum over tasks")
{
    int sum = 100;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < 200; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
                    sum += i;
                }
            }
            CHECK(sum == 100 + 19900);
        }
    }
    CHECK(sum == 20000);
}

CASE("several variables and operators")
{
    long sum = 0;
    double low = 1e9;
    unsigned bits = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(min : low) task_reduction(| : bits)
            {
                for (int i = 0; i < 64; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(min : low) firstprivate(i)
                    {
                        sum += i;
                        low = i * 0.5 - 7 < low ? i * 0.5 - 7 : low;
                    }
#pragma omp task in_reduction(| : bits) firstprivate(i)
                    bits |= 1u << i % 32;
                }
            }
        }
    }
    CHECK(sum == 2016 && low == -7 && bits == UINT_MAX);
}

CASE("an array")
{
    int a[16] = {0};
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : a)
            {
                for (int i = 0; i < 160; i++) {
#pragma omp task in_reduction(+ : a) firstprivate(i)
                    a[i % 16] += 1;
                }
            }
        }
    }
    for (int i = 0; i < 16; i++)
        CHECK(a[i] == 10);
}

static int tree_sum;
static void grow(int depth)
{
    if (depth == 0)
        return;
    for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : tree_sum) firstprivate(depth)
        {
            tree_sum += 1;
            grow(depth - 1);
        }
    }
}

CASE("descendants take part, in a called function")
{
    tree_sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : tree_sum)
            grow(4);
        }
    }
    CHECK(tree_sum == 3 + 9 + 27 + 81);
}

CASE("a task in a task, both with the clause")
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
                    {
                        sum += 1;
#pragma omp task in_reduction(+ : sum)
                        sum += 10;
                    }
                }
            }
        }
    }
    CHECK(sum == 110);
}

/* clang 14 to 22 tells the runtime the size of one element for a section through a pointer. */
#ifndef __clang__
CASE("an array and a section")
{
    int a[16] = {0};
    long *p = (long *)calloc(8, sizeof *p);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : a, p [0:8])
            {
                for (int i = 0; i < 160; i++) {
#pragma omp task in_reduction(+ : a, p [0:8]) firstprivate(i)
                    {
                        a[i % 16] += 1;
                        p[i % 8] += i;
                    }
                }
            }
        }
    }
    for (int i = 0; i < 16; i++)
        CHECK(a[i] == 10);
    for (int i = 0; i < 8; i++)
        CHECK(p[i] == 20 * i + 8 * 190);
    free(p);
}

static void tree(int depth, int *sum_address)
{
    int *p = sum_address;
    if (depth == 0)
        return;
    for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : p [0:1]) firstprivate(depth)
        {
            p[0] += 1;
            tree(depth - 1, p);
        }
    }
}

CASE("descendants take part with the address of the parent's copy")
{
    int sum = 0, *p = &sum;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : p [0:1])
            tree(4, p);
        }
    }
    CHECK(sum == 3 + 9 + 27 + 81);
}
#endif

CASE("nested groups, each with its variable")
{
    int outer = 0, inner = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : outer)
            {
                for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : outer)
                    outer += 1;
                }
#pragma omp taskgroup task_reduction(+ : inner)
                {
                    for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : inner) in_reduction(+ : outer)
                        {
                            inner += 2;
                            outer += 1;
                        }
                    }
                }
                CHECK(inner == 10);
            }
            CHECK(outer == 10);
        }
    }
}

CASE("the group's own task uses the original variable; tasks without the clause do not take part")
{
    int sum = 0, others = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
#pragma omp task shared(others)
                ADD(others, 1);
#pragma omp task in_reduction(+ : sum)
                sum += 4;
            }
        }
    }
    CHECK(sum == 4 && others == 1);
}

CASE("every thread with its group")
{
    int total = 0;
#pragma omp parallel shared(total)
    {
        int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
                sum += i;
            }
        }
        CHECK(sum == 45);
        ADD(total, sum);
    }
    CHECK(total == 45 * omp_get_max_threads());
}

CASE("undeferred and final tasks")
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
                for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) if (0)
                    sum += 1;
#pragma omp task in_reduction(+ : sum) final(1)
                    sum += 1;
                }
            }
        }
    }
    CHECK(sum == 20);
}

struct best {
    int value, at;
};
static void take(struct best *out, const struct best *in)
{
    if (in->value > out->value)
        *out = *in;
}
#pragma omp declare reduction(best          \
                              : struct best \
                              : take(&omp_out, &omp_in)) initializer(omp_priv = {INT_MIN, -1})

CASE("a declared reduction")
{
    struct best b = {-5, -1};
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(best : b)
            {
                for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(best : b) firstprivate(i)
                    {
                        struct best mine = {i * 37 % 101, i};
                        take(&b, &mine);
                    }
                }
            }
        }
    }
    CHECK(b.value == 100 && b.at * 37 % 101 == 100);
}
