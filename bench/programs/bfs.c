/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A breadth-first search, level by level: each level is a dynamic loop over its vertices, which claims
 * neighbours by compare-and-swap and gathers them in parts of the next level.
 *
 * The graph is a hypercube of SIZE dimensions whose vertices have got new numbers at random, so that no
 * thread's neighbours are near. The check: at distance k there are SIZE over k (binomial) vertices.
 */
#include "program.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST = 26, PART = 64, SEARCHES = 11 };

static int dimensions;
static unsigned *number, *corner; /* of a corner its number, and back */
static _Atomic signed char *distance;
static unsigned *level, *next;
static _Atomic unsigned gathered;

static void hand_over(const unsigned *part, unsigned count)
{
    unsigned at = atomic_fetch_add_explicit(&gathered, count, memory_order_relaxed);
    memcpy(next + at, part, count * sizeof *part);
}

static void expand(unsigned count, signed char far)
{
#pragma omp parallel
    {
        unsigned part[PART] = {0}, filled = 0;
#pragma omp for schedule(dynamic, 32) nowait
        for (unsigned i = 0; i < count; i++) {
            for (int d = 0; d < dimensions; d++) {
                unsigned v = number[corner[level[i]] ^ 1u << d];
                signed char unseen = -1;
                if (atomic_load_explicit(&distance[v], memory_order_relaxed) >= 0 ||
                    !atomic_compare_exchange_strong(&distance[v], &unseen, far))
                    continue;
                part[filled++] = v;
                if (filled == PART) {
                    hand_over(part, filled);
                    filled = 0;
                }
            }
        }
        hand_over(part, filled);
    }
}

static void search(unsigned from)
{
    unsigned count = 1;
    level[0] = from;
    atomic_store(&distance[from], 0);
    for (signed char far = 1; count > 0; far++) {
        atomic_store(&gathered, 0);
        expand(count, far);
        count = atomic_load(&gathered);
        unsigned *other = level;
        level = next;
        next = other;
    }
}

static int check(size_t n)
{
    size_t at[MOST + 1] = {0}, expected = 1;
    int wrong = 0;
    for (size_t v = 0; v < n; v++) {
        int far = atomic_load_explicit(&distance[v], memory_order_relaxed);
        if (far < 0 || far > dimensions)
            return 1;
        at[far]++;
    }
    for (int k = 0; k <= dimensions; k++) {
        wrong |= at[k] != expected;
        expected = expected * (size_t)(dimensions - k) / (size_t)(k + 1);
    }
    return wrong;
}

static double bfs(int size)
{
    size_t n = (size_t)1 << size;
    if (size > MOST)
        return -1;
    dimensions = size;
    number = need(4 * n * sizeof *number);
    corner = number + n;
    level = corner + n;
    next = level + n;
    distance = need(n);
    unsigned state = 5;
    for (unsigned i = 0; i < n; i++)
        number[i] = i;
    for (size_t i = n - 1; i > 0; i--) {
        state = state * 1103515245u + 12345u;
        size_t other = (size_t)(state >> 4) % (i + 1);
        unsigned v = number[i];
        number[i] = number[other];
        number[other] = v;
    }
    for (unsigned i = 0; i < n; i++)
        corner[number[i]] = i;
    unsigned *first = number;

    double took = 0;
    int wrong = 0;
    for (unsigned s = 0; s < SEARCHES; s++) {
        memset(distance, -1, n);
        double start = seconds_now();
        search(s);
        took += seconds_now() - start;
        wrong |= check(n);
    }
    free(first);
    free((void *)distance);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 19, 1, 2, bfs);
}
