/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory runs out (RLIMIT_AS) while tasks are created that cannot run yet, while regions nest, and while an
 * allocator serves the program: the work is done with what there is, or a message says so and the program
 * ends. Never a crash.
 */
#include <sched.h>
#include <sys/resource.h>

#include "robust.h"
#include "work.h"

/** `more` bytes above what the process has now. */
static int limit_space(size_t more)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu", &pages) != 1)
        return 1;
    fclose(file);
    struct rlimit space = {pages * 4096 + more, pages * 4096 + more};
    return setrlimit(RLIMIT_AS, &space);
}

struct large {
    char bytes[8192];
};

static int tasks(void)
{
    int gate = 0, sum = 0, dependence __attribute__((unused)) = 0;
    struct large large;
    memset(&large, 1, sizeof large);
    if (work(2) != 0 || limit_space((size_t)24 << 20) != 0)
        return 77;
#pragma omp parallel num_threads(2) shared(gate, sum, dependence)
#pragma omp single
    {
        /* All others depend on this one, which runs until they have all been created. */
#pragma omp task depend(out : dependence) shared(gate)
        while (__atomic_load_n(&gate, __ATOMIC_ACQUIRE) == 0)
            sched_yield();
        for (int i = 0; i < 20000; i++) {
#pragma omp task depend(in : dependence) firstprivate(large) shared(sum)
            {
#pragma omp atomic
                sum += large.bytes[i % 8192];
            }
        }
        __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    }
    return sum != 20000;
}

static int tree(int depth)
{
    int sum = 0;
    if (depth == 0)
        return 1;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += tree(depth - 1);
    return sum >= 1 ? 1 : 0;
}

static int regions(void)
{
    omp_set_max_active_levels(12);
    if (limit_space((size_t)100 << 20) != 0)
        return 77;
    return tree(8) == 1 ? 0 : 1;
}

static int mode(const char *name)
{
    if (strcmp(name, "tasks") == 0)
        return tasks();
    if (strcmp(name, "regions") == 0)
        return regions();
    if (strcmp(name, "allocator") == 0) {
        void *some, *many = NULL;
        if (work(2) != 0 || limit_space((size_t)16 << 20) != 0)
            return 77;
        some = omp_alloc(1000, omp_default_mem_alloc);
        many = omp_alloc((size_t)1 << 30, omp_default_mem_alloc);
        int wrong = some == NULL || many != NULL;
        omp_free(some, omp_default_mem_alloc);
        return wrong;
    }
    return 78;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"tasks", "regions", "allocator"};
    if (argc > 1)
        return mode(argv[1]);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct outcome end = robust_again(modes[i], 30, NULL);
        printf("%s: status %d, signal %d: %.300s\n", modes[i], end.exited, end.signal, end.words);
        EXPECT(end.exited == 0 || robust_said_why(&end));
    }
    return robust_end();
}
