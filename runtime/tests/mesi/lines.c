/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/tests/mesi/lines.h"

enum { WORDS = LINES_THREADS / 64, TABLE = 1 << 20 };

struct line {
    uintptr_t number;       /* address / 64; 0: no line */
    uint64_t copies[WORDS]; /* which threads have it */
    int alone;              /* the one copy may be written (M or E), else S */
    uint64_t busy;          /* until when the line is on its way between clusters */
    uint64_t *cluster_busy; /* and inside each of them */
};

static struct line *table;
static int cluster_size, clusters, lines;

void lines_start(int cluster)
{
    table = calloc(TABLE, sizeof *table);
    if (table == NULL)
        abort();
    cluster_size = cluster;
    clusters = (LINES_THREADS + cluster - 1) / cluster;
}

static struct line *line_of(const void *address)
{
    uintptr_t number = (uintptr_t)address / 64;
    size_t at = (number * 0x9e3779b97f4a7c15u) >> 44;
    while (table[at].number != number && table[at].number != 0)
        at = (at + 1) % TABLE;
    if (table[at].number == 0) {
        if (++lines == TABLE / 2)
            abort();
        table[at].number = number;
        table[at].cluster_busy = calloc((size_t)clusters, sizeof(uint64_t));
        if (table[at].cluster_busy == NULL)
            abort();
    }
    return &table[at];
}

static int has(const struct line *line, int thread)
{
    return (int)(line->copies[thread / 64] >> thread % 64 & 1);
}

int lines_hit(int thread, const void *address, int write)
{
    const struct line *line = line_of(address);
    return has(line, thread) && (!write || line->alone);
}

/** How many others have the line, inside and outside of the thread's cluster. */
static void others(const struct line *line, int thread, int *inside, int *outside)
{
    int first = thread / cluster_size * cluster_size, last = first + cluster_size;
    *inside = *outside = 0;
    for (int word = 0; word < WORDS; word++)
        for (uint64_t bits = line->copies[word]; bits != 0; bits &= bits - 1) {
            int other = word * 64 + __builtin_ctzll(bits);
            if (other != thread)
                ++*(other >= first && other < last ? inside : outside);
        }
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/** The time that the line's way takes; a read that the cluster can serve does not wait for other clusters. */
static uint64_t move(struct line *line, int cluster, uint64_t clock, int write, int far)
{
    uint64_t *here = &line->cluster_busy[cluster];
    uint64_t start = later(clock, *here);
    if (far)
        start = later(start, line->busy);
    if (far && write)
        for (int i = 0; i < clusters; i++)
            start = later(start, line->cluster_busy[i]);
    uint64_t end = start + (far ? LINES_FAR : LINES_NEAR);
    *here = end;
    if (far || write)
        line->busy = end;
    return end;
}

uint64_t lines_access(int thread, uint64_t clock, const void *address, int write, struct lines_counts *counts,
                      void (*lost)(int thread, uint64_t when))
{
    struct line *line = line_of(address);
    int mine = has(line, thread), inside, outside;
    if (mine && (!write || line->alone))
        return clock;
    others(line, thread, &inside, &outside);
    int cold = !mine && inside + outside == 0;
    int far = cold || (write ? outside > 0 : inside == 0);
    uint64_t end = move(line, thread / cluster_size, clock, write, far);
    ++*(cold ? &counts->cold : far ? &counts->far : &counts->near);
    line->alone = write || cold;
    if (write) {
        uint64_t copies[WORDS];
        memcpy(copies, line->copies, sizeof copies);
        memset(line->copies, 0, sizeof line->copies);
        copies[thread / 64] &= ~(1ULL << thread % 64);
        for (int word = 0; word < WORDS; word++)
            for (uint64_t bits = copies[word]; bits != 0; bits &= bits - 1)
                lost(word * 64 + __builtin_ctzll(bits), end);
        counts->invalidated += (uint64_t)(inside + outside);
    }
    line->copies[thread / 64] |= 1ULL << thread % 64;
    return end;
}

void lines_rewind(void)
{
    for (size_t at = 0; at < TABLE; at++)
        if (table[at].number != 0) {
            table[at].busy = 0;
            memset(table[at].cluster_busy, 0, (size_t)clusters * sizeof(uint64_t));
        }
}
