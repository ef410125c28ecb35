/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A sparse Cholesky factorisation by blocks: each operation on a block is a task, ordered by its dependences
 * only.
 *
 * The blocks are those of a square of SIZE x SIZE nodes, each joined to its neighbours, as in a mesh; which
 * other blocks the factorisation fills in is computed first. The matrix is symmetric and its diagonal
 * dominates, so it is positive definite. The check: with b = A (1, 1, ...), solving with
 * the factor has to give all ones.
 */
#include "program.h"

#include <math.h>
#include <string.h>

enum { B = 20 }; /* rows of a block */

static int blocks;     /* in a row or column of the matrix */
static double **block; /* [row * blocks + column]: the lower triangle, NULL where all is zero */

static double **at(int i, int j)
{
    return &block[(size_t)i * (size_t)blocks + (size_t)j];
}

/** a := its Cholesky factor, in the lower triangle. */
static void factor(double *a)
{
    for (int k = 0; k < B; k++) {
        double d = sqrt(a[k * B + k]);
        for (int i = k; i < B; i++)
            a[i * B + k] /= d;
        for (int j = k + 1; j < B; j++) {
            for (int i = j; i < B; i++)
                a[i * B + j] -= a[i * B + k] * a[j * B + k];
        }
    }
}

/** a := a l^-T */
static void divide(const double *l, double *a)
{
    for (int i = 0; i < B; i++) {
        for (int j = 0; j < B; j++) {
            double v = a[i * B + j];
            for (int k = 0; k < j; k++)
                v -= a[i * B + k] * l[j * B + k];
            a[i * B + j] = v / l[j * B + j];
        }
    }
}

/** c := c - a b^T */
static void subtract(const double *a, const double *b, double *c)
{
    for (int i = 0; i < B; i++) {
        for (int j = 0; j < B; j++) {
            double v = 0;
            for (int k = 0; k < B; k++)
                v += a[i * B + k] * b[j * B + k];
            c[i * B + j] -= v;
        }
    }
}

static void factorise(void)
{
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < blocks; k++) {
        double *kk = *at(k, k);
#pragma omp task depend(inout : kk[0])
        factor(kk);
        for (int i = k + 1; i < blocks; i++) {
            double *ik = *at(i, k);
            if (!ik)
                continue;
#pragma omp task depend(in : kk[0]) depend(inout : ik[0])
            divide(kk, ik);
        }
        for (int i = k + 1; i < blocks; i++) {
            double *ik = *at(i, k);
            for (int j = k + 1; ik && j <= i; j++) {
                double *jk = *at(j, k), *ij = *at(i, j);
                if (!jk)
                    continue;
#pragma omp task depend(in : ik[0], jk[0]) depend(inout : ij[0])
                subtract(ik, jk, ij);
            }
        }
    }
}

/** The blocks of A, and of zeros where the factorisation will fill in. */
static void make(int side)
{
    unsigned state = 1;
    for (int i = 0; i < blocks; i++) {
        for (int j = 0; j <= i; j++) {
            if (i != j && i - j != side && (i - j != 1 || i % side == 0))
                continue;
            double *a = *at(i, j) = need(B * B * sizeof *a);
            for (int e = 0; e < B * B; e++) {
                state = state * 1103515245u + 12345u;
                a[e] = (double)(state >> 16) / 65536.0 - 0.5;
            }
            for (int r = 0; i == j && r < B; r++) {
                for (int c = 0; c < r; c++)
                    a[c * B + r] = a[r * B + c];
                a[r * B + r] = 5 * B; /* more than the sum of the others, of up to five blocks */
            }
        }
    }
    for (int k = 0; k < blocks; k++) {
        for (int i = k + 1; i < blocks; i++) {
            for (int j = k + 1; *at(i, k) && j < i; j++) {
                if (*at(j, k) && !*at(i, j))
                    *at(i, j) = memset(need(B * B * sizeof(double)), 0, B * B * sizeof(double));
            }
        }
    }
}

/** x := A (1, 1, ...), from the lower triangle */
static void row_sums(double *x)
{
    memset(x, 0, (size_t)blocks * B * sizeof *x);
    for (int i = 0; i < blocks; i++) {
        for (int j = 0; j <= i; j++) {
            const double *a = *at(i, j);
            for (int e = 0; a && e < B * B; e++) {
                x[i * B + e / B] += a[e];
                if (i != j)
                    x[j * B + e % B] += a[e];
            }
        }
    }
}

/** x := L^-T L^-1 x */
static void solve(double *x)
{
    for (int r = 0; r < blocks * B; r++) {
        for (int c = 0; c < r; c++) {
            const double *a = *at(r / B, c / B);
            if (a)
                x[r] -= a[r % B * B + c % B] * x[c];
        }
        x[r] /= (*at(r / B, r / B))[r % B * B + r % B];
    }
    for (int r = blocks * B - 1; r >= 0; r--) {
        x[r] /= (*at(r / B, r / B))[r % B * B + r % B];
        for (int c = 0; c < r; c++) {
            const double *a = *at(r / B, c / B);
            if (a)
                x[c] -= a[r % B * B + c % B] * x[r];
        }
    }
}

static double cholesky(int side)
{
    blocks = side * side;
    size_t all = (size_t)blocks * (size_t)blocks;
    block = need(all * sizeof *block);
    memset(block, 0, all * sizeof *block);
    make(side);
    double *x = need((size_t)blocks * B * sizeof *x);
    row_sums(x);

    double start = seconds_now();
    factorise();
    double took = seconds_now() - start;

    int wrong = 0;
    solve(x);
    for (int r = 0; r < blocks * B; r++)
        wrong |= !(fabs(x[r] - 1) < 1e-12);
    free(x);
    for (size_t b = 0; b < all; b++)
        free(block[b]);
    free(block);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 27, 1, 2, cholesky);
}
