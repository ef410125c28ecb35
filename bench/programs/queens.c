/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * In how many ways SIZE queens stand on a board of SIZE x SIZE so that none attacks another: a search whose
 * upper levels are tasks, each with a board of its own, of very different lengths.
 *
 * The check: the numbers up to 16 are known (OEIS A000170).
 */
#include "program.h"

enum { LARGEST = 16, TASK_ROWS = 4 }; /* rows whose placements are tasks */

/** Columns and the two diagonals that are attacked in the row to be filled, as sets of bits. */
struct board {
    unsigned columns, left, right;
};

static struct board with_queen(struct board b, unsigned at)
{
    return (struct board){b.columns | at, (b.left | at) << 1, (b.right | at) >> 1};
}

static unsigned long search(struct board b, unsigned all)
{
    unsigned long found = 0;
    if (b.columns == all)
        return 1;
    for (unsigned open = all & ~(b.columns | b.left | b.right); open; open &= open - 1)
        found += search(with_queen(b, open & -open), all);
    return found;
}

static void search_tasks(struct board b, unsigned all, int row, unsigned long *total)
{
    if (row == TASK_ROWS) {
        unsigned long found = search(b, all);
#pragma omp atomic
        *total += found;
        return;
    }
    for (unsigned open = all & ~(b.columns | b.left | b.right); open; open &= open - 1) {
        struct board next = with_queen(b, open & -open);
#pragma omp task firstprivate(next)
        search_tasks(next, all, row + 1, total);
    }
}

static double queens(int n)
{
    static const unsigned long known[LARGEST + 1] = {
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    unsigned long total = 0;
    if (n > LARGEST)
        return -1;

    double start = seconds_now();
#pragma omp parallel
#pragma omp single
    search_tasks((struct board){0, 0, 0}, (1u << n) - 1, 0, &total);
    double took = seconds_now() - start;

    return total == known[n] ? took : -1;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 15, 1, TASK_ROWS, queens);
}
