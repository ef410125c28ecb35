/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads that the program makes itself, 3,000 one after another, each an initial thread with a region and
 * some tasks: all are right, and neither threads nor memory pile up.
 */
#include <pthread.h>

#include "robust.h"
#include "work.h"

static int per_thread = 17;
#pragma omp threadprivate(per_thread)

static void *one(void *wrong)
{
    int *bad = wrong, size = 0;
    *bad +=
        per_thread != 17 || omp_get_level() != 0 || omp_get_thread_num() != 0 || omp_get_num_threads() != 1;
    per_thread = 1;
#pragma omp parallel num_threads(2) reduction(+ : size)
    size += 1;
    *bad += size < 1 || size > 2;
    if (((size_t)&size >> 12) % 8 == 0)
        *bad += work(2);
    return NULL;
}

/** Resident pages of the process. */
static long resident(void)
{
    long all = 0, here = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &all, &here) != 2)
            here = 0;
        fclose(file);
    }
    return here;
}

int main(void)
{
    int wrong = 0;
    long before = 0;
    for (int i = 0; i < 3000; i++) {
        pthread_t handle;
        if (pthread_create(&handle, NULL, one, &wrong) != 0) {
            wrong += 1000000;
            break;
        }
        pthread_join(handle, NULL);
        if (i == 300)
            before = resident();
    }
    EXPECT(wrong == 0);
    EXPECT(robust_threads() < 64);
    EXPECT(resident() - before < 4096); /* 16 MB for 2,700 threads */
    EXPECT(per_thread == 17);
    EXPECT(work(4) == 0);
    return robust_end();
}
