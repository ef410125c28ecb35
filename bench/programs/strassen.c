/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Strassen's multiplication of matrices of SIZE x SIZE: seven products of halves, each a task that divides
 * again, and a taskgroup around them.
 *
 * The check is Freivalds': for vectors x of 0 and 1, A (B x) = C x. All are small integers, so the sums are
 * exact in double.
 */
#include "program.h"

#include <string.h>

enum { LEAF = 48, CHECKS = 8 };

/** c (n x n, rows of n) := a b; a and b have rows of `stride`. */
static void multiply_plainly(size_t n, const double *a, const double *b, size_t stride, double *c)
{
    memset(c, 0, n * n * sizeof *c);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double v = a[i * stride + k];
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += v * b[k * stride + j];
        }
    }
}

/** to (n x n) := x + sign y; x and y have rows of `stride`. */
static void add(size_t n, const double *x, double sign, const double *y, size_t stride, double *to)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            to[i * n + j] = x[i * stride + j] + sign * y[i * stride + j];
    }
}

static void multiply(size_t n, const double *a, const double *b, size_t stride, double *c);

/** to := (a1 + sa a2) (b1 + sb b2), each of them a quarter; a sign of 0 is for a sum of one part. */
static void product(size_t n, size_t stride, const double *a1, double sa, const double *a2, const double *b1,
                    double sb, const double *b2, double *to)
{
    double *left = need(2 * n * n * sizeof *left), *right = left + n * n;
    add(n, a1, sa, a2, stride, left);
    add(n, b1, sb, b2, stride, right);
    multiply(n, left, right, n, to);
    free(left);
}

/** c (n x n, rows of n) := a b */
static void multiply(size_t n, const double *a, const double *b, size_t stride, double *c)
{
    if (n <= LEAF) {
        multiply_plainly(n, a, b, stride, c);
        return;
    }
    size_t h = n / 2;
    const double *a11 = a, *a12 = a + h, *a21 = a + h * stride, *a22 = a21 + h;
    const double *b11 = b, *b12 = b + h, *b21 = b + h * stride, *b22 = b21 + h;
    double *m = need(7 * h * h * sizeof *m);
#pragma omp taskgroup
    {
#pragma omp task
        product(h, stride, a11, 1, a22, b11, 1, b22, m);
#pragma omp task
        product(h, stride, a21, 1, a22, b11, 0, b11, m + h * h);
#pragma omp task
        product(h, stride, a11, 0, a11, b12, -1, b22, m + 2 * h * h);
#pragma omp task
        product(h, stride, a22, 0, a22, b21, -1, b11, m + 3 * h * h);
#pragma omp task
        product(h, stride, a11, 1, a12, b22, 0, b22, m + 4 * h * h);
#pragma omp task
        product(h, stride, a21, -1, a11, b11, 1, b12, m + 5 * h * h);
#pragma omp task
        product(h, stride, a12, -1, a22, b21, 1, b22, m + 6 * h * h);
    }
    for (size_t i = 0; i < h; i++) {
        for (size_t j = 0; j < h; j++) {
            const double *p = m + i * h + j;
            size_t s = h * h;
            c[i * n + j] = p[0] + p[3 * s] - p[4 * s] + p[6 * s];
            c[i * n + j + h] = p[2 * s] + p[4 * s];
            c[(i + h) * n + j] = p[s] + p[3 * s];
            c[(i + h) * n + j + h] = p[0] - p[s] + p[2 * s] + p[5 * s];
        }
    }
    free(m);
}

/** y := m x */
static void apply(size_t n, const double *m, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t j = 0; j < n; j++)
            y[i] += m[i * n + j] * x[j];
    }
}

static double strassen(int levels)
{
    size_t n = (size_t)LEAF << levels;
    double *a = need(3 * n * n * sizeof *a), *b = a + n * n, *c = b + n * n;
    double *x = need(4 * n * sizeof *x), *bx = x + n, *abx = bx + n, *cx = abx + n;
    unsigned state = 1;
    for (size_t i = 0; i < 2 * n * n; i++) {
        state = state * 1103515245u + 12345u;
        a[i] = (double)(state >> 28) - 8; /* b follows a */
    }

    double start = seconds_now();
#pragma omp parallel
#pragma omp single
    multiply(n, a, b, n, c);
    double took = seconds_now() - start;

    int wrong = 0;
    for (int check = 0; check < CHECKS; check++) {
        for (size_t i = 0; i < n; i++) {
            state = state * 1103515245u + 12345u;
            x[i] = (double)(state >> 31);
        }
        apply(n, b, x, bx);
        apply(n, a, bx, abx);
        apply(n, c, x, cx);
        wrong |= memcmp(abx, cx, n * sizeof *cx) != 0;
    }
    free(a);
    free(x);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 5, 1, 1, strassen);
}
