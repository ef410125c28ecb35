/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms of several shapes by FFTW on OpenMP threads; their results, as they are in memory, on stdout. */
#include <fftw3.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long state = 42;

static double number(void)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(state >> 33) / 1073741824.0 - 1.0;
}

static void transform(int rank, const int *n, int sign)
{
    size_t count = 1;
    fftw_complex *in, *out;
    fftw_plan plan;

    for (int i = 0; i < rank; i++)
        count *= (size_t)n[i];
    in = fftw_alloc_complex(count);
    out = fftw_alloc_complex(count);
    /* A plan by estimate depends on nothing but the shape and the number of threads. */
    plan = fftw_plan_dft(rank, n, in, out, sign, FFTW_ESTIMATE);
    if (!plan)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        in[i][0] = number();
        in[i][1] = number();
    }
    for (int i = 0; i < 5; i++)
        fftw_execute(plan);
    fwrite(out, sizeof *out, count, stdout);
    fftw_destroy_plan(plan);
    fftw_free(in);
    fftw_free(out);
}

int main(void)
{
    static const int shapes[][4] = {{1, 65536}, {1, 30030}, {2, 256, 384}, {3, 32, 48, 60}, {2, 17, 4099}};

    if (!fftw_init_threads())
        return 1;
    fftw_plan_with_nthreads(omp_get_max_threads());
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        transform(shapes[i][0], shapes[i] + 1, FFTW_FORWARD);
        transform(shapes[i][0], shapes[i] + 1, FFTW_BACKWARD);
    }
    fftw_cleanup_threads();
    return 0;
}
