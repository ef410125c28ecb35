/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A 2-D stencil: heat spreads on a square plate with cold edges (Jacobi sweeps), one parallel loop for each
 * sweep, and a reduction every CHECK sweeps.
 *
 * The start is an eigenvector of the sweep, sin(K pi i / n) sin(K pi j / n): each sweep only multiplies it by
 * the known eigenvalue cos(K pi / n). So the result is known, and a row that one sweep left out shows in it.
 */
#include "program.h"

#include <math.h>

enum { SWEEPS = 400, CHECK = 20, K = 3 };

static double *grid, *next;

static void sweep(int n)
{
#pragma omp parallel for schedule(static)
    for (int i = 1; i < n; i++) {
        const double *above = grid + (size_t)(i - 1) * (size_t)(n + 1), *here = above + n + 1,
                     *below = here + n + 1;
        double *to = next + (size_t)i * (size_t)(n + 1);
        for (int j = 1; j < n; j++)
            to[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
    }
    double *other = grid;
    grid = next;
    next = other;
}

static double hottest(int n)
{
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int i = 1; i < n; i++) {
        const double *here = grid + (size_t)i * (size_t)(n + 1);
        for (int j = 1; j < n; j++)
            most = fabs(here[j]) > most ? fabs(here[j]) : most;
    }
    return most;
}

static int far(double a, double b)
{
    return fabs(a - b) > 1e-9;
}

static double heat(int n)
{
    size_t side = (size_t)n + 1;
    double *wave = need(side * sizeof *wave);
    grid = need(side * side * sizeof *grid);
    next = need(side * side * sizeof *next);
    double crest = 0;
    for (int i = 0; i <= n; i++) {
        wave[i] = sin(M_PI * K * i / n);
        crest = fmax(crest, fabs(wave[i]));
    }
    for (size_t i = 0; i < side; i++) {
        for (size_t j = 0; j < side; j++)
            grid[i * side + j] = next[i * side + j] = wave[i] * wave[j];
    }

    double start = seconds_now(), shrunk = 1, factor = cos(M_PI * K / n);
    int wrong = 0;
    for (int s = 1; s <= SWEEPS; s++) {
        sweep(n);
        shrunk *= factor;
        if (s % CHECK == 0)
            wrong |= far(hottest(n), crest * crest * shrunk);
    }
    double took = seconds_now() - start;

    for (size_t i = 1; i < side - 1; i++) {
        for (size_t j = 1; j < side - 1; j++)
            wrong |= far(grid[i * side + j], shrunk * wave[i] * wave[j]);
    }
    free(wave);
    free(grid);
    free(next);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 384, 36, 8, heat);
}
