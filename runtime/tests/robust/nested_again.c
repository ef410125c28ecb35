/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Nested teams of changing sizes, hundreds of times: results are right and the threads of inner teams are
 * used again (libgomp makes new ones for each inner region).
 */
#include "robust.h"
#include "work.h"

static int nest(int outer, int inner)
{
    int n = 0, wrong = 0;
#pragma omp parallel num_threads(outer) reduction(+ : n, wrong)
    {
        int above = omp_get_thread_num(), count = 0;
#pragma omp parallel num_threads(inner) reduction(+ : n, wrong) shared(count)
        {
            n++;
            wrong += omp_get_ancestor_thread_num(1) != above || omp_get_level() != 2;
#pragma omp atomic
            count++;
#pragma omp barrier
            wrong += count != omp_get_num_threads();
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                wrong += i < 0;
        }
    }
    return wrong != 0 ? -1 : n;
}

static int depth(int levels)
{
    int sum = 0;
    if (levels == 0)
        return 1;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += depth(levels - 1);
    return sum;
}

int main(void)
{
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    int most = 0, wrong = 0;
    for (int i = 0; i < 400; i++) {
        int outer = 1 + i % 4, inner = 1 + i / 3 % 4;
        wrong += nest(outer, inner) != outer * inner;
        if (i % 50 == 49 && robust_threads() > most)
            most = robust_threads();
    }
    EXPECT(wrong == 0);
    EXPECT(most <= 40);
    omp_set_max_active_levels(6);
    for (int i = 0; i < 20; i++)
        EXPECT(depth(1 + i % 5) == 1 << (1 + i % 5));
    EXPECT(robust_threads() <= 100);
    omp_set_max_active_levels(1);
    EXPECT(nest(3, 4) == 3);
    EXPECT(work(4) == 0);
    return robust_end();
}
