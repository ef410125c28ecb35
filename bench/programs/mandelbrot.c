/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The Mandelbrot set on SIZE x SIZE points, a dynamic loop over the rows: a row in the middle takes hundreds
 * of times as long as one at the edge.
 *
 * The check: the set is symmetric about the real axis (both halves are computed), points of its main cardioid
 * never leave, and points beyond 2 leave at once.
 */
#include "program.h"

#include <math.h>

enum { LIMIT = 1500 };

static int steps(double re, double im)
{
    double x = 0, y = 0;
    for (int i = 0; i < LIMIT; i++) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4)
            return i;
        y = 2 * x * y + im;
        x = xx - yy + re;
    }
    return LIMIT;
}

/** The middle of the n points from -2.1 to 2.1; those of i and n - 1 - i differ in sign alone. */
static double coordinate(int i, int n)
{
    return 2.1 * (2 * i - (n - 1)) / n;
}

/** Whether steps() cannot have given `found` there. */
static int impossible(double re, double im, int found)
{
    double a = re - 0.25, q = a * a + im * im, square = re * re + im * im;
    return (q * (q + a) < 0.249 * im * im && found != LIMIT) || (square > 4.001 && found > 1);
}

static double mandelbrot(int n)
{
    int *image = need((size_t)n * (size_t)n * sizeof *image);

    double start = seconds_now();
#pragma omp parallel for schedule(dynamic, 1)
    for (int row = 0; row < n; row++) {
        int *here = image + (size_t)row * (size_t)n;
        for (int column = 0; column < n; column++)
            here[column] = steps(coordinate(column, n), coordinate(row, n));
    }
    double took = seconds_now() - start;

    int wrong = 0;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            int found = image[(size_t)row * (size_t)n + (size_t)column];
            wrong |= found != image[(size_t)(n - 1 - row) * (size_t)n + (size_t)column];
            wrong |= impossible(coordinate(column, n), coordinate(row, n), found);
        }
    }
    free(image);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 1800, 1, 8, mandelbrot);
}
