/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A merge sort with tasks: both halves are tasks, and so are the parts of a merge. Small pieces are sorted by
 * one task.
 *
 * The check: the numbers are in order, and their sum and the sum of their squares (modulo 2^64) are those of
 * the input.
 */
#include "program.h"

#include <stdint.h>
#include <string.h>

enum { SMALL = 1024, INSERTION = 24 };

static void insertion_sort(uint64_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t v = a[i];
        size_t j = i;
        for (; j > 0 && a[j - 1] > v; j--)
            a[j] = a[j - 1];
        a[j] = v;
    }
}

static void merge(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
    while (na > 0 && nb > 0) {
        if (*b < *a) {
            *to++ = *b++;
            nb--;
        } else {
            *to++ = *a++;
            na--;
        }
    }
    memcpy(to, a, na * sizeof *to);
    memmove(to + na, b, nb * sizeof *to); /* it may stand there already */
}

/** How many of the n numbers are less than v. */
static size_t less_than(const uint64_t *a, size_t n, uint64_t v)
{
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (a[low + half] < v) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void merge_tasks(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
    if (na < nb) { /* the longer one is halved */
        merge_tasks(b, nb, a, na, to);
        return;
    }
    if (na + nb <= 4 * SMALL) {
        merge(a, na, b, nb, to);
        return;
    }
    size_t half = na / 2, with = less_than(b, nb, a[half]);
#pragma omp task
    merge_tasks(a, half, b, with, to);
    merge_tasks(a + half, na - half, b + with, nb - with, to + half + with);
#pragma omp taskwait
}

static void sort_serially(uint64_t *a, size_t n, uint64_t *room)
{
    if (n <= INSERTION) {
        insertion_sort(a, n);
        return;
    }
    size_t half = n / 2;
    sort_serially(a, half, room);
    sort_serially(a + half, n - half, room);
    memcpy(room, a, half * sizeof *a);
    merge(room, half, a + half, n - half,
          a); /* never overtakes: a[half...] is read before its place is written */
}

static void sort_tasks(uint64_t *a, size_t n, uint64_t *room)
{
    if (n <= SMALL) {
        sort_serially(a, n, room);
        return;
    }
    size_t half = n / 2;
#pragma omp task
    sort_tasks(a, half, room);
#pragma omp task
    sort_tasks(a + half, n - half, room + half);
#pragma omp taskwait
    merge_tasks(a, half, a + half, n - half, room);
    memcpy(a, room, n * sizeof *a);
}

static double sort(int size)
{
    size_t n = (size_t)size;
    uint64_t *a = need(n * sizeof *a), *room = need(n * sizeof *room);
    uint64_t state = 0x9e3779b97f4a7c15u, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        a[i] = state;
        sum += state;
        squares += state * state;
    }
    memset(room, 0, n * sizeof *room);

    double start = seconds_now();
#pragma omp parallel
#pragma omp single
    sort_tasks(a, n, room);
    double took = seconds_now() - start;

    int wrong = 0;
    for (size_t i = 0; i < n; i++) {
        wrong |= i > 0 && a[i - 1] > a[i];
        sum -= a[i];
        squares -= a[i] * a[i];
    }
    free(a);
    free(room);
    return wrong || sum || squares ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 11000000, 1, 2, sort);
}
