/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fourier transforms of 2^SIZE points, forth and back, ROUNDS times: a parallel loop for each stage, a few
 * microseconds long (Stockham's form, which needs no reordering).
 *
 * The check: the transform of a pure wave is one peak of height n, and after the way back the wave is there
 * again.
 */
#include "program.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 70, WAVE = 5 };

static double complex *now_in, *now_out;
static double complex *root; /* root[k] = exp(-2 pi i k / n) */

/** Without the standard's look for infinities. */
static double complex times(double complex a, double complex b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b) + I * (creal(a) * cimag(b) + cimag(a) * creal(b));
}

/** From sequences of length `length`, of which there are n / length side by side, to those of half of it. */
static void stage(long n, long length, int back)
{
    long half = length / 2, beside = n / length;
    const double complex *in = now_in;
    double complex *out = now_out;
#pragma omp parallel for schedule(static)
    for (long at = 0; at < n / 2; at++) {
        long p = at / beside, q = at % beside;
        double complex w = back ? conj(root[p * beside]) : root[p * beside];
        double complex a = in[q + beside * p], b = in[q + beside * (p + half)];
        out[q + beside * 2 * p] = a + b;
        out[q + beside * (2 * p + 1)] = times(a - b, w);
    }
    now_in = out;
    now_out = (double complex *)in;
}

static void transform(long n, int back)
{
    for (long length = n; length > 1; length /= 2)
        stage(n, length, back);
}

static int peak_is_wrong(long n)
{
    int wrong = 0;
    for (long i = 0; i < n; i++)
        wrong |= !(cabs(now_in[i] - (i == WAVE ? (double)n : 0)) < 1e-6 * (double)n);
    return wrong;
}

static double fft(int bits)
{
    long n = 1L << bits;
    double complex *memory = need(3 * (size_t)n * sizeof *memory);
    now_in = memory;
    now_out = memory + n;
    root = memory + 2 * n;
    for (long i = 0; i < n; i++) {
        root[i] = cexp(-2 * M_PI * I * (double)i / (double)n);
        now_in[i] = cexp(2 * M_PI * I * (double)(i * WAVE % n) / (double)n);
    }
    memset(now_out, 0, (size_t)n * sizeof *now_out);

    int wrong = 0;
    double took = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds_now();
        transform(n, 0);
        took += seconds_now() - start;
        if (round == 0 || round == ROUNDS - 1)
            wrong |= peak_is_wrong(n);
        start = seconds_now();
        transform(n, 1);
#pragma omp parallel for schedule(static)
        for (long i = 0; i < n; i++)
            now_in[i] /= (double)n;
        took += seconds_now() - start;
    }
    for (long i = 0; i < n; i++)
        wrong |= !(cabs(now_in[i] - conj(root[i * WAVE % n])) < 1e-9);
    free(memory);
    return wrong ? -1 : took;
}

int main(int argc, char **argv)
{
    return repeat(argc, argv, 12, 100, 4, fft);
}
