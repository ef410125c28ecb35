/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Conjugate gradients for Poisson's equation on SIZE x SIZE points, matrix-free, in one parallel region: in
 * each step two reductions, four loops of a few microseconds, and singles between them.
 *
 * The check: the right side is made from a known solution, which has to come out.
 */
#include "program.h"

#include <math.h>
#include <string.h>

static int side;
static double *x, *r, *p, *q;
static double dot, rho;

/** to := A from: four times each point less its neighbours; outside is zero. */
static void apply(const double *from, double *to)
{
    int width = side + 2;
#pragma omp for schedule(static)
    for (int i = 1; i <= side; i++) {
        const double *above = from + (size_t)(i - 1) * (size_t)width, *here = above + width,
                     *below = here + width;
        for (int j = 1; j <= side; j++)
            to[(size_t)i * (size_t)width + (size_t)j] =
                4 * here[j] - here[j - 1] - here[j + 1] - above[j] - below[j];
    }
}

/** `dot` becomes the product of two vectors. */
static void multiply(const double *a, const double *b)
{
    int width = side + 2;
#pragma omp single
    dot = 0;
#pragma omp for schedule(static) reduction(+ : dot)
    for (int i = 0; i < width * width; i++)
        dot += a[i] * b[i];
}

/** y += by * v */
static void add(double by, const double *v, double *y)
{
    int width = side + 2;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < width * width; i++)
        y[i] += by * v[i];
}

static void solve(void)
{
    multiply(r, r);
#pragma omp single
    rho = dot;
    while (rho > 1e-18) {
        apply(p, q);
        multiply(p, q);
        double step = rho / dot;
        add(step, p, x);
        add(-step, q, r);
#pragma omp barrier
        multiply(r, r);
        double next = dot / rho;
#pragma omp barrier
#pragma omp for schedule(static)
        for (int i = 0; i < (side + 2) * (side + 2); i++)
            p[i] = r[i] + next * p[i];
#pragma omp single
        rho = dot;
    }
}

static double cg(int n)
{
    size_t points = (size_t)(n + 2) * (size_t)(n + 2), bytes = points * sizeof *x;
    side = n;
    double *memory = need(5 * bytes), *known = memory + 4 * points;
    memset(memory, 0, 5 * bytes);
    x = memory;
    r = x + points;
    p = r + points;
    q = p + points;
    unsigned state = 3;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
            state = state * 1103515245u + 12345u;
            known[i * (n + 2) + j] = (double)(state >> 16) / 65536;
        }
    }
    apply(known, r); /* by one thread */
    memcpy(p, r, bytes);

    double start = seconds_now();
#pragma omp parallel
    solve();
    double took = seconds_now() - start;

    int wrong = 0;
    for (size_t i = 0; i < points; i++)
        wrong |= !(fabs(x[i] - known[i]) < 1e-6);
    free(memory);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 96, 90, 8, cg);
}
