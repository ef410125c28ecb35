/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The declare reduction directive (OpenMP 5.2, 5.5.11).
 */
#include "check.h"

struct extreme {
    double value;
    int at;
};

static void take_larger(struct extreme *out, const struct extreme *in)
{
    if (in->value > out->value || (in->value == out->value && in->at < out->at))
        *out = *in;
}

#pragma omp declare reduction(larger           \
                              : struct extreme \
                              : take_larger(&omp_out, &omp_in)) initializer(omp_priv = {-1e300, INT_MAX})

CASE("a structure: the largest value and where it is")
{
    struct extreme best = {-1, -1};
#pragma omp parallel for reduction(larger : best)
    for (int i = 0; i < 1000; i++) {
        struct extreme e = {(double)(i * 7919 % 1009), i};
        take_larger(&best, &e);
    }
    int expected = 0;
    for (int i = 0; i < 1000; i++)
        if (i * 7919 % 1009 > expected * 7919 % 1009)
            expected = i;
    CHECK(best.at == expected && best.value == expected * 7919 % 1009);
}

CASE("the initializer's value is what each thread starts with")
{
    struct extreme best = {5, 5};
#pragma omp parallel num_threads(4) reduction(larger : best)
    CHECK(best.value == -1e300 && best.at == INT_MAX);
    CHECK(best.value == 5 && best.at == 5);
}

struct poly {
    int c[4];
};
static void poly_init(struct poly *p, const struct poly *from)
{
    for (int i = 0; i < 4; i++)
        p->c[i] = -from->c[i] * 0;
}
static void poly_add(struct poly *out, struct poly *in)
{
    for (int i = 0; i < 4; i++)
        out->c[i] += in->c[i];
}
#pragma omp declare reduction(+ : struct poly : poly_add(&omp_out, &omp_in))                                 \
    initializer(poly_init(&omp_priv, &omp_orig))

CASE("an operator for a new type, an initializer function with omp_orig")
{
    struct poly p = {{1, 2, 3, 4}};
#pragma omp parallel for reduction(+ : p)
    for (int i = 0; i < 400; i++)
        p.c[i % 4]++;
    CHECK(p.c[0] == 101 && p.c[1] == 102 && p.c[2] == 103 && p.c[3] == 104);
}

#pragma omp declare reduction(bits                           \
                              : unsigned, unsigned long long \
                              : omp_out |= omp_in) initializer(omp_priv = 0)

CASE("one declaration for several types")
{
    unsigned u = 1;
    unsigned long long w = 1ull << 63;
#pragma omp parallel for reduction(bits : u, w)
    for (int i = 0; i < 64; i++) {
        u |= 1u << i % 32;
        w |= 1ull << i;
    }
    CHECK(u == UINT_MAX && w == ULLONG_MAX);
}

CASE("a declaration in a block")
{
#pragma omp declare reduction(twice:int : omp_out += 2 * omp_in) initializer(omp_priv = 0)
    int sum = 0;
    /* The combiner is not associative: only each private value, with two or one thread, has one result. */
#pragma omp parallel num_threads(1) reduction(twice : sum)
    sum = 5;
    CHECK(sum == 10 || sum == 5);
}

CASE("without an initializer the private copy of static type starts as zero")
{
#pragma omp declare reduction(plain:int : omp_out += omp_in)
    int sum = 7;
#pragma omp parallel num_threads(4) reduction(plain : sum)
    {
        CHECK(sum == 0);
        sum += 1;
    }
    CHECK(sum == 11);
}

CASE("arrays of the type, and array sections")
{
    struct extreme a[6];
    for (int i = 0; i < 6; i++)
        a[i] = (struct extreme){i, -1};
    struct extreme *p = a;
#pragma omp parallel for reduction(larger : p [0:6])
    for (int i = 0; i < 600; i++) {
        struct extreme e = {i / 100.0, i};
        take_larger(&p[i % 6], &e);
    }
    for (int i = 0; i < 6; i++)
        CHECK(a[i].at == 594 + i);
}

CASE("on sections, and together with a predefined operator")
{
    struct extreme best = {-1, -1};
    int count = 0;
#pragma omp parallel sections reduction(larger : best) reduction(+ : count)
    {
#pragma omp section
        {
            best = (struct extreme){1, 1};
            count++;
        }
#pragma omp section
        {
            struct extreme e = {9, 2};
            take_larger(&best, &e);
            count++;
        }
#pragma omp section
        {
            struct extreme e = {3, 3};
            take_larger(&best, &e);
            count++;
        }
    }
    CHECK(best.at == 2 && count == 3);
}

struct list {
    int count;
    int items[200];
};
static void append(struct list *to, const struct list *from)
{
    for (int i = 0; i < from->count; i++)
        to->items[to->count++] = from->items[i];
}
#pragma omp declare reduction(append        \
                              : struct list \
                              : append(&omp_out, &omp_in)) initializer(omp_priv = {0, {0}})

CASE("lists: each item once, in any order")
{
    struct list all = {0, {0}};
    int seen[200] = {0};
#pragma omp parallel for reduction(append : all)
    for (int i = 0; i < 200; i++)
        all.items[all.count++] = i;
    CHECK(all.count == 200);
    for (int i = 0; i < all.count; i++)
        seen[all.items[i]]++;
    for (int i = 0; i < 200; i++)
        CHECK(seen[i] == 1);
}

CASE("dynamic schedule, nowait, many rounds")
{
    struct extreme best[20], shared_best;
    for (int i = 0; i < 20; i++)
        best[i] = (struct extreme){-1, -1};
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
        struct extreme *b = &best[round];
#pragma omp single
        shared_best = (struct extreme){-1, -1};
#pragma omp for schedule(dynamic) reduction(larger : shared_best)
        for (int i = 0; i < 50; i++) {
            struct extreme e = {(i + round) % 50, i};
            take_larger(&shared_best, &e);
        }
#pragma omp single
        *b = shared_best;
    }
    for (int i = 0; i < 20; i++)
        CHECK(best[i].value == 49);
}
