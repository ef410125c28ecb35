/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products and factorisations by OpenBLAS on OpenMP threads; their results, as they are in memory, on stdout.
 * Also from inside a region, where OpenBLAS has to make do with one thread.
 */
#include <stdio.h>
#include <stdlib.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dpotrf_(const char *, const int *, double *, const int *, int *);

enum { N = 600 };

static unsigned long state = 7;

static double *matrix(void)
{
    double *a = malloc(sizeof *a * N * N);

    for (int i = 0; a && i < N * N; i++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        a[i] = (double)(state >> 33) / 1073741824.0 - 1.0;
    }
    if (!a)
        exit(1);
    return a;
}

static void show(const double *a)
{
    fwrite(a, sizeof *a, (size_t)N * N, stdout);
}

int main(void)
{
    static const int n = N;
    static const double one = 1, zero = 0;
    double *a = matrix(), *b = matrix(), *c = matrix(), *each[4];
    int *pivots = malloc(sizeof *pivots * N), info;

    if (!pivots)
        return 1;
    dgemm_("N", "T", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
    show(c);
    dgetrf_(&n, &n, c, &n, pivots, &info);
    if (info)
        return 1;
    show(c);
    fwrite(pivots, sizeof *pivots, N, stdout);
    /* a a' + N: positive definite */
    dgemm_("N", "T", &n, &n, &n, &one, a, &n, a, &n, &zero, b, &n);
    for (int i = 0; i < N; i++)
        b[i * N + i] += N;
    dpotrf_("L", &n, b, &n, &info);
    if (info)
        return 1;
    show(b);
    for (int i = 0; i < 4; i++)
        each[i] = matrix();
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        dgemm_("T", "N", &n, &n, &n, &one, a, &n, b, &n, &one, each[i], &n);
    for (int i = 0; i < 4; i++) {
        show(each[i]);
        free(each[i]);
    }
    free(a);
    free(b);
    free(c);
    free(pivots);
    return 0;
}
